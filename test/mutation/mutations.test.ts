import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { runInThisContext } from 'node:vm';
import { type Mutation, placesOf } from './bugs.ts';
import { readCaughtBy } from './caught-by.ts';
import { isOther, mutantsOf, withMutants } from './condition-mutants.ts';
import { EQUIVALENT } from './equivalent.ts';
import { MUTATIONS } from './mutations.ts';
import { netOf, ROOT } from './nets.ts';
import { BadMutation, Workbench } from './workbench.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

test('every planted bug stands at exactly one place of its file and changes it', () => {
  const rotten = MUTATIONS.flatMap((mutation) => {
    const places = placesOf(mutation, read(mutation.file));
    return places === 1 && mutation.replace !== mutation.find ? [] : [`${mutation.id}: ${places} places`];
  });
  assert.deepEqual(rotten, []);
});

test('each planted bug has a name of its own and breaks an article that its regulation has', () => {
  assert.ok(MUTATIONS.length > 300, String(MUTATIONS.length));
  assert.equal(new Set(MUTATIONS.map(({ id }) => id)).size, MUTATIONS.length);
  const unknown = MUTATIONS.filter(({ article, rulebook }) => {
    if (article === '') return false;
    const articles = JSON.parse(read(`docs/regulations/articles/${rulebook}.json`)) as { id: string }[];
    return !articles.some(({ id }) => id === article || id.startsWith(`${article}.`));
  });
  assert.deepEqual(
    unknown.map(({ id, rulebook, article }) => `${id}: ${rulebook} ${article}`),
    [],
  );
});

test('every planted bug has been caught by a part that a net still has', () => {
  const caughtBy = readCaughtBy();
  const never = MUTATIONS.filter(({ id }) => netOf(caughtBy[id] ?? '') === undefined);
  assert.deepEqual(
    never.map(({ id }) => id),
    [],
    'test/mutation/mutation.ts --only ID --record',
  );
  const unknown = Object.keys(caughtBy).filter((id) => !MUTATIONS.some((mutation) => mutation.id === id));
  assert.deepEqual(unknown, []);
});

const [BLACKJACK, BACCARAT] = [
  'test/data/vectors/vectors-2.json',
  'test/data/vectors/vectors-portugal-war-baccarat.json',
];
/** Each is caught by the first net, in a second, and by one file of it. */
const CHEAP = { 'price-any-pair': BLACKJACK, 'banker-5-on-3': BACCARAT };

test('a planted bug is caught, and the copy is sound again without it', async () => {
  const workbench = new Workbench();
  try {
    for (const [id, part] of Object.entries(CHEAP)) {
      const mutation = MUTATIONS.find((each) => each.id === id)!;
      await workbench.withPlanted([mutation], async () => {
        const { caught } = await workbench.cast('vectors');
        assert.equal(caught?.part, part, id);
        assert.deepEqual((await workbench.cast('vectors', part)).caught, caught);
        const other = part === BLACKJACK ? BACCARAT : BLACKJACK;
        assert.equal((await workbench.cast('vectors', other)).caught, null);
      });
    }
    assert.equal((await workbench.cast('vectors')).caught, null);
  } finally {
    workbench.dispose();
  }
});

test('a text that stands nowhere, or a bug that does not compile, is no result', async () => {
  const workbench = new Workbench();
  const planted: Mutation = { ...MUTATIONS[0]!, find: 'no such text' };
  const broken: Mutation = { ...MUTATIONS[0]!, replace: `${MUTATIONS[0]!.find} && nobody` };
  try {
    await assert.rejects(
      workbench.withPlanted([planted], () => workbench.cast('vectors')),
      BadMutation,
    );
    await assert.rejects(
      workbench.withPlanted([broken], () => workbench.compile()),
      BadMutation,
    );
  } finally {
    workbench.dispose();
  }
});

test('every condition is found, and each change of one is planted where it stands', () => {
  const text = [
    'const of = (a: number, b: boolean | null): boolean => {',
    '  if (a > 2 && (!b || a === 7)) return true;',
    "  while (typeof a === 'string') break;",
    '  return b ?? a !== 3 ? a <= 4 : false;',
    '};',
    'export const atLoad = of(1, null) ? 1 : 2;',
  ].join('\n');
  const mutants = mutantsOf('some.ts', text);
  const changes = (condition: string, ...neighbours: string[]): string[] =>
    ['true', 'false', ...neighbours].map((change) => `some.ts of: ${condition} -> ${change}`);
  assert.deepEqual(
    mutants.map(({ key }) => key),
    [
      ...changes('a > 2', 'a >= 2'),
      ...changes('b'),
      ...changes('a === 7', 'a !== 7'),
      ...changes("typeof a === 'string'", "typeof a !== 'string'"),
      ...changes('b ?? a !== 3'),
      ...changes('a !== 3', 'a === 3'),
      ...changes('a <= 4', 'a < 4'),
    ].concat(['true', 'false'].map((change) => `some.ts atLoad: of(1, null) -> ${change}`)),
  );
  const world = globalThis as unknown as {
    mutant: number;
    seen: (no: number, value: unknown, neighbour?: () => unknown) => unknown;
  };
  const asked: number[] = [];
  const others = new Set<string>();
  world.seen = (first, value, neighbour) => {
    asked.push(first);
    for (const mutant of mutants.filter((each) => each.condition === mutants[first]!.condition))
      if (isOther(mutant, { value, neighbour })) others.add(mutant.key.slice('some.ts of: '.length));
    return value;
  };
  const planted = stripTypeScriptTypes(withMutants(text, mutants, 0)).replace('export const', 'const');
  const said = (awake: number, a: number, b: boolean | null): unknown => {
    world.mutant = awake;
    return (runInThisContext(`(() => { ${planted}; return of; })()`) as (...asked: unknown[]) => unknown)(
      a,
      b,
    );
  };
  assert.equal(said(-1, 3, false), true);
  assert.deepEqual(asked.slice(-2), [0, 3]);
  assert.equal(said(1, 4, null), true, 'a > 2 is false: the last line is asked');
  assert.equal(said(1, 9, null), false);
  assert.equal(said(-1, 9, null), true);
  assert.equal(said(2, 2, null), true, '2 >= 2');
  const makes = (a: number, b: boolean | null): string[] => {
    others.clear();
    said(-1, a, b);
    return [...others].filter((change) => change.startsWith('a > 2')).sort();
  };
  // With 1 it is asked at load.
  assert.deepEqual(makes(2, null), ['a > 2 -> a >= 2', 'a > 2 -> true'], 'of a change not made nobody hears');
  assert.deepEqual(makes(5, true), ['a > 2 -> false', 'a > 2 -> true'], 'with 5 its neighbour is the same');
});

test('every change that is said to change nothing is one that can be planted', () => {
  const files = [...new Set(Object.keys(EQUIVALENT).map((key) => key.split(' ')[0]!))];
  const known = new Set(files.flatMap((file) => mutantsOf(file, read(file)).map(({ key }) => key)));
  assert.deepEqual(
    Object.keys(EQUIVALENT).filter((key) => !known.has(key)),
    [],
  );
});
