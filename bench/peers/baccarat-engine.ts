/**
 * baccarat-engine: cards as objects, drawing table, result with naturals and pairs. It counts no
 * money.
 */
import { type Peer, requireFrom } from './peer.ts';

interface Engine {
  readonly isBurnNeeded: boolean;
  readonly shoe: { cards: unknown[]; createDecks(): void; shuffle(): void };
  readonly resultsEngine: { calculateGameResult(hand: unknown): { readonly outcome: string } };
  burnCards(): unknown;
  dealGame(): unknown;
}
interface Library {
  readonly BaccaratGameEngine: new () => Engine;
}

export const peer: Peer = {
  async load(folder) {
    const { BaccaratGameEngine } = (await requireFrom(folder, 'baccarat-engine')) as Library;
    const engine = new BaccaratGameEngine();
    return (rounds) => {
      let won = 0;
      for (let i = 0; i < rounds; i++) {
        if (engine.isBurnNeeded) {
          engine.shoe.cards = [];
          engine.shoe.createDecks();
          engine.shoe.shuffle();
          engine.burnCards();
        }
        const { outcome } = engine.resultsEngine.calculateGameResult(engine.dealGame());
        won += outcome === 'banker' ? 0.95 : outcome === 'player' ? -1 : 0;
      }
      return won;
    };
  },
};
