/**
 * Exports and archives of a terminal that somebody has put right for an auditor: none of them may
 * pass as the terminal's.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { canonicalText } from '../../ledger/chain/canonical.ts';
import { type LedgerKey, loadOrCreateKey, openLedger } from '../../ledger/store/ledger.store.ts';
import { banca } from '../support/built.ts';
import { LONG } from '../support/long.ts';
import { attack, folderOf } from './kit.ts';

const TIMEOUT = { timeout: 600_000 };

function said(...args: readonly string[]): { readonly code: number | null; readonly text: string } {
  const { status, stdout, stderr } = banca(args);
  return { code: status, text: `${stdout}${stderr}` };
}

const base64 = (key: LedgerKey): string => Buffer.from(key.publicKey).toString('base64');

/** The terminal's public key, as its auditor has it. */
function pemOf(folder: string, { keyId, publicPem }: LedgerKey): string {
  const path = join(folder, `${keyId}.pub`);
  writeFileSync(path, publicPem);
  return path;
}

interface Played {
  readonly ledger: string;
  readonly key: LedgerKey;
}

/** A terminal that has played a round and has been stopped. */
async function played(t: TestContext): Promise<Played> {
  const { data, terminal } = await attack(t, { args: ['--demo', '--rounds', '1'] });
  assert.equal(await terminal.ended, 0);
  return { ledger: join(data, 'ledger.db'), key: loadOrCreateKey(data) };
}

type Manifest = Record<string, unknown> & { files: { name: string; bytes: number; sha256: string }[] };

/**
 * The manifest as a forger writes it: true of the files that lie there, signed with `key` or with
 * none.
 */
function rewrite(dir: string, key: LedgerKey | null, change: (manifest: Manifest) => void = () => {}): void {
  const path = join(dir, 'manifest.json');
  const { manifest } = JSON.parse(readFileSync(path, 'utf8')) as { manifest: Manifest };
  for (const file of manifest.files) {
    const bytes = readFileSync(join(dir, file.name));
    file.bytes = bytes.length;
    file.sha256 = createHash('sha256').update(bytes).digest('hex');
  }
  change(manifest);
  const signed = Buffer.from(`banca-export-v1\n${canonicalText(manifest)}`);
  const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
  writeFileSync(
    path,
    JSON.stringify({
      manifest,
      publicKey: key && hex(key.publicKey),
      signature: key && hex(key.sign(signed)),
    }),
  );
}

/** Ten times the notes that were taken. */
function forgeMeters(dir: string): void {
  const path = join(dir, 'meters.json');
  const told = JSON.parse(readFileSync(path, 'utf8')) as { meters: { code: string; value: number }[] };
  const meter = told.meters.find(({ code }) => code === 'bills_in')!;
  assert.ok(meter.value > 0);
  meter.value *= 10;
  writeFileSync(path, `${JSON.stringify(told, null, 2)}\n`);
}

function forgedExport(t: TestContext, { ledger, key }: Played): void {
  const folder = folderOf(t);
  const stranger = loadOrCreateKey(join(folder, 'stranger'));
  const whole = join(folder, 'whole');
  assert.equal(said('export', ledger, '--out', whole).code, 0);
  let no = 0;
  const forged = (forge: (dir: string) => void): string => {
    no += 1;
    const dir = join(folder, `forged-${no}`);
    cpSync(whole, dir, { recursive: true });
    forge(dir);
    return dir;
  };
  const refused = (why: RegExp, dir: string, ...args: readonly string[]): void => {
    const { code, text } = said('verify', '--export', dir, ...args);
    assert.deepEqual([code, why.test(text)], [1, true], `${why}: ${code} ${text}`);
  };
  const withKey = ['--key', pemOf(folder, key)];

  const holds = said('verify', '--export', whole, ...withKey);
  assert.deepEqual([holds.code, holds.text.startsWith('The export holds')], [0, true], holds.text);
  refused(/anybody could have made it/, whole);

  const unsigned = forged((dir) => {
    forgeMeters(dir);
    rewrite(dir, null);
  });
  refused(/manifest\.json is not signed/, unsigned);
  refused(/manifest\.json is not signed/, unsigned, ...withKey);

  const strangers = forged((dir) => {
    forgeMeters(dir);
    rewrite(dir, stranger);
  });
  refused(/signed with key/, strangers);
  refused(/signed with key/, strangers, ...withKey);
  refused(/signed with key/, strangers, '--key', pemOf(folder, stranger));

  const own = forged((dir) => {
    forgeMeters(dir);
    rewrite(dir, key);
  });
  refused(/meters\.json is not what this program makes of the entries/, own, ...withKey);
  refused(/meters\.json is not what this program makes of the entries/, own);

  const money = forged((dir) => {
    const path = join(dir, 'postings.csv');
    writeFileSync(path, readFileSync(path, 'utf8').replace(/,MOP,(\d)/, ',MOP,9$1'));
    rewrite(dir, key);
  });
  refused(/postings\.csv is not what this program makes of the entries/, money, ...withKey);

  const otherProgram = forged((dir) =>
    rewrite(dir, key, ({ made }) => {
      (made as { program: { id: string } }).program.id = 'ab'.repeat(32);
    }),
  );
  refused(/names another program or table than ledger\.db/, otherProgram, ...withKey);

  const withoutLedger = forged((dir) => {
    forgeMeters(dir);
    rmSync(join(dir, 'ledger.db'));
    const path = join(dir, 'manifest.json');
    const signed = JSON.parse(readFileSync(path, 'utf8')) as { manifest: Manifest };
    signed.manifest.files = signed.manifest.files.filter(({ name }) => name !== 'ledger.db');
    writeFileSync(path, JSON.stringify(signed));
    rewrite(dir, key);
  });
  refused(/does not name ledger\.db/, withoutLedger, ...withKey);

  const linked = forged((dir) => {
    const path = join(dir, 'meters.csv');
    const elsewhere = join(folder, 'meters.csv');
    writeFileSync(elsewhere, readFileSync(path));
    rmSync(path);
    symlinkSync(elsewhere, path);
  });
  refused(/meters\.csv is not the file that was exported/, linked, ...withKey);

  const more = forged((dir) => symlinkSync('/etc/passwd', join(dir, 'more.csv')));
  refused(/more\.csv is no file of this export/, more, ...withKey);

  const missing = forged((dir) => rmSync(join(dir, 'events.csv')));
  refused(/events\.csv is gone/, missing, ...withKey);
}

function strangersHistory(t: TestContext, { ledger, key }: Played): void {
  const folder = folderOf(t);
  const dir = join(folder, 'stranger');
  const stranger = loadOrCreateKey(dir);
  const terminalId = 'BJ-DEMO-01';
  const own = openLedger(join(dir, 'ledger.db'), { terminalId, key: stranger, createIfMissing: true });
  own.append(1_000, null, [{ kind: 'shoe-link', roundId: null, body: { link: 'up' }, postings: [] }]);
  own.close();
  const out = join(folder, 'export');
  const archives = join(folder, 'archives');
  assert.equal(said('export', join(dir, 'ledger.db'), '--out', out).code, 0);
  assert.equal(said('archive', join(dir, 'ledger.db'), '--out', archives).code, 0);
  for (const [what, path] of [
    ['--export', out],
    ['--archive', archives],
  ] as const) {
    assert.equal(said('verify', what, path).code, 1, `${what}: nobody knows the key`);
    assert.equal(said('verify', what, path, '--key', base64(key)).code, 1, `${what}: another key`);
  }

  const ours = join(folder, 'ours');
  assert.equal(said('archive', ledger, '--out', ours).code, 0);
  assert.equal(said('verify', '--archive', ours, '--key', base64(key)).code, 0);
}

test('what is handed to an auditor and is not this terminal’s', { ...TIMEOUT, skip: LONG }, async (t) => {
  const terminal = await played(t);
  await t.test('a forged export does not pass, whoever signed it', (inner) => forgedExport(inner, terminal));
  await t.test('a history of a stranger’s own making does not pass under the terminal’s name', (inner) =>
    strangersHistory(inner, terminal),
  );
});

/** Cells of a line as a spreadsheet divides it at `separator`. */
function cellsOf(line: string, separator: ',' | ';'): string[] {
  const cells: string[] = [];
  for (let rest: string | null = line; rest !== null; ) {
    const quoted: RegExpExecArray | null = /^"((?:[^"]|"")*)"/.exec(rest);
    const end: number = rest.indexOf(separator, quoted?.[0].length ?? 0);
    const cell: string = end < 0 ? rest : rest.slice(0, end);
    cells.push(quoted ? quoted[1]!.replaceAll('""', '"') + cell.slice(quoted[0].length) : cell);
    rest = end < 0 ? null : rest.slice(end + 1);
  }
  return cells;
}

test('no text of a ledger is a formula in a spreadsheet, wherever it divides lines; numbers stay numbers', (t) => {
  const folder = folderOf(t);
  const path = join(folder, 'ledger.db');
  const ledger = openLedger(path, {
    terminalId: 'BJ-X-01',
    key: loadOrCreateKey(folder),
    createIfMissing: true,
  });
  const formulas = ['=1+1', '+1', '-1', '@SUM(1)', '\t=1', '\r=1', '\n=1', '＝1+1', '＋1', '－1', '＠SUM(1)'];
  const forged = formulas.flatMap((text) => [text, `a;${text}`, `a; ${text}`, `a";${text}`, `\\;${text}`]);
  for (const [no, text] of forged.entries())
    ledger.append(1_000 + no, null, [
      {
        kind: `k${text}`.slice(no % 2),
        roundId: text,
        body: { remark: text, [text]: 1 },
        postings: [
          { account: text, currency: 'MOP', amountMinor: -5 },
          { account: `z${text}`, currency: 'MOP', amountMinor: 5 },
        ],
      },
    ]);
  ledger.close();
  const out = join(folder, 'export');
  const { code, text } = said('export', path, '--out', out);
  assert.ok(existsSync(join(out, 'manifest.json')), `${code} ${text}`);
  for (const file of ['events.csv', 'postings.csv', 'meters.csv']) {
    const csv = readFileSync(join(out, file), 'utf8');
    // At a comma ends of lines within quotes belong to a cell, at a semicolon they end it.
    const lines = csv.split('\r\n').filter((line) => line !== '');
    for (const line of lines)
      for (const cell of cellsOf(line, ','))
        if (!/^-?\d+$/.test(cell)) assert.doesNotMatch(cell, /^[=+\-@\t\r\n＝＋－＠]/, `${file}: ${line}`);
    if (file === 'events.csv')
      for (const line of lines)
        for (const cell of cellsOf(line, ';').slice(1))
          assert.doesNotMatch(cell, /^\s*[=+\-@＝＋－＠]/, `${file}, at semicolons: ${line}`);
    if (file === 'postings.csv')
      assert.ok(
        lines.some((line) => line.endsWith(',MOP,-5')),
        'a number below zero',
      );
  }
  // What stands in the cell of the body is still the body.
  const events = readFileSync(join(out, 'events.csv'), 'utf8').split('\r\n').slice(1, -1);
  for (const [index, line] of events.slice(-forged.length).entries())
    assert.equal((JSON.parse(cellsOf(line, ',').at(-1)!) as { remark: string }).remark, forged[index]);
});
