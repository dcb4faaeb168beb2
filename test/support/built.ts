/**
 * What ships: the page and the programs that `npm run build` has made of these sources, and `banca`
 * as people start it.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sourcesId } from '../../host/program/software.ts';
import { ROOT } from '../shell/paths.ts';

/** The host in one file, as `npm start` runs it. */
export const BUILT_HOST = join(ROOT, 'build', 'program', 'host', 'main.js');

let isOfTheseSources: boolean | null = null;

/**
 * The page and the programs are of these sources: one build makes both, and the host has the id of
 * its sources in it.
 */
export function assertBuilt(): void {
  isOfTheseSources ??=
    existsSync(BUILT_HOST) && readFileSync(BUILT_HOST, 'utf8').includes(sourcesId(pathToFileURL(`${ROOT}/`)));
  assert.ok(
    isOfTheseSources,
    'what is tested is what ships, and build/ is not of these sources: npm run build',
  );
}

/** The folder of the built page. */
export function builtPage(): string {
  assertBuilt();
  return join(ROOT, 'build', 'renderer');
}

export interface Said {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * What `npm run -s banca -- …` runs, as the documents say it; npm itself takes longer than most
 * commands, and `test/docs/help` has it.
 */
export const banca = (args: readonly string[], input = ''): Said =>
  spawnSync(process.execPath, [join('cli', 'banca.ts'), ...args], { cwd: ROOT, encoding: 'utf8', input });
