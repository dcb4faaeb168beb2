/** freebj: simulator in Rust with card counting, one process, one job. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Measured } from './measured.ts';

const RULES = ['-d', '6', '--ahc', '--s17', '--das', '--db-any2', '--no-playAA', '--no-surr', '-j', '1'];
const SHORT_ROUNDS = 500_000;
const LONG_ROUNDS = 5_000_000;

async function play(binary: string, rounds: number): Promise<{ cpuSeconds: number; ev: number }> {
  // Node tells nothing of a child's CPU time; bash does, in milliseconds, as the last line of
  // stderr.
  const { stdout, stderr } = await promisify(execFile)(
    'bash',
    ['-c', 'TIMEFORMAT="%3U %3S"; time "$@"', 'bash', binary, ...RULES, '-n', String(rounds)],
    { timeout: 60_000 },
  );
  const [user, system] = stderr.trim().split('\n').at(-1)!.split(' ').map(Number);
  return { cpuSeconds: user! + system!, ev: (JSON.parse(stdout) as { ev: number }).ev };
}

/** The difference of two lengths of run. */
export async function measureFreebj(binary: string): Promise<Measured> {
  const short = await play(binary, SHORT_ROUNDS);
  const long = await play(binary, LONG_ROUNDS);
  return {
    rounds: LONG_ROUNDS - SHORT_ROUNDS,
    cpuSeconds: long.cpuSeconds - short.cpuSeconds,
    seconds: null,
    meanNet: long.ev,
    heapBytesPerRound: null,
  };
}
