import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyMeters, metersOf } from '../../engine/accounting/meter-fold.ts';
import { cardName } from '../../engine/core/cards.ts';
import { countEntry } from '../../host/pages/meters.ts';
import type { Entry } from '../../ledger/store/ledger.store.ts';
import type { Command } from '../../wire/commands.ts';
import type { Credential } from '../../wire/fields.ts';
import type { EventPage, MeterPage } from '../../wire/pages.ts';
import type { TableView } from '../../wire/view.ts';
import { Rude } from '../support/rude.ts';
import { CREDENTIAL, House } from './house.ts';

/** What a display shows of the table, with every time of it told from `zeroMs`; devices go their own way. */
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
const plays = (house: House): Command[] => [
  { type: 'open-betting' },
  { type: 'close-betting' },
  { type: 'close-round' },
  house.bet(1, 10_000),
  { type: 'clear-bets', roundId: house.roundId, seat: 1, touchedAtMs: house.now() },
  house.act(1, 'stand'),
  { type: 'request-cash-out', seat: 1 },
  { type: 'set-language', seat: 1, language: 'en' },
  { type: 'end-card-out' },
  { type: 'sign-in-dealer', credential: CREDENTIAL.dealer2 },
  { type: 'sign-out-dealer' },
  { type: 'void-round', reason: 'supervisor', credential: CREDENTIAL.supervisor },
];

/** In and out again after 100 s: nothing happens inside, and outside nothing has happened. */
async function visit(house: House, credential: Credential, name: string): Promise<void> {
  const STAY_MS = 100_000;
  house.stoppedAtMs = house.now();
  const before = told(house.view, house.stoppedAtMs);
  await house.do({ type: 'enter-service', credential });
  const inside = house.view;
  assert.equal(inside.service?.name, name);
  assert.equal(inside.phase, (before as TableView).phase);
  assert.deepEqual(inside.dealer.step, { step: 'in-service', cites: [] });
  assert.deepEqual(inside.dealer.options, []);
  assert.equal(inside.deadline, null, 'no time runs');
  for (const seat of inside.seats) assert.deepEqual([seat.choices, seat.betting], [[], []]);
  for (const command of plays(house)) await house.refused(command, 'service');
  house.stoppedAtMs += STAY_MS;
  await house.do({ type: 'exit-service' });
  assert.deepEqual(told(house.view, house.stoppedAtMs), before);
  house.offsetMs = house.stoppedAtMs - Date.now();
  house.stoppedAtMs = null;
}

test('service mode opens by PIN to a named person in every phase, plays nothing, and gives the table back as it was', async (t) => {
  const house = await House.open(t);
  await house.refused({ type: 'enter-service', credential: CREDENTIAL.dealer }, 'person');
  await house.refused({ type: 'exit-service' }, 'nothing-to-do');
  await visit(house, CREDENTIAL.technician, 'João Silva');
  await Promise.all([house.fund(1, 50_000), house.fund(3, 50_000)]);
  await house.ready('TS 7H 9H TD 7D 8C');
  // What the panels say of the notes grows old.
  house.offsetMs += 10_000;
  await visit(house, CREDENTIAL.attendant, 'Chan Wai');
  await house.do({ type: 'open-betting' });
  await house.do(house.bet(1, 10_000));
  await house.do(house.bet(3, 20_000));
  assert.equal(house.view.phase, 'betting');
  await visit(house, CREDENTIAL.technician, 'João Silva');
  await house.do(house.bet(3, 5_000));
  await house.do({ type: 'close-betting' });
  await house.draw();
  await visit(house, CREDENTIAL.auditor, 'Ana Rocha');
  await house.draw(4);
  assert.equal(house.view.deadline?.kind, 'offers');
  await visit(house, CREDENTIAL.technician, 'João Silva');
  house.passDeadline();
  assert.equal(house.view.deadline?.kind, 'decision');
  await visit(house, CREDENTIAL.supervisor, 'Maria Nunes');
  await house.do(house.act(1, 'stand'));
  await house.do(house.act(3, 'stand'));
  await house.do({ type: 'request-cash-out', seat: 1 });
  await house.draw();
  assert.equal(house.view.deadline?.kind, 'results');
  await visit(house, CREDENTIAL.technician, 'João Silva');
  house.passDeadline();
  await visit(house, CREDENTIAL.technician, 'João Silva');
  await house.do({ type: 'close-round' });
  assert.equal(house.entries('service-entered').length, house.entries('service-left').length);
  await house.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  await house.refused({ type: 'enter-service', credential: CREDENTIAL.auditor }, 'not-allowed');
  await house.restart();
  assert.equal(house.view.service, null, 'nobody stands at the terminal after a restart');
});

test('a card that leaves the shoe while service is open is dealt where it was due when the table is back', async (t) => {
  const house = await House.open(t);
  await house.fund(1, 50_000);
  await house.ready('TS 9H TD 8C');
  await house.do({ type: 'open-betting' });
  await house.do(house.bet(1, 10_000));
  await house.do({ type: 'close-betting' });
  await house.draw();
  await house.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  await house.draw();
  assert.deepEqual(house.view.bank.cards, []);
  await house.do({ type: 'exit-service' });
  assert.deepEqual(
    house.view.bank.cards.map((card) => card !== null && cardName(card)),
    ['9H'],
  );
  assert.equal(house.entries('shoe-event-refused').length, 0);
});

test('the pages of service mode are for service mode, and for the displays that may show it', async (t) => {
  const house = await House.open(t);
  const [seat, dealer, service] = await Promise.all([
    house.display('seat:1'),
    house.display('dealer'),
    house.display('service'),
  ]);
  await assert.rejects(house.table.query(NOW), /service/);
  await assert.rejects(service.query({ query: 'profile' }), /service/);
  await house.do({ type: 'enter-service', credential: CREDENTIAL.technician }, service);
  await assert.rejects(seat.query(NOW), /service/);
  await assert.rejects(dealer.query({ query: 'events', beforeSeq: null, limit: 1, kind: null }), /service/);
  assert.ok(await service.query({ query: 'link' }));
  assert.ok(await house.table.query({ query: 'link' }));
  await house.do({ type: 'exit-service' }, service);
  await assert.rejects(service.query({ query: 'link' }), /service/);
});

const NOW = { query: 'meters', asOfMs: null, fromMs: null, by: null } as const;
type Value = readonly [code: string, value: number];
const valuesOf = (meters: MeterPage['meters']): Value[] => meters.map(({ code, value }) => [code, value]);
const foldOf = (house: House, isIn: (entry: Entry) => boolean = () => true): Value[] => {
  const fold = emptyMeters();
  for (const entry of house.entries()) if (isIn(entry)) countEntry(fold, entry);
  return metersOf(fold, { queue_depth: house.headSeq, last_proven_seq: 0 }).map(({ code, value }) => [
    code,
    value,
  ]);
};

test('pages: devices with the frames on their lines, meters, events, rounds, profile, link, software, self-test', async (t) => {
  const house = await House.open(t);
  const { table } = house;
  await Promise.all([house.fund(1, 100_000), house.fund(3, 50_000)]);
  await house.ready('TS 7H 9H TD 7D 8C');
  await house.deal({ 1: 10_000, 3: 20_000 });
  house.passDeadline();
  await house.do(house.act(1, 'stand'));
  await house.do(house.act(3, 'stand'));
  await house.draw();
  house.passDeadline();
  await house.fund(1, 10_000);
  await house.do({ type: 'close-round' });
  await house.do({ type: 'open-betting' });
  await house.do(house.bet(1, 30_000));
  await house.do({ type: 'void-round', reason: 'supervisor', credential: CREDENTIAL.supervisor });
  await house.until('nothing to read', () => house.step === 'close-round');
  await house.do({ type: 'close-round' });
  await house.do({ type: 'enter-service', credential: CREDENTIAL.technician });

  const { devices } = await table.query({ query: 'devices' });
  assert.deepEqual(
    devices.map(({ view }) => view.id),
    [1, 2, 3, 4, 5, 6].map((number) => `acceptor-${number}`).concat('shoe'),
  );
  for (const { identity, frames, view } of devices) {
    assert.ok(identity && identity.firmware !== '', `${view.id} says what it is`);
    assert.ok(view.simulated);
    assert.ok(frames.some(({ direction }) => direction === 'in'));
    assert.ok(frames.some(({ direction }) => direction === 'out'));
    // ID-003 frames begin with FC; times are those of the wall clock.
    if (view.kind === 'bill-acceptor') assert.ok(frames.every(({ hex }) => hex.startsWith('fc')));
    assert.ok(frames.every(({ atMs }) => Math.abs(Date.now() - atMs) < 3_600_000));
  }

  assert.deepEqual(valuesOf((await table.query(NOW)).meters), foldOf(house));
  await house.do({ type: 'exit-service' });
  await house.do({ type: 'call-attendant', seat: 2, on: true });
  await house.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  const [first, second] = await Promise.all([table.query(NOW), table.query(NOW)]);
  assert.deepEqual(valuesOf(first.meters), foldOf(house), 'what is new is counted once');
  assert.deepEqual(second.meters, first.meters);

  const all = house.entries().toReversed();
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
  assert.equal(link.view.headSeq, house.headSeq);
  assert.match(link.terminalKey, /^\w{8,}/);

  await house.do({ type: 'run-self-test' });
  await house.until('the self-test', () => house.entries('self-test-run').length === 1);
  const software = await table.query({ query: 'software' });
  assert.equal(software.ledgerEntries, house.headSeq);
  assert.equal(software.node, process.versions.node);
  const checks = new Map(software.selfTest?.map(({ check, ok }) => [check, ok]));
  assert.deepEqual(
    ['ledger-chain', 'books', 'acceptor-1', 'shoe', 'centre'].map((check) => checks.get(check)),
    [true, true, true, true, true],
    'a terminal without a centre has nothing to fail there',
  );
  const run = house.last<{ person: { id: string }; failed: string[] }>('self-test-run');
  assert.equal(run.person.id, 'T-01');
  assert.deepEqual(
    run.failed,
    software.selfTest?.filter(({ ok }) => !ok).map(({ check }) => check),
  );
  await house.do({ type: 'exit-service' });
  await house.refused({ type: 'run-self-test' }, 'service');
});

test('a page that reads a long ledger gives way to the table', async (t) => {
  const house = await House.open(t);
  for (let i = 0; i < 1_200; i += 1) {
    house.host.terminal.submit({ type: 'call-attendant', seat: 1, on: i % 2 === 0 });
    // A host that answers nothing for seconds loses its displays.
    if (i % 100 === 0) await new Promise(setImmediate);
  }
  await house.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  const order: string[] = [];
  // The newest entries are counted as they come; a past second is looked up.
  const asOfMs = house.entries('attendant-called').at(-1)!.atMs;
  const then = house.entries().findLast(({ atMs }) => atMs <= asOfMs)!;
  await Promise.all([
    house.table.query({ ...NOW, asOfMs }).then(({ meters, asOf }) => {
      order.push('page');
      assert.equal(asOf.seq, then.seq);
      assert.deepEqual(valuesOf(meters).find(([code]) => code === 'attendant_calls')?.[1], 600);
      assert.equal(valuesOf(meters).find(([code]) => code === 'service_entries')?.[1], 0);
    }),
    house.do({ type: 'exit-service' }).then(() => order.push('command')),
  ]);
  assert.deepEqual(order, ['command', 'page']);
});

test('a session that nobody touches ends after a warning; only a hand where it was opened keeps it', async (t) => {
  const house = await House.open(t);
  const service = await house.display('service');
  const minutes = (count: number): void => {
    house.offsetMs += count * 60_000;
  };
  const warned = (warns: boolean): Promise<void> =>
    house.until(`a warning: ${warns}`, () => (house.view.service?.leavesAtMs !== undefined) === warns);
  await house.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  minutes(4.5);
  await warned(true);
  const leavesAtMs = house.view.service!.leavesAtMs! - house.now();
  assert.ok(leavesAtMs > 0 && leavesAtMs <= 30_000, `${leavesAtMs} ms`);
  const rude = await Rude.connect(house.host.ticketUrl('table', 10_000).url);
  rude.send('{"t":"touched"}');
  await warned(false);
  minutes(4.5);
  await warned(true);
  // Neither the questions that pages ask by themselves, nor another display, nor the clock on the wall is a hand.
  await house.table.query({ query: 'devices' });
  await house.send({ type: 'hide-recall' }, service);
  house.offsetMs += 3_600_000;
  house.clockJumpMs += 3_600_000;
  await house.table.query({ query: 'clock' });
  assert.ok(house.view.service?.leavesAtMs);
  await house.send({ type: 'hide-recall' });
  await warned(false);
  minutes(5);
  await house.until('nobody is in service', () => house.view.service === null);
  const left = house.last<{ why: string; person: { id: string } }>('service-left');
  assert.deepEqual([left.why, left.person.id], ['untouched', 'T-01']);
  rude.close();
  await house.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  await house.do({ type: 'exit-service' });
  assert.equal(house.last('service-left')['why'], undefined);
});

test('what was asked for and is still being made keeps the session open', async (t) => {
  const house = await House.open(t);
  await house.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  const { targets } = await house.table.query({ query: 'exports' });
  await house.do({ type: 'make-export', target: targets[0]!.path });
  house.offsetMs += 4.9 * 60_000;
  await house.until('the export is made', () => house.entries('export-made').length > 0);
  assert.ok(house.view.service);
  assert.equal(house.view.service.leavesAtMs, undefined, 'its time began with the end of the export');
});
