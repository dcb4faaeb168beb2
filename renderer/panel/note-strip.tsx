import type { SeatView } from '../../host/api.ts';
import { useWords } from '../words.ts';

/** What is becoming of this seat's banknote, and what is held for it. */
export function NoteStrip({ seat }: { readonly seat: SeatView }) {
  const { t } = useWords();
  const { note } = seat;
  if (!note) {
    if (seat.heldMinor === 0) return null;
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
          ? t('note.returned')
          : t(`note.${note.state}`, { amount: note.valueMinor });
  return (
    <p class={`note note-${note.state}`} role="status">
      {text}
    </p>
  );
}
