/**
 * Pictures with a meaning on a page of the product: icons, chips, lamps, marks of the roads. Each
 * is looked at in its pixels, with it and without it.
 */
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { faintness } from '../support/stands-out.ts';

interface Drawn {
  readonly name: string;
  readonly box: {
    readonly left: number;
    readonly top: number;
    readonly right: number;
    readonly bottom: number;
  };
}

/** Marks what is looked at, and says where it is. */
const mark = (page: Page): Promise<Drawn[]> =>
  page.evaluate(() => {
    const layer = document.querySelector('.veil-words, .recall-screen, .service') ?? document.body;
    // Of a road each mark by itself: the paper below stays.
    const all = [...layer.querySelectorAll<SVGElement>('svg:not(.road), svg.road > g')];
    return all.flatMap((element): Drawn[] => {
      const { left, top, right, bottom } = element.getBoundingClientRect();
      if (right - left < 2 || bottom - top < 2) return [];
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return [];
      // What is closed need not be seen, and a drawing behind others says nothing by itself.
      if (element.closest('[aria-disabled=true], :disabled, [inert], .map-drawing')) return [];
      const under = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      const isOnTop =
        under !== null &&
        (element.contains(under) || under.contains(element) || element.parentElement?.contains(under));
      if (!isOnTop) return [];
      element.dataset['drawn'] = '';
      const seat = element.closest<HTMLElement>('[data-seat]')?.dataset['seat'];
      const around = element.closest('button, .panel, .road, section, li, td') ?? element;
      const said = (around.getAttribute('aria-label') ?? around.textContent ?? '').slice(0, 30);
      const own = [element.getAttribute('class'), element.firstElementChild?.getAttribute('class')];
      const name = `${seat === undefined ? '' : `seat ${seat} `}<${own.filter(Boolean).join(' ')}> «${said}»`;
      return [{ name, box: { left, top, right, bottom } }];
    });
  });

const show = (page: Page, isShown: boolean): Promise<void> =>
  page.evaluate(async (shown) => {
    for (const element of document.querySelectorAll<SVGElement>('[data-drawn]'))
      element.style.visibility = shown ? '' : 'hidden';
    await new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())));
  }, isShown);

/** What stands out too little, in words; and how much was looked at. */
export async function faintSigns(page: Page): Promise<{ readonly seen: number; readonly faint: string[] }> {
  const drawn = await mark(page);
  const shot = async (): Promise<PNG> => PNG.sync.read(await page.screenshot({ timeout: 600_000 }));
  const shown = await shot();
  await show(page, false);
  const bare = await shot();
  await show(page, true);
  const faint = drawn.flatMap(({ name, box }) => {
    const why = faintness(shown, bare, box);
    return why === null ? [] : [`${name} ${why}`];
  });
  return { seen: drawn.length, faint: [...new Set(faint)] };
}
