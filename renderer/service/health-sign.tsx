import type { Health } from './machine.ts';
import { useServiceWords } from './service-words.ts';

/** Each state has a shape of its own, so that it can be read without colour as well. */
const SHAPES: Readonly<Record<Health, readonly [outline: string, inside: string]>> = {
  ok: ['M12 1.5a10.5 10.5 0 1 0 0 21a10.5 10.5 0 0 0 0-21z', 'M7 12.5l3.5 3.5 6.5-7.5'],
  warning: ['M12 1.5L23 21.5H1z', 'M12 8.5v6M12 18v.4'],
  fault: ['M7.7 1.5h8.6l6.2 6.2v8.6l-6.2 6.2H7.7l-6.2-6.2V7.7z', 'M8 8l8 8M16 8l-8 8'],
};

/** `isNamed`: nothing beside it says the word. */
export function HealthSign({ health, isNamed }: { readonly health: Health; readonly isNamed?: boolean }) {
  const { m } = useServiceWords();
  const [outline, inside] = SHAPES[health];
  const shape = (
    <>
      <path class="health-outline" d={outline} />
      <path class="health-inside" d={inside} />
    </>
  );
  const look = `health health-${health}`;
  return isNamed ? (
    <svg viewBox="0 0 24 24" class={look} role="img" aria-label={m(`health.${health}`)}>
      {shape}
    </svg>
  ) : (
    <svg viewBox="0 0 24 24" class={look} aria-hidden="true">
      {shape}
    </svg>
  );
}
