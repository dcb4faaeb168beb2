/**
 * The centre's word on a ledger in dispute: from which entry on this terminal goes on, and for
 * which image of its disk that holds. It is signed with the key for commands and has no number: an
 * older ledger has lost count of those.
 */
import canonicalize from 'canonicalize';
import { z } from 'zod';
import { parseBounded } from './bounded-json.ts';
import type { SignedCommand } from './command.codec.ts';
import { TERMINAL_ID, toHex } from './entry.codec.ts';
import { type LedgerKey, verifySignature } from './key.ts';

const At = z.strictObject({ seq: z.int().min(0), hash: z.string().regex(/^[0-9a-f]{64}$/) });
const Word = z.strictObject({
  v: z.literal(1),
  terminal: z.string().regex(TERMINAL_ID),
  /** Newest entry of this terminal at the centre. */
  centre: At,
  /** Newest entry of the ledger in dispute, 0 and 64 zeros where there is none. */
  disputed: At,
  /**
   * An entry that was witnessed there and that neither side has any more: what followed is lost,
   * and people know it.
   */
  lost: At.nullable(),
  /** A terminal takes each word once, and none that is older than one it has taken. */
  issuedAtMs: z.int().min(1),
  issuer: z.string().min(1).max(200),
});

export type Word = z.infer<typeof Word>;
/** Text and signature, as a command has them. */
export type SignedWord = SignedCommand;

/** A word with nothing in it that is long. */
const BOUNDS = { characters: 4_096, depth: 3 };
const signedBytes = (bytes: string): Uint8Array => Buffer.from(`banca-word-v1\n${bytes}`);

/** Throws ZodError with the place when the word is not one. */
export function signWord(word: Omit<Word, 'v'>, key: LedgerKey): SignedWord {
  const bytes = canonicalize(Word.parse({ v: 1, ...word }))!;
  return { bytes, signature: toHex(key.sign(signedBytes(bytes))) };
}

/** The word of a text that was signed with `publicKey`. Throws Error with a sentence. */
export function readWord({ bytes, signature }: SignedWord, publicKey: Uint8Array): Word {
  if (!verifySignature(publicKey, signedBytes(bytes), Buffer.from(signature, 'hex')))
    throw new Error('the word is not signed with the key for commands that this terminal knows');
  const word = Word.parse(parseBounded(bytes, BOUNDS));
  if (canonicalize(word) !== bytes) throw new Error('the word is not in its canonical form (RFC 8785)');
  return word;
}
