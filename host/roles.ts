/** What a display of a role may send and ask. */
import type { Command, DisplayRole, Query } from './api.ts';

const SEAT_COMMANDS: ReadonlySet<Command['type']> = new Set([
  'place-bet',
  'undo-bet',
  'clear-bets',
  'repeat-bets',
  'double-bets',
  'decide',
  'note-intent',
  'set-language',
  'set-comfort',
  'set-own-limits',
  'confirm-own-limit',
  'call-attendant',
  'choose-note-seat',
  'request-cash-out',
  'cancel-cash-out',
  'confirm-hand-pay',
  'raise-complaint',
]);
/** What a player's panel has too: the dealer pays by hand, and complains for a player. */
const ALSO_DEALERS: ReadonlySet<Command['type']> = new Set(['confirm-hand-pay', 'raise-complaint']);
const SERVICE_COMMANDS: ReadonlySet<Command['type']> = new Set([
  'enter-service',
  'exit-service',
  'run-self-test',
  'end-fault',
  'hold-drill',
  'make-export',
  'plan-change',
  'drop-change',
  'switch-table',
  'resolve-held-note',
  'show-recall',
  'hide-recall',
]);

const isSimulated = (type: Command['type']): boolean => type.startsWith('sim-');

/** Whether a display of this role may send a command of this type at all, whatever is in it. */
export function mayEver(role: DisplayRole, type: Command['type']): boolean {
  if (isSimulated(type)) return role === 'operator' || role === 'table';
  if (role === 'table') return true;
  if (role === 'operator') return false;
  if (role === 'service') return SERVICE_COMMANDS.has(type);
  if (role === 'dealer') return !SEAT_COMMANDS.has(type) || ALSO_DEALERS.has(type);
  return SEAT_COMMANDS.has(type);
}

/** Which display may send which command; a seat's own speaks for its bettor alone, on whatever seat he bets. The table is the whole kiosk; the operator's page exists in simulation only. */
export function mayCommand(role: DisplayRole, command: Command, simulated: boolean): boolean {
  if (!mayEver(role, command.type) || (isSimulated(command.type) && !simulated)) return false;
  if (!role.startsWith('seat:')) return true;
  const own = Number(role.slice('seat:'.length));
  if (!('seat' in command)) return false;
  if (command.type === 'raise-complaint' && command.from !== 'player') return false;
  return ('by' in command && command.by !== undefined ? command.by : command.seat) === own;
}

/** Which display may ask what. `service`: a session is open; `recalls`: the big table plays a round of the past, or may. */
export function mayQuery(
  role: DisplayRole,
  query: Query,
  { service, recalls }: { readonly service: boolean; readonly recalls: boolean },
): boolean {
  switch (query.query) {
    case 'own-rounds':
    case 'own-round':
      return role === 'table' || role === `seat:${query.seat}`;
    case 'recall':
      return role === 'table' && recalls;
    case 'rounds':
      // The dealer chooses among the last ones what the table plays.
      if (recalls && (role === 'table' || role === 'dealer')) return true;
      break;
    default:
  }
  return service && (role === 'table' || role === 'service');
}
