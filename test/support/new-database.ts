/**
 * The embedded database of a centre that has never run. Making one from nothing takes three seconds
 * of a processor, a copy a quarter of one; both are the same files. Tests of the centre and of a
 * terminal with its own file make theirs from nothing.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';

const ROOT = join(import.meta.dirname, '..', '..');

/** Another version of the database has another copy. */
function placeOfCopy(): string {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string }>;
  };
  const { version } = lock.packages['node_modules/@electric-sql/pglite']!;
  return join(ROOT, 'build', 'tests', `database-${version}`);
}

/** Test files run side by side: each makes a whole copy, and one of them gets its name. */
async function makeCopy(place: string): Promise<void> {
  mkdirSync(dirname(place), { recursive: true });
  const made = mkdtempSync(`${place}-`);
  await (await PGlite.create(made)).close();
  try {
    renameSync(made, place);
  } catch (error) {
    rmSync(made, { recursive: true });
    if (!existsSync(place)) throw error;
  }
}

/** Puts a new database into `dir`, which is not there yet. */
export async function newDatabase(dir: string): Promise<void> {
  const place = placeOfCopy();
  if (!existsSync(place)) await makeCopy(place);
  mkdirSync(dirname(dir), { recursive: true, mode: 0o700 });
  cpSync(place, dir, { recursive: true });
}
