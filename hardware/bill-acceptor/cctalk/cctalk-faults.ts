/** What hands and fate can do to a simulated acceptor. */
export const CCTALK_FAULTS = [
  'jam',
  'clear-jam',
  'cheat',
  'full',
  'cassette-out',
  'cassette-in',
  'failure',
  'repair',
  'silence',
  /** The next note is drawn in and rejected. */
  'reject',
  /** The next note that falls into the box has no event. */
  'forget-credit',
  /** Seven events at once: more than the buffer holds. */
  'flood',
  /** The next reply is sent twice. */
  'repeat-frame',
  /** It is busy with something else for a second. */
  'busy',
] as const;
export type CctalkFault = (typeof CCTALK_FAULTS)[number];
