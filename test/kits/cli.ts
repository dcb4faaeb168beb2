/**
 * For the tests of the commands: the binary in a process of its own or in this one, and a terminal
 * file for scripts.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { main } from '../../cli/banca.ts';

const BINARY = join(import.meta.dirname, '../../cli/banca.ts');
/** Gone after the tests of the file that imports this. */
export const root = mkdtempSync(join(tmpdir(), 'banca-cli-'));
/** The terminal of the demonstration whose players read their results in no time. */
export const profile = join(root, 'terminal.json');
{
  const file = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../host/profiles/demo.json'), 'utf8'),
  ) as {
    profile: { timing: { minResultMs: number } };
  };
  file.profile.timing.minResultMs = 1;
  writeFileSync(profile, JSON.stringify(file));
}
after(() => rmSync(root, { recursive: true, force: true }));

export interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}
export type Json = Readonly<Record<string, unknown>>;

export const banca = (argv: readonly string[], input = ''): Run =>
  spawnSync(process.execPath, [BINARY, ...argv], { encoding: 'utf8', input, timeout: 50_000 });

/** The same command line in this process, for what needs no process of its own. */
export async function here(argv: readonly string[]): Promise<Run> {
  const { log, error } = console;
  const out: string[] = [];
  const err: string[] = [];
  console.log = (line: string) => void out.push(`${line}\n`);
  console.error = (line: string) => void err.push(`${line}\n`);
  try {
    return { status: await main([...argv]), stdout: out.join(''), stderr: err.join('') };
  } finally {
    Object.assign(console, { log, error });
  }
}

/** Runs with --json: the exit code, and the one object that is all of stdout. */
export async function json(...argv: string[]): Promise<Json & { readonly status: number | null }> {
  const { status, stdout, stderr } = await here([...argv, '--json']);
  assert.equal(stdout.trimEnd().split('\n').length, 1, `${argv.join(' ')}: ${stdout}${stderr}`);
  return { ...(JSON.parse(stdout) as Json), status };
}

/** Exit 2, nothing on stdout, and one sentence on stderr beside the table a host says it has. */
function assertCannotRun({ status, stdout, stderr }: Run, argv: readonly string[], sentence: RegExp): void {
  assert.deepEqual([status, stdout], [2, ''], `${argv.join(' ')}: ${stderr}`);
  assert.match(stderr, sentence);
  const sentences = stderr
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('[host] table in force'));
  assert.equal(sentences.length, 1, stderr);
}
export const cannotRun = async (argv: readonly string[], sentence: RegExp): Promise<void> =>
  assertCannotRun(await here(argv), argv, sentence);
export const binaryCannotRun = (argv: readonly string[], sentence: RegExp, input = ''): void =>
  assertCannotRun(banca(argv, input), argv, sentence);

/** A script file with one step a line. */
export function script(name: string, ...steps: readonly object[]): string {
  const path = join(root, name);
  writeFileSync(path, steps.map((step) => JSON.stringify(step)).join('\n'));
  return path;
}

/** What a played script printed about its steps. */
export const stepsOf = ({ stderr }: Run): Json[] =>
  stderr
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Json);

/** Dealer, shoe with known first cards, and the burn: ready for a first round. */
export const START = [
  { do: 'sign-in', credential: { person: '1', pin: '1111' } },
  { do: 'load-shoe', cards: ['2C', 'TS', '9H', 'TH', '8D'] },
  { do: 'cut' },
  { do: 'place-end-card' },
  { do: 'draw' },
];
