/**
 * A newcomer plays every system in Chinese and in Portuguese at the terminal as it ships and as
 * `npm start -- --table NAME` starts it. Here one round of each game, the languages in turn;
 * `BANCA_NEWCOMER_ROUNDS=10` plays so many in both, and of every system.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Language } from '../../engine/table/inputs.ts';
import { verifyLedger } from '../../ledger/chain/verifier.store.ts';
import { attack, rackOf } from '../attacks/kit.ts';
import { noChromium, openDisplay, SIZES, useChromium } from '../support/chromium.ts';
import { entriesOf } from '../support/entries.ts';
import { until } from '../support/until.ts';
import { Newcomer } from './newcomer.ts';

const skip = noChromium;
const chromium = useChromium();
const asked = process.env['BANCA_NEWCOMER_ROUNDS'];
const ROUNDS = Number(asked ?? 1);
const TABLES = ['macau-2009', 'portugal-jackpot', 'baccarat-no-commission', 'casino-war'];
if (asked !== undefined) TABLES.push('macau-2004', 'portugal', 'baccarat-five-percent');
const LANGUAGES: readonly Language[] = ['zh-Hant', 'pt'];

for (const [index, table] of TABLES.entries()) {
  const languages = asked === undefined ? [LANGUAGES[index % 2]!] : LANGUAGES;
  test(`rounds of ${table} in ${languages.join(' and ')} by the screen alone: ${ROUNDS}`, {
    skip,
  }, async (t) => {
    const { terminal, data, display } = await attack(t, { args: ['--table', table] });
    const rack = await rackOf(data);
    const watch = await display('table');
    t.after(() => {
      rack.close();
      watch.close();
    });
    const url = await terminal.mint('table');
    const { page, troubles } = await openDisplay(chromium.browser, url, { size: SIZES[0]! });
    t.after(() => page.close());
    const shoe = async () => {
      const answer = await rack.do({ do: 'state' });
      assert.ok(answer.ok, JSON.stringify(answer));
      return answer.shoe;
    };
    /** The card is out, in the ledger, and what the page says is of after it. */
    const dealt = async (draw: () => Promise<void>): Promise<void> => {
      const { length } = (await shoe()).drawn;
      await draw();
      await until('a card comes', async () => {
        const { drawn, ackedSeq, lastSeq } = await shoe();
        return drawn.length > length && ackedSeq === lastSeq;
      });
      const { length: head } = entriesOf(data);
      assert.ok(await watch.until(({ seq }) => seq >= head, 60_000));
      const { step } = watch.view.dealer.step;
      await page.locator(`.strip[data-step="${step}"]`).waitFor({ timeout: 600_000 });
    };
    for (const language of languages) {
      const newcomer = new Newcomer(
        page,
        2,
        language,
        table.startsWith('portugal') ? 'portugal' : 'macau',
        dealt,
      );
      await newcomer.sitDown();
      await newcomer.play(ROUNDS);
      const { rounds, sections, characters, touched } = newcomer.account;
      t.diagnostic(
        `${language}: ${rounds} rounds, ${sections} sections of ${characters} characters read, touched ${[...touched].join(', ')}`,
      );
      assert.equal(rounds, ROUNDS);
    }
    assert.deepEqual(troubles, []);
    await page.close();
    assert.equal(await terminal.stop(), 0);
    assert.equal(verifyLedger(join(data, 'ledger.db')).problem, '');
    assert.equal(entriesOf(data, 'round-settled').length, languages.length * ROUNDS);
    assert.deepEqual(entriesOf(data, 'round-voided'), []);
  });
}
