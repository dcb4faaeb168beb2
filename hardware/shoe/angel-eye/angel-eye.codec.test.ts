import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EMPTY_PARSER, fromHex, type ParserState, toHex } from '../../transport/bytes.ts';
import { seededChance } from '../../transport/faults.ts';
import {
  type AngelMessage,
  COMMAND_LENGTH,
  decode,
  decodeCommand,
  encode,
  encodeCommand,
  faceOf,
  NAK_CODE,
  parse,
  suitToWire,
  TARGET,
  type Telegram,
} from './angel-eye.codec.ts';

const text = (length: number) =>
  fc.string({
    unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
    minLength: length,
    maxLength: length,
  });

const messages: fc.Arbitrary<AngelMessage> = fc.oneof(
  fc.constantFrom<AngelMessage>({ type: 'start' }, { type: 'standby' }, { type: 'cutCard' }),
  fc.record({
    type: fc.constant('card' as const),
    kind: fc.constantFrom('game' as const, 'outside' as const, 'again' as const),
    target: fc.nat(7),
    index: fc.nat(15),
    suit: fc.nat(7),
    rank: fc.nat(15),
  }),
  fc.record({
    type: fc.constant('result' as const),
    winner: fc.constantFrom('player' as const, 'tie' as const, 'bank' as const, 'forced' as const),
    playerPair: fc.boolean(),
    bankPair: fc.boolean(),
  }),
  fc.record({ type: fc.constant('error' as const), inErrorMode: fc.boolean(), code: fc.nat(63) }),
  fc.record({ type: fc.constant('errorCleared' as const), code: fc.nat(127) }),
  fc.record({ type: fc.constant('lock' as const), locked: fc.boolean() }),
  fc.record({ type: fc.constant('setting' as const), address: text(2), value: text(4) }),
);

const only = (bytes: Uint8Array): Telegram => {
  const parsed = parse(EMPTY_PARSER, bytes);
  assert.equal(parsed.telegrams.length, 1, toHex(bytes));
  assert.equal(parsed.bad, 0);
  return parsed.telegrams[0]!;
};

test('5.1 the published telegrams: ace of spades to the player with seq 1, cut card with seq 2', () => {
  const card: AngelMessage = {
    type: 'card',
    kind: 'game',
    target: TARGET.player,
    index: 0,
    suit: suitToWire(0),
    rank: 1,
  };
  assert.equal(toHex(encode(1, card)), '05 31 44 80 b1 03 34 37');
  assert.equal(toHex(encode(2, { type: 'cutCard' })), '05 32 43 03 37 32');
  assert.deepEqual(decode(only(fromHex('05 31 44 80 b1 03 34 37')).data), { ok: true, value: card });
});

test("5.1 the maker's example: the BCC of a host command includes STX", () => {
  assert.equal(toHex(encodeCommand({ type: 'LK', data: 2 })), '02 4f 50 4c 4b 30 32 03 31 42');
});

test('every message comes back as it went out, in a telegram that holds no ENQ but its first byte', () => {
  fc.assert(
    fc.property(fc.nat(9), messages, (seq, message) => {
      const bytes = encode(seq, message);
      const telegram = only(bytes);
      assert.equal(telegram.seq, seq);
      assert.deepEqual(decode(telegram.data), { ok: true, value: { ...message } });
      assert.equal(bytes.lastIndexOf(0x05), 0);
      assert.ok(bytes.length <= 12);
    }),
    { numRuns: 2000 },
  );
});

test('every command comes back as it went out; what is wrong with one is the code of the NAK', () => {
  for (const type of ['LK', 'EC', 'GP'] as const)
    for (let data = 0; data < 100; data++) {
      const bytes = encodeCommand({ type, data });
      assert.equal(bytes.length, COMMAND_LENGTH);
      assert.deepEqual(decodeCommand(bytes), { type, data });
    }
  const good = encodeCommand({ type: 'GP', data: 0 });
  assert.equal(decodeCommand(good.subarray(1)), NAK_CODE.format);
  const bent = (at: number, value: number): Uint8Array => {
    const bytes = Uint8Array.from(good);
    const sum = bytes[at]! ^ value;
    bytes[at] = value;
    const check = Number.parseInt(String.fromCharCode(bytes[8]!, bytes[9]!), 16) ^ sum;
    return Uint8Array.from([
      ...bytes.subarray(0, 8),
      ...Buffer.from(check.toString(16).toUpperCase().padStart(2, '0')),
    ]);
  };
  assert.equal(decodeCommand(bent(1, 0x58)), NAK_CODE.command);
  assert.equal(decodeCommand(bent(3, 0x58)), NAK_CODE.type);
  assert.equal(decodeCommand(bent(5, 0x58)), NAK_CODE.format);
  assert.equal(decodeCommand(Uint8Array.from([...good.subarray(0, 9), 0x30])), NAK_CODE.bcc);
  assert.throws(() => encodeCommand({ type: 'EC', data: 100 }), /data 100 of EC/);
});

test('the 52 faces of the wire are those of the port, each once', () => {
  const faces = new Set<string>();
  for (let suit = 0; suit < 8; suit++)
    for (let rank = 0; rank < 16; rank++) {
      const face = faceOf(suit, rank);
      if (face === null) continue;
      assert.equal(suitToWire(face.suit), suit);
      assert.equal(face.rank, rank - 1);
      faces.add(`${face.suit}/${face.rank}`);
    }
  assert.equal(faces.size, 52);
  // 5.1: suit 1 D, 2 C, 3 S, 4 H; 0 and everything else has not been read.
  assert.deepEqual(
    [1, 2, 3, 4].map((suit) => faceOf(suit, 1)?.suit),
    [2, 3, 0, 1],
  );
  assert.deepEqual([faceOf(0, 1), faceOf(5, 1), faceOf(1, 0), faceOf(1, 14)], [null, null, null, null]);
});

test('what is wrong with the data of a telegram is named', () => {
  const refused = (hex: string, error: RegExp): void => {
    const decoded = decode(fromHex(hex));
    assert.ok(!decoded.ok && error.test(decoded.error), JSON.stringify(decoded));
  };
  refused('', /no code/);
  refused('58', /no code 58/);
  refused('44 80', /D: 1 payload bytes instead of 2/);
  refused('53 80', /S: 1 payload bytes instead of 0/);
  refused('44 80 31', /D: bit 7/);
  refused('47 b0', /G: result 3/);
  assert.throws(() => encode(10, { type: 'start' }), /seq 10/);
  // Settings are text: with bit 7 or without.
  const plain = decode(fromHex('4d 30 31 30 30 30 31'));
  assert.deepEqual(plain, decode(fromHex('4d b0 b1 b0 b0 b0 b1')));
  assert.deepEqual(plain, { ok: true, value: { type: 'setting', address: '01', value: '0001' } });
});

test('no single bit turned over and no single byte lost passes as a telegram', () => {
  fc.assert(
    fc.property(fc.nat(9), messages, (seq, message) => {
      const good = encode(seq, message);
      for (let at = 0; at < good.length; at++) {
        for (let bit = 0; bit < 8; bit++) {
          const bent = Uint8Array.from(good);
          bent[at] = bent[at]! ^ (1 << bit);
          assert.deepEqual(parse(EMPTY_PARSER, bent).telegrams, [], toHex(bent));
        }
        const short = Uint8Array.from([...good.subarray(0, at), ...good.subarray(at + 1)]);
        for (const { data } of parse(EMPTY_PARSER, short).telegrams)
          assert.equal(decode(data).ok, false, toHex(short));
      }
    }),
    { numRuns: 300 },
  );
});

test('telegrams are found in any pieces, between garbage, and after a lost byte', () => {
  const sent = [1, 2, 3, 4].map((seq) =>
    encode(seq, { type: 'card', kind: 'game', target: 1, index: 0, suit: 4, rank: 13 }),
  );
  const garbage = fc.uint8Array({ maxLength: 12 }).map((bytes) => bytes.filter((byte) => byte > 0x20));
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.option(fc.nat(31)), garbage, (size, lost, noise) => {
      const line = sent.flatMap((bytes) => [...noise, ...bytes]);
      const at = lost === null ? null : noise.length * (Math.floor(lost / 8) + 1) + lost;
      // garbage that happens to be the byte that was lost makes the telegram whole
      fc.pre(at === null || line[at] !== line[at + 1]);
      const bytes = at === null ? line : [...line.slice(0, at), ...line.slice(at + 1)];
      let state: ParserState = EMPTY_PARSER;
      const seen: number[] = [];
      for (let from = 0; from < bytes.length; from += size) {
        const parsed = parse(state, Uint8Array.from(bytes.slice(from, from + size)));
        state = parsed.state;
        seen.push(...parsed.telegrams.filter(({ data }) => decode(data).ok).map(({ seq }) => seq));
      }
      const broken = lost === null ? null : Math.floor(lost / 8) + 1;
      assert.deepEqual(
        seen,
        [1, 2, 3, 4].filter((seq) => seq !== broken),
      );
    }),
  );
});

test('answers to commands stand between telegrams', () => {
  const card = encode(1, { type: 'cutCard' });
  const parsed = parse(EMPTY_PARSER, Uint8Array.from([...card, 0x06, ...card, 0x15, 0x21, ...card, 0x15]));
  assert.equal(parsed.telegrams.length, 3);
  assert.deepEqual(parsed.replies, [{ type: 'ack' }, { type: 'nak', code: 0x21 }]);
  assert.equal(parsed.bad, 0);
  assert.deepEqual(parse(parsed.state, Uint8Array.of(0x13)).replies, [{ type: 'nak', code: 0x13 }]);
});

test('random bytes neither crash the parser nor make it grow', () => {
  const runs = Number(process.env['BANCA_FUZZ'] ?? 50_000);
  const chance = seededChance(0xae);
  let state: ParserState = EMPTY_PARSER;
  let found = 0;
  for (let run = 0; run < runs; run++) {
    const aimed = chance.happens(500);
    const bytes = Uint8Array.from({ length: 1 + chance.below(20) }, () => chance.below(256));
    if (aimed) bytes.set([0x05, 0x30 + chance.below(10)].slice(0, bytes.length));
    if (aimed && bytes.length > 5) bytes.set([0x03, 0x30 + chance.below(8), 0x30 + chance.below(10)], 3);
    const parsed = parse(state, bytes);
    found += parsed.telegrams.length;
    for (const { data } of parsed.telegrams) decode(data);
    decode(bytes);
    decodeCommand(bytes);
    state = parsed.state;
    assert.ok(state.kept.length < 24, `${state.kept.length} bytes kept after run ${run}`);
  }
  assert.ok(found > runs / 1000, `${found} telegrams: the fuzz reached what lies behind the check`);
});
