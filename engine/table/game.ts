import type { Card } from '../core/cards.ts';
import type { Minor } from '../core/money.ts';
import type { Rejection } from '../core/result.ts';
import type { GameId, TableRules } from '../rules/rulebook.ts';
import type { GameBook } from '../rules/rules-page.ts';
import type { Draft } from './draft.ts';
import type { EventRow } from './event-row.ts';
import type { EventBodies, EventOf, EventType } from './events.ts';
import type { LastCard, SettlementFacts } from './events-round.ts';
import type { BurnReasons, FromShoe } from './events-shoe.ts';
import type { Act, InputOf, Person } from './inputs.ts';
import type { SettlementLine } from './settlement.ts';
import type { GameParts } from './shape.ts';
import type { GameSight } from './sight.ts';
import type { Bet, Hand, Placement, RoundSeat, RoundState, TableState } from './state.ts';
import type { Choice, DealerStep } from './steps.ts';
import type { Tally } from './tallies.ts';

/** Where the next card goes. */
export type Due =
  | { readonly to: 'burn'; readonly why: keyof BurnReasons }
  | {
      readonly to: 'seat';
      readonly seat: number;
      readonly hand: number;
      readonly additional: boolean;
      readonly faceDown?: true;
    }
  | { readonly to: 'bank'; readonly faceDown?: true }
  /** A hand on the table that is no seat's. */
  | { readonly to: 'side'; readonly side: string };

/** How a shoe is made ready before its first round, as the regulation and the options have it. */
export interface ShoeProcedure {
  /** All cards are shown in the open, by deck, before the first shoe. */
  readonly deckCheck: boolean;
  /**
   * A shuffler takes the cards in at least this many packets, a supervisor present; 0 = they are
   * just put in.
   */
  readonly packets: number;
  /**
   * Who cuts the pack: nobody, whoever wants to, or the player whose turn it is and who may refuse.
   */
  readonly cut: 'none' | 'anyone' | 'in-turn';
  /**
   * Cards from the end at which the end card is placed; null = none is. `least` alone: there or
   * further forward.
   */
  readonly endCard: { readonly least: number; readonly most: number } | null;
  /** Cards burnt before the first round; 0 = none are. */
  readonly startBurn: number;
  /**
   * The face of the first burnt card says how many are burnt, itself `included` or `added`; null =
   * `startBurn` does.
   */
  readonly burnByFace: 'included' | 'added' | null;
  /** Rounds that may still be played after the one in which the end card came out. */
  readonly roundsAfterEnd: 0 | 1;
  /**
   * First rounds of a shoe that may be shown without bets, at most so many; null = the regulation
   * knows none.
   */
  readonly demoRounds: { readonly most: number; readonly cite: string } | null;
  /** Cards that are not perfect are replaced at once, else when the shoe has ended. */
  readonly replacesAnyTime: boolean;
  /** One damaged card may be replaced without its deck. */
  readonly mayReplaceOne: boolean;
}

/**
 * When a shuffler takes the cards of a round back, so that the shoe has no end; never = there is
 * none.
 */
export type CardsBack = 'never' | 'at-close' | 'fed-by-dealer';

export type Laid = Omit<Placement, 'batch'>;

/** What the cards of one hand are worth in a game, for those who show it. */
export interface HandReading {
  /** War: the rank of the last card, 2 to 14. Null without cards. */
  readonly points: number | null;
  /** Blackjack: an ace counts eleven · the first two cards are a blackjack · more than 21. */
  readonly soft: boolean;
  readonly blackjack: boolean;
  readonly busted: boolean;
}

/** A bet of a series that lies on the table from round to round. */
export interface OpenBet {
  readonly seat: number;
  readonly by: number;
  readonly amountMinor: Minor;
}

/**
 * What a game shows beside what every table does; each game adds its members by `declare module`.
 */
export interface GameView {}
/** The same of a seat. */
export interface GameSeatView {}

/** Changes that a kind of event brings to what a game keeps, after those to the table. */
type Also = { readonly [Type in EventType]?: (state: TableState, event: EventOf<Type>) => void };

/**
 * One shared procedure per game, for all its regulations. The table knows cards, money, time and
 * people; the game knows bets, hands and results. Functions that take a `Draft` emit events; a rule
 * refuses before its first event.
 */
export interface Game {
  readonly id: GameId;
  /** Its regulations and the page of its rules. */
  readonly book: GameBook;
  /** One for each event that it adds to `EventBodies`. */
  readonly rows: { readonly [Type in EventType]?: EventRow<Type, EventBodies[Type]> };
  readonly also?: Also;
  /**
   * What a state holds of it while it is played; absent of the games that `ledger-shape.ts` has in
   * every state.
   */
  readonly parts?: GameParts;
  /** How far its law tells states apart; absent = simulation plays every round live. */
  readonly sight?: GameSight;
  /** The decisions it knows. */
  readonly acts: readonly Act[];

  shoe(state: TableState): ShoeProcedure;
  // Asked of the shoe in every round, therefore no part of its procedure.
  cardsBack(state: TableState): CardsBack;
  /** The shoe serves one round. */
  isShoeOfOneRound(state: TableState): boolean;
  /** Cards a full table can need for a round: with fewer none is dealt. */
  reserve(state: TableState): number;
  /**
   * A card that lay face up in the source counts as if it had not (`isFirst`: it is the first of
   * its shoe).
   */
  isExposedValid(state: TableState, isFirst: boolean): boolean;
  /** How many cards are burnt before the first card of the round about to be dealt. */
  burnBeforeRound(state: TableState): number;

  /** Cards are dealt for these bets; without such a bet there is no round. */
  isRound(bets: readonly Bet[]): boolean;
  /** Kinds of bets this table takes today, the main one first. */
  bets(state: TableState): readonly string[];
  /**
   * Smallest and greatest amount one placement may add to what the bettor has there, credit apart;
   * most < least = none. `step`: absent = the table's.
   */
  betRange(
    state: TableState,
    bets: readonly Bet[],
    at: { readonly seat: number; readonly by: number; readonly bet: string },
  ): { readonly least: number; readonly most: number; readonly step?: number };
  /**
   * Refusal of one placement on top of `bets`, which may already hold others of the same touch;
   * credit is the table's.
   */
  refuseBet(state: TableState, bets: readonly Bet[], laid: Laid): Rejection | null;
  /** Why the bets cannot be closed yet, with the seat that must act (art. 13.5.2.vi). */
  refuseClosing(state: TableState): (Rejection & { readonly seat: number }) | null;

  /**
   * A settled round cannot be closed before the prize of this seat has been paid by hand (r.49);
   * null or absent = it can.
   */
  unpaidPrize?(state: TableState): { readonly seat: number; readonly cite: string } | null;

  /** Bets that outlive a round (art. 13.5), where the game knows them. */
  readonly series?: {
    /** What lies open. */
    open(state: TableState): readonly OpenBet[];
    /** Refusal of the word that this bettor has left and gives up what they have open. */
    refuseForfeit(state: TableState, seat: number, by: number): Rejection | null;
    /**
     * Somebody who has left could be declared so now: what is open would be lost, or come back;
     * null = nobody could.
     */
    mayForfeit(state: TableState): 'lost' | 'returned' | null;
    /**
     * What a bettor may not take away, because the series asks for a bet of theirs in the next
     * round.
     */
    keptMinor(state: TableState, by: number): number;
    /** A supervisor says so. */
    forfeit(draft: Draft, seat: number, by: number, person: Person): void;
    /**
     * Nobody bets, but something was given up: settles that without a round; false = nothing was.
     */
    settleForfeits(draft: Draft): boolean;
  };

  /** The one card due in an open round, null where none is: nothing else may leave the shoe. */
  due(round: RoundState, state: TableState): Due | null;
  /** The bets become final with the first card. */
  beginDeal(draft: Draft): void;
  /** A card goes to a hand that is no seat's. */
  dealToSide?(draft: Draft, card: FromShoe, side: string): void;
  /** What follows from a card that has just found its place. */
  afterCard(draft: Draft): void;
  /**
   * First cards of these two may still be given to whom they were due. Absent = while their hands
   * are open.
   */
  maySwap?(round: RoundState, from: RoundSeat, to: RoundSeat): boolean;
  /** The open card of the bank may still be given for the first one of a seat. Absent = never. */
  maySwapBank?(round: RoundState): boolean;
  /** First cards were given to whom they were due. */
  afterSwap(draft: Draft): void;
  /**
   * A decision of a seat: refused with its reason, or turned into events and whatever follows from
   * them.
   */
  play(draft: Draft, input: InputOf<'decide'>): Rejection | null;
  /** The lawful default of a decision that was not made in time. */
  passDecision(draft: Draft): void;
  /** The deadline answers for whoever has not. */
  passOffers(draft: Draft): void;
  /** What it adds to the settlement of the round. */
  settlementFacts?(state: TableState): SettlementFacts;
  /**
   * The round about to be settled as the last rounds on the table show it, of open cards alone;
   * null = no cards were dealt. Absent = the game shows none, or shows them in its own way.
   */
  tally?(round: RoundState, lines: readonly SettlementLine[]): Tally | null;
  /** A cancelled round: every stake of it goes back whole. */
  refundLines(round: RoundState, state: TableState): SettlementLine[];

  /** `hand`: the one of a seat they belong to. */
  readHand(cards: readonly Card[], hand?: Hand): HandReading;
  /**
   * How many cards of a hand lie face up, before those that lie face down; absent = all of every
   * hand do.
   */
  cardsUp?(state: TableState, round: RoundState, hand: Hand): number;
  /** The cards of this hand, or some of them, lie face down. */
  liesFaceDown?(state: TableState, round: RoundState, hand: Hand): boolean;
  /** How many cards of a hand that lies face down do not. */
  openCards?(rules: TableRules): number;
  /**
   * What it shows beside what every table does, of any table: a member is null where another game
   * is played.
   */
  view?(state: TableState): Partial<GameView>;
  viewSeat?(state: TableState, seat: number): Partial<GameSeatView>;
  /** The dealer's next step while cards are dealt, offers stand or decisions are made. */
  step(state: TableState): DealerStep;
  /** The decisions the panel of a seat shows now. */
  choices(state: TableState, seat: number): Choice[];
  /**
   * What a bettor may note ahead for a hand, in a state in which its turn has come. Absent =
   * nothing.
   */
  choicesAhead?(state: TableState, by: number): Choice[];
  /**
   * What a bettor has at stake in the round beside bets and hands, less what has gone back from a
   * hand.
   */
  besideMinor?(round: RoundState, by: number): number;
  /** What the table owes on accounts that are this game's own, whatever is played now. */
  owes?(state: TableState): readonly (readonly [account: string, amountMinor: number])[];
  /** A profile has come into force. */
  configured?(draft: Draft): void;
  /** The cards of the round have been cancelled and the stakes given back. */
  voided?(draft: Draft): void;
  /**
   * Of a round with a card on the table; null = what the last one has led to cannot be undone.
   * Absent = none can be named again.
   */
  findLastCard?(state: TableState): LastCard | null;
  /** art. 5.1.1: absent = a card that comes out face up is valid in this game. */
  refuseTakingBack?(state: TableState): Rejection | null;
  /** Additional cards at the wrong seats; absent = nobody's can be exchanged. */
  readonly additional?: {
    maySwap(state: TableState, from: RoundSeat, to: RoundSeat, place: number | undefined): boolean;
    afterSwap(draft: Draft, seats: readonly number[]): void;
  };
  /**
   * Why the bank's card that lies face down cannot be replaced now; absent = the game knows no such
   * rule.
   */
  readonly bankSecond?: {
    refuseReplacing(state: TableState): Rejection | null;
    replace(draft: Draft, person: Person): void;
  };
  /**
   * A card the bank drew when it must not: kept for the next who is due one, or void. Null = this
   * game has no such rule.
   */
  wrongCard(state: TableState, card: Card, shown: boolean): 'kept' | 'void' | null;
}
