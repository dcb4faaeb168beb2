/**
 * The embedded database of a centre before anything is in it. Making one from nothing takes three
 * seconds of a processor and its tables half of one, a copy a twentieth. Tests of the schema and of
 * a terminal with its own file make theirs from nothing.
 */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openEmbedded } from '../../upstream/db.store.ts';
import { MIGRATIONS } from '../../upstream/schema.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** Another version of the database, or of its tables, has another copy. */
function placeOfCopy(): string {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string }>;
  };
  const { version } = lock.packages['node_modules/@electric-sql/pglite']!;
  const tables = createHash('sha256').update(MIGRATIONS.map(({ sha256 }) => sha256).join());
  return join(ROOT, 'build', 'tests', `database-${version}-${tables.digest('hex').slice(0, 12)}`);
}

/** Test files run side by side: each makes a whole copy, and one of them gets its name. */
async function makeCopy(place: string): Promise<void> {
  mkdirSync(dirname(place), { recursive: true });
  const made = mkdtempSync(`${place}-`);
  await (await openEmbedded(made)).close();
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
