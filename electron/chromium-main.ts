import { execFile, spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { chromiumFlags, PREFERENCES } from './chromium-flags.ts';
import { DevtoolsPipe } from './devtools-pipe.ts';
import { readLines } from './json-lines.ts';
import { asUser, handOver, makeHome, windowEnvironment } from './kiosk-user.ts';
import { endOf } from './node-child.ts';
import { terminalOrigin } from './policy.ts';
import { hasGpu, killGroup, type Pane, RENEW_LIMIT_MS, type ShellOptions } from './shell.ts';

/** A page that shows an error is tried again after this pause. */
const RETRY_MS = 500;
const END_LIMIT_MS = 3_000;
/** HTTP status that the page came with: the host answers 403 to a window without a session. */
const STATUS = "performance.getEntriesByType('navigation')[0]?.responseStatus";

interface TargetInfo {
  readonly targetId: string;
  readonly type: string;
  readonly url: string;
}

/**
 * Debian's Chromium as the window. It runs as the kiosk user with its sandbox, with a profile that
 * is new at every start (no crash bubble, no lock, no history, no old cookies), and ends when the
 * supervisor does, because its pipes close.
 */
export function startChromium(binary: string, options: ShellOptions): Pane {
  const { user, home, events } = options;
  const profile = join(home, 'profile');
  makeHome(home);
  mkdirSync(join(profile, 'Default'), { recursive: true });
  writeFileSync(join(profile, 'Default', 'Preferences'), JSON.stringify(PREFERENCES));
  const env = windowEnvironment(home, process.env, options.place);
  handOver(home, user);
  const flags = chromiumFlags({
    ...options,
    profile,
    gpu: options.mode !== 'headless' && hasGpu(),
    wayland: options.mode !== 'headless' && !env['DISPLAY'] && env['WAYLAND_DISPLAY'] !== undefined,
  });
  const child = spawn(...asUser(user, binary, flags), {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    cwd: home,
    env,
  });
  const ended = endOf(child);
  let over = false;
  void ended.then(() => {
    over = true;
  });
  readLines(child.stdio[2] as Readable, (line) => {
    if (/FATAL|sandbox|cannot open display/i.test(line)) events.log(`chromium: ${line.slice(0, 300)}`);
  });

  let origin: string | null = null;
  let page: string | null = null;
  let first: string | null = null;
  let crash: (() => void) | null = null;
  const closed = new Set<string>();
  let loaded = false;

  let session: Promise<string> | null = null;
  /**
   * One session for as long as the page lives: attaching and detaching are changes of the target
   * too, and a window that attached at every change kept 1.3 cores busy with a table at rest.
   */
  const ask = async (method: string, params: object): Promise<Readonly<Record<string, unknown>>> => {
    if (page === null) throw new Error('the browser has no page yet');
    session ??= devtools
      .send('Target.attachToTarget', { targetId: page, flatten: true })
      .then(({ sessionId }) => sessionId as string);
    const id = await session.catch((error: Error) => {
      // The next one tries again.
      session = null;
      throw error;
    });
    return devtools.send(method, { ...params }, id);
  };
  const navigate = (url: string): void => {
    events.onPageLoads();
    ask('Page.navigate', { url }).catch((error: Error) => {
      if (!over) events.log(`chromium: page not loaded: ${error.message}`);
    });
  };
  const showTable = (): void => navigate(`${origin}/`);

  const onTarget = (info: TargetInfo): void => {
    if (info.type !== 'page') return;
    page ??= info.targetId;
    if (first !== null) {
      navigate(first);
      first = null;
    }
    if (info.targetId !== page) {
      // A shortcut or a script opened a second window over the table.
      if (!closed.has(info.targetId)) events.log('chromium: a second window was closed');
      closed.add(info.targetId);
      devtools.send('Target.closeTarget', { targetId: info.targetId }).catch(() => {});
    } else if (origin !== null && terminalOrigin(info.url) === origin) {
      loaded = true;
      ask('Runtime.evaluate', { expression: STATUS }).then(
        ({ result }) => {
          if ((result as { value?: unknown }).value === 403) events.onTicketNeeded();
        },
        () => {},
      );
    } else if (info.url.startsWith('chrome-error:')) {
      setTimeout(showTable, RETRY_MS).unref();
    } else if (loaded) {
      events.log('chromium: the page had left the terminal and is brought back');
      showTable();
    }
  };

  const devtools: DevtoolsPipe = new DevtoolsPipe(
    child.stdio[3] as Writable,
    child.stdio[4] as Readable,
    (method, params) => {
      if (method === 'Target.targetCreated' || method === 'Target.targetInfoChanged') {
        onTarget(params['targetInfo'] as TargetInfo);
      } else if (method === 'Target.targetCrashed' && params['targetId'] === page) {
        events.log(`chromium: the page's process ended (${String(params['status'])}), loading it again`);
        crash?.();
        showTable();
      } else if (method === 'Target.targetDestroyed' && params['targetId'] === page) {
        killGroup(child, 'SIGKILL');
      } else if (method === 'Target.detachedFromTarget') {
        session = null;
      }
    },
  );
  devtools.send('Target.setDiscoverTargets', { discover: true }).catch((error: Error) => {
    if (!over) events.log(`chromium: ${error.message}`);
  });

  /** Ends the page's process; a browser that does not notice is ended too. */
  const renewPage = (why: string): void => {
    events.log(`chromium: ending the page's process: ${why}`);
    const timer = setTimeout(() => killGroup(child, 'SIGKILL'), RENEW_LIMIT_MS);
    crash = () => clearTimeout(timer);
    devtools.send('SystemInfo.getProcessInfo').then(
      ({ processInfo }) => {
        const pids = (processInfo as { type: string; id: number }[])
          .filter((info) => info.type === 'renderer')
          .map((info) => String(info.id));
        // As the kiosk user: the numbers come from the browser, and the kernel then lets it name
        // only its own processes.
        execFile(...asUser(user, '/bin/sh', ['-c', 'kill -KILL "$@"', 'sh', ...pids]), () => {});
      },
      () => killGroup(child, 'SIGKILL'),
    );
  };

  return {
    pid: child.pid!,
    ended,
    open(url) {
      origin = terminalOrigin(url);
      if (page === null) first = url;
      else navigate(url);
    },
    renewPage,
    kill() {
      killGroup(child, 'SIGKILL');
    },
    async shot() {
      const { data } = await ask('Page.captureScreenshot', { format: 'png' });
      return Buffer.from(data as string, 'base64');
    },
    async stop() {
      killGroup(child, 'SIGTERM');
      const timer = setTimeout(() => killGroup(child, 'SIGKILL'), END_LIMIT_MS);
      await ended;
      clearTimeout(timer);
      rmSync(home, { recursive: true, force: true });
    },
  };
}
