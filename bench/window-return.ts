/** From the end of the page's process to the table that is played on again, ten times. */
import { setTimeout as sleep } from 'node:timers/promises';
import { processTree } from '../test/shell/processes.ts';
import { screenFor, startKiosk } from './kiosk.ts';
import type { PartContext } from './part.ts';
import { atMost, progress, spread } from './stats.ts';

const KILLS = 10;
/** The table is at rest, and what comes after its first picture has come. */
const SETTLE_MS = 4_000;
const GOAL_MS = 3_000;

type Message = Readonly<Record<string, unknown>>;
const said = (message: Message): Message => (message['host'] ?? {}) as Message;
const isUp = (message: Message): boolean =>
  said(message)['display'] === 'up' && said(message)['role'] === 'table';
interface Painted {
  readonly role: string;
  readonly sinceStartMs: number;
  readonly groundMs: number | null;
}
const paintedOf = (message: Message): Painted | undefined => said(message)['painted'] as Painted | undefined;

export async function benchWindowReturn(context: PartContext): Promise<object | null> {
  const screen = await screenFor(context, 'time from the end of the page to the table');
  if (!screen) return null;
  const terminal = await startKiosk(context, screen);
  const connected: number[] = [];
  const table: number[] = [];
  const painted: number[] = [];
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await sleep(SETTLE_MS);
    progress(`window-return: kill ${kill} of ${KILLS}`);
    const pages = processTree(terminal.pidOf('window')).filter(
      ({ command }) => command.includes('--type=renderer') && !command.includes('--extension-process'),
    );
    if (pages.length === 0) throw new Error('the window has no page');
    const from = terminal.events.length;
    const startedMs = performance.now();
    for (const { pid } of pages) process.kill(pid, 'SIGKILL');
    await terminal.event('the table is back', isUp, from);
    connected.push(performance.now() - startedMs);
    const { message } = await terminal.event(
      'the table is painted',
      (each) => paintedOf(each)?.role === 'table',
      from,
    );
    const wholeMs = performance.now() - startedMs;
    const { sinceStartMs, groundMs } = paintedOf(message)!;
    painted.push(wholeMs);
    table.push(wholeMs - (sinceStartMs - (groundMs ?? sinceStartMs)));
  }
  return {
    connectedMs: spread(connected),
    tableMs: spread(table),
    paintedMs: spread(painted),
    goals: { slowestTableMs: atMost(Math.max(...table), GOAL_MS) },
  };
}
