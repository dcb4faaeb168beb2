import { layPanels, MOST_PANELS } from '../../wire/glass.ts';
import type { SeatView, TableView } from '../../wire/view.ts';
import { columnOf, dealerSideOf } from '../table/seating.ts';

/** Where the panel of a seat lies on the table; lengths in columns of the cloth. */
export interface PanelPlace {
  readonly column: number;
  readonly middle: number;
  readonly width: number;
  /** Above the others: its seat has a display of its own, which is lost. */
  readonly isGuest: boolean;
}

/**
 * The panels on the table, by the numbers of the seats. Nobody's panel moves when a display of
 * another seat is lost: with more than seven seats its panel comes above the others.
 */
export function panelsOnTable(view: TableView): { readonly seat: SeatView; readonly place: PanelPlace }[] {
  const count = view.seats.length;
  const { seats: handedOver = [], lost = [] } = view.handedOver ?? {};
  const column = (seat: number): number => columnOf(seat, count, dealerSideOf(view));
  const byColumn = (seats: readonly number[]): number[] => seats.map(column).sort((a, b) => a - b);
  const shown = view.seats.map(({ seat }) => seat).filter((seat) => !handedOver.includes(seat));
  const above = count > MOST_PANELS ? shown.filter((seat) => lost.includes(seat)) : [];
  // More of them than a row holds: the row below has room for the rest, evenly taken out.
  const over = Math.max(0, above.length - MOST_PANELS);
  const down = new Set(
    Array.from({ length: over }, (_, i) => above[Math.floor(((i + 0.5) * above.length) / over)]),
  );
  const guests = above.filter((seat) => !down.has(seat));
  const rows = [shown.filter((seat) => !guests.includes(seat)), guests].map((seats, row) => {
    const columns = byColumn(seats);
    const { width, middles } = layPanels(columns, count);
    return new Map(
      columns.map((at, i): [number, PanelPlace] => [
        at,
        { column: at, middle: middles[i]!, width, isGuest: row === 1 },
      ]),
    );
  });
  return view.seats.flatMap((seat) => {
    const place = rows[0]!.get(column(seat.seat)) ?? rows[1]!.get(column(seat.seat));
    return place === undefined ? [] : [{ seat, place }];
  });
}
