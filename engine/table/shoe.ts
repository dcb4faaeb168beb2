import { isCard } from '../core/cards.ts';
import { type Rejection, reject } from '../core/result.ts';
import { endsWithLoading, isShoe, releaseHold } from './cards.ts';
import { articlesOf, type Draft, isTaken, profileOf, rulesOf } from './draft.ts';
import { DEALERS, SUPERVISORS } from './duties.ts';
import { roundOfShoe } from './events-shoe.ts';
import type { InputOf } from './inputs.ts';
import { emit } from './lane.ts';
import { gameOf } from './registry.ts';
import { isJamRegulated } from './shuffler.ts';
import type { TableState } from './state.ts';

// Making a shoe ready (arts. 2, 4; r.7-r.12, r.52-r.54), and its end.

export function loadShoe(draft: Draft, input: InputOf<'load-shoe'>): Rejection | null {
  const { state } = draft;
  if (!state.dealer) return reject('no-dealer');
  const articles = articlesOf(state);
  const rules = rulesOf(state);
  const { hold } = state;
  const isHeldByCards =
    hold?.code === 'unexpected-card' || hold?.code === 'doubtful-card' || hold?.code === 'card-gap';
  if (hold && !isHeldByCards) return reject('held');
  if (state.phase !== 'shoe' && state.phase !== 'idle') {
    return reject('not-allowed', [articles.reshuffle], 'never inside a round');
  }
  if (input.decks !== rules.decks) {
    return reject('out-of-range', [articles.decks], `${rules.decks} decks are authorised`);
  }
  if (input.shoeId === '') return reject('malformed', [], 'shoeId');
  if (state.shoe.toCount !== undefined) return reject('not-due', [], 'the cards have not been counted');
  if (state.shoe.toOrder !== undefined) {
    return state.shoe.toOrder === 'due'
      ? reject('not-due', [articles.closing], 'the decks have not been put in order')
      : reject('not-due', [articles.replacement], 'a deck is not regular');
  }
  const procedure = gameOf(state).shoe(state);
  if (procedure.deckCheck && !state.decksChecked) {
    return reject('not-due', [articles.deckCheck], 'the cards have not been shown');
  }
  emit(draft, {
    type: 'shoe-loaded',
    atMs: draft.atMs,
    shoeId: input.shoeId,
    decks: input.decks,
    startBurn: procedure.startBurn,
    // r.54 has a supervisor at every packet anyway.
    next:
      procedure.packets > 0 ? 'packets' : profileOf(state).supervisedShoe ? 'witness' : afterLoading(state),
  });
  for (const { device, fault } of [...state.faults])
    if (isShoe(device) && endsWithLoading(fault))
      emit(draft, { type: 'fault-cleared', atMs: draft.atMs, device, fault });
  releaseHold(draft, null);
  readyWithoutBurn(draft);
  return null;
}

const afterLoading = (state: TableState): 'cut' | 'burn' =>
  gameOf(state).shoe(state).cut === 'none' ? 'burn' : 'cut';

/** Of the house's own: until a supervisor has seen the cards in it, nothing leaves this shoe. */
export function witnessLoading(draft: Draft, { person }: InputOf<'witness-loading'>): Rejection | null {
  const { state, atMs } = draft;
  if (!state.dealer) return reject('no-dealer');
  if (state.shoe.stage !== 'witness') return reject('not-due');
  if (person.role !== 'supervisor') return reject('person', [], 'supervisor');
  emit(draft, { type: 'loading-witnessed', atMs, next: afterLoading(state), person });
  readyWithoutBurn(draft);
  return null;
}

/** Where nothing is burnt at the start, the shoe is ready once it is loaded, cut and closed. */
function readyWithoutBurn(draft: Draft): void {
  const { stage, startBurn } = draft.state.shoe;
  if (stage === 'burn' && startBurn === 0) emit(draft, { type: 'shoe-readied', atMs: draft.atMs });
}

/**
 * r.53, r.54: shown and mixed, the cards go into the shuffler in several packets, under the eyes of
 * a supervisor.
 */
export function loadPacket(draft: Draft, input: InputOf<'load-packet'>): Rejection | null {
  const { state, atMs } = draft;
  const { shoe } = state;
  const cites = [articlesOf(state).loading];
  if (!state.dealer) return reject('no-dealer');
  if (shoe.stage !== 'packets') return reject('not-due', cites);
  if (input.person.role !== 'supervisor') return reject('person', cites, 'supervisor');
  const no = shoe.packets + 1;
  const { packets } = gameOf(state).shoe(state);
  if (input.last && no < packets) return reject('not-allowed', cites, `at least ${packets} packets`);
  emit(draft, {
    type: 'packet-loaded',
    atMs,
    no,
    next: input.last ? 'burn' : 'packets',
    person: input.person,
  });
  readyWithoutBurn(draft);
  return null;
}

/** r.7: before the first shoe all cards are shown, spread by deck. */
export function checkDecks(draft: Draft, input: InputOf<'check-decks'>): Rejection | null {
  const { state, atMs } = draft;
  const cites = [articlesOf(state).deckCheck];
  if (!state.dealer) return reject('no-dealer');
  if (!gameOf(state).shoe(state).deckCheck) return reject('off', cites);
  if (state.decksChecked) return reject('nothing-to-do', cites, 'they have been shown');
  const { role } = input.person;
  if (role !== 'dealer' && role !== 'supervisor') return reject('person', cites, 'dealer or supervisor');
  emit(draft, { type: 'decks-checked', atMs, person: input.person });
  return null;
}

/**
 * r.8: whose turn it is to cut: after whoever cut last, in the order of the seats and round again,
 * at the start the lowest seat; whoever has refused is passed over. Null = nobody is left, the
 * supervisor cuts.
 */
export function cutTurn(state: TableState): number | null {
  const last = state.lastCutBy ?? 0;
  let lowest: number | null = null;
  for (const { seat } of state.seats) {
    if (!isTaken(state, seat) || state.shoe.cutRefused.includes(seat)) continue;
    if (seat > last) return seat;
    lowest ??= seat;
  }
  return lowest;
}

/**
 * r.8 with r.12: the game is interrupted when there are no players or when those at the table do
 * not bet; what comes after is a new beginning.
 */
export function restartCutOrder(draft: Draft, why: 'no-bets' | 'no-players'): void {
  const { state, atMs } = draft;
  if (state.lastCutBy === null || gameOf(state).shoe(state).cut !== 'in-turn') return;
  emit(draft, { type: 'cut-order-restarted', atMs, why });
}

export function refuseCut(draft: Draft, input: InputOf<'refuse-cut'>): Rejection | null {
  const { state, atMs } = draft;
  const refused = refuseRefusal(state, input.seat);
  if (refused) return refused;
  emit(draft, { type: 'cut-refused', atMs, seat: input.seat });
  return null;
}

/** Why this seat cannot decline to cut now. */
export function refuseRefusal(state: TableState, seat: number): Rejection | null {
  const cites = [articlesOf(state).cut];
  if (!state.dealer) return reject('no-dealer');
  if (gameOf(state).shoe(state).cut !== 'in-turn') return reject('off', cites);
  if (state.shoe.stage !== 'cut') return reject('not-due', cites);
  return cutTurn(state) === seat ? null : reject('not-your-turn', cites);
}

/**
 * art. 2.1.1: whoever wants to, or the bank; r.8: whose turn it is, or the supervisor where nobody
 * wants to.
 */
export function cutShoe(draft: Draft, input: InputOf<'cut-shoe'>): Rejection | null {
  const { state, atMs } = draft;
  const { seat, person = null } = input;
  const cites = [articlesOf(state).cut];
  if (!state.dealer) return reject('no-dealer');
  if (state.shoe.stage !== 'cut') return reject('not-due', cites);
  if (seat !== null && !state.seats[seat - 1]) return reject('unknown-seat');
  const { cut, endCard } = gameOf(state).shoe(state);
  if (cut === 'in-turn') {
    const turn = cutTurn(state);
    if (seat !== turn) {
      return seat === null
        ? reject('not-due', cites, `seat ${turn} has not refused`)
        : reject('not-your-turn', cites);
    }
    if (turn === null && person?.role !== 'supervisor') return reject('person', cites, 'supervisor');
  }
  // r.8: after a cut by the supervisor the order starts afresh.
  emit(draft, { type: 'shoe-cut', atMs, seat, next: endCard ? 'end-card' : 'burn', lastCutBy: seat, person });
  readyWithoutBurn(draft);
  return null;
}

export function placeEndCard(draft: Draft, input: InputOf<'place-end-card'>): Rejection | null {
  const { state } = draft;
  if (!state.dealer) return reject('no-dealer');
  const cites = [articlesOf(state).endCard];
  if (state.shoe.stage !== 'end-card') return reject('not-due', cites);
  const { least, most } = gameOf(state).shoe(state).endCard!;
  if (!Number.isInteger(input.cardsBehind) || input.cardsBehind < least || input.cardsBehind > most) {
    return reject('out-of-range', cites, `${least}..${most}`);
  }
  emit(draft, { type: 'end-card-placed', atMs: draft.atMs, cardsBehind: input.cardsBehind });
  readyWithoutBurn(draft);
  return null;
}

export function seeEndCard(draft: Draft): Rejection | null {
  const { state } = draft;
  const refused = refuseEndCard(state);
  if (refused) return refused;
  const lastRound = roundOfShoe(state) + gameOf(state).shoe(state).roundsAfterEnd;
  emit(draft, { type: 'end-card-seen', atMs: draft.atMs, lastRound });
  return null;
}

export function refuseEndCard(state: TableState): Rejection | null {
  const articles = articlesOf(state);
  if (gameOf(state).cardsBack(state) !== 'never') return reject('off', [articles.shuffler]);
  const { stage, endCardBehind, ended } = state.shoe;
  if ((stage !== 'ready' && stage !== 'burn') || endCardBehind === null) {
    return reject('not-due', [articles.cut], 'no second white card in the shoe');
  }
  return ended ? reject('not-due', [articles.endOfShoe], 'it is out already') : null;
}

/**
 * r.12: the game stops for want of players or bets, and what is left of the shoe is laid open.
 * r.55: a shuffler is emptied before a supervisor. Either way the next shoe is a new beginning: the
 * lowest seat cuts first.
 */
export function layOutCards(draft: Draft, input: InputOf<'lay-out-cards'>): Rejection | null {
  const { state, atMs } = draft;
  const refused = refuseLayingOut(state);
  if (refused) return refused;
  const isShuffler = gameOf(state).cardsBack(state) !== 'never';
  const isSupervised = isShuffler || profileOf(state).supervisedShoe === true;
  if (isSupervised && input.person.role !== 'supervisor') {
    return reject('person', isShuffler ? [articlesOf(state).closing] : [], 'supervisor');
  }
  const { decks, drawn, discarded } = state.shoe;
  const cardCount = decks * 52 - drawn;
  const toOrder = isShuffler ? ({ toOrder: true } as const) : {};
  const toCount = profileOf(state).countCards ? { toCount: { left: cardCount, discarded } } : {};
  emit(draft, { type: 'cards-laid-out', atMs, cardCount, ...toOrder, ...toCount, person: input.person });
  return null;
}

/**
 * r.7, r.55: every card of the decks is there: what was dealt and what is left make whole decks.
 * Both counts are entered without being told what they must be; where one is another, or a card is
 * missing or too many of the 52, a supervisor names it and signs, and no shoe is loaded before.
 */
export function countCards(draft: Draft, input: InputOf<'count-cards'>): Rejection | null {
  const { state, atMs } = draft;
  const { left, discarded, missing = [], extra = [], person } = input;
  const { toCount: due } = state.shoe;
  if (!state.dealer) return reject('no-dealer');
  if (due === undefined) return reject('not-due', [], 'only at the end of a shoe');
  for (const count of [left, discarded])
    if (!Number.isInteger(count) || count < 0 || count > MOST_CARDS) return reject('malformed', [], 'count');
  for (const card of [...missing, ...extra]) if (!isCard(card)) return reject('malformed', [], 'card');
  if (missing.some((card) => extra.includes(card)))
    return reject('malformed', [], 'a card is not missing and too many');
  const isAll =
    left === due.left && discarded === due.discarded && missing.length === 0 && extra.length === 0;
  if (!(isAll ? DEALERS : SUPERVISORS).includes(person.role))
    return reject('person', [], isAll ? 'dealer or supervisor' : 'not as many as must be: supervisor');
  // A card more or fewer than the decks have is one of the 52.
  const more = left + discarded - due.left - due.discarded;
  if (extra.length - missing.length !== more)
    return reject('unnamed-cards', [], `${Math.abs(more)} ${more < 0 ? 'missing' : 'too many'}`);
  emit(draft, {
    type: 'cards-counted',
    atMs,
    left,
    discarded,
    due,
    ...(missing.length > 0 ? { missing } : {}),
    ...(extra.length > 0 ? { extra } : {}),
    person,
  });
  return null;
}
/** More decks than twelve are in no shoe. */
const MOST_CARDS = 624;

/**
 * r.55: then the dealer puts the cards in order by deck, to see that every deck is regular. One
 * that is not is replaced before the next shoe.
 */
export function orderDecks(draft: Draft, input: InputOf<'order-decks'>): Rejection | null {
  const { state, atMs } = draft;
  const { regular, person } = input;
  const { closing } = articlesOf(state);
  if (closing === '') return reject('off');
  if (!state.dealer) return reject('no-dealer');
  if (state.shoe.toOrder !== 'due') return reject('not-due', [closing], 'only once they are taken out');
  if (person.role !== 'dealer' && person.role !== 'supervisor')
    return reject('person', [closing], 'dealer or supervisor');
  emit(draft, { type: 'decks-ordered', atMs, regular, person });
  return null;
}

export function refuseLayingOut(state: TableState): Rejection | null {
  const cites = [articlesOf(state).stop];
  if (cites[0] === '') return reject('off');
  if (!state.dealer) return reject('no-dealer');
  if (state.hold) return reject('held');
  if (state.round || state.shoe.stage === 'none')
    return reject('not-due', cites, 'only a shoe between rounds');
  return state.complaints.length > 0
    ? reject('not-allowed', [articlesOf(state).complaints], 'a complaint is open')
    : null;
}

/** art. 2.2.1: worn cards are replaced instead of shuffled again, when the shoe has ended. */
export function refuseReplacing(state: TableState): Rejection | null {
  const { replacement } = articlesOf(state);
  if (replacement === '') return reject('off');
  if (!state.dealer) return reject('no-dealer');
  const isBetweenShoes = state.phase === 'shoe' && state.shoe.stage === 'none';
  return isBetweenShoes || gameOf(state).shoe(state).replacesAnyTime
    ? null
    : reject('not-due', replacementCites(state), 'when the shoe has ended');
}

/** r.5 of any deck; r.51 of a card that comes damaged out of a shuffler. */
export function replacementCites(state: TableState): string[] {
  const { replacement, jam } = articlesOf(state);
  return isJamRegulated(state) ? [replacement, jam] : [replacement];
}

/**
 * r.5: all cards of a deck are replaced once one is not perfect, single ones where the house may;
 * r.51: in a shuffler at once, by a supervisor, and the inspection hears of it.
 */
export function replaceCards(draft: Draft, input: InputOf<'replace-cards'>): Rejection | null {
  const { state, atMs } = draft;
  const { what, card, person } = input;
  const refused = refuseReplacing(state);
  if (refused) return refused;
  const cites = replacementCites(state);
  if (person.role !== 'supervisor') return reject('person', cites, 'supervisor');
  const { mayReplaceOne } = gameOf(state).shoe(state);
  if (what === 'card' && !mayReplaceOne) return reject('off', cites, 'the whole deck is replaced');
  if (card !== undefined && (what === 'deck' || !isCard(card))) return reject('malformed', cites, 'card');
  const toReport = isJamRegulated(state) ? ({ toReport: true } as const) : {};
  const named = card === undefined ? {} : { card };
  emit(draft, { type: 'cards-replaced', atMs, what, ...named, ...toReport, person });
  return null;
}

/** r.51: whoever runs the room tells the inspection; the supervisor says that it is done. */
export function reportReplacement(draft: Draft, input: InputOf<'report-replacement'>): Rejection | null {
  const { state, atMs } = draft;
  const refused = refuseReporting(state);
  if (refused) return refused;
  const { person } = input;
  if (person.role !== 'supervisor') return reject('person', [articlesOf(state).jam], 'supervisor');
  emit(draft, { type: 'replacement-reported', atMs, count: state.toReport!, person });
  return null;
}

export function refuseReporting(state: TableState): Rejection | null {
  if (!isJamRegulated(state)) return reject('off');
  return state.toReport === undefined
    ? reject('nothing-to-do', [articlesOf(state).jam], 'no damaged card was replaced')
    : null;
}
