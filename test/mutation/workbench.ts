/**
 * A copy of the parts of the tree that the law and its tests are made of, in a temporary folder.
 * Bugs are planted there and taken out again: the working tree is only read.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Mutation, placesOf, plantedIn } from './bugs.ts';
import { type Net, ROOT } from './nets.ts';

const PARTS = [
  'package.json',
  'tsconfig.base.json',
  'cli',
  'engine',
  'hardware',
  'wire',
  'host',
  'ledger',
  'reader',
  'locales',
  'test/auditor',
  'test/data',
  'test/kits',
  'test/mutation',
  'test/support',
];

/** Runs that do not end are ended after so long; a loaded machine is far from it. */
const MOST_MS = 600_000;

export interface Caught {
  /** The part of the net. */
  readonly part: string;
  readonly test: string;
}

export interface Run {
  /** The first test that failed; null = all held. */
  readonly caught: Caught | null;
  readonly ms: number;
}

/** The text that cannot be planted as it says: a list that has rotted, no result of the law. */
export class BadMutation extends Error {}

export class Workbench {
  readonly #dir = mkdtempSync(join(tmpdir(), 'banca-mutation-'));
  readonly #children = new Set<ChildProcess>();

  constructor() {
    for (const part of PARTS) cpSync(join(ROOT, part), join(this.#dir, part), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(this.#dir, 'node_modules'));
  }

  /**
   * Plants the bugs, each in a file of its own, for the time of `during`, then puts the files back.
   * @throws BadMutation where a text does not stand there exactly once
   */
  async withPlanted<T>(bugs: readonly Mutation[], during: () => Promise<T>): Promise<T> {
    const sound = bugs.map((bug) => ({ bug, text: readFileSync(join(this.#dir, bug.file), 'utf8') }));
    for (const { bug, text } of sound) {
      const places = placesOf(bug, text);
      if (places !== 1)
        throw new BadMutation(`${JSON.stringify(bug.find)} stands ${places} times in ${bug.file}`);
    }
    try {
      for (const { bug, text } of sound) writeFileSync(join(this.#dir, bug.file), plantedIn(bug, text));
      return await during();
    } finally {
      for (const { bug, text } of sound) writeFileSync(join(this.#dir, bug.file), text);
    }
  }

  /**
   * The engine with what is planted in it still compiles: what the compiler sees is no bug that a
   * test must find.
   * @throws BadMutation with the compiler's words
   */
  async compile(): Promise<void> {
    const tsc = join(this.#dir, 'node_modules/typescript/bin/tsc');
    const unused = ['--noUnusedLocals', 'false', '--noUnusedParameters', 'false'];
    const { code, text } = await this.#node([tsc, '-p', 'engine', '--noEmit', ...unused]);
    if (code !== 0) throw new BadMutation(text);
  }

  /**
   * Casts a net, or one part of it.
   * @param bug what stands near it is cast first
   * @throws Error where the net itself cannot run
   */
  async cast(net: Net, part: string | null = null, bug: Mutation | null = null): Promise<Run> {
    const started = performance.now();
    const only = part === null ? [] : ['--part', part];
    const first = bug === null ? [] : ['--first', bug.rulebook, '--first', bug.file];
    const { code, text } = await this.#node(['test/mutation/net.ts', net, ...only, ...first]);
    const ms = Math.round(performance.now() - started);
    if (code === null) return { caught: { part: part ?? '', test: 'does not end' }, ms };
    const last = text.trimEnd().split('\n').at(-1) ?? '';
    if (code === 0 && last === 'GREEN') return { caught: null, ms };
    if (code === 1 && last.startsWith('CAUGHT '))
      return { caught: JSON.parse(last.slice('CAUGHT '.length)) as Caught, ms };
    throw new Error(`net ${net} did not run (${code}):\n${text}`);
  }

  #node(args: readonly string[]): Promise<{ readonly code: number | null; readonly text: string }> {
    const { NODE_TEST_CONTEXT: _inner, ...outer } = process.env;
    const env = { ...outer, NODE_COMPILE_CACHE: join(this.#dir, 'compile-cache') };
    return new Promise((resolve, fail) => {
      const child = spawn(process.execPath, args, {
        cwd: this.#dir,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: MOST_MS,
        killSignal: 'SIGKILL',
      });
      this.#children.add(child);
      let text = '';
      const read = (chunk: Buffer): void => {
        text += chunk.toString();
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.on('error', fail);
      child.on('close', (code) => {
        this.#children.delete(child);
        resolve({ code, text });
      });
    });
  }

  dispose(): void {
    for (const child of this.#children) child.kill('SIGKILL');
    // A child that is being killed may still write.
    rmSync(this.#dir, { recursive: true, force: true, maxRetries: 5 });
  }
}
