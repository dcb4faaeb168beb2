import { effect } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import type { Card } from '../../engine/core/cards.ts';
import { rankOf, suitOf } from '../../engine/core/cards.ts';
import type { Language } from '../../engine/table/inputs.ts';
import type { TableView } from '../../wire/view.ts';
import { rankText } from '../parts/card-text.ts';
import { type Opened, openedCards } from '../sound/announce.ts';
import { useStation } from '../station/station.ts';
import { tableText } from '../texts/i18n.ts';

/** In the order of the cards' numbers. */
const SUIT_NAMES = ['S', 'H', 'D', 'C'] as const;
/** What a reader of the screen may still have to say. */
const LINES_KEPT = 8;

/**
 * The cards of the bank and of the Player side as words for readers of the screen: the cloth itself
 * is a picture.
 */
export function Heard({ languages }: { readonly languages: readonly Language[] }) {
  const { wire } = useStation();
  const [lines, setLines] = useState<readonly (Opened & { readonly key: number })[]>([]);
  useEffect(() => {
    let before: TableView | null = null;
    let connection = wire.connection;
    let key = 0;
    return effect(() => {
      const view = wire.view.value;
      if (view === null) return;
      const opened = connection === wire.connection ? openedCards(before, view) : [];
      if (opened.length > 0)
        setLines((kept) => [...kept, ...opened.map((each) => ({ ...each, key: ++key }))].slice(-LINES_KEPT));
      connection = wire.connection;
      before = view;
    });
  }, [wire]);
  return (
    <div class="heard" role="log">
      {lines.map((line) => (
        <p key={line.key}>
          {languages.map((language) => (
            <span key={language} lang={language}>
              {textOf(line, language)}{' '}
            </span>
          ))}
        </p>
      ))}
    </div>
  );
}

function textOf({ side, cards, points, state }: Opened, language: Language): string {
  const t = tableText(language);
  const name = (card: Card): string =>
    t('dealer.card', { rank: rankText(rankOf(card)), suit: t(`dealer.suit.${SUIT_NAMES[suitOf(card)]!}`) });
  return [
    `${side === 'bank' ? t('dealer.bank') : t('bet.name.player')}: ${cards.map(name).join(', ')}`,
    ...(points === null ? [] : [t('wait.points', { points })]),
    ...(state === null ? [] : [t(`hand.${state}`)]),
  ].join(', ');
}
