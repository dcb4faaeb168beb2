/** A data folder that two persons have ended, and the ledger that goes on after it. */
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { readJsonFile } from '../../ledger/chain/bounded-file.store.ts';
import type { HostEvent } from '../../wire/host-events.ts';

/** What a data folder says of its own end. */
export const WIPED = 'wiped.json';
const wiped = z.object({
  terminal: z.string(),
  keyId: z.string(),
  seq: z.int(),
  hash: z.string(),
  persons: z.array(z.object({ id: z.string(), name: z.string(), role: z.string() })),
  atMs: z.int(),
  witness: z.string(),
});
export type Wiped = z.infer<typeof wiped>;

/** How a folder that was put aside is called, behind the name it had. */
export const wipedMark = (atMs: number): string =>
  `.wiped-${new Date(atMs).toISOString().replaceAll(/[:.]/g, '-')}`;

/** The data folder that was put aside last; null = none was. */
export function lastWiped(dataDir: string): { readonly folder: string; readonly said: Wiped } | null {
  const names = existsSync(dirname(dataDir)) ? readdirSync(dirname(dataDir)) : [];
  const name = names
    .filter((each) => each.startsWith(`${basename(dataDir)}.wiped-`))
    .toSorted()
    .at(-1);
  if (name === undefined) return null;
  const folder = join(dirname(dataDir), name);
  return { folder, said: wiped.parse(readJsonFile(join(folder, WIPED))) };
}

export type Epoch = NonNullable<Extract<HostEvent, { type: 'program-started' }>['epochBefore']>;

/** The ledger that this new one of the same terminal begins after; null = it is the first. */
export function epochBefore(dataDir: string, terminalId: string, log: (line: string) => void): Epoch | null {
  try {
    const found = lastWiped(dataDir);
    if (found?.said.terminal !== terminalId) return null;
    const { keyId, seq, hash, atMs } = found.said;
    return { keyId, seq, hash, endedAtMs: atMs, folder: basename(found.folder) };
  } catch (error) {
    log(`the ledger before this one cannot be named: ${(error as Error).message}`);
    return null;
  }
}
