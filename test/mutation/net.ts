/**
 * node test/mutation/net.ts NET [--part PART] [--first FILE|RULEBOOK]: one net of `NETS`, or one
 * part of it, on the tree it lies in; ends with the first test that fails. `--first`: the tests in
 * the folder of that file, or that rulebook, before the others. Last line `GREEN` and exit 0, or
 * `CAUGHT` with JSON and exit 1.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from 'node:test';
import { playVectors } from '../../cli/vectors.ts';
import { argumentsOf } from '../../ledger/chain/program-arguments.ts';
import { playRandomly } from '../auditor/random-play.ts';
import { rulebooks } from '../auditor/rulebooks.ts';
import { NETS, type Net, partsOf, ROOT } from './nets.ts';
import type { Caught } from './workbench.ts';

/** Rounds of each rulebook, and the seed, that the auditor plays: the same ones for every bug. */
const ROUNDS = 3_000;
const SEED = 20_041_221;

function vectors(files: readonly string[]): Caught | null {
  for (const part of files) {
    const { failures, passed, unsupported } = playVectors(readFileSync(join(ROOT, part), 'utf8'));
    const [first, ...more] = failures;
    if (first) return { part, test: `${first.id}${more.length > 0 ? ` and ${more.length} more` : ''}` };
    if (passed === 0 || unsupported > 0) return { part, test: `${unsupported} unsupported` };
  }
  return null;
}

function auditor(names: readonly string[]): Caught | null {
  for (const part of names) {
    const audited = rulebooks.find(({ rulebook }) => rulebook === part)!;
    const [found] = playRandomly(audited, ROUNDS, SEED, 1).disagreements;
    if (found) return { part, test: `round ${found.round}: ${found.what.split('\n')[0]}` };
  }
  return null;
}

const tests = (files: readonly string[]): Promise<Caught | null> =>
  new Promise((resolve) => {
    const stream = run({ files: files.map((file) => join(ROOT, file)), isolation: 'none' });
    stream.on('test:fail', ({ name, file }) =>
      resolve({ part: (file ?? '').slice(ROOT.length + 1), test: name }),
    );
    stream.on('end', () => resolve(null));
    stream.resume();
  });

const CAST: Readonly<Record<Net, (parts: readonly string[]) => Caught | null | Promise<Caught | null>>> = {
  vectors,
  unit: tests,
  auditor,
  random: tests,
};

const { positionals, values } = argumentsOf({
  allowPositionals: true,
  options: { part: { type: 'string' }, first: { type: 'string', multiple: true, default: [] } },
});
const net = NETS.find((each) => each === positionals[0]);
if (!net) throw new Error(`net: ${NETS.join(' | ')}`);
const parts = partsOf(net).filter((part) => values.part === undefined || part === values.part);
if (parts.length === 0) throw new Error(`${net} has no part ${values.part}`);
const isFirst = (part: string): boolean =>
  values.first.some((each) => part === each || dirname(part) === dirname(each));
const caught = await CAST[net]([...parts.filter(isFirst), ...parts.filter((part) => !isFirst(part))]);
console.log(`\n${caught === null ? 'GREEN' : `CAUGHT ${JSON.stringify(caught)}`}`);
process.exit(caught === null ? 0 : 1);
