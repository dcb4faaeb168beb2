/** What one run of a program has given; starting and warming up are taken off. */
export interface Measured {
  readonly rounds: number;
  /** User and system time of its whole process, threads included. */
  readonly cpuSeconds: number;
  /** By the clock; null where it was not seen. */
  readonly seconds: number | null;
  /** What a player has won a round, in stakes: shows that it plays the game. */
  readonly meanNet: number;
  /** Allocated and collected again; null where it is no JavaScript. */
  readonly heapBytesPerRound: number | null;
}
