/** The section `displays` of a terminal file: what has a display of its own, and where that is. */
import { isIPv4 } from 'node:net';
import { z } from 'zod';
import type { DisplayRole } from '../../wire/display.ts';
import { astray, MOST_PANELS, spareSeats } from '../../wire/glass.ts';
import type { FileProblem } from './file-problem.ts';

const seatNumber = z.string().regex(/^([1-9]|1[0-2])$/, 'the number of a seat');

/** On this machine. */
const place = z.strictObject({
  /** Of the X server; absent: the one that the terminal is started on. */
  screen: z
    .string()
    .regex(/^:\d{1,3}(\.\d{1,2})?$/, 'a screen of X, as in :0.1')
    .exactOptional(),
  /** Of that screen; absent: all of it. */
  area: z
    .string()
    .regex(/^[1-9]\d{2,4}x[1-9]\d{2,4}\+\d{1,5}\+\d{1,5}$/, 'a part of the screen, as in 1280x800+1920+0')
    .exactOptional(),
  /** Whose state says whether the display is plugged in; absent: nothing does. */
  connector: z
    .string()
    .regex(/^card\d{1,2}-[A-Za-z0-9-]{1,40}$/, "the kernel's name of a connector, as in card0-HDMI-A-1")
    .exactOptional(),
  /** X's name of the touch glass, as `xinput list` has it; absent: the only one there is. */
  touch: z
    .string()
    .regex(/^[\x21-\x7e][\x20-\x7e]{0,99}$/, "X's name of a touch glass")
    .exactOptional(),
});

/** Another machine on the table's own network, known by its key. */
const machine = z.strictObject({
  key: z
    .string()
    .regex(
      /^sha256\/[A-Za-z0-9+/]{43}=$/,
      "the key of a display's machine, sha256/ and 44 characters of base64",
    ),
});

/** Where a window is. */
export type Place = z.infer<typeof place>;
const where = z.union([place, machine]);

export const displaysSchema = z.strictObject({
  table: place.exactOptional(),
  dealer: where.exactOptional(),
  spectator: where.exactOptional(),
  seats: z.record(seatNumber, where).exactOptional(),
  /** Where the machines of displays come in; absent: this machine alone. */
  listen: z
    .string()
    .regex(
      /^(\d{1,3}\.){3}\d{1,3}:[1-9]\d{0,4}$/,
      'an address of this machine and a port, as in 10.77.0.1:7443',
    )
    .exactOptional(),
});
export type Displays = z.infer<typeof displaysSchema>;

/** A window and where it is. */
export interface PlacedDisplay {
  readonly role: DisplayRole;
  readonly place: Place;
}

interface Named {
  readonly role: DisplayRole;
  readonly at: z.infer<typeof where>;
}

function named({ table = {}, dealer, spectator, seats = {} }: Displays): Named[] {
  return [
    { role: 'table', at: table },
    ...(dealer ? [{ role: 'dealer', at: dealer } as const] : []),
    ...(spectator ? [{ role: 'spectator', at: spectator } as const] : []),
    ...Object.entries(seats).map(([seat, at]) => ({ role: `seat:${Number(seat)}` as const, at })),
  ];
}

export const displaysIn = (displays: Displays): DisplayRole[] => named(displays).map(({ role }) => role);

/** Every window of this machine, the table's first. */
export const windowsOf = (displays: Displays = {}): PlacedDisplay[] =>
  named(displays).flatMap(({ role, at }) => ('key' in at ? [] : [{ role, place: at }]));

/** Where other machines come in, and which display each is, by its key; null: nowhere. */
export function networkOf(
  displays: Displays = {},
): { readonly host: string; readonly port: number; readonly roles: ReadonlyMap<string, DisplayRole> } | null {
  if (displays.listen === undefined) return null;
  const [host = '', port] = displays.listen.split(':');
  const roles = new Map<string, DisplayRole>();
  for (const { role, at } of named(displays)) if ('key' in at) roles.set(at.key, role);
  return { host, port: Number(port), roles };
}

const keyOf = (role: DisplayRole): string => `displays.${role.replace('seat:', 'seats.')}`;

/** Panels that the table's glass has no room for, or would show below the cloth of other seats. */
function panelProblems({ seats = {} }: Displays, seatCount: number): FileProblem[] {
  const columns = Array.from({ length: seatCount }, (_, i) => i).filter((i) => !(String(i + 1) in seats));
  const away = astray(columns, seatCount).map((column) => column + 1);
  const problem =
    columns.length > MOST_PANELS
      ? `the glass of the table holds ${MOST_PANELS} panels, and ${columns.length} seats have no display of their own`
      : away.length > 0
        ? `panels too close together: of ${away.length === 1 ? 'seat' : 'seats'} ${away.join(', ')} not before their own seat`
        : null;
  if (problem === null) return [];
  const spare = spareSeats(seatCount).join(', ');
  return [
    {
      place: 'displays.seats',
      message: `${problem}; with displays for ${spare} there is room for the others`,
    },
  ];
}

/** What the form alone does not show. */
export function displayProblems(displays: Displays, seatCount: number): FileProblem[] {
  const problems = panelProblems(displays, seatCount);
  for (const seat of Object.keys(displays.seats ?? {}))
    if (Number(seat) > seatCount)
      problems.push({ place: `displays.seats.${seat}`, message: `there are ${seatCount} seats` });
  const taken = new Map<string, DisplayRole>();
  for (const { role, at } of named(displays)) {
    const marks =
      'key' in at
        ? ([['key', at.key]] as const)
        : ([
            ['place', `${at.screen ?? ''} ${at.area ?? ''}`],
            ['connector', at.connector],
          ] as const);
    for (const [what, mark] of marks) {
      if (mark === undefined) continue;
      const other = taken.get(`${what} ${mark}`);
      if (other === undefined) taken.set(`${what} ${mark}`, role);
      else problems.push({ place: keyOf(role), message: `the same ${what} as ${keyOf(other)}` });
    }
    if ('key' in at && displays.listen === undefined)
      problems.push({ place: 'displays.listen', message: `missing: ${keyOf(role)} is another machine` });
  }
  const [host, port] = displays.listen?.split(':') ?? [];
  if (host !== undefined && (!isIPv4(host) || host === '0.0.0.0' || Number(port) > 65_535))
    problems.push({
      place: 'displays.listen',
      message: 'one address of this machine, and not all of them, and a port up to 65535',
    });
  return problems;
}
