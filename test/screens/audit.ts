/**
 * What is wrong with a page as it stands, measured in the page itself: text that is cut, covered or
 * outside, or small where a player must read it, on the felt too, touch targets that overlap or are
 * small, words that are a key, raw JSON or of another language, contrast below WCAG 2.2 AA, also to
 * colour-blind eyes, and things beside each other that only their colour tells apart.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { lettersReady } from '../support/chromium.ts';
import { cutCards, cutLettering, smallOnFelt } from '../support/felt-letters.ts';
import { smallLetters } from '../support/small-letters.ts';

const LOCALES = join(import.meta.dirname, '../../locales');
/**
 * A text with a letter that none of ours has is other people's: its letters may come a little
 * later.
 */
const OWN_LETTERS = [
  ...new Set(
    globSync('*/*.json', { cwd: LOCALES }).flatMap((file) => [...readFileSync(join(LOCALES, file), 'utf8')]),
  ),
].join('');

const REST_MS = 100;
const MOST_LOOKS = 600;

/**
 * Findings in words; none = nothing is wrong. Words that come with a host's late answer ask for
 * their letters only then: what is gone at a later look was no finding.
 */
export async function audit(page: Page, mostLooks = MOST_LOOKS): Promise<string[]> {
  let found = await look(page);
  for (let looks = 1; found.length > 0 && looks < mostLooks; looks += 1) {
    await page.waitForTimeout(REST_MS);
    await lettersReady(page);
    found = await look(page);
  }
  return found;
}

const look = async (page: Page): Promise<string[]> => [
  ...(await smallLetters(page)),
  ...(await smallOnFelt(page)),
  ...(await cutLettering(page)),
  ...(await cutCards(page)),
  ...(await faults(page)),
];

export const faults = (page: Page): Promise<string[]> =>
  page.evaluate((ownLetters) => {
    // A page that is not painted is looked at as if it were, and no frame comes in between.
    const { opacity: shade } = document.documentElement.style;
    document.documentElement.style.opacity = '';
    const found = new Set<string>();
    const say = (rule: string, element: Element, more = ''): void => {
      const place = element.closest('[data-seat]')?.getAttribute('data-seat');
      const name = (element.getAttribute('aria-label') ?? element.textContent ?? '').replaceAll(/\s+/g, ' ');
      const where = `${place ? `seat ${place} ` : ''}<${element.tagName.toLowerCase()} ${element.getAttribute('class') ?? ''}>`;
      found.add(`${rule}: ${where} «${name.slice(0, 50)}» ${more}`.trim());
    };
    const style = (element: Element): CSSStyleDeclaration => getComputedStyle(element);
    const memo = <T>(of: (element: Element) => T): ((element: Element) => T) => {
      const known = new Map<Element, T>();
      return (element) => {
        const value = known.get(element) ?? of(element);
        known.set(element, value);
        return value;
      };
    };
    const parents = (element: Element): Element[] => {
      const all: Element[] = [];
      for (let each = element.parentElement; each; each = each.parentElement) all.push(each);
      return all;
    };
    const scrolls = memo((element) =>
      /auto|scroll/.test(`${style(element).overflowX} ${style(element).overflowY}`),
    );
    const clips = memo((element) => /hidden|clip/.test(style(element).overflowX));
    const isShown = (element: Element): boolean =>
      element.checkVisibility({
        opacityProperty: true,
        visibilityProperty: true,
        contentVisibilityAuto: true,
      });
    /** For screen readers alone. */
    const isTiny = ({ width, height }: DOMRect): boolean => width <= 1 || height <= 1;
    // Under the veil, under service mode and under a recalled round stands what nobody can read or
    // touch.
    const layer = document.querySelector('.veil-words, .recall-screen, .service') ?? document.body;
    const cover = layer.closest('.veil') ?? layer;
    const over = cover.matches('.recall-screen')
      ? [cover, ...document.querySelectorAll('.dealer-edge')]
      : [cover];
    const all = over.flatMap((root) => [root, ...root.querySelectorAll('*')]).filter(isShown);

    // Pages are read downwards: what lies to the right is not found.
    for (const element of all)
      if (scrolls(element) && element.scrollWidth > element.clientWidth + 1)
        say('sideways', element, `${element.scrollWidth}/${element.clientWidth}`);

    // ---- text ----
    const KEY = /^(?:[a-z]+:)?[a-z]+[A-Za-z]*(?:\.[A-Za-z0-9-]+)+$|^[a-z]+(?:-[a-z]+)+$/;
    const CJK = /[\u3400-\u9fff]/;
    /**
     * In the shipped letters that have come: fonts of this machine may not be on the terminal's.
     */
    const loaded = [...document.fonts]
      .filter(({ status }) => status === 'loaded')
      .flatMap(({ unicodeRange }) => unicodeRange.split(','))
      .map((range) =>
        range
          .trim()
          .slice(2)
          .split('-')
          .map((code) => Number.parseInt(code, 16)),
      );
    const hasShape = (letter: string): boolean => {
      const code = letter.codePointAt(0)!;
      return loaded.some(([first, last = first]) => code >= first! && code <= last!);
    };
    for (const element of all) {
      if (element.closest('svg')) continue;
      for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
        const value = element.getAttribute(name);
        if (value?.split(' ').some((word) => KEY.test(word)) && !element.closest('.device, code'))
          say('key', element, name);
      }
      const texts = [...element.childNodes].filter(
        (node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? '').trim() !== '',
      );
      if (texts.length === 0) continue;
      const range = document.createRange();
      range.setStartBefore(texts[0]!);
      range.setEndAfter(texts.at(-1)!);
      const box = range.getBoundingClientRect();
      if (isTiny(box) || isTiny(element.getBoundingClientRect())) continue;
      const words = texts
        .map((node) => node.textContent)
        .join(' ')
        .trim();
      const letters = [...new Set(words.replaceAll(/\s/g, ''))];
      const shapeless = letters.filter((letter) => !hasShape(letter));
      if (shapeless.length > 0 && letters.every((letter) => ownLetters.includes(letter)))
        say('no letter', element, shapeless.join(''));
      if (/[[{]"\w+"|"\w+":/.test(words) && !element.closest('code, pre')) say('raw', element);
      if (KEY.test(words) && !element.closest('code, kbd, small, .facts dd, select')) say('key', element);

      const language = element.closest('[lang]')?.getAttribute('lang') ?? '';
      const isFree = element.closest(
        'code, kbd, pre, .service output, .export-run, .drill-mark, .ready-table small, .languages, .bi-first, .bi-second, .pin-title, .data td, .device small, select, .facts dd, .entry dd',
      );
      if (!isFree && /^(?:pt|en)/.test(language) && CJK.test(words)) say('language', element, language);
      if (!isFree && language.startsWith('zh') && /\b[a-z]{4,}\b/.test(words))
        say('language', element, language);

      // Where one of the boxes around it can be scrolled, the text is reached by that.
      const around = [element, ...parents(element)];
      const scroller = around.findIndex(scrolls);
      for (const each of scroller === -1 ? around : around.slice(0, scroller)) {
        if (!clips(each) && !each.matches('button')) continue;
        const limits = each.getBoundingClientRect();
        if (style(each).display.startsWith('inline') && !clips(each)) continue;
        const slack = 0.3 * Number.parseFloat(style(element).fontSize);
        if (
          box.left < limits.left - 1 ||
          box.right > limits.right + 1 ||
          box.top < limits.top - slack ||
          box.bottom > limits.bottom + slack
        )
          say('cut', element, `by <${each.tagName.toLowerCase()} ${each.getAttribute('class') ?? ''}>`);
      }
      if (
        scroller === -1 &&
        (box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1)
      )
        say('outside', element);
      const wide = element as HTMLElement;
      if (wide.clientWidth > 0 && !scrolls(element) && wide.scrollWidth > wide.clientWidth + 1)
        say('wide', element, `${wide.scrollWidth}/${wide.clientWidth}`);
    }

    // ---- touch targets ----
    const LAYERS =
      '.rules, .dealer-popover, .operator-drawer, .road-sheet, .service-nav, .service-page, .recall-bar';
    const targets = all
      .filter((element) => element.matches('button, input, select, summary, a[href]'))
      .filter((element) => !element.closest('[inert]'))
      .map((element) => {
        const box = element.getBoundingClientRect();
        return { element, box, layer: element.closest(LAYERS) };
      })
      .filter(({ box }) => !isTiny(box));
    // WCAG 2.2, 2.5.8: 24 px. Service mode has the room for 44. Both on the smallest display, and
    // larger with it.
    const scale = Math.min(innerHeight / 768, innerWidth / 1366);
    for (const { element, box } of targets) {
      const size = element.matches('input[type=checkbox]')
        ? (element.closest('label') ?? element).getBoundingClientRect()
        : box;
      const least = scale * (element.closest('.service') ? 44 : 24);
      const { width, height } = size;
      if (Math.min(width, height) < least - 0.5)
        say(
          'small',
          element,
          `${(width / scale).toFixed(1)} x ${(height / scale).toFixed(1)} of ${least / scale}`,
        );
    }
    // A list goes on below its edge; a row that the edge cuts looks broken.
    const boards = '.operator-drawer > *, .operator-page > *, .dealer-popover > *, .rules-page, .pin-pad';
    for (const scroller of all.filter((element) => scrolls(element) && element.matches(boards))) {
      const { bottom } = scroller.getBoundingClientRect();
      for (const { element, box } of targets)
        if (scroller.contains(element) && box.top < bottom - 2 && box.bottom > bottom + 2)
          say('half', element, `${Math.round(bottom - box.top)} of ${Math.round(box.height)} px`);
    }
    // What is scrolled out of sight, under the head of its sheet, lies on nothing.
    const seenBox = memo((element) => {
      const box = element.getBoundingClientRect();
      let { left, right, top, bottom } = box;
      for (const each of parents(element).filter(scrolls)) {
        const limits = each.getBoundingClientRect();
        [left, right] = [Math.max(left, limits.left), Math.min(right, limits.right)];
        [top, bottom] = [Math.max(top, limits.top), Math.min(bottom, limits.bottom)];
      }
      return { left, right, top, bottom };
    });
    for (const [index, { element, box, layer }] of targets.entries()) {
      const seenHere = seenBox(element);
      const isScrolled = parents(element).some(scrolls);
      if (
        !isScrolled &&
        (box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1)
      )
        say('outside', element);
      for (const other of targets.slice(index + 1)) {
        if (other.layer !== layer || element.contains(other.element)) continue;
        const there = seenBox(other.element);
        const across = Math.min(seenHere.right, there.right) - Math.max(seenHere.left, there.left);
        const down = Math.min(seenHere.bottom, there.bottom) - Math.max(seenHere.top, there.top);
        if (across > 1 && down > 1)
          say(
            'overlap',
            element,
            `with «${(other.element.getAttribute('aria-label') ?? other.element.textContent ?? '').slice(0, 30)}»`,
          );
      }
    }

    // ---- contrast ----
    type Colour = readonly [number, number, number, number];
    const colours = (value: string): Colour[] =>
      [...value.matchAll(/(rgba?|color)\(([^)]+)\)/g)].map(([, kind, inner]) => {
        const parts = inner!
          .replace('srgb', '')
          .split(/[\s,/]+/)
          .filter(Boolean)
          .map((part) => (part.endsWith('%') ? Number.parseFloat(part) / 100 : Number(part)));
        const scale = kind === 'color' ? 255 : 1;
        return [parts[0]! * scale, parts[1]! * scale, parts[2]! * scale, parts[3] ?? 1] as const;
      });
    const mix = ([r, g, b, a]: Colour, [R, G, B]: Colour): Colour => [
      r * a + R * (1 - a),
      g * a + G * (1 - a),
      b * a + B * (1 - a),
      1,
    ];
    const laidOn = (top: Colour, under: readonly Colour[]): readonly Colour[] =>
      top[3] === 1 ? [top] : under.map((low) => mix(top, low));
    const light = ([r, g, b]: Colour): number => {
      const [x, y, z] = [r, g, b].map((part) => {
        const c = part / 255;
        return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
      }) as [number, number, number];
      return 0.2126 * x + 0.7152 * y + 0.0722 * z;
    };
    const ratio = (a: Colour, b: Colour): number => {
      const [high, low] = [light(a), light(b)].sort((x, y) => y - x) as [number, number];
      return (high + 0.05) / (low + 0.05);
    };
    /**
     * Colours as people see them without one kind of cones, or without any: Machado and others
     * 2009, severity 1, on linear light.
     */
    const SEEN_BY: Readonly<Record<string, readonly (readonly [number, number, number])[]>> = {
      protanopia: [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
      ],
      deuteranopia: [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.01182, 0.04294, 0.968881],
      ],
      tritanopia: [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.3039],
      ],
    };
    const linear = (part: number): number => {
      const c = part / 255;
      return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    };
    const gamma = (part: number): number => {
      const c = Math.min(1, Math.max(0, part));
      return 255 * (c <= 0.0030399 ? c * 12.92 : 1.055 * c ** (1 / 2.4) - 0.055);
    };
    const seen = ([r, g, b, a]: Colour, by: readonly (readonly [number, number, number])[]): Colour => {
      const [x, y, z] = by.map(([p, q, s]) => gamma(p * linear(r) + q * linear(g) + s * linear(b))) as [
        number,
        number,
        number,
      ];
      return [x, y, z, a];
    };
    // The cloth at its lightest and its darkest, where nothing else covers it.
    const CLOTH: readonly Colour[] = [
      [20, 106, 88, 1],
      [5, 42, 38, 1],
    ];
    const grounds = new Map<Element, readonly Colour[]>();
    /**
     * What may lie behind a text in an element: every colour of the gradients down to the first
     * that covers.
     */
    const ground = (element: Element | null): readonly Colour[] => {
      if (element === null || element === document.body) return CLOTH;
      const known = grounds.get(element);
      if (known) return known;
      const { backgroundColor, backgroundImage } = style(element);
      const [flat] = colours(backgroundColor);
      // The first gradient lies on top of the others, all of them on the colour.
      const layers = backgroundImage
        .split(/,\s*(?=[a-z-]*gradient\()/)
        .map(colours)
        .filter((stops) => stops.length > 0);
      const isCovered = layers.some((stops) => stops.every(([, , , a]) => a === 1));
      let under: readonly Colour[] = isCovered || flat?.[3] === 1 ? [] : ground(element.parentElement);
      if (flat && flat[3] > 0) under = laidOn(flat, under);
      for (const stops of layers.toReversed()) under = stops.flatMap((top) => laidOn(top, under));
      // Each shade once: every sheer layer multiplies them.
      const shades = new Map(under.map((colour) => [String(colour.map(Math.round)), colour]));
      under = [...shades.values()];
      grounds.set(element, under);
      return under;
    };
    for (const element of all) {
      if (
        ![...element.childNodes].some((node) => node.nodeType === 3 && (node.textContent ?? '').trim() !== '')
      )
        continue;
      if (element.closest('svg, [aria-disabled=true], :disabled, [aria-hidden=true], option')) continue;
      const { color, fontSize, fontWeight, opacity } = style(element);
      const [text] = colours(color);
      if (!text || isTiny(element.getBoundingClientRect())) continue;
      const size = Number.parseFloat(fontSize) * (1080 / Math.min(innerHeight, (innerWidth * 1080) / 1920));
      const isLarge = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700);
      const faint: Colour = [text[0], text[1], text[2], text[3] * Number(opacity)];
      const worst = Math.min(...ground(element).map((under) => ratio(mix(faint, under), under)));
      const least = isLarge ? 3 : 4.5;
      if (worst < least) say('contrast', element, worst.toFixed(2));
      else if (worst < 2 * least)
        for (const [kind, by] of Object.entries(SEEN_BY)) {
          const least2 = Math.min(
            ...ground(element).map((under) => ratio(seen(mix(faint, under), by), seen(under, by))),
          );
          if (least2 < least) say(`contrast with ${kind}`, element, least2.toFixed(2));
        }
    }

    // ---- no colour alone ----
    /** Everything of an element that is no colour, as eyes and readers get it. */
    const without = (element: Element): string => {
      const { fontWeight, fontStyle, fontSize, textDecorationLine, borderStyle, borderWidth, outlineStyle } =
        style(element);
      const marks = ['::before', '::after'].map((part) => getComputedStyle(element, part).content);
      const told = [...element.attributes].flatMap(({ name, value }) =>
        /^aria-(?!labelledby|describedby|controls)|^(?:title|disabled|d|points|href|type)$/.test(name)
          ? [`${name}=${value}`]
          : [],
      );
      const { width, height } = element.getBoundingClientRect();
      const size = element instanceof SVGElement ? `${Math.round(width)}x${Math.round(height)}` : '';
      const inside = [...element.querySelectorAll('*')].map(
        (inner) => `${inner.tagName}${inner.getAttribute('d') ?? ''}`,
      );
      return JSON.stringify([
        ...[element.tagName, (element.textContent ?? '').trim(), told, inside, size, marks],
        ...[fontWeight, fontStyle, fontSize, textDecorationLine, borderStyle, borderWidth, outlineStyle],
      ]);
    };
    /** Letters, ground or fill of two alike elements that eyes without colour do not tell apart. */
    const differs = (one: Element, other: Element): boolean =>
      (['color', 'backgroundColor', 'fill'] as const).some((of) => {
        if (of === 'fill' && !(one instanceof SVGElement)) return false;
        if (of === 'color' && (one.textContent ?? '').trim() === '') return false;
        const [[a], [b]] = [colours(style(one)[of]), colours(style(other)[of])];
        if (!a || !b || a[3] === 0 || b[3] === 0) return false;
        return String(a) !== String(b) && ratio(a, b) < 3;
      });
    for (const parent of new Set(all.flatMap((element) => element.parentElement ?? []))) {
      if (parent.childElementCount < 2) continue;
      const kinds = Map.groupBy([...parent.children].filter(isShown), without);
      for (const alike of kinds.values()) {
        const [first, ...others] = alike;
        const other = others.find((each) => differs(first!, each));
        if (other)
          say(
            'colour alone',
            other,
            `beside <${first!.tagName.toLowerCase()} ${first!.getAttribute('class') ?? ''}>`,
          );
      }
    }
    document.documentElement.style.opacity = shade;
    return [...found];
  }, OWN_LETTERS);
