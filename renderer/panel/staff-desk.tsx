import { Bi, biText } from '../parts/bilingual.tsx';
import { useView } from '../station/station.ts';
import type { DealerDialog } from './dealer-steps.ts';
import { type DialogProps, Frame, type SendProps } from './dialog-parts.tsx';

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
  const count = MATTERS.reduce((sum, matter) => sum + waiting[matter], 0);
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
        <button type="button" class="button menu-item desk-wide" onClick={() => open('adjust-credit')}>
          <Bi text={(t) => t('desk.adjust-credit')} />
        </button>
      </div>
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
