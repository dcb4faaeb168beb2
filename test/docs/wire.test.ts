import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseMessage } from '../../host/server/messages.ts';
import { toHost } from '../../wire/messages.ts';
import { ROOT } from './generated.ts';

const document = readFileSync(join(ROOT, 'docs/wire.md'), 'utf8');

test('every message that a display may send is in the document', () => {
  const messages = toHost.options.map(({ shape }) => shape.t.value);
  assert.ok(messages.length > 5);
  assert.deepEqual(
    messages.filter((name) => !document.includes(`{"t":"${name}"`)),
    [],
  );
});

test('the hello of the document is one that the host takes', () => {
  const hello = /`(\{"t":"hello",[^`]*\})`/.exec(document)?.[1];
  assert.ok(hello);
  assert.deepEqual(parseMessage(hello), { ok: true, message: JSON.parse(hello) });
});
