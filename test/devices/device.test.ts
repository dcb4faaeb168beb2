/** `banca device sim|run|replay` as processes, with somebody else's program at the other end. */
import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import {
  createReadStream,
  createWriteStream,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { cannotRun, here } from '../kits/cli.ts';
import { until } from '../support/until.ts';
import { foreignHost, foreignUnit } from './foreign.ts';

const BANCA = resolve(import.meta.dirname, '../../cli/banca.ts');

type Json = Readonly<Record<string, unknown>>;

class Running {
  readonly process: ChildProcessWithoutNullStreams;
  readonly out: string[] = [];
  readonly err: string[] = [];
  readonly ended: Promise<number | null>;

  constructor(t: TestContext, argv: readonly string[]) {
    const child = spawn(process.execPath, [BANCA, 'device', ...argv]);
    this.process = child;
    if (!argv.includes('stdio'))
      createInterface({ input: child.stdout }).on('line', (line) => this.out.push(line));
    createInterface({ input: child.stderr }).on('line', (line) => this.err.push(line));
    this.ended = new Promise((done) => child.once('close', done));
    t.after(async () => {
      child.kill('SIGKILL');
      await this.ended;
    });
  }

  lines(from: 'out' | 'err' = 'out'): Json[] {
    return this[from].filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as Json);
  }

  async until(what: string, holds: (line: Json) => boolean, from: 'out' | 'err' = 'out'): Promise<Json> {
    const said = (): string => `${this.out.join(' ')} ${this.err.join(' ')}`;
    return until(what, () => this.lines(from).find(holds), { said });
  }

  async interrupt(): Promise<number | null> {
    this.process.kill('SIGINT');
    return this.ended;
  }
}

function folder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'banca-dev-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

function fileOf(dir: string, name: string, ...lines: readonly object[]): string {
  const path = join(dir, name);
  writeFileSync(path, `# a comment\n\n${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
  return path;
}

const isReady = (line: Json): boolean => line['ready'] === true;

// ---- sim: a host that is not ours ----

/** Long enough at rest for any host to see it. */
const TWO_NOTES = [
  { do: 'wait', for: { state: 'idle' } },
  { do: 'sleep', ms: 600 },
  { do: 'insert-note', valueMinor: 10_000 },
  { do: 'wait', for: { cashBox: 1, state: 'idle' } },
  { do: 'sleep', ms: 600 },
  { do: 'insert-note', valueMinor: 50_000, currency: 'MOP' },
  { do: 'wait', for: { cashBox: 2, state: 'idle' } },
];
const LIFE_OF_A_NOTE = ['11', '12', '13', '14', '15', '16', '11'];

/**
 * Two notes through a foreign host: every status in its order, both credited with the unit's own
 * values.
 */
async function takesTwoNotes(line: Parameters<typeof foreignHost>[0]): Promise<void> {
  const host = foreignHost(line);
  try {
    await until('two notes', () => host.credited.length === 2 && host.seen.at(-1) === '11');
    assert.deepEqual(host.credited, [100, 500]);
    assert.deepEqual(host.seen.slice(0, 2), ['40', '1b'], 'power up, initialise');
    assert.deepEqual(host.seen.slice(host.seen.indexOf('11')), [
      ...LIFE_OF_A_NOTE,
      ...LIFE_OF_A_NOTE.slice(1),
    ]);
  } finally {
    host.stop();
  }
}

test('a foreign host takes notes from `device sim` behind a Unix socket, and the sim tells what it is', async (t) => {
  const dir = folder(t);
  const path = join(dir, 'unit.sock');
  const script = fileOf(
    dir,
    'two.jsonl',
    ...TWO_NOTES,
    { do: 'wait', for: { host: 'absent' } },
    { do: 'end' },
  );
  const sim = new Running(t, ['sim', 'id003', '--listen', `unix:${path}`, '--script', script]);
  assert.deepEqual(await sim.until('ready', isReady), {
    ready: true,
    simulated: true,
    model: 'id003',
    listen: `unix:${path}`,
  });
  const line = createConnection(path);
  t.after(() => line.destroy());
  await takesTwoNotes(line);
  line.destroy();
  assert.equal(await sim.ended, 0, 'the script said end');
  const steps = sim.lines().filter((line) => 'step' in line);
  assert.deepEqual(
    steps.map(({ step, ok }) => [step, ok]),
    [3, 4, 5, 6, 7, 8, 9, 10, 11].map((step) => [step, true]),
  );
  const states = sim.lines().flatMap(({ state }) => (typeof state === 'string' ? [state] : []));
  for (const state of ['initializing', 'idle', 'accepting', 'escrow', 'stacking', 'stacked'])
    assert.ok(states.includes(state), `${state} in ${states.join(' ')}`);
});

test('the same over TCP, with a port of its own choice', async (t) => {
  const script = fileOf(folder(t), 'two.jsonl', ...TWO_NOTES);
  const sim = new Running(t, ['sim', 'id003', '--listen', 'tcp:0', '--script', script]);
  const { listen } = await sim.until('ready', isReady);
  const line = createConnection(Number(String(listen).slice('tcp:'.length)), '127.0.0.1');
  t.after(() => line.destroy());
  await takesTwoNotes(line);
  await sim.until('the end of the script', ({ step, ok }) => step === 9 && ok === true);
  assert.equal(await sim.interrupt(), 0);
});

test('the same over stdin and stdout: the line alone is there, words go to stderr, the end of stdin ends it', async (t) => {
  const script = fileOf(folder(t), 'two.jsonl', ...TWO_NOTES);
  const sim = new Running(t, ['sim', 'id003', '--listen', 'stdio', '--script', script]);
  const { stdin, stdout } = sim.process;
  await takesTwoNotes({
    on: (...given: Parameters<typeof stdout.on>) => stdout.on(...given),
    write: (bytes: Buffer) => stdin.write(bytes),
  } as Parameters<typeof foreignHost>[0]);
  await sim.until('ready', isReady, 'err');
  stdin.end();
  assert.equal(await sim.ended, 0);
});

test('the same through socat and a pseudo-terminal', async (t) => {
  if (spawnSync('socat', ['-V']).status !== 0) {
    t.skip('socat is not installed');
    return;
  }
  const dir = folder(t);
  const tty = join(dir, 'tty');
  const script = fileOf(dir, 'two.jsonl', ...TWO_NOTES);
  const sim = new Running(t, ['sim', 'id003', '--listen', `unix:${join(dir, 's')}`, '--script', script]);
  await sim.until('ready', isReady);
  const socat = spawn('socat', [`PTY,link=${tty},raw,echo=0`, `UNIX-CONNECT:${join(dir, 's')}`]);
  t.after(() => socat.kill());
  await sim.until('plugged', ({ host }) => host === 'connected');
  const [input, output] = [createReadStream(tty), createWriteStream(tty)];
  input.on('error', () => {});
  t.after(() => {
    input.destroy();
    output.destroy();
  });
  await takesTwoNotes({
    on: (...given: Parameters<typeof input.on>) => input.on(...given),
    write: (bytes: Buffer) => output.write(bytes),
  } as unknown as Parameters<typeof foreignHost>[0]);
});

test('power, plug and line fail when the script says so; what cannot be done ends it with 1', async (t) => {
  const dir = folder(t);
  const path = join(dir, 's');
  const script = fileOf(
    dir,
    'faults.jsonl',
    { do: 'wait', for: { host: 'connected' } },
    { do: 'line', losePerMille: 1000 },
    { do: 'sleep', ms: 300 },
    { do: 'line' },
    { do: 'power-cycle', offMs: 100 },
    { do: 'unplug' },
    { do: 'wait', for: { host: 'absent' } },
    { do: 'plug' },
    { do: 'wait', for: { host: 'connected' } },
    { do: 'fault', fault: 'jam' },
    { do: 'insert-note', valueMinor: 10_000, withinMs: 0 },
  );
  const sim = new Running(t, ['sim', 'id003', '--listen', `unix:${path}`, '--script', script]);
  await sim.until('ready', isReady);
  const first = createConnection(path);
  const unplugged = new Promise((done) => first.once('close', done));
  first.resume();
  await unplugged;
  await sim.until('plug', ({ do: deed, ok }) => deed === 'plug' && ok === true);
  const second = createConnection(path);
  t.after(() => second.destroy());
  assert.equal(await sim.ended, 1);
  assert.ok(sim.lines().some(({ state }) => state === 'jammed'));
  const last = sim.lines().find(({ ok }) => ok === false);
  assert.equal(last?.['do'], 'insert-note');
  assert.match(String(last?.['why']), /busy/);
});

test('a script may come line by line on stdin; a line that is no step ends it with 2 and its number', async (t) => {
  const sim = new Running(t, ['sim', 'ksp1', '--listen', 'tcp:0', '--script', '-']);
  await sim.until('ready', isReady);
  sim.process.stdin.write('{"do":"load-shoe","cards":["AS","KD"]}\n');
  await sim.until('loaded', ({ remaining }) => remaining === 2);
  sim.process.stdin.write('# the first card\n{"do":"draw-card"}\n');
  await sim.until('drawn', ({ step, ok }) => step === 3 && ok === true);
  sim.process.stdin.write('{"do":"draw"}\n');
  assert.equal(await sim.ended, 2);
  assert.match(sim.err.join('\n'), /^banca device sim: stdin:4: do: /m);
});

// ---- run: a device that is not ours ----

/** What the country code of the foreign unit means: nothing says it but the option. */
const FOREIGN = ['--driver', 'id003', '--options', '{"countries":{"77":"MOP"}}'];

async function serveForeign(t: TestContext): Promise<{ port: number; heard: () => readonly string[] }> {
  let unit: ReturnType<typeof foreignUnit> | null = null;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    unit = foreignUnit(socket);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as { port: number }).port, heard: () => unit?.heard ?? [] };
}

test('our driver takes a note from a foreign unit by itself, and the recording makes the same events', async (t) => {
  const dir = folder(t);
  const { port, heard } = await serveForeign(t);
  const record = join(dir, 'note.jsonl');
  const argv = ['run', ...FOREIGN, '--connect', `tcp:${port}`, '--until', 'state:stacked'];
  const run = new Running(t, [...argv, '--for', '30000', '--record', record]);
  assert.equal(await run.ended, 0, run.err.join('\n'));
  const events = run.lines();
  const money = events.filter(({ type }) =>
    ['escrowed', 'credit', 'returned', 'rejected'].includes(String(type)),
  );
  assert.deepEqual(
    money.map(({ ms: _ms, ...event }) => event),
    [
      { type: 'escrowed', note: { currency: 'MOP', valueMinor: 10_000 } },
      { type: 'credit', note: { currency: 'MOP', valueMinor: 10_000 } },
    ],
  );
  assert.match(JSON.stringify(events.find(({ type }) => type === 'identity')), /FOREIGN 7\.1/);
  assert.ok(heard().includes('50'), 'the credit was acknowledged');
  const again = await here(['device', 'replay', '--driver', 'id003', record]);
  assert.deepEqual([again.status, again.stdout], [0, `${run.out.join('\n')}\n`]);
});

test('a script decides: the note is held, then given back, and the run ends with the script', async (t) => {
  const dir = folder(t);
  const { port, heard } = await serveForeign(t);
  const script = fileOf(
    dir,
    'return.jsonl',
    { do: 'allow', notesMinor: [10_000] },
    { after: 'escrowed', ms: 200, do: 'return' },
    { after: 'returned', do: 'end' },
  );
  const run = new Running(t, ['run', ...FOREIGN, '--connect', `tcp:${port}`, '--do', script]);
  assert.equal(await run.ended, 0, run.err.join('\n'));
  assert.ok(heard().includes('43') && !heard().includes('42'), heard().join(' '));
  assert.ok(!run.lines().some(({ type }) => type === 'credit'));
  assert.deepEqual(
    run.lines('err').flatMap(({ did }) => did ?? []),
    ['allow', 'return', 'end'],
  );
});

test('exit 1: the event never came, the script still waits, nobody answered', async (t) => {
  const dir = folder(t);
  const { port } = await serveForeign(t);
  const drive = async (to: string, ...more: readonly string[]): Promise<readonly [number | null, string]> => {
    const run = new Running(t, ['run', '--driver', 'id003', '--connect', to, '--for', '1500', ...more]);
    const code = await run.ended;
    return [code, run.err.filter((line) => !line.startsWith('{')).join('\n')];
  };
  const script = fileOf(dir, 's.jsonl', { after: 'state:jammed', do: 'end' });
  assert.deepEqual(await drive(`tcp:${port}`, '--watch', '--until', 'rejected'), [
    1,
    'banca device run: rejected was never seen',
  ]);
  assert.deepEqual(await drive(`tcp:${port}`, '--do', script), [
    1,
    'banca device run: the script was not played to its end: line 3 still waits',
  ]);
  assert.deepEqual(await drive(`unix:${join(dir, 'nobody')}`), [
    1,
    `banca device run: the device never answered: unix:${join(dir, 'nobody')}: ENOENT`,
  ]);
});

// ---- both ends ours, the line bad ----

for (const [model, script, seen, options = {}] of [
  [
    'id003',
    [
      { do: 'line', dropPerMille: 20, flipPerMille: 20, losePerMille: 20 },
      { do: 'insert-note', valueMinor: 10_000 },
      { do: 'wait', for: { cashBox: 1, state: 'idle' } },
      { do: 'unplug' },
      { do: 'wait', for: { host: 'absent' } },
      { do: 'plug' },
      { do: 'wait', for: { host: 'connected' } },
      { do: 'power-cycle', offMs: 200 },
      { do: 'insert-note', valueMinor: 50_000 },
      { do: 'wait', for: { cashBox: 2, owesCredit: false } },
    ],
    { type: 'credit', count: 2 },
  ],
  [
    'ksp1',
    [
      { do: 'wait', for: { host: 'connected' } },
      { do: 'line', flipPerMille: 20, losePerMille: 20 },
      { do: 'load-shoe', cards: ['AS', 'TD', '2C', '9H'] },
      { do: 'place-cut-card', fromEnd: 1 },
      { do: 'draw-card', count: 4, everyMs: 100 },
      { do: 'fault', fault: 'cover-open' },
      { do: 'wait', for: { lastSeq: 8, ackedSeq: 8 } },
    ],
    { type: 'card', count: 4 },
  ],
  [
    'angel-eye',
    [
      { do: 'wait', for: { host: 'connected' } },
      { do: 'line', flipPerMille: 20, losePerMille: 20 },
      { do: 'load-shoe', decks: 8 },
      { do: 'draw-card', count: 4, everyMs: 300 },
      { do: 'sleep', ms: 1000 },
    ],
    { type: 'card', count: 3 },
    { serial: 'AE-1' },
  ],
] as const)
  test(`${model}: a live run over a bad line and its replay print the same, bit for bit`, async (t) => {
    const dir = folder(t);
    const path = join(dir, 's');
    const sim = new Running(t, [
      ...['sim', model, '--listen', `unix:${path}`, '--seed', '7'],
      ...['--script', fileOf(dir, 'sim.jsonl', ...script)],
    ]);
    await sim.until('ready', isReady);
    const record = join(dir, 'rec.jsonl');
    const run = new Running(t, [
      ...['run', '--driver', model, '--connect', `unix:${path}`],
      ...['--record', record, '--options', JSON.stringify(options)],
    ]);
    await sim.until(
      'the last step',
      ({ step, ok }) => ok === false || (ok === true && step === script.length + 2),
    );
    assert.ok(!sim.lines().some(({ ok }) => ok === false), sim.out.join('\n'));
    assert.equal(await run.interrupt(), 0, run.err.join('\n'));
    const found = run.lines().filter(({ type }) => type === seen.type);
    assert.ok(found.length >= seen.count, `${found.length} times ${seen.type}`);
    const again = await here(['device', 'replay', '--driver', model, record]);
    assert.equal(again.stdout, `${run.out.join('\n')}\n`);
    assert.equal(again.status, 0, again.stderr);
    const text = readFileSync(record, 'utf8');
    // An Angel Eye hears nothing: it has no commands.
    assert.equal(text.includes('"type":"out"'), model !== 'angel-eye');
    if (model === 'angel-eye') return;
    writeFileSync(record, text.replace(/"type":"out","hex":"/, '$&00 '));
    const other = await here(['device', 'replay', record]);
    assert.equal(other.status, 1);
    assert.match(other.stderr, /entry \d+: the driver is not the one that was recorded: 00 /);
  });

// ---- what cannot run ----

const id003 = ['--driver', 'id003', '--connect', 'tcp:1'];
const CANNOT: readonly (readonly [argv: readonly string[], sentence: RegExp])[] = [
  [[], /^banca device: a verb is missing; sim, run or replay$/m],
  [['fly'], /^banca device: there is no 'fly'/m],
  [['sim'], /^banca device: MODEL is missing$/m],
  [['sim', 'id004', '--listen', 'stdio'], /^banca device: MODEL: there is no 'id004'; there are id003, /m],
  [['sim', 'id003'], /^banca device: --listen stdio\|unix:PATH\|tcp:PORT is missing$/m],
  [['sim', 'id003', '--listen', 'usb:0403:6001'], /^banca device: --listen usb:0403:6001: expected stdio, /m],
  [['sim', 'id003', '--listen', 'tcp:99999'], /^banca device: --listen tcp:99999: /m],
  [['sim', 'id003', '--listen', 'stdio', '--seed', 'x'], /^banca device: --seed x: a whole number from 0$/m],
  [
    ['sim', 'ksp1', '--listen', 'stdio', '--currency', 'MOP'],
    /^banca device: --currency is for bill acceptors$/m,
  ],
  [['sim', 'id003', '--listen', 'stdio', '--currency', 'pataca'], /^banca device: --currency pataca: /m],
  [
    ['sim', 'id003', '--listen', 'stdio', '--currency', 'QQQ'],
    /^banca device: --currency: no notes known in QQQ/m,
  ],
  [
    ['sim', 'id003', '--listen', 'stdio', '--script', '-'],
    /^banca device: --script -: standard input belongs/m,
  ],
  [
    ['sim', 'id003', '--listen', `unix:${BANCA}`],
    /^banca device: .*banca\.ts is there already and no socket/m,
  ],
  [['run', '--connect', 'tcp:1'], /^banca device: --driver NAME is missing$/m],
  [['run', '--driver', 'id003'], /^banca device: --connect usb:SELECTOR\|unix:PATH\|tcp:PORT is missing$/m],
  [
    ['run', '--driver', 'id003', '--connect', '/dev/ttyUSB0'],
    /^banca device: --connect: '\/dev\/ttyUSB0': expected usb:/m,
  ],
  [['run', '--driver', 'id003', '--connect', 'usb:403'], /^banca device: --connect: USB device '403': /m],
  [['run', ...id003, '--watch', '--auto'], /^banca device: --watch does nothing to the device/m],
  [['run', ...id003, '--until', 'Credit!'], /^banca device: --until Credit!: expected an event/m],
  [['run', ...id003, '--for', '0'], /^banca device: --for 0: a whole number from 1$/m],
  [['run', ...id003, '--line', '9600-8E1'], /^banca device: --carrier and --line are for usb: only$/m],
  [
    ['run', '--driver', 'id003', '--connect', 'usb:0403:6001', '--line', '9600'],
    /^banca device: --line 9600: /m,
  ],
  [
    ['run', '--driver', 'id003', '--connect', 'usb:0403:6001', '--carrier', 'uart'],
    /^banca device: --carrier uart: /m,
  ],
  [['run', ...id003, '--options', '{'], /^banca device: --options: /m],
  [
    ['run', ...id003, '--options', '{"countries":{"77":"pataca"}}'],
    /^banca device: --options: options\.countries\.77: ISO/m,
  ],
  [['replay'], /^banca device: RECORDING is missing$/m],
  [['replay', '/nowhere/rec'], /^banca device: \/nowhere\/rec: ENOENT/m],
];
test('what cannot run says what is wrong and where, in one sentence, with exit 2', async () => {
  for (const [argv, sentence] of CANNOT) await cannotRun(['device', ...argv], sentence);
});

test('a script or a recording with a mistake is refused as a whole, with its line', async (t) => {
  const dir = folder(t);
  const refused = (argv: readonly string[], name: string, sentence: RegExp, ...lines: readonly object[]) =>
    cannotRun(['device', ...argv, fileOf(dir, name, ...lines)], sentence);
  const sim = ['sim', 'id003', '--listen', 'stdio', '--script'];
  const run = ['run', ...id003, '--do'];
  await refused(sim, 'a', /a:4: do: /, { do: 'end' }, { do: 'draw-card' });
  await refused(sim, 'b', /b:3: valueMinor: /, { do: 'insert-note', valueMinor: 0.5 });
  await refused(sim, 'c', /c:3: step: .*"volume"/, { do: 'fault', fault: 'jam', volume: 3 });
  await refused(['sim', 'ksp1', '--listen', 'stdio', '--script'], 'd', /d:3: cards\.1: 1S is no card/, {
    do: 'load-shoe',
    cards: ['AS', '1S'],
  });
  await refused(run, 'e', /e:3: do: /, { do: 'lock' });
  await refused(run, 'f', /f:3: step: on or after, not both/, {
    do: 'stack',
    on: 'escrowed',
    after: 'link:up',
  });
  await refused(run, 'g', /g:3: on: an event as in/, { do: 'stack', on: 'ESCROW' });
  writeFileSync(join(dir, 'h'), '{"do":"stack"}\nstack\n');
  await cannotRun(['device', ...run, join(dir, 'h')], /h:2: /);
  const head = { 'banca-recording': 1, model: 'id003' };
  writeFileSync(join(dir, 'i'), `${JSON.stringify(head)}\n{"ms":1,"type":"in"}\n`);
  await cannotRun(['device', 'replay', join(dir, 'i')], /\/i: line 2: hex: /);
  await cannotRun(['device', 'replay', '--driver', 'ksp1', join(dir, 'i')], /\/i: line 2: hex: /);
  const command = { ms: 1, type: 'command', command: { type: 'allow', notesMinor: ['ten'] } };
  writeFileSync(join(dir, 'j'), `${JSON.stringify(head)}\n${JSON.stringify(command)}\n`);
  await cannotRun(['device', 'replay', join(dir, 'j')], /\/j: entry 1: command\.notesMinor\.0: /);
  await cannotRun(
    ['device', 'replay', '--driver', 'ksp1', join(dir, 'j')],
    /--driver ksp1: .* is a recording of id003/,
  );
  writeFileSync(
    join(dir, 'k'),
    JSON.stringify({ 'banca-recording': 1, model: 'ksp1', withheld: ['pairingKey'] }),
  );
  await cannotRun(['device', 'replay', join(dir, 'k')], /made with a pairingKey that is not in it/);
});
