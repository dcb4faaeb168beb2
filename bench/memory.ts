/** Memory of a table with its ledger over many rounds. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { STEADY_MEMORY } from '../electron/node-child.ts';
import { ROOT } from '../test/shell/paths.ts';
import type { PartContext } from './part.ts';
import { progress } from './stats.ts';

const ROUNDS = 100_000;

/** In a process of its own, at the least priority, with the garbage collected before each look. */
export function benchMemory(context: PartContext): object {
  progress(`memory: ${ROUNDS} rounds`);
  const { stdout, stderr, status } = spawnSync(
    'nice',
    [
      '-n',
      '19',
      process.execPath,
      '--expose-gc',
      STEADY_MEMORY,
      join(ROOT, 'bench', 'memory-child.ts'),
      context.makeDir('memory'),
      String(ROUNDS),
    ],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as object;
}
