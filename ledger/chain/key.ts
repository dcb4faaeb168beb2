import { createHash, createHmac, createPublicKey, hkdfSync, type KeyObject, sign, verify } from 'node:crypto';

/** A terminal's Ed25519 key pair, able to sign. `publicKey` is the raw 32 bytes (RFC 8032). */
export interface LedgerKey {
  readonly keyId: string;
  readonly publicKey: Uint8Array;
  /** SubjectPublicKeyInfo PEM, the text of an enrolment file `<terminal>.pub`. */
  readonly publicPem: string;
  /** 64-byte Ed25519 signature of `bytes`. */
  sign(bytes: Uint8Array): Uint8Array;
  /** 32 bytes that follow from `bytes`, and that nobody without the private key can know. */
  mac(bytes: Uint8Array): Uint8Array;
}

/** An Ed25519 SubjectPublicKeyInfo is this prefix followed by the raw key (RFC 8410). */
export const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** First 16 bytes of SHA-256 over the raw public key, in hex: 32 characters. */
export function keyIdOf(publicKey: Uint8Array): string {
  return createHash('sha256').update(publicKey).digest('hex').slice(0, 32);
}

/**
 * Raw 32-byte public key of a PEM text. Throws TypeError when the text is no Ed25519 public key.
 */
export function publicKeyFromPem(pem: string): Uint8Array {
  let key: KeyObject;
  try {
    key = createPublicKey(pem);
  } catch (error) {
    throw new TypeError(`not a public key in PEM: ${(error as Error).message}`);
  }
  if (key.asymmetricKeyType !== 'ed25519')
    throw new TypeError(`not an Ed25519 key: ${key.asymmetricKeyType}`);
  return key.export({ format: 'der', type: 'spki' }).subarray(SPKI_PREFIX.length);
}

export function keyFromPrivate(privateKey: KeyObject): LedgerKey {
  const publicPem = createPublicKey(privateKey).export({ format: 'pem', type: 'spki' }).toString();
  const publicKey = publicKeyFromPem(publicPem);
  const secret = Buffer.from(privateKey.export({ format: 'jwk' }).d!, 'base64url');
  const macKey = Buffer.from(hkdfSync('sha256', secret, '', 'banca-mac-v1', 32));
  return {
    keyId: keyIdOf(publicKey),
    publicKey,
    publicPem,
    sign: (bytes) => sign(null, bytes, privateKey),
    mac: (bytes) => createHmac('sha256', macKey).update(bytes).digest(),
  };
}

/** Importing a key costs more than checking a signature, and a terminal keeps its key. */
const imported = new Map<string, KeyObject>();

export function verifySignature(publicKey: Uint8Array, bytes: Uint8Array, signature: Uint8Array): boolean {
  if (publicKey.length !== 32 || signature.length !== 64) return false;
  const id = Buffer.from(publicKey).toString('hex');
  let key = imported.get(id);
  if (key === undefined) {
    key = createPublicKey({ key: Buffer.concat([SPKI_PREFIX, publicKey]), format: 'der', type: 'spki' });
    if (imported.size >= 1000) imported.clear();
    imported.set(id, key);
  }
  return verify(null, bytes, key, signature);
}
