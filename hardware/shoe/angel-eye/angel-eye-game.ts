import type { Winner } from './angel-eye.codec.ts';

/** Baccarat as the shoe plays it by itself; cards 0..51 = suit * 13 + rank, ranks A..K = 0..12. */
export interface Game {
  readonly player: readonly number[];
  readonly banker: readonly number[];
}

const worth = (card: number): number => Math.min((card % 13) + 1, 10) % 10;
const points = (cards: readonly number[]): number => cards.reduce((sum, card) => sum + worth(card), 0) % 10;

/** To whom the next card goes; null when the game is over. */
export function nextTarget({ player, banker }: Game): keyof Game | null {
  if (banker.length < 2) return player.length > banker.length ? 'banker' : 'player';
  const [p, b] = [points(player.slice(0, 2)), points(banker.slice(0, 2))];
  if (p >= 8 || b >= 8 || banker.length > 2) return null;
  if (player.length === 2) {
    if (p <= 5) return 'player';
    return b <= 5 ? 'banker' : null;
  }
  const third = worth(player[2]!);
  const draws = [true, true, true, third !== 8, third >= 2 && third <= 7, third >= 4 && third <= 7];
  return draws[b] === true || (b === 6 && (third === 6 || third === 7)) ? 'banker' : null;
}

export function resultOf({ player, banker }: Game): {
  readonly winner: Winner;
  readonly playerPair: boolean;
  readonly bankerPair: boolean;
} {
  const [p, b] = [points(player), points(banker)];
  const isPair = ([first, second]: readonly number[]): boolean => first! % 13 === second! % 13;
  return {
    winner: p > b ? 'player' : p < b ? 'banker' : 'tie',
    playerPair: isPair(player),
    bankerPair: isPair(banker),
  };
}
