/**
 * Adds a person to the centre and prints the link by which they make their passkey, once, within a
 * day: `node upstream/person.ts --centre URL --password FILE --name NAME --role ROLE`. URL is the
 * operators' address of any instance, FILE `people-password` beside its `operator-password`. For
 * the first administrator, and where no administrator can log in any more.
 */
import { plainLine } from '../ledger/chain/plain-line.ts';
import { argumentsOf } from '../ledger/chain/program-arguments.ts';
import { basicOf, readPassword } from './password.store.ts';
import { ROLES } from './rights.ts';

function fail(message: string): never {
  console.error(`person: ${plainLine(message)}`);
  process.exit(2);
}

const { values } = argumentsOf({
  options: {
    centre: { type: 'string' },
    password: { type: 'string' },
    name: { type: 'string' },
    role: { type: 'string' },
  },
});
const needed = (name: keyof typeof values): string => values[name] ?? fail(`--${name} is missing`);
const role = needed('role');
if (!ROLES.some((each) => each === role)) fail(`--role ${role}: one of ${ROLES.join(', ')}`);
const authorization = ((): string => {
  try {
    return basicOf(readPassword(needed('password')), 'people');
  } catch (error) {
    return fail((error as Error).message);
  }
})();
const answer = await fetch(`${needed('centre').replace(/\/+$/, '')}/v1/people`, {
  method: 'POST',
  headers: { authorization, 'content-type': 'application/json' },
  body: JSON.stringify({ name: needed('name'), role }),
}).catch((error: Error) => fail(`${values.centre}: ${error.message}`));
const body: unknown = await answer.json();
if (!answer.ok) fail(`the centre refused: ${JSON.stringify(body)}`);
process.stdout.write(`${JSON.stringify(body)}\n`);
