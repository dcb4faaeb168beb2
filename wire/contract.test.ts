import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PersonRole } from '../engine/table/inputs.ts';
import { COMMAND_ROWS, type Command } from './commands.ts';
import type { DisplayRole } from './display.ts';
import type { ToHost } from './messages.ts';
import type { ClockPage, DrillPage } from './pages.ts';
import { type Answered, type AnswerOf, QUERY_ROWS, type Query } from './queries.ts';
import { mayCommand, mayEver, mayQuery } from './roles.ts';

test('what is not in a row does not compile', () => {
  const command: Command = { type: 'set-language', seat: 1, language: 'pt' };
  // @ts-expect-error: a renamed member
  const renamed: Command = { type: 'set-language', seat: 1, tongue: 'pt' };
  // @ts-expect-error: a member more
  const more: Command = { type: 'set-language', seat: 1, language: 'pt', hand: 1 };
  // @ts-expect-error: no such command
  const unknown: Command = { type: 'set-tongue', seat: 1 };
  // @ts-expect-error: no such message
  const message: ToHost = { t: 'hello', version: '1', lastSeq: null };
  const drills = (answer: AnswerOf<{ query: 'drills' }>): DrillPage => answer;
  // @ts-expect-error: the page of another query
  const clock = (answer: AnswerOf<{ query: 'drills' }>): ClockPage => answer;
  // @ts-expect-error: a handler that answers with the page of another query
  const handler: Pick<Answered, 'drills'> = { drills: {} as ClockPage };
  // @ts-expect-error: no such query
  const asked: Query = { query: 'tongues' };
  const none = { renamed, more, unknown, message, drills, clock, handler, asked };
  assert.equal(Object.keys(none).length, 8);
  assert.equal(command.type, 'set-language');
});

const ROLES: readonly DisplayRole[] = ['table', 'seat:1', 'dealer', 'spectator', 'service', 'operator'];

test('the big table may send every command, every other display those of its rows, and nobody an unknown one', () => {
  for (const { name, from } of COMMAND_ROWS) {
    assert.ok(mayEver('table', name), name);
    assert.equal(mayEver('seat:1', name), from.includes('seat'), name);
    assert.equal(mayEver('dealer', name), from.includes('dealer'), name);
    assert.equal(mayEver('service', name), from.includes('service'), name);
    assert.equal(mayEver('operator', name), from.includes('operator'), name);
    assert.ok(!mayEver('spectator', name), name);
  }
  for (const role of ROLES) assert.ok(!mayEver(role, 'constructor') && !mayEver(role, 'set-tongue'));
});

test('a seat speaks for its own bettor, whatever seat the bet lies on', () => {
  const bet = { type: 'place-bet', roundId: 'r', bet: 'main', amountMinor: 1, touchedAtMs: 0 } as const;
  assert.ok(mayCommand('seat:1', { ...bet, seat: 1 }, false));
  assert.ok(mayCommand('seat:1', { ...bet, seat: 2, by: 1 }, false));
  assert.ok(!mayCommand('seat:1', { ...bet, seat: 2 }, false));
  assert.ok(!mayCommand('seat:1', { ...bet, seat: 1, by: 2 }, false));
  assert.ok(!mayCommand('seat:1', { type: 'raise-complaint', seat: 1 }, false));
  assert.ok(mayCommand('seat:1', { type: 'raise-complaint', seat: 1, from: 'player' }, false));
});

test('beside displays of their own the table has what is left, and no PIN is taken from the players’ glass', () => {
  const handedOver = { dealer: true, seats: [1] };
  const may = (role: DisplayRole, command: Command): boolean => mayCommand(role, command, true, handedOver);
  for (const { name, from } of COMMAND_ROWS) {
    const left = from.some((screen) => screen === 'seat' || screen === 'operator') || name === 'hide-recall';
    assert.equal(may('table', { type: name, seat: 2, from: 'player' } as never), left, name);
    const credential = { person: '1', pin: '1111' };
    const typed = { type: name, seat: 2, from: 'player', credential } as never;
    assert.ok(!may('table', typed) && !may('seat:2', typed), name);
    assert.equal(may('dealer', typed), from.includes('dealer'), name);
  }
  const bet = { type: 'place-bet', roundId: 'r', bet: 'main', amountMinor: 1, touchedAtMs: 0 } as const;
  assert.ok(!may('table', { ...bet, seat: 1 }) && !may('table', { ...bet, seat: 2, by: 1 }));
  assert.ok(may('table', { ...bet, seat: 2 }) && may('table', { ...bet, seat: 1, by: 2 }));
  assert.ok(may('seat:1', { ...bet, seat: 1 }));
  assert.ok(!may('table', { type: 'raise-complaint', seat: 2 }));
});

test('the hands on simulated devices are there in simulation only', () => {
  for (const role of ['table', 'operator'] as const) {
    assert.ok(mayCommand(role, { type: 'sim-draw-card' }, true));
    assert.ok(!mayCommand(role, { type: 'sim-draw-card' }, false));
  }
});

test('each kind of question has its askers', () => {
  const asked = { devices: { query: 'devices' }, own: { query: 'own-rounds', seat: 1 } } as const;
  const rounds = { query: 'rounds', beforeNo: null, limit: 1 } as const;
  const recall = { query: 'recall', roundId: 'r', fromStep: 0 } as const;
  const may = (query: Query, service: PersonRole | null, recalls: boolean): readonly DisplayRole[] =>
    ROLES.filter((role) => mayQuery(role, query, { service, recalls }));
  assert.deepEqual(may(asked.devices, 'technician', false), ['table', 'service']);
  assert.deepEqual(may(asked.devices, null, true), []);
  assert.deepEqual(may(asked.own, null, false), ['table', 'seat:1']);
  assert.deepEqual(may({ ...asked.own, seat: 2 }, 'technician', true), ['table']);
  assert.deepEqual(may(rounds, null, true), ['table', 'dealer']);
  assert.deepEqual(may(rounds, 'attendant', false), ['table', 'service']);
  assert.deepEqual(may(recall, 'technician', false), []);
  assert.deepEqual(may(recall, null, true), ['table']);
  // Service mode is on the dealer's own display, where there is one.
  const beside = { dealer: true, seats: [1] };
  const still = (query: Query, recalls: boolean): readonly DisplayRole[] =>
    ROLES.filter((role) => mayQuery(role, query, { service: 'technician', recalls, handedOver: beside }));
  assert.deepEqual(still(asked.devices, false), ['dealer', 'service']);
  assert.deepEqual(still(asked.own, false), ['seat:1']);
  assert.deepEqual(still(rounds, true), ['table', 'dealer', 'service']);
  assert.deepEqual(
    new Set(QUERY_ROWS.map(({ asker }) => asker)),
    new Set(['service', 'dealer', 'recall', 'seat']),
  );
});
