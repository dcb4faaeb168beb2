/** What hands and fate can do to a simulated acceptor. */
export const EBDS_FAULTS = [
  'jam',
  'clear-jam',
  'cheat',
  'full',
  'cassette-out',
  'cassette-in',
  'failure',
  'repair',
  'silence',
  /** The next power-up with a note past the point of no return stacks it without a value. */
  'forget-credit',
  'stall',
  'clear-stall',
  'pause',
  'resume',
  'calibrate',
  'calibrated',
  'open-path',
  'close-path',
] as const;
export type EbdsFault = (typeof EBDS_FAULTS)[number];
