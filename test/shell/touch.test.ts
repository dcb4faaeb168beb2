/**
 * A touch glass that is felt in the wrong place is set right in service mode of the built terminal:
 * X's own pointer is the finger, its coordinates are wrong, and the page measures them.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { attack, folderOf } from '../attacks/kit.ts';
import { toPage } from '../support/service-road.ts';
import { text } from '../support/texts.ts';
import { until } from '../support/until.ts';
import { ROOT } from './paths.ts';
import { startXvfb } from './xvfb.ts';

/**
 * As high as wide, and the wrong glass below is not shifted: XTest's pointer has no range of its
 * own, so X counts its matrix in pixels. What a shift is, `touch-fit.test.ts` holds.
 */
const SIZE = { width: 1080, height: 1080 };
/** What moves X's pointer in a test; a real glass is found by itself. */
const GLASS = 'Virtual core XTEST pointer';
const TECHNICIAN = { person: '4', pin: '4444' };
const DEMO = readFileSync(join(ROOT, 'host', 'profiles', 'demo.json'), 'utf8');

/** xdotool moves the pointer past X's devices; XTest moves one of them. */
const FINGER = `
import ctypes, sys
x11, xtst = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libXtst.so.6")
x11.XOpenDisplay.restype = ctypes.c_void_p
display = ctypes.c_void_p(x11.XOpenDisplay(None))
xtst.XTestFakeMotionEvent(display, 0, int(sys.argv[1]), int(sys.argv[2]), 0)
for down in (1, 0):
    xtst.XTestFakeButtonEvent(display, 1, down, 0)
x11.XSync(display, 0)
`;

type Point = readonly [x: number, y: number];
/** Where this glass says that a finger is, as parts of the screen. */
const wrong = ([x, y]: Point): Point => [0.88 * x + 0.04 * y, 0.93 * y - 0.02 * x];

const hasXinput = spawnSync('xinput', ['--version']).error === undefined;
const skip = hasXinput ? false : 'xinput is not installed';

const isUp = ({ host }: Readonly<Record<string, unknown>>): boolean =>
  (host as { readonly display?: string } | undefined)?.display === 'up';

async function pageAt(t: TestContext, port: number): Promise<Page> {
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  t.after(() => browser.close().catch(() => {}));
  const page = browser.contexts()[0]?.pages()[0];
  assert.ok(page);
  return page;
}

test('H8: a glass that is felt beside the finger is set right in service mode, over a restart of window and host', {
  skip,
}, async (t) => {
  const screen = await startXvfb(SIZE);
  t.after(() => screen.stop());
  const folder = folderOf(t);
  const data = join(folder, 'data');
  const profile = join(folder, 'terminal.json');
  const displays = { table: { touch: GLASS } };
  writeFileSync(profile, JSON.stringify({ ...(JSON.parse(DEMO) as object), displays }));
  const { terminal, display } = await attack(t, {
    shell: 'chromium',
    display: screen.display,
    data,
    args: ['--profile', profile],
  });
  const env = { ...process.env, DISPLAY: screen.display };
  /** Puts a finger on the glass: X gets the place where a misaligned glass feels it. */
  const touch = ([x, y]: Point): void => {
    const at = [x * SIZE.width, y * SIZE.height].map((each) => String(Math.round(each)));
    execFileSync('python3', ['-c', FINGER, ...at], { env });
  };
  const felt: Point[] = [];
  await terminal.event('the window is up', isUp);
  let page = await pageAt(t, terminal.debugPort);
  const listen = async (): Promise<void> => {
    felt.length = 0;
    await page.exposeFunction('feltAt', (x: number, y: number) => felt.push([x, y]));
    await page.evaluate(() => {
      const tell = (globalThis as never)['feltAt'] as (x: number, y: number) => void;
      addEventListener(
        'pointerdown',
        ({ clientX, clientY }) => tell(clientX / innerWidth, clientY / innerHeight),
        true,
      );
    });
  };
  /** How far from the finger a touch of this place is felt, in parts of the screen. */
  const offAt = async (finger: Point): Promise<number> => {
    const before = felt.length;
    touch(wrong(finger));
    await until('it is felt', () => felt.length > before);
    const [x, y] = felt.at(-1)!;
    return Math.hypot(x - finger[0], y - finger[1]);
  };
  await listen();
  assert.ok((await offAt([0.3, 0.35])) > 0.01, 'wrong, to begin with');

  const table = await display('table');
  assert.equal((await table.command({ type: 'enter-service', credential: TECHNICIAN }))?.status, 'done');
  await page.locator('.service').waitFor();
  await toPage(page, 'zh-Hant', 'displays');
  const words = (key: string, values = {}): string => text('zh-Hant', `displays.${key}`, values, 'service');
  await page.getByRole('button', { name: words('set') }).click();
  const glass = page.getByRole('dialog', { name: words('set') });
  const corners = [
    [0.1, 0.1],
    [0.9, 0.1],
    [0.9, 0.9],
    [0.1, 0.9],
  ] as const;
  // A finger that slipped is not taken.
  for (const round of [0, 1])
    for (const [i, corner] of corners.entries()) {
      await glass.getByText(words('touchHere', { n: i + 1, of: 4 })).waitFor();
      touch(wrong(round === 0 && i === 2 ? [0.5, 0.5] : corner));
    }
  await glass.getByText(words('touchMiddle')).waitFor();
  await until('X has it', () => /touch: .* of Virtual core XTEST pointer is/.test(terminal.logs.join('\n')));
  touch(wrong([0.5, 0.5]));
  await glass.getByText(/\d/).waitFor();
  await glass.getByRole('button', { name: words('done') }).click();
  const points: readonly Point[] = [
    [0.3, 0.35],
    [0.7, 0.2],
    [0.5, 0.6],
  ];
  const isRight = async (): Promise<void> => {
    for (const point of points) {
      const off = await offAt(point);
      assert.ok(
        off < 0.003,
        `${JSON.stringify([point, felt.at(-1)])} ${terminal.logs.filter((line) => line.includes('touch:')).join(' ')}`,
      );
    }
  };
  await isRight();

  // The screen is switched off and on: X knows nothing any more, the window's next start tells it.
  execFileSync(
    'xinput',
    ['set-prop', GLASS, 'Coordinate Transformation Matrix', ...'1 0 0 0 1 0 0 0 1'.split(' ')],
    { env },
  );
  const from = terminal.events.length;
  process.kill(terminal.pidOf('window'), 'SIGKILL');
  await terminal.event('it is up again', isUp, from);
  page = await pageAt(t, terminal.debugPort);
  await listen();
  await isRight();

  // A new life of the host knows it from the ledger.
  execFileSync(
    'xinput',
    ['set-prop', GLASS, 'Coordinate Transformation Matrix', ...'1 0 0 0 1 0 0 0 1'.split(' ')],
    { env },
  );
  const logged = terminal.logs.length;
  process.kill(terminal.pidOf('host'), 'SIGKILL');
  await until('X has it again', () => /touch: .* is/.test(terminal.logs.slice(logged).join('\n')));
  await isRight();
});
