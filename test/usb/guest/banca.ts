/** `banca host` in the guest, and a display at it. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { TestDisplay } from '../../support/display.ts';

export const BANCA = '/rig/cli/banca.js';

/**
 * Node writes its compile cache when a process ends, and the hosts here are killed: with this a
 * host writes it at SIGUSR2.
 */
const KEEPS =
  "data:text/javascript,import{flushCompileCache}from'node:module';process.on('SIGUSR2',()=>flushCompileCache())";

/**
 * Resolves when the host is ready and the display has its first view; rejects when the host ends
 * before.
 */
export async function startBanca(
  data: string,
  profile: string,
): Promise<{ host: ChildProcess; display: TestDisplay }> {
  const words = ['host', '--data', data, '--profile', profile, '--simulators-allowed'];
  const host = spawn(process.execPath, ['--import', KEEPS, BANCA, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ready = new Promise<string>((resolve) =>
    createInterface({ input: host.stdout }).once('line', resolve),
  );
  const ended = new Promise<string>((resolve) => host.once('exit', (code) => resolve(`exit ${code}`)));
  const line = await Promise.race([ready, ended]);
  assert.match(line, /^\{/, 'the readiness line');
  host.kill('SIGUSR2');
  return { host, display: await TestDisplay.connect((JSON.parse(line) as { url: string }).url) };
}
