/**
 * Builds what Node cannot run as it stands, the displays' page and Electron's main process, and the
 * programs of the host, which start sooner.
 */
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type InlineConfig } from 'vite';
import { sourcesId } from '../host/program/software.ts';
import { argumentsOf } from '../ledger/chain/program-arguments.ts';

const ROOT = resolve(import.meta.dirname, '..');

/**
 * One CommonJS file: Electron must have it loaded before `ready`, which a module that is imported
 * late would miss.
 */
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

/** Threads start from a file of their own. */
const THREADS = ['copy/follow-worker', 'chain/verify-worker', 'chain/verify-helper'];

/**
 * Programs of Node as few files, `input` (name -> source file) and the threads of the ledger;
 * native packages stay where they are.
 */
export async function bundlePrograms(
  outDir: string,
  input: Readonly<Record<string, string>>,
  more: Pick<InlineConfig, 'define' | 'plugins'> = {},
): Promise<void> {
  const threads = THREADS.map((name) => [`ledger/${name}`, join(ROOT, 'ledger', `${name}.ts`)] as const);
  await build({
    ...more,
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
        input: { ...input, ...Object.fromEntries(threads) },
        external: ['better-sqlite3', 'usb', /^node:/],
        output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  });
}

/**
 * The host, and what it starts beside itself (host/program/side-program.ts): what runs is built of
 * one state of the sources.
 */
const PROGRAMS = {
  'host/main': 'host/built.ts',
  'host/drills/drill-main': 'host/drills/drill-main.ts',
  'host/program/software-thread': 'host/program/software-thread.ts',
  'reader/main': 'reader/main.ts',
  'cli/banca': 'cli/banca.ts',
  'cli/simulate-thread': 'cli/simulate/thread.ts',
};

/**
 * Profiles, texts, letters and packages are not built: these files go on looking for them from
 * where they lie as sources. A thread starts from what is built.
 */
const LOOKS_AROUND = /^(?:host\/main|hardware\/printer\/letters|cli\/(?!simulate\/thread).+)\.ts$/;

/**
 * Taking the types out of five hundred files and loading them one by one is most of the host's
 * start.
 */
export async function buildHost(outDir = join(ROOT, 'build', 'program')): Promise<void> {
  const input = Object.fromEntries(Object.entries(PROGRAMS).map(([name, path]) => [name, join(ROOT, path)]));
  await bundlePrograms(outDir, input, {
    define: { BUILT_FROM: JSON.stringify(sourcesId(pathToFileURL(`${ROOT}/`))) },
    plugins: [
      {
        name: 'where the sources lie',
        transform: (code, id) => {
          const path = relative(ROOT, id);
          // Every built file lies three folders deep: build/program/host, /cli or /chunks.
          return LOOKS_AROUND.test(path)
            ? code.replaceAll('import.meta.url', `new URL('../../../${path}', import.meta.url).href`)
            : null;
        },
      },
    ],
  });
}

export async function buildRenderer(outDir?: string): Promise<void> {
  const configFile = join(ROOT, 'renderer', 'vite.config.ts');
  if (!existsSync(configFile)) throw new Error(`${configFile} is missing`);
  await build({ configFile, logLevel: 'warn', ...(outDir === undefined ? {} : { build: { outDir } }) });
}

/** The page of receipts, which the centre serves to telephones. */
export async function buildReceipt(): Promise<void> {
  await build({ configFile: join(ROOT, 'renderer', 'receipt', 'vite.config.ts'), logLevel: 'warn' });
}

if (import.meta.main) {
  argumentsOf({});
  try {
    await buildElectronMain();
    await buildRenderer();
    await buildReceipt();
    await buildHost();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
