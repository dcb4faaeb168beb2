/**
 * The rules of a terminal's table as a page to print, written by `banca rules --poster` from the
 * table that the terminal has ledgered.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import { plainLine } from '../ledger/chain/plain-line.ts';

export type Poster = { readonly page: string } | { readonly why: string };

/** Of `table-configured`; all else of the table is judged by `banca rules`. */
const Configured = z.object({
  body: z.object({
    profile: z.object({
      // An argument of a command: no word that could be an option.
      rulebook: z.string().regex(/^[a-z][a-z0-9-]{0,40}$/),
      tableName: z.string(),
      options: z.record(z.string(), z.json()),
      authorisations: z.array(z.json()).optional(),
      currency: z.string(),
      seatCount: z.number(),
    }),
  }),
});

const BANCA = fileURLToPath(new URL('../cli/banca.ts', import.meta.url));
/** Edges without a closed form are played for five seconds; a busy machine takes a minute. */
const MOST_MS = 180_000;
const run = promisify(execFile);

async function write(bytes: string, isForStaff: boolean): Promise<Poster> {
  const said = Configured.safeParse(JSON.parse(bytes));
  if (!said.success) return { why: z.prettifyError(said.error) };
  const { profile } = said.data.body;
  const folder = await mkdtemp(join(tmpdir(), 'banca-poster-'));
  try {
    const [table, poster] = [join(folder, 'table.json'), join(folder, 'poster.html')];
    await writeFile(table, JSON.stringify(profile));
    const args = [BANCA, 'rules', profile.rulebook, '--profile', table, '--poster', poster];
    await run(process.execPath, isForStaff ? [...args, '--staff'] : args, { timeout: MOST_MS });
    return { page: await readFile(poster, 'utf8') };
  } catch (error) {
    const { stderr, message, killed } = error as Error & { stderr?: string; killed?: boolean };
    if (killed === true) return { why: `it was not ready within ${MOST_MS / 1000} s; this machine is busy` };
    return { why: plainLine((stderr ?? '').trim() || message) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

let last: Promise<unknown> = Promise.resolve();

/**
 * `bytes`: the terminal's newest `table-configured`. One poster is written at a time, for each
 * takes a core.
 */
export function posterOf(bytes: string, isForStaff: boolean): Promise<Poster> {
  const poster = last.then(() => write(bytes, isForStaff));
  // One that could not be written must not keep the next from being written.
  last = poster.catch(() => undefined);
  return poster;
}
