/**
 * @blackjacktrainer/blackjack-simulator: game of a trainer with counting; no events in simulation.
 */
import { type Peer, requireFrom } from './peer.ts';

interface Library {
  readonly Simulator: new (
    settings: object,
  ) => { readonly game: { readonly player: { balance: number }; run(bet: number, spots: number): void } };
}

const BET = 1_000;
/** `PlayerStrategy.BasicStrategy`: the enum is not exported. */
const BASIC_STRATEGY = 1;

export const peer: Peer = {
  async load(folder) {
    // The published bundle is made for browsers and refers to `self` while it loads.
    Object.assign(globalThis, { self: globalThis });
    const { Simulator } = (await requireFrom(folder, '@blackjacktrainer/blackjack-simulator')) as Library;
    const { game } = new Simulator({
      playerStrategy: BASIC_STRATEGY,
      playerBetSpread: [BET],
      playerSpots: [1],
      minimumBet: BET,
      maximumBet: 100 * BET,
      deckCount: 6,
      penetration: 0.75,
      hitSoft17: false,
      allowDoubleAfterSplit: true,
      allowLateSurrender: false,
      allowResplitAces: false,
      maxHandsAllowed: 4,
    });
    return (rounds) => {
      const before = game.player.balance;
      for (let i = 0; i < rounds; i++) game.run(BET, 1);
      return (game.player.balance - before) / BET;
    };
  },
};
