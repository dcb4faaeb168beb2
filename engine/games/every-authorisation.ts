import { rulebookOf } from '../books.ts';
import type { Authorisation, RulebookId } from '../table/profile.ts';

/**
 * The record of a table that is no table: conformance runs, simulations and tests try every choice
 * of a rulebook, and nobody is asked. Its days lie before 1970, where the clocks of such tables
 * begin.
 */
export const everyAuthorisation = (rulebook: RulebookId): Authorisation[] => [
  {
    options: rulebookOf(rulebook)?.options.map(({ id }) => id) ?? [],
    by: 'nobody',
    reference: 'no table of a casino',
    requestedOn: '1969-12-01',
    effectiveOn: '1969-12-31',
  },
];
