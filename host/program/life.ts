/**
 * The lives of this process in the ledger: how the one before ended, with which program this one
 * begins.
 */
import { readFileSync } from 'node:fs';
import type { SignedWord, Word } from '../../ledger/chain/word.codec.ts';
import type { Entry, LedgerReader } from '../../ledger/store/ledger.store.ts';
import type { NamedWitness } from '../../ledger/store/witness.store.ts';
import type { Counted, HostEvent } from '../../wire/host-events.ts';
import type { Terminal } from '../table/terminal.ts';

/** Changes whenever the machine is started: it tells a power cut from a process that was killed. */
export const bootOfMachine = (): string => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();

type ProgramStarted = Extract<HostEvent, { type: 'program-started' }>;

/**
 * The newest entry of a numbered series, whose command ids are `<series>:<number>`; null = there is
 * none.
 */
export function lastOf(
  ledger: LedgerReader,
  series: string,
): { readonly no: number; readonly entry: Entry } | null {
  const id = ledger.lastCommandId(`${series}:`);
  const known = id === null ? null : ledger.findCommand(id);
  const entry = known && ledger.read(known.lastSeq, 1)[0];
  return id !== null && entry ? { no: Number(id.slice(series.length + 1)), entry } : null;
}

export const idAfter = (last: { readonly no: number } | null, series: string): string =>
  `${series}:${String((last?.no ?? 0) + 1).padStart(8, '0')}`;

/** What the starts of a ledger say of the places beside it that remember it. */
export interface Starts {
  readonly count: number;
  readonly witness: NamedWitness | null;
  /** What the newest start or restore says of the TPM's counter. */
  readonly counter: Counted | null;
  /** When the newest word of the centre was made that the ledger goes on by; 0 = none. */
  readonly wordAtMs: number;
}

export function startsIn(ledger: LedgerReader): Starts {
  const newest = lastOf(ledger, 'program');
  const [restored] = ledger.newest({ beforeSeq: null, limit: 1, kind: 'ledger-restored' });
  const started = newest?.entry.body as ProgramStarted | undefined;
  const word = restored?.body as (SignedWord & Pick<ProgramStarted, 'counter'>) | undefined;
  const isRestored = (restored?.seq ?? 0) > (newest?.entry.seq ?? 0);
  return {
    count: newest?.no ?? 0,
    witness: started?.witness ?? null,
    counter: (isRestored ? word : started)?.counter ?? null,
    wordAtMs: word ? (JSON.parse(word.bytes) as Word).issuedAtMs : 0,
  };
}

/** How the life before ended, from a ledger that this life has written nothing into yet. */
export function lastLife(
  ledger: LedgerReader,
  machineBootId: string,
): Pick<ProgramStarted, 'after' | 'lastEntryMs'> {
  // The ledger itself may have written of a repair since, when it was opened.
  const newest = ledger.newest({ beforeSeq: null, limit: 10, kind: null });
  const head = newest.find(({ kind }) => kind !== 'ledger-repaired' && kind !== 'ledger-restored');
  if (!head) return { after: 'nothing', lastEntryMs: null };
  const lastEntryMs = head.atMs;
  if (head.kind === 'program-stopped') return { after: 'shutdown', lastEntryMs };
  const before = lastOf(ledger, 'program')?.entry.body as ProgramStarted | undefined;
  // Programs of before there was this entry have not said when they stopped.
  if (!before) return { after: 'unknown', lastEntryMs };
  return { after: before.machineBootId === machineBootId ? 'crash' : 'power-loss', lastEntryMs };
}

export function recordStart(
  terminal: Terminal,
  life: Pick<
    ProgramStarted,
    'after' | 'lastEntryMs' | 'machineBootId' | 'why' | 'witness' | 'counter' | 'epochBefore'
  >,
): void {
  const { phase, round } = terminal.state;
  const roundOpen = round !== null && round.lines === null;
  terminal.record(
    { type: 'program-started', ...life, phase, roundOpen },
    idAfter(lastOf(terminal.ledger, 'program'), 'program'),
  );
}
