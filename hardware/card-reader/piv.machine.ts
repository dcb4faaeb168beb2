/**
 * A PIV card (NIST SP 800-73-4): the certificate of its key for card authentication, slot 9E, which
 * needs no PIN of the card and cannot be read out, and a signature with that key over bytes of
 * ours. Copying the certificate makes no second card.
 */
import { createHash, type KeyObject, randomBytes, verify, X509Certificate } from 'node:crypto';
import { gunzipSync } from 'node:zlib';

type Transmit = (apdu: Uint8Array) => Promise<Buffer>;

/** Taken away in the middle, or broken. */
class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** What the card said, or that it is none of this kind. */
export class CardRefused extends Error {
  override readonly name = 'CardRefused';
}

const SELECT_PIV = Buffer.from('00a404000ba00000030800001000010000', 'hex');
const GET_CERTIFICATE = Buffer.from('00cb3fff055c035fc10100', 'hex');
const SLOT = 0x9e;
/** Of the card's key, and with which hash its signature is made. */
const CURVES: Readonly<Record<string, { readonly algorithm: number; readonly hash: string }>> = {
  prime256v1: { algorithm: 0x11, hash: 'sha256' },
  secp384r1: { algorithm: 0x14, hash: 'sha384' },
};
const CERTIFICATE_BYTES = 8_192;

/** SHA-256 of the card's public key, in hex: as a person's entry names their card. */
export const cardOf = (key: KeyObject): string =>
  createHash('sha256')
    .update(key.export({ format: 'der', type: 'spki' }))
    .digest('hex');

/** Which card this is, which it has proved. Throws CardRefused, or what `transmit` throws. */
export async function proveCard(transmit: Transmit): Promise<string> {
  await ask(transmit, SELECT_PIV, 'it has no PIV application');
  const object = await ask(transmit, GET_CERTIFICATE, 'it has no certificate for card authentication');
  const key = keyIn(object);
  const curve = CURVES[key.asymmetricKeyDetails?.namedCurve ?? ''];
  if (curve === undefined) throw new CardRefused('its key is not on P-256 or P-384');
  const said = randomBytes(32);
  const digest = createHash(curve.hash).update(said).digest();
  const template = tlv(0x7c, Buffer.concat([tlv(0x82, Buffer.alloc(0)), tlv(0x81, digest)]));
  const head = Buffer.from([0x00, 0x87, curve.algorithm, SLOT, template.length]);
  const answer = await ask(transmit, Buffer.concat([head, template, Buffer.from([0])]), 'it does not sign');
  const signature = inside(inside(answer, 0x7c), 0x82);
  if (!verify(curve.hash, said, key, signature)) throw new CardRefused('its signature does not hold');
  return cardOf(key);
}

/** The whole answer, however many pieces the card gives it in. */
async function ask(transmit: Transmit, apdu: Buffer, otherwise: string): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for (let next: Buffer = apdu; ; ) {
    const answer = await transmit(next);
    if (answer.length < 2) throw new NoAnswer('it has gone, or does not answer');
    const [sw1, sw2] = answer.subarray(-2);
    const data = answer.subarray(0, -2);
    size += data.length;
    if (size > CERTIFICATE_BYTES) throw new CardRefused('its answer is too long');
    parts.push(data);
    if (sw1 === 0x61) next = Buffer.from([0x00, 0xc0, 0x00, 0x00, sw2 ?? 0]);
    else if (sw1 === 0x6c) next = Buffer.from([...apdu.subarray(0, -1), sw2 ?? 0]);
    else if (sw1 === 0x90) return Buffer.concat(parts);
    else throw new CardRefused(otherwise);
  }
}

function keyIn(object: Buffer): KeyObject {
  const container = inside(object, 0x53);
  const certificate = inside(container, 0x70);
  const isPacked = ((find(container, 0x71) ?? Buffer.alloc(1))[0] ?? 0) & 1;
  try {
    const der = isPacked ? gunzipSync(certificate, { maxOutputLength: CERTIFICATE_BYTES }) : certificate;
    return new X509Certificate(der).publicKey;
  } catch {
    throw new CardRefused('its certificate cannot be read');
  }
}

// ---- BER-TLV with tags of one byte ----

export function tlv(tag: number, value: Uint8Array): Buffer {
  const { length } = value;
  const head =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), value]);
}

function find(bytes: Buffer, wanted: number): Buffer | null {
  for (let at = 0; at + 2 <= bytes.length; ) {
    const tag = bytes[at]!;
    const first = bytes[at + 1]!;
    const more = first < 0x80 ? 0 : first & 0x7f;
    if (more > 2 || at + 2 + more > bytes.length) return null;
    const length = more === 0 ? first : bytes.readUIntBE(at + 2, more);
    const from = at + 2 + more;
    if (from + length > bytes.length) return null;
    if (tag === wanted) return bytes.subarray(from, from + length);
    at = from + length;
  }
  return null;
}

function inside(bytes: Buffer, tag: number): Buffer {
  const found = find(bytes, tag);
  if (found === null) throw new CardRefused('its answer cannot be read');
  return found;
}
