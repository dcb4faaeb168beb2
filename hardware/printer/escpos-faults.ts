/** What hands and fate can do to a simulated printer. */
export const ESCPOS_FAULTS = [
  'near-end',
  'out',
  'load-paper',
  'cover-open',
  'cover-close',
  /** At its next cut. */
  'cutter',
  'mend',
  'hot',
  'cool',
  /** Until somebody has repaired it. */
  'failure',
  'repair',
] as const;
export type EscposFault = (typeof ESCPOS_FAULTS)[number];
