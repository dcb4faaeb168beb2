/**
 * An Electron that `electron/deploy/fuses.ts` has sealed: it shows the table, and runs nothing that
 * it is given.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { archiveOf } from '../../electron/app-archive.ts';
import { FUSES, seal } from '../../electron/deploy/fuses.ts';
import { asUser, kioskUser, windowEnvironment } from '../../electron/kiosk-user.ts';
import { electronForTests } from '../shell/electron-for-tests.ts';
import { startTerminal } from '../shell/terminal.ts';
import { startXvfb } from '../shell/xvfb.ts';
import { attack, folderOf } from './kit.ts';

const TIMEOUT = { timeout: 600_000 };

/** A folder that the window's account may read. */
function openFolderOf(t: TestContext): string {
  const folder = folderOf(t);
  chmodSync(folder, 0o755);
  return folder;
}

/**
 * A copy of the Electron of the tests; null where there is none, and the test is skipped with the
 * reason.
 */
async function copyOfElectron(t: TestContext): Promise<string | null> {
  const electron = await electronForTests();
  if (electron.binary === null) {
    t.skip(electron.reason);
    return null;
  }
  const folder = join(openFolderOf(t), 'electron');
  const { status, stderr } = spawnSync('cp', ['-a', '--reflink=auto', dirname(electron.binary), folder]);
  assert.equal(status, 0, String(stderr));
  chmodSync(folder, 0o755);
  return join(folder, basename(electron.binary));
}

/** Each fuse that this Electron has, by name; a fuse of a later one is none of it. */
async function fusesOf(binary: string): Promise<ReadonlyMap<FuseV1Options, boolean>> {
  const wire = Object.entries(await getCurrentFuseWire(binary)).filter(([name]) => name !== 'version');
  return new Map(wire.map(([index, state]) => [Number(index), state === FuseState.ENABLE]));
}

/**
 * Seals it with those of our fuses that it has: the Electron of the tests is older than the
 * product's.
 */
async function sealed(t: TestContext): Promise<string | null> {
  const binary = await copyOfElectron(t);
  if (binary === null) return null;
  const has = await fusesOf(binary);
  await seal(binary, Object.fromEntries(Object.entries(FUSES).filter(([fuse]) => has.has(Number(fuse)))));
  for (const [fuse, isOn] of await fusesOf(binary)) assert.equal(isOn, FUSES[fuse], FuseV1Options[fuse]);
  return binary;
}

/** A program of a stranger's: leaves a mark where it has run. */
function strangersProgram(t: TestContext): { folder: string; hasRun: () => boolean } {
  const folder = join(openFolderOf(t), 'program');
  mkdirSync(folder);
  chmodSync(folder, 0o777);
  const mark = join(folder, 'mark');
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'strange', main: 'main.js' }));
  const leave = `require('node:fs').writeFileSync(${JSON.stringify(mark)}, '');`;
  writeFileSync(join(folder, 'main.js'), `${leave} process.exit(0);`);
  writeFileSync(join(folder, 'early.js'), leave);
  return { folder, hasRun: () => existsSync(mark) };
}

/**
 * Runs Electron in the window's account until it ends by itself, as it does when nobody holds its
 * standard input.
 */
function run(
  t: TestContext,
  binary: string,
  display: string,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  const user = kioskUser(() => {});
  const home = folderOf(t);
  chmodSync(home, 0o777);
  const env = { ...windowEnvironment(home, { DISPLAY: display }), ...more };
  const child = spawn(...asUser(user, binary, args), {
    env,
    cwd: home,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (said += String(data)));
  const timer = setTimeout(() => child.kill('SIGKILL'), 30_000);
  return new Promise((resolve) =>
    child.once('close', () => {
      clearTimeout(timer);
      resolve(said);
    }),
  );
}

test('the sealed Electron shows the table: what the fuses ask for is what is started', TIMEOUT, async (t) => {
  const binary = await sealed(t);
  if (binary === null) return;
  const screen = await startXvfb({ width: 1024, height: 768 });
  t.after(() => screen.stop());
  const { terminal, log } = await attack(t, {
    shell: 'electron',
    display: screen.display,
    env: { ELECTRON: binary },
  });
  await terminal.event(
    'the table is painted',
    ({ host }) => (host as { painted?: unknown })?.painted !== undefined,
  );
  assert.match(log(), /electron: version /);
});

const SAYS = 'it ran as Node';

for (const isSealed of [true, false])
  test(
    isSealed
      ? 'the sealed Electron runs no program, script or option that it is given'
      : 'one that is not sealed runs them all, which is why it is sealed',
    TIMEOUT,
    async (t) => {
      const binary = await (isSealed ? sealed(t) : copyOfElectron(t));
      if (binary === null) return;
      const screen = await startXvfb({ width: 640, height: 480 });
      t.after(() => screen.stop());
      const given = strangersProgram(t);
      await run(t, binary, screen.display, [given.folder]);
      assert.equal(given.hasRun(), !isSealed, 'a program on the command line');
      const asNode = await run(t, binary, screen.display, ['-e', `console.log('${SAYS}')`], {
        ELECTRON_RUN_AS_NODE: '1',
      });
      assert.equal(asNode.includes(`\n${SAYS}`) || asNode.startsWith(SAYS), !isSealed, asNode);
      const required = strangersProgram(t);
      const node = {
        ELECTRON_RUN_AS_NODE: '1',
        NODE_OPTIONS: `--require=${join(required.folder, 'early.js')}`,
      };
      await run(t, binary, screen.display, ['-e', '0'], node);
      assert.equal(required.hasRun(), !isSealed, 'NODE_OPTIONS');
      const inspected = await run(t, binary, screen.display, ['--inspect=127.0.0.1:0']);
      if (isSealed) assert.doesNotMatch(inspected, /Debugger listening/);
    },
  );

test(
  'an Electron sealed with another build is not started, and the log says what to do',
  TIMEOUT,
  async (t) => {
    const binary = await sealed(t);
    if (binary === null) return;
    appendFileSync(archiveOf(binary), ' ');
    const screen = await startXvfb({ width: 640, height: 480 });
    t.after(() => screen.stop());
    const terminal = await startTerminal({
      ...{ shell: 'electron', display: screen.display, data: folderOf(t) },
      env: { ELECTRON: binary },
    });
    t.after(() => terminal.stop());
    assert.notEqual(await terminal.ended, 0);
    assert.match(
      terminal.logs.join('\n'),
      /holds another program than this build: 'node electron\/deploy\/fuses\.ts/,
    );
  },
);
