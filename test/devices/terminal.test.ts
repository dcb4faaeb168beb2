/**
 * A terminal file with a section `devices`, and a host that finds its devices behind sockets as it
 * would behind USB.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { modelOf } from '../../hardware/models.ts';
import type { ByteTransport } from '../../hardware/ports.ts';
import { systemClock } from '../../hardware/transport/clock.ts';
import { serveDevice } from '../../hardware/transport/socket.transport.ts';
import { ProfileError, readTerminalFile } from '../../host/config/terminal-file.ts';
import type { Host } from '../../host/host.ts';
import { binaryCannotRun } from '../kits/cli.ts';
import { until } from '../support/until.ts';
import { startAt } from './host.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const DEMO = join(ROOT, 'host/profiles/demo.json');

function folder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'banca-real-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

function fileWith(dir: string, devices: unknown, profile: object = {}): string {
  const file = JSON.parse(readFileSync(DEMO, 'utf8')) as { profile: object };
  Object.assign(file.profile, profile);
  const path = join(dir, 'terminal.json');
  writeFileSync(path, JSON.stringify({ ...file, devices }));
  return path;
}

function problems(path: string): readonly { place: string; message: string }[] {
  try {
    readTerminalFile(path);
  } catch (error) {
    assert.ok(error instanceof ProfileError);
    return error.problems;
  }
  return [];
}

const SHOE = { model: 'ksp1', at: 'usb:1209:0002' };
const JCM = { model: 'id003', at: 'usb:0403:6001/A50285BI' };

test('a section `devices` is read as it stands', (t) => {
  const dir = folder(t);
  const { devices } = readTerminalFile(
    fileWith(dir, {
      acceptors: {
        1: JCM,
        3: {
          ...JCM,
          at: 'usb:10c4:ea60@1-2.3',
          carrier: 'cp210x',
          line: { baud: 19_200, dataBits: 8, parity: 'even', stopBits: 1 },
          options: { countries: { 77: 'MOP' }, currencies: ['MOP'] },
        },
      },
      shoe: { ...SHOE, options: { pairingKey: '00'.repeat(32) } },
    }),
  );
  assert.deepEqual(Object.keys(devices?.acceptors ?? {}), ['1', '3']);
  assert.equal(devices?.simulatorsAllowed, false);
  assert.equal(readTerminalFile(DEMO).devices, undefined);
});

const WRONG: readonly (readonly [what: string, devices: unknown, place: string, message: RegExp])[] = [
  ['no shoe', { acceptors: {} }, 'devices.shoe', /expected object/],
  ['a member of no meaning', { acceptors: {}, shoe: SHOE, scanner: {} }, 'devices', /"scanner"/],
  ['a number that is none', { acceptors: { one: JCM }, shoe: SHOE }, 'devices.acceptors.one', /number/],
  ['more acceptors than seats', { acceptors: { 8: JCM }, shoe: SHOE }, 'devices.acceptors.8', /7 seats/],
  [
    'no such model',
    { acceptors: { 1: { ...JCM, model: 'cashcode' } }, shoe: SHOE },
    'devices.acceptors.1.model',
    /'cashcode' is no bill-acceptor; there are id003/,
  ],
  [
    'a shoe where an acceptor must be',
    { acceptors: { 1: SHOE }, shoe: { ...SHOE, at: 'tcp:1' } },
    'devices.acceptors.1.model',
    /'ksp1' is no bill-acceptor/,
  ],
  [
    'no address',
    { acceptors: {}, shoe: { ...SHOE, at: '/dev/hidraw0' } },
    'devices.shoe.at',
    /expected usb:/,
  ],
  ['a port too high', { acceptors: {}, shoe: { ...SHOE, at: 'tcp:70000' } }, 'devices.shoe.at', /tcp:/],
  [
    'a serial server by name',
    { acceptors: {}, shoe: { ...SHOE, at: 'tcp:moxa:4001' } },
    'devices.shoe.at',
    /'moxa' is no IPv4 address/,
  ],
  [
    'a port that is none',
    { acceptors: {}, shoe: { ...SHOE, at: 'tcp:10.0.0.2:0' } },
    'devices.shoe.at',
    /port from 1 to 65535/,
  ],
  [
    'an address of many',
    { acceptors: {}, shoe: { ...SHOE, at: 'tcp:239.0.0.2:4001' } },
    'devices.shoe.at',
    /no address of one device/,
  ],
  [
    'two devices on one line, written in two ways',
    { acceptors: { 1: { ...JCM, at: 'tcp:10.0.0.2' } }, shoe: { ...SHOE, at: 'tcp:10.0.0.2:4001' } },
    'devices.shoe.at',
    /hangs there already/,
  ],
  [
    'a printer that is none',
    { acceptors: {}, shoe: SHOE, printer: { model: 'ksp1', at: 'usb:04b8:0202' } },
    'devices.printer.model',
    /'ksp1' is no receipt-printer; there are escpos/,
  ],
  [
    'a table of characters that is none',
    {
      acceptors: {},
      shoe: SHOE,
      printer: { model: 'escpos', at: 'usb:04b8:0202', options: { codePage: 256 } },
    },
    'devices.printer.options.codePage',
    /256|255/,
  ],
  [
    'a printer where the shoe is',
    { acceptors: {}, shoe: SHOE, printer: { model: 'escpos', at: SHOE.at } },
    'devices.printer.at',
    /shoe hangs there already/,
  ],
  [
    'a cabinet board that is a shoe',
    { acceptors: {}, shoe: SHOE, cabinet: { model: 'ksp1', at: 'usb:1209:0003' } },
    'devices.cabinet.model',
    /'ksp1' is no cabinet-board; there are kcb1/,
  ],
  [
    'a cabinet board where the shoe is',
    { acceptors: {}, shoe: SHOE, cabinet: { model: 'kcb1', at: SHOE.at } },
    'devices.cabinet.at',
    /shoe hangs there already/,
  ],
  [
    'a UPS without its name',
    { acceptors: {}, shoe: SHOE, ups: { model: 'nut', at: 'tcp:3493' } },
    'devices.ups.options.ups',
    /./,
  ],
  [
    'a UPS by a name that upsd cannot have',
    { acceptors: {}, shoe: SHOE, ups: { model: 'nut', at: 'tcp:3493', options: { ups: 'a b' } } },
    'devices.ups.options.ups',
    /a section of ups\.conf/,
  ],
  ['ids too short', { acceptors: {}, shoe: { ...SHOE, at: 'usb:403:6001' } }, 'devices.shoe.at', /four hex/],
  [
    'two devices in one place',
    { acceptors: { 1: JCM, 2: JCM }, shoe: SHOE },
    'devices.acceptors.2.at',
    /acceptors\.1 hangs there/,
  ],
  [
    'a line on a socket',
    {
      acceptors: {},
      shoe: { ...SHOE, at: 'unix:/s', line: { baud: 9600, dataBits: 8, parity: 'none', stopBits: 1 } },
    },
    'devices.shoe.line',
    /usb: only/,
  ],
  [
    'a line of no kind',
    {
      acceptors: { 1: { ...JCM, line: { baud: 9600, dataBits: 9, parity: 'even', stopBits: 1 } } },
      shoe: SHOE,
    },
    'devices.acceptors.1.line.dataBits',
    /./,
  ],
  [
    'an option of another model',
    { acceptors: { 1: { ...JCM, options: { pairingKey: '00' } } }, shoe: SHOE },
    'devices.acceptors.1.options',
    /"pairingKey"/,
  ],
  [
    'a key that is none',
    { acceptors: {}, shoe: { ...SHOE, options: { pairingKey: 'secret' } } },
    'devices.shoe.options.pairingKey',
    /hex digits/,
  ],
];
for (const [what, devices, place, message] of WRONG)
  test(`a bad section is refused with its place: ${what}`, (t) => {
    const found = problems(fileWith(folder(t), devices));
    assert.equal(found.length, 1, JSON.stringify(found));
    assert.equal(found[0]?.place, place);
    assert.match(found[0].message, message);
  });

test('the address of receipts is one that telephones check signatures at', (t) => {
  const dir = folder(t);
  const path = join(dir, 'terminal.json');
  const withAddress = (receiptAddress: string): string => {
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(DEMO, 'utf8')), receiptAddress }));
    return path;
  };
  for (const good of [
    'https://r.casino.example/',
    'https://casino.example:8443/r/',
    'http://127.0.0.1:8445/',
  ])
    assert.equal(readTerminalFile(withAddress(good)).receiptAddress, good);
  for (const bad of [
    ...['http://casino.example/', 'https://casino.example', 'https://casino.example/r'],
    ...['https://casino.example/?a=/', 'https://casino.example/#/', 'ftp://casino.example/', 'casino'],
  ])
    assert.throws(
      () => readTerminalFile(withAddress(bad)),
      (error) => error instanceof ProfileError && error.problems[0]!.place === 'receiptAddress',
      bad,
    );
});

test('a shared acceptor is number 1', (t) => {
  const path = fileWith(folder(t), { acceptors: { 2: JCM }, shoe: SHOE }, { acceptors: 'shared' });
  assert.deepEqual(problems(path), [
    { place: 'devices.acceptors.2', message: 'a shared acceptor is number 1' },
  ]);
});

// ---- the host ----

/** An acceptor and a shoe behind sockets, as the bytes of real units would come. */
async function setUp(t: TestContext, dir: string) {
  const [id003, ksp1] = [modelOf('id003'), modelOf('ksp1')];
  assert.ok(id003?.kind === 'bill-acceptor' && ksp1?.kind === 'card-shoe');
  const acceptor = await id003.simulator({ clock: systemClock, seed: 1 });
  const shoe = await ksp1.simulator({ clock: systemClock, seed: 2 });
  const paths = { acceptor: join(dir, 'a.sock'), shoe: join(dir, 's.sock') };
  let hungUp = 0;
  const servers = [
    await serveDevice(paths.acceptor, (line) => acceptor.sim.plug(line)),
    await serveDevice(paths.shoe, (line) => shoe.sim.plug(heard(line, () => (hungUp += 1)))),
  ];
  t.after(() => Promise.all(servers.map((server) => server.close())));
  return { acceptor, shoe, paths, hungUpOnShoe: () => hungUp };
}

/** The same line, of which `onClose` hears the end. */
const heard = (line: ByteTransport, onClose: () => void): ByteTransport => ({
  name: line.name,
  open: (handlers) =>
    line.open({
      onBytes: (bytes) => handlers.onBytes(bytes),
      onClose: (reason) => {
        onClose();
        handlers.onClose(reason);
      },
    }),
  write: (bytes) => line.write(bytes),
  close: () => line.close(),
});

async function start(t: TestContext, dir: string, path: string): Promise<{ host: Host; log: string[] }> {
  const log: string[] = [];
  const host = await startAt(dir, readTerminalFile(path), (line) => log.push(line));
  t.after(() => host.stop());
  return { host, log };
}

const deviceOf = (host: Host, id: string) => host.view().devices.find((device) => device.id === id);
const kinds = (host: Host): string[] =>
  host.terminal.ledger.read(1, Number.MAX_SAFE_INTEGER).map(({ kind }) => kind);

test('simulators serve where the file allows them: a note is credited, a card is read, and the table is marked', async (t) => {
  const dir = folder(t);
  const { acceptor, shoe, paths } = await setUp(t, dir);
  const path = fileWith(dir, {
    acceptors: { 2: { model: 'id003', at: `unix:${paths.acceptor}` } },
    shoe: { model: 'ksp1', at: `unix:${paths.shoe}` },
    simulatorsAllowed: true,
  });
  const { host } = await start(t, dir, path);
  assert.deepEqual(
    host.view().devices.map(({ id }) => id),
    ['acceptor-2', 'shoe'],
    'no other device is made',
  );
  assert.equal(host.view().simulation, true);
  assert.equal(host.view().demo, null, 'nobody has hands on the devices');
  await until('the acceptor is open', () => acceptor.look()['state'] === 'idle');
  assert.deepEqual(acceptor.insert(50_000, 'MOP'), { taken: true });
  await until('credit', () => host.view().seats[1]?.creditMinor === 50_000);
  assert.ok(
    host.view().devices.every(({ simulated }) => simulated),
    'what they say of themselves is shown',
  );
  await host.command('sign-in-1', { type: 'sign-in-dealer', credential: { person: '1', pin: '1111' } });
  shoe.load([0, 1, 2], 6);
  await until('the shoe is known', () => kinds(host).includes('shoe-loaded'));
});

test('a production table refuses simulators, with a sentence, and takes no note of them', async (t) => {
  const dir = folder(t);
  const { acceptor, shoe, paths, hungUpOnShoe } = await setUp(t, dir);
  const path = fileWith(dir, {
    acceptors: { 1: { model: 'id003', at: `unix:${paths.acceptor}` } },
    shoe: { model: 'ksp1', at: `unix:${paths.shoe}` },
  });
  const { host, log } = await start(t, dir, path);
  assert.equal(host.view().simulation, false);
  shoe.load([0, 1, 2], 1);
  await until('both are refused', () =>
    ['acceptor-1', 'shoe'].every((id) =>
      log.some((line) => line.includes(`refused here: ${id} ("SIMULATED`)),
    ),
  );
  assert.deepEqual(
    [deviceOf(host, 'acceptor-1')?.fault, deviceOf(host, 'shoe')?.fault],
    ['acceptor-failed', 'shoe-not-authentic'],
  );
  assert.equal(deviceOf(host, 'acceptor-1')?.state, 'failed');
  assert.equal(acceptor.insert(50_000, 'MOP').taken, false, 'the gate was never opened');
  await until('the host has hung up on the shoe', () => hungUpOnShoe() > 0);
  assert.ok(!kinds(host).includes('shoe-loaded'));
});

test('devices that are not there stop nothing and are named', async (t) => {
  const dir = folder(t);
  const path = fileWith(dir, {
    acceptors: { 1: { model: 'id003', at: `unix:${join(dir, 'nobody.sock')}` } },
    shoe: { model: 'ksp1', at: 'tcp:1' },
  });
  const { host, log } = await start(t, dir, path);
  await until('both are named', () => log.length >= 3);
  assert.ok(
    log.some((line) => /^acceptor-1 \(id003 at unix:.*nobody\.sock\): .*ENOENT/.test(line)),
    log.join('\n'),
  );
  assert.ok(
    log.some((line) => /^shoe \(ksp1 at tcp:1\): .*ECONNREFUSED/.test(line)),
    log.join('\n'),
  );
  await until('both are faults', () =>
    ['acceptor-offline', 'shoe-offline'].every((fault) =>
      host.view().devices.some((device) => device.fault === fault),
    ),
  );
});

test('nobody plays by themselves on real devices: --demo, --sim and --rack are refused before anything is started', (t) => {
  const dir = folder(t);
  const path = fileWith(dir, { acceptors: {}, shoe: SHOE });
  const data = join(dir, 'data');
  for (const option of [['--demo'], ['--sim', DEMO], ['--rack', dir]]) {
    binaryCannotRun(
      ['host', '--data', data, '--profile', path, ...option],
      new RegExp(`${option[0]} needs simulated devices, and .*terminal\\.json names real ones`),
    );
    assert.ok(!existsSync(data));
  }
});

// ---- what a production terminal has in its process ----

/** Files that are loaded with this one, without those that are imported when they are needed. */
function loadedWith(path: string, seen: Set<string> = new Set()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  const source = readFileSync(path, 'utf8');
  for (const [, types, from] of source.matchAll(
    /^(?:import|export) (type )?(?:[^'";]*? from )?'(\.[^']+\.ts)'/gms,
  ))
    if (types === undefined) loadedWith(resolve(dirname(path), from!), seen);
  return seen;
}

test('the code of simulators is not loaded by a host with real devices', () => {
  const files = [...loadedWith(join(ROOT, 'host/main.ts'))];
  assert.ok(files.length > 50, `${files.length} files`);
  assert.ok(files.some((file) => file.endsWith('ksp1.driver.ts')));
  assert.deepEqual(
    files.filter((file) => file.endsWith('.sim.ts')),
    [],
  );
});
