import type { SeatView } from '../../wire/view.ts';
import { Icon } from '../parts/icons.tsx';
import { useStation, useView } from '../station/station.ts';
import { useWords } from '../station/words.ts';
import { minutesAndSeconds, useComplaintSeconds } from './complaint-dialogs.tsx';

/**
 * How much of the longest term the ring of the button shows; a term without an end is a full ring.
 */
const RING_S = 300;

/** A flag in the foot of the panel as long as the player may complain; lit while they have. */
export function ComplaintButton(props: {
  readonly seat: SeatView;
  readonly isOpen: boolean;
  readonly onTouch: () => void;
}) {
  const { complaints } = useView();
  const { t } = useWords();
  const seconds = useComplaintSeconds();
  const own = complaints.some(({ seat }) => seat === props.seat.seat);
  if (!own && (seconds === 0 || props.seat.free)) return null;
  const part = own || seconds === null ? 1 : Math.min(1, seconds / RING_S);
  return (
    <button
      type="button"
      class={own ? 'flag flag-own' : 'flag'}
      style={{ '--left': part }}
      aria-label={own ? t('complaint.open') : t('complaint.button')}
      aria-expanded={props.isOpen}
      onClick={props.onTouch}
    >
      <Icon name="flag" />
    </button>
  );
}

/**
 * The question before a complaint with the time that is left, or what becomes of the one that is
 * open (r.61).
 */
export function ComplaintBody({ seat, onDone }: { readonly seat: SeatView; readonly onDone: () => void }) {
  const station = useStation();
  const { complaints, complaintWindow } = useView();
  const { t, articles } = useWords();
  const seconds = useComplaintSeconds();
  const own = complaints.find((each) => each.seat === seat.seat);
  const back = (
    <button type="button" class="button button-quiet" onClick={onDone}>
      {t('complaint.cancel')}
    </button>
  );
  if (own) {
    return (
      <div class="message">
        <strong>{t('complaint.open')}</strong>
        <span>
          {t('desk.complaintNo', { no: own.complaintNo })} · {t('desk.round', { no: own.roundNo })}
        </span>
        <span class="quiet">{t('complaint.coming')}</span>
        {back}
      </div>
    );
  }
  if (!complaintWindow || seconds === 0) {
    return (
      <div class="message">
        <strong>{t('complaint.over')}</strong>
        {back}
      </div>
    );
  }
  const { roundNo, cites } = complaintWindow;
  return (
    <div class="message">
      <strong>{t('complaint.ask', { no: roundNo })}</strong>
      <span class="quiet">{t('complaint.why')}</span>
      <span class="complaint-left">
        {seconds === null
          ? `${t('complaint.untilFed')} · ${articles(cites)}`
          : t('complaint.left', { time: minutesAndSeconds(seconds) })}
      </span>
      <div class="two-buttons">
        {back}
        <button
          type="button"
          class="button button-gold"
          onClick={() => {
            void station.send(seat.seat, { type: 'raise-complaint', seat: seat.seat, from: 'player' });
          }}
        >
          {t('complaint.button')}
        </button>
      </div>
    </div>
  );
}
