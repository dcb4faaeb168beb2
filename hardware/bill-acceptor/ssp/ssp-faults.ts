/** What hands and fate can do to a simulated acceptor; `reject` takes a code of the protocol. */
export const SSP_FAULTS = [
  'jam',
  'clear-jam',
  'cheat',
  'full',
  'cassette-out',
  'cassette-in',
  'open-path',
  'close-path',
  'silence',
  /** The next note is drawn in and rejected. */
  'reject',
] as const;
export type SspFault = (typeof SSP_FAULTS)[number];
