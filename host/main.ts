/**
 * The host process: `node host/main.ts --data DIR [--profile FILE] [--tables DIR] [--table NAME]
 * [--port N | --listen-fd N] [--rack DIR] [--copy DIR] [--witness DIR] [--upstream URL] [--sim
 * SCRIPT] [--production | --simulators-allowed] [--check] [--supervised]`. Prints JSON lines on
 * stdout (readiness first), reads JSON lines on stdin; all other words go to stderr. With `--check`
 * it reads and judges what a start would, prints what that is, and ends; nothing has been changed
 * then.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { acceptorCount, type TableProfile } from '../engine/table/profile.ts';
import { parseBounded } from '../ledger/chain/bounded-json.ts';
import { plainLine } from '../ledger/chain/plain-line.ts';
import { argumentsOf } from '../ledger/chain/program-arguments.ts';
import { loadOrMakeTls, pinOfPem } from '../ledger/chain/tls.store.ts';
import { copyIn } from '../ledger/copy/mend.store.ts';
import { wrongIn } from '../ledger/store/folder.store.ts';
import { KEY_FILE, syncToDisk } from '../ledger/store/key.store.ts';
import {
  isDiskRefusal,
  LedgerDamaged,
  type LedgerKey,
  LedgerOfAnother,
  LedgerUnusable,
  loadOrCreateKey,
} from '../ledger/store/ledger.store.ts';
import { hasBeenHere } from '../ledger/store/open.store.ts';
import { type Dispute, Witness } from '../ledger/store/witness.store.ts';
import { ordersIn } from '../ledger/sync/command-desk.ts';
import { READ_RULEBOOKS } from '../reader/form.ts';
import type { DisplayRole } from '../wire/display.ts';
import { networkOf, windowsOf } from './config/displays.ts';
import { isProduction, publishedPin, whyNotForMoney } from './config/production.ts';
import { FirstTableRefused, OWN_TABLE, problemsOf, readTables, sentenceOf } from './config/ready-tables.ts';
import { newPinsOf } from './config/roster.ts';
import { readTerminalFile } from './config/terminal-file.ts';
import { type Host, startHost } from './host.ts';
import { beginMark, disputeIn, type Found, findLedger } from './program/found-ledger.ts';
import { releaseProblem } from './program/release.ts';
import type { SoftwareIdentity } from './program/software.ts';
import { readSoftware } from './program/software-thread.ts';
import { StartCounter } from './program/start-counter.ts';
import type { DisplayNetwork } from './server/displays.ts';
import { startDisputed } from './server/disputed.ts';
import { parseRole, Sessions } from './server/sessions.ts';
import { type StoppedHost, startStopped } from './server/stopped.ts';
import type { Rack } from './simulation/rack.ts';
import type { ScriptLine } from './simulation/script.ts';
import { defaultStorage, readyDisk } from './watches/storage-watch.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const say = (line: object): void => {
  process.stdout.write(`${JSON.stringify(line)}\n`);
};
const log = (line: string): void => {
  process.stderr.write(`${values.check ? '' : '[host] '}${plainLine(line)}\n`);
};

/** A kiosk's window opens at once; an address that a person types in must live longer. */
const SUPERVISED_TICKET_MS = 30_000;
const PRINTED_TICKET_MS = 10 * 60_000;

const { values } = argumentsOf({
  options: {
    data: { type: 'string' },
    profile: { type: 'string' },
    tables: { type: 'string' },
    table: { type: 'string' },
    port: { type: 'string', default: '0' },
    'listen-fd': { type: 'string' },
    rack: { type: 'string' },
    copy: { type: 'string' },
    witness: { type: 'string' },
    upstream: { type: 'string' },
    supervised: { type: 'boolean', default: false },
    production: { type: 'boolean', default: false },
    'simulators-allowed': { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    'display-uid': { type: 'string', multiple: true, default: [] },
    'report-rounds': { type: 'boolean', default: false },
    demo: { type: 'boolean', default: false },
    pace: { type: 'string' },
    sim: { type: 'string' },
    renderer: { type: 'string', default: here('../build/renderer') },
  },
});

const DISK_AGAIN_MS = 5_000;
const LEDGER_AGAIN_MS = 5_000;
/** How often the supervisor hears that this process still does something. */
const ALIVE_MS = 1_000;

const fail = (problem: string): never => {
  log(problem);
  process.exit(2);
};

function number(name: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value < min || value > max)
    fail(`--${name} ${text}: a number from ${min} to ${max}`);
  return value;
}

/** The table that was asked for by name. */
function profileOf(name: string): TableProfile {
  const table = tables.find((each) => each.name === name);
  if (!table) return fail(`--table ${name}: there are ${tables.map((each) => each.name).join(', ')}`);
  const why = problemsOf(table, Date.now()).map(sentenceOf).join('; ');
  return table.profile !== null && why === ''
    ? table.profile
    : fail(`--table ${name}: ${table.path}: ${why}`);
}

/** What a line on stdin says; nothing where it is no object. */
function objectOf(line: string): object {
  try {
    const value = parseBounded(line, { characters: LINE_CHARACTERS, depth: 8 });
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

const dataDir = values.data ?? fail('--data DIR is missing: where the ledger lives');
const read = <T>(path: string, reader: (path: string) => T): T => {
  try {
    return reader(path);
  } catch (error) {
    return fail((error as Error).message);
  }
};
const DEMONSTRATION = here('./profiles/demo.json');
const profilePath = values.profile ?? DEMONSTRATION;
const file = read(profilePath, readTerminalFile);
if (file.devices)
  for (const option of ['rack', 'sim', 'demo'] as const)
    if (values[option])
      fail(`--${option} needs simulated devices, and ${profilePath} names real ones in its section devices`);
const asked = { production: values.production, simulatorsAllowed: values['simulators-allowed'] };
const production = isProduction(file, asked);
if (production) {
  const why = whyNotForMoney({
    path: values.profile ?? null,
    file,
    demonstration: { path: DEMONSTRATION, file: read(DEMONSTRATION, readTerminalFile) },
    dataDir,
    witnessDir: values.witness ?? null,
    tablesDir: values.tables ?? null,
    simulating: (['rack', 'sim', 'demo', 'pace', 'simulators-allowed'] as const)
      .filter((name) => values[name])
      .map((name) => `--${name}`),
  });
  if (why !== null) fail(why);
}
const tables = read(profilePath, (path) => readTables(path, file.profile, values.tables ?? null));
const profile = values.table === undefined ? file.profile : profileOf(values.table);
if (values.sim !== undefined && values.demo)
  fail('--sim plays a script and --demo plays by itself: one of them');
if (file.devices && file.secondReader !== undefined && !READ_RULEBOOKS.includes(profile.rulebook))
  fail(`${profile.rulebook}: the second reader does not know this rulebook; leave secondReader out`);
const approves = file.approvedSoftware !== undefined || file.softwareKey !== undefined;
if (values.check) {
  // Who asks by hand waits for it. A start asks again once it knows whose PIN is new, and what
  // table it has.
  if (!values.supervised) {
    const own = { name: OWN_TABLE, path: profilePath, profile, fileProblems: [] };
    const unlawful = problemsOf(own, Date.now()).map(sentenceOf).join('; ');
    if (unlawful !== '') fail(`${profilePath}: ${unlawful}`);
    const why = production ? await publishedPin(profilePath, file) : null;
    if (why !== null) fail(why);
  }
  const { devices, centre } = file;
  const displays = windowsOf(file.displays);
  say({
    ...{ checked: true, production, devices: devices !== undefined, centre: centre !== undefined },
    ...{ approves, displays },
  });
  process.exit(0);
}

const ownSoftware = (): Promise<SoftwareIdentity> =>
  readSoftware(here('..')).catch((error: Error) =>
    fail(`the files of the program cannot be read: ${error.message}`),
  );
/**
 * Nothing is played before an approved program is known to be one; where any may play, it is read
 * after the start.
 */
const softwareRead = approves ? ownSoftware() : null;
/** A third of a second of a processor, which the window needs to come up. */
const READ_LATER_MS = 3_000;
const softwareLater = Promise.withResolvers<SoftwareIdentity>();

const lines = createInterface({ input: process.stdin });
/** Of one line on stdin, the longest of which holds a key. */
const LINE_CHARACTERS = 65_536;
let unended = 0;
process.stdin.on('data', (data: Buffer | string) => {
  const at = data.lastIndexOf('\n');
  unended = at < 0 ? unended + data.length : data.length - at;
  if (unended > LINE_CHARACTERS) fail(`a line on stdin is longer than ${LINE_CHARACTERS} characters`);
});
const firstLine = values.supervised
  ? await new Promise<string>((resolve) => lines.once('line', resolve))
  : JSON.stringify({ sessionKey: randomBytes(32).toString('base64url') });
const { sessionKey: keyText, endedWhy } = objectOf(firstLine) as {
  readonly sessionKey?: unknown;
  /** How the life before this one ended, where the supervisor has seen it. */
  readonly endedWhy?: unknown;
};
const sessionKey = Buffer.from(String(keyText), 'base64url');
if (sessionKey.length !== 32) fail('the first line on stdin must be {"sessionKey":"<32 bytes, base64url>"}');

/** The code of simulated devices is loaded only where there are any. */
async function simulatedDevices(): Promise<Rack> {
  const { rackInProcess, rackOverSockets } = await import('./simulation/rack.ts');
  if (values.rack) return rackOverSockets(values.rack);
  return read(join(dataDir, 'devices.json'), (path) =>
    rackInProcess({ acceptors: acceptorCount(file.profile) }, path),
  );
}

async function scriptAt(path: string): Promise<readonly ScriptLine[]> {
  const { readScript } = await import('./simulation/script.ts');
  return read(path, readScript);
}

const script = values.sim === undefined ? null : await scriptAt(values.sim);

mkdirSync(dataDir, { recursive: true, mode: 0o700 });
const wrong = wrongIn(dataDir);
if (wrong !== null) fail(wrong);
const ledgerPath = join(dataDir, 'ledger.db');
const ownCopies = join(dataDir, 'copy');
const copies = values.copy ?? file.ledgerCopy ?? ownCopies;
// A folder on a second disk is made by people: without that disk it would be made on the first.
if (copies === ownCopies) mkdirSync(copies, { recursive: true });
const copyPath = copyIn(copies);
const known = [ledgerPath, copyPath].find((path) => existsSync(path) || hasBeenHere(path));
const hasKey = existsSync(join(dataDir, KEY_FILE));
if (known !== undefined && !hasKey)
  fail(`there is no key ${join(dataDir, KEY_FILE)}, and ${known} cannot be continued with another one`);
if (!hasKey) {
  writeFileSync(beginMark(ledgerPath), '');
  syncToDisk(dataDir);
}
const key = ownKey();
const { terminalId } = file.profile;

/** A key file that is none, or that others can read, stays that way until people change it. */
function ownKey(): LedgerKey {
  try {
    return loadOrCreateKey(dataDir);
  } catch (error) {
    if (error instanceof LedgerUnusable) return fail(error.message);
    throw error;
  }
}

const newWitness = (): Witness =>
  new Witness({
    folder: values.witness ?? join(dataDir, 'witness'),
    data: dataDir,
    terminalId,
    keyId: key.keyId,
    isOnlyOne: file.devices !== undefined,
  });
const counter = file.tpm === undefined ? null : new StartCounter(file.tpm);
const where = { dataDir, ledgerPath, copyPath, terminalId, key, counter };
const sessions = new Sessions(sessionKey, Date.now);
/** Displays of other machines. The key by which these know the terminal is made at the first. */
function networkOfDisplays(): DisplayNetwork | null {
  const network = networkOf(file.displays);
  if (network === null) return null;
  const identity = loadOrMakeTls(dataDir, 'displays', Date.now());
  log(`displays of the network know this terminal by the key ${pinOfPem(identity.cert)}`);
  return { ...network, identity };
}

const settings = {
  network: networkOfDisplays(),
  ledgerPath,
  rendererRoot: values.renderer,
  sessions,
  port: number('port', values.port, 0, 65_535),
  listenFd: values['listen-fd'] === undefined ? undefined : number('listen-fd', values['listen-fd'], 3, 1023),
  allowedUids: [
    process.getuid?.() ?? 0,
    ...values['display-uid'].map((uid) => number('display-uid', uid, 0, 2 ** 32)),
  ],
  now: Date.now,
  log,
};

const still = { ...settings, simulation: file.devices === undefined, profile };

/**
 * Stands still for as long as the disk refuses; then this process ends, and its successor plays on.
 */
async function unwritable(why: string, isOver: () => boolean): Promise<StoppedHost> {
  log(`THE DISK REFUSES EVERY WRITE: ${why}`);
  const until = setInterval(() => {
    if (!isOver()) return;
    log('the disk takes a write again');
    process.exit(1);
  }, DISK_AGAIN_MS);
  const little = await startStopped({ ...still, fault: 'storage-refuses', why });
  return {
    ...little,
    stop: () => {
      clearInterval(until);
      return little.stop();
    },
  };
}

/**
 * Stands still until the ledger is another one, or its witness is there after all; then this
 * process ends, and its successor looks.
 */
async function disputed(dispute: Dispute): Promise<StoppedHost> {
  const stood = await startDisputed({ ...still, dispute, terminalId, key, upstreamUrl });
  const was = statSync(ledgerPath, { throwIfNoEntry: false })?.ino;
  // As after a start that came before a disk or a TPM was ready.
  const isOver = (): boolean =>
    dispute.kind === 'unwitnessed' && disputeIn({ ...where, witness: newWitness() }) === null;
  const until = setInterval(() => {
    if (statSync(ledgerPath, { throwIfNoEntry: false })?.ino === was && !isOver()) return;
    log('the ledger is looked at again');
    process.exit(1);
  }, LEDGER_AGAIN_MS);
  return {
    ...stood,
    stop: () => {
      clearInterval(until);
      return stood.stop();
    },
  };
}

const refused = readyDisk(dataDir);
const rack = file.devices || refused !== null ? null : await simulatedDevices();
const upstreamUrl = values.upstream ?? file.centre ?? null;
function found(witness: Witness): Found {
  try {
    return findLedger({ ...where, witness, log });
  } catch (error) {
    // Another start cannot help: people have to look at it.
    if (error instanceof LedgerDamaged || error instanceof LedgerOfAnother) return fail(error.message);
    throw error;
  }
}
const startWhole = async (): Promise<Host | StoppedHost> => {
  const witness = newWitness();
  const at = found(witness);
  if (at.dispute !== null) return disputed(at.dispute);
  // Once the centre has sent a roster those of the file are not let in.
  const isOfFile = ordersIn(at.ledger).orders.roster === null;
  const newPins = production && isOfFile ? newPinsOf(at.ledger, file.people, key) : [];
  if (newPins.length > 0)
    log(`the published PINs are tried on ${newPins.length} people with a new PIN: some seconds for each`);
  const why = await publishedPin(profilePath, file, newPins);
  if (why !== null) return fail(why);
  const software = softwareRead && (await softwareRead);
  return startHost({
    ...settings,
    ledger: at.ledger,
    copy: { path: copyPath, found: at.copy },
    witness,
    counter,
    key,
    file: { ...file, profile },
    rosterDir: join(dataDir, 'rosters'),
    tables,
    rack,
    storage: file.storage ?? defaultStorage(dataDir),
    upstreamUrl,
    software: software ?? softwareLater.promise,
    releaseProblem:
      software && file.softwareKey ? releaseProblem(here('..'), software, file.softwareKey) : null,
    ...(file.secondReader === undefined ? {} : { reader: { whenAbsent: file.secondReader } }),
    softwareNow: () => readSoftware(here('..')),
    endedWhy: typeof endedWhy === 'string' ? endedWhy : null,
    pace: number('pace', values.pace ?? '1', 0, 10),
    report: (line) => {
      if (!('round' in line) || values['report-rounds']) say(line);
      if ('shutdown' in line) endInOrder(String(line.shutdown));
    },
  }).catch((error: unknown) => {
    if (error instanceof FirstTableRefused) return fail(`${profilePath}: ${error.message}`);
    throw error;
  });
};
const host: Host | StoppedHost =
  refused === null
    ? await startWhole().catch((error: unknown) => {
        // The probe was taken and the ledger was not: only people can say what this disk is worth.
        if (isDiskRefusal(error)) return unwritable((error as Error).message, () => false);
        throw error;
      })
    : await unwritable(refused, () => readyDisk(dataDir) === null);
const { ticket, url } = host.ticketUrl('table', values.supervised ? SUPERVISED_TICKET_MS : PRINTED_TICKET_MS);
say({
  ready: true,
  port: host.port,
  ticket,
  url,
  terminal: file.profile.terminalId,
  publicKey: key.publicPem,
});
if (values.supervised) setInterval(() => say({ alive: true }), ALIVE_MS).unref();
if (softwareRead === null && host.terminal)
  setTimeout(() => softwareLater.resolve(ownSoftware()), READ_LATER_MS).unref();
if (values.demo && host.terminal) host.demo({ dealer: true, players: true });

let stopping = false;
let endsBecause = 'the supervisor is gone';
/** A script that was cut short has not been played. */
let exitCode = script ? 1 : 0;
/** A supervisor ends the window first, and then this process by its standard input. */
function endInOrder(why: string): void {
  log(`${why}: the program ends in order`);
  endsBecause = why;
  if (!values.supervised) void stop(why);
}
async function stop(why: string): Promise<void> {
  if (stopping) return;
  stopping = true;
  await host.stop(why);
  process.exit(exitCode);
}
process.on('SIGTERM', () => void stop('asked to'));
process.on('SIGINT', () => void stop('asked to'));
// Nobody asks for tickets any more: the supervisor is gone, and nothing may be left behind without
// it.
if (values.supervised) lines.on('close', () => void stop(endsBecause));

lines.on('line', (line) => {
  let role: DisplayRole | null = null;
  try {
    const said = objectOf(line) as { mint?: unknown; restarted?: unknown; why?: unknown };
    if (typeof said.restarted === 'string' && typeof said.why === 'string') {
      if (host.terminal) host.processRestarted(said.restarted, said.why);
      return;
    }
    role = parseRole(said.mint);
  } catch {
    role = null;
  }
  if (role === null) log(`not understood on stdin: ${line.slice(0, 80)}`);
  else say({ ...host.ticketUrl(role, values.supervised ? SUPERVISED_TICKET_MS : PRINTED_TICKET_MS), role });
});

if (script && rack && host.terminal) {
  const { playScript } = await import('./simulation/script.ts');
  const done = await playScript(script, {
    host,
    rack,
    say: (line) => process.stderr.write(`${JSON.stringify(line)}\n`),
  });
  if (done) exitCode = 0;
  await stop('the script is over');
}
