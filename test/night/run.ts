/**
 * `node test/night/run.ts [--seed S] [--nights N] [--hours H] [--table NAME] [--quiet]`: nights at
 * a table, one seed after the other, each incident as it comes and what it made the table stand.
 * Exit 0 when every night holds, 1 at the first that does not.
 */
import { argumentsOf } from '../../ledger/chain/program-arguments.ts';
import { INCIDENTS } from './incidents.ts';
import { playNight } from './night.ts';

const { values } = argumentsOf({
  options: {
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    nights: { type: 'string', default: '1' },
    hours: { type: 'string', default: '8' },
    table: { type: 'string' },
    quiet: { type: 'boolean', default: false },
  },
});
const number = (name: 'seed' | 'nights' | 'hours'): number => {
  const value = Number(values[name]);
  if (Number.isFinite(value) && value >= 0) return value;
  console.error(`--${name} ${values[name]}: expected a number`);
  return process.exit(2);
};
const [seed, nights, hours] = [number('seed'), number('nights'), number('hours')];
const worst = new Map<string, number>();
for (let night = 0; night < nights; night += 1) {
  const ends: (() => Promise<void>)[] = [];
  const cpu = process.cpuUsage();
  console.log(`seed ${seed + night}`);
  try {
    const { incidents, ...result } = await playNight(
      { after: (end) => void ends.push(end) },
      {
        seed: seed + night,
        hours,
        ...(values.table === undefined ? {} : { table: values.table }),
        ...(values.quiet ? {} : { say: (line: string) => console.log(`  ${line}`) }),
      },
    );
    for (const [name, { stoodMs }] of Object.entries(incidents))
      worst.set(name, Math.max(worst.get(name) ?? 0, stoodMs));
    for (const end of ends) await end();
    const { user, system } = process.cpuUsage(cpu);
    console.log(`  ${JSON.stringify({ ...result, processorMs: Math.round((user + system) / 1000) })}`);
  } catch (error) {
    console.error(`seed ${seed + night}:`, error);
    for (const end of ends) await end().catch(() => undefined);
    process.exit(1);
  }
}
console.log('incident: stood at most, of what it may, in seconds of simulated time');
for (const [name, { mayStandMs }] of Object.entries(INCIDENTS))
  if (worst.has(name)) console.log(`  ${name}: ${worst.get(name)! / 1000} of ${mayStandMs / 1000}`);
