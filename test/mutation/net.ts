/**
 * node test/mutation/net.ts NET [RULEBOOK]: one net of `NETS` on the tree it lies in; ends with the
 * first test that fails. Last line `GREEN` and exit 0, or `CAUGHT <test>` and exit 1.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from 'node:test';
import { playVectors } from '../../cli/vectors.ts';
import { argumentsOf } from '../../ledger/chain/program-arguments.ts';
import { playRandomly } from '../auditor/random-play.ts';
import { rulebooks } from '../auditor/rulebooks.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** Rounds of each rulebook, and the seed, that the auditor plays: the same ones for every bug. */
const ROUNDS = 3_000;
const SEED = 20_041_221;

function vectors(): string | null {
  for (const file of globSync('test/data/vectors/*.json', { cwd: ROOT }).toSorted()) {
    const { failures, passed, unsupported } = playVectors(readFileSync(join(ROOT, file), 'utf8'));
    if (failures[0])
      return `${failures[0].id}${failures.length > 1 ? ` and ${failures.length - 1} more` : ''}`;
    if (passed === 0 || unsupported > 0) return `${file}: ${unsupported} unsupported`;
  }
  return null;
}

/** The rulebook of the bug first. */
function auditor(rulebook: string | undefined): string | null {
  const first = rulebooks.filter((audited) => audited.rulebook === rulebook);
  const others = rulebooks.filter((audited) => audited.rulebook !== rulebook);
  for (const audited of [...first, ...others]) {
    const [found] = playRandomly(audited, ROUNDS, SEED, 1).disagreements;
    if (found) return `${audited.rulebook}, round ${found.round}: ${found.what.split('\n')[0]}`;
  }
  return null;
}

/** The rules pages only say the law. */
async function tests(isRandom: boolean): Promise<string | null> {
  const files = globSync(['engine/{games,rules,table}/**/*.test.ts'], { cwd: ROOT })
    .filter((file) => !file.includes('rules-page') && /random/.test(file) === isRandom)
    .toSorted()
    .map((file) => join(ROOT, file));
  if (files.length === 0) throw new Error('no tests');
  return new Promise((resolve) => {
    const stream = run({ files, isolation: 'none' });
    stream.on('test:fail', ({ name, file }) => resolve(`${(file ?? '').slice(ROOT.length + 1)}: ${name}`));
    stream.on('end', () => resolve(null));
    stream.resume();
  });
}

const NETS: Readonly<Record<string, (rulebook?: string) => string | null | Promise<string | null>>> = {
  vectors,
  unit: () => tests(false),
  auditor,
  random: () => tests(true),
};

const [net = '', rulebook] = argumentsOf({ allowPositionals: true }).positionals;
const play = NETS[net];
if (!play) throw new Error(`net: ${Object.keys(NETS).join(' | ')}`);
const caught = await play(rulebook);
console.log(`\n${caught === null ? 'GREEN' : `CAUGHT ${caught}`}`);
process.exit(caught === null ? 0 : 1);
