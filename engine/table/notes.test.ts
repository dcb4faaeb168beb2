/** Which notes an acceptor takes, for whom, and why it takes none. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amount, type profileWith, SUPERVISOR, TECHNICIAN, TestTable } from '../../test/support/table-kit.ts';
import { allowedNotes, initialState, recordOf, whyShut } from '../engine.ts';
import type { InputOf } from './inputs.ts';
import { largestNote } from './notes.ts';

const A = { currency: 'MOP', valueMinor: 50_000 };
const B = { currency: 'MOP', valueMinor: 10_000 };
const ALL = [10_000, 50_000, 100_000];
type Said = Omit<InputOf<'hear-acceptor'>, 'type' | 'acceptor' | 'atMs'>;

const hear = (table: TestTable, said: Said, acceptor = 1) =>
  table.decide({ type: 'hear-acceptor', acceptor, ...said });
let notes = 0;
/** A note in escrow: why it is refused, and whether the centre wants it so; 'taken' = it is not. */
function escrow(table: TestTable, note: Said['note'], acceptor = 1): string {
  notes += 1;
  const decision = hear(table, { word: 'escrow', noteId: `e${notes}`, note: note ?? null }, acceptor);
  assert.ok(decision.ok, JSON.stringify(decision));
  const refused = decision.events.find((event) => event.type === 'note-refused');
  if (refused) return `${refused.why}${refused.byCentre ? ' by centre' : ''}`;
  const [effect] = decision.effects;
  if (effect?.type === 'record' && effect.event.type === 'note-rejected-by-device')
    return effect.event.reason;
  return 'taken';
}
const empty = (changes: Parameters<typeof profileWith>[1] = {}) => TestTable.ready({}, changes, 0);
const obey = (table: TestTable, orders: Partial<InputOf<'obey-centre'>>) =>
  table.must({ type: 'obey-centre', lock: null, acceptorsOff: [], notes: [], maintenance: null, ...orders });

test('before a table has a profile no acceptor takes anything, and no credit signal is heard', () => {
  assert.equal(whyShut(initialState(), 1), 'closed');
  assert.equal(escrow(new TestTable(), A), 'closed');
  const credited = hear(new TestTable(), { word: 'credited', note: A });
  assert.deepEqual(credited.ok || [credited.code, credited.detail], ['not-due', 'the table has no profile']);
});

test('an acceptor that belongs to no seat takes nothing; one note on its way shuts its own acceptor alone', () => {
  const table = empty();
  assert.deepEqual([whyShut(table.state, 8), allowedNotes(table.state, 8)], ['seat', []]);
  assert.equal(escrow(table, A, 8), 'seat');
  assert.equal(escrow(table, A, 1), 'taken');
  assert.deepEqual([allowedNotes(table.state, 1), allowedNotes(table.state, 2)], [[], ALL]);
  assert.equal(escrow(table, B, 2), 'taken');
  assert.equal(table.state.notes.length, 2);
});

test('one acceptor for all takes notes for the seat that was chosen, and none before', () => {
  const table = empty({ acceptors: 'shared' });
  const largest = () => [1, 2].map((seat) => largestNote(table.state, seat));
  const choose = (seat: number | null) => {
    const refused = table.try({ type: 'choose-note-seat', seat });
    return refused && [refused.code, refused.detail].filter(Boolean).join(' ');
  };
  assert.deepEqual([whyShut(table.state, 1), escrow(table, A), largest()], ['seat', 'seat', [null, null]]);
  for (const seat of [0, 8]) assert.equal(choose(seat), 'unknown-seat');
  assert.equal(choose(2), null);
  assert.deepEqual([whyShut(table.state, 1), whyShut(table.state, 2)], [null, 'seat']);
  assert.deepEqual(largest(), [null, 100_000]);
  assert.equal(escrow(table, A), 'taken');
  assert.equal(choose(1), 'not-allowed a note is on its way');
  hear(table, { word: 'credited', note: A });
  assert.equal(table.credit(2), 50_000);
  assert.equal(choose(null), null);
  assert.equal(whyShut(table.state, 1), 'seat');

  const own = empty();
  assert.equal(own.try({ type: 'choose-note-seat', seat: 1 })?.code, 'off');
  assert.deepEqual([largestNote(own.state, 1), largestNote(own.state, 9)], [100_000, null]);
});

test('why an acceptor is shut, and why a note in it comes back', () => {
  const books = empty();
  books.must({ type: 'report-fault', device: 'books', fault: 'stake', place: '' });
  assert.deepEqual([whyShut(books.state, 1), escrow(books, A)], ['held', 'held']);
  const service = empty();
  service.must({ type: 'enter-service', person: TECHNICIAN });
  assert.deepEqual([whyShut(service.state, 1), escrow(service, A)], ['service', 'service']);
  const centre = empty();
  obey(centre, { acceptorsOff: [1], notes: [{ acceptor: 2, valuesMinor: [10_000] }] });
  assert.deepEqual(
    [1, 2].map((acceptor) => whyShut(centre.state, acceptor)),
    ['centre', null],
  );
  assert.equal(escrow(centre, A, 1), 'acceptor-off by centre');
  assert.equal(escrow(centre, { currency: 'HKD', valueMinor: 50_000 }, 1), 'currency');
  assert.equal(escrow(centre, A, 2), 'denomination by centre');
  assert.equal(escrow(centre, { currency: 'MOP', valueMinor: 2_000 }, 2), 'denomination');

  const full = empty({ maxCreditMinor: amount(60_000) });
  assert.equal(escrow(full, { currency: 'MOP', valueMinor: 100_000 }), 'limit');
  assert.equal(escrow(full, A), 'taken');
  hear(full, { word: 'credited', note: A });
  assert.deepEqual([allowedNotes(full.state, 1), whyShut(full.state, 1)], [[10_000], null]);
  assert.equal(escrow(full, B), 'taken', 'to the last unit of the limit');
  hear(full, { word: 'credited', note: B });
  assert.deepEqual([allowedNotes(full.state, 1), whyShut(full.state, 1)], [[], 'limit']);

  const shut = empty({ shutAfterNote: true });
  escrow(shut, A);
  hear(shut, { word: 'credited', note: A });
  assert.deepEqual([whyShut(shut.state, 1), whyShut(shut.state, 2)], ['after-note', null]);
  assert.equal(escrow(shut, A), 'acceptor-off');
  shut.must({ type: 'open-acceptor', acceptor: 1, person: SUPERVISOR });
  assert.deepEqual(Object.keys(shut.events.at(-1)!).sort(), ['acceptor', 'atMs', 'person', 'type']);

  const drop = empty();
  drop.must({ type: 'announce-drop', acceptors: [1], person: SUPERVISOR });
  assert.equal(whyShut(drop.state, 1), null);
  drop.must({ type: 'take-box', acceptor: 1 });
  assert.equal(whyShut(drop.state, 1), 'box-out');
});

test('while a terminal is locked a second note beside the one on its way comes back', () => {
  const table = empty();
  escrow(table, A);
  const other = hear(table, { word: 'escrow', noteId: 'x', note: B, isLocked: true, shutBy: 'books-differ' });
  assert.deepEqual(other.ok && other.effects.map(({ type }) => type), ['record', 'return-note']);
});

test('a note that nobody has a name for, of a currency that nobody knows, or in an acceptor that is off comes back', () => {
  const table = empty();
  assert.equal(escrow(table, null), 'a note the unit has no name for');
  assert.equal(escrow(table, { currency: 'XYZ', valueMinor: 100 }), 'a note in XYZ');
  assert.equal(escrow(table, { currency: 'HKD', valueMinor: 50_000 }), 'currency');
  const off = hear(table, { word: 'escrow', noteId: 'off', note: A, shutBy: 'jam' });
  assert.ok(off.ok && off.effects[0]?.type === 'record');
  assert.equal((off.effects[0].event as { reason?: string }).reason, 'the acceptor is off: jam');
  for (const valueMinor of [0, -1, 0.5, Number.NaN]) {
    const refused = hear(table, { word: 'credited', note: { currency: 'MOP', valueMinor } });
    assert.deepEqual(refused.ok || [refused.code, refused.detail], ['malformed', 'valueMinor']);
  }
  assert.deepEqual(table.state.notes, []);
});

test('no two notes have one name: on their way, held, or credited and not gone on from', () => {
  const table = empty();
  const named = (noteId: string | undefined, acceptor: number): boolean => {
    const decision = hear(
      table,
      { word: 'escrow', note: A, ...(noteId === undefined ? {} : { noteId }) },
      acceptor,
    );
    return decision.ok;
  };
  assert.ok(named('a', 1) && named('b', 2) && named('c', 3));
  hear(table, { word: 'credited', note: A }, 2);
  hear(table, { word: 'settled-unknown' }, 3);
  assert.deepEqual(
    ['a', 'b', 'c', undefined].map((noteId) => named(noteId, 4)),
    [false, false, false, false],
  );
  assert.ok(named('d', 4));
});

test('what one acceptor has on record is nothing to another', () => {
  const table = empty();
  escrow(table, A, 1);
  hear(table, { word: 'settled-unknown' }, 1);
  assert.deepEqual([recordOf(table.state, 1), recordOf(table.state, 2)], ['held', 'none']);
  escrow(table, A, 2);
  hear(table, { word: 'credited', note: A }, 2);
  escrow(table, B, 3);
  hear(table, { word: 'credited', note: B }, 3);
  hear(table, { word: 'idle' }, 3);
  assert.deepEqual(
    table.state.creditedNotes.map(({ acceptor, closed }) => [acceptor, closed]),
    [
      [2, false],
      [3, true],
    ],
  );
  assert.equal(table.credit(2) + table.credit(3), 60_000);
});

test('a signal for another note than the one asked for makes a case that names the one asked for', () => {
  const table = empty();
  hear(table, { word: 'escrow', noteId: 'mine', note: A });
  hear(table, { word: 'credited', note: B });
  const [held] = table.state.heldNotes;
  assert.deepEqual(
    [held?.noteId, held?.why, held?.valueMinor, held?.seat],
    ['mine', 'value-differs', 10_000, 1],
  );
  const told = table.events.findLast(({ type }) => type === 'note-held')!;
  assert.equal('named' in told, false, 'of the table’s currency its value says all');
  const orphan = empty();
  hear(orphan, { word: 'credited', note: B });
  assert.deepEqual(
    [orphan.state.heldNotes[0]?.noteId, orphan.state.heldNotes[0]?.why],
    [null, 'stacked-without-escrow'],
  );
});
