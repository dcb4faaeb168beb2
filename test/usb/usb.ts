/**
 * `npm run test:usb [-- NAME…]`: the project's own drivers on real USB devices without hardware.
 * Boots a Debian kernel in QEMU, whose devices are gadgets, QEMU's FTDI adapters and whole devices
 * over USB/IP, and runs guest/tests/ there, all or those with a NAME in theirs. The exit status is
 * the guest's; where QEMU or Debian's packages cannot be had, the reason is said and nothing has
 * failed.
 */
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { argumentsOf } from '../../ledger/chain/program-arguments.ts';
import { bundle } from './bundle.ts';
import { CACHE, debianParts, Unavailable } from './debian.ts';
import { ADAPTERS, openPlayers } from './players/players-outside.ts';
import { runMachine } from './vm.ts';

const here = import.meta.dirname;
const SETTINGS = [
  ...globSync(join(here, '../../electron/deploy/*{.rules,modprobe.conf}')),
  join(here, 'guest/69-banca-usb-own.rules'),
];
const PORT = 'players';
/** A quiet machine needs two or three minutes for all of it. */
const LIMIT_MS = 900_000;

async function main(names: readonly string[]): Promise<number> {
  const tests = globSync('guest/tests/*.ts', { cwd: here })
    .map((file) => basename(file, '.ts'))
    .filter((test) => names.length === 0 || names.some((name) => test.includes(name)))
    .toSorted();
  if (tests.length === 0) {
    console.error(`no test in test/usb/guest/tests has ${names.join(' or ')} in its name`);
    return 2;
  }
  const started = performance.now();
  const parts = debianParts(CACHE);
  const dir = mkdtempSync(join(tmpdir(), 'banca-usb-'));
  let close = async (): Promise<void> => {};
  try {
    const programs = await bundle(join(dir, 'programs'), {
      'players-inside': join(here, 'players/players-inside.ts'),
      'as-user': join(here, 'guest/as-user.ts'),
      ...Object.fromEntries(tests.map((test) => [`tests/${test}`, join(here, 'guest/tests', `${test}.ts`)])),
    });
    close = await openPlayers(dir, PORT);
    return await runMachine({
      parts,
      dir,
      programs,
      adapters: ADAPTERS,
      port: PORT,
      settings: SETTINGS,
      args: [
        '--test',
        '--test-isolation=none',
        '--test-force-exit',
        '--test-timeout=600000',
        '--test-reporter=spec',
        ...tests.map((test) => `/rig/tests/${test}.js`),
      ],
      limitMs: LIMIT_MS,
    });
  } finally {
    await close();
    rmSync(dir, { recursive: true, force: true });
    console.log(`USB rig: ${((performance.now() - started) / 1000).toFixed(0)} s`);
  }
}

try {
  process.exitCode = await main(argumentsOf({ allowPositionals: true }).positionals);
} catch (error) {
  if (!(error instanceof Unavailable)) throw error;
  console.log(`USB rig: SKIPPED: ${error.message}`);
}
