import type { BettingChoice } from '../../engine/table/steps.ts';
import type { SeatView, TableView } from '../../host/api.ts';
import { useSecondsLeft, useStation } from '../station.ts';
import { useWords } from '../words.ts';
import { AccountRow } from './account-row.tsx';
import { Chip } from './chip.tsx';

const TOOLS = ['undo-bet', 'clear-bets', 'repeat-bets', 'double-bets'] as const;
const LAST_CALL_S = 5;

/** Chips to bet with: one touch on a chip lays it on the main bet. */
export function BetBody({ seat, view }: { seat: SeatView; view: TableView }) {
  const station = useStation();
  const { t, money } = useWords();
  const { table, deadline } = view;
  const number = seat.seat;
  const place = seat.betting.find((choice) => choice.act === 'place-bet') ?? null;
  const staked = seat.bets.filter((bet) => bet.by === number).reduce((sum, bet) => sum + bet.amountMinor, 0);
  const seconds = useSecondsLeft(deadline?.atMs ?? null);

  const layChip = (chipMinor: number): void => {
    const closed = place && chipClosed(place, chipMinor, seat.creditMinor);
    if (closed) station.notify(number, { code: closed, cites: place.cites, act: null });
    else station.placeBet(number, 'main', chipMinor);
  };
  const useTool = (choice: BettingChoice): void => {
    const roundId = view.round?.id;
    if (!choice.allowed || roundId === undefined || choice.act === 'place-bet') {
      station.notify(number, { code: choice.code ?? 'not-allowed', cites: choice.cites, act: null });
      return;
    }
    void station.send(number, {
      type: choice.act,
      roundId,
      seat: number,
      touchedAtMs: station.wire.hostNow(),
    });
  };

  return (
    <div class="bet-body">
      <div class="bet-line">
        {staked > 0 ? (
          <span class="bet-sum">
            <span>{t('bet.yours')}</span> <strong>{money(staked)}</strong>
          </span>
        ) : (
          <span class="quiet">{t('bet.limits', { min: table.minMinor, max: table.maxMinor })}</span>
        )}
        {seconds !== null && (
          <span class={seconds <= LAST_CALL_S ? 'seconds seconds-last' : 'seconds'}>
            {seconds <= LAST_CALL_S && <span class="last-call">{t('bet.lastCall')}</span>}
            {t('bet.seconds', { count: seconds })}
          </span>
        )}
      </div>
      <fieldset class="chips" aria-label={t('bet.chips')} data-count={table.chipsMinor.length}>
        {table.chipsMinor.map((chip) => (
          <button
            type="button"
            key={chip}
            class="chip-button"
            aria-label={t('bet.chip', { amount: chip })}
            aria-disabled={place === null || chipClosed(place, chip, seat.creditMinor) !== null}
            onClick={() => layChip(chip)}
          >
            <Chip valueMinor={chip} />
          </button>
        ))}
      </fieldset>
      <div class="tools">
        {TOOLS.map((act) => {
          const choice = seat.betting.find((each) => each.act === act);
          return choice ? (
            <button
              type="button"
              key={act}
              class="button button-tool"
              aria-disabled={!choice.allowed}
              onClick={() => useTool(choice)}
            >
              {t(`bet.${act}`)}
            </button>
          ) : null;
        })}
      </div>
      <AccountRow seat={seat} />
    </div>
  );
}

/** Why this chip cannot be laid now; null = it can. */
function chipClosed(place: BettingChoice, chipMinor: number, creditMinor: number): BettingChoice['code'] {
  if (!place.allowed) return place.code ?? 'not-allowed';
  if (place.amountMinor === null || chipMinor <= place.amountMinor) return null;
  return chipMinor > creditMinor ? 'no-credit' : 'limit';
}
