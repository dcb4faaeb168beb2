import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { verifyLedger } from '../../ledger/chain/verifier.store.ts';
import { loadOrCreateKey, openLedger } from '../../ledger/store/ledger.store.ts';
import { bringIntoForce } from '../config/ready-tables.ts';
import { readTerminalFile } from '../config/terminal-file.ts';
import { stateHash, Terminal } from './terminal.ts';

test('who takes the table over, who opens service mode, a cash box that is taken out and an orderly stop are signed', (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'banca-signed-'));
  t.after(() => rmSync(dir, { recursive: true }));
  const key = loadOrCreateKey(dir);
  const path = join(dir, 'ledger.db');
  const { profile } = readTerminalFile(join(import.meta.dirname, '../profiles/demo.json'));
  const ledger = openLedger(path, { terminalId: profile.terminalId, key, createIfMissing: true });
  const terminal = new Terminal({ ledger, now: Date.now, log: () => {} });
  const person = { id: 'D-01', name: 'Lei Ka Man', role: 'dealer' } as const;
  bringIntoForce(terminal, profile);
  const before = ledger.checkpoints().length;
  const steps = [
    ['dealer-in', { type: 'sign-in-dealer', person }],
    ['dealer-out', { type: 'sign-out-dealer' }],
    ['service', { type: 'enter-service', person: { ...person, role: 'technician' } }],
    ['drop', { type: 'report-fault', device: 'acceptor-1', fault: 'cash-box-removed', place: 'acceptor 1' }],
  ] as const;
  for (const [reason, input] of steps) {
    assert.equal(terminal.submit(input).status, 'done');
    const signed = ledger.checkpoints().at(-1)!;
    assert.equal(signed.reason, reason);
    assert.equal(signed.seq, ledger.head().seq);
    assert.deepEqual(Buffer.from(signed.stateHash!), stateHash(terminal.state));
  }
  terminal.submit({ type: 'exit-service' });
  terminal.submit({
    type: 'report-fault',
    device: 'acceptor-1',
    fault: 'cash-box-full',
    place: 'acceptor 1',
  });
  terminal.sign('stop');
  assert.deepEqual(
    ledger
      .checkpoints()
      .slice(before)
      .map(({ reason }) => reason)
      .filter((reason) => reason !== 'closing'),
    [...steps.map(([reason]) => reason), 'stop'],
  );
  ledger.close();
  assert.deepEqual(verifyLedger(path).problems, []);
});
