import { emptyMeters, meterValue } from '../../engine/accounting/meter-fold.ts';
import { countEvent } from '../../engine/accounting/meters.ts';
import { timesOf } from '../../engine/core/money.ts';
import type { TableProfile } from '../../engine/table/profile.ts';
import type { Entry } from '../../ledger/store/ledger.store.ts';
import { eventOf, type Terminal } from '../table/terminal.ts';
import type { OwnFaults } from './own-faults.ts';

const PART = 'program';
const FAULT = 'meter-jump';
const PAGE = 250;

/**
 * What the notes of all seats may come to within one round: as the house says, or as much as all
 * credits may be.
 */
const mostNotesOfRound = ({ noteLimits, seatCount, maxCreditMinor }: TableProfile): number =>
  noteLimits?.roundMinor ?? timesOf(maxCreditMinor, seatCount);

/**
 * A meter of money in that grows within one play by more than play accounts for is a fault before
 * the next round (NZ 2003, 3.3.19 a), whatever the single notes were. A supervisor ends it.
 */
export class MeterWatch {
  readonly #terminal: Terminal;
  readonly #own: OwnFaults;
  /** Counted from the opening of the round on the table; null = there is none. */
  #round: ReturnType<typeof emptyMeters> | null = null;
  #isTold = false;

  constructor(terminal: Terminal, own: OwnFaults) {
    this.#terminal = terminal;
    this.#own = own;
    // What an earlier life has told waits for a person, and for nothing else.
    own.set(PART, FAULT, false);
  }

  start(): void {
    const { ledger, state } = this.#terminal;
    for (let seq = state.round ? (ledger.roundSpan(state.round.id)?.firstSeq ?? 0) : 0; seq > 0; ) {
      const page = ledger.read(seq, PAGE);
      for (const entry of page) this.#count(entry);
      seq = page.length < PAGE ? 0 : page.at(-1)!.seq + 1;
    }
    this.#terminal.onCommit(({ entries }) => {
      for (const entry of entries) this.#count(entry);
      // After those who hear of this commit: a fault is a commit of its own.
      if (this.#isJump()) queueMicrotask(() => this.#tell());
    });
    this.#tell();
  }

  #count(entry: Entry): void {
    const { kind, body } = entry;
    if (kind === 'betting-opened') {
      this.#round = emptyMeters();
      this.#isTold = false;
    } else if (kind === 'round-closed' || kind === 'betting-cancelled') this.#round = null;
    else if (kind === 'fault-reported' && (body as { fault: string }).fault === FAULT) this.#isTold = true;
    const event = this.#round && eventOf(entry);
    if (this.#round && event) countEvent(this.#round, event, entry.postings);
  }

  #isJump(): boolean {
    const { profile } = this.#terminal.state;
    if (this.#round === null || profile === null || this.#isTold) return false;
    return meterValue(this.#round, 'bills_in') > mostNotesOfRound(profile);
  }

  #tell(): void {
    if (!this.#isJump()) return;
    this.#own.set(PART, FAULT, true, { place: `bills_in +${meterValue(this.#round!, 'bills_in')}` });
    this.#own.set(PART, FAULT, false);
  }
}
