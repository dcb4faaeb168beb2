import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

const TOUCHED = 'button, input, select, summary, a[href]';

/**
 * A box that can be scrolled ends between two of the things that are touched in it: half a row
 * looks broken, and a finger does not know whether it counts.
 */
export function useWholeRows(box: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null) return;
    const watch = new ResizeObserver(() => endBetweenRows(current));
    for (const each of [current, ...current.children]) watch.observe(each);
    return () => watch.disconnect();
  });
}

function endBetweenRows(box: HTMLElement): void {
  const { scrollTop } = box;
  box.style.maxHeight = '';
  const end = box.clientTop + box.clientHeight;
  const rows = box.scrollHeight > box.clientHeight ? [...box.querySelectorAll<HTMLElement>(TOUCHED)] : [];
  const cut = rows.map((row) => [topIn(box, row), row.offsetHeight] as const);
  const from = Math.min(...cut.flatMap(([top, high]) => (top < end && top + high > end ? [top] : [])));
  // Where one thing fills it, half of that is better than nothing.
  if (from > end / 2 && from < end) box.style.maxHeight = `${from + box.clientTop}px`;
  box.scrollTop = scrollTop;
}

/** In the box as it is laid out: the edge of the dealer may be turned round. */
function topIn(box: HTMLElement, row: HTMLElement): number {
  let top = 0;
  let each: Element | null = row;
  for (; each instanceof HTMLElement && each !== box && each !== box.offsetParent; each = each.offsetParent)
    top += each.offsetTop;
  return each === box ? top + box.clientTop : top - box.offsetTop;
}
