/**
 * `banca host …`: the terminal without a window, in this very process: host/main.ts keeps its own
 * contract of lines on stdin and stdout, and signals reach it without a go-between.
 */
import { fileURLToPath } from 'node:url';
import { LedgerUnusable } from '../ledger/store/ledger.store.ts';
import { CannotRun, readArguments, required } from './command.ts';

const MAIN = new URL('../host/main.ts', import.meta.url);

/** Never resolves while the host runs; the host ends the process by itself. */
export async function host(argv: string[]): Promise<number> {
  const { values } = readArguments(argv, {
    data: { type: 'string' },
    profile: { type: 'string' },
    tables: { type: 'string' },
    table: { type: 'string' },
    port: { type: 'string' },
    rack: { type: 'string' },
    copy: { type: 'string' },
    witness: { type: 'string' },
    upstream: { type: 'string' },
    sim: { type: 'string' },
    demo: { type: 'boolean', default: false },
    production: { type: 'boolean', default: false },
    'simulators-allowed': { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    // The host has no window of its own and speaks JSON anyway.
    headless: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  });
  const { data, headless: _headless, json: _json, ...rest } = values;
  const given = Object.entries({ data: required('--data DIR', data), ...rest }).flatMap(([name, value]) =>
    typeof value === 'string' ? [`--${name}`, value] : value ? [`--${name}`] : [],
  );
  process.argv = [process.execPath, fileURLToPath(MAIN), ...given];
  try {
    await import(MAIN.href);
  } catch (error) {
    if (error instanceof LedgerUnusable) throw new CannotRun(error.message);
    throw error;
  }
  return new Promise(() => {});
}
