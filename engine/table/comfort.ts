/** How a seat is shown. It moves no money and no card: the same round at the same legal times. */
export interface Comfort {
  readonly text: 'normal' | 'large';
  readonly contrast: 'normal' | 'high';
  /** low: what is touched most lies at the edge of the display. */
  readonly reach: 'normal' | 'low';
  /** Of what belongs to the seat; fast: shorter ways, none: everything lies at once. */
  readonly motion: 'full' | 'fast' | 'none';
  /** What happens at the seat is said aloud; absent = it is not. */
  readonly speech?: true;
}

export const PLAIN_COMFORT: Comfort = { text: 'normal', contrast: 'normal', reach: 'normal', motion: 'full' };

export function speaking({ text, contrast, reach, motion }: Comfort, on: boolean): Comfort {
  const plain = { text, contrast, reach, motion };
  return on ? { ...plain, speech: true } : plain;
}
