/**
 * Switches burnt into the Electron binary of a package: `node electron/deploy/fuses.ts PATH-TO-BINARY`. A fuse that a later
 * Electron adds fails here instead of staying open. No fuse stops --remote-debugging-port or --no-sandbox: the command line
 * must belong to root (banca.service).
 */
import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses';

export const FUSES = {
  [FuseV1Options.RunAsNode]: false,
  // The one cookie lives as long as the process: nothing to encrypt, and no keyring to ask.
  [FuseV1Options.EnableCookieEncryption]: false,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  // Works on macOS and Windows only; on Linux the read-only file system has to do it.
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: false,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  [FuseV1Options.WasmTrapHandlers]: true,
} as const;

if (import.meta.main) {
  const binary = process.argv[2];
  if (!binary) {
    console.error('usage: node electron/deploy/fuses.ts PATH-TO-ELECTRON-BINARY');
    process.exit(2);
  }
  await flipFuses(binary, { version: FuseVersion.V1, strictlyRequireAllFuses: true, ...FUSES });
}
