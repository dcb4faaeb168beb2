/**
 * The data folder of a terminal copied, played on, paid, and put back: what was paid must not be
 * payable again, whether a centre can be asked or not; and a terminal that is merely unlucky is not
 * locked.
 */
import assert from 'node:assert/strict';
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { LONG } from '../support/long.ts';
import {
  assertLocked,
  firstReady,
  headOf,
  indebted,
  keep,
  keepLive,
  level,
  owe,
  paidAfterImage,
  pay,
  place,
  putBack,
  start,
  startCentre,
} from './images.ts';
import { folderOf } from './kit.ts';

test('an older image of the data folder pays nothing, without any centre and over every restart', async (t) => {
  // As it ships: the centre of the demonstration lies in the data folder and is put back with it.
  const p = place(t);
  await paidAfterImage(t, p);
  keep(p, 'newest');
  putBack(p, 'old');
  const head = headOf(p);
  const three = await start(t, p);
  await assertLocked(three, 'ledger-old');
  assert.match(three.log(), /MONEY IS LOCKED: entry \d+ is missing, it was on this disk/);
  await three.terminal.stop();
  const four = await start(t, p);
  await assertLocked(four, 'ledger-old');
  await four.terminal.stop();
  assert.equal(headOf(p), head, 'nothing was written into the old ledger');
  // The copy alone is the newest, or the ledger is: what was paid is known, nothing is lost, and
  // nothing is locked.
  putBack(p, 'newest');
  cpSync(join(p.images, 'old', 'ledger.db'), join(p.data, 'ledger.db'));
  const five = await start(t, p);
  const table = await five.display('table');
  assert.deepEqual([table.view.hold, table.view.handPays], [null, []]);
});

test('an image taken from under the running terminal is older than the hand-pay in that same life', async (t) => {
  const p = place(t);
  const one = await start(t, p);
  await owe(one);
  await keepLive(p, 'live', one);
  await pay(one);
  await one.terminal.cutPower();
  putBack(p, 'live');
  const two = await start(t, p);
  await assertLocked(two, 'ledger-old');
});

test('a ledger that is gone is not begun again', async (t) => {
  const p = place(t);
  await paidAfterImage(t, p);
  keep(p, 'newest');
  // One file alone is made again from the other, with what was paid in it.
  for (const name of readdirSync(p.data)) if (name.startsWith('ledger.db')) rmSync(join(p.data, name));
  const three = await start(t, p);
  const table = await three.display('table');
  assert.deepEqual(table.view.handPays, []);
  assert.ok(table.view.ledgerFaults.includes('ledger-repaired'));
  await three.terminal.stop();
  for (const [what, witness] of [
    ['the witness knows it', true],
    ['the key alone shows it', false],
  ] as const) {
    putBack(p, 'newest');
    rmSync(join(p.data, 'copy'), { recursive: true });
    for (const name of readdirSync(p.data)) if (name.startsWith('ledger.db')) rmSync(join(p.data, name));
    if (!witness) rmSync(p.witness, { recursive: true });
    const four = await start(t, p);
    await assertLocked(four, 'ledger-gone');
    await four.terminal.stop();
    assert.deepEqual(
      readdirSync(p.data).filter((name) => name.startsWith('ledger.db')),
      [],
      what,
    );
  }
});

test('where the witness was put back too the centre sees it, and the restart after that is locked without the centre', {
  skip: LONG,
}, async (t) => {
  const { centre, p } = await indebted(t);
  keep(p, 'old');
  cpSync(p.witness, join(p.images, 'witness'), { recursive: true });
  const two = await start(t, p);
  await pay(two);
  const table = await two.display('table');
  assert.ok(await table.until(({ link, seq }) => link.ackedSeq === seq, 60_000), 'the centre has it');
  await two.terminal.stop();
  putBack(p, 'old');
  rmSync(p.witness, { recursive: true });
  cpSync(join(p.images, 'witness'), p.witness, { recursive: true });
  const three = await start(t, p);
  // Its first life ends with the first answer of the centre.
  await three.terminal.event(
    'a second life',
    (m) => (m['host'] as { ready?: unknown })?.ready === true,
    1 + firstReady(three),
  );
  await assertLocked(three, 'ledger-old');
  await centre.text(/older copy of its disk/);
  await three.terminal.stop();
  await centre.stop();
  const four = await start(t, p);
  await assertLocked(four, 'ledger-old');
});

test('kills at any moment and a lost copy lock nothing', { skip: LONG }, async (t) => {
  const p = place(t);
  let terminal = await start(t, p);
  await owe(terminal);
  for (let i = 0; i < 6; i += 1) {
    const host = terminal.terminal.pidOf('host');
    const from = terminal.terminal.events.length;
    process.kill(host, 'SIGKILL');
    await terminal.terminal.started('host', from);
    // Into the middle of its start, or of its play.
    await sleep(i * 40);
  }
  const table = await terminal.display('table');
  assert.equal(table.view.hold, null);
  await pay(terminal);
  await terminal.terminal.stop();
  rmSync(join(p.data, 'copy'), { recursive: true });
  terminal = await start(t, p);
  assert.equal((await terminal.display('table')).view.hold, null);
  assert.doesNotMatch(terminal.log(), /MONEY IS LOCKED/);
});

test('a centre that was put back from a backup locks nothing', async (t) => {
  const folder = folderOf(t);
  const centre = await startCentre(t, folder);
  const p = place(t, ['--profile', centre.profile]);
  const one = await start(t, p);
  centre.enrol(one);
  await level(one);
  await centre.backup();
  await owe(one);
  await level(one);
  await centre.restore();
  await centre.text(/put back from a backup|were missing before a batch/);
  const table = await one.display('table');
  assert.ok(await table.until(({ link, seq }) => link.state === 'up' && link.ackedSeq === seq, 60_000));
  await pay(one);
  assert.doesNotMatch(one.log(), /MONEY IS LOCKED/);
});
