import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { DrillPage } from '../../wire/pages.ts';
import { useStation } from '../station/station.ts';
import { useQuery } from '../station/use-query.ts';
import { DataTable, Loaded, Progress } from './parts.tsx';
import { type ServiceWords, useServiceWords } from './service-words.ts';
import { StopWork } from './stop-work.tsx';

type Run = NonNullable<DrillPage['run']>;
type Drill = DrillPage['drills'][number];
type Told = Extract<Run['steps'][number], { at: 'told' }>;

const LIVE_MS = 1_000;

/**
 * Faults practised on a copy of the ledger: which there are, the one that is held, what happened in
 * it.
 */
export function DrillsPage() {
  const { wire } = useStation();
  const words = useServiceWords();
  const { s, t } = words;
  const page = useQuery({ query: 'drills' }, LIVE_MS);
  const [shown, setShown] = useState<Drill['group']>('notes');
  const [refused, setRefused] = useState('');
  const hold = async (drill: Drill['id']): Promise<void> => {
    const answer = await wire.send({ type: 'hold-drill', drill });
    setRefused(answer.status === 'rejected' ? t(`reject.${answer.code}`) : '');
    page.reload();
  };
  return (
    <>
      <p class="service-note">{s('drill.about')}</p>
      <p class="service-answer bad" role="status">
        {refused}
      </p>
      <Loaded from={page}>
        {({ drills, run }) => (
          <>
            {run && <RunOfDrill run={run} drill={drills.find(({ id }) => id === run.drill)!} />}
            <fieldset class="service-bar plain-set" aria-label={s('drill.part')}>
              {[...new Set(drills.map(({ group }) => group))].map((group) => (
                <button
                  type="button"
                  key={group}
                  class="button"
                  aria-pressed={group === shown}
                  onClick={() => setShown(group)}
                >
                  {s(`drillGroup.${group}`)}
                </button>
              ))}
            </fieldset>
            <DataTable
              label={s(`drillGroup.${shown}`)}
              rows={drills.filter(({ group }) => group === shown)}
              keyOf={({ id }) => id}
              columns={[
                { head: s('drill.code'), cell: ({ real }) => real?.code ?? '' },
                { head: s('drill.drill'), words: true, cell: (drill) => nameOf(drill, words) },
                {
                  head: '',
                  cell: (drill) => (
                    <button
                      type="button"
                      class="button"
                      aria-label={s('drill.holdOf', { drill: nameOf(drill, words) })}
                      disabled={run?.outcome === null}
                      onClick={() => void hold(drill.id)}
                    >
                      {s('drill.hold')}
                    </button>
                  ),
                },
              ]}
            />
          </>
        )}
      </Loaded>
    </>
  );
}

/** A drill of a fault has the name of that fault. */
const nameOf = ({ id, fault }: Pick<Drill, 'id' | 'fault'>, { code, tableCode }: ServiceWords): string =>
  fault === null ? code('drillName', id) : tableCode('fault', fault);

const shownText = ({ fault, hold }: Pick<Drill, 'fault' | 'hold'>, { tableCode }: ServiceWords): string =>
  [
    ...(fault === null ? [] : [tableCode('fault', fault)]),
    ...(hold === null ? [] : [tableCode('hold', hold)]),
  ].join(' · ');

function RunOfDrill({ run, drill }: { readonly run: Run; readonly drill: Drill }) {
  const words = useServiceWords();
  const { s, code, moment } = words;
  const name = nameOf(drill, words);
  const told = run.steps.find((step) => step.at === 'told');
  const box = useRef<HTMLElement>(null);
  // Whoever has begun it may stand far below.
  useLayoutEffect(() => box.current?.scrollIntoView({ block: 'nearest' }), [run.beganAtMs]);
  return (
    <section class="drill" aria-label={name} ref={box}>
      <p class="drill-mark">演練 · EXERCÍCIO · DRILL</p>
      <h3>
        {name} <small>{s('drill.held', { person: run.person, time: moment(run.beganAtMs) })}</small>
      </h3>
      <ol class="plain" aria-live="polite">
        {run.steps.map((step) => (
          <li key={`${step.at} ${step.atMs}`} class={step.at === 'failed' ? 'bad' : ''}>
            {stepText(step, words)}
          </li>
        ))}
      </ol>
      {told && <AsAtTheRealOne name={name} drill={drill} hold={told.hold} />}
      {run.outcome === null ? (
        <>
          <Progress label={s('drill.running')} part={null} />
          <StopWork work="drill" />
        </>
      ) : (
        <p class={run.outcome === 'as-it-should' ? 'good' : 'bad'} role="status">
          {code('drillOutcome', run.outcome)}
        </p>
      )}
    </section>
  );
}

/** What staff and players read of it, and the steps of its guide. */
function AsAtTheRealOne({
  name,
  drill: { fault, real },
  hold,
}: {
  readonly name: string;
  readonly drill: Drill;
  readonly hold: Told['hold'];
}) {
  const { s, t, code, tableCode } = useServiceWords();
  const player = real?.player
    ? t(`deviceFault.${real.player}`)
    : hold
      ? tableCode('hold', hold)
      : s('drill.nothing');
  return (
    <>
      <dl class="facts">
        {fault && real && (
          <div>
            <dt>{s('drill.staffReads')}</dt>
            <dd>{code('faultText', fault, { place: name })}</dd>
          </div>
        )}
        <div>
          <dt>{s('drill.playerReads')}</dt>
          <dd>{player}</dd>
        </div>
      </dl>
      {real && (
        <>
          <p>
            {s('repair.where')}: <b>{code('where', real.where)}</b>
          </p>
          <ol class="drill-guide">
            {real.steps.map((step) => (
              <li key={step}>{code('repairStep', step)}</li>
            ))}
          </ol>
        </>
      )}
    </>
  );
}

function stepText(step: Run['steps'][number], words: ServiceWords): string {
  const { code, count, s } = words;
  const text = (values: Readonly<Record<string, string>> = {}): string => code('drillStep', step.at, values);
  switch (step.at) {
    case 'copied':
    case 'verified':
      return text({ count: count(step.entries) });
    case 'told':
      return text({ ms: count(step.afterMs), what: shownText(step, words) });
    case 'reacted':
      return text({ what: code('reaction', step.reaction) });
    case 'persons-confirmed':
      return text({ what: step.roles.map((role) => s(`role.${role}`)).join(' + ') });
    case 'over':
      return text({ ms: count(step.afterMs) });
    case 'failed':
      return text({ what: step.why });
    default:
      return text();
  }
}
