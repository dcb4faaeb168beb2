/**
 * A selection of the screens, its languages in turn, on the smallest display: nothing cut, covered,
 * overlapping, untranslated or too faint, and no violation that axe knows. The whole matrix is `npm
 * run screenshots`.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { formOf } from '../../renderer/table/form.ts';
import { layTable } from '../../renderer/table/layout.ts';
import { LANGUAGES } from '../../renderer/texts/i18n.ts';
import type { TableView } from '../../wire/view.ts';
import { FULL_HD, noChromium, SIZES, type Size, useChromium } from '../support/chromium.ts';
import { cutCards, cutLettering, smallOnFelt } from '../support/felt-letters.ts';
import { fullOr, LONG } from '../support/long.ts';
import { until } from '../support/until.ts';
import { audit, faults } from './audit.ts';
import { faintSigns } from './drawn-signs.ts';
import { SCREENS } from './screens.ts';
import { Stage } from './stage.ts';

const skip = noChromium;
const chromium = useChromium();
/** `npm test` has every second one. */
const some = <Each>(all: readonly Each[]): Each[] => all.filter((_, at) => at % fullOr(1, 2) === 0);
/** In one language and at one size each. */
const TESTED = some(SCREENS.filter(({ tested }) => tested));

function stageOf(t: TestContext, size: Size, felt = false, painted = true): Stage {
  const stage = new Stage({ browser: chromium.browser, root: chromium.root, size, felt, painted });
  t.after(() => stage.close());
  return stage;
}

/** Of which every box is measured and no pixel is looked at. */
const measured = (t: TestContext): Stage => stageOf(t, SIZES[0]!, false, false);

test('every screen has a name of its own', () => {
  const names = SCREENS.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
});

test('no text is cut, or faint to any eyes, no touch target lies on another, no key and no foreign word is shown', {
  skip,
}, async (t) => {
  const stage = measured(t);
  const found: string[] = [];
  for (const [index, screen] of TESTED.entries()) {
    // one language each, in turn: all pairs stand in the matrix of the command
    const language = LANGUAGES[index % LANGUAGES.length]!;
    const { page, troubles } = await stage.show(screen, language);
    for (const finding of [...troubles, ...(await audit(page))])
      found.push(`${screen.name} ${language}: ${finding}`);
  }
  assert.deepEqual(found, []);
});

/** No tray of other bets opens here: bets are laid, or are not, with and without a last round. */
const BARE = ['free-seat', 'betting', 'settled', 'seat-last-round', 'seat-last-round-betting'] as const;

test('no panel and no last round lies over the circle of a seat where no tray of other bets opens', {
  skip,
}, async (t) => {
  const stage = measured(t);
  const found: string[] = [];
  const sizes = SIZES.slice(0, fullOr(SIZES.length, 1));
  const bare = SCREENS.filter(({ name }) => BARE.some((each) => each === name));
  for (const [index, screen] of bare.entries())
    for (const language of LANGUAGES.filter((_, at) => (at + index) % fullOr(1, 3) === 0))
      for (const size of sizes) {
        const { page } = await stage.show(screen, language, size);
        const view = screen.from as TableView;
        const table = layTable(size.width, size.height, formOf(view), view.seats.length);
        const over = await page.locator('.panel, .seat-tab, .last-round').evaluateAll(
          (all, { seats, radius }) =>
            all.flatMap((cover) => {
              const { left, right, top, bottom } = cover.getBoundingClientRect();
              const away = (at: number, from: number, to: number): number => Math.max(from - at, 0, at - to);
              return seats
                .filter(({ x, y }) => Math.hypot(away(x, left, right), away(y, top, bottom)) < radius)
                .map(({ seat }) => `<${cover.className}> over seat ${seat}`);
            }),
          { seats: table.seats.map(({ seat, x, y }) => ({ seat, x, y })), radius: table.boxRadius },
        );
        found.push(...over.map((each) => `${screen.name} ${language} ${size.width}: ${each}`));
      }
  assert.deepEqual(found, []);
});

test('J12: things that only their colour tells apart are found, and those that a sign tells too are none', {
  skip,
}, async (t) => {
  const stage = measured(t);
  const { page } = await stage.show(SCREENS.find(({ name }) => name === 'service-meters')!, 'en');
  const plant = async (html: string): Promise<string[]> => {
    await page.evaluate((inner) => {
      document.querySelector('.planted')?.remove();
      const place = document.createElement('div');
      place.className = 'planted';
      place.style.cssText = 'position:fixed;left:0;top:0;z-index:9;background:#000;color:#fff';
      place.innerHTML = inner;
      // The page's policy allows no style in a text.
      for (const each of place.querySelectorAll<HTMLElement>('[data-colour]'))
        each.style.color = each.dataset['colour']!;
      document.querySelector('.service')!.append(place);
    }, html);
    return (await faults(page)).filter((finding) => finding.startsWith('colour alone'));
  };
  const light = (colour: string, more = ''): string => `<b data-colour="${colour}" ${more}>Shoe</b>`;
  assert.deepEqual(await plant(light('#f0a0a0') + light('#f0a0a0')), []);
  assert.equal((await plant(light('#f0a0a0') + light('#a0e0a0'))).length, 1, 'red and green');
  assert.deepEqual(await plant(light('#f0a0a0') + light('#a0e0a0', 'aria-label="Shoe, in order"')), []);
  assert.deepEqual(await plant(light('#f0a0a0') + light('#a0e0a0').replace('Shoe', '✓ Shoe')), []);
  const dot = (colour: string): string =>
    `<svg width="20" height="20"><circle cx="10" cy="10" r="9" fill="${colour}"/><circle cx="10" cy="10" r="9" fill="#c03030"/></svg>`;
  assert.equal((await plant(dot('#30a030'))).length, 1, 'a lamp that only its colour tells');
});

/** Where chips, icons, lamps, marks of roads, drawings and charts are. */
const SIGNS = [
  ...['betting', 'settled', '2009-betting', 'roads', 'seat-alone-bets', 'own-rounds'],
  ...['dealer-simulation', 'desk-menu', 'recall-in-play', 'service-map-faults', 'service-charts'],
];

test('WCAG 2.2, 1.4.11: chips, icons, lamps and marks on the pages have 3:1, measured in their pixels', {
  skip: skip || LONG,
}, async (t) => {
  const stage = stageOf(t, SIZES[0]!);
  const found: string[] = [];
  for (const [index, name] of SIGNS.entries()) {
    const screen = SCREENS.find((each) => each.name === name);
    assert.ok(screen, name);
    const { page } = await stage.show(screen, LANGUAGES[index % LANGUAGES.length]!);
    const { seen, faint } = await faintSigns(page);
    assert.ok(seen > 0, name);
    found.push(...faint.map((finding) => `${name}: ${finding}`));
    if (index > 0) continue;
    // What is painted weakly is found.
    const paint = (opacity: string): Promise<void> =>
      page.evaluate((much) => {
        for (const drawn of document.querySelectorAll<SVGElement>('svg')) drawn.style.opacity = much;
      }, opacity);
    await paint('0.12');
    const weak = await faintSigns(page);
    await paint('');
    assert.ok(weak.faint.length > seen / 2, `${weak.faint.length} of ${seen}`);
  }
  assert.deepEqual(found, []);
});

/**
 * Every cloth, and every kind of sign on it, each language among them; of those that `npm test`
 * leaves out `test/pictures/table` measures the letters.
 */
const FELTS = [
  ['turn', 'pt'],
  ['2009-betting', 'en'],
  ['2009-play', 'pt'],
  ['2009-settled', 'zh-Hant'],
  ['split-four', 'en'],
  ['behind-settled', 'zh-Hant'],
  ['hold-unexpected-card', 'pt'],
  ['pt-settled', 'pt'],
  ['baccarat6-settled', 'pt'],
  ['baccarat12-settled', 'zh-Hant'],
  ['war-settled', 'pt'],
] as const;

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Violations of WCAG 2.2 A and AA that axe can see, as `rule: element`. */
async function axe(page: Page): Promise<string[]> {
  // Not a script of the page, whose content policy allows no foreign one.
  await page.evaluate(`${AXE};undefined`);
  return page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: {
        run(
          context: Document,
          options: object,
        ): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>;
      };
    };
    const { violations } = await axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
      resultTypes: ['violations'],
      rules: {
        // A kiosk is not zoomed; its texts are at least 15 px on 1080 lines.
        'meta-viewport': { enabled: false },
        // «1K», «S2», «1/2» are signs; a name says in full what they shorten, so it does not hold
        // them.
        'label-content-name-mismatch': { enabled: false },
        // Chromium gives what scrolls the focus by itself (since 130).
        'scrollable-region-focusable': { enabled: false },
      },
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
    );
  });
}

test('WCAG 2.2 AA: axe finds nothing on the panels, the dealer’s edge, the desk and service mode', {
  skip,
}, async (t) => {
  const stage = stageOf(t, FULL_HD);
  const found: string[] = [];
  const names = ['offers', 'settled', '2009-betting', 'rules-macau-2009', 'own-rounds', 'recall-in-play'];
  names.push('dealer-card-misread', 'dealer-simulation', 'desk-credit', 'service-meters', 'service-events');
  names.push('service-rounds', 'service-tables', 'fault-devices');
  for (const [index, name] of some(names).entries()) {
    const screen = SCREENS.find((each) => each.name === name);
    assert.ok(screen, name);
    const language = LANGUAGES[index % LANGUAGES.length]!;
    const { page } = await stage.show(screen, language);
    found.push(...(await axe(page)).map((finding) => `${name} ${language}: ${finding}`));
  }
  assert.deepEqual(found, []);
});

test('on the page as it ships no letter of the felt is under 22 px of 1080 lines, and no panel cuts its lettering or a card', {
  skip,
}, async (t) => {
  const stage = stageOf(t, FULL_HD, true);
  const found: string[] = [];
  for (const [name, language] of some(FELTS)) {
    const screen = SCREENS.find((each) => each.name === name);
    assert.ok(screen, name);
    const { page } = await stage.show(screen, language);
    const drawn = () => page.evaluate(() => (window.drawnLetters ?? []).map(({ text }) => text).join(''));
    // The table is painted in the frames after its view.
    await until(`the felt of ${name}`, async () => (await drawn()).length > 40);
    let cut: string[] = [];
    // The panels rise in one frame, and the lettering goes in the next.
    await until(
      `nothing cut in ${name}`,
      async () => {
        cut = [...(await cutLettering(page)), ...(await cutCards(page))];
        return cut.length === 0;
      },
      { said: () => cut.join() },
    );
    found.push(...(await smallOnFelt(page)).map((finding) => `${name} ${language}: ${finding}`));
  }
  const cardsOf = async (name: string): Promise<number> => {
    const { page } = await stage.show(SCREENS.find((each) => each.name === name)!, 'pt');
    await until(`the cards of ${name}`, () => page.evaluate(() => (window.feltCards ?? []).length > 1));
    return page.evaluate(() => window.feltCards!.length);
  };
  assert.ok((await cardsOf('settled')) > 10, 'cards that nothing lies over are there');
  // Where nothing lies over it, it is all there.
  const { page } = await stage.show(SCREENS.find(({ name }) => name === 'war-settled')!, 'pt');
  await until('the name of the game', () =>
    page.evaluate(
      () => (window.clothLetters ?? []).filter(({ text }) => '賭場戰爭'.includes(text)).length >= 4,
    ),
  );
  assert.deepEqual(found, []);
});
