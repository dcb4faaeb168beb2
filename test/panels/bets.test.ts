/**
 * Betting at a seat, with the most bets that the engine lets a table offer, with nothing and with
 * everything laid, in every size and language: a row for each bet, high enough for a finger, the
 * chip on its spot, nothing over a neighbour.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { rulebooks } from '../../engine/books.ts';
import { VIEWS } from '../fixtures/views.ts';
import { lettersReady, problems, SIZES } from '../support/chromium.ts';
import { smallLetters } from '../support/small-letters.ts';
import { isTurn, LANGUAGE_ORDER, leastPx, open, overNeighbours, show, skip, spoken, zonesOf } from './kit.ts';
import { mostBets } from './widest.ts';

/** What is wrong with the rows of the panels that bet, in words. */
const faults = (page: Page, bets: readonly string[], leastPx: number): Promise<string[]> =>
  page.evaluate(
    ({ bets, leastPx }) => {
      const wrong: string[] = [];
      const panels = [...document.querySelectorAll<HTMLElement>('.panel-bet')];
      if (panels.length !== 7) wrong.push(`${panels.length} panels bet`);
      for (const panel of panels) {
        const say = (text: string): void => void wrong.push(`seat ${panel.dataset['seat']}: ${text}`);
        const rows = [...panel.querySelectorAll<HTMLElement>('.bet-row')];
        const shown = rows.map((row) => row.dataset['bet']!);
        if (shown.toSorted().join() !== bets.toSorted().join()) say(`rows of ${shown.join()}`);
        for (const row of rows) {
          const box = row.getBoundingClientRect();
          const words = `${row.dataset['bet']}: ${row.innerText.replaceAll(/\s+/g, ' ')}`;
          if (Math.min(box.width, box.height) < leastPx) say(`${box.width} x ${box.height}: ${words}`);
          const [spot, ...parts] = [...row.children].map((part) => part.getBoundingClientRect());
          const chip = row.querySelector('.chip')?.getBoundingClientRect();
          for (const part of parts)
            if (part.left < spot!.right || (chip && part.left < chip.right))
              say(`the spot is covered: ${words}`);
          for (const [at, part] of parts.entries())
            if (parts.some((other, i) => i > at && part.right > other.left + 1))
              say(`one over the other: ${words}`);
          if (parts.some((part) => part.top < box.top - 1 || part.bottom > box.bottom + 1))
            say(`out of its row: ${words}`);
        }
        for (const tool of panel.querySelectorAll<HTMLElement>('.tools .button'))
          if (tool.innerText.trim() === '') say('a button without a word');
      }
      return wrong;
    },
    { bets, leastPx },
  );

test('the most bets of every rulebook and option are rows at all seats, in large text too', {
  skip,
}, async (t) => {
  const sets = rulebooks().flatMap(({ id }) => mostBets(id));
  const most = Math.max(...sets.map(({ bets }) => bets.length));
  assert.equal(most, 10, 'a main bet and nine beside it');
  const wrong: string[] = [];
  for (const [s, size] of SIZES.entries()) {
    const opened = await open(t, VIEWS['idle-empty'], { size });
    const { page } = opened;
    await page.emulateMedia({ reducedMotion: 'reduce' });
    for (const [l, language] of LANGUAGE_ORDER.entries())
      for (const { rulebook, bets, empty, laid } of sets.filter((_, i) => isTurn(s, l, i))) {
        const states = [spoken(laid, language, 'normal'), spoken(laid, language, 'large')];
        if (s === 0) states.push(spoken(empty, language, 'normal'));
        for (const [nth, view] of states.entries()) {
          await show(opened, view);
          await lettersReady(page);
          const all = [
            ...(await problems(page)),
            ...(await faults(page, bets, leastPx(size))),
            ...(await overNeighbours(page, zonesOf(view, size))),
            ...(await smallLetters(page)),
          ];
          const where = `${size.width} ${language} ${rulebook} ${bets.join(' ')} ${nth}`;
          wrong.push(...all.map((fault) => `${where}: ${fault}`));
        }
      }
    assert.deepEqual(opened.troubles, [], `at ${size.width}`);
    await page.close();
  }
  assert.deepEqual(wrong, []);
});

test('under the reduced motion of the system a panel shows without moving', { skip }, async (t) => {
  const opened = await open(t, VIEWS['idle-empty']);
  const { page } = opened;
  for (const [reducedMotion, name] of [
    ['reduce', 'panel-shows'],
    ['no-preference', 'panel-rises'],
  ] as const) {
    await page.emulateMedia({ reducedMotion });
    for (const view of [VIEWS['2009-betting'], VIEWS.turn]) {
      await show(opened, VIEWS['idle-empty']);
      await show(opened, view);
      const risen = page.locator(':is(.panel-bet, .panel-decide)').first();
      const { animationName, animationDuration } = await risen.evaluate((panel) => {
        const { animationName, animationDuration } = getComputedStyle(panel);
        return { animationName, animationDuration };
      });
      assert.deepEqual([animationName, animationDuration], [name, '0.18s'], reducedMotion);
    }
  }
});
