/**
 * Somebody at a pad who tries PINs: at a player's panel, at the staff's edge, over restarts, all at
 * once, and by what the answers tell.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { COST, FREE_FAILURES, hashPin, isWeakHash } from '../../host/config/people.ts';
import { openLedgerReader } from '../../ledger/store/ledger.store.ts';
import type { Command } from '../../wire/commands.ts';
import type { Credential } from '../../wire/fields.ts';
import type { Answer, TestDisplay } from '../support/display.ts';
import { type Attacked, attack } from './kit.ts';

const DEALER = { person: '1', pin: '1111' };
const SUPERVISOR = { person: '3', pin: '3333' };
const TECHNICIAN = { person: '4', pin: '4444' };
const NOBODY = { person: '99', pin: '4444' };
const wrong = (credential: Credential): Credential => ({ ...credential, pin: '0000' });

const enter = (credential: Credential): Command => ({ type: 'enter-service', credential });
const signIn = (credential: Credential): Command => ({ type: 'sign-in-dealer', credential });
const pay = (credential: Credential): Command => ({
  type: 'confirm-hand-pay',
  seat: 1,
  requestId: 'no-request',
  credential,
});

interface Refused {
  readonly why: string;
  readonly person: { readonly id: string } | null;
}

const refusedIn = ({ data }: Attacked): Refused[] => {
  const reader = openLedgerReader(join(data, 'ledger.db'));
  try {
    const entries = reader.newest({ beforeSeq: null, limit: 5_000, kind: 'access-refused' });
    return entries.map(({ body }) => body as Refused).reverse();
  } finally {
    reader.close();
  }
};

async function refused(display: TestDisplay, command: Command): Promise<Answer> {
  const answer = await display.command(command);
  assert.ok(answer?.status === 'rejected' && answer.code === 'person', JSON.stringify(answer));
  return answer;
}

async function done(display: TestDisplay, command: Command): Promise<void> {
  const answer = await display.command(command);
  assert.equal(answer?.status, 'done', JSON.stringify(answer));
}

test('wrong PINs at a seat stop no supervisor at the edge of the table, and nobody else at the seat', async (t) => {
  const attacked = await attack(t);
  const seat = await attacked.display('seat:1');
  const table = await attacked.display('table');
  for (let i = 0; i < 5; i += 1) await refused(seat, pay(wrong(SUPERVISOR)));
  await refused(seat, pay(SUPERVISOR));
  await done(table, signIn(SUPERVISOR));
  await done(table, { type: 'sign-out-dealer' });
  await refused(seat, pay(SUPERVISOR));
  const answer = await seat.command(pay({ person: '2', pin: '2222' }));
  assert.ok(answer?.status === 'rejected' && answer.code !== 'person', 'the attendant’s PIN is looked at');
});

test('who has tried too often waits after kill -9 as well; another’s success opens nothing for them', async (t) => {
  const attacked = await attack(t);
  const { terminal } = attacked;
  const tries = (): number => refusedIn(attacked).filter(({ why }) => why === 'wrong-pin').length;
  let table = await attacked.display('table');
  // Half a minute to wait, and once more from the start that follows.
  while (tries() < FREE_FAILURES + 1) await refused(table, enter(wrong(TECHNICIAN)));
  table.close();
  const from = terminal.events.length;
  process.kill(terminal.pidOf('host'), 'SIGKILL');
  await terminal.event('the host is back', ({ host }) => (host as { ready?: boolean })?.ready === true, from);
  table = await attacked.display('table');
  await refused(table, enter(TECHNICIAN));
  await done(table, signIn(DEALER));
  await refused(table, enter(TECHNICIAN));
  assert.equal(tries(), FREE_FAILURES + 1, 'none of these was tried');
});

test('no answer tells whether a number is somebody’s, a PIN right for another role, or a person made to wait', async (t) => {
  const attacked = await attack(t);
  const table = await attacked.display('table');
  const service = await attacked.display('service');
  const seat = await attacked.display('seat:1');
  const times = new Map<string, number[]>();
  const told = new Set<string>();
  for (let i = 0; i < 12; i += 1)
    for (const [name, display, command] of [
      ['wrong PIN', service, enter(wrong(TECHNICIAN))],
      ['nobody', service, enter(NOBODY)],
      ['another role', service, enter(DEALER)],
      ['wrong PIN, another role', service, enter(wrong(DEALER))],
      ['at a seat', seat, pay(wrong(SUPERVISOR))],
      ['nobody at a seat', seat, pay(NOBODY)],
      ['two, the first wrong', table, { ...pay(wrong(SUPERVISOR)), secondCredential: DEALER } as Command],
      ['two, the second wrong', table, { ...pay(SUPERVISOR), secondCredential: wrong(DEALER) } as Command],
    ] as const) {
      const began = performance.now();
      const { id: _id, ...answer } = await refused(display, command);
      times.set(name, [...(times.get(name) ?? []), performance.now() - began]);
      told.add(JSON.stringify(answer));
    }
  assert.equal(told.size, 1, [...told].join('\n'));
  for (const [name, all] of times)
    t.diagnostic(`${name}: median ${all.sort((a, b) => a - b)[all.length >> 1]!.toFixed(1)} ms`);
  const whys = new Set(refusedIn(attacked).map(({ why }) => why));
  assert.deepEqual([...whys].sort(), ['locked-out', 'nobody', 'role', 'wrong-pin'], 'the ledger knows');
  const query = { query: 'events', beforeSeq: null, limit: 10, kind: null } as const;
  for (const display of [seat, table])
    await assert.rejects(display.query(query), /query refused/, 'and tells nobody without a service session');
});

test('of four hundred PINs at once, the right one among them, one is tried; staff are served meanwhile', async (t) => {
  const attacked = await attack(t);
  const seat = await attacked.display('seat:1');
  const table = await attacked.display('table');
  // As many as a display may send at once: what is more gets no answer at all.
  const flood = Array.from({ length: 400 }, (_, i) =>
    seat.command(pay(i === 200 ? SUPERVISOR : { ...SUPERVISOR, pin: String(5_000 + i) })),
  );
  await done(table, signIn(DEALER));
  const answers = await Promise.all(flood);
  assert.ok(answers.every((answer) => answer === null || answer.status === 'rejected'));
  const tried = refusedIn(attacked);
  assert.ok(tried.length <= FREE_FAILURES + 2, `${tried.length} were tried`);
});

test('a flood of staff numbers that are nobody’s leaves a handful of entries', async (t) => {
  const attacked = await attack(t);
  const seat = await attacked.display('seat:1');
  for (let number = 100; number < 200; number += 1)
    await refused(seat, pay({ person: String(number), pin: '4444' }));
  const [first] = refusedIn(attacked);
  assert.equal(first?.why, 'nobody');
  assert.ok(refusedIn(attacked).length <= 2 * (FREE_FAILURES + 2), `${refusedIn(attacked).length} entries`);
});

test('a PIN that is made today is at least as dear to search as the one that was measured', async () => {
  // 256 MiB each: bench/pins.ts has measured four days of two cores for the six digits of one
  // person.
  assert.ok(COST >= 18);
  const pinHash = await hashPin('604913');
  assert.equal(isWeakHash(pinHash), false);
  assert.match(pinHash, new RegExp(`^scrypt\\$${COST}\\$[0-9a-f]{32}\\$[0-9a-f]{64}$`));
});
