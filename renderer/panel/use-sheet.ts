import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { SeatView, TableView } from '../../wire/view.ts';
import { panelMode } from '../parts/mode.ts';

/** The seat may have been left. */
const LEFT_ALONE_MS = 60_000;

/**
 * What a seat's sheet shows, null = it is closed. It makes way for a decision, and closes when
 * nobody has touched it for a while; `touch` says that somebody has.
 */
export function useSheet<Shown extends string>(seat: SeatView, view: TableView) {
  const [shown, show] = useState<Shown | null>(null);
  const due = panelMode(view, seat) === 'decide';
  useLayoutEffect(() => {
    if (due) show(null);
  }, [due]);
  const [touched, count] = useState(0);
  useEffect(() => {
    if (shown === null) return;
    const timer = setTimeout(() => show(null), LEFT_ALONE_MS);
    return () => clearTimeout(timer);
  }, [touched, shown]);
  return { shown, show, touch: () => count((n) => n + 1) };
}
