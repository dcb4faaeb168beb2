import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Terminal } from '../shell/terminal.ts';
import { startTerminal } from '../shell/terminal.ts';
import { startXvfb } from '../shell/xvfb.ts';
import { assertBooks, assertCentre, playScenario } from './scenario.ts';

/** Address of the terminal's own centre, from the command line of its host. */
export function centreOf(terminal: Terminal): string {
  const words = readFileSync(`/proc/${terminal.pidOf('host')}/cmdline`, 'utf8').split('\0');
  return words[words.indexOf('--upstream') + 1]!;
}

/**
 * The whole list that both shells must pass: two known rounds in three languages, two killed hosts,
 * books and centre.
 */
export async function playsTheTable(
  t: TestContext,
  shell: 'chromium' | 'electron',
  env: Record<string, string>,
): Promise<void> {
  const screen = await startXvfb({ width: 1920, height: 1080 });
  const data = mkdtempSync(join(tmpdir(), 'banca-e2e-'));
  let terminal: Terminal | null = null;
  try {
    terminal = await startTerminal({ shell, display: screen.display, data, env });
    await terminal.event(
      'the table is painted',
      (m) => 'painted' in ((m['host'] as object | undefined) ?? {}),
    );
    const kiosk = await playScenario(terminal, data, join(data, 'rack'));
    assertBooks(data);
    const entries = await assertCentre(data, centreOf(terminal), 'BJ-DEMO-01');
    t.diagnostic(`${entries} entries, the same at the centre`);
    kiosk.rack.close();
  } catch (error) {
    for (const line of terminal?.logs.slice(-60) ?? []) t.diagnostic(line);
    const picture = join(tmpdir(), `banca-e2e-${shell}.png`);
    await terminal
      ?.page()
      .then((page) => page.screenshot({ path: picture }))
      .then(() => t.diagnostic(`picture: ${picture}`))
      .catch(() => {});
    throw error;
  } finally {
    await terminal?.stop();
    await screen.stop();
    rmSync(data, { recursive: true, force: true });
  }
}
