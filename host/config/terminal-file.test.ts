import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ProfileError, readTerminalFile } from './terminal-file.ts';

const DEMO = new URL('../profiles/demo.json', import.meta.url).pathname;

test('the profile that comes with the program is a good one', () => {
  const { profile, people } = readTerminalFile(DEMO);
  assert.equal(profile.rulebook, 'macau-blackjack-2009');
  assert.ok(people.some((person) => person.role === 'supervisor'));
});

test('a bad profile is refused with the place of every problem', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'banca-profile-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'terminal.json');
  const problemOf = (
    change: (file: { profile: Record<string, unknown>; people: unknown[] }) => void,
  ): string => {
    const file = JSON.parse(readFileSync(DEMO, 'utf8')) as Parameters<typeof change>[0];
    change(file);
    writeFileSync(path, JSON.stringify(file));
    try {
      readTerminalFile(path);
    } catch (error) {
      assert.ok(error instanceof ProfileError);
      return error.message;
    }
    throw new assert.AssertionError({ message: 'the profile was taken' });
  };
  assert.match(
    problemOf((file) => Object.assign(file.profile, { currency: 'USD' })),
    /profile\.currency/,
  );
  assert.match(
    problemOf((file) => Object.assign(file.profile, { maxCreditMinor: 0.5 })),
    /profile\.maxCreditMinor/,
  );
  assert.match(
    problemOf((file) => Object.assign(file.profile, { colour: 'red' })),
    /colour/,
  );
  assert.match(
    problemOf((file) => Object.assign(file.profile, { chipsMinor: [100, 50] })),
    /must ascend/,
  );
  assert.match(
    problemOf((file) => Object.assign(file.profile, { display: { suitColours: 3 } })),
    /profile\.display\.suitColours/,
  );
  assert.match(
    problemOf((file) => Object.assign(file.profile, { display: { dealerEdge: 'left' } })),
    /profile\.display\.dealerEdge/,
  );
  for (const [speech, problem] of [
    [{ outputs: { 9: 'plughw:CARD=A' } }, /speech\.outputs\.9: there are 7 seats/],
    [{ outputs: { 2: 'file:/etc/passwd' } }, /speech\.outputs\.2: ALSA's name of an output/],
    [{ outputs: { two: 'default' } }, /speech\.outputs\.two/],
    [{ keys: { 2: ['F13', 'F14'] } }, /speech\.keys\.2/],
    [
      { keys: { 2: ['F13', 'F14', 'F15', 'F16'], 3: ['F17', 'F18', 'F19', 'F13'] } },
      /speech\.keys\.3: F13 is a key of seat 2 already/,
    ],
    [{ voice: 'x' }, /speech: .*voice/],
  ] as const)
    assert.match(
      problemOf((file) => Object.assign(file, { speech })),
      problem,
    );
  assert.match(
    problemOf((file) => Object.assign(file.profile, { dealerSide: 'left' })),
    /profile\.dealerSide/,
  );
  // What turns, hides or ends what is read; the rest of a name is its owner's own.
  for (const forged of ['two\nlines', 'turned\u202e', 'zero\u200bwidth', 'bell\u0007']) {
    assert.match(
      problemOf((file) => Object.assign(file.profile, { tableName: forged })),
      /profile\.tableName: only characters that can be seen/,
    );
    for (const field of ['name', 'id'])
      assert.match(
        problemOf((file) => Object.assign(file.people[0] as object, { [field]: forged })),
        new RegExp(`people\\.0\\.${field}: only characters that can be seen`),
      );
  }
  assert.match(
    problemOf((file) => file.people.push(file.people[0])),
    /people: an id stands twice/,
  );
  assert.match(
    problemOf((file) => Object.assign(file.people[0] as object, { pinHash: '1111' })),
    /people\.0\.pinHash/,
  );
  writeFileSync(path, '{');
  assert.throws(() => readTerminalFile(path), ProfileError);
});
