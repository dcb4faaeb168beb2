/**
 * What the drivers cost and how quick they are; from a card out of the shoe to its event on the
 * disk.
 */
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { startNodeChild } from '../electron/node-child.ts';
import { createId003 } from '../hardware/bill-acceptor/id003/id003.driver.ts';
import type { ByteTransport, OpenTransport } from '../hardware/ports.ts';
import { DeviceRack } from '../hardware/rack/rack.sim.ts';
import { socketTransports } from '../hardware/rack/rack-client.ts';
import { rackPaths } from '../hardware/rack/rack-paths.ts';
import { decode, parse } from '../hardware/shoe/ksp1/ksp1.codec.ts';
import { createKsp1 } from '../hardware/shoe/ksp1/ksp1.driver.ts';
import { EMPTY_PARSER } from '../hardware/transport/bytes.ts';
import { systemClock } from '../hardware/transport/clock.ts';
import { serveDevice } from '../hardware/transport/socket.transport.ts';
import { ROOT } from '../test/shell/paths.ts';
import { startHostProcess } from './host-process.ts';
import type { PartContext } from './part.ts';
import { progress, round3, spread } from './stats.ts';
import { SEATS, writeProfile } from './table.ts';

const SETTLE_MS = 4_000;
const WATCH_MS = 10_000;
const CARDS = 200;
const CARDS_LIMIT_MS = 120_000;
/** The demonstration's pauses times this: several cards a second on a quiet machine. */
const PACE = '0.05';
const SYNCS = 300;
const SYNC_BYTES = 4_096;

/** Lets one hear each chunk on its way to and from the device. */
function tapped(open: OpenTransport, sent: () => void, heard: () => void): OpenTransport {
  return () => {
    const transport = open();
    return {
      name: transport.name,
      open: ({ onBytes, onClose }) =>
        transport.open({
          onBytes: (bytes) => {
            heard();
            onBytes(bytes);
          },
          onClose,
        }),
      write: (bytes) => {
        sent();
        return transport.write(bytes);
      },
      close: () => transport.close(),
    };
  };
}

/** Seven acceptors and a shoe in this process, their simulators in another, over Unix sockets. */
async function benchDrivers(context: PartContext): Promise<object> {
  const dir = context.makeDir('rack');
  const rack = await startNodeChild({
    name: 'rack',
    script: join(ROOT, 'hardware', 'rack', 'rack-main.ts'),
    args: ['--dir', dir],
    signal: new AbortController().signal,
    mayCache: true,
    onMessage: () => {},
    log: progress,
  });
  context.stack.defer(() => rack.stop());
  const transports = socketTransports(dir);
  const roundTripsMs: number[] = [];
  let measuring = false;
  let writes = 0;
  const acceptors = SEATS.map((number) => {
    let sentAtMs = Number.NaN;
    const open = tapped(
      transports.acceptor(number),
      () => {
        writes++;
        sentAtMs = performance.now();
      },
      () => {
        if (measuring && !Number.isNaN(sentAtMs)) roundTripsMs.push(performance.now() - sentAtMs);
        sentAtMs = Number.NaN;
      },
    );
    return createId003(`acceptor-${number}`, open, systemClock);
  });
  const shoe = createKsp1('shoe', transports.shoe, systemClock);
  context.stack.defer(() => Promise.all([...acceptors, shoe].map((device) => device.stop())).then(() => {}));
  for (const acceptor of acceptors) {
    acceptor.start(() => {});
    acceptor.allow([10_000]);
  }
  shoe.start(
    () => {},
    () => 0,
  );
  await sleep(SETTLE_MS);
  const notIdle = acceptors.find((acceptor) => acceptor.state() !== 'idle');
  if (notIdle) throw new Error(`${notIdle.id} is ${notIdle.state()}`);
  progress('devices: seven acceptors and a shoe at rest');
  measuring = true;
  writes = 0;
  const cpu = process.cpuUsage();
  const startMs = performance.now();
  await sleep(WATCH_MS);
  const elapsedMs = performance.now() - startMs;
  const { user, system } = process.cpuUsage(cpu);
  measuring = false;
  return {
    roundTripMs: spread(roundTripsMs),
    pollsPerSecond: round3((writes / elapsedMs) * 1_000),
    cores: round3((user + system) / 1_000 / elapsedMs),
    goalCores: 0.03,
    note: 'seven ID-003 acceptors, enabled and idle, and one KSP-1 shoe; drivers and sockets in this process, simulators in another. A round trip is from the write of a frame to the first bytes of its answer',
  };
}

/**
 * Tells when each card's frame left and when the host's acknowledgement of it came, which is after
 * its commit.
 */
function timed(line: ByteTransport, took: (ms: number) => void): ByteTransport {
  const leftAtMs = new Map<number, number>();
  let fromHost = EMPTY_PARSER;
  return {
    name: line.name,
    open: ({ onBytes, onClose }) =>
      line.open({
        onBytes: (bytes) => {
          const { state, frames } = parse(fromHost, bytes);
          fromHost = state;
          for (const { frame } of frames) {
            const message = decode(frame);
            if (!message.ok || message.value.type !== 'ack') continue;
            const atMs = leftAtMs.get(message.value.seq);
            leftAtMs.delete(message.value.seq);
            if (atMs !== undefined) took(performance.now() - atMs);
          }
          onBytes(bytes);
        },
        onClose,
      }),
    write: (bytes) => {
      const [frame] = parse(EMPTY_PARSER, bytes).frames;
      const message = frame && decode(frame.frame);
      // The first sending counts, not a repetition.
      if (message?.ok && message.value.type === 'card' && !leftAtMs.has(frame!.frame.seq))
        leftAtMs.set(frame!.frame.seq, performance.now());
      return line.write(bytes);
    },
    close: () => line.close(),
  };
}

/** Appending one page and waiting for the disk. */
function syncsMs(dir: string): number[] {
  const fd = openSync(join(dir, 'sync'), 'a');
  const page = Buffer.alloc(SYNC_BYTES, 1);
  try {
    return Array.from({ length: SYNCS }, () => {
      const startMs = performance.now();
      writeSync(fd, page);
      fdatasyncSync(fd);
      return performance.now() - startMs;
    });
  } finally {
    closeSync(fd);
  }
}

/** The real host with its ledger plays the demonstration; the shoe is in this process. */
async function benchCards(context: PartContext): Promise<object> {
  const sockets = context.makeDir('cards');
  const data = context.makeDir('data');
  const paths = rackPaths(sockets);
  const rack = new DeviceRack({ acceptors: SEATS.length });
  const takenMs: number[] = [];
  const servers = await Promise.all([
    ...SEATS.map((n) => serveDevice(paths.acceptor(n), (line) => rack.acceptor(n).plug(line))),
    serveDevice(paths.shoe, (line) => rack.shoe.plug(timed(line, (ms) => takenMs.push(ms)))),
  ]);
  const control = createServer((socket) => {
    createInterface({ input: socket }).on('line', (line) => {
      socket.write(`${JSON.stringify(rack.handle(JSON.parse(line)))}\n`);
    });
  });
  await new Promise<void>((resolve) => control.listen(paths.control, resolve));
  context.stack.defer(async () => {
    control.close();
    await Promise.all(servers.map((server) => server.close()));
  });
  const before = syncsMs(data);
  const host = await startHostProcess(data, writeProfile(data), [
    '--rack',
    sockets,
    '--demo',
    '--pace',
    PACE,
  ]);
  progress(`devices: ${CARDS} cards of the demonstration`);
  const untilMs = performance.now() + CARDS_LIMIT_MS;
  while (takenMs.length < CARDS && performance.now() < untilMs) await sleep(200);
  await host.stop();
  if (takenMs.length < CARDS)
    context.cannot('devices: all cards', `${takenMs.length} of ${CARDS} in ${CARDS_LIMIT_MS} ms`);
  return {
    cardToDiskMs: spread(takenMs),
    syncMs: spread([...before, ...syncsMs(data)]),
    note: 'from the card leaving the simulated shoe to the host acknowledging it, which it does when the event is on the disk; beside it one page appended with fdatasync on the same disk, before and after',
  };
}

export async function benchDevices(context: PartContext): Promise<object> {
  const drivers = await benchDrivers(context);
  return { drivers, cards: await benchCards(context) };
}
