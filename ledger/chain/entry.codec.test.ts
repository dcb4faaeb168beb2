import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { canonicalText } from './canonical.ts';
import {
  chainHash,
  decodeEntry,
  type EntryFields,
  encodeEntry,
  GENESIS_HASH,
  toHex,
  unbalanced,
} from './entry.codec.ts';
import { PlainEntryReader } from './plain-entry.ts';
import { PlainJson } from './plain-json.ts';

const name = fc
  .string({ minLength: 1, unit: 'grapheme' })
  .filter((s) => !s.includes('\0') && s.isWellFormed());
const integer = fc.maxSafeInteger();
const fields: fc.Arbitrary<EntryFields> = fc.record({
  seq: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  atMs: integer,
  kind: name,
  roundId: fc.option(name),
  commandId: fc.option(name),
  noteId: fc.option(name),
  body: fc.jsonValue(),
  postings: fc.array(fc.record({ account: name, currency: name, amountMinor: integer }), { maxLength: 4 }),
});

/** Whether the quick reader takes all of a text. */
function isPlain(text: string, isUtf8 = false): boolean {
  const json = new PlainJson();
  json.bytes = Buffer.from(text);
  json.isUtf8 = isUtf8;
  return json.value() && json.at === json.bytes.length;
}

describe('an entry as bytes', () => {
  it('is RFC 8785 of its members, and is read back as it was', () => {
    fc.assert(
      fc.property(name, fields, (terminal, e) => {
        const bytes = encodeEntry(terminal, e);
        assert.equal(bytes, canonicalize({ ...e, terminal, v: 1 }));
        const back = decodeEntry(bytes);
        assert.ok(back.ok);
        assert.equal(back.terminal, terminal);
        assert.deepEqual(back.fields, JSON.parse(JSON.stringify(e)));
      }),
    );
  });

  it('has a body in the form of RFC 8785, as the library writes it; the quick reader takes nothing else for it', () => {
    const json = fc.jsonValue({ stringUnit: 'binary' }).map((value) => JSON.stringify(value));
    let quick = 0;
    fc.assert(
      fc.property(
        fc.oneof(
          json,
          fc.string(),
          json.map((text) => text.replace(',', ', ')),
        ),
        (text) => {
          let expected: string | null = null;
          try {
            expected = canonicalize(JSON.parse(text)) ?? null;
            assert.equal(canonicalText(JSON.parse(text)), expected);
          } catch {}
          // A lone surrogate does not reach it: its bytes are other ones.
          if (!isPlain(text, text.isWellFormed())) return;
          quick += 1;
          assert.equal(text, expected);
        },
      ),
      { numRuns: 1_000 },
    );
    assert.ok(quick > 100);
    for (const text of [
      '{"b":1,"a":2}',
      '{"a":1,"a":1}',
      '1.0',
      '"\\u0041"',
      '"\\ud800"',
      '[1,]',
      '{"9":1,"10":2}',
      '{"a":1,"aa":2,"a":3}',
      '{"a":1',
      '{"a"}',
      '"a',
      '[1 ]',
      '01',
      '-0',
      '-',
      '1e3',
      'nul',
      '',
    ])
      assert.equal(isPlain(text, true), false, text);
    assert.deepEqual(
      ['"莊 ã"', '{"莊":1}'].map((text) => [isPlain(text), isPlain(text, true)]),
      [
        [false, true],
        [false, false],
      ],
    );
  });

  it('is read quickly as it is read in full, or not at all', () => {
    const word = fc.stringMatching(/^[a-z閒ã:-]{1,9}$/);
    const posting = fc.record({ account: word, currency: word, amountMinor: fc.integer() });
    const tame = fc.record({
      seq: fc.integer({ min: 1 }),
      atMs: fc.integer(),
      kind: word,
      roundId: fc.option(word),
      commandId: fc.option(word),
      noteId: fc.constant(null),
      body: fc.dictionary(fc.stringMatching(/^[a-z]{1,3}$/), fc.oneof(word, fc.integer(), fc.boolean())),
      postings: fc.array(posting, { maxLength: 4 }),
    });
    let quick = 0;
    fc.assert(
      fc.property(word, fc.oneof(fields, tame), (terminal, e) => {
        const bytes = encodeEntry(terminal, e);
        const plain = new PlainEntryReader(terminal).read(Buffer.from(bytes));
        assert.equal(new PlainEntryReader(`${terminal}x`).read(Buffer.from(bytes)), null);
        if (plain === null) return;
        quick += 1;
        const full = decodeEntry(bytes);
        assert.ok(full.ok);
        const { seq, atMs, kind, roundId, commandId, noteId, postings } = full.fields;
        assert.equal(noteId, null);
        const { postingsJson, ...read } = plain;
        assert.deepEqual(read, { seq, atMs, kind, roundId, commandId, postings });
        assert.equal(String(postingsJson), JSON.stringify(postings));
      }),
      { numRuns: 500 },
    );
    assert.ok(quick > 100, `${quick}`);
  });

  it('is hashed with the one before it', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.string({ unit: 'grapheme', maxLength: 9000 }),
        (previous, bytes) => {
          const expected = createHash('sha256').update(previous).update(bytes, 'utf8').digest('hex');
          assert.equal(toHex(chainHash(previous, bytes)), expected);
        },
      ),
    );
  });

  it('is the example of docs/ledger-format.md', () => {
    const bytes = encodeEntry('table-1', EXAMPLE);
    assert.equal(bytes, EXAMPLE_BYTES);
    assert.equal(toHex(chainHash(GENESIS_HASH, bytes)), EXAMPLE_HASH);
  });

  it('is refused in any other form, with the reason', () => {
    const good = encodeEntry('table-1', EXAMPLE);
    const refused: readonly [string, RegExp][] = [
      ['', /not JSON/],
      ['[]', /not a JSON object/],
      ['null', /not a JSON object/],
      [good.replace('"v":1', '"v":2'), /v is 2/],
      [good.replace('"seq":1', '"seq":0'), /seq/],
      [good.replace('"seq":1', '"seq":1.0'), /canonical/],
      [good.replace('"kind":"', '"kind": "'), /canonical/],
      [good.replace('"v":1', '"v":1,"w":1'), /canonical/],
      [good.replace('"seq":1', '"seq":1,"seq":1'), /canonical/],
      [good.replace('"atMs":1760000000000', '"atMs":"x"'), /atMs/],
      [good.replace('"commandId":"c-1"', '"commandId":""'), /commandId/],
      [good.replace('"commandId":"c-1"', '"commandId":"\\u0000"'), /commandId/],
      [good.replace('"amountMinor":-10000', '"amountMinor":0.5'), /postings\[0\]/],
      [good.replace('"amountMinor":-10000', '"amountMinor":-10000,"x":1'), /canonical/],
      [good.replace(/"postings":\[.*?\]/, '"postings":{}'), /postings/],
      [good.replace(/"body":\{.*?\},/, ''), /body/],
      [good.replace('"remark":"', '"remark":"\\ud800'), /canonical/],
    ];
    for (const [bytes, reason] of refused) {
      const result = decodeEntry(bytes);
      assert.ok(!result.ok, bytes);
      assert.match(result.what, reason);
    }
  });

  it('is refused in every order of its members but one, whatever their names', () => {
    const member = fc.constantFrom('1', '9', '10', 'a', 'B', '__proto__', 'toJSON', 'é', '\u{1F0A1}', '');
    const { tree } = fc.letrec<{ tree: unknown; leaf: unknown }>((tie) => ({
      leaf: fc.oneof(
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.string(),
        fc.boolean(),
      ),
      tree: fc.oneof(
        { maxDepth: 3 },
        tie('leaf'),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc
          .uniqueArray(fc.tuple(member, tie('tree')), { maxLength: 5, selector: ([name]) => name })
          .map((members) => new Map(members)),
      ),
    }));
    const text = (value: unknown): string =>
      value instanceof Map
        ? `{${[...value].map(([name, of]) => `${JSON.stringify(name)}:${text(of)}`).join(',')}}`
        : Array.isArray(value)
          ? `[${value.map(text).join(',')}]`
          : JSON.stringify(value);
    const good = encodeEntry('table-1', { ...EXAMPLE, body: 'BODY' });
    let [taken, refused] = [0, 0];
    fc.assert(
      fc.property(tree, (body) => {
        const bytes = good.replace('"BODY"', () => text(body));
        const isRight = canonicalize(JSON.parse(bytes)) === bytes;
        assert.equal(decodeEntry(bytes).ok, isRight, bytes);
        if (isRight) taken += 1;
        else refused += 1;
      }),
      { numRuns: 2_000 },
    );
    assert.ok(decodeEntry(good.replace('BODY', '\\\\ud800')).ok, 'a text about surrogates is none');
    assert.ok(taken > 100 && refused > 100, `${taken} taken, ${refused} refused`);
  });

  it('balances in exact integers only', () => {
    const p = (currency: string, amountMinor: number) => ({ account: 'a', currency, amountMinor });
    assert.equal(unbalanced([]), null);
    assert.equal(unbalanced([p('MOP', 5), p('HKD', 1), p('MOP', -5), p('HKD', -1)]), null);
    assert.deepEqual(unbalanced([p('MOP', 5), p('HKD', 1), p('MOP', -5)]), { currency: 'HKD', sumMinor: 1 });
    // In doubles 2^53 - 1 + 2 - 2^53 is 0 or 2 by rounding; it must not pass.
    assert.notEqual(
      unbalanced([p('MOP', 2 ** 53 - 1), p('MOP', 2), p('MOP', -(2 ** 53 - 1)), p('MOP', -1)]),
      null,
    );
  });
});

const EXAMPLE: EntryFields = {
  seq: 1,
  atMs: 1760000000000,
  kind: 'note-credited',
  roundId: null,
  commandId: 'c-1',
  noteId: 'n-1',
  body: { seat: 3, valueMinor: 10000, remark: '澳門 €' },
  postings: [
    { account: 'bills', currency: 'MOP', amountMinor: -10000 },
    { account: 'seat:3', currency: 'MOP', amountMinor: 10000 },
  ],
};
const EXAMPLE_BYTES =
  '{"atMs":1760000000000,"body":{"remark":"澳門 €","seat":3,"valueMinor":10000},"commandId":"c-1","kind":"note-credited","noteId":"n-1","postings":[{"account":"bills","amountMinor":-10000,"currency":"MOP"},{"account":"seat:3","amountMinor":10000,"currency":"MOP"}],"roundId":null,"seq":1,"terminal":"table-1","v":1}';
const EXAMPLE_HASH = '546814248244182aa863e000431da3e4f69e2fa07788f51c5e32a25fb245fa6c';
