import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashPin, LOCK_OUT_MS, MAX_FAILURES, People } from './people.ts';

const people = async (now: () => number): Promise<People> =>
  new People(
    [
      { id: 'D-01', name: 'Lei', role: 'dealer', pinHash: await hashPin('1111') },
      { id: 'S-01', name: 'Maria', role: 'supervisor', pinHash: await hashPin('3333') },
    ],
    now,
  );

test('a PIN names the person, and the hash does not leave the register', async () => {
  const register = await people(() => 0);
  assert.deepEqual(await register.identify('1111', ['dealer']), {
    person: { id: 'D-01', name: 'Lei', role: 'dealer' },
  });
});

test('a known PIN of another role is refused as a role, an unknown one as unknown', async () => {
  const register = await people(() => 0);
  assert.deepEqual(await register.identify('1111', ['supervisor']), {
    refused: 'role',
    person: { id: 'D-01', name: 'Lei', role: 'dealer' },
    lockedUntilMs: null,
  });
  assert.deepEqual(await register.identify('9999', ['supervisor']), {
    refused: 'unknown',
    person: null,
    lockedUntilMs: null,
  });
});

test('failures in a row shut the door for a while, even for the right PIN', async () => {
  let now = 0;
  const register = await people(() => now);
  for (let i = 0; i < MAX_FAILURES; i += 1) await register.identify('9999', ['dealer']);
  assert.deepEqual(await register.identify('1111', ['dealer']), {
    refused: 'locked-out',
    person: null,
    lockedUntilMs: LOCK_OUT_MS,
  });
  now = LOCK_OUT_MS;
  assert.ok('person' in (await register.identify('1111', ['dealer'])));
});

test('PINs that are sent all at once are tried one after the other, and only five of them', async () => {
  const register = await people(() => 0);
  const answers = await Promise.all(
    ['9990', '9991', '9992', '9993', '9994', '1111', '3333'].map((pin) =>
      register.identify(pin, ['dealer', 'supervisor']),
    ),
  );
  assert.deepEqual(
    answers.map((answer) => ('refused' in answer ? answer.refused : answer.person.id)),
    [...Array.from({ length: MAX_FAILURES }, () => 'unknown'), 'locked-out', 'locked-out'],
  );
});

test('naming oneself where one may not pass does not make earlier guesses forgotten', async () => {
  const register = await people(() => 0);
  for (let i = 0; i < MAX_FAILURES - 1; i += 1) await register.identify('9999', ['supervisor']);
  await register.identify('1111', ['supervisor']);
  await register.identify('9999', ['supervisor']);
  const answer = await register.identify('3333', ['supervisor']);
  assert.ok('refused' in answer && answer.refused === 'locked-out');
});
