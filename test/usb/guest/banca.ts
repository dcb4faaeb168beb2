/** `banca host` in the guest, and a display at it. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { TestDisplay } from '../../support/display.ts';

export const BANCA = '/rig/cli/banca.js';

/**
 * Resolves when the host is ready and the display has its first view; rejects when the host ends
 * before.
 */
export async function startBanca(
  data: string,
  profile: string,
): Promise<{ host: ChildProcess; display: TestDisplay }> {
  const args = [BANCA, 'host', '--data', data, '--profile', profile, '--simulators-allowed'];
  const host = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: '/tmp/compile-cache' },
  });
  const ready = new Promise<string>((resolve) =>
    createInterface({ input: host.stdout }).once('line', resolve),
  );
  const ended = new Promise<string>((resolve) => host.once('exit', (code) => resolve(`exit ${code}`)));
  const line = await Promise.race([ready, ended]);
  assert.match(line, /^\{/, 'the readiness line');
  return { host, display: await TestDisplay.connect((JSON.parse(line) as { url: string }).url) };
}
