/**
 * The folder of recordings: every driver of today does, and tells, what it did then. Whatever file
 * is put there is played: a recording with its events beside it.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { MODELS } from '../../hardware/models.ts';
import { differences, wordsOf } from '../../hardware/transport/differences.ts';
import { here } from '../kits/cli.ts';

const FOLDER = join(import.meta.dirname, 'recordings');
const NAMES = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.jsonl') && !name.endsWith('.events.jsonl'))
  .map((name) => name.slice(0, -'.jsonl'.length));

test('there are recordings of every protocol of an acceptor', () => {
  for (const [name, { kind }] of Object.entries(MODELS))
    assert.ok(kind !== 'bill-acceptor' || NAMES.some((of) => of.startsWith(`${name}-`)), name);
});

for (const name of NAMES)
  test(`${name}: the driver of today does and tells what it did then`, async () => {
    const file = join(FOLDER, name);
    const again = await here(['device', 'replay', '--against', `${file}.events.jsonl`, `${file}.jsonl`]);
    assert.deepEqual([again.status, again.stdout, again.stderr], [0, '', ''], name);
    const told = readFileSync(`${file}.events.jsonl`, 'utf8');
    const isCredited = /"type":"credit","note":\{"currency":"[A-Z]{3}"/.test(told);
    assert.equal(isCredited, !/escrow-ends|returned/.test(name), 'the note ends as the name says');
  });

test('what is different is said in words: what it wrote with its name, what it told with its time', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'banca-against-'));
  t.after(() => rmSync(dir, { recursive: true }));
  const name = 'id003-eur-table-of-a-unit';
  const recording = readFileSync(join(FOLDER, `${name}.jsonl`), 'utf8');
  const events = readFileSync(join(FOLDER, `${name}.events.jsonl`), 'utf8');
  const against = join(dir, 'events.jsonl');
  const play = async (path: string) => here(['device', 'replay', '--against', against, path]);
  writeFileSync(against, events);

  // A driver that had sent C7 01: the entry, both frames, and what each means.
  const other = join(dir, 'other.jsonl');
  const c7 = '"hex":"fc 06 c7 02 76 92"';
  assert.ok(recording.includes(`"type":"out",${c7}`));
  writeFileSync(other, recording.replace(c7, '"hex":"fc 06 c7 01 ed a0"'));
  const spoke = await play(other);
  assert.equal(spoke.status, 1);
  assert.match(
    spoke.stderr,
    /entry \d+: the driver is not the one that was recorded: fc 06 c7 01 ed a0.* was written then, fc 06 c7 02 76 92 \(barcode inhibit 02\) now/,
  );

  // A unit whose table had no 50: without a value then, credited now.
  const fifty = '{"currency":"EUR","valueMinor":5000}';
  writeFileSync(
    against,
    events.replace(`"escrowed","note":${fifty}`, '"escrowed","note":null').replace(/.*"credit".*\n/, ''),
  );
  const told = await play(join(FOLDER, `${name}.jsonl`));
  assert.equal(told.status, 1);
  assert.deepEqual(
    told.stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.replace(/^at \d+\.\d{3} s: /, '')),
    [
      'escrowed, a note without a value: told then, not now',
      'escrowed, EUR 50.00: told now, not then',
      'credit, EUR 50.00: told now, not then',
    ],
  );

  writeFileSync(against, '{"type":"escrowed"}\n');
  const refused = await play(join(FOLDER, `${name}.jsonl`));
  assert.equal(refused.status, 2);
  assert.match(refused.stderr, /--against .*events\.jsonl: line 1 is no event of a replay/);
});

test('two runs are compared in the order they have in common', () => {
  const at = (ms: number, type: string) => ({ ms, event: { type } });
  assert.deepEqual(differences([at(1, 'a'), at(2, 'b')], [at(1, 'a'), at(20, 'b')]), []);
  assert.deepEqual(
    differences([at(1, 'a'), at(2, 'b'), at(3, 'c')], [at(1, 'a'), at(3, 'c'), at(500, 'd')]),
    ['at 0.002 s: b: told then, not now', 'at 0.500 s: d: told now, not then'],
  );
  assert.deepEqual(differences([], [at(7, 'a')]), ['at 0.007 s: a: told now, not then']);
  assert.deepEqual(differences([at(1000, 'a')], [at(1300, 'a')]), ['at 1.000 s: a: 300 ms later now']);
  assert.equal(wordsOf({ type: 'rejected', reason: 'escrow-time-out' }), 'rejected, escrow-time-out');
  assert.equal(
    wordsOf({ type: 'tried', note: { said: '64 48 01 02', valueMinor: 10_000, currency: 'HKD' } }),
    'tried, HKD 100.00',
  );
  assert.equal(wordsOf({ type: 'state', state: 'jammed', detail: 'path' }), 'state, jammed, path');
});
