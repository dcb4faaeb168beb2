import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { WebSocket } from 'ws';
import { until } from '../support/until.ts';
import { alive, processTree } from './processes.ts';
import type { Terminal } from './terminal.ts';

export interface ShellCheckContext {
  readonly terminal: Terminal;
  /** $DISPLAY of the terminal's screen and its size. */
  readonly display: string;
  readonly size: { readonly width: number; readonly height: number };
}

export interface ShellCheck {
  readonly name: string;
  /** Resolves with what was seen, for the test's log. */
  run(context: ShellCheckContext): Promise<string>;
}

/**
 * Shortcuts that open, close, move, zoom, print or inspect something in Chromium, Electron or a
 * window manager.
 */
const SHORTCUTS =
  'F1 F3 F5 F6 F7 F10 F11 F12 Escape ctrl+r ctrl+shift+r ctrl+n ctrl+shift+n ctrl+t ctrl+w ctrl+shift+w ctrl+q alt+F4 ctrl+p ctrl+s ctrl+o ctrl+u ctrl+f ctrl+h ctrl+j ctrl+d ctrl+plus ctrl+minus ctrl+shift+i ctrl+shift+j ctrl+shift+Delete ctrl+l alt+Left alt+Home alt+space shift+Escape super Menu shift+F10 ctrl+Tab'.split(
    ' ',
  );

/**
 * How long any recovery may take on a machine under any load before the check fails; the time it
 * took is reported.
 */
const RECOVERY_LIMIT_MS = 240_000;

/**
 * Evaluates under the page's own content security policy, which the debugger would otherwise lift.
 */
async function inPage(page: Page, expression: string, userGesture = false): Promise<unknown> {
  const session = await page.context().newCDPSession(page);
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression,
    awaitPromise: true,
    returnByValue: true,
    userGesture,
    allowUnsafeEvalBlockedByCSP: false,
  });
  await session.detach();
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value as unknown;
}

const isUp = (message: Readonly<Record<string, unknown>>): boolean => {
  const host = message['host'] as { display?: string; role?: string } | undefined;
  return host?.display === 'up' && host.role === 'table';
};

const isPainted = (message: Readonly<Record<string, unknown>>): boolean =>
  (message['host'] as { painted?: unknown } | undefined)?.painted !== undefined;

/**
 * Does something that ends the connection and waits until there is one again. Resolves with the
 * time it took.
 */
async function untilConnected(terminal: Terminal, act: () => void | Promise<void>): Promise<number> {
  const from = terminal.events.length;
  const startedMs = performance.now();
  await act();
  await terminal.event('the table is back', isUp, from, RECOVERY_LIMIT_MS);
  return Math.round(performance.now() - startedMs);
}

/**
 * The same for what makes the page load again. Not before it is painted is the page whole: one that
 * loses its host while its pictures are still coming starts once more, and the next check would see
 * that.
 */
async function untilBack(terminal: Terminal, act: () => void | Promise<void>): Promise<number> {
  const from = terminal.events.length;
  const ms = await untilConnected(terminal, act);
  await terminal.event('the table is painted', isPainted, from);
  return ms;
}

const renderers = (terminal: Terminal): number[] =>
  processTree(terminal.pidOf('window'))
    .filter(({ command }) => command.includes('--type=renderer') && !command.includes('--extension-process'))
    .map(({ pid }) => pid);

const killAll = (pids: readonly number[], signal: NodeJS.Signals): void => {
  assert.ok(pids.length > 0, 'no process to signal');
  for (const pid of pids) process.kill(pid, signal);
};

const xdotool = (display: string, ...args: string[]): string =>
  execFileSync('xdotool', args, { env: { ...process.env, DISPLAY: display }, encoding: 'utf8' }).trim();

const visibleWindows = (display: string): number =>
  xdotool(display, 'search', '--onlyvisible', '--name', '.+').split('\n').filter(Boolean).length;

async function status(url: string, headers: Readonly<Record<string, string>> = {}): Promise<number> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers, agent: false }, resolve).once('error', reject);
  });
  response.resume();
  return response.statusCode!;
}

/** Status of a WebSocket upgrade; 101 when it was let in. */
function upgrade(origin: string, headers: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws`, { headers });
    socket.once('unexpected-response', (_request, response) => {
      socket.once('error', () => {});
      socket.terminate();
      resolve(response.statusCode ?? 0);
    });
    socket.once('open', () => {
      socket.terminate();
      resolve(101);
    });
    socket.once('error', reject);
  });
}

/**
 * What a window must hold, the same list for both shells, in this order, on a terminal that is up.
 * The last check ends it.
 */
export const SHELL_CHECKS: readonly ShellCheck[] = [
  {
    name: 'the window fills the screen and shows the address without its ticket',
    async run({ terminal, display, size }) {
      const page = await terminal.page();
      const seen = await page.evaluate(() => [innerWidth, innerHeight, devicePixelRatio]);
      assert.deepEqual(seen, [size.width, size.height, 1]);
      assert.match(page.url(), /^http:\/\/127\.0\.0\.1:\d+\/$/);
      const geometry = xdotool(display, 'getactivewindow', 'getwindowgeometry');
      assert.match(geometry, new RegExp(`Geometry: ${size.width}x${size.height}`));
      return `${size.width}x${size.height}, ${page.url()}`;
    },
  },
  {
    name: 'every process of the window is unprivileged and its pages are sandboxed',
    async run({ terminal }) {
      const tree = processTree(terminal.pidOf('window'));
      for (const { command, uid } of tree) {
        assert.notEqual(uid, 0, command);
        assert.doesNotMatch(command, /--no-sandbox|--disable-web-security|--remote-debugging-address/);
      }
      const pages = tree.filter(({ command }) => command.includes('--type=renderer'));
      assert.ok(pages.length > 0);
      for (const { command, seccomp } of pages) assert.equal(seccomp, 2, command);
      return `${tree.length} processes of account ${tree[0]?.uid}, ${pages.length} renderer(s) with seccomp 2`;
    },
  },
  {
    name: 'the page has no Node, no eval, no other server, no files, no devices and no second window',
    async run({ terminal, display }) {
      const page = await terminal.page();
      const seen = (await inPage(
        page,
        `(async () => {
          const blocked = (promise) => promise.then(() => 'reached', () => 'blocked');
          return {
            node: [typeof require, typeof process, typeof module, typeof Buffer].join(),
            eval: (() => { try { return eval('1 + 1'); } catch { return 'refused'; } })(),
            popup: window.open('https://example.com/') === null,
            web: await blocked(fetch('https://example.com/')),
            neighbour: await blocked(fetch('http://127.0.0.1:${terminal.debugPort}/json/version', { mode: 'no-cors' })),
            file: await blocked(fetch('file:///etc/passwd')),
            notifications: typeof Notification === 'undefined' ? 'denied' : await Notification.requestPermission(),
            camera: await blocked(navigator.mediaDevices.getUserMedia({ video: true })),
            usb: await blocked(navigator.usb.requestDevice({ filters: [] })),
          };
        })()`,
      )) as Record<string, unknown>;
      assert.deepEqual(seen, {
        node: 'undefined,undefined,undefined,undefined',
        eval: 'refused',
        popup: true,
        web: 'blocked',
        neighbour: 'blocked',
        file: 'blocked',
        notifications: 'denied',
        camera: 'blocked',
        usb: 'blocked',
      });
      const windows = visibleWindows(display);
      assert.equal(
        await inPage(page, `window.open('https://example.com/') === null`, true),
        true,
        'by a touch',
      );
      assert.deepEqual([visibleWindows(display), page.context().pages().length], [windows, 1]);
      return JSON.stringify(seen);
    },
  },
  {
    name: 'the window leaves a page at rest alone',
    async run({ terminal }) {
      // Attached to nothing itself: the browser tells of the first who attaches and the last who
      // leaves.
      await terminal.leavePage();
      const { webSocketDebuggerUrl } = (await (
        await fetch(`http://127.0.0.1:${terminal.debugPort}/json/version`)
      ).json()) as { webSocketDebuggerUrl: string };
      const browser = new WebSocket(webSocketDebuggerUrl);
      await once(browser, 'open');
      const heard: string[] = [];
      browser.on('message', (data) => heard.push((data as Buffer).toString()));
      browser.send(
        JSON.stringify({ id: 1, method: 'Target.setDiscoverTargets', params: { discover: true } }),
      );
      await until('the page is seen', () => heard.some((said) => said.includes('"type":"page"')) || null);
      await sleep(1_000);
      browser.terminate();
      // A window that attached at each change made a thousand changes a second.
      const changes = heard.filter((said) => said.includes('Target.targetInfoChanged')).length;
      assert.ok(changes < 10, `${changes} changes of the target in a second`);
      return `${changes} changes of the target in a second`;
    },
  },
  {
    name: 'the page cannot be led away from the terminal',
    async run({ terminal }) {
      const origin = new URL((await terminal.page()).url()).origin;
      const goals = [
        'https://example.com/',
        `http://127.0.0.1:${terminal.debugPort}/json/version`,
        'file:///etc/passwd',
        'data:text/html,gone',
        'about:blank',
      ];
      for (const goal of goals) {
        await inPage(await terminal.page(), `void (location.href = ${JSON.stringify(goal)})`).catch(() => {});
        await sleep(300);
        await until(`still at ${goal}`, async () => {
          const page = await terminal.page().catch(() => null);
          if (page === null || new URL(page.url()).origin !== origin) return false;
          return (await inPage(page, 'location.origin').catch(() => null)) === origin;
        });
      }
      return `${goals.length} addresses tried`;
    },
  },
  {
    name: 'no keyboard shortcut has an effect',
    async run({ terminal, display }) {
      const state = async (): Promise<unknown> => {
        const page = await terminal.page();
        return {
          page: await page.evaluate(() => [
            performance.timeOrigin,
            innerWidth,
            innerHeight,
            devicePixelRatio,
          ]),
          pages: page.context().pages().length,
          url: page.url(),
          windows: visibleWindows(display),
          pid: terminal.pidOf('window'),
        };
      };
      const before = await state();
      for (const shortcut of SHORTCUTS) {
        xdotool(display, 'key', shortcut);
        await sleep(150);
      }
      await sleep(1_000);
      assert.deepEqual(await state(), before);
      return `${SHORTCUTS.length} shortcuts`;
    },
  },
  {
    name: 'a killed page comes back (within 4 s)',
    async run({ terminal }) {
      const ms = await untilBack(terminal, () => killAll(renderers(terminal), 'SIGKILL'));
      return `back after ${ms} ms`;
    },
  },
  {
    name: 'a page that does not answer comes back (within 12 s)',
    async run({ terminal }) {
      const ms = await untilBack(terminal, () => killAll(renderers(terminal), 'SIGSTOP'));
      return `back after ${ms} ms`;
    },
  },
  {
    name: 'a killed window comes back (within 4 s)',
    async run({ terminal }) {
      const before = terminal.pidOf('window');
      const ms = await untilBack(terminal, () => killAll([before], 'SIGKILL'));
      assert.notEqual(terminal.pidOf('window'), before);
      return `back after ${ms} ms`;
    },
  },
  {
    name: 'a window of which nothing answers comes back',
    async run({ terminal }) {
      const stopped = processTree(terminal.pidOf('window')).map(({ pid }) => pid);
      const ms = await untilBack(terminal, () => killAll(stopped, 'SIGSTOP'));
      assert.deepEqual(alive(stopped), [], 'the stopped processes are gone');
      return `back after ${ms} ms`;
    },
  },
  {
    name: 'a killed host comes back and the page connects again without loading again',
    async run({ terminal }) {
      const page = await terminal.page();
      const loadedAt = await page.evaluate(() => performance.timeOrigin);
      const before = terminal.pidOf('host');
      const ms = await untilConnected(terminal, () => killAll([before], 'SIGKILL'));
      assert.notEqual(terminal.pidOf('host'), before);
      assert.equal(await page.evaluate(() => performance.timeOrigin), loadedAt);
      return `back after ${ms} ms`;
    },
  },
  {
    name: 'a page without a session gets one again',
    async run({ terminal }) {
      await (await terminal.page()).context().clearCookies();
      const ms = await untilBack(terminal, () => killAll(renderers(terminal), 'SIGKILL'));
      return `back after ${ms} ms`;
    },
  },
  {
    name: 'requests without ticket, with a spent one, from another origin, host name or account are refused',
    async run({ terminal }) {
      const page = await terminal.page();
      const { origin } = new URL(page.url());
      const [cookie] = await page.context().cookies(origin);
      assert.ok(cookie?.httpOnly && cookie.sameSite === 'Strict', 'session cookie');
      const own = { Cookie: `${cookie.name}=${cookie.value}` };
      assert.equal(await status(`${origin}/`, own), 200, 'the real session is let in');
      assert.equal(await status(`${origin}/`), 403, 'no ticket');
      assert.equal(await status(`${origin}/?ticket=${'A'.repeat(32)}`), 403, 'guessed ticket');
      const ticket = await terminal.mint('table');
      assert.equal(await status(ticket), 303, 'fresh ticket');
      assert.equal(await status(ticket), 403, 'spent ticket');
      assert.equal(await status(`${origin}/`, { ...own, Host: 'evil.example' }), 403, 'foreign host name');
      assert.equal(
        await status(`${origin}/`, { ...own, Origin: 'http://evil.example' }),
        403,
        'foreign origin',
      );
      assert.equal(await upgrade(origin, { Origin: origin }), 403, 'socket without session');
      assert.equal(
        await upgrade(origin, { ...own, Origin: 'http://evil.example' }),
        403,
        'socket, foreign origin',
      );
      assert.equal(await upgrade(origin, own), 403, 'socket without origin');
      if (process.getuid?.() !== 0) return '9 kinds refused; another account needs root';
      const asNobody = execFileSync(
        'setpriv',
        [
          '--reuid=65534',
          '--regid=65534',
          '--clear-groups',
          'perl',
          '-MIO::Socket::INET',
          '-e',
          `$SIG{PIPE} = 'IGNORE'; $s = IO::Socket::INET->new(PeerAddr => '${new URL(origin).host}') or die; print $s "GET / HTTP/1.1\\r\\nHost: ${new URL(origin).host}\\r\\nCookie: ${own.Cookie}\\r\\nConnection: close\\r\\n\\r\\n"; print scalar <$s>`,
        ],
        { encoding: 'utf8', cwd: '/' },
      );
      assert.equal(asNobody, '', 'the real session from another account is not answered');
      return '10 kinds refused';
    },
  },
  {
    name: 'a killed supervisor leaves nothing behind',
    async run({ terminal }) {
      const pids = processTree(terminal.pid).map(({ pid }) => pid);
      process.kill(terminal.pid, 'SIGKILL');
      await terminal.ended;
      await until('processes are left over', () => alive(pids).length === 0);
      return `${pids.length} processes ended`;
    },
  },
];
