/**
 * Side bets and special prizes of Macau Black Jack (despachos 56/2004 and 57/2009, arts. 9, 13, 14
 * and 15) on the first cards of a seat out of a full shoe, by enumeration of these cards by rank
 * and suit. Which cards lie between them on other seats changes nothing: unseen cards are
 * exchangeable.
 */
import { type Figure, figure } from './figure.ts';
import { edgeOf, minus, type Rational, ratio } from './rational.ts';

/** 0 ace, 1 to 8 the pips two to nine, 9 ten, 10 jack, 11 queen, 12 king. */
const RANKS = Array.from({ length: 13 }, (_, rank) => rank);
const SUITS = [0, 1, 2, 3];
const ACE = 0;
const [SIX, SEVEN, EIGHT] = [5, 6, 7];

interface Card {
  readonly rank: number;
  readonly suit: number;
}

const KINDS: readonly Card[] = RANKS.flatMap((rank) => SUITS.map((suit) => ({ rank, suit })));
/** Suits 0 and 3 are black, 1 and 2 red: S H D C. */
const isRed = ({ suit }: Card): boolean => suit === 1 || suit === 2;
const isTen = ({ rank }: Card): boolean => rank >= 9;

/** The share of the orderings of so many cards out of `decks` decks of which `holds` is true. */
function chance(decks: number, length: 2 | 3, holds: (...cards: readonly Card[]) => boolean): Rational {
  let [good, all] = [0, 0];
  const dealt: Card[] = [];
  const deal = (ways: number): void => {
    if (dealt.length === length) {
      all += ways;
      if (holds(...dealt)) good += ways;
      return;
    }
    for (const card of KINDS) {
      const left = decks - dealt.filter((other) => other === card).length;
      if (left === 0) continue;
      dealt.push(card);
      deal(ways * left);
      dealt.pop();
    }
  };
  deal(1);
  return ratio(good, all);
}

type Ace = 'ace1' | 'ace11' | 'best';

/** Total of two cards with the ace as 1, as 11, or as the bettor of `side` would have it. */
function total(cards: readonly Card[], ace: Ace, side: 'over' | 'under'): number {
  const high = ace === 'ace11' || (ace === 'best' && side === 'over');
  return cards.reduce((sum, { rank }) => sum + (rank === ACE ? (high ? 11 : 1) : Math.min(rank + 1, 10)), 0);
}

const oneSuit = ([first, ...others]: readonly Card[]): boolean =>
  others.every(({ suit }) => suit === first!.suit);
const all = (cards: readonly Card[], rank: number): boolean => cards.every((card) => card.rank === rank);
const is678 = (cards: readonly Card[]): boolean =>
  [SIX, SEVEN, EIGHT].every((rank) => cards.some((card) => card.rank === rank));
const differentSuits = (cards: readonly Card[]): number => new Set(cards.map(({ suit }) => suit)).size;
const isPair = (a: Card, b: Card): boolean => a.rank === b.rank;

/** Over and under 13 at 1 to 1 (arts. 13.3, 14.3), with thirteen lost by both sides. */
function overUnder(decks: number, fraction: (name: string, value: Rational) => Figure): Figure[] {
  return (['ace1', 'ace11', 'best'] as const).flatMap((ace) => {
    const over = chance(decks, 2, (...cards) => total(cards, ace, 'over') > 13);
    const under = chance(decks, 2, (...cards) => total(cards, ace, 'under') < 13);
    return [
      fraction(`over13-p-${ace}`, over),
      fraction(`under13-p-${ace}`, under),
      fraction(`over13-he-${ace}`, edgeOf([over, 1])),
      fraction(`under13-he-${ace}`, edgeOf([under, 1])),
    ];
  });
}

/** Sevens (arts. 13.2, 14.2), with and without a split for the sake of the third card. */
function sevens(decks: number, fraction: (name: string, value: Rational) => Figure): Figure[] {
  const two = (suited: boolean) =>
    chance(decks, 2, (...cards) => all(cards, SEVEN) && oneSuit(cards) === suited);
  const [suited, offsuit] = [two(true), two(false)];
  const three = (holds: (cards: readonly Card[]) => boolean) =>
    chance(decks, 3, (...cards) => all(cards, SEVEN) && holds(cards));
  const threeAny = three(() => true);
  const threeSuited = three(oneSuit);
  const threeDifferent = three((cards) => differentSuits(cards) === 3);
  const threeOtherwise = minus(minus(threeAny, threeSuited), threeDifferent);
  // Art. 14.2: only the greatest combination is paid, so the third seven takes the pair's prize
  // away.
  const pairOnly = (pairSuited: boolean) =>
    chance(
      decks,
      3,
      (a, b, c) => all([a!, b!], SEVEN) && oneSuit([a!, b!]) === pairSuited && c!.rank !== SEVEN,
    );
  const [suitedOnly, offsuitOnly] = [pairOnly(true), pairOnly(false)];
  return [
    fraction('sevens-2-suited', suited),
    fraction('sevens-2-offsuit', offsuit),
    fraction('sevens-3-suited', threeSuited),
    fraction('sevens-3-any', threeAny),
    fraction('sevens-3-alldifferent', threeDifferent),
    fraction('sevens-he-nosplit', edgeOf([offsuit, 50], [suited, 150])),
    fraction(
      'sevens-he-split-3mixed500',
      edgeOf([offsuitOnly, 50], [suitedOnly, 150], [minus(threeAny, threeSuited), 500], [threeSuited, 5000]),
    ),
    fraction(
      'sevens-he-split-strict',
      edgeOf(
        [offsuitOnly, 50],
        [suitedOnly, 150],
        [threeOtherwise, 150],
        [threeDifferent, 500],
        [threeSuited, 5000],
      ),
    ),
  ];
}

/**
 * Insurance at 2 to 1 against a dealer's ace, knowing that ace and the player's cards only
 * (art. 9).
 */
function insurance(decks: number, seen: readonly Card[]): Rational {
  const tens = 16 * decks - seen.filter(isTen).length;
  return edgeOf([ratio(tens, 52 * decks - seen.length), 2]);
}

/** Probabilities and edges for a shoe of so many decks. */
export function blackjackSideBetFigures(decks: number): Figure[] {
  const fraction = (name: string, value: Rational): Figure => figure(`bjside-${decks}d-${name}`, value);
  const perfect = chance(decks, 2, (a, b) => isPair(a!, b!) && a!.suit === b!.suit);
  const coloured = chance(
    decks,
    2,
    (a, b) => isPair(a!, b!) && a!.suit !== b!.suit && isRed(a!) === isRed(b!),
  );
  const mixed = chance(decks, 2, (a, b) => isPair(a!, b!) && isRed(a!) !== isRed(b!));
  const anyPair = chance(decks, 2, (a, b) => isPair(a!, b!));
  const ace: Card = { rank: ACE, suit: 0 };
  const ten: Card = { rank: 9, suit: 0 };
  return [
    fraction('pp-perfect', perfect),
    fraction('pp-colour', coloured),
    fraction('pp-mixed', mixed),
    fraction('pp-he', edgeOf([perfect, 25], [coloured, 12], [mixed, 5])),
    fraction('anypair', anyPair),
    fraction('anypair-he', edgeOf([anyPair, 11])),
    ...overUnder(decks, fraction),
    ...sevens(decks, fraction),
    fraction(
      '678-suited-3cards',
      chance(decks, 3, (...cards) => is678(cards) && oneSuit(cards)),
    ),
    fraction(
      '777-3cards',
      chance(decks, 3, (...cards) => all(cards, SEVEN)),
    ),
    fraction(
      '678-any-3cards',
      chance(decks, 3, (...cards) => is678(cards)),
    ),
    fraction(
      'natural',
      chance(decks, 2, (a, b) => [a!, b!].some(isTen) && [a!, b!].some(({ rank }) => rank === ACE)),
    ),
    fraction('insurance-he', insurance(decks, [ace])),
    fraction('insurance-he-bj', insurance(decks, [ace, ten, { rank: ACE, suit: 1 }])),
  ];
}
