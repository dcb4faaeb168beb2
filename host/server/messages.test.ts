import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { MOST_MINOR } from '../../engine/core/money.ts';
import type { Command } from '../../wire/commands.ts';
import { mayCommand } from '../../wire/roles.ts';
import { parseMessage } from './messages.ts';

const bet = { type: 'place-bet', roundId: 'T1-1', seat: 3, bet: 'main', amountMinor: 10_000, touchedAtMs: 1 };
const wrap = (command: unknown, id: unknown = 'command-0001') =>
  JSON.stringify({ t: 'command', id, command });

test('a well-formed command passes unchanged', () => {
  const behind = parseMessage(wrap({ ...bet, by: 5 }));
  assert.ok(behind.ok && behind.message.t === 'command');
  assert.deepEqual(behind.message.command, { ...bet, by: 5 });
  const parsed = parseMessage(wrap(bet));
  assert.deepEqual(parsed, { ok: true, message: { t: 'command', id: 'command-0001', command: bet } });
});

test('what is wrong is refused with its place and the id of its sender', () => {
  const cases: [unknown, RegExp][] = [
    [{ ...bet, amountMinor: 10.5 }, /command\.amountMinor/],
    [{ ...bet, amountMinor: -1 }, /command\.amountMinor/],
    [{ ...bet, seat: 13 }, /command\.seat/],
    [{ ...bet, seat: '3' }, /command\.seat/],
    [{ ...bet, credit: 1 }, /credit/],
    [{ type: 'mint-money' }, /command\.type/],
    [
      { type: 'void-round', reason: 'misdeal', credential: { person: '3', pin: 'abcd' } },
      /command\.credential\.pin/,
    ],
    [
      { type: 'void-round', reason: 'misdeal', credential: { person: 'Maria', pin: '3333' } },
      /command\.credential\.person/,
    ],
  ];
  for (const [command, place] of cases) {
    const parsed = parseMessage(wrap(command));
    assert.ok(!parsed.ok);
    assert.match(parsed.place, place);
    assert.equal(parsed.id, 'command-0001');
  }
  const broken = parseMessage('{');
  assert.ok(!broken.ok && broken.id === null && broken.code === 'malformed');
  assert.match(broken.place, /^not JSON: /);
});

test('who may not send a command hears so before anything in it is read', () => {
  const deep = { type: 'plan-change', edit: { options: { a: [] } }, reason: 7 };
  for (const role of ['seat:3', 'operator'] as const) {
    const parsed = parseMessage(wrap(deep), role);
    assert.ok(!parsed.ok && parsed.code === 'not-allowed' && parsed.id === 'command-0001', role);
  }
  const parsed = parseMessage(wrap(deep), 'service');
  assert.ok(!parsed.ok && parsed.code === 'malformed');
});

test('depth and the greatest amount are bounds of the message', () => {
  const nested = (depth: number) =>
    wrap(
      JSON.parse(`{"type":"plan-change","edit":{"options":{"a":${'['.repeat(depth)}${']'.repeat(depth)}}}}`),
    );
  for (const role of [null, 'table', 'seat:1'] as const) {
    const parsed = parseMessage(nested(2_000), role);
    assert.ok(!parsed.ok && /nested deeper than 16/.test(parsed.place), parsed.ok ? '' : parsed.place);
  }
  for (const amountMinor of [MOST_MINOR + 1, Number.MAX_SAFE_INTEGER]) {
    const parsed = parseMessage(wrap({ ...bet, amountMinor }));
    assert.ok(!parsed.ok && parsed.place.startsWith('command.amountMinor'));
  }
  assert.ok(parseMessage(wrap({ ...bet, amountMinor: MOST_MINOR })).ok);
});

test('no text makes the boundary throw', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.json().map((text) => wrap(JSON.parse(text))),
      ),
      (text) => {
        parseMessage(text);
      },
    ),
    { numRuns: 2000 },
  );
});

test('a display sends only the commands of its role', () => {
  const may = (role: Parameters<typeof mayCommand>[0], command: unknown, simulated = true) =>
    mayCommand(role, command as Command, simulated);
  assert.ok(may('table', bet));
  assert.ok(may('seat:3', bet));
  assert.ok(!may('seat:4', bet));
  // On whatever seat they bet, its bettor is the one of this display.
  assert.ok(may('seat:4', { ...bet, by: 4 }));
  assert.ok(!may('seat:3', { ...bet, by: 4 }));
  assert.ok(may('table', { ...bet, by: 4 }));
  assert.ok(!may('dealer', bet));
  assert.ok(may('dealer', { type: 'close-betting' }));
  assert.ok(!may('seat:3', { type: 'close-betting' }));
  assert.ok(!may('service', { type: 'open-betting' }));
  assert.ok(may('operator', { type: 'sim-draw-card' }));
  assert.ok(!may('operator', { type: 'sim-draw-card' }, false));
  assert.ok(!may('operator', bet));
});

test('a sentence that is to be said is bounded and in a language of the table', () => {
  const say = (over: object): string => {
    const query = { query: 'say', seat: 3, language: 'pt', text: 'Ficar', ...over };
    const parsed = parseMessage(JSON.stringify({ t: 'query', id: 'query-0001', query }));
    return parsed.ok ? 'taken' : `${parsed.id} ${parsed.place}`;
  };
  assert.equal(say({}), 'taken');
  assert.equal(say({ text: '' }), 'taken');
  assert.match(say({ text: 'x'.repeat(801) }), /^query-0001 query\.text: Too big: .*800/);
  assert.match(say({ text: 'a\u001b[2Jb' }), /query\.text: only characters that can be seen/);
  assert.match(say({ language: 'fr' }), /query\.language: Invalid option: .*"zh-Hant"\|"pt"\|"en"/);
  assert.match(say({ seat: 13 }), /query\.seat/);
  assert.match(say({ voice: 'x' }), /voice/);
});
