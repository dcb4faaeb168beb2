/** Debian's Chromium under the policy that ships: the table comes up and nothing else opens. */
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { chromiumBinary } from '../../electron/choose-shell.ts';
import { asUser, kioskUser, windowEnvironment } from '../../electron/kiosk-user.ts';
import { ROOT } from '../shell/paths.ts';
import { startXvfb } from '../shell/xvfb.ts';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/until.ts';
import { attack, folderOf } from './kit.ts';

const TIMEOUT = { timeout: 600_000 };
const SETTINGS = '/etc/chromium';

/**
 * A command that starts another one where the policy is installed as `docs/operations/install.md`
 * says, and for that one alone: the other browsers of this machine see nothing of it.
 */
function underPolicy(t: TestContext): readonly string[] | null {
  if (process.getuid?.() !== 0) {
    t.skip('only root can install a policy for a test');
    return null;
  }
  if (chromiumBinary(process.env) === null || !existsSync(SETTINGS)) {
    t.skip('Chromium is not installed');
    return null;
  }
  const settings = join(folderOf(t), 'chromium');
  cpSync(SETTINGS, settings, { recursive: true });
  const policies = join(settings, 'policies', 'managed');
  mkdirSync(policies, { recursive: true });
  cpSync(join(ROOT, 'electron', 'deploy', 'chromium-policy.json'), join(policies, 'banca.json'));
  execFileSync('chmod', ['-R', 'a+rX', settings]);
  const script = `mount --bind ${settings} ${SETTINGS} && exec "$@"`;
  return ['unshare', '--mount', '--', 'sh', '-c', script, 'sh'];
}

test(
  'the window shows the table under the managed policy, and again after it was ended',
  TIMEOUT,
  async (t) => {
    const within = underPolicy(t);
    if (within === null) return;
    const screen = await startXvfb({ width: 1024, height: 768 });
    t.after(() => screen.stop());
    const { terminal } = await attack(t, { display: screen.display, within });
    const painted = (from: number) =>
      terminal.event(
        'the table is painted',
        ({ host }) => (host as { painted?: unknown })?.painted !== undefined,
        from,
      );
    await painted(0);
    const from = terminal.events.length;
    process.kill(terminal.pidOf('window'), 'SIGKILL');
    await painted(from);
  },
);

const SAYS = 'here is a page';

/** A site on every address of this machine. */
async function siteOf(t: TestContext): Promise<number> {
  const site = createServer((request, response) => {
    if (request.url === '/file')
      response.setHeader('content-disposition', 'attachment; filename="loot.bin"').end('loot');
    else response.setHeader('content-type', 'text/html').end(`<p>${SAYS}</p>`);
  });
  await new Promise<void>((done) => site.listen(0, '::', done));
  t.after(() => site.close());
  return (site.address() as AddressInfo).port;
}

/** Opens Chromium in the window's account, as no kiosk. Returns its home. */
function openBrowser(
  t: TestContext,
  within: readonly string[],
  display: string,
  debugPort: number,
  address: string,
): string {
  const home = folderOf(t);
  chmodSync(home, 0o777);
  const flags = [`--user-data-dir=${home}/profile`, `--remote-debugging-port=${debugPort}`];
  const [file, args] = asUser(
    kioskUser(() => {}),
    chromiumBinary(process.env)!,
    [...flags, '--disable-gpu', '--no-first-run', address],
  );
  const [program, ...before] = [...within, file];
  const env = windowEnvironment(home, { DISPLAY: display });
  const child = spawn(program!, [...before, ...args], { cwd: home, env, detached: true, stdio: 'ignore' });
  t.after(() => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGKILL');
  });
  return home;
}

for (const isManaged of [true, false])
  test(
    isManaged
      ? 'under it no file, other address, page of the browser or developer tools open, and nothing is saved, even where it is no kiosk'
      : 'without it they all open, which is why it is installed',
    TIMEOUT,
    async (t) => {
      const policy = underPolicy(t);
      if (policy === null) return;
      if (spawnSync('which', ['xdotool']).status !== 0) return t.skip('xdotool is not installed');
      const screen = await startXvfb({ width: 1024, height: 768 });
      t.after(() => screen.stop());
      const sitePort = await siteOf(t);
      const own = `http://127.0.0.1:${sitePort}/`;
      const debugPort = await freePort();
      const home = openBrowser(t, isManaged ? policy : [], screen.display, debugPort, own);
      const tabs = async (): Promise<string[]> => {
        const answer = await fetch(`http://127.0.0.1:${debugPort}/json/list`).catch(() => null);
        return (((await answer?.json()) ?? []) as { url: string }[]).map(({ url }) => url);
      };
      await until('its page opens', async () => (await tabs()).includes(own));

      const xdotool = (...args: string[]): string => {
        const env = { ...process.env, DISPLAY: screen.display };
        return spawnSync('xdotool', args, { env, encoding: 'utf8', timeout: 10_000 }).stdout;
      };
      const hasTools = async (): Promise<boolean> => {
        for (const id of xdotool('search', '--onlyvisible', '--name', '.').trim().split('\n'))
          xdotool('windowfocus', id);
        xdotool('mousemove', '300', '400', 'click', '1', 'key', 'F12');
        await sleep(2_000);
        return (await tabs()).some((url) => url.startsWith('devtools:'));
      };
      if (isManaged) for (let tries = 0; tries < 4; tries += 1) assert.equal(await hasTools(), false);
      else await until('developer tools open', hasTools);

      // The browser is still at work there, and find fails when a folder vanishes under it.
      const isSaved = (): boolean =>
        spawnSync('find', [home, '-name', 'loot*'], { encoding: 'utf8' }).stdout !== '';
      await fetch(`http://127.0.0.1:${debugPort}/json/new?${own}file`, { method: 'PUT' });
      if (!isManaged) await until('a file is saved', async () => isSaved());
      else {
        await sleep(2_000);
        assert.equal(isSaved(), false);
      }

      const folder = folderOf(t);
      chmodSync(folder, 0o755);
      const file = join(folder, 'secret.html');
      writeFileSync(file, `<p>${SAYS}</p>`);
      const browser = await chromium.connectOverCDP(`http://127.0.0.1:${debugPort}`);
      t.after(() => browser.close());
      const opened = async (address: string): Promise<string> => {
        const page = await browser.contexts()[0]!.newPage();
        // A page that is blocked comes as an error, or as a page that says so.
        const why = await page.goto(address).then(
          () => '',
          (error: Error) => error.message,
        );
        const said = await page.locator('body').innerText();
        await page.close();
        return `${why}${said}`;
      };
      assert.equal(await opened(own), SAYS);
      for (const [address, says] of [
        [`file://${file}`, SAYS],
        [`http://127.0.0.2:${sitePort}/`, SAYS],
        [`http://localhost:${sitePort}/`, SAYS],
        [`http://[::1]:${sitePort}/`, SAYS],
        ['chrome://version/', 'Command Line'],
      ] as const) {
        const said = await opened(address);
        if (isManaged) assert.match(said, /ERR_BLOCKED_BY_ADMINISTRATOR|chrome-error:/, address);
        assert.equal(said.includes(says), !isManaged, `${address}: ${said}`);
      }
    },
  );
