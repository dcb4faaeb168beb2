import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessInfo {
  readonly pid: number;
  readonly command: string;
  readonly uid: number;
  /** R = running, S and D = asleep, T = stopped. */
  readonly state: string;
  /** 2 = system calls are filtered. */
  readonly seccomp: number;
}

function parentOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null;
  }
}

function describe(pid: number): ProcessInfo | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    const field = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
    if (/^State:\s+Z/m.test(status)) return null;
    return {
      pid,
      command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim(),
      uid: field('Uid'),
      state: /^State:\s+(\S)/m.exec(status)?.[1] ?? '',
      seccomp: field('Seccomp'),
    };
  } catch {
    return null;
  }
}

/** `root` and everything below it that still lives. */
export function processTree(root: number): ProcessInfo[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), parent: parentOf(Number(name)) }));
  const tree = new Set([root]);
  for (let before = 0; before !== tree.size; ) {
    before = tree.size;
    for (const { pid, parent } of parents) if (parent !== null && tree.has(parent)) tree.add(pid);
  }
  return [...tree].map(describe).filter((info) => info !== null);
}

/** Sends a signal to `root` and everything below it, `root` first. Returns their ids. */
export function signalTree(root: number, signal: NodeJS.Signals): number[] {
  const pids = processTree(root).map(({ pid }) => pid);
  for (const pid of pids)
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as { code?: string }).code !== 'ESRCH') throw error;
    }
  return pids;
}

/** Those of `pids` that still live. */
export const alive = (pids: readonly number[]): number[] => pids.filter((pid) => describe(pid) !== null);
