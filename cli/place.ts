import { isWithoutStick } from '../host/pages/sticks.ts';
import { CannotRun } from './command.ts';

/**
 * Throws CannotRun for a place under /media or /run/media on this machine's own disk: the stick is
 * not there.
 */
export function refuseWithoutStick(out: string): void {
  if (isWithoutStick(out))
    throw new CannotRun(`--out ${out}: no stick is mounted there, and nothing is written in its place`);
}
