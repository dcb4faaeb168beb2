/** A ledger of many entries, as a table makes it in weeks of play. */
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setUp } from '../../cli/simulate/setup.ts';
import { SimulatedTable } from '../../cli/simulate/table.ts';
import { evolve, initialState } from '../../engine/engine.ts';
import type { TableEvent } from '../../engine/table/events.ts';
import { entryOf, roundIdOf, seal } from '../../host/table/terminal.ts';
import { KEY_FILE } from '../../ledger/store/key.store.ts';
import type { Ledger } from '../../ledger/store/ledger.store.ts';
import { loadOrCreateKey, openLedger } from '../../ledger/store/ledger.store.ts';

/** What the simulated table calls its terminal. */
export const TERMINAL = 'simulation';
const SEATS = 7;

export const openIn = (dir: string): Ledger =>
  openLedger(join(dir, 'ledger.db'), {
    terminalId: TERMINAL,
    key: loadOrCreateKey(dir),
    createIfMissing: true,
  });

/**
 * Real entries of whole rounds of seven seats, each decision by the ledger's own `append` with a
 * command id of its own, each round with its snapshot, as the live table stores them; at the end a
 * checkpoint, and two acknowledgements. Only the disk is none: a transaction that is durable in
 * memory takes a tenth of the time, and the file is copied to `dir` when it is closed.
 */
export function makePlayedLedger(dir: string, entries: number): void {
  const memory = existsSync('/dev/shm') ? '/dev/shm' : dir;
  const making = mkdtempSync(join(memory, 'banca-long-'));
  try {
    const ledger = openIn(making);
    play(ledger, entries);
    ledger.checkpoint('shift', null, ledger.read(ledger.head().seq, 1)[0]!.atMs);
    for (const part of [0.3, 0.6]) {
      const seq = Math.round(ledger.head().seq * part);
      ledger.acknowledge(seq, ledger.hashAt(seq)!, seq);
    }
    ledger.close();
    for (const name of ['ledger.db', KEY_FILE]) copyFileSync(join(making, name), join(dir, name));
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

/** A table of the simulation whose every decision goes into a ledger. */
export class Player {
  readonly #ledger: Ledger;
  readonly #table: SimulatedTable;
  readonly #state = initialState();
  #cards = 0;
  #touches = 0;

  /** The ledger may hold rounds already: the table's ids go on behind them. */
  constructor(ledger: Ledger, seats: number) {
    this.#ledger = ledger;
    this.#cards = this.#touches = ledger.head().seq;
    const rulebook = 'macau-blackjack-2009';
    const [setup] = setUp({ rulebook, options: null, strategy: null, seats, shoe: 'cut' });
    const { options, seatCount, player, laid } = setup!;
    const listener = (events: readonly TableEvent[]): void => this.#take(events);
    this.#table = new SimulatedTable({
      rulebook,
      options,
      seatCount,
      shoe: 'cut',
      seed: 1,
      player,
      laid,
      listener,
    });
  }

  playRound(): void {
    this.#table.playRound();
  }

  #take(events: readonly TableEvent[]): void {
    const state = this.#state;
    const roundId = state.round?.id ?? null;
    const next = roundIdOf(TERMINAL, state.roundNo + 1);
    const stored = events.map((event) => named(event, next, this.#ledger.head().seq));
    const first = stored[0];
    if (first === undefined) return;
    for (const event of stored) evolve(state, event);
    const commandId = first.type.includes('card') ? `shoe:SIM-1:${++this.#cards}` : uuidOf(++this.#touches);
    this.#ledger.append(
      first.atMs,
      commandId,
      stored.map((event) => entryOf(event, roundId)),
    );
    if (stored.some(({ type }) => type === 'round-closed')) seal(this.#ledger, state);
  }
}

/** Rounds until the ledger has so many entries. */
export function play(ledger: Ledger, entries: number): void {
  const player = new Player(ledger, SEATS);
  while (ledger.head().seq < entries) player.playRound();
}

/** In the manner of a display's, and the same every time. */
function uuidOf(n: number): string {
  const hex = createHash('sha256').update(String(n)).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The simulated table has one name for all its rounds, and one for each seat's note. */
function named(event: TableEvent, roundId: string, seq: number): TableEvent {
  const round = 'roundId' in event && event.roundId !== null ? { roundId } : {};
  const note = 'noteId' in event && seq > 100 ? { noteId: `${event.noteId}-${seq}` } : {};
  return { ...event, ...round, ...note };
}
