import { type Currency, type Minor, minor } from '../core/money.ts';
import type { TableEvent } from '../table/events.ts';
import { cashBox, handPayPending, seatCredit, stake } from './accounts.ts';

/** One side of an entry: debit positive, credit negative. */
export interface Posting {
  readonly account: string;
  readonly currency: Currency;
  readonly amountMinor: Minor;
}

/** The double entry of an event; the postings of one event sum to zero in its currency, empty = no money moved. */
export function postingsOf(event: TableEvent): Posting[] {
  switch (event.type) {
    case 'note-credited':
      return move(event.currency, cashBox(event.acceptor), seatCredit(event.seat), event.valueMinor);
    case 'note-held':
      return event.valueMinor === null
        ? []
        : move(
            event.currency,
            event.inBox ? cashBox(event.acceptor) : 'notes-in-doubt',
            'held-notes',
            event.valueMinor,
          );
    case 'held-note-found':
      return move(event.currency, cashBox(event.acceptor), 'notes-in-doubt', event.valueMinor);
    case 'held-note-resolved': {
      const { credited, seat, valueMinor, currency, acceptor, inBox } = event;
      if (valueMinor === null) return [];
      if (credited && seat !== null) {
        // Credited although the device never said so: the attendant has found it in the box.
        const found = inBox ? [] : move(currency, cashBox(acceptor), 'notes-in-doubt', valueMinor);
        return [...move(currency, 'held-notes', seatCredit(seat), valueMinor), ...found];
      }
      // Returned: the note itself where it lay outside the box, else as much in cash over the counter.
      const inCash = event.outcome === 'returned' ? 'hand-pay' : 'unclaimed';
      return move(currency, 'held-notes', inBox ? inCash : 'notes-in-doubt', valueMinor);
    }
    case 'bet-placed':
    case 'insurance-laid':
    case 'pair-bet-laid':
    case 'raise-followed':
      return move(event.currency, seatCredit(event.by), stake(event.by), event.amountMinor);
    case 'bet-withdrawn':
      return move(event.currency, stake(event.by), seatCredit(event.by), event.amountMinor);
    case 'hand-doubled':
    case 'hand-split':
    case 'war-declared':
      return event.raises.flatMap(({ by, amountMinor }) =>
        move(event.currency, seatCredit(by), stake(by), amountMinor),
      );
    case 'round-settled':
      return [
        ...settlement(event.currency, event.lines),
        ...(event.byHand ?? []).flatMap(({ seat, amountMinor }) =>
          move(event.currency, seatCredit(seat), handPayPending(seat), amountMinor),
        ),
      ];
    case 'round-voided':
      return settlement(event.currency, event.lines);
    case 'credit-adjusted':
      return move(event.currency, 'adjustments', seatCredit(event.seat), event.amountMinor);
    case 'jackpot-moved':
      return event.amountMinor < 0
        ? move(event.currency, 'jackpot', 'bank', minor(-event.amountMinor))
        : move(event.currency, 'bank', 'jackpot', event.amountMinor);
    case 'cash-out-requested':
      return move(event.currency, seatCredit(event.seat), handPayPending(event.seat), event.amountMinor);
    case 'cash-out-cancelled':
      return move(event.currency, handPayPending(event.seat), seatCredit(event.seat), event.amountMinor);
    case 'hand-paid':
      return move(event.currency, handPayPending(event.seat), 'hand-pay', event.amountMinor);
    default:
      return [];
  }
}

const move = (currency: Currency, debit: string, credit: string, amountMinor: Minor): Posting[] =>
  amountMinor === 0
    ? []
    : [
        { account: debit, currency, amountMinor },
        { account: credit, currency, amountMinor: minor(-amountMinor) },
      ];

/**
 * All lines of a round as one entry per account. The money a line had at stake is what comes back less what is won:
 * for a special prize that is nothing, its base stays on the hand.
 */
function settlement(
  currency: Currency,
  lines: readonly { readonly by: number; readonly returnedMinor: Minor; readonly netMinor: Minor }[],
): Posting[] {
  const sums = new Map<string, number>();
  const add = (account: string, amountMinor: number): void => {
    sums.set(account, (sums.get(account) ?? 0) + amountMinor);
  };
  for (const { by, returnedMinor, netMinor } of lines) {
    add(stake(by), returnedMinor - netMinor);
    add(seatCredit(by), -returnedMinor);
    add('bank', netMinor);
  }
  return [...sums]
    .filter(([, amountMinor]) => amountMinor !== 0)
    .map(([account, amountMinor]) => ({ account, currency, amountMinor: minor(amountMinor) }));
}
