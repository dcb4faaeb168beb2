import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { Malformed, parsed, TerminalPath } from './input.ts';

const placeOf = (schema: z.ZodType, value: unknown): string => {
  try {
    parsed(schema, value, 'body');
  } catch (error) {
    assert.ok(error instanceof Malformed);
    return `${error.place}: ${error.message}`;
  }
  return 'taken';
};

test('what is malformed is named with its place, the first one where there are several', () => {
  const schema = z.strictObject({ list: z.array(z.strictObject({ no: z.int() })), text: z.string() });
  assert.equal(placeOf(schema, { list: [{ no: 1 }], text: '' }), 'taken');
  assert.match(placeOf(schema, { list: [{ no: 1 }, { no: 'x' }], text: 1 }), /^body\.list\[1\]\.no: /);
  assert.match(placeOf(schema, 7), /^body: /);
});

test('a terminal is called by a name that is safe in a path and in a file name', () => {
  for (const id of ['T-1', 'a', 'BJ-DEMO-01', 'x'.repeat(64)])
    assert.equal(placeOf(TerminalPath, { id }), 'taken');
  for (const id of ['', '.', '..', '-x', 'a/b', '../x', 'a b', 'x'.repeat(65), 'é', 'a\n'])
    assert.match(placeOf(TerminalPath, { id }), /^body\.id: must match/, JSON.stringify(id));
});
