/**
 * The programs of the guest, bundled as Electron's main process is: loaded file by file from the checkout, over 9p and with
 * an emulated processor that strips their types, the host's 500 modules take a minute.
 */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

const here = import.meta.dirname;
const ROOT = join(here, '../..');

/** Writes the programs to `outDir`: every test, the bench, the host, `banca`. Native packages are those of the checkout. */
export async function bundle(outDir: string, tests: readonly string[]): Promise<string> {
  const entry = (path: string): string => join(ROOT, path);
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'error',
    ssr: { noExternal: true, external: ['better-sqlite3', 'usb'] },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      target: 'node24',
      minify: false,
      rolldownOptions: {
        input: {
          'bench-inside': join(here, 'bench/bench-inside.ts'),
          'as-user': join(here, 'guest/as-user.ts'),
          'host/main': entry('host/main.ts'),
          'cli/banca': entry('cli/banca.ts'),
          // Threads start from a file of their own.
          ...Object.fromEntries(
            ['copy/follow-worker', 'chain/verify-worker', 'chain/verify-helper'].map((thread) => [
              `ledger/${thread}`,
              entry(`ledger/${thread}.ts`),
            ]),
          ),
          ...Object.fromEntries(
            tests.map((test) => [`tests/${test}`, join(here, 'guest/tests', `${test}.ts`)]),
          ),
        },
        external: ['better-sqlite3', 'usb', /^node:/],
        output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  });
  // The host says which version it is.
  cpSync(join(ROOT, 'package.json'), join(outDir, 'package.json'));
  return outDir;
}
