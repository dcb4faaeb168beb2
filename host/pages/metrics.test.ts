import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { initialState } from '../../engine/engine.ts';
import { NO_LINK } from '../../ledger/sync/uploader.ts';
import type { Terminal } from '../table/terminal.ts';
import { Latencies } from './latencies.ts';
import { MetricsSocket } from './metrics.ts';

function made(t: TestContext) {
  const dir = mkdtempSync(join(tmpdir(), 'banca-metrics-'));
  const path = join(dir, 'metrics.sock');
  const latencies = new Latencies();
  const said: string[] = [];
  const state = initialState();
  const terminal = {
    state,
    locked: null,
    ledger: { head: () => ({ seq: 7 }), terminalId: 'T1' },
    onCommit: () => {},
  } as unknown as Terminal;
  const socket = () =>
    new MetricsSocket({
      ...{ path, terminal, latencies },
      centre: { status: { ...NO_LINK, ackedSeq: 4 } },
      log: (line) => said.push(line),
    });
  t.after(() => rmSync(dir, { recursive: true }));
  return { path, latencies, said, state, socket };
}

async function ask(socketPath: string, path = '/metrics', method = 'GET') {
  const asked = request({ socketPath, path, method });
  asked.end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return { status: response.statusCode, text: await text(response) };
}

test('figures of the terminal at a socket that only its account and group can open', async (t) => {
  const { path, latencies, state, socket, said } = made(t);
  const metrics = socket();
  t.after(() => metrics.stop());
  await metrics.start();
  latencies.took('card', 3);
  latencies.took('acceptor-2', 40);
  state.faults.push({ device: 'shoe', fault: 'shoe-jam' } as (typeof state.faults)[number]);
  const { status, text: figures } = await ask(path);
  assert.equal(status, 200);
  for (const line of [
    'banca_ledger_head_seq 7',
    'banca_link_waiting_entries 3',
    'banca_card_to_disk_seconds_bucket{le="0.002"} 0',
    'banca_card_to_disk_seconds_bucket{le="0.005"} 1',
    'banca_device_answer_seconds_count{device="acceptor-2"} 1',
    'banca_fault{device="shoe",fault="shoe-jam"} 1',
  ])
    assert.ok(figures.split('\n').includes(line), line);
  state.faults.pop();
  assert.doesNotMatch((await ask(path)).text, /banca_fault\{/);
  assert.equal((await ask(path, '/')).status, 404);
  assert.equal((await ask(path, '/metrics', 'POST')).status, 405);
  assert.equal(statSync(path).mode & 0o777, 0o660);
  assert.deepEqual(said, []);
});

test('what cannot be opened is said, and nothing of another program is taken away', async (t) => {
  const { path, said, socket } = made(t);
  writeFileSync(path, 'a file');
  await socket().start();
  assert.ok(existsSync(path));
  rmSync(path);
  const other = createServer().listen(path);
  await new Promise((resolve) => other.once('listening', resolve));
  await socket().start();
  assert.ok(other.listening);
  await new Promise((resolve) => other.close(resolve));
  assert.deepEqual(said, [
    `metrics: ${path}: there is something else, which stays`,
    `metrics: ${path}: another program listens there`,
  ]);
});

test('a note takes from its escrow to its credit, a finger counts once for all its chips', () => {
  const latencies = new Latencies();
  const took: [string, number][] = [];
  latencies.listen((what, ms) => took.push([what, ms]));
  const note = (kind: string, noteId: string, atMs: number, acceptor = 1) => ({
    kind,
    atMs,
    body: { noteId, acceptor },
  });
  latencies.stored([note('note-escrowed', 'a', 1_000)], 1_000);
  latencies.stored([note('note-escrowed', 'b', 1_500, 2)], 1_500);
  latencies.stored([note('note-credited', 'a', 3_000)], 3_002);
  // Its escrow was in a life before this one, and another note lies there since.
  latencies.stored([note('note-credited', 'c', 3_000, 2)], 3_000);
  const chip = { kind: 'bet-placed', atMs: 4_000, body: { touchedAtMs: 3_990 } };
  latencies.stored([chip, chip], 4_004);
  latencies.stored([chip], 3_980);
  assert.deepEqual(took, [
    ['note', 2_002],
    ['touch', 14],
    ['touch', 0],
  ]);
});
