import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Mutation, placesOf } from './bugs.ts';
import { MUTATIONS } from './mutations.ts';
import { BadMutation, ROOT, Workbench } from './workbench.ts';

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

/** Each is caught by the first net, in a second. */
const CHEAP: readonly string[] = ['price-any-pair', 'banker-5-on-3'];

test('a planted bug is caught, and the copy is sound again without it', async () => {
  const workbench = new Workbench();
  try {
    for (const id of CHEAP) {
      const mutation = MUTATIONS.find((each) => each.id === id)!;
      const { caught } = await workbench.withPlanted(mutation, () => workbench.cast('vectors'));
      assert.notEqual(caught, null, id);
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
      workbench.withPlanted(planted, () => workbench.cast('vectors')),
      BadMutation,
    );
    await assert.rejects(
      workbench.withPlanted(broken, () => workbench.compile()),
      BadMutation,
    );
  } finally {
    workbench.dispose();
  }
});
