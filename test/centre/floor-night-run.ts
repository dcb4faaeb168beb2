/**
 * `node test/centre/floor-night-run.ts [--seed S] [--tables N] [--awake N] [--steps N]
 * [--hours H]`: a night of the gaming floor with all its tables awake, or N of them, two instances
 * of the centre on PostgreSQL and Debian's Chromium at the board, which closes and prints the
 * gaming day in the morning. Exit 0 when the board and the closings were right, 1 when not, 2 where
 * it cannot run.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argumentsOf } from '../../ledger/chain/program-arguments.ts';
import { launchChromium, noChromium } from '../support/chromium.ts';
import { startInstance } from './fleet-run.ts';
import { endedDay, nightTables, playFloorNight, TIME_ZONE } from './floor-night.ts';
import { operatorAt, peoplePasswordBeside } from './operators.ts';
import { startPostgres } from './postgres.ts';

const { values } = argumentsOf({
  options: {
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    tables: { type: 'string', default: '200' },
    awake: { type: 'string' },
    steps: { type: 'string', default: '600' },
    hours: { type: 'string', default: '8' },
  },
});
const number = (name: keyof typeof values): number => {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value > 0) return value;
  console.error(`--${name} ${values[name]}: expected a whole number`);
  return process.exit(2);
};
const [seed, count, steps, hours] = [number('seed'), number('tables'), number('steps'), number('hours')];
const awake = values.awake === undefined ? count : Math.min(number('awake'), count);

const server = noChromium === false ? await startPostgres() : { skip: noChromium };
if ('skip' in server) {
  console.error(server.skip);
  process.exit(2);
}
const dir = mkdtempSync(join(tmpdir(), 'banca-floor-night-'));
const { day, dayBegins, endMs } = endedDay();
const plan = join(dir, 'floor.json');
writeFileSync(plan, JSON.stringify({ timeZone: TIME_ZONE, dayBegins }));
// The second finds the schema and the passwords that the first has made.
const instances = [await startInstance(server.url, dir, ['--floor', plan])];
instances.push(await startInstance(server.url, dir, ['--floor', plan]));
const browser = await launchChromium();
try {
  const [first, second] = instances.map(({ url }) => url) as [string, string];
  const password = peoplePasswordBeside(join(dir, 'operator-password'));
  const operator = await operatorAt(second, password, 'floor');
  const counter = await operatorAt(first, password, 'count-room');
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1600, height: 900 } });
  await context.addCookies(operator.cookies);
  const page = await context.newPage();
  await page.goto(`${second}/floor`);
  console.log(`seed ${seed}`);
  const result = await playFloorNight({
    tables: nightTables(dir, count),
    urls: [first, second],
    ...{ page, counter, seed, steps, hours, awake },
    ...{ gamingDay: { day, endMs }, printsAll: true },
    say: (line) => console.log(`  ${line}`),
  });
  console.log(JSON.stringify(result));
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await browser.close();
  for (const { child } of instances) child.kill('SIGKILL');
  await server.stop();
  rmSync(dir, { recursive: true, force: true });
}
process.exit();
