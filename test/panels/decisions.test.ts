/**
 * The panel of a seat that decides, with the most that the engine lets it ask, in every size and
 * language: nothing is cut, a finger has its 25 mm, and the neighbours' cards stay in sight.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { rulebooks } from '../../engine/books.ts';
import type { Minor } from '../../engine/core/money.ts';
import { BLACKJACK, CASINO_WAR } from '../../engine/engine.ts';
import type { Act } from '../../engine/table/inputs.ts';
import { VIEWS } from '../fixtures/views.ts';
import { lettersReady, problems, SIZES } from '../support/chromium.ts';
import { fullOr, LONG } from '../support/long.ts';
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
import { type Wide, widest } from './widest.ts';

const MOST_ACTS = 4;

let played: readonly ReturnType<typeof widest>[] | undefined;
const books = (): NonNullable<typeof played> => (played ??= rulebooks().map(({ id }) => widest(id)));

let found: readonly Wide[] | undefined;
function everySet(): readonly Wide[] {
  if (found) return found;
  const seen = new Set<Act>(books().flatMap((book) => [...book.seen]));
  // A set that was not met would be looked at by nobody.
  assert.deepEqual(
    [...BLACKJACK.acts, ...CASINO_WAR.acts].filter((act) => !seen.has(act)),
    [],
  );
  found = books().flatMap(({ sets }) => sets);
  return found;
}

/** What is wrong with the panels that have risen, in words. */
const faults = (page: Page, leastPx: number): Promise<string[]> =>
  page.evaluate(
    ({ leastPx, most }) => {
      const wrong: string[] = [];
      const panels = [...document.querySelectorAll<HTMLElement>('.panel-decide')];
      if (panels.length === 0) wrong.push('no panel has risen');
      for (const panel of panels) {
        const say = (text: string): void => void wrong.push(`seat ${panel.dataset['seat']}: ${text}`);
        const acts = panel.querySelectorAll('[data-act]');
        if (acts.length > most) say(`${acts.length} acts`);
        const buttons = [...panel.querySelectorAll<HTMLElement>('.decisions button')];
        if (buttons.length === 0) say('nothing to touch');
        for (const button of buttons) {
          const { width, height } = button.getBoundingClientRect();
          if (Math.min(width, height) < leastPx) say(`${width} x ${height}: ${button.innerText}`);
          for (const inner of [button, ...button.querySelectorAll<HTMLElement>('*')])
            if (inner.scrollWidth > inner.clientWidth + 1 && inner.clientWidth > 0)
              say(`wide: ${inner.innerText}`);
        }
        // «no» to insurance, whatever it is called
        const noes = buttons.filter(
          (button) =>
            button.dataset['part'] === 'no' ||
            (button.dataset['act'] === 'playOn' &&
              panel.querySelector('.insurance') !== null &&
              panel.querySelector('[data-act="evenMoney"]') === null),
        );
        if (noes.length > 1) say(`${noes.length} ways to say no`);
        const names = buttons.map((button) => button.getAttribute('aria-label') ?? button.innerText);
        if (new Set(names).size < names.length) say(`twice the same: ${names.join(' | ')}`);
        if (panel.querySelector('[data-act="evenMoney"]') && acts.length !== 2)
          say('even money without the choice to wait');
      }
      return wrong;
    },
    { leastPx, most: MOST_ACTS },
  );

for (const text of ['normal', 'large'] as const) {
  test(`the most acts of every rulebook and option fit the panel of a seat, ${text} text`, {
    skip: skip || (text === 'large' && LONG),
  }, async (t) => {
    const sets = everySet();
    const wrong: string[] = [];
    for (const [s, size] of SIZES.entries()) {
      const opened = await open(t, VIEWS['idle-empty'], { size });
      const { page } = opened;
      await page.emulateMedia({ reducedMotion: 'reduce' });
      for (const [l, language] of LANGUAGE_ORDER.entries()) {
        for (const { rulebook, acts, seat, view } of sets.filter((_, i) => isTurn(s, l, i))) {
          await show(opened, spoken(view, language, text));
          const where = `${size.width} ${language} ${rulebook} ${acts.join(' ')}`;
          const look = async (state: string): Promise<void> => {
            await lettersReady(page);
            const all = [
              ...(await problems(page)),
              ...(await faults(page, leastPx(size))),
              ...(await overNeighbours(page, zonesOf(view, size))),
              ...(await smallLetters(page)),
            ];
            wrong.push(...all.map((fault) => `${where}${state}: ${fault}`));
          };
          await look('');
          const panel = page.locator(`.panel[data-seat="${seat}"]`);
          for (const opener of ['[data-part="insure"] >> nth=-1', '.give-up']) {
            const button = panel.locator(opener);
            if ((await button.count()) === 0) continue;
            await button.click();
            await look(`, ${opener} touched`);
          }
        }
      }
      assert.deepEqual(opened.troubles, [], `at ${size.width}`);
    }
    assert.deepEqual(wrong, []);
  });
}

test('on the smallest display of a seat the most acts have 25 mm and the cards 60, each language and size of text in turn', {
  skip,
}, async (t) => {
  const wrong: string[] = [];
  const every = everySet();
  for (const number of new Set(every.map(({ seat }) => seat))) {
    const opened = await open(t, VIEWS['idle-empty'], { role: `seat:${number}`, size: OWN });
    const { page } = opened;
    await page.emulateMedia({ reducedMotion: 'reduce' });
    for (const [i, { rulebook, acts, view }] of every.entries()) {
      if (every[i]!.seat !== number) continue;
      const language = LANGUAGE_ORDER[i % 3]!;
      const text = i % 2 === 0 ? 'normal' : 'large';
      await show(opened, spoken(view, language, text));
      const where = `${language} ${text} ${rulebook} ${acts.join(' ')}`;
      const look = async (state: string): Promise<void> => {
        await lettersReady(page);
        const low = await page
          .locator('.hand-card')
          .evaluateAll(
            (cards, least) =>
              cards.map((card) => card.getBoundingClientRect().height).filter((height) => height < least),
            60 * OWN_MM - 1,
          );
        const over = await page.evaluate(() => {
          const boxOf = (selector: string) => document.querySelector(selector)?.getBoundingClientRect();
          const [head, cards, line] = ['.panel-head', '.hand-cards', '.hand-line'].map(boxOf);
          if (!head || !cards || !line) return [];
          return cards.top < head.bottom - 1 || cards.bottom > line.top + 1
            ? ['the cards lie over words']
            : [];
        });
        const all = [
          ...low.map((height) => `a card of ${height / OWN_MM} mm`),
          ...over,
          ...(await problems(page)),
          ...(await faults(page, 25 * OWN_MM - 0.5)),
          ...(await smallLetters(page)),
        ];
        wrong.push(...all.map((fault) => `${where}${state}: ${fault}`));
      };
      await look('');
      for (const opener of ['[data-part="insure"] >> nth=-1', '.give-up']) {
        const button = page.locator(opener);
        if ((await button.count()) === 0) continue;
        await button.click();
        await look(`, ${opener} touched`);
      }
    }
    await opened.letGo();
  }
  assert.deepEqual(wrong, []);
});

test('a panel rises straight up in its own column: in no frame over a neighbour', { skip }, async (t) => {
  const size = SIZES[1]!;
  const opened = await open(t, VIEWS.dealing, { size });
  const { page } = opened;
  for (const view of [VIEWS.turn, VIEWS.offers, VIEWS['split-many'], VIEWS['2009-betting']]) {
    await show(opened, VIEWS.dealing);
    await show(opened, view);
    const seats = await page.evaluate(() => {
      const risen = [...document.querySelectorAll<HTMLElement>(':is(.panel-decide, .panel-bet)')];
      return risen.map((panel) => {
        // It may be over by now: once more.
        panel.style.animation = 'none';
        panel.getBoundingClientRect();
        panel.style.animation = '';
        const [rise] = panel.getAnimations();
        const frames = [0, 45, 90, 135, 180].map((at) => {
          if (rise) {
            rise.pause();
            rise.currentTime = at;
          }
          const { left, right, top, bottom } = panel.getBoundingClientRect();
          return { left, right, top, bottom };
        });
        return { seat: Number(panel.dataset['seat']), moves: rise !== undefined, frames };
      });
    });
    assert.ok(seats.length > 0);
    for (const { seat, frames } of seats) {
      for (const frame of frames)
        for (const zone of zonesOf(view, size))
          if (zone.seat !== seat)
            assert.ok(
              frame.right <= zone.left || frame.left >= zone.right || frame.top >= zone.bottom,
              `seat ${seat} over ${zone.seat}`,
            );
      assert.deepEqual(
        frames.map(({ left }) => left),
        frames.map(() => frames[0]!.left),
      );
    }
    assert.ok(
      seats.some(({ frames, moves }) => moves && frames[0]!.top > frames.at(-1)!.top),
      'it rises',
    );
  }
});

test('no page of a result lifts its panel over what the felt says, whatever was bet and won, in every language', {
  skip,
}, async (t) => {
  const opened = await open(t, VIEWS['idle-empty'], { size: SIZES[0]! });
  const { page } = opened;
  const lifted: string[] = [];
  const look = async (where: string): Promise<void> => {
    await lettersReady(page);
    lifted.push(
      ...(await page
        .locator('.panel')
        .evaluateAll((panels) =>
          (panels as HTMLElement[]).flatMap((panel) =>
            panel.offsetTop < 0 ? [`${panel.offsetTop} px: ${panel.innerText.replaceAll(/\s+/g, ' ')}`] : [],
          ),
        )
        .then((all) => all.map((each) => `${where}: ${each}`))),
      ...(await problems(page)).map((problem) => `${where}: ${problem}`),
    );
  };
  const MOST_LINES = 3;
  for (const [b, { lines, settled }] of books().entries()) {
    assert.ok(lines.length > 2);
    // Each language in turn; `npm run test:all` has every one of every book.
    for (const language of LANGUAGE_ORDER.filter((_, l) => (b + l) % fullOr(1, 3) === 0))
      for (let from = 0; from < lines.length; from += 7 * MOST_LINES) {
        const seats = settled.seats.map((seat, at) => {
          const own = lines.slice(from + at * MOST_LINES, from + (at + 1) * MOST_LINES);
          const netMinor = own.reduce((sum, line) => sum + line.netMinor, 0) as Minor;
          const result =
            own.length === 0 ? null : { netMinor, lines: own.map((line) => ({ ...line, seat: seat.seat })) };
          return { ...seat, free: false, bets: [], result };
        });
        await show(opened, spoken({ ...settled, seats }, language, 'normal'));
        for (let shown = 1; shown <= MOST_LINES; shown += 1) {
          await look(`${settled.table.rulebook} ${language} page ${shown}`);
          await page.locator('.button-page').evaluateAll((all) => {
            for (const next of all as HTMLElement[]) next.click();
          });
        }
      }
  }
  assert.deepEqual(lifted, []);
});

/** How much larger each thing of one kind is than another time; the least of all seats. */
const sizesOf = (page: Page): Promise<Record<string, number>> =>
  page.evaluate(() => {
    const least = (selector: string, of: (element: HTMLElement) => number): number =>
      Math.min(...[...document.querySelectorAll<HTMLElement>(selector)].map(of));
    const letters = (element: HTMLElement): number =>
      Number.parseFloat(getComputedStyle(element).fontSize) * (element.currentCSSZoom ?? 1);
    const high = (element: HTMLElement): number => element.getBoundingClientRect().height;
    return {
      names: least('.decision-name', letters),
      costs: least('.decision small', letters),
      questions: least('.question', letters),
      insurance: least('.share', letters),
      chips: least('.chip-button', high),
      bets: least('.bet-row', letters),
      account: least('.bet-body .account-row .button', letters),
      tools: least('.button-tool', high),
    };
  });

test('large text enlarges what is decided and what is bet by a tenth at least', { skip }, async (t) => {
  const names = ['turn', 'offers', 'war-choice', 'betting', '2009-betting'] as const;
  for (const [s, size] of SIZES.slice(0, fullOr(Infinity, 1)).entries()) {
    const opened = await open(t, VIEWS['idle-empty'], { size });
    for (const [l, language] of LANGUAGE_ORDER.entries()) {
      for (const name of names.filter((_, i) => (s + l + i) % 3 === 0)) {
        await show(opened, spoken(VIEWS[name], language, 'normal'));
        await lettersReady(opened.page);
        const plain = await sizesOf(opened.page);
        await show(opened, spoken(VIEWS[name], language, 'large'));
        await lettersReady(opened.page);
        assert.deepEqual(await problems(opened.page), [], `${name} ${language} at ${size.width}`);
        const large = await sizesOf(opened.page);
        const grown = Object.entries(large)
          .filter(([, value]) => Number.isFinite(value))
          .map(([kind, value]) => [kind, value / plain[kind]!] as const);
        assert.ok(grown.length > 0);
        for (const [kind, factor] of grown)
          assert.ok(factor >= 1.09, `${kind} ${factor}: ${name} ${language} at ${size.width}`);
      }
    }
  }
});
