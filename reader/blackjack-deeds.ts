import { ACCEPTED, type AuditedDeed, type AuditedLine, type Refusals } from './auditor.ts';
import type { Course } from './blackjack-course.ts';

/** What dealer and supervisor do about an error. */
export function putRight(course: Course, deed: AuditedDeed): Refusals {
  switch (deed.do) {
    case 'voidRound':
      return annul(course);
    case 'assignCard':
      return swap(course, deed);
    case 'drawWrong':
    case 'overdraw':
      return drawWrong(course, deed);
    case 'burnExposed':
      return replaceBankSecond(course);
    case 'misdrawUnseen':
    case 'misdrawSeen':
      return misdraw(course, deed);
    case 'setAside':
      // art. 5.1.1: a card that came when none was due is taken out.
      course.pack.draw();
      course.pack.burned.push(String(deed.card));
      return ACCEPTED;
    default:
      return ['off'];
  }
}

/**
 * art. 5.1.2: all cards of the round are cancelled, every bet goes back, streaks and meter stand
 * as before.
 */
function annul(course: Course): Refusals {
  const { round } = course;
  if (round.stage === 'over') return ['round-over'];
  if (round.stage !== 'bets') {
    course.streaks.undo();
    course.jackpot?.undo();
  }
  const bets: AuditedLine[] = round.bets.map(({ seat, by, bet, amount }) => ({
    seat,
    by,
    bet,
    hand: null,
    net: bet === 'main' && isPaidAtOnce(course, seat) ? Math.ceil((amount * 3) / 2) : 0,
  }));
  const prizes = prizesOf(course);
  const insurances = round.seats.flatMap(({ seat, bettors }) =>
    bettors
      .filter(({ insurance }) => insurance > 0)
      .map(({ by }) => ({ seat, by, bet: 'insurance', hand: null, net: 0 })),
  );
  const pairBets = round.seats.flatMap(({ seat, hands, laterPairBets }) =>
    [
      ...laterPairBets.map(({ by }) => by),
      ...hands.flatMap(({ pairBets: open }) => [...(open?.keys() ?? [])]),
    ].map((by) => ({ seat, by, bet: 'anyPair', hand: null, net: 0 })),
  );
  round.lines = [...bets, ...prizes, ...insurances, ...pairBets];
  round.isVoided = true;
  course.end();
  return ACCEPTED;
}

/** art. 15, r.35: the prize was received at once, and is no card of the round. */
function prizesOf({ round }: Course): AuditedLine[] {
  return round.seats.flatMap(({ seat, hands }) =>
    hands.flatMap((hand, at) =>
      [...(hand.prizes ?? [])].map(([by, net]) => ({ seat, by, bet: 'specialPrize', hand: at, net })),
    ),
  );
}

/** art. 15; r.21, r.35. */
export function paidAtOnce(course: Course): readonly AuditedLine[] {
  const blackjacks = course.round.seats
    .filter(({ seat }) => isPaidAtOnce(course, seat))
    .flatMap(({ seat, hands }) =>
      [...hands[0]!.stakes].map(([by, stake]) => ({
        ...{ seat, by, bet: 'main', hand: 0 },
        net: Math.ceil((stake * 3) / 2),
      })),
    );
  return [...blackjacks, ...prizesOf(course)];
}

/**
 * r.21: a blackjack that the bank's first card cannot equal is paid and collected as soon as the
 * first cards lie.
 */
function isPaidAtOnce({ isPortugal, round }: Course, at: number): boolean {
  const hand = round.seat(at)?.hands[0];
  return isPortugal && hand?.state === 'blackjack' && !round.canBankMakeBlackjack;
}

/**
 * art. 5.1.2: first cards given to the wrong seats go where they were due, as long as nothing was
 * built on them.
 */
function swap(course: Course, { from = 0, to = 0, place }: AuditedDeed): Refusals {
  const { round } = course;
  const a = round.seat(from);
  const b = round.seat(to);
  if (!a || !b || a === b) return ['not-allowed'];
  const isUntouched = [a, b].every(({ hands, bettors }) => {
    const { state, doubled } = hands[0]!;
    // r.21: a blackjack the bank cannot equal has been paid and collected.
    const isPaid = state === 'blackjack' && course.isPortugal && !round.canBankMakeBlackjack;
    const isOpen = (state === 'open' || state === 'blackjack') && !isPaid;
    return hands.length === 1 && isOpen && doubled === null && !bettors.some(({ evenMoney }) => evenMoney);
  });
  const isEarly = ['deal', 'offers', 'surrender', 'turns'].includes(round.stage);
  // Somebody has asked for a card on the strength of what lies on the table.
  const isCardCalled = round.stage === 'turns' && round.queue.length > 0;
  const isTooLate = round.additional > 0 || round.isSecondKnown || isCardCalled;
  if (!isEarly || !isUntouched || isTooLate) return ['too-late', 'not-allowed'];
  if (place !== undefined) {
    const [one, other] = [a.dealt[place], b.dealt[place]];
    if (one === undefined || other === undefined) return ['not-allowed'];
    a.dealt[place] = other;
    b.dealt[place] = one;
  } else if (a.dealt.length !== b.dealt.length || a.dealt.length === 0) return ['not-allowed'];
  else [a.dealt, b.dealt] = [b.dealt, a.dealt];
  a.hands[0]!.cards = [...a.dealt];
  b.hands[0]!.cards = [...b.dealt];
  if (round.stage !== 'deal') {
    round.turn = null;
    course.readFirstCards([a, b]);
    course.goOn();
  }
  return ACCEPTED;
}

/** art. 6.1, r.19: the bank drew when it must not. */
function drawWrong(course: Course, { card = '', shown = true }: AuditedDeed): Refusals {
  if (course.isPortugal && course.round.stage === 'turns') {
    return misdraw(course, { do: shown ? 'misdrawSeen' : 'misdrawUnseen', card });
  }
  const { stage, bank, isBankShown, isVoided } = course.round;
  // r.22: with nobody left in play it abstains from a third card, whatever its two are.
  const hasPlayed = isBankShown || (course.isPortugal && bank.length > 1);
  const hasBankFinished = hasPlayed && (stage === 'over' || stage === 'spare');
  if (!hasBankFinished || isVoided) return ['not-allowed'];
  course.pack.draw();
  if (course.options.wrongDealerCard === 'validIfUnseen' && !shown) course.pack.kept = String(card);
  else course.pack.burned.push(String(card));
  return ACCEPTED;
}

/** r.17: the bank's second card was turned while it was dealt. */
function replaceBankSecond({ isPortugal, round, pack }: Course): Refusals {
  const { bank, additional, isSecondKnown } = round;
  if (!isPortugal || bank.length !== 2 || additional > 0 || isSecondKnown) return ['not-allowed'];
  pack.burned.push(bank.pop()!);
  round.queue.unshift({ to: 'bank' });
  return ACCEPTED;
}

/**
 * r.18: a card drawn against the wish of a player: unseen, it goes to the next who asks; turned,
 * it is annulled.
 */
function misdraw(course: Course, { do: what, card }: AuditedDeed): Refusals {
  const { stage } = course.round;
  if (!course.isPortugal) return ['off'];
  if (stage !== 'turns' && stage !== 'bank') return ['not-allowed'];
  course.pack.draw();
  if (what === 'misdrawSeen') course.pack.burned.push(String(card));
  else course.pack.kept = String(card);
  course.takeKept();
  return ACCEPTED;
}
