/**
 * A TPM 2.0 of software: Debian's swtpm, its state in a folder of the test, spoken to by tpm2-tools
 * as a real one is.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { TestContext } from 'node:test';
import { until } from './until.ts';

const isThere = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));

/** Why no test can have a TPM here; false = it can. */
export const NO_TPM = ['swtpm', 'tpm2_nvread'].every(isThere)
  ? false
  : 'swtpm or tpm2-tools is not installed (apt-get install swtpm tpm2-tools)';

export class SoftwareTpm {
  readonly tcti: string;
  readonly #folder: string;
  #child: ChildProcess | null = null;

  constructor(t: Pick<TestContext, 'after'>) {
    // The name of a socket is short.
    this.#folder = mkdtempSync(join(tmpdir(), 'banca-tpm-'));
    this.tcti = `swtpm:path=${join(this.#folder, 'sock')}`;
    t.after(async () => {
      await this.stop();
      rmSync(this.#folder, { recursive: true, force: true });
    });
  }

  /** `state`: another TPM than the first one. */
  async start(state = 'one'): Promise<void> {
    const sock = join(this.#folder, 'sock');
    mkdirSync(join(this.#folder, state), { recursive: true });
    const args = ['socket', '--tpm2', '--tpmstate', `dir=${join(this.#folder, state)}`];
    args.push('--server', `type=unixio,path=${sock}`, '--ctrl', `type=unixio,path=${sock}.ctrl`);
    this.#child = spawn('swtpm', [...args, '--flags', 'not-need-init,startup-clear'], { stdio: 'ignore' });
    await until('swtpm listens', () => existsSync(`${sock}.ctrl`));
  }

  async stop(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
    for (const name of ['sock', 'sock.ctrl']) rmSync(join(this.#folder, name), { force: true });
  }

  tool(program: string, ...args: readonly string[]): void {
    const { status, stderr } = spawnSync(program, ['-T', this.tcti, ...args], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  }
}
