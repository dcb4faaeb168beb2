import { useRef, useState } from 'preact/hooks';
import { useServiceWords } from './service-words.ts';
import { WholeGlass } from './whole-glass.tsx';

/** A fingertip is wider than one of them on any display from 21 inches on. */
const COLUMNS = 32;
const ROWS = 18;
/** Points of a drawn line that are kept: the newest. */
const MOST_POINTS = 4_000;

export interface TouchTested {
  readonly cells: number;
  readonly untouched: number;
  /** Most that were down at once. */
  readonly fingers: number;
}

/**
 * The whole glass as a grid: what a finger has been on turns green, lines show what was felt
 * between. Whatever stays dark feels nothing. Any finger, pen or mouse draws; Escape or the button
 * ends it.
 */
export function TouchTest({ onDone }: { readonly onDone: (tested: TouchTested) => void }) {
  const { s } = useServiceWords();
  const [touched, setTouched] = useState<ReadonlySet<number>>(new Set());
  const [lines, setLines] = useState<readonly (readonly [number, number])[]>([]);
  const down = useRef(new Set<number>());
  const [fingers, setFingers] = useState(0);
  const feel = (event: PointerEvent): void => {
    if (!down.current.has(event.pointerId)) return;
    // A quick finger crosses more than one cell between two frames.
    const events = event.getCoalescedEvents?.() ?? [];
    const points = (events.length === 0 ? [event] : events).map(
      ({ clientX, clientY }) => [clientX / innerWidth, clientY / innerHeight] as const,
    );
    setTouched((before) => {
      const after = new Set(before);
      for (const [x, y] of points) after.add(cellAt(y, ROWS) * COLUMNS + cellAt(x, COLUMNS));
      return after.size === before.size ? before : after;
    });
    setLines((before) => [...before, ...points].slice(-MOST_POINTS));
  };
  const finish = (): void =>
    onDone({ cells: COLUMNS * ROWS, untouched: COLUMNS * ROWS - touched.size, fingers });
  return (
    <WholeGlass
      name={s('displays.test')}
      onEnd={finish}
      on={{
        onPointerDown: (event) => {
          down.current.add(event.pointerId);
          setFingers((before) => Math.max(before, down.current.size));
          feel(event);
        },
        onPointerMove: feel,
        onPointerUp: ({ pointerId }) => void down.current.delete(pointerId),
        onPointerCancel: ({ pointerId }) => void down.current.delete(pointerId),
      }}
    >
      <svg viewBox={`0 0 ${COLUMNS} ${ROWS}`} preserveAspectRatio="none" aria-hidden="true">
        {Array.from({ length: COLUMNS * ROWS }, (_, cell) => (
          <rect
            key={cell}
            class={touched.has(cell) ? 'touch-felt' : 'touch-dark'}
            x={cell % COLUMNS}
            y={Math.floor(cell / COLUMNS)}
            width={1}
            height={1}
          />
        ))}
        {lines.map(([x, y], i) => (
          <circle key={i} class="touch-point" cx={x * COLUMNS} cy={y * ROWS} r={0.06} />
        ))}
      </svg>
      <p class="touch-words">
        <b>{s('displays.testing', { n: touched.size, of: COLUMNS * ROWS })}</b> {s('displays.how')}{' '}
        <button type="button" class="button button-gold" onClick={finish}>
          {s('displays.done')}
        </button>
      </p>
    </WholeGlass>
  );
}

const cellAt = (part: number, cells: number): number =>
  Math.min(cells - 1, Math.max(0, Math.floor(part * cells)));
