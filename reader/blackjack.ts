import {
  ACCEPTED,
  type Aftermath,
  type AuditedAct,
  type AuditedBet,
  type AuditedDeed,
  type AuditedLine,
  type Auditor,
  type Due,
  type Leaver,
  type Opening,
  type Refusals,
  type Unlawful,
} from './auditor.ts';
import { deciderInMacau, deciderInPortugal, refusalsInMacau, refusalsInPortugal } from './blackjack-bets.ts';
import { Course } from './blackjack-course.ts';
import { paidAtOnce, putRight } from './blackjack-deeds.ts';
import { type Bettor, Seat } from './blackjack-hands.ts';
import type { BlackjackRulebook } from './blackjack-options.ts';
import { perform } from './blackjack-play.ts';
import { refusalsOf } from './blackjack-refusals.ts';
import { Round } from './blackjack-round.ts';
import type { AskedSeries } from './form.ts';

/**
 * Black jack by Despacho 56/2004, Despacho 57/2009 («art.») or Portugal's rules 1-61 («r.»), at one
 * table over any number of rounds. It takes what people do and the cards as they come, says what
 * the articles answer, and settles.
 */
export class BlackjackAuditor implements Auditor {
  readonly #course: Course;

  /** @param given the options of the rulebook, complete */
  constructor(rulebook: BlackjackRulebook, given: Readonly<Record<string, unknown>>) {
    this.#course = new Course(rulebook, given);
  }

  /** The table is found as it stands between two rounds. */
  findTable(
    streaks: readonly AskedSeries[],
    jackpot: { readonly meter: number; readonly rest: readonly [number, number] } | null,
  ): void {
    this.#course.streaks.find(streaks);
    if (jackpot) this.#course.jackpot?.find(jackpot.meter, jackpot.rest);
  }

  newShoe(opening: Opening = {}): void {
    this.#course.pack.makeReady(opening);
  }

  endCard(): void {
    this.#course.pack.endCard();
  }

  // ---- bets (arts. 3, 13, 20; r.13-16, r.45-48) ----

  openRound(seated?: readonly number[]): void {
    this.#course.round = new Round(this.#course.isPortugal, this.#course.options, seated ?? null);
    this.#course.pack.beginRound();
  }

  bet(bet: AuditedBet): Refusals {
    const { round } = this.#course;
    if (round.stage !== 'bets') return ['too-late'];
    const reasons = this.#refusalsOf(bet, round.bets);
    if (reasons.length === 0) round.bets.push(bet);
    return reasons;
  }

  #refusalsOf(bet: AuditedBet, bets: readonly AuditedBet[]): Refusals {
    const so = {
      bets,
      hasSeries: (seat: number) => this.#course.streaks.hasSeries(seat),
      seated: this.#course.round.seated,
    };
    const judge = this.#course.isPortugal ? refusalsInPortugal : refusalsInMacau;
    return judge(this.#course.options, so, bet);
  }

  lay(bets: readonly AuditedBet[], left: readonly Leaver[]): Unlawful | null {
    this.#course.round.bets = [...bets];
    this.#course.round.left = left;
    for (const [at, bet] of bets.entries()) {
      const reasons = this.#refusalsOf(bet, bets.toSpliced(at, 1));
      if (reasons.length > 0) return { bet, reasons };
    }
    return null;
  }

  change(bet: AuditedBet): Refusals {
    const { round } = this.#course;
    if (round.stage !== 'bets') return ['too-late'];
    const { bets } = round;
    const at = bets.findIndex((l) => l.seat === bet.seat && l.by === bet.by && l.bet === bet.bet);
    if (bet.amount === 0) {
      bets.splice(at, 1);
      return ACCEPTED;
    }
    if (bet.bet === 'jackpot') return ['one-chip']; // r.47
    // Judged as the whole bet it has become, in the place where it lies.
    round.bets = bets.toSpliced(at, 1);
    const reasons = this.bet(bet);
    round.bets = reasons.length === 0 ? bets.toSpliced(at, 1, bet) : bets;
    return reasons;
  }

  closeBets(): { seat: number; code: string } | null {
    const { round } = this.#course;
    const mains = round.bets.filter(({ bet }) => bet === 'main');
    // art. 13.5.2.vi: whoever has streak bets open must have a main bet on their seat.
    const missing = this.#course.streaks
      .owing()
      .filter(({ seat, by }) => !mains.some((bet) => bet.seat === seat && bet.by === by));
    const isForfeit = this.#course.options.streakAbandon === 'forfeit';
    // Where nobody has said who is gone, the house rule takes whoever has not bet for gone.
    const left = round.left ?? (isForfeit ? missing : []);
    const owing = missing.find(({ seat, by }) => !left.some((one) => one.seat === seat && one.by === by));
    // A window in which nobody bets is no round.
    const isRound = mains.length > 0 || round.left === null;
    if (owing && isRound) return { seat: owing.seat, code: 'must-bet' };
    this.#course.streaks.begin(round.bets);
    round.forfeits = left.flatMap(({ seat, by }) => this.#course.streaks.leave(seat, by, isForfeit));
    this.#course.jackpot?.collect(round.bets.filter(({ bet }) => bet === 'jackpot').length);
    round.seats = [...new Set(mains.map(({ seat }) => seat))]
      .sort((a, b) => a - b)
      .map((seat) => this.#seatWith(seat, mains));
    if (round.seats.length > 0) this.#course.beginDeal();
    else {
      round.stage = 'over';
      round.lines = round.forfeits;
    }
    return null;
  }

  #seatWith(at: number, mains: readonly AuditedBet[]): Seat {
    const laid = mains.filter(({ seat }) => seat === at);
    const decider = this.#course.isPortugal
      ? deciderInPortugal(at, laid)
      : deciderInMacau(this.#course.options, at, laid);
    const bettors: Bettor[] = laid.map(({ by, amount }) => ({
      by,
      original: amount,
      insurance: 0,
      declined: false,
      evenMoney: false,
    }));
    return new Seat(at, bettors, decider);
  }

  due(): Due {
    return this.#course.due();
  }

  card(card: string, faceUp = false): void {
    this.#course.card(card, faceUp);
  }

  // ---- acts ----

  act(act: AuditedAct): Refusals {
    const { round } = this.#course;
    const reasons = refusalsOf(round, act);
    if (reasons.length > 0) return reasons;
    perform(round, act);
    // Even money is a word on the first cards alone.
    if (act.do === 'evenMoney' && round.additional > 0) round.fresh = round.fresh.slice(-round.additional);
    else if (act.do !== 'playOn') round.fresh = [];
    if (round.queue.length === 0) this.#course.goOn();
    this.#course.takeKept();
    return ACCEPTED;
  }

  deed(deed: AuditedDeed): Refusals {
    return putRight(this.#course, deed);
  }

  paidAtOnce(): readonly AuditedLine[] {
    return paidAtOnce(this.#course);
  }

  // ---- what it has found ----

  /** Procedure 3: what is asked before the bank looks at its second card (art. 5.2.3.3). */
  isBeforeLook(): boolean {
    return this.#course.round.hasLook && this.#course.round.stage === 'offers';
  }

  lines(): readonly AuditedLine[] | null {
    return this.#course.round.lines;
  }

  bank(): readonly string[] {
    return this.#course.round.bank;
  }

  hands(): Record<string, readonly (readonly string[])[]> {
    return Object.fromEntries(
      this.#course.round.seats.map(({ seat, hands }) => [String(seat), hands.map(({ cards }) => cards)]),
    );
  }

  burned(): readonly string[] {
    return this.#course.pack.burned;
  }

  after(): Aftermath {
    const { kept, cutBy, warningFromEnd, isEnded } = this.#course.pack;
    const streak: Record<string, number> = {};
    for (let seat = 1; seat <= 12; seat++) streak[String(seat)] = this.#course.streaks.button(seat);
    const jackpot = this.#course.jackpot?.meter ?? null;
    return { streak, jackpot, shoeEnded: isEnded, next: kept, cutBy, warningFromEnd };
  }
}
