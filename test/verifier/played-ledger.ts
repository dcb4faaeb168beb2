/** A ledger of many entries, as a table makes it in weeks of play. */
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setUp } from '../../cli/simulate/setup.ts';
import { SimulatedTable } from '../../cli/simulate/table.ts';
import type { TableEvent } from '../../engine/table/events.ts';
import { initialState } from '../../engine/table/state.ts';
import { evolve } from '../../engine/table/table.ts';
import { entryOf, roundIdOf, seal } from '../../host/terminal.ts';
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
 * Real entries of whole rounds of seven seats, each decision by the ledger's own `append` with a command id of its own,
 * each round with its snapshot, as the live table stores them; at the end a checkpoint, and two acknowledgements. Only the disk is none: a transaction that is
 * durable in memory takes a tenth of the time, and the file is copied to `dir` when it is closed.
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

/** Rounds until the ledger has so many entries. */
export function play(ledger: Ledger, entries: number): void {
  const state = initialState();
  let cards = 0;
  let touches = 0;
  const take = (events: readonly TableEvent[]): void => {
    const roundId = state.round?.id ?? null;
    const next = roundIdOf(TERMINAL, state.roundNo + 1);
    const stored = events.map((event) => withRoundId(event, next));
    const first = stored[0];
    if (first === undefined) return;
    const isCard = first.type.includes('card');
    for (const event of stored) evolve(state, event);
    const commandId = isCard ? `shoe:SIM-1:${++cards}` : uuidOf(++touches);
    ledger.append(
      first.atMs,
      commandId,
      stored.map((event) => entryOf(event, roundId)),
    );
    if (stored.some(({ type }) => type === 'round-closed')) seal(ledger, state);
  };
  const rulebook = 'macau-blackjack-2009';
  const [setup] = setUp({ rulebook, options: null, strategy: null, seats: SEATS, shoe: 'cut' });
  const { options, seatCount, player, laid } = setup!;
  const table = new SimulatedTable({
    rulebook,
    options,
    seatCount,
    shoe: 'cut',
    seed: 1,
    player,
    laid,
    listener: take,
  });
  while (ledger.head().seq < entries) table.playRound();
}

/** In the manner of a display's, and the same every time. */
function uuidOf(n: number): string {
  const hex = createHash('sha256').update(String(n)).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The simulated table has one name for all its rounds. */
const withRoundId = (event: TableEvent, roundId: string): TableEvent =>
  'roundId' in event && event.roundId !== null ? { ...event, roundId } : event;
