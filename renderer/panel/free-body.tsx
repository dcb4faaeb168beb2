import type { Hold } from '../../engine/table/steps.ts';
import type { SeatView, TableView } from '../../wire/view.ts';
import { ownBets } from '../parts/mode.ts';
import { useWords } from '../station/words.ts';
import { allLanguages, LOCALE, tableText } from '../texts/i18n.ts';
import { AccountRow, NotesButton } from './account-row.tsx';
import { BetPills } from './bet-pills.tsx';
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
        <span class="quiet notes-from">
          {t('seat.notesFrom', {
            notes: view.table.notesMinor.map(chipLabel).join(language === 'zh-Hant' ? '、' : ', '),
          })}
        </span>
      )}
      {shared && view.noteSeat !== null && view.noteSeat !== seat.seat && (
        <span class="quiet">{t('seat.notesElsewhere', { seat: view.noteSeat })}</span>
      )}
      {view.help && <span class="quiet help-line">{inOnePiece(view.help.line[language])}</span>}
      {shared && <NotesButton seat={seat.seat} />}
    </div>
  );
}

/** The groups of a telephone number stay together. */
const inOnePiece = (line: string): string => line.replaceAll(/(?<=\d) (?=\d)/g, '\u00a0');

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

/**
 * While others bet, at a seat whose display is lost: the account, above what a neighbour may rise
 * over, and what has been laid.
 */
export function LockedBody({ seat, view }: { readonly seat: SeatView; readonly view: TableView }) {
  const { notice } = useWords();
  return (
    <div class="message">
      <AccountRow seat={seat} />
      <strong>{notice({ code: 'seat-locked', cites: [], act: null })}</strong>
      <BetPills bets={ownBets(view, seat)} />
    </div>
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
