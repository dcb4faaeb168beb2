import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CODINGS } from '../../host/pages/event-codes.ts';
import { NOT_DETECTED } from '../../wire/event-catalogue.ts';
import { FAULTS } from '../../wire/faults.ts';
import { isTold, SITUATIONS } from './fault-catalogue.ts';
import { LANGUAGES, sentencesOf } from './faults.ts';
import { ROOT } from './generated.ts';

test('the list has its 84 situations, each once, and every fault of the terminal is in one of them', () => {
  assert.equal(SITUATIONS.length, 84);
  assert.equal(new Set(SITUATIONS.map(({ situation }) => situation)).size, 84);
  const named = new Set(SITUATIONS.flatMap((each) => (isTold(each) ? each.faults : [])));
  assert.deepEqual(
    Object.keys(FAULTS).filter((fault) => !named.has(fault as keyof typeof FAULTS)),
    [
      'acceptor-paused',
      // Cards in doubt hold the round instead; the faults are those of older ledgers.
      'shoe-misread',
      'shoe-double-feed',
      'shoe-reverse',
      'shoe-error',
      'shoe-swapped',
      'shoe-not-authentic',
    ],
  );
});

test('a situation that is reported has its sentences in three languages, and its codes are those of its faults and entries', () => {
  for (const each of SITUATIONS.filter(isTold)) {
    const [zh, pt, en] = LANGUAGES.map((language) => sentencesOf(each, language));
    assert.ok(zh!.length > 0 && zh!.length === pt!.length && pt!.length === en!.length, each.situation);
    const codes = new Set<string>([
      ...each.faults.map((fault) => `${FAULTS[fault].code}`),
      ...each.entries.flatMap((kind) => {
        const coding = CODINGS[kind] as readonly (string | { code: string })[] | { none: string };
        return 'none' in coding ? [] : coding.map((rule) => (typeof rule === 'string' ? rule : rule.code));
      }),
    ]);
    for (const code of each.codes)
      assert.ok(
        codes.has(code) || each.faults.length > 0 || each.entries.length === 0,
        `${each.situation}: ${code} is not told by ${[...codes].join(', ')}`,
      );
  }
});

test('nothing is reported here that the catalogue of events calls not detected', () => {
  const told = new Set<string>(SITUATIONS.flatMap((each) => (isTold(each) ? each.codes : [])));
  for (const code of Object.keys(NOT_DETECTED))
    assert.ok(!told.has(code), `${code} is not detected, says the catalogue of events`);
});

for (const { situation, proof } of SITUATIONS.filter(isTold))
  test(`${situation}: the test that brings it about is there`, () => {
    const [file, title] = proof;
    assert.ok(readFileSync(join(ROOT, file), 'utf8').includes(title), `${file}: ${title}`);
  });
