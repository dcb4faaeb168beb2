import type { TableRules } from '../../engine/rules/rulebook.ts';
import type { Act } from '../../engine/table/inputs.ts';
import { gameNamed } from '../../engine/table/registry.ts';
import type { DisplayRole } from '../../wire/display.ts';
import type { SeatView, TableView } from '../../wire/view.ts';

/**
 * Displays of the same one are shown the same: everything, what the panels need that are left on
 * the big table, what the panel of one seat needs, or nothing that is hidden.
 */
export type Eyes = 'all' | 'left' | 'none' | number;

const liesDown = ({ hands }: SeatView): boolean => hands.some(({ faceDown }) => faceDown);

const hasDisplay = (view: TableView, seat: number): boolean => view.handedOver?.seats.includes(seat) === true;

/** The big table draws the panels of seats without a display, the display of a seat its own. */
export function eyesOf(view: TableView, role: DisplayRole): Eyes {
  const down = view.seats.filter(liesDown);
  if (down.length === 0) return 'all';
  if (role === 'table') return down.some(({ seat }) => hasDisplay(view, seat)) ? 'left' : 'all';
  const own = view.seats.find(({ seat }) => role === `seat:${seat}`);
  if (!own) return 'none';
  return liesDown(own) || own.choices.length > 0 || own.ahead || own.intent ? own.seat : 'none';
}

/** Offered because of the bank's card, and not because of those of the hand. */
const BY_BANK: ReadonlySet<Act> = new Set<Act>(['insure', 'declineInsurance']);

/**
 * The picture with null for each card that lies face down and is not for these eyes, and without
 * what tells such a card.
 */
export function shownTo(view: TableView, eyes: Eyes): TableView {
  if (eyes === 'all' || !view.seats.some(liesDown)) return view;
  const rules = view.table.options as unknown as TableRules;
  const up = gameNamed(rules.game).openCards?.(rules) ?? 0;
  const down = new Set(view.seats.filter(liesDown).map(({ seat }) => seat));
  const seats = view.seats.map((each): SeatView => {
    if (each.seat === eyes || (eyes === 'left' && !hasDisplay(view, each.seat))) return each;
    // What may be done with a hand tells what it is.
    const { ahead: _ahead, intent: _intent, ...seat } = each;
    const choices = each.choices.filter((choice) => !down.has(choice.seat) || BY_BANK.has(choice.act));
    const hands = each.hands.map((hand) =>
      hand.faceDown
        ? { ...hand, cards: hand.cards.map((card, i) => (i < up ? card : null)), points: null, soft: false }
        : hand,
    );
    return { ...seat, choices, hands };
  });
  return { ...view, seats };
}
