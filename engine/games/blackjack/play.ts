import { type Rejection, reject } from '../../core/result.ts';
import { type Draft, profileOf, refuseLate } from '../../table/draft.ts';
import type { InputOf } from '../../table/inputs.ts';
import { emit } from '../../table/lane.ts';
import { type Asked, askedOf, doubleModality, mayResplit, mustDraw, raisesOf, refusalOf } from './acts.ts';
import { isAce } from './hand.ts';
import { afterAnswer, nextTurn, offerFollowing } from './round.ts';
import { articlesOf } from './rules.ts';
import { answerPairOffer, offerPairBets } from './side-bets.ts';

/**
 * A decision of a seat: refused with its reason, or turned into events and whatever follows from
 * them.
 */
export function playAct(draft: Draft, input: InputOf<'decide'>): Rejection | null {
  const { state } = draft;
  const { round } = state;
  if (round === null || round.id !== input.roundId) return reject('unknown-round');
  if (round.lines !== null) return refuseAfterRound(draft, input);
  if (state.hold !== null) return reject('held');
  if (state.phase === 'betting' || state.phase === 'dealing') return reject('not-due', [], 'cards first');
  const amountMinor = input.amountMinor ?? null;
  if (amountMinor !== null && (!Number.isSafeInteger(amountMinor) || amountMinor <= 0)) {
    return reject('malformed', [], 'amountMinor');
  }
  if (input.act === 'betPair' || (input.act === 'playOn' && round.offers?.kind === 'any-pair')) {
    const refused = answerPairOffer(draft, input);
    if (!refused) afterAnswer(draft);
    return refused;
  }
  const asked = askedOf(state, round, input.seat, input.by, input.hand, amountMinor);
  if ('ok' in asked) return asked;
  const refused = refusalOf(input.act, asked);
  if (refused !== null) return refused;
  const { deadline } = state;
  const isOwnDeadline = deadline !== null && (deadline.seat === null || deadline.seat === input.seat);
  const late = isOwnDeadline ? refuseLate(input, deadline.atMs, [asked.articles.turns]) : null;
  if (late !== null) return late;
  carryOut(draft, input, asked);
  return null;
}

/** A hand the articles had closed says so; any other is closed by the end of the round. */
function refuseAfterRound({ state }: Draft, { seat, hand }: InputOf<'decide'>): Rejection {
  const { voided, seats } = state.round!;
  const played = seats.find((candidate) => candidate.seat === seat)?.hands[hand];
  const isClosed = played !== undefined && played.status !== 'open' && played.status !== 'stood';
  return isClosed && !voided
    ? reject('not-allowed', [articlesOf(state).hitRefused], `hand is ${played.status}`)
    : reject('round-over');
}

function carryOut(draft: Draft, input: InputOf<'decide'>, asked: Asked): void {
  const { atMs } = draft;
  const { seat: seatNo, by, hand: handNo } = input;
  const isDecision = input.act === 'hit' || input.act === 'stand' || input.act === 'double';
  if (isDecision && mayResplit(asked)) emit(draft, { type: 'resplit-declined', atMs, seat: seatNo });
  switch (input.act) {
    case 'hit':
      emit(draft, { type: 'hit-called', atMs, seat: seatNo, hand: handNo, by, byDefault: false });
      break;
    case 'stand':
      emit(draft, { type: 'hand-stood', atMs, seat: seatNo, hand: handNo, by, byDefault: false });
      nextTurn(draft);
      break;
    case 'double':
      emit(draft, {
        type: 'hand-doubled',
        atMs,
        seat: seatNo,
        hand: handNo,
        by,
        modality: doubleModality(asked.rules, asked.hand)!,
        aceLocked: (asked.rules.aceLock ?? false) && asked.hand.cards.some(isAce),
        currency: profileOf(draft.state).currency,
        raises: raisesOf(asked),
      });
      offerFollowing(draft, 'follow-double');
      break;
    case 'split':
      emit(draft, {
        type: 'hand-split',
        atMs,
        seat: seatNo,
        hand: handNo,
        by,
        aces: isAce(asked.hand.cards[0]!),
        currency: profileOf(draft.state).currency,
        raises: raisesOf(asked),
      });
      offerFollowing(draft, 'follow-split');
      offerPairBets(draft);
      break;
    case 'fiveCardHalf':
      emit(draft, { type: 'five-card-half-taken', atMs, seat: seatNo, hand: handNo, by });
      nextTurn(draft);
      break;
    default:
      answerOffer(draft, input, asked);
  }
}

/** What the table or another bettor of the seat has offered is taken or passed. */
function answerOffer(draft: Draft, input: InputOf<'decide'>, asked: Asked): void {
  const { atMs } = draft;
  const { seat: seatNo, by } = input;
  switch (input.act) {
    case 'insure':
      emit(draft, {
        type: 'insurance-laid',
        atMs,
        seat: seatNo,
        by,
        byDefault: false,
        currency: profileOf(draft.state).currency,
        amountMinor: asked.amountMinor!,
        ...stillAsked(asked),
      });
      afterOffer(draft);
      break;
    case 'declineInsurance':
      emit(draft, {
        type: 'insurance-declined',
        atMs,
        seat: seatNo,
        by,
        byDefault: false,
        ...stillAsked(asked),
      });
      afterOffer(draft);
      break;
    case 'evenMoney':
      emit(draft, {
        type: 'even-money-taken',
        atMs,
        seat: seatNo,
        by,
        byDefault: false,
        bound: boundTo(asked),
      });
      afterOffer(draft);
      break;
    case 'loseOriginalOnly':
      emit(draft, { type: 'original-only-taken', atMs, seat: seatNo, by, byDefault: false });
      afterOffer(draft);
      break;
    case 'playOn':
      emit(draft, { type: 'offer-passed', atMs, seat: seatNo, by, byDefault: false });
      afterOffer(draft);
      break;
    case 'surrender': {
      const wasTurn = draft.state.round?.turn?.seat === seatNo;
      emit(draft, { type: 'hand-surrendered', atMs, seat: seatNo, by, byDefault: false });
      if (wasTurn) nextTurn(draft);
      else afterOffer(draft);
      break;
    }
    case 'followSplit':
    case 'followDouble':
      emit(draft, {
        type: 'raise-followed',
        atMs,
        seat: seatNo,
        by,
        byDefault: false,
        kind: input.act === 'followSplit' ? 'split' : 'double',
        hand: draft.state.round!.turn!.hand,
        currency: profileOf(draft.state).currency,
        amountMinor: asked.bettor.originalMinor,
      });
      afterAnswer(draft);
      break;
    default:
      throw new Error(`${input.act} is answered elsewhere`);
  }
}

/** r.15: even money binds the bets behind, as every decision of the holder. */
const boundTo = ({ rules, seat, by }: Asked): number[] =>
  rules.boundByHolder ? seat.bettors.map((bettor) => bettor.by).filter((bettor) => bettor !== by) : [];

/** arts. 10.3, 12.1; r.33, r.34: neither answer on insurance uses up the right to even money. */
const stillAsked = (asked: Asked): { stillAsked?: true } =>
  asked.state.phase === 'offers' && refusalOf('evenMoney', asked) === null ? { stillAsked: true } : {};

/**
 * Arts. 10.3, 12.1 and 18.2 keep some offers open into the turns; only in their own phase does an
 * answer end it.
 */
function afterOffer(draft: Draft): void {
  if (draft.state.phase === 'offers') afterAnswer(draft);
}

/** The lawful default of a decision that was not made in time. */
export function standByDefault(draft: Draft): void {
  const turn = draft.state.round?.turn;
  const round = draft.state.round;
  if (!turn || !round) return;
  const decider = round.seats.find((seat) => seat.seat === turn.seat)!.decider;
  const asked = askedOf(draft.state, round, turn.seat, decider, turn.hand, null);
  if (!('ok' in asked) && mayResplit(asked)) {
    emit(draft, { type: 'resplit-declined', atMs: draft.atMs, seat: turn.seat });
  }
  // r.18: who does not answer is given cards until they may stand.
  if (!('ok' in asked) && mustDraw(asked.rules, asked.hand)) {
    emit(draft, { type: 'hit-called', atMs: draft.atMs, ...turn, by: decider, byDefault: true });
    return;
  }
  emit(draft, { type: 'hand-stood', atMs: draft.atMs, ...turn, by: decider, byDefault: true });
  nextTurn(draft);
}
