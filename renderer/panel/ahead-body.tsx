import type { Act } from '../../engine/table/inputs.ts';
import type { SeatView, TableView } from '../../wire/view.ts';
import { inOrder, pointsText } from '../parts/mode.ts';
import { useStation } from '../station/station.ts';
import { useWords } from '../station/words.ts';
import { turnReason } from './wait-reason.ts';

/**
 * While others decide: what the player means to say in their turn. One touch notes it, another one
 * takes it back.
 */
export function AheadBody({ seat, view }: { readonly seat: SeatView; readonly view: TableView }) {
  const station = useStation();
  const { t } = useWords();
  const { seat: number } = seat;
  const choices = inOrder(seat.ahead ?? []).filter(({ allowed }) => allowed);
  const first = choices[0];
  if (!first || !view.round) return null;
  const roundId = view.round.id;
  const hand = view.seats[first.seat - 1]?.hands[first.hand];
  const noted = seat.intent && !seat.intent.dropped ? seat.intent.act : null;
  const note = (act: Act): void => {
    void station.send(number, {
      type: 'note-intent',
      roundId,
      seat: first.seat,
      ...(first.seat === number ? {} : { by: number }),
      hand: first.hand,
      act: act === noted ? null : act,
      touchedAtMs: station.wire.hostNow(),
    });
  };
  return (
    <div class="ahead-body">
      <div class="ahead-head">
        <strong data-unspoken={hand?.faceDown ? '' : undefined}>
          {first.seat !== number && `${first.seat} · `}
          {hand && pointsText(hand, t)}
        </strong>
        <span class="quiet">{turnReason(view, seat, t)}</span>
      </div>
      <p class={noted ? 'ahead-line ahead-noted' : 'ahead-line'} role="status">
        {noted ? t('ahead.noted', { act: t(`act.${noted}`) }) : t('ahead.title')}
      </p>
      <fieldset class="ahead" aria-label={t('ahead.title')}>
        {choices.map(({ act }) => (
          <button
            type="button"
            key={act}
            class="button"
            aria-pressed={act === noted}
            onClick={() => note(act)}
          >
            {t(`act.${act}`)}
          </button>
        ))}
      </fieldset>
      {/* Five of them take its room. */}
      {noted && choices.length <= 4 && <p class="ahead-hint">{t('ahead.hint')}</p>}
    </div>
  );
}
