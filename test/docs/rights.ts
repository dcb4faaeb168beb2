/** Who may do what, as tables of docs/operations/rights.md. */
import { ROLES } from '../../engine/table/inputs.ts';
import { ROLES as CENTRE_ROLES, type Right as CentreRight, PROGRAMS, RIGHTS } from '../../upstream/rights.ts';
import { COMMAND_ROWS } from '../../wire/commands.ts';
import { FAULTS, personsFor } from '../../wire/faults.ts';
import { PAGES, type Right, rightOf } from '../../wire/rights.ts';
import { text } from '../support/texts.ts';
import { table } from './table.ts';

const cells = ({ first, second = [], known }: Right): string[] =>
  ROLES.map((role) => {
    if (known === 'or-dealer' && role === 'dealer') return 'signed in';
    const as = [first.includes(role) && '1', second.includes(role) && '2'].filter(Boolean);
    return as.length === 0 ? '' : second.length === 0 ? '●' : as.join(', ');
  });

const KNOWN: Readonly<Record<Right['known'], string>> = {
  pin: 'PIN',
  'or-dealer': 'PIN, or none for the dealer',
  session: 'service mode',
  'or-session': 'signed in, or service mode',
};

/** Faults that the same persons end are one row. */
function faultRows(): string[][] {
  const by = new Map<string, { readonly right: Right; readonly faults: string[] }>();
  for (const fault of Object.keys(FAULTS)) {
    const [first, second] = personsFor(fault);
    if (first === undefined) continue;
    const key = JSON.stringify([first, second]);
    const right: Right = { first, known: 'pin', ...(second === undefined ? {} : { second }) };
    const known = by.get(key) ?? { right, faults: [] };
    known.faults.push(fault);
    by.set(key, known);
  }
  return [...by.values()].map(({ right, faults }) => [
    '`end-fault`',
    faults.map((fault) => `\`${fault}\``).join(', '),
    KNOWN[right.known],
    ...cells(right),
  ]);
}

export const rightTable = (): string =>
  table(
    ['command', 'what', 'known by', ...ROLES],
    [
      ...COMMAND_ROWS.flatMap(({ name, says }) => {
        const right = rightOf(name);
        return right === null ? [] : [[`\`${name}\``, says, KNOWN[right.known], ...cells(right)]];
      }),
      ...faultRows(),
    ],
  );

export const pageRights = (): string =>
  table(
    ['page', 'asks', ...ROLES],
    Object.entries(PAGES).map(([page, { roles, asks }]) => [
      page === 'map' ? text('en', 'map', {}, 'map') : text('en', `page.${page}`, {}, 'service'),
      asks.map((query) => `\`${query}\``).join(', '),
      ...cells({ first: roles, known: 'session' }),
    ]),
  );

/** The same of people and programs at the centre, for docs/operations/centre.md. */
export const centreRights = (): string =>
  table(
    ['request', 'what', 'noted', ...CENTRE_ROLES, ...PROGRAMS.map((program) => `\`${program}\``)],
    Object.entries<CentreRight>(RIGHTS).map(([request, { what, roles, programs, isNoted }]) => [
      `\`${request}\``,
      what,
      isNoted ? 'yes' : '',
      ...CENTRE_ROLES.map((role) => (roles.includes(role) ? '●' : '')),
      ...PROGRAMS.map((program) => (programs.includes(program) ? '●' : '')),
    ]),
  );
