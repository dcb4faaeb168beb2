import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyMeters, metersOf } from '../../engine/accounting/meter-fold.ts';
import { cardName } from '../../engine/core/cards.ts';
import { countEntry } from '../../host/pages/meters.ts';
import type { Entry } from '../../ledger/store/ledger.store.ts';
import type { Command, Work } from '../../wire/commands.ts';
import type { Credential } from '../../wire/fields.ts';
import type { EventPage, MeterPage } from '../../wire/pages.ts';
import type { TableView } from '../../wire/view.ts';
import { Rude } from '../support/rude.ts';
import { until } from '../support/until.ts';
import { CREDENTIAL, TestTerminal } from './test-terminal.ts';

/**
 * What a display shows of the table, with every time of it told from `zeroMs`; devices go their own
 * way.
 */
function told(view: TableView, zeroMs: number): object {
  const { seq: _seq, nowMs: _now, link: _link, devices: _devices, ...shown } = view;
  const { step } = view.dealer;
  return {
    ...shown,
    deadline: view.deadline && { ...view.deadline, atMs: view.deadline.atMs - zeroMs },
    dealer: {
      ...view.dealer,
      step: step.step === 'read-results' ? { ...step, untilMs: step.untilMs - zeroMs } : step,
    },
  };
}

/** Everything that plays or moves money, as somebody would try it from inside. */
const plays = (kit: TestTerminal): Command[] => [
  { type: 'open-betting' },
  { type: 'close-betting' },
  { type: 'close-round' },
  kit.bet(1, 10_000),
  { type: 'clear-bets', roundId: kit.roundId, seat: 1, touchedAtMs: kit.now() },
  kit.act(1, 'stand'),
  { type: 'request-cash-out', seat: 1 },
  { type: 'set-language', seat: 1, language: 'en' },
  { type: 'end-card-out' },
  { type: 'sign-in-dealer', credential: CREDENTIAL.dealer2 },
  { type: 'sign-out-dealer' },
  { type: 'void-round', reason: 'supervisor', credential: CREDENTIAL.supervisor },
];

/** In and out again after 100 s: nothing happens inside, and outside nothing has happened. */
async function visit(kit: TestTerminal, credential: Credential, name: string): Promise<void> {
  const STAY_MS = 100_000;
  kit.stoppedAtMs = kit.now();
  const before = told(kit.view, kit.stoppedAtMs);
  await kit.do({ type: 'enter-service', credential });
  const inside = kit.view;
  assert.equal(inside.service?.name, name);
  assert.equal(inside.phase, (before as TableView).phase);
  assert.deepEqual(inside.dealer.step, { step: 'in-service', cites: [] });
  assert.deepEqual(inside.dealer.options, []);
  assert.equal(inside.deadline, null, 'no time runs');
  for (const seat of inside.seats) assert.deepEqual([seat.choices, seat.betting], [[], []]);
  for (const command of plays(kit)) await kit.refused(command, 'service');
  kit.stoppedAtMs += STAY_MS;
  await kit.do({ type: 'exit-service' });
  assert.deepEqual(told(kit.view, kit.stoppedAtMs), before);
  kit.goOn();
}

test('service mode opens by PIN to a named person in every phase, plays nothing, and gives the table back as it was', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.refused({ type: 'enter-service', credential: CREDENTIAL.dealer }, 'person');
  await kit.refused({ type: 'exit-service' }, 'nothing-to-do');
  await visit(kit, CREDENTIAL.technician, 'João Silva');
  await Promise.all([kit.fund(1, 50_000), kit.fund(3, 50_000)]);
  await kit.ready('TS 7H 9H TD 7D 8C');
  // What the panels say of the notes grows old.
  kit.offsetMs += 10_000;
  await visit(kit, CREDENTIAL.attendant, 'Chan Wai');
  await kit.do({ type: 'open-betting' });
  await kit.do(kit.bet(1, 10_000));
  await kit.do(kit.bet(3, 20_000));
  assert.equal(kit.view.phase, 'betting');
  await visit(kit, CREDENTIAL.technician, 'João Silva');
  await kit.do(kit.bet(3, 5_000));
  await kit.do({ type: 'close-betting' });
  await kit.draw();
  await visit(kit, CREDENTIAL.auditor, 'Ana Rocha');
  await kit.draw(4);
  assert.equal(kit.view.deadline?.kind, 'offers');
  await visit(kit, CREDENTIAL.technician, 'João Silva');
  kit.passDeadline();
  assert.equal(kit.view.deadline?.kind, 'decision');
  await visit(kit, CREDENTIAL.supervisor, 'Maria Nunes');
  await kit.do(kit.act(1, 'stand'));
  await kit.do(kit.act(3, 'stand'));
  await kit.do({ type: 'request-cash-out', seat: 1 });
  await kit.draw();
  assert.equal(kit.view.deadline?.kind, 'results');
  await visit(kit, CREDENTIAL.technician, 'João Silva');
  kit.passDeadline();
  await visit(kit, CREDENTIAL.technician, 'João Silva');
  await kit.do({ type: 'close-round' });
  assert.equal(kit.entries('service-entered').length, kit.entries('service-left').length);
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  await kit.refused({ type: 'enter-service', credential: CREDENTIAL.auditor }, 'not-allowed');
  await kit.restart();
  assert.equal(kit.view.service, null, 'nobody stands at the terminal after a restart');
});

test('a card that leaves the shoe while service is open is dealt where it was due when the table is back', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.fund(1, 50_000);
  await kit.ready('TS 9H TD 8C');
  await kit.lay({ 1: 10_000 });
  await kit.draw();
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  await kit.draw();
  assert.deepEqual(kit.view.bank.cards, []);
  await kit.do({ type: 'exit-service' });
  assert.deepEqual(
    kit.view.bank.cards.map((card) => card !== null && cardName(card)),
    ['9H'],
  );
  assert.equal(kit.entries('shoe-event-refused').length, 0);
});

test('the pages of service mode are for service mode, and for the displays that may show it', async (t) => {
  const kit = await TestTerminal.open(t);
  const [seat, dealer, service] = await Promise.all([
    kit.display('seat:1'),
    kit.display('dealer'),
    kit.display('service'),
  ]);
  await assert.rejects(kit.table.query(NOW), /service/);
  await assert.rejects(service.query({ query: 'profile' }), /service/);
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician }, service);
  await assert.rejects(seat.query(NOW), /service/);
  await assert.rejects(dealer.query({ query: 'events', beforeSeq: null, limit: 1, kind: null }), /service/);
  assert.ok(await service.query({ query: 'link' }));
  assert.ok(await kit.table.query({ query: 'link' }));
  await kit.do({ type: 'exit-service' }, service);
  await assert.rejects(service.query({ query: 'link' }), /service/);
});

const NOW = { query: 'meters', asOfMs: null, fromMs: null, by: null } as const;
type Value = readonly [code: string, value: number];
const valuesOf = (meters: MeterPage['meters']): Value[] => meters.map(({ code, value }) => [code, value]);
const foldOf = (kit: TestTerminal, isIn: (entry: Entry) => boolean = () => true): Value[] => {
  const fold = emptyMeters();
  for (const entry of kit.entries()) if (isIn(entry)) countEntry(fold, entry);
  return metersOf(fold, { queue_depth: kit.headSeq, last_proven_seq: 0 }).map(({ code, value }) => [
    code,
    value,
  ]);
};

test('pages: devices with the frames on their lines, meters, events, rounds, profile, link, software, self-test', async (t) => {
  const kit = await TestTerminal.open(t);
  const { table } = kit;
  await Promise.all([kit.fund(1, 100_000), kit.fund(3, 50_000)]);
  await kit.ready('TS 7H 9H TD 7D 8C');
  await kit.deal({ 1: 10_000, 3: 20_000 });
  kit.passDeadline();
  await kit.do(kit.act(1, 'stand'));
  await kit.do(kit.act(3, 'stand'));
  await kit.draw();
  kit.passDeadline();
  await kit.fund(1, 10_000);
  await kit.do({ type: 'close-round' });
  await kit.do({ type: 'open-betting' });
  await kit.do(kit.bet(1, 30_000));
  await kit.do({ type: 'void-round', reason: 'supervisor', credential: CREDENTIAL.supervisor });
  await kit.until('nothing to read', () => kit.step === 'close-round');
  await kit.do({ type: 'close-round' });
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });

  const { devices } = await table.query({ query: 'devices' });
  assert.deepEqual(
    devices.map(({ view }) => view.id),
    [1, 2, 3, 4, 5, 6].map((number) => `acceptor-${number}`).concat('shoe', 'printer', 'cabinet', 'ups'),
  );
  for (const { identity, frames, view } of devices) {
    if (view.kind === 'receipt-printer') assert.equal(identity, null, 'a printer does not say what it is');
    else assert.ok(identity && identity.firmware !== '', `${view.id} says what it is`);
    assert.ok(view.simulated);
    assert.ok(frames.some(({ direction }) => direction === 'in'));
    assert.ok(frames.some(({ direction }) => direction === 'out'));
    // ID-003 frames begin with FC; times are those of the wall clock.
    if (view.kind === 'bill-acceptor') assert.ok(frames.every(({ hex }) => hex.startsWith('fc')));
    assert.ok(frames.every(({ atMs }) => Math.abs(Date.now() - atMs) < 3_600_000));
  }

  // A device may have said something meanwhile.
  const headSeq = (): number => kit.host.terminal.ledger.head().seq;
  for (let seq = -1; seq !== headSeq(); ) {
    seq = headSeq();
    const { meters } = await table.query(NOW);
    if (seq === headSeq()) assert.deepEqual(valuesOf(meters), foldOf(kit));
  }
  await kit.do({ type: 'exit-service' });
  await kit.do({ type: 'call-attendant', seat: 2, on: true });
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  const [first, second] = await Promise.all([table.query(NOW), table.query(NOW)]);
  assert.deepEqual(valuesOf(first.meters), foldOf(kit), 'what is new is counted once');
  assert.deepEqual(second.meters, first.meters);

  const all = kit.entries().toReversed();
  const seen: number[] = [];
  for (let beforeSeq: number | null = null; ; ) {
    const page: EventPage = await table.query({ query: 'events', beforeSeq, limit: 7, kind: null });
    if (page.events.length === 0) break;
    assert.ok(page.events.length <= 7);
    seen.push(...page.events.map(({ seq }) => seq));
    beforeSeq = page.events.at(-1)?.seq ?? null;
  }
  assert.deepEqual(
    seen,
    all.map(({ seq }) => seq),
  );
  const cards = await table.query({
    query: 'events',
    beforeSeq: null,
    limit: 3,
    kind: 'card-dealt',
  });
  assert.deepEqual(
    cards.events.map(({ seq, kind }) => `${seq} ${kind}`),
    all
      .filter(({ kind }) => kind === 'card-dealt')
      .slice(0, 3)
      .map(({ seq, kind }) => `${seq} ${kind}`),
  );

  const { rounds } = await table.query({ query: 'rounds', beforeNo: null, limit: 5 });
  assert.deepEqual(
    rounds.map(({ no, voided, stakedMinor, returnedMinor, closedAtMs }) => ({
      no,
      voided,
      stakedMinor,
      returnedMinor,
      closed: closedAtMs !== null,
    })),
    [
      { no: 2, voided: true, stakedMinor: 30_000, returnedMinor: 30_000, closed: true },
      // 20 against 17 wins 10 000; 14 loses 20 000.
      { no: 1, voided: false, stakedMinor: 30_000, returnedMinor: 20_000, closed: true },
    ],
  );
  const older = await table.query({ query: 'rounds', beforeNo: 2, limit: 5 });
  assert.deepEqual(
    older.rounds.map(({ no }) => no),
    [1],
  );

  const detail = await table.found({ query: 'round', roundId: rounds[1]?.roundId ?? '' });
  assert.deepEqual(detail.dealers, ['Lei Ka Man']);
  assert.deepEqual(detail.bankCards.map(cardName), ['9H', '8C']);
  assert.deepEqual(
    detail.seats.map(({ seat, creditBeforeMinor, creditAfterMinor, bets, hands }) => ({
      seat,
      creditBeforeMinor,
      creditAfterMinor,
      bets,
      hands: hands.map((hand) => hand.cards.map(cardName).join(' ')),
    })),
    [
      {
        seat: 1,
        creditBeforeMinor: 100_000,
        // Won 10 000, and a note of 10 000 went in while the result lay.
        creditAfterMinor: 120_000,
        bets: [{ seat: 1, by: 1, bet: 'main', amountMinor: 10_000 }],
        hands: ['TS TD'],
      },
      {
        seat: 3,
        creditBeforeMinor: 50_000,
        creditAfterMinor: 30_000,
        bets: [{ seat: 3, by: 3, bet: 'main', amountMinor: 20_000 }],
        hands: ['7H 7D'],
      },
    ],
  );
  for (const { lines } of detail.seats)
    for (const line of lines)
      assert.ok(line.cites.length > 0 && line.cites.every((cite) => cite.startsWith('art.')));
  assert.deepEqual(
    detail.steps.map(({ kind }) => kind).filter((kind) => ['betting-opened', 'round-closed'].includes(kind)),
    ['betting-opened', 'round-closed'],
  );
  assert.equal(await table.query({ query: 'round', roundId: 'no-such-round' }), null);

  const profile = await table.query({ query: 'profile' });
  assert.ok(profile.options.length > 20);
  // Limits and step are the house's own.
  assert.deepEqual(
    profile.options.filter(({ article }) => !/^art\.\d/.test(article)).map(({ id }) => id),
    ['sideBetMin', 'sideBetMax', 'min', 'max', 'step'],
  );
  const option = (id: string) => profile.options.find((candidate) => candidate.id === id);
  assert.deepEqual([option('burnAtStart')?.value, option('burnAtStart')?.isDefault], ['one', false]);
  assert.deepEqual([option('decks')?.value, option('decks')?.isDefault], [6, true]);

  const link = await table.query({ query: 'link' });
  assert.equal(link.view.state, 'off');
  assert.equal(link.view.headSeq, kit.headSeq);
  assert.match(link.terminalKey, /^\w{8,}/);

  await kit.do({ type: 'run-self-test' });
  await kit.until('the self-test', () => kit.entries('self-test-run').length === 1);
  const software = await table.query({ query: 'software' });
  assert.equal(software.ledgerEntries, kit.headSeq);
  assert.equal(software.node, process.versions.node);
  const checks = new Map(software.selfTest?.map(({ check, ok }) => [check, ok]));
  assert.deepEqual(
    ['ledger-chain', 'books', 'acceptor-1', 'shoe', 'centre'].map((check) => checks.get(check)),
    [true, true, true, true, true],
    'a terminal without a centre has nothing to fail there',
  );
  const run = kit.last<{ person: { id: string }; failed: string[] }>('self-test-run');
  assert.equal(run.person.id, 'T-01');
  assert.deepEqual(
    run.failed,
    software.selfTest?.filter(({ ok }) => !ok).map(({ check }) => check),
  );
  await kit.do({ type: 'exit-service' });
  await kit.refused({ type: 'run-self-test' }, 'service');
});

test('a page that reads a long ledger gives way to the table', async (t) => {
  const kit = await TestTerminal.open(t);
  for (let i = 0; i < 1_200; i += 1) {
    kit.host.terminal.submit({ type: 'call-attendant', seat: 1, on: i % 2 === 0 });
    // A host that answers nothing for seconds loses its displays.
    if (i % 100 === 0) await new Promise(setImmediate);
  }
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  const order: string[] = [];
  // The newest entries are counted as they come; a past second is looked up.
  const asOfMs = kit.entries('attendant-called').at(-1)!.atMs;
  const then = kit.entries().findLast(({ atMs }) => atMs <= asOfMs)!;
  await Promise.all([
    kit.table.query({ ...NOW, asOfMs }).then(({ meters, asOf }) => {
      order.push('page');
      assert.equal(asOf.seq, then.seq);
      assert.deepEqual(valuesOf(meters).find(([code]) => code === 'attendant_calls')?.[1], 600);
      assert.equal(valuesOf(meters).find(([code]) => code === 'service_entries')?.[1], 0);
    }),
    kit.do({ type: 'exit-service' }).then(() => order.push('command')),
  ]);
  assert.deepEqual(order, ['command', 'page']);
});

test('a session that nobody touches ends after a warning; only a hand where it was opened keeps it', async (t) => {
  const kit = await TestTerminal.open(t);
  const service = await kit.display('service');
  const minutes = (count: number): void => {
    kit.offsetMs += count * 60_000;
  };
  const warned = (warns: boolean): Promise<void> =>
    kit.until(`a warning: ${warns}`, () => (kit.view.service?.leavesAtMs !== undefined) === warns);
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  minutes(4.5);
  await warned(true);
  const leavesAtMs = kit.view.service!.leavesAtMs! - kit.now();
  assert.ok(leavesAtMs > 0 && leavesAtMs <= 30_000, `${leavesAtMs} ms`);
  const rude = await Rude.connect(kit.host.ticketUrl('table', 600_000).url);
  rude.send('{"t":"touched"}');
  await warned(false);
  minutes(4.5);
  await warned(true);
  // Neither the questions that pages ask by themselves, nor another display, nor the clock on the
  // wall is a hand.
  await kit.table.query({ query: 'devices' });
  await kit.send({ type: 'hide-recall' }, service);
  kit.offsetMs += 3_600_000;
  kit.clockJumpMs += 3_600_000;
  await kit.table.query({ query: 'clock' });
  assert.ok(kit.view.service?.leavesAtMs);
  await kit.send({ type: 'hide-recall' });
  await warned(false);
  minutes(5);
  await kit.until('nobody is in service', () => kit.view.service === null);
  const left = kit.last<{ why: string; person: { id: string } }>('service-left');
  assert.deepEqual([left.why, left.person.id], ['untouched', 'T-01']);
  rude.close();
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  await kit.do({ type: 'exit-service' });
  assert.equal(kit.last('service-left')['why'], undefined);
});

test('what was asked for and is still being made keeps the session open', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  const { targets } = await kit.table.query({ query: 'exports' });
  await kit.do({ type: 'make-export', target: targets[0]!.path });
  kit.offsetMs += 4.9 * 60_000;
  await kit.until('the export is made', () => kit.entries('export-made').length > 0);
  assert.ok(kit.view.service);
  assert.equal(kit.view.service.leavesAtMs, undefined, 'its time began with the end of the export');
});

test('an export and a check of the ledger are stopped by whoever may, and by nobody else', async (t) => {
  const kit = await TestTerminal.open(t);
  const stop = (work: Work) => kit.table.command({ type: 'stop-work', work });
  assert.equal((await stop('export'))?.status, 'rejected', 'not outside of service mode');
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.attendant });
  const refused = await stop('export');
  assert.ok(refused?.status === 'rejected' && refused.code === 'person', JSON.stringify(refused));
  await kit.do({ type: 'exit-service' });
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  const idle = await stop('export');
  assert.ok(idle?.status === 'rejected' && idle.code === 'nothing-to-do', JSON.stringify(idle));

  const { targets } = await kit.table.query({ query: 'exports' });
  await kit.do({ type: 'make-export', target: targets[0]!.path });
  await kit.do({ type: 'stop-work', work: 'export' });
  await kit.until('its end', () => kit.entries('export-made').length > 0);
  const [made] = kit.entries('export-made');
  const { ok, why } = made!.body as { ok: boolean; why: string };
  const { run } = await kit.table.query({ query: 'exports' });
  assert.deepEqual([ok, why, run?.ok, run?.stoppedBy], [false, 'stopped by João Silva', false, 'João Silva']);

  await kit.do({ type: 'run-self-test' });
  await kit.do({ type: 'stop-work', work: 'check' });
  await until('nothing is read any more', async () => {
    const { running } = await kit.table.query({ query: 'storage' });
    return running.length === 0;
  });
  const { checks } = await kit.table.query({ query: 'storage' });
  assert.deepEqual(checks, [], 'a check that was stopped has found nothing');
  assert.deepEqual(kit.entries('self-test-run'), []);
});
