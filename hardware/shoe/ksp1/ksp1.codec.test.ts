import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { EMPTY_PARSER, fromHex, type ParserState, toHex } from '../../transport/bytes.ts';
import { seededChance } from '../../transport/faults.ts';
import {
  decode,
  encode,
  FRAME_LENGTH,
  type Message,
  packFrame,
  parse,
  proofOf,
  sameProof,
  suitFromWire,
  suitToWire,
  TYPE,
  unpackFrame,
} from './ksp1.codec.ts';

const text = (length: number) =>
  fc.string({
    unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
    maxLength: length,
  });
const u32 = fc.nat(0xffff_ffff);
const byte = fc.nat(255);
const read = { rank: fc.nat(13), suit: fc.nat(4) };
const faultOf = (type: 'jam' | 'misread' | 'doubleFeed' | 'reverse') =>
  fc.record({ type: fc.constant(type), sensor: byte, ...read });

const messages: fc.Arbitrary<Message> = fc.oneof(
  fc.record({
    type: fc.constant('hello' as const),
    serial: text(16),
    firmware: text(12),
    lastSeq: u32,
    ackedSeq: u32,
    oldestSeq: u32,
    boot: u32,
    state: byte,
  }),
  fc.record({ type: fc.constant('proof' as const), mac: fc.uint8Array({ minLength: 32, maxLength: 32 }) }),
  fc.record({ type: fc.constant('heartbeat' as const), lastSeq: u32, boot: u32, state: byte }),
  fc.record({
    type: fc.constant('card' as const),
    confidence: byte,
    code: fc.option(fc.uint8Array({ minLength: 4, maxLength: 4 })),
    ...read,
  }),
  fc.constant<Message>({ type: 'cutCard' }),
  fc.record({ type: fc.constant('cover' as const), position: fc.nat(2) }),
  faultOf('jam'),
  faultOf('misread'),
  faultOf('doubleFeed'),
  faultOf('reverse'),
  fc.record({ type: fc.constant('empty' as const), cardsSinceLoading: fc.nat(0xffff) }),
  fc.record({ type: fc.constant('loaded' as const), shoeId: text(16), decks: byte, firstSeq: u32 }),
  fc.record({ type: fc.constantFrom('ack' as const, 'resume' as const), seq: u32 }),
  fc.record({
    type: fc.constant('challenge' as const),
    nonce: fc.uint8Array({ minLength: 16, maxLength: 16 }),
  }),
  fc.record({ type: fc.constant('lock' as const), on: fc.boolean() }),
  fc.record({ type: fc.constant('time' as const), epochMs: fc.nat(Number.MAX_SAFE_INTEGER) }),
  fc.constant<Message>({ type: 'identify' }),
);

test('the published frame: CARD, number 7, 123456 ms, ace of spades, confidence 250', () => {
  const frame = encode({ type: 'card', rank: 1, suit: 3, confidence: 250, code: null }, 7, 123_456);
  assert.equal(frame.length, FRAME_LENGTH);
  assert.equal(toHex(frame.subarray(0, 17)), '53 01 10 00 07 00 00 00 40 e2 01 00 03 01 03 fa 00');
  assert.equal(toHex(frame.subarray(62)), '08 6e');
  const unpacked = unpackFrame(frame);
  assert.ok(unpacked.ok);
  assert.equal(unpacked.value.seq, 7);
  assert.equal(unpacked.value.deviceMs, 123_456);
});

test('every message comes back as it went out', () => {
  fc.assert(
    fc.property(
      messages,
      fc.integer({ min: 1, max: 0xffff_ffff }),
      u32,
      byte,
      (message, seq, deviceMs, flags) => {
        const unpacked = unpackFrame(encode(message, seq, deviceMs, flags));
        assert.ok(unpacked.ok);
        assert.deepEqual(
          { seq: unpacked.value.seq, deviceMs: unpacked.value.deviceMs, flags: unpacked.value.flags },
          { seq, deviceMs, flags },
        );
        assert.deepEqual(decode(unpacked.value), { ok: true, value: { ...message } });
      },
    ),
    { numRuns: 1000 },
  );
});

test('the suits of the wire are those of the engine, each once', () => {
  // wire 1..4 = D C S H, engine 0..3 = S H D C
  assert.deepEqual([1, 2, 3, 4].map(suitFromWire), [2, 3, 0, 1]);
  for (const suit of [0, 1, 2, 3]) assert.equal(suitFromWire(suitToWire(suit)), suit);
  assert.equal(suitFromWire(0), null);
  assert.equal(suitFromWire(5), null);
});

test('what is wrong with a frame or a payload is named', () => {
  const good = encode({ type: 'heartbeat', lastSeq: 1, boot: 1, state: 0 });
  const cases: readonly (readonly [number, number, RegExp])[] = [
    [0, 0x54, /magic/],
    [1, 2, /version/],
    [20, 1, /checksum/],
  ];
  for (const [at, value, error] of cases) {
    const bent = Uint8Array.from(good);
    bent[at] = value;
    const unpacked = unpackFrame(bent);
    assert.ok(!unpacked.ok && error.test(unpacked.error), `byte ${at}`);
  }
  assert.ok(!unpackFrame(good.subarray(1)).ok);
  const refused = (type: number, bytes: string, error: RegExp, seq = 1): void => {
    const decoded = decode({ type, flags: 0, seq, deviceMs: 0, payload: fromHex(bytes) });
    assert.ok(!decoded.ok && error.test(decoded.error), JSON.stringify(decoded));
  };
  refused(0x77, '', /type 77/);
  refused(TYPE.card, '01 03', /card with 2/);
  refused(TYPE.card, '0e 03 fa', /rank 14/);
  refused(TYPE.card, '01 05 fa', /suit 5/);
  refused(TYPE.card, '01 03 fa', /without a number/, 0);
  refused(TYPE.cover, '03', /cover position 3/);
  refused(TYPE.lock, '02', /lock 2/);
  assert.throws(
    () => packFrame({ type: 1, flags: 0, seq: 0, deviceMs: 0, payload: new Uint8Array(50) }),
    /payload of 50/,
  );
});

test('frames are found in any pieces and after a lost byte', () => {
  const frames = [1, 2, 3, 4].map((seq) => encode({ type: 'cutCard' }, seq));
  const line = frames.flatMap((frame) => [...frame]);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 150 }), fc.option(fc.nat(127)), (size, lost) => {
      const bytes = lost === null ? line : [...line.slice(0, lost), ...line.slice(lost + 1)];
      let state: ParserState = EMPTY_PARSER;
      const seen: number[] = [];
      for (let at = 0; at < bytes.length; at += size) {
        const parsed = parse(state, Uint8Array.from(bytes.slice(at, at + size)));
        state = parsed.state;
        seen.push(...parsed.frames.map(({ frame }) => frame.seq));
      }
      const broken = lost === null ? null : Math.floor(lost / FRAME_LENGTH) + 1;
      assert.deepEqual(
        seen,
        [1, 2, 3, 4].filter((seq) => seq !== broken),
      );
    }),
  );
});

test('random bytes neither crash the parser nor make it grow', () => {
  const runs = Number(process.env['BANCA_FUZZ'] ?? 50_000);
  const chance = seededChance(53);
  let state: ParserState = EMPTY_PARSER;
  for (let run = 0; run < runs; run++) {
    const aimed = chance.happens(300);
    const bytes = Uint8Array.from({ length: aimed ? 64 : 1 + chance.below(20) }, () => chance.below(256));
    if (aimed) bytes.set([0x53, 1, chance.below(64)]);
    const parsed = parse(state, bytes);
    for (const { frame } of parsed.frames) decode(frame);
    // The payload readers meet what a checksum would keep from them.
    decode({ type: bytes[0]!, flags: 0, seq: 1, deviceMs: 0, payload: bytes.slice(1, 1 + chance.below(50)) });
    state = parsed.state;
    assert.ok(state.kept.length < FRAME_LENGTH, `${state.kept.length} bytes kept after run ${run}`);
  }
});

test('the proof is the HMAC that the document describes', () => {
  const key = fromHex('00 11 22 33 44 55 66 77 88 99 aa bb cc dd ee ff');
  const nonce = Uint8Array.from({ length: 16 }, (_, i) => i);
  const told = Buffer.concat([
    nonce,
    Buffer.from('SHOE01\0\0\0\0\0\0\0\0\0\0', 'latin1'),
    Buffer.from([3, 0, 0, 0, 0x2c, 1, 0, 0]),
  ]);
  const mac = proofOf(key, nonce, 'SHOE01', 3, 300);
  assert.equal(toHex(mac), toHex(createHmac('sha256', key).update(told).digest()));
  assert.equal(sameProof(mac, proofOf(key, nonce, 'SHOE01', 3, 300)), true);
  assert.equal(sameProof(mac, proofOf(key, nonce, 'SHOE01', 4, 300)), false);
  assert.equal(sameProof(mac, mac.subarray(1)), false);
});
