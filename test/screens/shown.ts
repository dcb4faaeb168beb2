/**
 * What of a page is shown, and how a finding names it. It runs in the page, and so stands for
 * itself: it takes nothing from this file but what is inside of it.
 */

export type Shown = ReturnType<typeof shownOf>;

export function shownOf() {
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
  return { all, found, say, style, memo, parents, scrolls, clips, isShown, isTiny };
}
