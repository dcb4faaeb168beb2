/** CPU time of a table at which nothing happens, beside the same browser with an empty page. */
import { setTimeout as sleep } from 'node:timers/promises';
import { processTree } from '../test/shell/processes.ts';
import { cpuSeconds } from './cpu.ts';
import { screenFor, startBlankWindow, startKiosk } from './kiosk.ts';
import type { PartContext } from './part.ts';
import { atMost, progress, round3 } from './stats.ts';
import { TableHands } from './table.ts';

const WATCH_MS = 10_000;
const SETTLE_MS = 4_000;
type Groups = Readonly<Record<string, readonly number[]>>;

/** Cores each group of processes used on average while we watched. */
async function coresOf(groups: Groups): Promise<Record<string, number>> {
  const seconds = (): number[] =>
    Object.values(groups).map((pids) => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0));
  const startMs = performance.now();
  const before = seconds();
  await sleep(WATCH_MS);
  const after = seconds();
  const elapsed = (performance.now() - startMs) / 1_000;
  return Object.fromEntries(
    Object.keys(groups).map((name, i) => [name, round3((after[i]! - before[i]!) / elapsed)]),
  );
}

const treeOf = (pid: number): number[] => processTree(pid).map((each) => each.pid);
const screenServer = (): number[] =>
  processTree(process.pid)
    .filter(({ command }) => command.startsWith('Xvfb'))
    .map(({ pid }) => pid);

export async function benchIdle(context: PartContext): Promise<object | null> {
  const screen = await screenFor(context, 'idle CPU');
  if (!screen) return null;
  progress('idle: a blank page');
  const blank = await startBlankWindow(context, screen);
  await sleep(SETTLE_MS);
  const blankPage = await coresOf({ browser: treeOf(blank.pid), screenServer: screenServer() });
  await blank.stop();

  progress('idle: the table between two rounds');
  const terminal = await startKiosk(context, screen);
  const hands = await TableHands.connect((role) => terminal.mint(role));
  await hands.makeReady();
  const groups = (): Groups => ({
    browser: treeOf(terminal.pidOf('window')),
    host: treeOf(terminal.pidOf('host')),
    devices: treeOf(terminal.pidOf('rack')),
    centre: treeOf(terminal.pidOf('centre')),
    screenServer: screenServer(),
  });
  await terminal.event('the centre', (m) => (m['started'] as { name?: string })?.name === 'centre');
  await sleep(SETTLE_MS);
  const betweenRounds = await coresOf(groups());
  progress('idle: seven players with credit, the betting window open, nobody bets');
  await hands.insertNotes();
  await hands.openBetting();
  hands.close();
  await sleep(SETTLE_MS);
  const bettingOpen = await coresOf(groups());
  return {
    watchedMs: WATCH_MS,
    unit: 'cores',
    goals: {
      betweenRounds: atMost(betweenRounds['browser']!, 0.15),
      bettingOpen: atMost(bettingOpen['browser']!, 0.15),
    },
    blankPage,
    betweenRounds,
    bettingOpen,
  };
}
