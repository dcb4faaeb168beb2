/**
 * A display of the table on a machine of its own: `node electron/display.ts --data DIR [--terminal
 * HOST:PORT --key KEY]`. Opens a window, and is its way to the terminal over the table's network.
 * Which display it is the terminal says, which has enrolled the key of this machine. With `--data`
 * alone it prints that key, made at the first time, and does nothing else. HOST:PORT is `listen` of
 * the section `displays` in the terminal file; KEY, by which the terminal is known, is in its log
 * at every start.
 */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { plainLine } from '../ledger/chain/plain-line.ts';
import { argumentsOf } from '../ledger/chain/program-arguments.ts';
import { loadOrMakeTls, pinOfPem } from '../ledger/chain/tls.store.ts';
import { chooseShell } from './choose-shell.ts';
import { handedSockets } from './held-socket.ts';
import { KeptWindow, type WindowOptions } from './kept-window.ts';
import { account, KIOSK_ACCOUNT, kioskUser } from './kiosk-user.ts';
import { type PlacedWindow, pluggedIn } from './place.ts';
import { startRelay } from './relay.ts';
import { RemoteWindows } from './remote-windows.ts';
import { RESTART_LIMITS } from './restarts.ts';
import { openShell } from './shells.ts';

const ROOT = resolve(import.meta.dirname, '..');
const log = (line: string): void => console.error(plainLine(line));
function fail(line: string): never {
  log(line);
  process.exit(2);
}

const { values } = argumentsOf({
  options: { data: { type: 'string' }, terminal: { type: 'string' }, key: { type: 'string' } },
});
if (values.data === undefined) fail('--data DIR is missing: where the key of this machine lies');
const data = resolve(values.data);
mkdirSync(data, { recursive: true, mode: 0o700 });
const identity = loadOrMakeTls(data, 'display', Date.now());
const own = pinOfPem(identity.cert);
if (values.terminal === undefined && values.key === undefined) {
  console.log(own);
  process.exit(0);
}
const terminal = /^([^:/\s]{1,253}):([1-9]\d{0,4})$/.exec(values.terminal ?? '');
if (!terminal)
  fail(`--terminal ${values.terminal ?? 'is missing'}: HOST:PORT, as \`listen\` in the terminal file`);
if (!/^sha256\/[A-Za-z0-9+/]{43}=$/.test(values.key ?? ''))
  fail(
    `--key ${values.key ?? 'is missing'}: sha256/ and 44 characters of base64, as the terminal logs it at its start`,
  );
log(`the key of this display is ${own}`);

const windowFd = handedSockets(process.env).get('window');
const remote = windowFd === undefined ? null : new RemoteWindows({ fd: windowFd });
const user = remote ? account(KIOSK_ACCOUNT) : kioskUser(log);
if (!user) fail(`the window's account ${KIOSK_ACCOUNT} does not exist`);
/** The terminal alone knows which one it is. */
const WINDOW: PlacedWindow = { role: 'display', place: {} };

const relay = await startRelay({
  ...{ identity, log },
  terminal: { host: terminal[1]!, port: Number(terminal[2]) },
  key: values.key!,
  allowedUids: [process.getuid!(), user.uid],
  onPage: (isUp) => window.see(isUp ? 'display-up' : 'display-gone'),
  onTerminal: (isThere) => window.see(isThere ? 'host-started' : 'host-ended'),
});
const window = new KeptWindow({
  ...windowOptions(),
  limits: RESTART_LIMITS,
  log,
  mint: () => Promise.resolve(`${relay.origin}/`),
  onStarted: () => {},
  onEnded: () => {},
  onGivenUp: () => process.exit(1),
});
window.start();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    relay.close();
    void window.stop().then(() => process.exit(0));
  });

function windowOptions(): WindowOptions {
  const { role, place } = WINDOW;
  if (remote)
    return {
      role,
      arrives: (signal) => remote.arrived(WINDOW, signal),
      start: (events) => remote.start(WINDOW, events),
    };
  const choice = chooseShell(ROOT, process.env, user!, null);
  if (choice.kind === 'none') return fail(choice.because);
  const display = Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']);
  return {
    role,
    arrives: (signal) => pluggedIn(place, signal, log),
    start: (events) =>
      openShell(ROOT, choice, {
        ...{ user: user!, place, events, debugPort: null },
        home: user!.switchUser ? join('/run', 'banca-display') : join(data, 'window'),
        mode: display ? 'kiosk' : 'headless',
        size: { width: 1280, height: 800 },
      }),
  };
}
