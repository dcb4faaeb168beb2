/**
 * How long somebody who has copied the terminal file needs to try every PIN of one person: `node
 * bench/pins.ts [CORES]`. The real hash, on as many cores at once (two unless given), each PIN
 * after the other.
 */
import { cpus } from 'node:os';
import { hashPin } from '../host/config/people.ts';
import { argumentsOf } from '../ledger/chain/program-arguments.ts';

const PINS_EACH = 4;
const cores = Number(argumentsOf({ allowPositionals: true }).positionals[0] ?? 2);
const beganCpu = process.cpuUsage();
const began = performance.now();
await Promise.all(
  Array.from({ length: cores }, async () => {
    for (let pin = 0; pin < PINS_EACH; pin += 1) await hashPin('604913');
  }),
);
const { user, system } = process.cpuUsage(beganCpu);
const tried = cores * PINS_EACH;
const wallMs = (performance.now() - began) / tried;
const cpuMs = (user + system) / 1_000 / tried;
const days = (digits: number): string => ((10 ** digits * cpuMs) / cores / 86_400_000).toFixed(1);
console.log(`${cpus()[0]?.model}, ${cores} cores: ${tried} PINs`);
console.log(`one PIN: ${Math.round(cpuMs)} ms of a core; ${Math.round(wallMs)} ms passed for each`);
console.log(
  `every PIN of six digits of one person, with ${cores} cores to itself: ${days(6)} days; of eight: ${days(8)}`,
);
