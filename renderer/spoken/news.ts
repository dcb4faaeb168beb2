/**
 * What a seat hears when one view follows another. Pure, as sounds are: the difference of two
 * views.
 */
import type { HandView, SeatView, TableView } from '../../wire/view.ts';
import { openedWords } from '../cues/opened-words.ts';
import { cardWords } from '../parts/card-text.ts';
import { choicesNow, ownBets, panelMode, pointsText } from '../parts/mode.ts';
import { openedCards } from '../sound/announce.ts';
import { formGameOf } from '../table/form.ts';
import { type TableText, tableText } from '../texts/i18n.ts';
import { sentences, speakable } from '../texts/speakable.ts';
import { balance, laid, situation } from './situation.ts';

export interface News {
  readonly text: string;
  /**
   * It says all there is and may cut short what is being said; else it waits for the end of that.
   */
  readonly now: boolean;
}

/** As the synthesiser gets it. */
export const aloud = (view: TableView, seat: SeatView, parts: readonly (string | null)[]): string =>
  speakable(sentences(parts, seat.language), view.table.currency, seat.language);

const seatIn = (view: TableView | null, number: number): SeatView | undefined =>
  view?.seats.find(({ seat }) => seat === number);

/** What the panel is about: a new one is said from the beginning. */
function matterOf(view: TableView, seat: SeatView): string {
  const mode = panelMode(view, seat);
  const choices = mode === 'decide' ? choicesNow(seat) : [];
  const [first] = choices;
  const subject = first && view.seats.find((each) => each.seat === first.seat);
  return [
    mode,
    mode === 'bet' || mode === 'result' || mode === 'decide' ? view.round?.id : null,
    mode === 'hold' ? view.hold?.code : null,
    first?.seat,
    first?.hand,
    subject?.hands[first?.hand ?? 0]?.cards.length,
    choices.map(({ act }) => act).join(),
  ].join();
}

/** Null: there is nothing to tell this seat. */
export function newsOf(before: TableView | null, after: TableView, number: number): News | null {
  const seat = seatIn(after, number);
  if (!seat?.comfort?.speech) {
    const old = seatIn(before, number);
    // Whoever ends it hears that it has ended; whoever left hears nothing.
    return seat && old?.comfort?.speech && seat.comfort
      ? { text: aloud(after, seat, [tableText(seat.language)('speech.ended')]), now: true }
      : null;
  }
  const t = tableText(seat.language);
  const old = before?.bootId === after.bootId ? seatIn(before, number) : undefined;
  const begun = !seatIn(before, number)?.comfort?.speech;
  const whole = (...first: readonly string[]): News => ({
    text: aloud(after, seat, [...first, ...situation(after, seat)]),
    now: true,
  });
  if (begun) return whole(t('speech.begun'), ...(after.speech?.keys[number] ? [t('speech.keys')] : []));
  if (!old || !before) return whole();
  if (old.language !== seat.language) return whole(t(`language.${seat.language}`));
  const small = changes(before, after, old, seat, t);
  if (matterOf(before, old) !== matterOf(after, seat)) {
    const mode = panelMode(after, seat);
    // To wait is no news by itself: what has come is.
    if (mode !== 'wait') return whole(...(mode === 'bet' ? small : []));
    if (small.length === 0) return { text: aloud(after, seat, situation(after, seat)), now: false };
  }
  return small.length === 0 ? null : { text: aloud(after, seat, small), now: false };
}

function changes(
  before: TableView,
  after: TableView,
  old: SeatView,
  seat: SeatView,
  t: TableText,
): readonly string[] {
  const { note } = seat;
  const isWar = formGameOf(after.table.rulebook) === 'casino-war';
  const amounts = (view: TableView, of: SeatView): string => JSON.stringify(ownBets(view, of));
  const played = ownBets(after, seat)[0]?.seat;
  const closed = before.phase === 'betting' && after.phase !== 'betting' && played !== undefined;
  const isLaid = amounts(before, old) !== amounts(after, seat) && after.phase === 'betting';
  const told = [
    closed ? t('speech.betsClosed') : null,
    isLaid ? (laid(after, seat, t) ?? t('wait.noBet')) : null,
    ...(played === undefined
      ? []
      : cardsCome(seatIn(before, played)?.hands ?? [], seatIn(after, played)?.hands ?? [], t, isWar)),
    ...(played === undefined ? [] : openedCards(before, after).map((opened) => openedWords(opened, t))),
    note && (note.state !== old.note?.state || note.valueMinor !== old.note.valueMinor)
      ? note.state === 'checking' || note.state === 'returned'
        ? t(`note.${note.state}`)
        : note.state === 'held'
          ? t('note.held', { amount: note.valueMinor, caseNo: note.caseNo ?? '—' })
          : t(`note.${note.state}`, { amount: note.valueMinor })
      : null,
    seat.callsAttendant && !old.callsAttendant ? t('seat.attendantCalled') : null,
    seat.creditMinor !== old.creditMinor ? balance(seat, t) : null,
    seat.intent && !old.intent ? t('ahead.noted', { act: t(`act.${seat.intent.act}`) }) : null,
  ];
  return told.filter((each) => each !== null);
}

/** New cards of the hands that are played, and what they make of them. */
function cardsCome(
  was: readonly HandView[],
  is: readonly HandView[],
  t: TableText,
  isWar: boolean,
): readonly string[] {
  return is.flatMap((hand, index) => {
    const old = was[index];
    const more = hand.cards.slice(old?.cards.length ?? 0).filter((card) => card !== null);
    if (more.length === 0 || hand.faceDown) return [];
    return [
      [
        ...(is.length > 1 ? [t('hand.label', { n: index + 1, count: is.length })] : []),
        `${t('speech.newCard')}: ${more.map((card) => cardWords(card, t)).join(', ')}`,
        ...(isWar ? [] : [hand.status === 'blackjack' ? t('hand.blackjack') : pointsText(hand, t)]),
        ...(hand.status === 'busted' ? [t('hand.busted')] : []),
      ].join(', '),
    ];
  });
}
