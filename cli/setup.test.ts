/** The set-up script in a checkout of a few files, with an npm that records its calls. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';

const LOCK = (version: string, integrity = `sha512-of-${version}`): string =>
  JSON.stringify({
    packages: {
      '': { name: 'small' },
      'node_modules/a': { version, integrity },
      'node_modules/only-elsewhere': { version: '1.0.0', optional: true },
    },
  });

function checkout(t: TestContext) {
  const root = mkdtempSync(join(tmpdir(), 'banca-setup-'));
  t.after(() => rmSync(root, { recursive: true }));
  const put = (path: string, text: string, mode = 0o644): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    chmodSync(join(root, path), mode);
  };
  mkdirSync(join(root, 'cli'));
  copyFileSync(join(import.meta.dirname, 'setup.mjs'), join(root, 'cli', 'setup.mjs'));
  put('package.json', '{"type":"module"}');
  put('package-lock.json', LOCK('1.0.0'));
  put('engine/rules.ts', 'export {};');
  put('cli/build.ts', `import { appendFileSync } from 'node:fs'; appendFileSync('calls', 'build\\n');`);
  put(
    'electron/launch.ts',
    `console.log(JSON.stringify({ args: process.argv.slice(2), parent: process.env.BANCA_PARENT === String(process.ppid) }));
     if (process.argv.includes('wait')) setInterval(() => {}, 1000);
     else process.exit(7);`,
  );
  put(
    'programs/npm',
    `#!/bin/sh
echo "npm $*" >> calls
mkdir -p node_modules/.bin
ln -sf '${process.execPath}' node_modules/.bin/node
[ -e npm-fails ] && exit 1
/bin/cp package-lock.json node_modules/.package-lock.json
`,
    0o755,
  );
  put('programs/espeak-ng', '', 0o755);
  for (const program of ['mkdir', 'ln', 'sh'])
    put(`programs/${program}`, `#!/bin/sh\nexec /bin/${program} "$@"\n`, 0o755);
  const env = { PATH: join(root, 'programs') };
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [join(root, 'cli', 'setup.mjs'), ...args], {
      cwd: root,
      env,
      encoding: 'utf8',
    });
  const calls = (): string[] => {
    const file = join(root, 'calls');
    const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
    rmSync(file, { force: true });
    return lines;
  };
  return { root, put, run, calls, env };
}

const INSTALL = 'npm ci --ignore-scripts --no-audit --no-fund --loglevel=error';

test('the first start installs and builds, the second does neither', (t) => {
  const { run, calls } = checkout(t);
  const first = run('start', '--demo', '--data', 'x');
  assert.deepEqual(JSON.parse(first.stdout), { args: ['--demo', '--data', 'x'], parent: true });
  assert.equal(first.status, 7, 'the exit code is passed on');
  assert.deepEqual(calls(), [INSTALL, 'build']);
  assert.equal(run('start').status, 7);
  assert.deepEqual(calls(), []);
});

test('a changed source is built, a changed lock file installed; a changed test is neither', (t) => {
  const { run, calls, put } = checkout(t);
  run('start');
  calls();
  put('engine/rules.ts', 'export const changed = true;');
  run('start');
  assert.deepEqual(calls(), ['build']);
  put('engine/rules.test.ts', 'export {};');
  run('start');
  assert.deepEqual(calls(), []);
  put('package-lock.json', LOCK('1.0.1'));
  run('start');
  assert.deepEqual(calls(), [INSTALL, 'build']);
  put('package-lock.json', LOCK('1.0.1', 'sha512-of-other-bytes'));
  run('start');
  assert.deepEqual(calls(), [INSTALL, 'build'], 'the same version of other bytes');
});

test('the terminal knows whom it ends with; terminals started by the bench do not', (t) => {
  const { put, run } = checkout(t);
  put('bench/bench.ts', `console.log(JSON.stringify({ parent: 'BANCA_PARENT' in process.env }));`);
  assert.match(run('start').stdout, /"parent":true/);
  assert.match(run('bench').stdout, /"parent":false/);
});

test('what is expected to fail ends with one sentence and code 1', (t) => {
  const { run, put, root } = checkout(t);
  put('npm-fails', '');
  const failed = run('start');
  assert.deepEqual(
    [failed.status, failed.stderr.trim().split('\n').at(-1)],
    [1, '`npm ci --ignore-scripts` failed, see its message above'],
  );
  rmSync(join(root, 'npm-fails'));
  const programs = run('test');
  assert.equal(programs.status, 1);
  assert.match(
    programs.stderr,
    /please install: sudo apt-get install chromium \S.* xvfb xdotool openbox unzip\n$/,
  );
  const picture = run('start', '--shot', 'x.png');
  assert.equal(picture.status, 1);
  assert.match(picture.stderr, /needs Chromium; please install: sudo apt-get install chromium/);
  assert.match(run('sing').stderr, /^usage: /);
});

test('a signal to the set-up script reaches the terminal', async (t) => {
  const { root, env, run } = checkout(t);
  run('start');
  const child = spawn(process.execPath, [join(root, 'cli', 'setup.mjs'), 'start', 'wait'], {
    cwd: root,
    env,
  });
  t.after(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [128 + 15, null]);
});

test('what will be done is said before it is done, and nothing is said where nothing is to be done', (t) => {
  const { root, run, put } = checkout(t);
  put('programs/npm', `#!/bin/sh\necho 'npm runs' >&2\nexit 1\n`, 0o755);
  const [first, ...rest] = run('start').stderr.split('\n');
  assert.match(
    first!,
    /^set up before the first start, by (root|this account), and no more than this \(BANCA_NO_SETUP=1/,
  );
  const upTo = rest.findIndex((line) => !line.startsWith('  - '));
  assert.deepEqual(
    rest.slice(0, upTo).map((line) => line.slice(4)),
    [
      `packages of package-lock.json by npm ci, without their scripts, in ${join(root, 'node_modules')}`,
      `the page and the programs, built from the sources, in ${join(root, 'build')}`,
      `the folder ${join(root, 'data')} for the ledger and its key`,
    ],
  );
  assert.ok(rest.slice(upTo).includes('npm runs'), 'only then it begins');
  const other = checkout(t);
  mkdirSync(join(other.root, 'data'));
  other.run('start');
  assert.equal(other.run('start').stderr, '');
  assert.equal(other.run('start', '--data', 'data').stderr, '');
});

test('with a display: the programs of the window, and as root its account', (t) => {
  const { run, put, env, calls } = checkout(t);
  put('programs/apt-get', '#!/bin/sh\necho "apt-get $*" >> calls\n', 0o755);
  put('programs/env', '#!/bin/sh\nexec /usr/bin/env "$@"\n', 0o755);
  Object.assign(env, { DISPLAY: ':99' });
  const isRoot = process.getuid?.() === 0;
  const { stderr } = run('start');
  const packages = 'chromium, chromium-sandbox, fonts-liberation';
  assert.equal(stderr.includes(`  - Debian packages by apt-get: ${packages}`), isRoot, stderr);
  assert.equal(stderr.includes('sudo apt-get install chromium'), !isRoot, stderr);
  assert.equal(
    calls().some((call) => call.startsWith('apt-get')),
    isRoot,
  );
  const hasAccount = /^banca-kiosk:/m.test(readFileSync('/etc/passwd', 'utf8'));
  assert.equal(/ {2}- the system account banca-kiosk, /.test(stderr), isRoot && !hasAccount, stderr);
});

test('BANCA_NO_SETUP=1: nothing is done; what is missing is named, and what can start without starts', (t) => {
  const { root, run, calls, env } = checkout(t);
  Object.assign(env, { BANCA_NO_SETUP: '1', DISPLAY: ':99' });
  const refused = run('start');
  assert.equal(refused.status, 1);
  assert.match(
    refused.stderr,
    /^missing here, and BANCA_NO_SETUP=1 forbids to set it up:\n {2}- packages of package-lock/,
  );
  assert.match(refused.stderr, /without the first of these nothing can run\n$/);
  assert.deepEqual(calls(), []);
  for (const made of ['node_modules', 'build', 'data'])
    assert.equal(existsSync(join(root, made)), false, made);

  delete (env as Record<string, string>)['BANCA_NO_SETUP'];
  delete (env as Record<string, string>)['DISPLAY'];
  run('start');
  calls();
  Object.assign(env, { BANCA_NO_SETUP: '1', DISPLAY: ':99' });
  const without = run('start');
  assert.equal(without.status, 7, 'the terminal starts');
  assert.match(without.stderr, /- Debian packages by apt-get: chromium/);
  assert.match(without.stderr, /please install: sudo apt-get install chromium/);
  assert.deepEqual(calls(), []);
});

test('without a synthesiser: it is installed where that may be, else one sentence names it and the terminal starts', (t) => {
  const { root, run, put, calls } = checkout(t);
  mkdirSync(join(root, 'data'));
  run('start');
  calls();
  rmSync(join(root, 'programs', 'espeak-ng'));
  const mute = run('start');
  assert.equal(mute.status, 7);
  assert.equal(mute.stderr, 'spoken help needs espeak-ng; please install: sudo apt-get install espeak-ng\n');
  put('programs/apt-get', '#!/bin/sh\necho "apt-get $*" >> calls\n', 0o755);
  put('programs/env', '#!/bin/sh\nexec /usr/bin/env "$@"\n', 0o755);
  const isRoot = process.getuid?.() === 0;
  const { stderr } = run('start');
  assert.equal(
    stderr.includes('  - Debian packages by apt-get, for spoken help: espeak-ng\n'),
    isRoot,
    stderr,
  );
  assert.equal(
    calls().some((call) => call.endsWith('install -y --no-install-recommends espeak-ng')),
    isRoot,
  );
});
