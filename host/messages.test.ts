import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { Command } from './api.ts';
import { mayCommand, parseMessage } from './messages.ts';

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
    [{ type: 'void-round', reason: 'misdeal', pin: 'abcd' }, /command\.pin/],
  ];
  for (const [command, place] of cases) {
    const parsed = parseMessage(wrap(command));
    assert.ok(!parsed.ok);
    assert.match(parsed.place, place);
    assert.equal(parsed.id, 'command-0001');
  }
  assert.deepEqual(parseMessage('{'), { ok: false, id: null, place: 'not JSON' });
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
  // On whatever seat he bets, its bettor is the one of this display.
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
