import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import Database from 'better-sqlite3';
import type { VerifyReport } from '../ledger/chain/verifier.store.ts';
import { loadOrCreateKey, openLedger } from '../ledger/store/ledger.store.ts';

const root = mkdtempSync(join(tmpdir(), 'banca-cli-verify-'));
after(() => rmSync(root, { recursive: true, force: true }));

/** Runs the command's body in a process of its own and gives what it printed and its exit code. */
function run(...argv: string[]): { status: number | null; stdout: string; stderr: string } {
  const module = join(import.meta.dirname, 'verify.ts');
  const source = `import { verify } from ${JSON.stringify(module)}; process.exitCode = await verify(process.argv.slice(1));`;
  return spawnSync(process.execPath, ['--input-type=module', '-e', source, '--', ...argv], {
    encoding: 'utf8',
  });
}

describe('banca verify', () => {
  const path = join(root, 'ledger.db');
  const key = loadOrCreateKey(root);
  const ledger = openLedger(path, { terminalId: 'table-1', key, createIfMissing: true });
  for (let i = 1; i <= 5; i++) {
    ledger.append(i, null, [
      {
        kind: 'moved',
        roundId: null,
        body: {},
        postings: [
          { account: 'a', currency: 'MOP', amountMinor: -i },
          { account: 'b', currency: 'MOP', amountMinor: i },
        ],
      },
    ]);
  }
  ledger.close();

  it('says that a ledger holds: exit 0', () => {
    const { status, stdout } = run(path);
    assert.equal(status, 0);
    assert.match(stdout, /entries +5, newest 5 with hash [0-9a-f]{64}/);
    assert.match(stdout, /balance +MOP\/b 15/);
    assert.match(stdout, /The ledger holds\.\n$/);
    const report = JSON.parse(run(path, '--json').stdout) as VerifyReport;
    assert.deepEqual([report.ok, report.headSeq, report.keyIds], [true, 5, [key.keyId]]);
  });

  it('names the first bad entry: exit 1', () => {
    const bad = join(root, 'bad.db');
    const db = new Database(path);
    db.prepare('VACUUM INTO ?').run(bad);
    db.close();
    new Database(bad)
      .exec(
        `DROP TRIGGER entries_no_update;
         UPDATE entries SET bytes = replace(bytes, '"amountMinor":', '"amountMinor":1') WHERE seq = 3`,
      )
      .close();
    const { status, stdout } = run(bad);
    assert.equal(status, 1);
    assert.match(stdout, /PROBLEM +entry at entry 3: hash is not SHA-256/);
    assert.match(stdout, /PROBLEM +schema: entries_no_update is missing/);
    assert.match(stdout, /The ledger does not hold: the first bad entry is 3\.\n$/);
    const json = run(bad, '--json');
    assert.equal(json.status, 1);
    assert.equal((JSON.parse(json.stdout) as VerifyReport).firstBadSeq, 3);
    writeFileSync(bad, 'no database at all'.repeat(100));
    assert.equal(run(bad).status, 1);
  });

  it('names the transaction after which the books and the table differ', () => {
    const other = join(root, 'table');
    const ledger = openLedger(join(other, 'ledger.db'), {
      terminalId: 'table-1',
      key: loadOrCreateKey(other),
      createIfMissing: true,
    });
    const { profile } = JSON.parse(
      readFileSync(join(import.meta.dirname, '../host/profiles/demo.json'), 'utf8'),
    ) as {
      profile: unknown;
    };
    ledger.append(1, null, [
      { kind: 'table-configured', roundId: null, body: { atMs: 1, person: null, profile }, postings: [] },
    ]);
    assert.equal(run(join(other, 'ledger.db')).status, 0);
    // Money that balances, is chained and signed, and that the table never gave to this seat.
    for (const atMs of [2, 3]) {
      ledger.append(atMs, `c${atMs}`, [
        {
          kind: 'language-set',
          roundId: null,
          body: { atMs, seat: 1, language: 'pt' },
          postings: [
            { account: 'bank', currency: 'MOP', amountMinor: 500 },
            { account: 'seat-credit:1', currency: 'MOP', amountMinor: -500 },
          ],
        },
      ]);
    }
    ledger.close();
    const { status, stdout } = run(join(other, 'ledger.db'));
    assert.equal(status, 1);
    assert.match(stdout, /PROBLEM +books after entry 2: seat-credit:1: table owes 0, books say 500/);
    const report = JSON.parse(run(join(other, 'ledger.db'), '--json').stdout) as VerifyReport;
    assert.deepEqual([report.ok, report.firstBadSeq], [false, 2]);
  });

  it('cannot run without a file: exit 2', () => {
    for (const argv of [[], [join(root, 'nothing.db')], [path, path], [path, '--wrong']]) {
      const { status, stdout, stderr } = run(...argv);
      assert.deepEqual([status, stdout], [2, ''], argv.join(' '));
      assert.match(stderr, /^verify: /);
    }
  });
});
