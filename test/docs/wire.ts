/** The rows of the wire's contract as tables of docs/wire.md. */
import { z } from 'zod';
import { COMMAND_ROWS, type Screen } from '../../wire/commands.ts';
import { type Asker, QUERY_ROWS } from '../../wire/queries.ts';
import { table } from './table.ts';

interface Member {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Member[];
  readonly minimum?: number;
  readonly maximum?: number;
}

const isNull = ({ type }: Member): boolean => type === 'null';
const range = ({ minimum, maximum }: Member): string =>
  minimum !== undefined && maximum !== undefined && maximum - minimum <= 1_000
    ? ` ${minimum}–${maximum}`
    : '';

/** `seat` 1–12, `act`: one of its words; what has a section of its own is only named. */
function memberText(name: string, member: Member, isNeeded: boolean): string {
  const inner = member.anyOf?.find((each) => !isNull(each)) ?? member;
  const values = inner.enum ?? (inner.const === undefined ? [] : [inner.const]);
  const words =
    values.length > 0 && values.length <= 8 ? ` (${values.map(String).join(', ')})` : range(inner);
  const nullable = member.anyOf?.some(isNull) ? ' or null' : '';
  return `\`${name}\`${isNeeded ? '' : '?'}${words}${nullable}`;
}

function membersText(schema: z.ZodType, discriminator: string): string {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return Object.entries(properties)
    .filter(([name]) => name !== discriminator)
    .map(([name, member]) => memberText(name, member as Member, required.includes(name)))
    .join(', ');
}

const commandTable = (holds: (from: readonly Screen[]) => boolean): string =>
  table(
    ['command', 'members', ''],
    COMMAND_ROWS.filter(({ from }) => holds(from)).map(({ name, schema, says }) => [
      `\`${name}\``,
      membersText(schema, 'type'),
      says,
    ]),
  );

export const seatCommands = (): string => commandTable((from) => from.includes('seat'));
export const dealerCommands = (): string => commandTable((from) => from.length === 1 && from[0] === 'dealer');
export const serviceCommands = (): string => commandTable((from) => from.includes('service'));
export const operatorCommands = (): string => commandTable((from) => from.includes('operator'));

const ASKERS: Readonly<Record<Asker, string>> = {
  service: '`table`, `service` in a service session',
  dealer: 'likewise; `table` and `dealer` wherever `show-recall` is possible',
  recall: '`table`, wherever `show-recall` is possible',
  seat: '`table`, and `seat:N` for its own `seat` alone',
};
export const queryTable = (): string =>
  table(
    ['query', 'members', 'from', ''],
    QUERY_ROWS.map(({ name, schema, asker, says }) => [
      `\`${name}\``,
      membersText(schema, 'query'),
      ASKERS[asker],
      says,
    ]),
  );
