/**
 * Loaded before each test file by `test/run.ts`, and only there: at its end the file says what it
 * took. What a failed test has left open does not keep it running until the time of the file is up.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { after } from 'node:test';
import { isMainThread } from 'node:worker_threads';

const { BANCA_TEST_TIMES: times, BANCA_TEST_RUNNER: runner } = process.env;

/** Seconds of processor of this process and of all that it has started and seen end. */
function processorSeconds(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
}

const GRACE_MS = 10_000;

if (isMainThread && times !== undefined && runner === String(process.ppid)) {
  after(() => void setTimeout(() => process.exit(), GRACE_MS).unref());
  process.on('exit', () => {
    const took = { file: process.argv[1], wall: performance.now() / 1000, processor: processorSeconds() };
    appendFileSync(times, `${JSON.stringify(took)}\n`);
  });
}
