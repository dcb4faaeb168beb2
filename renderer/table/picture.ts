/**
 * What lies on the table for a given view: pure, without time and without pixels of its own. Two
 * pictures and the slots of their pieces are all the animation needs; a view shown for the first
 * time is just its picture.
 */
import type { Card } from '../../engine/core/cards.ts';
import { leadingLanguage } from '../../engine/rules/home.ts';
import type { SeatView, TableView } from '../../wire/view.ts';
import { homeOf, withCurrency } from '../texts/i18n.ts';
import { amountText } from './chips.ts';
import type { Placement } from './geometry.ts';
import { layBank, layHand, layPlayerSide } from './hands.ts';
import type {
  BadgePiece,
  ButtonPiece,
  CardPiece,
  Picture,
  RibbonPiece,
  RingPiece,
  SpotPiece,
  StackPiece,
} from './pieces.ts';
import { bankBadges, bannerOf, seatBadges, seatRibbon } from './signs.ts';
import { seatStacks } from './stacks.ts';
import type { TableLayout } from './table-layout.ts';

/** `openCards`: of a hand that lies face down, how many cards do not (art. 5.2.3.5). */
function seatCards(table: TableLayout, seat: SeatView, openCards: number): CardPiece[] {
  const war = table.form.game === 'casino-war';
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
        faceUp: (war || hand.status !== 'surrendered') && !(hand.faceDown && i >= openCards),
        dim: hand.status === 'busted',
        place: laid.cards[i]!,
      }),
    );
  });
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

/** Seats that are asked about insurance: the place for it is lit. */
const insured = (view: TableView): readonly number[] =>
  view.seats
    .filter((seat) => seat.choices.some((choice) => choice.act === 'insure' && choice.allowed))
    .map((seat) => seat.seat);

const offeredSeats = (view: TableView): readonly number[] =>
  view.dealer.step.step === 'await-offers' ? view.dealer.step.seats : [];

/**
 * Whose bet on a side of baccarat is the largest, of equal ones the lowest seat's; undefined =
 * nobody's.
 */
function largestOn({ seats }: TableView, side: 'banker' | 'player'): number | undefined {
  const laid = seats
    .flatMap(({ bets }) => bets.filter(({ bet }) => bet === side))
    .sort((a, b) => b.amountMinor - a.amountMinor || a.by - b.by);
  return laid[0]?.by;
}

/**
 * The bank's cards, and in baccarat those of the Player side, as the second hand of the same owner.
 */
function bankCards(view: TableView, table: TableLayout): CardPiece[] {
  // art. 7.2: with the automatic shuffler the cards are dealt face up
  const slowly =
    view.table.display?.slowReveal === true && table.form.game === 'baccarat' && !table.form.shuffler;
  const peeledBy = (side: 'banker' | 'player'): Pick<CardPiece, 'peeledBy'> => {
    const seat = largestOn(view, side);
    return seat === undefined ? {} : { peeledBy: seat };
  };
  const row = (hand: number, cards: readonly (Card | null)[], places: readonly Placement[]): CardPiece[] =>
    cards.map((card, i) => ({
      slot: `0/${hand}/${i}`,
      owner: 0,
      card,
      faceUp: card !== null,
      dim: false,
      place: places[i]!,
      ...(slowly && i > 0 ? peeledBy(hand === 0 ? 'banker' : 'player') : {}),
    }));
  const bank = row(0, view.bank.cards, layBank(table, view.bank.cards.length).cards);
  if (table.form.game !== 'baccarat' || view.playerSide === null) return bank;
  const { cards } = view.playerSide;
  return [...row(1, cards, layPlayerSide(table, cards.length).cards), ...bank];
}

/** On the spot of its number, over its name; past the last number offered, beside the box. */
function streakButton(table: TableLayout, { seat, streak }: SeatView): ButtonPiece[] {
  const number = streak !== null && streak.button >= 2 ? streak.button : null;
  if (number === null) {
    const rest = table.streakRack?.places[seat - 1];
    return rest === undefined ? [] : [{ seat, number, at: rest }];
  }
  const place = table.seats[seat - 1]!;
  const spot = place.spots.find(({ bet }) => bet === `streak${number}`);
  const at =
    spot === undefined
      ? { x: place.x + table.boxRadius + 26 * table.unit, y: place.y }
      : { x: spot.x, y: spot.y - spot.radius * 0.6 };
  return [{ seat, number, at }];
}

/** The whole table for one view. */
export function pictureOf(view: TableView, table: TableLayout): Picture {
  const seats = view.seats.filter((seat) => table.seats[seat.seat - 1] !== undefined);
  const cards = bankCards(view, table);
  const badges: BadgePiece[] = bankBadges(table, view);
  const stacks: StackPiece[] = [];
  const ribbons: RibbonPiece[] = [];
  const openCards = view.table.options['playerCardsDown'] === 'one' ? 1 : 0;
  const baccarat = table.form.game === 'baccarat';
  for (const seat of seats) {
    if (!baccarat) {
      cards.push(...seatCards(table, seat, openCards));
      badges.push(...seatBadges(table, seat));
    }
    stacks.push(...seatStacks(table, seat));
    const ribbon = seatRibbon(table, seat);
    if (ribbon !== null) ribbons.push(ribbon);
  }
  const turnSeat = view.hold === null ? seats.find((seat) => seat.turnHand !== null) : undefined;
  const shoeTotal = view.shoe.loaded ? view.shoe.drawn + view.shoe.remaining : 0;
  const banner = bannerOf(view);
  const laidOn = (no: number): readonly StackPiece[] => stacks.filter((stack) => stack.owner === no);
  return {
    cards,
    stacks,
    badges,
    ribbons,
    rings: ringsOf(view),
    numbers: seats
      .map((seat) => seat.seat)
      .filter((no) => baccarat || !laidOn(no).some((stack) => /^\d+\/\d/.test(stack.key))),
    spots: seats.flatMap((seat) =>
      table.seats[seat.seat - 1]!.spots.map((spot): SpotPiece => {
        const laid = laidOn(seat.seat).some((stack) => stack.key === `${seat.seat}/bet/${spot.bet}`);
        return {
          seat: seat.seat,
          bet: spot.bet,
          language: seat.language,
          printed: !(laid && spot.covered),
          lit: laid && spot.kind === 'slot',
        };
      }),
    ),
    buttons: seats.flatMap((seat) => streakButton(table, seat)),
    turn: turnSeat === undefined ? null : { seat: turnSeat.seat, hand: turnHand(table, turnSeat) },
    offered: view.hold === null ? insured(view) : [],
    shoe: {
      remaining: view.shoe.remaining,
      total: shoeTotal,
      endCard: view.shoe.lastRound && !table.form.shuffler,
    },
    discarded: view.shoe.discarded,
    limits: limitsText(view),
    currency: view.table.currency,
    meterMinor: view.jackpot?.meterMinor ?? null,
    round:
      view.round === null
        ? null
        : {
            no: view.round.no,
            last: view.round.last || view.shoe.lastRound,
            demo: view.round.demo,
          },
    banner,
    attract:
      banner === null &&
      view.phase === 'idle' &&
      view.round === null &&
      view.seats.every((seat) => seat.free),
  };
}

/** The sign on the cloth, in the figures of the house: 'MOP 100 – 10,000', '10 – 1 000 €'. */
function limitsText({ table: { minMinor, maxMinor, currency, rulebook } }: TableView): string {
  const language = leadingLanguage(homeOf(rulebook));
  const range = `${amountText(minMinor, language)} – ${amountText(maxMinor, language)}`;
  return withCurrency(range, currency, language);
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
 * Which card of the next picture is which of the one before: same place and same card; else the
 * same card of the same seat (a split moves it to a new hand); else the same card anywhere (a
 * misdealt card given to whom it was due). A known card never becomes another one; a hidden card
 * may be turned over in its place.
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
