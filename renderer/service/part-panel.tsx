import { useEffect, useRef } from 'preact/hooks';
import type { DevicePage, FrameRow } from '../../wire/pages.ts';
import { maySee, type Page } from '../../wire/rights.ts';
import { Icon } from '../parts/icons.tsx';
import { useView } from '../station/station.ts';
import { CabinetFacts, PowerFacts } from './cabinet-facts.tsx';
import { CardTrial } from './card-trial.tsx';
import { DeviceFaults } from './device-faults.tsx';
import { DeviceRecording } from './device-recording.tsx';
import { HealthSign } from './health-sign.tsx';
import type { Part, PartKind, StandingFault, Told } from './machine.ts';
import { NoteTable } from './note-table.tsx';
import { PartDrawing } from './part-drawing.tsx';
import { nameOf, wordOf } from './part-words.ts';
import { Facts } from './parts.tsx';
import { useServiceWords } from './service-words.ts';
import { Slips } from './slips.tsx';

/** The page that says more of a part. */
const PAGE_OF: Readonly<Record<PartKind, Page | null>> = {
  'bill-acceptor': 'notes',
  'card-shoe': null,
  'receipt-printer': 'payouts',
  'cabinet-board': null,
  'power-supply': null,
  'table-display': 'displays',
  'dealer-display': 'displays',
  'sign-display': 'displays',
  'seat-display': 'displays',
  link: 'link',
  ledger: 'storage',
  copy: 'storage',
  clock: 'clock',
  reader: 'reading',
  program: 'software',
};

/**
 * One part of the machine: how it is, what to do about it and where, what it says of itself, and
 * last the bytes of its line in words.
 */
export function PartPanel(props: {
  readonly part: Part;
  readonly told: Told;
  readonly onPage: (page: Page) => void;
  readonly onClose: () => void;
}) {
  const { part, told, onPage, onClose } = props;
  const words = useServiceWords();
  const { s, m } = words;
  const view = useView();
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus(), []);
  const device = told.devices?.devices.find((each) => each.view.id === part.id) ?? null;
  const name = nameOf(part, words);
  const page = PAGE_OF[part.kind];
  const noteTable = device?.notes && <NoteTable device={part.id} notes={device.notes} />;
  // It is compared before it is signed.
  const isUnconfirmed = device?.notes?.persons === null;
  const placeOf = ({ place }: StandingFault): string =>
    device === null ? (words.meaning(place) ?? name) : name;
  return (
    <section
      class={`part-panel part-panel-${part.health}`}
      aria-label={name}
      tabIndex={-1}
      ref={panel}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
        // To where one came from.
        document.querySelector<HTMLElement>(`[data-part="${part.id}"]`)?.focus();
      }}
    >
      <header>
        <HealthSign health={part.health} isNamed />
        <h3>
          {name}
          <small>{wordOf(part, view, told, words)}</small>
        </h3>
        {device?.view.simulated && <span class="tag tag-sim">{s('device.simulated')}</span>}
        <button type="button" class="key key-close" aria-label={m('close')} onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      {isUnconfirmed && noteTable}
      {part.faults.length === 0 && <PartDrawing kind={part.kind} marked={null} />}
      <DeviceFaults kind={part.kind} placeOf={placeOf} faults={part.faults} />
      {device !== null && <DeviceFacts device={device} />}
      {page !== null && view.service && maySee(view.service.role, page) && (
        <p class="service-bar">
          <button type="button" class="button" onClick={() => onPage(page)}>
            {m('open', { page: s(`page.${page}`) })}
          </button>
        </p>
      )}
      {!isUnconfirmed && noteTable}
      {device?.cards && <CardTrial trial={device.cards} />}
      {device?.slips && <Slips slips={device.slips} />}
      {device?.cabinet && <CabinetFacts status={device.cabinet} />}
      {device?.power && <PowerFacts status={device.power} />}
      {device !== null && <Said device={device} />}
    </section>
  );
}

type Device = DevicePage['devices'][number];

/** What an acceptor adds to its state is one of two kinds of words. */
export function useDeviceState(): (device: Pick<Device, 'view' | 'detail'>) => string {
  const { code } = useServiceWords();
  return ({ view: { state }, detail }) => {
    if (detail === null) return code('deviceState', state);
    const failed = code('failure', detail);
    return [code('deviceState', state), failed === detail ? code('rejection', detail) : failed].join(' · ');
  };
}

function DeviceFacts({ device }: { readonly device: Device }) {
  const { s } = useServiceWords();
  const stateOf = useDeviceState();
  const { view, identity } = device;
  return (
    <Facts
      rows={[
        [s('device.state'), stateOf(device)],
        [s('device.model'), identity?.model ?? view.model],
        [s('device.serial'), identity?.serial || s('device.unknown')],
        [s('device.firmware'), identity?.firmware || s('device.unknown')],
      ]}
    />
  );
}

const NEWEST = 4;
/** A printed slip is some thousand bytes long. */
const MOST_HEX = 24 * 3;

/** The line of a device: the newest frames with their words, and behind them all that is kept. */
function Said({ device: { view, frames } }: { readonly device: Device }) {
  const { m } = useServiceWords();
  const rest = frames.slice(0, -NEWEST);
  return (
    <section class="said" aria-label={m('said')}>
      <h4>{m('said')}</h4>
      {frames.length === 0 && <p class="service-note">{m('saidNone')}</p>}
      <Frames frames={frames.slice(-NEWEST)} />
      {rest.length > 0 && (
        <details>
          <summary>{m('saidAll')}</summary>
          <Frames frames={rest.toReversed()} />
        </details>
      )}
      <DeviceRecording device={view.id} />
    </section>
  );
}

function Frames({ frames }: { readonly frames: readonly FrameRow[] }) {
  const { s, says } = useServiceWords();
  return (
    <ul class="frames">
      {frames.map(({ atMs, direction, hex, times, says: keys }, index) => (
        <li key={`${atMs} ${index}`} class={`frame-${direction}`}>
          <span role="img" aria-label={s(`device.${direction}`)}>
            {direction === 'out' ? '→' : '←'}
          </span>{' '}
          {says(keys)}
          {times > 1 && ` × ${times}`}{' '}
          <code>{hex.length > MOST_HEX ? `${hex.slice(0, MOST_HEX)}…` : hex}</code>
        </li>
      ))}
    </ul>
  );
}
