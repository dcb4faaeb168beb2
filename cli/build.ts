/** Builds what Node cannot run as it stands: the displays' page and Electron's main process. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'vite';

const ROOT = resolve(import.meta.dirname, '..');

/** One CommonJS file: Electron must have it loaded before `ready`, which a module that is imported late would miss. */
export async function buildElectronMain(outDir = join(ROOT, 'build', 'electron')): Promise<void> {
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'warn',
    build: {
      outDir,
      emptyOutDir: true,
      target: 'node20',
      minify: false,
      lib: {
        entry: join(ROOT, 'electron', 'electron-main.ts'),
        formats: ['cjs'],
        fileName: () => 'main.cjs',
      },
      rolldownOptions: { external: ['electron', /^node:/] },
    },
  });
}

async function buildRenderer(): Promise<void> {
  const configFile = join(ROOT, 'renderer', 'vite.config.ts');
  if (!existsSync(configFile)) throw new Error(`${configFile} is missing`);
  await build({ configFile, logLevel: 'warn' });
}

if (import.meta.main) {
  try {
    await buildElectronMain();
    await buildRenderer();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
