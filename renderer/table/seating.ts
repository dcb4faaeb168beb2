/**
 * Where a seat lies in the picture. Seats are numbered from the dealer's left, clockwise (r.2;
 * art. 5.1 and 6.3 deal and ask «from the left»). Players see the picture the right way up: the
 * left hand of a dealer across from them is at its right, of one on their side at its left.
 */
import type { DealerSide } from '../../engine/table/profile.ts';
import type { TableView } from '../../wire/view.ts';

export const dealerSideOf = ({ table }: Pick<TableView, 'table'>): DealerSide => table.dealerSide ?? 'far';

/** The side of the picture where the dealer's left hand, the shoe and seat 1 are: 1 = right. */
export const shoeSideOf = (dealerSide: DealerSide): 1 | -1 => (dealerSide === 'far' ? 1 : -1);

/** The column of a seat, 0 = the leftmost; every place of a seat follows from it. */
export const columnOf = (seat: number, seatCount: number, dealerSide: DealerSide): number =>
  dealerSide === 'far' ? seatCount - seat : seat - 1;
