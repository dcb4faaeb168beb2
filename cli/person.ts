/**
 * `banca person --id ID --name NAME --number NUMBER --role ROLE [--card CARD] [--pin-stdin]`: one
 * of the `people` of a terminal file, as JSON. The PIN comes from stdin only, never from the
 * command line, which other users of the machine can read.
 */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { hashPin, whyNotPin } from '../host/config/people.ts';
import { personSchema } from '../ledger/chain/roster.codec.ts';
import { pin as pinSchema } from '../wire/fields.ts';
import { CannotRun, readArguments, required } from './command.ts';

/** A line of stdin for each prompt; a terminal is prompted and shows nothing of what is typed. */
export async function linesOfStdin(prompts: readonly string[]): Promise<string[]> {
  const terminal = process.stdin.isTTY === true;
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal });
  const given: string[] = [];
  const prompt = (): void => {
    if (terminal) process.stderr.write(`${given.length === 0 ? '' : '\n'}${prompts[given.length]}: `);
  };
  try {
    prompt();
    for await (const line of lines) {
      given.push(line);
      if (given.length === prompts.length) break;
      prompt();
    }
  } finally {
    lines.close();
    if (terminal) process.stderr.write('\n');
  }
  return given;
}

export async function person(argv: string[]): Promise<number> {
  const { values } = readArguments(argv, {
    id: { type: 'string' },
    name: { type: 'string' },
    number: { type: 'string' },
    role: { type: 'string' },
    card: { type: 'string' },
    'pin-stdin': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  });
  const record = {
    id: required('--id ID', values.id),
    name: required('--name NAME', values.name),
    number: required('--number NUMBER', values.number),
    role: required('--role ROLE', values.role),
    ...(values.card === undefined ? {} : { card: values.card }),
  };
  // Before anybody is asked for a PIN: what else is wrong with the person.
  const checked = personSchema.omit({ pinHash: true }).safeParse(record);
  if (!checked.success) {
    const issue = checked.error.issues[0];
    throw new CannotRun(`--${String(issue?.path[0])}: ${issue?.message}`);
  }
  const [pin, again] = await linesOfStdin(values['pin-stdin'] ? ['PIN'] : ['PIN', 'the same PIN again']);
  if (pin === undefined) throw new CannotRun('the PIN is missing: it is read from stdin');
  if (!values['pin-stdin'] && again === undefined)
    throw new CannotRun('the PIN must come twice on stdin, or once with --pin-stdin');
  if (!values['pin-stdin'] && pin !== again) throw new CannotRun('the two PINs are not the same');
  const digits = pinSchema.safeParse(pin);
  if (!digits.success) throw new CannotRun(`the PIN: ${digits.error.issues[0]?.message}`);
  const weak = whyNotPin(digits.data);
  if (weak !== null) throw new CannotRun(`the PIN: ${weak}`);
  console.log(JSON.stringify({ ...checked.data, pinHash: await hashPin(digits.data) }));
  return 0;
}
