/**
 * The process of a drill: `node host/drills/drill-main.ts --ledger FILE --dir DIR --drill ID`.
 * Copies the ledger into DIR, plays there and prints a JSON line (`DrillStep`) for each thing that
 * happens. Exit 0: the terminal reacted as it should. Ends with its standard input.
 */
import { parseArgs } from 'node:util';
import { DRILL_IDS, type DrillStep } from '../../wire/drills.ts';
import { playDrill } from './drill-scenarios.ts';
import { DrillTable } from './drill-table.ts';

const { values } = parseArgs({
  options: { ledger: { type: 'string' }, dir: { type: 'string' }, drill: { type: 'string' } },
});
const id = DRILL_IDS.find((known) => known === values.drill);
if (id === undefined || values.ledger === undefined || values.dir === undefined)
  throw new Error(`--ledger FILE --dir DIR --drill ${DRILL_IDS.join('|')}`);

process.stdin.on('close', () => process.exit(2));
process.stdin.resume();

const say = (step: DrillStep): void => {
  process.stdout.write(`${JSON.stringify(step)}\n`);
};
try {
  const { table, entries } = await DrillTable.open(values.ledger, values.dir);
  say({ at: 'copied', entries });
  await playDrill(id, table, say);
  process.exit(0);
} catch (error) {
  say({ at: 'failed', why: (error as Error).message });
  process.exit(1);
}
