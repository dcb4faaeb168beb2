import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EMPTY_PARSER, fromHex, type ParserState, toHex } from '../../transport/bytes.ts';
import { seededChance } from '../../transport/faults.ts';
import {
  decodePoll,
  decodeStatus,
  encodeFrame,
  encodePoll,
  encodeStatus,
  type Frame,
  type Poll,
  parse,
  STATUS_BITS,
  type Status,
  type Toggle,
} from './ebds.codec.ts';
import {
  decodeHost,
  decodeSoftwareCrc,
  decodeUnit,
  encodeHost,
  encodeUnit,
  type HostMessage,
  inhibitBytes,
  noteOf,
  printable,
  type UnitMessage,
} from './ebds-messages.codec.ts';

const PLAIN: Poll = {
  notes: 0x7f,
  orientation: 0,
  escrow: false,
  move: null,
  noPush: false,
  barcodes: false,
  powerUp: 'A',
  extendedNotes: false,
  extendedCoupons: false,
};
const POLL: Poll = { ...PLAIN, orientation: 3, escrow: true, extendedNotes: true };
const QUIET: Status = {
  ...(Object.fromEntries(Object.keys(STATUS_BITS).map((name) => [name, false])) as Record<
    keyof typeof STATUS_BITS,
    boolean
  >),
  value: 0,
  model: 0,
  revision: 0,
};
const NONE: Poll = { ...PLAIN, notes: 0 };
const USD = (base: number, exponent: number) => ({ currency: 'USD', base, exponent });

// Published by the two open libraries in their documents and tests; the same bytes a unit takes and
// sends.
const HOST: readonly (readonly [name: string, message: HostMessage, toggle: Toggle, hex: string])[] = [
  ['command', { type: 'poll', poll: PLAIN }, 0, '02 08 10 7f 00 00 03 67'],
  ['escrow poll', { type: 'poll', poll: POLL }, 0, '02 08 10 7f 1c 10 03 6b'],
  ['stack', { type: 'poll', poll: { ...POLL, move: 'stack' } }, 0, '02 08 10 7f 3c 10 03 4b'],
  ['return', { type: 'poll', poll: { ...POLL, move: 'return' } }, 1, '02 08 11 7f 5c 10 03 2a'],
  ['disabled', { type: 'poll', poll: { ...POLL, notes: 0 } }, 0, '02 08 10 00 1c 10 03 14'],
  ['soft reset', { type: 'soft-reset' }, 0, '02 08 60 7f 7f 7f 03 17'],
  ['query note 1', { type: 'query-note', poll: NONE, index: 1 }, 0, '02 0a 70 02 00 00 00 01 03 79'],
  [
    'inhibits, 8 bytes',
    { type: 'set-inhibits', poll: NONE, enabled: inhibitBytes([1], 8) },
    0,
    '02 11 70 03 00 00 00 01 00 00 00 00 00 00 00 03 63',
  ],
  [
    'inhibits, 19 bytes',
    { type: 'set-inhibits', poll: NONE, enabled: inhibitBytes([1], 19) },
    0,
    '02 1c 70 03 00 00 00 01 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 03 6e',
  ],
  [
    'escrow time-out',
    { type: 'set-escrow-timeout', poll: NONE, notesS: 1, barcodesS: 2 },
    0,
    '02 0b 70 04 00 00 00 01 02 03 7c',
  ],
  ['value table', { type: 'query-value-table', poll: NONE }, 0, '02 09 70 06 00 00 00 03 7f'],
  ['note retrieved', { type: 'note-retrieved', poll: NONE, on: true }, 0, '02 0a 70 0b 00 00 00 01 03 70'],
  ['capabilities', { type: 'auxiliary', command: 0x0d }, 0, '02 08 60 00 00 0d 03 65'],
  ['variant name', { type: 'auxiliary', command: 0x08 }, 0, '02 08 60 00 00 08 03 60'],
  ['boot part', { type: 'auxiliary', command: 0x06 }, 0, '02 08 60 00 00 06 03 6e'],
];

const UNIT: readonly (readonly [name: string, message: UnitMessage, toggle: Toggle, hex: string])[] = [
  [
    'idle, cassette there',
    { type: 'status', status: { ...QUIET, idling: true, cassette: true, model: 1, revision: 2 } },
    0,
    '02 0b 20 01 10 00 00 01 02 03 39',
  ],
  [
    'Pyramid: stacked, type 7',
    {
      type: 'status',
      status: { ...QUIET, idling: true, stacked: true, cassette: true, value: 7, model: 1, revision: 2 },
    },
    1,
    '02 0b 21 11 10 38 00 01 02 03 10',
  ],
  [
    'Pyramid: escrow, type 3',
    { type: 'status', status: { ...QUIET, escrowed: true, cassette: true, value: 3, model: 1, revision: 2 } },
    1,
    '02 0b 21 04 10 18 00 01 02 03 25',
  ],
  [
    'value table',
    {
      type: 'value-table',
      status: QUIET,
      rows: [USD(1, 0), USD(2, 0), USD(5, 0), USD(1, 1), USD(2, 1), USD(5, 1), USD(1, 2)].map((row, i) => ({
        index: i + 1,
        ...row,
      })),
    },
    0,
    `02 52 70 06 00 00 00 00 00 00 ${[1, 2, 3, 4, 5, 6, 7]
      .map((index) => {
        const [digit, power] = [[1, 2, 5, 1, 2, 5, 1][index - 1], [0, 0, 0, 1, 1, 1, 2][index - 1]];
        return `0${index} 55 53 44 30 30 3${digit} 2b 30 3${power}`;
      })
      .join(' ')} 03 7f`,
  ],
  [
    'inhibits taken',
    { type: 'extended', status: QUIET, subtype: 3, data: new Uint8Array(0) },
    0,
    '02 0c 70 03 00 00 00 00 00 00 03 7f',
  ],
  [
    'note retrieved taken',
    { type: 'extended', status: QUIET, subtype: 0x0b, data: Uint8Array.of(1) },
    0,
    '02 0d 70 0b 00 00 00 00 00 00 01 03 77',
  ],
  [
    'barcode',
    {
      type: 'barcode',
      status: { ...QUIET, idling: true, cassette: true, model: 1, revision: 2 },
      text: '0123456789ABCDEFGHIJKLMNOPQR',
    },
    1,
    '02 28 71 01 01 10 00 00 01 02 30 31 32 33 34 35 36 37 38 39 41 42 43 44 45 46 47 48 49 4a 4b 4c 4d 4e 4f 50 51 52 03 58',
  ],
  [
    'Pyramid: serial number',
    { type: 'auxiliary', data: fromHex('32 31 30 32 36 30 30 31 30') },
    1,
    '02 0e 61 32 31 30 32 36 30 30 31 30 03 59',
  ],
];

const one = (hex: string): Frame => {
  const parsed = parse(EMPTY_PARSER, fromHex(hex));
  assert.equal(parsed.frames.length, 1, hex);
  assert.equal(parsed.bad, 0, hex);
  return parsed.frames[0]!.frame;
};

test('every published frame is encoded and read to the byte', () => {
  for (const [name, message, toggle, hex] of HOST) {
    assert.equal(toHex(encodeHost(message, toggle)), hex, name);
    const frame = one(hex);
    assert.equal(frame.toggle, toggle, name);
    assert.deepEqual(decodeHost(frame), { ok: true, value: message }, name);
  }
  for (const [name, message, toggle, hex] of UNIT) {
    assert.equal(toHex(encodeUnit(message, toggle)), hex, name);
    const frame = one(hex);
    assert.equal(frame.toggle, toggle, name);
    assert.deepEqual(decodeUnit(frame), { ok: true, value: message }, name);
  }
});

const record = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> =>
  fc.record(model, { noNullPrototype: true }) as fc.Arbitrary<T>;
const toggles = fc.constantFrom<Toggle>(0, 1);
const septet = fc.integer({ min: 0, max: 0x7f });
const polls: fc.Arbitrary<Poll> = record({
  notes: septet,
  orientation: fc.integer({ min: 0, max: 3 }),
  escrow: fc.boolean(),
  move: fc.constantFrom('stack' as const, 'return' as const, null),
  noPush: fc.boolean(),
  barcodes: fc.boolean(),
  powerUp: fc.constantFrom('A' as const, 'B' as const, 'C' as const),
  extendedNotes: fc.boolean(),
  extendedCoupons: fc.boolean(),
});
const septets = (length: number): fc.Arbitrary<Uint8Array> =>
  fc.array(septet, { minLength: length, maxLength: length }).map((bytes) => Uint8Array.from(bytes));
const hostMessages: fc.Arbitrary<HostMessage> = fc.oneof(
  record({ type: fc.constant('poll' as const), poll: polls }),
  record({ type: fc.constant('query-note' as const), poll: polls, index: septet }),
  record({
    type: fc.constant('set-inhibits' as const),
    poll: polls,
    enabled: fc.oneof(septets(8), septets(19)),
  }),
  record({
    type: fc.constant('set-escrow-timeout' as const),
    poll: polls,
    notesS: septet,
    barcodesS: septet,
  }),
  record({ type: fc.constant('query-value-table' as const), poll: polls }),
  record({ type: fc.constant('note-retrieved' as const), poll: polls, on: fc.boolean() }),
  record({ type: fc.constant('auxiliary' as const), command: septet }),
  record({ type: fc.constant('soft-reset' as const) }),
  record({ type: fc.constant('telemetry' as const), command: septet }),
);
const statuses: fc.Arbitrary<Status> = fc
  .record({
    bits: record(
      Object.fromEntries(Object.keys(STATUS_BITS).map((name) => [name, fc.boolean()])) as Record<
        keyof typeof STATUS_BITS,
        fc.Arbitrary<boolean>
      >,
    ),
    place: fc.constantFrom('idling', 'accepting', 'escrowed', 'stacking', 'returning', null),
    event: fc.constantFrom('stacked', 'returned', 'rejected', null),
    value: fc.integer({ min: 0, max: 7 }),
    model: septet,
    revision: septet,
  })
  .map(({ bits, place, event, ...rest }) => {
    const status = { ...bits, ...rest };
    for (const name of ['idling', 'accepting', 'escrowed', 'stacking', 'returning'] as const)
      status[name] = name === place;
    for (const name of ['stacked', 'returned', 'rejected'] as const) status[name] = name === event;
    return status;
  });
const values = {
  currency: fc.constantFrom('MOP', 'HKD', 'EUR', 'USD', 'JPY'),
  base: fc.integer({ min: 0, max: 999 }),
  exponent: fc.integer({ min: -99, max: 99 }),
};
const unitMessages: fc.Arbitrary<UnitMessage> = fc.oneof(
  record({ type: fc.constant('status' as const), status: statuses }),
  record({
    type: fc.constant('note' as const),
    status: statuses,
    index: septet,
    spec: fc.option(
      record({
        ...values,
        orientation: fc.integer({ min: 0, max: 3 }),
        letters: fc.stringMatching(/^[A-Z]{4}$/),
        classification: fc.integer({ min: 0, max: 4 }),
      }),
    ),
  }),
  record({
    type: fc.constant('value-table' as const),
    status: statuses,
    rows: fc
      .uniqueArray(record({ index: fc.integer({ min: 1, max: 7 }), ...values }), {
        selector: (row) => row.index,
      })
      .map((rows) => rows.toSorted((a, b) => a.index - b.index)),
  }),
  record({
    type: fc.constant('barcode' as const),
    status: statuses,
    text: fc.stringMatching(/^[0-9A-Z]{1,28}$/),
  }),
  record({
    type: fc.constant('extended' as const),
    status: statuses,
    subtype: fc.constantFrom(3, 4, 0x0b, 0x1d),
    data: fc.nat({ max: 20 }).chain(septets),
  }),
  record({ type: fc.constant('auxiliary' as const), data: fc.nat({ max: 60 }).chain(septets) }),
);

test('every message of either side, in any pieces, comes out as it went in', () => {
  const sides = fc.oneof(
    hostMessages.map((message) => ({ bytes: (t: Toggle) => encodeHost(message, t), message, host: true })),
    unitMessages.map((message) => ({ bytes: (t: Toggle) => encodeUnit(message, t), message, host: false })),
  );
  fc.assert(
    fc.property(
      fc.array(fc.tuple(sides, toggles), { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 1, max: 40 }),
      (sent, size) => {
        const line = sent.flatMap(([side, toggle]) => [...side.bytes(toggle)]);
        let state: ParserState = EMPTY_PARSER;
        const got: Frame[] = [];
        for (let at = 0; at < line.length; at += size) {
          const parsed = parse(state, Uint8Array.from(line.slice(at, at + size)));
          state = parsed.state;
          got.push(...parsed.frames.map(({ frame }) => frame));
        }
        assert.equal(got.length, sent.length);
        for (const [i, [side, toggle]] of sent.entries()) {
          assert.equal(got[i]!.toggle, toggle);
          const decoded = side.host ? decodeHost(got[i]!) : decodeUnit(got[i]!);
          assert.deepEqual(decoded, { ok: true, value: side.message });
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('after garbage the next good frame is found, and one turned bit is never taken for a frame', () => {
  const good = encodeUnit({ type: 'status', status: { ...QUIET, idling: true, stacked: true } }, 0);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 30 }), (garbage) => {
      // A false start may claim up to 127 bytes; after that much of anything the good frame must
      // have been seen.
      const tail = Array.from({ length: 14 }, () => [...good]).flat();
      const parsed = parse(EMPTY_PARSER, Uint8Array.from([...garbage, ...tail]));
      assert.ok(parsed.frames.some(({ bytes }) => toHex(bytes) === toHex(good)));
    }),
  );
  for (let bit = 0; bit < good.length * 8; bit++) {
    const bent = Uint8Array.from(good);
    bent[bit >> 3] = bent[bit >> 3]! ^ (1 << (bit & 7));
    assert.equal(parse(EMPTY_PARSER, bent).frames.length, 0, `bit ${bit}`);
  }
});

test('random bytes neither crash parser and decoders nor make them grow, and a good frame still gets through', () => {
  const runs = Number(process.env['BANCA_FUZZ'] ?? 50_000);
  const seed = 20_26;
  const chance = seededChance(seed);
  const good = encodeHost({ type: 'poll', poll: POLL }, 1);
  let state: ParserState = EMPTY_PARSER;
  let frames = 0;
  for (let run = 0; run < runs; run++) {
    // Half of it aims at the format: an STX, a plausible length and type, sometimes a whole frame
    // with a good checksum.
    let bytes = Uint8Array.from({ length: 1 + chance.below(40) }, () => chance.below(256));
    if (chance.happens(500))
      bytes.set([0x02, 5 + chance.below(30), chance.below(8) << 4].slice(0, bytes.length));
    if (chance.happens(300))
      bytes = Uint8Array.from(
        encodeFrame(
          chance.below(8),
          0,
          bytes.map((byte) => byte & 0x7f),
        ),
      );
    const parsed = parse(state, bytes);
    for (const { frame } of parsed.frames) {
      frames++;
      decodeHost(frame);
      decodeUnit(frame);
      decodeSoftwareCrc(frame.data);
      printable(frame.data);
    }
    state = parsed.state;
    assert.ok(state.kept.length < 127, `seed ${seed}: ${state.kept.length} bytes kept after run ${run}`);
    if (run % 1000 === 0) {
      // 127 bytes of nothing end whatever false start is kept.
      const after = parse(state, Uint8Array.from([...new Uint8Array(127), ...good]));
      assert.deepEqual(after.frames.at(-1)?.bytes, good, `seed ${seed}: not in step again after run ${run}`);
      state = after.state;
    }
  }
  assert.ok(frames > runs / 10, `${frames} frames in ${runs} runs`);
});

test('what a line of seven bits cannot carry is refused', () => {
  assert.throws(() => encodeFrame(7, 0, new Uint8Array(123)), /123 bytes/);
  assert.throws(() => encodeFrame(7, 0, [0x80]), /byte 3 of an EBDS frame is 128/);
  assert.throws(() => inhibitBytes([57], 8), /note 57/);
});

test('a message with wrong data is an error, not a message', () => {
  const frame = (type: number, hex: string): Frame => ({ type, toggle: 0, data: fromHex(hex) });
  for (const [type, hex, why] of [
    [1, '7f 1c', /3/],
    [1, '7f 7c 10', /stack and return/],
    [1, '7f 1c 1c', /policy 3/],
    [2, '01 10 00 00 01 02', /not a host's/],
    [7, '02 7f 1c 10', /0 data bytes/],
    [7, '03 7f 1c 10 01 02', /2 data bytes/],
    [7, '0b 7f 1c 10 02', /1 data bytes/],
    [7, '44 7f 1c 10', /no extended command 68/],
    [6, '00 01 08', /auxiliary/],
    [6, '00 01', /2 bytes/],
  ] as const) {
    const decoded = decodeHost(frame(type, hex));
    assert.equal(decoded.ok, false, hex);
    assert.match(decoded.ok ? '' : decoded.error, why);
  }
  const status = '04 10 00 00 54 10';
  for (const [type, hex, why] of [
    [1, status, /not a unit's/],
    [2, '01 10 00', /3 bytes/],
    [2, '50 10 00 00 54 10', /exclude/],
    [2, '05 10 00 00 54 10', /one place/],
    [7, `02 ${status} 01 48 4b 44`, /4 bytes/],
    [7, `02 ${status} 00 48 4b 44 30 30 78 2b 30 32 00 41 41 41 41 00 00 00`, /no note value/],
    [7, `02 ${status} 00 48 4b 44 30 30 35 2b 30 32 04 41 41 41 41 00 00 00`, /orientation 4/],
    [7, `02 ${status} 00 48 4b 44 30 30 35 2b 30 32 00 41 41 41 41 05 00 00`, /classification 5/],
    [7, `06 ${status} 01`, /1 bytes, not 70/],
  ] as const) {
    const decoded = decodeUnit(frame(type, hex));
    assert.equal(decoded.ok, false, hex);
    assert.match(decoded.ok ? '' : decoded.error, why);
  }
});

test('status bits are where the protocol has them: one bit set, one name true', () => {
  for (const [name, [at, mask]] of Object.entries(STATUS_BITS)) {
    const bytes = new Uint8Array(6);
    bytes[at] = mask;
    const decoded = decodeStatus(bytes);
    assert.ok(decoded.ok);
    const set = Object.entries(decoded.value).filter(([, value]) => value === true);
    assert.deepEqual(set, [[name, true]]);
    assert.deepEqual(encodeStatus(decoded.value), bytes);
  }
});

test('polls survive every combination', () => {
  fc.assert(
    fc.property(polls, (poll) => {
      assert.deepEqual(decodePoll(Uint8Array.from(encodePoll(poll))), { ok: true, value: poll });
    }),
  );
});

test('base x 10^exponent is whole minor units of a known currency, or no value at all', () => {
  assert.deepEqual(noteOf({ currency: 'HKD', base: 5, exponent: 2 }), {
    currency: 'HKD',
    valueMinor: 50_000,
  });
  assert.deepEqual(noteOf({ currency: 'MOP', base: 1, exponent: 3 }), {
    currency: 'MOP',
    valueMinor: 100_000,
  });
  assert.deepEqual(noteOf({ currency: 'EUR', base: 50, exponent: -1 }), {
    currency: 'EUR',
    valueMinor: 500,
  });
  assert.deepEqual(noteOf({ currency: 'EUR', base: 5, exponent: -2 }), { currency: 'EUR', valueMinor: 5 });
  assert.equal(noteOf({ currency: 'EUR', base: 5, exponent: -3 }), null);
  assert.equal(noteOf({ currency: 'EUR', base: 0, exponent: 2 }), null);
  assert.equal(noteOf({ currency: 'EUR', base: 1, exponent: 40 }), null);
  assert.equal(noteOf({ currency: 'JPY', base: 2, exponent: 3 }), null);
});
