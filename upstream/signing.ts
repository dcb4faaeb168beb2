/**
 * What the programs that sign for the centre share: their options, their faults, and how they ask
 * the service.
 */
import type { ParseArgsOptionsConfig } from 'node:util';
import type { LedgerKey } from '../ledger/chain/key.ts';
import { argumentsOf } from '../ledger/chain/program-arguments.ts';
import { readCommandKey } from './command-key.ts';
import { basicOf, readPassword } from './password.store.ts';

const COMMON = {
  key: { type: 'string' },
  centre: { type: 'string' },
  password: { type: 'string' },
  terminal: { type: 'string' },
  issuer: { type: 'string' },
} as const satisfies ParseArgsOptionsConfig;

/**
 * The options of `program` out of its command line. Whatever is wrong ends the process with one
 * sentence and code 2.
 */
export function signing<const T extends ParseArgsOptionsConfig>(program: string, options: T) {
  const fail = (message: string): never => {
    console.error(`${program}: ${message}`);
    process.exit(2);
  };
  const orFail = <R>(work: () => R, about = ''): R => {
    try {
      return work();
    } catch (error) {
      return fail(about + (error as Error).message);
    }
  };
  const { values } = argumentsOf({ options: { ...COMMON, ...options } });
  const given = values as Readonly<Record<string, unknown>>;
  const needed = (name: keyof typeof COMMON | (keyof T & string)): string =>
    typeof given[name] === 'string' ? given[name] : fail(`--${name} is missing`);
  /** Asks the service about the terminal; `path` comes after its address there. */
  const asking = () => {
    const base = `${needed('centre').replace(/\/+$/, '')}/v1/terminals/${encodeURIComponent(needed('terminal'))}`;
    const authorization = orFail(() => basicOf(readPassword(needed('password'))));
    return async <A>(path: string, init: RequestInit = {}): Promise<A> => {
      const headers = { ...init.headers, authorization };
      const answer = await fetch(base + path, { ...init, headers }).catch((error: Error) =>
        fail(`${base}${path}: ${error.message}`),
      );
      const body = (await answer.json()) as A;
      return answer.ok ? body : fail(`the centre refused: ${JSON.stringify(body)}`);
    };
  };
  return {
    values,
    needed,
    fail,
    orFail,
    asking,
    key: (): LedgerKey => orFail(() => readCommandKey(needed('key'))),
  };
}
