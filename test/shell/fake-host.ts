/**
 * A host without a table: the real loopback server, tickets and cookies of the host with a page
 * that only keeps the connection. Lets the supervisor and the windows be tested by themselves.
 */
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { DisplayServer } from '../../host/server/displays.ts';
import { parseRole, Sessions } from '../../host/server/sessions.ts';

const { values } = parseArgs({
  strict: false,
  options: {
    'listen-fd': { type: 'string' },
    'display-uid': { type: 'string', default: String(process.getuid!()) },
  },
});
const tell = (message: unknown): void => console.log(JSON.stringify(message));
const lines = createInterface({ input: process.stdin });
lines.once('close', () => process.exit(0));

const first = await new Promise<{ sessionKey: string }>((resolve) =>
  lines.once('line', (line) => resolve(JSON.parse(line))),
);
const server = new DisplayServer({
  rendererRoot: join(import.meta.dirname, 'page'),
  sessions: new Sessions(Buffer.from(first.sessionKey, 'base64url'), () => Date.now()),
  port: 0,
  listenFd: values['listen-fd'] === undefined ? undefined : Number(values['listen-fd']),
  allowedUids: [process.getuid!(), Number(values['display-uid'])],
  log: (line) => console.error(line),
  onOpen: (display) => tell({ display: 'up', role: display.role }),
  onText: (display, text) => {
    const message = JSON.parse(text) as { t: string };
    if (message.t === 'pong') server.pong(display);
    if (message.t === 'painted') tell({ painted: message, role: display.role });
  },
  onClose: (display, why) => {
    if (why !== 'replaced') tell({ display: why, role: display.role });
  },
});
await server.listen();
tell({ ready: true, port: server.port, url: server.ticketUrl('table', 600_000).url });
lines.on('line', (line) => {
  const role = parseRole((JSON.parse(line) as { mint: unknown }).mint);
  if (role) tell({ ...server.ticketUrl(role, 600_000), role });
});
process.once('SIGTERM', () => process.exit(0));
