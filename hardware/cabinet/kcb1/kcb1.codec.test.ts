import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { EMPTY_PARSER, fromHex, type ParserState, toHex } from '../../transport/bytes.ts';
import { seededChance } from '../../transport/faults.ts';
import {
  DOORS,
  decode,
  encode,
  FRAME_LENGTH,
  type Message,
  MOST_SIREN_MS,
  PATTERNS,
  parse,
  TYPE,
  unpackFrame,
} from './kcb1.codec.ts';

const DOCUMENT = readFileSync(new URL('../../../docs/protocols/kcb-1.md', import.meta.url), 'utf8');
const text = (length: number) =>
  fc.string({
    unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
    maxLength: length,
  });
const u32 = fc.nat(0xffff_ffff);
const u16 = fc.nat(0xffff);
const pattern = fc.constantFrom(...PATTERNS);
const counts = fc.record(
  { main: u16, drop: u16, logic: u16, acceptor: u16, cabinet: u16 },
  { noNullPrototype: true },
);
const messages: fc.Arbitrary<Message> = fc.oneof(
  fc.record({ type: fc.constant('hello' as const), serial: text(16), firmware: text(12), boot: u32 }),
  fc.record({
    type: fc.constant('status' as const),
    boot: u32,
    open: fc.subarray([...DOORS]),
    key: fc.boolean(),
    batteryLow: fc.boolean(),
    upper: pattern,
    lower: pattern,
    sirenMs: u32,
    opened: counts,
    openedOff: counts,
    offSeconds: u32,
    batteryMillivolts: u16,
  }),
  fc.constant<Message>({ type: 'identify' }),
  fc.record({ type: fc.constant('lamp' as const), upper: pattern, lower: pattern }),
  fc.record({ type: fc.constant('siren' as const), ms: fc.nat(MOST_SIREN_MS) }),
);

test('every message comes back as it went out', () => {
  fc.assert(
    fc.property(messages, u32, (message, deviceMs) => {
      const unpacked = unpackFrame(encode(message, deviceMs));
      assert.ok(unpacked.ok);
      assert.equal(unpacked.value.deviceMs, deviceMs);
      assert.deepEqual(decode(unpacked.value), { ok: true, value: { ...message } });
    }),
    { numRuns: 1000 },
  );
});

test('what is wrong with a payload is named', () => {
  const refused = (type: number, bytes: string, error: RegExp): void => {
    const decoded = decode({ type, flags: 0, seq: 0, deviceMs: 0, payload: fromHex(bytes) });
    assert.ok(!decoded.ok && error.test(decoded.error), JSON.stringify(decoded));
  };
  const status = (at: number, byte: string): string => {
    const bytes = Array.from({ length: 38 }, () => '00');
    bytes[at] = byte;
    return bytes.join('');
  };
  refused(0x77, '', /type 77/);
  refused(TYPE.status, '00', /status with 1/);
  refused(TYPE.status, status(4, '20'), /doors 32/);
  refused(TYPE.status, status(5, '04'), /flags 4/);
  refused(TYPE.status, status(6, '04'), /lamp 4 0/);
  refused(TYPE.lamp, '00 05', /lamp 0 5/);
  refused(TYPE.siren, 'c1 27 09 00', /600001 ms/);
  // A shoe's frame is none of a board.
  assert.ok(!unpackFrame(Uint8Array.of(0x53, ...new Uint8Array(63))).ok);
});

test('random bytes neither crash the parser nor make it grow', () => {
  const runs = Number(process.env['BANCA_FUZZ'] ?? 50_000);
  const chance = seededChance(43);
  let state: ParserState = EMPTY_PARSER;
  for (let run = 0; run < runs; run++) {
    const aimed = chance.happens(300);
    const bytes = Uint8Array.from({ length: aimed ? 64 : 1 + chance.below(20) }, () => chance.below(256));
    if (aimed) bytes.set([0x43, 1, chance.below(8)]);
    const parsed = parse(state, bytes);
    for (const { frame } of parsed.frames) decode(frame);
    // The payload readers meet what a checksum would keep from them.
    decode({ type: bytes[0]!, flags: 0, seq: 0, deviceMs: 0, payload: bytes.slice(1, 1 + chance.below(50)) });
    state = parsed.state;
    assert.ok(state.kept.length < FRAME_LENGTH, `${state.kept.length} bytes kept after run ${run}`);
  }
});

test('9 every known frame is read, and written again to the byte', () => {
  const rows = [...DOCUMENT.matchAll(/^\| .+ \| `(43 [0-9a-f ]+)` \| `([0-9a-f]{2} [0-9a-f]{2})` \|$/gm)];
  const types = new Set<number>();
  for (const [line, start, checksum] of rows) {
    const bytes = new Uint8Array(FRAME_LENGTH);
    bytes.set(fromHex(start!));
    bytes.set(fromHex(checksum!), FRAME_LENGTH - 2);
    const unpacked = unpackFrame(bytes);
    assert.ok(unpacked.ok, line);
    const message = decode(unpacked.value);
    assert.ok(message.ok, line);
    assert.equal(toHex(encode(message.value, unpacked.value.deviceMs)), toHex(bytes), line);
    types.add(unpacked.value.type);
  }
  assert.deepEqual([...types].sort(), Object.values(TYPE).sort());
});

test('8 the times are those of the code', () => {
  const sources = ['kcb1.machine.ts', 'kcb1.sim.ts', '../../../host/devices/cabinet.ts'].map((name) =>
    readFileSync(new URL(name, import.meta.url), 'utf8'),
  );
  const coded = (name: string): number => {
    const found = sources.map((source) => new RegExp(`\\b${name} = ([\\d_]+)`).exec(source)).filter(Boolean);
    const values = new Set(found.map((match) => Number(match![1]!.replaceAll('_', ''))));
    assert.equal(values.size, 1, name);
    return [...values][0]!;
  };
  const written = (row: string): string | undefined =>
    DOCUMENT.split('\n')
      .find((line) => line.startsWith(`| ${row} |`))
      ?.split('|')[2]
      ?.replaceAll(' ', '');
  assert.equal(written('STATUS, at the latest after'), String(coded('STATUS_MS')));
  assert.equal(written('a silent host: both lights fast'), String(coded('ALONE_MS')));
  assert.equal(written('alarm of a door'), String(coded('ALARM_MS')));
  assert.equal(written('IDENTIFY, LAMP, SIREN again without their effect'), String(coded('ASK_AGAIN_MS')));
  assert.equal(written('LAMP again'), String(coded('LAMP_EVERY_MS')));
  assert.equal(written('nothing heard: the link is lost'), String(coded('LINK_LOST_MS')));
});
