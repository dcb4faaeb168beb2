/**
 * `npm start`: the whole terminal on this machine. Picks the window (Electron, else Chromium, else
 * an address for a browser) and supervises the centre, the simulated devices, the host and the
 * window until somebody stops it.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { plainLine } from '../ledger/chain/plain-line.ts';
import { defaultWitness, wrongIn } from '../ledger/store/folder.store.ts';
import { chooseShell, type ShellChoice } from './choose-shell.ts';
import { handedSockets, holdPort } from './held-socket.ts';
import { parseObject, readLines } from './json-lines.ts';
import type { WindowOptions } from './kept-window.ts';
import { account, KIOSK_ACCOUNT, type KioskUser, kioskUser } from './kiosk-user.ts';
import { childEnvironment, NO_INSPECTOR } from './node-child.ts';
import { homeOf, type PlacedWindow, pluggedIn, TABLE_ALONE, watchPlug } from './place.ts';
import { RemoteWindows } from './remote-windows.ts';
import { type RoundReport, roundLines } from './report.ts';
import { RESTART_LIMITS } from './restarts.ts';
import { openShell } from './shells.ts';
import { Supervisor } from './supervisor.ts';

const USAGE = `npm start -- [options]
  --demo           simulated players, dealer and devices play by themselves
  --data DIR       where the ledger lives (default ./data)
  --witness DIR    where it is kept what the ledger was seen to have, not in the data folder (default /var/lib/banca-witness, or
                   $XDG_STATE_HOME/banca of an ordinary account)
  --profile FILE   the terminal file (default: the host's own)
  --table NAME     a table of the folder \`tables\` beside the terminal file
  --production     money is played for: nothing of the demonstration starts, and a start that is not safe ends with code 2
  --simulators-allowed   a terminal file that allows simulators as its devices may be used: a demonstration
  --windowed       a window instead of the kiosk
  --size WxH       size of a window or of a picture without a display (default 1920x1080)
  --shot FILE      save a picture of the table (PNG), after two rounds or the number given with --rounds
  --rounds N       stop after N rounds
  --shell NAME     electron or chromium instead of the first that is there`;

const ROOT = resolve(import.meta.dirname, '..');
/** Rounds before a picture when --rounds does not say. */
const SHOT_ROUNDS = 2;
/** Cards and chips are still moving when a round is reported. */
const SETTLE_MS = 2_000;

class UsageError extends Error {}
const notForTests = (): UsageError =>
  new UsageError("--test is for the project's tests, and this terminal is played for money: leave it out");

function readOptions() {
  const { values } = parseArgs({
    options: {
      demo: { type: 'boolean', default: false },
      data: { type: 'string', default: join(ROOT, 'data') },
      witness: { type: 'string', default: defaultWitness() },
      profile: { type: 'string' },
      table: { type: 'string' },
      production: { type: 'boolean', default: false },
      'simulators-allowed': { type: 'boolean', default: false },
      windowed: { type: 'boolean', default: false },
      size: { type: 'string', default: '1920x1080' },
      shot: { type: 'string' },
      rounds: { type: 'string' },
      shell: { type: 'string' },
      help: { type: 'boolean', default: false },
      // For the project's own tests: events and tickets as JSON lines, a debugging port, a stand-in
      // for the host (which then has no centre and no devices), one for the kernel's connectors, no
      // centre of its own.
      test: { type: 'boolean', default: false },
      'debug-port': { type: 'string' },
      'restart-cap': { type: 'string' },
      drm: { type: 'string' },
      host: { type: 'string' },
      'no-centre': { type: 'boolean', default: false },
    },
  });
  const size = /^([1-9]\d{2,3})x([1-9]\d{2,3})$/.exec(values.size);
  if (!size) throw new UsageError(`--size ${values.size}: expected WIDTHxHEIGHT, for instance 1920x1080`);
  const wholeNumber = (name: 'rounds' | 'debug-port' | 'restart-cap'): number | null => {
    const text = values[name];
    if (text === undefined) return null;
    if (!/^[1-9]\d{0,6}$/.test(text))
      throw new UsageError(`--${name} ${text}: expected a whole number from 1`);
    return Number(text);
  };
  const shell = values.shell ?? null;
  if (shell !== null && shell !== 'electron' && shell !== 'chromium')
    throw new UsageError(`--shell ${shell}: expected electron or chromium`);
  for (const name of ['debug-port', 'restart-cap', 'drm', 'host', 'no-centre'] as const)
    if (values[name] && !values.test)
      throw new UsageError(`--${name} is for the project's tests and needs --test`);
  if (values.production && values.test) throw notForTests();
  return {
    ...values,
    data: resolve(values.data),
    witness: resolve(values.witness),
    profile: values.profile === undefined ? null : resolve(values.profile),
    shot: values.shot === undefined ? null : resolve(values.shot),
    size: { width: Number(size[1]), height: Number(size[2]) },
    rounds: wholeNumber('rounds'),
    debugPort: wholeNumber('debug-port'),
    restartCap: wholeNumber('restart-cap'),
    shell: shell as 'electron' | 'chromium' | null,
  };
}

type Options = ReturnType<typeof readOptions>;

/**
 * The host in one file, where it has been built. It looks itself whether it is of these sources.
 */
function hostOf(options: Options): string {
  const built = join(ROOT, 'build', 'program', 'host', 'main.js');
  return options.host ?? (existsSync(built) ? built : join(ROOT, 'host', 'main.ts'));
}

/** What the host reads and judges before it changes anything. */
function startArgs(options: Options): string[] {
  const args = ['--data', options.data];
  if (options.host === undefined) args.push('--witness', options.witness);
  if (options.profile !== null) args.push('--profile', options.profile);
  if (options.table !== undefined) args.push('--table', options.table);
  for (const name of ['demo', 'production', 'simulators-allowed'] as const)
    if (options[name]) args.push(`--${name}`);
  return args;
}

/** With real devices there are no simulated ones, with a centre none of our own. */
interface Start {
  readonly production: boolean;
  readonly devices: boolean;
  readonly centre: boolean;
  /** Only software that the terminal file approves may play. */
  readonly approves: boolean;
  readonly displays: readonly PlacedWindow[];
}

/**
 * What a start with these options would be, by the host's own judgement and before anything is made
 * or opened. Where it refuses, its sentence is on stderr and this process ends as it did.
 */
function checkStart(options: Options): Start {
  const demonstration: Start = {
    ...{ production: false, devices: false, centre: false, approves: false },
    displays: [TABLE_ALONE],
  };
  if (options.host !== undefined || (options.profile === null && !options.production)) return demonstration;
  const args = [NO_INSPECTOR, hostOf(options), ...startArgs(options), '--check', '--supervised'];
  const { status, stdout, error } = spawnSync(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    env: childEnvironment(process.env),
  });
  if (status !== 0) {
    if (error) log(`the host cannot be started: ${error.message}`);
    process.exit(status ?? 1);
  }
  const start = { ...demonstration, ...parseObject(stdout) };
  if (start.production && options.test) throw notForTests();
  return start;
}

/**
 * Lines of every process come through here: what one says of names and texts of others begins no
 * line of its own.
 */
const log = (line: string): void => console.error(plainLine(line));

async function main(): Promise<void> {
  const options = readOptions();
  if (options.help) {
    console.log(USAGE);
    return;
  }
  const start = checkStart(options);
  mkdirSync(options.data, { recursive: true, mode: 0o700 });
  // The ledger and the terminal's keys are for our own account only.
  chmodSync(options.data, 0o700);
  const wrong = wrongIn(options.data);
  if (wrong !== null) throw new UsageError(wrong);
  lockTerminal(options.data);
  const display = Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']);
  const mode = !display ? 'headless' : options.windowed ? 'windowed' : 'kiosk';
  // A machine of its own: systemd holds the sockets, and the window is another account's.
  const handed = handedSockets(process.env);
  const windowFd = handed.get('window');
  const remote = windowFd === undefined ? null : new RemoteWindows({ fd: windowFd });
  const user = windowAccount(remote !== null, display || options.shot !== null);
  const choice: ShellChoice =
    user && !remote ? chooseWindow(options, display, user) : { kind: 'none', because: 'no display' };
  if (user && user.uid === process.getuid!())
    log(
      'the window runs in the account of the host, which can read the ledger: a table needs the units of electron/deploy',
    );

  const rack = start.devices ? null : rackFolder(options.data);
  // Where money is played for, the only centre is the casino's.
  const hasOwnCentre = !options.host && !options['no-centre'] && !start.centre && !start.production;
  const centreSocket = hasOwnCentre ? holdPort() : null;
  const enrolled = join(options.data, 'enrolled');
  mkdirSync(enrolled, { recursive: true });
  const hostArgs: string[] = [];
  if (centreSocket) hostArgs.push('--upstream', `http://127.0.0.1:${centreSocket.port}`);
  if (rack !== null) hostArgs.push('--rack', rack);
  hostArgs.push(...startArgs(options));
  if (user) hostArgs.push('--display-uid', String(user.uid));
  if (options.demo || options.rounds !== null || options.shot !== null) hostArgs.push('--report-rounds');

  const supervisor = new Supervisor({
    centre: centreSocket
      ? {
          script: join(ROOT, 'upstream', 'main.ts'),
          args: [`--data=${join(options.data, 'centre')}`, `--enrol-dir=${enrolled}`],
          listenFd: centreSocket.fd,
        }
      : null,
    rack:
      options.host || rack === null
        ? null
        : {
            script: join(ROOT, 'hardware', 'rack', 'rack-main.ts'),
            args: ['--dir', rack, '--state', join(options.data, 'devices.json'), '--acceptors', '12'],
          },
    host: {
      script: hostOf(options),
      args: hostArgs,
      listenFd: handed.get('page') ?? holdPort().fd,
    },
    windows: remote
      ? start.displays.map((window) => ({
          role: window.role,
          arrives: (signal) => remote.arrived(window, signal),
          start: (events) => remote.start(window, events),
        }))
      : user
        ? windowsHere(start.displays, choice, user, mode, options)
        : [],
    mayCache: !start.production && !start.devices && !start.approves,
    limits: { ...RESTART_LIMITS, cap: options.restartCap ?? RESTART_LIMITS.cap },
    log,
  });

  let stopping = false;
  const stop = (code: number): void => {
    if (stopping) return;
    stopping = true;
    void supervisor.stop().then(() => {
      if (rack !== null) rmSync(rack, { recursive: true, force: true });
      process.exit(code);
    });
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(0));
  // Started by the set-up script: end with it, however it ended.
  const parent = Number(process.env['BANCA_PARENT'] ?? 0);
  if (parent > 0)
    setInterval(() => {
      if (process.ppid !== parent) stop(0);
    }, 1_000).unref();

  supervisor.on('given-up', ({ isFinal }) => stop(isFinal ? 2 : 1));
  // The centre that we start ourselves takes entries of our own terminal and of no other.
  supervisor.on('host', ({ ready, terminal, publicKey }) => {
    if (ready === true && typeof terminal === 'string' && typeof publicKey === 'string')
      writeFileSync(join(enrolled, `${terminal}.pub`), publicKey);
  });
  supervisor.on('host', ({ shutdown }) => {
    // At the end of a battery: what starts next stands still until the mains are back.
    if (typeof shutdown === 'string') stop(0);
  });
  report(supervisor, options, stop);
  if (options.test) serveTests(supervisor, stop);
  else if (choice.kind === 'none' && !remote) offerAddress(supervisor, choice.because, start.displays);
  if (centreSocket)
    log(
      `centre: http://127.0.0.1:${centreSocket.port}, user operator, password in ${join(options.data, 'centre', 'operator-password')}`,
    );
  supervisor.start();
}

/**
 * One terminal per data folder: a lock of the kernel on a file in it, whatever path leads there.
 * The tool locks the open file, which is ours alone, so the lock is free again the moment this
 * process ends, however it ends.
 */
function lockTerminal(data: string): void {
  const { O_CREAT, O_NOFOLLOW, O_RDWR } = constants;
  const lock = openSync(join(data, 'terminal-lock'), O_RDWR | O_CREAT | O_NOFOLLOW, 0o600);
  const { status, error } = spawnSync('flock', ['--exclusive', '--nonblock', '3'], {
    stdio: ['ignore', 'ignore', 'inherit', lock],
  });
  if (error) throw new UsageError(`flock, of Debian's util-linux, cannot be run: ${error.message}`);
  if (status !== 0) throw new UsageError(`another terminal is running on ${data}`);
}

/**
 * Who the host lets in beside itself: the account behind the handed socket, or the one of the
 * window that we start.
 */
function windowAccount(isElsewhere: boolean, wanted: boolean): KioskUser | null {
  if (!isElsewhere) return wanted ? kioskUser(log) : null;
  const there = account(KIOSK_ACCOUNT);
  if (!there) throw new UsageError(`the window's account ${KIOSK_ACCOUNT} does not exist`);
  return there;
}

/** Electron, Chromium or, with the reason, neither. Only Chromium can draw without a display. */
function chooseWindow(options: Options, display: boolean, user: KioskUser): ShellChoice {
  const choice = chooseShell(ROOT, process.env, user, display ? options.shell : 'chromium');
  if (choice.kind === 'chromium' && choice.because !== null)
    log(`${choice.because}: the table opens in Chromium (${choice.binary}) instead`);
  if (choice.kind === 'none' && (options.shell !== null || options.shot !== null))
    throw new UsageError(choice.because);
  return choice;
}

/**
 * Where the simulated devices listen. A socket's path may have 107 bytes, so a deep checkout gets a
 * folder elsewhere.
 */
function rackFolder(data: string): string {
  const folder = join(data, 'rack');
  return Buffer.byteLength(folder) <= 80 ? folder : mkdtempSync(join(tmpdir(), 'banca-rack-'));
}

/**
 * The window's files: in memory for the kiosk user, beside the ledger when we run as one user
 * anyway.
 */
function windowHome(data: string, switchUser: boolean): string {
  if (!switchUser) return join(data, 'window');
  mkdirSync('/run/banca', { recursive: true, mode: 0o755 });
  return join('/run/banca', createHash('sha256').update(data).digest('hex').slice(0, 12));
}

/** Without a display there is one at most, for a picture of the table. */
function windowsHere(
  displays: readonly PlacedWindow[],
  choice: ShellChoice,
  user: KioskUser,
  mode: 'kiosk' | 'windowed' | 'headless',
  options: Options,
): WindowOptions[] {
  if (choice.kind === 'none') return [];
  const home = windowHome(options.data, user.switchUser);
  const shown = mode === 'headless' ? [TABLE_ALONE] : displays;
  return shown.map(({ role, place }, index) => ({
    role,
    arrives: (signal) => pluggedIn(place, signal, log, options.drm),
    start: (events) => {
      const shell = openShell(ROOT, choice, {
        ...{ user, place, mode, events },
        home: homeOf(home, role),
        size: options.size,
        // In the order of the displays: each window is a browser of its own.
        debugPort: options.debugPort === null ? null : options.debugPort + index,
      });
      const unwatch = watchPlug(
        place,
        () => {
          log(`${place.connector}: the display of ${role} was unplugged`);
          shell.kill();
        },
        options.drm,
      );
      void shell.ended.then(unwatch);
      return shell;
    },
  }));
}

/** Prints rounds, takes the picture, and stops after the rounds that were asked for. */
function report(supervisor: Supervisor, options: Options, stop: (code: number) => void): void {
  let rounds = 0;
  let shotTaken = options.shot === null;
  const finish = async (): Promise<void> => {
    let code = 0;
    if (!shotTaken && options.shot !== null) {
      shotTaken = true;
      await new Promise((done) => setTimeout(done, SETTLE_MS));
      try {
        const picture = await supervisor.shot();
        // A link that somebody has laid there is not followed.
        rmSync(options.shot, { force: true });
        writeFileSync(options.shot, picture, { flag: 'wx' });
        console.log(`picture saved: ${options.shot}`);
      } catch (error) {
        log(`no picture: ${(error as Error).message}`);
        code = 1;
      }
    }
    if (options.rounds !== null && rounds >= options.rounds) stop(code);
  };
  supervisor.on('host', (message) => {
    if (message['painted'] !== undefined && !options.demo && options.rounds === null) void finish();
    if (message['round'] === undefined) return;
    for (const line of roundLines(message['round'] as RoundReport)) console.log(line);
    rounds += 1;
    if (rounds >= (options.rounds ?? SHOT_ROUNDS)) void finish();
  });
}

/** No window: the addresses for a browser on this machine, and fresh ones for every Enter. */
function offerAddress(supervisor: Supervisor, because: string, displays: readonly PlacedWindow[]): void {
  const print = (): void => {
    for (const { role } of displays)
      supervisor.mint(role).then(
        (url) =>
          console.log(
            `${role === 'table' ? '' : `${role}: `}open in a browser on this machine (works once; Enter gives another): ${url}`,
          ),
        (error: Error) => log(error.message),
      );
  };
  let announced = false;
  supervisor.on('started', ({ name }) => {
    if (name !== 'host' || announced) return;
    announced = true;
    console.log(`${because}: the terminal runs without a window`);
    print();
  });
  readLines(process.stdin, print);
}

/**
 * Everything that happens as JSON lines, tickets on demand, and an end when the test's pipe closes.
 */
function serveTests(supervisor: Supervisor, stop: (code: number) => void): void {
  const tell = (message: unknown): void => console.log(JSON.stringify(message));
  supervisor.on('host', (host) => tell({ host }));
  supervisor.on('started', (started) => tell({ started }));
  supervisor.on('ended', (ended) => tell({ ended }));
  readLines(process.stdin, (line) => {
    const role = parseObject(line)?.['mint'];
    if (typeof role !== 'string') return;
    supervisor.mint(role).then(
      (url) => tell({ minted: { role, url } }),
      (error: Error) => tell({ minted: { role, url: null, error: error.message } }),
    );
  });
  process.stdin.on('end', () => stop(0));
}

main().catch((error: unknown) => {
  if (error instanceof UsageError) console.error(error.message);
  else if ((error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS'))
    console.error(`${(error as Error).message}\n${USAGE}`);
  else console.error(error);
  process.exit(2);
});
