import type { Language } from '../../engine/table/inputs.ts';
import type { StepPart } from '../../wire/pages.ts';
import { CardSign } from '../parts/bilingual.tsx';
import { formatMoney, tableText, textOfCode } from '../texts/i18n.ts';

/** What follows from something else in the same step and need not be said. */
const IMPLIED: ReadonlySet<string> = new Set([
  'turn-moved',
  'hand-closed',
  'offers-opened',
  'offers-closed',
  'initial-deal-ended',
  'bank-turn-began',
  'note-stack-requested',
  'note-closed',
  'results-shown',
  'deal-began',
  'jackpot-moved',
  'streak-moved',
  'side-bets-decided',
  'unit-accepted',
  'notes-confirmed',
]);
const MOST_PARTS = 3;

/** The parts of a step that are worth a word, the first ones. */
export function toldParts(done: readonly StepPart[]): readonly StepPart[] {
  const told = done.filter(({ kind }) => !IMPLIED.has(kind));
  return (told.length > 0 ? told : done).slice(0, MOST_PARTS);
}

/** A step in one language: 'Seat 3 · Card dealt 10♦'. */
export function StepWords({
  done,
  language,
  own,
}: {
  readonly done: readonly StepPart[];
  readonly language: Language;
  /** The reader's own seat is not named to them. */
  readonly own?: number;
}) {
  const t = tableText(language);
  return (
    <>
      {toldParts(done).map(({ kind, seat, by, bet, card, amountMinor }, index) => {
        const who = by ?? seat;
        const name =
          bet === undefined || bet === 'main' ? null : textOfCode('table', 'bet.name', bet, language);
        return (
          <span class="step-part" key={index}>
            {who !== undefined && who !== own && <>{t('seat.name', { seat: who })} · </>}
            {textOfCode('table', 'event', kind, language)}
            {name !== null && <> · {name}</>}
            {card !== undefined && (
              <>
                {' '}
                <CardSign card={card} />
              </>
            )}
            {amountMinor !== undefined && <b> {formatMoney(amountMinor, language)}</b>}
          </span>
        );
      })}
    </>
  );
}
