/**
 * Text that is cut, covered or outside, has no letters, or is a key, raw JSON or of another
 * language, and touch targets that overlap or are small. It runs in the page.
 */
import type { Shown } from './shown.ts';

export function judgeWordsAndTargets(shown: Shown, ownLetters: string): void {
  const { all, say, style, memo, parents, scrolls, clips, isTiny } = shown;
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
}
