import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import type { RejectCode } from '../../engine/core/result.ts';
import { withCurrency } from '../../engine/rules/formats.ts';
import { ASKERS, DUTIES } from '../../engine/table/duties.ts';
import { Bi, biText } from '../parts/bilingual.tsx';
import { acceptorsIn } from '../parts/boxes.ts';
import { useStation, useView } from '../station/station.ts';
import { durationText } from '../texts/clock.ts';
import { formatMoney, houseLanguage, textOfCode } from '../texts/i18n.ts';
import type { DealerDialog } from './dealer-steps.ts';
import { type DialogProps, Frame, Pins, Seats, type SendProps, StaffPad } from './dialog-parts.tsx';

type Matter = 'hand-pays' | 'held-notes' | 'calls' | 'complaints';
const MATTERS: readonly Matter[] = ['hand-pays', 'held-notes', 'calls', 'complaints'];

/** How many of each wait for an attendant or a supervisor. */
function useWaiting(): Readonly<Record<Matter, number>> {
  const { handPays, heldNotes, complaints, seats } = useView();
  return {
    'hand-pays': handPays.length,
    'held-notes': heldNotes.length,
    calls: seats.filter((seat) => seat.callsAttendant).length,
    complaints: complaints.length,
  };
}

/** Opens the desk; says how much waits there. */
export function StaffDeskButton({ dialog, open }: DialogProps & { readonly dialog: DealerDialog | null }) {
  const waiting = useWaiting();
  const shut = acceptorsIn(useView()).filter(({ shutAfterNote }) => shutAfterNote).length;
  const count = MATTERS.reduce((sum, matter) => sum + waiting[matter], shut);
  return (
    <button
      type="button"
      class="button button-service"
      aria-expanded={dialog === 'desk'}
      onClick={() => open(dialog === 'desk' ? null : 'desk')}
    >
      <Bi text={(t) => t('desk.title')} />
      {count > 0 && <b class="badge">{count}</b>}
    </button>
  );
}

/**
 * Everything that waits for an attendant or a supervisor, and the one thing they begin themselves.
 */
export function StaffDesk({ open }: DialogProps) {
  const waiting = useWaiting();
  const { seats, nowMs } = useView();
  const long = seats.flatMap(({ seat, session }) =>
    session?.long ? [{ seat, forMs: nowMs - session.sinceMs }] : [],
  );
  return (
    <Frame title={(t) => t('desk.title')} open={open}>
      <div class="menu desk">
        {MATTERS.map((matter) => (
          <button
            type="button"
            key={matter}
            class="button menu-item desk-tile"
            disabled={waiting[matter] === 0 && matter !== 'complaints'}
            onClick={() => open(matter)}
          >
            <span class="menu-name">
              <Bi text={(t) => t(`desk.${matter}`)} />
            </span>
            <b class={waiting[matter] > 0 ? 'badge' : 'badge badge-none'}>{waiting[matter]}</b>
          </button>
        ))}
        {long.length > 0 && (
          <p class="dialog-text desk-wide">
            <Bi
              text={(t) =>
                t('desk.long', {
                  seats: long.map(({ seat, forMs }) => `${seat} (${durationText(forMs, t)})`).join(' · '),
                })
              }
            />
          </p>
        )}
        <button type="button" class="button menu-item" onClick={() => open('adjust-credit')}>
          <Bi text={(t) => t('desk.adjust-credit')} />
        </button>
        <button type="button" class="button menu-item" onClick={() => open('boxes')}>
          <Bi text={(t) => t('desk.boxes')} />
        </button>
        <button type="button" class="button menu-item" onClick={() => open('exclusion')}>
          <Bi text={(t) => t('desk.exclusion')} />
        </button>
        <button type="button" class="button menu-item" onClick={() => open('hand-over')}>
          <Bi text={(t) => t('desk.hand-over')} />
        </button>
      </div>
    </Frame>
  );
}

/**
 * Whether the person of a document is on the list of exclusions; the answer names nobody, for
 * players see this edge of the table.
 */
export function CheckExclusion({ open }: DialogProps) {
  const { seats } = useView();
  const { wire } = useStation();
  const [seat, setSeat] = useState<number | null>(null);
  const [document, setDocument] = useState('');
  const [step, setStep] = useState<'document' | 'pin' | 'asked'>('document');
  const [answer, setAnswer] = useState<'clear' | RejectCode | null>(null);
  if (step === 'pin')
    return (
      <StaffPad
        title={(t) => t('cashOut.pin')}
        roles={ASKERS}
        onCredential={(credential) => {
          setStep('asked');
          const asked = { type: 'check-exclusion', document: document.trim(), seat, credential } as const;
          void wire.send(asked).then(({ status, ...told }) => {
            setAnswer(status === 'rejected' && 'code' in told ? told.code : 'clear');
          });
        }}
        onClose={() => setStep('document')}
      />
    );
  if (step === 'asked')
    return (
      <Frame title={(t) => t('desk.exclusion')} open={open} back="desk">
        <p class="dialog-text" role="status">
          {answer !== null && (
            <Bi text={(t) => (answer === 'clear' ? t('desk.notListed') : t(`reject.${answer}`))} />
          )}
        </p>
      </Frame>
    );
  return (
    <Frame title={(t) => t('desk.exclusion')} open={open} back="desk">
      <Seats
        seats={seats.map((each) => each.seat)}
        chosen={seat}
        onTouch={(touched) => setSeat(touched === seat ? null : touched)}
      />
      <input
        class="words"
        type="text"
        maxLength={40}
        autocomplete="off"
        aria-label={biText((t) => t('desk.document'))}
        placeholder={biText((t) => t('desk.document'))}
        value={document}
        onInput={(event) => setDocument(event.currentTarget.value)}
      />
      <button
        type="button"
        class="button button-gold"
        disabled={document.trim() === ''}
        onClick={() => setStep('pin')}
      >
        <Bi text={(t) => t('pin.ok')} />
      </button>
    </Frame>
  );
}

/** What waits at the table, read and signed by who goes and by who comes. */
export function HandOver({ open, send }: SendProps) {
  const { handover, table } = useView();
  const [isRead, setRead] = useState(false);
  if (isRead)
    return (
      <Pins
        first={(t) => t('desk.goes')}
        second={(t) => t('desk.comes')}
        duty={DUTIES['hand-over-shift']}
        onCredentials={(credential, secondCredential) => {
          if (secondCredential !== undefined) send({ type: 'hand-over-shift', credential, secondCredential });
        }}
        onClose={() => setRead(false)}
      />
    );
  if (handover === undefined) return null;
  const { handPays, pendingMinor, heldNotes, calls, complaints, unreported, faults, creditMinor } = handover;
  const money = (amountMinor: number): string =>
    withCurrency(formatMoney(amountMinor, houseLanguage()), table.currency, houseLanguage());
  const waits: readonly (readonly [Matter | 'faults' | 'unreported', count: number, more: string])[] = [
    ['hand-pays', handPays, ` · ${money(pendingMinor)}`],
    ['held-notes', heldNotes, ''],
    ['calls', calls.length, ''],
    ['complaints', complaints, ''],
    ['unreported', unreported, ''],
    ['faults', faults.length, ''],
  ];
  const rows = [
    ...waits.flatMap(([matter, count, more]) => (count === 0 ? [] : [[matter, `${count}${more}`] as const])),
    ['credit', money(creditMinor)] as const,
  ];
  return (
    <Frame title={(t) => t('desk.hand-over')} open={open} back="desk">
      <dl class="hand-over">
        {rows.map(([matter, value]) => (
          <Fragment key={matter}>
            <dt>
              <Bi text={(t) => t(`desk.${matter}`)} />
            </dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
        {faults.map((fault, index) => (
          <dd class="hand-over-fault" key={index}>
            <Bi text={(_, language) => textOfCode('table', 'fault', fault, language)} />
          </dd>
        ))}
      </dl>
      <button type="button" class="button button-gold" onClick={() => setRead(true)}>
        <Bi text={(t) => t('desk.read')} />
      </button>
    </Frame>
  );
}

/** Seats that have called; whoever has been there ends the call. */
export function Calls({ open, send }: SendProps) {
  const calling = useView().seats.filter((seat) => seat.callsAttendant);
  return (
    <Frame title={(t) => t('desk.calls')} open={open} back="desk">
      {calling.map(({ seat }) => (
        <div class="desk-row" key={seat}>
          <p class="desk-fact">
            <Bi text={(t) => t('seat.name', { seat })} />
          </p>
          <button
            type="button"
            class="button button-gold"
            aria-label={biText((t) => `${t('seat.name', { seat })} ${t('desk.attended')}`)}
            onClick={() => send({ type: 'call-attendant', seat, on: false })}
          >
            <Bi text={(t) => t('desk.attended')} />
          </button>
        </div>
      ))}
      {calling.length === 0 && <Nothing />}
    </Frame>
  );
}

export const Nothing = () => (
  <p class="dialog-text">
    <Bi text={(t) => t('desk.nothing')} />
  </p>
);
