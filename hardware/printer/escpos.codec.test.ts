import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PrinterStatus } from '../ports.ts';
import { EMPTY_PARSER, fromHex, toHex } from '../transport/bytes.ts';
import { seededChance } from '../transport/faults.ts';
import {
  ask,
  CLEAR,
  encodeDocument,
  encodeItem,
  isOf,
  parse,
  statusOfAnswers,
  toCodePage,
} from './escpos.codec.ts';

/** BANCA_FUZZ=1000000 for a full run. */
const FUZZ = Number(process.env['BANCA_FUZZ'] ?? 2500);

const heard = (hex: string) => parse(EMPTY_PARSER, fromHex(hex));
const GOOD: PrinterStatus = {
  paper: 'there',
  coverOpen: false,
  cutterError: false,
  failed: false,
  pausing: false,
  online: true,
};

test('what is sent, to the byte', () => {
  assert.equal(
    toHex(encodeItem({ type: 'line', text: '2.ª VIA', align: 'centre', bold: true })),
    '1b 61 01 1b 45 01 1d 21 00 32 2e aa 20 56 49 41 0a',
  );
  assert.equal(toHex(encodeItem({ type: 'cut' })), '1d 56 42 00');
  assert.equal(
    toHex(encodeItem({ type: 'qr', text: 'AB', dots: 4 })),
    '1b 61 01 1d 28 6b 04 00 31 41 32 00 1d 28 6b 03 00 31 43 04 1d 28 6b 03 00 31 45 31 ' +
      '1d 28 6b 05 00 31 50 30 41 42 1d 28 6b 03 00 31 51 30',
  );
  assert.equal(
    toHex(encodeItem({ type: 'picture', raster: { widthDots: 8, rows: [fromHex('ff'), fromHex('81')] } })),
    '1b 61 00 1d 76 30 00 01 00 02 00 ff 81',
  );
  assert.equal(
    toHex(encodeDocument(42, [], 32)),
    '1d 61 0e 1b 40 1b 74 20 1d 28 48 06 00 30 30 30 30 34 32',
    "another maker's table of characters",
  );
  assert.ok(toHex(encodeItem({ type: 'qr', text: 'A\nB', dots: 4 })).includes('31 50 30 41 0a 42'));
  assert.equal(toHex(ask(4)), '10 04 04');
  assert.equal(toHex(CLEAR), '10 14 08 01 03 14 01 06 02 08');
  assert.equal(toHex(encodeDocument(42, [])), '1d 61 0e 1b 40 1b 74 10 1d 28 48 06 00 30 30 30 30 34 32');
});

test('a text that the table of characters lacks is drawn, in its place and its look', () => {
  const asked: unknown[] = [];
  const two = [fromHex('ff'), fromHex('81')].map((row) => ({ widthDots: 8, rows: [row] }));
  const bytes = encodeItem({ type: 'line', text: '副本', align: 'right', bold: true }, (text, { bold }) => {
    asked.push(text, bold);
    return two;
  });
  assert.deepEqual(asked, ['副本', true]);
  assert.equal(toHex(bytes), '1b 61 02 1d 76 30 00 01 00 01 00 ff 1b 61 02 1d 76 30 00 01 00 01 00 81');
});

test('no picture holds a command that a printer would obey in its middle', () => {
  const row = fromHex('10 04 01 10 05 02 10 14 08 10 ff 10');
  const sent = toHex(encodeItem({ type: 'picture', raster: { widthDots: 96, rows: [row, row] } }));
  const dots = '00 04 01 00 05 02 00 14 08 10 ff 10';
  assert.equal(sent, `1b 61 00 1d 76 30 00 0c 00 02 00 ${dots} ${dots.replace(/10$/, '00')}`);
});

test('what no printer can print is refused', () => {
  assert.equal(toCodePage('副本'), null);
  assert.throws(() => encodeItem({ type: 'line', text: '副本' }), /letters that nobody can print/);
  assert.throws(() => encodeItem({ type: 'line', text: 'a\u001d' }), RangeError);
  assert.throws(() => encodeItem({ type: 'qr', text: '', dots: 4 }), RangeError);
  assert.throws(() => encodeItem({ type: 'picture', raster: { widthDots: 9, rows: [] } }), RangeError);
  assert.throws(
    () => encodeItem({ type: 'picture', raster: { widthDots: 16, rows: [fromHex('ff')] } }),
    /row 0 has 1 bytes, not 2/,
  );
  assert.throws(() => encodeDocument(0, []), RangeError);
});

test('what a printer says: status bytes as published, each bit alone', () => {
  const rows: [string, Partial<PrinterStatus>][] = [
    ['10 00 00 00', {}],
    ['14 00 00 0f', {}], // the drawer's pin; reserved bits
    ['18 00 0f 00', { online: false, paper: 'out' }],
    ['10 00 03 00', { paper: 'near-end' }],
    ['38 00 00 00', { online: false, coverOpen: true }],
    ['18 08 00 00', { online: false, cutterError: true }],
    ['18 04 00 00', { online: false, failed: true }],
    ['18 20 00 00', { online: false, failed: true }],
    ['18 40 00 00', { online: false, pausing: true }],
  ];
  for (const [hex, status] of rows)
    assert.deepEqual(heard(hex).frames[0]?.frame, { type: 'status', status: { ...GOOD, ...status } }, hex);
  const of = (hex: string) => statusOfAnswers([...fromHex(hex)] as [number, number, number, number]);
  assert.deepEqual(of('12 12 12 12'), GOOD);
  assert.deepEqual(of('12 12 12 1e'), { ...GOOD, paper: 'near-end' });
  assert.deepEqual(of('1a 32 12 7e'), { ...GOOD, online: false, paper: 'out' });
  assert.deepEqual(of('1a 16 12 12'), { ...GOOD, online: false, coverOpen: true });
  assert.deepEqual(of('1a 52 1a 12'), { ...GOOD, online: false, cutterError: true });
  assert.deepEqual(of('1a 52 16 12'), { ...GOOD, online: false, failed: true });
  assert.deepEqual(of('1a 52 32 12'), { ...GOOD, online: false, failed: true });
  assert.deepEqual(of('1a 32 12 12'), { ...GOOD, online: false, paper: 'out' }, 'of the cause alone');
  assert.deepEqual(heard('37 22 30 30 34 32 00').frames[0]?.frame, { type: 'processed', id: '0042' });
  assert.ok(isOf('0042', 42) && isOf('0042', 10_042) && !isOf('0043', 42));
  assert.deepEqual(heard('37 25 00').frames[0]?.frame, { type: 'cleared' });
});

test('a word that is damaged costs itself and no other', () => {
  const { frames, bad, state } = heard('37 22 30 ff 12 10 00 93 12 37 22 30 30 30 31 00 37');
  assert.deepEqual(
    frames.map(({ frame }) => frame.type),
    ['answer', 'answer', 'processed'],
  );
  assert.equal(bad, 7);
  assert.equal(toHex(state.kept), '37');
});

test(`any bytes, in any pieces: the same words, and never more than six bytes kept (${FUZZ} inputs)`, (t) => {
  const chance = seededChance(11);
  const USUAL = [0x37, 0x22, 0x25, 0x10, 0x12, 0x30, 0x39, 0x00, 0x18, 0x08];
  let words = 0;
  for (let input = 0; input < FUZZ; input++) {
    const bytes = Uint8Array.from({ length: 1 + chance.below(40) }, () =>
      chance.happens(700) ? USUAL[chance.below(USUAL.length)]! : chance.below(256),
    );
    const whole = parse(EMPTY_PARSER, bytes);
    let state = EMPTY_PARSER;
    let bad = 0;
    const frames: unknown[] = [];
    for (let from = 0; from < bytes.length; ) {
      const size = 1 + chance.below(5);
      const some = parse(state, bytes.subarray(from, from + size));
      frames.push(...some.frames);
      bad += some.bad;
      state = some.state;
      assert.ok(state.kept.length <= 6);
      from += size;
    }
    assert.deepEqual({ frames, bad, state }, { ...whole });
    const read = whole.frames.reduce((sum, { bytes: of }) => sum + of.length, 0);
    assert.equal(read + whole.bad + whole.state.kept.length, bytes.length);
    words += whole.frames.length;
  }
  t.diagnostic(`${FUZZ} inputs, ${words} words`);
  assert.ok(words > FUZZ);
});
