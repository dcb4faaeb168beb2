import type { SeatView, TableView } from '../../wire/view.ts';
import { ownBets } from '../parts/mode.ts';
import { useStation } from '../station/station.ts';
import { useWords } from '../station/words.ts';
import { amountText } from '../table/chips.ts';
import { Seconds } from './bet-row.tsx';

/**
 * The choice of another seat to bet on (art. 20.1, r.15, r.16): lit where it can be, else it says
 * why when touched.
 */
export function PlaceBody({ seat, view }: { readonly seat: SeatView; readonly view: TableView }) {
  const station = useStation();
  const { t, language } = useWords();
  const own = ownBets(view, seat);
  return (
    <div class="bet-body">
      <div class="bet-line">
        <strong>{t('bet.behind.choose')}</strong>
        <Seconds view={view} />
      </div>
      <fieldset class="places" aria-label={t('bet.behind.choose')}>
        {seat.behind.map(({ seat: on, refused }) => {
          const laid = own.reduce((sum, bet) => sum + (bet.seat === on ? bet.amountMinor : 0), 0);
          return (
            <button
              type="button"
              key={on}
              class="place"
              aria-label={t('seat.name', { seat: on })}
              aria-disabled={refused !== null && laid === 0}
              onClick={() => {
                if (refused === null || laid > 0) station.pickPlace(seat.seat, on);
                else station.notify(seat.seat, { ...refused, act: null });
              }}
            >
              <b>{on}</b>
              {laid > 0 && <small>{amountText(laid, language)}</small>}
            </button>
          );
        })}
      </fieldset>
      <div class="account-row">
        <button
          type="button"
          class="button button-quiet"
          onClick={() => station.pickPlace(seat.seat, seat.seat)}
        >
          {t('bet.behind.back')}
        </button>
      </div>
    </div>
  );
}
