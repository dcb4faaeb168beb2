/**
 * The panel of a seat that decides, with the most that the engine lets it ask, in every size and
 * language: nothing is cut, a finger has its 25 mm, and the neighbours' cards stay in sight.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { rulebooks } from '../../engine/books.ts';
import { BLACKJACK, CASINO_WAR } from '../../engine/engine.ts';
import { PLAIN_COMFORT } from '../../engine/table/comfort.ts';
import type { Act } from '../../engine/table/inputs.ts';
import { formOf } from '../../renderer/table/form.ts';
import { layTable } from '../../renderer/table/layout.ts';
import type { TableView } from '../../wire/view.ts';
import { VIEWS } from '../fixtures/views.ts';
import { lettersReady, problems, SIZES, type Size } from '../support/chromium.ts';
import { LANGUAGE_ORDER, open, show, skip } from './kit.ts';
import { type Wide, widest } from './widest.ts';

/** Of the glass of 43 inches that the terminal is made for. */
const GLASS_MM = 952;
const LEAST_MM = 25;
const MOST_ACTS = 4;
/** Of 1080 lines; Chinese letters need 16 pixels of the display. */
const LEAST_LETTERS = 22;
const LEAST_CHINESE = 16;

let found: readonly Wide[] | undefined;
function everySet(): readonly Wide[] {
  if (found) return found;
  const books = rulebooks().map(({ id }) => widest(id));
  const seen = new Set<Act>(books.flatMap((book) => [...book.seen]));
  // A set that was not met would be looked at by nobody.
  assert.deepEqual(
    [...BLACKJACK.acts, ...CASINO_WAR.acts].filter((act) => !seen.has(act)),
    [],
  );
  found = books.flatMap(({ sets }) => sets);
  return found;
}

const spoken = (view: TableView, language: (typeof LANGUAGE_ORDER)[number], text: 'normal' | 'large') => ({
  ...view,
  seats: view.seats.map((seat) => ({ ...seat, language, comfort: { ...PLAIN_COMFORT, text } })),
});

/** What is wrong with the panels that have risen, in words. */
const faults = (page: Page, zones: readonly Zone[], leastPx: number): Promise<string[]> =>
  page.evaluate(
    ({ zones, leastPx, most, letters, chinese }) => {
      const wrong: string[] = [];
      const panels = [...document.querySelectorAll<HTMLElement>('.panel-decide')];
      if (panels.length === 0) wrong.push('no panel has risen');
      for (const panel of panels) {
        const say = (text: string): void => void wrong.push(`seat ${panel.dataset['seat']}: ${text}`);
        const own = panel.getBoundingClientRect();
        for (const { seat, left, right, top, bottom } of zones) {
          if (String(seat) === panel.dataset['seat']) continue;
          if (own.left < right && own.right > left && own.top < bottom && own.bottom > top)
            say(`over seat ${seat}: ${own.left}-${own.right} and ${left}-${right}`);
        }
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
        for (const element of panel.querySelectorAll<HTMLElement>('*')) {
          const text = [...element.childNodes]
            .filter((node) => node.nodeType === Node.TEXT_NODE)
            .map((node) => node.textContent?.trim())
            .join('');
          if (text === '' || !element.checkVisibility({ visibilityProperty: true })) continue;
          if (element.closest('.seat-tab, .heard, .panel-notice')) continue;
          const px = Number.parseFloat(getComputedStyle(element).fontSize) * (element.currentCSSZoom ?? 1);
          const scale = Math.min(innerHeight / 1080, innerWidth / 1920);
          if (px < letters * scale - 0.01) say(`${(px / scale).toFixed(1)} px of 1080 lines: ${text}`);
          if (/[\u3400-\u9fff]/.test(text) && px < chinese - 0.01) say(`${px} px: ${text}`);
        }
      }
      return wrong;
    },
    { zones, leastPx, most: MOST_ACTS, letters: LEAST_LETTERS, chinese: LEAST_CHINESE },
  );

interface Zone {
  readonly seat: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}
/** Where the cards, totals and bets of each seat lie, whatever it has. */
const zonesOf = (view: TableView, { width, height }: Size): Zone[] =>
  layTable(width, height, formOf(view), view.seats.length).seats.map(({ seat, zone }) => ({
    seat,
    left: zone.x,
    right: zone.x + zone.width,
    top: zone.y,
    bottom: zone.y + zone.height,
  }));

/**
 * At each size every state in one language, another one at each; `BANCA_EVERY_LANGUAGE=1` asks for
 * all, which takes three times as long.
 */
const isTurn = (size: number, language: number, state: number): boolean =>
  process.env['BANCA_EVERY_LANGUAGE'] === '1' || (size + language + state) % LANGUAGE_ORDER.length === 0;

for (const text of ['normal', 'large'] as const) {
  test(`the most acts of every rulebook and option fit the panel of a seat, ${text} text`, {
    skip,
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
            const least = (size.width / GLASS_MM) * LEAST_MM;
            const all = [...(await problems(page)), ...(await faults(page, zonesOf(view, size), least))];
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

test('a panel rises straight up in its own column: in no frame over a neighbour', { skip }, async (t) => {
  const size = SIZES[1]!;
  const opened = await open(t, VIEWS.dealing, { size });
  const { page } = opened;
  for (const view of [VIEWS.turn, VIEWS.offers, VIEWS['split-many']]) {
    await show(opened, VIEWS.dealing);
    await show(opened, view);
    const seats = await page.evaluate(() => {
      const risen = [...document.querySelectorAll<HTMLElement>('.panel-decide')];
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
      bets: least('.bet-body .account-row .button', letters),
      tools: least('.button-tool', high),
    };
  });

test('large text enlarges what is decided and what is bet by a tenth at least', { skip }, async (t) => {
  const names = ['turn', 'offers', 'war-choice', 'betting', '2009-betting'] as const;
  for (const [s, size] of SIZES.entries()) {
    const opened = await open(t, VIEWS['idle-empty'], { size });
    for (const [l, language] of LANGUAGE_ORDER.entries()) {
      for (const name of names.filter((_, i) => isTurn(s, l, i))) {
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
