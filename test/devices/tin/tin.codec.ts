/** A made-up bill protocol: four bytes a frame, the host asks and the unit answers. */
import { EMPTY_PARSER, joinBytes, type Parsed, type ParserState } from '../../../hardware/transport/bytes.ts';

const START = 0x7e;
const LENGTH = 4;

export const HOST = { poll: 1, stack: 2, return: 3, acknowledge: 4, identify: 5 } as const;
export const UNIT = { idle: 1, escrow: 2, stacking: 3, credit: 4, returning: 5, identity: 6 } as const;

/**
 * `value`: of a poll 1 = notes may come in; of escrow and credit the note, in the order of NOTES.
 */
export interface Frame {
  readonly code: number;
  readonly value: number;
}

export const NOTES: readonly number[] = [10_000, 50_000, 100_000];

export const encode = (code: number, value = 0): Uint8Array =>
  Uint8Array.of(START, code, value, START ^ code ^ value);

export function parse(state: ParserState, chunk: Uint8Array): Parsed<Frame> {
  let bytes = joinBytes(state.kept, chunk);
  const frames: Parsed<Frame>['frames'][number][] = [];
  let bad = 0;
  for (;;) {
    const start = bytes.indexOf(START);
    if (start < 0) return { state: EMPTY_PARSER, frames, bad };
    bytes = bytes.subarray(start);
    if (bytes.length < LENGTH) return { state: { kept: Uint8Array.from(bytes) }, frames, bad };
    const [, code = 0, value = 0, check] = bytes;
    if (check === (START ^ code ^ value)) {
      frames.push({ frame: { code, value }, bytes: Uint8Array.from(bytes.subarray(0, LENGTH)) });
      bytes = bytes.subarray(LENGTH);
    } else {
      bad++;
      bytes = bytes.subarray(1);
    }
  }
}
