import type { DisplayRole, HandedOver } from '../../wire/display.ts';
import type { OwnFaultId, OwnFaults } from './own-faults.ts';

const SEAT = 'seat:';
const seatOf = (role: DisplayRole): number | null =>
  role.startsWith(SEAT) ? Number(role.slice(SEAT.length)) : null;

/** The fault of a lost display, and the seats it locks; null = its loss is none. */
function faultOf(role: DisplayRole): { readonly fault: OwnFaultId; readonly seats: number[] } | null {
  if (role === 'table') return { fault: 'display-lost', seats: [] };
  if (role === 'dealer') return { fault: 'dealer-display-lost', seats: [] };
  const seat = seatOf(role);
  if (seat !== null) return { fault: 'seat-display-lost', seats: [seat] };
  if (role === 'spectator') return { fault: 'sign-display-lost', seats: [] };
  // Pages of service and of the operator come and go.
  return null;
}

const partOf = (role: DisplayRole): string => `display:${role}`;

/** A page may take so long to come after a start, on a loaded machine and over a network. */
const COMES_WITHIN_MS = 60_000;

/**
 * Displays that are gone. One that the terminal file names is missed from the start on, any other
 * one only where it was there before in this life. A sign that it does not name is never missed:
 * anybody may open one and close it.
 */
export class LostDisplays {
  readonly #own: OwnFaults;
  readonly #lostAfterMs: number;
  readonly #named: readonly DisplayRole[];
  readonly #timers = new Map<DisplayRole, NodeJS.Timeout>();
  readonly #connected = new Set<DisplayRole>();
  #isStopped = false;

  constructor(own: OwnFaults, lostAfterMs: number, named: readonly DisplayRole[] = []) {
    this.#own = own;
    this.#lostAfterMs = lostAfterMs;
    this.#named = named;
  }

  start(): void {
    for (const role of this.#named)
      if (!this.#connected.has(role)) this.#missAfter(role, Math.max(COMES_WITHIN_MS, this.#lostAfterMs));
  }

  /**
   * What the displays of the terminal file have taken from the big table. One that is lost has
   * given it back: whoever sits there can still decide and be paid, and the dealer go on.
   */
  handedOver(): HandedOver {
    const isThere = (role: DisplayRole): boolean => this.#connected.has(role) || !this.#isLost(role);
    const seats = (roles: readonly DisplayRole[]): number[] =>
      roles.map(seatOf).filter((seat) => seat !== null);
    const there = this.#named.filter(isThere);
    const lost = seats(this.#named.filter((role) => !isThere(role)));
    return {
      dealer: there.includes('dealer'),
      seats: seats(there),
      ...(lost.length > 0 ? { lost } : {}),
    };
  }

  there(role: DisplayRole): void {
    this.#connected.add(role);
    clearTimeout(this.#timers.get(role));
    this.#timers.delete(role);
    this.#set(role, false);
  }

  /** No page of this role is left. */
  gone(role: DisplayRole): void {
    this.#connected.delete(role);
    this.#missAfter(role, this.#lostAfterMs);
  }

  /** Every page goes with the server, and none is lost. */
  stop(): void {
    this.#isStopped = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }

  #missAfter(role: DisplayRole, ms: number): void {
    if (this.#isStopped || faultOf(role) === null || this.#timers.has(role)) return;
    if (role === 'spectator' && !this.#named.includes(role)) return;
    this.#timers.set(
      role,
      setTimeout(() => {
        this.#timers.delete(role);
        this.#set(role, true);
      }, ms),
    );
  }

  #isLost(role: DisplayRole): boolean {
    const row = faultOf(role);
    return row !== null && this.#own.stands(partOf(role), row.fault);
  }

  #set(role: DisplayRole, isLost: boolean): void {
    const row = faultOf(role);
    if (row !== null) this.#own.set(partOf(role), row.fault, isLost, { seats: row.seats });
  }
}
