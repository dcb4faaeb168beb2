import { useState } from 'preact/hooks';
import { DUTIES } from '../../engine/table/duties.ts';
import type { TableView } from '../../wire/view.ts';
import { Amount } from '../parts/amount.tsx';
import { Bi, biText } from '../parts/bilingual.tsx';
import { useDerived, useStation, useView } from '../station/station.ts';
import { amountInWords } from '../texts/amount-in-words.ts';
import { houseLanguage, houseLanguages } from '../texts/i18n.ts';
import { Frame, Pins, type SendProps } from './dialog-parts.tsx';
import { Nothing } from './staff-desk.tsx';

/**
 * What waits is announced again every 15 s (SAS 7.8.1), for some seconds; told from its own time,
 * so a restart changes nothing.
 */
const ANNOUNCE_EVERY_MS = 15_000;
const ANNOUNCE_MS = 4_000;
export const isAnnounced = (sinceMs: number, nowMs: number): boolean =>
  Math.max(0, nowMs - sinceMs) % ANNOUNCE_EVERY_MS < ANNOUNCE_MS;

export function useAnnounced(sinceMs: number): boolean {
  const { nowMs } = useStation();
  return useDerived(() => isAnnounced(sinceMs, nowMs.value), [nowMs, sinceMs]);
}

/** Whole minutes since a moment of the host's clock. */
export function useMinutesSince(sinceMs: number): number {
  const { nowMs } = useStation();
  return useDerived(() => Math.max(0, Math.floor((nowMs.value - sinceMs) / 60_000)), [nowMs, sinceMs]);
}

type HandPay = TableView['handPays'][number];

/**
 * The queue of hand-pays, the oldest first: chosen, paid over the counter, confirmed by one person
 * or two.
 */
export function HandPays({ open, send }: SendProps) {
  const { handPays } = useView();
  const [chosen, choose] = useState<string | null>(null);
  const pay = handPays.find(({ requestId }) => requestId === chosen);
  if (pay) return <PayOut pay={pay} open={open} send={send} back={() => choose(null)} />;
  return (
    <Frame title={(t) => t('desk.hand-pays')} open={open} back="desk">
      {handPays.map((each) => (
        <Waiting key={each.requestId} pay={each} onTouch={() => choose(each.requestId)} />
      ))}
      {handPays.length === 0 && <Nothing />}
    </Frame>
  );
}

function Waiting({ pay, onTouch }: { readonly pay: HandPay; readonly onTouch: () => void }) {
  const { currency } = useView().table;
  const { seat, amountMinor, sinceMs } = pay;
  const minutes = useMinutesSince(sinceMs);
  return (
    <div class={useAnnounced(sinceMs) ? 'desk-row desk-row-announced' : 'desk-row'}>
      <p class="desk-fact">
        <strong>
          <Amount minor={amountMinor} currency={currency} language={houseLanguage()} />
        </strong>
        <span class="quiet">
          <Bi text={(t) => `${t('seat.name', { seat })} · ${t('cashOut.waiting', { minutes })}`} />
        </span>
      </p>
      <button
        type="button"
        class="button button-gold"
        aria-label={biText((t) => `${t('seat.name', { seat })} ${t('desk.pay')}`)}
        onClick={onTouch}
      >
        <Bi text={(t) => t('desk.pay')} />
      </button>
    </div>
  );
}

/** The whole amount, in figures and in words: there is no part of it to be confirmed. */
function PayOut({ pay, open, send, back }: SendProps & { readonly pay: HandPay; readonly back: () => void }) {
  const { currency } = useView().table;
  const [confirming, setConfirming] = useState(false);
  const { seat, requestId, payNo, amountMinor, kind, twoPersons } = pay;
  if (confirming) {
    return (
      <Pins
        first={(t) => t('cashOut.pin')}
        second={twoPersons ? (t) => t('cashOut.secondPin') : null}
        duty={DUTIES['confirm-hand-pay']}
        onCredentials={(credential, secondCredential) =>
          send({
            type: 'confirm-hand-pay',
            seat,
            requestId,
            credential,
            ...(secondCredential === undefined ? {} : { secondCredential }),
          })
        }
        onClose={() => setConfirming(false)}
      />
    );
  }
  return (
    <Frame
      title={(t) => t(kind === 'win' ? 'desk.payWin' : 'desk.payCredit', { seat })}
      open={open}
      back={back}
    >
      <p class="desk-sum">
        <Amount minor={amountMinor} currency={currency} language={houseLanguage()} />
      </p>
      {houseLanguages().map((language) => (
        <p class="desk-words" key={language} lang={language}>
          {amountInWords(amountMinor, currency, language)}
        </p>
      ))}
      <p class="quiet desk-note">
        <Bi
          text={(t) =>
            [payNo === null ? '' : t('desk.receipt', { no: payNo }), twoPersons ? t('desk.twoPersons') : '']
              .filter((part) => part !== '')
              .join(' · ')
          }
        />
      </p>
      <button type="button" class="button button-gold" onClick={() => setConfirming(true)}>
        <Bi text={(t) => t('desk.paid')} />
      </button>
    </Frame>
  );
}
