/**
 * The witness itself attacked: taken away, replaced, or kept from being written; and a
 * demonstration that is only moved.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../shell/paths.ts';
import { fullOr, LONG } from '../support/long.ts';
import { until } from '../support/until.ts';
import {
  assertLocked,
  BOTH,
  banca,
  endOf,
  headOf,
  indebted,
  keep,
  owe,
  owedLife,
  type Place,
  paidAfterImage,
  paidLife,
  pay,
  place,
  putBack,
  start,
  untilAtCentre,
} from './images.ts';

const fileOf = ({ witness }: Place): string =>
  join(witness, readdirSync(witness).find((name) => name.endsWith('.json'))!);

test('a ledger whose witness was taken away pays nothing, and a witness of another life is none', async (t) => {
  const p = place(t);
  await paidAfterImage(t, p);
  keep(p, 'newest');
  const name = basename(fileOf(p));
  const seen = JSON.parse(readFileSync(fileOf(p), 'utf8')) as object;
  const take = (): void => rmSync(p.witness, { recursive: true, force: true });
  const put = (text: string): void => {
    mkdirSync(p.witness, { recursive: true });
    writeFileSync(join(p.witness, name), text);
  };
  const attacks: readonly (readonly [what: string, image: string, done: () => void])[] = [
    ['an older image and no witness', 'old', take],
    ['nobody could tell whether it is the newest', 'newest', take],
    ['a file that is no witness', 'old', () => put('{}')],
    [
      'a witness that knows less and was made up',
      'old',
      () => put(JSON.stringify({ ...seen, id: 'ab', head: { seq: 0, hash: '0'.repeat(64) } })),
    ],
  ];
  for (const [what, image, done] of attacks.slice(-fullOr(Infinity, 2))) {
    putBack(p, image);
    done();
    const head = headOf(p);
    const locked = await start(t, p);
    await assertLocked(locked, 'witness-gone');
    assert.match(locked.log(), /MONEY IS LOCKED: .*the ledger names witness/, what);
    await locked.terminal.stop();
    assert.equal(headOf(p), head, `${what}: nothing was written`);
  }
  take();
  const still = await start(t, p);
  await assertLocked(still, 'witness-gone');
  await still.terminal.stop();
  assert.ok(!existsSync(join(p.witness, name)), 'no start makes a witness for a ledger that has one');
});

// `way-back` has the same two persons and the same word for a ledger that is old.
test('a witness that is gone comes back by two persons and the word of the centre, which hears of it', {
  skip: LONG,
}, async (t) => {
  const { folder, centre, p } = await indebted(t);
  await untilAtCentre(t, p, centre);
  rmSync(p.witness, { recursive: true });
  // The centre has it all: that proves no more than what it was told before the cable was pulled.
  const locked = await start(t, p);
  await assertLocked(locked, 'witness-gone');
  await centre.text(/has locked its money/);
  await locked.terminal.stop();
  assert.equal(await centre.head('BJ-DEMO-01'), endOf(p), 'the locked life has sent nothing');
  const page = await centre.page('/terminals/BJ-DEMO-01');
  assert.ok(page.includes(`--terminal BJ-DEMO-01 --issuer NAME --disputed ${endOf(p)} --out FILE`), page);
  const word = join(folder, 'word');
  centre.word('BJ-DEMO-01', endOf(p), word);
  assert.equal(banca(p, 'restore', centre.profile, ['--word', word], '3\n3333\n3\n3333\n').status, 1);
  assert.equal(banca(p, 'restore', centre.profile, []).status, 1, 'in dispute');
  const { status, said } = banca(p, 'restore', centre.profile, ['--word', word]);
  assert.equal(status, 0, said);
  const back = await start(t, p);
  assert.equal((await back.display('table')).view.hold, null);
  await pay(back);
  await back.terminal.stop();
  const last = await start(t, p);
  assert.deepEqual((await last.display('table')).view.handPays, []);
});

test('a demonstration that is carried to another folder and another home plays on', {
  skip: LONG,
}, async (t) => {
  const p = place(t);
  await owedLife(t, p);
  const moved: Place = { ...p, data: join(p.images, 'elsewhere'), witness: join(p.images, 'state') };
  const there: Place = { ...moved, args: ['--witness', moved.witness] };
  cpSync(p.data, there.data, { recursive: true });
  for (let life = 0; life < 2; life += 1) {
    const two = await start(t, there);
    assert.equal((await two.display('table')).view.hold, null);
    await two.terminal.stop();
  }
  // Begun again in the same place, as after `rm -r data`.
  rmSync(there.data, { recursive: true });
  const fresh = await start(t, there);
  assert.equal((await fresh.display('table')).view.hold, null);
});

test('a witness that cannot be written is reported, written when it can be, and lags without locking anything', async (t) => {
  const p = place(t);
  let terminal = await start(t, p);
  const wall = `${fileOf(p)}.new`;
  const isTold = async (wanted: boolean): Promise<void> => {
    const table = await terminal.display('table');
    const view = await table.until(
      ({ ledgerFaults }) => ledgerFaults.includes('witness-failed') === wanted,
      60_000,
    );
    assert.ok(view, wanted ? 'the fault' : 'its end');
    assert.equal(view.hold, null);
    table.close();
  };
  // What was being written when the wall came up is either there or not; from here on nothing is.
  mkdirSync(wall);
  const before = readFileSync(fileOf(p), 'utf8');
  await owe(terminal);
  await isTold(true);
  await until('it is reported', () => terminal.log().includes('THE WITNESS IS NOT WRITTEN'));
  assert.match(terminal.log(), /THE WITNESS IS NOT WRITTEN/);
  await pay(terminal);
  await terminal.terminal.cutPower();
  assert.equal(readFileSync(fileOf(p), 'utf8'), before, 'it lags');
  terminal = await start(t, p);
  await isTold(true);
  rmSync(wall, { recursive: true });
  await isTold(false);
  assert.notEqual(readFileSync(fileOf(p), 'utf8'), before);
  await terminal.terminal.stop();
  terminal = await start(t, p);
  assert.equal((await terminal.display('table')).view.hold, null);
});

test('a ledger that parts from its copy is locked like every fork, and comes back the same way', {
  skip: LONG,
}, async (t) => {
  const { folder, centre, p } = await indebted(t);
  keep(p, 'old');
  cpSync(p.witness, join(p.images, 'witness'), { recursive: true });
  await paidLife(t, p);
  keep(p, 'newest');
  // Another history of the same beginning, of which only the copy's disk knows that it is not the
  // first.
  putBack(p, 'old');
  rmSync(p.witness, { recursive: true });
  cpSync(join(p.images, 'witness'), p.witness, { recursive: true });
  await centre.stop();
  await paidLife(t, p);
  rmSync(join(p.data, 'copy'), { recursive: true });
  cpSync(join(p.images, 'newest', 'copy'), join(p.data, 'copy'), { recursive: true });
  const head = headOf(p);
  const locked = await start(t, p);
  await assertLocked(locked, 'link-fork');
  assert.match(locked.log(), /MONEY IS LOCKED: .*copy .*: a fork, nothing is merged/);
  await locked.terminal.stop();
  assert.equal(headOf(p), head, 'nothing was written');
  await centre.run();
  const told = banca(p, 'restore', centre.profile, []);
  assert.deepEqual([told.status, /In dispute: .*: a fork/.test(told.said)], [1, true], told.said);
  const word = join(folder, 'word');
  centre.word('BJ-DEMO-01', endOf(p), word);
  const { status, said } = banca(p, 'restore', centre.profile, ['--word', word], BOTH);
  assert.equal(status, 0, said);
  const back = await start(t, p);
  const table = await back.display('table');
  assert.deepEqual([table.view.hold, table.view.handPays], [null, []]);
});

test('restore and wipe find the witness where the ledger names it, and write nothing as another account', async (t) => {
  const p = place(t);
  const one = await start(t, p);
  await one.terminal.stop();
  const run = (command: string) =>
    spawnSync(process.execPath, [join(ROOT, 'cli/banca.ts'), command, '--data', p.data], {
      encoding: 'utf8',
      input: BOTH,
    });
  const path = fileOf(p);
  const { status, stdout } = run('restore');
  assert.deepEqual([status, stdout.includes(`witness   ${path}`)], [0, true], stdout);
  if (process.getuid?.() === 0) {
    chownSync(p.data, 12_345, 12_345);
    for (const command of ['restore', 'wipe']) {
      const { status: refused, stderr } = run(command);
      assert.equal(refused, 2, command);
      assert.match(stderr, /belongs to account 12345: run this as that account/);
    }
    chownSync(p.data, 0, 0);
  }
  assert.equal(run('wipe').status, 0);
  assert.deepEqual([existsSync(p.data), existsSync(path)], [false, false]);
});
