import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const HERE = new URL('.', import.meta.url).pathname;
const READER = new URL('../../reader/', import.meta.url).pathname;
const ENGINE = new URL('../../engine/', import.meta.url).pathname;

const sourcesOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import\() ?'([^']+)'/g)].map(([, source = '']) => source);

test('the reader imports nothing but itself and Node: no code, no type and no data of the engine', () => {
  const models = globSync(`${READER}**/*.ts`);
  assert.ok(models.length > 17, models.join(' '));
  for (const file of models) {
    const foreign = sourcesOf(file).filter((source) => !/^(?:\.\/[^.]|node:)/.test(source));
    assert.deepEqual(foreign, [], file);
  }
});

test('the engine imports nothing of the reader', () => {
  for (const file of globSync(`${ENGINE}**/*.ts`))
    assert.deepEqual(
      sourcesOf(file).filter((source) => source.includes('reader/')),
      [],
      file,
    );
});

test('what compares them knows of the games only the table of options', () => {
  for (const file of globSync(`${HERE}*.ts`)) {
    const games = [...readFileSync(file, 'utf8').matchAll(/from '[^']*engine\/games\/([^']+)'/g)];
    for (const [, source] of games) assert.equal(source, 'rulebook.ts', file);
  }
});
