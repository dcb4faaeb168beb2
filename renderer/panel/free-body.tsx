import type { Hold } from '../../engine/table/steps.ts';
import type { SeatView, TableView } from '../../wire/view.ts';
import { useWords } from '../station/words.ts';
import { allLanguages, LOCALE, tableText } from '../texts/i18n.ts';
import { NotesButton } from './account-row.tsx';
import { chipLabel } from './chip.tsx';
import { noteFaultOf } from './note-strip.tsx';

/** The invitation of a free seat. */
export function FreeBody({ seat, view }: { seat: SeatView; view: TableView }) {
  const { t, language } = useWords();
  const shared = view.table.acceptors === 'shared';
  const takesNotes = noteFaultOf(view, seat) === null;
  return (
    <div class="message message-free">
      <strong class="welcome">{t('seat.free')}</strong>
      {takesNotes && !shared && <Invitation />}
      {takesNotes && (
        <span class="quiet">
          {t('seat.notesFrom', { notes: view.table.notesMinor.map(chipLabel).join(' · ') })}
        </span>
      )}
      {shared && view.noteSeat !== null && view.noteSeat !== seat.seat && (
        <span class="quiet">{t('seat.notesElsewhere', { seat: view.noteSeat })}</span>
      )}
      {view.help && <span class="quiet help-line">{view.help.line[language]}</span>}
      {shared && <NotesButton seat={seat.seat} />}
    </div>
  );
}

/** Nobody has chosen a language here yet, so the invitation is in all of them. */
function Invitation() {
  return (
    <span class="invitation">
      {allLanguages().map((each) => (
        <span key={each} lang={LOCALE[each]}>
          {tableText(each)('seat.insertNotes')}
        </span>
      ))}
    </span>
  );
}

/** Why the round stands still, in the player's words. */
export function HoldBody({ hold }: { readonly hold: Hold }) {
  const { t } = useWords();
  return (
    <div class="message message-hold">
      <strong>{t('hold.title')}</strong>
      <span>{t(`hold.${hold.code}`)}</span>
      <span class="quiet">{t('hold.safe')}</span>
    </div>
  );
}

export function ServiceBody() {
  const { t } = useWords();
  return (
    <div class="message">
      <span>{t('seat.inService')}</span>
    </div>
  );
}
