/**
 * What a link carries, and whether it holds: the same checks as `judgeReceipt` in
 * ledger/chain/receipt.codec.ts, with what a browser has.
 */

import { rulebookOf } from '../../engine/books.ts';
import type { Currency } from '../../engine/core/money.ts';
import type { RulebookId } from '../../engine/table/profile.ts';
import { inFull, type RoundOfReceipt } from '../../ledger/chain/receipt-words.ts';

export type ReceiptRound = RoundOfReceipt & { readonly rulebook: RulebookId };

export interface ReceiptText {
  readonly terminal: string;
  readonly roundId: string;
  readonly seat: number;
  readonly currency: Currency;
  readonly stakedMinor: number;
  readonly returnedMinor: number;
  /** Base64url. */
  readonly key: string;
  readonly checkpoint: {
    readonly no: number;
    readonly seq: number;
    readonly atMs: number;
    readonly reason: string;
    /** Base64url, as the signature and the hash of the state. */
    readonly entryHash: string;
    readonly stateHash: string | null;
    readonly signature: string;
  };
  readonly round: ReceiptRound;
}

/** `none`: no fragment, `cut`: a part of a receipt, `wrong`: something else. */
export type Read =
  | { readonly text: string }
  | { readonly text: null; readonly why: 'none' | 'cut' | 'wrong' };

const FIRST_LINE = 'banca-receipt-v1';
/** A receipt is some 3,000; what unpacks to more is none. */
const MOST_BYTES = 65_536;

const bytes64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
export const hex = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
export const hexOf64 = (text: string): string => hex(bytes64(text));
const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

/** Null: the stream ends too early or is none. */
async function unpacked(packed: Uint8Array<ArrayBuffer>): Promise<string | null> {
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const decoder = new TextDecoder();
  let [text, size] = ['', 0];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      size += value.length;
      if (size > MOST_BYTES) return '';
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    return null;
  }
}

/** What the host's links begin with. */
const BEGINS = 'v1.';

/** The text of the receipt in the fragment of a link. */
export async function readFragment(fragment: string): Promise<Read> {
  const said = fragment.replace(/^#/, '');
  if (said === '') return { text: null, why: 'none' };
  if (BEGINS.startsWith(said)) return { text: null, why: 'cut' };
  if (!/^v1\.[A-Za-z0-9_-]+$/.test(said)) return { text: null, why: 'wrong' };
  const packed = said.slice(BEGINS.length);
  // Four characters are three bytes; one that is left over is none, and something is missing.
  if (packed.length % 4 === 1) return { text: null, why: 'cut' };
  const short = await unpacked(bytes64(packed));
  if (short === null) return { text: null, why: 'cut' };
  const text = inFull(short);
  return text.startsWith(`${FIRST_LINE}\n`) ? { text } : { text: null, why: 'wrong' };
}

export type Judged =
  /** `signed`: null = this browser knows no such signatures. */
  | { readonly receipt: ReceiptText; readonly signature: string; readonly signed: boolean | null }
  | { readonly receipt: null };

type Line = ReceiptText['round']['lines'][number];

const isLine = (line: Line): boolean => {
  const [, , , , stakeMinor, netMinor, odds] = line;
  const [a, b] = odds ?? [0, 1];
  return [stakeMinor, netMinor, a, b].every(Number.isSafeInteger) && b > 0;
};

function isReceipt(receipt: ReceiptText): boolean {
  const { round, checkpoint } = receipt;
  return (
    Number.isSafeInteger(receipt.returnedMinor - receipt.stakedMinor) &&
    ['MOP', 'HKD', 'EUR'].includes(receipt.currency) &&
    rulebookOf(round.rulebook) !== null &&
    [round.lines, round.steps, round.hands].every(Array.isArray) &&
    round.lines.every(isLine) &&
    [checkpoint.seq, checkpoint.atMs, round.openedAtMs].every(Number.isSafeInteger)
  );
}

/** Judges a receipt by itself; whether its key is the house's the house alone can say. */
export async function judge(text: string): Promise<Judged> {
  const [first, json = '', signature = '', ...rest] = text.split('\n');
  let receipt: ReceiptText;
  try {
    receipt = JSON.parse(json) as ReceiptText;
    if (first !== FIRST_LINE || rest.length > 0 || !isReceipt(receipt)) return { receipt: null };
  } catch {
    return { receipt: null };
  }
  const { subtle } = crypto;
  const signed = (value: boolean | null): Judged => ({ receipt, signature, signed: value });
  // Pages of an open line have none.
  if (subtle === undefined) return signed(null);
  try {
    const raw = bytes64(receipt.key);
    const key = await subtle.importKey('raw', raw, 'Ed25519', false, ['verify']);
    const keyId = hex(new Uint8Array(await subtle.digest('SHA-256', raw))).slice(0, 32);
    const { atMs, entryHash, no, reason, seq, stateHash, signature: sealed } = receipt.checkpoint;
    const point = {
      ...{ atMs, entryHash: hexOf64(entryHash), keyId, no, reason, seq },
      ...{ stateHash: stateHash && hexOf64(stateHash), terminal: receipt.terminal },
    };
    const holds = await Promise.all([
      subtle.verify('Ed25519', key, bytes64(signature), utf8(`${first}\n${json}`)),
      subtle.verify('Ed25519', key, bytes64(sealed), utf8(`banca-checkpoint-v1\n${JSON.stringify(point)}`)),
    ]);
    return signed(holds.every(Boolean));
  } catch (error) {
    return signed((error as Error).name === 'NotSupportedError' ? null : false);
  }
}

/** What the centre says of a receipt; `offline`: it could not be asked. */
export interface Witness {
  readonly said: 'same' | 'other' | 'not-yet' | 'offline';
  readonly atMs: number;
}

const memoryOf = (signature: string): string => `receipt ${signature}`;

/** What the centre said of it last, on this telephone; private windows remember nothing. */
function remembered(signature: string): Witness | null {
  try {
    return JSON.parse(localStorage.getItem(memoryOf(signature)) ?? 'null') as Witness | null;
  } catch {
    return null;
  }
}

/**
 * Asks the centre whether its record has this round with these amounts, signed by this terminal's
 * key. Without a network the answer that this telephone had before counts.
 */
export async function askCentre(receipt: ReceiptText, signature: string): Promise<Witness> {
  const { terminal, roundId, seat, stakedMinor, returnedMinor, key, checkpoint } = receipt;
  const asked = new URLSearchParams({
    ...{ terminal, round: roundId, seat: `${seat}` },
    ...{ staked: `${stakedMinor}`, returned: `${returnedMinor}` },
    ...{ key: hexOf64(key), seq: `${checkpoint.seq}`, hash: hexOf64(checkpoint.entryHash) },
  });
  try {
    const answer = await fetch(`./witness?${asked}`, { cache: 'no-store' });
    const { said } = (await answer.json()) as Witness;
    if (!answer.ok || !['same', 'other', 'not-yet'].includes(said)) throw new Error(`${answer.status}`);
    const witness: Witness = { said, atMs: Date.now() };
    try {
      localStorage.setItem(memoryOf(signature), JSON.stringify(witness));
    } catch {
      // It is asked again next time.
    }
    return witness;
  } catch {
    return remembered(signature) ?? { said: 'offline', atMs: Date.now() };
  }
}
