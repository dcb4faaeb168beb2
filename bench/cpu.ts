import { readdirSync, readFileSync } from 'node:fs';

/** USER_HZ, the unit of the times in /proc/PID/stat: 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** Fields of /proc/PID/stat from the third on; null when the process has gone. */
function statOf(pid: number): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

const seconds = (fields: string[] | null, ...at: number[]): number =>
  at.reduce((sum, i) => sum + Number(fields?.[i] ?? 0), 0) / TICKS_PER_SECOND;

/**
 * User and system time of a process since its start, seconds, in steps of 10 ms; 0 when it has
 * gone.
 */
export const cpuSeconds = (pid: number): number => seconds(statOf(pid), 11, 12);

/**
 * The same of a process with its children, those that have ended too, which began the process
 * `pid`.
 */
export function cpuSecondsOfParent(pid: number): number {
  const parent = Number(statOf(pid)?.[1]);
  const own = seconds(statOf(parent), 11, 12, 13, 14);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(Number(name)))
    .filter((fields) => Number(fields?.[1]) === parent)
    .reduce((sum, fields) => sum + seconds(fields, 11, 12), own);
}
