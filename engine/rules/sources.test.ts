import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rulebooks, wordingOn } from '../books.ts';

const sourcesOf = (id: string) => rulebooks().find((each) => each.id === id)!.sources;
const acts = (list: readonly { act: string }[]): string[] => list.map(({ act }) => act);

test('every regulation names its diplomas in the order of their days, and at least one that is played', () => {
  for (const { id, sources } of rulebooks()) {
    const days = sources.diplomas.map(({ day }) => day);
    assert.deepEqual(days, days.toSorted(), id);
    assert.equal(sources.diplomas[0]?.does, 'makes', id);
    assert.notEqual(sources.diplomas[0]?.played, false, id);
    // What was not seen at all cannot be played as a whole.
    assert.ok(
      sources.diplomas.every(({ seen, played }) => seen !== 'none' || played !== true),
      id,
    );
  }
});

test('56/2004: alone until March 2007, then without its change, then replaced', () => {
  const on = (day: string) => wordingOn(sourcesOf('macau-blackjack-2004'), day);
  assert.deepEqual(on('2004-05-11'), {
    isBefore: true,
    missing: [],
    replaced: [],
    later: [],
    isUnchecked: false,
  });
  assert.deepEqual([on('2004-05-12').isBefore, acts(on('2007-03-04').missing)], [false, []]);
  assert.deepEqual(acts(on('2007-03-05').missing), ['42/2007']);
  assert.deepEqual(acts(on('2009-03-29').replaced), []);
  assert.deepEqual(acts(on('2009-03-30').replaced), ['57/2009']);
  assert.deepEqual(acts(on('2009-03-30').missing), ['42/2007']);
});

test('Bacará: a day before a change that is played, and a day after changes that are not', () => {
  const on = (day: string) => wordingOn(sourcesOf('macau-baccarat'), day);
  assert.deepEqual(acts(on('2005-01-01').later), ['73/2005', '30/2007', '69/2009', '83/2011', '56/2018']);
  assert.ok(acts(on('2008-01-01').missing).includes('64/2007'));
  assert.deepEqual(acts(on('2018-04-01').later), []);
  assert.ok(acts(on('2018-03-31').later).includes('56/2018'), 'a month counts from its first day');
});

test('nothing is said of days after the last list of changes that was seen', () => {
  const { isUnchecked } = wordingOn(sourcesOf('macau-blackjack-2009'), '2018-05-01');
  assert.ok(isUnchecked);
  assert.ok(!wordingOn(sourcesOf('macau-blackjack-2009'), '2018-04-30').isUnchecked);
  assert.ok(wordingOn(sourcesOf('portugal-blackjack'), '2015-12-01').isUnchecked);
});
