import type { TableEvent } from '../../engine/table/events.ts';
import type { TableState } from '../../engine/table/state.ts';
import type { Ledger } from '../../ledger/store/ledger.store.ts';
import type { Question } from '../../reader/form.ts';
import type { HostEvent } from '../../wire/host-events.ts';
import { type OpenedAt, openedAt, type RoundSoFar } from './round-facts.ts';

/** A payment that is decided and not stored. */
export interface MoneyToRead {
  /** With the events up to the payment. */
  readonly round: RoundSoFar;
  /** After them. */
  readonly state: TableState;
  readonly ask: Question['ask'];
}

/** `holds`: no money of the round moves; `record`: the entry for the ledger. */
export interface Unagreed {
  readonly holds: boolean;
  readonly why: 'differs' | 'absent';
  readonly record: HostEvent | null;
}

/** Null = the money may move. */
export interface SecondReader {
  read(money: MoneyToRead): Unagreed | null;
}

const OPENS: ReadonlySet<string> = new Set(['betting-opened', 'demo-round-opened']);

/** The round on the table as it has been since its bets were opened. */
export class RoundBook {
  #at: OpenedAt | null = null;
  #events: TableEvent[] = [];

  /** A process that finds a round on the table reads it from the ledger. */
  find(at: OpenedAt, events: readonly TableEvent[]): void {
    this.#at = at;
    this.#events = [...events];
  }

  /** Before an input is decided. */
  before(state: TableState): void {
    if (state.round === null) this.find(openedAt(state), []);
  }

  /** The events are stored. The table goes on with the lists in them. */
  stored(events: readonly TableEvent[]): void {
    for (const event of events) this.#events.push(structuredClone(event));
  }

  /** Every payment among these events, which are not stored. */
  paymentsIn(events: readonly TableEvent[], state: TableState): MoneyToRead[] {
    const at = this.#at;
    if (at === null || state.round?.demo) return [];
    return events.flatMap(({ type }, index) => {
      const ask = type === 'round-settled' ? 'settled' : type === 'paid-at-once' ? 'at-once' : null;
      if (ask === null) return [];
      return [{ round: { at, events: [...this.#events, ...events.slice(0, index + 1)] }, state, ask }];
    });
  }
}

/** Where the round on the table was opened; the first entry there is, where none says so. */
export function openingOf(ledger: Ledger): number {
  const PAGE = 250;
  for (let to = ledger.head().seq; to > 0; to -= PAGE) {
    const from = Math.max(1, to - PAGE + 1);
    const opened = ledger.read(from, to - from + 1).findLast(({ kind }) => OPENS.has(kind));
    if (opened) return opened.seq;
  }
  return 1;
}
