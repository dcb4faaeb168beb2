import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { parseRole, Sessions } from './sessions.ts';

test('a ticket works once and only in its time', () => {
  let now = 0;
  const sessions = new Sessions(randomBytes(32), () => now);
  const ticket = sessions.mint('table', 1000);
  const first = sessions.redeem(ticket);
  assert.ok(first);
  assert.equal(sessions.roleOf(first.cookie)?.role, 'table');
  assert.equal(sessions.redeem(ticket), null);
  const late = sessions.mint('table', 1000);
  now = 1000;
  assert.equal(sessions.redeem(late), null);
});

test('a cookie outlives the process that made it, but not its key, and cannot be altered', () => {
  const key = randomBytes(32);
  const before = new Sessions(key, () => 0);
  const cookie = before.redeem(before.mint('seat:3', 1000))?.cookie ?? '';
  assert.equal(new Sessions(key, () => 0).roleOf(cookie)?.role, 'seat:3');
  assert.equal(new Sessions(randomBytes(32), () => 0).roleOf(cookie), null);
  assert.equal(before.roleOf(cookie.replace('seat:3', 'table')), null);
  assert.equal(before.roleOf(''), null);
});

test('a role out of the closed set or nothing', () => {
  for (const role of ['table', 'dealer', 'spectator', 'service', 'operator', 'seat:1', 'seat:12'])
    assert.equal(parseRole(role), role);
  for (const role of ['', 'seat:0', 'seat:', 'admin', 'table ', 7, null]) assert.equal(parseRole(role), null);
});
