import { Fragment } from 'preact';
import type { Card } from '../../engine/core/cards.ts';
import { suitOf } from '../../engine/core/cards.ts';
import type { Language } from '../../engine/table/inputs.ts';
import { useView } from '../station/station.ts';
import { type Words, wordsIn } from '../station/words.ts';
import { houseLanguages, type TableText, tableText } from '../texts/i18n.ts';
import { cardText } from './card-text.ts';

/** One text in both languages of the house, the leading one first. */
export function Bi({ text }: { readonly text: (t: TableText, language: Language) => string }) {
  return (
    <>
      {houseLanguages().map((language, index) => (
        <Fragment key={language}>
          {/* Outside, where it goes away with the break of a line. */}
          {index > 0 && ' '}
          <span lang={language} class={index === 0 ? 'bi-first' : 'bi-second'}>
            {text(tableText(language), language)}
          </span>
        </Fragment>
      ))}
    </>
  );
}

/** The same as a plain string, for names of controls. */
export const biText = (text: (t: TableText, language: Language) => string): string =>
  houseLanguages()
    .map((language) => text(tableText(language), language))
    .join(' ');

/** What the dealer reads, in both languages of the house. */
export const useDealerWords = (): readonly Words[] => {
  const { rulebook } = useView().table;
  return houseLanguages().map((language) => wordsIn(language, rulebook));
};

/**
 * A small picture of a card in text, for the dealer's strip and the recall of rounds; null lies
 * face down.
 */
export function CardSign({ card }: { readonly card: Card | null }) {
  if (card === null) return <span class="card-sign">?</span>;
  return <span class={`card-sign suit-${suitOf(card)}`}>{cardText(card)}</span>;
}

/** Cards that lie face down on the table, for the eyes of their own seat. */
export function OwnCards({ cards }: { readonly cards: readonly (Card | null)[] }) {
  return (
    <span class="own-cards" data-unspoken="">
      {cards.map((card, index) => (
        <CardSign key={`${index}-${card}`} card={card} />
      ))}
    </span>
  );
}
