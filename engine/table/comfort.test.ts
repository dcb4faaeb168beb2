import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chosen, PLAIN_COMFORT } from './comfort.ts';

test('a seat that speaks and one that does not; all else of its comfort stays', () => {
  const large = { ...PLAIN_COMFORT, text: 'large', leftHand: true } as const;
  assert.deepEqual(chosen(large, 'speech', true), { ...large, speech: true });
  assert.deepEqual(chosen({ ...large, speech: true }, 'speech', false), large);
});

test('a seat for the left hand goes on speaking', () => {
  const speaks = { ...PLAIN_COMFORT, speech: true } as const;
  assert.deepEqual(chosen(speaks, 'leftHand', true), { ...speaks, leftHand: true });
  assert.deepEqual(chosen({ ...speaks, leftHand: true }, 'leftHand', false), speaks);
});
