/**
 * Gives a terminal a command:
 * `node upstream/command.ts --key FILE --centre URL --password FILE --terminal ID --issuer NAME --order JSON
 * [--valid-s SECONDS]`, and
 * `node upstream/command.ts --key FILE --make-key` for a new key. URL is the operators' address of any instance. The
 * key need not lie where the service runs: who takes over the service can hold commands back and make none.
 */
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { FILE_BOUNDS, parseBounded } from '../ledger/chain/bounded-json.ts';
import { type CentreCommand, type SignedCommand, signCommand } from '../ledger/chain/command.codec.ts';
import { readCommandKey } from './command-key.ts';
import { basicOf, readPassword } from './password.store.ts';

function fail(message: string): never {
  console.error(`command: ${message}`);
  process.exit(2);
}

const { values } = (() => {
  try {
    return parseArgs({
      options: {
        key: { type: 'string' },
        'make-key': { type: 'boolean', default: false },
        centre: { type: 'string' },
        password: { type: 'string' },
        terminal: { type: 'string' },
        issuer: { type: 'string' },
        order: { type: 'string' },
        'valid-s': { type: 'string' },
      },
    });
  } catch (error) {
    return fail((error as Error).message);
  }
})();
const needed = (name: 'key' | 'centre' | 'password' | 'terminal' | 'issuer' | 'order'): string =>
  values[name] ?? fail(`--${name} is missing`);

const orFail = <T>(work: () => T): T => {
  try {
    return work();
  } catch (error) {
    return fail((error as Error).message);
  }
};
const say = (line: object): void => {
  process.stdout.write(`${JSON.stringify(line)}\n`);
};
const path = needed('key');
if (values['make-key']) {
  const pem = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  try {
    writeFileSync(path, pem, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    fail((error as Error).message);
  }
  say({ commandKey: Buffer.from(orFail(() => readCommandKey(path)).publicKey).toString('base64') });
} else {
  const key = orFail(() => readCommandKey(path));
  const base = `${needed('centre').replace(/\/+$/, '')}/v1/terminals/${encodeURIComponent(needed('terminal'))}/commands`;
  const authorization = ((): string => {
    try {
      return basicOf(readPassword(needed('password')));
    } catch (error) {
      return fail((error as Error).message);
    }
  })();
  const answerOf = async (init: RequestInit = {}): Promise<Record<string, unknown>> => {
    const headers = { ...init.headers, authorization };
    const answer = await fetch(base, { ...init, headers }).catch((error: Error) =>
      fail(`${base}: ${error.message}`),
    );
    const body = (await answer.json()) as Record<string, unknown>;
    return answer.ok ? body : fail(`the centre refused: ${JSON.stringify(body)}`);
  };
  const validS = values['valid-s'] === undefined ? null : Number(values['valid-s']);
  if (validS !== null && !(validS > 0)) fail(`--valid-s ${values['valid-s']}: expected a number of seconds`);
  const { next } = await answerOf();
  const issuedAtMs = Date.now();
  let signed: SignedCommand;
  try {
    signed = signCommand(
      {
        terminal: needed('terminal'),
        no: next as number,
        issuedAtMs,
        notAfterMs: validS === null ? null : issuedAtMs + Math.round(validS * 1000),
        issuer: needed('issuer'),
        order: parseBounded(needed('order'), FILE_BOUNDS) as CentreCommand['order'],
      },
      key,
    );
  } catch (error) {
    fail(`--order: ${(error as Error).message}`);
  }
  say(
    await answerOf({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(signed),
    }),
  );
}
