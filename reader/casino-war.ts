/**
 * The auditor's own reading of «Desafio ao Casino» (Casino War), Despacho 74/2005. The headings of
 * the articles are lost in the text that is left; art. 1 to 7 are its seven blocks in their order:
 * material, opening, exposed card, order of the cards, deal, errors, results. Readings of what the
 * text leaves open are W-1 to W-8 of docs/regulations.
 */
import {
  ACCEPTED,
  type Aftermath,
  type AuditedAct,
  type AuditedBet,
  type AuditedDeed,
  type AuditedLine,
  type AuditedRulebook,
  type Auditor,
  type Due,
  type Refusals,
  type Unlawful,
} from './auditor.ts';

/** art. 4: ace, king, queen, jack, 10 … 2 in falling order; suits do not matter. */
const LOWEST_TO_HIGHEST = '23456789TJQKA';
const strength = (card: string): number => LOWEST_TO_HIGHEST.indexOf(card[0]!);

/** What one player has at stake and what became of it. */
interface Place {
  main: number;
  tie: number;
  cards: string[];
  choice: 'open' | 'half' | 'war' | null;
  mainNet: number | null;
  tieNet: number | null;
}

const newPlace = (): Place => ({
  main: 0,
  tie: 0,
  cards: [],
  choice: null,
  mainNet: null,
  tieNet: null,
});

class CasinoWarAuditor implements Auditor {
  readonly #seats: number;
  readonly #cardSource: unknown;
  readonly #tieBet: unknown;
  readonly #tieBettorMain: unknown;
  readonly #warBurn: unknown;
  readonly #min: number;
  readonly #max: number;
  readonly #mostOfTie: number;
  readonly #step: number;

  #whiteCardOut = false;
  #shoeEnded = false;
  #phase: 'none' | 'bets' | 'play' | 'over' = 'none';
  #places = new Map<number, Place>();
  #bank: string[] = [];
  #burned: string[] = [];
  /** Cards still to be burnt before the next card of the war. */
  #toBurn = 0;

  constructor(options: Readonly<Record<string, unknown>>, seats: number) {
    this.#seats = seats;
    this.#cardSource = options['cardSource'] ?? 'shoe';
    this.#tieBet = options['tieBet'] ?? true;
    this.#tieBettorMain = options['tieBettorMain'] ?? 'push';
    this.#warBurn = options['warBurn'] ?? 'perCard';
    this.#min = Number(options['min'] ?? 1_000);
    this.#max = Number(options['max'] ?? 1_000_000);
    this.#mostOfTie = Math.min(Number(options['sideBetMax'] ?? this.#max), this.#max);
    this.#step = Number(options['step'] ?? 1_000);
  }

  newShoe(): void {
    // art. 2 burns no card at the start.
    this.#whiteCardOut = false;
    this.#shoeEnded = false;
  }

  openRound(): void {
    this.#phase = 'bets';
    this.#places = new Map();
    this.#bank = [];
    this.#burned = [];
    this.#toBurn = 0;
  }

  bet({ seat, by, bet, amount }: AuditedBet): Refusals {
    const why: string[] = [];
    if (this.#phase !== 'bets') return ['too-late', 'not-allowed', 'round-over'];
    // art. 5.1: players bet against the croupier; no article lets one bet on another's card.
    if (by !== seat) why.push('not-own-seat', 'not-allowed', 'off');
    if (!(seat >= 1 && seat <= this.#seats)) why.push('not-allowed');
    // art. 7: the initial bet, and the bet on the tie where the table offers it.
    if (bet !== 'main' && bet !== 'tie') why.push('off');
    if (bet === 'tie' && this.#tieBet !== true) why.push('off');
    const place = this.#places.get(seat);
    // art. 7.1, 7.3: the bet on the tie accompanies an initial bet (W-7).
    if (bet === 'tie' && !place?.main) why.push('no-main');
    // The table's limits hold for each bet, the bet on the tie too (W-7), which the house may limit
    // more.
    const most = bet === 'tie' ? this.#mostOfTie : this.#max;
    const total = amount + (bet === 'tie' ? (place?.tie ?? 0) : (place?.main ?? 0));
    if (!Number.isSafeInteger(amount) || amount <= 0 || total < this.#min || total > most)
      why.push('out-of-range');
    if (amount % this.#step !== 0) why.push('step');
    if (why.length > 0) return why;

    const mine = place ?? newPlace();
    if (bet === 'main') mine.main = total;
    else mine.tie = total;
    this.#places.set(seat, mine);
    return ACCEPTED;
  }

  lay(bets: readonly AuditedBet[]): Unlawful | null {
    // A bet on the tie is judged beside its initial bet.
    for (const bet of [...bets].sort((a, b) => Number(a.bet === 'tie') - Number(b.bet === 'tie'))) {
      const reasons = this.bet(bet);
      if (reasons.length > 0) return { bet, reasons };
    }
    return null;
  }

  closeBets(): null {
    if (this.#places.size > 0) this.#phase = 'play';
    else this.#endRound();
    return null;
  }

  due(): Due {
    if (this.#phase === 'bets') return { to: 'bets' };
    if (this.#phase !== 'play') return { to: 'over' };

    // art. 5.2, 5.3: one card to each player from left to right, then one to the croupier.
    for (const [seat, { cards }] of this.#inOrder())
      if (cards.length === 0) return { to: 'seat', seat, hand: 0 };
    if (this.#bank.length === 0) return { to: 'bank' };

    // art. 7.4: those whose card equals the croupier's choose, in the order of the seats.
    for (const [seat, { choice }] of this.#inOrder())
      if (choice === 'open') return { to: 'decision', seat, hand: 0 };

    // art. 7.5: three cards away, the fourth to the player; three more away, the next to the
    // croupier.
    if (this.#toBurn > 0) return { to: 'burn' };
    for (const [seat, { choice, cards }] of this.#inOrder())
      if (choice === 'war' && cards.length === 1) return { to: 'seat', seat, hand: 0 };
    return { to: 'bank' };
  }

  /** art. 3: a card that lay face up is valid like any other. */
  card(card: string): void {
    const due = this.due();
    if (due.to === 'burn') {
      this.#burned.push(card);
      this.#toBurn--;
    } else if (due.to === 'seat') {
      this.#places.get(due.seat)!.cards.push(card);
      if (this.#places.get(due.seat)!.cards.length === 2) this.#afterWarCard();
    } else if (due.to === 'bank') {
      this.#bank.push(card);
      if (this.#bank.length === 1) this.#compareFirstCards();
      else this.#compareWarCards();
    } else throw new Error(`no card is due, but ${due.to}`);
  }

  /**
   * art. 2.1, 2.2: the white card; a shuffler that deals has none. The round it appears in, or
   * before, is the last (W-4).
   */
  endCard(): void {
    if (this.#cardSource === 'shoe') this.#whiteCardOut = true;
  }

  act({ seat, hand, by, do: name }: AuditedAct): Refusals {
    const due = this.due();
    const place = this.#places.get(seat);
    const why: string[] = [];
    if (this.#phase !== 'play') why.push('not-allowed', 'round-over', 'too-late');
    else if (due.to !== 'decision' || !place || hand !== 0 || place.choice === null) why.push('not-allowed');
    else if (place.choice !== 'open') why.push('not-allowed', 'too-late');
    else if (due.seat !== seat) why.push('not-your-turn');
    // art. 7.4: the player chooses, nobody else.
    if (by !== undefined && by !== seat) why.push('not-decider');
    if (!['goToWar', 'surrenderWar', 'surrender', 'playOn'].includes(name)) why.push('not-allowed');
    if (why.length > 0) return why;

    // No answer is half the loss: nobody's money is taken without their word (W-5).
    place!.choice = name === 'goToWar' ? 'war' : 'half';
    // art. 7.4.1: half of the initial bet; a half that cannot be paid out is not taken (M-3: losses
    // are rounded down).
    if (place!.choice === 'half') place!.mainNet = -Math.floor(place!.main / 2);
    if (this.due().to !== 'decision') this.#afterChoices();
    return ACCEPTED;
  }

  deed(deed: AuditedDeed): Refusals {
    const { do: name } = deed;
    if (name === 'cardExposed') return this.#phase === 'none' ? ['not-allowed'] : ACCEPTED; // art. 3
    if (name === 'assignCard') return this.#swap(deed);
    if (name !== 'voidRound') return ['not-allowed', 'off'];
    if (this.#phase !== 'play') return ['not-allowed', 'round-over'];
    // art. 6: an error that cannot be corrected makes the round void: all goes back, what was added
    // for the war too.
    for (const place of this.#places.values()) {
      place.mainNet = 0;
      place.tieNet = 0;
    }
    this.#endRound();
    return ACCEPTED;
  }

  /** art. 6: cards given to the wrong players are given to whom they were due. */
  #swap({ from = 0, to = 0, place }: AuditedDeed): Refusals {
    const a = this.#places.get(from);
    const b = this.#places.get(to);
    if (place === 1) return this.#swapOfChallenge(a, b);
    const isEarly = this.#phase === 'play' && this.#inOrder().every(([, { choice }]) => choice !== 'war');
    if (!a || !b || a === b || a.cards.length !== b.cards.length || !isEarly) return ['not-allowed'];
    if (a.choice === 'half' || b.choice === 'half') return ['too-late'];
    [a.cards, b.cards] = [b.cards, a.cards];
    if (this.#bank.length === 0) return ACCEPTED;
    for (const place of [a, b]) place.choice = null;
    this.#compareFirstCards([a, b]);
    return ACCEPTED;
  }

  /** Cards of the challenge, while the croupier's has not come. */
  #swapOfChallenge(a: Place | undefined, b: Place | undefined): Refusals {
    const isEarly = this.#phase === 'play' && this.#bank.length === 1;
    if (!a?.cards[1] || !b?.cards[1] || a === b || !isEarly) return ['not-allowed', 'too-late'];
    [a.cards[1], b.cards[1]] = [b.cards[1], a.cards[1]];
    return ACCEPTED;
  }

  lines(): readonly AuditedLine[] | null {
    if (this.#phase !== 'over') return null;
    return this.#inOrder().flatMap(([seat, { tie, mainNet, tieNet }]) => [
      { seat, by: seat, bet: 'main', hand: 0, net: mainNet! },
      ...(tie > 0 ? [{ seat, by: seat, bet: 'tie', hand: null, net: tieNet! }] : []),
    ]);
  }

  bank(): readonly string[] {
    return this.#bank;
  }

  hands(): Readonly<Record<string, readonly (readonly string[])[]>> {
    return Object.fromEntries(this.#inOrder().map(([seat, { cards }]) => [String(seat), [cards]]));
  }

  burned(): readonly string[] {
    return this.#burned;
  }

  after(): Aftermath {
    return { shoeEnded: this.#shoeEnded };
  }

  #inOrder(): [number, Place][] {
    return [...this.#places].sort(([a], [b]) => a - b);
  }

  /** art. 7.1 to 7.4. */
  #compareFirstCards(places = this.#inOrder().map(([, place]) => place)): void {
    for (const place of places) {
      const player = strength(place.cards[0]!);
      const croupier = strength(this.#bank[0]!);
      if (player > croupier) {
        place.mainNet = place.main; // art. 7.1: wins the value of the initial bet
        place.tieNet = -place.tie;
      } else if (player < croupier) {
        place.mainNet = -place.main; // art. 7.2
        place.tieNet = -place.tie;
      } else {
        place.tieNet = 10 * place.tie; // art. 7.3: 10 to 1
        // art. 7.4 gives the choice to those who have not bet on the tie; a tie bettor's initial
        // bet goes back (W-1).
        if (place.tie === 0 || this.#tieBettorMain === 'choose') place.choice = 'open';
        else place.mainNet = 0;
      }
    }
    if (this.due().to !== 'decision') this.#afterChoices();
  }

  /** art. 7.5: the war of those who challenge the house; without one the round is over. */
  #afterChoices(): void {
    if (this.#inOrder().some(([, { choice }]) => choice === 'war')) this.#toBurn = 3;
    else this.#endRound();
  }

  /**
   * art. 7.5: three cards away before each card (W-3); with `once`, before the players' cards and
   * before the croupier's.
   */
  #afterWarCard(): void {
    const croupierIsNext = this.due().to === 'bank';
    if (this.#warBurn === 'perCard' || croupierIsNext) this.#toBurn = 3;
  }

  /**
   * art. 7.5: three bets are in play, the player's two and the croupier's one (W-2); no second war
   * (W-6).
   */
  #compareWarCards(): void {
    for (const [, place] of this.#inOrder()) {
      if (place.choice !== 'war') continue;
      const player = strength(place.cards[1]!);
      const croupier = strength(this.#bank[1]!);
      if (player > croupier)
        place.mainNet = 3 * place.main - 2 * place.main; // art. 7.5.1: the value in play
      else if (player === croupier)
        place.mainNet = 4 * place.main - 2 * place.main; // art. 7.5.2: and one initial bet more
      else place.mainNet = -2 * place.main; // art. 7.5.3: the house wins the value in play
    }
    this.#endRound();
  }

  #endRound(): void {
    this.#phase = 'over';
    this.#shoeEnded = this.#whiteCardOut;
  }
}

export const casinoWar: AuditedRulebook = {
  rulebook: 'macau-casino-war',
  model: (options, seats) => new CasinoWarAuditor(options, seats),
  bets: ['main', 'tie', 'player'],
  acts: ['goToWar', 'surrenderWar', 'playOn', 'hit'],
};
