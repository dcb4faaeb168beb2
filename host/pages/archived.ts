/**
 * What `banca archive` leaves beside the ledger: how far the last archive reaches and where it was
 * laid, for the page of storage. The seals in the archive's own folder are the proof; this file is
 * only the reminder.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { readJsonFile } from '../../ledger/chain/bounded-file.store.ts';

const archivedSchema = z.strictObject({
  folder: z.string(),
  lastSeq: z.int().min(1),
  /** Hex, of entry `lastSeq`. */
  lastHash: z.string().regex(/^[0-9a-f]{64}$/),
  /** Time of that entry, and of the archive, ms since 1970 UTC. */
  lastAtMs: z.int(),
  madeAtMs: z.int(),
});
export type Archived = Readonly<z.infer<typeof archivedSchema>>;

const fileBeside = (ledgerPath: string): string => join(dirname(ledgerPath), 'archived.json');

/** Throws what the disk says. */
export function noteArchive(ledgerPath: string, archived: Archived): void {
  const path = fileBeside(ledgerPath);
  writeFileSync(`${path}.part`, `${JSON.stringify(archived)}\n`, { mode: 0o600 });
  renameSync(`${path}.part`, path);
}

/** Null where nothing was archived here, or nothing that can be read. */
export function lastArchive(ledgerPath: string): Archived | null {
  try {
    return archivedSchema.parse(readJsonFile(fileBeside(ledgerPath)));
  } catch {
    return null;
  }
}
