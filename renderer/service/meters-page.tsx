import { useState } from 'preact/hooks';
import { EARLIER, SLICES, type Slice } from '../../engine/accounting/meter-fold.ts';
import type { Currency } from '../../engine/core/money.ts';
import type { RulebookId } from '../../engine/table/profile.ts';
import type { MeterPage } from '../../wire/pages.ts';
import { rulesWriter } from '../rules/rules-words.ts';
import { useView } from '../station/station.ts';
import { useQuery } from '../station/use-query.ts';
import { momentOfText } from '../texts/clock.ts';
import { textOfCode } from '../texts/i18n.ts';
import { MomentField, Periods } from './moment-field.tsx';
import { type Column, DataTable, Loaded } from './parts.tsx';
import { type ServiceWords, useServiceWords } from './service-words.ts';

type Row = MeterPage['meters'][number];

/** One text for all notes and one for all faults; every other meter has its own. */
function meterName(meter: string, { code, language }: ServiceWords): string {
  const note = /^bill_in_([A-Z]{3})_(.+)$/.exec(meter);
  if (note) return code('meter', 'bill_in', { part: `${note[1]} ${note[2]}` });
  const tilt = /^tilts_(\d+)$/.exec(meter);
  return tilt
    ? code('meter', 'tilts', { part: `${tilt[1]} ${textOfCode('events', 'name', tilt[1]!, language)}` })
    : code('meter', meter);
}

/** Kinds that are paid and never laid. */
const WON_ONLY: ReadonlySet<string> = new Set(['even_money', 'special_prize']);

/** A shift is known by the time of the dealer's sign-in. */
function partName(by: Slice, key: string, currency: Currency, words: ServiceWords): string {
  const { code, language, moment, s } = words;
  switch (key) {
    case '':
      return s('meters.rest');
    case EARLIER:
      return s('meters.earlier');
  }
  switch (by) {
    case 'seat':
      return `${s('meters.slice.seat')} ${key}`;
    case 'game':
      return rulesWriter(language, { rulebook: key as RulebookId, currency }).text(`regulation.${key}`);
    case 'bet':
      return WON_ONLY.has(key) ? code('meter', `pay_${key}`) : code('meter', `bet_${key}`);
    case 'denomination':
      return key.replace('_', ' ');
    case 'dealer':
      return key;
    case 'shift':
      return moment(Number(key));
  }
}

/**
 * Columns of parts that have room; of more, the newest are shown and the others as one, so that a
 * row still sums.
 */
const COLUMNS = 12;

function partColumns({ by, keys }: MeterPage, currency: Currency, words: ServiceWords): Column<Row>[] {
  if (by === null) return [];
  const shown = keys
    .map((key, at) => ({ key, at }))
    .filter(({ key }) => key !== '')
    .slice(-COLUMNS);
  const named = shown.map(({ key, at }) => ({
    head: partName(by, key, currency, words),
    number: true,
    cell: (row: Row) => valueText(row, row.parts[at] ?? 0, words),
  }));
  if (shown.length === keys.length) return named;
  const rest = (row: Row): number => shown.reduce((left, { at }) => left - (row.parts[at] ?? 0), row.value);
  return [
    ...named,
    { head: words.s('meters.rest'), number: true, cell: (row) => valueText(row, rest(row), words) },
  ];
}

const valueText = ({ unit }: Row, value: number, { money, count }: ServiceWords): string =>
  unit === 'money' ? money(value) : count(value);

/**
 * Every meter as of now or of a past second, of the whole life or of a period, of the table or of
 * its parts.
 */
export function MetersPage() {
  const words = useServiceWords();
  const { s, moment } = words;
  const { currency } = useView().table;
  const [asOf, setAsOf] = useState('');
  const [from, setFrom] = useState('');
  const [by, setBy] = useState<Slice | null>(null);
  const asOfMs = momentOfText(asOf, currency);
  const fromMs = momentOfText(from, currency);
  const isOrdered = asOfMs === null || fromMs === null || fromMs <= asOfMs;
  const page = useQuery({ query: 'meters', asOfMs, fromMs: isOrdered ? fromMs : null, by });
  return (
    <>
      <div class="service-bar">
        <Periods
          onPeriod={(since, to) => {
            setFrom(since);
            setAsOf(to);
          }}
        />
        <MomentField label={s('meters.from')} value={from} onChange={setFrom} />
        <MomentField label={s('meters.asOf')} value={asOf} onChange={setAsOf} />
        <select
          aria-label={s('meters.by')}
          value={by ?? ''}
          onChange={({ currentTarget }) =>
            setBy(SLICES.find((slice) => slice === currentTarget.value) ?? null)
          }
        >
          <option value="">{s('meters.all')}</option>
          {SLICES.map((slice) => (
            <option key={slice} value={slice}>
              {s(`meters.slice.${slice}`)}
            </option>
          ))}
        </select>
        <button type="button" class="button" onClick={page.reload}>
          {s('reload')}
        </button>
      </div>
      {!isOrdered && <p role="alert">{s('meters.order')}</p>}
      <Loaded from={page}>
        {(data) => (
          <>
            <p class="service-note">
              {data.from === null
                ? s('meters.at', { time: moment(data.asOf.atMs), seq: data.asOf.seq })
                : s('meters.period', { from: moment(data.from.atMs), to: moment(data.asOf.atMs) })}
            </p>
            {data.problems.map((problem) => (
              <p role="alert" key={problem}>
                {s('meters.problem', { problem })}
              </p>
            ))}
            <DataTable
              label={s('page.meters')}
              isClose
              rows={data.meters}
              keyOf={(meter) => meter.code}
              columns={[
                { head: s('meters.code'), cell: (meter) => meterName(meter.code, words) },
                {
                  head: s('meters.value'),
                  number: true,
                  cell: (meter) => valueText(meter, meter.value, words),
                },
                ...partColumns(data, currency, words),
              ]}
            />
          </>
        )}
      </Loaded>
    </>
  );
}
