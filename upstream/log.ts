/**
 * What the centre says of itself, on standard error: an object of JSON on each line, with its level
 * by name. Where that is systemd's journal, each line begins with its weight as the journal reads
 * it, and the everyday is said as well.
 */
import { fstatSync } from 'node:fs';
import { type FastifyServerOptions, LogController } from 'fastify';
import { plainLine } from '../ledger/chain/plain-line.ts';

/** Of syslog. */
const WEIGHT: Readonly<Record<string, number>> = { fatal: 2, error: 3, warn: 4, info: 6 };

/** systemd names the file that it has given as standard error; a pipe behind it is another one. */
const isJournal = ((): boolean => {
  const named = process.env['JOURNAL_STREAM'];
  if (named === undefined) return false;
  const { dev, ino } = fstatSync(2);
  return named === `${dev}:${ino}`;
})();

const write = (line: string): void => {
  const level = /"level":"(\w+)"/.exec(line)?.[1] ?? 'error';
  process.stderr.write(isJournal ? `<${WEIGHT[level] ?? 3}>${line}` : line);
};

export const LOGGER: Exclude<FastifyServerOptions['logger'], boolean | undefined> = {
  level: isJournal ? 'info' : 'warn',
  // The journal knows the process and the machine.
  base: null,
  timestamp: () => `,"time":"${new Date().toISOString()}"`,
  formatters: { level: (label) => ({ level: label }) },
  stream: { write },
};

/** What is asked is no news. */
export const logController = new LogController({ disableRequestLogging: true });

/** Before there is a service. A person at a shell reads the sentence alone. */
export function sayFatal(message: string): void {
  const msg = plainLine(message);
  if (isJournal) write(`${JSON.stringify({ level: 'fatal', time: new Date().toISOString(), msg })}\n`);
  else console.error(`centre: ${msg}`);
}

const AGAIN_MS = 10_000;
const REMEMBERED = 16;

/**
 * Says an error, and the same one again after ten seconds at the soonest with how often it has been
 * seen: while the database is away every report of every terminal ends in it.
 */
export function sparing(say: (error: unknown, times: number) => void): (error: unknown) => void {
  const seen = new Map<string, { saidMs: number; times: number }>();
  return (error) => {
    const text = String((error as Error | null)?.message ?? error);
    const nowMs = performance.now();
    const { saidMs, times } = seen.get(text) ?? { saidMs: -AGAIN_MS, times: 0 };
    const isDue = nowMs - saidMs >= AGAIN_MS;
    // The newest comes last; the one that has not been seen for longest goes.
    seen.delete(text);
    seen.set(text, isDue ? { saidMs: nowMs, times: 0 } : { saidMs, times: times + 1 });
    if (seen.size > REMEMBERED) seen.delete(seen.keys().next().value!);
    if (isDue) say(error, times + 1);
  };
}
