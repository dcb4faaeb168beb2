import { type Minor, partOf } from '../../core/money.ts';
import { type Rejection, reject } from '../../core/result.ts';
import { creditOf, type Draft, deadlineAt, profileOf, refuseLate } from '../../table/draft.ts';
import type { Act, InputOf } from '../../table/inputs.ts';
import { emit } from '../../table/lane.ts';
import { roundSeat } from '../../table/places.ts';
import { settleRound } from '../../table/round-end.ts';
import type { RoundSeat, RoundState, TableState } from '../../table/state.ts';
import type { Choice } from '../../table/steps.ts';
import { articlesOf, rulesOf } from './rules.ts';
import { settlementLines } from './settle.ts';
import { isAtWar, isTied, mayChoose } from './war.ts';

export const CASINO_WAR_ACTS: readonly Act[] = ['goToWar', 'surrenderWar'];

/**
 * The seats that may choose do so from the left; then the challenge is dealt, or the round is over.
 */
export function nextChoice(draft: Draft): void {
  const { state, atMs } = draft;
  const round = state.round!;
  const rules = rulesOf(state);
  let isWar = false;
  for (const seat of round.seats) {
    const hand = seat.hands[0]!;
    if (isAtWar(hand)) isWar = true;
    else if (hand.status === 'open' && mayChoose(rules, round, seat)) {
      const { decisionMs } = profileOf(state).timing;
      const deadline = deadlineAt('decision', atMs, decisionMs, seat.seat, 0);
      emit(draft, { type: 'turn-moved', atMs, seat: seat.seat, hand: 0, deadline });
      return;
    }
  }
  if (isWar) emit(draft, { type: 'bank-turn-began', atMs, burnDue: 0 });
  else settle(draft);
}

export function settle(draft: Draft): void {
  const { state } = draft;
  settleRound(draft, settlementLines(articlesOf(state), state.round!));
}

/**
 * Whether the choice of art. 7.4, half the bet (art. 7.4.1) or the challenge (art. 7.4.2), is this
 * seat's at all, whoever's turn it is.
 */
function refuseChoice(state: TableState, round: RoundState, seat: RoundSeat): Rejection | null {
  const { choice, tie, dealOrder } = articlesOf(state);
  if (round.bank.length === 0) return reject('not-due', [dealOrder], 'cards first');
  if (!isTied(round, seat)) return reject('not-allowed', [choice], 'the cards differ');
  return mayChoose(rulesOf(state), round, seat)
    ? null
    : reject('not-allowed', [tie, choice], 'this seat has bet on the tie');
}

function refuseAct(state: TableState, round: RoundState, seat: RoundSeat, act: Act): Rejection | null {
  const { choice, challenge } = articlesOf(state);
  if (!CASINO_WAR_ACTS.includes(act)) return reject('not-allowed', [choice], 'no decision of this game');
  const refused = refuseChoice(state, round, seat);
  if (refused) return refused;
  if (round.lines) return reject('round-over');
  if (state.hold) return reject('held');
  const hand = seat.hands[0]!;
  if (hand.status !== 'open' || isAtWar(hand)) return reject('not-allowed', [choice], 'already chosen');
  if (round.turn?.seat !== seat.seat) return reject('not-your-turn', [choice]);
  return act === 'goToWar' && raiseOf(seat) > creditOf(state, seat.decider)
    ? reject('no-credit', [challenge])
    : null;
}

/** art. 7.5: as much again as the initial bet. */
const raiseOf = ({ bettors }: RoundSeat): Minor => bettors[0]!.originalMinor;

export function play(draft: Draft, input: InputOf<'decide'>): Rejection | null {
  const { state, atMs } = draft;
  const { round, deadline } = state;
  if (!round || round.id !== input.roundId) return reject('unknown-round');
  const { choice } = articlesOf(state);
  const seat = roundSeat(round, input.seat);
  if (!seat || input.hand !== 0) return reject('not-allowed', [choice], 'no such hand');
  if (input.by !== seat.decider) return reject('not-decider', [choice]);
  const refused = refuseAct(state, round, seat, input.act);
  if (refused) return refused;
  const late = refuseLate(input, deadline!.atMs, [choice]);
  if (late !== null) return late;
  if (input.act === 'goToWar') {
    emit(draft, {
      type: 'war-declared',
      atMs,
      seat: seat.seat,
      by: seat.decider,
      currency: profileOf(state).currency,
      raises: [{ by: seat.decider, amountMinor: raiseOf(seat) }],
    });
  } else {
    emit(draft, { type: 'hand-surrendered', atMs, seat: seat.seat, by: seat.decider, byDefault: false });
  }
  nextChoice(draft);
  return null;
}

/** No answer takes no new money: half of the bet is lost. */
export function passDecision(draft: Draft): void {
  const round = draft.state.round!;
  const { seat, decider } = roundSeat(round, round.turn!.seat)!;
  emit(draft, { type: 'hand-surrendered', atMs: draft.atMs, seat, by: decider, byDefault: true });
  nextChoice(draft);
}

/**
 * The two alternatives while it is this seat's turn; without the credit for the challenge it is
 * closed.
 */
export function choices(state: TableState, seat: number): Choice[] {
  const round = state.round!;
  if (round.turn?.seat !== seat) return [];
  const chooser = roundSeat(round, seat)!;
  const { challenge, halfLoss } = articlesOf(state);
  const raise = raiseOf(chooser);
  return CASINO_WAR_ACTS.map((act) => {
    const refused = refuseAct(state, round, chooser, act);
    return {
      act,
      seat,
      hand: 0,
      allowed: refused === null,
      code: refused?.code ?? null,
      cites: refused?.cites ?? [act === 'goToWar' ? challenge : halfLoss],
      amountMinor: act === 'goToWar' ? raise : (partOf(raise, [1, 2]) as Minor),
      minMinor: null,
      maxMinor: null,
    };
  });
}
