import { effect } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { startAnew } from './station/kiosk.ts';
import type { Station } from './station/station.ts';
import { chipFor, takesChips, useStation } from './station/station.ts';
import { barePlaces } from './station/touch-regions.ts';
import type { Cover } from './table/covers.ts';
import { groundPicture, groundUrl } from './table/ground-pictures.ts';
import type { TableScene } from './table/table.scene.ts';

const nextFrame = (): Promise<number> => new Promise(requestAnimationFrame);

/**
 * The drawn table below everything. Its code and pictures come after the panels, which must not
 * wait for them.
 */
export function Felt() {
  const station = useStation();
  const host = useRef<HTMLDivElement>(null);
  // Before the first frame: with the panels stands the ground of the table, and what is drawn comes
  // over it.
  useLayoutEffect(() => {
    if (host.current) layFirst(host.current);
  }, []);
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    let gone = false;
    let undo = (): void => {};
    const show = async (): Promise<void> => {
      const { createTable } = await import('./table/table.scene.ts');
      // Making the pieces keeps the page busy for a quarter of a second; done before the first
      // frame is out, both came later.
      await nextFrame();
      await nextFrame();
      if (gone) return;
      const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)').matches;
      const scene = await createTable(element, { reducedMotion, view: station.wire.view.peek() });
      if (gone) scene.destroy();
      else undo = follow(station, scene, element);
    };
    // A table that cannot be drawn is no table.
    show().catch(startAnew);
    return () => {
      gone = true;
      undo();
    };
  }, [station]);
  return <div class="felt" ref={host} aria-hidden="true" />;
}

/** Lays the stored ground of a table of this size, until the table is drawn. */
function layFirst(element: HTMLElement): void {
  const url = groundUrl({ width: element.clientWidth, height: element.clientHeight });
  if (url !== null) element.prepend(groundPicture(url));
}

/**
 * When the ground was first on the glass, ms since the page began; null: it has no stored picture.
 */
function groundShownMs(): number | null {
  const observer = new PerformanceObserver(() => {});
  observer.observe({ type: 'element', buffered: true });
  const [shown] = observer.takeRecords();
  observer.disconnect();
  return shown === undefined ? null : Math.round(shown.startTime);
}

/** What may lie over the felt: panels with their tabs and sheets, and what the dealer opens. */
const COVERS = '.panels > .panel, .panel > .rules, .dealer-popover, .operator-drawer, .road-sheet';

/** Where those come to lie, in pixels of the felt, however they move there. */
function coversOf(felt: HTMLElement): Cover[] {
  const { left, top } = felt.getBoundingClientRect();
  return [...document.querySelectorAll<HTMLElement>(COVERS)].map((cover) => {
    const tabs = [...cover.querySelectorAll<HTMLElement>(':scope > .seat-tab')];
    const above = Math.max(0, ...tabs.map((tab) => -tab.offsetTop));
    const box = cover.getBoundingClientRect();
    // A panel that rises is on its way.
    const isPanel = cover.matches('.panel');
    const base = cover.offsetParent?.getBoundingClientRect().top ?? 0;
    const y = isPanel ? base + cover.offsetTop : box.top;
    return {
      x: box.left - left,
      y: y - above - top,
      width: box.width,
      height: box.height + above,
      shows: cover.matches('.panel-decide, .panel-bet') ? Number(cover.dataset['seat']) : null,
    };
  });
}

/** Tells the scene what lies over the felt; returns how to stop that. */
function watchCovers(scene: TableScene, felt: HTMLElement): () => void {
  const watched = new WeakSet<Element>();
  const sizes = new ResizeObserver(() => scene.cover(coversOf(felt)));
  const watch = (): void => {
    for (const cover of document.querySelectorAll(COVERS)) {
      if (!watched.has(cover)) sizes.observe(cover);
      watched.add(cover);
    }
  };
  const comes = new MutationObserver(watch);
  comes.observe(document.body, { childList: true, subtree: true });
  watch();
  return () => {
    comes.disconnect();
    sizes.disconnect();
  };
}

/** Keeps the scene at the host's truth until the returned function is called. */
function follow(station: Station, scene: TableScene, element: HTMLElement): () => void {
  const { wire } = station;
  let connection = 0;
  const stopViews = effect(() => {
    const shown = station.felt.value;
    if (!shown) return;
    scene.update(shown.view, { atOnce: shown.atOnce || connection !== wire.connection, still: shown.past });
    connection = wire.connection;
  });
  const stopCovers = watchCovers(scene, element);
  const observer = new ResizeObserver(() => scene.resize());
  observer.observe(element);
  scene.onTouchBox((seat, bet) => touchBox(station, seat, bet));
  station.scene.value = scene;
  // The second frame after the first drawing: by then the first one is on the glass.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      element.querySelector('.ground')?.remove();
      wire.reportPainted(scene.renderer, groundShownMs());
    }),
  );
  return () => {
    station.scene.value = null;
    stopViews();
    observer.disconnect();
    stopCovers();
    scene.destroy();
  };
}

/**
 * A touch on a box or spot lays the chip that was touched last on that seat there, or the smallest
 * that makes a lawful bet; what is closed says why in the seat's panel.
 */
function touchBox(station: Station, number: number, spot: string | null): void {
  const view = station.wire.view.peek();
  const seat = view?.seats.find((each) => each.seat === number);
  // The sign above the table takes none.
  if (station.wire.role.peek() !== 'table') return;
  if (!view || !seat || !takesChips(view, seat)) return;
  const scene = station.scene.peek();
  if (!scene || !barePlaces(scene).some((each) => each.seat === number && each.bet === spot)) return;
  const bet = spot ?? 'main';
  const chip = chipFor(view, bet, station.chips.peek().get(number));
  if (chip !== undefined) station.layChip(seat, bet, chip);
}
