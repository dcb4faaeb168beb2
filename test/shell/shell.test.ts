/** The window checks on the whole terminal, in Debian's Chromium and in a real Electron. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { LONG } from '../support/long.ts';
import { electronForTests } from './electron-for-tests.ts';
import { SHELL_CHECKS } from './shell-checks.ts';
import { startTerminal } from './terminal.ts';
import { startXvfb } from './xvfb.ts';

const SIZE = { width: 1366, height: 768 };

for (const shell of ['chromium', 'electron'] as const) {
  // That of Electron is looked at by `displays` and the attacks as well.
  test(`the window in ${shell}`, { skip: shell === 'electron' && LONG }, async (t) => {
    const env: Record<string, string> = {};
    if (shell === 'electron') {
      const electron = await electronForTests();
      if (electron.binary === null) {
        t.skip(electron.reason);
        return;
      }
      t.diagnostic(`Electron: ${electron.from}`);
      env['ELECTRON'] = electron.binary;
    }
    const data = mkdtempSync(join(tmpdir(), 'banca-shell-'));
    t.after(() => rmSync(data, { recursive: true, force: true }));
    const screen = await startXvfb(SIZE);
    t.after(() => screen.stop());
    const terminal = await startTerminal({ shell, display: screen.display, data, env, centre: false });
    t.after(() => terminal.stop());
    await terminal.event(
      'the table was drawn',
      (m) => (m['host'] as { painted?: unknown })?.painted !== undefined,
    );
    for (const check of SHELL_CHECKS)
      await t.test(check.name, async (t) => {
        try {
          t.diagnostic(await check.run({ terminal, display: screen.display, size: SIZE }));
        } catch (error) {
          t.diagnostic(terminal.logs.slice(-30).join('\n'));
          throw error;
        }
      });
  });
}
