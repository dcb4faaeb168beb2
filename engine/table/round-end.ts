import type { Minor } from '../core/money.ts';
import { type Draft, deadlineAt, profileOf } from './draft.ts';
import { emit } from './lane.ts';
import { gameOf } from './registry.ts';
import type { SettlementLine } from './settlement.ts';
import type { Deadline, HandPay, TableState } from './state.ts';

/** The result stays at least this long for every card to be checked. */
const MS_PER_CARD = 400;

export function resultsDeadline({ state, atMs }: Draft): Deadline {
  const { minResultMs } = profileOf(state).timing;
  return deadlineAt('results', atMs, Math.max(minResultMs, MS_PER_CARD * state.round!.cardCount));
}

/** The end of a round: what every bet has brought, and the wins that are paid by hand. */
export function settleRound(draft: Draft, lines: readonly SettlementLine[]): void {
  const { state, atMs } = draft;
  const { currency, handPaidWinMinor } = profileOf(state);
  const byHand = handPaidWinMinor === undefined ? [] : winsByHand(state, lines, handPaidWinMinor);
  emit(draft, {
    type: 'round-settled',
    atMs,
    currency,
    lines,
    deadline: resultsDeadline(draft),
    ...(byHand.length === 0 ? {} : { byHand }),
    ...gameOf(state).settlementFacts?.(state),
  });
  for (const { seat, requestId, amountMinor } of byHand)
    emit(draft, { type: 'substantial-win-noticed', atMs, seat, requestId, currency, amountMinor });
}

/**
 * Bettors whose net win of the round is above the limit, by seat: that win, not their stakes, is
 * paid by hand.
 */
function winsByHand(state: TableState, lines: readonly SettlementLine[], limitMinor: Minor): HandPay[] {
  const nets = new Map<number, number>();
  for (const { by, netMinor } of lines) nets.set(by, (nets.get(by) ?? 0) + netMinor);
  return [...nets]
    .filter(([, net]) => net > limitMinor)
    .sort(([a], [b]) => a - b)
    .map(([seat, net], index) => ({
      seat,
      requestId: `${state.round!.id}-${seat}`,
      payNo: (state.nextPayNo ?? 1) + index,
      amountMinor: net as Minor,
    }));
}
