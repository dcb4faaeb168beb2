/**
 * The busiest table there can be, drawn in turn by the product, by hand on a bare canvas and by
 * Phaser, in one window as the kiosk opens it without a GPU.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pixelmatch from 'pixelmatch';
import { type Browser, chromium, type Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { servePage } from '../test/pictures/gallery.ts';
import { processTree } from '../test/shell/processes.ts';
import { freePort } from '../test/support/free-port.ts';
import type { Frames } from './busy/page.ts';
import { cpuSeconds } from './cpu.ts';
import { openWindow, screenFor } from './kiosk.ts';
import type { PartContext } from './part.ts';
import { installPackage, reason } from './peers.ts';
import { atMost, median, progress, quantile, round3, spread } from './stats.ts';

const REPETITIONS = 5;
const WARM_MS = 1_500;
const WATCH_MS = 4_000;
const READY_LIMIT_MS = 60_000;
const PHASER = '4.2.1';
/** Moments of the scene at which the pictures of all are compared. */
const MOMENTS_MS = [433, 7_777];
const BUNDLE = ['node_modules', 'phaser', 'dist', 'phaser.esm.min.js'];

interface Round extends Frames {
  /** Of the page's process and the one that puts its pictures together, ms a frame. */
  readonly cpuMsPerFrame: number;
  /** Of all processes of the window. */
  readonly windowCpuMsPerFrame: number;
}

/**
 * What draws the page: its own process, and the one of the GPU, which composes in software here.
 */
const drawing = (command: string): boolean => /--type=(?:renderer|gpu-process)/.test(command);

/** The window's debugging port opens when the browser has come so far. */
async function connect(port: number): Promise<Browser> {
  for (const untilMs = performance.now() + READY_LIMIT_MS; ; await sleep(200))
    try {
      return await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
    } catch (error) {
      if (performance.now() > untilMs) throw error;
    }
}

const ready = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => window.busy !== undefined, undefined, { timeout: READY_LIMIT_MS });

async function open(page: Page, url: string, by: string): Promise<void> {
  await page.goto(`${url}?by=${by}`);
  await ready(page);
  await sleep(WARM_MS);
}

async function watch(page: Page, browserPid: number): Promise<Round> {
  const tree = processTree(browserPid);
  const seconds = (): number[] => tree.map(({ pid }) => cpuSeconds(pid));
  const before = seconds();
  const frames = await page.evaluate((ms) => window.busy!.watch(ms), WATCH_MS);
  const spent = seconds().map((after, i) => after - before[i]!);
  const perFrame = (of: (command: string) => boolean): number =>
    (1_000 * spent.reduce((sum, each, i) => sum + (of(tree[i]!.command) ? each : 0), 0)) / frames.jsMs.length;
  return { ...frames, cpuMsPerFrame: perFrame(drawing), windowCpuMsPerFrame: perFrame(() => true) };
}

async function picture(page: Page, ms: number): Promise<PNG> {
  await page.evaluate((at) => window.busy!.still(at), ms);
  return PNG.sync.read(await page.screenshot());
}

/** Share of the pixels that differ beyond what edges and letters do. */
function differing(a: PNG, b: PNG): number {
  const { width, height } = a;
  return pixelmatch(a.data, b.data, undefined, width, height, { threshold: 0.2 }) / (width * height);
}

const of = (rounds: readonly Round[], value: (round: Round) => number): number => median(rounds.map(value));

const figures = (rounds: readonly Round[]): object => {
  const intervals = rounds.flatMap(({ intervalsMs }) => intervalsMs);
  return {
    framesPerSecond: round3(
      of(rounds, ({ intervalsMs }) => (1_000 * intervalsMs.length) / intervalsMs.reduce((a, b) => a + b, 0)),
    ),
    frameMs: spread(intervals),
    jsMs: spread(rounds.flatMap(({ jsMs }) => jsMs)),
    cpuMsPerFrame: round3(of(rounds, (round) => round.cpuMsPerFrame)),
    windowCpuMsPerFrame: round3(of(rounds, (round) => round.windowCpuMsPerFrame)),
  };
};

export async function benchBusy(context: PartContext): Promise<object | null> {
  const screen = await screenFor(context, 'the busy table');
  if (!screen) return null;
  const peers = ['canvas2d'];
  const files: string[] = [];
  try {
    progress('busy: installing Phaser for this run');
    files.push(join(await installPackage('phaser', PHASER, context), ...BUNDLE));
    peers.push('phaser');
  } catch (error) {
    context.cannot('the busy table in Phaser', reason(error));
  }
  const served = await servePage(join(import.meta.dirname, 'busy', 'page.html'), {
    files,
    // without them the browser's clock has steps of 0.1 ms
    headers: {
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp',
    },
  });
  context.stack.defer(() => served.close());
  const port = await freePort();
  const kiosk = await openWindow(context, screen, `${served.url}?by=canvas2d`, port);
  const browser = await connect(port);
  context.stack.defer(() => browser.close());
  const page = browser.contexts()[0]!.pages()[0]!;
  // a navigation before the first one has ended would be taken for a page that has left the
  // terminal
  await ready(page);

  const drawn = ['banca', ...peers];
  const pictures = new Map<string, PNG[]>();
  for (const by of drawn) {
    await open(page, served.url, by);
    const shots: PNG[] = [];
    for (const ms of MOMENTS_MS) shots.push(await picture(page, ms));
    pictures.set(by, shots);
  }
  const rounds = new Map<string, Round[]>(drawn.map((by) => [by, []]));
  for (let repetition = 1; repetition <= REPETITIONS; repetition++) {
    progress(`busy: repetition ${repetition} of ${REPETITIONS}`);
    // They take turns, so that whatever else the machine does falls on all of them.
    for (const by of drawn) {
      await open(page, served.url, by);
      rounds.get(by)!.push(await watch(page, kiosk.pid));
    }
  }
  const ours = rounds.get('banca')!;
  const intervals = ours.flatMap(({ intervalsMs }) => intervalsMs);
  /** The median of what both took in the same repetition. */
  const costOf = (by: string): number =>
    median(ours.map(({ cpuMsPerFrame }, i) => cpuMsPerFrame / rounds.get(by)![i]!.cpuMsPerFrame));
  return {
    scene: '60 cards, 200 chips, 20 labels, 7 timers, 1920x1080; Chromium without a GPU on Xvfb',
    goals: {
      frameP95Ms: atMost(quantile(intervals, 0.95), 17),
      frameP99Ms: atMost(quantile(intervals, 0.99), 34),
      jsP95Ms: atMost(
        quantile(
          ours.flatMap(({ jsMs }) => jsMs),
          0.95,
        ),
        3,
      ),
      cpuOfCanvas2d: atMost(costOf('canvas2d'), 1.4),
      ...(rounds.has('phaser') ? { cpuOfPhaser: atMost(costOf('phaser'), 1.2) } : {}),
    },
    drawnBy: Object.fromEntries(
      drawn.map((by) => [
        by,
        {
          ...figures(rounds.get(by)!),
          picturesDiffer: Math.max(
            ...pictures.get(by)!.map((shot, i) => round3(differing(shot, pictures.get('banca')![i]!))),
          ),
        },
      ]),
    ),
    phaser: PHASER,
  };
}
