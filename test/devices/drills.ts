/**
 * A night of drills of one device: seeded runs of a host and a simulated unit between which
 * everything goes wrong, as `*.drill.test.ts` hold some of. Here without the test runner, whose
 * hooks on every promise take twice the time of the drills. Prints the totals after every 2,500
 * runs, and at SIGINT or SIGTERM, which end it; ends with 1 at the first seed that breaks a rule.
 *
 *     node test/devices/drills.ts cctalk --from 1 --runs 100000
 *
 * Devices: ebds, cctalk, ssp, escpos.
 */
import { setImmediate as breath } from 'node:timers/promises';
import { argumentsOf } from '../../ledger/chain/program-arguments.ts';

type Drill = (seed: number) => Promise<{ readonly kinds: Iterable<string> }>;

const DRILLS: Readonly<Record<string, () => Promise<{ readonly drill: Drill }>>> = {
  ebds: () => import('../kits/ebds-drill.ts'),
  cctalk: () => import('../kits/cctalk-drill.ts'),
  ssp: () => import('../kits/ssp-drill.ts'),
  escpos: () => import('../kits/escpos-drill.ts'),
};
const EVERY = 2500;

const { values, positionals } = argumentsOf({
  allowPositionals: true,
  options: {
    from: { type: 'string', default: '1' },
    runs: { type: 'string', default: '100000' },
  },
});
const [device = ''] = positionals;
const load = Object.hasOwn(DRILLS, device) ? DRILLS[device] : undefined;
const [from, runs] = [Number(values.from), Number(values.runs)];
if (load === undefined || !Number.isSafeInteger(from) || !Number.isSafeInteger(runs) || runs < 1) {
  process.stderr.write('a device and two whole numbers are wanted; --help says more\n');
  process.exit(2);
}

const { drill } = await load();
let isOver = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    isOver = true;
  });
/** Of every figure of a run its sum, and in how many runs it was not 0. */
const sums = new Map<string, readonly [sum: number, runs: number]>();
const met = new Map<string, number>();
for (let seed = from; seed < from + runs && !isOver; seed++) {
  await breath();
  const { kinds, ...figures } = await drill(seed).catch((error: unknown) => {
    process.stderr.write(`seed ${seed}: ${error instanceof Error ? error.stack : String(error)}\n`);
    return process.exit(1);
  });
  for (const [name, figure] of Object.entries(figures)) {
    const [sum, count] = sums.get(name) ?? [0, 0];
    sums.set(name, [sum + Number(figure), count + (Number(figure) === 0 ? 0 : 1)]);
  }
  for (const kind of kinds) met.set(kind, (met.get(kind) ?? 0) + 1);
  const done = seed - from + 1;
  if (done % EVERY > 0 && done < runs && !isOver) continue;
  const said = [...sums].map(([name, [sum, count]]) => `${name} ${sum} in ${count} runs`);
  const kindsMet = [...met].sort().map((kind) => kind.join(' '));
  process.stdout.write(`seeds ${from}..${seed}: ${said.join(', ')}; met: ${kindsMet.join(', ')}\n`);
}
