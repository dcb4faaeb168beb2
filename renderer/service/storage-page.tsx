import type { LedgerFile, StorageReport } from '../../wire/pages.ts';
import { useStation } from '../station/station.ts';
import { useQuery } from '../station/use-query.ts';
import { LedgerFiles } from './ledger-files.tsx';
import { DataTable, Facts, Loaded, Progress, Reason } from './parts.tsx';
import { type ServiceWords, useServiceWords } from './service-words.ts';
import { StopWork } from './stop-work.tsx';

const LIVE_MS = 1_000;
const REPAIRS_SHOWN = 5;

/** What is kept where, how long there is room for it, and when it was last read from end to end. */
export function StoragePage() {
  const page = useQuery({ query: 'storage' }, LIVE_MS);
  return (
    <Loaded from={page}>
      {(report) => (
        <>
          <Room report={report} />
          <Checks report={report} />
          {report.copy && <LedgerFiles copy={report.copy} />}
          <Repairs />
          <Archive report={report} />
        </>
      )}
    </Loaded>
  );
}

function Room({ report: { disk, limits, growth, ledger, copy } }: { readonly report: StorageReport }) {
  const { s, count, size, percent } = useServiceWords();
  if (disk === null) return <p class="service-note">{s('storage.notLooked')}</p>;
  const used = 1 - disk.roomBytes / disk.budgetBytes;
  const marks = [
    [limits.low, s('storage.low')],
    [limits.short, s('storage.short')],
    [limits.full, s('storage.full')],
  ] as const;
  return (
    <>
      {disk.refused !== null && (
        <p class="bad" role="alert">
          {s('storage.refused', { why: '' })}
          <Reason text={disk.refused} />
        </p>
      )}
      <p class="budget-text">
        {s('storage.usedOf', {
          used: size(disk.usedBytes),
          budget: size(disk.budgetBytes),
          percent: percent(used),
        })}
      </p>
      <div class="budget">
        <svg
          viewBox="0 0 1000 30"
          preserveAspectRatio="none"
          role="img"
          aria-label={`${s('storage.used')} ${percent(used)}`}
        >
          <rect
            class={used >= limits.full ? 'budget-bad' : used >= limits.low ? 'budget-low' : 'budget-good'}
            width={Math.max(2, used * 1000)}
            height={30}
          />
          {marks.map(([at]) => (
            <line key={at} x1={at * 1000} x2={at * 1000} y1={0} y2={30} />
          ))}
        </svg>
        <ul class="plain budget-marks">
          {marks.map(([at, text]) => (
            <li key={at} class={used >= at ? 'bad' : ''}>
              <b>{percent(at)}</b> {text}
            </li>
          ))}
        </ul>
      </div>
      <Facts
        rows={[
          ...(growth === null
            ? []
            : ([
                [
                  s('storage.daysLeft'),
                  s('storage.days', { n: count(growth.daysLeft), count: growth.daysLeft }),
                ],
                [s('storage.perDayWeek'), size(growth.weekPerDayBytes)],
                [s('storage.perDay'), size(growth.perDayBytes)],
                [
                  s('storage.perRound'),
                  growth.bytesPerRound === null ? s('none') : size(growth.bytesPerRound),
                ],
              ] as const)),
          [s('storage.ledger'), size(ledger.bytes)],
          [
            s('storage.copy'),
            copy === null
              ? s('none')
              : s(copy.isOnSameDisk ? 'storage.copySame' : 'storage.copyOther', { size: size(copy.bytes) }),
          ],
          [s('storage.room'), size(disk.roomBytes)],
          [s('storage.free'), size(disk.freeBytes)],
          [s('storage.sync'), `${count(disk.slowestSyncMs)} ms`],
        ]}
      />
    </>
  );
}

const fileName = (file: LedgerFile, { s }: ServiceWords): string =>
  s(file === 'ledger' ? 'storage.fileLedger' : 'storage.fileCopy');

/** The files of a ledger that are read from end to end at this moment. */
export function ChecksRunning({ running }: { readonly running: StorageReport['running'] }) {
  const words = useServiceWords();
  return (
    <>
      {running.map(({ file, taken, total }) => (
        <Progress
          key={file}
          label={words.s('storage.checking', { file: fileName(file, words) })}
          part={total === null ? null : taken / total}
        />
      ))}
      {running.length > 0 && <StopWork work="check" />}
    </>
  );
}

function Checks({ report: { running, checks, nextCheckAtMs } }: { readonly report: StorageReport }) {
  const { wire, send } = useStation();
  const words = useServiceWords();
  const { s, moment, count, fixed } = words;
  return (
    <article class="device" aria-label={s('storage.checks')}>
      <h3>{s('storage.checks')}</h3>
      {checks.length === 0 && running.length === 0 && <p class="service-note">{s('storage.noCheck')}</p>}
      {checks.length > 0 && (
        <DataTable
          label={s('storage.checks')}
          rows={checks}
          keyOf={({ file }) => file}
          columns={[
            { head: s('storage.check'), cell: ({ file }) => fileName(file, words) },
            { head: s('storage.checkedAt'), cell: ({ atMs }) => moment(atMs) },
            {
              head: s('storage.checkTook'),
              cell: ({ tookMs }) => s('storage.seconds', { n: fixed(tookMs / 1000, 1) }),
            },
            {
              head: s('storage.checkFound'),
              cell: ({ ok, problem, entries }) =>
                ok ? (
                  <b class="good">{s('storage.holds', { entries: count(entries) })}</b>
                ) : (
                  <b class="bad">
                    <Reason meaning={s('reason.notHolding')} text={problem ?? ''} />
                  </b>
                ),
            },
          ]}
        />
      )}
      <ChecksRunning running={running} />
      <p class="service-bar">
        <button
          type="button"
          class="button"
          disabled={wire.state.value !== 'up' || running.length > 0}
          onClick={() => void send('dealer', { type: 'run-self-test' })}
        >
          {s('storage.checkNow')}
        </button>
        {nextCheckAtMs !== null && <span>{s('storage.nextCheck', { time: moment(nextCheckAtMs) })}</span>}
      </p>
    </article>
  );
}

interface Repaired {
  readonly file: LedgerFile;
  readonly why: string;
  readonly fromSeq: number;
  readonly toSeq: number;
}

/** Which file was rebuilt from the other one, and why. */
function Repairs() {
  const words = useServiceWords();
  const { s, moment, count } = words;
  const page = useQuery({
    query: 'events',
    beforeSeq: null,
    limit: REPAIRS_SHOWN,
    kind: 'ledger-repaired',
  });
  return (
    <article class="device" aria-label={s('storage.mended')}>
      <h3>{s('storage.mended')}</h3>
      <Loaded from={page}>
        {({ events }) =>
          events.length === 0 ? (
            <p class="service-note">{s('storage.neverMended')}</p>
          ) : (
            <DataTable
              label={s('storage.mended')}
              rows={events.map(({ seq, atMs, body }) => ({ seq, atMs, ...(body as Repaired) }))}
              keyOf={({ seq }) => seq}
              columns={[
                { head: s('events.time'), cell: ({ atMs }) => moment(atMs) },
                { head: s('storage.file'), cell: ({ file }) => fileName(file, words) },
                {
                  head: s('events.seq'),
                  cell: ({ fromSeq, toSeq }) =>
                    s('storage.range', { from: count(fromSeq), to: count(toSeq) }),
                },
                { head: s('storage.why'), cell: ({ why }) => <Reason text={why} /> },
              ]}
            />
          )
        }
      </Loaded>
    </article>
  );
}

function Archive({ report: { archive } }: { readonly report: StorageReport }) {
  const { s, moment, count } = useServiceWords();
  return (
    <article class="device" aria-label={s('storage.archive')}>
      <h3>{s('storage.archive')}</h3>
      {archive === null ? (
        <p class="service-note">{s('storage.noArchive')}</p>
      ) : (
        <>
          {!archive.isOurs && (
            <p class="bad" role="alert">
              {s('storage.archiveForeign')}
            </p>
          )}
          <Facts
            rows={[
              [s('storage.archivedTo'), `${count(archive.lastSeq)} · ${moment(archive.lastAtMs)}`],
              [s('storage.archivedAt'), moment(archive.madeAtMs)],
              [s('storage.archiveSince'), count(archive.entriesSince)],
              [s('storage.archiveFolder'), <code>{archive.folder}</code>],
            ]}
          />
        </>
      )}
    </article>
  );
}
