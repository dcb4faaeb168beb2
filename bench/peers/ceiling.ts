/**
 * What plain JavaScript can do at most: each game as bare arithmetic on packed tables, nothing
 * allocated, nobody told. A ceiling to compare with, not an engine: it knows no seats, no money, no
 * errors. Every round is the first of a full shoe; a shoe is shuffled only as far as its cards are
 * drawn.
 */
import { randomFillSync } from 'node:crypto';
import { DOUBLE, HIT, SPLIT } from './basic-strategy.ts';

const RANDOM_WORDS = 16_384;

class Pack {
  readonly #cards: Uint8Array;
  readonly #fill: (words: Uint32Array) => void;
  readonly #random = new Uint32Array(RANDOM_WORDS);
  #used = RANDOM_WORDS;
  #drawn = 0;

  constructor(cards: readonly number[], fill: (words: Uint32Array) => void) {
    this.#cards = Uint8Array.from(cards);
    this.#fill = fill;
  }

  /**
   * The pack whole again; in which order its cards lie does not matter, because each draw picks one
   * at random.
   */
  reset(): void {
    this.#drawn = 0;
  }

  draw(): number {
    if (this.#used === RANDOM_WORDS) {
      this.#fill(this.#random);
      this.#used = 0;
    }
    const cards = this.#cards;
    const from = this.#drawn++;
    // 22 random bits times at most 9 bits stay an int32; no card's chance is off by more than one
    // ten-thousandth of it.
    const at = from + (Math.imul(this.#random[this.#used++]! >>> 10, cards.length - from) >> 22);
    const card = cards[at]!;
    cards[at] = cards[from]!;
    cards[from] = card;
    return card;
  }
}

const copies = (decks: number, deck: readonly number[]): number[] =>
  Array.from({ length: decks * 4 }, () => deck).flat();

/**
 * A hand is `soft * 32 + total`; totals above 21 all mean lost. `[hand * 16 + card]` = the hand
 * with that card.
 */
const WITH_CARD = new Uint8Array(64 * 16);
for (let hand = 0; hand < 64; hand++)
  for (let card = 1; card <= 10; card++) {
    let total = (hand & 31) + card;
    let soft = hand >> 5;
    if (card === 1 && soft === 0 && total + 10 <= 21) {
      total += 10;
      soft = 1;
    }
    if (total > 21 && soft === 1) {
      total -= 10;
      soft = 0;
    }
    WITH_CARD[hand * 16 + card] = soft * 32 + Math.min(total, 31);
  }

const NATURAL = 32 + 21;
const MAX_HANDS = 4;

/**
 * Blackjack, six decks, peek, S17, double any two and after a split, aces split once; natural 3 to
 * 2.
 */
class BlackjackCeiling {
  readonly #pack: Pack;
  /** Totals and stakes of the hands that are played out. */
  readonly #totals = new Uint8Array(MAX_HANDS);
  readonly #stakes = new Uint8Array(MAX_HANDS);
  #hands = 0;

  constructor(fill: (words: Uint32Array) => void) {
    this.#pack = new Pack(copies(6, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]), fill);
  }

  /** Half stakes won in one round. */
  playRound(): number {
    const pack = this.#pack;
    pack.reset();
    const first = pack.draw();
    const second = pack.draw();
    const up = pack.draw();
    let bank = WITH_CARD[WITH_CARD[up]! * 16 + pack.draw()]!;
    const hand = WITH_CARD[WITH_CARD[first]! * 16 + second]!;
    if (bank === NATURAL) return hand === NATURAL ? 0 : -2;
    if (hand === NATURAL) return 3;

    this.#hands = 0;
    if (first === second && SPLIT[up * 16 + first] === 1) this.#playPair(first, up);
    else this.#playHand(hand, up);

    let open = false;
    for (let i = 0; i < this.#hands; i++) if (this.#totals[i]! <= 21) open = true;
    if (open) while ((bank & 31) < 17) bank = WITH_CARD[bank * 16 + pack.draw()]!;
    const bankTotal = (bank & 31) > 21 ? 0 : bank & 31;
    let won = 0;
    for (let i = 0; i < this.#hands; i++) {
      const total = this.#totals[i]!;
      if (total > 21 || total < bankTotal) won -= this.#stakes[i]!;
      else if (total > bankTotal) won += this.#stakes[i]!;
    }
    return won;
  }

  #playPair(rank: number, up: number): void {
    const pack = this.#pack;
    let hands = 2;
    for (let waiting = 2; waiting > 0; waiting--) {
      const card = pack.draw();
      const hand = WITH_CARD[WITH_CARD[rank]! * 16 + card]!;
      if (rank === 1) this.#close(hand, 2);
      else if (card === rank && hands < MAX_HANDS) {
        hands++;
        waiting += 2;
      } else this.#playHand(hand, up);
    }
  }

  #playHand(twoCards: number, up: number): void {
    const pack = this.#pack;
    let hand = twoCards;
    if (DOUBLE[up * 64 + hand] === 1) return this.#close(WITH_CARD[hand * 16 + pack.draw()]!, 4);
    while ((hand & 31) < 21 && HIT[up * 64 + hand] === 1) hand = WITH_CARD[hand * 16 + pack.draw()]!;
    this.#close(hand, 2);
  }

  #close(hand: number, stake: number): void {
    this.#totals[this.#hands] = hand & 31;
    this.#stakes[this.#hands++] = stake;
  }
}

/** `[banker * 16 + player's third card, 10 = none]` = 1: the Banker draws. */
const BANKER_DRAWS = new Uint8Array(8 * 16);
for (let banker = 0; banker <= 7; banker++)
  for (let third = 0; third <= 10; third++) {
    const draws =
      third === 10
        ? banker <= 5
        : banker <= 2 ||
          (banker === 3 && third !== 8) ||
          (banker >= 4 && banker <= 6 && third >= banker * 2 - 6 && third <= 7);
    BANKER_DRAWS[banker * 16 + third] = draws ? 1 : 0;
  }

/**
 * Baccarat, eight decks, one bet on the Banker with five per cent: twentieths of a stake won in one
 * round.
 */
function baccaratRound(pack: Pack): number {
  pack.reset();
  let player = (pack.draw() + pack.draw()) % 10;
  let banker = (pack.draw() + pack.draw()) % 10;
  if (player < 8 && banker < 8) {
    let third = 10;
    if (player <= 5) {
      third = pack.draw();
      player = (player + third) % 10;
    }
    if (BANKER_DRAWS[banker * 16 + third] === 1) banker = (banker + pack.draw()) % 10;
  }
  return banker > player ? 19 : banker < player ? -20 : 0;
}

/**
 * Casino war, six decks, every tie answered with the challenge; cards burnt unseen change nothing
 * and are not drawn.
 */
function warRound(pack: Pack): number {
  pack.reset();
  const player = pack.draw();
  const bank = pack.draw();
  if (player !== bank) return player > bank ? 1 : -1;
  const mine = pack.draw();
  const theirs = pack.draw();
  return mine > theirs ? 1 : mine === theirs ? 2 : -2;
}

export type CeilingGame = 'blackjack' | 'baccarat' | 'casino-war';

/**
 * @param fill where the random words come from
 * @returns plays `rounds` rounds, gives back the stakes won
 */
export function ceiling(
  game: CeilingGame,
  fill: (words: Uint32Array) => void = randomFillSync,
): (rounds: number) => number {
  const [unit, playRound] = ((): [number, () => number] => {
    if (game === 'blackjack') {
      const table = new BlackjackCeiling(fill);
      return [2, () => table.playRound()];
    }
    if (game === 'baccarat') {
      const pack = new Pack(copies(8, [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0]), fill);
      return [20, () => baccaratRound(pack)];
    }
    const pack = new Pack(copies(6, [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]), fill);
    return [1, () => warRound(pack)];
  })();
  return (rounds) => {
    let won = 0;
    for (let i = 0; i < rounds; i++) won += playRound();
    return won / unit;
  };
}
