import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Db, openEmbedded, openPostgres } from '../../upstream/db.store.ts';
import { newDatabase } from '../support/new-database.ts';
import { startPostgres } from './postgres.ts';

/**
 * A database of the centre for one test file: a PostgreSQL server where there is one, else
 * embedded.
 */
export async function testDatabase(): Promise<{
  readonly db: Db;
  /** Null for an embedded one. */
  readonly url: string | null;
  close(): Promise<void>;
}> {
  const server = await startPostgres();
  if ('skip' in server) {
    const root = mkdtempSync(join(tmpdir(), 'banca-pglite-'));
    const dir = join(root, 'postgres');
    await newDatabase(dir);
    const db = await openEmbedded(dir);
    return {
      db,
      url: null,
      close: async () => {
        await db.close();
        rmSync(root, { recursive: true, force: true });
      },
    };
  }
  const db = await openPostgres(server.url);
  return {
    db,
    url: server.url,
    close: async () => {
      await db.close();
      await server.stop();
    },
  };
}
