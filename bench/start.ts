/** From `npm start` to the first frame of the table one can play on, beside the same browser with an empty page. */
import { spawn } from 'node:child_process';
import { parseObject, readLines } from '../electron/json-lines.ts';
import { ROOT } from '../test/shell/paths.ts';
import { screenFor, startBlankWindow } from './kiosk.ts';
import type { PartContext } from './part.ts';
import { atMost, median, progress } from './stats.ts';

const REPETITIONS = 3;
const LIMIT_MS = 120_000;

/** Milliseconds since the command was given. */
interface Stages {
  readonly hostReady: number;
  readonly windowStarted: number;
  readonly displayConnected: number;
  readonly painted: number;
}

/** One `npm start` as a person gives it, ended again after the first frame. */
async function npmStart(context: PartContext, data: string, display: string): Promise<Stages> {
  const startedMs = performance.now();
  const child = spawn('npm', ['start', '--', '--test', '--shell', 'chromium', '--data', data], {
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
      if (started?.name === 'window') stages.windowStarted ??= now;
      if (host?.['display'] === 'up') stages.displayConnected ??= now;
      if ((host?.['painted'] as { role?: string } | undefined)?.role !== 'table') return;
      stages.painted = now;
      clearTimeout(timer);
      resolve();
    });
  });
  await painted;
  await stop();
  return stages as Stages;
}

export async function benchStart(context: PartContext): Promise<object | null> {
  const screen = await screenFor(context, 'time from npm start to the first frame');
  if (!screen) return null;
  const data = context.makeDir('start');
  progress('start: first run (set-up and build where they are due, not timed)');
  await npmStart(context, data, screen.display);
  const runs: Stages[] = [];
  const blanks: number[] = [];
  for (let repetition = 0; repetition < REPETITIONS; repetition++) {
    progress(`start: run ${repetition + 1} of ${REPETITIONS}`);
    runs.push(await npmStart(context, data, screen.display));
    const blank = await startBlankWindow(context, screen);
    blanks.push(blank.paintedMs);
    await blank.stop();
  }
  const of = (stage: keyof Stages): number => Math.round(median(runs.map((run) => run[stage])));
  const blankMs = Math.round(median(blanks));
  return {
    repetitions: REPETITIONS,
    hostReadyMs: of('hostReady'),
    windowStartedMs: of('windowStarted'),
    displayConnectedMs: of('displayConnected'),
    paintedMs: of('painted'),
    blankPageMs: blankMs,
    goals: {
      windowToPaintedOfBlankPage: atMost(
        median(runs.map((run, i) => (run.painted - run.windowStarted) / blanks[i]!)),
        1.8,
      ),
    },
  };
}
