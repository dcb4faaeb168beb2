import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { EMPTY_PARSER, fromHex, toHex } from '../../transport/bytes.ts';
import { decode, decodeCommand, ERRORS, encode, parse } from './angel-eye.codec.ts';
import { ANGEL_EYE_FAULTS } from './angel-eye.sim.ts';
import { eventOf } from './angel-eye-events.ts';

const DOCUMENT = readFileSync(new URL('../../../docs/protocols/angel-eye.md', import.meta.url), 'utf8');

test('2 and 7: every telegram and command of the document is read, and written again to the byte', () => {
  const telegrams = [...DOCUMENT.matchAll(/^\| seq (\d), .+ \| `(05 [0-9a-f ]+)` \|$/gm)];
  assert.equal(telegrams.length, 2);
  for (const [line, seq, hex] of telegrams) {
    const [telegram] = parse(EMPTY_PARSER, fromHex(hex!)).telegrams;
    const message = decode(telegram?.data ?? new Uint8Array(0));
    assert.ok(message.ok, line);
    assert.equal(toHex(encode(Number(seq), message.value)), hex);
  }
  const command = /`(02 4f[0-9a-f\s]+)`/.exec(DOCUMENT)?.[1];
  assert.deepEqual(decodeCommand(fromHex(command ?? '')), { type: 'LK', data: 2 });
});

test('5 the errors and the faults they become', () => {
  const rows = [...DOCUMENT.matchAll(/^\| (\d) \| ([a-z- ]+) \| `([a-z]+)`/gm)];
  assert.deepEqual(
    rows.map(([, code, name]) => [code, name]),
    Object.entries(ERRORS),
  );
  for (const [line, code, , fault] of rows) {
    const event = eventOf({ type: 'error', inErrorMode: true, code: Number(code) }, 1);
    assert.ok(event?.type === 'fault' && event.fault === fault, line);
  }
});

test('3 every code stands in the table with the length that the codec wants', () => {
  const rows = [...DOCUMENT.matchAll(/^\| `([A-Za-z])` \| (\d) \|/gm)];
  assert.equal(rows.length, 11);
  for (const [line, code, length] of rows) {
    const payload = (count: number): Uint8Array =>
      Uint8Array.from([code!.charCodeAt(0), ...Array<number>(count).fill(0x91)]);
    assert.ok(decode(payload(Number(length))).ok, line);
    assert.ok(!decode(payload(Number(length) + 1)).ok, line);
  }
});

test('9 the faults of the simulator', () => {
  const listed = DOCUMENT.slice(DOCUMENT.indexOf('## 9.'));
  for (const fault of ANGEL_EYE_FAULTS) assert.ok(listed.includes(`\`${fault}\``), fault);
});
