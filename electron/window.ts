/**
 * The windows in an account of their own: `node electron/window.ts SOCKET`. Connects to the
 * supervisor, which the socket's file lets this account alone do, and opens the window that each
 * connection says; the next connection waits for the next one. Ends when the supervisor
 * does.
 */
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { argumentsOf } from '../ledger/chain/program-arguments.ts';
import { chooseShell, type ShellChoice } from './choose-shell.ts';
import { parseObject, readLines } from './json-lines.ts';
import { type KioskUser, kioskUser } from './kiosk-user.ts';
import { homeOf, type PlacedWindow, pluggedIn, watchPlug } from './place.ts';
import type { Shell } from './shell.ts';
import { openShell } from './shells.ts';
import { touchMatrixIn } from './touch.ts';

const ROOT = resolve(import.meta.dirname, '..');

function end(why: string): never {
  console.error(`window: ${why}`);
  process.exit(1);
}

const [path] = argumentsOf({ allowPositionals: true }).positionals;
const folder = process.env['RUNTIME_DIRECTORY'];
if (path === undefined || folder === undefined)
  end('usage: RUNTIME_DIRECTORY=FOLDER node electron/window.ts SOCKET');
if (process.getuid!() === 0) end('the window does not run as root');
const user = kioskUser(console.error);
const found = chooseShell(ROOT, process.env, user, null);
if (found.kind === 'none') end(found.because);
const shells = new Set<Shell>();
process.once('exit', () => {
  for (const shell of shells) shell.kill();
});
connectNext(path, { user, home: join(folder, 'window'), choice: found });

interface Own {
  readonly user: KioskUser;
  readonly home: string;
  readonly choice: Exclude<ShellChoice, { readonly kind: 'none' }>;
}

/** One connection, which becomes one window. */
function connectNext(socketPath: string, own: Own): void {
  const link = connect(socketPath);
  const tell = (message: unknown): void => void (link.writable && link.write(`${JSON.stringify(message)}\n`));
  const gone = new AbortController();
  let isWindow = false;
  let shell: Shell | null = null;
  readLines(link, (line) => {
    const message = parseObject(line);
    const show = message?.['show'];
    if (!isWindow && typeof show === 'object' && show !== null) {
      isWindow = true;
      connectNext(socketPath, own);
      void opened(show as PlacedWindow).catch(() => link.destroy());
    } else if (typeof message?.['open'] === 'string') shell?.open(message['open']);
    else if (typeof message?.['renew'] === 'string') shell?.renewPage(message['renew']);
    else if (message !== null && 'touch' in message) {
      const matrix = touchMatrixIn(message['touch']);
      if (matrix !== undefined) shell?.touch(matrix);
    } else if (message?.['shot'] === true)
      shell?.shot().then(
        (png) => tell({ shot: png.toString('base64') }),
        (error: Error) => tell({ shot: null, log: error.message }),
      );
  });
  link.on('error', (error) => {
    if (!isWindow) end(`the supervisor cannot be reached: ${error.message}`);
  });
  link.on('close', () => {
    if (!isWindow) end('the supervisor is gone');
    gone.abort();
    shell?.kill();
  });

  async function opened({ role, place }: PlacedWindow): Promise<void> {
    const log = (line: string): void => tell({ log: line });
    await pluggedIn(place, gone.signal, log);
    const made = openShell(ROOT, own.choice, {
      ...{ user: own.user, place, mode: 'kiosk', debugPort: null },
      home: homeOf(own.home, role),
      size: { width: 1920, height: 1080 },
      events: {
        onPageLoads: () => tell({ page: 'loads' }),
        onTicketNeeded: () => tell({ page: 'needs-ticket' }),
        log,
      },
    });
    shell = made;
    shells.add(made);
    const unwatch = watchPlug(place, () => {
      log(`${place.connector}: the display was unplugged`);
      made.kill();
    });
    void made.ended.then((why) => {
      unwatch();
      shells.delete(made);
      console.error(`window ${role}: ${why}`);
      link.destroy();
    });
    tell({ window: 'ready' });
  }
}
