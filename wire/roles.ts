/** What a display of a role may send and ask: the rows of commands and queries, read. */
import type { PersonRole } from '../engine/table/inputs.ts';
import { type Command, permissionOf, type Screen } from './commands.ts';
import { type DisplayRole, type HandedOver, NOTHING_HANDED_OVER } from './display.ts';
import { askerOf, type Query } from './queries.ts';
import { mayAsk } from './rights.ts';

/** The kind a display's rows are under; null: it may send nothing. */
function screenOf(role: Exclude<DisplayRole, 'table'>): Screen | null {
  switch (role) {
    case 'dealer':
    case 'service':
    case 'operator':
      return role;
    case 'spectator':
      return null;
    default:
      return 'seat';
  }
}

/** Whether a display of this role may send a command of this type at all, whatever is in it. */
export function mayEver(role: DisplayRole, type: string): boolean {
  const permission = permissionOf(type);
  if (permission === null || role === 'table') return permission !== null;
  const screen = screenOf(role);
  return screen !== null && permission.from.includes(screen);
}

/** For whom a command of a seat speaks; null: it is none. */
const bettorOf = (command: Command): number | null =>
  'by' in command && command.by !== undefined ? command.by : 'seat' in command ? command.seat : null;

/** Takes the round of the past off the big table: whoever stands there may. */
const OF_ANYBODY: Command['type'] = 'hide-recall';

/**
 * Whether the glass of the players may send it beside displays of their own: no staff's command and
 * no PIN beside the dealer's, and for no seat that has one.
 */
function staysWithPlayers(role: DisplayRole, command: Command, handedOver: HandedOver): boolean {
  const { from } = permissionOf(command.type)!;
  if (handedOver.dealer) {
    if ('credential' in command) return false;
    if (command.type === 'raise-complaint' && command.from !== 'player') return false;
    if (!from.some((screen) => screen === 'seat' || screen === 'operator') && command.type !== OF_ANYBODY)
      return false;
  }
  const bettor = role === 'table' && from.includes('seat') ? bettorOf(command) : null;
  return bettor === null || !handedOver.seats.includes(bettor);
}

/**
 * Whether a display may send this very command: a seat's own speaks for its bettor alone, on
 * whatever seat the bet lies, and the hands on devices are there in simulation only.
 */
export function mayCommand(
  role: DisplayRole,
  command: Command,
  simulated: boolean,
  handedOver: HandedOver = NOTHING_HANDED_OVER,
): boolean {
  if (!mayEver(role, command.type) || (command.type.startsWith('sim-') && !simulated)) return false;
  const isSeat = role.startsWith('seat:');
  if ((isSeat || role === 'table') && !staysWithPlayers(role, command, handedOver)) return false;
  if (!isSeat) return true;
  if (command.type === 'raise-complaint' && command.from !== 'player') return false;
  return bettorOf(command) === Number(role.slice('seat:'.length));
}

/**
 * Which display may ask what. `service`: the role of whoever has opened service mode, null = nobody
 * has; `recalls`: the big table plays a round of the past, or may. Service mode is on the dealer's
 * own display, where there is one, and not on the players' glass.
 */
export function mayQuery(
  role: DisplayRole,
  query: Query,
  {
    service,
    recalls,
    handedOver = NOTHING_HANDED_OVER,
  }: {
    readonly service: PersonRole | null;
    readonly recalls: boolean;
    readonly handedOver?: HandedOver;
  },
): boolean {
  const isStaffs = role === 'service' || role === (handedOver.dealer ? 'dealer' : 'table');
  const inService = service !== null && isStaffs && mayAsk(service, query);
  // Whoever has opened service mode sees no round here that is not theirs to see there.
  const mayRecall = recalls && (service === null || mayAsk(service, query));
  switch (askerOf(query.query)) {
    case 'seat':
      if (!('seat' in query) || query.seat === null) return role === 'table';
      return role === `seat:${query.seat}` || (role === 'table' && !handedOver.seats.includes(query.seat));
    case 'recall':
      return role === 'table' && mayRecall;
    case 'dealer':
      // The dealer chooses among the last rounds what the table plays.
      return inService || (mayRecall && (role === 'table' || role === 'dealer'));
    case 'service':
      return inService;
  }
}
