/**
 * The encryption of ccTalk bill validators: a scrambling with six decimal digits that the unit and
 * its host share. It hides frames from a casual look at the line. It does not prove who is
 * speaking, since six digits are found in seconds, and it is not the DES of other units.
 *
 * Source: four public programs agree to the bit, one of which names the maker's paper «ccTalk
 * Encryption - Bill Validators V1.2» and has a frame of a line with it (see the tests).
 */

/** The six digits of the code. */
export type Code = readonly number[];

const PLACES = 12;
const FEED = 0x63;
const TAPS: readonly number[] = [7, 4, 5, 3, 1, 2, 3, 2, 6, 1];

/** '123456' -> its digits. */
export const codeOf = (text: string): Code => Array.from(text, Number);

/** Whether the bit that goes into byte `to` in this round is turned over. */
const isFed = (code: Code, round: number, to: number): boolean =>
  (((code[5]! ^ FEED) >> ((round + to) % 8)) & 1) === 1;

/** The bits of all bytes that are tapped, `down` places lower than when they are scrambled. */
function tapped(code: Code, bytes: Uint8Array, down: 0 | 1): number {
  let bit = 0;
  for (const [at, byte] of bytes.entries())
    bit ^= (byte >> (TAPS[(code[1]! + at) % TAPS.length]! - down)) & 1;
  return bit;
}

const mirrored = (byte: number): number => {
  let out = 0;
  for (let bit = 0; bit < 8; bit++) out |= ((byte >> bit) & 1) << (7 - bit);
  return out;
};
const mirror = (code: Code, bytes: Uint8Array): Uint8Array =>
  bytes.map((byte, at) => (((code[3]! >> (at % 4)) & 1) === 1 ? mirrored(byte) : byte));

const first = (code: Code): number => ~(16 * code[0]! + code[4]!) & 0xff;
const last = (code: Code): number => 17 * code[2]!;

export function scramble(code: Code, plain: Uint8Array): Uint8Array {
  const bytes = mirror(
    code,
    plain.map((byte) => byte ^ first(code)),
  );
  for (let round = 0; round < PLACES; round++) {
    let carried = (bytes.at(-1)! & 1) ^ tapped(code, bytes, 0);
    for (let at = 0; at < bytes.length; at++) {
      const out = (bytes[at]! & 1) ^ Number(isFed(code, round, at));
      bytes[at] = (bytes[at]! >> 1) | (carried << 7);
      carried = out;
    }
  }
  return bytes.map((byte) => byte ^ last(code));
}

export function unscramble(code: Code, hidden: Uint8Array): Uint8Array {
  const bytes = hidden.map((byte) => byte ^ last(code));
  for (let round = PLACES - 1; round >= 0; round--) {
    let carried = (bytes[0]! >> 7) ^ tapped(code, bytes, 1);
    for (let at = bytes.length - 1; at >= 0; at--) {
      const out = (bytes[at]! >> 7) ^ Number(at > 0 && isFed(code, round, at - 1));
      bytes[at] = ((bytes[at]! << 1) & 0xff) | carried;
      carried = out;
    }
  }
  return mirror(code, bytes).map((byte) => byte ^ first(code));
}
