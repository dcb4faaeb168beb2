import type { SeatView, TableView } from '../../wire/view.ts';
import { useView } from '../station/station.ts';
import { useWords } from '../station/words.ts';
import { returnedText } from './returned-text.ts';

/** Why no note is taken at this seat, by its acceptor; null = one would be. */
export const noteFaultOf = ({ devices, table }: TableView, seat: SeatView) => {
  const id = `acceptor-${table.acceptors === 'shared' ? 1 : seat.seat}`;
  return devices.find((device) => device.id === id)?.player ?? null;
};

/** What is becoming of this seat's banknote, what is held for it, and why no other one is taken. */
export function NoteStrip({ seat }: { readonly seat: SeatView }) {
  const { t } = useWords();
  const view = useView();
  const { note } = seat;
  if (!note) {
    if (seat.heldMinor === 0) {
      const sentence = noteFaultOf(view, seat);
      return (
        sentence && (
          <p class="note note-fault" role="status">
            {t(`deviceFault.${sentence}`)}
          </p>
        )
      );
    }
    return (
      <p class="note note-held" role="status">
        {t('note.heldSum', { amount: seat.heldMinor })}
      </p>
    );
  }
  const text =
    note.state === 'held'
      ? t('note.held', { amount: note.valueMinor, caseNo: note.caseNo ?? '—' })
      : note.state === 'checking'
        ? t('note.checking')
        : note.state === 'returned'
          ? returnedText(seat, view.table.notesMinor, t)
          : t(`note.${note.state}`, { amount: note.valueMinor });
  return (
    <p class={`note note-${note.state}`} role="status">
      {text}
    </p>
  );
}

/** Wins of this seat that are paid over the counter: not on the credit, and said so. */
export function WinLines({ seat }: { readonly seat: SeatView }) {
  const { t } = useWords();
  return useView()
    .handPays.filter((pay) => pay.kind === 'win' && pay.seat === seat.seat)
    .map(({ requestId, amountMinor }) => (
      <p class="note note-held" role="status" key={requestId}>
        {t('cashOut.win', { amount: amountMinor })}
      </p>
    ));
}
