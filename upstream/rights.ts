/**
 * Every right of every role at the centre: one row for each request that is not open to everybody.
 * The server asks these rows before it does anything else and starts with no request that has none;
 * docs/operations/centre.md is printed of them.
 */
export const ROLES = ['viewer', 'floor', 'count-room', 'auditor', 'administrator'] as const;
export type Role = (typeof ROLES)[number];

/**
 * Programs show a password of their own: `operator`, those that read figures and entries and hand
 * in signed orders; `people`, the command on the centre's own machine that adds the first person.
 */
export const PROGRAMS = ['operator', 'people'] as const;
export type Program = (typeof PROGRAMS)[number];

export interface Right {
  readonly what: string;
  readonly roles: readonly Role[];
  readonly programs: readonly Program[];
  /** Shows personal data: who has looked, at what and from where is noted before the answer. */
  readonly isNoted: boolean;
}

const right = (what: string, roles: readonly Role[], ...programs: readonly Program[]): Right => ({
  what,
  roles,
  programs,
  isNoted: false,
});
const noted = (...of: Parameters<typeof right>): Right => ({ ...right(...of), isNoted: true });

/** Who runs the floor, counts its money, or examines both. */
const OF_THE_TABLES: readonly Role[] = ['floor', 'count-room', 'auditor'];

/** The wall shows no sum of a person's and no card. */
const FLOOR_VIEWERS: readonly Role[] = ['viewer', 'floor', 'count-room', 'auditor'];

/** By method and path. What is ordered or changed is noted by what does it, with its outcome. */
export const RIGHTS = {
  'GET /': right('terminals: link, newest entry, clock, forks', ROLES),
  'GET /forks': noted('gaps and forks', OF_THE_TABLES),
  'GET /terminals/:id': noted('alarms, meters, orders and rounds of a terminal', OF_THE_TABLES),
  'GET /terminals/:id/rounds/:round': noted('every entry of a round', OF_THE_TABLES),
  'GET /terminals/:id/poster': right('the rules for the wall', ROLES),
  'GET /terminals/:id/order': right('where a signed order is handed in', ['floor']),
  'POST /terminals/:id/order': right('a signed order handed in by a person', ['floor']),
  'GET /floor': noted('the gaming floor, with who deals', FLOOR_VIEWERS),
  'GET /floor/stream': right('live changes of the gaming floor', FLOOR_VIEWERS),
  'GET /floor/alarms': noted('every alarm there was, and who has seen it', FLOOR_VIEWERS),
  'POST /floor/alarms/:id/:no/seen': right('an alarm acknowledged', ['floor', 'count-room']),
  'GET /floor.css': right('how the floor looks', ROLES),
  'GET /floor.js': right('what keeps the floor live', ROLES),
  'GET /days': noted('gaming days, with win and hold of each table and rates of each dealer', OF_THE_TABLES),
  'POST /days/:day/close': right('the closing of a gaming day, signed', ['floor']),
  'POST /days/:day/:id/lost': right('the closing of a day of a table that is lost, signed', ['floor']),
  'GET /days/:day/:id': noted('a gaming day of a table', OF_THE_TABLES),
  'GET /days/:day/statement/:form': noted('the statement of a gaming day', OF_THE_TABLES),
  'GET /seconds': noted('where the seconds of rounds go, by dealer, game and hour', OF_THE_TABLES),
  'GET /boxes/:id/:entry': noted('where a cash box is counted, and who has counted it', ['count-room']),
  'POST /boxes/:id/:entry': right('the count of a cash box', ['count-room']),
  'GET /v1/terminals/:id/closings': noted('closings as they were signed', ['auditor'], 'operator'),
  'GET /v1/terminals/:id/entries': noted('entries as they were sent', ['auditor'], 'operator'),
  'GET /v1/terminals/:id/commands': right('number of the next order', ['floor'], 'operator'),
  'POST /v1/terminals/:id/commands': right('a signed order handed in', ['floor'], 'operator'),
  'GET /metrics': right('figures for Prometheus', ['auditor', 'administrator'], 'operator'),
  'GET /account': right('own passkeys and sessions', ROLES),
  'POST /account/link': right('link for a further passkey of one’s own', ROLES),
  'POST /account/sessions/end': right('end of an own session', ROLES),
  'POST /log-out': right('end of this session', ROLES),
  'GET /people': noted('people, their roles and passkeys', ['administrator']),
  'POST /people': right('a new person, with a link', ['administrator']),
  'POST /people/:person/role': right('another role', ['administrator']),
  'POST /people/:person/link': right('a new link for a lost passkey; the old ones and all sessions end', [
    'administrator',
  ]),
  'POST /people/:person/end': right('the end of a person here', ['administrator']),
  'POST /v1/people': right('a person from the centre’s own machine, with a link', [], 'people'),
  'GET /audit': noted('who has looked at or ordered what', ['auditor']),
} as const satisfies Readonly<Record<string, Right>>;
export type Request = keyof typeof RIGHTS;

/** A HEAD is a GET whose body is not sent. */
export function rightOf(method: string, path: string): Right | null {
  const rows: Readonly<Record<string, Right>> = RIGHTS;
  const key = `${method === 'HEAD' ? 'GET' : method} ${path}`;
  return Object.hasOwn(rows, key) ? rows[key]! : null;
}

export const mayAsk = (role: Role, request: Request): boolean =>
  (RIGHTS[request].roles as readonly Role[]).includes(role);
