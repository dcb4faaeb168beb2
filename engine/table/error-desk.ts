import { type Rejection, reject } from '../core/result.ts';
import {
  areBooksFaulty,
  holdTable,
  isRoundOpen,
  isShoeFaulty,
  readCard,
  refuseReadAgain,
  refuseWrongCard,
} from './cards.ts';
import { articlesOf, type Draft, profileOf } from './draft.ts';
import type { InputOf, Person } from './inputs.ts';
import { emit } from './lane.ts';
import { BANK, handAt, roundSeat } from './places.ts';
import { gameOf } from './registry.ts';
import type { RoundSeat, TableState } from './state.ts';
import type { Remedy } from './steps.ts';
import { stopOf } from './stops.ts';

// Errors of the deal and how they are put right (arts. 5.1.1, 5.1.2, 6.1; arts. 3, 4, 6 of the
// challenge; r.17, r.18). What a card has led to already is not undone: then the round is void.

/** The house may leave these to a supervisor; no article does. */
function refusePerson(state: TableState, person: Person, cites: readonly string[]): Rejection | null {
  const isEnough = person.role === 'supervisor' || profileOf(state).errorsBySupervisor !== true;
  return isEnough ? null : reject('person', cites, 'supervisor');
}

/**
 * r.17: the second card of the bank was turned while it was dealt: it is discarded, and another one
 * is due.
 */
export function replaceBankSecond(draft: Draft, input: InputOf<'replace-bank-second'>): Rejection | null {
  const { state } = draft;
  const refused =
    refuseReplacingSecond(state) ?? refusePerson(state, input.person, [articlesOf(state).exposed]);
  if (refused) return refused;
  gameOf(state).bankSecond?.replace(draft, input.person);
  return null;
}

export function refuseReplacingSecond(state: TableState): Rejection | null {
  const { bankSecond } = gameOf(state);
  if (!bankSecond) return reject('off');
  return state.hold ? reject('held') : bankSecond.refuseReplacing(state);
}

/**
 * art. 5.1.1: the card dealt last came out face up, which was seen after it had been read: it is
 * invalid, and the next one takes its place.
 */
export function takeBackCard(draft: Draft, input: InputOf<'take-back-card'>): Rejection | null {
  const { state, atMs } = draft;
  const { person } = input;
  const cites = [articlesOf(state).exposed];
  const refused = refuseTakingBack(state) ?? refusePerson(state, person, cites);
  if (refused) return refused;
  const { card, seat, hand, additional } = gameOf(state).findLastCard!(state)!;
  emit(draft, { type: 'card-taken-back', atMs, card, seat, hand, additional, person, cites });
  return null;
}

export function refuseTakingBack(state: TableState): Rejection | null {
  const cites = [articlesOf(state).exposed];
  if (state.round === null) return reject('not-due', cites, 'no round');
  if (!isRoundOpen(state)) return reject('round-over', cites);
  const game = gameOf(state);
  if (!game.refuseTakingBack) return reject('not-allowed', cites, 'a card that comes out face up is valid');
  if (state.hold) return reject('held', cites);
  return game.refuseTakingBack(state);
}

/**
 * The card dealt last is not the one that was read, however sure the shoe was: it lies there again
 * without a face until somebody has named it, and nothing is decided or paid on it meanwhile.
 */
export function doubtCard(draft: Draft, { person }: InputOf<'doubt-card'>): Rejection | null {
  const { state, atMs } = draft;
  const refused = refuseDoubt(state);
  if (refused) return refused;
  const last = gameOf(state).findLastCard!(state)!;
  emit(draft, { type: 'card-doubted', atMs, ...last, person });
  holdTable(draft, 'doubtful-card', last.card, null, null);
  return null;
}

export function refuseDoubt(state: TableState): Rejection | null {
  const { round, hold } = state;
  const cites = [articlesOf(state).misdeal];
  if (round === null || round.cardCount === 0) return reject('not-due', cites, 'no card has been dealt');
  if (!isRoundOpen(state)) return reject('round-over', cites);
  if (hold) return reject('held', cites);
  const { findLastCard, liesFaceDown } = gameOf(state);
  const last = findLastCard?.(state) ?? null;
  if (last === null) return reject('too-late', cites, 'something has followed from this card');
  const isDown =
    last.seat === null
      ? round.bankHoleDown
      : liesFaceDown?.(state, round, handAt(round, last.seat, last.hand)) === true;
  return isDown ? reject('not-allowed', cites, 'the card lies face down') : null;
}

/**
 * art. 5.1.2, art. 6 of the challenge: cards dealt to the wrong places are given to whom they were
 * due: all first cards of two seats, or one card for the one at the same place of the other, or the
 * first card of a seat for that of the bank.
 */
export function assignCard(draft: Draft, input: InputOf<'assign-card'>): Rejection | null {
  const { state } = draft;
  const { fromSeat, toSeat, place, person } = input;
  const refused =
    refuseAssign(state, fromSeat, toSeat, place) ?? refusePerson(state, person, [articlesOf(state).misdeal]);
  if (refused) return refused;
  const one = place === undefined ? {} : { place };
  const isAdditional = state.round!.additional > 0;
  emit(draft, { type: 'cards-swapped', atMs: draft.atMs, fromSeat, toSeat, ...one, person });
  if (isAdditional) gameOf(state).additional?.afterSwap(draft, [fromSeat, toSeat]);
  else if (state.phase !== 'dealing') gameOf(state).afterSwap(draft);
  return null;
}

export function refuseAssign(
  state: TableState,
  fromSeat: number,
  toSeat: number,
  place?: number,
): Rejection | null {
  const { round } = state;
  const cites = [articlesOf(state).misdeal];
  const from = round && roundSeat(round, fromSeat);
  if (from && toSeat === BANK) return refuseBank(state, from, place);
  const to = round && roundSeat(round, toSeat);
  if (!from || !to || from === to) return reject('not-allowed', cites, 'no such cards');
  if (round!.additional > 0) return refuseAdditional(state, from, to, place);
  const { maySwap } = gameOf(state);
  const isUntouched = maySwap
    ? maySwap(round!, from, to)
    : [from, to].every(({ hands }) => hands[0]!.status === 'open');
  if (hasBeenPlayed(state) || !isUntouched) return reject('too-late', cites);
  const dealt = from.hands[0]!.cards.length;
  const other = to.hands[0]!.cards.length;
  if (place !== undefined) {
    const { liesFaceDown } = gameOf(state);
    const isDown = [from, to].some(({ hands }) => liesFaceDown?.(state, round!, hands[0]!));
    if (isDown) return reject('not-allowed', cites, 'the cards lie face down: all of a hand, or none');
    return Number.isInteger(place) && place >= 0 && place < Math.min(dealt, other)
      ? null
      : reject('not-allowed', cites, 'no card at this place of both hands');
  }
  return dealt > 0 && dealt === other ? null : reject('not-allowed', cites, 'not the same number of cards');
}

/** Once anybody has asked for a card, the first cards stay where they are. */
const hasBeenPlayed = ({ phase, round }: TableState): boolean =>
  !(phase === 'dealing' || phase === 'offers' || phase === 'turns') ||
  round!.seats.some(({ hands }) => hands.length > 1 || hands[0]!.called);

/**
 * art. 5.1.2: the bank's open card for the first one of a seat. Both stay where they are once the
 * bank's has been acted on: insurance or even money answered, or the hole card looked at.
 */
function refuseBank(state: TableState, from: RoundSeat, place: number | undefined): Rejection | null {
  const round = state.round!;
  const cites = [articlesOf(state).misdeal];
  const { maySwapBank, liesFaceDown } = gameOf(state);
  const hand = from.hands[0]!;
  if (!maySwapBank || place !== 0 || hand.cards.length === 0 || round.bank.length === 0)
    return reject('not-allowed', cites, 'no card at this place of both hands');
  if (round.additional > 0 || hasBeenPlayed(state) || !maySwapBank(round)) return reject('too-late', cites);
  return liesFaceDown?.(state, round, hand)
    ? reject('not-allowed', cites, 'the cards lie face down: all of a hand, or none')
    : null;
}

/** Of the additional cards one at a time, and none that somebody has decided on since. */
function refuseAdditional(
  state: TableState,
  from: RoundSeat,
  to: RoundSeat,
  place: number | undefined,
): Rejection | null {
  const { additional } = gameOf(state);
  return additional?.maySwap(state, from, to, place)
    ? null
    : reject('too-late', [articlesOf(state).misdeal], 'somebody has decided on these cards');
}

const placesOf = ({ hands }: RoundSeat): number => hands[0]!.cards.length;

/** What one seat may be given of another: all first cards, or single ones by their place. */
export interface Assignable {
  readonly fromSeat: number;
  /** 0 = the bank. */
  readonly toSeat: number;
  readonly all: boolean;
  readonly places: readonly number[];
}

/** Every lawful way to give cards to whom they were due, each pair once, the bank last. */
export function assignables(state: TableState): Assignable[] {
  const seats = state.round?.seats ?? [];
  return seats.flatMap((from, i) =>
    [...seats.slice(i + 1).map(({ seat }) => seat), BANK].flatMap((toSeat) => {
      const fromSeat = from.seat;
      const all = refuseAssign(state, fromSeat, toSeat) === null;
      const places = Array.from({ length: placesOf(from) }, (_, place) => place).filter(
        (place) => refuseAssign(state, fromSeat, toSeat, place) === null,
      );
      return all || places.length > 0 ? [{ fromSeat, toSeat, all, places }] : [];
    }),
  );
}

/**
 * What may lawfully end the present hold, each with its article and who says it; empty = there is
 * none, or nothing that the desk can end. `rereads`: the shoe reads a card twice.
 */
export function remedies(state: TableState, rereads = false): Remedy[] {
  const { hold } = state;
  if (hold === null || state.profile === null || state.service !== null) return [];
  const articles = articlesOf(state);
  const found: Remedy[] = [];
  const add = (remedy: Remedy['remedy'], by: Remedy['by'], cite: string): void => {
    found.push({ remedy, by, cites: cite === '' ? [] : [cite] });
  };
  const errorsBy = profileOf(state).errorsBySupervisor === true ? 'supervisor' : 'dealer';
  const isOfBank = refuseWrongCard(state) === null;
  switch (hold.code) {
    case 'doubtful-card':
    case 'card-gap':
      if (readCard(state) !== null) add('confirm-read-card', 'dealer', articles.misdeal);
      if (rereads && refuseReadAgain(state) === null) add('read-card-again', 'dealer', articles.misdeal);
      add('name-card', 'supervisor', articles.misdeal);
      break;
    case 'unexpected-card':
      if (!isOfBank) add('set-card-aside', 'dealer', articles.exposed);
      break;
    default:
      if (!isStillFaulty(state)) add('confirm-layout', 'dealer', articles.misdeal);
      if (assignables(state).length > 0) add('assign-card', errorsBy, articles.misdeal);
  }
  if (isOfBank) {
    const { waiting } = state.shoe;
    const card = waiting[0]!.card!;
    add('wrong-card-shown', 'dealer', articles.bankDraws);
    const isKept = gameOf(state).wrongCard(state, card, false) === 'kept';
    if (isKept) add('wrong-card-unseen', 'dealer', articles.bankDraws);
  }
  if (isRoundOpen(state)) add('void-round', 'supervisor', articles.misdeal);
  return found;
}

/** The cause of the hold is still there: nothing but its end, or the end of the round, helps. */
function isStillFaulty(state: TableState): boolean {
  const code = state.hold?.code;
  if (code === 'books') return areBooksFaulty(state);
  if (code === 'shoe-fault') return isShoeFaulty(state);
  return code === 'machine-fault' && stopOf(state) !== null;
}
