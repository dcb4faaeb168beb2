import type { Opening } from './auditor.ts';
import type { BlackjackOptions } from './blackjack-options.ts';

/**
 * The cards in box, shoe or shuffler, as far as the rules look at them (arts. 2, 4, 5.1.1; r.8-11,
 * r.52, r.56).
 */
export class Pack {
  readonly #options: BlackjackOptions;
  /** Cards still to be burnt before the first round (art. 4.1, r.10). */
  startBurns = 0;
  /** Rounds dealt since the pack was made ready; a table is found in the middle of a shoe. */
  rounds = 1;
  /** The card that lies there drawn and unseen: the next to be dealt (art. 6.1, r.18). */
  kept: string | null = null;
  burned: string[] = [];
  cutBy: number | 'supervisor' | null = null;
  warningFromEnd: number | null = null;
  #drawn = 1;
  /** Made ready, and no round opened since: its burnt cards belong to the first one. */
  #isFresh = false;
  #hasEndCardCome = false;

  constructor(options: BlackjackOptions) {
    this.#options = options;
  }

  makeReady(opening: Opening): void {
    const { burnAtStart, decks, cardSource } = this.#options;
    this.startBurns = burnAtStart === 'perDeck' ? decks : 1;
    this.rounds = 0;
    this.kept = null;
    this.burned = [];
    this.#drawn = 0;
    this.#isFresh = true;
    this.#hasEndCardCome = false;
    const isShoe = cardSource === 'shoe'; // r.52: a shuffler has no cut and no warning card
    const seated = [...(opening.seated ?? [])].sort((a, b) => a - b);
    this.cutBy = isShoe ? this.#whoCuts(seated, opening) : null;
    // r.9: near the 50th card from the end, with one player near the middle.
    this.warningFromEnd = isShoe ? (seated.length === 1 ? decks * 26 : 50) : null;
  }

  /**
   * r.8: the lowest seat at the start, then the others in their order; nobody = the supervisor, and
   * it starts afresh.
   */
  #whoCuts(seated: readonly number[], { refuse = [], restart = false }: Opening): number | 'supervisor' {
    const last = restart || typeof this.cutBy !== 'number' ? 0 : this.cutBy;
    const order = [...seated.filter((seat) => seat > last), ...seated.filter((seat) => seat <= last)];
    return order.find((seat) => !refuse.includes(seat)) ?? 'supervisor';
  }

  beginRound(): void {
    if (!this.#isFresh) this.burned = [];
    this.#isFresh = false;
  }

  /** arts. 2.2.1, r.11: the round that sees it is the last; before a round, that round. */
  endCard(): void {
    this.#hasEndCardCome = true;
  }

  /**
   * arts. 2.2.1, 2.2.3, 2.2.4; r.11, r.56: whether the round just finished was the last of the
   * pack.
   */
  get isEnded(): boolean {
    const { cardSource } = this.#options;
    return cardSource === 'box' || (cardSource === 'shoe' && this.#hasEndCardCome);
  }

  /** A card leaves the pack. @returns whether it is the very first one (art. 5.1.1) */
  draw(): boolean {
    this.#drawn += 1;
    return this.#drawn === 1;
  }
}
