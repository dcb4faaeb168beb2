/** Which profile may come into force, and when. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEALER, profileWith, SUPERVISOR, TECHNICIAN, TestTable } from '../../test/support/table-kit.ts';
import { parseCard } from '../core/cards.ts';
import { checkProfile, tableInUse } from '../engine.ts';
import type { OptionValue, TableProfile } from './profile.ts';

const PORTUGAL = { rulebook: 'portugal-blackjack' } as const;
const JACKPOT = { stake: 100, increment: '1/2', pays: [{ combination: 'A4s', share: '1' }] };
const RECORD = {
  options: ['sideBets'],
  by: 'DICJ',
  reference: 'DICJ/123/2026',
  // A Monday, and the Friday of that week.
  requestedOn: '2026-11-16',
  effectiveOn: '2026-11-20',
};
const FRIDAY = Date.parse('2026-11-20T12:00:00+08:00');

const configure = (table: TestTable, profile: TableProfile, atMs?: number) =>
  table.try({ type: 'configure', profile, person: TECHNICIAN, ...(atMs === undefined ? {} : { atMs }) });

/** Why another profile does not come into force on this table now. */
const refusal = (table: TestTable): string => {
  const refused = configure(table, profileWith({ decks: 8 }));
  assert.equal(tableInUse(table.state) === null, refused === null);
  return refused ? [refused.code, ...refused.cites, refused.detail].join(' ') : 'taken';
};

test('art. 21 a choice is switched on with its record and not without, one sentence and article for each', () => {
  const bets = ['anyPair', 'sevens', 'over13', 'under13', 'perfectPair'];
  const profile = (
    options: Record<string, OptionValue>,
    ...authorisations: (typeof RECORD)[]
  ): TableProfile => profileWith(options, { authorisations });
  const table = new TestTable();
  assert.deepEqual(configure(table, profile({ sideBets: bets, decks: 8 }), FRIDAY), {
    ok: false,
    code: 'off',
    cites: ['art.21.1', 'art.21.3'],
    detail: 'decks: no record of an authorisation; sideBets.perfectPair: no record of an authorisation',
  });
  const early = { ...RECORD, effectiveOn: '2026-11-19' };
  assert.equal(
    configure(table, profile({ sideBets: bets }, early), FRIDAY)?.detail,
    'sideBets.perfectPair: asked for 2 working days before it takes effect, 3 are due (DICJ/123/2026)',
  );
  const thursday = FRIDAY - 86_400_000;
  assert.equal(
    configure(table, profile({ sideBets: bets }, RECORD), thursday)?.detail,
    'sideBets.perfectPair: takes effect on 2026-11-20 (DICJ/123/2026)',
  );
  assert.equal(table.state.profile, null, 'nothing has changed');
  assert.equal(configure(table, profile({ sideBets: bets }, RECORD), FRIDAY), null);
  const [event] = table.events;
  assert.ok(event?.type === 'table-configured');
  assert.deepEqual(
    event.profile.authorisations,
    [RECORD],
    'who granted it, when and how stands in the entry',
  );
  assert.deepEqual(event.person, TECHNICIAN);
});

test('art. 1.1 the seats of the table are a choice as well', () => {
  const checked = checkProfile(profileWith({}, { seatCount: 6, authorisations: [] }), FRIDAY);
  assert.deepEqual(
    checked.ok ? [] : checked.problems.map(({ place, article, why }) => [place, article, why]),
    [['seats', 'art.21.1', 'no-record']],
  );
});

test('a profile in force stays what it is when its records would not do any more', () => {
  const table = TestTable.ready({ decks: 8 });
  assert.equal(configure(table, table.state.profile!), null);
  assert.equal(table.events.filter(({ type }) => type === 'table-configured').length, 1);
});

test('art. 21 an authorisation that ends or is revoked stops the bets, on its day and not before', () => {
  const at = (day: string): number => Date.parse(`${day}T12:00:00+08:00`);
  const bets = ['anyPair', 'sevens', 'over13', 'under13', 'perfectPair'];
  const with_ = (end: object): TableProfile =>
    profileWith({ sideBets: bets }, { authorisations: [{ ...RECORD, ...end }] });
  const table = new TestTable();
  assert.equal(configure(table, with_({ untilOn: '2026-11-30' }), FRIDAY), null);
  table.must({ type: 'sign-in-dealer', person: DEALER, atMs: FRIDAY });
  table.shoe();
  const open = (day: string) => {
    const outcome = table.try({ type: 'open-betting', roundId: `r${day}`, atMs: at(day) });
    return outcome && [outcome.code, ...outcome.cites, outcome.detail].join(' ');
  };
  assert.equal(open('2026-12-01'), 'off art.21.3 sideBets.perfectPair: ended on 2026-11-30 (DICJ/123/2026)');
  // The revocation reaches the table although it leaves the choice without a record.
  const revoked = with_({ revokedOn: '2026-11-25' });
  assert.equal(configure(table, revoked, at('2026-11-26')), null);
  const [last] = table.events.filter(({ type }) => type === 'table-configured').slice(-1);
  assert.ok(last?.type === 'table-configured');
  assert.deepEqual(
    last.changes?.map(({ place }) => place),
    ['authorisations'],
  );
  // With anything else beside it, it is a table that may not be.
  const other = { ...revoked, tableName: 'Other' };
  assert.equal(configure(table, other, at('2026-11-26'))?.code, 'off');
  assert.equal(configure(new TestTable(), revoked, at('2026-11-26'))?.code, 'off');
});

test('a switch waits until nobody has anything at the table', () => {
  const table = TestTable.ready({}, {}, 0);
  const note = { currency: 'MOP', valueMinor: 10_000 };
  table.must({ type: 'hear-acceptor', acceptor: 1, word: 'escrow', noteId: 'x', note });
  assert.equal(refusal(table), 'not-allowed a note is on its way (seat 1)');
  table.must({ type: 'hear-acceptor', acceptor: 1, word: 'credited', note });
  assert.equal(refusal(table), 'not-allowed there is credit (seat 1)');
  table.bets({ 1: 10_000 });
  assert.equal(refusal(table), 'not-allowed a round is on the table');
  table.draw('TS 9H 9C');
  table.wait();
  table.act(1, 'stand');
  table.draw('8C');
  table.close();
  table.must({ type: 'request-cash-out', seat: 1, requestId: 'c' });
  assert.equal(refusal(table), 'not-allowed a cash-out waits (seat 1)');
  table.must({ type: 'confirm-hand-pay', seat: 1, requestId: 'c', person: SUPERVISOR, second: null });
  table.must({ type: 'hear-acceptor', acceptor: 3, word: 'escrow', noteId: 'y', note });
  table.must({ type: 'hear-acceptor', acceptor: 3, word: 'idle' });
  assert.equal(refusal(table), 'not-allowed a note is held (seat 3)');
  table.must({
    type: 'resolve-held-note',
    caseNo: 1,
    outcome: 'unclaimed',
    reason: 'owner-unknown',
    words: '',
    person: SUPERVISOR,
    second: null,
  });
  table.must({ type: 'draw-card', drawNo: null, card: parseCard('9H')!, confidence: 255 });
  assert.equal(refusal(table), 'held the table is held');
  table.must({ type: 'set-card-aside', person: DEALER });
  assert.equal(refusal(table), 'taken');
  assert.equal(table.state.shoe.stage, 'none', 'the new table begins with a shoe of its own');
});

test('the table knows whose choice it is, and over which table of the terminal file', () => {
  const table = new TestTable();
  const [first, second, third] = [6, 8, 4].map((decks) => profileWith({ decks }));
  const chosen = (profile: TableProfile, person: typeof TECHNICIAN | null): unknown => {
    table.must({ type: 'configure', profile, person });
    return table.state.choice;
  };
  assert.equal(chosen(first!, null), null);
  assert.deepEqual(chosen(second!, TECHNICIAN), { person: TECHNICIAN, atMs: table.atMs, over: first });
  assert.deepEqual(chosen(third!, SUPERVISOR), { person: SUPERVISOR, atMs: table.atMs, over: first });
  assert.deepEqual(chosen(first!, SUPERVISOR), { person: SUPERVISOR, atMs: table.atMs, over: first });
  assert.equal(chosen(second!, null), null);
  table.checkReplay();
});

test('r.61 a complaint is answered under the rules it was raised by', () => {
  const table = TestTable.ready({ cardSource: 'autoShuffler' }, PORTUGAL);
  table.bets({ 1: 1_000 });
  table.draw('TS 9H 9C 8C');
  table.wait();
  table.act(1, 'stand');
  table.must({ type: 'raise-complaint', seat: 1 });
  table.close();
  for (const { seat } of table.state.seats) {
    table.must({ type: 'request-cash-out', seat, requestId: `c${seat}` });
    table.must({ type: 'confirm-hand-pay', seat, requestId: `c${seat}`, person: SUPERVISOR, second: null });
  }
  assert.equal(refusal(table), 'not-allowed r.61 a complaint is open (seat 1)');
  table.must({ type: 'close-complaint', complaintNo: 1, upheld: false, person: SUPERVISOR });
  assert.equal(refusal(table), 'taken');
});

test('r.44 a meter that stands is kept to the last avo: through games without it, under smaller stakes and other starts', () => {
  const meter = (table: TestTable): unknown => table.state.jackpots[0]?.meterMinor;
  const table = TestTable.ready({ jackpot: JACKPOT }, PORTUGAL, 0);
  table.insert(1, 10_000);
  table.open();
  table.bet(1, 1_000);
  table.bet(1, 100, 1, 'jackpot');
  table.must({ type: 'close-betting' });
  table.draw('TS TH 7D 9C');
  table.wait();
  table.act(1, 'stand');
  table.close();
  table.must({ type: 'request-cash-out', seat: 1, requestId: 'c' });
  table.must({ type: 'confirm-hand-pay', seat: 1, requestId: 'c', person: SUPERVISOR, second: null });
  assert.equal(meter(table), 1_000_050);
  const others: [Record<string, OptionValue>, Partial<TableProfile>][] = [
    [{}, {}],
    [{}, { rulebook: 'macau-baccarat' }],
    [{}, PORTUGAL],
    [{ jackpot: { ...JACKPOT, stake: 50, seed: 9_000_000 } }, PORTUGAL],
    [{ jackpot: JACKPOT }, PORTUGAL],
  ];
  for (const [options, changes] of others) {
    assert.equal(configure(table, profileWith(options, changes)), null);
    assert.equal(meter(table), 1_000_050);
    assert.equal(table.balances.get('jackpot'), -1_000_050, 'its account says the same');
  }
  table.checkReplay();
});
