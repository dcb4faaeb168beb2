/**
 * The way back of a terminal whose ledger is in dispute: two persons and the centre's signed word,
 * once, for one image.
 */
import assert from 'node:assert/strict';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { verifyLedger } from '../../ledger/chain/verifier.store.ts';
import { openLedgerReader } from '../../ledger/store/ledger.store.ts';
import { ROOT } from '../shell/paths.ts';
import {
  assertLocked,
  BOTH,
  banca,
  endOf,
  indebted,
  keep,
  level,
  owe,
  type Place,
  paidLife,
  pay,
  place,
  putBack,
  start,
  untilAtCentre,
} from './images.ts';

const report = (p: Place) => verifyLedger(join(p.data, 'ledger.db'));

test('two persons and the word of the centre bring the true history back, once, and for no other image', async (t) => {
  const { folder, centre, p } = await indebted(t);
  const restore = (word: string, stdin = BOTH) =>
    banca(p, 'restore', centre.profile, ['--word', word], stdin);
  keep(p, 'old');
  cpSync(p.witness, join(p.images, 'old-witness'), { recursive: true });
  const two = await start(t, p);
  await pay(two);
  await level(two);
  await two.terminal.stop();
  // A life more: the true history is longer than what the old image will make of itself.
  const three = await start(t, p);
  await three.terminal.stop();
  const { terminal } = report(p);
  await untilAtCentre(t, p, centre);
  const paid = report(p).balances['MOP/hand-pay'];

  // An old image that has gone on by itself, with its old witness and no centre to ask.
  putBack(p, 'old');
  await centre.stop();
  cpSync(p.witness, join(p.images, 'witness'), { recursive: true });
  rmSync(p.witness, { recursive: true });
  cpSync(join(p.images, 'old-witness'), p.witness, { recursive: true });
  await paidLife(t, p);
  await centre.run();
  const told = banca(p, 'restore', centre.profile, []);
  assert.ok(told.said.includes(endOf(p)), told.said);
  const word = join(folder, 'word');
  centre.word(terminal!, endOf(p), word);
  const other = join(folder, 'other');
  centre.word(terminal!, `1:${'ab'.repeat(32)}`, other);
  rmSync(p.witness, { recursive: true });
  cpSync(join(p.images, 'witness'), p.witness, { recursive: true });
  const locked = await start(t, p);
  await assertLocked(locked, 'ledger-old');
  await locked.terminal.stop();

  const before = endOf(p);
  for (const [what, file, stdin, wanted] of [
    ['another image', other, BOTH, /the word is for a ledger that ends with 1:/],
    ['one person', word, '3\n3333\n3\n3333\n', /no technician/],
    ['a wrong PIN', word, '3\n3333\n4\n4445\n', /no technician/],
    ['nobody', word, '', /missing/],
  ] as const) {
    const { status, said } = restore(file, stdin);
    assert.notEqual(status, 0, what);
    assert.match(said, wanted, what);
    assert.equal(endOf(p), before, what);
  }
  const forged = join(folder, 'forged');
  const [first, ...entries] = readFileSync(word, 'utf8').split('\n');
  writeFileSync(forged, [first!.replace('M. Lei', 'X. Lei'), ...entries].join('\n'));
  assert.match(restore(forged).said, /not signed with the key for commands/);
  writeFileSync(forged, [first, ...entries.slice(0, -2), ''].join('\n'));
  assert.match(restore(forged).said, /the entries of the word's file end with/);
  assert.equal(endOf(p), before);

  const done = restore(word);
  assert.equal(done.status, 0, done.said);
  assert.match(done.said, /entries are in that file alone/);
  const after = report(p);
  assert.deepEqual([after.ok, after.balances['MOP/hand-pay']], [true, paid], 'paid once');
  assert.ok(existsSync(join(p.data, 'ledger.db.damaged-1')), 'what was in dispute is kept');
  const back = await start(t, p);
  const table = await back.display('table');
  assert.deepEqual([table.view.hold, table.view.handPays], [null, []]);
  await level(back);
  // Paid where the centre does not hear of it, and the disk with it is gone.
  await centre.stop();
  await owe(back);
  await pay(back);
  await back.terminal.stop();
  const lost = endOf(p);
  await centre.run();

  // The same image again, and the same word.
  putBack(p, 'old');
  const again = await start(t, p);
  await assertLocked(again, 'ledger-old');
  await again.terminal.stop();
  assert.match(restore(word).said, /was taken here before/);
  const fresh = join(folder, 'fresh');
  centre.word(terminal!, endOf(p), fresh);
  assert.match(restore(fresh).said, /find the folder that has it, or the word must name it as lost/);
  const aware = join(folder, 'aware');
  centre.word(terminal!, endOf(p), aware, '--lost', lost);
  assert.equal(restore(aware).status, 0);
  assert.equal(restore(aware).status, 1, 'once');
  const last = await start(t, p);
  assert.deepEqual((await last.display('table')).view.handPays, []);
});

test('a terminal is wiped by two persons, and its old folder is kept', async (t) => {
  const p = place(t);
  const profile = join(ROOT, 'host/profiles/demo.json');
  const one = await start(t, p);
  assert.match(banca(p, 'wipe', profile, []).said, /in use: stop the terminal first/);
  await one.terminal.stop();
  const before = endOf(p);
  assert.equal(banca(p, 'wipe', profile, [], '3\n3333\n3\n3333\n').status, 1);
  assert.equal(endOf(p), before);
  const done = banca(p, 'wipe', profile, []);
  assert.equal(done.status, 0, done.said);
  const kept = readdirSync(join(p.data, '..')).find((name) => name.startsWith('data.wiped-'));
  assert.ok(kept);
  assert.equal(endOf({ ...p, data: join(p.data, '..', kept) }), before);
  const two = await start(t, p);
  assert.equal((await two.display('table')).view.hold, null);
  await two.terminal.stop();
  await (await start(t, p)).terminal.stop();
  const reader = openLedgerReader(join(p.data, 'ledger.db'));
  const starts = reader.newest({ beforeSeq: null, limit: 9, kind: 'program-started' });
  reader.close();
  const named = starts
    .toReversed()
    .map(({ body }) => (body as { epochBefore?: { seq: number; hash: string; folder: string } }).epochBefore);
  assert.deepEqual(
    named.map((epoch) => epoch && `${epoch.seq}:${epoch.hash} ${epoch.folder}`),
    [`${before} ${kept}`, undefined],
    'the first life of the new ledger names the one before it, and no later one',
  );
});
