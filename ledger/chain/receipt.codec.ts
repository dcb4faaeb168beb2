/** What a player takes home of a round: signed amounts, bound to the checkpoint that closed it. */

import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type JsonBounds, parseBounded } from './bounded-json.ts';
import { canonicalText } from './canonical.ts';
import { type Checkpoint, checkpointBytes } from './checkpoint.codec.ts';
import { keyIdOf, type LedgerKey, verifySignature } from './key.ts';
import { inFull, inShort, type RoundOfReceipt } from './receipt-words.ts';

export interface Receipt {
  readonly terminal: string;
  readonly roundId: string;
  readonly seat: number;
  readonly currency: string;
  readonly stakedMinor: number;
  readonly returnedMinor: number;
  /**
   * First checkpoint at or after the end of the round: its entry hash stands on every entry of the
   * round.
   */
  readonly checkpoint: Checkpoint;
  /** The round itself, for the page of a link; absent where the code is no link. */
  readonly round?: RoundOfReceipt;
}

const FIRST_LINE = 'banca-receipt-v1';
/** Some 600 characters are usual, with a round in it 3,000. */
const RECEIPT: JsonBounds = { characters: 32_768, depth: 6 };

/** As it stands in the text; what is not of this form is found when it is written again. */
interface Stored extends Omit<Receipt, 'checkpoint'> {
  readonly key: string;
  readonly checkpoint: Omit<Checkpoint, 'keyId' | 'entryHash' | 'stateHash' | 'signature'> & {
    readonly entryHash: string;
    readonly stateHash: string | null;
    readonly signature: string;
  };
}

const text64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
const bytes64 = (text: string): Uint8Array => Buffer.from(text, 'base64url');

/**
 * What the signature covers: a fixed first line, then RFC 8785 JSON; hashes, key and signature in
 * base64url.
 */
function signedText({ checkpoint, ...amounts }: Receipt, publicKey: Uint8Array): string {
  const { entryHash, stateHash, signature, keyId: _, ...plain } = checkpoint;
  return `${FIRST_LINE}\n${canonicalText({
    ...amounts,
    key: text64(publicKey),
    checkpoint: {
      ...plain,
      entryHash: text64(entryHash),
      stateHash: stateHash && text64(stateHash),
      signature: text64(signature),
    },
  })}`;
}

/** Three lines, some 600 characters: a QR code of about 90 modules. */
export function makeReceipt(receipt: Receipt, key: LedgerKey): string {
  const text = signedText(receipt, key.publicKey);
  return `${text}\n${text64(key.sign(Buffer.from(text)))}`;
}

/** `v1.` tells a code that was cut from one of somebody else. */
const LINK = /#v1\.([A-Za-z0-9_-]+)$/;

/** The text in a link of this form. Throws where it is none. */
export const textOfLink = (link: string): string =>
  inFull(
    inflateRawSync(Buffer.from(LINK.exec(link)![1]!, 'base64url'), { maxOutputLength: 65_536 }).toString(),
  );

/** More than this makes modules that a telephone cannot tell apart: version 28, 129 a side. */
const MOST_OF_LINK = 1_500;

const linkOf = (address: string, text: string): string =>
  `${address}#v1.${deflateRawSync(inShort(text), { level: 9 }).toString('base64url')}`;

/**
 * The same as a link: the receipt is in the fragment, which no browser sends anywhere. Of a round
 * too long for a code the steps are left out.
 */
export function makeReceiptLink(
  address: string,
  receipt: Receipt & { readonly round: RoundOfReceipt },
  key: LedgerKey,
): string {
  const whole = linkOf(address, makeReceipt(receipt, key));
  if (whole.length <= MOST_OF_LINK) return whole;
  return linkOf(address, makeReceipt({ ...receipt, round: { ...receipt.round, steps: [] } }, key));
}

export type Judged =
  | { readonly holds: true; readonly receipt: Receipt; readonly keyId: string }
  | { readonly holds: false; readonly why: 'form' | 'signature' | 'checkpoint' };

/**
 * Judges a receipt by itself: that the key is this terminal's must be known from elsewhere, `keyId`
 * is what to compare.
 */
export function judgeReceipt(text: string): Judged {
  const [first, json = '', signature = '', ...rest] = text.trim().split('\n');
  if (first !== FIRST_LINE || rest.length > 0) return { holds: false, why: 'form' };
  let receipt: Receipt;
  let publicKey: Uint8Array;
  try {
    const { key, checkpoint, ...amounts } = parseBounded(json, RECEIPT) as Stored;
    publicKey = bytes64(key);
    const keyId = keyIdOf(publicKey);
    const { entryHash, stateHash, signature: sealed, ...plain } = checkpoint;
    receipt = {
      ...amounts,
      checkpoint: {
        ...plain,
        keyId,
        entryHash: bytes64(entryHash),
        stateHash: stateHash === null ? null : bytes64(stateHash),
        signature: bytes64(sealed),
      },
    };
    if (signedText(receipt, publicKey) !== `${first}\n${json}`) return { holds: false, why: 'form' };
  } catch {
    return { holds: false, why: 'form' };
  }
  if (!verifySignature(publicKey, Buffer.from(`${first}\n${json}`), bytes64(signature)))
    return { holds: false, why: 'signature' };
  const { checkpoint, terminal } = receipt;
  if (!verifySignature(publicKey, checkpointBytes(terminal, checkpoint), checkpoint.signature))
    return { holds: false, why: 'checkpoint' };
  return { holds: true, receipt, keyId: checkpoint.keyId };
}
