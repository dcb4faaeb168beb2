import { effect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Station } from './station.ts';
import { chipFor, takesChips, useStation } from './station.ts';
import type { TableScene } from './table/table.scene.ts';

const RELOAD_MS = 3_000;

/** The drawn table below everything. Its code and pictures come after the panels, which must not wait for them. */
export function Felt() {
  const station = useStation();
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    let gone = false;
    let undo = (): void => {};
    const show = async (): Promise<void> => {
      const { createTable } = await import('./table/table.scene.ts');
      if (gone) return;
      const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)').matches;
      const scene = await createTable(element, { reducedMotion, view: station.wire.view.peek() });
      if (gone) scene.destroy();
      else undo = follow(station, scene, element);
    };
    // A table that cannot be drawn is no table: the page starts anew instead of staying half a screen.
    show().catch((error: unknown) => {
      console.error(error);
      setTimeout(() => location.reload(), RELOAD_MS);
    });
    return () => {
      gone = true;
      undo();
    };
  }, [station]);
  return <div class="felt" ref={host} aria-hidden="true" />;
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
  const observer = new ResizeObserver(() => scene.resize());
  observer.observe(element);
  scene.onTouchBox((seat, bet) => touchBox(station, seat, bet));
  station.scene.value = scene;
  // The second frame after the first drawing: by then the first one is on the glass.
  requestAnimationFrame(() => requestAnimationFrame(() => wire.reportPainted(scene.renderer)));
  return () => {
    station.scene.value = null;
    stopViews();
    observer.disconnect();
    scene.destroy();
  };
}

/**
 * A touch on a box or spot lays the chip that was touched last on that seat there, or the smallest that makes a lawful
 * bet; what is closed says why in the seat's panel.
 */
function touchBox(station: Station, number: number, spot: string | null): void {
  const view = station.wire.view.peek();
  const seat = view?.seats.find((each) => each.seat === number);
  if (!view || !seat || !takesChips(view, seat)) return;
  const bet = spot ?? 'main';
  const chip = chipFor(view, bet, station.chips.peek().get(number));
  if (chip !== undefined) station.layChip(seat, bet, chip);
}
