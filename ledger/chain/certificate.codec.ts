/**
 * X.509 certificates for the link to the centre (RFC 5280, Ed25519 after RFC 8410), as far as
 * pinned keys need them: who somebody is follows from a key that is known before, so a certificate
 * is only the form in which TLS carries it.
 */
import { createHash, createPublicKey, randomBytes, type X509Certificate } from 'node:crypto';
import { SPKI_PREFIX } from './key.ts';

const tlv = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  const size = content.length;
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
};
const sequence = (...parts: readonly Uint8Array[]): Buffer => tlv(0x30, ...parts);
const COMMON_NAME = Buffer.from('0603550403', 'hex');
const ED25519 = sequence(Buffer.from('06032b6570', 'hex'));
const VERSION_3 = Buffer.from('a003020102', 'hex');

const name = (text: string): Buffer =>
  sequence(tlv(0x31, sequence(COMMON_NAME, tlv(0x0c, Buffer.from(text)))));

/** UTCTime to 2049, GeneralizedTime after (RFC 5280, 4.1.2.5). */
function time(atMs: number): Buffer {
  const digits = new Date(atMs).toISOString().replace(/\.\d+/, '').replace(/[-:T]/g, '');
  return Number(digits.slice(0, 4)) < 2050
    ? tlv(0x17, Buffer.from(digits.slice(2)))
    : tlv(0x18, Buffer.from(digits));
}

export interface CertificateFields {
  /** Common name of its holder. */
  readonly subject: string;
  /** Common name of the one who signs. */
  readonly issuer: string;
  /** Raw Ed25519 key of the holder. */
  readonly publicKey: Uint8Array;
  /** ms since 1970 UTC, both ends included. */
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
}

/** 9999-12-31T23:59:59Z: no end is known (RFC 5280, 4.1.2.5). */
export const NO_END_MS = 253_402_300_799_000;

/** A certificate in PEM. `sign` is Ed25519 of the issuer. */
export function makeCertificate(c: CertificateFields, sign: (bytes: Uint8Array) => Uint8Array): string {
  // A serial number is positive and has 20 bytes at most.
  const serial = tlv(0x02, Buffer.from([0x01]), randomBytes(15));
  const body = sequence(
    VERSION_3,
    serial,
    ED25519,
    name(c.issuer),
    sequence(time(c.notBeforeMs), time(c.notAfterMs)),
    name(c.subject),
    Buffer.concat([SPKI_PREFIX, c.publicKey]),
  );
  const der = sequence(body, ED25519, tlv(0x03, Buffer.from([0]), sign(body)));
  const lines = der.toString('base64').match(/.{1,64}/g)!;
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

/** Whether a certificate was signed with this raw Ed25519 key. */
export function isSignedBy(certificate: X509Certificate, publicKey: Uint8Array): boolean {
  const key = createPublicKey({ key: Buffer.concat([SPKI_PREFIX, publicKey]), format: 'der', type: 'spki' });
  return certificate.verify(key);
}

/**
 * Name of a certificate's key: `sha256/` and the base64 of SHA-256 over its SubjectPublicKeyInfo
 * (as in RFC 7469).
 */
export function pinOf(certificate: X509Certificate): string {
  const spki = certificate.publicKey.export({ format: 'der', type: 'spki' });
  return `sha256/${createHash('sha256').update(spki).digest('base64')}`;
}

/** Name of the key that a stranger shows; a certificate may hold one that nobody here can read. */
export function keyShown(certificate: X509Certificate | undefined): string {
  if (certificate === undefined) return 'no key';
  try {
    return pinOf(certificate);
  } catch {
    return 'an unreadable key';
  }
}
