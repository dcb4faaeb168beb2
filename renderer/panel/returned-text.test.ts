import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minor } from '../../engine/core/money.ts';
import type { SeatView } from '../../wire/view.ts';
import { LANGUAGES, tableText } from '../texts/i18n.ts';
import { returnedText } from './returned-text.ts';

type Why = NonNullable<NonNullable<SeatView['note']>['why']>;
const NOTES = [10_000, 50_000, 100_000];

const said = (why: Why, upTo: number | null, language: (typeof LANGUAGES)[number] = 'en'): string =>
  returnedText(
    {
      note: { state: 'returned', valueMinor: minor(50_000), caseNo: null, why },
      largestNoteMinor: upTo === null ? null : minor(upTo),
    },
    NOTES,
    tableText(language),
  ).replaceAll(/[\u00a0\u202f]/g, ' ');

test('D7: a note that comes back says why, and up to which one would be taken', () => {
  assert.equal(said('limit', 50_000), 'Note returned: up to 500.00 now');
  assert.equal(said('limit', 50_000, 'pt'), 'Nota devolvida: agora até 500,00');
  assert.equal(said('own-limit', 10_000, 'zh-Hant'), '鈔票退回：現時最高收 100.00');
  assert.equal(said('limit', null), 'Note returned: the balance would pass its limit');
  assert.equal(said('own-limit', null), 'Note returned: your own limit for notes');
  // The unit has given it back by itself: it was not let take it, or did not know it.
  assert.equal(said('not-taken', 50_000), 'Note returned: up to 500.00 now');
  assert.equal(said('not-taken', 100_000), 'Note returned: not recognised, try another one');
});

test('D7: each reason has a sentence of its own in each language', () => {
  const reasons: readonly Why[] = [
    'currency',
    'denomination',
    'limit',
    'own-limit',
    'seat',
    'service',
    'held',
    'in-flight',
    'closed',
    'acceptor-off',
  ];
  for (const language of LANGUAGES) {
    const sentences = reasons.map((why) => said(why, null, language));
    assert.equal(new Set(sentences).size, reasons.length, sentences.join('\n'));
  }
});
