import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { byPackage, idOf, PAGE_ONLY, softwareIdentity } from './software.ts';

const CHECKOUT = resolve(import.meta.dirname, '../..');
const ONE = '01'.repeat(32);

/** An installation of a few files, and the folder that is the machine's root to it. */
function installation(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'banca-software-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const root = join(folder, 'banca');
  const system = join(folder, 'system');
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  put(join(root, 'package.json'), '{"version":"1.2.3"}');
  put(join(root, 'electron/deploy/banca.service'), '[Service]');
  put(join(root, 'electron/deploy/70-banca-usb.rules'), 'MODE="0660"');
  mkdirSync(system);
  const identity = () => softwareIdentity(root, system);
  const news = (): string[] => {
    const { files } = identity();
    return Object.keys(files).filter((path) => before[path] !== files[path]);
  };
  const before = identity().files;
  return { root, system, put, identity, news };
}

test('what is installed of units and rules counts where it is not as delivered, and what is added to the unit', (t) => {
  const { system, put, news } = installation(t);
  const unit = join(system, 'etc/systemd/system/banca.service');
  put(unit, '[Service]');
  assert.deepEqual(news(), [], 'as delivered');
  put(unit, '[Service]\nEnvironment=NODE_OPTIONS=--require=/tmp/evil.cjs');
  put(join(system, 'etc/udev/rules.d/70-banca-usb.rules'), 'MODE="0666"');
  put(join(system, 'etc/systemd/system/banca.service.d/more.conf'), '[Service]');
  assert.deepEqual(news().toSorted(), [
    '/etc/systemd/system/banca.service',
    '/etc/systemd/system/banca.service.d/more.conf',
    '/etc/udev/rules.d/70-banca-usb.rules',
  ]);
});

test('what brings code into the process that looks is named', () => {
  const script = `
    const { softwareIdentity } = await import(${JSON.stringify(join(CHECKOUT, 'host/program/software.ts'))});
    const { files } = softwareIdentity(${JSON.stringify(join(CHECKOUT, 'host'))});
    console.log(JSON.stringify(Object.keys(files).filter((path) => /^(environment|option)/.test(path))));`;
  const folder = mkdtempSync(join(tmpdir(), 'banca-software-'));
  try {
    writeFileSync(join(folder, 'package.json'), '{"version":"1"}');
    const run = (env: NodeJS.ProcessEnv, ...options: string[]): unknown => {
      const args = [
        ...options,
        '--input-type=module',
        '-e',
        script.replace(join(CHECKOUT, 'host"'), `${folder}"`),
      ];
      const { stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
      return stderr === '' ? (JSON.parse(stdout) as string[]) : stderr;
    };
    const own = ['option/--input-type=module', 'option/-e'];
    const named = (found: unknown): string[] =>
      (found as string[]).filter((path) => !own.includes(path) && !path.includes('softwareIdentity'));
    assert.deepEqual(named(run({ LANG: 'C' }, '--disable-sigusr1', '--max-semi-space-size=8')), []);
    assert.deepEqual(named(run({ NODE_PATH: folder, NODE_OPTIONS: '--no-warnings' })).toSorted(), [
      'environment/NODE_OPTIONS',
      'environment/NODE_PATH',
    ]);
    assert.deepEqual(named(run({}, '--import=data:text/javascript,')), [
      'option/--import=data:text/javascript,',
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('packages of the page alone are imported by no other room', () => {
  const found = PAGE_ONLY.flatMap((name) => {
    const rooms = ['engine', 'hardware', 'wire', 'ledger', 'host', 'cli', 'electron', 'upstream'];
    const { stdout } = spawnSync(
      'grep',
      ['-rlE', '--include=*.ts', '--include=*.mjs', `(from|import\\() ?'${name}(/|')`, ...rooms],
      { cwd: CHECKOUT, encoding: 'utf8' },
    );
    return stdout.trim() === '' ? [] : [`${name}: ${stdout.trim()}`];
  });
  assert.deepEqual(found, []);
  const { dependencies } = JSON.parse(readFileSync(join(CHECKOUT, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  assert.deepEqual(
    PAGE_ONLY.filter((name) => !(name in dependencies)),
    [],
  );
});

test('a package is one line for people, which changes with any of its files', () => {
  const files = { 'host/a.ts': ONE, 'node_modules/ws/index.js': ONE, 'node_modules/@a/b/c.js': ONE };
  const lines = Object.fromEntries(byPackage(files)!);
  assert.deepEqual(Object.keys(lines), ['host/a.ts', 'node_modules/ws', 'node_modules/@a/b']);
  assert.equal(lines['node_modules/ws'], idOf({ 'node_modules/ws/index.js': ONE }));
});
