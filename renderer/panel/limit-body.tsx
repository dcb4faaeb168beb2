import type { SeatView, SessionView } from '../../wire/view.ts';
import { useDerived, useStation, useView } from '../station/station.ts';
import { useWords } from '../station/words.ts';
import { durationText, formatClock } from '../texts/clock.ts';
import { usePlayedMs } from './session-page.tsx';

/**
 * A limit its player has set for themselves is reached: it says so, and takes no new bet before
 * they have decided.
 */
export function LimitBody({ seat, session }: { readonly seat: SeatView; readonly session: SessionView }) {
  const station = useStation();
  const { t, language } = useWords();
  const { currency } = useView().table;
  const { nowMs } = station;
  const { breakUntilMs = 0 } = session;
  const isBreak = useDerived(() => nowMs.value < breakUntilMs, [nowMs, breakUntilMs]);
  const played = usePlayedMs(session);
  const { seat: number, creditMinor } = seat;
  return (
    <div class="message message-limit">
      <strong>
        {session.reached === 'break'
          ? t('session.breakUntil', { time: formatClock(breakUntilMs, currency, language) })
          : session.reached === 'time'
            ? t('session.reachedTime', { time: durationText(played, t) })
            : t('session.reachedLoss', { amount: Math.max(0, -session.resultMinor) })}
      </strong>
      <span class="quiet">{t(isBreak ? 'session.breakRule' : 'session.pause')}</span>
      <div class="two-buttons">
        {creditMinor > 0 && (
          <button
            type="button"
            class="button button-gold"
            onClick={() => void station.send(number, { type: 'request-cash-out', seat: number })}
          >
            {t('cashOut.button')}
          </button>
        )}
        {!isBreak && (
          <button
            type="button"
            class="button button-quiet"
            onClick={() => void station.send(number, { type: 'confirm-own-limit', seat: number })}
          >
            {t('session.goOn')}
          </button>
        )}
      </div>
    </div>
  );
}
