/** A page as a PDF, printed by the machine's Chromium; nothing of it asks a network. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const MOST_MS = 60_000;
const run = promisify(execFile);

/** Its letters, as a style sheet on this machine's disk. */
const LETTERS = import.meta.resolve('@fontsource-variable/noto-sans-hk/index.css');

async function print(page: (letters: string) => string): Promise<{ pdf: Buffer } | { why: string }> {
  if (!existsSync(CHROMIUM)) return { why: `${CHROMIUM} is not there` };
  const folder = await mkdtemp(join(tmpdir(), 'banca-statement-'));
  try {
    const [from, to] = [join(folder, 'statement.html'), join(folder, 'statement.pdf')];
    await writeFile(from, page(LETTERS));
    const args = [
      ...['--headless', '--disable-gpu', '--no-first-run', '--disable-extensions', '--no-pdf-header-footer'],
      // A page of ours without a script; the letters are files too.
      ...['--allow-file-access-from-files', '--host-resolver-rules=MAP * ~NOTFOUND'],
      ...[`--user-data-dir=${join(folder, 'profile')}`, `--print-to-pdf=${to}`],
      // Chromium has no sandbox for root.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ];
    await run(CHROMIUM, [...args, `file://${from}`], { timeout: MOST_MS, killSignal: 'SIGKILL' });
    return { pdf: await readFile(to) };
  } catch (error) {
    return { why: (error as Error).message };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

let last: Promise<unknown> = Promise.resolve();

/**
 * `page` is given the address of its letters. One is printed at a time, for each takes a core.
 */
export function pdfOf(page: (letters: string) => string): Promise<{ pdf: Buffer } | { why: string }> {
  const made = last.then(() => print(page));
  // One that could not be printed must not keep the next from being printed.
  last = made.catch(() => undefined);
  return made;
}
