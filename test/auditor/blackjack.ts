import {
  ACCEPTED,
  type Aftermath,
  type AuditedAct,
  type AuditedBet,
  type AuditedDeed,
  type AuditedLine,
  type Auditor,
  type Due,
  type Opening,
  type Refusals,
} from './auditor.ts';
import { mustBankDraw, needsSecondCard, needsThirdCard } from './blackjack-bank.ts';
import { deciderInMacau, deciderInPortugal, refusalsInMacau, refusalsInPortugal } from './blackjack-bets.ts';
import { earnsSpecialPrize, isAce, isPair, makesBlackjack } from './blackjack-cards.ts';
import { type Bettor, type Hand, Seat } from './blackjack-hands.ts';
import { Jackpot } from './blackjack-jackpot.ts';
import { type BlackjackOptions, type BlackjackRulebook, completed } from './blackjack-options.ts';
import { Pack } from './blackjack-pack.ts';
import { perform } from './blackjack-play.ts';
import { invitations, ofSplitting, refusalsOf, spareInvitations } from './blackjack-refusals.ts';
import { type CardPlace, Round } from './blackjack-round.ts';
import { handLines, resultOf, sideBetLines } from './blackjack-settle.ts';
import { Streaks } from './blackjack-streak.ts';

/**
 * Black jack by Despacho 56/2004, Despacho 57/2009 («art.») or Portugal's rules 1-61 («r.»), at one
 * table over any number of rounds. It takes what people do and the cards as they come, says what
 * the articles answer, and settles.
 */
export class BlackjackAuditor implements Auditor {
  readonly #isPortugal: boolean;
  readonly #options: BlackjackOptions;
  readonly #streaks = new Streaks();
  readonly #jackpot: Jackpot | null;
  readonly #pack: Pack;
  #round: Round;

  /** @param given the options of the rulebook, complete */
  constructor(rulebook: BlackjackRulebook, given: Readonly<Record<string, unknown>>) {
    this.#isPortugal = rulebook === 'portugal-blackjack';
    this.#options = completed(rulebook, given);
    this.#jackpot = this.#options.jackpot ? new Jackpot(this.#options.jackpot) : null;
    this.#pack = new Pack(this.#options);
    this.#round = new Round(this.#isPortugal, this.#options, null);
    this.#round.stage = 'over';
  }

  newShoe(opening: Opening = {}): void {
    this.#pack.makeReady(opening);
  }

  endCard(): void {
    this.#pack.endCard();
  }

  // ---- bets (arts. 3, 13, 20; r.13-16, r.45-48) ----

  openRound(seated?: readonly number[]): void {
    this.#round = new Round(this.#isPortugal, this.#options, seated ?? null);
    this.#pack.beginRound();
  }

  bet(bet: AuditedBet): Refusals {
    const round = this.#round;
    if (round.stage !== 'bets') return ['too-late'];
    const so = {
      bets: round.bets,
      hasSeries: (seat: number) => this.#streaks.hasSeries(seat),
      seated: round.seated,
    };
    const judge = this.#isPortugal ? refusalsInPortugal : refusalsInMacau;
    const reasons = judge(this.#options, so, bet);
    if (reasons.length === 0) round.bets.push(bet);
    return reasons;
  }

  change(bet: AuditedBet): Refusals {
    const round = this.#round;
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
    const round = this.#round;
    const mains = round.bets.filter(({ bet }) => bet === 'main');
    // art. 13.5.2.vi: whoever has streak bets open must have a main bet on their seat.
    const missing = this.#streaks
      .owing()
      .filter(({ seat, by }) => !mains.some((bet) => bet.seat === seat && bet.by === by));
    if (missing[0] && this.#options.streakAbandon === 'refuseDeal') {
      return { seat: missing[0].seat, code: 'must-bet' };
    }
    this.#streaks.begin(round.bets);
    round.forfeits = missing.flatMap(({ seat, by }) => this.#streaks.forfeit(seat, by));
    this.#jackpot?.collect(round.bets.filter(({ bet }) => bet === 'jackpot').length);
    round.seats = [...new Set(mains.map(({ seat }) => seat))]
      .sort((a, b) => a - b)
      .map((seat) => this.#seatWith(seat, mains));
    if (round.seats.length === 0) round.stage = 'over';
    else this.#beginDeal();
    return null;
  }

  #seatWith(at: number, mains: readonly AuditedBet[]): Seat {
    const laid = mains.filter(({ seat }) => seat === at);
    const decider = this.#isPortugal ? deciderInPortugal(at, laid) : deciderInMacau(this.#options, at, laid);
    const bettors: Bettor[] = laid.map(({ by, amount }) => ({
      by,
      original: amount,
      insurance: 0,
      declined: false,
      evenMoney: false,
    }));
    return new Seat(at, bettors, decider);
  }

  // ---- cards (arts. 4, 5; r.10, r.17, r.18) ----

  #beginDeal(): void {
    const round = this.#round;
    const { burnEachRound, dealing, cardSource, dealerCardPass } = this.#options;
    const seats = round.seats.map(({ seat }) => ({ to: 'seat' as const, seat, hand: 0 }));
    const bank = { to: 'bank' as const };
    round.stage = 'deal';
    // art. 4.2: at the start of every following round.
    if (burnEachRound !== 'none' && this.#pack.rounds > 0) round.queue.push({ to: 'burn' });
    if (dealing === 'holeCard' || cardSource === 'box') {
      // art. 5.2.1.2, 5.2.3, r.17: the bank's second card with the others, face down.
      round.queue.push(...seats, bank, ...seats, bank);
    } else if (dealerCardPass === 1) {
      round.queue.push(...seats, bank, ...seats);
    } else {
      round.queue.push(...seats, ...seats, bank);
    }
    this.#takeKept();
  }

  due(): Due {
    const { queue, stage, invited, turn } = this.#round;
    if (this.#pack.startBurns > 0) return { to: 'burn' };
    if (queue[0]) return queue[0];
    if (stage === 'bets') return { to: 'bets' };
    if (invited.length > 0) return { to: 'offers', seats: [...new Set(invited.map(({ seat }) => seat))] };
    if (!turn) return { to: 'over' };
    return { to: 'decision', seat: turn.seat.seat, hand: turn.seat.hands.indexOf(turn.hand) };
  }

  card(card: string, faceUp = false): void {
    const pack = this.#pack;
    const isFirst = pack.draw();
    const place: CardPlace | undefined = pack.startBurns > 0 ? { to: 'burn' } : this.#round.queue[0];
    if (!place) throw new Error(`${card}: no card is due`);
    if (pack.startBurns === 0) this.#begin();
    if (faceUp && this.#isInvalid(place, isFirst)) {
      pack.burned.push(card);
    } else if (pack.startBurns > 0) {
      pack.startBurns -= 1;
      pack.burned.push(card);
    } else {
      this.#give(card);
      this.#takeKept();
    }
  }

  #begin(): void {
    if (!this.#round.isBegun) this.#pack.rounds += 1;
    this.#round.isBegun = true;
  }

  /**
   * A card that lay face up in the source: art. 5.1.1; Portugal knows only the bank's second card
   * (r.17).
   */
  #isInvalid(place: CardPlace, isFirst: boolean): boolean {
    const { stage, bank } = this.#round;
    if (this.#isPortugal) return stage === 'deal' && place.to === 'bank' && bank.length === 1;
    return !(isFirst && this.#options.exposedFirstCardValid);
  }

  /** The card goes where the next one is due. */
  #give(card: string): void {
    const round = this.#round;
    const place = round.queue.shift()!;
    switch (place.to) {
      case 'burn':
        this.#pack.burned.push(card);
        break;
      case 'bank':
        round.bank.push(card);
        break;
      case 'seat':
        this.#giveToSeat(round.seat(place.seat)!, place.hand, card);
    }
    if (round.queue.length === 0) this.#goOn();
  }

  #giveToSeat(seat: Seat, at: number, card: string): void {
    const round = this.#round;
    const hand = seat.hands[at]!;
    hand.cards.push(card);
    seat.dealt.push(card);
    if (round.stage === 'deal') return;
    round.additional += 1;
    seat.additional += 1;
    if (hand.fromSplit && hand.cards.length === 2) this.#readLaterPair(seat, hand);
    this.#closeIfFinished(seat, hand);
  }

  /** art. 13.1.2: the second, third … pair. */
  #readLaterPair(seat: Seat, hand: Hand): void {
    const isWon = isPair(hand.cards);
    if (isWon) seat.laterPairs += 1;
    for (const [by, amount] of hand.pairBets ?? []) seat.laterPairBets.push({ by, amount, isWon });
  }

  /** The card that was kept goes where the next card goes (art. 6.1, r.18). */
  #takeKept(): void {
    const { kept, startBurns } = this.#pack;
    if (kept === null || this.#round.queue.length === 0 || startBurns > 0) return;
    this.#pack.kept = null;
    this.#begin();
    this.#give(kept);
    this.#takeKept();
  }

  /** Whether a hand that has just received a card can go on. */
  #closeIfFinished(seat: Seat, hand: Hand): void {
    const { specialPrize, specialPrizeMode, fiveCards } = this.#options;
    if (hand.total > 21) {
      hand.state = 'bust'; // art. 7.2, r.22
      return;
    }
    if (specialPrize && earnsSpecialPrize(hand.cards)) {
      this.#paySpecialPrize(seat, hand);
      if (specialPrizeMode === 'closesHand') {
        hand.state = 'prize';
        return;
      }
    }
    // art. 6.4.2, 17.2, r.29: one card on a doubled bet; art. 6.4.3, 16.3, r.26: one on each split
    // ace.
    if (hand.doubled !== null) hand.state = 'stood';
    else if (hand.splitAces) hand.state = ofSplitting(this.#round, hand).length === 0 ? 'open' : 'stood';
    else if (hand.total === 21) {
      // art. 6.4.1, r.18: no card at 21; but five cards may ask for their half (art. 19.1).
      const mayAskHalf = fiveCards && hand.cards.length === 5 && !isAce(this.#round.up);
      hand.state = mayAskHalf ? 'open' : 'stood';
    }
  }

  /** art. 15, r.35: three times the bet, at once, to everybody who has one on the hand. */
  #paySpecialPrize(seat: Seat, hand: Hand): void {
    const isOfStake = this.#options.specialPrizeBase === 'stake';
    hand.prizes = new Map(
      [...hand.stakes].map(([by, stake]) => [by, 3 * (isOfStake ? stake : seat.bettor(by)!.original)]),
    );
  }

  // ---- the course of a round ----

  /** From one moment at which somebody must do something to the next. */
  #goOn(): void {
    const round = this.#round;
    for (;;) {
      switch (round.stage) {
        case 'deal':
          this.#readFirstCards(round.seats);
          break;
        case 'offers':
          if (round.invited.length > 0) return;
          round.stage = round.hasLook ? 'look' : 'turns';
          break;
        case 'look':
          // art. 5.2.3.3: an ace or a ten, and the bank looks whether it has blackjack.
          if (round.canBankMakeBlackjack) {
            round.isSecondKnown = true;
            round.isBankShown = makesBlackjack(round.bank);
            if (round.isBankShown) return this.#settle(); // art. 5.2.3.4
          }
          round.stage = 'surrender';
          round.invited = invitations(round);
          break;
        case 'surrender':
          if (round.invited.length > 0) return;
          round.stage = 'turns';
          break;
        case 'turns':
          if (this.#nextHand()) return;
          round.turn = null;
          round.stage = 'bank';
          break;
        case 'pair':
          if (round.invited.length > 0) return;
          round.stage = 'turns';
          return round.owe(round.turn!.hand);
        case 'follow': {
          if (round.invited.length > 0) return;
          const { hand } = round.following!;
          round.stage = 'turns';
          round.following = null;
          if (hand.doubled !== null) return round.owe(hand);
          break;
        }
        case 'bank':
          if (this.#bankGoesOn()) return;
          break;
        case 'spare':
          if (round.invited.length > 0) return;
          return this.#settle();
        case 'bets':
        case 'over':
          return;
      }
    }
  }

  /** Once the first cards lie: who has blackjack, and who is asked before play begins. */
  #readFirstCards(seats: readonly Seat[]): void {
    for (const { hands } of seats) {
      hands[0]!.state = makesBlackjack(hands[0]!.cards) ? 'blackjack' : 'open';
    }
    this.#round.stage = 'offers';
    this.#round.invited = invitations(this.#round);
  }

  /** art. 6.3, r.18: from the left, one seat after the other, its hands from the left too. */
  #nextHand(): boolean {
    const round = this.#round;
    for (const seat of round.seats) {
      const hand = seat.hands.find(({ state }) => state === 'open');
      if (!hand) continue;
      round.turn = { seat, hand };
      // The second card of a split hand comes when its turn comes.
      if (hand.cards.length === 1 && !this.#askForPairBets(seat, hand)) round.owe(hand);
      return true;
    }
    return false;
  }

  /**
   * art. 13.1.2, option `newBet`: whoever has bet on the first pair may bet on this one, before its
   * second card.
   */
  #askForPairBets(seat: Seat, hand: Hand): boolean {
    const round = this.#round;
    if (this.#options.anyPairResplit !== 'newBet' || hand.pairBets !== null) return false;
    hand.pairBets = new Map();
    round.invited = round.bets
      .filter((bet) => bet.bet === 'anyPair' && bet.seat === seat.seat)
      .map(({ by }) => ({ seat: seat.seat, by }));
    if (round.invited.length === 0) return false;
    round.stage = 'pair';
    return true;
  }

  /**
   * arts. 6, 7.1; r.19, r.22: the bank's cards after the players' decisions.
   * @returns whether a card is awaited or the round is over; not, where somebody may have to be
   * asked first
   */
  #bankGoesOn(): boolean {
    const round = this.#round;
    if (round.bank.length === 1 && needsSecondCard(round)) {
      // art. 4.2: one more before the bank's second open card.
      if (this.#options.burnEachRound === 'oneAndBeforeDealerSecond') round.queue.push({ to: 'burn' });
      round.queue.push({ to: 'bank' });
      return true;
    }
    if (!needsSecondCard(round)) {
      this.#settle();
      return true;
    }
    round.isSecondKnown = true;
    round.isBankShown = true;
    if (makesBlackjack(round.bank)) {
      round.invited = spareInvitations(round);
      round.stage = 'spare';
      return false;
    }
    if (mustBankDraw(round) && needsThirdCard(round)) {
      round.queue.push({ to: 'bank' });
    } else {
      this.#settle();
    }
    return true;
  }

  #settle(): void {
    const round = this.#round;
    const { seats, bank, bets } = round;
    this.#end();
    const played = { options: this.#options, seats, bank, bets };
    const lines = [...round.forfeits, ...handLines(played), ...sideBetLines(played)];
    for (const seat of seats) {
      // art. 18.3: giving up loses the streak too.
      const result = seat.hands[0]!.state === 'surrendered' ? 'lost' : resultOf(seat, bank, lines);
      lines.push(...this.#streaks.settle(seat.seat, result));
    }
    const chips = bets.filter(({ bet }) => bet === 'jackpot');
    const cards = chips.map(({ seat }) => ({ seat, dealt: round.seat(seat)?.dealt ?? [] }));
    lines.push(...(this.#jackpot?.settle(cards) ?? []));
    round.lines = lines;
  }

  #end(): void {
    this.#round.stage = 'over';
    this.#round.turn = null;
    this.#round.queue = [];
    this.#round.invited = [];
    // r.18, r.19: nobody asked for the misdrawn card and the bank may not take it.
    if (this.#isPortugal && this.#pack.kept !== null) {
      this.#pack.burned.push(this.#pack.kept);
      this.#pack.kept = null;
    }
  }

  // ---- acts ----

  act(act: AuditedAct): Refusals {
    const round = this.#round;
    const reasons = refusalsOf(round, act);
    if (reasons.length > 0) return reasons;
    perform(round, act);
    if (round.queue.length === 0) this.#goOn();
    this.#takeKept();
    return ACCEPTED;
  }

  // ---- deeds of dealer and supervisor ----

  deed(deed: AuditedDeed): Refusals {
    switch (deed.do) {
      case 'voidRound':
        return this.#void();
      case 'assignCard':
        return this.#swap(deed);
      case 'drawWrong':
      case 'overdraw':
        return this.#drawWrong(deed);
      case 'burnExposed':
        return this.#replaceBankSecond();
      case 'misdrawUnseen':
      case 'misdrawSeen':
        return this.#misdraw(deed);
      case 'setAside':
        // art. 5.1.1: a card that came when none was due is taken out.
        this.#pack.draw();
        this.#pack.burned.push(String(deed.card));
        return ACCEPTED;
      default:
        return ['off'];
    }
  }

  /**
   * art. 5.1.2: all cards of the round are cancelled, every bet goes back, streaks and meter stand
   * as before.
   */
  #void(): Refusals {
    const round = this.#round;
    if (round.stage === 'over') return ['round-over'];
    if (round.stage !== 'bets') {
      this.#streaks.undo();
      this.#jackpot?.undo();
    }
    const bets: AuditedLine[] = round.bets.map(({ seat, by, bet, amount }) => ({
      seat,
      by,
      bet,
      hand: null,
      net: bet === 'main' && this.#isPaidAtOnce(seat) ? Math.ceil((amount * 3) / 2) : 0,
    }));
    // art. 15, r.35: the prize was received at once, and is no card of the round.
    const prizes = round.seats.flatMap(({ seat, hands }) =>
      hands.flatMap((hand, at) =>
        [...(hand.prizes ?? [])].map(([by, net]) => ({ seat, by, bet: 'specialPrize', hand: at, net })),
      ),
    );
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
    this.#end();
    return ACCEPTED;
  }

  /**
   * r.21: a blackjack that the bank's first card cannot equal is paid and collected as soon as the
   * first cards lie.
   */
  #isPaidAtOnce(at: number): boolean {
    const round = this.#round;
    const hand = round.seat(at)?.hands[0];
    return this.#isPortugal && hand?.state === 'blackjack' && !round.canBankMakeBlackjack;
  }

  /**
   * art. 5.1.2: first cards given to the wrong seats go where they were due, as long as nothing was
   * built on them.
   */
  #swap({ from = 0, to = 0 }: AuditedDeed): Refusals {
    const round = this.#round;
    const a = round.seat(from);
    const b = round.seat(to);
    if (!a || !b || a === b) return ['not-allowed'];
    const isUntouched = [a, b].every(({ hands, bettors }) => {
      const { state, doubled } = hands[0]!;
      // r.21: a blackjack the bank cannot equal has been paid and collected.
      const isPaid = state === 'blackjack' && this.#isPortugal && !round.canBankMakeBlackjack;
      const isOpen = (state === 'open' || state === 'blackjack') && !isPaid;
      return hands.length === 1 && isOpen && doubled === null && !bettors.some(({ evenMoney }) => evenMoney);
    });
    const isEarly = ['deal', 'offers', 'surrender', 'turns'].includes(round.stage);
    // Somebody has asked for a card on the strength of what lies on the table.
    const isCardCalled = round.stage === 'turns' && round.queue.length > 0;
    const isTooLate = round.additional > 0 || round.isSecondKnown || isCardCalled;
    if (!isEarly || !isUntouched || isTooLate) return ['too-late', 'not-allowed'];
    if (a.dealt.length !== b.dealt.length || a.dealt.length === 0) return ['not-allowed'];
    [a.dealt, b.dealt] = [b.dealt, a.dealt];
    a.hands[0]!.cards = [...a.dealt];
    b.hands[0]!.cards = [...b.dealt];
    if (round.stage !== 'deal') {
      round.turn = null;
      this.#readFirstCards([a, b]);
      this.#goOn();
    }
    return ACCEPTED;
  }

  /** art. 6.1, r.19: the bank drew when it must not. */
  #drawWrong({ card = '', shown = true }: AuditedDeed): Refusals {
    if (this.#isPortugal && this.#round.stage === 'turns') {
      return this.#misdraw({ do: shown ? 'misdrawSeen' : 'misdrawUnseen', card });
    }
    const { stage, bank, isBankShown, isVoided } = this.#round;
    // r.22: with nobody left in play it abstains from a third card, whatever its two are.
    const hasPlayed = isBankShown || (this.#isPortugal && bank.length > 1);
    const hasBankFinished = hasPlayed && (stage === 'over' || stage === 'spare');
    if (!hasBankFinished || isVoided) return ['not-allowed'];
    this.#pack.draw();
    if (this.#options.wrongDealerCard === 'validIfUnseen' && !shown) this.#pack.kept = String(card);
    else this.#pack.burned.push(String(card));
    return ACCEPTED;
  }

  /** r.17: the bank's second card was turned while it was dealt. */
  #replaceBankSecond(): Refusals {
    const round = this.#round;
    const { bank, additional, isSecondKnown } = round;
    if (!this.#isPortugal || bank.length !== 2 || additional > 0 || isSecondKnown) return ['not-allowed'];
    this.#pack.burned.push(bank.pop()!);
    round.queue.unshift({ to: 'bank' });
    return ACCEPTED;
  }

  /**
   * r.18: a card drawn against the wish of a player: unseen, it goes to the next who asks; turned,
   * it is annulled.
   */
  #misdraw({ do: what, card }: AuditedDeed): Refusals {
    const { stage } = this.#round;
    if (!this.#isPortugal) return ['off'];
    if (stage !== 'turns' && stage !== 'bank') return ['not-allowed'];
    this.#pack.draw();
    if (what === 'misdrawSeen') this.#pack.burned.push(String(card));
    else this.#pack.kept = String(card);
    this.#takeKept();
    return ACCEPTED;
  }

  // ---- what it has found ----

  /** Procedure 3: what is asked before the bank looks at its second card (art. 5.2.3.3). */
  isBeforeLook(): boolean {
    return this.#round.hasLook && this.#round.stage === 'offers';
  }

  lines(): readonly AuditedLine[] | null {
    return this.#round.lines;
  }

  bank(): readonly string[] {
    return this.#round.bank;
  }

  hands(): Record<string, readonly (readonly string[])[]> {
    return Object.fromEntries(
      this.#round.seats.map(({ seat, hands }) => [String(seat), hands.map(({ cards }) => cards)]),
    );
  }

  burned(): readonly string[] {
    return this.#pack.burned;
  }

  after(): Aftermath {
    const { kept, cutBy, warningFromEnd, isEnded } = this.#pack;
    const streak: Record<string, number> = {};
    for (let seat = 1; seat <= 12; seat++) streak[String(seat)] = this.#streaks.button(seat);
    const jackpot = this.#jackpot?.meter ?? null;
    return { streak, jackpot, shoeEnded: isEnded, next: kept, cutBy, warningFromEnd };
  }
}
