import assert from 'node:assert/strict';
import { it } from 'node:test';
import { posterOf } from './poster.ts';

it('a poster that cannot be written keeps no later one from being written', async () => {
  await assert.rejects(posterOf('{', false), SyntaxError);
  const next = await posterOf('{}', false);
  assert.ok('why' in next && next.why.includes('body'), JSON.stringify(next));
});
