/**
 * A hostile reader's tools: the terminal as `npm start` starts it (built programs, the whole
 * supervisor), accounts of this machine that are not its own, and displays that send what they
 * like.
 */
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext } from 'node:test';
import { RackClient } from '../../hardware/rack/rack-client.ts';
import type { RackCommand } from '../../hardware/rack/rack-commands.ts';
import { startTerminal, type Terminal, type TerminalOptions } from '../shell/terminal.ts';
import { TestDisplay } from '../support/display.ts';
import { until } from '../support/until.ts';

const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
/** A terminal that is stopped after its folder was taken away has written into it again. */
const folders = new Set<string>();
process.once('exit', () => folders.forEach(remove));

/** Whose end is the end of what is started here. */
type Owner = Pick<TestContext, 'after'>;

/** A folder of this test alone, taken away after it. */
export function folderOf(t: Owner, where = tmpdir()): string {
  const folder = mkdtempSync(join(where, 'banca-attack-'));
  folders.add(folder);
  t.after(() => remove(folder));
  return folder;
}

export interface Attacked {
  readonly terminal: Terminal;
  /** The terminal's data folder. */
  readonly data: string;
  /** Port of the host on 127.0.0.1. */
  readonly port: number;
  /** Everything the terminal's processes have logged so far. */
  log(): string;
  display(role: string): Promise<TestDisplay>;
}

/**
 * Starts the built terminal on `data` (a new folder unless given) without a window and, unless one
 * is asked for, without a centre of its own, and stops it after the test.
 */
export async function attack(t: Owner, options: Partial<TerminalOptions> = {}): Promise<Attacked> {
  const data = options.data ?? folderOf(t);
  const terminal = await startTerminal({ shell: 'chromium', display: null, centre: false, ...options, data });
  t.after(() => terminal.stop());
  const { message } = await terminal.event('the host is ready', ({ host }) => isReady(host));
  // Its process id comes after `ready`: a `pidOf` before would name the life before.
  await terminal.started('host');
  return {
    terminal,
    data,
    port: (message['host'] as { port: number }).port,
    log: () => terminal.logs.join('\n'),
    display: async (role) => TestDisplay.connect(await terminal.mint(role)),
  };
}

/** Whose end is the end of the file. */
export function ownerOfFile(): Owner {
  const ends: (() => unknown)[] = [];
  after(async () => {
    for (const end of ends) await end();
  });
  return { after: (end) => void ends.push(end as () => unknown) };
}

/** One terminal for all tests of a file, from the first on that asks for it. */
export function terminalOfFile(options: Partial<TerminalOptions> = {}): () => Promise<Attacked> {
  const owner = ownerOfFile();
  let attacked: Promise<Attacked> | undefined;
  return () => {
    attacked ??= attack(owner, options);
    return attacked;
  };
}

/** The simulated devices of a terminal, which come up beside its host. */
export const rackOf = (data: string): Promise<RackClient> =>
  until('the rack of simulated devices', () => RackClient.connect(join(data, 'rack')).catch(() => null));

/**
 * Hands at a device: tried until a note is taken or a card drawn, for an acceptor that still starts
 * up takes none.
 */
export const handsAt = (rack: RackClient, command: RackCommand): Promise<true> =>
  until(JSON.stringify(command), async () => {
    const answer = await rack.do(command);
    assert.ok(answer.ok, JSON.stringify(answer));
    return (!('taken' in answer) || answer.taken) && (!('drawn' in answer) || answer.drawn);
  });

const isReady = (host: unknown): boolean =>
  typeof host === 'object' && host !== null && (host as { ready?: unknown }).ready === true;

/**
 * An account of this machine that is not the terminal's; made for the test and removed after it.
 */
export interface Stranger {
  readonly name: string;
  readonly uid: number;
  /**
   * What `node -e SCRIPT` (ES module syntax) prints when this account runs it. Rejects when it ends
   * with another code than 0.
   */
  run(script: string, ...args: readonly string[]): Promise<string>;
}

/** Null where this is not root's to make: the test is skipped with a sentence. */
export function stranger(t: TestContext): Stranger | null {
  if (process.getuid?.() !== 0) {
    t.skip('only root can make another account to attack from');
    return null;
  }
  const name = `banca-x-${randomBytes(4).toString('hex')}`;
  execFileSync('useradd', [
    '--system',
    '--user-group',
    '--no-create-home',
    '--shell',
    '/usr/sbin/nologin',
    name,
  ]);
  t.after(() => execFileSync('userdel', [name], { stdio: 'ignore' }));
  const uid = Number(execFileSync('id', ['-u', name], { encoding: 'utf8' }));
  return {
    name,
    uid,
    run: (script, ...args) =>
      new Promise((resolve, fail) => {
        const user = ['--reuid', name, '--regid', name, '--clear-groups'];
        const node = [process.execPath, '--input-type=module', '-e', script, '--', ...args];
        execFile(
          'setpriv',
          [...user, ...node],
          { cwd: '/', env: { PATH: '/usr/bin:/bin' } },
          (error, out, err) => (error ? fail(new Error(`${error.message}\n${err}`)) : resolve(out)),
        );
      }),
  };
}
