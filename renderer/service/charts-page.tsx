import { useState } from 'preact/hooks';
import type { Latency, NoteOutcome, TrendPage } from '../../wire/pages.ts';
import { useQuery } from '../station/use-query.ts';
import { AsTable, BarChart, ShareChart } from './chart.tsx';
import { deviceText, spanText } from './entry-words.ts';
import { DataTable, Loaded, Progress } from './parts.tsx';
import { type ServiceWords, useServiceWords } from './service-words.ts';

const LIVE_MS = 2_000;
const HOUR_MS = 3_600_000;
/** Up to here each hour is shown, beyond it days. */
const BY_HOUR = 48;
const SPANS = [24, 7 * 24, 31 * 24] as const;
/** What else takes its time than answers of devices. */
const MEASURED = ['commit', 'link', 'touch', 'card', 'note'] as const;

/** Notes, times, rounds and faults as pictures, each with its table. */
export function ChartsPage() {
  const words = useServiceWords();
  const { s } = words;
  const [hours, setHours] = useState<number>(SPANS[0]);
  const page = useQuery({ query: 'trends', hours }, LIVE_MS);
  return (
    <>
      <fieldset class="service-bar plain-set" aria-label={s('charts.span')}>
        {SPANS.map((span) => (
          <button
            type="button"
            key={span}
            class="button"
            aria-pressed={span === hours}
            onClick={() => setHours(span)}
          >
            {span === SPANS[0] ? s('charts.day') : s('charts.days', { n: span / 24 })}
          </button>
        ))}
      </fieldset>
      <Loaded from={page}>
        {(trends) => (
          <>
            {trends.countedSeq < trends.headSeq && (
              <Progress label={s('charts.counting')} part={trends.countedSeq / trends.headSeq} />
            )}
            <Notes trends={trends} />
            <Counted
              title={hours <= BY_HOUR ? s('charts.roundsPerHour') : s('charts.roundsPerDay')}
              bars={binned(trends, hours, trends.rounds, words)}
            />
            <Decisions decisions={trends.decisions} />
            <Pace seats={trends.seats} />
            <Faults trends={trends} hours={hours} />
            <Stood stood={trends.stood} />
            <Latencies latencies={trends.latencies} />
            <Temperatures of={trends.temperatures} />
          </>
        )}
      </Loaded>
    </>
  );
}

/** What the table waits for players, and what those save it who say it ahead. */
function Decisions({ decisions }: Pick<TrendPage, 'decisions'>) {
  const { s, language } = useServiceWords();
  const span = (ms: number): string => spanText(Math.round(ms / 100) * 100, language);
  const { asked, noted, savedMs } = decisions;
  const mean = ({ count, ms }: typeof asked): string => (count === 0 ? '–' : span(ms / count));
  return (
    <article class="device" aria-label={s('charts.decisions')}>
      <h3>{s('charts.decisions')}</h3>
      <p>
        {s('charts.asked', { count: asked.count, mean: mean(asked) })} ·{' '}
        {s('charts.noted', { count: noted.count, mean: mean(noted) })} ·{' '}
        {s('charts.saved', { saved: savedMs === null ? '–' : span(savedMs) })}
      </p>
    </article>
  );
}

const OUTCOMES = [
  'credited',
  'returned',
  'refused',
  'rejected',
  'held',
] as const satisfies readonly NoteOutcome[];

function Notes({ trends: { notes } }: { readonly trends: TrendPage }) {
  const words = useServiceWords();
  const { s, percent, sum } = words;
  const parts = OUTCOMES.map((outcome) => s(`notes.outcome.${outcome}`));
  const shares = (nameOf: (note: TrendPage['notes'][number]) => string) =>
    [...Map.groupBy(notes, nameOf)].map(([name, of]) => {
      const counts = OUTCOMES.map((outcome) =>
        of.reduce((sum, note) => (note.outcome === outcome ? sum + note.count : sum), 0),
      );
      const sum = counts.reduce((all, each) => all + each, 0);
      return { name, parts: counts, text: `${percent(counts[0]! / Math.max(1, sum))} · ${sum}` };
    });
  const pictures = [
    {
      title: s('charts.byAcceptor'),
      rows: shares(({ acceptor }) => `${s('device.bill-acceptor')} ${acceptor}`).toSorted((a, b) =>
        a.name.localeCompare(b.name, undefined, { numeric: true }),
      ),
    },
    {
      title: s('charts.byNote'),
      rows: shares(({ currency, valueMinor }) =>
        valueMinor === null ? s('charts.noValue') : sum(valueMinor, currency),
      ).toSorted((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true })),
    },
  ];
  return (
    <>
      {pictures.map(({ title, rows }) => (
        <article class="device" key={title} aria-label={title}>
          <h3>{title}</h3>
          {rows.length === 0 ? (
            <p class="service-note">{s('empty')}</p>
          ) : (
            <>
              <ShareChart label={title} parts={parts} rows={rows} />
              <AsTable
                label={title}
                rows={rows}
                keyOf={({ name }) => name}
                columns={[
                  { head: title, cell: ({ name }) => name },
                  ...parts.map((head, i) => ({
                    head,
                    number: true,
                    cell: (row: (typeof rows)[number]) => row.parts[i],
                  })),
                  { head: s('charts.accepted'), number: true, cell: ({ text }) => text },
                ]}
              />
            </>
          )}
        </article>
      ))}
    </>
  );
}

/** Every hour or day of the span, those without anything too. */
function binned(
  { fromMs, nowMs }: TrendPage,
  hours: number,
  counts: readonly { readonly atMs: number; readonly count: number }[],
  { tick }: ServiceWords,
): { readonly tick: string; readonly value: number }[] {
  const unit = hours <= BY_HOUR ? 'hour' : 'day';
  const bins = new Map<string, number>();
  for (let atMs = fromMs; atMs <= nowMs; atMs += HOUR_MS) bins.set(tick(atMs, unit), 0);
  for (const { atMs, count } of counts) {
    const at = tick(atMs, unit);
    bins.set(at, (bins.get(at) ?? 0) + count);
  }
  return [...bins].map(([at, value]) => ({ tick: at, value }));
}

function Counted({ title, bars }: { readonly title: string; readonly bars: ReturnType<typeof binned> }) {
  const { s } = useServiceWords();
  return (
    <article class="device" aria-label={title}>
      <h3>{title}</h3>
      <BarChart label={title} bars={bars} />
      <AsTable
        label={title}
        rows={bars}
        keyOf={({ tick }) => tick}
        columns={[
          { head: s('device.time'), cell: ({ tick }) => tick },
          { head: title, number: true, cell: ({ value }) => value },
        ]}
      />
    </article>
  );
}

function Faults({ trends, hours }: { readonly trends: TrendPage; readonly hours: number }) {
  const words = useServiceWords();
  const { s, moment, eventName } = words;
  const title = hours <= BY_HOUR ? s('charts.faultsPerHour') : s('charts.faultsPerDay');
  return (
    <article class="device" aria-label={title}>
      <h3>{title}</h3>
      {trends.faults.length === 0 ? (
        <p class="service-note">{s('charts.noFault')}</p>
      ) : (
        <>
          <BarChart label={title} bars={binned(trends, hours, trends.faults, words)} />
          <AsTable
            label={title}
            rows={trends.faults}
            keyOf={({ atMs, code }) => `${atMs} ${code}`}
            columns={[
              { head: s('device.time'), cell: ({ atMs }) => moment(atMs) },
              {
                head: s('events.code'),
                cell: ({ code }) => (
                  <>
                    <span class="tag">{code}</span> {eventName(code)}
                  </>
                ),
              },
              { head: s('charts.number'), number: true, cell: ({ count }) => count },
            ]}
          />
        </>
      )}
    </article>
  );
}

/** How fast each seat plays. */
function Pace({ seats }: { readonly seats: TrendPage['seats'] }) {
  const { s, count, fixed } = useServiceWords();
  return (
    <article class="device" aria-label={s('charts.pace')}>
      <h3>{s('charts.pace')}</h3>
      <DataTable
        label={s('charts.pace')}
        rows={seats}
        keyOf={({ seat }) => seat}
        columns={[
          { head: s('events.seat'), number: true, cell: ({ seat }) => seat },
          { head: s('charts.number'), number: true, cell: ({ rounds }) => count(rounds) },
          {
            head: s('charts.roundsPerHour'),
            number: true,
            cell: ({ rounds, hours }) => fixed(rounds / hours, 1),
          },
        ]}
      />
    </article>
  );
}

function Stood({ stood }: { readonly stood: TrendPage['stood'] }) {
  const { s, count, tableCode, language } = useServiceWords();
  const inSeconds = (ms: number): number => Math.round(ms / 1_000) * 1_000;
  return (
    <article class="device" aria-label={s('charts.stood')}>
      <h3>{s('charts.stood')}</h3>
      <DataTable
        label={s('charts.stood')}
        rows={stood}
        keyOf={({ fault }) => fault}
        columns={[
          { head: s('charts.what'), words: true, cell: ({ fault }) => tableCode('fault', fault) },
          { head: s('charts.number'), number: true, cell: (each) => count(each.count) },
          {
            head: s('charts.median'),
            number: true,
            cell: ({ medianMs }) => spanText(inSeconds(medianMs), language),
          },
          {
            head: s('charts.most'),
            number: true,
            cell: ({ mostMs }) => spanText(inSeconds(mostMs), language),
          },
        ]}
      />
    </article>
  );
}

function Temperatures({ of }: { readonly of: TrendPage['temperatures'] }) {
  const { s, fixed } = useServiceWords();
  return (
    <article class="device" aria-label={s('charts.temperatures')}>
      <h3>{s('charts.temperatures')}</h3>
      <DataTable
        label={s('charts.temperatures')}
        rows={of}
        keyOf={({ name }) => name}
        columns={[
          { head: s('charts.what'), words: true, cell: ({ name }) => name },
          { head: '°C', number: true, cell: ({ milliC }) => fixed(milliC / 1_000, 1) },
        ]}
      />
    </article>
  );
}

function Latencies({ latencies }: { readonly latencies: readonly Latency[] }) {
  const { s, count, fixed, language } = useServiceWords();
  const ms = (value: number): string => `${fixed(value, value < 10 ? 1 : 0)} ms`;
  const nameOf = (what: string): string => {
    const measured = MEASURED.find((each) => each === what);
    return measured === undefined ? deviceText(what, language) : s(`charts.${measured}`);
  };
  return (
    <article class="device" aria-label={s('charts.latencies')}>
      <h3>
        {s('charts.latencies')} <small>{s('charts.latenciesOf')}</small>
      </h3>
      {latencies.length === 0 && <p class="service-note">{s('empty')}</p>}
      <div class="latencies">
        {latencies.map((latency) => (
          <figure key={latency.what}>
            <figcaption>
              <b>{nameOf(latency.what)}</b>
              <br />
              {s('charts.median')} {ms(latency.medianMs)} · 95 % {ms(latency.p95Ms)} · {s('charts.most')}{' '}
              {ms(latency.mostMs)}
            </figcaption>
            <Spread latency={latency} label={nameOf(latency.what)} />
          </figure>
        ))}
      </div>
      {latencies.length > 0 && (
        <AsTable
          label={s('charts.latencies')}
          rows={latencies}
          keyOf={({ what }) => what}
          columns={[
            { head: s('charts.what'), cell: ({ what }) => nameOf(what) },
            { head: s('charts.number'), number: true, cell: (latency) => count(latency.count) },
            { head: s('charts.median'), number: true, cell: ({ medianMs }) => ms(medianMs) },
            { head: '95 %', number: true, cell: ({ p95Ms }) => ms(p95Ms) },
            { head: s('charts.most'), number: true, cell: ({ mostMs }) => ms(mostMs) },
          ]}
        />
      )}
    </article>
  );
}

/** How many took how long, from one millisecond to beyond five seconds. */
function Spread({ latency: { bars, kept }, label }: { readonly latency: Latency; readonly label: string }) {
  return (
    <svg class="chart" viewBox={`0 0 ${bars.length * 26} 62`} role="img" aria-label={label}>
      {bars.map(({ upToMs, count }, i) => {
        const height = (count / Math.max(1, kept)) * 44;
        return (
          <g key={upToMs}>
            <rect
              class="chart-bar"
              x={i * 26 + 2}
              width={22}
              y={46 - Math.max(count > 0 ? 1.5 : 0, height)}
              height={Math.max(count > 0 ? 1.5 : 0, height)}
            >
              <title>{`${upToMs === null ? '> 5 s' : `≤ ${upToMs} ms`}: ${count}`}</title>
            </rect>
            <text class="chart-small" x={i * 26 + 13} y={58} text-anchor="middle">
              {upToMs === null ? '>' : upToMs >= 1000 ? `${upToMs / 1000}s` : upToMs}
            </text>
          </g>
        );
      })}
      <line class="chart-line" x1={0} x2={bars.length * 26} y1={46} y2={46} />
    </svg>
  );
}
