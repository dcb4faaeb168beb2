/**
 * What an entry says of itself under conditions: its codes, and what it changes where a field of
 * it, or of the table, is one thing or the other.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { play } from '../../test/support/spoken-round.ts';
import { ATTENDANT, DEALER, SUPERVISOR, TECHNICIAN, TestTable } from '../../test/support/table-kit.ts';
import { postingsOf } from '../accounting/postings.ts';
import { cardName, parseCard } from '../core/cards.ts';
import { evolve } from '../engine.ts';
import type { CodeRule } from './event-row.ts';
import type { TableEvent } from './events.ts';
import { rowOf } from './registry.ts';

/** An entry with the fields that matter here. */
type Said = { readonly type: string } & Readonly<Record<string, unknown>>;
const entry = (said: Said): TableEvent => ({ atMs: 2_000_000, ...said }) as unknown as TableEvent;

/** The codes this entry has. */
function codesOf(said: Said): string {
  const codes = rowOf(said.type)!.codes as readonly CodeRule<unknown>[];
  return codes
    .flatMap((rule) => (typeof rule === 'string' ? [rule] : rule.when(said) ? [rule.code] : []))
    .join(' ');
}

const [TS, KH] = [parseCard('TS')!, parseCard('KH')!];
const waiting = (...whys: readonly string[]) => ({
  type: 'cards-waiting',
  waiting: whys.map((why) => ({ why })),
});
const counted = (more: object) => ({
  type: 'cards-counted',
  left: 60,
  discarded: 252,
  due: { left: 60, discarded: 252 },
  ...more,
});
const configured = (changes?: readonly string[]) => ({
  type: 'table-configured',
  ...(changes ? { changes: changes.map((place) => ({ place })) } : {}),
});
const AUDITOR = { ...ATTENDANT, role: 'auditor' };

/** entry · its codes */
const CODES: readonly (readonly [Said, string])[] = [
  [{ type: 'note-refused', why: 'limit' }, '322'],
  [{ type: 'note-refused', why: 'currency' }, '304'],
  [waiting('doubtful'), '405'],
  [waiting('known', 'doubtful'), '405'],
  [waiting('gap'), '411'],
  [waiting('gap', 'doubtful'), '405 411'],
  [waiting('known', 'known'), '412'],
  [{ type: 'card-confirmed', read: TS, card: TS }, '405C'],
  [{ type: 'card-confirmed', read: KH, card: TS }, '407'],
  [{ type: 'card-confirmed', read: null, card: TS }, '408'],
  [{ type: 'card-burned', why: 'start' }, '404'],
  [{ type: 'card-burned', why: 'exposed' }, '404 414'],
  [{ type: 'card-burned', why: 'set-aside' }, '404 412'],
  [{ type: 'card-burned', why: 'misdrawn' }, '404 412'],
  [{ type: 'card-burned', why: 'wrong-bank-card' }, '404 412'],
  [counted({}), '416'],
  [counted({ left: 59, discarded: 252 }), '416 413'],
  [counted({ left: 60, discarded: 251 }), '416 413'],
  [counted({ missing: [TS] }), '416 413'],
  [counted({ extra: [TS] }), '416 413'],
  [{ type: 'decks-ordered', regular: true }, '416'],
  [{ type: 'decks-ordered', regular: false }, '416 413'],
  [configured(), '806 807 317'],
  [configured([]), '806'],
  [configured(['tableName', 'authorisations']), '806 807'],
  [configured(['options.decks']), '806 807'],
  [configured(['notesMinor']), '806 317'],
  [{ type: 'dealer-signed-in', person: DEALER }, '502 501'],
  [{ type: 'dealer-signed-in', person: DEALER, relieves: SUPERVISOR }, '502'],
  ...[ATTENDANT, AUDITOR].map((person) => [{ type: 'service-entered', person }, '801 805'] as const),
  ...[SUPERVISOR, TECHNICIAN].map((person) => [{ type: 'service-entered', person }, '803 805'] as const),
  ...[ATTENDANT, AUDITOR].map((person) => [{ type: 'service-left', person }, '802 805C'] as const),
  ...[SUPERVISOR, TECHNICIAN].map((person) => [{ type: 'service-left', person }, '804 805C'] as const),
  // Of before there was the field.
  [{ type: 'service-left' }, '804 805C'],
  [{ type: 'notes-limited', acceptorsOff: [] }, '317 316C'],
  [{ type: 'notes-limited', acceptorsOff: [2] }, '317 316'],
  ...['paid-at-once', 'round-settled'].flatMap((type) => [
    [{ type }, '507'] as const,
    [{ type, byHand: [] }, '507 602'] as const,
  ]),
  [{ type: 'round-closed', next: 'idle', cardsBack: false }, '505C'],
  [{ type: 'round-closed', next: 'idle', cardsBack: true }, '505C 418'],
  [{ type: 'round-closed', next: 'shoe', cardsBack: false }, '505C 416'],
  [{ type: 'attendant-called', on: true }, '606'],
  [{ type: 'attendant-called', on: false }, '606C'],
];
test('an entry has the codes of what it tells, and no others', () => {
  for (const [said, codes] of CODES) assert.equal(codesOf(said), codes, JSON.stringify(said));
});

/** What these entries make of a table that is ready, with 1,000.00 at every seat. */
function after(...entries: readonly Said[]) {
  const { state } = TestTable.ready();
  for (const said of entries) evolve(state, entry(said));
  return state;
}
const note = (noteId: string, acceptor: number) => ({
  type: 'note-escrowed',
  noteId,
  acceptor,
  seat: acceptor,
  currency: 'MOP',
  valueMinor: 10_000,
});
const opened = { type: 'betting-opened', roundId: 'r1', roundNo: 1, last: false, deadline: null };
const bet = (batch: number, seat: number, by = seat, bet = 'main') => ({
  batch,
  seat,
  by,
  bet,
  currency: 'MOP',
  amountMinor: 1_000,
});

test('a note is asked to be stacked and goes its way; the others on their way stay as they are', () => {
  const asked = after(note('a', 1), note('b', 2), { type: 'note-stack-requested', noteId: 'b', acceptor: 2 });
  assert.deepEqual(
    asked.notes.map(({ noteId, state }) => [noteId, state]),
    [
      ['a', 'escrowed'],
      ['b', 'stack-requested'],
    ],
  );
  const returned = after(note('a', 1), note('b', 2), { type: 'note-returned', noteId: 'a', acceptor: 1 });
  assert.deepEqual(
    returned.notes.map(({ noteId }) => noteId),
    ['b'],
  );
});

test('an acceptor that has gone on after its note is done with that one, and the others are not with theirs', () => {
  const credited = [note('a', 1), note('b', 2)].map((each) => ({ ...each, type: 'note-credited' }));
  const { creditedNotes } = after(...credited, { type: 'note-closed', noteId: 'a', acceptor: 1 });
  assert.deepEqual(
    creditedNotes.filter(({ acceptor }) => acceptor < 3).map(({ noteId, closed }) => [noteId, closed]),
    [
      ['a', true],
      ['b', false],
    ],
  );
});

test('an acceptor that shuts after each note is shut once; a span of notes runs only where the house has one', () => {
  const shut = (noteLimits: object) => {
    const { state } = TestTable.ready({}, { shutAfterNote: true, noteLimits }, 0);
    const held = { ...note('b', 1), type: 'note-held', caseNo: 1, why: 'x', inBox: false };
    const found = { type: 'held-note-found', caseNo: 1, acceptor: 1, currency: 'MOP', valueMinor: 10_000 };
    for (const said of [held, { ...note('a', 1), type: 'note-credited' }, found]) evolve(state, entry(said));
    assert.deepEqual(state.shutAfterNote, [1]);
    // Found without a credit signal: what the unit signals next is about the note credited last.
    assert.deepEqual(
      state.creditedNotes.map(({ noteId }) => noteId),
      ['a'],
    );
    return state.seats[0]!.span;
  };
  assert.equal(shut({}), undefined);
  assert.equal(shut({ sessionMinor: 50_000 }), undefined);
  assert.deepEqual(shut({ span: { ms: 1, mostMinor: 50_000 } }), { fromMs: 2_000_000, inMinor: 10_000 });
});

test('a box that is put back is exchanged; the others that are out stay out', () => {
  const announced = { type: 'drop-announced', boxes: [1, 2], person: SUPERVISOR };
  const taken = [1, 2].map((acceptor) => ({ type: 'box-taken', acceptor }));
  const { drop, boxNotes } = after(announced, ...taken, { type: 'box-put-back', acceptor: 1 });
  assert.deepEqual([drop?.out, drop?.exchanged, boxNotes.slice(0, 2)], [[2], [1], [0, 1]]);
});

test('maintenance that a person has ended is remembered, and what the centre has ended is not', () => {
  const ended = (person: object | null) =>
    after({ type: 'maintenance-begun', no: 4, reason: 'x' }, { type: 'maintenance-ended', no: 4, person })
      .centre;
  assert.deepEqual(ended(SUPERVISOR), { lock: null, acceptorsOff: [], notes: [], endedNo: 4 });
  assert.deepEqual(ended(null), { lock: null, acceptorsOff: [], notes: [] });
});

test('a bet that is taken back takes its own touch with it, whatever else was laid at the same time', () => {
  const laid = [bet(1, 1), bet(2, 1), bet(3, 2), bet(3, 1, 2), bet(3, 1), bet(3, 1, 1, 'anyPair'), bet(4, 5)];
  for (const [at, taken] of laid.entries()) {
    const { round } = after(opened, ...laid.map((each) => ({ type: 'bet-placed', ...each })), {
      type: 'bet-withdrawn',
      ...taken,
    });
    const { currency: _, ...left } = { ...taken };
    assert.deepEqual(
      round!.placements,
      laid.flatMap((each, other) => {
        const { currency: _, ...rest } = each;
        return other === at ? [] : [rest];
      }),
      JSON.stringify(left),
    );
  }
});

test('a deadline that stands still goes on only when neither service nor a hold is left', () => {
  const table = TestTable.ready();
  table.open();
  const atMs = table.state.deadline!.atMs;
  const held = { type: 'table-held', hold: { code: 'recovery' } };
  const service = { type: 'service-entered', person: TECHNICIAN };
  const released = { type: 'hold-released', code: 'recovery', person: null, fullTime: false };
  for (const [first, second] of [
    [released, { type: 'service-left' }],
    [{ type: 'service-left' }, released],
  ]) {
    const state = structuredClone(table.state);
    for (const said of [service, held]) evolve(state, { ...entry(said), atMs: atMs - 5_000 });
    evolve(state, { ...entry(first!), atMs });
    assert.deepEqual([state.deadline, state.paused?.leftMs], [null, 5_000], first!.type);
    evolve(state, { ...entry(second!), atMs });
    assert.deepEqual([state.deadline?.atMs, state.paused], [atMs + 5_000, null]);
  }
});

test('a fault is over for its device alone, and empties the box of that acceptor alone', () => {
  const fault = (device: string, fault = 'cash-box-removed') => ({ device, fault, place: '' });
  const standing = [
    fault('acceptor-1'),
    fault('acceptor-2'),
    fault('acceptor-2', 'jam'),
    fault('acceptor-9'),
  ];
  const faults = standing.map((each) => ({ type: 'fault-reported', ...each }));
  const clear = (device: string) =>
    after(...faults, { type: 'fault-cleared', device, fault: 'cash-box-removed' });
  const full = after().boxNotes;
  assert.deepEqual(full, [1, 1, 1, 1, 1, 1, 1]);
  /** device · box that is empty then · faults that stand */
  const cases: readonly (readonly [string, number | null, readonly number[]])[] = [
    ['acceptor-2', 2, [0, 2, 3]],
    ['acceptor-1', 1, [1, 2, 3]],
    ['acceptor-7', 7, [0, 1, 2, 3]],
    // An acceptor that has taken nothing yet, and a device that is none.
    ['acceptor-9', null, [0, 1, 2]],
    ['printer', null, [0, 1, 2, 3]],
  ];
  for (const [device, box, left] of cases) {
    const { boxNotes, faults } = clear(device);
    assert.deepEqual(
      boxNotes,
      full.map((count, i) => (i + 1 === box ? 0 : count)),
      device,
    );
    assert.deepEqual(
      faults.map(({ device, fault }) => `${device} ${fault}`),
      left.map((at) => `${standing[at]!.device} ${standing[at]!.fault}`),
    );
  }
});

test('money whose value nobody knows is in no account', () => {
  const unknown = {
    caseNo: 1,
    acceptor: 1,
    seat: 1,
    currency: 'MOP',
    valueMinor: null,
    inBox: true,
  } as const;
  assert.deepEqual(postingsOf(entry({ type: 'note-held', noteId: null, why: 'x', ...unknown })), []);
  const resolved = { type: 'held-note-resolved', credited: false, outcome: 'returned', ...unknown };
  assert.deepEqual(postingsOf(entry(resolved)), []);
});

test('what an entry of an older program does not say is not in the state', () => {
  const asked = { type: 'cash-out-requested', seat: 1, requestId: 'c', currency: 'MOP', amountMinor: 100 };
  const began = { type: 'session-began', seat: 1, currency: 'MOP', broughtMinor: 100 };
  const limits = { type: 'own-limits-set', seat: 1, timeMs: null, lossMinor: null };
  /** entries · what of the state · what stands there */
  const cases: readonly (readonly [
    readonly Said[],
    (state: ReturnType<typeof after>) => unknown,
    unknown,
  ])[] = [
    [
      [asked],
      ({ nextPayNo, seats }) => [nextPayNo, Object.keys(seats[0]!.cashOut!)],
      [undefined, ['requestId', 'amountMinor', 'sinceMs']],
    ],
    [[{ ...asked, payNo: 7 }], ({ nextPayNo, seats }) => [nextPayNo, seats[0]!.cashOut!.payNo], [8, 7]],
    [
      [{ type: 'complaint-raised', complaintNo: 1, seat: 1, roundNo: 3 }],
      ({ complaints }) => complaints,
      [{ complaintNo: 1, seat: 1, roundNo: 3, sinceMs: 2_000_000 }],
    ],
    [[began], ({ seats }) => Object.keys(seats[0]!.session!).includes('rounds'), false],
    [[{ ...began, counts: true }], ({ seats }) => seats[0]!.session!.rounds, 0],
    [[began, limits], ({ seats }) => 'limitsSince' in seats[0]!.session!, false],
    [[began, limits], ({ seats }) => seats[0]!.session!.limits, { timeMs: null, lossMinor: null }],
    [
      [{ type: 'fault-reported', device: 'x', fault: 'y', place: '' }],
      ({ faults }) => faults,
      [{ device: 'x', fault: 'y', place: '', sinceMs: 2_000_000 }],
    ],
    [[{ type: 'money-held', why: 'absent' }], ({ unread }) => unread, { why: 'absent', sinceMs: 2_000_000 }],
    [
      [{ type: 'money-held', why: 'differs', act: { act: 'hit' } }],
      ({ unread }) => unread,
      { why: 'differs', sinceMs: 2_000_000, act: { act: 'hit' } },
    ],
  ];
  for (const [entries, part, stands] of cases)
    assert.deepEqual(part(after(...entries)), stands, JSON.stringify(entries));
});

test('a player who has confirmed a limit is reminded of that one from here on, and of a break of none', () => {
  const began = { type: 'session-began', seat: 1, currency: 'MOP', broughtMinor: 100 };
  const confirmed = (kind: string) => {
    const { timeFromMs, lossFromMinor } = after(began, {
      type: 'own-limit-confirmed',
      seat: 1,
      kind,
      currency: 'MOP',
      resultMinor: -300,
      atMs: 3_000_000,
    }).seats[0]!.session!;
    return [timeFromMs, lossFromMinor];
  };
  assert.deepEqual(confirmed('time'), [3_000_000, 0]);
  assert.deepEqual(confirmed('loss'), [2_000_000, -300]);
  assert.deepEqual(confirmed('break'), [2_000_000, 0]);
});

test('a win paid by hand is paid; the others of its seat wait on', () => {
  const paid = (...requestIds: string[]) =>
    after(
      ...['w1', 'w2'].map((requestId, i) => ({
        type: 'paid-at-once',
        lines: [],
        byHand: [{ seat: 1, requestId, payNo: i + 1, amountMinor: 100 }],
      })),
      ...requestIds.map((requestId) => ({
        ...{ type: 'hand-paid', seat: 1, requestId, amountMinor: 100, win: true },
      })),
    ).seats[0]!;
  assert.deepEqual(
    paid('w1').wins?.map(({ requestId }) => requestId),
    ['w2'],
  );
  assert.equal('wins' in paid('w2', 'w1'), false);
});

test('a correction of money in or out counts in the session as that, and for the complaint it answers', () => {
  const adjusted = (reason: string) => {
    const { seats, complaints } = after(
      { type: 'session-began', seat: 1, currency: 'MOP', broughtMinor: 100 },
      ...[1, 2].map((complaintNo) => ({ type: 'complaint-raised', complaintNo, seat: 1, roundNo: 1 })),
      { type: 'credit-adjusted', seat: 1, currency: 'MOP', amountMinor: -40, reason, complaintNo: 2 },
    );
    const { inMinor, outMinor } = seats[0]!.session!;
    return [inMinor, outMinor, ...complaints.map(({ adjustedMinor }) => adjustedMinor)];
  };
  assert.deepEqual(adjusted('note-wrong'), [60, 0, undefined, -40]);
  assert.deepEqual(adjusted('hand-pay-wrong'), [100, 40, undefined, -40]);
  assert.deepEqual(adjusted('settlement-wrong'), [100, 0, undefined, -40]);
});

test('what one player has noted ahead is theirs: others note, are dropped and are taken beside it', () => {
  const table = TestTable.ready();
  table.bets({ 1: 10_000, 2: 10_000, 3: 10_000 });
  table.draw('9S 5H 5D 6C 7S 6D 6H');
  const noted = [2, 3].map((by) => ({ type: 'intent-noted', seat: by, by, hand: 0, act: 'hit' }));
  const then = (...more: readonly Said[]) => {
    const state = structuredClone(table.state);
    for (const said of [...noted, ...more]) evolve(state, entry(said));
    return state.round!.intents!.map(({ by, act, dropped }) => `${by} ${act} ${dropped?.code ?? ''}`.trim());
  };
  assert.deepEqual(then(), ['2 hit', '3 hit']);
  assert.deepEqual(then({ ...noted[0]!, act: 'stand' }), ['3 hit', '2 stand']);
  assert.deepEqual(then({ ...noted[0]!, act: null }), ['3 hit']);
  assert.deepEqual(then({ type: 'intent-taken', by: 3 }), ['2 hit']);
  assert.deepEqual(then({ type: 'intent-dropped', by: 3, code: 'too-late', cites: [] }), [
    '2 hit',
    '3 hit too-late',
  ]);
});

test('a card that lay on the table, and one that goes to the discard in a round, are no card burnt before it', () => {
  const burned = (why: string) =>
    after(
      opened,
      { type: 'betting-closed', burnDue: 2 },
      { type: 'card-burned', why, card: TS, drawNo: 9, waited: false },
    ).round!.burnDue;
  assert.deepEqual([burned('round'), burned('exposed'), burned('set-aside')], [1, 2, 2]);
});

test('a shoe that has given a card nobody saw knows so until the next one leaves it', () => {
  const unseen = { type: 'card-burned', why: 'start', unseen: true, card: TS, drawNo: 9, waited: false };
  const told = (drawnNow: number) =>
    after(unseen, { type: 'cards-waiting', waiting: [], drawnNow, lastDrawNo: 10 }).shoe;
  assert.equal(told(0).lastUnseen, true);
  assert.equal(told(1).lastUnseen, undefined);
});

test('the white card makes the round on the table the last one only where it is', () => {
  const seen = (lastRound: number, ...more: readonly Said[]) => {
    const { round } = after(opened, ...more, { type: 'end-card-seen', lastRound });
    return round!.last;
  };
  const began = { type: 'deal-began', bets: [], seats: [] };
  assert.deepEqual([seen(1), seen(2), seen(1, began), seen(2, began)], [true, false, true, false]);
});

test('cards taken out or replaced say what is left to do with them, and nothing more', () => {
  const out = { type: 'cards-laid-out', cardCount: 60, person: SUPERVISOR };
  const replaced = { type: 'cards-replaced', what: 'card', person: SUPERVISOR };
  const ordered = (regular: boolean) => ({ type: 'decks-ordered', regular, person: SUPERVISOR });
  const toCount = { left: 60, discarded: 252 };
  assert.equal('toCount' in after(out).shoe, false);
  assert.deepEqual(after({ ...out, toCount }).shoe.toCount, toCount);
  assert.deepEqual(
    [after(out).shoe.toOrder, after({ ...out, toOrder: true }).shoe.toOrder],
    [undefined, 'due'],
  );
  const toOrder = (...more: readonly Said[]) => after({ ...out, toOrder: true }, ...more).shoe.toOrder;
  assert.deepEqual([toOrder(ordered(false)), toOrder(ordered(true))], ['irregular', undefined]);
  assert.deepEqual([toOrder(replaced), toOrder(ordered(false), replaced)], ['due', undefined]);
  const toReport = (...more: readonly Said[]) => after(...more).toReport;
  assert.deepEqual(toReport(replaced), undefined);
  assert.deepEqual(toReport({ ...replaced, toReport: true }, { ...replaced, toReport: true }), 2);
});

test('results stay after a round where the entry says so and somebody has one', () => {
  const line = { seat: 1, by: 1, hand: 0, bet: 'main', returnedMinor: 0, netMinor: -1_000 };
  const closed = (lines: readonly object[], more: object) =>
    after(
      opened,
      { type: 'deal-began', bets: [], seats: [] },
      { type: 'round-settled', lines, deadline: null },
      { type: 'round-closed', next: 'idle', cardsBack: false, ...more },
    );
  assert.equal(closed([line], {}).results, undefined);
  assert.equal(closed([], { resultsStay: true }).results, undefined);
  const results = closed([line], { resultsStay: true }).results!;
  assert.deepEqual([Object.keys(results), 'cards' in results[1]!], [['1'], false]);
  assert.ok(closed([line], { resultsStay: true, cardsStay: true }).results![1]!.cards);
  assert.equal(closed([], { kept: true }).lastRound?.id, 'r1');
  assert.equal('lastRound' in closed([], {}), false);
});

test('of a round that is void every card that waited is discarded, but one that is kept waits for the next', () => {
  const card = (why: string) => ({ drawNo: null, card: TS, confidence: 255, faceUp: false, why });
  const { shoe } = after(
    opened,
    { type: 'cards-waiting', waiting: ['kept', 'known', 'gap'].map(card), drawnNow: 3, lastDrawNo: null },
    { type: 'round-voided', lines: [], deadline: null },
  );
  assert.deepEqual(shoe.waiting, [card('kept')]);
  assert.equal(shoe.discarded, after().shoe.discarded + 2);
});

test('all first cards of two seats change places, or those at one place alone', () => {
  const cards = (place?: number) => {
    const table = TestTable.ready();
    table.bets({ 1: 10_000, 2: 10_000 });
    table.draw('9S 5H 6C 7S 6D');
    evolve(
      table.state,
      entry({ type: 'cards-swapped', fromSeat: 1, toSeat: 2, ...(place === undefined ? {} : { place }) }),
    );
    return table.state.round!.seats.map(({ hands }) => hands[0]!.cards.map(cardName).join(' '));
  };
  assert.deepEqual(cards(), ['5H 6D', '9S 7S']);
  assert.deepEqual(cards(0), ['5H 7S', '9S 6D']);
});

test('a table that gets another profile waits for a shoe while a dealer is there, and else is closed', () => {
  const { profile, rules } = after();
  const configured = { type: 'table-configured', profile, rules, person: null };
  assert.equal(after(configured).phase, 'shoe');
  assert.equal(after({ type: 'dealer-signed-out' }, configured).phase, 'closed');
});

test('the cards of a result that stays are those that lay open', () => {
  const bank = (options: Readonly<Record<string, string>>, cards: string, end: string) => {
    const table = play(cards, options);
    table.must({ type: 'void-round', reason: 'misdeal', person: DEALER });
    assert.equal(table.bank, end);
    table.close();
    return table.state.results![1]!.cards!.bank.map((card) => card && cardName(card));
  };
  assert.deepEqual(bank({ dealing: 'holeCard' }, 'TS 9H 8D 6C wait', '9H 6C'), ['9H', null]);
  assert.deepEqual(bank({}, 'TS 9H 8D wait 1:stand 3C', '9H 3C'), ['9H', '3C']);
});

test('the second card of a split hand comes again without a word, a third one was asked for', () => {
  const doubted = (script: string): boolean => {
    const table = play(script, {});
    table.must({ type: 'doubt-card', person: DEALER });
    return table.state.round!.seats[0]!.hands[0]!.called;
  };
  assert.equal(doubted('8S 9H 8D wait 1:split 2C'), false);
  assert.equal(doubted('8S 9H 2D wait 1:hit 2C'), true);
});
