import type { Person } from '../../engine/table/inputs.ts';
import { type FAULTS, type FaultId, faultRow, personsFor } from '../../wire/faults.ts';
import type { DeviceFault } from '../../wire/pages.ts';
import type { Outcome, Terminal } from '../table/terminal.ts';
import { describeFault, stopsOf } from './faults.ts';

export type OwnFaultId = {
  [Id in FaultId]: (typeof FAULTS)[Id]['device'] extends 'machine' ? Id : never;
}[FaultId];

/**
 * Faults of the terminal itself: displays, clock, link, books, program. They stand in the ledger
 * over any restart until their cause is gone, and where the row names persons until these have
 * looked at it.
 */
export class OwnFaults {
  readonly #terminal: Terminal;
  /** Causes that were looked at in this life of the process, and are not there. */
  readonly #gone = new Set<string>();

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /**
   * Whether the cause of a fault is there now. `part`: of the terminal, as in `display:seat:3`;
   * `place`: for the technician; `seats`: those a fault of level L locks.
   */
  set(
    part: string,
    fault: OwnFaultId,
    isThere: boolean,
    { place = part, seats = [] }: { place?: string; seats?: readonly number[] } = {},
  ): void {
    const stands = this.stands(part, fault);
    if (isThere) {
      this.#gone.delete(`${part} ${fault}`);
      if (!stands)
        this.#terminal.submit({ type: 'report-fault', device: part, fault, place, ...stopsOf(fault, seats) });
      return;
    }
    this.#gone.add(`${part} ${fault}`);
    if (stands && personsFor(fault).length === 0)
      this.#terminal.submit({ type: 'clear-fault', device: part, fault });
  }

  stands(part: string, fault: OwnFaultId): boolean {
    return this.#terminal.state.faults.some((known) => known.device === part && known.fault === fault);
  }

  faults(): (DeviceFault & { readonly device: string })[] {
    return this.#terminal.state.faults
      .filter(({ fault }) => faultRow(fault)?.device === 'machine')
      .map((fault) => ({
        device: fault.device,
        ...describeFault(this.#terminal.state, fault, this.#gone.has(`${fault.device} ${fault.fault}`)),
      }));
  }

  /** Ends a fault that needs persons; the caller has checked who they are. */
  release(part: string, fault: string, persons: readonly Person[], commandId: string): Outcome {
    const standing = this.faults().find((known) => known.device === part && known.fault === fault);
    if (standing === undefined || standing.persons.length === 0)
      return { status: 'rejected', code: 'nothing-to-do', cites: [], detail: `${part} ${fault}` };
    if (!standing.canBeEnded)
      return { status: 'rejected', code: 'held', cites: [], detail: 'the cause is still there' };
    return this.#terminal.submit({ type: 'clear-fault', device: part, fault, persons }, commandId);
  }
}
