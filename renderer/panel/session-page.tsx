import { timesOf } from '../../engine/core/money.ts';
import type { OwnLimits } from '../../engine/table/inputs.ts';
import type { SeatView, SessionView, TableView } from '../../wire/view.ts';
import { useDerived, useStation } from '../station/station.ts';
import { useWords } from '../station/words.ts';
import { durationText } from '../texts/clock.ts';
import { Option, Setting } from './setting.tsx';

const MINUTE_MS = 60_000;
const TIME_LIMITS_MS: readonly number[] = [30, 60, 120, 180].map((minutes) => minutes * MINUTE_MS);
const BREAKS_MS: readonly number[] = [10, 30, 60, 240].map((minutes) => minutes * MINUTE_MS);
/** In smallest bets of the table. */
const LOSS_LIMITS: readonly number[] = [10, 20, 50, 100];

/** Whole minutes since the seat was taken, in ms. */
export function usePlayedMs({ sinceMs }: Pick<SessionView, 'sinceMs'>): number {
  const { nowMs } = useStation();
  return useDerived(
    () => Math.max(0, Math.floor((nowMs.value - sinceMs) / MINUTE_MS)) * MINUTE_MS,
    [nowMs, sinceMs],
  );
}

/**
 * Time and money since the seat was taken, out of the ledger, and the limits its player has set for
 * themselves.
 */
export function SessionPage({ seat, view }: { readonly seat: SeatView; readonly view: TableView }) {
  const { t, language } = useWords();
  return (
    <>
      {seat.session ? (
        <Facts seat={seat.seat} session={seat.session} view={view} />
      ) : (
        <p class="settings-note">{t('session.none')}</p>
      )}
      {view.help && (
        <p class="settings-note">
          <strong>{view.help.line[language]}</strong> {view.help.exclusion[language]}
        </p>
      )}
    </>
  );
}

function Facts(props: { readonly seat: number; readonly session: SessionView; readonly view: TableView }) {
  const { seat, session, view } = props;
  const station = useStation();
  const { t, money } = useWords();
  const played = usePlayedMs(session);
  const {
    inMinor,
    outMinor,
    resultMinor,
    limits,
    mayRaise,
    standing = [],
    rounds,
    largestLossMinor,
  } = session;
  const set = (change: Partial<OwnLimits>): void => {
    void station.send(seat, { type: 'set-own-limits', seat, ...limits, ...change });
  };
  const losses = LOSS_LIMITS.map((times) => timesOf(view.table.minMinor, times));
  const closed = (kind: keyof OwnLimits, limit: number | null): boolean => {
    const now = limits[kind] ?? null;
    return (!mayRaise || standing.includes(kind)) && now !== null && (limit === null || limit > now);
  };
  return (
    <>
      <dl class="session-facts">
        <dt>{t('session.played')}</dt>
        <dd>{durationText(played, t)}</dd>
        <dt>{t('session.in')}</dt>
        <dd>{money(inMinor)}</dd>
        <dt>{t('session.out')}</dt>
        <dd>{money(outMinor)}</dd>
        {rounds !== undefined && (
          <>
            <dt>{t('session.rounds')}</dt>
            <dd>{rounds}</dd>
          </>
        )}
        {largestLossMinor !== undefined && (
          <>
            <dt>{t('session.largestLoss')}</dt>
            <dd>{money(largestLossMinor)}</dd>
          </>
        )}
        <dt class="session-result">
          {resultMinor > 0 ? t('session.won') : resultMinor < 0 ? t('session.lost') : t('session.even')}
        </dt>
        <dd class="session-result">{resultMinor === 0 ? '' : money(Math.abs(resultMinor))}</dd>
      </dl>
      <Setting name={t('session.timeLimit')}>
        {withOwn(TIME_LIMITS_MS, limits.timeMs).map((timeMs) => (
          <Option
            key={timeMs}
            on={timeMs === limits.timeMs}
            closed={closed('timeMs', timeMs)}
            onTouch={() => set({ timeMs })}
          >
            {timeMs === null ? t('session.noLimit') : durationText(timeMs, t)}
          </Option>
        ))}
      </Setting>
      <Setting name={t('session.lossLimit')}>
        {withOwn(losses, limits.lossMinor).map((lossMinor) => (
          <Option
            key={lossMinor}
            on={lossMinor === limits.lossMinor}
            closed={closed('lossMinor', lossMinor)}
            onTouch={() => set({ lossMinor: lossMinor as OwnLimits['lossMinor'] })}
          >
            {lossMinor === null ? t('session.noLimit') : money(lossMinor)}
          </Option>
        ))}
      </Setting>
      <Setting name={t('session.inLimit')}>
        {withOwn(losses, limits.inMinor ?? null).map((most) => (
          <Option
            key={most}
            on={most === (limits.inMinor ?? null)}
            closed={closed('inMinor', most)}
            onTouch={() => set({ inMinor: most as OwnLimits['lossMinor'] })}
          >
            {most === null ? t('session.noLimit') : money(most)}
          </Option>
        ))}
      </Setting>
      <Setting name={t('session.break')}>
        {BREAKS_MS.map((forMs) => (
          <Option
            key={forMs}
            on={false}
            onTouch={() => void station.send(seat, { type: 'take-break', seat, forMs })}
          >
            {durationText(forMs, t)}
          </Option>
        ))}
      </Setting>
      <p class="settings-note">{t('session.rule')}</p>
    </>
  );
}

/** What is offered, with what is set although it is not offered any more; null = no limit. */
const withOwn = (offered: readonly number[], own: number | null): (number | null)[] => [
  ...new Set([...offered, ...(own === null ? [] : [own])].sort((a, b) => a - b)),
  null,
];
