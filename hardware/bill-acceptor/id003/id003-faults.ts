/**
 * What hands and fate can do to a simulated acceptor. `reject` and `failure` take a code of the
 * protocol, see Id003Mechanics.fault.
 */
export const ID003_FAULTS = [
  'jam',
  'clear-jam',
  'cheat',
  'full',
  'cassette-out',
  'cassette-in',
  'failure',
  'repair',
  'silence',
  /** The next power-up with a note in the stacker says nothing of it: no VEND VALID follows. */
  'forget-credit',
  /** The next power-up with a note in the acceptor cannot give it back and stacks it. */
  'swallow',
  /** The next note is drawn in and rejected. */
  'reject',
  /** It goes on saying what it says and moves no further, until `go-on`. */
  'stall',
  /** Another note is pushed in before its time: it pauses until `go-on`. */
  'pause',
  'go-on',
  'communication-error',
  /** The next note that falls into the box is said to be there without a credit signal. */
  'stacked-first',
  /** The credit signal of the next note comes once more after it was acknowledged. */
  'repeat-credit',
  /** The next reply is sent twice. */
  'repeat-frame',
  /** Its software is another one, from the next time it is asked. */
  'other-firmware',
] as const;
export type Id003Fault = (typeof ID003_FAULTS)[number];
