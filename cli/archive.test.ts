import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { loadOrCreateKey, openLedger } from '../ledger/store/ledger.store.ts';
import { cannotRun, here, json, root } from '../test/kits/cli.ts';

describe('banca archive', () => {
  const data = join(root, 'archived');
  const out = join(root, 'archives');
  const db = join(data, 'ledger.db');
  const key = loadOrCreateKey(data);

  function append(count: number): void {
    const ledger = openLedger(db, { terminalId: 'BJ-01', key, createIfMissing: true });
    for (let i = 0; i < count; i += 1) {
      const seq = ledger.head().seq + 1;
      ledger.append(seq * 1000, null, [
        { kind: 'shoe-link', roundId: null, body: { link: 'up' }, postings: [] },
      ]);
    }
    ledger.close();
  }
  const ours = Buffer.from(key.publicKey).toString('base64');
  const verified = (path: string, by = ours) => json('verify', '--archive', path, '--key', by);
  const sealed = async (...argv: string[]) =>
    (await json('archive', db, '--out', out, ...argv))['sealed'] as Record<string, unknown> | null;

  it('seals what is new, each archive going on where the one before ends, and takes nothing away', async () => {
    append(5);
    const first = await sealed('--until', '1970-01-01T00:00:03Z');
    assert.deepEqual([first?.['firstSeq'], first?.['lastSeq'], first?.['disputedRounds']], [1, 3, []]);
    append(2);
    const second = await sealed();
    assert.deepEqual([second?.['firstSeq'], second?.['lastSeq']], [4, 7]);
    assert.equal(second?.['previousHash'], first?.['lastHash']);
    assert.equal(await sealed(), null, 'nothing new');
    assert.equal((await json('verify', db))['headSeq'], 7);
    const all = await verified(out);
    assert.deepEqual([all.status, all['archives'], all['firstSeq'], all['lastSeq']], [0, 2, 1, 7]);
    const pem = join(root, 'terminal.pub');
    writeFileSync(pem, key.publicPem);
    assert.equal((await verified(out, pem)).status, 0);
    const unknown = await json('verify', '--archive', out);
    assert.equal(unknown.status, 1);
    assert.match(String(unknown['problem']), /name the terminal's public key with --key/);
    await cannotRun(['archive', db, '--out', out, '--until', '99'], /ends with 7/);
  });

  it('names what does not hold: another file, another seal, another key, a gap', async () => {
    const [firstFile, firstSeal, secondFile] = readdirSync(out)
      .toSorted()
      .map((name) => join(out, name)) as [string, string, string];
    const changed = async (
      path: string,
      change: (text: string) => string,
      problem: RegExp,
    ): Promise<void> => {
      const before = readFileSync(path, 'utf8');
      writeFileSync(path, change(before));
      const report = await verified(out);
      writeFileSync(path, before);
      assert.equal(report.status, 1);
      assert.match(String(report['problem']), problem);
    };
    await changed(firstFile, (text) => text.replace('"up"', '"UP"'), /is not the file that was sealed/);
    await changed(secondFile, (text) => text.slice(0, -1), /is not the file that was sealed/);
    await changed(
      firstSeal,
      (text) => text.replace('"lastSeq": 3', '"lastSeq": 4'),
      /signature does not hold/,
    );
    await changed(
      firstSeal,
      (text) => text.replace(/"keyId": "(.)/, (_, first) => `"keyId": "${first === 'e' ? 'f' : 'e'}`),
      /sealed with key|signature/,
    );
    const stranger = join(root, 'stranger.pub');
    writeFileSync(stranger, loadOrCreateKey(join(root, 'stranger')).publicPem);
    assert.match(String((await verified(out, stranger))['problem']), /sealed with key/);
    assert.equal((await verified(out)).status, 0);
    const seal = readFileSync(firstSeal, 'utf8');
    rmSync(firstSeal);
    assert.equal((await verified(out))['firstSeq'], 4, 'what is there, from its first entry');
    writeFileSync(firstSeal, seal);
    writeFileSync(firstSeal, '{}');
    assert.equal((await here(['verify', '--archive', out])).status, 1, 'no seal');
    writeFileSync(firstSeal, seal);
  });

  it('is made by the terminal alone: without its key there is no seal', async () => {
    rmSync(join(data, 'ledger-key.pem'));
    await cannotRun(['archive', db, '--out', join(root, 'other')], /key of the terminal/);
  });

  it('storage: what it takes and how long the budget lasts', async () => {
    const found = await json('storage', db);
    assert.deepEqual(
      [found.status, found['entries'], found['rounds'], found['bytesPerRound']],
      [0, 7, 0, null],
    );
    assert.ok(Number(found['ledgerBytes']) > 0 && Number(found['daysLeft']) > 0);
  });
});
