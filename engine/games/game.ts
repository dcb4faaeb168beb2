import type { Card } from '../core/cards.ts';
import type { Rejection } from '../core/result.ts';
import type { Draft } from '../table/draft.ts';
import type { InputOf } from '../table/inputs.ts';
import type { SettlementLine } from '../table/settlement.ts';
import type { Bet, Hand, Placement, RoundState, TableState } from '../table/state.ts';
import type { Choice, DealerStep } from '../table/steps.ts';

export type GameId = 'blackjack' | 'baccarat' | 'casino-war';

/** What the table needs of the options of any game; amounts in minor units. */
export interface TableRules {
  readonly game: GameId;
  readonly decks: number;
  readonly seats: number;
  readonly cardSource: 'box' | 'shoe' | 'autoShuffler' | 'continuousShuffler';
  readonly min: number;
  readonly max: number;
  readonly step: number;
}

/** What the table cites itself, whatever the game; '' where the regulation has no such article. */
export type TableArticle =
  | 'cut'
  | 'endCard'
  | 'endOfShoe'
  | 'reshuffle'
  | 'stop'
  | 'shuffler'
  | 'loading'
  | 'feeding'
  | 'complaints'
  | 'jam'
  | 'deckCheck'
  | 'replacement'
  | 'decks'
  | 'burnAtStart'
  | 'burnEachRound'
  | 'dealOrder'
  | 'exposed'
  | 'misdeal'
  | 'bankDraws'
  | 'sideBets';

/** Where the next card goes. */
export type Due =
  | { readonly to: 'burn'; readonly why: 'start' | 'round' | 'before-bank-second' | 'war' }
  | {
      readonly to: 'seat';
      readonly seat: number;
      readonly hand: number;
      readonly additional: boolean;
      readonly faceDown?: true;
    }
  | { readonly to: 'bank'; readonly faceDown?: true }
  /** Baccarat's second hand. */
  | { readonly to: 'player-side' };

/** How a shoe is made ready before its first round, as the regulation and the options have it. */
export interface ShoeProcedure {
  /** All cards are shown in the open, by deck, before the first shoe. */
  readonly deckCheck: boolean;
  /** A shuffler takes the cards in at least this many packets, a supervisor present; 0 = they are just put in. */
  readonly packets: number;
  /** Who cuts the pack: nobody, whoever wants to, or the player whose turn it is and who may refuse. */
  readonly cut: 'none' | 'anyone' | 'in-turn';
  /** Cards from the end at which the end card is placed; null = none is. `least` alone: there or further forward. */
  readonly endCard: { readonly least: number; readonly most: number } | null;
  /** Cards burnt before the first round; 0 = none are. */
  readonly startBurn: number;
  /** The face of the first burnt card says how many are burnt, itself `included` or `added`; null = `startBurn` does. */
  readonly burnByFace: 'included' | 'added' | null;
  /** Rounds that may still be played after the one in which the end card came out. */
  readonly roundsAfterEnd: 0 | 1;
  /** First rounds of a shoe that may be shown without bets, at most so many; null = the regulation knows none. */
  readonly demoRounds: { readonly most: number; readonly cite: string } | null;
  /** One damaged card may be replaced without its deck. */
  readonly mayReplaceOne: boolean;
}

/** When a shuffler takes the cards of a round back, so that the shoe has no end; never = there is none. */
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

/**
 * One shared procedure per game, for all its regulations. The table knows cards, money, time and people; the game
 * knows bets, hands and results. Functions that take a `Draft` emit events; a rule refuses before its first event.
 */
export interface Game {
  readonly id: GameId;
  shoe(state: TableState): ShoeProcedure;
  // Asked of the shoe in every round, therefore no part of its procedure.
  cardsBack(state: TableState): CardsBack;
  /** The shoe serves one round. */
  isShoeOfOneRound(state: TableState): boolean;
  /** Cards a full table can need for a round: with fewer none is dealt. */
  reserve(state: TableState): number;
  /** A card that lay face up in the source counts as if it had not (`isFirst`: it is the first of its shoe). */
  isExposedValid(state: TableState, isFirst: boolean): boolean;
  /** How many cards are burnt before the first card of the round about to be dealt. */
  burnBeforeRound(state: TableState): number;

  /** Cards are dealt for these bets; without such a bet there is no round. */
  isRound(bets: readonly Bet[]): boolean;
  /** Kinds of bets this table takes today, the main one first. */
  bets(state: TableState): readonly string[];
  /** Smallest and greatest amount one placement may add to what the bettor has there, credit apart; most < least = none. `step`: absent = the table's. */
  betRange(
    state: TableState,
    bets: readonly Bet[],
    at: { readonly seat: number; readonly by: number; readonly bet: string },
  ): { readonly least: number; readonly most: number; readonly step?: number };
  /** Refusal of one placement on top of `bets`, which may already hold others of the same touch; credit is the table's. */
  refuseBet(state: TableState, bets: readonly Bet[], laid: Laid): Rejection | null;
  /** Why the bets cannot be closed yet, with the seat that must act (art. 13.5.2.vi). */
  refuseClosing(state: TableState): (Rejection & { readonly seat: number }) | null;

  /** Bets that outlive a round (art. 13.5), where the game knows them. */
  readonly series?: {
    /** Refusal of the word that this bettor has left and gives up what he has open. */
    refuseForfeit(state: TableState, seat: number, by: number): Rejection | null;
    /** Somebody who has left could be declared so now. */
    mayForfeit(state: TableState): boolean;
    /** Nobody bets, but something was given up: settles that without a round; false = nothing was. */
    settleForfeits(draft: Draft): boolean;
  };

  /** The one card due in an open round, null where none is: nothing else may leave the shoe. */
  due(round: RoundState, state: TableState): Due | null;
  /** The bets become final with the first card. */
  beginDeal(draft: Draft): void;
  /** What follows from a card that has just found its place. */
  afterCard(draft: Draft): void;
  /** First cards were given to whom they were due. */
  afterSwap(draft: Draft): void;
  /** A decision of a seat: refused with its reason, or turned into events and whatever follows from them. */
  play(draft: Draft, input: InputOf<'decide'>): Rejection | null;
  /** The lawful default of a decision that was not made in time. */
  passDecision(draft: Draft): void;
  /** The deadline answers for whoever has not. */
  passOffers(draft: Draft): void;
  /** A cancelled round: every stake of it goes back whole. */
  refundLines(round: RoundState, state: TableState): SettlementLine[];

  /** `aceLocked`: as in `Hand`. */
  readHand(cards: readonly Card[], aceLocked?: boolean): HandReading;
  /** How many cards of a hand lie face up, before those that lie face down; absent = all of every hand do. */
  cardsUp?(state: TableState, round: RoundState, hand: Hand): number;
  /** The dealer's next step while cards are dealt, offers stand or decisions are made. */
  step(state: TableState): DealerStep;
  /** The decisions the panel of a seat shows now. */
  choices(state: TableState, seat: number): Choice[];
  /** A profile has come into force. */
  configured?(draft: Draft): void;
  /** The cards of the round have been cancelled and the stakes given back. */
  voided?(draft: Draft): void;
  /** Why the bank's card that lies face down cannot be replaced now; absent = the game knows no such rule. */
  refuseReplacingSecond?(state: TableState): Rejection | null;
  /** A card the bank drew when it must not: kept for the next who is due one, or void. Null = this game has no such rule. */
  wrongCard(state: TableState, card: Card, shown: boolean): 'kept' | 'void' | null;
}
