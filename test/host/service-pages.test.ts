/** Pages of service mode over a real host, its ledger and simulated devices. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noteArchive } from '../../host/pages/archived.ts';
import { toHex } from '../../ledger/chain/entry.codec.ts';
import type { StorageReport, TrendPage } from '../../wire/pages.ts';
import { CREDENTIAL, TestTerminal } from './test-terminal.ts';

test('323 the table of notes: the demonstration has confirmed it, and a technician does it again, note by note', async (t) => {
  const kit = await TestTerminal.open(t);
  const table = await kit.display('table');
  await kit.acceptorReady(1);
  const page = async () => {
    const { devices } = await table.query({ query: 'devices' });
    const notes = devices.find(({ view }) => view.id === 'acceptor-1')?.notes;
    assert.ok(notes);
    return notes;
  };
  const feed = { type: 'try-note', device: 'acceptor-1', valueMinor: 50_000 } as const;
  assert.equal((await kit.send(feed)).status, 'rejected', 'not outside service mode');
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  const before = await page();
  assert.deepEqual(before.persons, []);
  assert.ok(before.rows.every(({ counts, valueMinor }) => counts?.valueMinor === valueMinor));
  for (const [device, valueMinor] of [
    ['acceptor-1', 12_345],
    ['acceptor-99', 50_000],
    ['shoe', 50_000],
  ] as const)
    assert.equal((await kit.send({ type: 'try-note', device, valueMinor })).status, 'rejected');
  await kit.do(feed);
  await kit.insert(1, 50_000);
  await kit.until('it is back', () => kit.rack.acceptor(1).givenBack().length === 1);
  const tried = kit.last<{ part: string; test: string; said: string }>('device-tested');
  assert.deepEqual([tried.part, tried.test, typeof tried.said], ['note', 'TEST', 'string']);
  const { trial } = await page();
  assert.deepEqual([trial?.inHandMinor, trial?.last?.says], [50_000, 'agrees']);
  const sign = { type: 'end-fault', device: 'acceptor-1', fault: 'notes-unconfirmed' } as const;
  const refused = await kit.send({ ...sign, credential: CREDENTIAL.attendant });
  assert.equal(refused.status, 'rejected', 'an attendant signs nothing');
  await kit.do({ ...sign, credential: CREDENTIAL.technician });
  assert.equal((await page()).persons?.[0]?.role, 'technician');
  assert.deepEqual(
    kit.last<{ persons: { role: string }[] }>('notes-confirmed').persons.map(({ role }) => role),
    ['technician'],
  );
  await kit.do({ type: 'exit-service' });
  await kit.fund(1, 50_000);
  assert.equal(kit.rack.acceptor(1).cashBox().length, 1);
});

test('H7, H13 test cards and test notes are read, marked TEST in the ledger, and move no meter and nothing of the table', async (t) => {
  const kit = await TestTerminal.open(t);
  const table = await kit.display('table');
  const trial = async () => {
    const { devices } = await table.query({ query: 'devices' });
    return devices.find(({ view }) => view.id === 'shoe')!.cards!;
  };
  /** A gate that is shut for the trial is reported (323), and entries wait for a centre. */
  const beside = ['tilts_323', 'queue_depth'];
  const meters = async () => {
    const page = await table.query({ query: 'meters', asOfMs: null, fromMs: null, by: null });
    return page.meters.filter(({ code }) => !beside.includes(code));
  };
  await kit.refused({ type: 'try-cards', on: true }, 'service');
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  await kit.until('the shoe is there', () =>
    kit.view.devices.some(({ id, state }) => id === 'shoe' && state !== 'offline'),
  );
  const before = await meters();
  const { shoe } = kit.host.terminal.state;
  await kit.do({ type: 'try-cards', on: true });
  await kit.hands({ do: 'load-shoe', cards: [0, 51, 13] });
  await kit.shoeRead();
  await kit.draw(2);
  assert.equal((await trial()).last?.card, 51, 'what was read last is shown');
  await kit.hands({ do: 'fault', device: 'shoe', fault: 'misread' });
  await kit.draw();
  assert.equal((await trial()).last?.card, null);
  assert.deepEqual(
    kit.entries('device-tested').map(({ body }) => {
      const { part, test: mark, read } = body as { part: string; test: string; read: number | null };
      return [part, mark, read];
    }),
    [
      ['card', 'TEST', 0],
      ['card', 'TEST', 51],
      ['card', 'TEST', null],
    ],
  );
  await kit.do({ type: 'try-note', device: 'acceptor-1', valueMinor: 50_000 });
  await kit.insert(1, 50_000);
  await kit.until('it is back', () => kit.rack.acceptor(1).givenBack().length === 1);
  await kit.do({ type: 'try-note', device: 'acceptor-1', valueMinor: null });
  assert.deepEqual(kit.host.terminal.state.shoe, shoe, 'the table knows none of them');
  assert.deepEqual(await meters(), before, 'no meter has moved');
  assert.equal(kit.view.hold, null);
  await kit.do({ type: 'exit-service' });
  assert.equal((await trial().catch(() => null))?.isTrying ?? false, false, 'it ends with service mode');
  // The table plays with what is loaded from now on, and no trial is possible any more.
  await kit.ready('AS TD');
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  await kit.refused({ type: 'try-cards', on: true }, 'not-allowed');
});

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
  assert.equal(told.get('note'), 1, 'from escrow to its credit');
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

test('H8: what puts a glass right comes on top of what is in force, and each life of the host says so again', async (t) => {
  const kit = await TestTerminal.open(t);
  const said = () =>
    kit.reports.flatMap((line) => ('touch' in line ? [(line as { touch: { matrix: unknown } }).touch] : []));
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  const half = [500_000, 0, 100_000, 0, 500_000, 0];
  const shifted = [1_000_000, 0, 50_000, 0, 1_000_000, -20_000];
  await kit.do({ type: 'set-touch', correction: half });
  await kit.do({ type: 'set-touch', correction: shifted });
  // Half as large first, then moved: what was moved first would be moved half as far.
  const both = [500_000, 0, 150_000, 0, 500_000, -20_000];
  assert.deepEqual(said(), [
    { role: 'table', matrix: half },
    { role: 'table', matrix: both },
  ]);
  const { device, matrix, person } = kit.last<{ device: string; matrix: unknown; person: { id: string } }>(
    'touch-set',
  );
  assert.deepEqual([device, matrix, person.id], ['display:table', both, 'T-01']);
  await kit.restart();
  assert.deepEqual(said().slice(2), [{ role: 'table', matrix: both }]);
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  await kit.do({ type: 'set-touch', correction: null });
  await kit.restart();
  assert.deepEqual(said().slice(3), [
    { role: 'table', matrix: null },
    { role: 'table', matrix: null },
  ]);
});
