/**
 * Three days of a busy table in the whole terminal with its window, as fast as it goes: rounds,
 * notes, cash-outs and visits of service mode, on a clock of the wall that hurries with them
 * (soak-host.ts). What memory grows by in an hour of such a table, and whether anything that
 * happened was lost on its way to the window or to the ledger.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { verifyLedger } from '../ledger/chain/verifier.store.ts';
import { openForReading } from '../ledger/store/sqlite.store.ts';
import { ROOT } from '../test/shell/paths.ts';
import { TestDisplay } from '../test/support/display.ts';
import type { Command } from '../wire/commands.ts';
import { screenFor, startKiosk } from './kiosk.ts';
import type { PartContext } from './part.ts';
import { atMost, progress, round3, slope } from './stats.ts';
import { writeProfile } from './table.ts';
import { pssMiB, roundOf } from './window-memory.ts';

const HOURS = 72;
const ROUNDS_AN_HOUR = 60;
/** A seat goes every seven minutes of the table, and service mode is opened every hour. */
const ROUNDS_A_CASH_OUT = 7;
const ROUNDS_A_VISIT = 60;
const TURN_MS = 200;
const LOOK_MS = 5_000;
/** After it was asked to, the host has collected its garbage. */
const COLLECTED_MS = 500;
const MIB = 2 ** 20;

const PLAYERS = [1, 2, 3, 5, 6, 7];
const ATTENDANT = { person: '2', pin: '2222' };
const SUPERVISOR = { person: '3', pin: '3333' };
const TECHNICIAN = { person: '4', pin: '4444' };
/** People have time enough on the clock that hurries. */
const PATIENT = { offersMs: 60_000, decisionMs: 120_000, minResultMs: 0 };
/** What is measured on that clock while this machine takes its own time. */
const LIMITS = {
  limits: { clockJumpMs: 600_000, displayLostMs: 600_000, noFeedMs: 3_600_000, serviceIdleMs: 3_600_000 },
};

interface Look {
  readonly hours: number;
  readonly heapMiB: number;
  readonly windowPssMiB: number;
  readonly hostPssMiB: number;
}

declare global {
  interface Window {
    /** Positions in the ledger of the views that this page was sent since it was asked last. */
    sentViews: number[];
  }
}

/** Before the views that came over a line: no entry has this position. */
const NEW_LINE = 0;

/** In the page, before its own code: hears what comes over its wire. */
function listen(newLine: number): void {
  window.sentViews = [];
  window.WebSocket = class extends WebSocket {
    constructor(...line: ConstructorParameters<typeof WebSocket>) {
      super(...line);
      window.sentViews.push(newLine);
      this.addEventListener('message', ({ data }) => {
        const seq = /^\{"t":"view".{0,100}?"seq":(\d+)/.exec(String(data))?.[1];
        if (seq !== undefined) window.sentViews.push(Number(seq));
      });
    }
  };
}
const takeHeard = (page: Page): Promise<number[]> => page.evaluate(() => window.sentViews.splice(0));

/** Of each line the views, in their order. */
function linesIn(heard: readonly number[]): number[][] {
  const lines: number[][] = [];
  for (const seq of heard)
    if (seq === NEW_LINE) lines.push([]);
    else lines.at(-1)?.push(seq);
  return lines;
}

/** Of the views sent while both listened, those that came to one of them alone. */
function missing(one: readonly number[], other: readonly number[]): number {
  const from = Math.max(one[0] ?? Infinity, other[0] ?? Infinity);
  const to = Math.min(one.at(-1) ?? 0, other.at(-1) ?? 0);
  const counts = new Map<number, number>();
  const count = (views: readonly number[], step: number): void => {
    for (const seq of views) if (seq > from && seq < to) counts.set(seq, (counts.get(seq) ?? 0) + step);
  };
  count(one, 1);
  count(other, -1);
  return [...counts.values()].reduce((sum, each) => sum + Math.abs(each), 0);
}

/** An attendant pays a seat that has something; false = nothing was there to be paid. */
async function cashOut(display: TestDisplay, seat: number): Promise<boolean> {
  const asked = await display.command({ type: 'request-cash-out', seat });
  if (asked?.status !== 'done') return false;
  const view = await display.until(({ seats }) => seats[seat - 1]!.cashOut !== null);
  const { requestId, amountMinor } = view!.seats[seat - 1]!.cashOut!;
  const second = amountMinor > 5_000_000 ? { secondCredential: SUPERVISOR } : {};
  const pay: Command = { type: 'confirm-hand-pay', seat, requestId, credential: ATTENDANT, ...second };
  const paid = await display.command(pay);
  if (paid?.status !== 'done') throw new Error(`the hand-pay: ${JSON.stringify(paid)}`);
  return true;
}

/** A technician looks at a page of every group, in the window; false = nobody may come in now. */
async function visit(display: TestDisplay, page: Page): Promise<boolean> {
  const entered = await display.command({ type: 'enter-service', credential: TECHNICIAN });
  if (entered?.status !== 'done') return false;
  const buttons = page.locator('.service-nav button');
  await buttons.first().waitFor();
  for (const button of await buttons.all()) await button.click();
  await display.command({ type: 'exit-service' });
  await page.locator('.panel').first().waitFor();
  return true;
}

export async function benchSoak(context: PartContext): Promise<object | null> {
  const screen = await screenFor(context, 'soak');
  if (!screen) return null;
  const data = context.makeDir('soak');
  const host = join(ROOT, 'bench', 'soak-host.ts');
  const profile = writeProfile(data, PATIENT, LIMITS);
  const terminal = await startKiosk(context, screen, ['--demo', '--host', host, '--profile', profile], data);
  const page = await terminal.page();
  await page.addInitScript(listen, NEW_LINE);
  await page.reload();
  const cdp = await page.context().newCDPSession(page);
  const heard: string[] = [];
  const display = await TestDisplay.connect(await terminal.mint('table'), heard);
  const hostPid = terminal.pidOf('host');
  process.kill(hostPid, 'SIGUSR2');
  const toWindow: number[] = [];
  const toOther: number[] = [];
  const done = { cashOuts: 0, visits: 0 };
  let rounds = 0;
  let from = 0;
  const count = (): void => {
    for (const { message } of terminal.events.slice(from)) rounds += Number(roundOf(message));
    from = terminal.events.length;
    for (const text of heard.splice(0)) {
      const seq = /^\{"t":"view".{0,100}?"seq":(\d+)/.exec(text)?.[1];
      if (seq !== undefined) toOther.push(Number(seq));
    }
  };
  const look = async (): Promise<Look> => {
    process.kill(hostPid, 'SIGUSR2');
    await cdp.send('HeapProfiler.collectGarbage');
    const { usedSize } = await cdp.send('Runtime.getHeapUsage');
    toWindow.push(...(await takeHeard(page)));
    await sleep(COLLECTED_MS);
    return {
      hours: rounds / ROUNDS_AN_HOUR,
      heapMiB: usedSize / MIB,
      windowPssMiB: pssMiB(terminal.pidOf('window')),
      hostPssMiB: pssMiB(hostPid),
    };
  };

  progress(`soak: ${HOURS} hours of a table, for ${context.minutes} minutes at most`);
  const looks: Look[] = [];
  const startMs = performance.now();
  let lookMs = startMs;
  while (rounds < HOURS * ROUNDS_AN_HOUR && performance.now() < startMs + context.minutes * 60_000) {
    await sleep(TURN_MS);
    count();
    const seat = PLAYERS[done.cashOuts % PLAYERS.length]!;
    if (rounds >= (done.cashOuts + 1) * ROUNDS_A_CASH_OUT)
      done.cashOuts += Number(await cashOut(display, seat));
    if (rounds >= (done.visits + 1) * ROUNDS_A_VISIT) done.visits += Number(await visit(display, page));
    if (performance.now() < lookMs) continue;
    lookMs += LOOK_MS;
    looks.push(await look());
    if (looks.length % 12 === 0) progress(`soak: ${rounds} rounds`);
  }
  toWindow.push(...(await takeHeard(page)));
  count();
  const lines = linesIn(toWindow);
  const dropped = lines.length - 1 + Number(display.gone);
  display.close();
  const lives = terminal.events.filter(({ message }) => 'started' in message).length;
  await terminal.stop();

  const path = join(data, 'ledger.db');
  const { ok, problem, entries } = verifyLedger(path);
  const file = openForReading(path);
  const kinds = file.db
    .prepare<[], [string, number]>('SELECT kind, count(*) FROM entries GROUP BY kind ORDER BY kind')
    .raw()
    .all();
  file.close();
  const settled = looks.slice(Math.floor(looks.length / 4));
  const perHour = (of: (one: Look) => number): number =>
    slope(
      settled.map(({ hours }) => hours),
      settled.map(of),
    );
  return {
    minutes: round3((performance.now() - startMs) / 60_000),
    hours: round3(rounds / ROUNDS_AN_HOUR),
    rounds,
    ...done,
    entries,
    goals: {
      hostPssMiBPerHour: atMost(
        perHour(({ hostPssMiB }) => hostPssMiB),
        1,
      ),
      windowPssMiBPerHour: atMost(
        perHour(({ windowPssMiB }) => windowPssMiB),
        1,
      ),
      viewsLost: atMost(
        lines.reduce((sum, line) => sum + missing(line, toOther), 0),
        0,
      ),
      linesDropped: atMost(dropped, 0),
      ledgerProblems: atMost(Number(!ok), 0),
      processesRestarted: atMost(lives - new Set(['host', 'window']).size, 0),
    },
    viewsToWindow: toWindow.length - lines.length,
    viewsToOther: toOther.length,
    problem,
    heapMiBPerHour: round3(perHour(({ heapMiB }) => heapMiB)),
    kinds: Object.fromEntries(kinds),
    looks: looks
      .filter((_, i) => i % Math.ceil(looks.length / 12) === 0 || i === looks.length - 1)
      .map((one) => Object.fromEntries(Object.entries(one).map(([name, value]) => [name, round3(value)]))),
    note: 'an hour is 60 rounds; slopes by least squares after the first quarter of the looks, garbage collected before each; views: every picture of the table that the host sent, as the window and as a second display got them while both had a line',
  };
}
