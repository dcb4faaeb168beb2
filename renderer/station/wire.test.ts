import assert from 'node:assert/strict';
import test from 'node:test';
import { effect } from '@preact/signals';
import { VIEWS } from '../../test/fixtures/views.ts';
import type { Command } from '../../wire/commands.ts';
import type { ToDisplay, ToHost } from '../../wire/messages.ts';
import type { TableView } from '../../wire/view.ts';
import { createWire, type Socket, type Wire } from './wire.ts';

/** Time, sockets and ids in the test's hand. */
class Bench {
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
      this.#nowMs = next.atMs;
      next.run();
    }
    this.#nowMs = endMs;
  }

  welcome(view: TableView = VIEWS.betting): void {
    this.socket.onopen?.();
    this.socket.tell({ t: 'welcome', version: 1, role: 'table', view });
  }
}

class TestSocket implements Socket {
  onopen: (() => void) | null = null;
  onclose: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  readonly sent: ToHost[] = [];
  closed = false;
  send(text: string): void {
    this.sent.push(JSON.parse(text) as ToHost);
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
  const bench = new Bench();
  assert.equal(bench.wire.state.value, 'connecting');
  bench.welcome();
  assert.deepEqual(bench.socket.sent, [{ t: 'hello', version: 1, lastSeq: null }]);
  assert.equal(bench.wire.state.value, 'up');
  assert.equal(bench.wire.role.value, 'table');
});

test('a command without an answer is sent again with the same id after every reconnection', async () => {
  const bench = new Bench();
  bench.welcome();
  const answer = bench.wire.send(CUT);
  assert.deepEqual(bench.socket.commands, ['id-1']);
  bench.socket.onclose?.();
  assert.equal(bench.wire.state.value, 'connecting');
  bench.pass(100);
  bench.welcome();
  assert.deepEqual(bench.socket.commands, ['id-1']);
  bench.socket.tell({ t: 'answer', id: 'id-1', status: 'exists', seq: 7 });
  assert.deepEqual(await answer, { status: 'exists' });
  bench.socket.onclose?.();
  bench.pass(100);
  bench.welcome();
  assert.deepEqual(bench.socket.commands, [], 'an answered command is never sent again');
});

test('a command given while the host is away waits for it', () => {
  const bench = new Bench();
  void bench.wire.send(CUT);
  assert.deepEqual(bench.socket.commands, []);
  bench.welcome();
  assert.deepEqual(bench.socket.commands, ['id-1']);
});

test('a rejection comes with its code and articles', async () => {
  const bench = new Bench();
  bench.welcome();
  const answer = bench.wire.send(CUT);
  bench.socket.tell({
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
  const bench = new Bench();
  const pauses: number[] = [];
  for (let i = 0; i < 9; i++) {
    const before = bench.sockets.length;
    bench.socket.onclose?.();
    let waited = 0;
    while (bench.sockets.length === before) {
      bench.pass(50);
      waited += 50;
    }
    pauses.push(waited);
  }
  assert.deepEqual(pauses, [100, 200, 400, 800, 1600, 2000, 2000, 2000, 2000]);
  bench.welcome();
  bench.socket.onclose?.();
  const before = bench.sockets.length;
  bench.pass(100);
  assert.equal(bench.sockets.length, before + 1);
});

test('a socket that falls silent is given up: a hung host must not leave a half-working screen', () => {
  const bench = new Bench();
  bench.welcome();
  const silent = bench.socket;
  bench.pass(7_000);
  silent.tell({ t: 'ping', n: 1 });
  assert.deepEqual(silent.sent.at(-1), { t: 'pong', n: 1 });
  bench.pass(7_000);
  assert.equal(bench.wire.state.value, 'up');
  bench.pass(1_000);
  assert.equal(bench.wire.state.value, 'connecting');
  assert.equal(silent.closed, true);
  bench.pass(100);
  assert.equal(bench.sockets.length, 2);
  silent.tell({ t: 'view', view: { ...VIEWS.turn, seq: 999 } });
  assert.notEqual(bench.wire.view.value?.seq, 999, 'an old socket is not listened to');
});

test('an older view of the same start is dropped, a new start or a welcome is taken as it is', () => {
  const bench = new Bench();
  bench.welcome({ ...VIEWS.betting, seq: 50 });
  bench.socket.tell({ t: 'view', view: { ...VIEWS.betting, seq: 49 } });
  assert.equal(bench.wire.view.value?.seq, 50);
  bench.socket.tell({ t: 'view', view: { ...VIEWS.betting, seq: 51 } });
  assert.equal(bench.wire.view.value?.seq, 51);
  bench.socket.onclose?.();
  bench.pass(100);
  bench.welcome({ ...VIEWS.betting, bootId: 'boot-2', seq: 40 });
  assert.equal(bench.wire.view.value?.seq, 40);
  assert.equal(bench.wire.connection, 2);
});

test('seven touches at once are shown by one view, and no view waits longer than a frame', () => {
  const bench = new Bench();
  bench.welcome({ ...VIEWS.betting, seq: 50 });
  const shown: number[] = [];
  effect(() => {
    shown.push(bench.wire.view.value!.seq);
  });
  const view = (seq: number): void => bench.socket.tell({ t: 'view', view: { ...VIEWS.betting, seq } });
  const done = (no: number, seq: number): void =>
    bench.socket.tell({ t: 'answer', id: `id-${no}`, status: 'done', seq });

  for (let seat = 1; seat <= 7; seat++) void bench.wire.send(CUT);
  done(1, 51);
  view(51);
  for (let no = 2; no <= 7; no++) done(no, 50 + no);
  assert.deepEqual(shown, [50], 'the first bet alone is not drawn while six are a moment behind');
  view(57);
  assert.deepEqual(shown, [50, 57]);
  view(58);
  assert.deepEqual(shown, [50, 57, 58], 'with nothing on its way a view is shown as it comes');

  void bench.wire.send(CUT);
  view(59);
  bench.pass(15);
  view(60);
  assert.deepEqual(shown, [50, 57, 58]);
  bench.pass(1);
  assert.deepEqual(shown, [50, 57, 58, 60], 'the newest, a frame after the first that waited');
  view(61);
  bench.socket.tell({
    t: 'answer',
    id: 'id-8',
    status: 'rejected',
    code: 'too-late',
    cites: [],
    detail: null,
  });
  assert.deepEqual(shown, [50, 57, 58, 60, 61], 'what was refused is in no view');
  void bench.wire.send(CUT);
  view(70);
  bench.welcome({ ...VIEWS.betting, bootId: 'boot-2', seq: 40 });
  bench.pass(100);
  assert.deepEqual(
    shown,
    [50, 57, 58, 60, 61, 40],
    'what waited of a host that is gone is not shown any more',
  );
});

test('host time follows the host clock and is not set back by a late message', () => {
  const bench = new Bench();
  bench.welcome({ ...VIEWS.betting, seq: 1, nowMs: 5_000_000 });
  assert.equal(bench.wire.hostNow(), 5_000_000);
  bench.pass(300);
  bench.socket.tell({ t: 'view', view: { ...VIEWS.betting, seq: 2, nowMs: 5_000_100 } });
  assert.equal(bench.wire.hostNow(), 5_000_300);
});

test('a refused display says so and queries end when the connection does', async () => {
  const bench = new Bench();
  bench.welcome();
  const page = bench.wire.query({ query: 'link' });
  bench.socket.tell({ t: 'refused', reason: 'session ended' });
  assert.equal(bench.wire.state.value, 'refused');
  bench.socket.onclose?.();
  assert.deepEqual(await page, { ok: false, code: 'connection' });
  assert.deepEqual(await bench.wire.query({ query: 'link' }), { ok: false, code: 'connection' });
});
