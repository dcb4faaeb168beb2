/**
 * The answer to a rejected input: a code out of the closed set, and the article it rests on where
 * there is one.
 */
export type RejectCode =
  // the codes of the conformance vectors
  | 'not-allowed'
  | 'too-late'
  | 'out-of-range'
  | 'step'
  | 'off'
  | 'limit'
  | 'locked'
  | 'must-bet'
  | 'must-draw'
  | 'not-decider'
  | 'not-your-turn'
  | 'round-over'
  | 'one-kind'
  | 'no-main'
  | 'no-seat-holder-bet'
  | 'wrong-stake'
  | 'one-chip'
  | 'not-own-seat'
  // the codes of the terminal around the game
  | 'no-credit'
  | 'no-dealer'
  | 'not-due'
  | 'unknown-round'
  | 'unknown-seat'
  | 'unknown-note'
  | 'seat-locked'
  | 'own-limit'
  | 'limit-stands'
  | 'held'
  | 'centre-lock'
  | 'service'
  | 'card-hidden'
  | 'unnamed-cards'
  | 'nothing-to-do'
  | 'person'
  | 'excluded'
  | 'malformed'
  | 'duplicate';

export interface Rejection {
  readonly ok: false;
  readonly code: RejectCode;
  /**
   * Articles the refusal rests on, as in `art.18.1`; resolved through the rulebook of the table.
   */
  readonly cites: readonly string[];
  /** A finer reason for logs and tests, English, never shown to a player. */
  readonly detail?: string;
  /** Of a touch after its deadline: by how much. */
  readonly lateMs?: number;
}

export const reject = (code: RejectCode, cites: readonly string[] = [], detail?: string): Rejection =>
  detail === undefined ? { ok: false, code, cites } : { ok: false, code, cites, detail };
