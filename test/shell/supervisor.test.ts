import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { holdPort } from '../../electron/held-socket.ts';
import { RESTART_LIMITS } from '../../electron/restarts.ts';
import type { Shell, ShellEvents } from '../../electron/shell.ts';
import { Supervisor, type SupervisorOptions } from '../../electron/supervisor.ts';
import type { TouchMatrix } from '../../electron/touch.ts';
import { until } from '../support/until.ts';
import { alive } from './processes.ts';

const HOST = join(import.meta.dirname, 'fake-host.ts');
const QUICK = { ...RESTART_LIMITS, minWaitMs: 1, maxWaitMs: 5, cap: 3 };

interface Supervised extends Partial<SupervisorOptions> {
  /** Of the table's window. */
  readonly startShell?: (events: ShellEvents) => Shell;
}

function supervise(t: TestContext, { startShell, ...changes }: Supervised = {}) {
  const logs: string[] = [];
  const supervisor = new Supervisor({
    centre: null,
    rack: null,
    host: { script: HOST, args: [], listenFd: holdPort().fd },
    windows: startShell ? [{ role: 'table', start: startShell }] : [],
    mayCache: true,
    limits: QUICK,
    log: (line) => logs.push(line),
    ...changes,
  });
  t.after(() => supervisor.stop());
  return { supervisor, logs };
}

/** A program of a few lines in a folder of its own. */
function program(t: TestContext, source: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'banca-program-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'program.mjs');
  writeFileSync(file, source);
  return file;
}

/** A window in memory: records what the supervisor wants of it. */
class FakeShell implements Shell {
  readonly pid = 1;
  readonly asked: string[] = [];
  readonly events: ShellEvents;
  #end!: (why: string) => void;
  readonly ended = new Promise<string>((resolve) => {
    this.#end = resolve;
  });
  readonly #opened: () => void;
  constructor(events: ShellEvents, opened: () => void = () => {}) {
    this.events = events;
    this.#opened = opened;
  }
  open(url: string): void {
    this.asked.push(`open ${url}`);
    queueMicrotask(this.#opened);
  }
  renewPage(why: string): void {
    this.asked.push(`renew ${why}`);
  }
  touch(matrix: TouchMatrix): void {
    this.asked.push(`touch ${matrix?.join(' ') ?? 'as it came'}`);
  }
  kill(): void {
    this.#end('killed');
  }
  shot(): Promise<Buffer> {
    return Promise.resolve(Buffer.from('png'));
  }
  stop(): Promise<void> {
    this.#end('stopped');
    return Promise.resolve();
  }
}

const kept = (list: FakeShell[], shell: FakeShell): FakeShell => {
  list.push(shell);
  return shell;
};

const startedPid = async (supervisor: Supervisor, name: string): Promise<number> => {
  for (;;) {
    const [started] = await once(supervisor, 'started');
    if (started.name === name) return started.pid;
  }
};

test('a killed host is started again on its port, and sessions stay valid', async (t) => {
  const { supervisor } = supervise(t);
  const first = startedPid(supervisor, 'host');
  supervisor.start();
  const before = await first;
  const address = await supervisor.mint('table');
  const opened = await fetch(address, { redirect: 'manual' });
  const cookie = opened.headers.get('set-cookie')?.split(';')[0];
  assert.ok(cookie);
  const again = startedPid(supervisor, 'host');
  process.kill(before, 'SIGKILL');
  assert.notEqual(await again, before);
  const { origin } = new URL(address);
  assert.equal(new URL(await supervisor.mint('dealer')).origin, origin);
  assert.equal((await fetch(`${origin}/`, { headers: { cookie } })).status, 200);
});

test('a ticket asked for while the host is away is given by the next host', async (t) => {
  const { supervisor } = supervise(t);
  const first = startedPid(supervisor, 'host');
  supervisor.start();
  process.kill(await first, 'SIGSTOP');
  const ticket = supervisor.mint('seat:3');
  process.kill(await first, 'SIGKILL');
  assert.equal((await fetch(await ticket, { redirect: 'manual' })).status, 303);
});

test('a host that keeps falling is given up at the cap, loudly', async (t) => {
  const { supervisor, logs } = supervise(t, {
    host: { script: program(t, 'process.exit(7)'), args: [] },
  });
  const givenUp = once(supervisor, 'given-up');
  supervisor.start();
  assert.deepEqual(await givenUp, [{ name: 'host', isFinal: false }]);
  assert.equal(logs.filter((line) => line.includes('starts again')).length, QUICK.cap);
  assert.match(logs.at(-1)!, /host ENDED .*code 7.* AND IS NOT STARTED AGAIN: 3 restarts/);
});

test('a centre that cannot run does not take the table with it', async (t) => {
  const { supervisor, logs } = supervise(t, {
    centre: { script: program(t, 'process.exit(1)'), args: [] },
  });
  supervisor.on('given-up', () => assert.fail('the terminal was given up'));
  supervisor.start();
  while (!logs.some((line) => line.includes('centre ENDED'))) await once(supervisor, 'ended');
  assert.match(await supervisor.mint('table'), /^http:\/\/127\.0\.0\.1:\d+\/\?ticket=/);
});

test('stopping ends a host that never got ready', async (t) => {
  const { supervisor, logs } = supervise(t, {
    host: { script: program(t, 'console.error(process.pid); setInterval(() => {}, 1000)'), args: [] },
  });
  supervisor.start();
  while (logs.length === 0) await new Promise((resolve) => setImmediate(resolve));
  const pid = Number(/host: (\d+)/.exec(logs[0]!)?.[1]);
  await supervisor.stop();
  assert.deepEqual(alive([pid]), []);
});

test('a window starts with a ticket of its own, each time another, and is given up at the cap', async (t) => {
  const shells: FakeShell[] = [];
  const { supervisor } = supervise(t, {
    startShell: (events) => {
      const shell = new FakeShell(events, () => shell.kill());
      shells.push(shell);
      return shell;
    },
  });
  const givenUp = once(supervisor, 'given-up');
  supervisor.start();
  assert.deepEqual(await givenUp, [{ name: 'window', isFinal: false }]);
  assert.equal(shells.length, 1 + QUICK.cap);
  const addresses = shells.map((shell) => shell.asked[0]);
  assert.equal(new Set(addresses).size, addresses.length);
  for (const address of addresses) assert.match(address!, /\?ticket=/);
});

test('a page that lost its session is opened with a new ticket; a page that does not answer is renewed', async (t) => {
  const shells: FakeShell[] = [];
  const stalls = program(
    t,
    `console.log(JSON.stringify({ ready: true, port: 1, url: '' }));
     process.stdin.on('data', (data) => {
       for (const line of String(data).trim().split('\\n')) {
         const { mint } = JSON.parse(line);
         if (mint) console.log(JSON.stringify({ ticket: 't', role: mint, url: 'http://127.0.0.1:1/?ticket=t' }));
         if (mint === 'seat:9') console.log(JSON.stringify({ display: 'stalled', role: 'table' }));
       }
     }).on('end', () => process.exit(0));`,
  );
  const { supervisor } = supervise(t, {
    host: { script: stalls, args: [] },
    startShell: (events) => {
      const shell = new FakeShell(events);
      shells.push(shell);
      return shell;
    },
  });
  const window = startedPid(supervisor, 'window');
  supervisor.start();
  await window;
  const [shell] = shells;
  const asked = async (count: number): Promise<readonly string[]> => {
    await until(`question ${count}`, () => shell!.asked.length >= count);
    return shell!.asked;
  };
  shell!.events.onTicketNeeded();
  assert.equal((await asked(2))[1], 'open http://127.0.0.1:1/?ticket=t');
  await supervisor.mint('seat:9');
  assert.equal((await asked(3))[2], 'renew the page does not answer');
});

test('a window that ends before the host gave it an address is started again', async (t) => {
  const shells: FakeShell[] = [];
  const { supervisor, logs } = supervise(t, {
    host: { script: program(t, 'setInterval(() => {}, 1000)'), args: [] },
    startShell: (events) => {
      const shell = new FakeShell(events);
      shells.push(shell);
      return shell;
    },
  });
  supervisor.start();
  await until('a window', () => shells.length === 1);
  shells[0]!.kill();
  await until('another one', () => shells.length === 2);
  assert.ok(logs.some((line) => line.startsWith('window ended (killed), starts again')));
  await supervisor.stop();
  assert.equal(await shells[1]!.ended, 'stopped');
  assert.deepEqual(
    shells.map(({ asked }) => asked),
    [[], []],
  );
});

/** A host that repeats what it hears, and says nothing else. */
const ECHO = `
import { createInterface } from 'node:readline';
const say = (line) => console.log(JSON.stringify(line));
createInterface({ input: process.stdin })
  .on('line', (line) => say({ ready: true, port: 1, told: JSON.parse(line) }))
  .on('close', () => process.exit(0));
`;

test('907: the host hears of every process that was started again, and a new host how the one before ended', async (t) => {
  const alone = `console.log('{"ready":true}'); process.stdin.on('end', () => process.exit(0)).resume();`;
  const { supervisor } = supervise(t, {
    host: { script: program(t, ECHO), args: [] },
    centre: { script: program(t, alone), args: [] },
  });
  const told: Record<string, unknown>[] = [];
  const hears = async (what: string): Promise<Record<string, unknown>> => {
    for (;;) {
      const found = told.find((message) => what in message && message[what] !== null);
      if (found) return found;
      await once(supervisor, 'host');
    }
  };
  supervisor.on('host', (message) => told.push(message['told'] as Record<string, unknown>));
  const pids = new Map<string, number>();
  supervisor.on('started', ({ name, pid }) => pids.set(name, pid));
  supervisor.start();
  await hears('sessionKey');
  while (pids.size < 2) await once(supervisor, 'started');
  process.kill(pids.get('centre')!, 'SIGKILL');
  assert.deepEqual(await hears('restarted'), { restarted: 'centre', why: 'signal SIGKILL' });
  assert.equal(told[0]?.['endedWhy'], null);
  process.kill(pids.get('host')!, 'SIGKILL');
  assert.equal((await hears('endedWhy'))['endedWhy'], 'signal SIGKILL');
});

test('a host that hangs in a loop, and a centre that somebody stopped, are killed and started again', async (t) => {
  const hung = join(mkdtempSync(join(tmpdir(), 'banca-hang-')), 'hung');
  t.after(() => rmSync(dirname(hung), { recursive: true, force: true }));
  // The first life hangs as soon as it has spoken; the second does not.
  const hangs = `
    import { existsSync, writeFileSync } from 'node:fs';
    console.log('{"ready":true,"port":1}');
    console.log('{"alive":true}');
    process.stdin.on('end', () => process.exit(0)).resume();
    if (!existsSync(${JSON.stringify(hung)})) {
      writeFileSync(${JSON.stringify(hung)}, '');
      setTimeout(() => { for (;;); }, 100);
    } else setInterval(() => console.log('{"alive":true}'), 500);`;
  const alone = `console.log('{"ready":true}'); process.stdin.on('end', () => process.exit(0)).resume();`;
  const { supervisor, logs } = supervise(t, {
    host: { script: program(t, hangs), args: [] },
    centre: { script: program(t, alone), args: [] },
  });
  const ends = new Map<string, string>();
  const starts = new Map<string, number>();
  supervisor.on('ended', ({ name, why }) => ends.set(name, why));
  supervisor.on('started', ({ name }) => starts.set(name, (starts.get(name) ?? 0) + 1));
  const centre = startedPid(supervisor, 'centre');
  supervisor.start();
  process.kill(await centre, 'SIGSTOP');
  while ((starts.get('host') ?? 0) < 2 || (starts.get('centre') ?? 0) < 2) await once(supervisor, 'started');
  assert.match(ends.get('host')!, /^signal SIGKILL: it said nothing for \d+ s and kept the processor$/);
  assert.equal(ends.get('centre'), 'signal SIGKILL: it was stopped');
  assert.ok(logs.some((line) => line.startsWith('host does nothing any more: ')));
});

/** The same, and it gives every ticket that it is asked for. */
const MINTS = `${ECHO}
createInterface({ input: process.stdin }).on('line', (line) => {
  const { mint } = JSON.parse(line);
  if (mint) say({ ticket: 't', role: mint, url: 'http://127.0.0.1:1/?ticket=t' });
});`;

test('a window beside the table’s is started again alone and for ever, and the record of restarts does not grow with it', async (t) => {
  const tables: FakeShell[] = [];
  const seats: FakeShell[] = [];
  const told: unknown[] = [];
  const { supervisor } = supervise(t, {
    host: { script: program(t, MINTS), args: [] },
    windows: [
      { role: 'table', start: (events) => kept(tables, new FakeShell(events)) },
      { role: 'seat:2', start: (events) => kept(seats, new FakeShell(events)) },
    ],
  });
  supervisor.on('host', (message) => told.push(message['told']));
  supervisor.on('given-up', () => assert.fail('the terminal was given up'));
  const starts: string[] = [];
  supervisor.on('started', ({ name }) => starts.push(name));
  supervisor.start();
  const times = (name: string): number => starts.filter((each) => each === name).length;
  for (let life = 0; life <= QUICK.cap + 2; life++) {
    await until(`life ${life} of the seat`, () => times('window seat:2') > life);
    seats[life]!.kill();
  }
  await until('the table', () => times('window') === 1);
  assert.equal(tables.length, 1);
  assert.ok(!told.some((message) => (message as { restarted?: string }).restarted !== undefined));
});
