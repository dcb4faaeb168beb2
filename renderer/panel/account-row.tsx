import type { SeatView } from '../../wire/view.ts';
import { useStation, useView } from '../station/station.ts';
import { useWords } from '../station/words.ts';

export const mayCashOut = ({ creditMinor, cashOut }: SeatView): boolean => creditMinor > 0 && !cashOut;

/** Cash-out, and with a shared acceptor the choice of the seat the next note is for. */
export function AccountRow({ seat }: { readonly seat: SeatView }) {
  const station = useStation();
  const view = useView();
  const { t } = useWords();
  const { seat: number } = seat;
  return (
    <div class="account-row">
      {view.table.acceptors === 'shared' && <NotesButton seat={number} />}
      {mayCashOut(seat) && (
        <button
          type="button"
          class="button button-quiet"
          onClick={() => void station.send(number, { type: 'request-cash-out', seat: number })}
        >
          {t('cashOut.button')}
        </button>
      )}
    </div>
  );
}

/** With a shared acceptor: the next note is for this seat. */
export function NotesButton({ seat }: { readonly seat: number }) {
  const station = useStation();
  const { noteSeat } = useView();
  const { t } = useWords();
  const chosen = noteSeat === seat;
  return (
    <button
      type="button"
      class={chosen ? 'button button-gold' : 'button button-quiet'}
      aria-pressed={chosen}
      onClick={() => void station.send(seat, { type: 'choose-note-seat', seat: chosen ? null : seat })}
    >
      {chosen ? t('seat.notesHereOn') : t('seat.notesHere')}
    </button>
  );
}
