import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { challengeOf, endOfChallenge, makeChallenge } from './passkeys.ts';

const SECRET = randomBytes(32);
const NOW = Date.parse('2026-11-26T12:00:00Z');
const MINUTE = 60_000;

test('a challenge is good for five minutes, for what it was made for, at the centre that made it', () => {
  const challenge = makeChallenge(SECRET, 'log-in', NOW);
  const end = (of: string, nowMs = NOW, secret = SECRET): number | null =>
    endOfChallenge(secret, 'log-in', of, nowMs);
  assert.equal(end(challenge), NOW + 5 * MINUTE);
  assert.equal(end(challenge, NOW + 5 * MINUTE - 1), NOW + 5 * MINUTE);
  assert.equal(end(challenge, NOW + 5 * MINUTE), null);
  assert.equal(end(challenge, NOW, randomBytes(32)), null);
  assert.equal(endOfChallenge(SECRET, 'provider', challenge, NOW), null);
  assert.equal(endOfChallenge(SECRET, 'link a', makeChallenge(SECRET, 'link b', NOW), NOW), null);
  assert.notEqual(makeChallenge(SECRET, 'log-in', NOW), challenge);
});

test('not one bit of a challenge can be changed, and no other spelling of it counts', () => {
  const challenge = makeChallenge(SECRET, 'log-in', NOW);
  const bytes = Buffer.from(challenge, 'base64url');
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3]! ^= 1 << (bit & 7);
    assert.equal(endOfChallenge(SECRET, 'log-in', changed.toString('base64url'), NOW), null, `bit ${bit}`);
  }
  for (const spelled of [`${challenge}=`, `${challenge} `, challenge.slice(1), `${challenge}A`, '', '\0'])
    assert.equal(endOfChallenge(SECRET, 'log-in', spelled, NOW), null, spelled);
});

test('what is no answer has no challenge', () => {
  const said = (text: string) => ({ clientDataJSON: Buffer.from(text).toString('base64url') });
  assert.equal(challengeOf(said('{"challenge":"x"}')), 'x');
  for (const text of ['', 'null', '7', '[]', '{', '{"challenge":7}', '{"challenge":null}'])
    assert.equal(challengeOf(said(text)), '', text);
});
