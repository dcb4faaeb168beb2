/** A program to measure: plays whole rounds as fast as it can. */
export interface Peer {
  /**
   * Makes it ready.
   * @param folder where it is installed; unused by those written here
   * @returns plays `rounds` rounds of one bet and gives back what the player has won, in stakes
   */
  load(folder: string): Promise<(rounds: number) => number>;
}

/** What `require` gives of a CommonJS package in that folder. */
export async function requireFrom(folder: string, name: string): Promise<unknown> {
  const { createRequire } = await import('node:module');
  return createRequire(`${folder}/package.json`)(name);
}
