import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EMPTY_PARSER, fromHex, toHex } from '../../transport/bytes.ts';
import { seededChance } from '../../transport/faults.ts';
import { FIXED_KEY, keyOf, numberOf, packingOf, powerMod, seal, unseal } from './essp.codec.ts';
import {
  COMMAND,
  crcOf,
  decodeEvents,
  decodeSetup,
  EVENT,
  encode,
  hostWords,
  inhibitBytes,
  parse,
} from './ssp.codec.ts';

/** BANCA_FUZZ=1000000 for the long one. */
const FUZZ = Number(process.env['BANCA_FUZZ'] ?? 3000);

/** Packets of the maker's manual GA138_2_2_2129A. */
const QUOTED: readonly (readonly [packet: string, seq: 0 | 1, data: string])[] = [
  ['7f 80 01 11 65 82', 1, '11'],
  ['7f 80 01 01 06 02', 1, '01'],
  ['7f 80 02 06 08 03 94', 1, '06 08'],
  ['7f 80 02 06 09 06 14', 1, '06 09'],
  ['7f 80 01 07 12 02', 1, '07'],
  ['7f 80 01 56 f7 83', 1, '56'],
  ['7f 80 01 57 f2 03', 1, '57'],
  ['7f 80 01 18 53 82', 1, '18'],
  ['7f 80 01 08 30 02', 1, '08'],
  ['7f 80 01 09 35 82', 1, '09'],
  ['7f 80 01 0a 3f 82', 1, '0a'],
  ['7f 80 01 17 71 82', 1, '17'],
  ['7f 80 03 02 07 00 2b b6', 1, '02 07 00'],
  ['7f 80 03 02 ff ff 25 a4', 1, '02 ff ff'],
  ['7f 80 09 4a c5 05 8f 3a 00 00 00 00 b2 73', 1, '4a c5 05 8f 3a 00 00 00 00'],
  ['7f 80 09 4c 79 c8 9c e2 de 06 00 00 9d 52', 1, '4c 79 c8 9c e2 de 06 00 00'],
  // What the unit answers.
  ['7f 80 01 f0 23 80', 1, 'f0'],
  ['7f 80 01 f5 3d 80', 1, 'f5'],
  ['7f 80 01 f8 10 00', 1, 'f8'],
  ['7f 80 03 f0 f1 e8 bf 8c', 1, 'f0 f1 e8'],
  ['7f 80 03 f0 ef 03 c5 ca', 1, 'f0 ef 03'],
  ['7f 80 04 f0 cc ee 01 62 aa', 1, 'f0 cc ee 01'],
  ['7f 80 04 f0 ee 01 eb b9 48', 1, 'f0 ee 01 eb'],
  ['7f 80 03 f0 e2 02 c3 e4', 1, 'f0 e2 02'],
  ['7f 80 05 f0 00 1c 96 2c d4 97', 1, 'f0 00 1c 96 2c'],
  ['7f 80 09 f0 23 68 1b fa e5 3c 27 db 80 8a', 1, 'f0 23 68 1b fa e5 3c 27 db'],
];

/** Packets of real units, out of public threads of skokov3812/encrypted-smiley-secure-protocol. */
const HEARD: readonly (readonly [packet: string, seq: 0 | 1, data: string])[] = [
  ['7f 00 01 11 66 08', 0, '11'],
  ['7f 00 01 f0 20 0a', 0, 'f0'],
  ['7f 00 02 06 06 1b 94', 0, '06 06'],
  ['7f 00 01 f4 3b 8a', 0, 'f4'], // an NV9USB to protocol version 6
  ['7f 80 01 f4 38 00', 1, 'f4'], // to a generator that is no prime
  ['7f 80 09 4a 6b 00 00 00 00 00 00 00 0e 36', 1, '4a 6b 00 00 00 00 00 00 00'],
  ['7f 80 09 f0 03 00 00 00 00 00 00 00 a3 92', 1, 'f0 03 00 00 00 00 00 00 00'],
];

test('packets as they are quoted: encoded and read byte for byte', () => {
  for (const [packet, seq, data] of [...QUOTED, ...HEARD]) {
    assert.equal(toHex(encode({ seq, address: 0, data: fromHex(data) })), packet);
    const { frames, bad } = parse(EMPTY_PARSER, fromHex(packet));
    assert.deepEqual([frames.length, bad, toHex(frames[0]!.frame.data)], [1, 0, data]);
    assert.equal(frames[0]!.frame.seq, seq);
  }
});

test('the CRC, by the values that a public library tests', () => {
  const low = (bytes: readonly number[]): readonly number[] => {
    const crc = crcOf(Uint8Array.from(bytes));
    return [crc & 0xff, crc >>> 8];
  };
  assert.deepEqual(low([]), [255, 255]);
  assert.deepEqual(low([65]), [132, 252]);
  assert.deepEqual(low([65, 66, 67]), [155, 6]);
  assert.deepEqual(low(Array.from({ length: 8 }, () => 65)), [232, 166]);
  // CRC-16/CMS.
  assert.equal(crcOf(Buffer.from('123456789')), 0xaee7);
});

test('a 7F inside is doubled, wherever it stands; alone it begins the next packet', () => {
  const data = fromHex('0d 7f 7f 01 7f');
  const packet = encode({ seq: 0, address: 0, data });
  assert.equal(toHex(packet.subarray(0, 11)), '7f 00 05 0d 7f 7f 7f 7f 01 7f 7f');
  const stuffed = Array.from({ length: 400 }, (_, n) => ({
    n,
    bytes: fromHex(`0d ${(n & 0xff).toString(16).padStart(2, '0')}`),
  }));
  for (const { n, bytes } of stuffed) {
    const one = encode({ seq: n % 2 === 0 ? 0 : 1, address: n % 0x7e, data: bytes });
    // Byte by byte, behind half a packet.
    let state = parse(EMPTY_PARSER, fromHex('7f 80 09 01')).state;
    const heard: string[] = [];
    for (const byte of one) {
      const step = parse(state, Uint8Array.of(byte));
      state = step.state;
      heard.push(...step.frames.map(({ frame }) => toHex(frame.data)));
    }
    assert.deepEqual(heard, [toHex(bytes)], toHex(one));
  }
});

test('one turned bit anywhere is never read as a packet', () => {
  for (const [packet] of QUOTED) {
    const bytes = fromHex(packet);
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const spoilt = Uint8Array.from(bytes);
      spoilt[bit >> 3]! ^= 1 << (bit & 7);
      assert.equal(parse(EMPTY_PARSER, spoilt).frames.length, 0, toHex(spoilt));
    }
  }
});

test('what no packet can hold is refused', () => {
  const empty = new Uint8Array(0);
  assert.throws(() => encode({ seq: 0, address: 0, data: empty }), RangeError);
  assert.throws(() => encode({ seq: 0, address: 0, data: new Uint8Array(256) }), RangeError);
  assert.throws(() => encode({ seq: 0, address: 0x7f, data: Uint8Array.of(1) }), RangeError);
});

test('events of a poll: each with its channel, and never a channel read as an event', () => {
  const events = (hex: string) => decodeEvents(fromHex(hex));
  assert.deepEqual(events('ef 03 e8'), {
    ok: true,
    value: [
      { code: EVENT.read, channel: 3 },
      { code: EVENT.disabled, channel: null },
    ],
  });
  assert.deepEqual(events('ee ee'), { ok: true, value: [{ code: EVENT.credit, channel: 0xee }] });
  assert.deepEqual(events('cc 42 eb'), {
    ok: true,
    value: [
      { code: EVENT.stacking, channel: null },
      { code: EVENT.stacked, channel: null },
    ],
  });
  assert.equal(events('cc ee').ok, false);
});

// type 0, firmware 0337, EUR, multiplier 1, two channels 5 and 10, security, real multiplier 100.
const HEAD = '00 30 33 33 37 45 55 52 00 00 01 02 05 0a 02 02 00 00 64';

test('the table of notes: channels, currencies and values of both forms', () => {
  const wide = decodeSetup(fromHex(`${HEAD} 06 45 55 52 43 48 46 05 00 00 00 0a 00 00 00`));
  assert.ok(wide.ok);
  const rows = wide.value.channels.map(({ channel, valueMinor, currency }) => [
    channel,
    valueMinor,
    currency,
  ]);
  assert.deepEqual(rows, [
    [1, 500, 'EUR'],
    [2, 1000, 'CHF'],
  ]);
  assert.equal(wide.value.channels[0]?.said, '01 45 55 52 05 00 00 00 00 00 01 00 00 64');
  const old = decodeSetup(fromHex(`${HEAD} 05`));
  assert.ok(old.ok);
  assert.deepEqual(
    old.value.channels.map(({ valueMinor, currency }) => [valueMinor, currency]),
    [
      [500, 'EUR'],
      [1000, 'EUR'],
    ],
  );
  assert.equal(decodeSetup(fromHex(`${HEAD} 06 45 55 52`)).ok, false, 'cut short');
  assert.equal(decodeSetup(fromHex('00 30')).ok, false);
  // A value of 0 is no channel; a currency that is no text is none.
  const odd = decodeSetup(fromHex(`${HEAD} 06 45 55 52 00 00 00 00 00 00 00 0a 00 00 00`));
  assert.ok(odd.ok);
  assert.deepEqual(
    odd.value.channels.map(({ channel, currency }) => [channel, currency]),
    [[2, null]],
  );
});

test('inhibits: bit n-1 is channel n, at least two bytes', () => {
  assert.deepEqual(inhibitBytes([], 6), [0, 0]);
  assert.deepEqual(inhibitBytes([1, 2, 9], 12), [3, 1]);
  assert.deepEqual(inhibitBytes([17], 20), [0, 0, 1]);
});

test('what the host says, in words', () => {
  const words = (...data: readonly number[]) =>
    hostWords(encode({ seq: 0, address: 0, data: Uint8Array.from(data) }));
  assert.equal(words(COMMAND.inhibits, 0x3f, 0), 'inhibits 3f 00');
  assert.equal(words(COMMAND.pollWithAck), 'poll with ack');
  assert.equal(words(0x99), 'command 99');
  assert.equal(hostWords(fromHex('00 01')), null);
});

test('encrypted: both sides come to one key; a packet of another key or a turned bit is none', () => {
  const [generator, modulus] = [18_446_744_073_709_551_557n, 18_446_744_073_709_551_533n];
  const [host, unit] = [0x1234_5678_9abc_def0n, 0x0fed_cba9_8765_4321n];
  const ours = powerMod(powerMod(generator, unit, modulus), host, modulus);
  assert.equal(ours, powerMod(powerMod(generator, host, modulus), unit, modulus));
  const key = keyOf(FIXED_KEY, ours);
  // Low byte first, the fixed half below.
  assert.equal(toHex(key.subarray(0, 8)), '67 45 23 01 67 45 23 01');
  assert.equal(numberOf(key.subarray(8)), ours);
  for (let length = 1; length <= 64; length++) {
    const data = Uint8Array.from({ length }, (_, i) => (i * 37 + length) & 0xff);
    const sealed = seal(key, length, data, new Uint8Array(packingOf(length)));
    assert.deepEqual([sealed[0], (sealed.length - 1) % 16], [0x7e, 0]);
    assert.deepEqual(unseal(key, sealed), { count: length, data });
    assert.equal(unseal(keyOf(FIXED_KEY, ours ^ 1n), sealed), null);
    sealed[1 + (length % (sealed.length - 1))]! ^= 1;
    assert.equal(unseal(key, sealed), null);
  }
  assert.equal(unseal(key, fromHex('7e 01 02')), null);
});

test('an answer of a real unit under its encryption: length, count, data, packing and CRC as here', () => {
  const packet = '7f 00 11 7e 89 63 ee 30 72 f1 28 48 23 da 48 d8 e0 76 5d fd 4d 2e';
  const { frames } = parse(EMPTY_PARSER, fromHex(packet));
  assert.equal(frames[0]?.frame.data.length, 17);
  // Its one block in the clear, as the thread has it.
  const inner = fromHex('02 07 00 00 00 f0 c6 ba b3 78 19 66 ef 04 06 f4');
  const crc = crcOf(inner.subarray(0, -2));
  assert.equal(toHex(Uint8Array.of(crc & 0xff, crc >>> 8)), '06 f4');
  const key = keyOf(FIXED_KEY, 3n);
  assert.equal(toHex(key), '67 45 23 01 67 45 23 01 03 00 00 00 00 00 00 00', 'as a host of that unit');
  const sealed = seal(key, 7, fromHex('f0 c6'), inner.subarray(7, -2));
  assert.deepEqual(unseal(key, sealed), { count: 7, data: fromHex('f0 c6') });
  assert.equal(sealed.length, 17);
});

test('the setup of the maker’s implementation guide and of its manual', () => {
  const guide = decodeSetup(
    fromHex(
      '00 30 33 33 35 45 55 52 00 00 01 04 05 0a 14 32 02 02 02 02 00 00 64 06 45 55 52 45 55 52 45 55 52 45 55 52 05 00 00 00 0a 00 00 00 14 00 00 00 32 00 00 00',
    ),
  );
  assert.ok(guide.ok);
  assert.deepEqual([guide.value.unitType, guide.value.firmware, guide.value.protocol], [0, '0335', 6]);
  assert.deepEqual(
    guide.value.channels.map(({ valueMinor, currency }) => [valueMinor, currency]),
    [500, 1000, 2000, 5000].map((minor) => [minor, 'EUR']),
  );
  // Its real multiplier reads 40 00 00 there: nobody takes a note of 20971520 pounds.
  const manual = decodeSetup(fromHex('00 30 31 30 30 47 42 50 00 00 01 03 05 0a 14 02 02 02 40 00 00 05'));
  assert.ok(manual.ok);
  assert.deepEqual([manual.value.protocol, manual.value.channels.length], [5, 3]);
});

test(`whatever comes, the codec neither throws nor keeps more than a packet (${FUZZ} inputs)`, () => {
  const chance = seededChance(7);
  const key = keyOf(FIXED_KEY, 1n);
  let state = EMPTY_PARSER;
  let frames = 0;
  for (let n = 0; n < FUZZ; n++) {
    const kind = chance.below(4);
    let bytes: Uint8Array = Uint8Array.from({ length: chance.below(40) }, () =>
      chance.happens(150) ? 0x7f : chance.below(256),
    );
    if (kind > 0 && bytes.length > 0) {
      bytes = encode({ seq: chance.below(2) === 0 ? 0 : 1, address: chance.below(0x7e), data: bytes });
      if (kind === 2) bytes[chance.below(bytes.length)]! ^= 1 << chance.below(8);
      if (kind === 3) bytes = bytes.subarray(0, chance.below(bytes.length + 1));
    }
    const parsed = parse(state, bytes);
    state = parsed.state;
    assert.ok(state.kept.length <= 1 + 2 * 259);
    frames += parsed.frames.length;
    for (const { frame } of parsed.frames) {
      const again = encode(frame);
      assert.deepEqual(parse(EMPTY_PARSER, again).frames[0]?.frame, frame);
      decodeEvents(frame.data);
      decodeSetup(frame.data);
      unseal(key, frame.data);
    }
  }
  assert.ok(frames > FUZZ / 5, `${frames} packets of ${FUZZ}`);
});
