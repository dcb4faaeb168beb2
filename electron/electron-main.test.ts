/**
 * The main process as it is, against an electron module that records every call: each setting the
 * kiosk rests on is asserted here. The same code runs in a real Electron in test/shell.
 */
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { registerHooks } from 'node:module';
import { PassThrough } from 'node:stream';
import { type TestContext, test } from 'node:test';

type Any = (...args: never[]) => unknown;
type Fields = Readonly<Record<string, unknown>>;

const URL_WITH_TICKET = 'http://127.0.0.1:4100/?ticket=abc';
const TABLE = 'http://127.0.0.1:4100/';

class FakePage extends EventEmitter {
  loads: string[] = [];
  openHandler: (() => unknown) | null = null;
  zoomLimits: number[] | null = null;
  setWindowOpenHandler(handler: () => unknown): void {
    this.openHandler = handler;
  }
  setVisualZoomLevelLimits(...limits: number[]): Promise<void> {
    this.zoomLimits = limits;
    return Promise.resolve();
  }
  getOSProcessId(): number {
    return 4_000_001;
  }
  capturePage(): Promise<{ toPNG(): Buffer }> {
    return Promise.resolve({ toPNG: () => Buffer.from('png') });
  }
}

/**
 * A fresh fake of the parts of Electron that the main process uses, with everything it was told.
 */
function fakeElectron(switches: Readonly<Record<string, string>>) {
  const calls: string[] = [];
  const windows: (EventEmitter & { options: Fields; webContents: FakePage })[] = [];
  const handlers: Record<string, Any> = {};
  let becomeReady = (): void => {};
  const ready = new Promise<void>((resolve) => {
    becomeReady = resolve;
  });
  const app = Object.assign(new EventEmitter(), {
    requestSingleInstanceLock: () => calls.push('lock') > 0,
    enableSandbox: () => calls.push('enableSandbox'),
    exit: (code: number) => calls.push(`exit ${code}`),
    whenReady: () => ready,
    commandLine: {
      hasSwitch: (name: string) => name in switches,
      getSwitchValue: (name: string) => switches[name] ?? '',
      appendSwitch: (name: string, value?: string) =>
        calls.push(value === undefined ? `switch ${name}` : `switch ${name}=${value}`),
    },
  });
  class BrowserWindow extends EventEmitter {
    readonly options: Fields;
    readonly webContents = new FakePage();
    constructor(options: Fields) {
      super();
      this.options = options;
      windows.push(this);
      app.emit('web-contents-created', {}, this.webContents);
    }
    loadURL(url: string): Promise<void> {
      this.webContents.loads.push(url);
      return Promise.resolve();
    }
    setMenu(menu: unknown): void {
      calls.push(`window menu ${String(menu)}`);
    }
    show(): void {
      calls.push('show');
    }
    focus(): void {
      calls.push('focus');
    }
    setKiosk(on: boolean): void {
      calls.push(`kiosk ${on}`);
    }
    setAlwaysOnTop(on: boolean, level: string): void {
      calls.push(`on top ${on} ${level}`);
    }
  }
  const session = Object.assign(new EventEmitter(), {
    setPermissionRequestHandler: (handler: Any) => {
      handlers['permission request'] = handler;
    },
    setPermissionCheckHandler: (handler: Any) => {
      handlers['permission check'] = handler;
    },
    setDevicePermissionHandler: (handler: Any) => {
      handlers['device permission'] = handler;
    },
    setDisplayMediaRequestHandler: (handler: Any) => {
      handlers['display media'] = handler;
    },
    setSpellCheckerEnabled: (on: boolean) => calls.push(`spell checker ${on}`),
    webRequest: {
      onBeforeRequest: (handler: Any) => {
        handlers['request'] = handler;
      },
    },
  });
  const electron = {
    app,
    BrowserWindow,
    Menu: { setApplicationMenu: (menu: unknown) => calls.push(`application menu ${String(menu)}`) },
    powerSaveBlocker: { start: (kind: string) => calls.push(`power ${kind}`) },
    screen: { getPrimaryDisplay: () => ({ bounds: { x: 0, y: 0, width: 1920, height: 1080 } }) },
    session: { defaultSession: session },
  };
  return { electron, app, calls, windows, handlers, session, becomeReady };
}

registerHooks({
  resolve: (specifier, context, next) =>
    // One module per instance of the main process.
    specifier === 'electron'
      ? { url: `fake:electron${new URL(context.parentURL!).search}`, shortCircuit: true }
      : next(specifier, context),
  load: (url, context, next) =>
    url.startsWith('fake:electron')
      ? {
          format: 'module',
          shortCircuit: true,
          source: ['app', 'BrowserWindow', 'Menu', 'powerSaveBlocker', 'screen', 'session']
            .map((name) => `export const ${name} = globalThis.fakeElectron.${name};`)
            .join('\n'),
        }
      : next(url, context),
});

let instances = 0;

/** Runs the main process once, up to its open window, with stdin and stdout in our hands. */
async function start(t: TestContext, switches: Readonly<Record<string, string>> = {}) {
  const fake = fakeElectron(switches);
  const stdin = new PassThrough();
  const told: Fields[] = [];
  const standIn = {
    versions: { electron: '45.0.0' },
    stdin,
    stdout: { write: (line: string) => told.push(JSON.parse(line) as Fields) },
    kills: [] as string[],
    kill: (pid: number, signal: string) => standIn.kills.push(`${pid} ${signal}`),
  };
  (globalThis as Record<string, unknown>)['fakeElectron'] = { ...fake.electron };
  const real = globalThis.process;
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  Object.defineProperty(globalThis, 'process', { value: standIn, configurable: true, writable: true });
  t.after(() => {
    Object.defineProperty(globalThis, 'process', { value: real, configurable: true, writable: true });
  });
  instances += 1;
  await import(`./electron-main.ts?instance=${instances}`);
  const beforeReady = [...fake.calls];
  fake.becomeReady();
  await settled();
  const say = async (message: Fields): Promise<void> => {
    stdin.write(`${JSON.stringify(message)}\n`);
    await settled();
  };
  const [window] = fake.windows;
  assert.ok(window);
  return { ...fake, window, page: window.webContents, beforeReady, told, say, stdin, standIn, settled };
}

/** Emits an event that can be prevented; true when it was. */
function prevented(target: EventEmitter, event: string, fields: Fields = {}, ...more: unknown[]): boolean {
  let stopped = false;
  target.emit(event, { ...fields, preventDefault: () => (stopped = true) }, ...more);
  return stopped;
}

test('before it is ready: one instance, sandbox for every renderer, no menu, no pinch, no names resolved', async (t) => {
  const { beforeReady } = await start(t);
  for (const call of [
    'lock',
    'enableSandbox',
    'application menu null',
    'switch disable-pinch',
    'switch overscroll-history-navigation=0',
    'switch host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
    'switch no-proxy-server',
  ])
    assert.ok(beforeReady.includes(call), call);
});

test('the window is a kiosk whose page is sandboxed and isolated', async (t) => {
  const { window, calls } = await start(t);
  const { webPreferences, ...frame } = window.options;
  assert.deepEqual(webPreferences, {
    sandbox: true,
    contextIsolation: true,
    webSecurity: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    allowRunningInsecureContent: false,
    webviewTag: false,
    navigateOnDragDrop: false,
    spellcheck: false,
    devTools: false,
    disableDialogs: true,
    backgroundThrottling: false,
    zoomFactor: 1,
  });
  assert.deepEqual(
    {
      kiosk: frame['kiosk'],
      frame: frame['frame'],
      closable: frame['closable'],
      size: [frame['width'], frame['height']],
    },
    { kiosk: true, frame: false, closable: false, size: [1920, 1080] },
  );
  assert.equal(frame['roundedCorners'], false);
  window.emit('ready-to-show');
  for (const call of ['window menu null', 'show', 'focus', 'kiosk true', 'on top true screen-saver'])
    assert.ok(calls.includes(call), call);
  assert.ok(prevented(window, 'close'), 'the window cannot be closed');
});

test('the display is kept awake and nothing is spell-checked', async (t) => {
  const { calls } = await start(t);
  assert.ok(calls.includes('power prevent-display-sleep'));
  assert.ok(calls.includes('spell checker false'));
});

test('every permission, device, capture and download is refused', async (t) => {
  const { handlers, session } = await start(t);
  const answers: unknown[] = [];
  const answer = (value: unknown): number => answers.push(value);
  for (const permission of ['media', 'geolocation', 'notifications', 'fullscreen', 'clipboard-read', 'usb'])
    (handlers['permission request'] as (...args: unknown[]) => void)(null, permission, answer);
  assert.deepEqual(answers, [false, false, false, false, false, false]);
  assert.equal((handlers['permission check'] as () => unknown)(), false);
  assert.equal((handlers['device permission'] as () => unknown)(), false);
  (handlers['display media'] as (...args: unknown[]) => void)(null, answer);
  assert.deepEqual(answers.at(-1), {});
  assert.ok(prevented(session, 'will-download'));
});

test('requests leave only to the origin that the supervisor named', async (t) => {
  const { handlers, say } = await start(t);
  const cancelled = (url: string): unknown => {
    let verdict: unknown;
    (handlers['request'] as (...args: unknown[]) => void)({ url }, (value: { cancel: boolean }) => {
      verdict = value.cancel;
    });
    return verdict;
  };
  assert.equal(cancelled(TABLE), true, 'before there is an address');
  await say({ open: URL_WITH_TICKET });
  for (const url of [TABLE, 'ws://127.0.0.1:4100/ws', 'data:,', `blob:${TABLE}x`])
    assert.equal(cancelled(url), false, url);
  for (const url of ['https://example.com/', 'http://127.0.0.1:4101/', 'file:///etc/passwd', 'devtools://x/'])
    assert.equal(cancelled(url), true, url);
});

test('no page opens a window, leaves the terminal, attaches a webview', async (t) => {
  const { page, app, say } = await start(t);
  await say({ open: URL_WITH_TICKET });
  const other = new FakePage();
  app.emit('web-contents-created', {}, other);
  for (const each of [page, other]) {
    assert.deepEqual(each.openHandler?.(), { action: 'deny' });
    for (const event of ['will-navigate', 'will-frame-navigate', 'will-redirect']) {
      assert.ok(prevented(each, event, { url: 'https://example.com/' }), event);
      assert.ok(prevented(each, event, { url: 'file:///etc/passwd' }), event);
      assert.ok(!prevented(each, event, { url: TABLE }), event);
    }
    assert.ok(prevented(each, 'will-attach-webview'));
  }
});

test('keys of the browser are stopped, zoom is fixed', async (t) => {
  const { page } = await start(t);
  const key = { type: 'keyDown', key: 'r', code: 'KeyR', control: true, alt: false, meta: false };
  assert.ok(prevented(page, 'before-input-event', {}, key));
  assert.ok(!prevented(page, 'before-input-event', {}, { ...key, control: false }));
  page.emit('did-finish-load');
  assert.deepEqual(page.zoomLimits, [1, 1]);
});

test('it opens only an address of this machine', async (t) => {
  const { page, say, told } = await start(t);
  await say({ open: 'https://example.com/' });
  assert.deepEqual(page.loads, []);
  assert.match(String(told.at(-1)?.['log']), /refused/);
  await say({ open: URL_WITH_TICKET });
  assert.deepEqual(page.loads, [URL_WITH_TICKET]);
});

test('a page that crashed, failed to load or left is loaded again without a ticket', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { page, say } = await start(t);
  await say({ open: URL_WITH_TICKET });
  page.emit('render-process-gone', {}, { reason: 'crashed' });
  t.mock.timers.tick(500);
  page.emit('did-fail-load', {}, -102, 'ERR_CONNECTION_REFUSED', TABLE, true);
  t.mock.timers.tick(500);
  page.emit('did-navigate', {}, 'about:blank', 200);
  t.mock.timers.tick(500);
  assert.deepEqual(page.loads, [URL_WITH_TICKET, TABLE, TABLE, TABLE]);
  page.emit('did-fail-load', {}, -3, 'ERR_ABORTED', TABLE, true);
  page.emit('did-fail-load', {}, -102, 'ERR_CONNECTION_REFUSED', `${TABLE}x`, false);
  t.mock.timers.tick(5_000);
  assert.equal(page.loads.length, 4, 'an aborted load and a part of the page are not the page');
});

test('a page without a session asks for a ticket, a page that does not answer is ended', async (t) => {
  const { page, say, told, standIn } = await start(t);
  await say({ open: URL_WITH_TICKET });
  page.emit('did-navigate', {}, TABLE, 403);
  assert.deepEqual(told.at(-1), { page: 'needs-ticket' });
  page.emit('did-navigate', {}, TABLE, 200);
  assert.deepEqual(told.at(-1), { page: 'loads' });
  await say({ renew: 'it does not answer' });
  assert.deepEqual(standIn.kills, ['4000001 SIGKILL']);
});

test('a window that is gone all the same is made again', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { window, windows, say, app } = await start(t);
  await say({ open: URL_WITH_TICKET });
  window.emit('closed');
  t.mock.timers.tick(500);
  assert.equal(windows.length, 2);
  assert.deepEqual(windows[1]?.webContents.loads, [TABLE]);
  app.emit('before-quit');
  windows[1]?.emit('closed');
  t.mock.timers.tick(5_000);
  assert.equal(windows.length, 2, 'not while quitting');
});

test('it gives a picture of the window, and ends with the supervisor', async (t) => {
  const { say, told, stdin, calls, settled } = await start(t);
  await say({ shot: true });
  assert.deepEqual(told.at(-1), { shot: Buffer.from('png').toString('base64') });
  stdin.end();
  await settled();
  await settled();
  assert.ok(calls.includes('exit 0'));
});

test('windowed: a frame that can be closed, in the size that was asked for, with the same page settings', async (t) => {
  const { window, calls } = await start(t, { windowed: '', 'window-size': '1366,768' });
  assert.deepEqual(
    [window.options['kiosk'], window.options['frame'], window.options['width'], window.options['height']],
    [false, true, 1366, 768],
  );
  assert.equal((window.options['webPreferences'] as Fields)['sandbox'], true);
  assert.ok(!prevented(window, 'close'));
  window.emit('closed');
  assert.ok(calls.includes('exit 0'));
});
