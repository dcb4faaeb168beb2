import type { DevicePage } from '../../wire/pages.ts';
import { useStation } from '../station/station.ts';
import { useQuery } from '../station/use-query.ts';
import { DeviceFaults } from './device-faults.tsx';
import { DeviceRecording } from './device-recording.tsx';
import { deviceText, foundText } from './entry-words.ts';
import { NoteTable } from './note-table.tsx';
import { DataTable, Facts, Loaded } from './parts.tsx';
import { useServiceWords } from './service-words.ts';
import { Slips } from './slips.tsx';
import { ChecksRunning } from './storage-page.tsx';

const LIVE_MS = 1_000;

export function DevicesPage() {
  const { s, code, moment } = useServiceWords();
  const detailText = (detail: string): string => {
    const text = code('failure', detail);
    return text === detail ? code('rejection', detail) : text;
  };
  const page = useQuery({ query: 'devices' }, LIVE_MS);
  return (
    <Loaded from={page}>
      {({ devices, machine }) => [
        <OwnFaults key="machine" faults={machine} />,
        ...devices.map(({ view, detail, identity, faults, notes, slips, frames }) => (
          <article class="device" key={view.id} aria-label={view.id}>
            <h3>
              {s(`device.${view.kind}`)} <small>{view.id}</small>
              {view.simulated && <span class="tag tag-sim">{s('device.simulated')}</span>}
            </h3>
            <Facts
              rows={[
                [
                  s('device.state'),
                  [code('deviceState', view.state), ...(detail === null ? [] : [detailText(detail)])].join(
                    ' · ',
                  ),
                ],
                [s('device.fault'), faults.length === 0 ? s('device.noFault') : faults.length],
                [s('device.model'), identity?.model ?? view.model],
                [s('device.serial'), identity?.serial || s('device.unknown')],
                [s('device.firmware'), identity?.firmware || s('device.unknown')],
              ]}
            />
            <DeviceFaults
              placeOf={() => `${s(`device.${view.kind}`)} ${/\d*$/.exec(view.id)?.[0] ?? ''}`.trim()}
              faults={faults.map((fault) => ({ ...fault, device: view.id }))}
            />
            {notes !== null && <NoteTable device={view.id} notes={notes} />}
            {slips !== null && <Slips slips={slips} />}
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
        )),
      ]}
    </Loaded>
  );
}

/** What is wrong with the terminal itself. */
function OwnFaults({ faults }: { readonly faults: DevicePage['machine'] }) {
  const { s, meaning } = useServiceWords();
  return (
    <article class="device" aria-label={s('device.machine')}>
      <h3>{s('device.machine')}</h3>
      {faults.length === 0 && <p>{s('device.noFault')}</p>}
      <DeviceFaults placeOf={({ place }) => meaning(place) ?? place} faults={faults} />
    </article>
  );
}

export function SelfTestPage() {
  const { wire, send } = useStation();
  const { s, code, language } = useServiceWords();
  const page = useQuery({ query: 'software' }, LIVE_MS);
  const running = useQuery({ query: 'storage' }, LIVE_MS).data?.running ?? [];
  return (
    <>
      <div class="service-bar">
        <button
          type="button"
          class="button button-gold"
          disabled={wire.state.value !== 'up' || running.length > 0}
          onClick={() => void send('dealer', { type: 'run-self-test' })}
        >
          {s('test.run')}
        </button>
      </div>
      <ChecksRunning running={running} />
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
                {
                  head: s('test.check'),
                  cell: ({ check }) => {
                    const name = code('check', check);
                    return name === check ? deviceText(check, language) : name;
                  },
                },
                {
                  head: s('test.result'),
                  cell: (test) => (
                    <b class={test.ok ? 'good' : 'bad'}>{test.ok ? s('test.ok') : s('test.bad')}</b>
                  ),
                },
                { head: s('test.detail'), cell: ({ detail }) => foundText(detail, language) },
              ]}
            />
          )
        }
      </Loaded>
    </>
  );
}
