import { closeSync, constants, fsyncSync, mkdirSync, openSync, statfsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Person } from '../../engine/table/inputs.ts';
import { FILE_BOUNDS, parseBounded } from '../../ledger/chain/bounded-json.ts';
import type { LedgerKey } from '../../ledger/store/ledger.store.ts';
import type { ExportPage, ExportRun, StickTrouble } from '../../wire/pages.ts';
import type { Drivers } from '../devices/drivers.ts';
import { saveRecording } from '../devices/recordings.ts';
import { runBeside } from '../program/side-program.ts';
import type { Outcome, Terminal } from '../table/terminal.ts';
import { sizeOf } from '../watches/storage-watch.ts';
import { isStillAt, openNewFolder, openStick, sticks, throughOpen } from './sticks.ts';

const MOST_MS = 4 * 3_600_000;
/** An export has the entries some four times over: the copy, twice as lines, once as postings. */
const TIMES_THE_LEDGER = 4;

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;

const SENTENCES: Readonly<Record<Exclude<StickTrouble, 'name'>, string>> = {
  covered: 'no stick is mounted there, or something else over it',
  'own-disk': "it is a part of this machine's own disk",
  closed: 'it cannot be opened and written',
};

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
 * Exports the ledger with everything that belongs to it through `banca export`, and checks it with
 * `banca verify --export`, both in processes of their own that only read the ledger. They go to a
 * stick that is there, or into the folder `exports`.
 */
export class ExportDesk {
  readonly #o: ExportDeskOptions;
  #run: ExportRun | null = null;
  #stop: (() => void) | null = null;
  #isClosed = false;
  /** Who ends the one that is made before its end. */
  #stopper: Person | null = null;

  constructor(o: ExportDeskOptions) {
    this.#o = o;
  }

  get isRunning(): boolean {
    return this.#stop !== null;
  }

  page(): ExportPage {
    const needBytes = TIMES_THE_LEDGER * sizeOf(this.#o.ledgerPath);
    const own = { path: this.#own, freeBytes: freeIn(this.#own), trouble: null };
    const targets = [...sticks(this.#data), own].map((target) => ({
      ...target,
      isEnough: target.freeBytes >= needBytes,
    }));
    return { targets, needBytes, run: this.#run };
  }

  get #data(): string {
    return dirname(this.#o.ledgerPath);
  }

  get #own(): string {
    return join(this.#data, 'exports');
  }

  /** Opens the folder that an export goes into, or says why not. */
  #open(target: string): number | string {
    if (target === this.#own)
      try {
        mkdirSync(target, { recursive: true, mode: 0o700 });
        return openSync(target, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
      } catch (error) {
        return (error as Error).message;
      }
    const stick = sticks(this.#data).find(({ path, trouble }) => path === target && trouble !== 'name');
    if (stick === undefined) return 'no stick is mounted there';
    const opened = openStick(target, this.#data);
    return typeof opened === 'number' ? opened : SENTENCES[opened];
  }

  make(target: string, person: Person, commandId: string): Outcome {
    const refused = (detail: string): Outcome => ({ status: 'rejected', code: 'not-due', cites: [], detail });
    const { terminal, ledgerPath, drivers, devices, log } = this.#o;
    if (this.#stop !== null) return refused('an export is being made');
    const place = this.#open(target);
    if (typeof place === 'string') return refused(`${target} is no place for an export: ${place}`);
    const nowMs = terminal.now();
    for (const { id } of devices()) saveRecording(drivers, join(this.#data, 'recordings'), id, nowMs);
    const time = new Date(nowMs).toISOString().replaceAll(/[:.]/g, '-');
    const name = `banca-${terminal.ledger.terminalId}-${time}`;
    const dir = join(target, name);
    // Entered before the stick is written: an export that fails was asked for all the same.
    const begun = terminal.record({ type: 'export-begun', dir, person }, commandId);
    if (begun.status !== 'done') {
      closeSync(place);
      return begun;
    }
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
        stoppedBy: null,
        ...more,
      };
    };
    show({});
    const banca = async (
      folder: number,
      args: readonly string[],
      onError: (line: string) => void,
    ): Promise<string> => {
      let said = '';
      const { ended, stop } = runBeside({
        program: 'cli/banca',
        args,
        cwd: throughOpen(folder),
        mostMs: MOST_MS,
        onOut: (line) => {
          said = line;
        },
        onError,
      });
      this.#stop = stop;
      // Between its two programs nobody was there to be stopped.
      if (this.#stopper !== null) stop();
      const why = await ended;
      if (why !== null && said === '') throw new Error(why);
      return said;
    };
    const work = async (folder: number): Promise<{ ok: boolean; why: string | null; headSeq: number }> => {
      let last = '';
      await banca(folder, ['export', resolve(ledgerPath), '--out', '.', '--json', '--progress'], (line) => {
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
        await banca(folder, ['verify', '--export', '.', '--key', ours, '--json'], log),
        FILE_BOUNDS,
      ) as {
        ok: boolean;
        problem: string;
        headSeq: number;
      };
      fsyncSync(place);
      return { ok: report.ok, why: report.ok ? null : report.problem, headSeq: report.headSeq };
    };
    const workInNew = async (): ReturnType<typeof work> => {
      const folder = openNewFolder(place, name);
      return work(folder).finally(() => closeSync(folder));
    };
    void workInNew()
      // People know the place by its path.
      .catch(({ message }: Error) => ({
        ok: false,
        why: message.replaceAll(throughOpen(place), target),
        headSeq: 0,
      }))
      .then(({ ok, why, headSeq }) => {
        const isGone = target !== this.#own && !isStillAt(place, target, this.#data);
        closeSync(place);
        const gone = `${target}: the stick was taken away, or something else was put in its place`;
        const stopper = this.#stopper;
        this.#stopper = null;
        const end = stopper
          ? { ok: false, why: `stopped by ${stopper.name}`, headSeq }
          : isGone
            ? { ok: false, why: gone, headSeq }
            : { ok, why, headSeq };
        this.#stop = null;
        show({ ok: end.ok, why: end.why, stoppedBy: stopper?.name ?? null });
        if (!this.#isClosed) terminal.record({ type: 'export-made', dir, person, ...end });
      });
    return begun;
  }

  /** Ends the one that is made, in the name of that person; false = none is. */
  stopBy(person: Person): boolean {
    if (this.#stop === null) return false;
    this.#stopper = person;
    this.#stop();
    return true;
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
