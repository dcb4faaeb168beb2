/**
 * The rack as a process of its own: a killed host finds its devices as it left them, as with real
 * ones.
 *   rack-main.ts --dir DIR [--state FILE] [--acceptors N] [--currencies MOP,HKD] [--seed S]
 *                [--supervised]
 * One socket per device and control.sock (JSON lines) in DIR; one JSON readiness line on stdout.
 * With --state the devices keep in FILE what real ones keep without power, and start again from it;
 * without, they are new at every start.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { type DeviceServer, serveDevice } from '../transport/socket.transport.ts';
import type { DeviceRack } from './rack.sim.ts';
import { openRack } from './rack-memory.store.ts';
import { rackPaths } from './rack-paths.ts';

const LINE_LIMIT = 65_536;

function serveControl(path: string, rack: DeviceRack): Promise<DeviceServer> {
  rmSync(path, { force: true });
  const clients = new Set<Socket>();
  const server = createServer((socket) => {
    clients.add(socket);
    socket.on('close', () => clients.delete(socket));
    socket.on('error', () => socket.destroy());
    const lines = createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY });
    lines.on('error', () => socket.destroy());
    lines.on('line', (line) => {
      socket.write(`${JSON.stringify(answer(rack, line))}\n`);
    });
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () =>
      resolve({
        close: () =>
          new Promise((done) => {
            for (const client of clients) client.destroy();
            server.close(() => done());
          }),
      }),
    );
  });
}

function answer(rack: DeviceRack, line: string): unknown {
  if (line.length > LINE_LIMIT) return { ok: false, error: `line of ${line.length} characters` };
  try {
    return rack.handle(JSON.parse(line));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { ok: false, error: `not JSON: ${error.message}` };
  }
}

function readArguments() {
  const { values } = parseArgs({
    options: {
      dir: { type: 'string' },
      state: { type: 'string' },
      acceptors: { type: 'string', default: '7' },
      currencies: { type: 'string', default: 'MOP,HKD' },
      seed: { type: 'string', default: '1' },
      supervised: { type: 'boolean', default: false },
    },
  });
  if (values.dir === undefined) throw new Error('--dir DIR is needed: where the sockets go');
  return {
    dir: values.dir,
    state: values.state ?? null,
    supervised: values.supervised,
    rack: {
      acceptors: Number(values.acceptors),
      currencies: values.currencies.split(','),
      seed: Number(values.seed),
    },
  };
}

async function main(): Promise<void> {
  const { dir, state, supervised, rack: options } = readArguments();
  const rack = openRack(state, options);
  // For the owner alone: whoever reaches a socket here plays a banknote.
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const paths = rackPaths(dir);
  const numbers = Array.from({ length: rack.acceptorCount }, (_, i) => i + 1);
  const servers = await Promise.all([
    ...numbers.map((n) => serveDevice(paths.acceptor(n), (line) => rack.acceptor(n).plug(line))),
    serveDevice(paths.shoe, (line) => rack.shoe.plug(line)),
    serveDevice(paths.printer, (line) => rack.printer.plug(line)),
    serveDevice(paths.cabinet, (line) => rack.cabinet.plug(line)),
    serveDevice(paths.ups, (line) => rack.ups.plug(line)),
    serveControl(paths.control, rack),
  ]);
  let leaving = false;
  const leave = (): void => {
    if (leaving) return;
    leaving = true;
    void Promise.all(servers.map((server) => server.close())).then(() => process.exit(0));
  };
  process.on('SIGTERM', leave);
  process.on('SIGINT', leave);
  if (supervised) {
    process.stdin.on('end', leave);
    process.stdin.on('close', leave);
    process.stdin.resume();
    // The supervisor replaces a process that is stopped or hangs.
    setInterval(() => process.stdout.write('{"alive":true}\n'), 1_000).unref();
  }
  process.stdout.write(
    `${JSON.stringify({
      ready: true,
      simulated: true,
      pid: process.pid,
      dir,
      acceptors: numbers.map((n) => paths.acceptor(n)),
      shoe: paths.shoe,
      printer: paths.printer,
      cabinet: paths.cabinet,
      ups: paths.ups,
      control: paths.control,
    })}\n`,
  );
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(2);
});
