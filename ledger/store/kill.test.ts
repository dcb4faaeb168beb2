/** What was acknowledged is there after SIGKILL at any moment, whole or not at all. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { verifyLedger } from '../chain/verifier.store.ts';
import { loadOrCreateKey, openLedger } from './ledger.store.ts';

const ENTRIES_PER_COMMAND = 3;
const [, , role, dir, stopAt] = process.argv;

if (role === 'append-for-ever') appendForEver(dir!, stopAt!);
else parent();

/**
 * Appends numbered commands and prints each number after its commit; ends itself at a boundary when
 * told to.
 */
function appendForEver(where: string, at: string): void {
  const key = loadOrCreateKey(where);
  const [boundary, nth] = at.split(':');
  let commits = 0;
  const dieAt = (here: string) => (): void => {
    if (here === boundary && commits === Number(nth)) process.kill(process.pid, 'SIGKILL');
  };
  const ledger = openLedger(join(where, 'ledger.db'), {
    terminalId: 'table-1',
    key,
    createIfMissing: true,
    hooks: {
      beforeCommit: () => {
        commits += 1;
        dieAt('before')();
      },
      afterCommit: dieAt('after'),
    },
  });
  for (;;) {
    const n = ledger.head().seq / ENTRIES_PER_COMMAND + 1;
    ledger.append(
      n,
      `c${n}`,
      Array.from({ length: ENTRIES_PER_COMMAND }, (_, i) => ({
        kind: 'moved',
        roundId: null,
        body: { n, i },
        ...(i === 0 ? { noteId: `n${n}` } : {}),
        postings: [
          { account: 'a', currency: 'MOP', amountMinor: -n },
          { account: 'b', currency: 'MOP', amountMinor: n },
        ],
      })),
    );
    // A number that was only queued in this process would prove nothing, and `process.stdout`
    // queues where the reader is slow.
    say(`${n}\n`);
  }
}

/** A reader that is slow has its pipe full for a while. */
function say(text: string): void {
  for (;;) {
    try {
      writeSync(1, text);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

function parent(): void {
  const root = mkdtempSync(join(tmpdir(), 'banca-kill-'));
  after(() => rmSync(root, { recursive: true, force: true }));

  /** Starts the child and resolves to the last number it printed before it was gone. */
  const run = (where: string, at: string, killAfter: number): Promise<number> =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [import.meta.filename, 'append-for-ever', where, at], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let text = '';
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        if (killAfter > 0 && text.split('\n').length > killAfter) child.kill('SIGKILL');
      });
      child.once('error', reject);
      child.once('close', (_code, signal) => {
        if (signal !== 'SIGKILL') return reject(new Error(`the child ended by itself: ${signal}`));
        const lines = text.split('\n').slice(0, -1);
        resolve(lines.length === 0 ? 0 : Number(lines.at(-1)));
      });
    });

  const examine = (where: string, acknowledged: number): number => {
    const report = verifyLedger(join(where, 'ledger.db'));
    assert.deepEqual(report.problems, []);
    const stored = report.headSeq / ENTRIES_PER_COMMAND;
    assert.ok(Number.isInteger(stored), `half a command is stored: ${report.headSeq} entries`);
    assert.ok(stored >= acknowledged, `command ${acknowledged} was acknowledged, ${stored} are stored`);
    // The kill can fall between the commit and the print, never more than one commit earlier.
    assert.ok(stored <= acknowledged + 1);
    assert.equal(report.balances['MOP/b'] ?? 0, (ENTRIES_PER_COMMAND * stored * (stored + 1)) / 2);
    return stored;
  };

  it('a process killed from outside while it appends loses nothing it acknowledged', async () => {
    const where = join(root, 'outside');
    let stored = 0;
    for (const killAfter of [1, 2, 5, 17, 60, 150, 400]) {
      const acknowledged = await run(where, 'never:0', killAfter);
      assert.ok(acknowledged >= stored + killAfter);
      stored = examine(where, acknowledged);
    }
  });

  it('killed just before a commit it stored nothing of it, just after one all of it', async () => {
    const where = join(root, 'boundary');
    let stored = 0;
    for (const nth of [1, 2, 9]) {
      await run(where, `before:${nth}`, 0);
      assert.equal(examine(where, stored + nth - 1), stored + nth - 1);
      stored += nth - 1;
      await run(where, `after:${nth}`, 0);
      assert.equal(examine(where, stored + nth - 1), stored + nth);
      stored += nth;
    }
  });
}
