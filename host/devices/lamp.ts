/**
 * The tower lamp over the table, a «candle» of an upper white and a lower coloured light, in the
 * field's usage: upper steady = somebody is called · both slow = a payment by hand waits · lower
 * fast = a door · both fast = out of service.
 */
import { nextStep } from '../../engine/engine.ts';
import type { TableState } from '../../engine/table/state.ts';
import { areRoundsStopped } from '../../engine/table/stops.ts';
import type { LampPattern } from '../../hardware/ports.ts';

export interface Lamp {
  readonly upper: LampPattern;
  readonly lower: LampPattern;
}

const isDoor = ({ fault }: { readonly fault: string }): boolean => /-door-open(ed-off)?$/.test(fault);

/** The first that holds. */
export function lampOf(state: TableState, isLocked: boolean): Lamp {
  if (state.faults.some(isDoor)) return { upper: 'off', lower: 'fast' };
  if (isLocked || state.service !== null || areRoundsStopped(state)) return { upper: 'fast', lower: 'fast' };
  if (state.seats.some(({ cashOut, wins }) => cashOut ?? wins?.[0])) return { upper: 'slow', lower: 'slow' };
  const isCalled =
    state.seats.some(({ callsAttendant }) => callsAttendant) ||
    state.heldNotes.length > 0 ||
    state.complaints.length > 0 ||
    state.faults.some(({ stops }) => stops !== undefined) ||
    nextStep(state).step === 'call-supervisor';
  return { upper: isCalled ? 'steady' : 'off', lower: 'off' };
}
