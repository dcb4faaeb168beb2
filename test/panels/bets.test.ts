/**
 * Betting at a seat, with the most bets that the engine lets a table offer, with nothing and with
 * everything laid, in every size and language: a row for each bet and a button for each change of
 * them, large enough for a finger, the chip on its spot, nothing over a neighbour.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { rulebooks } from '../../engine/books.ts';
import { minor } from '../../engine/core/money.ts';
import { PLAIN_COMFORT } from '../../engine/table/comfort.ts';
import type { TableView } from '../../wire/view.ts';
import { VIEWS } from '../fixtures/views.ts';
import { lettersReady, problems, SIZES } from '../support/chromium.ts';
import { smallLetters } from '../support/small-letters.ts';
import {
  isTurn,
  LANGUAGE_ORDER,
  leastPx,
  OWN,
  OWN_MM,
  open,
  overNeighbours,
  show,
  skip,
  spoken,
  zonesOf,
} from './kit.ts';
import { mostBets } from './widest.ts';

/** The most a table may have. */
const EIGHT_CHIPS = [1_000, 5_000, 10_000, 50_000, 100_000, 500_000, 1_000_000, 5_000_000].map(minor);

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
        for (const tool of panel.querySelectorAll<HTMLElement>('.tools .button')) {
          const { width, height } = tool.getBoundingClientRect();
          if (tool.innerText.trim() === '') say('a button without a word');
          if (Math.min(width, height) < leastPx) say(`${width} x ${height}: ${tool.innerText}`);
        }
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
    await opened.letGo();
  }
  assert.deepEqual(wrong, []);
});

test('on the smallest display of a seat every bet, chip and tool has 25 mm, with eight chips and for the left hand too', {
  skip,
}, async (t) => {
  const sets = rulebooks().flatMap(({ id }) => mostBets(id));
  const opened = await open(t, VIEWS['idle-empty'], { role: 'seat:3', size: OWN });
  const { page } = opened;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const wrong: string[] = [];
  for (const [i, { rulebook, bets, empty, laid }] of sets.entries())
    for (const [l, language] of LANGUAGE_ORDER.entries()) {
      const many = { ...laid, table: { ...laid.table, chipsMinor: EIGHT_CHIPS } };
      const left = (view: TableView): TableView => ({
        ...view,
        seats: view.seats.map((seat) => ({ ...seat, comfort: { ...PLAIN_COMFORT, leftHand: true } })),
      });
      const states = [
        spoken(empty, language, 'normal'),
        spoken(laid, language, 'large'),
        ...((i + l) % 3 === 0
          ? [spoken(many, language, 'normal'), left(spoken(laid, language, 'normal'))]
          : []),
      ];
      for (const [nth, view] of states.entries()) {
        await show(opened, view);
        await lettersReady(page);
        const small = await page.evaluate(
          (least) =>
            [...document.querySelectorAll<HTMLElement>('.bet-body button')].flatMap((button) => {
              const { width, height } = button.getBoundingClientRect();
              const name = button.getAttribute('aria-label') ?? button.innerText;
              return Math.min(width, height) < least - 0.5 ? [`${width} x ${height}: ${name}`] : [];
            }),
          25 * OWN_MM,
        );
        const all = [...small, ...(await problems(page)), ...(await smallLetters(page))];
        wrong.push(...all.map((fault) => `${language} ${rulebook} ${bets.join(' ')} ${nth}: ${fault}`));
      }
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
