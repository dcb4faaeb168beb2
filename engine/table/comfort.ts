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
  /** What is touched lies at the left, what is read at the right; absent = for the right hand. */
  readonly leftHand?: true;
}

export const PLAIN_COMFORT: Comfort = { text: 'normal', contrast: 'normal', reach: 'normal', motion: 'full' };

/** The same with one of the choices that are absent where they are not made. */
export function chosen(comfort: Comfort, choice: 'speech' | 'leftHand', on: boolean): Comfort {
  const made: { -readonly [Name in keyof Comfort]: Comfort[Name] } = { ...comfort };
  delete made[choice];
  if (on) made[choice] = true;
  return made;
}
