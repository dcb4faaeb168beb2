import { useState } from 'preact/hooks';
import { rulebookOf } from '../../engine/books.ts';
import type { OptionSpec } from '../../engine/rules/rulebook.ts';
import type { RulesWriter } from '../../engine/rules/rules-text.ts';
import { SUPERVISORS, SWITCHERS } from '../../engine/table/duties.ts';
import type { OptionValue } from '../../engine/table/profile.ts';
import type { Credential, ProfileEdit } from '../../wire/fields.ts';
import type { ChangeCheck } from '../../wire/pages.ts';
import { PinPad } from '../parts/pin-pad.tsx';
import { placeText, rulesWriter } from '../rules/rules-words.ts';
import { useStation, useView } from '../station/station.ts';
import { useQuery } from '../station/use-query.ts';
import type { Answer } from '../station/wire.ts';
import { momentOfText } from '../texts/clock.ts';
import { Edges } from './edges.tsx';
import { TypedField } from './keypad.tsx';
import { MomentField } from './moment-field.tsx';
import { OptionField } from './option-field.tsx';
import { DataTable, Loaded } from './parts.tsx';
import { type ServiceWords, useServiceWords } from './service-words.ts';
import { inUseText, problemText } from './tables-page.tsx';

const LIVE_MS = 1_000;
/** Why options are changed as a rule; whoever has another reason types it. */
const REASONS = ['authorised', 'management', 'correction', 'demand', 'trial'] as const;
type Change = ChangeCheck['changes'][number];

/**
 * Options of the table in force as they shall be: each with its legal values, the difference, what
 * forbids it with the article, the reason, the time, and the PINs of two persons. What was entered
 * waits in the ledger until the table is empty.
 */
export function ChangeProfile() {
  const words = useServiceWords();
  const { s, language } = words;
  const { table } = useView();
  const plan = useQuery({ query: 'change' }, LIVE_MS);
  const writer = rulesWriter(language, table);
  return (
    <Loaded from={plan}>
      {({ plan: waiting }) =>
        waiting === null ? (
          <Editor words={words} writer={writer} onPlanned={plan.reload} />
        ) : (
          <>
            <h3>{s('change.waits')}</h3>
            <p role="status">
              {s('change.by', {
                first: waiting.persons[0],
                second: waiting.persons[1],
                reason: waiting.reason,
              })}
              {' · '}
              {waiting.fromMs === null
                ? s('change.betweenRounds')
                : s('change.from', { time: words.moment(waiting.fromMs) })}
              {waiting.waitsFor && ` · ${s('change.waitsFor', { why: inUseText(words, waiting.waitsFor) })}`}
            </p>
            <Difference changes={waiting.changes} words={words} writer={writer} />
            <Drop words={words} onDropped={plan.reload} />
          </>
        )
      }
    </Loaded>
  );
}

function Editor(props: {
  readonly words: ServiceWords;
  readonly writer: RulesWriter;
  readonly onPlanned: () => void;
}) {
  const { words, writer, onPlanned } = props;
  const { s, m } = words;
  const { table } = useView();
  const [options, setOptions] = useState<Readonly<Record<string, OptionValue>>>({});
  const [reason, setReason] = useState('');
  const [from, setFrom] = useState('');
  const [isSigning, setSigning] = useState(false);
  const fromMs = from === '' ? null : momentOfText(from, table.currency);
  const edit: ProfileEdit = { options };
  const check = useQuery({ query: 'check-change', edit, fromMs });
  const specs = (rulebookOf(table.rulebook)?.options ?? []).filter(isEditable);
  const inForce = table.options as Readonly<Record<string, OptionValue>>;
  /** What would be legal, in the person's language; the host says it in English. */
  const legalText = ({ place, message }: ChangeCheck['problems'][number]): string => {
    const spec = specs.find(({ id }) => id === place.replace(/^options\./, ''));
    return spec ? `(${writer.text('label.legal')}: ${writer.legal(spec.id, spec.legal)})` : message;
  };
  const set = (id: string, value: OptionValue): void => {
    setSigning(false);
    const { [id]: _before, ...others } = options;
    setOptions(
      JSON.stringify(value) === JSON.stringify(inForce[id] ?? null) ? others : { ...others, [id]: value },
    );
  };
  return (
    <>
      <p class="service-note">{s('change.about')}</p>
      <DataTable
        label={s('change.title')}
        rows={specs}
        keyOf={({ id }) => id}
        columns={[
          {
            head: s('profile.option'),
            words: true,
            cell: ({ id }) => (
              <label for={`option-${id}`}>
                {writer.text(`option.${id}.name`)} <code>{id}</code>
              </label>
            ),
          },
          {
            head: s('profile.value'),
            words: true,
            cell: ({ id }) => writer.option(id, inForce[id] ?? null),
          },
          {
            head: s('change.new'),
            words: true,
            cell: (spec) => (
              <OptionField
                spec={spec}
                writer={writer}
                value={options[spec.id] ?? inForce[spec.id] ?? null}
                onValue={(value) => set(spec.id, value)}
              />
            ),
          },
          {
            head: s('profile.article'),
            cell: ({ article }) => (article === '' ? s('none') : writer.cites([article])),
          },
        ]}
      />
      <h3>{s('change.difference')}</h3>
      <Loaded from={check}>
        {({ changes, problems }) => (
          <>
            <Difference changes={changes} words={words} writer={writer} />
            <ul class="plain" role="alert">
              {problems.map((problem) => (
                <li class="bad" key={problem.place + problem.message}>
                  {problemText(words, problem, table)} {problem.why === 'illegal' && legalText(problem)}{' '}
                  {problem.article !== '' && <small>{writer.cites([problem.article])}</small>}
                </li>
              ))}
            </ul>
            <TypedField
              label={s('change.reason')}
              value={reason}
              onValue={setReason}
              ready={REASONS.map((each) => m(`reason.${each}`))}
            />
            <div class="service-bar">
              <MomentField label={s('change.when')} value={from} onChange={setFrom} />
              <button
                type="button"
                class="button button-gold"
                disabled={changes.length === 0 || problems.length > 0 || reason.trim().length < 3}
                onClick={() => setSigning(true)}
              >
                {s('change.enter')}
              </button>
            </div>
            <p class="service-note">{s('change.whenNote')}</p>
          </>
        )}
      </Loaded>
      <Edges edit={edit} words={words} />
      {isSigning && (
        <TwoPins
          words={words}
          first={`${s('role.technician')} / ${s('role.supervisor')}`}
          second={s('role.supervisor')}
          send={{ edit, reason, fromMs }}
          onDone={onPlanned}
          onClose={() => setSigning(false)}
        />
      )}
    </>
  );
}

/** What is inside an option is written in a table file. */
const isEditable = ({ legal }: OptionSpec): boolean => legal.kind !== 'object' && legal.kind !== 'list';

function Difference(props: {
  readonly changes: readonly Change[];
  readonly words: ServiceWords;
  readonly writer: RulesWriter;
}) {
  const { changes, words, writer } = props;
  const { s } = words;
  const specs = rulebookOf(useView().table.rulebook)?.options ?? [];
  const idOf = (place: string): string => place.replace(/^options\./, '');
  const value = (place: string, said: OptionValue): string => {
    const spec = specs.find(({ id }) => id === idOf(place));
    // A profile names only what is not the default.
    const meant = said === null && spec ? spec.default : said;
    return spec && writer.find(`option.${spec.id}.name`) !== null
      ? writer.option(spec.id, meant)
      : JSON.stringify(said);
  };
  if (changes.length === 0) return <p class="service-note">{s('change.nothing')}</p>;
  return (
    <DataTable
      label={s('change.difference')}
      rows={changes}
      keyOf={({ place }) => place}
      columns={[
        { head: s('profile.option'), cell: ({ place }) => placeText(writer, idOf(place)) },
        { head: s('change.was'), words: true, cell: ({ place, from }) => value(place, from) },
        { head: s('change.will'), cell: ({ place, to }) => <b>{value(place, to)}</b> },
      ]}
    />
  );
}

function TwoPins(props: {
  readonly words: ServiceWords;
  readonly first: string;
  readonly second: string;
  readonly send: { readonly edit: ProfileEdit; readonly reason: string; readonly fromMs: number | null };
  readonly onDone: () => void;
  readonly onClose: () => void;
}) {
  const { wire } = useStation();
  const { t } = props.words;
  const [first, setFirst] = useState<Credential | null>(null);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const onCredential = async (entered: Credential): Promise<void> => {
    if (first === null) return setFirst(entered);
    setFirst(null);
    const by = { credential: first, secondCredential: entered };
    const said = await wire.send({ type: 'plan-change', ...props.send, ...by });
    if (said.status === 'rejected') setAnswer(said);
    else props.onDone();
  };
  return (
    <div class="service-switch">
      <PinPad
        key={first === null ? 'first' : 'second'}
        title={first === null ? props.first : props.second}
        roles={first === null ? SWITCHERS : SUPERVISORS}
        except={first?.person}
        t={t}
        onCredential={(entered) => void onCredential(entered)}
        onClose={props.onClose}
      />
      <p class="service-answer bad" role="status">
        {answer?.status === 'rejected' ? t(`reject.${answer.code}`) : ''}
      </p>
    </div>
  );
}

function Drop({ words, onDropped }: { readonly words: ServiceWords; readonly onDropped: () => void }) {
  const { wire } = useStation();
  const { s, t } = words;
  const [isAsking, setAsking] = useState(false);
  const [refused, setRefused] = useState('');
  const onCredential = async (credential: Credential): Promise<void> => {
    const answer = await wire.send({ type: 'drop-change', credential });
    if (answer.status === 'rejected') setRefused(t(`reject.${answer.code}`));
    else onDropped();
  };
  return (
    <>
      <button type="button" class="button" onClick={() => setAsking(!isAsking)}>
        {s('change.drop')}
      </button>
      {isAsking && (
        <div class="service-switch">
          <PinPad
            title={`${s('role.technician')} / ${s('role.supervisor')}`}
            t={t}
            roles={SWITCHERS}
            onCredential={(credential) => void onCredential(credential)}
            onClose={() => setAsking(false)}
          />
          <p class="service-answer bad" role="status">
            {refused}
          </p>
        </div>
      )}
    </>
  );
}
