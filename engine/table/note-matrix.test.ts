import assert from 'node:assert/strict';
import { test } from 'node:test';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import {
  ATTENDANT,
  amount,
  SUPERVISOR,
  TestTable,
  type TimelessInput,
} from '../../test/support/table-kit.ts';
import { advance, recordOf } from '../engine.ts';
import type { Input, InputOf } from './inputs.ts';
import {
  type AcceptorWord,
  decideNote,
  NOTE_MATRIX,
  type NoteDecision,
  type NoteRecord,
  type NoteWord,
} from './note-matrix.ts';

const RECORDS: readonly NoteRecord[] = ['none', 'stack-requested', 'credited', 'held'];
const A = { currency: 'MOP', valueMinor: 50_000 };
const B = { currency: 'MOP', valueMinor: 10_000 };
/** The figure of A, and another note all the same. */
const FOREIGN = { currency: 'HKD', valueMinor: 50_000 };

type Heard = InputOf<'hear-acceptor'>;
type Said = Omit<Heard, 'type' | 'acceptor' | 'atMs'>;

const hear = (table: TestTable, said: Said) => {
  const decision = table.decide({ type: 'hear-acceptor', acceptor: 1, ...said });
  assert.ok(decision.ok, JSON.stringify([said, decision]));
  return decision;
};

/** A table whose first acceptor has this record, about the note A. */
function tableWith(record: NoteRecord): TestTable {
  const table = TestTable.ready({}, {}, 0);
  if (record !== 'none') hear(table, { word: 'escrow', noteId: 'a', note: A });
  if (record === 'credited') hear(table, { word: 'credited', note: A });
  if (record === 'held') hear(table, { word: 'settled-unknown' });
  assert.equal(recordOf(table.state, 1), record);
  return table;
}

function saying(word: NoteWord): Said {
  switch (word) {
    case 'escrow':
      return { word, noteId: 'new', note: A };
    case 'escrow-other':
      return { word: 'escrow', noteId: 'new', note: B };
    case 'credited':
      return { word, note: A };
    case 'credited-other':
      return { word: 'credited', note: B };
    default:
      return { word };
  }
}

const typesOf = (each: readonly { readonly type: string }[]): string[] => each.map(({ type }) => type);

test('the matrix has one row for every pair, each with its reason', () => {
  const words = [...new Set(NOTE_MATRIX.map(([, word]) => word))];
  assert.equal(words.length, 24);
  assert.equal(NOTE_MATRIX.length, RECORDS.length * words.length);
  for (const record of RECORDS)
    for (const word of words)
      assert.equal(NOTE_MATRIX.filter(([r, w]) => r === record && w === word).length, 1, `${record} ${word}`);
  assert.ok(NOTE_MATRIX.every(([, , , reason]) => reason.length > 10));
  assert.throws(() => decideNote('none', 'x' as 'idle'), /^Error: no row for none, x$/);
});

/** What a decision writes, and what the host must do then. */
const DONE: Readonly<Record<NoteDecision, readonly [events: readonly string[], effects: readonly string[]]>> =
  {
    nothing: [[], []],
    wait: [[], []],
    decide: [['note-escrowed', 'note-stack-requested'], ['stack-note']],
    'stack-again': [[], ['stack-note']],
    credit: [['note-credited'], ['acknowledge-credit']],
    acknowledge: [[], ['record', 'acknowledge-credit']],
    hold: [['note-held'], []],
    'hold-and-decide': [['note-held'], ['hear-again']],
    'hold-orphan': [['note-held'], ['acknowledge-credit']],
    find: [['held-note-found'], ['acknowledge-credit']],
    'close-returned': [['note-returned'], []],
    close: [['note-closed'], []],
    'close-and-decide': [['note-closed', 'note-escrowed', 'note-stack-requested'], ['stack-note']],
  };

test('every row: what it writes and what follows, and nobody is credited but by the signal for the note asked for', () => {
  for (const [record, word, decision] of NOTE_MATRIX) {
    const name = `${record}, ${word}`;
    assert.equal(decideNote(record, word), decision);
    const table = tableWith(record);
    const { events, effects } = hear(table, saying(word));
    const [kinds, follows] = DONE[decision];
    const sequence = decision === 'hold' && word === 'stacked' ? ['report-sequence'] : [];
    assert.deepEqual([typesOf(events), typesOf(effects)], [kinds, [...follows, ...sequence]], name);
    const isCredited = decision === 'credit' || record === 'credited';
    assert.equal(table.credit(1), isCredited ? A.valueMinor : 0, `${name}: credit`);
    table.checkReplay();
  }
});

test('a fault that shuts the acceptor: what is in escrow comes back, what was stacked is credited all the same', () => {
  for (const [record, word, decision] of NOTE_MATRIX) {
    const name = `${record}, ${word}`;
    const { events, effects } = hear(tableWith(record), { ...saying(word), shutBy: 'acceptor-cheated' });
    if (decision !== 'decide' && decision !== 'close-and-decide') {
      assert.deepEqual(typesOf(events), DONE[decision][0], name);
      continue;
    }
    assert.deepEqual(typesOf(events), decision === 'decide' ? [] : ['note-closed'], name);
    assert.deepEqual(
      effects,
      [
        {
          type: 'record',
          event: {
            type: 'note-rejected-by-device',
            acceptor: 1,
            reason: 'the acceptor is off: acceptor-cheated',
          },
        },
        { type: 'return-note', acceptor: 1 },
      ],
      name,
    );
  }
});

test('a locked terminal writes nothing about any note, and acknowledges only what is credited already', () => {
  for (const [record, word, decision] of NOTE_MATRIX) {
    const name = `${record}, ${word}`;
    const table = tableWith(record);
    const said = { ...saying(word), shutBy: 'books-differ', isLocked: true };
    const { events, effects } = hear(table, said);
    assert.deepEqual(events, [], name);
    const acknowledges = typesOf(effects).includes('acknowledge-credit');
    assert.equal(acknowledges, decision === 'acknowledge', name);
    if (decision.endsWith('decide')) assert.deepEqual(typesOf(effects), ['record', 'return-note'], name);
  }
});

test('the same figure in another currency is another note: nothing is credited, repeated or found for it', () => {
  for (const record of RECORDS) {
    const table = tableWith(record);
    const before = table.credit(1);
    const signal = { word: 'credited', note: FOREIGN } as const;
    const { events, effects } = hear(table, signal);
    assert.deepEqual([typesOf(events), typesOf(effects)], [['note-held'], ['acknowledge-credit']], record);
    assert.equal(table.credit(1), before, record);
    const { caseNo, currency, valueMinor, why } = table.state.heldNotes.at(-1)!;
    assert.deepEqual([currency, valueMinor, why], ['MOP', null, 'currency'], 'nobody knows its value here');
    const boxed = table.state.boxNotes[0];
    const again = hear(table, signal);
    assert.deepEqual([typesOf(again.events), typesOf(again.effects)], [[], ['record', 'acknowledge-credit']]);
    assert.equal(table.state.boxNotes[0], boxed, 'it is one note, however often it is signalled');
    for (const note of [A, { ...FOREIGN, valueMinor: 10_000 }]) {
      const other = tableWith(record);
      hear(other, signal);
      assert.deepEqual(
        typesOf(hear(other, { word: 'credited', note }).events),
        ['note-held'],
        'another note',
      );
    }
    const [reason, words, second] = ['seen-in-box', '', SUPERVISOR] as const;
    const resolve = { type: 'resolve-held-note', caseNo, reason, words, person: ATTENDANT, second } as const;
    assert.equal(table.try({ ...resolve, outcome: 'credited' })?.detail, 'its value is unknown');
    table.must({ ...resolve, outcome: 'returned' });
    assert.equal(table.credit(1), before, record);
    table.checkReplay();
  }
});

test('a note without a name: in escrow it comes back, a credit signal is about the note of the record', () => {
  const unnamed = (record: NoteRecord, word: AcceptorWord) => {
    const { events, effects } = hear(tableWith(record), { word, noteId: 'new' });
    return [...typesOf(events), ...typesOf(effects)];
  };
  assert.deepEqual(unnamed('none', 'escrow'), ['record', 'return-note']);
  assert.deepEqual(unnamed('stack-requested', 'escrow'), ['note-held', 'hear-again']);
  assert.deepEqual(unnamed('stack-requested', 'credited'), ['note-credited', 'acknowledge-credit']);
  assert.deepEqual(unnamed('credited', 'credited'), ['record', 'acknowledge-credit']);
  assert.deepEqual(unnamed('held', 'credited'), ['held-note-found', 'acknowledge-credit']);
  assert.deepEqual(unnamed('none', 'credited'), ['note-held', 'acknowledge-credit']);
});

test('D5: over 100,000 notes of a unit that loses power, words and acknowledgements, what is credited is what is stacked', () => {
  const { state } = TestTable.ready({}, { maxCreditMinor: amount(1_000_000_000_000) }, 0);
  const random = xoroshiro128plus(5);
  const below = (most: number): number => uniformInt(random, 0, most - 1);
  const often = (percent: number): boolean => below(100) < percent;
  const seat = state.seats[0]!;
  const values = state.profile!.notesMinor;
  let [stackedMinor, cases, returned] = [0, 0, 0];
  let atMs = 1_000_000;
  const submit = (input: TimelessInput) => {
    atMs += 1;
    const decision = advance(state, { ...input, atMs } as Input);
    assert.ok(decision.ok, JSON.stringify([input, decision]));
    // At no moment is anything credited that does not lie in the box.
    assert.ok(seat.creditMinor <= stackedMinor, `${seat.creditMinor} of ${stackedMinor}`);
    return typesOf(decision.effects);
  };
  for (let run = 0; run < 100_000; run += 1) {
    const note = { currency: 'MOP', valueMinor: values[below(values.length)]! };
    const say = (...words: readonly AcceptorWord[]): string[] =>
      words.flatMap((word) => submit({ type: 'hear-acceptor', acceptor: 1, word, note, noteId: `n${atMs}` }));
    const noise = (): void => {
      const loud: readonly AcceptorWord[] = ['offline', 'jammed', 'paused', 'initializing', 'failed'];
      if (often(15)) say(loud[below(loud.length)]!);
    };
    // Some come in while nothing may be taken.
    const shutBy = often(5) ? 'acceptor-cheated' : null;
    const told = submit({
      type: 'hear-acceptor',
      acceptor: 1,
      word: 'escrow',
      note,
      noteId: `n${atMs}`,
      shutBy,
    });
    noise();
    if (told.includes('return-note') || often(15)) {
      // Back out of the front, though it may have been told to stack.
      if (often(10)) say('offline', 'power-up-bill-in-acceptor');
      say('returning', ...(often(90) ? (['returned'] as const) : []), 'idle');
      returned += 1;
    } else {
      if (often(10)) say('escrow', 'stacking');
      noise();
      stackedMinor += note.valueMinor;
      if (often(10)) say('offline', 'power-up-bill-in-stacker');
      // The signal in order, again until it is acknowledged; late; or forgotten with the power.
      const tells = often(90) ? 'in order' : often(50) ? 'late' : 'never';
      if (tells !== 'in order') say('idle');
      if (tells !== 'never') for (let times = below(3); times >= 0; times -= 1) say('credited');
      if (often(90)) say('stacked');
      say('idle');
    }
    for (const { caseNo, inBox } of state.heldNotes) {
      // People look where it is: in the box, or nowhere here.
      const isStacked = inBox || stackedMinor > seat.creditMinor;
      const [outcome, reason] = isStacked
        ? (['credited', 'seen-in-box'] as const)
        : (['returned', 'seen-in-path'] as const);
      submit({
        type: 'resolve-held-note',
        caseNo,
        outcome,
        reason,
        words: '',
        person: ATTENDANT,
        second: SUPERVISOR,
      });
      cases += 1;
    }
    if (seat.creditMinor !== stackedMinor) assert.fail(`run ${run}: ${seat.creditMinor} of ${stackedMinor}`);
  }
  assert.ok(cases > 1_000 && returned > 10_000, `${cases} cases, ${returned} came back`);
});

test('a credit signal that has made or found a case and comes again is the same note, until the unit goes on', () => {
  for (const before of ['none', 'stack-requested', 'held'] as const) {
    const table = tableWith(before);
    const note = before === 'stack-requested' ? B : A;
    hear(table, { word: 'credited', note });
    const { heldNotes, boxNotes } = structuredClone(table.state);
    assert.equal(boxNotes[0], 1, before);
    const again = hear(table, { word: 'credited', note });
    assert.deepEqual([typesOf(again.events), typesOf(again.effects)], [[], ['record', 'acknowledge-credit']]);
    assert.deepEqual(
      [table.state.heldNotes, table.state.boxNotes],
      [heldNotes, boxNotes],
      'one case, one note',
    );
    hear(table, { word: 'idle' });
    hear(table, { word: 'credited', note });
    assert.equal(table.state.heldNotes.length, heldNotes.length + 1, 'another note');
    table.checkReplay();
  }
  const unnamed = tableWith('none');
  hear(unnamed, { word: 'credited' });
  hear(unnamed, { word: 'credited' });
  assert.equal(unnamed.state.heldNotes.length, 1);
});

test('of several cases of an acceptor the signal finds the one whose value it names', () => {
  const table = tableWith('held');
  hear(table, { word: 'escrow', noteId: 'b', note: B });
  hear(table, { word: 'settled-unknown' });
  hear(table, { word: 'credited', note: A });
  assert.deepEqual(
    table.state.heldNotes.map(({ noteId, inBox }) => [noteId, inBox]),
    [
      ['a', true],
      ['b', false],
    ],
  );
});
