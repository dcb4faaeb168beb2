import { effect } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import type { Language } from '../../engine/table/inputs.ts';
import type { TableView } from '../../wire/view.ts';
import { type Opened, openedCards } from '../sound/announce.ts';
import { useStation } from '../station/station.ts';
import { tableText } from '../texts/i18n.ts';
import { openedWords } from './opened-words.ts';

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
              {openedWords(line, tableText(language))}{' '}
            </span>
          ))}
        </p>
      ))}
    </div>
  );
}
