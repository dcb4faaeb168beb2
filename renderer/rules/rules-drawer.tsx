import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { rulesPage } from '../../engine/books.ts';
import type { TableOptions } from '../../engine/rules/rules-page.ts';
import type { RulesRow, RulesTexts } from '../../engine/rules/rules-text.ts';
import type { TableView } from '../../wire/view.ts';
import { Icon } from '../parts/icons.tsx';
import { lawfulDefault } from '../parts/lawful-default.ts';
import { Scrolled } from '../parts/scrolled.tsx';
import { useWords } from '../station/words.ts';
import { Edges } from './edges.tsx';
import { lawOf } from './law.ts';
import { rulesWriter } from './rules-words.ts';

/** A page nobody touches closes by itself: the seat may have been left. */
const LEFT_ALONE_MS = 180_000;

export type Shown = 'closed' | 'rules' | 'edges';

export interface DrawerProps {
  readonly seat: number;
  readonly view: TableView;
  readonly shown: Exclude<Shown, 'closed'>;
  readonly show: (shown: Shown) => void;
}

export function RulesDrawer({ seat, view, shown, show }: DrawerProps) {
  const { language, t } = useWords();
  const { rulebook, currency, options } = view.table;
  const chosen = JSON.stringify(options);
  const [texts, label] = useMemo(() => {
    const writer = rulesWriter(language, view.table);
    const labels = {
      contents: writer.text('label.contents'),
      close: writer.text('label.close'),
      back: writer.text('label.back'),
      law: writer.text('label.law'),
    };
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
  // A law has hundreds of paragraphs, and every view draws the seat again.
  const page = useMemo(
    () =>
      texts && (
        <Pages
          texts={texts}
          byDefault={lawfulDefault(rulebook, t)}
          law={lawOf(rulebook, language)}
          label={label}
          help={view.help ? [view.help.line[language], view.help.exclusion[language]] : []}
          show={show}
        />
      ),
    [texts, label, view.help?.line[language], view.help?.exclusion[language]],
  );
  const sheet = useRef<HTMLDivElement>(null);
  const title = shown === 'edges' ? t('edges.title') : texts?.title;
  return (
    <div
      ref={sheet}
      class="rules"
      role="dialog"
      aria-label={title}
      onPointerDown={() => touch(touched + 1)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') show('closed');
      }}
    >
      <div class="rules-head">
        {shown === 'edges' ? (
          <button type="button" class="key key-close" aria-label={label.back} onClick={() => show('rules')}>
            <Icon name="back" />
          </button>
        ) : (
          texts && (
            <button
              type="button"
              class="key key-close"
              aria-label={label.contents}
              onClick={() => turnTo(sheet.current, 'contents')}
            >
              <Icon name="menu" />
            </button>
          )
        )}
        <p class="rules-title">{title}</p>
        <button type="button" class="key key-close" aria-label={label.close} onClick={() => show('closed')}>
          <Icon name="close" />
        </button>
      </div>
      {shown === 'edges' ? <Edges seat={seat} /> : page}
    </div>
  );
}

/** Brings a part of the sheet to its upper edge. */
function turnTo(sheet: HTMLElement | null, part: string): void {
  const box = sheet?.querySelector<HTMLElement>('.rules-page');
  const begin = box?.querySelector<HTMLElement>(`[data-part="${part}"]`);
  if (box && begin) box.scrollTop = begin.offsetTop - box.offsetTop;
}

/**
 * All of it on one sheet, so that no rule is more than the one touch away that opens it: the prices
 * first, then the contents, every other section, and the regulation word by word.
 */
function Pages(props: {
  readonly texts: RulesTexts;
  readonly byDefault: string | null;
  /** null = its text was not seen. */
  readonly law: ReturnType<typeof lawOf>;
  readonly label: { readonly contents: string; readonly law: string };
  /** In the house's own words. */
  readonly help: readonly string[];
  readonly show: DrawerProps['show'];
}) {
  const { texts, byDefault, law, label, help, show } = props;
  const { t } = useWords();
  const prices = texts.sections.find(({ id }) => id === 'payoffs');
  const others = texts.sections.filter((section) => section !== prices);
  return (
    <Scrolled>
      <p class="rules-regulation">{texts.regulation}</p>
      <p class="rules-stakes">{texts.stakes}</p>
      {byDefault && <p class="rules-default">{byDefault}</p>}
      {prices && <Section part={prices.id} title={prices.title} rows={prices.rows} />}
      <nav class="rules-contents" data-part="contents" aria-label={label.contents}>
        {[...texts.sections, ...(law ? [{ id: 'law', title: label.law }] : [])].map(({ id, title }) => (
          <button
            type="button"
            key={id}
            class="button"
            onClick={(event) => turnTo(event.currentTarget.closest<HTMLElement>('.rules'), id)}
          >
            {title}
          </button>
        ))}
        <button type="button" class="button rules-edges" onClick={() => show('edges')}>
          {t('edges.title')}
        </button>
      </nav>
      {[...texts.wording, ...help].map((sentence) => (
        <p key={sentence} class="rules-wording">
          {sentence}
        </p>
      ))}
      {others.map(({ id, title, rows }) => (
        <Section key={id} part={id} title={title} rows={rows} />
      ))}
      {law && <LawText law={law} title={label.law} />}
    </Scrolled>
  );
}

/** As the law says it, and not as we do. */
function LawText(props: { readonly law: NonNullable<ReturnType<typeof lawOf>>; readonly title: string }) {
  const { law, title } = props;
  return (
    <>
      <h3 class="rules-heading" data-part="law">
        {title}
      </h3>
      <div class="rules-law" lang={law.language}>
        {law.articles.map(({ cite, text }, at) => (
          <section key={cite ?? at}>
            {text.map((paragraph, no) => (
              <p key={`${no} ${paragraph}`} class="rules-text">
                {paragraph}
              </p>
            ))}
          </section>
        ))}
      </div>
    </>
  );
}

function Section(props: {
  readonly part: string;
  readonly title: string;
  readonly rows: readonly RulesRow[];
}) {
  return (
    <>
      <h3 class="rules-heading" data-part={props.part}>
        {props.title}
      </h3>
      <ul class="rules-rows">
        {props.rows.map(({ text, value, notes, cites }) => (
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
    </>
  );
}
