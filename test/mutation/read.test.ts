/**
 * The second reader asked in random play of the engine alone: it holds no sound round, and it holds
 * rounds of an engine with an error. All planted errors: `node test/mutation/read.ts`.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { validateOptions } from '../../engine/books.ts';
import type { RulebookId } from '../../engine/table/profile.ts';
import { type Question, READ_RULEBOOKS } from '../../reader/form.ts';
import { brokenTerm } from '../../reader/legal.ts';
import { randomOf } from '../auditor/random.ts';
import { drawOptions } from '../auditor/random-options.ts';
import { MUTATIONS } from './mutations.ts';
import { playRead, type ReadPlay } from './read-play.ts';
import { type Look, UNSEEN } from './unseen.ts';

test('a sound round is held by nobody, whatever was put right, taken back or refused in it', () => {
  for (const rulebook of READ_RULEBOOKS) {
    const { payments, held } = playRead(rulebook as RulebookId, 400, 57_2009);
    assert.equal(held, null, rulebook);
    assert.ok(payments > 150, `${rulebook}: ${payments}`);
  }
});

/** With few faces what is rare in 52 cards is common: each of these plays has found an error. */
const FEW_FACES: readonly (readonly [RulebookId, seed: number, rounds: number, Look])[] = [
  ['macau-blackjack-2009', 102, 1_400, { cards: ['TS', 'TH', 'TD', 'AS'], calm: true, seats: 3 }],
  ['macau-blackjack-2004', 201, 2_700, { ranks: '5647', calm: true, errors: true, seats: 2 }],
];

test('a sound round of few faces and calm players is held by nobody', () => {
  for (const [rulebook, seed, rounds, look] of FEW_FACES) {
    const { payments, held } = playRead(rulebook, rounds, seed, look);
    assert.equal(held, null, rulebook);
    assert.ok(payments > rounds / 3, `${rulebook}: ${payments}`);
  }
});

test('the reader knows every table that the options of a rulebook let be', () => {
  const random = randomOf(2004);
  for (const rulebook of READ_RULEBOOKS as readonly RulebookId[]) {
    for (let drawn = 0; drawn < 400; drawn++) {
      const options = drawOptions(rulebook, random);
      const checked = validateOptions(rulebook, options);
      assert.ok(checked.ok);
      const resolved = checked.resolved as unknown as Question['options'];
      assert.equal(brokenTerm(rulebook, resolved), null, `${rulebook} ${JSON.stringify(options)}`);
    }
  }
});

/** Each of another kind: a price, who draws, a bet that may not lie, terms that may not be. */
const HELD = ['tie-pays-nine', 'bank-stands-on-16', 'lucky-six-unasked', 'insurance-of-the-whole'];

test('an error of the engine is held before its money moves, in a running host too', async () => {
  for (const id of HELD) {
    const { rulebook } = MUTATIONS.find((each) => each.id === id)!;
    const args = [join(import.meta.dirname, 'read-one.ts'), id, rulebook, '900', '20041221', 'host'];
    const said = (await promisify(execFile)(process.execPath, args)).stdout;
    const { held, inHost } = JSON.parse(said) as ReadPlay & { readonly inHost: string };
    assert.notEqual(held, null, id);
    assert.equal(inHost, 'reader', id);
  }
});

test('what no settlement can show is listed with its reason, and each name is a planted error', () => {
  const unknown = Object.keys(UNSEEN).filter((id) => !MUTATIONS.some((mutation) => mutation.id === id));
  assert.deepEqual(unknown, []);
  assert.deepEqual(
    HELD.filter((id) => id in UNSEEN),
    [],
  );
});
