/**
 * What lies on the table for a given view: pure, without time and without pixels of its own. Two pictures and the
 * slots of their pieces are all the animation needs; a view shown for the first time is just its picture.
 */
import type { Card } from '../../engine/core/cards.ts';
import type { HandView, SeatView, SettlementLine, TableView } from '../../host/api.ts';
import { feltText, tableText, textOfCode } from '../i18n.ts';
import { amountText, signedText } from './chips.ts';
import {
  badgeCentre,
  badgeSize,
  layBank,
  layHand,
  type Placement,
  type Point,
  type TableLayout,
} from './layout.ts';

/** 0 = the bank. */
export type Owner = number;

export interface CardPiece {
  /** `owner/hand/index`: one place on the table. */
  readonly slot: string;
  readonly owner: Owner;
  /** null: a card nobody may know. */
  readonly card: Card | null;
  readonly faceUp: boolean;
  readonly dim: boolean;
  readonly place: Placement;
}
export interface StackPiece {
  readonly key: string;
  readonly owner: number;
  /** A stake or insurance comes from the player, winnings from the bank. */
  readonly from: 'player' | 'bank';
  readonly amountMinor: number;
  readonly at: Point;
  readonly scale: number;
  readonly label: {
    readonly text: string;
    readonly at: Point;
    readonly tone: LabelTone;
    /** The most it may be wide. */
    readonly room: number;
  } | null;
}
export type LabelTone = 'stake' | 'won' | 'lost';
export type BadgeTone = 'total' | 'blackjack' | 'busted' | 'turn';
export interface BadgePiece {
  readonly key: string;
  /** The hand whose cards it adds up: it waits for their arrival. */
  readonly owner: Owner;
  readonly text: string;
  readonly tone: BadgeTone;
  readonly at: Point;
  readonly width: number;
  readonly height: number;
  readonly font: number;
}
export type RibbonTone = 'won' | 'lost' | 'even' | 'natural';
export interface RibbonPiece {
  readonly seat: number;
  readonly at: Point;
  readonly width: number;
  readonly amount: string;
  readonly word: string;
  readonly tone: RibbonTone;
}
export interface RingPiece {
  readonly seat: number;
  readonly kind: 'turn' | 'betting' | 'offers';
  readonly atMs: number;
  readonly totalMs: number;
}
export interface Banner {
  readonly tone: 'hold' | 'closed';
  readonly zh: { readonly title: string; readonly reason: string };
  readonly pt: { readonly title: string; readonly reason: string };
}
export interface Picture {
  readonly cards: readonly CardPiece[];
  readonly stacks: readonly StackPiece[];
  readonly badges: readonly BadgePiece[];
  readonly ribbons: readonly RibbonPiece[];
  readonly rings: readonly RingPiece[];
  /** Seats whose box has no chips and shows its number. */
  readonly numbers: readonly number[];
  /** The box that plays, and the hand in it when there are several. */
  readonly turn: {
    readonly seat: number;
    readonly hand: { readonly centre: Point; readonly width: number; readonly height: number } | null;
  } | null;
  readonly offered: readonly number[];
  readonly shoe: { readonly remaining: number; readonly total: number };
  readonly discarded: number;
  readonly limits: { readonly currency: string; readonly range: string };
  readonly round: { readonly no: number; readonly last: boolean } | null;
  readonly banner: Banner | null;
}

/** 'BJ', '16', and '8/18' while a soft hand may still take a card. */
export function totalText(points: number, soft: boolean, blackjack: boolean, open: boolean): string {
  if (blackjack) return 'BJ';
  return soft && open && points < 21 ? `${points - 10}/${points}` : `${points}`;
}

const linesOf = (seat: SeatView, bet: string, hand: number | null): readonly SettlementLine[] =>
  (seat.result?.lines ?? []).filter((line) => line.bet === bet && line.hand === hand);
const netOf = (lines: readonly SettlementLine[]): number =>
  lines.reduce((sum, line) => sum + line.netMinor, 0);

/** Net of a hand's main bet, null while it is open. */
function handNet(seat: SeatView, hand: HandView, index: number): number | null {
  const lines = linesOf(seat, 'main', index);
  if (lines.length > 0) return netOf(lines);
  if (hand.netMinor !== null) return hand.netMinor;
  // art. 7.2: a hand over twenty-one has lost its bet at once
  return hand.status === 'busted' ? -hand.stakeMinor : null;
}

function seatCards(table: TableLayout, seat: SeatView): CardPiece[] {
  return seat.hands.flatMap((hand, h) => {
    const laid = layHand(
      table,
      seat.seat,
      h,
      seat.hands.length,
      hand.cards.length,
      hand.doubled && hand.cards.length > 2,
    );
    return hand.cards.map(
      (card, i): CardPiece => ({
        slot: `${seat.seat}/${h}/${i}`,
        owner: seat.seat,
        card,
        faceUp: hand.status !== 'surrendered',
        dim: hand.status === 'busted',
        place: laid.cards[i]!,
      }),
    );
  });
}

function seatStacks(table: TableLayout, seat: SeatView): StackPiece[] {
  const place = table.seats[seat.seat - 1]!;
  const u = table.unit;
  const stacks: StackPiece[] = [];
  const label = (text: string, at: Point, tone: LabelTone, room = 96 * u): StackPiece['label'] => ({
    text,
    at,
    tone,
    room,
  });
  const below = (at: Point, scale: number): Point => ({ x: at.x, y: at.y + (46 * scale + 4) * u });

  if (seat.hands.length === 0) {
    const laid = seat.bets.reduce((sum, bet) => sum + (bet.bet === 'main' ? bet.amountMinor : 0), 0);
    if (laid > 0) {
      stacks.push({
        key: `${seat.seat}/0`,
        owner: seat.seat,
        from: 'player',
        amountMinor: laid,
        at: place,
        scale: 1,
        label: label(amountText(laid, seat.language), below(place, 1), 'stake'),
      });
    }
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
    const prize = Math.max(0, netOf(linesOf(seat, 'specialPrize', h)));
    const kept = hand.stakeMinor + Math.min(0, net ?? 0);
    const won = Math.max(0, net ?? 0) + prize;
    const alone = seat.hands.length === 1;
    const beside = alone && won > 0 && kept > 0 ? 25 * u : 0;
    const scale = alone ? (beside > 0 ? 0.8 : 1) : laid.stakeScale;
    const tag = below(laid.stake, alone ? 1 : laid.stakeScale);
    if (kept > 0) {
      const text =
        alone || net === null ? amountText(kept, seat.language) : signedText(net + prize, seat.language);
      stacks.push({
        key: `${seat.seat}/${h}`,
        owner: seat.seat,
        from: 'player',
        amountMinor: alone ? kept : kept + won,
        at: { x: laid.stake.x - beside, y: laid.stake.y },
        scale,
        label:
          beside > 0 ? null : label(text, tag, net !== null && net > 0 ? 'won' : 'stake', laid.stakeRoom),
      });
    }
    if (!alone && kept === 0 && net !== null && net < 0) {
      // no chips are left, but which of the hands has lost must stay readable
      stacks.push({
        key: `${seat.seat}/${h}`,
        owner: seat.seat,
        from: 'player',
        amountMinor: 0,
        at: laid.stake,
        scale,
        label: label(signedText(net, seat.language), tag, 'lost', laid.stakeRoom),
      });
    }
    if (alone && won > 0) {
      stacks.push({
        key: `${seat.seat}/${h}/won`,
        owner: seat.seat,
        from: 'bank',
        amountMinor: won,
        at: { x: laid.stake.x + beside, y: laid.stake.y },
        scale,
        label: label(amountText(kept + won, seat.language), tag, 'won'),
      });
    }
  }

  if (seat.insuranceMinor !== null && seat.insuranceMinor > 0) {
    const lines = linesOf(seat, 'insurance', null);
    const net = lines.length === 0 ? null : netOf(lines);
    const at = place.insurance;
    const kept = seat.insuranceMinor + Math.min(0, net ?? 0);
    const won = Math.max(0, net ?? 0);
    if (kept + won > 0) {
      stacks.push({
        key: `${seat.seat}/insurance`,
        owner: seat.seat,
        from: 'player',
        amountMinor: kept + won,
        at,
        scale: 0.64,
        label: label(
          won > 0 ? signedText(won, seat.language) : amountText(kept, seat.language),
          { x: at.x, y: at.y + table.band.half - 3 * u },
          won > 0 ? 'won' : 'stake',
        ),
      });
    }
  }
  return stacks;
}

function seatBadges(table: TableLayout, seat: SeatView): BadgePiece[] {
  const hands = seat.hands.length;
  return seat.hands.flatMap((hand, h) => {
    if (hand.cards.length === 0 || hand.status === 'surrendered') return [];
    const laid = layHand(
      table,
      seat.seat,
      h,
      hands,
      hand.cards.length,
      hand.doubled && hand.cards.length > 2,
    );
    const natural =
      hand.status === 'blackjack' || (hand.cards.length === 2 && hand.points === 21 && !hand.fromSplit);
    const text = totalText(hand.points, hand.soft, natural, hand.status === 'open');
    const tone: BadgeTone = natural
      ? 'blackjack'
      : hand.status === 'busted'
        ? 'busted'
        : seat.turnHand === h
          ? 'turn'
          : 'total';
    const size = badgeSize(table, hands, text);
    const at = badgeCentre(laid, size.width);
    return [{ key: `${seat.seat}/${h}`, owner: seat.seat, text, tone, at, ...size }];
  });
}

/** Outcomes that have a word of their own on the ribbon; others read as won, lost or even. */
const WORDS = new Set([
  'win',
  'lose',
  'push',
  'blackjack',
  'even-money',
  'surrender',
  'five-card-half',
  'special-prize',
  'busted',
]);
const wordKey = (outcome: string, net: number): string =>
  WORDS.has(outcome) ? outcome : net > 0 ? 'win' : net < 0 ? 'lose' : 'push';

function seatRibbon(table: TableLayout, seat: SeatView): RibbonPiece | null {
  const place = table.seats[seat.seat - 1]!;
  const ribbon = (net: number | null, outcome: string | null, tone: RibbonTone): RibbonPiece => ({
    seat: seat.seat,
    at: place.ribbon,
    width: place.zone.width - 30 * table.unit,
    amount: net === null || net === 0 ? '' : signedText(net, seat.language),
    word:
      outcome === null
        ? ''
        : outcome === 'busted'
          ? feltText(seat.language)('busted')
          : textOfCode('table', 'outcome', outcome, seat.language),
    tone,
  });
  const lines = seat.result?.lines ?? [];
  if (seat.result !== null && lines.length > 0) {
    const net = seat.result.netMinor;
    const mains = lines.filter((line) => line.bet !== 'insurance');
    const words = new Set(
      (mains.length > 0 ? mains : lines).map((line) => wordKey(line.outcome, line.netMinor)),
    );
    if (words.has('lose') && seat.hands.length === 1 && seat.hands[0]!.status === 'busted') {
      words.delete('lose');
      words.add('busted');
    }
    const only = words.size === 1 ? [...words][0]! : words.has('special-prize') ? 'special-prize' : null;
    const tone =
      only === 'blackjack' || only === 'special-prize'
        ? 'natural'
        : net > 0
          ? 'won'
          : net < 0
            ? 'lost'
            : 'even';
    return ribbon(net, only ?? (net === 0 ? 'push' : null), tone);
  }
  if (seat.hands.length === 1 && seat.hands[0]!.status === 'busted') return ribbon(null, 'busted', 'lost');
  return null;
}

function bannerOf(view: TableView): Banner | null {
  const closed = (key: 'service' | 'closed'): Banner => ({
    tone: 'closed',
    zh: { title: feltText('zh-Hant')(key), reason: '' },
    pt: { title: feltText('pt')(key), reason: '' },
  });
  if (view.service !== null) return closed('service');
  if (view.hold !== null) {
    const key = `hold.${view.hold.code}` as const;
    return {
      tone: 'hold',
      zh: { title: tableText('zh-Hant')('hold.title'), reason: tableText('zh-Hant')(key) },
      pt: { title: tableText('pt')('hold.title'), reason: tableText('pt')(key) },
    };
  }
  return view.phase === 'closed' ? closed('closed') : null;
}

function ringsOf(view: TableView): RingPiece[] {
  const deadline = view.deadline;
  if (deadline === null || view.hold !== null) return [];
  const ring = (seat: number, kind: RingPiece['kind']): RingPiece => ({
    seat,
    kind,
    atMs: deadline.atMs,
    totalMs: deadline.totalMs,
  });
  switch (deadline.kind) {
    case 'decision':
      return deadline.seat === null ? [] : [ring(deadline.seat, 'turn')];
    case 'betting':
      return view.seats.filter((seat) => !seat.free).map((seat) => ring(seat.seat, 'betting'));
    case 'offers':
      return offeredSeats(view).map((seat) => ring(seat, 'offers'));
    case 'results':
      return [];
  }
}

const offeredSeats = (view: TableView): readonly number[] =>
  view.dealer.step.step === 'await-offers' ? view.dealer.step.seats : [];

/** The whole table for one view. */
export function pictureOf(view: TableView, table: TableLayout): Picture {
  const seats = view.seats.filter((seat) => table.seats[seat.seat - 1] !== undefined);
  const bank = layBank(table, view.bank.cards.length);
  const cards: CardPiece[] = view.bank.cards.map((card, i) => ({
    slot: `0/0/${i}`,
    owner: 0,
    card,
    faceUp: card !== null,
    dim: false,
    place: bank.cards[i]!,
  }));
  const badges: BadgePiece[] = [];
  if (view.bank.points !== null && view.bank.cards.length > 0) {
    const text = totalText(view.bank.points, view.bank.soft, view.bank.blackjack, view.phase !== 'settled');
    const size = badgeSize(table, 1, text);
    badges.push({
      key: '0/0',
      owner: 0,
      text,
      tone: view.bank.blackjack ? 'blackjack' : view.bank.busted ? 'busted' : 'total',
      at: badgeCentre(bank, size.width),
      ...size,
    });
  }
  const stacks: StackPiece[] = [];
  const ribbons: RibbonPiece[] = [];
  for (const seat of seats) {
    cards.push(...seatCards(table, seat));
    badges.push(...seatBadges(table, seat));
    stacks.push(...seatStacks(table, seat));
    const ribbon = seatRibbon(table, seat);
    if (ribbon !== null) ribbons.push(ribbon);
  }
  const turnSeat = view.hold === null ? seats.find((seat) => seat.turnHand !== null) : undefined;
  const shoeTotal = view.shoe.loaded ? view.shoe.drawn + view.shoe.remaining : 0;
  return {
    cards,
    stacks,
    badges,
    ribbons,
    rings: ringsOf(view),
    numbers: seats
      .map((seat) => seat.seat)
      .filter((no) => !stacks.some((stack) => stack.owner === no && stack.key !== `${no}/insurance`)),
    turn: turnSeat === undefined ? null : { seat: turnSeat.seat, hand: turnHand(table, turnSeat) },
    offered: view.hold === null ? offeredSeats(view) : [],
    shoe: { remaining: view.shoe.remaining, total: shoeTotal },
    discarded: view.shoe.discarded,
    limits: {
      currency: view.table.currency,
      range: `${amountText(view.table.minMinor, 'zh-Hant')} – ${amountText(view.table.maxMinor, 'zh-Hant')}`,
    },
    round: view.round === null ? null : { no: view.round.no, last: view.round.last || view.shoe.lastRound },
    banner: bannerOf(view),
  };
}

function turnHand(table: TableLayout, seat: SeatView): NonNullable<Picture['turn']>['hand'] {
  const h = seat.turnHand!;
  const hand = seat.hands[h];
  if (hand === undefined || seat.hands.length < 2) return null;
  const laid = layHand(
    table,
    seat.seat,
    h,
    seat.hands.length,
    hand.cards.length,
    hand.doubled && hand.cards.length > 2,
  );
  const scale = laid.cards[0]?.scale ?? 1;
  const ys = laid.cards.map((card) => card.y);
  return {
    centre: laid.centre,
    width: table.card.width * scale,
    height: table.card.height * scale + (ys.length > 0 ? Math.max(...ys) - Math.min(...ys) : 0),
  };
}

/**
 * Which card of the next picture is which of the one before: same place and same card; else the same card of the same
 * seat (a split moves it to a new hand); else the same card anywhere (a misdealt card given to whom it was due).
 * A known card never becomes another one; a hidden card may be turned over in its place.
 */
export function matchCards(
  before: readonly CardPiece[],
  after: readonly CardPiece[],
): ReadonlyMap<string, string> {
  const free = new Map(before.map((piece) => [piece.slot, piece]));
  const found = new Map<string, string>();
  const passes: ((old: CardPiece, now: CardPiece) => boolean)[] = [
    (old, now) => old.slot === now.slot && (old.card === now.card || old.card === null || now.card === null),
    (old, now) => old.card !== null && old.card === now.card && old.owner === now.owner,
    (old, now) => old.card !== null && old.card === now.card,
  ];
  for (const same of passes) {
    for (const now of after) {
      if (found.has(now.slot)) continue;
      const old = [...free.values()].find((each) => same(each, now));
      if (old === undefined) continue;
      found.set(now.slot, old.slot);
      free.delete(old.slot);
    }
  }
  return found;
}
