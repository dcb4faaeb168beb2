import { useState } from 'preact/hooks';
import { type OptionInForce, optionsInForce, rulebookOf, type TableOptions } from '../../engine/books.ts';
import { rulesWriter } from '../rules/rules-words.ts';
import { useView } from '../station/station.ts';
import { useQuery } from '../station/use-query.ts';
import { ChangeProfile } from './change-profile.tsx';
import { BytesButton, EntryBody } from './entry-body.tsx';
import { DataTable, Loaded } from './parts.tsx';
import { useServiceWords } from './service-words.ts';

/**
 * Every option of the rulebook in force: its value, what else would be legal, the default, its
 * article and the permission it needs, all out of the option data; then the profile as it stands in
 * the ledger.
 */
export function ProfileInForce({ onTables }: { readonly onTables: () => void }) {
  const { s } = useServiceWords();
  const [isChanging, setChanging] = useState(false);
  const [isStored, setStored] = useState(false);
  const page = useQuery({ query: 'profile' });
  return (
    <>
      <div class="service-bar">
        <button type="button" class="button" onClick={onTables}>
          {s('tables.others')}
        </button>
        <button
          type="button"
          class="button"
          aria-pressed={isChanging}
          onClick={() => setChanging(!isChanging)}
        >
          {s('change.title')}
        </button>
        {!isChanging && <BytesButton on={isStored} onToggle={() => setStored(!isStored)} />}
      </div>
      {isChanging ? (
        <ChangeProfile />
      ) : (
        <>
          <OptionsInForce />
          <Loaded from={page}>
            {({ profile }) => (
              <>
                <h3>{s('profile.table')}</h3>
                <EntryBody kind="profile" body={profile} bytes={isStored} />
              </>
            )}
          </Loaded>
        </>
      )}
    </>
  );
}

function OptionsInForce() {
  const { s, language } = useServiceWords();
  const { table } = useView();
  const writer = rulesWriter(language, table);
  const rulebook = rulebookOf(table.rulebook);
  const options = table.options as TableOptions;
  // Before the first profile no option has a value.
  const rows = rulebook && options['min'] !== undefined ? optionsInForce(rulebook.options, options) : [];
  const cites = (articles: readonly string[]): string =>
    articles.length > 0 ? writer.cites(articles) : s('none');
  const permission = ({ authorisation, waivable }: OptionInForce): string =>
    waivable ? writer.text('label.toLeaveOut', { articles: cites(authorisation) }) : cites(authorisation);
  const byDefault = ({ id, default: value, isDefault }: OptionInForce) =>
    isDefault ? (
      s('profile.default')
    ) : (
      <>
        <span class="tag">{s('profile.changed')}</span> {value === undefined ? '' : writer.option(id, value)}
      </>
    );
  return (
    <DataTable
      label={s('page.profile')}
      rows={rows}
      keyOf={(option) => option.id}
      columns={[
        {
          head: s('profile.option'),
          words: true,
          cell: ({ id }) => (
            <>
              {writer.text(`option.${id}.name`)}
              <br />
              <code>{id}</code>
            </>
          ),
        },
        {
          head: s('profile.value'),
          words: true,
          cell: ({ id, value }) => <b>{writer.option(id, value)}</b>,
        },
        { head: s('profile.default'), words: true, cell: byDefault },
        {
          head: s('profile.article'),
          words: true,
          cell: ({ article }) => cites(article === '' ? [] : [article]),
        },
        { head: s('profile.authorisation'), words: true, cell: permission },
        { head: writer.text('label.legal'), cell: ({ id, legal }) => writer.legal(id, legal) },
      ]}
    />
  );
}
