/**
 * Bacará and Casino War in the window that `npm start` opens: a newcomer bets on everything that is
 * offered and plays a round by visible controls alone, to the last page of its result.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { verifyLedger } from '../../ledger/chain/verifier.store.ts';
import { attack, rackOf } from '../attacks/kit.ts';
import { dealing, Newcomer } from '../newcomer/newcomer.ts';
import { Touches } from '../newcomer/touches.ts';
import { startXvfb } from '../shell/xvfb.ts';
import { entriesOf } from '../support/entries.ts';
import { LONG } from '../support/long.ts';

/** The shortest result has so many pages: of Casino War's two bets both stand on one. */
const GAMES = [
  ['baccarat-five-percent', 'zh-Hant', 2, LONG],
  ['casino-war', 'pt', 1, false],
] as const;

for (const [table, language, pages, skip] of GAMES)
  test(`a round of ${table} in the window, to the last page of its result, in ${language}`, {
    skip,
  }, async (t) => {
    const screen = await startXvfb({ width: 1366, height: 768 });
    t.after(() => screen.stop());
    const { terminal, data, display } = await attack(t, {
      args: ['--table', table],
      display: screen.display,
    });
    await terminal.event('the table is painted', ({ host }) => 'painted' in ((host as object | null) ?? {}));
    const page = await terminal.page();
    const rack = await rackOf(data);
    const watch = await display('table');
    t.after(() => {
      rack.close();
      watch.close();
    });
    const newcomer = new Newcomer(
      page,
      2,
      language,
      'macau',
      { dealt: dealing(page, rack, watch, data) },
      await Touches.of(page),
      { everyBet: true },
    );
    await newcomer.sitDown();
    await newcomer.play(1);
    const { rounds, pages: turned, touched } = newcomer.account;
    t.diagnostic(`${turned.join()} pages; touched ${[...touched].join(', ')}`);
    assert.equal(rounds, 1);
    assert.ok(turned[0]! >= pages, `${turned[0]} pages`);
    assert.equal(await terminal.stop(), 0);
    assert.equal(verifyLedger(join(data, 'ledger.db')).problem, '');
    const [settled, ...more] = entriesOf(data, 'round-settled');
    assert.deepEqual(more, []);
    const { lines } = settled!.body as { lines: { by: number }[] };
    assert.ok(lines.length > pages && lines.every(({ by }) => by === 2), JSON.stringify(lines));
  });
