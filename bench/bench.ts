/**
 * `npm run bench [-- --only engine,ledger,memory,window-memory,soak,devices,sync,fleet,orders,busy,
 * touch,idle,start,return] [--minutes N]`: measures the terminal on this machine and prints one
 * JSON document on stdout; what it is doing goes to stderr. What each figure means is in
 * docs/performance.md.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, loadavg, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { chromiumBinary } from '../electron/choose-shell.ts';
import { hasGpu } from '../electron/shell.ts';
import { argumentsOf } from '../ledger/chain/program-arguments.ts';
import { ROOT } from '../test/shell/paths.ts';
import { benchBusy } from './busy.ts';
import { benchDevices } from './devices.ts';
import { benchEngine } from './engine.ts';
import { benchFleet } from './fleet.ts';
import { benchIdle } from './idle.ts';
import { benchLedger } from './ledger.ts';
import { benchLong } from './long.ts';
import { benchMemory } from './memory.ts';
import { benchOrders } from './orders.ts';
import { benchPainted } from './painted.ts';
import type { PartContext } from './part.ts';
import { benchSoak } from './soak.ts';
import { benchStart } from './start.ts';
import { progress, round3 } from './stats.ts';
import { benchSync } from './sync.ts';
import { benchTouch } from './touch.ts';
import { benchWindowMemory } from './window-memory.ts';
import { benchWindowReturn } from './window-return.ts';

interface Part {
  /** What `--only` calls it. */
  readonly part: string;
  /** Its figures in the document. */
  readonly name: string;
  run(context: PartContext): Promise<unknown>;
}

const PARTS: readonly Part[] = [
  { part: 'engine', name: 'engine', run: benchEngine },
  { part: 'ledger', name: 'ledger', run: async (context) => benchLedger(context) },
  { part: 'ledger', name: 'longLedger', run: benchLong },
  { part: 'memory', name: 'memory', run: async (context) => benchMemory(context) },
  { part: 'window-memory', name: 'windowMemory', run: benchWindowMemory },
  { part: 'soak', name: 'soak', run: benchSoak },
  { part: 'devices', name: 'devices', run: benchDevices },
  { part: 'sync', name: 'sync', run: benchSync },
  { part: 'fleet', name: 'fleet', run: benchFleet },
  { part: 'orders', name: 'orders', run: benchOrders },
  { part: 'busy', name: 'busyTable', run: benchBusy },
  { part: 'touch', name: 'touchDurable', run: benchTouch },
  { part: 'touch', name: 'touchPainted', run: benchPainted },
  { part: 'idle', name: 'idle', run: benchIdle },
  { part: 'start', name: 'start', run: benchStart },
  { part: 'return', name: 'windowReturn', run: benchWindowReturn },
];

interface Choice {
  readonly parts: readonly Part[];
  readonly minutes: number;
}

function choice(): Choice {
  const { values } = argumentsOf({
    options: { only: { type: 'string' }, minutes: { type: 'string', default: '2' } },
  });
  const known = [...new Set(PARTS.map(({ part }) => part))];
  const wanted = values.only?.split(',') ?? known;
  const unknown = wanted.find((part) => !known.includes(part));
  if (unknown !== undefined) throw new RangeError(`--only ${unknown}: expected some of ${known.join(',')}`);
  const minutes = Number(values.minutes);
  if (!(minutes >= 1)) throw new RangeError(`--minutes ${values.minutes}: at least 1`);
  return { parts: PARTS.filter(({ part }) => wanted.includes(part)), minutes };
}

/** Type of the file system a path is on, as the kernel calls it. */
function fileSystemOf(path: string): string {
  const mounts = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, at]) => at !== undefined && `${path}/`.startsWith(at.endsWith('/') ? at : `${at}/`));
  const [device, , type] = mounts.toSorted((a, b) => b[1]!.length - a[1]!.length)[0] ?? [];
  return `${type} on ${device}`;
}

function machine(): object {
  const chromium = chromiumBinary(process.env);
  return {
    cpu: cpus()[0]?.model,
    cores: cpus().length,
    memoryGiB: round3(totalmem() / 2 ** 30),
    kernel: release(),
    fileSystem: fileSystemOf(ROOT),
    gpu: hasGpu(),
    node: process.versions.node,
    chromium:
      chromium &&
      execFileSync(chromium, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim(),
  };
}

/** Runs the parts one after the other; a part that fails is on record and the others go on. */
async function run({ parts, minutes }: Choice): Promise<object> {
  const startMs = performance.now();
  const build = join(ROOT, 'build');
  mkdirSync(build, { recursive: true });
  // Where the ledger lives by default: the same disk.
  const root = mkdtempSync(join(build, 'bench-'));
  const notMeasured: { what: string; why: string }[] = [];
  const results: Record<string, unknown> = {};
  const loads = [round3(loadavg()[0]!)];
  let stack = new AsyncDisposableStack();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      void stack.disposeAsync().finally(() => {
        rmSync(root, { recursive: true, force: true });
        process.exit(130);
      });
    });
  for (const part of parts) {
    stack = new AsyncDisposableStack();
    const context: PartContext = {
      makeDir: (folder) => mkdtempSync(join(root, `${folder}-`)),
      minutes,
      stack,
      cannot: (what, why) => notMeasured.push({ what, why }),
    };
    try {
      results[part.name] = await part.run(context);
    } catch (error) {
      progress(`${part.name}: ${(error as Error).stack}`);
      notMeasured.push({ what: part.name, why: (error as Error).message });
    }
    await stack.disposeAsync();
    loads.push(round3(loadavg()[0]!));
  }
  rmSync(root, { recursive: true, force: true });
  return {
    at: new Date().toISOString(),
    machine: machine(),
    /** One-minute load of the machine before the first part and after each. */
    loads,
    seconds: Math.round((performance.now() - startMs) / 1_000),
    ...results,
    notMeasured,
  };
}

try {
  const result = await run(choice());
  process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
} catch (error) {
  if (!(error instanceof RangeError) && !(error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS'))
    throw error;
  progress((error as Error).message);
  process.exitCode = 2;
}
