import assert from 'node:assert/strict';
import test from 'node:test';
import { isShortcut, type KeyPress } from './kiosk.ts';

/** 'ctrl+shift+i' -> the press. */
function press(text: string): KeyPress {
  const parts = text.split('+');
  return {
    key: parts.at(-1) ?? '',
    ctrlKey: parts.includes('ctrl'),
    shiftKey: parts.includes('shift'),
    altKey: parts.includes('alt'),
    metaKey: parts.includes('meta'),
  };
}

/** Keys that were seen to open, close, move or reload something in a Chromium kiosk. */
const WAYS_OUT = [
  ...'F1 F3 F5 F6 F7 F10 F11 F12 Escape ContextMenu'.split(' '),
  ...'ctrl+r ctrl+shift+r ctrl+n ctrl+shift+n ctrl+t ctrl+w ctrl+q ctrl+p ctrl+s ctrl+o ctrl+u ctrl+f'.split(
    ' ',
  ),
  ...'ctrl+h ctrl+j ctrl+d ctrl+= ctrl+- ctrl+0 ctrl+shift+i ctrl+shift+j ctrl+shift+c ctrl+l ctrl+1'.split(
    ' ',
  ),
  ...'ctrl+Tab ctrl+shift+Delete ctrl+shift+b alt+F4 alt+d alt+ArrowLeft alt+Home alt+f alt+e'.split(' '),
  ...'meta+l BrowserBack LaunchMail MediaPlayPause'.split(' '),
];

test('no way out by key, not even inside a field of service mode', () => {
  for (const key of WAYS_OUT) {
    assert.equal(isShortcut(press(key), false), true, key);
    assert.equal(isShortcut(press(key), true), true, `${key} in a field`);
  }
});

test('plain keys work: digits of a PIN, Tab, arrows, Enter', () => {
  for (const key of ['1', 'a', 'Tab', 'Enter', ' ', 'ArrowDown', 'PageDown', 'Backspace']) {
    assert.equal(isShortcut(press(key), false), false, key);
  }
});

test('copy and paste exist only inside a field', () => {
  for (const key of ['ctrl+c', 'ctrl+v', 'ctrl+x', 'ctrl+a', 'ctrl+z']) {
    assert.equal(isShortcut(press(key), true), false, key);
    assert.equal(isShortcut(press(key), false), true, key);
  }
});
