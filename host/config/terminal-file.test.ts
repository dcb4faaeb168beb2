import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { spareSeats } from '../../wire/glass.ts';
import { checkTable, ProfileError, readTerminalFile } from './terminal-file.ts';

/** What a table file may say of a terminal file's profile. */
const tableOf = ({ ...profile }: object): object => {
  for (const machine of ['terminalId', 'currency', 'seatCount', 'acceptors', 'dealerSide'])
    delete (profile as Record<string, unknown>)[machine];
  return profile;
};

const DEMO = new URL('../profiles/demo.json', import.meta.url).pathname;

test('the profile that comes with the program is a good one', () => {
  const { profile, people } = readTerminalFile(DEMO);
  assert.equal(profile.rulebook, 'macau-blackjack-2009');
  assert.ok(people.some((person) => person.role === 'supervisor'));
});
const KEY = `sha256/${'A'.repeat(43)}=`;

test('art. 1: Bacará has up to twelve seats where displays of their own leave room for every panel', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'banca-seats-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'terminal.json');
  const demo = JSON.parse(readFileSync(DEMO, 'utf8')) as { profile: object };
  const read = (seatCount: number, own: readonly number[] = [], rulebook = 'macau-baccarat') => {
    const displays = { seats: Object.fromEntries(own.map((seat) => [seat, { screen: `:1.${seat}` }])) };
    const profile = { ...demo.profile, rulebook, seatCount, options: {}, authorisations: [] };
    writeFileSync(path, JSON.stringify({ ...demo, profile, displays }));
    return readTerminalFile(path).profile;
  };
  assert.equal(read(7).seatCount, 7);
  assert.equal(read(12, [2, 4, 6, 9, 11]).seatCount, 12);
  assert.throws(
    () => read(12),
    /displays\.seats: the glass of the table holds 7 panels, and 12 seats have no display.*displays for 2, 4, /,
  );
  assert.throws(() => read(12, [2, 4, 6, 9]), /holds 7 panels, and 8 seats/);
  // Seven panels would do, and those of the outer seats would lie below the cloth of others.
  assert.throws(() => read(12, [8, 9, 10, 11, 12]), /panels too close together: of seats 2, 3, 4/);
  assert.throws(() => read(13, [2, 4, 6, 9, 11, 13]), /profile\.seatCount/);
  assert.throws(
    () => read(8, [4], 'macau-blackjack-2009'),
    /seatCount: the cloth of macau-blackjack-2009 .* 7/,
  );
  // A ready table of another game on the same machine.
  const table = { ...tableOf(demo.profile), rulebook: 'macau-casino-war', options: {} };
  const terminal = read(12, spareSeats(12));
  assert.throws(() => checkTable(table, 'war.json', terminal), /rulebook: the cloth of macau-casino-war/);
  assert.equal(checkTable({ ...table, rulebook: 'macau-baccarat' }, 'bac.json', terminal).seatCount, 12);
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
  // B2: between five seconds and two minutes.
  for (const bettingMs of [4_999, 120_001])
    assert.match(
      problemOf((file) => Object.assign(file.profile['timing'] as object, { bettingMs })),
      /profile\.timing\.bettingMs/,
    );
  for (const [noteLimits, place] of [
    [{ span: { ms: 59_999, mostMinor: 100 } }, 'span.ms'],
    [{ span: { ms: 60_000 } }, 'span.mostMinor'],
    [{ sessionMinor: 0 }, 'sessionMinor'],
    [{ roundMinor: 1.5 }, 'roundMinor'],
  ] as const)
    assert.match(
      problemOf((file) => Object.assign(file.profile, { noteLimits })),
      new RegExp(`profile\\.noteLimits\\.${place.replace('.', '\\.')}`),
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
  for (const [displays, problem] of [
    [{ seats: { 9: { screen: ':0.1' } } }, /displays\.seats\.9: there are 7 seats/],
    [{ seats: { two: {} } }, /displays\.seats\.two/],
    [{ dealer: { screen: 'HDMI-1' } }, /displays\.dealer\.screen: a screen of X/],
    [{ dealer: { area: '1280x800' } }, /displays\.dealer\.area: a part of the screen/],
    [{ dealer: { connector: '../../etc' } }, /displays\.dealer\.connector: the kernel's name/],
    [{ dealer: {} }, /displays\.dealer: the same place as displays\.table/],
    [
      { seats: { 2: { screen: ':0.2' }, 3: { screen: ':0.2' } } },
      /displays\.seats\.3: the same place as displays\.seats\.2/,
    ],
    [
      {
        dealer: { screen: ':0.1', connector: 'card0-DP-1' },
        spectator: { screen: ':0.2', connector: 'card0-DP-1' },
      },
      /displays\.spectator: the same connector as displays\.dealer/,
    ],
    [{ table: { key: KEY } }, /displays\.table/],
    [{ seats: { 2: { key: 'sha256/short' } } }, /displays\.seats\.2/],
    [{ seats: { 2: { key: KEY } } }, /displays\.listen: missing: displays\.seats\.2 is another machine/],
    [
      { listen: '10.77.0.1:7443', seats: { 2: { key: KEY } }, dealer: { key: KEY } },
      /displays\.seats\.2: the same key as displays\.dealer/,
    ],
    [{ listen: '0.0.0.0:7443' }, /displays\.listen: one address of this machine/],
    [{ listen: '10.0.0.300:7443' }, /displays\.listen: one address of this machine/],
    [{ kitchen: { screen: ':0.1' } }, /displays: .*kitchen/],
  ] as const)
    assert.match(
      problemOf((file) => Object.assign(file, { displays })),
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
