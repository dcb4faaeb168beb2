import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type ChromiumFlagOptions, chromiumFlags, FIRST_PAGE } from './chromium-flags.ts';

const BASE: ChromiumFlagOptions = {
  profile: '/p',
  mode: 'kiosk',
  size: { width: 1920, height: 1080 },
  place: {},
  gpu: true,
  wayland: false,
  debugPort: null,
};
/** Debian's /usr/bin/chromium is a script; the program itself is here. */
const PROGRAM = '/usr/lib/chromium/chromium';

test('no combination of options gives up the sandbox, and none opens a port unless a test asks', () => {
  for (const mode of ['kiosk', 'windowed', 'headless'] as const)
    for (const gpu of [true, false])
      for (const wayland of [true, false]) {
        const flags = chromiumFlags({ ...BASE, mode, gpu, wayland }).join(' ');
        assert.doesNotMatch(
          flags,
          /no-sandbox|disable-web-security|remote-debugging-port|remote-allow|test-type/,
        );
      }
  assert.ok(chromiumFlags({ ...BASE, debugPort: 9222 }).includes('--remote-debugging-port=9222'));
});

test('the kiosk shows the page as an application, resolves no name and ends with its pipes', () => {
  const flags = chromiumFlags(BASE);
  for (const flag of [
    '--kiosk',
    `--app=${FIRST_PAGE}`,
    '--user-data-dir=/p',
    '--disable-pinch',
    '--remote-debugging-pipe',
    '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  ])
    assert.ok(flags.includes(flag), flag);
  assert.ok(!flags.includes('--disable-gpu'));
  assert.ok(chromiumFlags({ ...BASE, gpu: false }).includes('--disable-gpu'));
  assert.ok(!chromiumFlags({ ...BASE, mode: 'windowed' }).includes('--kiosk'));
});

test('every flag is known to the installed Chromium', {
  skip: existsSync(PROGRAM) ? false : `${PROGRAM} is not installed`,
}, () => {
  const program = readFileSync(PROGRAM, 'latin1');
  const flags = new Set(
    (['kiosk', 'windowed', 'headless'] as const).flatMap((mode) =>
      chromiumFlags({ ...BASE, mode, gpu: false, wayland: true, debugPort: 9222 }),
    ),
  );
  const unknown = [...flags]
    .filter((flag) => flag.startsWith('--'))
    .map((flag) => flag.slice(2).split('=')[0]!)
    .filter((name) => !program.includes(`\0${name}\0`));
  assert.deepEqual(unknown, []);
});
