import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

/**
 * What compares the two may know both; whoever models the law may know only what stands in this
 * folder.
 */
const COMPARES = /\/(random-play|random-options|sitting|compare|run)\.ts$|\.test\.ts$/;
const HERE = new URL('.', import.meta.url).pathname;

test('the auditors share no code with the engine', () => {
  const models = globSync(`${HERE}*.ts`).filter((file) => !COMPARES.test(file));
  assert.ok(models.length > 12, models.join(' '));
  for (const file of models) {
    const sources = [...readFileSync(file, 'utf8').matchAll(/(?:from|import\() ?'([^']+)'/g)];
    const foreign = sources.map(([, source = '']) => source).filter((source) => source.startsWith('../'));
    assert.deepEqual(foreign, [], file);
  }
});

test('what compares them knows of the games only the table of options', () => {
  for (const file of globSync(`${HERE}*.ts`)) {
    const games = [...readFileSync(file, 'utf8').matchAll(/from '[^']*engine\/games\/([^']+)'/g)];
    for (const [, source] of games) assert.equal(source, 'rulebook.ts', file);
  }
});
