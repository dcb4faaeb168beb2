/**
 * Every program says what it is when it is asked for help, and does nothing else: the scripts of
 * package.json, the commands of `banca`, and every file that is run by its name.
 */
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ROOT } from '../shell/paths.ts';
import { fullOr } from '../support/long.ts';

/** Started by another program of ours, which tells them everything: nobody calls them by name. */
const STARTED_BY_OTHERS: ReadonlySet<string> = new Set([
  ...['bench/long-child.ts', 'bench/long-player.ts', 'bench/memory-child.ts', 'bench/peers/child.ts'],
  'bench/soak-host.ts',
  ...['hardware/rack/rack-main.ts', 'host/built.ts', 'host/drills/drill-main.ts'],
  ...['test/centre/host-that-dies.ts', 'test/crash/host-under-test.ts', 'test/host/failing-disk.ts'],
  ...['test/shell/fake-host.ts', 'test/support/each-file.ts', 'test/support/wrong-reader.ts'],
  ...['test/mutation/read-one.ts', 'test/mutation/conditions-one.ts', 'test/usb/guest/as-user.ts'],
]);
/** What such a program has in it. */
const IS_PROGRAM = /\bprocess\.argv(?:\.slice|\[2\])|\bimport\.meta\.main\b|\bargumentsOf\(/;
/** They read the words for the programs that they are a part of. */
const PARTS: ReadonlySet<string> = new Set(['ledger/chain/program-arguments.ts', 'upstream/signing.ts']);
/** And how texts call one. */
const CALLED = /\bnode\s+(?:\*\s+)?([a-z][\w/-]*\/[\w-]+\.(?:ts|mjs))\b/g;

const files = globSync('**/*.{ts,tsx,mjs,md,json}', {
  cwd: ROOT,
  exclude: (name) => /^(?:node_modules|build|\.git)$/.test(name),
}).filter((file) => !/\.(?:test|d)\.ts$|^test\/data\//.test(file));
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

const programs = [
  ...new Set(
    files.flatMap((file) => {
      const source = read(file);
      const called = [...source.matchAll(CALLED)].map(([, name]) => name!);
      return /\.(?:ts|mjs)$/.test(file) && IS_PROGRAM.test(source) ? [...called, file] : called;
    }),
  ),
].filter((file) => files.includes(file) && !STARTED_BY_OTHERS.has(file) && !PARTS.has(file));
// `npm start` hands over to it.
programs.push('electron/launch.ts');

/** One parser answers for most of them: `npm test` asks every fourth. */
const some = <Each>(all: readonly Each[]): Each[] => all.filter((_, at) => at % fullOr(1, 4) === 0);

/** Nothing may be left here by anybody. */
const empty = mkdtempSync(join(tmpdir(), 'banca-help-'));
after(() => rmSync(empty, { recursive: true, force: true }));
const changes = (): string =>
  existsSync(join(ROOT, '.git'))
    ? execFileSync('git', ['status', '--porcelain'], { cwd: ROOT, encoding: 'utf8' })
    : '';

interface Ended {
  readonly code: number | string | null;
  readonly stdout: string;
  readonly stderr: string;
}
const run = (command: string, args: readonly string[], cwd: string): Promise<Ended> =>
  new Promise((done) => {
    // One that goes on to work instead is ended after a while.
    execFile(command, args, { cwd, timeout: 120_000 }, (error, stdout, stderr) =>
      done({ code: error === null ? 0 : (error.code ?? error.signal ?? null), stdout, stderr }),
    );
  });

async function helps(name: string, command: string, args: readonly string[], cwd = empty): Promise<void> {
  const { code, stdout, stderr } = await run(command, args, cwd);
  assert.equal(code, 0, `${name}: ${stderr}`);
  assert.match(stdout, /usage|options/i, `${name} says how it is called`);
}

test('every file that is run by its name', { timeout: 3_600_000 }, async (t) => {
  assert.ok(programs.length > 25, `${programs.length} programs`);
  t.diagnostic(programs.join(' '));
  const before = changes();
  for (const file of some(programs)) await helps(file, process.execPath, [join(ROOT, file), '--help']);
  assert.deepEqual(readdirSync(empty), []);
  assert.equal(changes(), before);
});

test('every command of banca', { timeout: 3_600_000 }, async () => {
  const banca = join(ROOT, 'cli/banca.ts');
  const { stdout } = await run(process.execPath, [banca, '--help'], empty);
  const names = [...stdout.matchAll(/^ {2}([a-z]+) {2}/gm)].map(([, name]) => name!);
  assert.ok(names.length > 15);
  for (const name of some(names)) {
    await helps(`banca ${name}`, process.execPath, [banca, name, '--help']);
    const { code, stderr } = await run(process.execPath, [banca, name, '--no-such-option'], empty);
    assert.equal(code, 2, `banca ${name} takes no word for another`);
    assert.match(stderr, new RegExp(`^(?:banca )?${name}: [^\\n]+\\n$`), 'one sentence');
  }
  assert.deepEqual(readdirSync(empty), []);
});

test('every script of package.json', { timeout: 3_600_000 }, async () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const before = changes();
  const asked = some(Object.keys(scripts));
  for (const [name, script] of Object.entries(scripts)) {
    assert.doesNotMatch(script, /&&|;|\|/, `${name}: the first of several would not hear --help`);
    if (!asked.includes(name)) continue;
    await helps(`npm run ${name}`, 'npm', ['run', '--silent', name, '--', '--help'], ROOT);
  }
  assert.equal(changes(), before);
});

test('a word that a program does not know is one sentence and code 2', { timeout: 3_600_000 }, async () => {
  const own = programs.filter((file) => /\bargumentsOf\(/.test(read(file)));
  assert.ok(own.length > 20);
  for (const file of some(own)) {
    const { code, stdout, stderr } = await run(
      process.execPath,
      [join(ROOT, file), '--no-such-option'],
      empty,
    );
    assert.equal(code, 2, `${file}: ${stderr}`);
    assert.equal(stdout, '', file);
    assert.match(stderr, /^[^\n]+--no-such-option[^\n]+--help says more\n$/, file);
  }
});
