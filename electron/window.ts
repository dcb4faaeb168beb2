/**
 * The window in an account of its own: `node electron/window.ts SOCKET`. Connects to the
 * supervisor, which the socket's file lets this account alone do, and shows what it is sent to.
 * Ends when the supervisor or the window does.
 */
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { argumentsOf } from '../ledger/chain/program-arguments.ts';
import { chooseShell } from './choose-shell.ts';
import { parseObject, readLines } from './json-lines.ts';
import { kioskUser } from './kiosk-user.ts';
import { openShell } from './shells.ts';

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
const home = join(folder, 'window');
const user = kioskUser(console.error);
const found = chooseShell(ROOT, process.env, user, null);
if (found.kind === 'none') end(found.because);

const link = connect(path);
const tell = (message: unknown): void => void link.write(`${JSON.stringify(message)}\n`);
const shell = openShell(ROOT, found, {
  user,
  home,
  mode: 'kiosk',
  size: { width: 1920, height: 1080 },
  debugPort: null,
  events: {
    onPageLoads: () => tell({ page: 'loads' }),
    onTicketNeeded: () => tell({ page: 'needs-ticket' }),
    log: (line) => tell({ log: line }),
  },
});
void shell.ended.then(end);

readLines(link, (line) => {
  const message = parseObject(line);
  if (typeof message?.['open'] === 'string') shell.open(message['open']);
  else if (typeof message?.['renew'] === 'string') shell.renewPage(message['renew']);
  else if (message?.['shot'] === true)
    shell.shot().then(
      (png) => tell({ shot: png.toString('base64') }),
      (error: Error) => tell({ shot: null, log: error.message }),
    );
});
link.on('error', (error) => end(`the supervisor cannot be reached: ${error.message}`));
link.on('close', () => {
  shell.kill();
  end('the supervisor is gone');
});
