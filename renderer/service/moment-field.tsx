import { useStation, useView } from '../station/station.ts';
import { type MomentPart, momentOrder, textOfMoment } from '../texts/clock.ts';
import { useServiceWords } from './service-words.ts';

/** Years back that can be asked for, as long as a ledger is kept, and one ahead. */
const YEARS_BACK = 10;
const FIRST: Readonly<Record<Exclude<MomentPart, 'year'>, number>> = {
  month: 1,
  day: 1,
  hour: 0,
  minute: 0,
  second: 0,
};
const COUNT: Readonly<Record<Exclude<MomentPart, 'year'>, number>> = {
  month: 12,
  day: 31,
  hour: 24,
  minute: 60,
  second: 60,
};
/** As `value` writes them. */
const PARTS = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const satisfies readonly MomentPart[];

const two = (value: number): string => String(value).padStart(2, '0');
const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

/**
 * A date and a time as one choice for each part, in the order the language writes them. Chromium's
 * own field has the order of the machine's language, not of the page's, and there is no keyboard at
 * every table. The first part chosen begins with this day at midnight; a part set back to its sign
 * empties the whole field.
 */
export function MomentField(props: {
  readonly label: string;
  /** '2026-05-01T18:30:00' of the casino's clock; empty = none. */
  readonly value: string;
  readonly onChange: (text: string) => void;
}) {
  const { label, value, onChange } = props;
  const { wire } = useStation();
  const { currency } = useView().table;
  const { s, language } = useServiceWords();
  const today = textOfMoment(wire.hostNow(), currency);
  const at = (text: string): number[] => text.split(/[-T:]/).map(Number);
  const shown = value === '' ? null : at(value);
  const thisYear = at(today)[0]!;
  const choices = (part: MomentPart): number[] => {
    if (part === 'year') {
      const years = Array.from({ length: YEARS_BACK + 2 }, (_, i) => thisYear + 1 - i);
      return shown && !years.includes(shown[0]!) ? [...years, shown[0]!] : years;
    }
    const count = part === 'day' && shown ? daysIn(shown[0]!, shown[1]!) : COUNT[part];
    return Array.from({ length: count }, (_, i) => FIRST[part] + i);
  };
  const set = (part: MomentPart, chosen: string): void => {
    if (chosen === '') return onChange('');
    const next = shown ?? [...at(today).slice(0, 3), 0, 0, 0];
    next[PARTS.indexOf(part)] = Number(chosen);
    const [year = 0, month = 1, day = 1, ...time] = next;
    const lawful = Math.min(day, daysIn(year, month));
    onChange(`${year}-${two(month)}-${two(lawful)}T${time.map(two).join(':')}`);
  };
  return (
    <fieldset class="moment" aria-label={label}>
      <span>{label}</span>
      {momentOrder(language).map(({ type, value: sign }, i) =>
        type === 'literal' ? (
          <span key={i} aria-hidden="true">
            {sign.replace(',', '').trim()}
          </span>
        ) : (
          <select
            key={type}
            aria-label={`${label}: ${s(`moment.${type}`)}`}
            value={shown === null ? '' : String(shown[PARTS.indexOf(type)])}
            onChange={({ currentTarget }) => set(type, currentTarget.value)}
          >
            <option value="">{s(`momentSign.${type}`)}</option>
            {choices(type).map((each) => (
              <option key={each} value={String(each)}>
                {two(each)}
              </option>
            ))}
          </select>
        ),
      )}
    </fieldset>
  );
}

const DAY_MS = 24 * 3_600_000;
const PERIODS = ['today', 'yesterday', 'week', 'ever'] as const;

/** Periods that are asked for every day, each by one touch; `to` empty = up to now. */
export function Periods({ onPeriod }: { readonly onPeriod: (from: string, to: string) => void }) {
  const { wire } = useStation();
  const { currency } = useView().table;
  const { m } = useServiceWords();
  const midnight = (daysAgo: number): string =>
    `${textOfMoment(wire.hostNow() - daysAgo * DAY_MS, currency).slice(0, 10)}T00:00:00`;
  const span = (period: (typeof PERIODS)[number]): readonly [from: string, to: string] => {
    switch (period) {
      case 'today':
        return [midnight(0), ''];
      case 'yesterday':
        return [midnight(1), midnight(0)];
      case 'week':
        return [midnight(7), ''];
      case 'ever':
        return ['', ''];
    }
  };
  return (
    <fieldset class="periods" aria-label={m('periods')}>
      {PERIODS.map((period) => (
        <button type="button" key={period} class="button" onClick={() => onPeriod(...span(period))}>
          {m(`period.${period}`)}
        </button>
      ))}
    </fieldset>
  );
}
