import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEALERS } from '../../engine/table/duties.ts';
import type { PersonRole } from '../../engine/table/inputs.ts';
import type { Failures, Pad } from '../../wire/host-events.ts';
import {
  COST,
  FREE_FAILURES,
  hashPin,
  isWeakHash,
  People,
  type PinAnswer,
  waitAfter,
  whyNotPin,
} from './people.ts';

const LEI = { id: 'D-01', name: 'Lei', role: 'dealer' } as const;
const MARIA = { id: 'S-01', name: 'Maria', role: 'supervisor' } as const;
const records = [
  { ...LEI, number: '1', pinHash: await hashPin('111111', 12) },
  { ...MARIA, number: '3', pinHash: await hashPin('333333', 12) },
];

interface Door {
  pass(ms: number): void;
  readonly people: People;
  try(
    person: string,
    pin: string,
    o?: { roles?: readonly PersonRole[]; pad?: Pad },
  ): Promise<PinAnswer | null>;
  /** `who`, or why not; null = nothing for the ledger. */
  said(person: string, pin: string, o?: { roles?: readonly PersonRole[]; pad?: Pad }): Promise<string | null>;
}

async function door(failures: readonly Failures[] = []): Promise<Door> {
  let nowMs = 0;
  const people = new People(() => records, { monotonic: () => nowMs, failures });
  const made: Door = {
    people,
    pass: (ms) => {
      nowMs += ms;
    },
    try: (person, pin, { roles = DEALERS, pad = 'staff' } = {}) =>
      people.identify({ credential: { person, pin }, roles, pad, from: pad }),
    said: async (...given) => {
      const answer = await made.try(...given);
      assert.ok(answer, 'nobody else was at the pad');
      return 'person' in answer ? answer.person.id : (answer.refused?.why ?? null);
    },
  };
  return made;
}

/** Wrong ones until each more makes them wait, and the first wait. */
async function fail(at: Door, person: string, pad: Pad = 'staff'): Promise<void> {
  for (let i = 0; i <= FREE_FAILURES; i += 1) await at.said(person, '999999', { pad });
}

test('a number and its PIN name a person; anything else says why to the ledger alone', async () => {
  const at = await door();
  assert.deepEqual(await at.try('1', '111111'), { person: LEI, forgiven: null });
  assert.equal(await at.said('1', '333333'), 'wrong-pin', 'the PIN of another person');
  assert.equal(await at.said('2', '111111'), 'nobody');
  assert.equal(await at.said('3', '333333', { roles: ['dealer'] }), 'role');
  assert.equal(await at.said('3', '999999', { roles: ['dealer'] }), 'wrong-pin');
});

test('wrong ones make a person wait, longer and longer up to a quarter of an hour', () => {
  const waits = [1, 3, 4, 5, 6, 7, 8, 9, 10, 100].map((failures) => waitAfter(failures) / 1_000);
  assert.deepEqual(waits, [0, 0, 30, 60, 120, 240, 480, 900, 900, 900]);
});

test('the wait counts for one person on one kind of pad: nobody else waits, and nobody else’s success ends it', async () => {
  const at = await door();
  await fail(at, '3', 'players');
  assert.equal(await at.said('3', '333333', { pad: 'players' }), 'locked-out');
  assert.equal(await at.said('3', '333333', { pad: 'players' }), null, 'the ledger records it once a wait');
  assert.equal(await at.said('1', '111111', { pad: 'players' }), 'D-01');
  assert.equal(await at.said('3', '333333'), 'S-01');
  assert.equal(await at.said('3', '333333', { pad: 'players' }), null);
  at.pass(30_000);
  const answer = await at.try('3', '333333', { pad: 'players' });
  assert.deepEqual(answer, { person: MARIA, forgiven: { pad: 'players', failures: [] } });
});

test('a right PIN for another role opens nothing and forgives nothing', async () => {
  const at = await door();
  for (let i = 0; i < FREE_FAILURES; i += 1) await at.said('1', '999999');
  assert.equal(await at.said('1', '111111', { roles: ['supervisor'] }), 'role');
  assert.equal(await at.said('1', '111111'), 'locked-out');
});

test('numbers of nobody wait together, so that a flood of them fills no ledger', async () => {
  const at = await door();
  const told = [];
  for (let number = 100; number < 120; number += 1) told.push(await at.said(String(number), '999999'));
  const free = Array.from({ length: FREE_FAILURES + 1 }, () => 'nobody');
  assert.deepEqual(told, [...free, 'locked-out', ...Array.from({ length: 15 }, () => null)]);
  assert.equal(await at.said('1', '111111'), 'D-01', 'nobody else waits for it');
});

test('the next life begins with what stood, and every wait once more', async () => {
  const before = await door();
  await fail(before, '3');
  before.pass(29_000);
  const after = await door(before.people.failures());
  after.pass(29_000);
  assert.equal(await after.said('3', '333333'), 'locked-out');
  after.pass(1_000);
  assert.equal(await after.said('3', '999999'), 'wrong-pin');
  after.pass(59_000);
  assert.equal(await after.said('3', '333333'), 'locked-out', 'the fifth wrong one counted as the fifth');
});

test('of a thousand sent at once from one pad one is looked at', async () => {
  const at = await door();
  const answers = await Promise.all(Array.from({ length: 1_000 }, () => at.try('3', '999999')));
  assert.equal(answers.filter((answer) => answer !== null).length, 1);
  assert.deepEqual(at.people.failures(), [{ id: 'S-01', pad: 'staff', count: 1 }]);
});

test('staff go before players, who have asked first', async () => {
  const at = await door();
  const order: string[] = [];
  const ask = async (from: string, pad: Pad): Promise<void> => {
    const credential = { person: '1', pin: '111111' };
    await at.people.identify({ credential, roles: ['dealer'], pad, from });
    order.push(from);
  };
  await Promise.all([
    ask('seat 1', 'players'),
    ask('seat 2', 'players'),
    ask('seat 3', 'players'),
    ask('edge', 'staff'),
  ]);
  assert.deepEqual(order, ['seat 1', 'edge', 'seat 2', 'seat 3']);
});

test('a PIN of today takes 256 MiB and is known by it; one of an early version is weak', async () => {
  const today = await hashPin('604913');
  assert.match(today, /^scrypt\$18\$/);
  assert.equal(COST, 18);
  assert.equal(isWeakHash(today), false);
  assert.equal(isWeakHash(today.replace('$18$', '$')), true);
  assert.equal(isWeakHash(await hashPin('604913', 12)), true);
  const people = new People(() => [{ ...LEI, number: '7', pinHash: today }], { monotonic: () => 0 });
  const attempt = { credential: { person: '7', pin: '604913' }, roles: ['dealer'] as const };
  assert.deepEqual(await people.identify({ ...attempt, pad: 'staff', from: 'table' }), {
    person: LEI,
    forgiven: null,
  });
});

test('a number of nobody costs what the dearest PIN costs', async (t) => {
  const dear = { ...MARIA, number: '3', pinHash: await hashPin('604913', 16) };
  const people = new People(() => [records[0]!, dear], { monotonic: () => 0 });
  const costOf = async (person: string): Promise<number> => {
    const before = process.cpuUsage();
    const credential = { person, pin: '999999' };
    await people.identify({ credential, roles: ['dealer'], pad: 'staff', from: 'table' });
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  const [nobodyUs, mariaUs, leiUs] = [await costOf('8'), await costOf('3'), await costOf('1')];
  t.diagnostic(`microseconds: nobody ${nobodyUs}, Maria ${mariaUs}, Lei with a cheap PIN ${leiUs}`);
  // Sixteen times the work of a cheap one, whatever the machine.
  assert.ok(nobodyUs > 4 * leiUs);
});

test('whoever is struck off the list while the PIN is looked at is not let in', async () => {
  let looks = 0;
  const people = new People(() => (looks++ === 0 ? records : records.slice(0, 1)), { monotonic: () => 0 });
  const credential = { person: '3', pin: '333333' };
  const answer = await people.identify({ credential, roles: ['supervisor'], pad: 'staff', from: 'table' });
  assert.ok(answer && 'refused' in answer);
  assert.deepEqual(answer.refused?.person, MARIA, 'still listed when the PIN came');
});

test('without their card a right PIN is refused as a wrong one is, and counts', async () => {
  let shown = false;
  const people = new People(() => records, { monotonic: () => 0, hasShown: () => shown });
  const credential = { person: '3', pin: '333333' };
  const attempt = { credential, roles: ['supervisor'], pad: 'staff', from: 'table' } as const;
  const refused = await people.identify(attempt);
  assert.equal(refused && 'refused' in refused && refused.refused?.why, 'no-card');
  assert.deepEqual(people.failures(), [{ id: 'S-01', pad: 'staff', count: 1 }]);
  shown = true;
  assert.deepEqual(await people.identify(attempt), {
    person: MARIA,
    forgiven: { pad: 'staff', failures: [] },
  });
});

test('PINs that are guessed first are none', () => {
  for (const pin of ['11111', '000000', '88888888', '123456', '012345', '987654', '76543210'])
    assert.ok(whyNotPin(pin), pin);
  for (const pin of ['604913', '112233', '135791']) assert.equal(whyNotPin(pin), null, pin);
});
