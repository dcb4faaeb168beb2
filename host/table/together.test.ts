import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { loadOrCreateKey, openLedger } from '../../ledger/store/ledger.store.ts';
import { bringIntoForce } from '../config/ready-tables.ts';
import { readTerminalFile } from '../config/terminal-file.ts';
import { Terminal, type TimelessInput } from './terminal.ts';

const SEATS = [1, 2, 3, 4, 5, 6, 7] as const;
const touch = (seat: number): TimelessInput => ({ type: 'set-language', seat, language: 'en' });

/** A terminal, the order in which its ledger commits, listeners hear, and `said` says. */
function opened(t: TestContext) {
  const dir = mkdtempSync(join(tmpdir(), 'banca-together-'));
  t.after(() => rmSync(dir, { recursive: true }));
  const { profile } = readTerminalFile(join(import.meta.dirname, '../profiles/demo.json'));
  const order: string[] = [];
  let failing = false;
  const ledger = openLedger(join(dir, 'ledger.db'), {
    terminalId: profile.terminalId,
    key: loadOrCreateKey(dir),
    createIfMissing: true,
    hooks: {
      beforeCommit: () => {
        if (failing) throw new Error('disk I/O error');
      },
      afterCommit: () => void order.push('commit'),
    },
  });
  t.after(() => ledger.close());
  const terminal = new Terminal({ ledger, now: Date.now, log: () => {} });
  bringIntoForce(terminal, profile);
  order.length = 0;
  terminal.onCommit(
    ({ entries }) => void order.push(...entries.map(({ commandId }) => `heard ${commandId}`)),
  );
  return { terminal, ledger, order, fail: () => (failing = true) };
}

test('seven touches of one moment are one commit, and nobody hears of one before all are stored', (t) => {
  const { terminal, ledger, order } = opened(t);
  terminal.together(() => {
    for (const seat of SEATS) assert.equal(terminal.submit(touch(seat), `touch ${seat}`).status, 'done');
    assert.equal(terminal.submit(touch(3), 'touch 3').status, 'exists');
    assert.equal(terminal.submit(touch(9), 'touch 9').status, 'rejected');
  });
  assert.deepEqual(order, ['commit', ...SEATS.map((seat) => `heard touch ${seat}`)]);
  assert.ok(SEATS.every((seat) => ledger.findCommand(`touch ${seat}`) !== null));
  // The next one is heard at once again.
  terminal.submit({ type: 'set-language', seat: 1, language: 'pt' }, 'next');
  assert.deepEqual(order.slice(-2), ['commit', 'heard next']);
});

test('where the disk refuses them nobody hears of any, and the terminal serves nothing more', (t) => {
  const { terminal, order, fail } = opened(t);
  fail();
  assert.throws(
    () =>
      terminal.together(() => {
        for (const seat of SEATS) terminal.submit(touch(seat), `touch ${seat}`);
      }),
    /disk I\/O error/,
  );
  assert.deepEqual(order, []);
  assert.throws(() => terminal.submit(touch(1)), /disk I\/O error/);
  assert.throws(() => terminal.together(() => {}), /disk I\/O error/);
  assert.throws(() => terminal.state, /disk I\/O error/, 'a view that is due shows what is not stored');
});

test('one touch that the disk refuses is not to be seen either', (t) => {
  const { terminal, order, fail } = opened(t);
  assert.ok(terminal.state.seats.every(({ language }) => language !== 'en'));
  fail();
  assert.throws(() => terminal.submit(touch(1), 'touch 1'), /disk I\/O error/);
  assert.throws(() => terminal.state, /disk I\/O error/);
  assert.deepEqual(order, []);
});
