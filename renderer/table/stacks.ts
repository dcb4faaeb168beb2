/**
 * Chips of a view: what lies on the boxes and spots, what is won beside it, and the amounts that
 * name them.
 */

import type { SettlementLine } from '../../engine/table/settlement.ts';
import type { HandView, SeatView } from '../../wire/view.ts';
import { type Behind, besideBox, besideHand, stackBesideHand } from './behind.ts';
import { amountTexts } from './chips.ts';
import type { Point } from './geometry.ts';
import { layHand } from './hands.ts';
import type { LabelTone, StackPiece } from './pieces.ts';
import type { TableLayout } from './table-layout.ts';

/** `by` null: whoever had the bet. */
const linesOf = (
  seat: SeatView,
  bet: string,
  hand: number | null,
  by: number | null,
): readonly SettlementLine[] =>
  seat.lines.filter((line) => line.bet === bet && line.hand === hand && (by === null || line.by === by));
const netOf = (lines: readonly SettlementLine[]): number =>
  lines.reduce((sum, line) => sum + line.netMinor, 0);

/** Net of the main bet in front of a hand, null while it is open. */
function handNet(seat: SeatView, hand: HandView, index: number): number | null {
  const lines = linesOf(seat, 'main', index, seat.front);
  if (lines.length > 0) return netOf(lines);
  if (hand.netMinor !== null) return hand.netMinor;
  // art. 7.2: a hand over twenty-one has lost its bet at once
  return hand.status === 'busted' ? -hand.stakeMinor : null;
}

const prizeOf = (seat: SeatView, hand: number, by: number | null): number =>
  Math.max(0, netOf(linesOf(seat, 'specialPrize', hand, by)));

/** Money of the others on a hand, as long as there is any. */
function behindOn(seat: SeatView, hand: HandView, index: number): Behind[] {
  return hand.behind.flatMap(({ by, stakeMinor }): Behind[] => {
    const lines = linesOf(seat, 'main', index, by);
    const net = lines.length > 0 ? netOf(lines) : hand.status === 'busted' ? -stakeMinor : 0;
    const keptMinor = stakeMinor + Math.min(0, net);
    const wonMinor = Math.max(0, net) + prizeOf(seat, index, by);
    return keptMinor + wonMinor > 0 ? [{ by, keptMinor, wonMinor }] : [];
  });
}

export function seatStacks(table: TableLayout, seat: SeatView): StackPiece[] {
  const place = table.seats[seat.seat - 1]!;
  const u = table.unit;
  const stacks: StackPiece[] = [];
  const label = (
    texts: readonly string[],
    at: Point,
    tone: LabelTone,
    room = 100 * u,
  ): StackPiece['label'] => ({
    texts,
    at,
    tone,
    room,
  });
  const low = Math.min(table.boxRadius, 50 * u);
  const below = (at: Point, scale: number): Point => ({ x: at.x, y: at.y + low * scale });

  stacks.push(...spotStacks(table, seat));
  if (table.form.game === 'baccarat') return stacks;
  if (seat.hands.length === 0) {
    const mains = seat.bets.filter(({ bet }) => bet === 'main');
    const front = mains.find(({ by }) => by === seat.front);
    if (front !== undefined) {
      stacks.push({
        key: `${seat.seat}/0`,
        owner: seat.seat,
        bettor: front.by,
        from: 'player',
        amountMinor: front.amountMinor,
        at: place,
        scale: 1,
        label: label(frontTexts(seat, front.amountMinor), below(place, 1), 'stake'),
      });
    }
    const behind = mains
      .filter((bet) => bet !== front)
      .map(({ by, amountMinor }): Behind => ({ by, keptMinor: amountMinor, wonMinor: 0 }));
    stacks.push(...besideBox(table, seat, behind));
  }
  for (const [h, hand] of seat.hands.entries()) {
    const laid = layHand(
      table,
      seat.seat,
      h,
      seat.hands.length,
      hand.cards.length,
      hand.doubled && hand.cards.length > 2,
    );
    const net = handNet(seat, hand, h);
    const prize = prizeOf(seat, h, seat.front);
    const kept = hand.stakeMinor + Math.min(0, net ?? 0);
    const won = Math.max(0, net ?? 0) + prize;
    const alone = seat.hands.length === 1;
    const beside = alone && won > 0 && kept > 0 ? 25 * u : 0;
    const behind = behindOn(seat, hand, h);
    stacks.push(...(alone ? besideBox(table, seat, behind) : stackBesideHand(table, seat, h, laid, behind)));
    const room = alone || behind.length === 0 ? null : besideHand(table, laid);
    const scale = alone ? (beside > 0 ? 0.8 : 1) : laid.stakeScale * (room?.shrink ?? 1);
    const tag = below(laid.stake, alone ? 1 : laid.stakeScale);
    if (kept > 0) {
      const texts =
        alone || net === null ? frontTexts(seat, kept) : amountTexts(net + prize, seat.language, true);
      stacks.push({
        key: `${seat.seat}/${h}`,
        owner: seat.seat,
        bettor: seat.front ?? seat.seat,
        from: 'player',
        amountMinor: alone ? kept : kept + won,
        at: { x: laid.stake.x - (room?.shift ?? beside), y: laid.stake.y },
        scale,
        label:
          beside > 0 ? null : label(texts, tag, net !== null && net > 0 ? 'won' : 'stake', laid.stakeRoom),
      });
    }
    if (!alone && kept === 0 && net !== null && net < 0) {
      // no chips are left, but which of the hands has lost must stay readable
      stacks.push({
        key: `${seat.seat}/${h}`,
        owner: seat.seat,
        bettor: seat.front ?? seat.seat,
        from: 'player',
        amountMinor: 0,
        at: laid.stake,
        scale,
        label: label(amountTexts(net, seat.language, true), tag, 'lost', laid.stakeRoom),
      });
    }
    if (alone && won > 0) {
      stacks.push({
        key: `${seat.seat}/${h}/won`,
        owner: seat.seat,
        bettor: seat.front ?? seat.seat,
        from: 'bank',
        amountMinor: won,
        at: { x: laid.stake.x + beside, y: laid.stake.y },
        scale,
        label: label(frontTexts(seat, kept + won), tag, 'won'),
      });
    }
  }

  const insured = seat.insurance.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  if (insured > 0) {
    const lines = linesOf(seat, 'insurance', null, null);
    const net = lines.length === 0 ? null : netOf(lines);
    const at = place.insurance;
    const kept = insured + Math.min(0, net ?? 0);
    const won = Math.max(0, net ?? 0);
    if (kept + won > 0) {
      stacks.push({
        key: `${seat.seat}/insurance`,
        owner: seat.seat,
        bettor: seat.insurance[0]!.by,
        from: 'player',
        amountMinor: kept + won,
        at,
        scale: 0.64,
        label: label(
          amountTexts(won > 0 ? won : kept, seat.language, won > 0),
          { x: at.x, y: at.y + table.band.half - 3 * u },
          won > 0 ? 'won' : 'stake',
        ),
      });
    }
  }
  return stacks;
}

/** On a vacant seat the chips in the box are another bettor's, and say whose. */
const frontTexts = (seat: SeatView, amountMinor: number): readonly string[] => {
  const texts = amountTexts(amountMinor, seat.language);
  const { front } = seat;
  return front === null || front === seat.seat ? texts : texts.map((text) => `${front}: ${text}`);
};

/**
 * What lies on the spots of a seat, whoever laid it: bets of this round, and those of a streak that
 * run on.
 */
function amountOn(seat: SeatView, bet: string): number {
  let amount = 0;
  for (const laid of seat.bets) if (laid.bet === bet) amount += laid.amountMinor;
  for (const open of seat.streak?.open ?? []) {
    const inRound = seat.bets.some((laid) => laid.bet === bet && laid.by === open.by);
    if (bet === `streak${open.number}` && !inRound) amount += open.amountMinor;
  }
  return amount;
}

function spotStacks(table: TableLayout, seat: SeatView): StackPiece[] {
  return table.seats[seat.seat - 1]!.spots.flatMap((spot): StackPiece[] => {
    const laid = amountOn(seat, spot.bet);
    const lines = seat.lines.filter((line) => line.bet === spot.bet);
    const net = lines.length === 0 ? null : netOf(lines);
    const won = Math.max(0, net ?? 0);
    const kept = Math.max(0, laid + Math.min(0, net ?? 0));
    if (kept + won <= 0) return [];
    return [
      {
        key: `${seat.seat}/bet/${spot.bet}`,
        owner: seat.seat,
        bettor: seat.bets.find(({ bet }) => bet === spot.bet)?.by ?? seat.seat,
        from: 'player',
        amountMinor: kept + won,
        at: { x: spot.x, y: spot.y - spot.lift },
        scale: spot.chips,
        label: {
          texts: amountTexts(won > 0 ? won : kept, seat.language, won > 0),
          at: spot.label,
          tone: won > 0 ? 'won' : 'stake',
          // one kind of bet wins at a time, and what it wins is worth the room of its neighbours
          room: won > 0 ? spot.wonRoom : spot.labelRoom,
        },
      },
    ];
  });
}
