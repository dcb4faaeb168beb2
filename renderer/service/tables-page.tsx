import { useState } from 'preact/hooks';
import { rulebookOf } from '../../engine/books.ts';
import { SWITCHERS } from '../../engine/table/duties.ts';
import type { OptionValue, TableProfile } from '../../engine/table/profile.ts';
import type { Credential } from '../../wire/fields.ts';
import type { TablesPage as Tables } from '../../wire/pages.ts';
import { PinPad } from '../parts/pin-pad.tsx';
import { placeText, rulesWriter } from '../rules/rules-words.ts';
import { useStation, useView } from '../station/station.ts';
import { useQuery } from '../station/use-query.ts';
import type { Answer } from '../station/wire.ts';
import { Loaded } from './parts.tsx';
import { type ServiceWords, useServiceWords } from './service-words.ts';

type Table = Tables['tables'][number];
type Problem = Table['problems'][number];

const LIVE_MS = 1_000;

/**
 * Every table this terminal can be, which of them may come into force now, and the switch with a
 * PIN.
 */
export function TablesPage({ onProfile }: { readonly onProfile: () => void }) {
  const { s } = useServiceWords();
  const page = useQuery({ query: 'tables' }, LIVE_MS);
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <>
      <div class="service-bar">
        <button type="button" class="button" onClick={onProfile}>
          {s('tables.all')}
        </button>
      </div>
      <Loaded from={page}>
        {(tables) => (
          <>
            <InForce of={tables} />
            {tables.tables.map((table) => (
              <ReadyTable
                key={table.name}
                table={table}
                of={tables}
                isChosen={table.name === chosen}
                onChoose={(isChosen) => setChosen(isChosen ? table.name : null)}
              />
            ))}
          </>
        )}
      </Loaded>
    </>
  );
}

/** Whose choice the table in force is, and what keeps every other one away. */
function InForce({ of: { choice, inUse } }: { readonly of: Tables }) {
  const words = useServiceWords();
  const { s, moment } = words;
  const { table } = useView();
  return (
    <>
      <p class="service-note">
        <b>{table.name}</b> ·{' '}
        {choice
          ? s('tables.chosen', {
              name: choice.name,
              role: s(`role.${choice.role}`),
              time: moment(choice.atMs),
            })
          : s('tables.asStarted')}
      </p>
      {inUse && (
        <p class="tag" role="status">
          {s('tables.blocked', { why: inUseText(words, inUse) })}
        </p>
      )}
    </>
  );
}

export const inUseText = ({ s }: ServiceWords, { why, seat }: NonNullable<Tables['inUse']>): string =>
  s(`tables.inUse.${why}`, { seat: seat ?? '' });

/** The pad, then the answer in words. */
function Switch(props: { readonly table: Table; readonly of: Tables; readonly onClose: () => void }) {
  const { wire } = useStation();
  const words = useServiceWords();
  const { s, t } = words;
  const { table, of, onClose } = props;
  const [answer, setAnswer] = useState<Answer | null>(null);
  const name = titleOf(table);
  const onCredential = async (credential: Credential): Promise<void> =>
    setAnswer(await wire.send({ type: 'switch-table', table: table.name, credential }));
  if (answer && answer.status !== 'rejected') {
    return (
      <p class="service-answer good" role="status">
        {s('tables.done', { table: name })}
      </p>
    );
  }
  // Whatever the table itself forbids stands in its row; the person at the pad reads the rest here.
  const refused =
    answer === null
      ? ''
      : of.inUse && (answer.code === 'not-allowed' || answer.code === 'held')
        ? s('tables.blocked', { why: inUseText(words, of.inUse) })
        : t(`reject.${answer.code}`);
  return (
    <div class="service-switch">
      <PinPad
        title={s('tables.to', { table: name })}
        t={t}
        roles={SWITCHERS}
        onCredential={(credential) => void onCredential(credential)}
        onClose={onClose}
      />
      <p class="service-answer bad" role="status">
        {refused}
      </p>
    </div>
  );
}

const titleOf = ({ name, profile }: Table): string => profile?.tableName ?? name;

function ReadyTable(props: {
  readonly table: Table;
  readonly of: Tables;
  readonly isChosen: boolean;
  readonly onChoose: (isChosen: boolean) => void;
}) {
  const { s, language } = useServiceWords();
  const { table, of, isChosen, onChoose } = props;
  const { name, profile, inForce, problems } = table;
  const title = titleOf(table);
  return (
    <article class="ready-table" aria-label={title}>
      <div>
        <h3>
          {title} <code>{name}</code> {inForce && <span class="tag">{s('tables.inForce')}</span>}
        </h3>
        {profile && <p>{rulesWriter(language, profile).text(`regulation.${profile.rulebook}`)}</p>}
        {profile && <Options profile={profile} />}
      </div>
      <State table={table} />
      <button
        type="button"
        class="button"
        aria-label={s('tables.to', { table: title })}
        aria-expanded={isChosen}
        disabled={inForce || problems.length > 0 || of.inUse !== null}
        onClick={() => onChoose(!isChosen)}
      >
        {s('tables.switch')}
      </button>
      {isChosen && <Switch table={table} of={of} onClose={() => onChoose(false)} />}
    </article>
  );
}

const LIMITS: ReadonlySet<string> = new Set(['min', 'max', 'step']);

/** The limits, then what the house has chosen, each with its article. */
function Options({ profile }: { readonly profile: TableProfile }) {
  const { s, language } = useServiceWords();
  const writer = rulesWriter(language, profile);
  const specs = rulebookOf(profile.rulebook)?.options ?? [];
  const { options } = profile;
  const limit = (id: string): string => {
    const value = options[id] ?? specs.find((spec) => spec.id === id)?.default;
    return typeof value === 'number' ? writer.amount(value) : '';
  };
  const chosen = specs.filter(({ id }) => Object.hasOwn(options, id) && !LIMITS.has(id));
  return (
    <ul class="plain">
      <li>{writer.text('label.stakes', { min: limit('min'), max: limit('max') })}</li>
      {chosen.map(({ id, article }) => (
        <li key={id}>
          {writer.text(`option.${id}.name`)}: <b>{writer.option(id, options[id] as OptionValue)}</b>{' '}
          {article !== '' && <small>{writer.cites([article])}</small>}
        </li>
      ))}
      {chosen.length === 0 && <li>{s('tables.usual')}</li>}
    </ul>
  );
}

/** May it come into force today, and what stands in the way or permits it. */
function State({ table }: { readonly table: Table }) {
  const words = useServiceWords();
  const { s, language } = words;
  const { profile, problems } = table;
  return (
    <ul class="plain">
      {problems.length === 0 && <li class="good">{s('tables.usable')}</li>}
      {problems.map((problem) => (
        <li class="bad" key={problem.place + problem.why}>
          {problemText(words, problem, profile)}{' '}
          {profile && problem.article !== '' && (
            <small>{rulesWriter(language, profile).cites([problem.article])}</small>
          )}
        </li>
      ))}
      {profile?.authorisations?.map(({ by, reference, requestedOn, effectiveOn }) => (
        <li key={reference}>
          <small>
            {s('tables.records', { by, reference, requested: requestedOn, effective: effectiveOn })}
          </small>
        </li>
      ))}
    </ul>
  );
}

export function problemText(
  { s, language }: ServiceWords,
  problem: Problem,
  profile: Pick<TableProfile, 'rulebook' | 'currency'> | null,
): string {
  const { why, place, article, message, record } = problem;
  const rulebook = profile && rulebookOf(profile.rulebook);
  return s(`tables.problem.${why}`, {
    place: profile ? placeText(rulesWriter(language, profile), place) : place,
    detail: message,
    reference: record?.reference ?? '',
    day: record?.effectiveOn ?? '',
    days: rulebook?.noticeDays?.[article] ?? 0,
  });
}
