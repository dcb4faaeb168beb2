/**
 * From `npm start` to the first frame of the table one can play on, beside the same browser with an
 * empty page. The centre is running already, as in a casino; once more with the centre that `npm
 * start` brings for a machine by itself.
 */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseObject, readLines } from '../electron/json-lines.ts';
import { ROOT } from '../test/shell/paths.ts';
import { screenFor, startBlankWindow } from './kiosk.ts';
import type { PartContext } from './part.ts';
import { atMost, median, progress } from './stats.ts';

const REPETITIONS = 5;
const LIMIT_MS = 120_000;

/** Milliseconds since the command was given. */
interface Stages {
  readonly hostReady: number;
  readonly windowOpened: number;
  readonly displayConnected: number;
  /** The ground of the table, with the panels that can be touched. */
  readonly table: number;
  /** With print, cards and chips. */
  readonly painted: number;
}

/** One `npm start` as a person gives it, ended again after the first frame. */
async function npmStart(
  context: PartContext,
  display: string,
  data: string,
  profile: string | null,
): Promise<Stages> {
  const startedMs = performance.now();
  const args = [
    'start',
    '--',
    '--test',
    '--shell',
    'chromium',
    '--data',
    data,
    '--witness',
    join(data, 'witness'),
  ];
  const child = spawn('npm', profile === null ? args : [...args, '--profile', profile], {
    cwd: ROOT,
    env: { ...process.env, DISPLAY: display },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const log: string[] = [];
  const stages: Partial<Record<keyof Stages, number>> = {};
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const stop = async (): Promise<void> => {
    // In test mode the terminal ends with its input.
    child.stdin.end();
    await ended;
  };
  context.stack.defer(stop);
  readLines(child.stderr, (line) => log.push(line));
  const painted = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`no painted table:\n${log.slice(-20).join('\n')}`)),
      LIMIT_MS,
    );
    child.once('error', reject);
    void ended.then(() => reject(new Error(`npm start ended:\n${log.slice(-20).join('\n')}`)));
    readLines(child.stdout, (line) => {
      const message = parseObject(line);
      const host = message?.['host'] as Record<string, unknown> | undefined;
      const started = message?.['started'] as { name?: string } | undefined;
      const now = performance.now() - startedMs;
      if (host?.['ready'] === true) stages.hostReady ??= now;
      if (started?.name === 'window') stages.windowOpened ??= now;
      if (host?.['display'] === 'up') stages.displayConnected ??= now;
      const page = host?.['painted'] as
        | { role: string; sinceStartMs: number; groundMs: number | null }
        | undefined;
      if (page?.role !== 'table') return;
      clearTimeout(timer);
      if (page.groundMs === null) {
        reject(new Error('the page does not say when the ground of its table was shown'));
        return;
      }
      stages.painted = now;
      stages.table = now - (page.sinceStartMs - page.groundMs);
      resolve();
    });
  });
  await painted;
  await stop();
  return stages as Stages;
}

/** A centre that has been running for a while. Returns its address. */
async function startCentre(context: PartContext, enrolDir: string): Promise<string> {
  const args = [`--data=${context.makeDir('start-centre')}`, `--enrol-dir=${enrolDir}`, '--port=0'];
  const child = spawn(process.execPath, [join(ROOT, 'upstream', 'main.ts'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  context.stack.defer(() => void child.kill('SIGKILL'));
  return await new Promise((resolve, reject) => {
    child.once('close', (code) => reject(new Error(`the centre ended with ${code}`)));
    readLines(child.stdout, (line) => {
      const url = parseObject(line)?.['url'];
      if (typeof url === 'string') resolve(url);
    });
  });
}

/** The terminal file of the demonstration, with a centre that is elsewhere. Returns its path. */
function fileWith(centre: string, dir: string): string {
  const demo = readFileSync(join(ROOT, 'host', 'profiles', 'demo.json'), 'utf8');
  const path = join(dir, 'terminal.json');
  writeFileSync(path, JSON.stringify({ ...(JSON.parse(demo) as object), centre }));
  return path;
}

export async function benchStart(context: PartContext): Promise<object | null> {
  const screen = await screenFor(context, 'time from npm start to the first frame');
  if (!screen) return null;
  const { display } = screen;
  const data = context.makeDir('start');
  const alone = context.makeDir('start-alone');
  const file = fileWith(await startCentre(context, join(data, 'enrolled')), data);
  progress('start: first runs (set-up and build where they are due, not timed)');
  await npmStart(context, display, data, file);
  await npmStart(context, display, alone, null);
  const runs: Stages[] = [];
  const withCentre: Stages[] = [];
  const blanks: number[] = [];
  for (let repetition = 0; repetition < REPETITIONS; repetition++) {
    progress(`start: run ${repetition + 1} of ${REPETITIONS}`);
    runs.push(await npmStart(context, display, data, file));
    const blank = await startBlankWindow(context, screen);
    blanks.push(blank.paintedMs);
    await blank.stop();
    withCentre.push(await npmStart(context, display, alone, null));
  }
  const of = (stage: keyof Stages): number => Math.round(median(runs.map((run) => run[stage])));
  // The window starts beside the host: what counts is how long one waits once the host is ready.
  const ofBlank = (stages: readonly Stages[], to: keyof Stages): number =>
    median(stages.map((run, i) => (run[to] - run.hostReady) / blanks[i]!));
  return {
    repetitions: REPETITIONS,
    hostReadyMs: of('hostReady'),
    windowOpenedMs: of('windowOpened'),
    displayConnectedMs: of('displayConnected'),
    tableMs: of('table'),
    paintedMs: of('painted'),
    blankPageMs: Math.round(median(blanks)),
    withOwnCentreOfBlankPage: Number(ofBlank(withCentre, 'painted').toFixed(2)),
    goals: {
      hostToTableOfBlankPage: atMost(ofBlank(runs, 'table'), 1.55),
      hostToPaintedOfBlankPage: atMost(ofBlank(runs, 'painted'), 2),
    },
  };
}
