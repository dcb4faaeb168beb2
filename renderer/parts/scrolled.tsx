import { useEffect, useRef } from 'preact/hooks';
import { dragToScroll } from './drag.ts';
import { useWholeRows } from './whole-rows.ts';

/** A box that is moved by one finger. */
export function Scrolled({ children }: { readonly children: preact.ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => (box.current ? dragToScroll(box.current) : undefined), []);
  useWholeRows(box);
  return (
    <div class="rules-page" ref={box}>
      {children}
    </div>
  );
}
