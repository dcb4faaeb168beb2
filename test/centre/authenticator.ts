/**
 * An authenticator in a few lines (WebAuthn, ES256, no attestation), for what a browser's own would
 * never send: a page that lies, a counter that stands still, an answer sent twice.
 */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const sha256 = (of: string | Buffer): Buffer => createHash('sha256').update(of).digest();
const b64 = (of: Buffer): string => of.toString('base64url');

/** User present and verified; with a new passkey also its data. */
const SEEN = 0x05;
const WITH_PASSKEY = 0x40;

/** CBOR of a text and of bytes that may be long. */
const text = (of: string): Buffer => Buffer.concat([Buffer.from([0x60 + of.length]), Buffer.from(of)]);
const bytes = (of: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0x59, of.length >> 8, of.length & 0xff]), of]);

export interface Said {
  /** The page it was asked on. */
  readonly origin: string;
  readonly rpId: string;
  readonly challenge: string;
}

export class Authenticator {
  readonly id = b64(randomBytes(32));
  readonly #key = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  #counter = 0;

  #client(type: string, { origin, challenge }: Said): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  #data(rpId: string, flags: number, counter: number, more = Buffer.alloc(0)): Buffer {
    const head = Buffer.alloc(5);
    head[0] = flags;
    head.writeUInt32BE(counter, 1);
    return Buffer.concat([sha256(rpId), head, more]);
  }

  #answer(response: Readonly<Record<string, string>>): object {
    return { id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {}, response };
  }

  /** A new passkey. */
  create(said: Said): object {
    const { x, y } = this.#key.publicKey.export({ format: 'jwk' }) as { x: string; y: string };
    const point = (of: string): Buffer =>
      Buffer.concat([Buffer.from([0x58, 32]), Buffer.from(of, 'base64url')]);
    const cose = Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
      point(x),
      Buffer.from([0x22]),
      point(y),
    ]);
    const id = Buffer.from(this.id, 'base64url');
    const passkey = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose]);
    const attestation = Buffer.concat([
      Buffer.from([0xa3]),
      text('fmt'),
      text('none'),
      text('attStmt'),
      Buffer.from([0xa0]),
      text('authData'),
      bytes(this.#data(said.rpId, SEEN | WITH_PASSKEY, 0, passkey)),
    ]);
    return this.#answer({
      clientDataJSON: b64(this.#client('webauthn.create', said)),
      attestationObject: b64(attestation),
    });
  }

  /** A log-in; `counter` where it says another one than the next. */
  get(said: Said, { counter, flags = SEEN }: { counter?: number; flags?: number } = {}): object {
    this.#counter = counter ?? this.#counter + 1;
    const client = this.#client('webauthn.get', said);
    const data = this.#data(said.rpId, flags, this.#counter);
    const signature = sign('sha256', Buffer.concat([data, sha256(client)]), this.#key.privateKey);
    return this.#answer({
      clientDataJSON: b64(client),
      authenticatorData: b64(data),
      signature: b64(signature),
    });
  }
}
