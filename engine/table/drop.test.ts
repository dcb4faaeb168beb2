/** The exchange of cash boxes by announcement. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ATTENDANT, DEALER, SUPERVISOR, TECHNICIAN, TestTable } from '../../test/support/table-kit.ts';
import { allowedNotes, whyShut } from '../engine.ts';
import { boxOf, DROP_WITHIN_MS, dropEndsMs } from './drop.ts';

test('H15: a drop is announced by who keeps the boxes, one at a time, of boxes that are there', () => {
  const table = TestTable.ready({}, {}, 0);
  const announce = (acceptors: readonly number[] | null, person = ATTENDANT) =>
    table.try({ type: 'announce-drop', acceptors, person });
  for (const person of [DEALER, TECHNICIAN]) assert.equal(announce(null, person)?.code, 'person');
  assert.equal(announce([])?.code, 'malformed');
  assert.match(announce([1, 8])?.detail ?? '', /no acceptor 8/);
  table.must({
    type: 'report-fault',
    device: 'acceptor-3',
    fault: 'cash-box-removed',
    place: 'acceptor 3',
  });
  assert.match(announce(null)?.detail ?? '', /acceptor 3 is out already/);
  // Another fault of an acceptor keeps its box where it can be exchanged.
  table.must({ type: 'report-fault', device: 'acceptor-5', fault: 'note-jam', place: 'acceptor 5' });
  assert.equal(announce([5, 2, 2], SUPERVISOR), null);
  assert.deepEqual(table.state.drop?.acceptors, [2, 5]);
  assert.equal(announce([1])?.code, 'duplicate');
  assert.deepEqual(
    [1, 2, 5].map((acceptor) => boxOf(table.state, acceptor)),
    [null, 'due', 'due'],
  );
  table.checkReplay();
  const shared = TestTable.ready({}, { acceptors: 'shared' }, 0);
  shared.must({ type: 'announce-drop', acceptors: null, person: ATTENDANT });
  assert.deepEqual(shared.state.drop?.acceptors, [1]);
});

test('H15: what is taken out is empty when it is back, shuts its acceptor meanwhile, and with the last one the drop ends', () => {
  const table = TestTable.ready({}, {}, 0);
  for (const seat of [1, 2, 3]) table.insert(seat, 50_000);
  const box = (type: 'take-box' | 'put-box-back', acceptor: number) => table.try({ type, acceptor });
  assert.equal(box('take-box', 1)?.code, 'not-due', 'nothing is announced');
  table.must({ type: 'announce-drop', acceptors: [1, 2], person: ATTENDANT });
  assert.equal(box('take-box', 3)?.code, 'not-due', 'it has no part in it');
  assert.equal(box('put-box-back', 1)?.code, 'not-due');
  assert.equal(whyShut(table.state, 1), null, 'notes go in until the box is out');
  // Also while somebody stands in service mode, and over a restart.
  table.must({ type: 'enter-service', person: TECHNICIAN });
  assert.equal(box('take-box', 1), null);
  assert.equal(box('take-box', 1)?.code, 'not-due');
  table.must({ type: 'start-terminal', bootId: 'b2', softwareId: 's' });
  assert.deepEqual([whyShut(table.state, 1), allowedNotes(table.state, 1)], ['box-out', []]);
  assert.deepEqual(table.state.boxNotes, [1, 1, 1]);
  assert.deepEqual(table.state.faults, []);
  assert.equal(table.try({ type: 'end-drop', person: SUPERVISOR })?.code, 'not-allowed', 'a box is out');
  assert.equal(dropEndsMs(table.state), null);
  assert.equal(box('put-box-back', 1), null);
  assert.deepEqual([table.state.boxNotes, boxOf(table.state, 1)], [[0, 1, 1], 'exchanged']);
  assert.equal(whyShut(table.state, 1), null);
  assert.equal(box('take-box', 1)?.code, 'not-due', 'it is exchanged');
  assert.equal(box('take-box', 2), null);
  assert.equal(box('put-box-back', 2), null);
  assert.equal(table.state.drop, undefined);
  const { why, person, skipped } = table.events.findLast(({ type }) => type === 'drop-ended') as never;
  assert.deepEqual([why, person, skipped], ['done', null, []]);
  table.checkReplay();
});

test('H15: a drop that nobody goes on with ends by its time, or by a person, and names what stayed in', () => {
  const table = TestTable.ready({}, {}, 0);
  const ended = (): unknown[] => {
    const { why, person, skipped } = table.events.findLast(({ type }) => type === 'drop-ended') as never;
    return [why, (person as { id: string } | null)?.id ?? null, skipped];
  };
  assert.equal(table.try({ type: 'end-drop', person: ATTENDANT })?.code, 'nothing-to-do');
  assert.equal(dropEndsMs(table.state), null);
  table.must({ type: 'announce-drop', acceptors: [1, 2], person: ATTENDANT });
  assert.equal(table.try({ type: 'end-drop', person: DEALER })?.code, 'person');
  table.atMs += DROP_WITHIN_MS / 2;
  table.must({ type: 'take-box', acceptor: 1 });
  table.atMs += DROP_WITHIN_MS;
  assert.equal(
    table.try({ type: 'end-drop', person: null })?.code,
    'not-allowed',
    'never while a box is out',
  );
  table.must({ type: 'put-box-back', acceptor: 1 });
  assert.equal(table.try({ type: 'end-drop', person: null })?.code, 'not-due', 'the time begins afresh');
  // The table's clock goes on by one: this is the very moment.
  table.atMs = dropEndsMs(table.state)! - 1;
  table.must({ type: 'end-drop', person: null });
  assert.deepEqual(ended(), ['time', null, [2]]);
  table.must({ type: 'announce-drop', acceptors: null, person: ATTENDANT });
  table.must({ type: 'end-drop', person: SUPERVISOR });
  assert.deepEqual(ended(), ['person', 's1', [1, 2, 3, 4, 5, 6, 7]]);
  table.checkReplay();
});
