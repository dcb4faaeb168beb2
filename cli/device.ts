/**
 * `banca device sim|run|replay`: one device at a time, for technicians and for whoever writes the
 * other end.
 */
import { CannotRun } from './command.ts';

/** Exit: 0 holds, 1 does not hold, 2 cannot run; each verb says what that means for it. */
export async function device([verb, ...argv]: string[]): Promise<number> {
  switch (verb) {
    case 'sim':
      return (await import('./device/sim.ts')).sim(argv);
    case 'run':
      return (await import('./device/run.ts')).run(argv);
    case 'replay':
      return (await import('./device/replay.ts')).replay(argv);
    default:
      throw new CannotRun(
        `${verb === undefined ? 'a verb is missing' : `there is no '${verb}'`}; sim, run or replay`,
      );
  }
}
