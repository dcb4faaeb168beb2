/** The verifier printed in docs/ledger-format.md, in another language, agrees with ours. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import Database from 'better-sqlite3';
import { type Checkpoint, checkpointBytes } from '../../ledger/chain/checkpoint.codec.ts';
import { toHex } from '../../ledger/chain/entry.codec.ts';
import { loadOrCreateKey, openLedger } from '../../ledger/store/ledger.store.ts';

const absent = (program: string): string | false =>
  spawnSync(program, ['--version']).error === undefined ? false : `${program} is not installed`;

describe('a second verifier written from docs/ledger-format.md', () => {
  const root = mkdtempSync(join(tmpdir(), 'banca-second-'));
  after(() => rmSync(root, { recursive: true, force: true }));
  const path = join(root, 'ledger.db');
  const key = loadOrCreateKey(root);
  const ledger = openLedger(path, { terminalId: 'table-1', key, createIfMissing: true });
  for (let i = 1; i <= 50; i++) {
    ledger.append(1000 + i, `c${i}`, [
      {
        kind: 'moved',
        roundId: i % 2 === 0 ? `r${i}` : null,
        body: { name: '莊\u0000 "閒" €', half: i / 2, list: [null, true, 1e21] },
        postings: [
          { account: 'seat:1', currency: 'MOP', amountMinor: -i },
          { account: 'table', currency: 'MOP', amountMinor: i },
        ],
      },
    ]);
  }
  ledger.checkpoint('shift', null, 9000);
  const head = ledger.head();
  ledger.close();

  const run = (file: string) => {
    const doc = readFileSync(join(import.meta.dirname, '../../docs/ledger-format.md'), 'utf8');
    const source = /```python\n([\s\S]*?)```/.exec(doc)?.[1];
    assert.ok(source !== undefined, 'the document holds no Python');
    return spawnSync('python3', ['-c', source, file], { encoding: 'utf8' });
  };

  it('finds the same hash and the same balances', { skip: absent('python3') }, () => {
    const { status, stdout, stderr } = run(path);
    assert.equal(status, 0, stdout + stderr);
    assert.deepEqual(stdout.trim().split('\n'), [
      `50 entries hold, newest hash ${toHex(head.hash)}`,
      'MOP/seat:1 -1275',
      'MOP/table 1275',
    ]);
  });

  it('finds what was changed', { skip: absent('python3') }, () => {
    const db = new Database(path);
    db.exec(
      "DROP TRIGGER entries_no_update; UPDATE entries SET bytes = replace(bytes, '莊', '閒') WHERE seq = 33",
    );
    db.close();
    const { status, stdout } = run(path);
    assert.deepEqual([status, stdout.trim()], [1, 'entry 33: hash does not fit']);
  });

  it('checks a signature with OpenSSL', { skip: absent('openssl') }, () => {
    const db = new Database(path, { readonly: true });
    const row = db
      .prepare<[], Checkpoint>(
        `SELECT no, seq, entry_hash AS entryHash, state_hash AS stateHash, reason, at_ms AS atMs, key_id AS keyId,
         signature FROM checkpoints WHERE reason = 'shift'`,
      )
      .get()!;
    db.close();
    const text =
      `banca-checkpoint-v1\n{"atMs":9000,"entryHash":"${toHex(head.hash)}","keyId":"${key.keyId}","no":2,` +
      '"reason":"shift","seq":50,"stateHash":null,"terminal":"table-1"}';
    assert.equal(Buffer.from(checkpointBytes('table-1', row)).toString(), text);
    const file = (name: string, content: string | Uint8Array): string => {
      writeFileSync(join(root, name), content);
      return join(root, name);
    };
    const publicKey = file('table-1.pub', key.publicPem);
    const signature = file('signature', row.signature);
    const check = (bytes: string): number | null =>
      spawnSync(
        'openssl',
        `pkeyutl -verify -pubin -rawin -inkey ${publicKey} -in ${file('bytes', bytes)} -sigfile ${signature}`.split(
          ' ',
        ),
      ).status;
    assert.equal(check(text), 0);
    assert.equal(check(text.replace('shift', 'night')), 1);
  });
});
