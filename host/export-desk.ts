import { mkdirSync, readFileSync, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Person } from '../engine/table/inputs.ts';
import { FILE_BOUNDS, parseBounded } from '../ledger/chain/bounded-json.ts';
import type { LedgerKey } from '../ledger/store/ledger.store.ts';
import type { ExportPage, ExportRun } from './api-pages.ts';
import type { Drivers } from './drivers.ts';
import { saveRecording } from './recordings.ts';
import { runBeside } from './side-program.ts';
import { sizeOf } from './storage.ts';
import type { Outcome, Terminal } from './terminal.ts';

const MOST_MS = 4 * 3_600_000;
/** Where Linux mounts what people plug in. */
const REMOVABLE = /^\/(?:media|run\/media)\//;
/** An export has the entries some four times over: the copy, twice as lines, once as postings. */
const TIMES_THE_LEDGER = 4;

/** Mount points in the text of /proc/self/mounts, where a space is written as \040. */
export const removableMounts = (mounts: string): string[] =>
  mounts
    .split('\n')
    .map((line) => (line.split(' ')[1] ?? '').replaceAll('\\040', ' '))
    .filter((path) => REMOVABLE.test(path))
    .toSorted();

interface ExportDeskOptions {
  readonly terminal: Terminal;
  readonly ledgerPath: string;
  /** The terminal's, which signs the manifest. */
  readonly key: Pick<LedgerKey, 'publicKey'>;
  readonly drivers: Drivers;
  readonly devices: () => readonly { readonly id: string }[];
  readonly log: (line: string) => void;
}

/**
 * Exports the ledger with everything that belongs to it through `banca export`, and checks it with `banca verify --export`, both
 * in processes of their own that only read the ledger. They go to a stick that is there, or into the folder `exports`.
 */
export class ExportDesk {
  readonly #o: ExportDeskOptions;
  #run: ExportRun | null = null;
  #stop: (() => void) | null = null;
  #isClosed = false;

  constructor(o: ExportDeskOptions) {
    this.#o = o;
  }

  get isRunning(): boolean {
    return this.#stop !== null;
  }

  page(): ExportPage {
    const needBytes = TIMES_THE_LEDGER * sizeOf(this.#o.ledgerPath);
    const targets = this.#targets().map((path) => {
      const freeBytes = freeIn(path);
      return { path, freeBytes, isEnough: freeBytes >= needBytes };
    });
    return { targets, needBytes, run: this.#run };
  }

  #own(): string {
    return join(dirname(this.#o.ledgerPath), 'exports');
  }

  #targets(): string[] {
    return [...removableMounts(readFileSync('/proc/self/mounts', 'utf8')), this.#own()];
  }

  make(target: string, person: Person, commandId: string): Outcome {
    const refused = (detail: string): Outcome => ({ status: 'rejected', code: 'not-due', cites: [], detail });
    const { terminal, ledgerPath, drivers, devices, log } = this.#o;
    if (this.#stop !== null) return refused('an export is being made');
    if (!this.#targets().includes(target)) return refused(`${target} is no place for an export`);
    const nowMs = terminal.now();
    for (const { id } of devices())
      saveRecording(drivers, join(dirname(ledgerPath), 'recordings'), id, nowMs);
    const time = new Date(nowMs).toISOString().replaceAll(/[:.]/g, '-');
    const dir = join(target, `banca-${terminal.ledger.terminalId}-${time}`);
    // Entered before the stick is touched: an export that fails was asked for all the same.
    const begun = terminal.record({ type: 'export-begun', dir, person }, commandId);
    if (begun.status !== 'done') return begun;
    const show = (more: Partial<ExportRun>): void => {
      this.#run = {
        dir,
        person: person.name,
        beganAtMs: nowMs,
        file: null,
        no: 0,
        of: 0,
        ok: null,
        why: null,
        ...more,
      };
    };
    show({});
    const banca = async (args: readonly string[], onError: (line: string) => void): Promise<string> => {
      let said = '';
      const { ended, stop } = runBeside({
        program: 'cli/banca',
        args,
        mostMs: MOST_MS,
        onOut: (line) => {
          said = line;
        },
        onError,
      });
      this.#stop = stop;
      const why = await ended;
      if (why !== null && said === '') throw new Error(why);
      return said;
    };
    const work = async (): Promise<{ ok: boolean; why: string | null; headSeq: number }> => {
      mkdirSync(target, { recursive: true, mode: 0o700 });
      let last = '';
      await banca(['export', ledgerPath, '--out', dir, '--json', '--progress'], (line) => {
        const told = progressOf(line);
        if (told) show(told);
        else {
          last = line;
          log(line);
        }
      }).catch((error: Error) => {
        throw new Error(last || error.message);
      });
      show({ file: 'verify' });
      const ours = Buffer.from(this.#o.key.publicKey).toString('base64');
      const report = parseBounded(
        await banca(['verify', '--export', dir, '--key', ours, '--json'], log),
        FILE_BOUNDS,
      ) as {
        ok: boolean;
        problem: string;
        headSeq: number;
      };
      return { ok: report.ok, why: report.ok ? null : report.problem, headSeq: report.headSeq };
    };
    void work()
      .catch((error: Error) => ({ ok: false, why: error.message, headSeq: 0 }))
      .then((end) => {
        this.#stop = null;
        show({ ok: end.ok, why: end.why });
        if (!this.#isClosed) terminal.record({ type: 'export-made', dir, person, ...end });
      });
    return begun;
  }

  stop(): void {
    this.#isClosed = true;
    this.#stop?.();
  }
}

function freeIn(path: string): number {
  // The own folder is made by the first export.
  for (const place of [path, dirname(path)])
    try {
      const { bavail, bsize } = statfsSync(place);
      return bavail * bsize;
    } catch {}
  return 0;
}

function progressOf(line: string): { file: string; no: number; of: number } | null {
  try {
    const { file, no, of } = parseBounded(line, FILE_BOUNDS) as { file: string; no: number; of: number };
    return { file, no, of };
  } catch {
    return null;
  }
}
