import { useEffect, useMemo, useState } from 'preact/hooks';
import { rulesPage } from '../../engine/books.ts';
import type { SectionId, TableOptions } from '../../engine/rules/rules-page.ts';
import type { RulesRow, RulesTexts } from '../../engine/rules/rules-text.ts';
import type { TableView } from '../../wire/view.ts';
import { Icon } from '../parts/icons.tsx';
import { lawfulDefault } from '../parts/lawful-default.ts';
import { Scrolled } from '../parts/scrolled.tsx';
import { useWords } from '../station/words.ts';
import { rulesWriter } from './rules-words.ts';

/** A page nobody touches closes by itself: the seat may have been left. */
const LEFT_ALONE_MS = 180_000;

export type Shown = 'closed' | 'contents' | SectionId;

export interface DrawerProps {
  readonly view: TableView;
  readonly shown: Exclude<Shown, 'closed'>;
  readonly show: (shown: Shown) => void;
}

export function RulesDrawer({ view, shown, show }: DrawerProps) {
  const { language, t } = useWords();
  const { rulebook, currency, options } = view.table;
  const chosen = JSON.stringify(options);
  const [texts, label] = useMemo(() => {
    const writer = rulesWriter(language, view.table);
    const labels = { contents: writer.text('label.contents'), close: writer.text('label.close') };
    try {
      const page = rulesPage(rulebook, options as TableOptions, currency);
      return [page && writer.page(page), labels] as const;
    } catch (error) {
      // A page that cannot be written must not take the table away.
      console.error(error);
      return [null, labels] as const;
    }
  }, [language, rulebook, currency, chosen]);
  const [touched, touch] = useState(0);
  useEffect(() => {
    const timer = setTimeout(() => show('closed'), LEFT_ALONE_MS);
    return () => clearTimeout(timer);
  }, [touched, shown]);
  const section = texts?.sections.find(({ id }) => id === shown);
  return (
    <div
      class="rules"
      role="dialog"
      aria-label={section?.title ?? texts?.title}
      onPointerDown={() => touch(touched + 1)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') show('closed');
      }}
    >
      <div class="rules-head">
        {section && (
          <button
            type="button"
            class="key key-close"
            aria-label={label.contents}
            onClick={() => show('contents')}
          >
            <Icon name="back" />
          </button>
        )}
        <p class="rules-title">{section?.title ?? texts?.title}</p>
        <button type="button" class="key key-close" aria-label={label.close} onClick={() => show('closed')}>
          <Icon name="close" />
        </button>
      </div>
      {texts &&
        (section ? (
          <Rows key={shown} rows={section.rows} />
        ) : (
          <Contents
            texts={texts}
            byDefault={lawfulDefault(rulebook, t)}
            help={view.help ? [view.help.line[language], view.help.exclusion[language]] : []}
            show={show}
          />
        ))}
    </div>
  );
}

function Contents(props: {
  readonly texts: RulesTexts;
  readonly byDefault: string | null;
  /** In the house's own words. */
  readonly help: readonly string[];
  readonly show: DrawerProps['show'];
}) {
  const { texts, byDefault, help, show } = props;
  return (
    <Scrolled>
      <p class="rules-regulation">{texts.regulation}</p>
      {texts.wording.map((sentence) => (
        <p key={sentence} class="rules-wording">
          {sentence}
        </p>
      ))}
      <p class="rules-stakes">{texts.stakes}</p>
      {byDefault && <p class="rules-default">{byDefault}</p>}
      <div class="rules-contents">
        {texts.sections.map(({ id, title }) => (
          <button type="button" key={id} class="button" onClick={() => show(id)}>
            {title}
          </button>
        ))}
      </div>
      {help.map((sentence) => (
        <p key={sentence} class="rules-wording">
          {sentence}
        </p>
      ))}
    </Scrolled>
  );
}

function Rows({ rows }: { readonly rows: readonly RulesRow[] }) {
  return (
    <Scrolled>
      <ul class="rules-rows">
        {rows.map(({ text, value, notes, cites }) => (
          <li
            key={text + value}
            class={value !== null && notes.length === 0 ? 'rules-row rules-row-pays' : 'rules-row'}
          >
            <span class="rules-text">{text}</span>
            {value !== null && <strong class="rules-value">{value}</strong>}
            {[...notes, cites].map(
              (each) =>
                each !== '' && (
                  <small key={each} class="rules-cites">
                    {each}
                  </small>
                ),
            )}
          </li>
        ))}
      </ul>
    </Scrolled>
  );
}
