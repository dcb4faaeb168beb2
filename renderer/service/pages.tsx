import { useState } from 'preact/hooks';
import type { DevicePage, EventPage, SoftwarePage } from '../../host/api.ts';
import { useStation } from '../station.ts';
import { DeviceFaults } from './device-faults.tsx';
import { DeviceRecording } from './device-recording.tsx';
import { LedgerFiles } from './ledger-files.tsx';
import { DataTable, Facts, Loaded } from './parts.tsx';
import { useServiceWords } from './service-words.ts';
import { useQuery } from './use-query.ts';

const LIVE_MS = 1_000;
const EVENTS_PER_PAGE = 40;

export function DevicesPage() {
  const { s, code, moment } = useServiceWords();
  const page = useQuery<DevicePage>({ query: 'devices' }, LIVE_MS);
  return (
    <Loaded from={page}>
      {({ devices }) =>
        devices.map(({ view, identity, faults, frames }) => (
          <article class="device" key={view.id} aria-label={view.id}>
            <h3>
              {s(`device.${view.kind}`)} <small>{view.id}</small>
              {view.simulated && <span class="tag tag-sim">{s('device.simulated')}</span>}
            </h3>
            <Facts
              rows={[
                [s('device.state'), code('deviceState', view.state)],
                [s('device.fault'), faults.length === 0 ? s('device.noFault') : faults.length],
                [s('device.model'), identity?.model ?? view.model],
                [s('device.serial'), identity?.serial ?? s('device.unknown')],
                [s('device.firmware'), identity?.firmware ?? s('device.unknown')],
              ]}
            />
            <DeviceFaults
              device={view.id}
              place={`${s(`device.${view.kind}`)} ${/\d*$/.exec(view.id)?.[0] ?? ''}`.trim()}
              faults={faults}
            />
            <details>
              <summary>{s('device.frames')}</summary>
              <DataTable
                label={s('device.frames')}
                rows={frames.map((frame, index) => ({ ...frame, index }))}
                keyOf={(frame) => `${frame.atMs}-${frame.index}`}
                columns={[
                  { head: s('device.time'), cell: (frame) => moment(frame.atMs) },
                  { head: s('device.direction'), cell: (frame) => s(`device.${frame.direction}`) },
                  { head: s('device.bytes'), cell: (frame) => <code>{frame.hex}</code> },
                ]}
              />
            </details>
            <DeviceRecording device={view.id} />
          </article>
        ))
      }
    </Loaded>
  );
}

export function EventsPage({ kinds }: { readonly kinds: readonly string[] }) {
  const { s, code, moment } = useServiceWords();
  const [kind, setKind] = useState<string | null>(null);
  /** First seqs of the pages gone through, newest page first. */
  const [path, setPath] = useState<readonly number[]>([]);
  const page = useQuery<EventPage>({
    query: 'events',
    beforeSeq: path.at(-1) ?? null,
    limit: EVENTS_PER_PAGE,
    kind,
  });
  const sorted = kinds.map((each) => [each, code('event', each)] as const);
  return (
    <>
      <div class="service-bar">
        <select
          aria-label={s('events.filter')}
          value={kind ?? ''}
          onChange={(event) => {
            setKind(event.currentTarget.value === '' ? null : event.currentTarget.value);
            setPath([]);
          }}
        >
          <option value="">{s('events.all')}</option>
          {sorted.map(([each, text]) => (
            <option key={each} value={each}>
              {text}
            </option>
          ))}
        </select>
        <button type="button" class="button" onClick={page.reload}>
          {s('reload')}
        </button>
      </div>
      <Loaded from={page}>
        {({ events }) => (
          <>
            <DataTable
              label={s('page.events')}
              rows={events}
              keyOf={(event) => event.seq}
              columns={[
                { head: s('events.seq'), number: true, cell: (event) => event.seq },
                { head: s('events.time'), cell: (event) => moment(event.atMs) },
                { head: s('events.kind'), cell: (event) => code('event', event.kind) },
                { head: s('events.round'), cell: (event) => event.roundId ?? s('none') },
                { head: s('events.body'), cell: (event) => <code>{JSON.stringify(event.body)}</code> },
              ]}
            />
            <div class="service-bar">
              <button
                type="button"
                class="button"
                disabled={path.length === 0}
                onClick={() => setPath(path.slice(0, -1))}
              >
                {s('newer')}
              </button>
              <button
                type="button"
                class="button"
                disabled={events.length < EVENTS_PER_PAGE}
                onClick={() => {
                  const last = events.at(-1);
                  if (last) setPath([...path, last.seq]);
                }}
              >
                {s('older')}
              </button>
            </div>
          </>
        )}
      </Loaded>
    </>
  );
}

export function SoftwareIdentity() {
  const { s, moment, count } = useServiceWords();
  const page = useQuery<SoftwarePage>({ query: 'software' }, LIVE_MS);
  return (
    <Loaded from={page}>
      {(software) => (
        <>
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
          {software.copy && <LedgerFiles ledgerPath={software.ledgerPath} copy={software.copy} />}
        </>
      )}
    </Loaded>
  );
}

export function SelfTestPage() {
  const { wire, send } = useStation();
  const { s, code } = useServiceWords();
  const page = useQuery<SoftwarePage>({ query: 'software' });
  const run = async (): Promise<void> => {
    await send('dealer', { type: 'run-self-test' });
    page.reload();
  };
  return (
    <>
      <div class="service-bar">
        <button
          type="button"
          class="button button-gold"
          disabled={wire.state.value !== 'up'}
          onClick={() => void run()}
        >
          {s('test.run')}
        </button>
      </div>
      <Loaded from={page}>
        {({ selfTest }) =>
          selfTest === null ? (
            <p class="service-note">{s('test.none')}</p>
          ) : (
            <DataTable
              label={s('page.selfTest')}
              rows={selfTest}
              keyOf={(test) => test.check}
              columns={[
                { head: s('test.check'), cell: (test) => code('check', test.check) },
                {
                  head: s('test.result'),
                  cell: (test) => (
                    <b class={test.ok ? 'good' : 'bad'}>{test.ok ? s('test.ok') : s('test.bad')}</b>
                  ),
                },
                { head: s('test.detail'), cell: (test) => test.detail },
              ]}
            />
          )
        }
      </Loaded>
    </>
  );
}
