import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Language } from '../../engine/table/inputs.ts';
import { makeView, player } from '../../test/fixtures/view-kit.ts';
import { VIEWS } from '../../test/fixtures/views.ts';
import type { TableView } from '../../wire/view.ts';
import { houseVoices, spoken, voiceOf, voicesOf } from './voices.ts';

const seated = (view: TableView, ...languages: Language[]): TableView => ({
  ...view,
  seats: makeView({ seats: languages.map((language, i) => player(i + 1, 100, null, { language })) }).seats,
});
const mandarin = (view: TableView): TableView => ({
  ...view,
  table: { ...view.table, display: { chineseVoice: 'mandarin' } },
});
const macau = VIEWS.betting;
const portugal = VIEWS['pt-betting'];

test('Chinese is said in Cantonese, or in Mandarin where the house has chosen so', () => {
  assert.deepEqual(houseVoices(macau), ['yue', 'pt']);
  assert.deepEqual(houseVoices(mandarin(macau)), ['cmn', 'pt']);
  assert.deepEqual(houseVoices(mandarin(portugal)), ['pt'], 'in Portugal the house says no Chinese');
  assert.equal(voiceOf(mandarin(macau), 'zh-Hant'), 'cmn');
  assert.equal(voiceOf(mandarin(macau), 'en'), 'pt');
});

test('the table hears the voices of those who sit there, a seat its own', () => {
  for (const [view, chinese] of [
    [macau, 'yue'],
    [mandarin(macau), 'cmn'],
  ] as const) {
    assert.deepEqual(voicesOf(seated(view, 'zh-Hant', 'pt'), null), [chinese, 'pt']);
    assert.deepEqual(voicesOf(seated(view, 'zh-Hant'), null), [chinese]);
    assert.deepEqual(voicesOf(seated(view, 'zh-Hant', 'en'), 2), ['pt']);
    assert.deepEqual(voicesOf(seated(view), null), [chinese, 'pt'], 'to nobody as the house does');
  }
  assert.deepEqual(voicesOf(seated(mandarin(portugal), 'zh-Hant'), 1), ['cmn']);
});

test('one announcement in the words of each voice', () => {
  const said = (['yue', 'cmn', 'pt', 'en'] as const).map((voice) => spoken(['bank', 'busted'], voice));
  assert.deepEqual(said, ['莊家 爆煲', '莊家 爆牌', 'banca, rebentou', 'bank, bust']);
});
