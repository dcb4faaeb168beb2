import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What Electron reads first of a program. */
export const PACKAGE = JSON.stringify({ name: 'banca', main: 'main.cjs' });

/**
 * Where `deploy/fuses.ts` puts the program: an Electron whose fuses are burnt loads this and
 * nothing else.
 */
export const archiveOf = (binary: string): string =>
  join(dirname(realpathSync(binary)), 'resources', 'app.asar');

/** The main process as Electron's archive (asar): the same bytes for the same program. */
export function appArchive(main: Buffer): Buffer {
  const files = {
    'main.cjs': { size: main.length, offset: '0' },
    'package.json': { size: PACKAGE.length, offset: String(main.length) },
  };
  const text = Buffer.from(JSON.stringify({ files }));
  const filled = Math.ceil(text.length / 4) * 4;
  const head = Buffer.alloc(16 + filled);
  // Sizes of what follows, each within the one before; the text is filled up to four bytes.
  for (const [index, size] of [4, 8 + filled, 4 + filled, text.length].entries())
    head.writeUInt32LE(size, index * 4);
  text.copy(head, 16);
  return Buffer.concat([head, main, Buffer.from(PACKAGE)]);
}

/** The archive in this Electron was made of another program than `main`, a built file. */
export function isOfAnother(binary: string, main: string): boolean {
  const archive = archiveOf(binary);
  if (!existsSync(archive)) return false;
  return !existsSync(main) || !appArchive(readFileSync(main)).equals(readFileSync(archive));
}
