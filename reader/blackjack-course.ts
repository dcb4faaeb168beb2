import type { Due } from './auditor.ts';
import { mustBankDraw, needsSecondCard, needsThirdCard } from './blackjack-bank.ts';
import { earnsSpecialPrize, isAce, isPair, makesBlackjack } from './blackjack-cards.ts';
import type { Hand, Seat } from './blackjack-hands.ts';
import { Jackpot } from './blackjack-jackpot.ts';
import { type BlackjackOptions, type BlackjackRulebook, completed } from './blackjack-options.ts';
import { Pack } from './blackjack-pack.ts';
import { invitations, ofSplitting, spareInvitations } from './blackjack-refusals.ts';
import { type CardPlace, Round } from './blackjack-round.ts';
import { handLines, resultOf, sideBetLines } from './blackjack-settle.ts';
import { Streaks } from './blackjack-streak.ts';

/**
 * The course of a round, from its first card to its settlement (arts. 4 to 7; r.10, r.17 to r.22):
 * where each card goes, who is asked, when the bank plays.
 */
export class Course {
  readonly isPortugal: boolean;
  readonly options: BlackjackOptions;
  readonly streaks = new Streaks();
  readonly jackpot: Jackpot | null;
  readonly pack: Pack;
  round: Round;

  /** @param given the options of the rulebook, complete */
  constructor(rulebook: BlackjackRulebook, given: Readonly<Record<string, unknown>>) {
    this.isPortugal = rulebook === 'portugal-blackjack';
    this.options = completed(rulebook, given);
    this.jackpot = this.options.jackpot ? new Jackpot(this.options.jackpot) : null;
    this.pack = new Pack(this.options);
    this.round = new Round(this.isPortugal, this.options, null);
    this.round.stage = 'over';
  }

  beginDeal(): void {
    const { round } = this;
    const { burnEachRound, dealing, cardSource, dealerCardPass } = this.options;
    const seats = round.seats.map(({ seat }) => ({ to: 'seat' as const, seat, hand: 0 }));
    const bank = { to: 'bank' as const };
    round.stage = 'deal';
    // art. 4.2: at the start of every following round.
    if (burnEachRound !== 'none' && this.pack.rounds > 0) round.queue.push({ to: 'burn' });
    if (dealing === 'holeCard' || cardSource === 'box') {
      // art. 5.2.1.2, 5.2.3, r.17: the bank's second card with the others, face down.
      round.queue.push(...seats, bank, ...seats, bank);
    } else if (dealerCardPass === 1) {
      round.queue.push(...seats, bank, ...seats);
    } else {
      round.queue.push(...seats, ...seats, bank);
    }
    this.takeKept();
  }

  due(): Due {
    const { queue, stage, invited, turn } = this.round;
    if (this.pack.startBurns > 0) return { to: 'burn' };
    if (queue[0]) return queue[0];
    if (stage === 'bets') return { to: 'bets' };
    if (invited.length > 0) return { to: 'offers', seats: [...new Set(invited.map(({ seat }) => seat))] };
    if (!turn) return { to: 'over' };
    return { to: 'decision', seat: turn.seat.seat, hand: turn.seat.hands.indexOf(turn.hand) };
  }

  card(card: string, faceUp = false): void {
    const pack = this.pack;
    const isFirst = pack.draw();
    const place: CardPlace | undefined = pack.startBurns > 0 ? { to: 'burn' } : this.round.queue[0];
    if (!place) throw new Error(`${card}: no card is due`);
    if (pack.startBurns === 0) this.#begin();
    if (faceUp && this.#isInvalid(place, isFirst)) {
      pack.burned.push(card);
    } else if (pack.startBurns > 0) {
      pack.startBurns -= 1;
      pack.burned.push(card);
    } else {
      this.#give(card);
      this.takeKept();
    }
  }

  #begin(): void {
    if (!this.round.isBegun) this.pack.rounds += 1;
    this.round.isBegun = true;
  }

  /**
   * A card that lay face up in the source: art. 5.1.1; Portugal knows only the bank's second card
   * (r.17).
   */
  #isInvalid(place: CardPlace, isFirst: boolean): boolean {
    const { stage, bank } = this.round;
    if (this.isPortugal) return stage === 'deal' && place.to === 'bank' && bank.length === 1;
    return !(isFirst && this.options.exposedFirstCardValid);
  }

  /** The card goes where the next one is due. */
  #give(card: string): void {
    const { round } = this;
    const place = round.queue.shift()!;
    round.fresh.push(place);
    switch (place.to) {
      case 'burn':
        this.pack.burned.push(card);
        break;
      case 'bank':
        round.bank.push(card);
        break;
      case 'seat':
        this.#giveToSeat(round.seat(place.seat)!, place.hand, card);
    }
    if (round.queue.length === 0) this.goOn();
  }

  #giveToSeat(seat: Seat, at: number, card: string): void {
    const { round } = this;
    const hand = seat.hands[at]!;
    hand.cards.push(card);
    seat.dealt.push(card);
    if (round.stage === 'deal') return;
    round.additional += 1;
    seat.additional += 1;
    if (hand.fromSplit && hand.cards.length === 2) this.#readLaterPair(seat, hand);
    this.closeIfFinished(seat, hand);
  }

  /** art. 13.1.2: the second, third … pair. */
  #readLaterPair(seat: Seat, hand: Hand): void {
    const isWon = isPair(hand.cards);
    if (isWon) seat.laterPairs += 1;
    for (const [by, amount] of hand.pairBets ?? []) seat.laterPairBets.push({ by, amount, isWon });
  }

  /** The card that was kept goes where the next card goes (art. 6.1, r.18). */
  takeKept(): void {
    const { kept, startBurns } = this.pack;
    if (kept === null || this.round.queue.length === 0 || startBurns > 0) return;
    this.pack.kept = null;
    this.#begin();
    this.#give(kept);
    this.takeKept();
  }

  /** Whether a hand that has just received a card can go on. */
  closeIfFinished(seat: Seat, hand: Hand): void {
    const { specialPrize, specialPrizeMode, fiveCards } = this.options;
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
    else if (hand.splitAces) hand.state = ofSplitting(this.round, hand).length === 0 ? 'open' : 'stood';
    else if (hand.total === 21) {
      // art. 6.4.1, r.18: no card at 21; but five cards may ask for their half (art. 19.1).
      const mayAskHalf = fiveCards && hand.cards.length === 5 && !isAce(this.round.up);
      hand.state = mayAskHalf ? 'open' : 'stood';
    }
  }

  /** art. 15, r.35: three times the bet, at once, to everybody who has one on the hand. */
  #paySpecialPrize(seat: Seat, hand: Hand): void {
    const isOfStake = this.options.specialPrizeBase === 'stake';
    this.round.fresh = [];
    hand.prizes = new Map(
      [...hand.stakes].map(([by, stake]) => [by, 3 * (isOfStake ? stake : seat.bettor(by)!.original)]),
    );
  }

  /** From one moment at which somebody must do something to the next. */
  goOn(): void {
    const { round } = this;
    for (;;) {
      switch (round.stage) {
        case 'deal':
          this.readFirstCards(round.seats);
          break;
        case 'offers':
          if (round.invited.length > 0) return;
          round.stage = round.hasLook ? 'look' : 'turns';
          break;
        case 'look':
          // art. 5.2.3.3: an ace or a ten, and the bank looks whether it has blackjack.
          if (round.canBankMakeBlackjack) {
            round.isSecondKnown = true;
            round.fresh = [];
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
  readFirstCards(seats: readonly Seat[]): void {
    for (const { hands } of seats) {
      // r.17: the bank's second card came anew after they had given up.
      if (hands[0]!.state === 'surrendered') continue;
      hands[0]!.state = makesBlackjack(hands[0]!.cards) ? 'blackjack' : 'open';
    }
    this.round.stage = 'offers';
    this.round.invited = invitations(this.round);
  }

  /** art. 6.3, r.18: from the left, one seat after the other, its hands from the left too. */
  #nextHand(): boolean {
    const { round } = this;
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
    const { round } = this;
    if (this.options.anyPairResplit !== 'newBet' || hand.pairBets !== null) return false;
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
    const { round } = this;
    if (round.bank.length === 1 && needsSecondCard(round)) {
      // art. 4.2: one more before the bank's second open card.
      if (this.options.burnEachRound === 'oneAndBeforeDealerSecond') round.queue.push({ to: 'burn' });
      round.queue.push({ to: 'bank' });
      return true;
    }
    if (!needsSecondCard(round)) {
      this.#settle();
      return true;
    }
    // A card that lay face down is turned.
    if (round.hasLook && !round.isBankShown) round.fresh = [];
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
    const { round } = this;
    const { seats, bank, bets } = round;
    this.end();
    const played = { options: this.options, seats, bank, bets };
    const lines = [...round.forfeits, ...handLines(played), ...sideBetLines(played)];
    for (const seat of seats) {
      // art. 18.3: giving up loses the streak too.
      const result = seat.hands[0]!.state === 'surrendered' ? 'lost' : resultOf(seat, bank, lines);
      lines.push(...this.streaks.settle(seat.seat, result));
    }
    const chips = bets.filter(({ bet }) => bet === 'jackpot');
    const cards = chips.map(({ seat }) => ({ seat, dealt: round.seat(seat)?.dealt ?? [] }));
    lines.push(...(this.jackpot?.settle(cards) ?? []));
    round.lines = lines;
  }

  end(): void {
    this.round.stage = 'over';
    this.round.turn = null;
    this.round.queue = [];
    this.round.invited = [];
    // r.18, r.19: nobody asked for the misdrawn card and the bank may not take it.
    if (this.isPortugal && this.pack.kept !== null) {
      this.pack.burned.push(this.pack.kept);
      this.pack.kept = null;
    }
  }
}
