import type { Winner } from './angel-eye.codec.ts';

/**
 * The one game the shoe plays along by itself; cards 0..51 = suit * 13 + rank, ranks A..K = 0..12.
 */
export interface Game {
  readonly player: readonly number[];
  readonly bank: readonly number[];
}

const worth = (card: number): number => Math.min((card % 13) + 1, 10) % 10;
const points = (cards: readonly number[]): number => cards.reduce((sum, card) => sum + worth(card), 0) % 10;

/** To whom the next card goes; null when the game is over. */
export function nextTarget({ player, bank }: Game): keyof Game | null {
  if (bank.length < 2) return player.length > bank.length ? 'bank' : 'player';
  const [p, b] = [points(player.slice(0, 2)), points(bank.slice(0, 2))];
  if (p >= 8 || b >= 8 || bank.length > 2) return null;
  if (player.length === 2) {
    if (p <= 5) return 'player';
    return b <= 5 ? 'bank' : null;
  }
  const third = worth(player[2]!);
  const draws = [true, true, true, third !== 8, third >= 2 && third <= 7, third >= 4 && third <= 7];
  return draws[b] === true || (b === 6 && (third === 6 || third === 7)) ? 'bank' : null;
}

export function resultOf({ player, bank }: Game): {
  readonly winner: Winner;
  readonly playerPair: boolean;
  readonly bankPair: boolean;
} {
  const [p, b] = [points(player), points(bank)];
  const isPair = ([first, second]: readonly number[]): boolean => first! % 13 === second! % 13;
  return {
    winner: p > b ? 'player' : p < b ? 'bank' : 'tie',
    playerPair: isPair(player),
    bankPair: isPair(bank),
  };
}
