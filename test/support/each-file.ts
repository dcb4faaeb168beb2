/**
 * Loaded before each test file by `test/run.ts`. Node keeps what it makes of the sources, which is most of the start of a test
 * file; processes that a test starts do not inherit this. At the end the file says what it took.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

const { BANCA_TEST_TIMES: times, BANCA_TEST_RUNNER: runner } = process.env;

// Coverage of code from the cache is coarse.
if (process.env['NODE_V8_COVERAGE'] === undefined)
  enableCompileCache(join(import.meta.dirname, '..', '..', 'build', 'tests', 'compile-cache'));

/** Seconds of processor of this process and of all that it has started and seen end. */
function processorSeconds(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
}

if (times !== undefined && runner === String(process.ppid))
  process.on('exit', () => {
    const took = { file: process.argv[1], wall: performance.now() / 1000, processor: processorSeconds() };
    appendFileSync(times, `${JSON.stringify(took)}\n`);
  });
