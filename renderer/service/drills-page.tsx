import { useState } from 'preact/hooks';
import type { DrillPage } from '../../wire/pages.ts';
import { useStation } from '../station/station.ts';
import { useQuery } from '../station/use-query.ts';
import { DataTable, Loaded, Progress } from './parts.tsx';
import { type ServiceWords, useServiceWords } from './service-words.ts';
import { StopWork } from './stop-work.tsx';

type Run = NonNullable<DrillPage['run']>;
type Drill = DrillPage['drills'][number];

const LIVE_MS = 1_000;

/**
 * Faults practised on a copy of the ledger: which there are, the one that is held, what happened in
 * it.
 */
export function DrillsPage() {
  const { wire } = useStation();
  const words = useServiceWords();
  const { s, t, code } = words;
  const page = useQuery({ query: 'drills' }, LIVE_MS);
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
            {run && <RunOfDrill run={run} />}
            <DataTable
              label={s('page.drills')}
              rows={drills}
              keyOf={({ id }) => id}
              columns={[
                { head: s('drill.drill'), cell: ({ id }) => code('drillName', id) },
                { head: s('drill.shows'), words: true, cell: (drill) => shownText(drill, words) },
                {
                  head: '',
                  cell: ({ id }) => (
                    <button
                      type="button"
                      class="button"
                      aria-label={s('drill.holdOf', { drill: code('drillName', id) })}
                      disabled={run?.outcome === null}
                      onClick={() => void hold(id)}
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

const shownText = ({ fault, hold }: Pick<Drill, 'fault' | 'hold'>, { tableCode }: ServiceWords): string =>
  [
    ...(fault === null ? [] : [tableCode('fault', fault)]),
    ...(hold === null ? [] : [tableCode('hold', hold)]),
  ].join(' · ');

function RunOfDrill({ run }: { readonly run: Run }) {
  const words = useServiceWords();
  const { s, code, moment } = words;
  const name = code('drillName', run.drill);
  return (
    <section class="drill" aria-label={name}>
      <p class="drill-mark">演練 · EXERCÍCIO · DRILL</p>
      <h3>
        {name} <small>{s('drill.held', { person: run.person, time: moment(run.beganAtMs) })}</small>
      </h3>
      <ol class="plain" aria-live="polite">
        {run.steps.map((step) => (
          <li key={step.at} class={step.at === 'failed' ? 'bad' : ''}>
            {stepText(step, words)}
          </li>
        ))}
      </ol>
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
