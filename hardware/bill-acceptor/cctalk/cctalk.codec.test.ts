import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EMPTY_PARSER, fromHex, toHex } from '../../transport/bytes.ts';
import { seededChance } from '../../transport/faults.ts';
import {
  counterAfter,
  decodeBillId,
  decodeEvents,
  decodeScaling,
  encode,
  encodeEvents,
  eventOf,
  eventsSince,
  type Frame,
  faultOfCheck,
  HEADER,
  HOST,
  hostWords,
  inhibitMask,
  parse,
  STATUS_CODES,
  unitNoteOf,
  type Wire,
} from './cctalk.codec.ts';
import { codeOf, scramble, unscramble } from './cctalk-cipher.codec.ts';

/** 20000 in the ordinary run; BANCA_FUZZ=1000000 for all. */
const INPUTS = Number(process.env['BANCA_FUZZ'] ?? 20_000);

const SIMPLE: Wire = { address: 40, checksum: 'simple', code: null };
const CRC: Wire = { address: 40, checksum: 'crc16', code: null };
const SECRET: Wire = { ...CRC, code: codeOf('123456') };
const WIRES = [SIMPLE, CRC, SECRET];

const said = (wire: Wire, header: number, data: readonly number[] = []): string =>
  toHex(encode(wire, 40, header, data));
const heard = (wire: Wire, hex: string): readonly Frame[] =>
  parse(wire, EMPTY_PARSER, fromHex(hex)).frames.map(({ frame }) => frame);

test('frames of the host to the byte: simple checksum and CRC', () => {
  // The maker's own example: 40 0 1 254 217 in decimal.
  assert.equal(said(SIMPLE, HEADER.simplePoll), '28 00 01 fe d9');
  assert.equal(said(SIMPLE, HEADER.readBillEvents), '28 00 01 9f 38');
  assert.equal(said(SIMPLE, HEADER.routeBill, [1]), '28 01 01 9a 01 3b');
  assert.equal(said(SIMPLE, HEADER.routeBill, [0]), '28 01 01 9a 00 3c');
  assert.equal(said(SIMPLE, HEADER.modifyOperatingMode, [3]), '28 01 01 99 03 3a');
  assert.equal(said(CRC, HEADER.reset), '28 00 46 01 3f');
  // The CRC of this one stands in a public program's note of a line.
  assert.equal(said(CRC, HEADER.readBillEvents), '28 00 31 9f 5d');
});

test('encrypted: the frame of a line whose code is 123456, as a public program has it', () => {
  assert.equal(said(SECRET, HEADER.readBillEvents), '28 00 cb d8 ff');
  assert.deepEqual(heard(SECRET, '28 00 cb d8 ff'), [
    { to: 40, from: null, header: HEADER.readBillEvents, data: new Uint8Array(0) },
  ]);
  assert.deepEqual(heard({ ...CRC, code: codeOf('123457') }, '28 00 cb d8 ff'), []);
  assert.deepEqual(heard(CRC, '28 00 cb d8 ff'), []);
});

test('frames of the unit: acknowledged, refused, events, an id', () => {
  assert.deepEqual(heard(SIMPLE, '01 00 28 00 d7'), [
    { to: HOST, from: 40, header: 0, data: new Uint8Array(0) },
  ]);
  assert.equal(heard(SIMPLE, '01 00 28 05 d2')[0]?.header, 5);
  const [events] = heard(SIMPLE, '01 0b 28 00 02 03 01 00 02 00 00 00 00 00 00 c4');
  const decoded = decodeEvents(events!.data);
  assert.deepEqual(decoded.ok && decoded.value.counter, 2);
  assert.deepEqual(decoded.ok && decoded.value.pairs.slice(0, 2), [
    [3, 1],
    [0, 2],
  ]);
  const [id] = heard(SIMPLE, toHex(encode(SIMPLE, HOST, 0, Buffer.from('MO0100A'))));
  assert.deepEqual(decodeBillId(id!.data), { ok: true, value: 'MO0100A' });
});

test('every frame there and back in any pieces, behind its echo and behind garbage', () => {
  const chance = seededChance(5);
  for (const wire of WIRES)
    for (let n = 0; n < 300; n++) {
      const data = Array.from({ length: chance.below(20) }, () => chance.below(256));
      const question = encode(wire, 40, chance.below(256));
      const answer = encode(wire, HOST, 0, data);
      const line = Uint8Array.from([...question, ...answer]);
      let state = EMPTY_PARSER;
      const frames: Frame[] = [];
      for (let at = 0; at < line.length; ) {
        const size = 1 + chance.below(6);
        const parsed = parse(wire, state, line.subarray(at, at + size));
        state = parsed.state;
        frames.push(...parsed.frames.map(({ frame }) => frame));
        at += size;
      }
      assert.deepEqual(
        frames.map(({ to, data: got }) => [to, [...got]]),
        [
          [40, []],
          [HOST, data],
        ],
      );
      assert.equal(state.kept.length, 0);
    }
  const behind = parse(SIMPLE, EMPTY_PARSER, fromHex('ff 00 fe 01 00 28 00 d7'));
  assert.deepEqual([behind.frames.length, behind.bad], [1, 1]);
});

test('one turned bit is no frame', () => {
  for (const wire of WIRES) {
    const whole = encode(wire, HOST, 0, [2, 3, 1, 0, 2, 0, 0, 0, 0, 0, 0]);
    for (let bit = 0; bit < whole.length * 8; bit++) {
      const spoilt = Uint8Array.from(whole);
      spoilt[bit >> 3]! ^= 1 << (bit & 7);
      const { frames } = parse(wire, EMPTY_PARSER, spoilt);
      assert.deepEqual(
        frames.filter(({ bytes }) => bytes.length === whole.length),
        [],
        `bit ${bit}`,
      );
    }
  }
});

test('the cipher is undone by its inverse for any code and length', () => {
  const chance = seededChance(9);
  for (let n = 0; n < 3000; n++) {
    const code = Array.from({ length: 6 }, () => chance.below(10));
    const plain = Uint8Array.from({ length: 3 + chance.below(40) }, () => chance.below(256));
    assert.deepEqual(unscramble(code, scramble(code, plain)), plain);
  }
});

test(`${INPUTS} inputs of any bytes: the parser ends, keeps little, and every frame it finds holds`, () => {
  const chance = seededChance(INPUTS);
  for (let n = 0; n < INPUTS; n++) {
    const wire = WIRES[n % WIRES.length]!;
    const valid = encode(wire, chance.happens(500) ? HOST : 40, chance.below(256), [n & 255, n >> 8]);
    const bytes = Uint8Array.from({ length: chance.below(40) }, () =>
      chance.happens(300) ? (chance.happens(500) ? HOST : 40) : chance.below(256),
    );
    const line = chance.happens(300) ? Uint8Array.from([...bytes, ...valid]) : bytes;
    const { state, frames, bad } = parse(wire, EMPTY_PARSER, line);
    assert.ok(state.kept.length < 70 && bad <= line.length);
    for (const { frame, bytes: of } of frames) {
      assert.deepEqual(encode(wire, frame.to, frame.header, frame.data, frame.from ?? 0), of);
      for (const decode of [decodeEvents, decodeBillId, decodeScaling]) decode(frame.data);
    }
    hostWords(line);
  }
});

test('pairs: 1 is escrow and 0 the credit; with A = 0 a status; what nobody names is unknown', () => {
  assert.deepEqual(eventOf(3, 1), { type: 'escrow', bill: 3 });
  assert.deepEqual(eventOf(255, 0), { type: 'credit', bill: 255 });
  assert.deepEqual(eventOf(0, 1), { type: 'returned' });
  assert.deepEqual(eventOf(0, 7), { type: 'state', state: 'jammed', detail: 'stacker' });
  assert.deepEqual(eventOf(0, 18), { type: 'state', state: 'cheated', detail: 'string-fraud' });
  assert.deepEqual(eventOf(3, 2), { type: 'unknown', pair: [3, 2] });
  assert.deepEqual(eventOf(0, 99), { type: 'unknown', pair: [0, 99] });
  assert.deepEqual(
    STATUS_CODES,
    Array.from({ length: 22 }, (_, code) => code),
  );
});

test('the counter: 0 after a start alone, 255 is followed by 1, and it reports five at most', () => {
  assert.deepEqual([counterAfter(0), counterAfter(254), counterAfter(255)], [1, 255, 1]);
  assert.deepEqual(
    [eventsSince(0, 0), eventsSince(7, 12), eventsSince(255, 1), eventsSince(253, 3)],
    [0, 5, 1, 5],
  );
  assert.equal(eventsSince(7, 6), 254);
  let counter = 0;
  for (let n = 1; n <= 600; n++) {
    const next = counterAfter(counter);
    assert.equal(eventsSince(counter, next), 1);
    counter = next;
  }
  assert.equal(encodeEvents({ counter: 1, pairs: [[3, 1]] }).length, 11);
  assert.ok(!decodeEvents(new Uint8Array(9)).ok);
});

test('values: digits times factor, behind the point as many as it says; nothing is guessed', () => {
  const row = (id: string, factor: number, decimals: number) =>
    unitNoteOf({ bill: 4, id }, { factor, decimals }, { MO: 'MOP' });
  assert.deepEqual(row('MO0100A', 1, 0), { said: '4 MO0100A 1 0', valueMinor: 10_000, currency: 'MOP' });
  assert.equal(row('MO0100A', 100, 2).valueMinor, 10_000);
  assert.equal(row('MO0005A', 1000, 0).valueMinor, 500_000);
  assert.equal(row('MO0001A', 1, 3).valueMinor, null, 'a tenth of a minor unit');
  assert.equal(row('GE0005A', 1, 0).currency, null);
  assert.deepEqual(unitNoteOf({ bill: 1, id: 'MO0010A' }, null, {}), {
    said: '1 MO0010A -',
    valueMinor: null,
    currency: null,
  });
  assert.deepEqual(decodeBillId(Buffer.from('.......')), { ok: true, value: null });
  assert.ok(!decodeBillId(Buffer.from('MO01')).ok);
  assert.deepEqual(decodeScaling(Uint8Array.of(0, 0, 0)), { ok: true, value: null });
  assert.ok(!decodeScaling(Uint8Array.of(0, 0, 2)).ok);
  assert.deepEqual(inhibitMask([1, 9, 16]), [0x01, 0x81]);
  assert.deepEqual(faultOfCheck(99), { state: 'failed', detail: 'fault 99' });
});

test('what the host says, in words', () => {
  assert.equal(hostWords(fromHex('28 01 01 9a 01 3b')), 'route bill 01');
  assert.equal(hostWords(fromHex('28 00 31 9f 5d')), 'read bill events');
  assert.equal(hostWords(fromHex('28 00 cb d8 ff')), null);
});
