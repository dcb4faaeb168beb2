/**
 * The programs of the guest, bundled as Electron's main process is: loaded file by file from the
 * checkout, over 9p and with an emulated processor that strips their types, the host's 500 modules
 * take a minute.
 */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { bundlePrograms } from '../../cli/build.ts';

const ROOT = join(import.meta.dirname, '../..');

/**
 * Writes the programs to `outDir`: the host and its thread, `banca`, and `own` (name -> source
 * file). Native packages are those of the checkout.
 */
export async function bundle(outDir: string, own: Readonly<Record<string, string>>): Promise<string> {
  const entry = (path: string): string => join(ROOT, path);
  await bundlePrograms(outDir, {
    'host/main': entry('host/main.ts'),
    'cli/banca': entry('cli/banca.ts'),
    'host/program/software-thread': entry('host/program/software-thread.ts'),
    ...own,
  });
  // The host says which version it is.
  cpSync(join(ROOT, 'package.json'), join(outDir, 'package.json'));
  return outDir;
}
