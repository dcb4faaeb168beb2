/**
 * Makes an Electron ours alone: `node electron/deploy/fuses.ts PATH-TO-BINARY` puts the built main
 * process in as its archive and burns the switches into the binary. A fuse that a later Electron
 * adds fails here instead of staying open. No fuse stops --remote-debugging-port or --no-sandbox:
 * the command line must belong to root (banca-kiosk.service).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type FuseConfig, FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses';
import { argumentsOf } from '../../ledger/chain/program-arguments.ts';
import { appArchive, archiveOf } from '../app-archive.ts';

export const MAIN = resolve(import.meta.dirname, '..', '..', 'build', 'electron', 'main.cjs');

export const FUSES = {
  [FuseV1Options.RunAsNode]: false,
  // The one cookie lives as long as the process: nothing to encrypt, and no keyring to ask.
  [FuseV1Options.EnableCookieEncryption]: false,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  // Works on macOS and Windows only; on Linux the read-only file system has to do it.
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: false,
  // Or a folder on the command line would be the program. The archive lies where `seal` puts it.
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  [FuseV1Options.WasmTrapHandlers]: true,
} as const;

/** @param fuses all that this version of Electron has */
export async function seal(binary: string, fuses: object = FUSES): Promise<void> {
  writeFileSync(archiveOf(binary), appArchive(readFileSync(MAIN)), { mode: 0o644 });
  const config = { version: FuseVersion.V1, strictlyRequireAllFuses: true, ...fuses };
  await flipFuses(binary, config as FuseConfig);
}

if (import.meta.main) {
  const [binary] = argumentsOf({ allowPositionals: true }).positionals;
  if (!binary) {
    console.error('usage: node electron/deploy/fuses.ts PATH-TO-ELECTRON-BINARY');
    process.exit(2);
  }
  await seal(binary);
}
