/**
 * The casino's centre as a process: `node upstream/main.ts --data DIR [--port N | --listen-fd N]
 * [--host ADDRESS] [--enrol-dir DIR] [--command-key BASE64] [--tls [--tls-key FILE --tls-cert FILE]
 * [--operator-host ADDRESS] [--operator-port N]] [--operator-address URL]
 * [--operator-password FILE] [--provider FILE]
 * [--receipt-port N [--receipt-host ADDRESS]] [--floor FILE] [--closing-key FILE]
 * [--behind-proxy] [--database-plain] [--supervised]`. With DATABASE_URL it stores on that
 * PostgreSQL server, else in an embedded one under DIR. Prints one line of JSON when it is ready.
 * `--supervised`: ends when its stdin does.
 */
import { isIP, isIPv4 } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { argumentsOf } from '../ledger/chain/program-arguments.ts';
import { loadOrMakeTls, pinOfPem } from '../ledger/chain/tls.store.ts';
import { loadOrMakeClosingKey } from './day/closing-key.ts';
import { openEmbedded, openPostgres } from './db.store.ts';
import { NO_PLAN, readFloorPlan } from './floor-plan.ts';
import { sayFatal } from './log.ts';
import { readProvider } from './oidc.ts';
import { loadOrMakePassword } from './password.store.ts';
import { createReceipts } from './receipts.ts';
import { createCentre, createTlsCentre } from './server.ts';

function fail(message: string): never {
  sayFatal(message);
  process.exit(2);
}

const { values } = argumentsOf({
  options: {
    data: { type: 'string' },
    port: { type: 'string', default: '0' },
    'listen-fd': { type: 'string' },
    host: { type: 'string', default: '127.0.0.1' },
    'enrol-dir': { type: 'string' },
    'command-key': { type: 'string' },
    tls: { type: 'boolean', default: false },
    'tls-key': { type: 'string' },
    'tls-cert': { type: 'string' },
    'operator-host': { type: 'string', default: '127.0.0.1' },
    'operator-port': { type: 'string', default: '0' },
    'operator-address': { type: 'string' },
    'operator-password': { type: 'string' },
    provider: { type: 'string' },
    'receipt-host': { type: 'string', default: '127.0.0.1' },
    'receipt-port': { type: 'string' },
    floor: { type: 'string' },
    'closing-key': { type: 'string' },
    'behind-proxy': { type: 'boolean', default: false },
    'database-plain': { type: 'boolean', default: false },
    supervised: { type: 'boolean', default: false },
  },
});
const portOf = (name: 'port' | 'operator-port' | 'receipt-port'): number => {
  const port = Number(values[name]);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  return fail(`--${name} ${values[name]} is not a port`);
};
const port = portOf('port');
const operatorPort = portOf('operator-port');
const receiptPort = values['receipt-port'] === undefined ? null : portOf('receipt-port');
const isThisMachine = (host: string): boolean => (isIPv4(host) ? host.startsWith('127.') : host === '::1');
if (!values.tls && !isThisMachine(values.host) && !values['behind-proxy'])
  fail(
    `--host ${values.host}: across a network entries travel with --tls, or --behind-proxy says what does it`,
  );
if (!isThisMachine(values['operator-host']) && !values['behind-proxy'])
  fail(
    `--operator-host ${values['operator-host']}: passwords and sessions would cross the network in clear; --behind-proxy says what encrypts`,
  );
if (!isThisMachine(values['receipt-host']) && !values['behind-proxy'])
  fail(
    `--receipt-host ${values['receipt-host']}: telephones check signatures over https alone; --behind-proxy says what encrypts`,
  );
if (values.tls && values.data === undefined) fail('--tls needs --data DIR: where its key lives');
if ((values['tls-key'] === undefined) !== (values['tls-cert'] === undefined))
  fail('--tls-key and --tls-cert belong together');
const commandKey = values['command-key'] === undefined ? null : Buffer.from(values['command-key'], 'base64');
if (commandKey !== null && commandKey.length !== 32) fail('--command-key is not 32 bytes in base64');

const databaseUrl = process.env['DATABASE_URL'];
const dataDir = values.data ?? (databaseUrl ? '' : fail('--data DIR is missing: where the database lives'));
const passwordFile = resolve(
  values['operator-password'] ??
    (dataDir
      ? join(dataDir, 'operator-password')
      : fail('--data DIR or --operator-password FILE is missing')),
);
/** Beside the other: who may add people is on this machine, and no program that reads figures. */
const peoplePasswordFile = join(dirname(passwordFile), 'people-password');
const orFail = <T>(work: () => T, about = ''): T => {
  try {
    return work();
  } catch (error) {
    return fail(about + (error as Error).message);
  }
};
const [password, peoplePassword] = [passwordFile, peoplePasswordFile].map((file) =>
  orFail(() => loadOrMakePassword(file)),
) as [string, string];
const closingKey = orFail(() =>
  loadOrMakeClosingKey(resolve(values['closing-key'] ?? join(dirname(passwordFile), 'closing-key.pem'))),
);
const address = addressOf(values['operator-address'] ?? null);
const provider = values.provider === undefined ? null : orFail(() => readProvider(values.provider!));
/** Passkeys belong to a name, and browsers give them to https alone. */
function addressOf(text: string | null): string | null {
  if (text === null) return null;
  const url = URL.parse(text);
  if (url?.protocol === 'https:' && url.href === `${url.origin}/` && isIP(url.hostname) === 0)
    return url.origin;
  return fail(`--operator-address ${text}: expected https://NAME, as people reach the pages`);
}
const floor = values.floor === undefined ? NO_PLAN : orFail(() => readFloorPlan(values.floor!), '--floor: ');
const db = await (databaseUrl
  ? openPostgres(databaseUrl, { plainAllowed: values['database-plain'] })
  : openEmbedded(join(dataDir, 'postgres'))
).catch((error: Error) => fail(`the database cannot be opened: ${error.message}`));
const options = {
  db,
  enrolDir: values['enrol-dir'] ?? null,
  commandKey,
  password,
  peoplePassword,
  address,
  provider,
  floor,
  closingKey,
  isBehindProxy: values['behind-proxy'],
  log: true,
};
const listen = (app: ReturnType<typeof createCentre>, host: string, at: number): Promise<string> =>
  app
    .listen({ host, port: at })
    .catch((error: Error) => fail(`cannot listen on ${host}:${at}: ${error.message}`));

interface Started {
  close(): Promise<void>;
  readonly said: object;
  readonly log: ReturnType<typeof createCentre>['log'];
}

async function startTls(): Promise<Started> {
  const [key, cert] = [values['tls-key'], values['tls-cert']];
  const identity = (() => {
    try {
      const own = key === undefined || cert === undefined ? null : { key, cert };
      return loadOrMakeTls(join(dataDir, 'tls'), 'centre', Date.now(), own);
    } catch (error) {
      return fail((error as Error).message);
    }
  })();
  const { terminals, operators } = createTlsCentre(options, identity);
  const url = await listen(terminals, values.host, port);
  const operator = await listen(operators, values['operator-host'], operatorPort);
  return {
    close: async () => {
      await terminals.close();
      await operators.close();
    },
    said: { url, port: Number(new URL(url).port), pin: pinOfPem(identity.cert), operator },
    log: terminals.log,
  };
}

async function startPlain(): Promise<Started> {
  const centre = createCentre(options);
  const fd = values['listen-fd'];
  // A socket that this process was started with: it is its giver's, and stays when this process
  // ends.
  const url = await (fd === undefined
    ? listen(centre, values.host, port)
    : centre.listen({ host: values.host, fd: Number(fd) } as object));
  return {
    close: () => centre.close(),
    said: { url, port: Number(new URL(url).port), operator: url },
    log: centre.log,
  };
}

/** The page of receipts; null where nobody asked for it. */
async function startReceipts(at: number | null): Promise<{ close(): Promise<void>; url: string } | null> {
  if (at === null) return null;
  const receipts = (() => {
    try {
      return createReceipts({ db, log: true });
    } catch (error) {
      return fail(`the page of receipts is not built (npm run build): ${(error as Error).message}`);
    }
  })();
  const url = await listen(receipts, values['receipt-host'], at);
  return { close: () => receipts.close(), url };
}

const centre = await (values.tls ? startTls() : startPlain());
const receipts = await startReceipts(receiptPort);

/** What was acknowledged is on the disk: nobody who stays connected holds the end up longer. */
const END_WITHIN_MS = 10_000;

let stopping = false;
async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  centre.log.info('ending');
  setTimeout(() => process.exit(0), END_WITHIN_MS);
  await centre.close();
  await receipts?.close();
  await db.close();
  process.exit(0);
}
process.on('SIGTERM', () => void stop());
process.on('SIGINT', () => void stop());
if (values.supervised) {
  process.stdin.on('close', () => void stop()).resume();
  // The supervisor replaces a process that is stopped or hangs.
  setInterval(() => console.log('{"alive":true}'), 1_000).unref();
}

centre.log.info({ ...centre.said, database: db.engine }, 'ready');
console.log(
  JSON.stringify({
    ready: true,
    ...centre.said,
    ...(receipts === null ? {} : { receipts: receipts.url }),
    operatorPassword: passwordFile,
    peoplePassword: peoplePasswordFile,
    closingKey: Buffer.from(closingKey.publicKey).toString('base64'),
    database: db.engine,
  }),
);
