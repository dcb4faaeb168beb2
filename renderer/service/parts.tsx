import type { ComponentChildren } from 'preact';
import type { Queried } from '../station/use-query.ts';
import { useServiceWords } from './service-words.ts';

/** The states of a page: loading, failed, there, and an old answer after a new one failed. */
export function Loaded<T>({
  from,
  children,
}: {
  from: Queried<T>;
  children: (data: NonNullable<T>) => ComponentChildren;
}) {
  const { s, failure } = useServiceWords();
  const isThere = from.data !== null && from.data !== undefined;
  const failed = from.failure !== null && (
    <p class="service-note" role="alert">
      {s('failed', { reason: failure(from.failure) })} {isThere && s('before')}{' '}
      <button type="button" class="button" onClick={from.reload}>
        {s('reload')}
      </button>
    </p>
  );
  if (!isThere) return failed || <Progress label={s('loading')} part={null} />;
  return (
    <>
      {failed}
      {children(from.data!)}
    </>
  );
}

/** How far something has come that takes longer than a second; `part` of 1, null = nobody knows. */
export function Progress({ label, part }: { readonly label: string; readonly part: number | null }) {
  const { percent } = useServiceWords();
  return (
    <p class="progress" role="status">
      {label} {part !== null && percent(part)}
      {part === null ? <progress aria-label={label} /> : <progress aria-label={label} max={1} value={part} />}
    </p>
  );
}

/** Names and values, one pair a row. */
export function Facts({ rows }: { readonly rows: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export interface Column<T> {
  readonly head: string;
  readonly cell: (row: T) => ComponentChildren;
  readonly number?: boolean;
  /** Longer than a name: its lines may break. */
  readonly words?: boolean;
}

const cellClass = ({ number, words }: { readonly number?: boolean; readonly words?: boolean }): string =>
  number ? 'number' : words ? 'sentence' : '';

export function DataTable<T>(props: {
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string | number;
  readonly label: string;
  /** As wide as it needs: a number is next to its name. */
  readonly isClose?: boolean;
}) {
  const { s } = useServiceWords();
  if (props.rows.length === 0) return <p class="service-note">{s('empty')}</p>;
  return (
    <table class={props.isClose ? 'data data-close' : 'data'} aria-label={props.label}>
      <thead>
        <tr>
          {props.columns.map((column) => (
            <th key={column.head} class={cellClass(column)} scope="col">
              {column.head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {props.rows.map((row) => (
          <tr key={props.keyOf(row)}>
            {props.columns.map((column) => (
              <td key={column.head} class={cellClass(column)}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/**
 * Goes through pages that are read newest first; `path`: where each page gone through began, newest
 * page first.
 */
export function Pager(props: {
  readonly path: readonly number[];
  /** Where the next older page begins; null = nothing is further back. */
  readonly older: number | null;
  readonly onPath: (path: readonly number[]) => void;
}) {
  const { s } = useServiceWords();
  const { path, older, onPath } = props;
  return (
    <div class="service-bar">
      <button
        type="button"
        class="button"
        disabled={path.length === 0}
        onClick={() => onPath(path.slice(0, -1))}
      >
        {s('newer')}
      </button>
      <button
        type="button"
        class="button"
        disabled={older === null}
        onClick={() => older !== null && onPath([...path, older])}
      >
        {s('older')}
      </button>
    </div>
  );
}

/** One of the given values, or whatever it is. */
export function Choice(props: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly options: readonly (readonly [value: string, text: string])[];
}) {
  const { s } = useServiceWords();
  return (
    <select
      aria-label={props.label}
      value={props.value}
      onChange={({ currentTarget }) => props.onChange(currentTarget.value)}
    >
      <option value="">{s('events.any', { what: props.label })}</option>
      {props.options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}

/**
 * What a program says of its own failure, after what it means; `meaning` where the page knows
 * better than the text.
 */
export function Reason({ text, meaning }: { readonly text: string; readonly meaning?: string }) {
  const words = useServiceWords();
  return (
    <>
      {meaning ?? words.meaning(text)} <code>{text}</code>
    </>
  );
}
