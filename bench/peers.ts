/**
 * Programs of others that play the same games, and what plain JavaScript can do at most, made ready
 * to be measured in turn with our own engine. Packages are installed into a folder of this run from
 * the registry that npm is set up with, without running their scripts; what is in no registry is
 * measured where `$BANCA_PEER_SOURCES` holds a checkout of it. They are no dependencies, and
 * nothing of theirs is in this repository.
 */
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';
import type { PartContext } from './part.ts';
import type { CeilingGame } from './peers/ceiling.ts';
import { measureFreebj } from './peers/freebj.ts';
import type { Measured } from './peers/measured.ts';
import { progress } from './stats.ts';

const run = promisify(execFile);

const INSTALL_MS = 120_000;

/** A program that plays one of the games. */
export interface Program {
  readonly game: CeilingGame;
  readonly name: string;
  /** null where the checkout decides. */
  readonly version: string | null;
  readonly licence: string;
  /** How it differs from what the other programs of this game play. */
  readonly remark: string;
}
export interface Contender<P = Program> {
  readonly program: P;
  measure(): Promise<Measured>;
}
interface Peer extends Program {
  /** Makes it ready in a folder of its own; rejects with the reason where it is not to be had. */
  prepare(peer: Program, context: PartContext): Promise<() => Promise<Measured>>;
}

/** The line that says what went wrong. */
export function reason(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message: string };
  const lines = `${stderr ?? ''}\n${message}`.split('\n').map((line) => line.trim());
  return lines.find((line) => /^(?:npm error|\w*Error:)/.test(line)) ?? lines.find(Boolean) ?? 'unknown';
}

/**
 * A program in a process of its own, warm; it waits there for every measurement until the part is
 * over.
 */
export async function inChild(
  name: string,
  folder: string,
  { stack }: PartContext,
): Promise<() => Promise<Measured>> {
  const child = fork(join(import.meta.dirname, 'peers', 'child.ts'), [name, folder]);
  stack.defer(() => {
    child.kill();
  });
  const answer = async (): Promise<unknown> => {
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`ended with ${String(code)}`);
    });
    const [message] = (await Promise.race([once(child, 'message'), ended])) as [unknown];
    return message;
  };
  await answer();
  return async () => {
    child.send('measure');
    return (await answer()) as Measured;
  };
}

/** A checkout's folder, or the error that there is none. */
function checkout(name: string): string {
  const sources = process.env['BANCA_PEER_SOURCES'];
  const folder = join(sources ?? '', name);
  if (sources === undefined || !existsSync(folder))
    throw new Error(`in no package registry, and no checkout in $BANCA_PEER_SOURCES/${name}`);
  return folder;
}

/**
 * Installs one package into a folder of this run, without its scripts; rejects where the registry
 * is not to be had.
 */
export async function installPackage(
  name: string,
  version: string | null,
  context: PartContext,
): Promise<string> {
  const folder = context.makeDir('peer');
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--fetch-retries=1'];
  await run('npm', ['install', ...flags, '--prefix', folder, `${name}@${version}`], {
    cwd: folder,
    timeout: INSTALL_MS,
  });
  return folder;
}

const fromRegistry: Peer['prepare'] = async ({ name, version }, context) =>
  inChild(name, await installPackage(name, version, context), context);

/**
 * Its engine as one file: its sources import each other without endings, which Node does not
 * follow.
 */
const bundled: Peer['prepare'] = async ({ name }, context) => {
  const sources = checkout('blackjack-simulator');
  const folder = context.makeDir('peer');
  cpSync(join(sources, 'src'), join(folder, 'src'), { recursive: true });
  const entry = join(folder, 'entry.ts');
  const modules = ['simulation', 'rules', 'strategy'];
  writeFileSync(entry, modules.map((module) => `export * from './src/engine/${module}';\n`).join(''));
  await build({
    configFile: false,
    root: folder,
    logLevel: 'silent',
    build: {
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      target: 'node20',
      lib: { entry, formats: ['es'], fileName: () => 'peer.mjs' },
    },
  });
  return inChild(name, folder, context);
};

const builtByCargo: Peer['prepare'] = async () => {
  const binary = join(checkout('freebj'), 'target', 'release', 'freebj');
  if (!existsSync(binary)) throw new Error(`${binary} is missing: cargo build --release`);
  return () => measureFreebj(binary);
};

const ceilingOf = (game: CeilingGame): Peer => ({
  game,
  name: `ceiling ${game}`,
  version: null,
  licence: 'ours',
  remark: 'arithmetic on packed tables, every round the first of a full shoe',
  prepare: ({ name }, context) => inChild(name, '', context),
});

const PEERS: readonly Peer[] = [
  ceilingOf('blackjack'),
  ceilingOf('baccarat'),
  ceilingOf('casino-war'),
  {
    game: 'blackjack',
    name: '@blackjacktrainer/blackjack-simulator',
    version: '0.34.0',
    licence: 'MIT',
    remark: 'TypeScript; published bundle, own basic strategy, a shoe played to three quarters; no events',
    prepare: fromRegistry,
  },
  {
    game: 'blackjack',
    name: 'engine-blackjack',
    version: '0.9.2',
    licence: 'GPL-2.0',
    remark: 'JavaScript; one split only; a new shoe every round; copies its state at every action',
    prepare: fromRegistry,
  },
  {
    game: 'baccarat',
    name: 'baccarat-engine',
    version: '1.1.5',
    licence: 'ISC',
    remark: 'JavaScript; a shoe played to its cut card; outcome, naturals and pairs, no money',
    prepare: fromRegistry,
  },
  {
    game: 'blackjack',
    name: 'ldobbelsteen/blackjack-simulator',
    version: null,
    licence: 'MIT',
    remark: 'TypeScript; own strategy, a shoe played to three quarters; tells no natural of the bank from 21',
    prepare: bundled,
  },
  {
    game: 'blackjack',
    name: 'freebj',
    version: null,
    licence: 'MIT',
    remark: 'Rust; own basic strategy, a shoe played to four fifths; one job',
    prepare: builtByCargo,
  },
];

/** Makes ready whatever is to be had; why something is not goes on record. */
export async function preparePeers(context: PartContext): Promise<Contender[]> {
  const ready: Contender[] = [];
  for (const { prepare, ...program } of PEERS)
    try {
      progress(`engine: making ready ${program.name}`);
      ready.push({ program, measure: await prepare(program, context) });
    } catch (error) {
      context.cannot(program.name, reason(error));
    }
  return ready;
}
