import { type Column, DataTable } from './parts.tsx';
import { useServiceWords } from './service-words.ts';

/** User units of the drawings; they grow with the page. */
const WIDTH = 1000;
const HEIGHT = 190;
const LEFT = 60;
const BOTTOM = 30;
/** Words below the axis that have room. */
const MOST_TICKS = 12;

/** The same numbers as a table, for whoever cannot or would not look at the drawing. */
export function AsTable<T>(props: {
  readonly label: string;
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string | number;
  readonly columns: readonly Column<T>[];
}) {
  const { s } = useServiceWords();
  return (
    <details class="as-table">
      <summary>{s('charts.asTable')}</summary>
      <DataTable {...props} />
    </details>
  );
}

export interface Bar {
  readonly tick: string;
  readonly value: number;
}

/** Counts side by side, from 0 up to the greatest. */
export function BarChart({ label, bars }: { readonly label: string; readonly bars: readonly Bar[] }) {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const step = (WIDTH - LEFT) / Math.max(1, bars.length);
  const every = Math.ceil(bars.length / MOST_TICKS);
  const y = (value: number): number => HEIGHT - BOTTOM - (value / most) * (HEIGHT - BOTTOM - 20);
  const lines = [...new Set([0, Math.round(most / 2), most])];
  return (
    <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      {lines.map((value) => (
        <g key={value}>
          <line class="chart-line" x1={LEFT} x2={WIDTH} y1={y(value)} y2={y(value)} />
          <text class="chart-text" x={LEFT - 8} y={y(value) + 5} text-anchor="end">
            {value}
          </text>
        </g>
      ))}
      {bars.map(({ tick, value }, i) => (
        <g key={tick + i}>
          <rect
            class="chart-bar"
            x={LEFT + i * step + step * 0.1}
            width={step * 0.8}
            y={y(value)}
            height={HEIGHT - BOTTOM - y(value)}
          >
            <title>{`${tick}: ${value}`}</title>
          </rect>
          {i % every === 0 && (
            <text class="chart-text" x={LEFT + (i + 0.5) * step} y={HEIGHT - 8} text-anchor="middle">
              {tick}
            </text>
          )}
        </g>
      ))}
    </svg>
  );
}

export interface Share {
  readonly name: string;
  /** In the order of the legend. */
  readonly parts: readonly number[];
  readonly text: string;
}

const ROW = 34;
const NAME = 170;
const TEXT = 130;

/** One line for each row: what became of the whole, part by part. */
export function ShareChart(props: {
  readonly label: string;
  readonly parts: readonly string[];
  readonly rows: readonly Share[];
}) {
  const { label, parts, rows } = props;
  const room = WIDTH - NAME - TEXT;
  return (
    <>
      <ul class="plain legend">
        {parts.map((part, i) => (
          <li key={part}>
            <svg viewBox="0 0 10 10" aria-hidden="true">
              <rect class={`share-${i}`} width={10} height={10} />
            </svg>
            {part}
          </li>
        ))}
      </ul>
      <svg class="chart" viewBox={`0 0 ${WIDTH} ${rows.length * ROW}`} role="img" aria-label={label}>
        {rows.map((row, at) => {
          const sum = row.parts.reduce((all, each) => all + each, 0);
          let x = NAME;
          return (
            <g key={row.name}>
              <text class="chart-text" x={NAME - 10} y={at * ROW + 22} text-anchor="end">
                {row.name}
              </text>
              {row.parts.map((value, i) => {
                const width = sum === 0 ? 0 : (value / sum) * room;
                const from = x;
                x += width;
                return (
                  <rect
                    key={parts[i]}
                    class={`share-${i}`}
                    x={from}
                    y={at * ROW + 4}
                    width={width}
                    height={ROW - 8}
                  >
                    <title>{`${row.name}, ${parts[i]}: ${value}`}</title>
                  </rect>
                );
              })}
              <text class="chart-text" x={WIDTH - TEXT + 10} y={at * ROW + 22}>
                {row.text}
              </text>
            </g>
          );
        })}
      </svg>
    </>
  );
}
