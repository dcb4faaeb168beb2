/** What hands and fate can do to a simulated shoe. */
export const SHOE_FAULTS = [
  'cover-open',
  'cover-close',
  'key',
  'jam',
  'clear-jam',
  /** The next card comes out unread. */
  'misread',
  /** The next card is read with little confidence. */
  'doubtful',
  /** Two cards come out at the next draw. */
  'double-feed',
  /** The last card drawn is pushed back in. */
  'reverse',
  /** The card that is held before the reader once more cannot be read there either. */
  'unreadable',
  'readable',
  'service',
  'service-end',
  /** Somebody takes the cards out. */
  'emptied',
  /** From its next start on. */
  'other-firmware',
  'lose-key',
] as const;
export type ShoeFault = (typeof SHOE_FAULTS)[number];
