/**
 * Sticks under /media whose mount points have odd names, that are pulled out, covered or no sticks
 * at all: an export lands on the very stick that was chosen or fails, and never on this machine's
 * own disk.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { ExportPage } from '../../wire/pages.ts';
import { banca as npmBanca } from '../support/built.ts';
import type { TestDisplay } from '../support/display.ts';
import { LONG } from '../support/long.ts';
import { until } from '../support/until.ts';
import { type Attacked, attack, folderOf } from './kit.ts';

const MEDIA = '/media';
const TMPFS = ['-t', 'tmpfs', '-o', 'size=128m', 'none'] as const;

/** A name under /media that no other run has, with `odd` in it. */
const placeOf = (odd: string): string => join(MEDIA, `${odd}banca-${randomBytes(4).toString('hex')}`);

/** Mounts something in a folder of its own under /media, and takes both away after the test. */
function mounted(t: TestContext, at: string, what: readonly string[] = TMPFS): string {
  mkdirSync(at, { recursive: true });
  execFileSync('mount', [...what, at]);
  t.after(() => takeAway(at));
  return at;
}

function takeAway(at: string): void {
  while (spawnSync('umount', ['--lazy', at]).status === 0);
  // What an export has left on the own disk is found by the test; here nothing may stay.
  rmSync(at, { recursive: true, force: true });
}

const isRoot = (t: TestContext): boolean => {
  if (process.getuid?.() === 0) return true;
  t.skip('only root can mount sticks to attack with');
  return false;
};

/** In service mode, as who may export. */
async function technicianAt(attacked: Attacked): Promise<TestDisplay> {
  const display = await attacked.display('service');
  const credential = { person: '4', pin: '4444' };
  const answer = await display.command({ type: 'enter-service', credential });
  assert.equal(answer?.status, 'done', JSON.stringify(answer));
  return display;
}

const pageOf = (display: TestDisplay): Promise<ExportPage> => display.query({ query: 'exports' });

/** How the export to `target` ended. */
async function exported(
  display: TestDisplay,
  target: string,
  meanwhile: () => void = () => {},
): Promise<NonNullable<ExportPage['run']>> {
  const answer = await display.command({ type: 'make-export', target });
  assert.equal(answer?.status, 'done', `${JSON.stringify(target)}: ${JSON.stringify(answer)}`);
  meanwhile();
  const ended = async (): Promise<ExportPage['run']> => {
    const { run } = await pageOf(display);
    return run?.dir.startsWith(target) && run.ok !== null ? run : null;
  };
  // The host stops answering a display that asks fifty times a second.
  return until(`the export to ${target} has ended`, ended, { everyMs: 100 });
}

/** All below /media that lies on this machine's own disk. */
function onOwnDisk(at = MEDIA): string[] {
  const { dev } = statSync('/');
  return readdirSync(at).flatMap((name) => {
    const path = join(at, name);
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined || stat.dev !== dev) return [];
    return stat.isDirectory() ? [path, ...onOwnDisk(path)] : [path];
  });
}

const LAWFUL = [
  'two words ',
  'back\\slash',
  'octal\\040\\011\\134',
  '#hash',
  'João 澳門 ',
  '-rf --out=x ',
  '..dots..',
  `"quotes'$(id)\`;`,
];
const UNSEEN = ['tab\tbed', 'two\nlines', 'turned\u202e', 'zero\u200bwidth', 'bell\u0007'];

test('a stick with an odd name is that very stick, or it is said why it takes no export', async (t) => {
  if (!isRoot(t)) return;
  const attacked = await attack(t);
  const display = await technicianAt(attacked);
  const sticks = LAWFUL.map((odd) => mounted(t, placeOf(odd)));
  const image = join(folderOf(t), 'stick.img');
  execFileSync('truncate', ['-s', '64M', image]);
  if (spawnSync('mkfs.ext4', ['-q', image]).status === 0)
    sticks.push(mounted(t, placeOf('disk image '), ['-o', 'loop', image]));
  const unseen = UNSEEN.map((odd) => mounted(t, placeOf(odd)));
  const latin = placeOf('');
  // A name that is no UTF-8.
  const inShell = (script: string): void =>
    void execFileSync('sh', ['-c', `at="$1$(printf '\\351')"; ${script}`, 'sh', latin]);
  inShell('mkdir "$at" && mount -t tmpfs none "$at"');
  t.after(() => inShell('umount -l "$at"; rm -rf "$at"'));
  const before = onOwnDisk();

  // As a table of mounts writes them, and as they are.
  const misread = unseen.map((at) => at.replaceAll('\t', '\\011').replaceAll('\n', '\\012'));
  for (const target of [...misread, ...unseen, `${sticks[0]}/`, `${sticks[0]}/..`, '/media', '/'])
    assert.equal((await display.command({ type: 'make-export', target }))?.status, 'rejected', target);
  for (const at of sticks) {
    const { ok, why, dir } = await exported(display, at);
    assert.deepEqual([ok, why], [true, null], at);
    assert.ok(existsSync(join(dir, 'manifest.json')), dir);
    for (const name of readdirSync(dir)) assert.equal(lstatSync(join(dir, name)).dev, statSync(at).dev, name);
  }

  const { targets } = await pageOf(display);
  const troubles = new Map(targets.map(({ path, trouble }) => [path, trouble]));
  for (const at of sticks) assert.equal(troubles.get(at), null, JSON.stringify(at));
  const unnamed = targets.filter(({ trouble }) => trouble === 'name').map(({ path }) => path);
  assert.equal(unnamed.length, unseen.length + 1);
  for (const target of unnamed)
    assert.equal((await display.command({ type: 'make-export', target }))?.status, 'rejected', target);
  for (const { path } of targets) assert.doesNotMatch(path, /[\p{Cc}\p{Cf}]/u);
  assert.deepEqual(onOwnDisk(), before, 'nothing came onto the own disk');
  for (const at of unseen) assert.deepEqual(readdirSync(at), [], at);
});

test('a stick that goes while it is written leaves nothing on the own disk, and the export has failed', async (t) => {
  if (!isRoot(t)) return;
  const attacked = await attack(t);
  const display = await technicianAt(attacked);
  const unplug = (at: string): void => void execFileSync('umount', ['--lazy', at]);
  const other = placeOf('other-');
  for (const [what, meanwhile] of [
    ['it is pulled out', unplug],
    [
      'another one is in its place',
      (at: string) => {
        unplug(at);
        mounted(t, at);
      },
    ],
    ['another one is mounted over it', (at: string) => void mounted(t, at)],
    [
      'a link is in its place',
      (at: string) => {
        unplug(at);
        rmdirSync(at);
        mkdirSync(other, { recursive: true });
        symlinkSync(other, at);
      },
    ],
  ] as const) {
    const at = mounted(t, placeOf('gone-'));
    const before = onOwnDisk();
    const { ok, why } = await exported(display, at, () => meanwhile(at));
    assert.equal(ok, false, what);
    assert.equal(why, `${at}: the stick was taken away, or something else was put in its place`, what);
    if (existsSync(at)) assert.deepEqual(readdirSync(at), [], what);
    const more = onOwnDisk().filter((path) => !before.includes(path) && path !== at && path !== other);
    assert.deepEqual(more, [], what);
    assert.equal((await pageOf(display)).run?.ok, false);
  }
  rmSync(other, { recursive: true, force: true });
});

test('what is no stick is none: covered, a part of the own disk, read-only, gone', async (t) => {
  if (!isRoot(t)) return;
  const attacked = await attack(t);
  const display = await technicianAt(attacked);
  const elsewhere = folderOf(t);
  const twice = mounted(t, placeOf('twice-'));
  execFileSync('mount', [...TMPFS, twice]);
  // The stick lies below what is seen, and a link at its path leads to the own disk.
  const parent = placeOf('parent-');
  t.after(() => execFileSync('umount', ['--lazy', parent]));
  const hidden = mounted(t, join(parent, 'stick'));
  execFileSync('mount', [...TMPFS, parent]);
  t.after(() => rmSync(parent, { recursive: true }));
  symlinkSync(elsewhere, hidden);
  const own = mounted(t, placeOf('own-'), ['--bind', elsewhere]);
  const closed = mounted(t, placeOf('closed-'));
  execFileSync('mount', ['-o', 'remount,ro', closed]);
  const gone = placeOf('gone-');
  mkdirSync(gone);
  t.after(() => rmSync(gone, { recursive: true, force: true }));

  for (const target of [twice, hidden, own, closed, gone]) {
    const answer = await display.command({ type: 'make-export', target });
    assert.equal(answer?.status, 'rejected', target);
    assert.ok(JSON.stringify(answer).includes('is no place for an export'), JSON.stringify(answer));
  }
  const { targets } = await pageOf(display);
  const troubleOf = (at: string): unknown => targets.find(({ path }) => path === at)?.trouble;
  assert.deepEqual([twice, hidden, own, closed, gone].map(troubleOf), [
    'covered',
    'closed',
    'own-disk',
    'closed',
    undefined,
  ]);
  for (const at of [elsewhere, gone, twice]) assert.deepEqual(readdirSync(at), [], at);
});

const banca = (...args: readonly string[]) => npmBanca(args);

test('banca writes no export and no archive where the stick should be, into a folder of others or through their links', {
  skip: LONG,
}, async (t) => {
  if (!isRoot(t)) return;
  const attacked = await attack(t, { args: ['--demo', '--rounds', '1'] });
  await attacked.terminal.ended;
  const ledger = join(attacked.data, 'ledger.db');
  const missing = placeOf('missing-');
  t.after(() => rmSync(missing, { recursive: true, force: true }));
  const before = onOwnDisk();
  for (const command of ['export', 'archive']) {
    const { status, stderr } = banca(command, ledger, '--out', join(missing, 'out'));
    assert.equal(status, 2, stderr);
    assert.match(stderr, /no stick is mounted there/);
  }
  assert.deepEqual(onOwnDisk(), before);
  const stick = mounted(t, placeOf('there '));
  for (const command of ['export', 'archive'])
    assert.equal(banca(command, ledger, '--out', join(stick, command)).status, 0, command);

  const folder = folderOf(t);
  const others = join(folder, 'others');
  mkdirSync(others);
  chownSync(others, 65_534, 65_534);
  const refused = banca('export', ledger, '--out', others);
  assert.equal(refused.status, 2, refused.stderr);
  assert.match(refused.stderr, /belongs to account 65534/);
  assert.deepEqual(readdirSync(others), []);

  // A link where an archive is about to be written.
  const archives = join(folder, 'archives');
  const target = join(folder, 'target');
  writeFileSync(target, 'mine');
  assert.equal(banca('archive', ledger, '--out', archives).status, 0);
  const names = readdirSync(archives);
  for (const name of names) {
    rmSync(join(archives, name));
    symlinkSync(target, join(archives, `${name}.part`));
  }
  assert.equal(banca('archive', ledger, '--out', archives).status, 0);
  assert.equal(readFileSync(target, 'utf8'), 'mine');
  assert.deepEqual(readdirSync(archives).sort(), names.sort());
});
