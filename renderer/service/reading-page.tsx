import { useQuery } from '../station/use-query.ts';
import { EntryBody } from './entry-body.tsx';
import { DataTable, Facts, Loaded } from './parts.tsx';
import { useServiceWords } from './service-words.ts';

const LIVE_MS = 2_000;
const SHOWN = 20;

/** The second reader: whether it is there, how quickly it reads, and where it has disagreed. */
export function ReadingPage() {
  const { s, count, fixed } = useServiceWords();
  const page = useQuery({ query: 'reading' }, LIVE_MS);
  const ms = (value: number | null): string => (value === null ? s('none') : `${fixed(value, 1)} ms`);
  return (
    <>
      <Loaded from={page}>
        {({ whenAbsent, isThere, count: read, medianMs, p95Ms }) =>
          whenAbsent === null ? (
            <p class="service-note">{s('reading.off')}</p>
          ) : (
            <Facts
              rows={[
                [s('reading.state'), isThere ? s('reading.there') : <b class="bad">{s('reading.gone')}</b>],
                [s('reading.whenAbsent'), s(`reading.absent.${whenAbsent}`)],
                [s('reading.count'), count(read)],
                [s('reading.median'), ms(medianMs)],
                [s('reading.p95'), ms(p95Ms)],
              ]}
            />
          )
        }
      </Loaded>
      <Entries kind="reading-differed" />
      <Entries kind="round-unread" />
    </>
  );
}

/** The newest of these entries, with both accounts. */
function Entries({ kind }: { readonly kind: 'reading-differed' | 'round-unread' }) {
  const { s, t, moment } = useServiceWords();
  const page = useQuery({ query: 'events', beforeSeq: null, limit: SHOWN, kind });
  return (
    <article class="device" aria-label={t(`event.${kind}`)}>
      <h3>{t(`event.${kind}`)}</h3>
      <Loaded from={page}>
        {({ events }) =>
          events.length === 0 ? (
            <p class="service-note">{s('reading.no')}</p>
          ) : (
            <DataTable
              label={t(`event.${kind}`)}
              rows={events}
              keyOf={({ seq }) => seq}
              columns={[
                { head: s('events.seq'), number: true, cell: ({ seq }) => seq },
                { head: s('events.time'), cell: ({ atMs }) => moment(atMs) },
                { head: s('events.round'), cell: ({ roundId }) => roundId ?? s('none') },
                {
                  head: s('events.body'),
                  cell: ({ body }) => <EntryBody kind={kind} body={body} bytes={false} />,
                },
              ]}
            />
          )
        }
      </Loaded>
    </article>
  );
}
