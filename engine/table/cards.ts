import { type Card, isCard, rankOf } from '../core/cards.ts';
import { type Rejection, reject } from '../core/result.ts';
import { articlesOf, type Draft, profileOf } from './draft.ts';
import { dueCard, isDueFaceDown } from './due.ts';
import type { EventOf } from './events.ts';
import type { FromShoe } from './events-shoe.ts';
import type { Due } from './game.ts';
import type { InputOf, Person } from './inputs.ts';
import { emit } from './lane.ts';
import { gameOf } from './registry.ts';
import type { Fault, TableState, WaitingCard } from './state.ts';
import type { Hold } from './steps.ts';
import { stopOf } from './stops.ts';

/** A device belongs to a kind by the start of its id: `shoe`, `shoe-1`, ... */
export const isShoe = (device: string): boolean => device.startsWith('shoe');

/** A fault of the shoe stands, or a jammed shuffler has not been opened yet (r.51). */
export const isShoeFaulty = (state: TableState): boolean =>
  state.shoe.jam !== null || state.faults.some(({ device }) => isShoe(device));

/**
 * Faults of the cards in the shoe or of the shoe's word on them: only cards made ready again end
 * them (art. 2.2.2).
 */
const ENDED_BY_LOADING: ReadonlySet<string> = new Set([
  'shoe-empty',
  'shoe-gap',
  'shoe-swapped',
  'shoe-not-authentic',
]);

export const endsWithLoading = (fault: string): boolean => ENDED_BY_LOADING.has(fault);

const isEndedByNewShoe = ({ device, fault }: Fault): boolean => isShoe(device) && endsWithLoading(fault);

/**
 * Between rounds: the shoe cannot serve another one. Either a fault says so, or fewer cards are
 * left than must at least lie behind the second white card: it was missed, and no round may be
 * dealt from what is left (art. 2.1.1, 2.2.1). Or a card has come that these decks cannot have.
 */
export function needsNewShoe(state: TableState): boolean {
  const { shoe, phase, faults } = state;
  if (phase !== 'shoe' && phase !== 'idle') return false;
  if (faults.some(isEndedByNewShoe) || shoe.suspect) return true;
  if (phase !== 'idle') return false;
  const game = gameOf(state);
  return game.cardsBack(state) === 'never' && shoe.decks * 52 - shoe.drawn < game.reserve(state);
}

/** The books do not agree: nothing moves until a person has cleared it. */
export const areBooksFaulty = (state: TableState): boolean =>
  state.faults.some((fault) => fault.device === 'books');

/** No money moves. */
export const isHeldByBooks = (state: TableState): boolean =>
  state.hold?.code === 'books' || areBooksFaulty(state);

// ---- a card has left the shoe ----

/**
 * Takes the card to where it is due, or keeps it waiting with a hold; a number already seen changes
 * nothing.
 */
export function drawCard(draft: Draft, drawn: InputOf<'draw-card'>): Rejection | null {
  const { state } = draft;
  const { shoe } = state;
  const input = shoe.nextFaceUp ? { ...drawn, faceUp: true } : drawn;
  const { card, confidence, drawNo } = input;
  if (card !== null && !isCard(card)) return reject('malformed', [], 'card');
  if (drawNo !== null && !Number.isSafeInteger(drawNo)) return reject('malformed', [], 'drawNo');
  if (shoe.stage !== 'ready' && shoe.stage !== 'burn') {
    return reject('not-due', [articlesOf(state).cut], 'the shoe is not ready');
  }
  const last = shoe.lastDrawNo;
  if (drawNo !== null && last !== null && drawNo <= last) return reject('duplicate');
  const missing = drawNo === null || last === null ? 0 : drawNo - last - 1;
  const why = card === null ? 'gap' : isInDoubt(state, card, confidence) ? 'doubtful' : 'known';
  // In service nothing is played: the card lies on the layout and finds its place when the table is
  // back.
  const standsStill = state.hold !== null || state.service !== null;
  const isPlain = why === 'known' && missing === 0 && shoe.waiting.length === 0 && !standsStill;
  const due = isPlain ? dueCard(state) : null;
  if (due !== null && !isPaying(state, due, input, card!)) {
    place(draft, due, input, card!, false);
    return null;
  }
  keepWaiting(draft, input, why, missing);
  suspectShoe(draft, card, drawNo);
  if (!standsStill) drainWaiting(draft);
  return null;
}

/** Keeps a card that has no place yet behind those whose numbers are missing before it. */
function keepWaiting(
  draft: Draft,
  { drawNo, card, confidence, faceUp = false }: InputOf<'draw-card'>,
  why: WaitingCard['why'],
  missing: number,
): void {
  const gap = Array.from(
    { length: missing },
    (_, i): WaitingCard => ({
      drawNo: drawNo! - missing + i,
      card: null,
      confidence: 0,
      faceUp: false,
      why: 'gap',
    }),
  );
  emit(draft, {
    type: 'cards-waiting',
    atMs: draft.atMs,
    waiting: [...draft.state.shoe.waiting, ...gap, { drawNo, card, confidence, faceUp, why }],
    drawnNow: missing + 1,
    lastDrawNo: drawNo,
  });
}

/**
 * Whether the house has the dealer confirm this card, since money is paid with it: the round is
 * over at once, or a credit grows. Its place is tried on a copy.
 */
function isPaying(state: TableState, due: Due, from: Drawn, card: Card): boolean {
  if (profileOf(state).payingCardConfirmed !== true || state.round === null || isDueFaceDown(due))
    return false;
  // A state is plain JSON.
  const tried = JSON.parse(JSON.stringify(state)) as TableState;
  place({ state: tried, atMs: 0, events: [], effects: [] }, due, from, card, false);
  return (
    (tried.round?.lines ?? null) !== null ||
    tried.seats.some(({ creditMinor }, index) => creditMinor > state.seats[index]!.creditMinor)
  );
}

const isInDoubt = (state: TableState, card: Card, confidence: number): boolean =>
  confidence < profileOf(state).timing.minConfidence || isImpossible(state, card);

/** No card can come more often than there are decks. */
const isImpossible = (state: TableState, card: Card): boolean => state.shoe.counts[card]! >= state.shoe.decks;

/** A card has come that these decks cannot have: they deal no further round. */
function suspectShoe(draft: Draft, card: Card | null, drawNo: number | null): void {
  const { state, atMs } = draft;
  if (card === null || !isImpossible(state, card) || state.shoe.suspect) return;
  emit(draft, { type: 'shoe-suspected', atMs, drawNo });
}

/** What the shoe says of a card, beside its face. */
type Drawn = Pick<InputOf<'draw-card'>, 'drawNo' | 'confidence' | 'faceUp'>;

/** Puts a card where it is due. The caller has made sure that one is due. */
function place(draft: Draft, due: Due, from: Drawn, card: Card, waited: boolean): void {
  const { state, atMs } = draft;
  const game = gameOf(state);
  const { shoe } = state;
  const isOpen = from.faceUp === true;
  // Looked at before the deal begins: then its round counts.
  const isFirst = shoe.rounds === 0 && shoe.drawn === shoe.waiting.length;
  if (state.round?.dealt === false) game.beginDeal(draft);
  const { drawNo, confidence } = from;
  const drawn: FromShoe = { card, drawNo, confidence, waited };
  if (isOpen && !game.isExposedValid(state, isFirst)) {
    emit(draft, {
      type: 'card-burned',
      atMs,
      ...drawn,
      why: 'exposed',
      person: null,
      cites: [articlesOf(state).exposed],
    });
    return;
  }
  switch (due.to) {
    case 'seat': {
      const { seat, hand, additional } = due;
      const dealt: EventOf<'card-dealt'> = {
        type: 'card-dealt',
        atMs,
        card,
        drawNo,
        confidence,
        waited,
        seat,
        hand,
        additional,
      };
      emit(draft, due.faceDown ? { ...dealt, faceDown: true } : dealt);
      break;
    }
    case 'side':
      game.dealToSide?.(draft, drawn, due.side);
      break;
    case 'bank':
      emit(draft, {
        type: 'bank-card-dealt',
        atMs,
        card,
        drawNo,
        confidence,
        waited,
        faceDown: due.faceDown === true,
      });
      break;
    case 'burn': {
      const { why } = due;
      const articles = articlesOf(state);
      const cites = [why === 'start' ? articles.burnAtStart : articles.burnEachRound];
      // The face of the first one may count; one that waited was read out, and may have been
      // confirmed.
      const isRead = shoe.startBurned === 0 && game.shoe(state).burnByFace !== null;
      const unseen = isRead || waited || isOpen ? {} : { unseen: true as const };
      emit(draft, { ...drawn, type: 'card-burned', atMs, why, person: null, cites, ...unseen });
      if (why === 'start') afterStartBurn(draft, card);
      return;
    }
  }
  game.afterCard(draft);
}

/** The face of the first burnt card, ace one and figures ten, may say how many are burnt. */
function afterStartBurn(draft: Draft, card: Card): void {
  const { state, atMs } = draft;
  const { shoe } = state;
  const { burnByFace } = gameOf(state).shoe(state);
  if (burnByFace !== null && shoe.startBurned === 1) {
    const face = Math.min(rankOf(card) + 1, 10);
    emit(draft, { type: 'start-burn-counted', atMs, count: burnByFace === 'included' ? face : face + 1 });
  }
  if (shoe.startBurned >= shoe.startBurn) emit(draft, { type: 'shoe-readied', atMs });
}

/** r.18: a card drawn by mistake and kept goes to the first who is due one. */
export function placeKept(draft: Draft): null {
  drainWaiting(draft);
  return null;
}

/**
 * Places waiting cards as long as they are known and due; what stops at one that is not, holds the
 * table.
 */
export function drainWaiting(draft: Draft, isConfirmed = false): void {
  const { state } = draft;
  // The dealer has just said of the first one what it is.
  for (let isSure = isConfirmed; ; isSure = false) {
    const head = state.shoe.waiting[0];
    if (!head || state.hold) return;
    const due = dueCard(state);
    // A card that is kept was never confirmed: now its face begins to count. One that waited may
    // have come once too often by now.
    const isDoubtful =
      head.why === 'doubtful' || (head.card !== null && isInDoubt(state, head.card, head.confidence));
    const isUnsaid = !isSure && head.card !== null && due !== null && isPaying(state, due, head, head.card);
    const isHeld = isDoubtful || isUnsaid;
    if (head.card !== null && !isHeld && due) {
      place(draft, due, head, head.card, true);
    } else if (head.why === 'kept' && !due) {
      return;
    } else {
      const code = head.card === null ? 'card-gap' : due ? 'doubtful-card' : 'unexpected-card';
      // Even a doubtful reading of a card that is to lie face down would tell the table what it is;
      // so would one of a card that nobody has seen and that is kept for the next hand.
      const isFaceDown =
        due === null
          ? head.card !== null && gameOf(state).wrongCard(state, head.card, false) === 'kept'
          : isDueFaceDown(due);
      const shown = isFaceDown ? null : head.card;
      suspectShoe(draft, head.card, head.drawNo);
      holdTable(draft, code, shown, head.drawNo, null);
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

/**
 * Releases the hold; where another reason to stand still remains, the table is held by that one.
 */
export function releaseHold(draft: Draft, person: Person | null, isConfirmed = false): void {
  const { state } = draft;
  if (!state.hold) return;
  const { code } = state.hold;
  emit(draft, { type: 'hold-released', atMs: draft.atMs, code, person, fullTime: code === 'recovery' });
  if (areBooksFaulty(state)) holdTable(draft, 'books', null, null, null);
  else if (isShoeFaulty(state) && isRoundOpen(state)) {
    const standing = state.faults.find(({ device }) => isShoe(device));
    holdTable(draft, 'shoe-fault', null, null, standing?.fault ?? null);
  } else if (stopOf(state) !== null && isRoundOpen(state)) {
    holdTable(draft, 'machine-fault', null, null, stopOf(state)!.fault);
  } else if (state.unread) holdTable(draft, 'unread', null, null, state.unread.why);
  else drainWaiting(draft, isConfirmed);
}

// ---- the dealer's word on a card ----

/**
 * The doubtful face that the dealer may confirm. None for a card that was not read or shows no
 * face, nor for one that has come once for each deck: a supervisor names another, or cancels the
 * round.
 */
export function readCard(state: TableState): Card | null {
  const card = state.hold?.card ?? null;
  return card === null || isImpossible(state, card) ? null : card;
}

/** The face of a doubtful or missing card, as a person saw it on the layout. */
export function confirmCard(draft: Draft, input: InputOf<'confirm-card'>): Rejection | null {
  const { state } = draft;
  const head = state.shoe.waiting[0]!;
  const code = state.hold?.code;
  if (code !== 'doubtful-card' && code !== 'card-gap') return reject('not-due');
  if (!isCard(input.card)) return reject('malformed', [], 'card');
  if (input.drawNo !== null && head.drawNo !== null && input.drawNo !== head.drawNo) {
    return reject('not-due', [], `card ${head.drawNo} comes first`);
  }
  if (isImpossible(state, input.card)) return reject('not-allowed', [], 'more of this card than decks');
  const { second, reason, words } = input;
  if (second?.id === input.person.id) return reject('person', [], 'two different persons');
  if (reason === 'other' && !words) return reject('malformed', [], 'words: a reason in words');
  emit(draft, {
    type: 'card-confirmed',
    atMs: draft.atMs,
    drawNo: head.drawNo,
    read: head.card,
    card: input.card,
    person: input.person,
    ...(second === undefined ? {} : { second }),
    ...(reason === undefined ? {} : { reason }),
    ...(words ? { words } : {}),
  });
  releaseHold(draft, input.person, true);
  return null;
}

/**
 * The card for which the table is held may be held before the shoe's reader once more: the one that
 * left it last, lying open on the layout. What lies face down nobody turns for that.
 */
export function refuseReadAgain(state: TableState): Rejection | null {
  const { hold, shoe } = state;
  if (hold?.code !== 'doubtful-card' && hold?.code !== 'card-gap')
    return reject('not-due', [], 'no card is in doubt');
  if (shoe.waiting.length !== 1) return reject('not-allowed', [], 'more than one card waits');
  const due = dueCard(state);
  const isDown = due !== null && isDueFaceDown(due);
  return isDown ? reject('not-allowed', [], 'the card lies face down') : null;
}

/** The second reading takes the place of the first, and is confirmed by the dealer as that was. */
export function readCardAgain(draft: Draft, input: InputOf<'read-card-again'>): Rejection | null {
  const { state, atMs } = draft;
  const refused = refuseReadAgain(state);
  if (refused) return refused;
  const { card, confidence, shoeSeq, person } = input;
  if (card !== null && !isCard(card)) return reject('malformed', [], 'card');
  const { drawNo, card: read } = state.shoe.waiting[0]!;
  emit(draft, { type: 'card-read-again', atMs, drawNo, shoeSeq, read, card, confidence, person });
  suspectShoe(draft, card, drawNo);
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

/**
 * art. 5.1.1: no shoe tells which way up a card lies; the dealer sees it before drawing and says
 * so.
 */
export function announceFaceUp(draft: Draft, input: InputOf<'announce-face-up'>): Rejection | null {
  const refused = refuseFaceUp(draft.state, input.faceUp);
  if (refused) return refused;
  const { faceUp, person } = input;
  emit(draft, { type: 'face-up-announced', atMs: draft.atMs, faceUp, person });
  return null;
}

export function refuseFaceUp(state: TableState, faceUp: boolean): Rejection | null {
  const { hold, shoe } = state;
  const isDue = shoe.stage === 'ready' && hold === null && dueCard(state) !== null;
  return isDue && faceUp === (shoe.nextFaceUp === undefined)
    ? null
    : reject('not-due', [articlesOf(state).exposed]);
}

function refuseUnexpected(state: TableState): Rejection | null {
  return state.hold?.code === 'unexpected-card' ? null : reject('not-due', [], 'no unexpected card');
}

/** The card that waits longest goes to the discard. */
export function burnHead(
  draft: Draft,
  why: 'set-aside' | 'misdrawn' | 'wrong-bank-card',
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
  const refused = refuseWrongCard(state);
  if (refused) return refused;
  const [head, ...others] = state.shoe.waiting;
  if (gameOf(state).wrongCard(state, head!.card!, input.shown) === 'void') {
    burnHead(draft, 'wrong-bank-card', null, articlesOf(state).bankDraws);
  } else {
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

export function refuseWrongCard(state: TableState): Rejection | null {
  const { round, hold } = state;
  const { bankDraws } = articlesOf(state);
  if (hold?.code !== 'unexpected-card' && hold?.code !== 'doubtful-card') {
    return reject('not-due', [], 'no unexpected card');
  }
  const card = state.shoe.waiting[0]!.card!;
  if (round === null || round.voided || gameOf(state).wrongCard(state, card, true) === null) {
    return reject('not-allowed', [bankDraws], 'no card the bank drew when it must not');
  }
  return null;
}
