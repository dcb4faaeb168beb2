import type { SeatView, TableView } from '../../wire/view.ts';
import { ownBets } from '../parts/mode.ts';
import type { TableText } from '../texts/i18n.ts';

/** What is there between rounds. */
export function idleTitle(view: TableView, seat: SeatView, t: TableText): string {
  if (view.phase === 'closed') return t('wait.closed');
  if (view.phase === 'shoe') return t('wait.shoe');
  if (seat.creditMinor === 0 && !seat.cashOut) return t('wait.noCredit');
  return t('wait.nextRound');
}

/** Phases in which nothing of a round is under way. */
export const BETWEEN_ROUNDS: ReadonlySet<TableView['phase']> = new Set(['closed', 'shoe', 'idle']);

/** What a seat with nothing to touch waits for. */
export function waitReason(view: TableView, seat: SeatView, t: TableText): string {
  if (BETWEEN_ROUNDS.has(view.phase)) return t('wait.soon');
  if (view.phase === 'betting') return t('wait.noCredit');
  if (ownBets(view, seat).length === 0) return t('wait.noBet');
  switch (view.phase) {
    case 'dealing':
      return t('wait.dealing');
    case 'offers':
      return t('wait.others');
    case 'bank':
      return t('wait.bankDraws');
    case 'settled':
      return t('wait.settling');
    default:
      return turnReason(view, seat, t);
  }
}

export function turnReason(view: TableView, seat: SeatView, t: TableText): string {
  const waiting = (each: SeatView | undefined): boolean =>
    each?.hands.some((hand) => hand.status === 'open') ?? false;
  const turn = view.seats.find((each) => each.turnHand !== null)?.seat ?? view.deadline?.seat ?? null;
  if (!ownBets(view, seat).some((bet) => waiting(view.seats[bet.seat - 1]))) return t('wait.bank');
  const next = view.seats.find((each) => each.seat > (turn ?? 0) && waiting(each));
  if (turn !== null && next?.decider === seat.seat) return t('wait.youNext');
  return turn === null
    ? t('wait.others')
    : t('wait.seatDecides', { seat: view.seats[turn - 1]?.decider ?? turn });
}
