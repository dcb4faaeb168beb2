/** The machine as its map shows it: every part, how it is, and what is next to it. */
import type {
  ClockPage,
  DeviceFault,
  DevicePage,
  DisplayPage,
  ReadingPage,
  SoftwarePage,
  StorageReport,
} from '../../wire/pages.ts';
import type { DeviceView, TableView } from '../../wire/view.ts';

export interface StandingFault extends DeviceFault {
  readonly device: string;
}

/** `warning`: play goes on · `fault`: it stops the table, the notes or a seat. */
export type Health = 'ok' | 'warning' | 'fault';
export const HEALTHS = ['fault', 'warning', 'ok'] as const satisfies readonly Health[];

export type PartKind =
  | DeviceView['kind']
  | 'table-display'
  | 'dealer-display'
  | 'sign-display'
  | 'seat-display'
  | 'link'
  | 'ledger'
  | 'copy'
  | 'clock'
  | 'reader'
  | 'program';

export interface Part {
  /** `acceptor-3`, `shoe`, `display:seat:3`, `link`. */
  readonly id: string;
  readonly kind: PartKind;
  /** Of an acceptor, or of the seat of a display. */
  readonly no: number | null;
  readonly health: Health;
  /** The worst first. */
  readonly faults: readonly StandingFault[];
}

/** What the pages of service mode have answered; null = nothing yet. */
export interface Told {
  readonly devices: DevicePage | null;
  readonly displays: DisplayPage | null;
  readonly storage: StorageReport | null;
  readonly clock: ClockPage | null;
  readonly reading: ReadingPage | null;
  readonly software: SoftwarePage | null;
}

/** A notice lets play go on; any other level stops something. */
const healthOf = ({ level }: StandingFault): Health => (level === 'N' ? 'warning' : 'fault');
export const worstOf = (healths: readonly Health[]): Health =>
  HEALTHS.find((health) => healths.includes(health)) ?? 'ok';

/** The part that a fault of the machine itself is shown at. */
function placeOf({ device, fault }: StandingFault): string {
  if (device.startsWith('display:')) return device;
  if (device === 'window') return 'display:table';
  if (fault.startsWith('reader-')) return 'reader';
  if (fault.startsWith('link-')) return 'link';
  if (fault.startsWith('clock-')) return 'clock';
  if (fault === 'ledger-copy-failed' || device === 'ledger-copy') return 'copy';
  return device === 'program' || device === 'books' ? 'program' : 'ledger';
}

/** Of a device whose fault is about to be reported, or is none by itself. */
const NOT_WELL: ReadonlySet<string> = new Set([
  ...['offline', 'jammed', 'cover-open', 'paper-out', 'full', 'cassette-removed', 'cheated', 'failed'],
  ...['door-open', 'on-battery', 'battery-low'],
]);

const DISPLAY_KINDS = {
  table: 'table-display',
  dealer: 'dealer-display',
  spectator: 'sign-display',
} as const;
const seatOf = (id: string): number | null => {
  const [, seat] = /^display:seat:(\d+)$/.exec(id) ?? [];
  return seat === undefined ? null : Number(seat);
};

/** All parts in the order of the map: dealer's side, notes from seat 1 on, what stands around. */
export function partsOf(view: TableView, told: Told): readonly Part[] {
  const { devices, displays, storage, clock, reading, software } = told;
  const copyFaults = storage?.copy?.faults ?? [];
  const own = [...(devices?.machine ?? []), ...copyFaults];
  const at = (id: string): readonly StandingFault[] => own.filter((fault) => placeOf(fault) === id);
  const part = (id: string, kind: PartKind, more: readonly Health[], faults = at(id)): Part => ({
    id,
    kind,
    no: kind === 'bill-acceptor' ? Number(/\d+$/.exec(id)?.[0] ?? 1) : seatOf(id),
    health: worstOf([...faults.map(healthOf), ...more]),
    faults: faults.toSorted((a, b) => HEALTHS.indexOf(healthOf(a)) - HEALTHS.indexOf(healthOf(b))),
  });

  const units = view.devices.map(({ id, kind, state }) => {
    const known = devices?.devices.find((each) => each.view.id === id);
    const faults = (known?.faults ?? []).map((fault) => ({ ...fault, device: id }));
    return part(id, kind, NOT_WELL.has(state) ? ['warning'] : [], faults);
  });
  const roles = (displays?.displays ?? []).map(({ role }) => `display:${role}`);
  const lost = own.map(({ device }) => device);
  const glasses = [...new Set([...roles, ...lost, 'display:table'])]
    .filter((id) => /^display:(table|dealer|spectator|seat:\d+)$/.test(id))
    .toSorted();
  const { link } = view;
  const { copy } = storage ?? { copy: null };
  const isOff = (clock?.centre.offMs ?? null) !== null && Math.abs(clock!.centre.offMs!) > clock!.stepMs;
  return [
    ...units.filter(({ kind }) => kind === 'card-shoe'),
    ...units.filter(({ kind }) => kind === 'bill-acceptor'),
    ...units.filter(({ kind }) => kind === 'receipt-printer'),
    ...units.filter(({ kind }) => kind === 'cabinet-board'),
    ...units.filter(({ kind }) => kind === 'power-supply'),
    ...glasses.map((id) =>
      part(
        id,
        DISPLAY_KINDS[id.slice('display:'.length) as keyof typeof DISPLAY_KINDS] ?? 'seat-display',
        [],
      ),
    ),
    part('link', 'link', link.state === 'fork' ? ['fault'] : link.state === 'up' ? [] : ['warning']),
    part('ledger', 'ledger', []),
    ...(storage !== null && copy === null
      ? []
      : [part('copy', 'copy', copy === null || copy.state === 'following' ? [] : ['warning'])]),
    part('clock', 'clock', isOff ? ['warning'] : []),
    ...(reading?.whenAbsent == null ? [] : [part('reader', 'reader', reading.isThere ? [] : ['warning'])]),
    part('program', 'program', software?.selfTest?.some(({ ok }) => !ok) ? ['fault'] : []),
  ];
}

/** Of the parts that stop something the one that broke last: what somebody was called for. */
export function brokeLast(parts: readonly Part[]): Part | null {
  const sinceMs = ({ faults }: Part): number =>
    Math.max(...faults.filter((fault) => healthOf(fault) === 'fault').map((fault) => fault.sinceMs));
  return parts.reduce<Part | null>((last, part) => {
    const since = sinceMs(part);
    return since > (last === null ? Number.NEGATIVE_INFINITY : sinceMs(last)) ? part : last;
  }, null);
}

/** How many parts are how. */
export const countsOf = (parts: readonly Part[]): Readonly<Record<Health, number>> => ({
  ok: parts.filter(({ health }) => health === 'ok').length,
  warning: parts.filter(({ health }) => health === 'warning').length,
  fault: parts.filter(({ health }) => health === 'fault').length,
});
