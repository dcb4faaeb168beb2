import { type Rejection, reject } from '../../core/result.ts';
import { type Draft, emit, isInTime, profileOf } from '../../table/draft.ts';
import type { InputOf } from '../../table/inputs.ts';
import { type Asked, askedOf, doubleModality, mayResplit, raisesOf, refusalOf } from './acts.ts';
import { isAce } from './hand.ts';
import { afterAnswer, nextTurn } from './round.ts';

/** A decision of a seat: refused with its reason, or turned into events and whatever follows from them. */
export function playAct(draft: Draft, input: InputOf<'decide'>): Rejection | null {
  const { state } = draft;
  const { round } = state;
  if (!round || round.id !== input.roundId) return reject('unknown-round');
  if (round.lines) return reject('round-over');
  if (state.hold) return reject('held');
  if (state.phase === 'betting' || state.phase === 'dealing') return reject('not-due', [], 'cards first');
  const amountMinor = input.amountMinor ?? null;
  if (amountMinor !== null && (!Number.isSafeInteger(amountMinor) || amountMinor <= 0)) {
    return reject('malformed', [], 'amountMinor');
  }
  const asked = askedOf(state, round, input.seat, input.by, input.hand, amountMinor);
  if ('ok' in asked) return asked;
  const refused = refusalOf(input.act, asked);
  if (refused) return refused;
  const { deadline } = state;
  const isHisDeadline = deadline?.seat === null || deadline?.seat === input.seat;
  if (deadline && isHisDeadline && !isInTime(input.touchedAtMs, input.atMs, deadline.atMs)) {
    return reject('too-late', [asked.articles.turns], 'the time for this decision has run out');
  }
  carryOut(draft, input, asked);
  return null;
}

function carryOut(draft: Draft, input: InputOf<'decide'>, asked: Asked): void {
  const { atMs } = draft;
  const { seat: seatNo, by, hand: handNo } = input;
  const { currency } = profileOf(draft.state);
  const answer = { atMs, seat: seatNo, by, byDefault: false };
  const onHand = { atMs, seat: seatNo, hand: handNo, by };
  const isDecision = input.act === 'hit' || input.act === 'stand' || input.act === 'double';
  if (isDecision && mayResplit(asked)) emit(draft, { type: 'resplit-declined', atMs, seat: seatNo });
  switch (input.act) {
    case 'insure':
      emit(draft, { type: 'insurance-laid', ...answer, currency, amountMinor: asked.amountMinor! });
      afterOffer(draft);
      break;
    case 'declineInsurance':
      emit(draft, { type: 'insurance-declined', ...answer });
      afterOffer(draft);
      break;
    case 'evenMoney':
      emit(draft, { type: 'even-money-taken', ...answer });
      afterOffer(draft);
      break;
    case 'loseOriginalOnly':
      emit(draft, { type: 'original-only-taken', ...answer });
      afterOffer(draft);
      break;
    case 'playOn':
      emit(draft, { type: 'offer-passed', ...answer });
      afterOffer(draft);
      break;
    case 'surrender': {
      const wasTurn = draft.state.round?.turn?.seat === seatNo;
      emit(draft, { type: 'hand-surrendered', ...answer });
      if (wasTurn) nextTurn(draft);
      else afterOffer(draft);
      break;
    }
    case 'hit':
      emit(draft, { type: 'hit-called', ...onHand });
      break;
    case 'stand':
      emit(draft, { type: 'hand-stood', ...onHand, byDefault: false });
      nextTurn(draft);
      break;
    case 'double':
      emit(draft, {
        type: 'hand-doubled',
        ...onHand,
        modality: doubleModality(asked.rules, asked.hand)!,
        currency,
        raises: raisesOf(asked),
      });
      break;
    case 'split':
      emit(draft, {
        type: 'hand-split',
        ...onHand,
        aces: isAce(asked.hand.cards[0]!),
        currency,
        raises: raisesOf(asked),
      });
      break;
    case 'fiveCardHalf':
      emit(draft, { type: 'five-card-half-taken', ...onHand });
      nextTurn(draft);
      break;
  }
}

/** Arts. 10.3, 12.1 and 18.2 keep some offers open into the turns; only in their own phase does an answer end it. */
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
  emit(draft, {
    type: 'hand-stood',
    atMs: draft.atMs,
    seat: turn.seat,
    hand: turn.hand,
    by: decider,
    byDefault: true,
  });
  nextTurn(draft);
}
