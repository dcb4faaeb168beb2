/**
 * A newcomer plays every system in Chinese and in Portuguese at a real host with simulated devices. Here one round of each
 * system, the languages in turn; `BANCA_NEWCOMER_ROUNDS=10` plays so many in both.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Language } from '../../engine/table/inputs.ts';
import { readTables } from '../../host/tables.ts';
import { House, newRack, profileWith } from '../host/house.ts';
import { noChromium, openDisplay, SIZES, useChromium } from '../support/chromium.ts';
import { Newcomer } from './newcomer.ts';

const skip = noChromium;
const chromium = useChromium();
const asked = process.env['BANCA_NEWCOMER_ROUNDS'];
const ROUNDS = Number(asked ?? 1);
const TERMINAL_FILE = fileURLToPath(new URL('../../host/profiles/demo.json', import.meta.url));
const TABLES = ['macau-2004', 'macau-2009', 'portugal', 'portugal-jackpot', 'baccarat-five-percent'];
TABLES.push('baccarat-no-commission', 'casino-war');
const LANGUAGES: readonly Language[] = ['zh-Hant', 'pt'];

for (const [index, table] of TABLES.entries()) {
  const languages = asked === undefined ? [LANGUAGES[index % 2]!] : LANGUAGES;
  test(`rounds of ${table} in ${languages.join(' and ')} by the screen alone: ${ROUNDS}`, {
    skip,
  }, async (t) => {
    const own = profileWith({ seatCount: 7 });
    const profile = readTables(TERMINAL_FILE, own, null).find(({ name }) => name === table)?.profile;
    assert.ok(profile, table);
    const { timing } = own;
    const house = await House.open(t, {
      profile: {
        ...profile,
        terminalId: own.terminalId,
        seatCount: 7,
        timing,
        maxCreditMinor: 20_000_000 as never,
      },
      rack: newRack(7),
      rendererRoot: chromium.root,
    });
    const { url } = house.host.ticketUrl('table', 30_000);
    const { page, troubles } = await openDisplay(chromium.browser, url, { size: SIZES[0]! });
    t.after(() => page.close());
    for (const language of languages) {
      const newcomer = new Newcomer(page, 2, language);
      await newcomer.sitDown();
      await newcomer.play(ROUNDS);
      const { rounds, sections, characters, touched } = newcomer.account;
      t.diagnostic(
        `${language}: ${rounds} rounds, ${sections} sections of ${characters} characters read, touched ${[...touched].join(', ')}`,
      );
      assert.equal(rounds, ROUNDS);
    }
    assert.equal(house.entries('round-settled').length, languages.length * ROUNDS);
    assert.deepEqual(house.entries('round-voided'), []);
    assert.deepEqual(troubles, []);
  });
}
