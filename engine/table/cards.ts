import { type Card, isCard } from '../core/cards.ts';
import { type Rejection, reject } from '../core/result.ts';
import { dueCard } from '../games/blackjack/due.ts';
import { afterCard, beginDeal, endInitialDeal } from '../games/blackjack/round.ts';
import { articlesOf, type Draft, emit, rulesOf } from './draft.ts';
import { roundSeat } from './evolve-round.ts';
import type { InputOf, Person } from './inputs.ts';
import type { TableState, WaitingCard } from './state.ts';
import type { Hold } from './steps.ts';

/** A device belongs to a kind by the start of its id: `shoe`, `shoe-1`, ... */
export const isShoe = (device: string): boolean => device.startsWith('shoe');

export const isShoeFaulty = (state: TableState): boolean =>
  state.faults.some((fault) => isShoe(fault.device));

/** Faults of the cards in the shoe or of the shoe's word on them: only cards made ready anew end them (art. 2.2.2). */
const ENDED_BY_LOADING: ReadonlySet<string> = new Set([
  'shoe-empty',
  'shoe-gap',
  'shoe-swapped',
  'shoe-not-authentic',
]);

export const endsWithLoading = (fault: string): boolean => ENDED_BY_LOADING.has(fault);

/**
 * Between rounds: the shoe cannot serve another one. Either a fault says so, or fewer cards are left than must at least lie
 * behind the second white card: it was missed, and no round may be dealt from what is left (art. 2.1.1, 2.2.1).
 */
export function needsNewShoe(state: TableState): boolean {
  const { shoe, profile, rules } = state;
  if (!profile || !rules || (state.phase !== 'shoe' && state.phase !== 'idle')) return false;
  if (state.faults.some(({ device, fault }) => isShoe(device) && endsWithLoading(fault))) return true;
  if (state.phase !== 'idle' || rules.cardSource === 'autoShuffler') return false;
  // One deck has no second white card: two cards for every seat and the bank, and two burns.
  const reserve = shoe.endCardBehind === null ? 2 * (profile.seatCount + 1) + 2 : rules.cutBehind;
  return shoe.decks * 52 - shoe.drawn < reserve;
}

/** The books do not agree: nothing moves until a person has cleared it. */
export const areBooksFaulty = (state: TableState): boolean =>
  state.faults.some((fault) => fault.device === 'books');

// ---- making the shoe ready (arts. 2, 4) ----

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
  emit(draft, {
    type: 'shoe-loaded',
    atMs: draft.atMs,
    shoeId: input.shoeId,
    decks: input.decks,
    startBurn: rules.burnAtStart === 'perDeck' ? input.decks : 1,
    next: rules.cardSource === 'autoShuffler' ? 'burn' : 'cut',
  });
  for (const { device, fault } of [...state.faults])
    if (isShoe(device) && endsWithLoading(fault))
      emit(draft, { type: 'fault-cleared', atMs: draft.atMs, device, fault });
  if (hold) releaseHold(draft, null);
  return null;
}

export function cutShoe(draft: Draft, input: InputOf<'cut-shoe'>): Rejection | null {
  const { state } = draft;
  if (!state.dealer) return reject('no-dealer');
  if (state.shoe.stage !== 'cut') return reject('not-due', [articlesOf(state).cut]);
  if (input.seat !== null && !state.seats[input.seat - 1]) return reject('unknown-seat');
  const next = state.shoe.decks > 1 ? 'end-card' : 'burn';
  emit(draft, { type: 'shoe-cut', atMs: draft.atMs, seat: input.seat, next });
  return null;
}

export function placeEndCard(draft: Draft, input: InputOf<'place-end-card'>): Rejection | null {
  const { state } = draft;
  if (!state.dealer) return reject('no-dealer');
  const cites = [articlesOf(state).cut];
  if (state.shoe.stage !== 'end-card') return reject('not-due', cites);
  const { cutBehind } = rulesOf(state);
  const most = state.shoe.decks * 52 - 1;
  if (!Number.isInteger(input.cardsBehind) || input.cardsBehind < cutBehind || input.cardsBehind > most) {
    return reject('out-of-range', cites, `${cutBehind}..${most}`);
  }
  emit(draft, { type: 'end-card-placed', atMs: draft.atMs, cardsBehind: input.cardsBehind });
  return null;
}

export function seeEndCard(draft: Draft): Rejection | null {
  const { state } = draft;
  const refused = refuseEndCard(state);
  if (refused) return refused;
  emit(draft, { type: 'end-card-seen', atMs: draft.atMs });
  return null;
}

export function refuseEndCard(state: TableState): Rejection | null {
  const articles = articlesOf(state);
  if (rulesOf(state).cardSource === 'autoShuffler') return reject('off', [articles.shuffler]);
  const { stage, endCardBehind, ended } = state.shoe;
  if ((stage !== 'ready' && stage !== 'burn') || endCardBehind === null) {
    return reject('not-due', [articles.cut], 'no second white card in the shoe');
  }
  return ended ? reject('not-due', [articles.endOfShoe], 'it is out already') : null;
}

// ---- a card has left the shoe ----

/** Takes the card to where it is due, or keeps it waiting with a hold; a number already seen changes nothing. */
export function drawCard(draft: Draft, input: InputOf<'draw-card'>): Rejection | null {
  const { state } = draft;
  const { shoe } = state;
  if (input.card !== null && !isCard(input.card)) return reject('malformed', [], 'card');
  if (input.drawNo !== null && !Number.isSafeInteger(input.drawNo)) return reject('malformed', [], 'drawNo');
  if (shoe.stage !== 'burn' && shoe.stage !== 'ready') {
    return reject('not-due', [articlesOf(state).cut], 'the shoe is not ready');
  }
  const { drawNo } = input;
  const last = shoe.lastDrawNo;
  if (drawNo !== null && last !== null && drawNo <= last) return reject('duplicate');
  const minConfidence = state.profile?.timing.minConfidence ?? 0;
  const { card, confidence } = input;
  const isDoubtful = card !== null && (confidence < minConfidence || isImpossible(state, card));
  const drawn: WaitingCard = {
    drawNo,
    card,
    confidence,
    faceUp: input.faceUp ?? false,
    why: card === null ? 'gap' : isDoubtful ? 'doubtful' : 'known',
  };
  const missing: WaitingCard[] = [];
  if (drawNo !== null && last !== null) {
    for (let no = last + 1; no < drawNo; no++) {
      missing.push({ drawNo: no, card: null, confidence: 0, faceUp: false, why: 'gap' });
    }
  }
  // In service nothing is played: the card lies on the layout and finds its place when the table is back.
  const standsStill = state.hold !== null || state.service !== null;
  const isPlain = missing.length === 0 && shoe.waiting.length === 0 && drawn.why === 'known' && !standsStill;
  if (isPlain && card !== null && dueCard(state)) {
    place(draft, drawn, card, false, null);
    drainWaiting(draft);
    return null;
  }
  emit(draft, {
    type: 'cards-waiting',
    atMs: draft.atMs,
    waiting: [...shoe.waiting, ...missing, drawn],
    drawnNow: missing.length + 1,
    lastDrawNo: drawNo,
  });
  if (!standsStill) drainWaiting(draft);
  return null;
}

/** No card can come more often than there are decks. */
const isImpossible = (state: TableState, card: Card): boolean => state.shoe.counts[card]! >= state.shoe.decks;

/** Puts a card where it is due. The caller has made sure that one is due. */
function place(draft: Draft, from: WaitingCard, card: Card, waited: boolean, person: Person | null): void {
  const { state, atMs } = draft;
  const due = dueCard(state)!;
  const articles = articlesOf(state);
  const drawn = { atMs, card, drawNo: from.drawNo, confidence: from.confidence, waited };
  const { shoe } = state;
  const isFirst = shoe.rounds === 0 && shoe.drawn === (waited ? shoe.waiting.length : 0);
  if (state.phase === 'dealing' && state.round && !state.round.dealt) beginDeal(draft);
  if (from.faceUp && !(isFirst && rulesOf(state).exposedFirstCardValid)) {
    emit(draft, { type: 'card-burned', ...drawn, why: 'exposed', person, cites: [articles.exposed] });
    return;
  }
  switch (due.to) {
    case 'burn': {
      const cites = [due.why === 'start' ? articles.burnAtStart : articles.burnEachRound];
      emit(draft, { type: 'card-burned', ...drawn, why: due.why, person, cites });
      if (due.why === 'start' && shoe.startBurned >= shoe.startBurn) {
        emit(draft, { type: 'shoe-readied', atMs });
      }
      break;
    }
    case 'seat':
      emit(draft, {
        type: 'card-dealt',
        ...drawn,
        seat: due.seat,
        hand: due.hand,
        additional: due.additional,
      });
      afterCard(draft);
      break;
    case 'bank':
      emit(draft, { type: 'bank-card-dealt', ...drawn });
      afterCard(draft);
      break;
  }
}

/** Places waiting cards as long as they are known and due; what stops at one that is not, holds the table. */
export function drainWaiting(draft: Draft): void {
  const { state } = draft;
  for (;;) {
    const head = state.shoe.waiting[0];
    if (!head || state.hold) return;
    if (head.card !== null && head.why !== 'doubtful' && dueCard(state)) {
      place(draft, head, head.card, true, null);
    } else if (head.why === 'kept') {
      return;
    } else {
      const code = head.card === null ? 'card-gap' : dueCard(state) ? 'doubtful-card' : 'unexpected-card';
      holdTable(draft, code, head.card, head.drawNo, null);
      return;
    }
  }
}

// ---- holds ----

export function holdTable(
  draft: Draft,
  code: Hold['code'],
  card: Card | null,
  drawNo: number | null,
  detail: string | null,
): void {
  const hold: Hold = { code, sinceMs: draft.atMs, card, drawNo, detail };
  emit(draft, { type: 'table-held', atMs: draft.atMs, hold });
}

export const isRoundOpen = (state: TableState): boolean => state.round !== null && state.round.lines === null;

/** Releases the hold; where another reason to stand still remains, the table is held by that one. */
export function releaseHold(draft: Draft, person: Person | null): void {
  const { state } = draft;
  if (!state.hold) return;
  const { code } = state.hold;
  emit(draft, { type: 'hold-released', atMs: draft.atMs, code, person, fullTime: code === 'recovery' });
  if (areBooksFaulty(state)) holdTable(draft, 'books', null, null, null);
  else if (isShoeFaulty(state) && isRoundOpen(state)) {
    const standing = state.faults.find(({ device }) => isShoe(device));
    holdTable(draft, 'shoe-fault', null, null, standing?.fault ?? null);
  } else drainWaiting(draft);
}

// ---- the dealer's word on a card ----

/** The face of a doubtful or missing card, as a person saw it on the layout. */
export function confirmCard(draft: Draft, input: InputOf<'confirm-card'>): Rejection | null {
  const { state } = draft;
  const head = state.shoe.waiting[0];
  const code = state.hold?.code;
  if (!head || (code !== 'doubtful-card' && code !== 'card-gap')) return reject('not-due');
  if (!isCard(input.card)) return reject('malformed', [], 'card');
  if (input.drawNo !== null && head.drawNo !== null && input.drawNo !== head.drawNo) {
    return reject('not-due', [], `card ${head.drawNo} comes first`);
  }
  if (isImpossible(state, input.card)) return reject('not-allowed', [], 'more of this card than decks');
  emit(draft, {
    type: 'card-confirmed',
    atMs: draft.atMs,
    drawNo: head.drawNo,
    read: head.card,
    card: input.card,
    person: input.person,
  });
  releaseHold(draft, input.person);
  return null;
}

/** arts. 5.1.1, 6.1: a card that came when none was due is invalid and is taken out. */
export function setCardAside(draft: Draft, input: InputOf<'set-card-aside'>): Rejection | null {
  const refused = refuseUnexpected(draft.state);
  if (refused) return refused;
  burnHead(draft, 'set-aside', input.person, articlesOf(draft.state).exposed);
  releaseHold(draft, input.person);
  return null;
}

function refuseUnexpected(state: TableState): Rejection | null {
  const head = state.shoe.waiting[0];
  return state.hold?.code === 'unexpected-card' && head?.card !== null && head !== undefined
    ? null
    : reject('not-due', [], 'no unexpected card');
}

function burnHead(
  draft: Draft,
  why: 'set-aside' | 'wrong-bank-card',
  person: Person | null,
  cite: string,
): void {
  const head = draft.state.shoe.waiting[0]!;
  emit(draft, {
    type: 'card-burned',
    atMs: draft.atMs,
    card: head.card!,
    drawNo: head.drawNo,
    confidence: head.confidence,
    waited: true,
    why,
    person,
    cites: [cite],
  });
}

/** art. 6.1: the bank drew a card it must not draw, after it had stood. */
export function drawWrong(draft: Draft, input: InputOf<'draw-wrong'>): Rejection | null {
  const { state } = draft;
  const refused = refuseDrawWrong(state);
  if (refused) return refused;
  if (input.shown || rulesOf(state).wrongDealerCard === 'void') {
    burnHead(draft, 'wrong-bank-card', null, articlesOf(state).bankDraws);
  } else {
    const [head, ...others] = state.shoe.waiting;
    emit(draft, {
      type: 'cards-waiting',
      atMs: draft.atMs,
      waiting: [{ ...head!, why: 'kept' }, ...others],
      drawnNow: 0,
      lastDrawNo: state.shoe.lastDrawNo,
    });
  }
  releaseHold(draft, null);
  return null;
}

export function refuseDrawWrong(state: TableState): Rejection | null {
  const refused = refuseUnexpected(state);
  if (refused) return refused;
  const { round } = state;
  const hasBankStood = round !== null && !round.voided && round.bank.length > 1 && state.phase !== 'bank';
  return hasBankStood ? null : reject('not-allowed', [articlesOf(state).bankDraws], 'the bank has not stood');
}

/** art. 5.1.2: first cards dealt to the wrong seats are given to whom they were due. */
export function assignCard(draft: Draft, input: InputOf<'assign-card'>): Rejection | null {
  const { state } = draft;
  const refused = refuseAssign(state, input.fromSeat, input.toSeat);
  if (refused) return refused;
  const { fromSeat, toSeat, person } = input;
  emit(draft, { type: 'cards-swapped', atMs: draft.atMs, fromSeat, toSeat, person });
  if (state.phase !== 'dealing') endInitialDeal(draft);
  return null;
}

export function refuseAssign(state: TableState, fromSeat: number, toSeat: number): Rejection | null {
  const { round } = state;
  const cites = [articlesOf(state).misdeal];
  const from = round && roundSeat(round, fromSeat);
  const to = round && roundSeat(round, toSeat);
  if (!round || !from || !to || from === to) return reject('not-allowed', cites, 'no such cards');
  const isBeforeTurns = state.phase === 'dealing' || state.phase === 'offers' || state.phase === 'turns';
  const isUntouched = [from, to].every(
    ({ hands, bettors }) =>
      hands.length === 1 &&
      (hands[0]!.status === 'open' || hands[0]!.status === 'blackjack') &&
      !hands[0]!.called &&
      !bettors.some((bettor) => bettor.evenMoney),
  );
  if (!isBeforeTurns || round.additional > 0 || !isUntouched) return reject('too-late', cites);
  return from.hands[0]!.cards.length === to.hands[0]!.cards.length
    ? null
    : reject('not-allowed', cites, 'not the same number of cards');
}
