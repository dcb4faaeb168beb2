/** Where the centre is and by which keys it is known, in one line that a technician enters. */
const PIN = /^sha256\/[A-Za-z0-9+/]{43}=$/;
const RAW_KEY = /^[A-Za-z0-9+/]{43}=$/;
const THIS_MACHINE: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

export interface CentreAddress {
  /** Without a slash at its end. */
  readonly base: string;
  /** Pins of the keys the centre may show; null on plain HTTP inside this machine. */
  readonly pins: readonly string[] | null;
  /** Raw Ed25519 key whose commands are obeyed; null obeys none. */
  readonly commandKey: Uint8Array | null;
}

/**
 * `https://HOST:PORT#pin=sha256/…&command-key=…`: `pin` may stand twice while the centre's key is
 * being changed. Plain `http://` is for a centre on this machine. Throws RangeError with what is
 * wrong.
 */
export function readCentreAddress(text: string): CentreAddress {
  const bad = (what: string): RangeError => new RangeError(`address of the centre ${text}: ${what}`);
  if (!URL.canParse(text)) throw bad('not a URL');
  const url = new URL(text);
  const pins: string[] = [];
  let commandKey: Uint8Array | null = null;
  for (const member of url.hash.slice(1).split('&')) {
    if (member === '') continue;
    // Not URLSearchParams, which reads the `+` of base64 as a space.
    const at = member.indexOf('=');
    const [name, value] = [member.slice(0, at), decodeURIComponent(member.slice(at + 1))];
    if (name === 'pin') {
      if (!PIN.test(value)) throw bad(`pin ${value} is not sha256/ and 44 characters of base64`);
      pins.push(value);
    } else if (name === 'command-key') {
      if (!RAW_KEY.test(value)) throw bad('command-key is not 44 characters of base64');
      commandKey = Buffer.from(value, 'base64');
    } else throw bad(`unknown member ${name}`);
  }
  url.hash = '';
  const base = url.href.replace(/\/+$/, '');
  if (url.protocol === 'https:') {
    if (pins.length === 0) throw bad('https needs #pin=, the name of the key the centre must show');
    return { base, pins, commandKey };
  }
  if (url.protocol !== 'http:') throw bad('neither https nor http');
  if (!THIS_MACHINE.has(url.hostname))
    throw bad('plain http leads to this machine only; use https with #pin=');
  if (pins.length > 0) throw bad('a pin needs https');
  return { base, pins: null, commandKey };
}
