/**
 * A newcomer plays every system in Chinese and in Portuguese at the terminal as it ships and as
 * `npm start -- --table NAME` starts it. Here one round of each game, the languages in turn;
 * `BANCA_NEWCOMER_ROUNDS=10` plays so many in both, and of every system. Then the staff go through
 * every matter of their desk.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseCard } from '../../engine/core/cards.ts';
import type { Language } from '../../engine/table/inputs.ts';
import { verifyLedger } from '../../ledger/chain/verifier.store.ts';
import { attack, handsAt, rackOf } from '../attacks/kit.ts';
import { noChromium, openDisplay, SIZES, useChromium } from '../support/chromium.ts';
import { entriesOf } from '../support/entries.ts';
import { LONG } from '../support/long.ts';
import { useDesk } from './desk.ts';
import { dealing, Newcomer } from './newcomer.ts';
import { TASKS, Touches } from './touches.ts';

const skip = noChromium;
const chromium = useChromium();
const asked = process.env['BANCA_NEWCOMER_ROUNDS'];
const ROUNDS = Number(asked ?? 1);
const TABLES = ['macau-2009', 'portugal-jackpot', 'baccarat-no-commission', 'casino-war'];
if (asked !== undefined) TABLES.push('macau-2004', 'portugal', 'baccarat-five-percent');
/** The first shows a newcomer the same; `blind` and `e2e/games` play such rounds. */
const BESIDE = ['portugal-jackpot', 'baccarat-no-commission', 'casino-war'];
/** After the burnt card a pair of eights for seat 2, who splits it. */
const PAIR = ['2C', '8S', '6D', '8D', 'TC', 'TH', '7D', '3S', '9H', 'TS', 'KD'];
const PACKS = 6;
const CARDS = [
  ...PAIR,
  ...Array.from({ length: PACKS * 52 - PAIR.length }, (_, i) => `${'23456789'[i % 8]}${'SHDC'[i % 4]}`),
].map((name) => parseCard(name)!);
const LANGUAGES: readonly Language[] = ['zh-Hant', 'pt'];

for (const [index, table] of TABLES.entries()) {
  const languages = asked === undefined ? [LANGUAGES[index % 2]!] : LANGUAGES;
  test(`rounds of ${table} in ${languages.join(' and ')} by the screen alone: ${ROUNDS}`, {
    skip: skip || (BESIDE.includes(table) && LONG),
  }, async (t) => {
    const { terminal, data, display } = await attack(t, { args: ['--table', table] });
    const rack = await rackOf(data);
    const watch = await display('table');
    t.after(() => {
      rack.close();
      watch.close();
    });
    const url = await terminal.mint('table');
    const { page, troubles } = await openDisplay(chromium.browser, url, { size: SIZES[0]!, painted: false });
    t.after(() => page.close());
    const touches = await Touches.of(page);
    const known = table === 'macau-2009' && asked === undefined;
    const hasShuffler = table === 'portugal-jackpot' && asked === undefined;
    const load = async (): Promise<void> => void (await handsAt(rack, { do: 'load-shoe', cards: CARDS }));
    for (const language of languages) {
      const newcomer = new Newcomer(
        page,
        2,
        language,
        table.startsWith('portugal') ? 'portugal' : 'macau',
        { dealt: dealing(page, rack, watch, data), ...(known ? { load } : {}) },
        touches,
      );
      await newcomer.sitDown();
      await newcomer.play(ROUNDS);
      const { rounds, sections, characters, touched } = newcomer.account;
      t.diagnostic(
        `${language}: ${rounds} rounds, ${sections} sections of ${characters} characters read, touched ${[...touched].join(', ')}`,
      );
      assert.equal(rounds, ROUNDS);
      if (hasShuffler) await newcomer.endShuffler();
      if (!known) continue;
      await handsAt(rack, { do: 'draw-card' });
      await newcomer.putRight();
      await newcomer.cashOut();
      await useDesk({ page, rack, watch, data });
    }
    t.diagnostic(`touches: ${touches.told}`);
    // Several rounds are several times as many, and other laws make a shoe ready in other ways.
    if (asked === undefined)
      touches.check(TASKS.filter((task) => known || task !== 'sign in and make the shoe ready'));
    assert.deepEqual(troubles, []);
    await page.close();
    assert.equal(await terminal.stop(), 0);
    assert.equal(verifyLedger(join(data, 'ledger.db')).problem, '');
    assert.equal(entriesOf(data, 'round-settled').length, languages.length * ROUNDS);
    assert.deepEqual(entriesOf(data, 'round-voided'), []);
    if (!hasShuffler) return;
    const [replaced, reported, ordered] = ['cards-replaced', 'replacement-reported', 'decks-ordered'].map(
      (kind) => entriesOf(data, kind).map((entry) => entry.body as Record<string, unknown>),
    );
    assert.deepEqual(
      [
        replaced!.map(({ what }) => what),
        reported!.map(({ count }) => count),
        ordered!.map((o) => o['regular']),
      ],
      [['card'], [1], [true]],
      'r.51, r.55: a card replaced, the inspection told, the decks in order',
    );
  });
}
