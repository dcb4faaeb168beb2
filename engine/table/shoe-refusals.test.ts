/** Why a step of a shoe is refused, one condition at a time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { say } from '../../test/support/spoken-round.ts';
import {
  DEALER,
  profileWith,
  SUPERVISOR,
  TECHNICIAN,
  TestTable,
  type TimelessInput,
} from '../../test/support/table-kit.ts';
import { parseCard } from '../core/cards.ts';
import type { OptionValue, RulebookId } from './profile.ts';

const PT = 'portugal-blackjack';
const M09 = 'macau-blackjack-2009';

/** A table whose shoe has not been loaded. */
function bare(
  rulebook: RulebookId,
  options: Readonly<Record<string, OptionValue>> = {},
  isSignedIn = true,
): TestTable {
  const table = new TestTable();
  table.must({ type: 'configure', profile: profileWith(options, { rulebook }), person: null });
  if (isSignedIn) table.must({ type: 'sign-in-dealer', person: DEALER });
  return table;
}
const load = (shoeId = 's'): TimelessInput => ({ type: 'load-shoe', shoeId, decks: 6 });
const codes = (table: TestTable, ...inputs: TimelessInput[]): (string | null)[] =>
  inputs.map((input) => table.try(input)?.code ?? null);

test('nothing is done to a shoe while no dealer is at the table', () => {
  const table = bare(PT, { cardSource: 'continuousShuffler' }, false);
  const person = SUPERVISOR;
  const refused = codes(
    table,
    { type: 'check-decks', person },
    load(),
    { type: 'witness-loading', person },
    { type: 'load-packet', last: true, person },
    { type: 'refuse-cut', seat: 1 },
    { type: 'cut-shoe', seat: null, person },
    { type: 'place-end-card', cardsBehind: 60 },
    { type: 'lay-out-cards', person },
    { type: 'count-cards', left: 0, discarded: 0, person },
    { type: 'order-decks', regular: true, person },
    { type: 'replace-cards', what: 'deck', person },
    { type: 'feed-shuffler' },
  );
  assert.deepEqual(new Set(refused), new Set(['no-dealer']));
});

test('arts. 2.1.1, 2.1.2: each step has its stage, and numbers that can be', () => {
  const table = bare(M09);
  const packet: TimelessInput = { type: 'load-packet', last: true, person: SUPERVISOR };
  const end = (cardsBehind: number): TimelessInput => ({ type: 'place-end-card', cardsBehind });
  const cut = (seat: number | null): TimelessInput => ({ type: 'cut-shoe', seat, person: DEALER });
  const out: TimelessInput = { type: 'end-card-out' };
  assert.deepEqual(codes(table, load(''), packet, end(60), cut(null), out), [
    'malformed',
    ...Array.from({ length: 4 }, () => 'not-due'),
  ]);
  table.must(load());
  assert.deepEqual(codes(table, end(60), cut(9), cut(null)), ['not-due', 'unknown-seat', null]);
  const wrong = [59, 60.5, 312].map((cardsBehind) => end(cardsBehind));
  assert.deepEqual(codes(table, ...wrong, end(60)), ['out-of-range', 'out-of-range', 'out-of-range', null]);
  assert.equal(table.state.shoe.stage, 'burn');
  assert.deepEqual(codes(table, out, out), [null, 'not-due'], 'it may come out while cards are burnt');
  table.insert(1, 100_000);
  table.draw('AD');
  table.bets({ 1: 1_000 });
  say(table, 'TS 9H 9D wait 1:stand 8C');
  table.close();
  assert.equal(table.state.shoe.stage, 'none');
  assert.deepEqual(table.try(out)?.cites, ['art.2.1.1'], 'with the shoe its white card is gone');
  const single = TestTable.ready({ decks: 1 });
  assert.deepEqual(single.try(out)?.cites, ['art.2.1.1'], 'one deck has no second white card');
});

test('arts. 5.1.2, 2.2.2: a shoe held by a card of its own may be exchanged, and no other hold ends so', () => {
  const burning = (): TestTable => {
    const table = bare(M09);
    for (const input of [load(), { type: 'cut-shoe', seat: null, person: DEALER }] as const)
      table.must(input);
    table.must({ type: 'place-end-card', cardsBehind: 60 });
    return table;
  };
  const doubtful = burning();
  doubtful.tryDraw('5C', null, 10);
  const gap = burning();
  gap.must({ type: 'draw-card', drawNo: null, card: null, confidence: 0 });
  const unexpected = TestTable.ready();
  unexpected.draw('5C');
  for (const [table, code] of [
    [doubtful, 'doubtful-card'],
    [gap, 'card-gap'],
    [unexpected, 'unexpected-card'],
  ] as const) {
    assert.equal(table.state.hold?.code, code);
    assert.deepEqual(codes(table, load('s2')), [null], code);
    assert.deepEqual([table.state.hold, table.state.shoe.waiting], [null, []]);
  }
  // A fault of another device is none of the shoe's, whatever its name.
  const books = TestTable.ready();
  books.must({ type: 'report-fault', device: 'display', fault: 'shoe-empty', place: '' });
  assert.deepEqual(codes(books, load('s1')), [null]);
  assert.equal(books.state.faults.length, 1);
  books.must({ type: 'report-fault', device: 'books', fault: 'books-differ', place: '' });
  assert.deepEqual(codes(books, load('s2')), ['held']);
});

test('r.7, r.55: cards are shown and put in order by dealer or supervisor, and by nobody else', () => {
  const check = (person: typeof DEALER): TimelessInput => ({ type: 'check-decks', person });
  assert.deepEqual(codes(bare(PT), check(TECHNICIAN), check(SUPERVISOR), check(DEALER)), [
    'person',
    null,
    'nothing-to-do',
  ]);
  assert.deepEqual(codes(bare(M09), check(DEALER)), ['off']);
  assert.deepEqual(codes(bare(M09), { type: 'order-decks', regular: true, person: DEALER }), ['off']);
  const replace: TimelessInput = { type: 'replace-cards', what: 'deck', person: SUPERVISOR };
  assert.deepEqual(codes(bare('macau-casino-war'), replace), ['off']);
});

test('C10: a count is a whole number of cards that decks can have', () => {
  const table = TestTable.ready({}, { countCards: true });
  for (const { shoe } of [table.state, table.replayed]) shoe.toCount = { left: 0, discarded: 624 };
  const count = (left: number, discarded: number): string | null =>
    table.try({ type: 'count-cards', left, discarded, person: DEALER })?.code ?? null;
  for (const wrong of [-1, 0.5, 625]) assert.equal(count(0, wrong), 'malformed', String(wrong));
  assert.equal(count(1, 624), 'person', 'not as many as must be');
  assert.equal(count(0, 624), null);
});

test('r.7, r.55: a count that is not whole is a supervisor’s, who names the cards it is out by', () => {
  const card = parseCard('5C')!;
  const table = TestTable.ready({}, { countCards: true });
  for (const { shoe } of [table.state, table.replayed]) shoe.toCount = { left: 0, discarded: 312 };
  const count = (person: typeof DEALER, left: number, discarded: number, named: object = {}): string => {
    const refused = table.try({ type: 'count-cards', left, discarded, person, ...named });
    return refused ? `${refused.code} ${refused.detail}` : 'ok';
  };
  const bySupervisor = 'person not as many as must be: supervisor';
  for (const [left, discarded, named] of [
    [0, 311, {}],
    [1, 312, {}],
    [0, 312, { missing: [card] }],
    [0, 312, { extra: [card] }],
  ] as const)
    assert.equal(count(DEALER, left, discarded, named), bySupervisor);
  assert.equal(count(TECHNICIAN, 0, 312), 'person dealer or supervisor');
  assert.equal(count(SUPERVISOR, 0, 311), 'unnamed-cards 1 missing');
  assert.equal(count(SUPERVISOR, 1, 312), 'unnamed-cards 1 too many');
  assert.equal(count(SUPERVISOR, 0, 312, { extra: [card] }), 'unnamed-cards 0 too many');
  assert.equal(count(SUPERVISOR, 1, 312, { extra: [card] }), 'ok');
  const told = table.events.at(-1);
  assert.ok(told?.type === 'cards-counted' && told.missing === undefined);
  assert.deepEqual(told.extra, [card]);
});

test('r.12, r.55: a shoe is laid out between rounds, unheld and without a complaint, by whom the house wants', () => {
  const layOut: TimelessInput = { type: 'lay-out-cards', person: DEALER };
  const ready = (): TestTable => TestTable.ready({}, { rulebook: PT, countCards: true });
  const held = ready();
  held.must({ type: 'report-fault', device: 'books', fault: 'books-differ', place: '' });
  assert.deepEqual(codes(held, layOut), ['held']);
  const table = ready();
  table.bets({ 1: 1_000 });
  table.draw('TS 7H 9D TC');
  table.wait();
  table.act(1, 'stand');
  table.close();
  table.must({ type: 'raise-complaint', seat: 1 });
  assert.deepEqual(codes(table, layOut), ['not-allowed']);
  const { complaintNo } = table.state.complaints[0]!;
  table.must({ type: 'close-complaint', complaintNo, upheld: false, person: SUPERVISOR });
  const { decks, drawn, discarded } = table.state.shoe;
  assert.deepEqual(codes(table, layOut), [null]);
  assert.deepEqual(table.state.shoe.toCount, { left: decks * 52 - drawn, discarded });
  assert.deepEqual(table.try({ type: 'end-card-out' })?.cites, ['r.8'], 'its white card is gone with it');

  const supervised = new TestTable();
  const profile = profileWith({}, { rulebook: PT, supervisedShoe: true });
  supervised.must({ type: 'configure', profile, person: null });
  supervised.must({ type: 'sign-in-dealer', person: DEALER });
  supervised.must({ type: 'check-decks', person: DEALER });
  supervised.must(load());
  supervised.must({ type: 'witness-loading', person: SUPERVISOR });
  const refused = supervised.try(layOut);
  assert.deepEqual([refused?.code, refused?.cites], ['person', []], 'no article asks for one');

  const shuffler = TestTable.ready({ cardSource: 'autoShuffler' }, { rulebook: PT });
  for (const { shoe } of [shuffler.state, shuffler.replayed]) shoe.toOrder = 'due';
  const order = (person: typeof DEALER): TimelessInput => ({ type: 'order-decks', regular: true, person });
  assert.deepEqual(codes(shuffler, order(TECHNICIAN), order(SUPERVISOR)), ['person', null]);
});

test('r.8: the order to cut starts afresh where there is one, and somebody has cut', () => {
  const restarted = (rulebook: RulebookId, seat: number | null): boolean => {
    const table = bare(rulebook);
    if (seat !== null) table.insert(seat, 100_000);
    if (rulebook === PT) table.must({ type: 'check-decks', person: DEALER });
    table.must(load());
    table.must({ type: 'cut-shoe', seat, person: SUPERVISOR });
    table.must({ type: 'place-end-card', cardsBehind: rulebook === M09 ? 60 : seat === null ? 50 : 156 });
    table.draw('AD');
    table.open();
    table.must({ type: 'close-betting' });
    return table.events.some(({ type }) => type === 'cut-order-restarted');
  };
  assert.deepEqual([restarted(PT, 2), restarted(PT, null), restarted(M09, 2)], [true, false, false]);
});

test('r.51, r.59: what is regulated of a shuffler is so in Portugal alone', () => {
  const jam: TimelessInput = { type: 'report-fault', device: 'shoe', fault: 'shoe-jam', place: '' };
  const jammed = (table: TestTable): boolean => {
    table.must(jam);
    return table.state.shoe.jam !== null;
  };
  const shuffler = { cardSource: 'autoShuffler' } as const;
  assert.ok(jammed(TestTable.ready(shuffler, { rulebook: PT })));
  assert.ok(!jammed(TestTable.ready(shuffler)));
  assert.ok(!jammed(new TestTable()), 'nor before there is a profile');
  // It takes its cards back by itself: few that are left keep no round.
  const macau = TestTable.ready(shuffler);
  for (const { shoe } of [macau.state, macau.replayed]) shoe.drawn = 310;
  macau.open();
  assert.equal(macau.state.phase, 'betting');
  const fed = TestTable.ready({ cardSource: 'continuousShuffler' }, { rulebook: PT });
  for (const { shoe } of [fed.state, fed.replayed]) shoe.discarded = 6;
  fed.open();
  assert.deepEqual(codes(fed, { type: 'feed-shuffler' }), ['not-due']);
  fed.must({ type: 'report-fault', device: 'books', fault: 'books-differ', place: '' });
  assert.deepEqual(codes(fed, { type: 'feed-shuffler' }), ['held']);
});

test('r.5: a card is named where one is replaced', () => {
  const table = TestTable.ready({ deckReplacement: 'damagedOnly' }, { rulebook: PT });
  const card = parseCard('5C')!;
  const replace = (what: 'card' | 'deck', more: { card?: typeof card }): string | null =>
    table.try({ type: 'replace-cards', what, ...more, person: SUPERVISOR })?.code ?? null;
  assert.deepEqual([replace('deck', { card }), replace('card', { card })], ['malformed', null]);
  const told = table.events.at(-1);
  assert.ok(told?.type === 'cards-replaced' && told.card === card && told.toReport === undefined);
  assert.equal(replace('card', {}), null);
  assert.ok(!('card' in table.events.at(-1)!));
});
