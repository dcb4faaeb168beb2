import { useEffect, useRef } from 'preact/hooks';
import { useStation } from './station.ts';

/** The drawn table below everything. Loaded apart, so that panels stand before the pictures are there. */
export function Felt() {
  const station = useStation();
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    requestAnimationFrame(() => requestAnimationFrame(() => station.wire.reportPainted('dom')));
  }, [station]);
  return <div class="felt" ref={host} aria-hidden="true" />;
}
