/**
 * What is heard when one view follows another. Pure: sound, like movement, is the difference of two
 * views and decides nothing. Said aloud is what the regulations have the dealer say: art. 6.5 and
 * 7.1 the totals, r.11 the last round, r.48 «jogo feito, nada mais»; what totals do not say, cards
 * and time; beside that, small effects for what is touched.
 */

import { type Card, rankOf } from '../../engine/core/cards.ts';
import type { HandView, SeatView, TableView } from '../../wire/view.ts';
import { COUNTED_SECONDS, type EffectKey } from './keys.ts';

export type Sound =
  | {
      readonly kind: 'voice';
      /** Keys of the clips, one after the other. */
      readonly clips: readonly string[];
      /** Said in the language of this seat and at its level; null = to the table. */
      readonly seat: number | null;
    }
  | {
      readonly kind: 'effect';
      readonly effect: EffectKey;
      /** Heard at the level of this seat; null = at the table's. */
      readonly seat: number | null;
    };

/** off, soft, loud */
export const LEVELS = [0, 1, 2] as const;
export type Level = (typeof LEVELS)[number];
/** What calls somebody is never silent, whatever anybody has ordered. */
const ALARMS: ReadonlySet<EffectKey> = new Set<EffectKey>(['attention', 'call']);
const ALARM_LEVEL: Level = 1;

/** As a sound is heard that somebody wants at this level, by order of the centre. */
export function heardAt(wanted: Level, order: TableView['sound'], effect: EffectKey | null = null): Level {
  const { least, most } = order ?? { least: 0, most: 2 };
  const level = Math.min(Math.max(wanted, least), most);
  return (effect !== null && ALARMS.has(effect) ? Math.max(level, ALARM_LEVEL) : level) as Level;
}

const say = (...clips: string[]): Sound => ({ kind: 'voice', clips, seat: null });
const play = (effect: EffectKey, seat: number | null = null): Sound => ({ kind: 'effect', effect, seat });

/**
 * Nothing for the first view of a host, one after a gap, or another host: nobody wants to hear what
 * is over.
 */
const isNews = (before: TableView | null, after: TableView): before is TableView =>
  before !== null && before.bootId === after.bootId && after.service === null;

export const soundsOf = (before: TableView | null, after: TableView): Sound[] =>
  isNews(before, after) ? [...voices(before, after), ...effects(before, after)] : [];

/**
 * Cards of the bank or of the Player side that have come to lie open, and what the side has with
 * them.
 */
export interface Opened {
  readonly side: 'bank' | 'player';
  readonly cards: readonly Card[];
  /** null where the cards are not added up. */
  readonly points: number | null;
  readonly state: 'busted' | 'blackjack' | null;
}

/**
 * Card by card, for whoever does not see the cloth: no voice names the cards, and some announce no
 * total.
 */
export function openedCards(before: TableView | null, after: TableView): Opened[] {
  if (!isNews(before, after)) return [];
  const opened = (was: readonly (Card | null)[], is: readonly (Card | null)[]): Card[] =>
    is.filter((card, i) => card !== null && (was[i] ?? null) === null) as Card[];
  const { bank, playerSide } = after;
  const state = bank.busted ? 'busted' : bank.blackjack ? 'blackjack' : null;
  const sides: readonly Opened[] = [
    {
      side: 'player',
      cards: opened(before.playerSide?.cards ?? [], playerSide?.cards ?? []),
      points: playerSide?.points ?? null,
      state: null,
    },
    { side: 'bank', cards: opened(before.bank.cards, bank.cards), points: bank.points, state },
  ];
  return sides.filter(({ cards }) => cards.length > 0);
}

function voices(before: TableView, after: TableView): Sound[] {
  const sounds: Sound[] = [];
  if (after.phase === 'betting' && before.round?.id !== after.round?.id) sounds.push(say('bets-open'));
  if (before.phase === 'betting' && after.phase !== 'betting' && after.round !== null)
    sounds.push(say('bets-closed'));
  if (after.shoe.loaded && after.shoe.lastRound && !before.shoe.lastRound) sounds.push(say('last-round'));
  if (after.playerSide !== null) {
    if (after.phase === 'settled' && before.phase !== 'settled') sounds.push(...baccaratResult(after));
    return sounds;
  }
  // In casino war the cards speak: they are announced one by one, and no total is.
  if (after.table.rulebook === 'macau-casino-war') return [...sounds, ...warCards(before, after)];
  const dealt = before.phase === 'dealing' && after.phase !== 'dealing' && after.phase !== 'idle';
  for (const seat of after.seats)
    seat.hands.forEach((hand, i) => {
      const old = before.seats.find((each) => each.seat === seat.seat)?.hands[i];
      const more = before.phase !== 'dealing' && old !== undefined && hand.cards.length > old.cards.length;
      if ((dealt || more) && hand.cards.length > 1 && !hand.faceDown)
        sounds.push({ ...say(`seat-${seat.seat}`, totalOf(hand)), seat: seat.seat });
    });
  const { bank } = after;
  const shown = bank.cards.filter((card) => card !== null);
  if (shown.length > shownOf(before) && shown.length > 1)
    sounds.push(say('bank', totalOf({ ...bank, status: bank.busted ? 'busted' : 'open' })));
  else if (shown.length > shownOf(before)) sounds.push(say('bank', cardClip(shown[0]!)));
  return sounds;
}

const shownOf = ({ bank }: TableView): number => bank.cards.filter((card) => card !== null).length;
const cardClip = (card: Card): string => `card-${rankOf(card) + 1}`;

/** Each card as it comes: of a seat in its language, of the croupier to the table. */
function warCards(before: TableView, after: TableView): Sound[] {
  const sounds: Sound[] = [];
  for (const { seat, hands } of after.seats) {
    const cards = hands[0]?.cards ?? [];
    const known = before.seats.find((each) => each.seat === seat)?.hands[0]?.cards.length ?? 0;
    if (cards.length > known) sounds.push({ ...say(`seat-${seat}`, cardClip(cards.at(-1)!)), seat });
  }
  const card = after.bank.cards.at(-1) ?? null;
  if (card !== null && shownOf(after) > shownOf(before)) sounds.push(say('bank', cardClip(card)));
  return sounds;
}

const totalOf = ({
  points,
  status,
  blackjack,
}: {
  readonly points: number | null;
  readonly status: HandView['status'];
  readonly blackjack?: boolean;
}): string =>
  status === 'busted'
    ? 'busted'
    : status === 'blackjack' || blackjack
      ? 'blackjack'
      : `points-${points ?? 0}`;

function baccaratResult({ bank, playerSide }: TableView): Sound[] {
  const player = playerSide?.points ?? null;
  if (player === null || bank.points === null) return [];
  const verdict = player === bank.points ? 'tie' : player > bank.points ? 'player-wins' : 'bank-wins';
  return [say('player', `points-${player}`), say('bank', `points-${bank.points}`), say(verdict)];
}

/**
 * What is heard with `left` whole seconds before a deadline: a tick for whom it is about; and once
 * for each deadline how many seconds are left, before the bets close to the whole table, before a
 * decision is due to its seat.
 * @param warnedOfMs the deadline that was told of last, null = of none
 */
export function countdown(
  deadline: TableView['deadline'],
  left: number | null,
  warnedOfMs: number | null,
): Sound[] {
  if (deadline === null || left === null || left <= 0 || left > COUNTED_SECONDS) return [];
  const tick = play('tick', deadline.seat);
  if (deadline.atMs === warnedOfMs) return [tick];
  const seconds = `seconds-${left}`;
  if (deadline.kind === 'betting') return [say('last-bets', seconds), tick];
  const { seat } = deadline;
  return seat === null ? [tick] : [{ ...say(`seat-${seat}`, seconds), seat }, tick];
}

const cardCount = ({ seats, bank, playerSide }: TableView): number =>
  seats.reduce((sum, { hands }) => sum + hands.reduce((cards, hand) => cards + hand.cards.length, 0), 0) +
  bank.cards.length +
  (playerSide?.cards.length ?? 0);

const laid = (view: TableView, by: number): number =>
  view.seats.reduce(
    (sum, { bets }) =>
      sum + bets.reduce((total, bet) => (bet.by === by ? total + bet.amountMinor : total), 0),
    0,
  );

function effects(before: TableView, after: TableView): Sound[] {
  const sounds: Sound[] = [];
  if (cardCount(after) > cardCount(before)) sounds.push(play('card'));
  if (after.hold !== null && before.hold === null) sounds.push(play('attention'));
  for (const seat of after.seats) {
    const old = before.seats.find((each) => each.seat === seat.seat);
    if (old) sounds.push(...seatEffects(old, seat, laid(after, seat.seat) > laid(before, seat.seat)));
  }
  return sounds;
}

function seatEffects(old: SeatView, seat: SeatView, laidMore: boolean): Sound[] {
  const sounds: Sound[] = [];
  if (laidMore) sounds.push(play('chip', seat.seat));
  if (seat.callsAttendant && !old.callsAttendant) sounds.push(play('call'));
  if (seat.note?.state === 'credited' && old.note?.state !== 'credited') sounds.push(play('note', seat.seat));
  // A round that lost on the whole is not celebrated, whatever one of its bets has won.
  if (old.result === null && seat.result !== null && seat.result.netMinor > 0)
    sounds.push(play('win', seat.seat));
  return sounds;
}
