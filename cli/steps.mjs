/**
 * `npm run lint`, `npm run screenshots`, `npm run test:touchmap`: several programs, one after the
 * other; what stands behind the name goes to the last one. `--help` says which they are.
 */
import { spawnSync } from 'node:child_process';

const STEPS = {
  lint: [
    ['biome', 'check', '.'],
    ['oxlint', '--type-aware'],
  ],
  screenshots: [
    ['node', 'cli/build.ts'],
    ['node', 'test/screens/screenshots.ts'],
  ],
  'test:touchmap': [
    ['node', 'cli/build.ts'],
    [
      ...['node', '--test', '--test-isolation=none', '--test-timeout=7200000', '--test-reporter=spec'],
      ...['test/touchmap/touchmap.test.ts', 'test/touchmap/storm.test.ts'],
    ],
  ],
};

const [name = '--help', ...args] = process.argv.slice(2);
const names = name === '--help' ? Object.keys(STEPS) : [name];
if (names.some((each) => !Object.hasOwn(STEPS, each))) {
  console.error(`steps: there is no '${name}'; there are ${Object.keys(STEPS).join(', ')}`);
  process.exit(2);
}
if (name === '--help' || args.includes('--help')) {
  for (const each of names)
    console.log(`usage: npm run ${each}\n${STEPS[each].map((step) => `  ${step.join(' ')}`).join('\n')}`);
  // Its own options are the last program's.
  const [program, file, ...rest] = STEPS[names[0]].at(-1);
  if (names.length === 1 && program === 'node' && rest.length === 0)
    process.exitCode = spawnSync(program, [file, '--help'], { stdio: 'inherit' }).status ?? 2;
} else {
  const env = { ...process.env, ...(name === 'test:touchmap' ? { BANCA_TOUCHMAP: 'full' } : {}) };
  for (const [index, [program, ...words]] of STEPS[name].entries()) {
    const isLast = index === STEPS[name].length - 1;
    const { status } = spawnSync(program, isLast ? [...words, ...args] : words, { stdio: 'inherit', env });
    process.exitCode = status ?? 2;
    if (status !== 0) break;
  }
}
