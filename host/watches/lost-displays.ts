import type { DisplayRole } from '../../wire/display.ts';
import type { OwnFaultId, OwnFaults } from './own-faults.ts';

/** The fault of a lost display, and the seats it locks; null = its loss is none. */
function faultOf(role: DisplayRole): { readonly fault: OwnFaultId; readonly seats: number[] } | null {
  if (role === 'table') return { fault: 'display-lost', seats: [] };
  if (role === 'dealer') return { fault: 'dealer-display-lost', seats: [] };
  if (role.startsWith('seat:')) return { fault: 'seat-display-lost', seats: [Number(role.slice(5))] };
  // Pages of service and of the operator come and go.
  return null;
}

/** Displays that were there and are gone. One that was never there in this life is not missed. */
export class LostDisplays {
  readonly #own: OwnFaults;
  readonly #lostAfterMs: number;
  readonly #timers = new Map<DisplayRole, NodeJS.Timeout>();
  #isStopped = false;

  constructor(own: OwnFaults, lostAfterMs: number) {
    this.#own = own;
    this.#lostAfterMs = lostAfterMs;
  }

  there(role: DisplayRole): void {
    clearTimeout(this.#timers.get(role));
    this.#timers.delete(role);
    this.#set(role, false);
  }

  /** No page of this role is left. */
  gone(role: DisplayRole): void {
    if (this.#isStopped || faultOf(role) === null || this.#timers.has(role)) return;
    this.#timers.set(
      role,
      setTimeout(() => this.#set(role, true), this.#lostAfterMs),
    );
  }

  /** Every page goes with the server, and none is lost. */
  stop(): void {
    this.#isStopped = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }

  #set(role: DisplayRole, isLost: boolean): void {
    const row = faultOf(role);
    if (row !== null) this.#own.set(`display:${role}`, row.fault, isLost, { seats: row.seats });
  }
}
