/**
 * The key by which one end of a line of ours is known, and the certificate in which TLS carries it:
 * the centre's for its terminals, the terminal's and a display's for each other.
 */
import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeCertificate, pinOf } from './certificate.codec.ts';
import { keyFromPrivate } from './key.ts';

/** What the TLS end shows, PEM. */
export interface TlsIdentity {
  readonly key: string;
  readonly cert: string;
}

const DAY_MS = 86_400_000;
const VALID_MS = 397 * DAY_MS;
/** A certificate with less left than this is rebuilt at a start; its key, and so its pin, stays. */
const RENEW_MS = 90 * DAY_MS;

/** Whose key it is; its files are named after it. */
type Owner = 'centre' | 'displays' | 'display';

/**
 * Key and certificate in `dir`, made at the first call. With `own` files of the casino these are
 * used as they are. Throws when a file cannot be read or the two do not belong together.
 */
export function loadOrMakeTls(
  dir: string,
  owner: Owner,
  nowMs: number,
  own: { key: string; cert: string } | null = null,
): TlsIdentity {
  if (own !== null) {
    const identity = { key: readFileSync(own.key, 'utf8'), cert: readFileSync(own.cert, 'utf8') };
    if (!new X509Certificate(identity.cert).checkPrivateKey(createPrivateKey(identity.key)))
      throw new Error(`${own.cert} is not a certificate of the key ${own.key}`);
    return identity;
  }
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const keyPath = join(dir, `${owner}-tls-key.pem`);
  const certPath = join(dir, `${owner}-tls-cert.pem`);
  if (!existsSync(keyPath)) {
    const { privateKey } = generateKeyPairSync('ed25519');
    put(keyPath, privateKey.export({ format: 'pem', type: 'pkcs8' }).toString());
  }
  const key = readFileSync(keyPath, 'utf8');
  const held = existsSync(certPath) ? new X509Certificate(readFileSync(certPath, 'utf8')) : null;
  if (held === null || held.validToDate.getTime() < nowMs + RENEW_MS) {
    const { publicKey, sign } = keyFromPrivate(createPrivateKey(key));
    const fields = { subject: `banca-${owner}`, issuer: `banca-${owner}`, publicKey };
    // A day back, for clocks that are a little behind.
    put(
      certPath,
      makeCertificate({ ...fields, notBeforeMs: nowMs - DAY_MS, notAfterMs: nowMs + VALID_MS }, sign),
    );
  }
  return { key, cert: readFileSync(certPath, 'utf8') };
}

/** What the other end has to know, as in `https://…#pin=`. */
export const pinOfPem = (cert: string): string => pinOf(new X509Certificate(cert));
export const endOfPem = (cert: string): number => new X509Certificate(cert).validToDate.getTime();

/** A power cut leaves the file whole or not there. */
function put(path: string, text: string): void {
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, text, { mode: 0o600, flush: true });
  renameSync(temporary, path);
}
