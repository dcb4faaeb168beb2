/**
 * What every machine of a card shoe does alike: what the host hears, and when damage on the line
 * is a fault.
 */
import type { ShoeEvent, ShoeFault } from '../ports.ts';
import { CLOSED_LINE, type Draft, type Line, type Out } from '../transport/protocol.ts';

export interface ShoeLine extends Line {
  readonly badInARow: number;
}

export const NEW_SHOE_LINE: ShoeLine = { ...CLOSED_LINE, badInARow: 0 };

export const tell = <Event>(out: Out<Event>, event: Event): void => {
  out.push({ type: 'event', event });
};

export const fault = (
  out: Out<ShoeEvent>,
  seq: number | null,
  what: ShoeFault,
  detail: string | null,
): void => tell(out, { type: 'fault', seq, fault: what, detail });

/** `many` damaged stretches in a row are one fault; `what` they are called. */
export const garbageHearer =
  (many: number, what: string) =>
  (s: Draft<ShoeLine>, out: Out<ShoeEvent>, bad: number, andFrames: boolean): void => {
    const before = s.badInARow;
    s.badInARow = andFrames ? bad : before + bad;
    if (before < many && s.badInARow >= many)
      fault(out, null, 'crc', `${s.badInARow} damaged ${what} in a row`);
  };
