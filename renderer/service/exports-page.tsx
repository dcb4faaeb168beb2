import { useState } from 'preact/hooks';
import type { ExportPage } from '../../wire/pages.ts';
import { useStation } from '../station/station.ts';
import { useQuery } from '../station/use-query.ts';
import { DataTable, Loaded } from './parts.tsx';
import { type ServiceWords, useServiceWords } from './service-words.ts';
import { StopWork } from './stop-work.tsx';

type Run = NonNullable<ExportPage['run']>;

const LIVE_MS = 1_000;

/** Where an export may go, the one that is made, and whether the last one holds. */
export function ExportsPage() {
  const { wire } = useStation();
  const words = useServiceWords();
  const { s, t, count } = words;
  const page = useQuery({ query: 'exports' }, LIVE_MS);
  const [refused, setRefused] = useState('');
  const make = async (target: string): Promise<void> => {
    const answer = await wire.send({ type: 'make-export', target });
    setRefused(answer.status === 'rejected' ? t(`reject.${answer.code}`) : '');
    page.reload();
  };
  const mib = (bytes: number): string => count(Math.ceil(bytes / 2 ** 20));
  return (
    <>
      <p class="service-note">{s('exports.about')}</p>
      <p class="service-answer bad" role="status">
        {refused}
      </p>
      <Loaded from={page}>
        {({ targets, needBytes, run }) => (
          <>
            {run && <RunOfExport run={run} words={words} />}
            {targets.length === 1 && <p class="service-note">{s('exports.none')}</p>}
            <DataTable
              label={s('page.exports')}
              rows={targets}
              keyOf={({ path }) => path}
              columns={[
                {
                  head: s('exports.target'),
                  words: true,
                  cell: ({ path, freeBytes, isEnough, trouble }) => (
                    <>
                      <code>{path}</code>
                      <br />
                      {trouble !== null ? (
                        <b class="bad">{s(`exports.trouble.${trouble}`)}</b>
                      ) : (
                        <>
                          {s('exports.free', { free: mib(freeBytes), need: mib(needBytes) })}{' '}
                          {!isEnough && <b class="bad">{s('exports.tooSmall')}</b>}
                        </>
                      )}
                    </>
                  ),
                },
                {
                  head: '',
                  cell: ({ path, isEnough, trouble }) => (
                    <button
                      type="button"
                      class="button"
                      aria-label={s('exports.makeTo', { path })}
                      disabled={trouble !== null || !isEnough || run?.ok === null}
                      onClick={() => void make(path)}
                    >
                      {s('exports.make')}
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

function RunOfExport({ run, words: { s, m, moment } }: { readonly run: Run; readonly words: ServiceWords }) {
  const { ok, why, stoppedBy, dir, file, no, of } = run;
  const isMaking = ok === null;
  return (
    <section class="export-run">
      <p>{s('exports.by', { person: run.person, time: moment(run.beganAtMs) })}</p>
      <p class={isMaking ? '' : ok ? 'good' : 'bad'} role="status">
        {ok === true
          ? s('exports.ok', { dir })
          : ok === false
            ? stoppedBy === null
              ? s('exports.bad', { why: why ?? '' })
              : m('stopped', { person: stoppedBy })
            : file === null
              ? s('exports.starting')
              : file === 'verify'
                ? s('exports.verifying')
                : s('exports.file', { no: `${no}`, of: `${of}`, file })}
      </p>
      {isMaking && (
        <>
          <progress max={of === 0 ? 1 : of + 1} value={file === 'verify' ? of : Math.max(0, no - 1)} />
          <StopWork work="export" />
        </>
      )}
    </section>
  );
}
