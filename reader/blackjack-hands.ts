import { total } from './blackjack-cards.ts';

/**
 * Under which modality a bet was doubled: art. 17.1.1, 17.1.2, 17.1.3 (2009), 17.1 and 17.2 (2004),
 * r.29 and r.31.
 */
export type Modality = 'anyTwo' | 'afterSplit' | 'eleven' | 'nineTenEleven';

export class Hand {
  cards: string[] = [];
  /**
   * open: still to be played · stood: its player is done with it, or no card may follow · bust ·
   * blackjack · surrendered · half: paid for five cards · prize: closed by the special prize
   */
  state: 'open' | 'stood' | 'bust' | 'blackjack' | 'surrendered' | 'half' | 'prize' = 'open';
  fromSplit = false;
  splitAces = false;
  doubled: Modality | null = null;
  /** First cards whose aces count one (r.32). */
  boundAces = 0;
  /** What each bettor has on this hand, key = bettor. */
  stakes = new Map<number, number>();
  /**
   * New bets on this split hand being a pair (art. 13.1.2), laid before its second card; null = not
   * asked yet.
   */
  pairBets: Map<number, number> | null = null;
  /** The special prize each bettor has received on this hand; null = none. */
  prizes: Map<number, number> | null = null;
  /** Bettors who took the offer of art. 10.7. */
  losesOriginalOnly = new Set<number>();

  get total(): number {
    return total(this.cards, this.boundAces);
  }

  /** Nothing the bank does can change it: arts. 15, 18, 19. */
  get isPaid(): boolean {
    return this.state === 'surrendered' || this.state === 'half' || this.state === 'prize';
  }
}

export interface Bettor {
  readonly by: number;
  /** The bet made before the deal. */
  readonly original: number;
  insurance: number;
  /** Said no to insurance: a decision cannot be recalled (art. 6.3). */
  declined: boolean;
  evenMoney: boolean;
}

export class Seat {
  readonly seat: number;
  /** Nearest to the bank first. */
  readonly bettors: Bettor[];
  /** The one who decides for the seat's hands. */
  readonly decider: number;
  hands: Hand[] = [new Hand()];
  /** All cards of the seat in the order dealt. */
  dealt: string[] = [];
  /** What called for the first card after the two initial ones. */
  thirdBy: 'hit' | 'double' | 'split' | null = null;
  /** Pairs on split hands so far (art. 13.1.2). */
  laterPairs = 0;
  /** New bets on such pairs, decided. */
  readonly laterPairBets: { readonly by: number; readonly amount: number; readonly isWon: boolean }[] = [];
  /** art. 16.5: a further split was possible and declined. */
  declinedResplit = false;
  /** Cards beyond the first two. */
  additional = 0;

  constructor(seat: number, bettors: Bettor[], decider: number) {
    this.seat = seat;
    this.bettors = bettors;
    this.decider = decider;
    for (const { by, original } of bettors) this.hands[0]!.stakes.set(by, original);
  }

  bettor(by: number): Bettor | undefined {
    return this.bettors.find((bettor) => bettor.by === by);
  }
}
