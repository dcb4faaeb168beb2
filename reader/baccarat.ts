/**
 * The auditor's own reading of «Bacará»: Despacho 55/2004 with art. 18 as Despacho 73/2005 left it,
 * the bet «6 Sortudo» of Despacho 56/2018, and those of art. 13.4. Where the number of an article
 * has not been seen it is named by its subject: drawing, tie, pairs. Readings of what the texts
 * leave open are B-1 to B-8 of docs/regulations.
 */
import {
  ACCEPTED,
  type Aftermath,
  type AuditedBet,
  type AuditedDeed,
  type AuditedLine,
  type AuditedRulebook,
  type Auditor,
  type Due,
  type Refusals,
  type Unlawful,
} from './auditor.ts';
import { type AuthorisedBet, authorisedBets, netOf } from './baccarat-authorised.ts';

/** art. 5: picture cards and ten count nothing, the others their pips, the ace one. */
const POINTS: Readonly<Record<string, number>> = { A: 1, T: 0, J: 0, Q: 0, K: 0 };
const points = (card: string): number => POINTS[card[0]!] ?? Number(card[0]);

/** art. 5: tens of the sum are dropped. */
const total = (cards: readonly string[]): number => cards.reduce((sum, card) => sum + points(card), 0) % 10;

/** drawing: the Player's third cards at which the Banker draws, by the Banker's two-card total. */
const BANKER_DRAWS_AT: Readonly<Record<number, string>> = {
  0: '0123456789',
  1: '0123456789',
  2: '0123456789',
  3: '012345679',
  4: '234567',
  5: '4567',
  6: '67',
  7: '',
};

/**
 * art. 2.1: how many cards are burnt at the start of a shoe; null while that hangs on the first
 * card.
 */
function startBurn(
  burn: string,
  decks: number,
  firstCardCounts: boolean,
  first: string | undefined,
): number | null {
  if (burn === 'perDeck') return decks;
  if (burn.startsWith('fixed:')) return Number(burn.slice('fixed:'.length)); // the formula of 2011
  if (first === undefined) return null;
  // The face value: ace one, ten and pictures ten; the first card is one of the set (B-1).
  const face = 'TJQK'.includes(first[0]!) ? 10 : points(first);
  return firstCardCounts ? face : face + 1;
}

/** A whole share of a stake: `part / whole` of it, rounded as the table says. */
const share = (stake: number, part: number, whole: number, rounding: unknown): number =>
  rounding === 'up' ? Math.ceil((stake * part) / whole) : Math.floor((stake * part) / whole);

const BETS = ['player', 'banker', 'tie', 'playerPair', 'bankerPair', 'lucky6'];

class BaccaratAuditor implements Auditor {
  readonly #seats: number;
  readonly #decks: number;
  readonly #cardSource: unknown;
  readonly #burn: string;
  readonly #burnFirstCardCounts: boolean;
  readonly #demoRounds: number;
  readonly #lastRound: unknown;
  readonly #commission: unknown;
  readonly #commissionRounding: unknown;
  readonly #halfRounding: unknown;
  readonly #offered: readonly string[];
  readonly #min: number;
  readonly #max: number;
  readonly #mostOfSide: number;
  /** By their names, those of art. 13.4. */
  readonly #authorised: ReadonlyMap<string, AuthorisedBet>;
  readonly #step: number;

  #burning = false;
  #dealtFromThisShoe = true;
  /** Demonstration rounds shown from this shoe. */
  #shown = 0;
  /** Rounds that may still be played once the white card is out; null before. */
  #roundsLeft: number | null = null;
  #phase: 'none' | 'bets' | 'play' | 'over' = 'none';
  #bets = new Map<string, { seat: number; bet: string; stake: number }>();
  #player: string[] = [];
  #banker: string[] = [];
  #burned: string[] = [];
  #void = false;

  constructor(options: Readonly<Record<string, unknown>>, seats: number) {
    this.#seats = seats;
    this.#decks = Number(options['decks'] ?? 8);
    this.#cardSource = options['cardSource'] ?? 'shoe';
    this.#burn = String(options['burn'] ?? 'perDeck');
    this.#burnFirstCardCounts = options['burnFirstCardCounts'] !== false;
    this.#demoRounds = Number(options['demoRounds'] ?? 0);
    this.#lastRound = options['lastRound'] ?? 'current';
    this.#commission = options['commission'] ?? 'five-percent';
    this.#commissionRounding = options['commissionRounding'] ?? 'down';
    this.#halfRounding = options['halfRounding'] ?? 'up';
    this.#authorised = new Map(authorisedBets(options).map((bet) => [bet.id, bet]));
    const printed = BETS.filter(
      (bet) =>
        (!bet.endsWith('Pair') || options['pairs'] !== false) &&
        (bet !== 'lucky6' || options['lucky6'] === true),
    );
    this.#offered = [...printed, ...this.#authorised.keys()];
    this.#min = Number(options['min'] ?? 1_000);
    this.#max = Number(options['max'] ?? 1_000_000);
    this.#mostOfSide = Math.min(Number(options['sideBetMax'] ?? this.#max), this.#max);
    this.#step = Number(options['step'] ?? 100);
  }

  newShoe(): void {
    this.#shown = 0;
    this.#roundsLeft = null;
    this.#burned = [];
    // art. 2.3: a shuffler that deals has no procedure of art. 2.1.
    this.#burning = this.#cardSource === 'shoe';
  }

  openRound(): void {
    this.#phase = 'bets';
    this.#bets = new Map();
    this.#player = [];
    this.#banker = [];
    this.#void = false;
    if (this.#dealtFromThisShoe) this.#burned = [];
  }

  bet({ seat, by, bet, amount }: AuditedBet): Refusals {
    if (this.#phase !== 'bets') return ['too-late', 'not-allowed', 'round-over'];
    const why: string[] = [];
    // art. 6: the bets lie on two sides; no article knows a bet at another's place.
    if (by !== seat) why.push('not-own-seat', 'not-allowed', 'off');
    if (!(seat >= 1 && seat <= this.#seats)) why.push('not-allowed');
    // art. 13, pairs, 2018.art.13: what the table offers. Each stands alone (B-7), both sides at
    // once too (BAC-30).
    if (!this.#offered.includes(bet)) why.push('off');
    // The house may limit what is no bet on a side, an authorisation its own bet (art. 13.6), never
    // above the table.
    const { least = this.#min, most: granted = this.#mostOfSide } = this.#authorised.get(bet) ?? {};
    const most = bet === 'player' || bet === 'banker' ? this.#max : Math.min(granted, this.#max);
    const stake = amount + (this.#bets.get(`${seat} ${bet}`)?.stake ?? 0);
    if (!Number.isSafeInteger(amount) || amount <= 0 || stake < least || stake > most)
      why.push('out-of-range');
    if (amount % this.#step !== 0) why.push('step');
    if (why.length > 0) return why;
    this.#bets.set(`${seat} ${bet}`, { seat, bet, stake });
    return ACCEPTED;
  }

  lay(bets: readonly AuditedBet[]): Unlawful | null {
    for (const bet of bets) {
      const reasons = this.bet(bet);
      if (reasons.length > 0) return { bet, reasons };
    }
    return null;
  }

  closeBets(): null {
    if (this.#bets.size > 0) this.#phase = 'play';
    else this.#endRound();
    return null;
  }

  due(): Due {
    if (this.#burning) return { to: 'burn' };
    if (this.#phase === 'bets') return { to: 'bets' };
    if (this.#phase !== 'play') return { to: 'over' };
    const next = this.#nextCard();
    return { to: next === 'player' ? 'player' : 'bank' };
  }

  /** art. 4: a card that lay face up is valid like any other. */
  card(card: string): void {
    if (this.#burning) {
      this.#burned.push(card);
      const wanted = startBurn(this.#burn, this.#decks, this.#burnFirstCardCounts, this.#burned[0]);
      this.#burning = this.#burned.length < wanted!;
      this.#dealtFromThisShoe = false;
      return;
    }
    const next = this.#phase === 'play' ? this.#nextCard() : null;
    if (next === null) throw new Error(`no card is due, but ${this.due().to}`);
    (next === 'player' ? this.#player : this.#banker).push(card);
    this.#dealtFromThisShoe = true;
    if (this.#nextCard() === null) this.#endRound();
  }

  /** art. 2.1, 2.3, 3.1: the white card; a shuffler that deals has none. */
  endCard(): void {
    // Alternatives of art. 3.1: the round it appears in, or before (B-6), is the last, or one more
    // may be played.
    if (this.#cardSource === 'shoe') this.#roundsLeft = this.#lastRound === 'oneMore' ? 2 : 1;
  }

  /** The drawing rules leave nobody a decision. */
  act(): Refusals {
    return ['not-allowed', 'round-over', 'off'];
  }

  deed({ do: name }: AuditedDeed): Refusals {
    if (name === 'cardExposed') return this.#phase === 'none' ? ['not-allowed'] : ACCEPTED; // art. 4
    if (name === 'voidRound') {
      if (this.#phase !== 'play') return ['not-allowed', 'round-over'];
      this.#void = true;
      this.#endRound();
      return ACCEPTED;
    }
    if (name !== 'demo') return ['not-allowed', 'off'];
    // art. 2.2: at most as many as the table shows with a new shoe, three by law; no bet lies on
    // them.
    if (this.#phase !== 'bets' || this.#bets.size > 0 || this.#burning) return ['not-allowed'];
    if (this.#shown >= this.#demoRounds) return ['limit', 'not-allowed', 'off'];
    this.#shown++;
    this.#phase = 'play';
    return ACCEPTED;
  }

  lines(): readonly AuditedLine[] | null {
    if (this.#phase !== 'over') return null;
    return [...this.#bets.values()]
      .sort((a, b) => a.seat - b.seat)
      .map(({ seat, bet, stake }) => ({
        seat,
        by: seat,
        bet,
        hand: null,
        net: this.#void ? 0 : this.#net(bet, stake),
      }));
  }

  bank(): readonly string[] {
    return this.#banker;
  }

  player(): readonly string[] {
    return this.#player;
  }

  hands(): Readonly<Record<string, never>> {
    return {};
  }

  burned(): readonly string[] {
    return this.#burned;
  }

  after(): Aftermath {
    return { shoeEnded: this.#roundsLeft !== null && this.#roundsLeft <= 0 };
  }

  #endRound(): void {
    this.#phase = 'over';
    if (this.#roundsLeft !== null) this.#roundsLeft--;
  }

  /** Which side the next card belongs to; null where none is due any more. */
  #nextCard(): 'player' | 'banker' | null {
    // art. 7.1: two cards each, one at a time, Player first.
    const dealt = this.#player.length + this.#banker.length;
    if (dealt < 4 && this.#banker.length < 2) return dealt % 2 === 0 ? 'player' : 'banker';

    // drawing: against 8 or 9 in two cards nobody draws.
    const player = total(this.#player.slice(0, 2));
    const banker = total(this.#banker.slice(0, 2));
    if (player >= 8 || banker >= 8) return null;
    // drawing: one more card a side at most, Player first; Player draws on 0 to 5, stands on 6 and
    // 7.
    if (this.#banker.length > 2) return null;
    if (this.#player.length === 2 && player <= 5) return 'player';
    // drawing: Player stood, so the Banker does as the Player would: draws on 0 to 5, stands on 6
    // and 7.
    const third = this.#player[2];
    if (third === undefined) return banker <= 5 ? 'banker' : null;
    return BANKER_DRAWS_AT[banker]!.includes(String(points(third))) ? 'banker' : null;
  }

  #net(bet: string, stake: number): number {
    const player = total(this.#player);
    const banker = total(this.#banker);
    const bankerWinsWithSix = banker > player && banker === 6;
    switch (bet) {
      case 'player':
        if (player === banker) return 0; // tie: returned
        return player > banker ? stake : -stake; // 1 to 1
      case 'banker':
        if (player === banker) return 0; // tie: returned, and no commission on it
        if (player > banker) return -stake;
        if (this.#commission === 'five-percent')
          return stake - share(stake, 5, 100, this.#commissionRounding); // art. 18.1: 5 % of the winnings
        // art. 18.2: no commission, but half of the bet for a win with six points, in two cards or
        // three (B-5)
        return bankerWinsWithSix ? share(stake, 1, 2, this.#halfRounding) : stake;
      case 'tie':
        return player === banker ? 8 * stake : -stake; // tie: 8 to 1
      case 'playerPair':
        return this.#player[0]![0] === this.#player[1]![0] ? 11 * stake : -stake; // pairs: same rank, 11 to 1
      case 'bankerPair':
        return this.#banker[0]![0] === this.#banker[1]![0] ? 11 * stake : -stake;
      case 'lucky6':
        // 2018.art.13, 2018.art.17.5: the Banker wins with six, 12 to 1 in two cards, 20 to 1 in
        // three
        if (!bankerWinsWithSix) return -stake;
        return (this.#banker.length === 2 ? 12 : 20) * stake;
      default: {
        const authorised = this.#authorised.get(bet);
        if (!authorised) throw new Error(`no bet of this game: ${bet}`);
        const hands = { player: this.#player, banker: this.#banker };
        return netOf(authorised, { ...hands, playerTotal: player, bankerTotal: banker }, stake);
      }
    }
  }
}

export const baccarat: AuditedRulebook = {
  rulebook: 'macau-baccarat',
  model: (options, seats) => new BaccaratAuditor(options, seats),
  bets: [...BETS, 'lucky7', 'superLucky7', 'houseBet', 'main'],
  acts: ['hit', 'goToWar', 'playOn'],
};
