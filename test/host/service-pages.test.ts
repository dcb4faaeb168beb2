/** Pages of service mode over a real host, its ledger and simulated devices. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noteArchive } from '../../host/pages/archived.ts';
import { toHex } from '../../ledger/chain/entry.codec.ts';
import type { StorageReport, TrendPage } from '../../wire/pages.ts';
import { CREDENTIAL, TestTerminal } from './test-terminal.ts';

test('H6 a note: what became of it, the entries about it, and the frames of its acceptor meanwhile', async (t) => {
  const kit = await TestTerminal.open(t);
  const table = await kit.display('table');
  await kit.fund(2, 10_000);
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  const { notes, olderSeq } = await table.query({
    query: 'notes',
    beforeSeq: null,
    limit: 20,
    acceptor: null,
    outcome: null,
  });
  assert.equal(olderSeq, null);
  assert.deepEqual(
    notes.map(({ acceptor, seat, valueMinor, outcome, steps }) => ({
      acceptor,
      seat,
      valueMinor,
      outcome,
      steps: steps.map(({ kind }) => kind),
    })),
    [
      {
        acceptor: 2,
        seat: 2,
        valueMinor: 10_000,
        outcome: 'credited',
        steps: ['note-escrowed', 'note-stack-requested', 'note-credited', 'note-closed'],
      },
    ],
  );
  const none = { query: 'notes', beforeSeq: null, limit: 20, acceptor: 3, outcome: null } as const;
  assert.deepEqual((await table.query(none)).notes, []);

  const trace = await table.found({ query: 'note-trace', seq: notes[0]!.seq });
  assert.equal(trace.device, 'acceptor-2');
  // ID-003: ESCROW (13H) with its denomination comes in, STACK-1 (41H) goes out.
  assert.ok(trace.frames.some(({ direction, hex }) => direction === 'in' && /^fc\s?06\s?13/i.test(hex)));
  assert.ok(trace.frames.some(({ direction, hex }) => direction === 'out' && /^fc\s?05\s?4[12]/i.test(hex)));

  // The entries of this life before it are counted in the background.
  let trends: TrendPage;
  do trends = await table.query({ query: 'trends', hours: 24 });
  while (trends.countedSeq < trends.headSeq);
  assert.deepEqual(
    trends.notes.map(({ acceptor, outcome, count }) => [acceptor, outcome, count]),
    [[2, 'credited', 1]],
  );
  const told = new Map(trends.latencies.map(({ what, count }) => [what, count]));
  assert.ok(told.get('commit')! > 0 && told.get('acceptor-2')! > 0);
});

test('storage: an archive of this ledger is known by its hash, and a whole check by what it found', async (t) => {
  const kit = await TestTerminal.open(t);
  const table = await kit.display('table');
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  const ask = (): Promise<StorageReport> => table.query({ query: 'storage' });
  assert.deepEqual(await ask().then(({ archive, checks, running }) => ({ archive, checks, running })), {
    archive: null,
    checks: [],
    running: [],
  });
  const { ledger } = kit.host.terminal;
  const archived = { folder: '/media/archive', lastSeq: 2, lastAtMs: 1, madeAtMs: 2 };
  noteArchive(kit.ledgerPath, { ...archived, lastHash: toHex(ledger.hashAt(2)!) });
  assert.equal((await ask()).archive?.isOurs, true);
  noteArchive(kit.ledgerPath, { ...archived, lastHash: toHex(ledger.hashAt(1)!) });
  assert.equal((await ask()).archive?.isOurs, false);

  await kit.do({ type: 'run-self-test' });
  await kit.until('the self-test', () => kit.entries('self-test-run').length === 1);
  const { checks } = await ask();
  assert.deepEqual(
    checks.map(({ file, ok }) => [file, ok]),
    [['ledger', true]],
  );
  assert.ok(checks[0]!.entries > 0);
});

test('displays say how they do when the page is looked at; the clock tells what it gained', async (t) => {
  const kit = await TestTerminal.open(t);
  const { table } = kit;
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  const { displays } = await table.query({ query: 'displays' });
  assert.deepEqual(
    displays.map(({ role, measured }) => [role, measured]),
    [['table', null]],
  );
  const clock = await table.query({ query: 'clock' });
  assert.ok(Math.abs(clock.driftMs) < clock.stepMs, `${clock.driftMs}`);
  assert.deepEqual(clock.centre, { offMs: null, ackAtMs: null });
});
