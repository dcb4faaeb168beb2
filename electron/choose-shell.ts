import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { isOfAnother } from './app-archive.ts';
import { type KioskUser, reachable } from './kiosk-user.ts';

export type ShellChoice =
  | { readonly kind: 'electron'; readonly binary: string }
  | { readonly kind: 'chromium'; readonly binary: string; readonly because: string | null }
  | { readonly kind: 'none'; readonly because: string };

/**
 * The Electron binary, found by its files: importing the package in Node would start a download.
 * $ELECTRON (a file), then $ELECTRON_OVERRIDE_DIST_PATH (a folder), then the installed package.
 */
export function electronBinary(root: string, env: NodeJS.ProcessEnv): string | null {
  if (env['ELECTRON']) return existsSync(env['ELECTRON']) ? env['ELECTRON'] : null;
  const installed = join(root, 'node_modules', 'electron');
  const named = join(installed, 'path.txt');
  const name = existsSync(named) ? readFileSync(named, 'utf8').trim() : 'electron';
  const binary = join(env['ELECTRON_OVERRIDE_DIST_PATH'] ?? join(installed, 'dist'), name);
  return existsSync(binary) ? binary : null;
}

/** Debian's Chromium (or $CHROMIUM). */
export function chromiumBinary(env: NodeJS.ProcessEnv): string | null {
  if (env['CHROMIUM']) return existsSync(env['CHROMIUM']) ? env['CHROMIUM'] : null;
  for (const folder of (env['PATH'] ?? '').split(delimiter).concat('/usr/bin'))
    for (const name of ['chromium', 'chromium-browser', 'google-chrome-stable'])
      if (folder !== '' && existsSync(join(folder, name))) return join(folder, name);
  return null;
}

/**
 * Electron where it is installed and the kiosk user can run it, else Chromium with the reason, else
 * nothing.
 */
export function chooseShell(
  root: string,
  env: NodeJS.ProcessEnv,
  user: KioskUser,
  wish: 'electron' | 'chromium' | null,
): ShellChoice {
  const electron = wish === 'chromium' ? null : electronBinary(root, env);
  const isForeign = electron !== null && isOfAnother(electron, join(root, 'build', 'electron', 'main.cjs'));
  if (electron !== null && !isForeign && reachable(electron, user))
    return { kind: 'electron', binary: electron };
  const because =
    wish === 'chromium'
      ? null
      : electron === null
        ? 'the Electron binary is not installed and cannot be fetched here'
        : isForeign
          ? `${electron} holds another program than this build: 'node electron/deploy/fuses.ts ${electron}'`
          : `the Electron binary ${electron} cannot be read by the user ${user.name}`;
  if (wish === 'electron') return { kind: 'none', because: because! };
  const chromium = chromiumBinary(env);
  return chromium === null
    ? { kind: 'none', because: `${because ? `${because}, and ` : ''}Chromium is not installed` }
    : { kind: 'chromium', binary: chromium, because };
}
