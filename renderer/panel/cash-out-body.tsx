import { useState } from 'preact/hooks';
import { DUTIES } from '../../engine/table/duties.ts';
import type { Credential } from '../../wire/fields.ts';
import type { SeatView } from '../../wire/view.ts';
import { Amount } from '../parts/amount.tsx';
import { PinPad } from '../parts/pin-pad.tsx';
import { useDerived, useStation, useView } from '../station/station.ts';
import { useWords } from '../station/words.ts';

/**
 * A hand-pay that waits for an attendant, who confirms it here with a PIN (two persons above the
 * table's limit).
 */
export function CashOutBody({ seat }: { readonly seat: SeatView }) {
  const station = useStation();
  const { table, seats, handedOver } = useView();
  const { t, language } = useWords();
  const [pad, setPad] = useState<'closed' | 'first' | 'second'>('closed');
  const [first, setFirst] = useState<Credential | null>(null);
  const request = seat.cashOut;
  const sinceMs = request?.sinceMs ?? null;
  const minutes = useDerived(
    () => (sinceMs === null ? 0 : Math.max(0, Math.floor((station.nowMs.value - sinceMs) / 60_000))),
    [station, sinceMs],
  );
  if (!request) return null;
  const { requestId } = request;
  // art. 13.5.2.vi
  const hasSeries = seats.some(({ streak }) => streak?.open.some(({ by }) => by === seat.seat));

  const close = (): void => {
    setFirst(null);
    setPad('closed');
  };
  const enter = (credential: Credential): void => {
    if (pad === 'first' && request.twoPersons) {
      setFirst(credential);
      setPad('second');
      return;
    }
    void station.send(seat.seat, {
      type: 'confirm-hand-pay',
      seat: seat.seat,
      requestId,
      from: 'player' as const,
      ...(first === null ? { credential } : { credential: first, secondCredential: credential }),
    });
    close();
  };

  if (pad !== 'closed' && !handedOver?.dealer) {
    const title = pad === 'first' ? t('cashOut.pin') : t('cashOut.secondPin');
    return (
      <PinPad
        key={pad}
        title={title}
        t={t}
        roles={DUTIES['confirm-hand-pay'][pad]}
        except={first?.person}
        onCredential={enter}
        onClose={close}
      />
    );
  }
  return (
    <div class="message message-cash-out">
      <strong>{t('cashOut.title')}</strong>
      <span class="pay-sum">
        <Amount minor={request.amountMinor} currency={table.currency} language={language} />
      </span>
      <span class="quiet">
        {t('cashOut.coming')}
        {minutes > 0 && ` · ${t('cashOut.waiting', { minutes })}`}
      </span>
      {seat.creditMinor > 0 && hasSeries && (
        <span class="quiet">{t('cashOut.kept', { amount: seat.creditMinor })}</span>
      )}
      <div class="two-buttons">
        <button
          type="button"
          class="button button-quiet"
          onClick={() =>
            void station.send(seat.seat, { type: 'cancel-cash-out', seat: seat.seat, requestId })
          }
        >
          {t('cashOut.cancel')}
        </button>
        {/* Beside a display of the dealer no PIN is typed on the players' glass. */}
        {!handedOver?.dealer && (
          <button type="button" class="button button-gold" onClick={() => setPad('first')}>
            {t('cashOut.pay')}
          </button>
        )}
      </div>
    </div>
  );
}
