import { useState } from 'preact/hooks';
import { phraseOf } from '../../engine/core/phrase.ts';
import { QrCode } from '../parts/qr-code.tsx';
import { useView } from '../station/station.ts';
import { useQuery } from '../station/use-query.ts';
import { TypedField } from './keypad.tsx';
import { DataTable, Facts, Loaded } from './parts.tsx';
import { useServiceWords } from './service-words.ts';

const LIVE_MS = 1_000;
const CHECKS_SHOWN = 5;

/**
 * Which program this is: for the telephone as words, for a camera as a code, for an auditor file by
 * file.
 */
export function SoftwareIdentity() {
  const { s, code, moment, count } = useServiceWords();
  const { table } = useView();
  const page = useQuery({ query: 'software' }, LIVE_MS);
  return (
    <>
      <Loaded from={page}>
        {(software) => (
          <div class="identity">
            <div>
              <p class="service-note">{s('software.phrase')}</p>
              <ol class="phrase">
                {phraseOf(software.softwareId).map((word, i) => (
                  <li key={i}>{code('phrase', String(word))}</li>
                ))}
              </ol>
              <Facts
                rows={[
                  [s('software.version'), software.version],
                  [s('software.id'), <code>{software.softwareId}</code>],
                  [s('software.node'), software.node],
                  [s('software.sqlite'), software.sqlite],
                  [s('software.started'), moment(software.startedAtMs)],
                  [s('software.ledger'), <code>{software.ledgerPath}</code>],
                  [s('software.entries'), count(software.ledgerEntries)],
                ]}
              />
            </div>
            <figure class="identity-code">
              <QrCode
                text={`banca ${table.terminalId} ${software.version} ${software.softwareId}`}
                label={s('software.qr')}
              />
              <figcaption>{s('software.qr')}</figcaption>
            </figure>
          </div>
        )}
      </Loaded>
      <CodeChecks />
      <Files />
    </>
  );
}

interface Checked {
  readonly version: string;
  readonly id: string;
  readonly changes: { readonly count: number; readonly files: readonly string[] } | null;
  readonly approved: boolean | null;
}

/** Event 904: which program has started, and what was another one in it. */
function CodeChecks() {
  const { s, moment } = useServiceWords();
  const page = useQuery({
    query: 'events',
    beforeSeq: null,
    limit: CHECKS_SHOWN,
    kind: 'code-checked',
  });
  return (
    <article class="device" aria-label={s('software.checks')}>
      <h3>{s('software.checks')}</h3>
      <Loaded from={page}>
        {({ events }) => (
          <DataTable
            label={s('software.checks')}
            rows={events.map(({ seq, atMs, body }) => ({ seq, atMs, ...(body as Checked) }))}
            keyOf={({ seq }) => seq}
            columns={[
              { head: s('events.seq'), cell: ({ seq }) => seq },
              { head: s('events.time'), cell: ({ atMs }) => moment(atMs) },
              { head: s('software.version'), cell: ({ version }) => version },
              {
                head: s('software.approved'),
                cell: ({ approved }) =>
                  approved === null ? (
                    s('software.any')
                  ) : (
                    <b class={approved ? 'good' : 'bad'}>{s(approved ? 'test.ok' : 'test.bad')}</b>
                  ),
              },
              {
                head: s('software.changed'),
                words: true,
                cell: ({ changes }) =>
                  changes === null || changes.count === 0
                    ? s('none')
                    : `${changes.count}: ${changes.files.join(', ')}`,
              },
              { head: s('software.id'), cell: ({ id }) => <code class="whole">{id.slice(0, 16)}…</code> },
            ]}
          />
        )}
      </Loaded>
    </article>
  );
}

function Files() {
  const { s } = useServiceWords();
  const [isOpen, open] = useState(false);
  return (
    <details class="device" onToggle={({ currentTarget }) => open(currentTarget.open)}>
      <summary>{s('software.files')}</summary>
      {isOpen && <FileList />}
    </details>
  );
}

function FileList() {
  const { s } = useServiceWords();
  const [sought, seek] = useState('');
  const page = useQuery({ query: 'software-files' });
  return (
    <Loaded from={page}>
      {({ files }) =>
        files === null ? (
          <p class="service-note">{s('software.noFiles')}</p>
        ) : (
          <>
            <div class="service-bar">
              <TypedField
                label={s('software.seek')}
                value={sought}
                most={64}
                onValue={(typed) => seek(typed.trim())}
              />
              <span>{s('software.count', { n: files.length })}</span>
            </div>
            <DataTable
              label={s('software.files')}
              rows={files.filter(([path, hash]) => path.includes(sought) || hash.startsWith(sought))}
              keyOf={([path]) => path}
              columns={[
                { head: s('storage.file'), cell: ([path]) => <code>{path}</code> },
                { head: 'SHA-256', cell: ([, hash]) => <code>{hash}</code> },
              ]}
            />
          </>
        )
      }
    </Loaded>
  );
}
