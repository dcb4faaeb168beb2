import assert from 'node:assert/strict';
import test from 'node:test';
import { effect } from '@preact/signals';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { VIEWS } from '../../test/fixtures/views.ts';
import type { Command } from '../../wire/commands.ts';
import type { ToDisplay, ToHost } from '../../wire/messages.ts';
import type { TableView } from '../../wire/view.ts';
import { createWire, type Socket, type Wire } from './wire.ts';

/** Time, sockets and ids in the test's hand. */
class SetUp {
  readonly sockets: TestSocket[] = [];
  readonly wire: Wire;
  #nowMs = 1_000_000;
  #timers: { atMs: number; run: () => void }[] = [];
  #ids = 0;

  constructor() {
    this.wire = createWire({
      open: () => {
        const socket = new TestSocket();
        this.sockets.push(socket);
        return socket;
      },
      now: () => this.#nowMs,
      after: (ms, run) => {
        const timer = { atMs: this.#nowMs + ms, run };
        this.#timers.push(timer);
        return () => {
          this.#timers = this.#timers.filter((each) => each !== timer);
        };
      },
      newId: () => `id-${++this.#ids}`,
    });
  }

  get socket(): TestSocket {
    return this.sockets.at(-1)!;
  }

  pass(ms: number): void {
    const endMs = this.#nowMs + ms;
    for (;;) {
      const next = this.#timers.filter((timer) => timer.atMs <= endMs).sort((a, b) => a.atMs - b.atMs)[0];
      if (!next) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.run();
    }
    this.#nowMs = endMs;
  }

  /** A command in a task of its own. */
  send(command: Command): ReturnType<Wire['send']> {
    const answer = this.wire.send(command);
    this.pass(0);
    return answer;
  }

  /** A page that does nothing for so long. */
  standStill(ms: number): void {
    this.#nowMs += ms;
  }

  welcome(view: TableView = VIEWS.betting): void {
    this.socket.isOpen = true;
    this.socket.onopen?.();
    this.socket.tell({ t: 'welcome', version: 1, role: 'table', view });
  }
}

class TestSocket implements Socket {
  onopen: (() => void) | null = null;
  onclose: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  readonly frames: string[] = [];
  readonly sent: ToHost[] = [];
  closed = false;
  isOpen = false;
  send(text: string): void {
    if (!this.isOpen) throw new Error('Still in CONNECTING state.');
    this.frames.push(text);
    this.sent.push(...text.split('\n').map((line) => JSON.parse(line) as ToHost));
  }
  close(): void {
    this.closed = true;
  }
  tell(message: ToDisplay): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  get commands(): string[] {
    return this.sent.flatMap((message) => (message.t === 'command' ? [message.id] : []));
  }
}

const CUT: Command = { type: 'cut-shoe', seat: null };

test('hello is said on opening, and the first view makes the screen believable', () => {
  const setUp = new SetUp();
  assert.equal(setUp.wire.state.value, 'connecting');
  setUp.welcome();
  assert.deepEqual(setUp.socket.sent, [{ t: 'hello', version: 1, lastSeq: null }]);
  assert.equal(setUp.wire.state.value, 'up');
  assert.equal(setUp.wire.role.value, 'table');
});

test('a command without an answer is sent again with the same id after every reconnection', async () => {
  const setUp = new SetUp();
  setUp.welcome();
  const answer = setUp.send(CUT);
  assert.deepEqual(setUp.socket.commands, ['id-1']);
  setUp.socket.onclose?.();
  assert.equal(setUp.wire.state.value, 'connecting');
  setUp.pass(100);
  setUp.welcome();
  assert.deepEqual(setUp.socket.commands, ['id-1']);
  setUp.socket.tell({ t: 'answer', id: 'id-1', status: 'exists', seq: 7 });
  assert.deepEqual(await answer, { status: 'exists' });
  setUp.socket.onclose?.();
  setUp.pass(100);
  setUp.welcome();
  assert.deepEqual(setUp.socket.commands, [], 'an answered command is never sent again');
});

test('a command given while the host is away waits for it', () => {
  const setUp = new SetUp();
  void setUp.send(CUT);
  assert.deepEqual(setUp.socket.commands, []);
  setUp.welcome();
  assert.deepEqual(setUp.socket.commands, ['id-1']);
});

test('the commands of one task of the page leave together and in order, and none behind a question', () => {
  const setUp = new SetUp();
  setUp.welcome();
  const kinds = (): string[] =>
    setUp.socket.sent.map((message) => ('id' in message ? message.id : message.t));
  for (let seat = 1; seat <= 3; seat++) void setUp.wire.send(CUT);
  assert.deepEqual(kinds(), ['hello']);
  setUp.pass(0);
  assert.deepEqual(kinds(), ['hello', 'id-1', 'id-2', 'id-3']);
  assert.equal(setUp.socket.frames.length, 2);
  void setUp.wire.send(CUT);
  void setUp.wire.query({ query: 'devices' });
  assert.deepEqual(kinds().slice(4), ['id-4', 'id-5']);
  setUp.pass(100);
  assert.deepEqual(kinds().slice(6), [], 'once');

  void setUp.wire.send(CUT);
  setUp.socket.onclose?.();
  setUp.pass(100);
  setUp.welcome();
  assert.deepEqual(
    setUp.socket.commands,
    ['id-1', 'id-2', 'id-3', 'id-4', 'id-6'],
    'none is lost with its task',
  );
  setUp.pass(100);
  assert.equal(setUp.socket.commands.length, 5);
  for (let i = 0; i < 100; i++) void setUp.wire.send(CUT);
  setUp.pass(0);
  assert.equal(setUp.socket.commands.length, 105);
  const sizes = setUp.socket.frames.map((frame) => frame.length);
  assert.ok(Math.max(...sizes) <= 4_096, 'whatever has gathered, no frame is larger than the host takes');
});

test('a rejection comes with its code and articles', async () => {
  const setUp = new SetUp();
  setUp.welcome();
  const answer = setUp.send(CUT);
  setUp.socket.tell({
    t: 'answer',
    id: 'id-1',
    status: 'rejected',
    code: 'not-due',
    cites: ['art.2.1.1'],
    detail: null,
  });
  assert.deepEqual(await answer, { status: 'rejected', code: 'not-due', cites: ['art.2.1.1'] });
});

test('reconnection goes on for ever, with pauses from 100 ms to 2 s, and starts again after a welcome', () => {
  const setUp = new SetUp();
  const pauses: number[] = [];
  for (let i = 0; i < 9; i++) {
    const before = setUp.sockets.length;
    setUp.socket.onclose?.();
    let waited = 0;
    while (setUp.sockets.length === before) {
      setUp.pass(50);
      waited += 50;
    }
    pauses.push(waited);
  }
  assert.deepEqual(pauses, [100, 200, 400, 800, 1600, 2000, 2000, 2000, 2000]);
  setUp.welcome();
  setUp.socket.onclose?.();
  const before = setUp.sockets.length;
  setUp.pass(100);
  assert.equal(setUp.sockets.length, before + 1);
});

test('a socket that falls silent is given up: a hung host must not leave a half-working screen', () => {
  const setUp = new SetUp();
  setUp.welcome();
  const silent = setUp.socket;
  setUp.pass(7_000);
  silent.tell({ t: 'ping', n: 1 });
  assert.deepEqual(silent.sent.at(-1), { t: 'pong', n: 1 });
  setUp.pass(7_000);
  assert.equal(setUp.wire.state.value, 'up');
  setUp.pass(1_000);
  assert.equal(setUp.wire.state.value, 'connecting');
  assert.equal(silent.closed, true);
  setUp.pass(100);
  assert.equal(setUp.sockets.length, 2);
  silent.tell({ t: 'view', view: { ...VIEWS.turn, seq: 999 } });
  assert.notEqual(setUp.wire.view.value?.seq, 999, 'an old socket is not listened to');
});

test('a page that stood still reads what came meanwhile before it gives its host up', () => {
  const setUp = new SetUp();
  setUp.welcome();
  setUp.standStill(20_000);
  setUp.pass(100);
  assert.equal(setUp.wire.state.value, 'up', 'the time is over, and nothing is read yet');
  setUp.socket.tell({ t: 'ping', n: 1 });
  setUp.pass(7_900);
  assert.equal(setUp.wire.state.value, 'up');
  setUp.standStill(20_000);
  setUp.pass(1_000);
  assert.equal(setUp.wire.state.value, 'connecting', 'nothing had come');
});

test('an older view of the same start is dropped, a new start or a welcome is taken as it is', () => {
  const setUp = new SetUp();
  setUp.welcome({ ...VIEWS.betting, seq: 50 });
  setUp.socket.tell({ t: 'view', view: { ...VIEWS.betting, seq: 49 } });
  assert.equal(setUp.wire.view.value?.seq, 50);
  setUp.socket.tell({ t: 'view', view: { ...VIEWS.betting, seq: 51 } });
  assert.equal(setUp.wire.view.value?.seq, 51);
  setUp.socket.onclose?.();
  setUp.pass(100);
  setUp.welcome({ ...VIEWS.betting, bootId: 'boot-2', seq: 40 });
  assert.equal(setUp.wire.view.value?.seq, 40);
  assert.equal(setUp.wire.connection, 2);
});

test('seven touches at once are shown by one view, and no view waits longer than two frames', () => {
  const setUp = new SetUp();
  setUp.welcome({ ...VIEWS.betting, seq: 50 });
  const shown: number[] = [];
  effect(() => {
    shown.push(setUp.wire.view.value!.seq);
  });
  const view = (seq: number): void => setUp.socket.tell({ t: 'view', view: { ...VIEWS.betting, seq } });
  const done = (no: number, seq: number): void =>
    setUp.socket.tell({ t: 'answer', id: `id-${no}`, status: 'done', seq });

  for (let seat = 1; seat <= 7; seat++) void setUp.send(CUT);
  done(1, 51);
  view(51);
  for (let no = 2; no <= 7; no++) done(no, 50 + no);
  assert.deepEqual(shown, [50], 'the first bet alone is not drawn while six are a moment behind');
  view(57);
  assert.deepEqual(shown, [50, 57]);
  view(58);
  assert.deepEqual(shown, [50, 57, 58], 'with nothing on its way a view is shown as it comes');

  void setUp.send(CUT);
  view(59);
  setUp.pass(31);
  view(60);
  assert.deepEqual(shown, [50, 57, 58]);
  setUp.pass(1);
  assert.deepEqual(shown, [50, 57, 58, 60], 'the newest, two frames after the first that waited');
  view(61);
  setUp.socket.tell({
    t: 'answer',
    id: 'id-8',
    status: 'rejected',
    code: 'too-late',
    cites: [],
    detail: null,
  });
  assert.deepEqual(shown, [50, 57, 58, 60, 61], 'what was refused is in no view');
  void setUp.send(CUT);
  view(70);
  setUp.welcome({ ...VIEWS.betting, bootId: 'boot-2', seq: 40 });
  setUp.pass(100);
  assert.deepEqual(
    shown,
    [50, 57, 58, 60, 61, 40],
    'what waited of a host that is gone is not shown any more',
  );
});

test('B2: displays with clocks of their own, set wrongly and running unevenly, show a window within 50 ms of each other', () => {
  // 400 ppm: eight times what a quartz is sold with.
  const clocks = [
    { offMs: 0, rate: 1 },
    { offMs: 7_200_000, rate: 1.0004 },
    { offMs: -86_400_000, rate: 0.9996 },
  ];
  const random = xoroshiro128plus(7);
  const below = (most: number): number => uniformInt(random, 0, most - 1);
  let hostMs = VIEWS.betting.nowMs;
  const beganMs = hostMs;
  const own = ({ offMs, rate }: (typeof clocks)[number]): number => (hostMs - beganMs) * rate + offMs;
  const displays = clocks.map((clock) => {
    const sockets: TestSocket[] = [];
    const open = (): TestSocket => {
      sockets.push(new TestSocket());
      return sockets.at(-1)!;
    };
    const wire = createWire({ open, now: () => own(clock), after: () => () => {}, newId: () => 'id' });
    return { wire, socket: sockets[0]! };
  });
  const due: { atMs: number; tell: () => void }[] = [];
  let seq = VIEWS.betting.seq;
  const send = (): void => {
    const view = { ...VIEWS.betting, nowMs: hostMs, seq: ++seq };
    for (const [i, { socket }] of displays.entries()) {
      const first = seq === VIEWS.betting.seq + 1;
      const message: ToDisplay = first
        ? { t: 'welcome', version: 1, role: i === 0 ? 'table' : `seat:${i}`, view }
        : { t: 'view', view };
      // A message comes when it comes: within a fifth of a second, the first one slowly.
      due.push({ atMs: hostMs + (first ? 150 : 1 + below(200)), tell: () => socket.tell(message) });
    }
  };
  for (const { socket } of displays) {
    socket.isOpen = true;
    socket.onopen?.();
  }
  send();
  let [most, looked] = [0, 0];
  for (; hostMs < beganMs + 600_000; hostMs += 10) {
    if (below(50) === 0) send();
    for (const message of due.splice(0))
      if (message.atMs <= hostMs) message.tell();
      else due.push(message);
    // Once a few views have come.
    if (hostMs < beganMs + 10_000) continue;
    const shown = displays.map(({ wire }) => wire.hostNow());
    most = Math.max(most, Math.max(...shown, hostMs) - Math.min(...shown, hostMs));
    looked += 1;
  }
  assert.ok(looked > 50_000, String(looked));
  assert.ok(most <= 50, `${most} ms apart`);
});

test('host time follows the host clock and is not set back by a late message', () => {
  const setUp = new SetUp();
  setUp.welcome({ ...VIEWS.betting, seq: 1, nowMs: 5_000_000 });
  assert.equal(setUp.wire.hostNow(), 5_000_000);
  setUp.pass(300);
  setUp.socket.tell({ t: 'view', view: { ...VIEWS.betting, seq: 2, nowMs: 5_000_100 } });
  assert.equal(setUp.wire.hostNow(), 5_000_300);
});

test('a refused display says so and queries end when the connection does', async () => {
  const setUp = new SetUp();
  setUp.welcome();
  const page = setUp.wire.query({ query: 'link' });
  setUp.socket.tell({ t: 'refused', reason: 'session ended' });
  assert.equal(setUp.wire.state.value, 'refused');
  setUp.socket.onclose?.();
  assert.deepEqual(await page, { ok: false, code: 'connection' });
  assert.deepEqual(await setUp.wire.query({ query: 'link' }), { ok: false, code: 'connection' });
});

test('a touch while there is no host is sent to nobody', () => {
  const setUp = new SetUp();
  setUp.wire.post({ t: 'touched' });
  setUp.welcome();
  setUp.socket.onclose?.();
  setUp.pass(100);
  setUp.wire.post({ t: 'touched' });
  setUp.welcome();
  setUp.wire.post({ t: 'touched' });
  assert.deepEqual(
    setUp.socket.sent.map(({ t }) => t),
    ['hello', 'touched'],
  );
});
