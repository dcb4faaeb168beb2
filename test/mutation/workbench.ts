/**
 * A copy of the parts of the tree that the law and its tests are made of, in a temporary folder.
 * Bugs are planted there and taken out again: the working tree is only read.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RulebookId } from '../../engine/table/profile.ts';
import { type Mutation, placesOf, plantedIn } from './bugs.ts';

export const ROOT = join(import.meta.dirname, '..', '..');

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

/**
 * What catches a bug, cheapest first: the conformance vectors, the unit tests of the law, the
 * auditor's random play, and the engine's own random play, which asks whether money, books and
 * replay agree.
 */
export const NETS = ['vectors', 'unit', 'auditor', 'random'] as const;
export type Net = (typeof NETS)[number];

/** Runs that do not end are ended after so long; a loaded machine is far from it. */
const MOST_MS = 600_000;

export interface Run {
  /** The test that failed; null = all held. */
  readonly caught: string | null;
  readonly ms: number;
}

/** The text that cannot be planted as it says: a list that has rotted, no result of the law. */
export class BadMutation extends Error {}

export class Workbench {
  readonly #dir = mkdtempSync(join(tmpdir(), 'banca-mutation-'));
  #child: ChildProcess | null = null;

  constructor() {
    for (const part of PARTS) cpSync(join(ROOT, part), join(this.#dir, part), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(this.#dir, 'node_modules'));
  }

  /**
   * Plants the bug for the time of `during`, then puts the file back.
   * @throws BadMutation where its text does not stand there exactly once
   */
  async withPlanted<T>(mutation: Mutation, during: () => Promise<T>): Promise<T> {
    const path = join(this.#dir, mutation.file);
    const sound = readFileSync(path, 'utf8');
    const places = placesOf(mutation, sound);
    if (places !== 1) {
      throw new BadMutation(`${JSON.stringify(mutation.find)} stands ${places} times in ${mutation.file}`);
    }
    writeFileSync(path, plantedIn(mutation, sound));
    try {
      return await during();
    } finally {
      writeFileSync(path, sound);
    }
  }

  /**
   * The engine with the planted bug still compiles: what the compiler sees is no bug that a test
   * must find.
   * @throws BadMutation with the compiler's words
   */
  async compile(): Promise<void> {
    const tsc = join(this.#dir, 'node_modules/typescript/bin/tsc');
    const unused = ['--noUnusedLocals', 'false', '--noUnusedParameters', 'false'];
    const { code, text } = await this.#node([tsc, '-p', 'engine', '--noEmit', ...unused]);
    if (code !== 0) throw new BadMutation(text);
  }

  /** @throws Error where the net itself cannot run */
  async cast(net: Net, rulebook?: RulebookId): Promise<Run> {
    const started = performance.now();
    const { code, text } = await this.#node(['test/mutation/net.ts', net, ...(rulebook ? [rulebook] : [])]);
    const ms = Math.round(performance.now() - started);
    if (code === null) return { caught: 'does not end', ms };
    const last = text.trimEnd().split('\n').at(-1) ?? '';
    if (code === 0 && last === 'GREEN') return { caught: null, ms };
    if (code === 1 && last.startsWith('CAUGHT ')) return { caught: last.slice('CAUGHT '.length), ms };
    throw new Error(`net ${net} did not run (${code}):\n${text}`);
  }

  #node(args: readonly string[]): Promise<{ readonly code: number | null; readonly text: string }> {
    const { NODE_TEST_CONTEXT: _inner, ...env } = process.env;
    return new Promise((resolve, fail) => {
      const child = spawn(process.execPath, args, {
        cwd: this.#dir,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: MOST_MS,
        killSignal: 'SIGKILL',
      });
      this.#child = child;
      let text = '';
      const read = (chunk: Buffer): void => {
        text += chunk.toString();
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.on('error', fail);
      child.on('close', (code) => {
        this.#child = null;
        resolve({ code, text });
      });
    });
  }

  dispose(): void {
    this.#child?.kill('SIGKILL');
    rmSync(this.#dir, { recursive: true, force: true });
  }
}
