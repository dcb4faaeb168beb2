import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { softwareIdentity } from '../host/program/software.ts';
import { buildElectronMain, buildHost, buildRenderer, bundlePrograms } from './build.ts';

const root = mkdtempSync(join(tmpdir(), 'banca-build-'));
after(() => rmSync(root, { recursive: true, force: true }));

const filesOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => [
        join(parentPath, name).slice(folder.length),
        readFileSync(join(parentPath, name), 'latin1'),
      ]),
  );

describe('what is built', () => {
  it('is the same bytes whenever and wherever it is built, so that one id stands for it', async () => {
    const both = [join(root, 'a'), join(root, 'far', 'from', 'b')];
    for (const out of both) {
      await buildElectronMain(join(out, 'electron'));
      await buildHost(join(out, 'program'));
      await buildRenderer(join(out, 'renderer'));
    }
    const [one, two] = both.map(filesOf) as [Record<string, string>, Record<string, string>];
    assert.ok(Object.keys(one).length > 100);
    assert.deepEqual(Object.keys(two), Object.keys(one));
    for (const [path, bytes] of Object.entries(one)) assert.ok(two[path] === bytes, path);
  });

  it('is part of the identity of the software, and no part of what it is built from', async () => {
    const copy = join(root, 'copy');
    mkdirSync(join(copy, 'host'), { recursive: true });
    const checkout = resolve(import.meta.dirname, '..');
    for (const name of ['package.json', 'package-lock.json']) cpSync(join(checkout, name), join(copy, name));
    cpSync(join(checkout, 'host/program/software.ts'), join(copy, 'host/program/software.ts'));
    const before = softwareIdentity(copy);
    const { sourcesId } = (await import(
      pathToFileURL(join(copy, 'host/program/software.ts')).href
    )) as typeof import('../host/program/software.ts');
    mkdirSync(join(copy, 'build', 'program', 'host'), { recursive: true });
    const built = join(copy, 'build', 'program', 'host', 'main.js');
    writeFileSync(built, 'play()');
    const whole = softwareIdentity(copy);
    assert.deepEqual(
      Object.keys(whole.files).filter((path) => !(path in before.files)),
      ['build/program/host/main.js'],
    );
    const sources = sourcesId(pathToFileURL(`${copy}/`));
    writeFileSync(built, 'cheat()');
    assert.notEqual(softwareIdentity(copy).id, whole.id);
    assert.equal(sourcesId(pathToFileURL(`${copy}/`)), sources);
  });

  it('runs only with the sources it is of; with others those run, and one line says so, but not for play', async () => {
    const copy = join(root, 'changed');
    const checkout = resolve(import.meta.dirname, '..');
    mkdirSync(join(copy, 'host'), { recursive: true });
    symlinkSync(join(checkout, 'node_modules'), join(copy, 'node_modules'));
    for (const name of ['package.json', 'package-lock.json', 'host/program/software.ts'])
      cpSync(join(checkout, name), join(copy, name));
    writeFileSync(join(copy, 'host', 'main.ts'), "console.log('the sources');");
    const { sourcesId } = (await import(
      pathToFileURL(join(copy, 'host/program/software.ts')).href
    )) as typeof import('../host/program/software.ts');
    await bundlePrograms(
      join(copy, 'build', 'program'),
      { 'host/main': join(checkout, 'host', 'built.ts') },
      { define: { BUILT_FROM: JSON.stringify(sourcesId(pathToFileURL(`${copy}/`))) } },
    );
    const built = join(copy, 'build', 'program', 'host', 'main.js');
    const run = (...args: string[]) => spawnSync(process.execPath, [built, ...args], { encoding: 'utf8' });
    const own = run();
    assert.match(own.stderr, /--data/, 'the host itself, which says what it needs');
    assert.equal(own.stdout, '');
    writeFileSync(join(copy, 'host', 'main.ts'), "console.log('the changed sources');");
    const other = run();
    assert.match(other.stderr, /build\/program is not of these sources, which run instead: npm run build/);
    assert.equal(other.stdout, 'the changed sources\n');
    const forPlay = join(copy, 'terminal.json');
    for (const member of ['devices', 'approvedSoftware', 'softwareKey']) {
      writeFileSync(forPlay, JSON.stringify({ [member]: [] }));
      const { status, stdout, stderr } = run('--profile', forPlay);
      assert.deepEqual([status, stdout], [2, ''], member);
      assert.match(
        stderr,
        /^\[host\] build\/program is not of these sources: a terminal for play runs neither/,
      );
    }
  });
});
