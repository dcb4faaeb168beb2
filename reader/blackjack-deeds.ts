import { ACCEPTED, type AuditedDeed, type AuditedLine, type Refusals } from './auditor.ts';
import { isPair } from './blackjack-cards.ts';
import type { Course } from './blackjack-course.ts';
import type { Seat } from './blackjack-hands.ts';
import type { CardPlace } from './blackjack-round.ts';

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
    case 'takeBack':
      return takeBack(course, deed);
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
  if (a && to === 0) return swapWithBank(course, a, place);
  const b = round.seat(to);
  if (!a || !b || a === b) return ['not-allowed'];
  if (round.additional > 0) return swapOfDoubles(course, a, b, place);
  const isUntouched = [a, b].every(
    (seat) =>
      isAsDealt(course, seat) &&
      seat.hands[0]!.doubled === null &&
      !seat.bettors.some(({ evenMoney }) => evenMoney),
  );
  if (!isUntouched || isTooLate(course)) return ['too-late', 'not-allowed'];
  if (place !== undefined) {
    const [one, other] = [a.dealt[place], b.dealt[place]];
    if (one === undefined || other === undefined) return ['not-allowed'];
    a.dealt[place] = other;
    b.dealt[place] = one;
  } else if (a.dealt.length !== b.dealt.length || a.dealt.length === 0) return ['not-allowed'];
  else [a.dealt, b.dealt] = [b.dealt, a.dealt];
  a.hands[0]!.cards = [...a.dealt];
  b.hands[0]!.cards = [...b.dealt];
  judgeAnew(course, [a, b]);
  return ACCEPTED;
}

/** Its first cards alone, which nobody has played; r.21: a blackjack that was paid is collected. */
const isAsDealt = (course: Course, { seat, hands }: Seat): boolean =>
  hands.length === 1 && /^(?:open|blackjack)$/.test(hands[0]!.state) && !isPaidAtOnce(course, seat);

/** Somebody has asked for a card on the strength of these, or the bank's second one is known. */
function isTooLate({ round }: Course): boolean {
  const { stage, queue, isSecondKnown } = round;
  const isEarly = ['deal', 'offers', 'surrender', 'turns'].includes(stage);
  return !isEarly || isSecondKnown || (stage === 'turns' && queue.length > 0);
}

/** Other first cards: who has blackjack, and what is offered. */
function judgeAnew(course: Course, seats: readonly Seat[]): void {
  if (course.round.stage === 'deal') return;
  course.round.turn = null;
  course.readFirstCards(seats);
  course.goOn();
}

/**
 * art. 5.1.2: the bank's open card was due to a seat, and that seat's first one to the bank: as
 * long as nobody has said anything on the strength of the bank's card.
 */
function swapWithBank(course: Course, seat: Seat, place: number | undefined): Refusals {
  const { round } = course;
  const { dealing, playerCardsDown = 'none' } = course.options;
  if (place !== 0 || round.bank.length === 0 || seat.dealt.length === 0) return ['not-allowed'];
  // Nobody knows which of the cards that lie face down it would be; a blackjack has been shown.
  const isDown = dealing === 'faceDown' || playerCardsDown !== 'none';
  if (isDown && seat.hands[0]!.state === 'open') return ['too-late', 'not-allowed'];
  const isUntouched = round.seats.every(
    (each) =>
      isAsDealt(course, each) &&
      each.bettors.every(({ insurance, declined, evenMoney }) => insurance === 0 && !declined && !evenMoney),
  );
  if (!isUntouched || round.additional > 0 || isTooLate(course)) return ['too-late', 'not-allowed'];
  [seat.dealt[0], round.bank[0]] = [round.bank[0]!, seat.dealt[0]!];
  seat.hands[0]!.cards = [...seat.dealt];
  judgeAnew(course, [seat]);
  return ACCEPTED;
}

/** art. 5.1.2: the one card of a doubled hand for that of another: nobody has decided on it. */
function swapOfDoubles(course: Course, a: Seat, b: Seat, place: number | undefined): Refusals {
  const { round, options } = course;
  const isOpen = round.stage === 'turns' || (round.stage === 'bank' && options.dealerPlaysOut === 'always');
  const areFree = [a, b].every(({ seat, hands }) => {
    const { doubled, cards, state, prizes } = hands[0]!;
    const isClosed = state === 'stood' || state === 'bust';
    const hasSevens = round.bets.some((bet) => bet.bet === 'sevens' && bet.seat === seat);
    return hands.length === 1 && doubled !== null && cards.length === 3 && isClosed && !prizes && !hasSevens;
  });
  if (!isOpen || !areFree || place !== 2) return ['too-late', 'not-allowed'];
  [a.dealt[2], b.dealt[2]] = [b.dealt[2]!, a.dealt[2]!];
  for (const seat of [a, b]) {
    const hand = seat.hands[0]!;
    hand.cards = [...seat.dealt];
    hand.state = 'open';
    course.closeIfFinished(seat, hand);
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
  const hasPlayed = round.seats.some(
    ({ hands }) => hands.length > 1 || hands[0]!.doubled !== null || hands[0]!.state === 'stood',
  );
  // While it is dealt: not once somebody has decided on their hand.
  if (
    !isPortugal ||
    bank.length !== 2 ||
    additional > 0 ||
    isSecondKnown ||
    hasPlayed ||
    round.queue.length > 0
  )
    return ['not-allowed', 'too-late'];
  pack.burned.push(bank.pop()!);
  round.queue = [{ to: 'bank' }];
  round.stage = 'deal';
  round.turn = null;
  round.invited = [];
  return ACCEPTED;
}

const isAt = (one: CardPlace, other: CardPlace): boolean =>
  one.to === 'seat' && other.to === 'seat' && one.seat === other.seat && one.hand === other.hand;

/**
 * art. 5.1.1: the card dealt last lay face up, seen after it was read: its place waits for the next
 * one, and whoever was asked after it is asked again.
 */
function takeBack({ isPortugal, round }: Course, { seat: at, hand: no = 0 }: AuditedDeed): Refusals {
  const seat = at === undefined ? null : round.seat(at);
  const hand = seat?.hands[no];
  if (isPortugal || seat === undefined || (seat && !hand)) return ['not-allowed'];
  const place: CardPlace = seat ? { to: 'seat', seat: seat.seat, hand: no } : { to: 'bank' };
  // Nothing that stands has followed: a word of a player, the look, a prize.
  const last = round.fresh.at(-1);
  const isLast = last?.to === place.to && (last.to !== 'seat' || isAt(last, place));
  const card = isLast ? (hand?.cards ?? round.bank).pop() : undefined;
  if (card === undefined) return ['too-late', 'not-allowed'];
  round.fresh.pop();
  seat?.dealt.pop();
  const isBanks = seat === null && round.stage === 'bank' && round.bank.length > 0;
  const isAdditional = hand !== undefined && hand.cards.length >= (hand.fromSplit ? 1 : 2);
  round.invited = [];
  // Who has laid nothing on the next split hand is asked about it again.
  for (const next of round.turn?.seat.hands ?? [])
    if (next.cards.length === 1 && next.pairBets?.size === 0) next.pairBets = null;
  if (isBanks) {
    round.queue = [place];
    if (round.bank.length === 1) {
      round.isSecondKnown = false;
      round.isBankShown = false;
    }
  } else if (isAdditional) {
    if (hand.fromSplit && isPair([...hand.cards, card])) seat!.laterPairs -= 1;
    round.additional -= 1;
    seat!.additional -= 1;
    hand.state = 'open';
    round.stage = 'turns';
    round.turn = { seat: seat!, hand };
    round.queue = [place];
  } else {
    round.queue = round.stage === 'deal' ? [place, ...round.queue] : [place];
    round.stage = 'deal';
    round.turn = null;
  }
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
