/**
 * Chips of bettors behind (art. 20.1, r.15): beside the box, nearest to the bank first, with the
 * number of the seat each of them sits at; beside the stake of every hand after a split. Pure, in
 * CSS pixels.
 */
import type { SeatView } from '../../wire/view.ts';
import { amountTexts, chipColumns } from './chips.ts';
import type { HandPlacement } from './hands.ts';
import type { StackPiece } from './pieces.ts';
import type { TableLayout } from './table-layout.ts';

/** A bettor's money on one hand: what is left of the stake, and what it has won. */
export interface Behind {
  readonly by: number;
  readonly keptMinor: number;
  readonly wonMinor: number;
}

/** Two columns, left and right of the box; rows and chips grow smaller as they grow many. */
const ROWS = [
  { scale: 0.62, apart: 0 },
  { scale: 0.5, apart: 50 },
  { scale: 0.36, apart: 36 },
] as const;

/** Beside the box of a seat with one hand, or none yet. */
export function besideBox(table: TableLayout, seat: SeatView, behind: readonly Behind[]): StackPiece[] {
  const place = table.seats[seat.seat - 1]!;
  const u = table.unit;
  const count = Math.min(ROWS.length, Math.max(1, Math.ceil(behind.length / 2)));
  const { scale, apart } = ROWS[count - 1]!;
  const room = place.zone.width / 2 - table.boxRadius - 3 * u;
  // the inner side first, and never onto the rim
  const inner = place.x < table.width / 2 ? 1 : -1;
  const left = table.felt.left + 14 * u + room / 2;
  return behind.map((laid, i): StackPiece => {
    const side = i % 2 === 0 ? inner : -inner;
    const row = Math.floor(i / 2);
    const at = {
      x: Math.min(Math.max(place.x + side * (table.boxRadius + 1 * u + room / 2), left), table.width - left),
      y: place.y + ((row - (count - 1) / 2) * apart - 8) * u,
    };
    const won = laid.wonMinor > 0;
    const amounts = amountTexts(won ? laid.wonMinor : laid.keptMinor, seat.language, won);
    return {
      key: `${seat.seat}/0/by${laid.by}`,
      owner: seat.seat,
      bettor: laid.by,
      from: 'player',
      amountMinor: laid.keptMinor + laid.wonMinor,
      at,
      scale,
      label: {
        // whose it is, where the amount has no room: that stands in the panel
        texts: [...amounts.map((amount) => `${laid.by}: ${amount}`), `${laid.by}`],
        at: { x: at.x, y: at.y + 42 * u * scale },
        tone: won ? 'won' : 'stake',
        room,
      },
    };
  });
}

/**
 * Where the chips behind on one of several hands stand, and how the stake of the hand makes room
 * for them.
 */
export function besideHand(
  table: TableLayout,
  hand: HandPlacement,
): {
  readonly shift: number;
  readonly shrink: number;
  readonly x: number;
  readonly y: number;
  readonly scale: number;
} {
  const u = table.unit;
  const slot = hand.stakeRoom + 3 * u;
  return {
    shift: Math.min(24 * u, slot * 0.16),
    shrink: Math.min(1, slot / (80 * u)),
    x: hand.stake.x + slot * 0.31,
    y: hand.stake.y - 6 * u,
    scale: Math.min(0.5, (slot * 0.34) / (58 * u)),
  };
}

/**
 * All money behind on one of several hands, told by the numbers of whose it is, or how many: for
 * more there is no room.
 */
export function stackBesideHand(
  table: TableLayout,
  seat: SeatView,
  h: number,
  hand: HandPlacement,
  behind: readonly Behind[],
): StackPiece[] {
  const amountMinor = behind.reduce((sum, { keptMinor, wonMinor }) => sum + keptMinor + wonMinor, 0);
  if (amountMinor === 0) return [];
  const { x, y, ...room } = besideHand(table, hand);
  const u = table.unit;
  const scale = chipColumns(amountMinor).length > 1 ? room.scale * 0.6 : room.scale;
  return [
    {
      key: `${seat.seat}/${h}/behind`,
      owner: seat.seat,
      bettor: behind[0]!.by,
      from: 'player',
      amountMinor,
      at: { x, y },
      scale,
      label: {
        texts: [behind.map(({ by }) => by).join(' '), `×${behind.length}`],
        at: { x, y: y - (28 * scale + 16) * u },
        tone: behind.some(({ wonMinor }) => wonMinor > 0) ? 'won' : 'stake',
        room: hand.stakeRoom * 0.5,
      },
    },
  ];
}
