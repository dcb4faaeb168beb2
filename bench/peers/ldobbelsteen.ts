/**
 * ldobbelsteen/blackjack-simulator: the fastest simulator in TypeScript; a natural of the bank
 * takes no part in it.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Peer } from './peer.ts';

interface Library {
  readonly Simulation: new (
    rules: object,
    strategy: object,
  ) => { run(rounds: number): { balance(blackjackPayout: number): number } };
  readonly Rules: new (...rules: readonly (number | boolean)[]) => object;
  readonly AllowSurrender: { readonly Never: number };
  readonly AllowDouble: { readonly Always: number };
  readonly CompleteStrategy: { default(): object };
}

const BLACKJACK_PAYS = 1.5;

export const peer: Peer = {
  /** @param folder holds `peer.mjs`, its engine as one bundle */
  async load(folder) {
    const library = (await import(pathToFileURL(join(folder, 'peer.mjs')).href)) as Library;
    const { Simulation, Rules, AllowSurrender, AllowDouble, CompleteStrategy } = library;
    const maxSplits = 3;
    const penetrationPercent = 75;
    const rules = new Rules(
      AllowSurrender.Never,
      AllowDouble.Always,
      maxSplits,
      false, // split aces are not hit
      false, // nor split again
      true, // double after split
      false, // the bank stands on soft 17
      BLACKJACK_PAYS,
      penetrationPercent,
      6,
      1,
    );
    const simulation = new Simulation(rules, CompleteStrategy.default());
    return (rounds) => simulation.run(rounds).balance(BLACKJACK_PAYS);
  },
};
