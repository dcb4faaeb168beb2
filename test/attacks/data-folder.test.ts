/**
 * A data folder in which somebody has laid links, second names, pipes or files of their own, and
 * one whose lock others try to take.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chownSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startTerminal } from '../shell/terminal.ts';
import { banca } from '../support/built.ts';
import { attack, folderOf } from './kit.ts';

/**
 * How a terminal on this folder ends by itself, and what it said; null where it starts to play
 * instead.
 */
async function refusal(t: TestContext, data: string): Promise<{ code: number | null; said: string } | null> {
  const terminal = await startTerminal({ shell: 'chromium', display: null, data, centre: false });
  t.after(() => terminal.stop());
  const isReady = terminal
    .event('ready', ({ host }) => (host as { ready?: unknown } | undefined)?.ready === true)
    .then(
      () => null,
      () => ({ code: 0 }),
    );
  const first = await Promise.race([isReady, terminal.ended.then((code) => ({ code }))]);
  if (first === null) return null;
  return { code: await terminal.ended, said: terminal.logs.join('\n') };
}

const LINKED = [
  ...['ledger.db', 'ledger.db-wal', 'ledger.db-shm', 'ledger.db-lock', 'ledger-key.pem', 'devices.json'],
  ...['copy', 'drivers', 'note-traces', 'exports', 'recordings', 'centre', 'rack', 'terminal-lock'],
  ...['copy/ledger.db', 'enrolled/BJ-DEMO-01.pub', 'note-traces/1.json'],
];

test('links inside of the data folder are refused with the place, and nothing is written where they lead', async (t) => {
  for (const name of LINKED) {
    const data = folderOf(t);
    const elsewhere = folderOf(t);
    if (name.includes('/')) mkdirSync(join(data, name, '..'));
    symlinkSync(join(elsewhere, 'target'), join(data, name));
    const refused = await refusal(t, data);
    assert.ok(refused, `${name}: the terminal started over a link`);
    assert.equal(refused.code, 2, name);
    assert.ok(refused.said.includes(`data folder: ${join(data, name)} is a link`), refused.said);
    assert.deepEqual(readdirSync(elsewhere), [], name);
  }
});

test('so are second names outside of it, pipes, sockets and files of other accounts', async (t) => {
  const plants: readonly (readonly [RegExp, (at: string) => void])[] = [
    [
      /has another name outside of the folder/,
      (at) => {
        const other = join(folderOf(t), 'other');
        writeFileSync(other, 'mine');
        linkSync(other, at);
      },
    ],
    [/is neither a file nor a folder/, (at) => void execFileSync('mkfifo', [at])],
    [/is neither a file nor a folder/, (at) => void createServer().listen(at).unref()],
    ...(process.getuid?.() === 0
      ? [
          [
            /belongs to account 65534/,
            (at: string) => {
              writeFileSync(at, '');
              chownSync(at, 65_534, 65_534);
            },
          ] as const,
        ]
      : []),
  ];
  for (const [sentence, plant] of plants) {
    const data = folderOf(t);
    plant(join(data, 'ledger.db'));
    const refused = await refusal(t, data);
    assert.ok(refused, `${sentence}: the terminal started`);
    assert.equal(refused.code, 2, refused.said);
    assert.match(refused.said, sentence);
    assert.ok(refused.said.includes(join(data, 'ledger.db')), refused.said);
  }
});

test('the host alone refuses them too; two names of one file within the folder, as a power cut leaves them, are none', async (t) => {
  const data = folderOf(t);
  const first = await attack(t, { data });
  await first.terminal.stop();
  linkSync(join(data, 'ledger-key.pem'), join(data, 'ledger-key.pem.1234'));
  const again = await attack(t, { data });
  await again.terminal.stop();
  rmSync(join(data, 'ledger-key.pem.1234'));

  const elsewhere = folderOf(t);
  rmSync(join(data, 'note-traces'), { recursive: true, force: true });
  symlinkSync(elsewhere, join(data, 'note-traces'));
  const { status, stderr } = banca(['host', '--data', data]);
  assert.equal(status, 2, stderr);
  assert.match(stderr, /note-traces is a link/);
});

test("nobody takes the terminal's lock before it: its name lies in its own folder", async (t) => {
  const data = folderOf(t);
  // What another account can have for the asking: a name in the kernel that follows from the path.
  const name = createHash('sha256').update(data).digest('hex');
  const taken = createServer();
  await new Promise<void>((done) => taken.listen(`\0banca-${name}`, done));
  t.after(() => taken.close());
  const refused = await refusal(t, data);
  assert.equal(refused, null, refused?.said);
});

test('one terminal at a time, whatever path leads to the folder', async (t) => {
  const first = await attack(t);
  const mounted = folderOf(t);
  if (spawnSync('mount', ['--bind', first.data, mounted]).status !== 0) {
    t.skip('only root can mount the folder in a second place');
    return;
  }
  try {
    const second = await refusal(t, mounted);
    assert.equal(second?.code, 2, second?.said);
    assert.match(second.said, /another terminal is running on /);
    assert.equal(readFileSync(join(first.data, 'terminal-lock'), 'utf8'), '');
  } finally {
    // Before anything below it is taken away.
    execFileSync('umount', ['--lazy', mounted]);
  }
});
