/**
 * Electron's main process: one sandboxed kiosk window on the terminal's page, and nothing else. No
 * preload, no IPC with the page. The supervisor talks over stdin and stdout in JSON lines; when
 * stdin closes the supervisor is gone and so are we. Arguments: --windowed, --window-size=W,H,
 * --window-position=X,Y; without the last two the kiosk takes the whole screen.
 */
import { app, BrowserWindow, Menu, powerSaveBlocker, screen, session, type WebContents } from 'electron';
import { parseObject, readLines } from './json-lines.ts';
import { blocksKey, mayNavigate, mayRequest, terminalOrigin } from './policy.ts';

const RETRY_MS = 500;
/** A page that ends sooner than this after the last one is not loaded again at once. */
const HEALTHY_MS = 10_000;

const windowed = app.commandLine.hasSwitch('windowed');
let origin: string | null = null;
let window: BrowserWindow | null = null;
let quitting = false;

const tell = (message: Readonly<Record<string, unknown>>): void => {
  process.stdout.write(`${JSON.stringify(message)}\n`);
};

if (!app.requestSingleInstanceLock()) app.exit(3);
// Before `ready`: from here on no renderer runs unsandboxed, whatever its webPreferences say.
app.enableSandbox();
app.commandLine.appendSwitch('disable-pinch');
app.commandLine.appendSwitch('overscroll-history-navigation', '0');
app.commandLine.appendSwitch('autoplay-policy', 'no-user-gesture-required');
app.commandLine.appendSwitch('disable-renderer-backgrounding');
app.commandLine.appendSwitch('disable-background-timer-throttling');
app.commandLine.appendSwitch('force-device-scale-factor', '1');
app.commandLine.appendSwitch('disable-features', 'OverscrollHistoryNavigation');
app.commandLine.appendSwitch('host-resolver-rules', 'MAP * ~NOTFOUND , EXCLUDE 127.0.0.1');
app.commandLine.appendSwitch('no-proxy-server');
// No menu: takes its accelerators away (reload, developer tools, zoom, quit).
Menu.setApplicationMenu(null);

function load(url: string): void {
  tell({ page: 'loads' });
  // A failed load comes back as did-fail-load; the promise says nothing more.
  window?.loadURL(url).catch(() => {});
}

function loadTableSoon(inMs = RETRY_MS): void {
  setTimeout(() => {
    if (origin !== null && !quitting) load(`${origin}/`);
  }, inMs);
}

function createWindow(): void {
  const { width, height } = screen.getPrimaryDisplay().bounds;
  const pair = (name: string, otherwise: readonly [number, number]): readonly [number, number] => {
    const [a, b] = app.commandLine.getSwitchValue(name).split(',').map(Number);
    return a !== undefined && b !== undefined ? [a, b] : otherwise;
  };
  const size = pair('window-size', [width, height]);
  const at = pair('window-position', [0, 0]);
  const made = new BrowserWindow({
    x: at[0],
    y: at[1],
    width: size[0],
    height: size[1],
    kiosk: !windowed,
    fullscreen: !windowed,
    frame: windowed,
    resizable: windowed,
    minimizable: windowed,
    closable: windowed,
    roundedCorners: false,
    autoHideMenuBar: true,
    show: false,
    backgroundColor: '#06281d',
    title: 'Banca',
    webPreferences: {
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
    },
  });
  window = made;
  made.setMenu(null);
  made.once('ready-to-show', () => {
    made.show();
    // With focus at once: a touch in the first two seconds lost its pointerdown without it.
    made.focus();
    if (!windowed) {
      made.setKiosk(true);
      made.setAlwaysOnTop(true, 'screen-saver');
    }
  });
  // Alt+F4 or a window manager's close.
  made.on('close', (event) => {
    if (!quitting && !windowed) event.preventDefault();
  });
  made.on('closed', () => {
    window = null;
    if (windowed) app.exit(0);
    else if (!quitting) setTimeout(reopen, RETRY_MS);
  });
  made.on('unresponsive', () => renew('it does not answer'));
  const page = made.webContents;
  let endedMs = Number.NEGATIVE_INFINITY;
  page.on('render-process-gone', (_event, details) => {
    tell({ log: `the page's process ended (${details.reason}), loading it again` });
    const isHealthy = performance.now() - endedMs > HEALTHY_MS;
    endedMs = performance.now();
    // Not within the event: the process that has ended is still being put away.
    loadTableSoon(isHealthy ? 0 : RETRY_MS);
  });
  // Only when the new page has taken over: a navigation that is refused starts, too.
  page.on('did-navigate', (_event, url, status) => {
    if (!mayNavigate(url, origin)) {
      // about:blank comes without will-navigate.
      tell({ log: 'the page had left the terminal and is brought back' });
      loadTableSoon();
    } else {
      tell({ page: status === 403 ? 'needs-ticket' : 'loads' });
    }
  });
  page.on('did-finish-load', () => {
    page.setVisualZoomLevelLimits(1, 1).catch(() => {});
  });
  page.on('did-fail-load', (_event, code, reason, _url, isMainFrame) => {
    // -3: stopped by a newer load.
    if (!isMainFrame || code === -3) return;
    tell({ log: `the page did not load (${reason}), trying again` });
    loadTableSoon();
  });
  page.on('before-input-event', (event, input) => {
    if (blocksKey(input)) event.preventDefault();
  });
}

function reopen(): void {
  createWindow();
  if (origin !== null) load(`${origin}/`);
}

/**
 * Ends the page's process; `render-process-gone` then loads it again. By a signal, because a
 * stopped process does not carry out forcefullyCrashRenderer().
 */
function renew(why: string): void {
  const pid = window?.webContents.getOSProcessId() ?? 0;
  if (pid === 0) return;
  tell({ log: `ending the page's process: ${why}` });
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended in between.
  }
}

/** Rules for every page there ever is, also one that we did not make. */
function confine(page: WebContents): void {
  page.setWindowOpenHandler(() => ({ action: 'deny' }));
  const stay = (event: { readonly url: string; preventDefault(): void }): void => {
    if (!mayNavigate(event.url, origin)) event.preventDefault();
  };
  page.on('will-navigate', stay);
  page.on('will-frame-navigate', stay);
  page.on('will-redirect', stay);
  page.on('will-attach-webview', (event) => event.preventDefault());
}

function onMessage(line: string): void {
  const message = parseObject(line);
  const open = message?.['open'];
  if (typeof open === 'string') {
    origin = terminalOrigin(open);
    if (origin === null) tell({ log: 'an address that is not the terminal was refused' });
    else load(open);
  } else if (typeof message?.['renew'] === 'string') {
    renew(message['renew']);
  } else if (message?.['shot'] === true) {
    window?.webContents.capturePage().then(
      (image) => tell({ shot: image.toPNG().toString('base64') }),
      (error: Error) => tell({ shot: null, log: error.message }),
    );
  }
}

app.on('web-contents-created', (_event, page) => confine(page));
// A kiosk does not quit because its window went.
app.on('window-all-closed', () => {});
app.on('child-process-gone', (_event, details) => tell({ log: `${details.type} process ${details.reason}` }));
app.on('before-quit', () => {
  quitting = true;
});
app.on('second-instance', () => window?.focus());

app.whenReady().then(
  () => {
    const ours = session.defaultSession;
    ours.setPermissionRequestHandler((_page, _permission, answer) => answer(false));
    ours.setPermissionCheckHandler(() => false);
    // WebUSB, HID and serial: devices belong to the host.
    ours.setDevicePermissionHandler(() => false);
    ours.setDisplayMediaRequestHandler((_request, answer) => answer({}));
    ours.on('will-download', (event) => event.preventDefault());
    ours.webRequest.onBeforeRequest((details, answer) =>
      answer({ cancel: !mayRequest(details.url, origin) }),
    );
    ours.setSpellCheckerEnabled(false);
    powerSaveBlocker.start('prevent-display-sleep');
    createWindow();
    readLines(process.stdin, onMessage);
    process.stdin.on('end', () => app.exit(0));
    tell({ ready: true, log: `version ${process.versions['electron']}` });
  },
  () => app.exit(1),
);
