/**
 * Desafio ao Casino (Casino War), first round of a full shoe, aces high, by enumeration of the
 * ranks of the first two cards and of the two cards of the challenge. The burnt cards are unknown
 * and change nothing.
 */
import { type Figure, figure } from './figure.ts';
import { edgeOf, minus, plus, type Rational, ratio, times } from './rational.ts';

/**
 * Orderings of two cards with `left[rank]` cards of each rank in the shoe: first higher, first
 * lower, both equal.
 */
function compareTwo(left: readonly number[]): { higher: number; lower: number; equal: number } {
  const counts = { higher: 0, lower: 0, equal: 0 };
  left.forEach((ofA, a) => {
    left.forEach((ofB, b) => {
      if (a === b) counts.equal += ofA * (ofB - 1);
      else counts[a > b ? 'higher' : 'lower'] += ofA * ofB;
    });
  });
  return counts;
}

/**
 * Probabilities, returns of the main bet under each way of meeting a tie, and the edge of the tie
 * bet.
 */
export function casinoWarFigures(decks: number): Figure[] {
  const full = Array<number>(13).fill(4 * decks);
  const first = compareTwo(full);
  const all = first.higher + first.lower + first.equal;
  const win = ratio(first.higher, all);
  const lose = ratio(first.lower, all);
  const tie = ratio(first.equal, all);

  // Arts. 7.4 and 7.5: the challenge is fought with the two equal cards out of the shoe; each rank
  // tied equally often.
  const war = { all: 0, higher: 0, lower: 0, equal: 0 };
  for (let tied = 0; tied < full.length; tied++) {
    const counts = compareTwo(full.with(tied, full[tied]! - 2));
    for (const key of ['higher', 'lower', 'equal'] as const) {
      war[key] += counts[key];
      war.all += counts[key];
    }
  }
  const warWin = ratio(war.higher, war.all);
  const warLose = ratio(war.lower, war.all);
  const warTie = ratio(war.equal, war.all);

  /**
   * Net of the main bet per unit when a tie is always met with the challenge, which then ends with
   * these nets.
   */
  const challenged = (onWin: number, onLoss: number, onTie: number): Rational => {
    const net = plus(
      plus(times(warWin, ratio(onWin)), times(warLose, ratio(onLoss))),
      times(warTie, ratio(onTie)),
    );
    return plus(minus(win, lose), times(tie, net));
  };

  const fraction = (name: string, value: Rational): Figure => figure(`war-${decks}d-${name}`, value);
  return [
    fraction('tie', tie),
    fraction('win', win),
    fraction('war-tie', warTie),
    fraction('war-win', warWin),
    fraction('ev-war', challenged(1, -2, 2)),
    fraction('ev-surrender', minus(minus(win, lose), times(tie, ratio(1, 2)))),
    fraction('ev-war-nobonus', challenged(1, -2, 1)),
    fraction('element-of-risk-bet', plus(ratio(1), tie)),
    fraction('ev-war-literal-pot3', challenged(3, -2, 4)),
    fraction('tie-he-10to1', edgeOf([tie, 10])),
  ];
}
