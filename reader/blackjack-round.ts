import type { AuditedBet, AuditedLine, Leaver } from './auditor.ts';
import { isAce, isTen } from './blackjack-cards.ts';
import type { Hand, Seat } from './blackjack-hands.ts';
import type { BlackjackOptions } from './blackjack-options.ts';

export type CardPlace =
  | { readonly to: 'burn' | 'bank' }
  | { readonly to: 'seat'; readonly seat: number; readonly hand: number };

/** A bettor who is asked and has not answered yet. */
export interface Invitation {
  readonly seat: number;
  readonly by: number;
}

/**
 * bets · deal: the first cards · offers: insurance, even money, and surrender where no look comes
 * between · look: procedure 3 · surrender: after the look · turns · pair: a new bet on a split hand
 * (option `newBet`, art. 13.1.2) · follow: complementary bettors say whether they raise too (r.28,
 * r.30) · bank · spare: art. 10.7 · over
 */
export type Stage =
  | 'bets'
  | 'deal'
  | 'offers'
  | 'look'
  | 'surrender'
  | 'turns'
  | 'pair'
  | 'follow'
  | 'bank'
  | 'spare'
  | 'over';

/** One round at the table: what lies there, and what is waited for. */
export class Round {
  readonly isPortugal: boolean;
  readonly options: BlackjackOptions;
  /** Seats that are taken; null = the seat of everybody who bets. */
  readonly seated: readonly number[] | null;
  stage: Stage = 'bets';
  bets: AuditedBet[] = [];
  /** A card has left the pack for it. */
  isBegun = false;
  /** In order from the left of the bank. */
  seats: Seat[] = [];
  bank: string[] = [];
  /** Where the next cards go. */
  queue: CardPlace[] = [];
  invited: Invitation[] = [];
  /** Places of the cards that nothing has followed which stands (art. 5.1.1), the last one last. */
  fresh: CardPlace[] = [];
  turn: { readonly seat: Seat; readonly hand: Hand } | null = null;
  /**
   * The raise the complementary bettors are asked about; `hand` = the doubled hand, or the new one
   * of a split.
   */
  following: { readonly act: 'followDouble' | 'followSplit'; readonly hand: Hand } | null = null;
  /**
   * Cards dealt to seats beyond the first two: they end the offers (arts. 12, 18.2, r.33, r.36).
   */
  additional = 0;
  /** The bank's second card is known: turned, or looked at without a blackjack. */
  isSecondKnown = false;
  /** The bank has shown its hand and announced its total. */
  isBankShown = false;
  /** Bettors of a series who are gone; null = nobody says who is. */
  left: readonly Leaver[] | null = null;
  forfeits: AuditedLine[] = [];
  lines: AuditedLine[] | null = null;
  isVoided = false;

  constructor(isPortugal: boolean, options: BlackjackOptions, seated: readonly number[] | null) {
    this.isPortugal = isPortugal;
    this.options = options;
    this.seated = seated;
  }

  /** The bank's open card. */
  get up(): string {
    return this.bank[0]!;
  }

  get canBankMakeBlackjack(): boolean {
    return isAce(this.up) || isTen(this.up);
  }

  /**
   * Procedure 3 of 2009; Portugal's bank has a second card face down as well but does not look at
   * it (r.17).
   */
  get hasLook(): boolean {
    return this.options.dealing === 'holeCard' && !this.isPortugal;
  }

  seat(seat: number): Seat | undefined {
    return this.seats.find((one) => one.seat === seat);
  }

  seatOf(hand: Hand): Seat {
    return this.seats.find(({ hands }) => hands.includes(hand))!;
  }

  isInvited(seat: Seat, by: number): boolean {
    return this.invited.some((one) => one.seat === seat.seat && one.by === by);
  }

  hasAnswered(seat: Seat, by: number): void {
    this.invited = this.invited.filter((one) => one.seat !== seat.seat || one.by !== by);
  }

  /** The hand in turn is to receive a card. */
  owe(hand: Hand): void {
    const { seat } = this.turn!;
    this.queue.push({ to: 'seat', seat: seat.seat, hand: seat.hands.indexOf(hand) });
  }
}
