import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVENT_CODES, rowOf } from '../../wire/event-catalogue.ts';
import { FAULTS, type FaultRow } from '../../wire/faults.ts';
import { CODINGS, codesOf } from './event-codes.ts';

const codes = (kind: string, body: object): string[] => codesOf({ kind, body }).map(({ code }) => code);

test('an entry is the events that its body makes of it', () => {
  assert.deepEqual(codes('cash-out-requested', {}), ['601', '602']);
  assert.deepEqual(codes('hand-paid', {}), ['603', '602C']);
  assert.deepEqual(codes('note-refused', { why: 'limit' }), ['322']);
  assert.deepEqual(codes('note-refused', { why: 'service' }), ['304']);
  assert.deepEqual(codes('card-confirmed', { read: 5, card: 5 }), ['405C']);
  assert.deepEqual(codes('card-confirmed', { read: 5, card: 6 }), ['407']);
  assert.deepEqual(codes('card-confirmed', { read: null, card: 6 }), ['408']);
  assert.deepEqual(codes('turn-moved', {}), []);
  assert.deepEqual(codes('an entry of a later version', {}), []);
});

test('a fault begins with the code of its row and ends with its own number, or the same and a C', () => {
  for (const [fault, { code, over }] of Object.entries<FaultRow>(FAULTS)) {
    assert.deepEqual(codes('fault-reported', { fault }), [String(code)]);
    assert.deepEqual(codes('fault-cleared', { fault }), [over === undefined ? `${code}C` : `${over}`]);
  }
  assert.deepEqual(codes('fault-reported', { fault: 'of-an-earlier-version' }), []);
});

test('the class is the row’s, or the one the entry gives it', () => {
  assert.deepEqual(codesOf({ kind: 'jackpot-moved', body: { why: 'paid' } }), [{ code: '512', class: 'N' }]);
  assert.deepEqual(codesOf({ kind: 'jackpot-moved', body: { why: 'collected' } }), [
    { code: '512', class: 'I' },
  ]);
  assert.deepEqual(codesOf({ kind: 'self-test-run', body: { passed: true } }), [
    { code: '106C', class: 'N' },
  ]);
});

test('every code has a class and a name in each language', () => {
  for (const code of EVENT_CODES) {
    const { class: cls, name } = rowOf(code);
    assert.match(cls, /^[INWF]$/);
    for (const text of Object.values(name)) assert.notEqual(text, '', code);
  }
});

test('what is a step of another event names one that the list has', () => {
  const others = Object.values(CODINGS).flatMap((coding) =>
    typeof coding === 'object' && 'none' in coding
      ? (/^a step of what (.+) tells$/.exec(coding.none)?.[1] ?? [])
      : [],
  );
  assert.ok(others.length > 10);
  assert.deepEqual(
    others.filter((code) => !(EVENT_CODES as readonly string[]).includes(code)),
    [],
  );
});
