/**
 * A table busier than any round: 60 cards of which more than half are always on their way, 200
 * chips of which 60 move, 20 labels of which 8 change ten times a second, 7 timers. Pure data and
 * functions of time, the same for whoever draws it.
 */
import { type Card, cardOf } from '../../engine/core/cards.ts';
import type { PillTone } from '../../renderer/table/art.ts';
import { amountText, CHIPS } from '../../renderer/table/chips.ts';
import { middleOf, type Placement, type Point } from '../../renderer/table/geometry.ts';
import { layBank, layHand } from '../../renderer/table/hands.ts';
import { layTable } from '../../renderer/table/layout.ts';
import { easeInOut, easeOut } from '../../renderer/table/motion.ts';
import { along, CARD_MS, CHIP_MS, FLIP_AT_MS, FLIP_MS, mix } from '../../renderer/table/pace.ts';

export const TABLE = layTable(1920, 1080);
const FLOAT = middleOf(TABLE.float);
/** The kiosk's screen: a CSS pixel is a pixel. */
export const RESOLUTION = 1;
const U = TABLE.unit;
const CARD_CYCLE_MS = 1_200;
const CHIP_CYCLE_MS = 1_200;
const RESTING_STACKS = 28;
const MOVING_STACKS = 12;
const LABEL_MS = 100;
const CHANGING_LABELS = 8;
export const TIMER_MS = 20_000;

export interface CardPose extends Placement {
  readonly lift: number;
  /** 1 = flat, near 0 = on edge. */
  readonly open: number;
  readonly faceUp: boolean;
}

const CARD_PLACES: readonly Placement[] = [
  ...TABLE.seats.flatMap(({ seat }) =>
    [0, 1].flatMap((hand) => layHand(TABLE, seat, hand, 2, 4, false).cards),
  ),
  ...layBank(TABLE, 4).cards,
];
/** Which card of the pack lies at each place. */
export const CARDS: readonly Card[] = CARD_PLACES.map((_, i) => cardOf(i % 4, (i * 5) % 13));

const travel = (from: Placement, to: Placement, p: number, bow: number): Placement => ({
  ...along(from, to, p, bow),
  turn: mix(from.turn, to.turn, p),
  scale: mix(from.scale, to.scale, p),
});
const openAt = (p: number): number => Math.max(0.02, Math.abs(1 - 2 * p));

/**
 * Dealt from the shoe with a turn on the way, at rest, collected into the tray; then dealt again.
 */
export function cardAt(i: number, ms: number): CardPose {
  const place = CARD_PLACES[i]!;
  const at = (ms + (i * CARD_CYCLE_MS) / CARD_PLACES.length) % CARD_CYCLE_MS;
  if (at < FLIP_AT_MS + FLIP_MS) {
    const p = easeOut(Math.min(1, at / CARD_MS));
    const turned = easeInOut(Math.max(0, (at - FLIP_AT_MS) / FLIP_MS));
    return {
      ...travel(TABLE.shoe.mouth, place, p, 0.12),
      lift: Math.sin(Math.PI * p),
      open: openAt(turned),
      faceUp: turned >= 0.5,
    };
  }
  const left = CARD_CYCLE_MS - at;
  if (left > CARD_MS) return { ...place, lift: 0, open: 1, faceUp: true };
  const p = easeInOut(1 - left / CARD_MS);
  const turned = Math.min(1, p * 1.4);
  return {
    ...travel(place, TABLE.tray.top, p, 0.08),
    lift: Math.sin(Math.PI * p),
    open: openAt(turned),
    faceUp: turned < 0.5,
  };
}

export const STACK_COUNT = RESTING_STACKS + MOVING_STACKS;
export const STACK_SCALE = 0.8;
/** Amounts that are five chips in one column, in minor units. */
const AMOUNTS = [
  [0, 1, 2, 3, 4],
  [0, 0, 1, 2, 3],
  [1, 1, 2, 3, 5],
  [2, 3, 3, 4, 5],
].map((kinds) => kinds.reduce((sum, kind) => sum + CHIPS[kind]!.value * 100, 0));
export const stackAmount = (i: number): number => AMOUNTS[i % AMOUNTS.length]!;

function restOf(i: number): Point {
  const seat = TABLE.seats[i % TABLE.seats.length]!;
  const row = Math.floor(i / TABLE.seats.length);
  return { x: seat.x + (row - 2.5) * 42 * U, y: seat.y + (row % 2) * 40 * U };
}

export const stackMoves = (i: number): boolean => i >= RESTING_STACKS;

/** At rest, or pushed from the panel, at rest, taken by the bank and paid back to the panel. */
export function stackAt(i: number, ms: number): Point {
  const rest = restOf(i);
  if (!stackMoves(i)) return rest;
  const { panel } = TABLE.seats[i % TABLE.seats.length]!;
  const at = (ms + (i * CHIP_CYCLE_MS) / MOVING_STACKS) % CHIP_CYCLE_MS;
  const phase = Math.floor(at / CHIP_MS);
  const p = easeOut((at % CHIP_MS) / CHIP_MS);
  if (phase === 0) return along(panel, rest, p, 0.06);
  if (phase === 3) return along(rest, FLOAT, p, -0.06);
  return phase === 4 ? along(FLOAT, panel, p, 0.06) : rest;
}

export interface Label extends Point {
  readonly width: number;
  readonly height: number;
  readonly font: number;
  readonly tone: PillTone;
}
const TONES: readonly PillTone[] = ['total', 'stake', 'won', 'blackjack'];
export const LABELS: readonly Label[] = Array.from({ length: 20 }, (_, i) => {
  const seat = TABLE.seats[i % TABLE.seats.length]!;
  const row = Math.floor(i / TABLE.seats.length);
  return {
    x: seat.x + (row === 1 ? 60 : -30) * U,
    y: row === 2 ? TABLE.bank.centre.y + 150 * U : seat.y + (row === 0 ? 50 : -250) * U,
    width: 96 * U,
    height: 28 * U,
    font: 19 * U,
    tone: TONES[i % TONES.length]!,
  };
});

export function labelText(i: number, ms: number): string {
  const steps = i < CHANGING_LABELS ? Math.floor(ms / LABEL_MS) : 0;
  return amountText(((i * 1_375 + steps * 50) % 99_950) * 100, 'zh-Hant');
}

export const timerLeftMs = (i: number, ms: number): number =>
  TIMER_MS - ((ms + (i * TIMER_MS) / TABLE.seats.length) % TIMER_MS);
