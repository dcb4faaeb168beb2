import type { Minor } from '../core/money.ts';
import { type Draft, deadlineAt, profileOf } from './draft.ts';
import type { EventOf } from './events.ts';
import { emit } from './lane.ts';
import { gameOf } from './registry.ts';
import type { SettlementLine, Writable } from './settlement.ts';
import type { Deadline, HandPay, TableState } from './state.ts';
import { outlivedTallies } from './tallies.ts';

/** The result stays at least this long for every card to be checked. */
const MS_PER_CARD = 400;

/** When its result may go: it could be read, and the round has lasted as long as the house asks. */
export function resultsDeadline({ state, atMs }: Draft): Deadline {
  const { minResultMs, minRoundMs = 0 } = profileOf(state).timing;
  const { cardCount, openedAtMs } = state.round!;
  const leftMs = openedAtMs + minRoundMs - atMs;
  return deadlineAt('results', atMs, Math.max(minResultMs, MS_PER_CARD * cardCount, leftMs));
}

/** The end of a round: what every bet has brought, and the wins that are paid by hand. */
export function settleRound(draft: Draft, lines: readonly SettlementLine[]): void {
  const { state, atMs } = draft;
  const { currency, handPaidWinMinor } = profileOf(state);
  const before = lines.filter(({ atOnce }) => atOnce);
  const byHand = winsByHand(state, lines, before, handPaidWinMinor);
  const settled: Writable<EventOf<'round-settled'>> = {
    type: 'round-settled',
    atMs,
    currency,
    lines,
    deadline: resultsDeadline(draft),
    ...gameOf(state).settlementFacts?.(state),
  };
  if (byHand.length > 0) settled.byHand = byHand;
  const tally = gameOf(state).tally?.(state.round!, lines) ?? null;
  if (tally !== null) {
    const talliesGone = outlivedTallies(state.tallies?.length ?? 0);
    settled.tally = tally;
    if (talliesGone > 0) settled.talliesGone = talliesGone;
  }
  emit(draft, settled);
  noticeWins(draft, byHand);
}

/**
 * What an article pays before the round is over (art. 15; r.21, r.35). Its lines stand in the
 * settlement too.
 */
export function payAtOnce(draft: Draft, lines: readonly SettlementLine[]): void {
  const { state, atMs } = draft;
  const { currency, handPaidWinMinor } = profileOf(state);
  const byHand = winsByHand(state, lines, [], handPaidWinMinor).map((win) => ({
    ...win,
    // A second one of this round has another name.
    requestId: `${win.requestId}-${win.payNo}`,
  }));
  emit(draft, {
    type: 'paid-at-once',
    atMs,
    currency,
    lines,
    ...(byHand.length === 0 ? {} : { byHand }),
  });
  noticeWins(draft, byHand);
}

function noticeWins(draft: Draft, byHand: readonly HandPay[]): void {
  const { state, atMs } = draft;
  const { currency } = profileOf(state);
  for (const { seat, requestId, amountMinor } of byHand)
    emit(draft, { type: 'substantial-win-noticed', atMs, seat, requestId, currency, amountMinor });
}

/**
 * Bettors whose net win of the round is above the limit, by seat: that win, not their stakes, is
 * paid by hand.
 * @param before lines among them that have been paid: they count towards the limit, but their money
 * has gone
 */
function winsByHand(
  state: TableState,
  lines: readonly SettlementLine[],
  before: readonly SettlementLine[],
  limitMinor?: number,
): HandPay[] {
  if (limitMinor === undefined) return [];
  const gone = netsOf(before);
  return [...netsOf(lines)]
    .filter(([, net]) => net > limitMinor)
    .map(([seat, net]) => ({ seat, net: Math.min(net, net - (gone.get(seat) ?? 0)) }))
    .filter(({ net }) => net > 0)
    .sort((a, b) => a.seat - b.seat)
    .map(({ seat, net }, index) => ({
      seat,
      requestId: `${state.round!.id}-${seat}`,
      payNo: (state.nextPayNo ?? 1) + index,
      amountMinor: net as Minor,
    }));
}

function netsOf(lines: readonly SettlementLine[]): Map<number, number> {
  const nets = new Map<number, number>();
  for (const { by, netMinor } of lines) nets.set(by, (nets.get(by) ?? 0) + netMinor);
  return nets;
}
