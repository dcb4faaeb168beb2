/** What a display of a role may send and ask: the rows of commands and queries, read. */
import type { PersonRole } from '../engine/table/inputs.ts';
import { type Command, permissionOf, type Screen } from './commands.ts';
import type { DisplayRole } from './display.ts';
import { askerOf, type Query } from './queries.ts';
import { mayAsk } from './rights.ts';

const screenOf = (role: Exclude<DisplayRole, 'table'>): Screen =>
  role === 'dealer' || role === 'service' || role === 'operator' ? role : 'seat';

/** Whether a display of this role may send a command of this type at all, whatever is in it. */
export function mayEver(role: DisplayRole, type: string): boolean {
  const permission = permissionOf(type);
  return permission !== null && (role === 'table' || permission.from.includes(screenOf(role)));
}

/**
 * Whether a display may send this very command: a seat's own speaks for its bettor alone, on
 * whatever seat the bet lies, and the hands on devices are there in simulation only.
 */
export function mayCommand(role: DisplayRole, command: Command, simulated: boolean): boolean {
  if (!mayEver(role, command.type) || (command.type.startsWith('sim-') && !simulated)) return false;
  if (!role.startsWith('seat:')) return true;
  const own = Number(role.slice('seat:'.length));
  if (!('seat' in command)) return false;
  if (command.type === 'raise-complaint' && command.from !== 'player') return false;
  return ('by' in command && command.by !== undefined ? command.by : command.seat) === own;
}

/**
 * Which display may ask what. `service`: the role of whoever has opened service mode, null = nobody
 * has; `recalls`: the big table plays a round of the past, or may.
 */
export function mayQuery(
  role: DisplayRole,
  query: Query,
  { service, recalls }: { readonly service: PersonRole | null; readonly recalls: boolean },
): boolean {
  const inService = service !== null && (role === 'table' || role === 'service') && mayAsk(service, query);
  // Whoever has opened service mode sees no round here that is not theirs to see there.
  const mayRecall = recalls && (service === null || mayAsk(service, query));
  switch (askerOf(query.query)) {
    case 'seat':
      return role === 'table' || ('seat' in query && role === `seat:${query.seat}`);
    case 'recall':
      return role === 'table' && mayRecall;
    case 'dealer':
      // The dealer chooses among the last rounds what the table plays.
      return inService || (mayRecall && (role === 'table' || role === 'dealer'));
    case 'service':
      return inService;
  }
}
