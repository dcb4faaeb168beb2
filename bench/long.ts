/** A ledger of a million entries: ready to play, after a kill too, and checked in full. */
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'vite';
import { KEY_FILE } from '../ledger/store/key.store.ts';
import { ROOT } from '../test/shell/paths.ts';
import { makePlayedLedger } from '../test/verifier/played-ledger.ts';
import type { PartContext } from './part.ts';
import { atMost, median, progress, round3 } from './stats.ts';

const ENTRIES = 1_000_000;
const REPETITIONS = 9;
/** The log is written back at 2000 pages: about as long as one gets. */
const LOG_BYTES = 7_500_000;
const LIMIT_MS = 60_000;
/** Of all balances from the entries. */
const BALANCES_CPU_MS = 2_000;

interface Run {
  readonly wallMs: number;
  readonly line: Readonly<Record<string, number>>;
}

/** A process from its start to its end. */
function run(args: readonly string[], env: NodeJS.ProcessEnv = {}): Run {
  const startMs = performance.now();
  const { stdout, stderr, status } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  const wallMs = performance.now() - startMs;
  if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
  return { wallMs, line: JSON.parse(stdout) as Run['line'] };
}

/** The child in one file, as a bundler makes it. */
async function bundled(outDir: string): Promise<string> {
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: join(ROOT, 'bench', 'long-child.ts'),
      outDir,
      target: 'node22',
      rolldownOptions: { external: [/^node:/, 'better-sqlite3'] },
    },
  });
  return join(outDir, 'long-child.js');
}

/** Start to ready, in turn with a Node that does nothing. */
function ready(dir: string, cache: string, bundle: string): object {
  const script = join(ROOT, 'bench', 'long-child.ts');
  const cached = { NODE_COMPILE_CACHE: cache };
  const cases: Readonly<Record<string, () => Run>> = {
    nodeAlone: () =>
      run(['-e', 'const u=process.cpuUsage();console.log(JSON.stringify({cpuMs:(u.user+u.system)/1000}))']),
    ledgerFromSources: () => run([script, 'ready-ledger', dir]),
    ledgerCompileCache: () => run([script, 'ready-ledger', dir], cached),
    ledgerBundled: () => run([bundle, 'ready-ledger', dir], cached),
    terminalFromSources: () => run([script, 'ready-terminal', dir]),
    terminalCompileCache: () => run([script, 'ready-terminal', dir], cached),
    terminalBundled: () => run([bundle, 'ready-terminal', dir], cached),
  };
  const runs = new Map(Object.keys(cases).map((name) => [name, [] as Run[]]));
  for (let i = 0; i <= REPETITIONS; i++)
    for (const [name, measure] of Object.entries(cases)) {
      const one = measure();
      // The first one fills the caches.
      if (i > 0) runs.get(name)!.push(one);
    }
  const of = (name: string, value: (run: Run) => number): number => median(runs.get(name)!.map(value));
  return Object.fromEntries(
    Object.keys(cases).map((name) => [
      name,
      {
        wallMs: round3(of(name, (one) => one.wallMs)),
        cpuMs: round3(of(name, (one) => one.line['cpuMs']!)),
        openCpuMs: name === 'nodeAlone' ? undefined : round3(of(name, (one) => one.line['openCpuMs']!)),
        ofNodeAlone: round3(of(name, (one) => one.wallMs) / of('nodeAlone', (one) => one.wallMs)),
        cpuOfNodeAlone: round3(
          of(name, (one) => one.line['cpuMs']!) / of('nodeAlone', (one) => one.line['cpuMs']!),
        ),
      },
    ]),
  );
}

/** A table that plays on until it is killed with a long log; then the start that recovers. */
async function afterKill(context: PartContext, dir: string, cache: string, bundle: string): Promise<object> {
  const runs: Run[] = [];
  let logBytes = 0;
  for (let i = 0; i < 3; i++) {
    const killed = context.makeDir('killed');
    for (const name of ['ledger.db', KEY_FILE]) copyFileSync(join(dir, name), join(killed, name));
    const player = spawn(process.execPath, [join(ROOT, 'bench', 'long-player.ts'), killed], {
      stdio: 'inherit',
    });
    context.stack.defer(() => void player.kill('SIGKILL'));
    const wal = join(killed, 'ledger.db-wal');
    const untilMs = performance.now() + LIMIT_MS;
    while (performance.now() < untilMs && !(existsSync(wal) && statSync(wal).size > LOG_BYTES))
      await sleep(5);
    const ended = new Promise((resolve) => player.once('exit', resolve));
    player.kill('SIGKILL');
    await ended;
    logBytes = statSync(wal).size;
    runs.push(run([bundle, 'ready-terminal', killed], { NODE_COMPILE_CACHE: cache }));
  }
  return {
    logBytes,
    wallMs: round3(median(runs.map(({ wallMs }) => wallMs))),
    cpuMs: round3(median(runs.map(({ line }) => line['cpuMs']!))),
    note: 'kill -9 in the middle of play; process start included',
  };
}

export async function measureLong(context: PartContext, dir: string): Promise<object> {
  const cache = context.makeDir('compile-cache');
  const bundle = await bundled(context.makeDir('bundle'));
  progress('ledger: ready to play');
  const readyFigures = ready(dir, cache, bundle);
  progress('ledger: after a kill');
  const kill = await afterKill(context, dir, cache, bundle);
  progress('ledger: the whole chain');
  const { line } = run([join(ROOT, 'bench', 'long-child.ts'), 'verify', dir]);
  const { line: balances } = run([join(ROOT, 'bench', 'long-child.ts'), 'balances', dir]);
  return {
    bytes: statSync(join(dir, 'ledger.db')).size,
    ready: readyFigures,
    afterKill: kill,
    chainCheck: {
      entries: line['entries'],
      checkpoints: line['checkpoints'],
      ms: round3(line['chainMs']!),
      cpuMs: round3(line['chainWorkMs']!),
      note: 'two threads; the first stage of the whole check: numbers, links, every hash, the newest signature',
    },
    chainAndSignatures: {
      ms: round3(line['signaturesMs']!),
      cpuMs: round3(line['signaturesWorkMs']!),
      note: 'two threads; the first two stages: the chain, and the signature of every checkpoint',
    },
    balances: {
      accounts: balances['accounts'],
      closings: balances['closings'],
      ms: round3(balances['ms']!),
      goals: { cpuMs: atMost(balances['workMs']!, BALANCES_CPU_MS) },
      note: 'one thread; all balances rebuilt from the entries and compared with those stored at each closing of the books',
    },
    wholeCheck: {
      entries: line['entries'],
      checkpoints: line['checkpoints'],
      ms: round3(line['ms']!),
      cpuMs: round3(line['workMs']!),
      note: 'two threads; chain, canonical form, columns, postings, every signature, every index, commands, balances',
    },
  };
}

export async function benchLong(context: PartContext): Promise<object> {
  const dir = context.makeDir('long');
  progress(`ledger: playing ${ENTRIES} entries`);
  const startMs = performance.now();
  makePlayedLedger(dir, ENTRIES);
  const generatedSeconds = Math.round((performance.now() - startMs) / 1_000);
  return { entries: ENTRIES, generatedSeconds, ...(await measureLong(context, dir)) };
}
