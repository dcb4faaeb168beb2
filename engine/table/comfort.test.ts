import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PLAIN_COMFORT, speaking } from './comfort.ts';

test('a seat that speaks and one that does not; all else of its comfort stays', () => {
  const large = { ...PLAIN_COMFORT, text: 'large' } as const;
  assert.deepEqual(speaking(large, true), { ...large, speech: true });
  assert.deepEqual(speaking({ ...large, speech: true }, false), large);
});
