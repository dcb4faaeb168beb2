/**
 * The plan of the rooms as a check: which room may import which, and which words have no place in
 * which room.
 */
import { IN_THE_FOLDER, ROOMS_OF } from './rooms.ts';

export interface SourceFile {
  /** Path from the root of the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

export interface Violation {
  readonly path: string;
  readonly line: number;
  readonly rule: string;
}

/**
 * `types`: only types, `values`: no type of it, for types have a room of their own; a string ending
 * in `/` or naming a file narrows what may be imported.
 */
interface Permission {
  readonly from: string;
  readonly to: string;
  readonly types?: true;
  readonly values?: true;
}

export const ROOMS = [
  'engine',
  'hardware',
  'wire',
  'ledger',
  'reader',
  'host',
  'renderer',
  'electron',
  'upstream',
  'cli',
] as const;

const PERMISSIONS: readonly Permission[] = [
  // The one module that reckons with amounts: it knows no game and imports nothing.
  ...(['hardware', 'electron', 'upstream'] as const).map((from) => ({ from, to: 'engine/core/money.ts' })),
  { from: 'ledger', to: 'engine/', types: true },
  { from: 'wire', to: 'engine/' },
  { from: 'wire', to: 'hardware/ports.ts', types: true },
  { from: 'wire', to: 'ledger/chain/plain-line.ts' },
  { from: 'wire', to: 'ledger/', types: true },
  { from: 'host', to: 'engine/' },
  { from: 'host', to: 'wire/' },
  { from: 'host', to: 'hardware/' },
  { from: 'host', to: 'ledger/' },
  // The form of questions and answers: host and reader share nothing else.
  { from: 'host', to: 'reader/form.ts' },
  { from: 'renderer', to: 'engine/' },
  // Schemas would bring their library into the page.
  { from: 'renderer', to: 'wire/version.ts' },
  { from: 'renderer', to: 'wire/after-round.ts' },
  { from: 'renderer', to: 'wire/rights.ts' },
  { from: 'renderer', to: 'wire/glass.ts' },
  { from: 'renderer', to: 'wire/', types: true },
  // What codes are written and read by.
  { from: 'renderer', to: 'ledger/chain/receipt-words.ts' },
  // What the hands of the simulation can do.
  { from: 'renderer', to: 'hardware/bill-acceptor/id003/id003-faults.ts' },
  { from: 'renderer', to: 'hardware/cabinet/kcb1/kcb1-faults.ts' },
  { from: 'renderer', to: 'hardware/power/nut-faults.ts' },
  { from: 'renderer', to: 'hardware/printer/escpos-faults.ts' },
  { from: 'renderer', to: 'hardware/shoe/ksp1/ksp1-faults.ts' },
  { from: 'renderer', to: 'locales/' },
  { from: 'renderer', to: 'assets/' },
  { from: 'electron', to: 'ledger/store/folder.store.ts' },
  { from: 'electron', to: 'ledger/chain/plain-line.ts' },
  { from: 'electron', to: 'ledger/chain/program-arguments.ts' },
  // The machine of a display, which is known to the terminal by its key and looks at who connects
  // as the host does.
  { from: 'electron', to: 'ledger/chain/certificate.codec.ts' },
  { from: 'electron', to: 'ledger/chain/tls.store.ts' },
  { from: 'electron', to: 'host/server/loopback-peer.ts' },
  { from: 'upstream', to: 'ledger/chain/' },
  { from: 'cli', to: 'engine/' },
  { from: 'cli', to: 'hardware/' },
  { from: 'cli', to: 'ledger/' },
  { from: 'cli', to: 'wire/' },
  { from: 'cli', to: 'host/', values: true },
  { from: 'cli', to: 'upstream/html.ts' },
  // Closings are computed again by what made them, and the meters by the engine besides.
  { from: 'cli', to: 'upstream/day/' },
  { from: 'cli', to: 'upstream/password.store.ts' },
];

/**
 * npm packages by room; a package that is not named belongs to no room yet. `node:` is open to all
 * but engine and renderer.
 */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  engine: ['pure-rand'],
  hardware: ['usb', 'crc', 'pure-rand', 'zod'],
  ledger: ['better-sqlite3', 'canonicalize', 'cockatiel', 'zod'],
  wire: ['zod'],
  host: ['ws', 'zod', 'canonicalize', 'prom-client'],
  renderer: [
    'pixi.js',
    'preact',
    '@preact/signals',
    'i18next',
    '@fontsource-variable/noto-sans-hk',
    'uqr',
    'vite',
    'subset-font',
  ],
  electron: ['electron', '@electron/fuses'],
  upstream: [
    'fastify',
    '@fastify/rate-limit',
    '@simplewebauthn/server',
    'cookie',
    'openid-client',
    'zod',
    'pg',
    'pg-copy-streams',
    '@electric-sql/pglite',
    'prom-client',
    'canonicalize',
    '@fontsource-variable/noto-sans-hk',
  ],
  cli: ['vite', 'sharp', 'zod', 'pure-rand'],
};

interface Ban {
  readonly in: readonly string[];
  readonly pattern: RegExp;
  readonly use: string;
}

const EVERYWHERE: readonly string[] = ['*'];
const BANS: readonly Ban[] = [
  {
    in: ['engine'],
    pattern: /\bDate\.now\(|\bnew Date\(|\bperformance\.now\(/,
    use: 'time is an input: `atMs`',
  },
  {
    in: EVERYWHERE,
    pattern: /\bMath\.random\(/,
    use: 'crypto for chance that matters, a seeded generator elsewhere',
  },
  {
    in: ['engine'],
    pattern: /\bsetTimeout\(|\bsetInterval\(|\bprocess\.|\bconsole\./,
    use: 'the engine has no I/O',
  },
  {
    in: ['engine', 'host', 'ledger'],
    pattern: /\bparseFloat\(|\.toFixed\(/,
    use: 'money is integer minor units',
  },
  {
    in: ['renderer'],
    pattern: /\.innerHTML\b|\beval\(|\bnew Function\(/,
    use: 'elements and text; the page has no eval',
  },
  { in: EVERYWHERE, pattern: /\bas any\b|@ts-ignore|@ts-nocheck/, use: 'a type' },
  {
    in: EVERYWHERE,
    pattern: /\b(?:is|are) told\b|\bmade anew\b|\bstands beside\b|\bis otherwise\b/,
    use: 'a plain verb: hears, gets, shows, reports',
  },
  { in: EVERYWHERE, pattern: /\b(?:TODO|FIXME|XXX|HACK)\b/, use: 'the work itself' },
  {
    in: EVERYWHERE,
    pattern: /^(?=.{101})\s*(?:\/\/|\/?\*)(?!.*\b(?:biome-ignore|https?:))/,
    use: 'comment lines of at most 100 columns',
  },
  {
    in: EVERYWHERE,
    pattern: /\b(?:test|it|describe)\.(?:only|skip)\(/,
    use: 'a test that runs, or t.skip with its reason',
  },
  { in: ['ledger', 'host'], pattern: /synchronous\s*=\s*(?:NORMAL|OFF)/i, use: 'synchronous = FULL' },
  {
    in: ['hardware'],
    pattern: /\b(?:blackjack|baccarat|banker|croupier|payout)\b/i,
    use: 'devices know bytes, not games',
  },
];

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;

const roomOf = (path: string): string => path.slice(0, path.indexOf('/'));
/** They run on the machine that builds, and never in the page. */
const OF_THE_BUILD = /\/(?:vite\.config|font-faces)\.ts$/;

const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path);
const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length;

function resolve(fromPath: string, specifier: string): string {
  const parts = fromPath.split('/').slice(0, -1);
  for (const part of specifier.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}

interface Import {
  readonly line: number;
  readonly statement: string;
  readonly specifier: string;
  /** Path from the root of the repository; null = a package. */
  readonly target: string | null;
}

/** What a file imports, types included, at its top or later. */
export const importsOf = ({ path, text }: SourceFile): Import[] =>
  [...text.matchAll(IMPORT)].map((match) => {
    const specifier = match[2] ?? match[3] ?? '';
    return {
      line: lineAt(text, match.index + 1),
      statement: match[0],
      specifier,
      target: specifier.startsWith('.') ? resolve(path, specifier).replace(/\?.*$/, '') : null,
    };
  });

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** The room inside a folder: `table` of `host/table/view.ts`. */
const innerOf = (path: string): string => {
  const [, inner, ...rest] = path.split('/');
  return rest.length === 0 ? IN_THE_FOLDER : inner!;
};

function checkInside(file: SourceFile, target: string): string | null {
  const folder = roomOf(file.path);
  const rooms = ROOMS_OF[folder];
  // Style sheets are no code, and stand together.
  if (rooms === undefined || target.endsWith('.css')) return null;
  const inner = innerOf(file.path);
  const isAtHome = roomOf(target) === folder;
  if (rooms[inner] === undefined || (isAtHome && innerOf(target) === inner)) return null;
  return rooms[inner].touches.includes(isAtHome ? innerOf(target) : `${roomOf(target)}/`)
    ? null
    : `${folder}/${inner} may not touch ${target}`;
}

/**
 * The inside of the engine that knows no game, and may be asked only through the files that hand
 * the games in.
 */
const KERNEL: ReadonlySet<string> = new Set(['core', 'table', 'rules', 'accounting']);
const FRONTS: Readonly<Record<string, string>> = {
  'engine/table/table.ts': 'engine/engine.ts',
  'engine/rules/rulebook.ts': 'engine/books.ts',
  'engine/rules/rules-page.ts': 'engine/books.ts',
};

function checkGames(file: SourceFile, statement: string, target: string): string | null {
  const [folder, inner, game] = file.path.split('/');
  const isGame = target.startsWith('engine/games/');
  if (folder !== 'engine') {
    const front = FRONTS[target];
    if (front !== undefined && !/^\s*(?:import|export)\s+type\b/.test(statement))
      return `${target} knows no game yet: import ${front}`;
    return isGame && folder === 'host' ? `the host may not import ${target}: it is shown by the game` : null;
  }
  if (isGame && KERNEL.has(inner!)) return `the kernel may not import ${target}: games are handed in`;
  const isOther = inner === 'games' && file.path.split('/').length > 3 && isGame;
  return isOther && !target.startsWith(`engine/games/${game}/`)
    ? `${game} may not import another game: ${target}`
    : null;
}

function checkImport(file: SourceFile, { statement, specifier, target }: Import): string | null {
  const typeOnly = /^\s*(?:import|export)\s+type\b/.test(statement);
  const room = roomOf(file.path);
  const wrongWay = target === null ? null : checkGames(file, statement, target);
  if (wrongWay) return wrongWay;
  if (target !== null) {
    if (roomOf(target) === room) return checkInside(file, target);
    const permission = PERMISSIONS.find((p) => p.from === room && target.startsWith(p.to));
    if (!permission) return `${room} may not import ${target}`;
    if (permission.values && /\btype\s/.test(statement)) return `${room} may import no type of ${target}`;
    if (permission.types && !typeOnly) return `${room} may import only types of ${target}`;
    return checkInside(file, target);
  }
  if (specifier.startsWith('node:'))
    return room === 'engine' || (room === 'renderer' && !OF_THE_BUILD.test(file.path))
      ? `${room} may not import ${specifier}`
      : null;
  return PACKAGES[room]?.includes(packageOf(specifier))
    ? null
    : `${room} may not import the package ${packageOf(specifier)}`;
}

/** The engine is tested without the programs that are made of it; so is what its tests use. */
const isOfEngineTests = (path: string): boolean =>
  (path.startsWith('engine/') && isTest(path)) || path.startsWith('test/support/');

/**
 * All violations of the plan in these files; tests may import what they test with, but obey the
 * banned words.
 */
export function inspect(files: readonly SourceFile[]): Violation[] {
  const violations: Violation[] = [];
  for (const file of files) {
    const room = roomOf(file.path);
    const inner = innerOf(file.path);
    if (ROOMS_OF[room] !== undefined && ROOMS_OF[room][inner] === undefined)
      violations.push({ path: file.path, line: 1, rule: `${room} has no room ${inner}` });
    if (!isTest(file.path) && (ROOMS as readonly string[]).includes(room)) {
      for (const imported of importsOf(file)) {
        const problem = checkImport(file, imported);
        if (problem) violations.push({ path: file.path, line: imported.line, rule: problem });
      }
    }
    if (isOfEngineTests(file.path))
      for (const { line, target } of importsOf(file))
        if (target !== null && roomOf(target) === 'cli')
          violations.push({ path: file.path, line, rule: `a test of the engine may not import ${target}` });
    for (const [index, line] of file.text.split('\n').entries()) {
      for (const ban of BANS) {
        if (!ban.in.includes('*') && (!ban.in.includes(room) || isTest(file.path))) continue;
        if (ban.pattern.test(line))
          violations.push({ path: file.path, line: index + 1, rule: `${ban.pattern} - use: ${ban.use}` });
      }
    }
  }
  return violations;
}
