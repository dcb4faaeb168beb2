/**
 * Passkeys (WebAuthn). Challenges are sealed and carry their own end, so that nobody who has not
 * logged in makes the service keep anything; a challenge that was answered rightly is kept until
 * that end and taken once.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import { z } from 'zod';
import type { Passkey, PersonRow } from './people.store.ts';

/** From the question to the answer, with a finger and a PIN in between. */
const ANSWER_WITHIN_MS = 5 * 60_000;
const SEAL_BYTES = 16;
const RANDOM_BYTES = 16;

/** What a challenge is for; one for something else does not fit. */
export type Purpose = 'log-in' | 'provider' | `link ${string}`;

const sealOf = (secret: Buffer, purpose: Purpose, head: Buffer): Buffer =>
  createHmac('sha256', secret).update(purpose).update('\0').update(head).digest().subarray(0, SEAL_BYTES);

export function makeChallenge(secret: Buffer, purpose: Purpose, nowMs: number): string {
  const head = Buffer.alloc(RANDOM_BYTES + 8);
  randomBytes(RANDOM_BYTES).copy(head);
  head.writeBigUInt64BE(BigInt(nowMs + ANSWER_WITHIN_MS), RANDOM_BYTES);
  return Buffer.concat([head, sealOf(secret, purpose, head)]).toString('base64url');
}

/** When it ends; null for one that is over, is not ours, or was made for something else. */
export function endOfChallenge(
  secret: Buffer,
  purpose: Purpose,
  challenge: string,
  nowMs: number,
): number | null {
  const bytes = Buffer.from(challenge, 'base64url');
  if (bytes.length !== RANDOM_BYTES + 8 + SEAL_BYTES || bytes.toString('base64url') !== challenge)
    return null;
  const head = bytes.subarray(0, RANDOM_BYTES + 8);
  if (!timingSafeEqual(bytes.subarray(head.length), sealOf(secret, purpose, head))) return null;
  const endMs = Number(head.readBigUInt64BE(RANDOM_BYTES));
  return endMs > nowMs ? endMs : null;
}

const bytes = (characters: number) =>
  z
    .string()
    .max(characters)
    .regex(/^[A-Za-z0-9_-]+$/, 'must be base64url');
const credential = {
  id: bytes(1_400),
  rawId: bytes(1_400),
  type: z.literal('public-key'),
  clientExtensionResults: z.object({}),
};
/** What `credential.toJSON()` says in a browser, as far as it is needed. */
export const Assertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(4_000),
    authenticatorData: bytes(4_000),
    signature: bytes(4_000),
    userHandle: bytes(100).optional(),
  }),
});
export const Attestation = z.object({
  ...credential,
  response: z.object({ clientDataJSON: bytes(4_000), attestationObject: bytes(16_000) }),
});

/** The challenge that an answer says it answers; an empty one where it says none. */
export function challengeOf({ clientDataJSON }: { readonly clientDataJSON: string }): string {
  try {
    const said: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString());
    const { challenge } = said as { readonly challenge?: unknown };
    return typeof challenge === 'string' ? challenge : '';
  } catch {
    return '';
  }
}

/** `https://centre.casino.example` or `http://localhost:8444`: passkeys belong to its name. */
const nameOf = (address: string): string => new URL(address).hostname;

const load = () => import('@simplewebauthn/server');

export const askForPasskey = (address: string, challenge: string): object => ({
  challenge,
  rpId: nameOf(address),
  userVerification: 'required',
  timeout: ANSWER_WITHIN_MS,
});

const ES256 = -7;
const ED25519 = -8;
const RS256 = -257;
const ALGORITHMS = [ED25519, ES256, RS256];

export const askForNewPasskey = (
  address: string,
  challenge: string,
  { id, name }: PersonRow,
  known: readonly string[],
): PublicKeyCredentialCreationOptionsJSON => ({
  challenge,
  rp: { id: nameOf(address), name: 'Banca' },
  user: { id: Buffer.from(`person ${id}`).toString('base64url'), name, displayName: name },
  pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
  // The passkey knows whose it is, so that nobody has to say a name.
  authenticatorSelection: {
    residentKey: 'required',
    requireResidentKey: true,
    userVerification: 'required',
  },
  excludeCredentials: known.map((each) => ({ type: 'public-key', id: each })),
  attestation: 'none',
  timeout: ANSWER_WITHIN_MS,
});

/** What a new passkey is known by from now on; null where the answer does not hold. */
export async function newPasskey(
  address: string,
  response: z.infer<typeof Attestation>,
): Promise<Passkey | null> {
  const { verifyRegistrationResponse } = await load();
  const { registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: challengeOf(response.response),
    expectedOrigin: address,
    expectedRPID: nameOf(address),
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => ({ registrationInfo: undefined }));
  if (registrationInfo === undefined) return null;
  const { id, publicKey, counter } = registrationInfo.credential;
  return { credential: id, publicKey, counter };
}

/** The authenticator's counter; null where the answer does not hold. Who has asked judges both. */
export async function counterOf(
  address: string,
  response: z.infer<typeof Assertion>,
  publicKey: Uint8Array<ArrayBuffer>,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await load();
  const { userHandle, ...rest } = response.response;
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...response, response: userHandle === undefined ? rest : { ...rest, userHandle } },
    expectedChallenge: challengeOf(response.response),
    expectedOrigin: address,
    expectedRPID: nameOf(address),
    // The database compares the counter, in the step that also notes it.
    credential: { id: response.id, publicKey, counter: 0 },
    requireUserVerification: true,
  }).catch(() => ({ verified: false, authenticationInfo: undefined }));
  return verified && authenticationInfo !== undefined ? authenticationInfo.newCounter : null;
}
