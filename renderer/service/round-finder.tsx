import { useState } from 'preact/hooks';
import { Icon } from '../parts/icons.tsx';
import { useStation, useView } from '../station/station.ts';
import { useServiceWords } from './service-words.ts';

/** What the rounds of the list are to be; null = any. */
export interface Sought {
  /** This one and those before it. */
  readonly no: number | null;
  readonly seat: number | null;
  /** Opened up to then. */
  readonly atMs: number | null;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** There is no keyboard at a table: one goes back and forth in time. */
const TRAVELS = [-30 * DAY_MS, -DAY_MS, -HOUR_MS, -10 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, DAY_MS] as const;
const MOST_DIGITS = 9;

/** Finds rounds by number, by seat and by time, with fingers alone. */
export function RoundFinder({ sought, onSeek }: { sought: Sought; onSeek: (sought: Sought) => void }) {
  const { s, moment, t } = useServiceWords();
  const { wire } = useStation();
  const { seats } = useView();
  const [typed, setTyped] = useState('');
  const newest: Sought = { no: null, seat: null, atMs: null };
  const sign = (ms: number): string => {
    const n = Math.abs(ms);
    const text =
      n >= DAY_MS
        ? s('rounds.days', { n: n / DAY_MS })
        : n >= HOUR_MS
          ? s('rounds.hours', { n: n / HOUR_MS })
          : s('rounds.minutes', { n: n / MINUTE_MS });
    return `${ms < 0 ? '−' : '+'}${text}`;
  };
  return (
    <section class="finder" aria-label={s('rounds.find')}>
      <p class="finder-name">{s('rounds.byNo')}</p>
      <div class="finder-keys">
        <output class="finder-no">{typed === '' ? (sought.no ?? '–') : typed}</output>
        {[...'1234567890'].map((digit) => (
          <button
            type="button"
            key={digit}
            class="key"
            onClick={() => setTyped((typed + digit).replace(/^0+/, '').slice(0, MOST_DIGITS))}
          >
            {digit}
          </button>
        ))}
        <button
          type="button"
          class="key"
          aria-label={t('pin.erase')}
          onClick={() => setTyped(typed.slice(0, -1))}
        >
          <Icon name="erase" />
        </button>
        <button
          type="button"
          class="key key-ok"
          aria-label={s('rounds.find')}
          disabled={typed === ''}
          onClick={() => {
            onSeek({ ...sought, no: Number(typed), atMs: null });
            setTyped('');
          }}
        >
          ✓
        </button>
        <button
          type="button"
          class="button"
          disabled={sought.no === null && sought.seat === null && sought.atMs === null}
          onClick={() => {
            onSeek(newest);
            setTyped('');
          }}
        >
          {s('rounds.latest')}
        </button>
      </div>
      <p class="finder-name">{s('rounds.bySeat')}</p>
      <div class="finder-keys">
        <button
          type="button"
          class="button"
          aria-pressed={sought.seat === null}
          onClick={() => onSeek({ ...sought, seat: null })}
        >
          {s('rounds.allSeats')}
        </button>
        {seats.map(({ seat }) => (
          <button
            type="button"
            key={seat}
            class="key"
            aria-label={t('seat.name', { seat })}
            aria-pressed={sought.seat === seat}
            onClick={() => onSeek({ ...sought, seat })}
          >
            {seat}
          </button>
        ))}
      </div>
      <p class="finder-name">{s('rounds.byTime')}</p>
      <div class="finder-keys">
        {TRAVELS.map((ms) => (
          <button
            type="button"
            key={ms}
            class="button"
            onClick={() => {
              const now = wire.hostNow();
              const atMs = Math.max(0, (sought.atMs ?? now) + ms);
              onSeek({ ...sought, no: null, atMs: atMs >= now ? null : atMs });
            }}
          >
            {sign(ms)}
          </button>
        ))}
        {sought.atMs !== null && <span>{s('rounds.upTo', { time: moment(sought.atMs) })}</span>}
      </div>
    </section>
  );
}
