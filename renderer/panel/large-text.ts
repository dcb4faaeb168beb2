import { useLayoutEffect } from 'preact/hooks';

/** From the largest on; where none of them has room the text stays as it is. */
const SIZES = [1.5, 1.4, 1.3, 1.2, 1.1];

/**
 * How it is enlarged: `zoom` everything in it; `letters` its letters alone, by `--text`, where
 * buttons, chips and cards have sizes of their own, with its buttons one above the other
 * (`data-rows`) where that gives them more room.
 */
type How = 'zoom' | 'letters';

/**
 * Large text: what stands in this element, as large as there is room for in its state and language,
 * up to one and a half times. Seven panels share the edge of one display, so what has little to say
 * gets larger than what has much.
 */
export function useLargeText(
  ref: { readonly current: HTMLElement | null },
  on: boolean,
  how: How = 'zoom',
): void {
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element || !on) return;
    const enlarge = (size: number | null, rows = false): void => {
      if (how === 'zoom') element.style.zoom = size === null ? '' : String(size);
      else if (size === null) element.style.removeProperty('--text');
      else element.style.setProperty('--text', String(size));
      element.toggleAttribute('data-rows', rows);
    };
    const layouts = how === 'zoom' ? [false] : [false, true];
    const fit = (): void => {
      for (const size of SIZES) {
        for (const rows of layouts) {
          enlarge(size, rows);
          if (fits(element)) return;
        }
      }
      enlarge(null);
    };
    fit();
    const changes = new MutationObserver(fit);
    changes.observe(element, {
      subtree: true,
      childList: true,
      characterData: true,
      attributeFilter: ['class'],
    });
    const sizes = new ResizeObserver(fit);
    if (element.parentElement) sizes.observe(element.parentElement);
    return () => {
      changes.disconnect();
      sizes.disconnect();
      enlarge(null);
    };
  }, [ref.current, on, how]);
}

/**
 * Nothing stands out of it and nothing in it is cut; a line's own ascent may stand out of its box
 * by a few pixels.
 */
function fits(element: HTMLElement): boolean {
  const outer = element.getBoundingClientRect();
  const frame = element.parentElement?.getBoundingClientRect();
  if (frame && (outer.height > frame.height + 1 || outer.right > frame.right + 1)) return false;
  for (const each of element.querySelectorAll<HTMLElement>('*')) {
    // What passes over the others has a size of its own.
    if (each.closest('.panel-notice')) continue;
    // A picture with letters in it is as large as its box.
    if (each instanceof SVGElement) continue;
    const box = each.getBoundingClientRect();
    // What is empty is not shown at all.
    if (box.width === 0) continue;
    if (box.right > outer.right + 1 || box.left < outer.left - 1) return false;
    // A word within a line is as high as its letters want, whatever the line gives it.
    if (each.clientWidth === 0) continue;
    if (box.bottom > outer.bottom + 1 || box.top < outer.top - 1) return false;
    if (each.scrollWidth > each.clientWidth + 1) return false;
    const slack =
      each.localName === 'button' ? 3 : Math.max(5, 0.3 * Number.parseFloat(getComputedStyle(each).fontSize));
    if (each.scrollHeight > each.clientHeight + slack) return false;
  }
  return true;
}
