import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blocksKey, type KeyInput, mayNavigate, mayRequest, terminalOrigin } from './policy.ts';

const ORIGIN = 'http://127.0.0.1:4100';

test('the terminal is plain http on 127.0.0.1 with a port', () => {
  assert.equal(terminalOrigin('http://127.0.0.1:4100/?ticket=x'), ORIGIN);
  for (const url of [
    'https://127.0.0.1:4100/',
    'http://127.0.0.1/',
    'http://localhost:4100/',
    'http://127.0.0.1.evil.example:4100/',
    'http://user@127.0.0.1:4100/',
    'http://127.0.0.2:4100/',
    'file:///etc/passwd',
    'not an address',
    '',
  ])
    assert.equal(terminalOrigin(url), null, url);
});

test('the window stays on the page of its own terminal', () => {
  assert.ok(mayNavigate(`${ORIGIN}/`, ORIGIN));
  for (const url of [
    `${ORIGIN}/index.js`,
    'http://127.0.0.1:4101/',
    'https://example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,x',
    'about:blank',
    'http://127.0.0.1:4100@evil.example/',
    '',
  ])
    assert.ok(!mayNavigate(url, ORIGIN), url);
  assert.ok(!mayNavigate(`${ORIGIN}/`, null), 'before an address was given');
});

test('the page reaches its own origin and bytes it made itself', () => {
  for (const url of [
    `${ORIGIN}/app.js`,
    'ws://127.0.0.1:4100/ws',
    'data:image/png;base64,AA==',
    `blob:${ORIGIN}/0d1f`,
  ])
    assert.ok(mayRequest(url, ORIGIN), url);
  for (const url of [
    'http://127.0.0.1:4101/',
    'ws://127.0.0.1:4101/ws',
    'wss://127.0.0.1:4100/ws',
    'https://example.com/',
    'blob:https://example.com/0d1f',
    'file:///etc/passwd',
    'ftp://127.0.0.1:4100/',
    'chrome://gpu',
    'devtools://devtools/bundled/inspector.html',
    'not an address',
  ])
    assert.ok(!mayRequest(url, ORIGIN), url);
  assert.ok(!mayRequest(`${ORIGIN}/app.js`, null), 'before an address was given');
});

test('keys that leave, reload, zoom or inspect are blocked, keys that type are not', () => {
  const key = (code: string, changes: Partial<KeyInput> = {}): KeyInput => ({
    type: 'keyDown',
    key: code,
    code,
    control: false,
    alt: false,
    meta: false,
    ...changes,
  });
  for (const blocked of [
    key('F1'),
    key('F5'),
    key('F11'),
    key('F12'),
    key('F24'),
    key('Escape'),
    key('ContextMenu'),
    key('KeyR', { control: true }),
    key('KeyW', { control: true }),
    key('F4', { alt: true }),
    key('ArrowLeft', { alt: true }),
    key('Space', { meta: true }),
    key('KeyR', { control: true, type: 'rawKeyDown' }),
  ])
    assert.ok(blocksKey(blocked), JSON.stringify(blocked));
  for (const free of [
    key('KeyA', { key: 'a' }),
    key('Digit5', { key: '5' }),
    key('Enter'),
    key('Tab'),
    key('F5', { type: 'keyUp' }),
  ])
    assert.ok(!blocksKey(free), JSON.stringify(free));
});
