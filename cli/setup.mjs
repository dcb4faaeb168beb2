/**
 * `npm start`, `npm test`, `npm run test:usb` and `npm run bench`: brings a fresh checkout to where
 * it can run, then hands over to the project's own Node 24. Runs under any Node from 20 on and
 * needs nothing installed. Does nothing that is done already.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const BIN = join(ROOT, 'node_modules', '.bin');
const TARGETS = {
  start: join('electron', 'launch.ts'),
  test: join('test', 'run.ts'),
  'test:usb': join('test', 'usb', 'usb.ts'),
  // What is measured is what the sources say, not what was built from older ones.
  bench: join('bench', 'bench.ts'),
};
const PROBE_MS = 3_000;
const FETCH_ELECTRON_MS = 180_000;

/**
 * What the page, Electron's main process and the host are built from: all that the host's identity
 * covers.
 */
const BUILD_SOURCES = [
  'renderer',
  'electron',
  'engine',
  'hardware',
  'wire',
  'ledger',
  'reader',
  'host',
  'upstream',
  'locales',
  'assets',
  'cli',
  'package-lock.json',
];
const BUILD_STAMP = join(ROOT, 'build', 'sources.sha256');

/**
 * Set to 1: nothing is installed, fetched, built or made on this machine; what is missing is said.
 */
const FORBIDDEN = process.env.BANCA_NO_SETUP === '1';

/** An expected failure: its message is all there is to say. */
class Stop extends Error {}

const say = (line) => console.error(line);

/** Runs a program; resolves with its exit status, null where it did not end by itself. */
const run = (program, args, options) =>
  new Promise((done) => {
    const child = spawn(program, args, options);
    child.once('error', () => done(null));
    child.once('exit', done);
  });

const onPath = (name) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, name)));

// ---- packages of the lock file ----

function readJson(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null;
}

/**
 * True when npm says that it laid out what the lock file says; packages for other machines may be
 * missing. What lies there now is the matter of the software's identity.
 */
function packagesAreInstalled() {
  const wanted = readJson(join(ROOT, 'package-lock.json'));
  const laidOut = readJson(join(ROOT, 'node_modules', '.package-lock.json'));
  if (!wanted || !laidOut) return false;
  return Object.entries(wanted.packages).every(
    ([path, entry]) =>
      path === '' ||
      (laidOut.packages[path]
        ? laidOut.packages[path].version === entry.version &&
          laidOut.packages[path].integrity === entry.integrity
        : entry.optional === true),
  );
}

async function installPackages() {
  if (packagesAreInstalled()) return;
  say('installing the packages of the lock file (once)');
  // npm under the system's Node: the one in node_modules is about to be replaced.
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .join(delimiter);
  // No package needs a script of its own, and none may run one here: machine code comes prebuilt.
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const status = await run('npm', args, {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, PATH: path },
  });
  if (status !== 0) throw new Stop('`npm ci --ignore-scripts` failed, see its message above');
}

/**
 * The Node that runs the project: the one of the lock file, else this one when it is new enough.
 */
function projectNode() {
  const installed = join(BIN, 'node');
  if (existsSync(installed)) return installed;
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  throw new Stop(
    `Node 24 is needed on this kind of machine (${process.platform} ${process.arch}); this is ${process.version}`,
  );
}

// ---- programs of the system ----

const isRoot = process.getuid?.() === 0;

/** Debian packages of the programs that are not there. */
const missingPackages = (wanted) =>
  Object.entries(wanted).flatMap(([program, names]) => (onPath(program) ? [] : names));

/** How this account may install them; null = it may not. */
function aptAs() {
  if (FORBIDDEN || !onPath('apt-get')) return null;
  if (isRoot) return 'root';
  return onPath('sudo') && spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0
    ? 'sudo'
    : null;
}

/**
 * Installs what is missing where that is permitted. Returns the Debian packages that are still
 * missing.
 */
async function installPrograms(wanted) {
  const packages = missingPackages(wanted);
  if (packages.length === 0) return [];
  const as = aptAs();
  if (as === null) return packages;
  say(`installing ${packages.join(', ')} (once)`);
  const apt = async (...args) => {
    const command = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-qq', ...args];
    const [program, ...rest] = as === 'sudo' ? ['sudo', '-n', ...command] : command;
    return (await run(program, rest, { stdio: ['ignore', 'ignore', 'inherit'] })) === 0;
  };
  const install = () => apt('install', '-y', '--no-install-recommends', ...packages);
  // A fresh machine has no package lists yet; one that has them needs no update.
  if (!existsSync('/var/lib/apt/lists') || readdirSync('/var/lib/apt/lists').length < 3) await apt('update');
  if ((await install()) || ((await apt('update')) && (await install()))) return [];
  return packages;
}

const CHROMIUM = { chromium: ['chromium', 'chromium-sandbox', 'fonts-liberation'] };
/** Says the panels aloud to players who do not see them. */
const SPEECH = { 'espeak-ng': ['espeak-ng'] };
const TEST_PROGRAMS = {
  ...CHROMIUM,
  Xvfb: ['xvfb'],
  xdotool: ['xdotool'],
  openbox: ['openbox'],
  unzip: ['unzip'],
};
/** Where they cannot be installed the tests that need them are left out, and say so. */
const USB_PROGRAMS = { 'qemu-system-x86_64': ['qemu-system-x86'] };
const TEST_EXTRAS = {
  // The same Chromium without windows: its pages take half the processor time.
  'chromium-headless-shell': ['chromium-headless-shell'],
  ...USB_PROGRAMS,
  ...SPEECH,
  aplay: ['alsa-utils'],
  socat: ['socat'],
  swtpm: ['swtpm'],
  xinput: ['xinput'],
  tpm2_nvread: ['tpm2-tools'],
  // A reader of staff cards that is none.
  'vpcd-config': ['pcscd', 'vsmartcard-vpcd'],
  upsd: ['nut-server', 'nut-client'],
};

/** Returns the Debian packages that are missing still and that the tests cannot do without. */
async function installTestPrograms() {
  const wanted = { ...TEST_PROGRAMS, ...TEST_EXTRAS };
  // All at once; where one package cannot be had, those without which nothing is tested.
  if ((await installPrograms(wanted)).length > 0) await installPrograms(TEST_PROGRAMS);
  return missingPackages(TEST_PROGRAMS);
}

const installSentence = (packages) => `please install: sudo apt-get install ${packages.join(' ')}`;

// ---- Electron's binary ----

function electronIsThere() {
  const folder = process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(ROOT, 'node_modules', 'electron', 'dist');
  return existsSync(process.env.ELECTRON ?? join(folder, 'electron'));
}

/** The version of the lock file that is not there and has not been tried in vain; null = none. */
function electronToFetch() {
  const version = readJson(join(ROOT, 'package-lock.json'))?.packages['node_modules/electron']?.version;
  return version === undefined || electronIsThere() || existsSync(notFetched(version)) ? null : version;
}
const notFetched = (version) =>
  join(ROOT, 'node_modules', '.cache', 'banca', `electron-${version}-not-fetched`);

/** One try per installed version to fetch Electron's binary, and only when its server answers. */
async function fetchElectron(node) {
  const version = electronToFetch();
  if (version === null || FORBIDDEN) return;
  const mirror =
    process.env.ELECTRON_MIRROR ?? process.env.npm_config_electron_mirror ?? 'https://github.com/';
  const answers = await fetch(mirror, { method: 'HEAD', signal: AbortSignal.timeout(PROBE_MS) }).then(
    () => true,
    () => false,
  );
  if (answers) {
    say(`fetching Electron ${version} (once, about 110 MB)`);
    spawnSync(node, [join(ROOT, 'node_modules', 'electron', 'install.js')], {
      stdio: ['ignore', 'ignore', 'ignore'],
      timeout: FETCH_ELECTRON_MS,
    });
  }
  if (electronIsThere()) return;
  mkdirSync(dirname(notFetched(version)), { recursive: true });
  writeFileSync(notFetched(version), '');
}

// ---- build ----

function sourcesHash() {
  const hash = createHash('sha256');
  const add = (path) => {
    const full = join(ROOT, path);
    if (statSync(full, { throwIfNoEntry: false })?.isDirectory())
      for (const name of readdirSync(full).sort()) add(join(path, name));
    else if (existsSync(full) && !path.endsWith('.test.ts'))
      hash.update(`${path}\0`).update(readFileSync(full)).update('\0');
  };
  for (const source of BUILD_SOURCES) add(source);
  return hash.digest('hex');
}

const isBuilt = (now) => existsSync(BUILD_STAMP) && readFileSync(BUILD_STAMP, 'utf8') === now;

async function buildWhenStale(node, env) {
  const now = sourcesHash();
  if (isBuilt(now)) return;
  say('building');
  const status = await run(node, [join(ROOT, 'cli', 'build.ts')], { cwd: ROOT, stdio: 'inherit', env });
  if (status !== 0) throw new Stop('the build failed, see its message above');
  mkdirSync(dirname(BUILD_STAMP), { recursive: true });
  writeFileSync(BUILD_STAMP, now);
}

// ---- hand over ----

/** Our parent and, where it is only the shell that npm puts between, that shell's parent. */
function ancestry() {
  try {
    const [, command, , grandparent] = /^\d+ \((.*)\) (\S) (\d+)/s.exec(
      readFileSync(`/proc/${process.ppid}/stat`, 'latin1'),
    );
    return command === 'sh' ? `${process.ppid} ${grandparent}` : `${process.ppid}`;
  } catch {
    return `${process.ppid}`;
  }
}

function handOver(node, script, args, env) {
  const child = spawn(node, ['--disable-sigusr1', join(ROOT, script), ...args], {
    cwd: ROOT,
    stdio: 'inherit',
    env,
  });
  // A killed npm tells nobody: the terminal must not play on without its command.
  const before = ancestry();
  setInterval(() => {
    if (ancestry() !== before) child.kill('SIGTERM');
  }, 1_000).unref();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('error', (error) => {
    say(error.message);
    process.exit(1);
  });
  child.once('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

/** Programs of Debian that this command cannot do without, and those it would like. */
function programsFor(verb, hasDisplay, wantsShot) {
  if (verb === 'test') return { ...TEST_PROGRAMS, ...TEST_EXTRAS };
  if (verb === 'test:usb') return USB_PROGRAMS;
  // Electron comes first where it can be had; a picture without a display only Chromium can draw.
  if (verb !== 'start') return {};
  return (hasDisplay || wantsShot) && (!hasDisplay || !electronIsThere()) ? CHROMIUM : {};
}

/** The account that electron/kiosk-user.ts makes for the window of a terminal that root starts. */
function kioskAccountIsMissing() {
  return isRoot && !/^banca-kiosk:/m.test(readFileSync('/etc/passwd', 'utf8'));
}

/**
 * What is about to be done to this machine, before any of it is: what must be there, and what may
 * be missing.
 */
function planOf(verb, args, hasDisplay, wantsShot) {
  const must = [];
  const may = [];
  if (!packagesAreInstalled())
    must.push(
      `packages of package-lock.json by npm ci, without their scripts, in ${join(ROOT, 'node_modules')}`,
    );
  if (verb !== 'test:usb' && !isBuilt(sourcesHash()))
    must.push(`the page and the programs, built from the sources, in ${join(ROOT, 'build')}`);
  const electron = verb === 'start' && hasDisplay ? electronToFetch() : null;
  if (electron !== null)
    may.push(
      `Electron ${electron}, about 110 MB, where its server answers, in ${join(ROOT, 'node_modules', 'electron')}`,
    );
  const install = (packages, why) => {
    const as = packages.length > 0 ? aptAs() : null;
    if (FORBIDDEN ? packages.length === 0 : as === null) return;
    const how = as === 'sudo' ? 'by sudo apt-get' : 'by apt-get';
    may.push(`Debian packages ${how}${why}: ${packages.join(', ')}`);
  };
  const whenChromium = electron === null ? '' : ', where Electron cannot be had';
  install(missingPackages(programsFor(verb, hasDisplay, wantsShot)), whenChromium);
  install(verb === 'start' ? missingPackages(SPEECH) : [], ', for spoken help');
  if (verb === 'start' && (hasDisplay || wantsShot) && isRoot) {
    if (kioskAccountIsMissing())
      may.push(
        'the system account banca-kiosk, without a home or a shell, in those of the groups video, render and audio that exist: the window runs as it, not as root',
      );
    if (!FORBIDDEN && !existsSync('/run/banca'))
      may.push("the folder /run/banca for the window's files, in memory");
  }
  const data = verb === 'start' ? dataFolder(args) : null;
  if (!FORBIDDEN && data !== null && !existsSync(data))
    may.push(`the folder ${data} for the ledger and its key`);
  return { must, may };
}

/** As electron/launch.ts reads it. */
function dataFolder(args) {
  const at = args.findIndex((arg) => arg === '--data' || arg.startsWith('--data='));
  const given = args[at]?.startsWith('--data=') ? args[at].slice('--data='.length) : args[at + 1];
  return resolve(ROOT, (at >= 0 && given) || 'data');
}

/** One screen before anything is done; nothing where nothing is to be done. */
function sayPlan({ must, may }) {
  const lines = [...must, ...may].map((line) => `  - ${line}`);
  if (lines.length === 0) return;
  if (FORBIDDEN) {
    say(`missing here, and BANCA_NO_SETUP=1 forbids to set it up:\n${lines.join('\n')}`);
    if (must.length > 0) throw new Stop('without the first of these nothing can run');
  } else
    say(
      `set up before the first start, by ${isRoot ? 'root' : 'this account'}, and no more than this (BANCA_NO_SETUP=1 forbids it):\n${lines.join('\n')}`,
    );
}

/** Nothing that brings other code into the terminal's processes. */
const terminalEnvironment = (env) => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => !/^(?:NODE_|LD_)/.test(name))),
  BANCA_PARENT: String(process.pid),
});

/**
 * What stands at the head of a program: nothing is installed to say it, and an older Node cannot
 * run the program itself.
 */
function helpOf(script) {
  const source = readFileSync(join(ROOT, script), 'utf8');
  const usage = /^const USAGE = `([\s\S]*?)`/m.exec(source)?.[1];
  const head = /\/\*\*([\s\S]*?)\*\//.exec(source)?.[1] ?? '';
  return usage ?? `usage: ${head.replaceAll(/^[ *]+|`/gm, '').trim()}`;
}

async function main() {
  const [verb, ...args] = process.argv.slice(2);
  const script = TARGETS[verb];
  const usage = 'usage: node cli/setup.mjs start|test|test:usb|bench [options]';
  if (verb === '--help') return console.log(usage);
  if (!script) throw new Stop(usage);
  if (args.includes('--help')) return console.log(helpOf(script));
  const hasDisplay = Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
  const wantsShot = args.includes('--shot');
  sayPlan(planOf(verb, args, hasDisplay, wantsShot));
  // Debian's packages and npm's come from two places: one is fetched while the other is laid out.
  const testPrograms = verb === 'test' ? installTestPrograms() : null;
  await installPackages();
  const node = projectNode();
  const env = { ...process.env, PATH: `${BIN}${delimiter}${process.env.PATH ?? ''}` };
  if (verb === 'test:usb') await installPrograms(USB_PROGRAMS);
  if (verb === 'start') {
    if (hasDisplay) await fetchElectron(node);
    const missing = await installPrograms(programsFor(verb, hasDisplay, wantsShot));
    if (missing.length > 0) {
      const sentence = `the table's window needs Chromium; ${installSentence(missing)}`;
      if (wantsShot) throw new Stop(sentence);
      say(sentence);
    }
    const mute = await installPrograms(SPEECH);
    if (mute.length > 0) say(`spoken help needs espeak-ng; ${installSentence(mute)}`);
  }
  if (verb !== 'test:usb') await buildWhenStale(node, env);
  const missing = (await testPrograms) ?? [];
  if (missing.length > 0)
    throw new Stop(`the tests need programs that are missing; ${installSentence(missing)}`);
  // The terminal ends with us. Terminals that tests and the bench start have other parents.
  handOver(node, script, args, verb === 'start' ? terminalEnvironment(env) : env);
}

main().catch((error) => {
  if (!(error instanceof Stop)) throw error;
  say(error.message);
  process.exit(1);
});
