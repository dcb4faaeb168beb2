import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EMPTY_PARSER, fromHex, type ParserState, toHex } from '../../transport/bytes.ts';
import { seededChance } from '../../transport/faults.ts';
import type { MachineInput } from '../../transport/machine.ts';
import type { AcceptorCommand } from '../acceptor.machine.ts';
import {
  BARCODE,
  CODE,
  COMMAND,
  COUNTRIES,
  decodeCurrencies,
  decodeEscrow,
  decodeStatus,
  disableMask,
  encode,
  encodeCurrencies,
  noteOf,
  parse,
  STATUS,
} from './id003.codec.ts';
import { stepId003 } from './id003.machine.ts';
import { Id003Sim } from './id003.sim.ts';
import { initialId003 } from './id003-state.machine.ts';

// Computed from the published polynomial and agreed by independent public drivers; the same bytes a
// unit sends and takes.
const VECTORS: readonly (readonly [name: string, command: number, data: readonly number[], hex: string])[] = [
  ['STATUS REQUEST', COMMAND.statusRequest, [], 'fc 05 11 27 56'],
  ['ACK', COMMAND.ack, [], 'fc 05 50 aa 05'],
  ['RESET', COMMAND.reset, [], 'fc 05 40 2b 15'],
  ['STACK-1', COMMAND.stack1, [], 'fc 05 41 a2 04'],
  ['STACK-2', COMMAND.stack2, [], 'fc 05 42 39 36'],
  ['RETURN', COMMAND.returnNote, [], 'fc 05 43 b0 27'],
  ['HOLD', COMMAND.hold, [], 'fc 05 44 0f 53'],
  ['INHIBIT on', COMMAND.inhibit, [1], 'fc 06 c3 01 8d c7'],
  ['INHIBIT off', COMMAND.inhibit, [0], 'fc 06 c3 00 04 d6'],
  ['ENABLE all', COMMAND.enable, [0, 0], 'fc 07 c0 00 00 2d b5'],
  ['VERSION REQUEST', COMMAND.version, [], 'fc 05 88 6f 5f'],
  ['CURRENCY REQUEST', COMMAND.currencies, [], 'fc 05 8a 7d 7c'],
  ['status ESCROW 61', CODE.escrow, [0x61], 'fc 06 13 61 b0 fb'],
  ['status VEND VALID', CODE.vendValid, [], 'fc 05 15 03 10'],
];

test('every published frame is encoded and read to the byte', () => {
  for (const [name, command, data, hex] of VECTORS) {
    assert.equal(toHex(encode(command, data)), hex, name);
    const parsed = parse(EMPTY_PARSER, fromHex(hex));
    assert.deepEqual(
      parsed.frames.map(({ frame }) => [frame.command, [...frame.data]]),
      [[command, [...data]]],
      name,
    );
    assert.equal(parsed.bad, 0, name);
  }
});

test('any frame in any pieces comes out as it went in', () => {
  const frames = fc.array(
    fc.record({ command: fc.integer({ min: 0, max: 255 }), data: fc.uint8Array({ maxLength: 250 }) }),
    { minLength: 1, maxLength: 5 },
  );
  fc.assert(
    fc.property(frames, fc.integer({ min: 1, max: 40 }), (sent, size) => {
      const line = sent.flatMap(({ command, data }) => [...encode(command, data)]);
      let state: ParserState = EMPTY_PARSER;
      const got: unknown[] = [];
      for (let at = 0; at < line.length; at += size) {
        const parsed = parse(state, Uint8Array.from(line.slice(at, at + size)));
        state = parsed.state;
        for (const { frame } of parsed.frames) got.push([frame.command, [...frame.data]]);
      }
      assert.deepEqual(
        got,
        sent.map(({ command, data }) => [command, [...data]]),
      );
    }),
  );
});

test('data longer than the length byte can say is refused', () => {
  assert.throws(() => encode(COMMAND.version, new Uint8Array(251)), /251 bytes/);
});

test('after garbage the next good frame is found, and one turned bit is never taken for a frame', () => {
  const good = encode(CODE.escrow, [0x63]);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 30 }), (garbage) => {
      // A false start may claim up to 255 bytes; after that much of anything the good frame must
      // have been seen.
      const tail = Array.from({ length: 60 }, () => [...good]).flat();
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

test('random bytes crash neither parser, driver nor unit, make nothing grow, and are never money', () => {
  const runs = Number(process.env['BANCA_FUZZ'] ?? 50_000);
  const chance = seededChance(20_26);
  let state: ParserState = EMPTY_PARSER;
  let machine = stepId003(initialId003(), { type: 'tick' }, 0).state;
  let nowMs = 0;
  const feed = (input: MachineInput<AcceptorCommand>): void => {
    const { state: next, outputs } = stepId003(machine, input, nowMs);
    machine = next;
    assert.ok(outputs.length < 60, `${outputs.length} outputs`);
    for (const output of outputs)
      if (output.type === 'event' && output.event.type === 'credit')
        assert.ok(wasVendValid, 'a credit out of nothing');
  };
  let wasVendValid = false;
  const sim = new Id003Sim({ clock: { now: () => nowMs, after: () => () => {} } });
  let toUnit: (bytes: Uint8Array) => void = () => {};
  sim.plug({
    name: 'fuzz',
    open: async ({ onBytes }) => {
      toUnit = onBytes;
    },
    write: async () => {},
    close: async () => {},
  });
  for (let run = 0; run < runs; run++) {
    // Half of it aims at the format: a SYNC, a plausible length, then anything; a tenth are whole
    // frames of random content.
    let bytes: Uint8Array = Uint8Array.from({ length: 1 + chance.below(24) }, () => chance.below(256));
    if (chance.happens(500)) bytes.set([0xfc, 5 + chance.below(4)].slice(0, bytes.length));
    if (chance.happens(100)) bytes = encode(chance.below(0x80), bytes.subarray(0, chance.below(4)));
    const parsed = parse(state, bytes);
    for (const { frame } of parsed.frames) {
      const decoded = decodeStatus(frame);
      if (decoded.ok && frame.command === CODE.escrow) decodeEscrow(frame.data);
      if (decoded.ok && frame.command === CODE.vendValid) wasVendValid = true;
      decodeCurrencies(frame.data);
    }
    state = parsed.state;
    assert.ok(state.kept.length < 255, `${state.kept.length} bytes kept after run ${run}`);
    toUnit(bytes);
    if (chance.happens(10)) sim.insert(10_000, 'MOP');
    if (machine.transport === 'opening') feed({ type: 'opened' });
    feed({ type: 'bytes', bytes });
    if (chance.happens(200)) {
      nowMs += chance.below(150);
      feed({ type: 'tick' });
    }
    if (chance.happens(20)) feed({ type: 'command', command: { type: 'allow', notesMinor: [10_000] } });
    if (chance.happens(20)) feed({ type: 'command', command: { type: 'stack' } });
    assert.ok(machine.parser.kept.length < 255 && Object.keys(machine.applied).length < 10);
  }
  assert.equal(sim.memory().owesCredit && sim.memory().cashBox.length === 0, false);
});

test('every message of the tables: out, over the line and in again, with any data it may carry', () => {
  const over = (command: number, data: ArrayLike<number>) => {
    const { frames, bad } = parse(EMPTY_PARSER, encode(command, data));
    assert.deepEqual([frames.length, bad], [1, 0]);
    return frames[0]!.frame;
  };
  for (const [name, command] of Object.entries(COMMAND))
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 250 }), (data) => {
        assert.deepEqual(over(command, data), { command, data }, name);
      }),
      { numRuns: 20 },
    );
  for (const code of Object.keys(STATUS).map(Number)) {
    const [least, most] = STATUS[code]!.data;
    fc.assert(
      fc.property(fc.uint8Array({ minLength: least, maxLength: most }), (data) => {
        if (code === CODE.escrow && data.length > 1) data[0] = BARCODE;
        const decoded = decodeStatus(over(code, data));
        assert.ok(decoded.ok);
        assert.equal(decoded.value.row, STATUS[code]);
      }),
      { numRuns: 20 },
    );
  }
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.integer({ min: 0x30, max: 0x39 }).map((n) => String.fromCharCode(n)),
        minLength: 1,
        maxLength: 40,
      }),
      (barcode) => {
        assert.deepEqual(decodeEscrow(over(CODE.escrow, [BARCODE, ...Buffer.from(barcode)]).data), {
          barcode,
        });
      },
    ),
  );
  const row = (code: number) =>
    fc
      .record({
        country: fc.integer({ min: 0, max: 255 }),
        base: fc.integer({ min: 1, max: 255 }),
        exponent: fc.integer({ min: 0, max: 9 }),
      })
      .map((rest) => ({ code, ...rest }));
  fc.assert(
    fc.property(
      fc
        .subarray([...Array(16).keys()], { minLength: 1 })
        .chain((codes) => fc.tuple(...codes.map((n) => row(0x61 + n)))),
      (table) => {
        assert.deepEqual(decodeCurrencies(over(COMMAND.currencies, encodeCurrencies(table)).data), {
          ok: true,
          value: table,
        });
      },
    ),
  );
});

test('every reason 71 to 7F and every failure code has its own name; an unknown one shows its code', () => {
  const named = (command: number, code: number): string | null => {
    const decoded = decodeStatus({ command, data: Uint8Array.of(code) });
    return decoded.ok ? decoded.value.detail : assert.fail(decoded.error);
  };
  const reasons = Array.from({ length: 15 }, (_, i) => named(CODE.rejecting, 0x71 + i));
  assert.equal(new Set(reasons).size, 15);
  assert.ok(reasons.every((reason) => reason !== null && /^[a-z]+(-[a-z0-9]+)*$/.test(reason)));
  assert.equal(named(CODE.rejecting, 0x80), 'reason 80');
  const failures = [0xa2, 0xa5, 0xa6, 0xa8, 0xa9, 0xab, 0xaf, 0xb0, 0xb1, 0xb2, 0xb3].map((code) =>
    named(CODE.failure, code),
  );
  assert.equal(new Set(failures).size, 11);
  assert.equal(named(CODE.failure, 0xc0), 'failure c0');
  for (const [code, detail] of [
    [CODE.jamInAcceptor, 'path'],
    [CODE.jamInStacker, 'stacker'],
    [CODE.communicationError, 'communication-error'],
  ] as const) {
    const decoded = decodeStatus({ command: code, data: new Uint8Array(0) });
    assert.ok(decoded.ok && decoded.value.detail === detail);
  }
});

test('an extension command is a frame and no status; a length below five is no frame', () => {
  const [extended] = parse(EMPTY_PARSER, encode(0xf0, [0x1a, 1, 2])).frames;
  assert.ok(extended && !decodeStatus(extended.frame).ok);
  const short = parse(EMPTY_PARSER, Uint8Array.of(0xfc, 0, 0xfc, 4, ...encode(COMMAND.ack)));
  assert.deepEqual([short.frames.length, short.bad], [1, 2]);
  assert.equal(decodeStatus({ command: CODE.escrow, data: Uint8Array.of(0x61, 0x62) }).ok, false);
});

test('the currency table gives values only for named countries, and is refused where it cannot be right', () => {
  const rows = [
    { code: 0x61, country: 0x4d, base: 1, exponent: 3 },
    { code: 0x62, country: 0x01, base: 5, exponent: 0 },
  ];
  const decoded = decodeCurrencies(encodeCurrencies(rows));
  assert.deepEqual(decoded, { ok: true, value: rows });
  assert.deepEqual(noteOf(rows[0]!, COUNTRIES), { currency: 'MOP', valueMinor: 100_000 });
  assert.equal(noteOf(rows[1]!, COUNTRIES), null);
  const unused = fromHex('61 4d 01 01 62 00 00 00');
  assert.equal(decodeCurrencies(unused).ok, true);
  for (const bad of ['', '61 4d 01', '20 4d 01 01', '61 4d 01 0a', '61 4d 01 01 61 4d 05 01'])
    assert.equal(decodeCurrencies(fromHex(bad)).ok, false, bad);
});

test('the mask disables what is not allowed, bit by escrow code', () => {
  assert.deepEqual(disableMask([]), [0xff, 0xff]);
  assert.deepEqual(disableMask([0x61, 0x68, 0x69, 0x70]), [0x7e, 0x7e]);
});

test('a status with the wrong data is an error, not a status', () => {
  for (const code of Object.keys(STATUS).map(Number)) {
    const [least, most] = STATUS[code]!.data;
    assert.equal(decodeStatus({ command: code, data: new Uint8Array(least) }).ok, true, String(code));
    assert.equal(decodeStatus({ command: code, data: new Uint8Array(most + 1) }).ok, false);
  }
  assert.equal(decodeStatus({ command: 0x50, data: new Uint8Array(0) }).ok, false);
});

test('reasons 98 and 9B, failures A7, AC and AD, and VEND VALID with bytes behind it: to the byte', () => {
  const rows = [
    ['fc 06 17 98 9e f6', 'rejecting', 'several-notes'],
    ['fc 06 17 9b 05 c4', 'rejecting', 'coupon-upside-down'],
    ['fc 06 49 a7 0d 76', 'failed', 'aligning-motor'],
    ['fc 06 49 ac de c8', 'failed', 'optical-sensor'],
    ['fc 06 49 ad 57 d9', 'failed', 'magnetic-sensor'],
    ['fc 06 15 00 ef dd', 'credited', null],
    ['fc 07 15 61 01 9b 6e', 'credited', null],
  ] as const;
  for (const [hex, state, detail] of rows) {
    const { frames, bad } = parse(EMPTY_PARSER, fromHex(hex));
    assert.deepEqual([frames.length, bad], [1, 0], hex);
    const { frame } = frames[0]!;
    assert.deepEqual(encode(frame.command, frame.data), fromHex(hex));
    const decoded = decodeStatus(frame);
    assert.ok(decoded.ok);
    assert.deepEqual([decoded.value.row.state, decoded.value.detail], [state, detail], hex);
  }
});
