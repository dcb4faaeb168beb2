/**
 * Every place of the page that a touch sets something off on, as it stands at this moment (MO20,
 * 4.5: no hidden touch points). Read from the running page, so that nothing has to be listed twice;
 * `npm run test:touchmap` shows that there is no other place. A sheet that only stays open longer
 * because it was touched is none of them.
 */

import type { Point } from '../table/geometry.ts';
import { corners } from '../table/places.ts';
import type { TableScene } from '../table/table.scene.ts';
import { CONTROL } from './fingers.ts';
import { chipFor, type Station, takesChips } from './station.ts';

export interface TouchRegion {
  /**
   * The part of the screen it belongs to: `seat 3`, `dealer`, `service`, `recall`, `operator`,
   * `roads`.
   */
  readonly place: string;
  /** `spot`: on the cloth; `control`: a button; `field`: something to choose or to write in. */
  readonly kind: 'spot' | 'control' | 'field';
  /** What is said on it, as a reader of the screen would be told; of a spot its bet. */
  readonly name: string;
  /** Corners of a polygon round the part of it that can be seen, CSS pixels of the window. */
  readonly outline: readonly Point[];
}

declare global {
  interface Window {
    /** For whoever examines the running page: it tells and does nothing. */
    touchRegions(): readonly TouchRegion[];
  }
}

const FIELD = 'input, select, textarea, label, a[href]';
/** In this order: the first that encloses a control is its place. */
const PLACES = [
  ['.recall-screen', 'recall'],
  ['.service', 'service'],
  ['.operator-drawer, .operator-page', 'operator'],
  ['.dealer-edge, .dealer-page', 'dealer'],
  ['.roads', 'roads'],
] as const;

export function touchRegions(station: Station): TouchRegion[] {
  return [...spots(station), ...controls()];
}

function spots({ wire, scene, chips }: Station): TouchRegion[] {
  const view = wire.view.value;
  if (!view || !scene.value || wire.role.value !== 'table') return [];
  return barePlaces(scene.value).flatMap(({ seat: number, bet, outline }): TouchRegion[] => {
    const seat = view.seats.find((each) => each.seat === number);
    if (
      !seat ||
      !takesChips(view, seat) ||
      chipFor(view, bet ?? 'main', chips.value.get(number)) === undefined
    )
      return [];
    return [{ place: `seat ${number}`, kind: 'spot', name: bet ?? 'main', outline }];
  });
}

/**
 * The places of the cloth whose middle nothing lies over, in pixels of the window. The others take
 * no touch, not where a sliver of them shows between two panels either.
 */
export function barePlaces(scene: TableScene): ReturnType<TableScene['touchPlaces']> {
  const canvas = document.querySelector('.felt canvas');
  if (!canvas) return [];
  const { left, top } = canvas.getBoundingClientRect();
  return scene.touchPlaces().flatMap((place) => {
    const outline = place.outline.map(({ x, y }) => ({ x: x + left, y: y + top }));
    const [middle] = pointsIn(outline);
    const isBare = middle && document.elementFromPoint(middle.x, middle.y) === canvas;
    return isBare ? [{ ...place, outline }] : [];
  });
}

function controls(): TouchRegion[] {
  return [...document.querySelectorAll<HTMLElement>(`${CONTROL}, ${FIELD}`)].flatMap(
    (element): TouchRegion[] => {
      if (element.matches(':disabled') || element.closest('[inert]') || !element.checkVisibility()) return [];
      const outline = visiblePart(element);
      if (outline === null) return [];
      const isReached = pointsIn(outline).some(({ x, y }) => {
        const hit = document.elementFromPoint(x, y);
        return hit !== null && (element.contains(hit) || (hit.contains(element) && hit.matches('label')));
      });
      if (!isReached) return [];
      const kind = element.matches(CONTROL) ? 'control' : 'field';
      return [{ place: placeOf(element), kind, name: nameOf(element), outline }];
    },
  );
}

/** What no box that scrolls or cuts hides, null = nothing. */
function visiblePart(element: HTMLElement): Point[] | null {
  const own = element.getBoundingClientRect();
  let [left, top, right, bottom] = [own.left, own.top, own.right, own.bottom];
  const cut = (box: { left: number; top: number; right: number; bottom: number }): void => {
    left = Math.max(left, box.left);
    top = Math.max(top, box.top);
    right = Math.min(right, box.right);
    bottom = Math.min(bottom, box.bottom);
  };
  cut({ left: 0, top: 0, right: innerWidth, bottom: innerHeight });
  for (let around = element.parentElement; around; around = around.parentElement) {
    if (getComputedStyle(around).overflow !== 'visible') cut(around.getBoundingClientRect());
  }
  if (right <= left || bottom <= top) return null;
  return corners({ x: left, y: top, width: right - left, height: bottom - top });
}

/** A grid of points in the box round a polygon. */
function pointsIn(outline: readonly Point[]): Point[] {
  const xs = outline.map(({ x }) => x);
  const ys = outline.map(({ y }) => y);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const parts = [0.5, 0.1, 0.3, 0.7, 0.9];
  return parts.flatMap((px) =>
    parts.map((py) => ({ x: left + (right - left) * px, y: top + (bottom - top) * py })),
  );
}

function placeOf(element: Element): string {
  const seat = element.closest<HTMLElement>('[data-seat]')?.dataset['seat'];
  if (seat !== undefined) return `seat ${seat}`;
  return PLACES.find(([selector]) => element.closest(selector))?.[1] ?? 'table';
}

function nameOf(element: HTMLElement): string {
  const named = element.getAttribute('aria-label') ?? element.title;
  const around = element.closest('label')?.textContent;
  return (named || element.textContent || around || element.tagName).replace(/\s+/g, ' ').trim().slice(0, 80);
}
