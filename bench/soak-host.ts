/**
 * `node bench/soak-host.ts …` as the supervisor starts the host: the host itself. Once SIGUSR2 has
 * come its clock of the wall is `SPEED` times as fast, and the timers of people with it, so that
 * days of deadlines, sessions and shifts go by; with every SIGUSR2 it collects its garbage. The
 * devices are in its process and keep their own time; the people who play are quick.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { systemClock } from '../hardware/transport/clock.ts';

/** A round takes about a second of two cores and a minute of a table. */
const SPEED = 60;
/** The demonstration's pauses times this. */
const PACE = '0.02';
/** What takes less is the machine's: a beat, a look, a pause of the line. */
const OF_PEOPLE_MS = 400;
/** Tickets of displays are good for seconds: until all are there it is the machine's time. */
let hurriesFromMs = Infinity;
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
process.on('SIGUSR2', () => {
  hurriesFromMs = Math.min(hurriesFromMs, performance.now());
  collect();
});

const real = globalThis.setTimeout;
systemClock.after = (ms, run) => {
  const timer = real(run, ms);
  return () => clearTimeout(timer);
};
const quick = (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): NodeJS.Timeout =>
  real(run, hurriesFromMs < Infinity && ms >= OF_PEOPLE_MS ? ms / SPEED : ms, ...args);
Object.assign(globalThis, { setTimeout: Object.assign(quick, real) });
const startMs = Date.now();
Date.now = () => {
  const ranMs = performance.now();
  return Math.floor(startMs + ranMs + Math.max(0, ranMs - hurriesFromMs) * (SPEED - 1));
};
// The supervisor starts no rack for another host than its own.
const { argv } = process;
argv.splice(argv.indexOf('--rack'), 2, '--pace', PACE);
await import('../host/main.ts');
