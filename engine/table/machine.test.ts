/** People and the machine: who signs in, service, faults, and another profile for the table. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ATTENDANT,
  DEALER,
  profileWith,
  SUPERVISOR,
  TECHNICIAN,
  TestTable,
  type TimelessInput,
} from '../../test/support/table-kit.ts';
import { tableInUse } from '../engine.ts';
import type { Person } from './inputs.ts';
import type { TableProfile } from './profile.ts';

const PORTUGAL = { rulebook: 'portugal-blackjack' } as const;
const configure = (table: TestTable, profile: TableProfile, more: object = {}) =>
  table.try({ type: 'configure', profile, person: TECHNICIAN, ...more });
/** Code, articles and words of a refusal; null = it was done. */
const told = (table: TestTable, input: TimelessInput): string | null => {
  const refused = table.try(input);
  return refused && [refused.code, ...refused.cites, refused.detail].filter(Boolean).join(' ');
};
const last = (table: TestTable): Readonly<Record<string, unknown>> => {
  const { atMs: _, ...event } = table.events.at(-1)!;
  return event;
};
const count = (table: TestTable, type: string): number =>
  table.events.filter((event) => event.type === type).length;

test('art. 21 only the end of a record reaches a table that it leaves without one', () => {
  const record = {
    options: ['sideBets'],
    by: 'DICJ',
    reference: 'DICJ/1/2026',
    requestedOn: '2026-11-16',
    effectiveOn: '2026-11-20',
  };
  const friday = Date.parse('2026-11-20T12:00:00+08:00');
  const sideBets = ['anyPair', 'sevens', 'over13', 'under13', 'perfectPair'];
  const then = (atMs: number, ...authorisations: object[]): string | null => {
    const table = new TestTable();
    const profile = profileWith({ sideBets }, { authorisations: [record] });
    table.must({ type: 'configure', profile, person: null, atMs: friday });
    const { rules } = table.state;
    const other = { ...profile, authorisations: authorisations as (typeof record)[] };
    const refused = told(table, { type: 'configure', profile: other, person: null, atMs });
    assert.deepEqual(table.state.rules, rules, 'its rules stay');
    assert.deepEqual(table.state.profile, refused === null ? other : profile);
    return refused;
  };
  assert.equal(then(friday, { ...record, untilOn: '2026-11-20' }), null, 'it still runs');
  const later = friday + 10 * 86_400_000;
  assert.equal(then(later, { ...record, untilOn: '2026-11-25' }), null);
  assert.equal(then(later, { ...record, revokedOn: '2026-11-25' }), null);
  assert.equal(then(later), 'off art.21.3 sideBets.perfectPair: no record of an authorisation');
  assert.match(then(friday, { ...record, effectiveOn: '2026-12-15' }) ?? '', /takes effect on/);
});

test('a profile that cannot be rests on no article where none says so', () => {
  const table = new TestTable();
  const profile = profileWith({}, { tableName: '' });
  assert.equal(
    told(table, { type: 'configure', profile, person: null }),
    'malformed terminalId, tableName: empty',
  );
  assert.deepEqual(configure(table, profile)?.cites, []);
});

test('the entry of another profile says who entered it with whom, why, and what is another thing now', () => {
  const table = new TestTable();
  const second = SUPERVISOR;
  assert.equal(configure(table, profileWith({ decks: 8 })), null);
  assert.deepEqual(Object.keys(last(table)).sort(), ['person', 'profile', 'rules', 'type']);
  assert.equal(configure(table, profileWith({ decks: 6 }), { second, reason: 'worn' }), null);
  const { second: by, reason, changes } = last(table);
  assert.deepEqual([by, reason, changes], [second, 'worn', [{ place: 'options.decks', from: 8, to: 6 }]]);
});

test('a refused profile cites the article on complaints only where a complaint stands in its way', () => {
  const table = TestTable.ready({}, PORTUGAL);
  assert.deepEqual(configure(table, profileWith())?.cites, []);
  assert.equal(tableInUse(table.state)?.why, 'credit');
});

test('art. 13.5 stakes of an open series keep another profile out before the credit does', () => {
  const table = TestTable.ready({ sideBets: ['streak2'] });
  table.winWithStreak();
  assert.deepEqual(tableInUse(table.state), { why: 'streak', seat: 1 });
  assert.equal(configure(table, profileWith({ decks: 8 }))?.detail, 'streak bets are open (seat 1)');
});

test('under the law of another country the seats are greeted in its language, those that speak it already are not', () => {
  const table = new TestTable();
  configure(table, profileWith());
  const greeted = () =>
    table.events.flatMap((event) =>
      event.type === 'language-set' ? [`${event.seat} ${event.language}`] : [],
    );
  assert.deepEqual(greeted(), []);
  table.must({ type: 'set-language', seat: 2, language: 'pt' });
  configure(table, profileWith({}, { ...PORTUGAL, seatCount: 7 }));
  assert.deepEqual(greeted(), ['2 pt', '1 pt', '3 pt', '4 pt', '5 pt', '6 pt', '7 pt']);
  table.must({ type: 'set-language', seat: 1, language: 'en' });
  configure(table, profileWith({}, { ...PORTUGAL, tableName: 'Other' }));
  assert.equal(table.state.seats[0]!.language, 'en', 'the same law: everybody reads on');
});

test('dealers and supervisors sign in, one after the other, at a table that has a profile; not out of a round', () => {
  const table = new TestTable();
  const signIn = (person: Person) => told(table, { type: 'sign-in-dealer', person });
  assert.equal(signIn(DEALER), 'not-due the table has no profile');
  configure(table, profileWith());
  assert.equal(told(table, { type: 'sign-out-dealer' }), 'no-dealer');
  for (const person of [ATTENDANT, TECHNICIAN]) assert.equal(signIn(person), 'person');
  assert.equal(signIn(DEALER), null);
  assert.deepEqual(last(table), { type: 'dealer-signed-in', person: DEALER });
  assert.equal(signIn(DEALER), 'duplicate signed in already');
  assert.equal(signIn(SUPERVISOR), null);
  assert.deepEqual(last(table), { type: 'dealer-signed-in', person: SUPERVISOR, relieves: DEALER });
  assert.equal(told(table, { type: 'sign-out-dealer' }), null);
  assert.equal(table.state.phase, 'closed');

  const ready = TestTable.ready();
  ready.open();
  assert.equal(told(ready, { type: 'sign-out-dealer' }), 'not-allowed a round is on the table');
});

test('an unknown seat is refused, and a setting that changes nothing makes no entry', () => {
  const table = TestTable.ready({}, {}, 0);
  const events = table.events.length;
  for (const seat of [0, 8]) {
    assert.equal(told(table, { type: 'set-language', seat, language: 'en' }), 'unknown-seat');
    assert.equal(told(table, { type: 'call-attendant', seat, on: true }), 'unknown-seat');
  }
  assert.equal(told(table, { type: 'set-language', seat: 1, language: 'zh-Hant' }), null);
  assert.equal(told(table, { type: 'call-attendant', seat: 1, on: false }), null);
  assert.equal(table.events.length, events);
  table.must({ type: 'set-language', seat: 1, language: 'en' });
  table.must({ type: 'call-attendant', seat: 1, on: true });
  assert.equal(table.events.length, events + 2);
  const { language, callsAttendant } = table.state.seats[0]!;
  assert.deepEqual([language, callsAttendant], ['en', true]);
});

test('service is entered once and left once, and the entry says whether it was for want of a touch', () => {
  const table = TestTable.ready();
  const enter = { type: 'enter-service', person: TECHNICIAN } as const;
  assert.equal(told(table, { type: 'exit-service' }), 'nothing-to-do');
  table.must(enter);
  assert.equal(told(table, enter), 'not-allowed service is open already');
  table.must({ type: 'exit-service', why: 'untouched' });
  assert.deepEqual(last(table), { type: 'service-left', person: TECHNICIAN, why: 'untouched' });
  table.must(enter);
  table.must({ type: 'exit-service' });
  assert.deepEqual(last(table), { type: 'service-left', person: TECHNICIAN });
});

test('a terminal that starts twice in a round holds it once', () => {
  const table = TestTable.ready();
  const since = () => table.state.hold?.sinceMs;
  const start = { type: 'start-terminal', bootId: 'b', softwareId: 's' } as const;
  table.must(start);
  assert.equal(since(), undefined, 'no round');
  table.bets({ 1: 1_000 });
  table.must(start);
  const first = since();
  table.must(start);
  assert.deepEqual([count(table, 'table-held'), since()], [1, first]);
});

test('a fault is reported once for each device and kind, with what it stops where it says so', () => {
  const table = TestTable.ready();
  const report = (device: string, fault: string, more: object = {}) =>
    told(table, { type: 'report-fault', device, fault, place: 'p', ...more });
  assert.equal(report('printer', 'paper'), null);
  assert.deepEqual(last(table), { type: 'fault-reported', device: 'printer', fault: 'paper', place: 'p' });
  assert.equal(report('printer', 'paper'), 'duplicate reported already');
  assert.equal(report('printer', 'jam', { stops: [3] }), null);
  assert.deepEqual(last(table)['stops'], [3]);
  assert.equal(report('printer-2', 'paper'), null);
  assert.equal(table.state.faults.length, 3);

  const clear = (device: string, fault: string, more: object = {}) =>
    told(table, { type: 'clear-fault', device, fault, ...more });
  assert.equal(clear('printer-2', 'jam'), 'nothing-to-do no such fault');
  assert.equal(clear('printer-3', 'paper'), 'nothing-to-do no such fault');
  assert.equal(clear('printer', 'paper'), null);
  assert.equal('persons' in last(table), false);
  const persons = [SUPERVISOR, TECHNICIAN];
  assert.equal(clear('printer', 'jam', { persons }), null);
  assert.deepEqual(last(table)['persons'], persons);
});

test('r.51 a jam is one of the shuffler, of a shuffler whose jam a regulation knows, and one at a time', () => {
  const jams = (
    options: Readonly<Record<string, string>>,
    changes: Partial<TableProfile>,
    ...faults: readonly (readonly [string, string])[]
  ): number => {
    const table = TestTable.ready(options, changes);
    for (const [device, fault] of faults) table.must({ type: 'report-fault', device, fault, place: '' });
    return count(table, 'shuffler-jammed');
  };
  const shuffler = { cardSource: 'autoShuffler' };
  assert.equal(jams(shuffler, PORTUGAL, ['shoe', 'shoe-jam']), 1);
  assert.equal(jams(shuffler, PORTUGAL, ['shoe', 'shoe-jam'], ['shoe-2', 'shoe-jam']), 1);
  assert.equal(jams(shuffler, PORTUGAL, ['shoe', 'shoe-open']), 0);
  assert.equal(jams(shuffler, PORTUGAL, ['printer', 'shoe-jam']), 0);
  assert.equal(jams({}, PORTUGAL, ['shoe', 'shoe-jam']), 0);
});

test('a table held by its books goes on when they agree, and not on a word', () => {
  const table = TestTable.ready();
  const books = { device: 'books', fault: 'stake' } as const;
  table.must({ type: 'report-fault', ...books, place: 'ledger' });
  const confirm = { type: 'confirm-layout', person: SUPERVISOR } as const;
  assert.equal(told(table, confirm), 'held the books still do not agree');
  table.must({ type: 'clear-fault', ...books });
  assert.equal(told(table, confirm), null);
  assert.equal(told(table, confirm), 'not-due');
});
