import type { SeatView } from '../../wire/view.ts';
import type { TableText } from '../texts/i18n.ts';

/** A note came back, and why; where it was too large, up to which one would be taken. */
export function returnedText(
  { note, largestNoteMinor: upTo = null }: Pick<SeatView, 'note' | 'largestNoteMinor'>,
  notesMinor: readonly number[],
  t: TableText,
): string {
  const why = note?.why;
  if (why === undefined) return t('note.returned');
  // A unit gives back what it was not let take, and does not say which note that was.
  const isShort = why === 'not-taken' && notesMinor.some((each) => each > (upTo ?? 0));
  if (why !== 'limit' && why !== 'own-limit' && why !== 'house-limit' && !isShort)
    return t(`note.why.${why}`);
  return upTo === null ? t(isShort ? 'note.why.limit' : `note.why.${why}`) : t('note.upTo', { amount: upTo });
}
