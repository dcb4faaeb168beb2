/**
 * What DATABASE_URL says, before and while it is tried, in sentences. No sentence has the password:
 * they go to a log.
 */
import { isIPv4 } from 'node:net';
import pg from 'pg';

const ANSWER_WITHIN_MS = 10_000;

/**
 * Who reads the address is the library itself, so that what is judged here is what it will do. Its
 * types know no options of TLS.
 */
interface Read {
  readonly host: string;
  readonly port: number;
  readonly ssl: unknown;
}

export interface PostgresRules {
  /** Something else than TLS keeps the way to the server. */
  readonly plainAllowed: boolean;
}

/**
 * The servers of an address, each as an address of its own, in their order:
 * `postgres://user:password@one:5432,two:5432/database`. The library knows no more than one.
 */
export function serversOf(url: string): readonly string[] {
  const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*,[^/?#@]*)((?:[/?#].*)?)$/s.exec(url);
  if (parts === null) return [url];
  const [, head, hosts, tail] = parts as unknown as [string, string, string, string];
  return hosts.split(',').map((host) => `${head}${host}${tail}`);
}

/** Why the centre does not even try this address; null = it does. */
export function refusalOf(url: string, rules: PostgresRules): string | null {
  if (!/^postgres(ql)?:\/\//.test(url))
    return 'DATABASE_URL is no address of PostgreSQL, as postgres://user:password@host/database?sslmode=verify-full';
  const wanted = /[?&]target_session_attrs=([^&#]*)/.exec(url)?.[1] ?? 'read-write';
  if (wanted !== 'read-write' && wanted !== 'primary')
    return `DATABASE_URL: target_session_attrs=${wanted}: the centre writes, so it takes read-write or primary`;
  const servers = serversOf(url);
  if (servers.some((each) => /^[^:]*:\/\/(?:[^/?#]*@)?(?:[/?#:]|$)/.test(each)) && servers.length > 1)
    return 'DATABASE_URL: one of several servers has no name, as in postgres://user:password@one:5432,two:5432/database';
  return servers.map((server) => refusalOfOne(server, rules)).find((why) => why !== null) ?? null;
}

function refusalOfOne(url: string, { plainAllowed }: PostgresRules): string | null {
  let read: Read;
  try {
    read = new pg.Client({ connectionString: url });
  } catch (error) {
    // `Invalid URL` is about the whole of it, the rest about a file or an option that it names.
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ERR_INVALID_URL'
      ? 'DATABASE_URL cannot be read: signs such as @ : / # ? in the password are written as %40 %3A %2F %23 %3F'
      : `DATABASE_URL cannot be read: ${message}`;
  }
  if (plainAllowed || isHere(read.host) || isChecked(read.ssl)) return null;
  return `DATABASE_URL: ${placeOf(read)} is across a network, and its entries would travel ${
    read.ssl ? 'to whoever answers there: no certificate is looked at' : 'in clear'
  }. Use ?sslmode=verify-full, with &sslrootcert=FILE for an authority of your own; --database-plain says that something else encrypts`;
}

/** This machine, or a socket in its file system. */
const isHere = (host: string): boolean =>
  host.startsWith('/') || host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));

const isChecked = (ssl: unknown): boolean =>
  ssl === true ||
  (typeof ssl === 'object' && ssl !== null && !('rejectUnauthorized' in ssl && !ssl.rejectUnauthorized));

const placeOf = ({ host, port }: Read): string => (host.startsWith('/') ? host : `${host}:${port}`);

/**
 * Connects once. Rejects with a sentence where nobody answers or the database is not the right one;
 * of several servers, where none takes writes.
 */
export async function greetPostgres(url: string, withinMs = ANSWER_WITHIN_MS): Promise<void> {
  const servers = serversOf(url);
  const why: Error[] = [];
  for (const server of servers) {
    try {
      return await greetOne(server, withinMs, servers.length > 1);
    } catch (error) {
      why.push(error as Error);
    }
  }
  if (why.length === 1) throw why[0]!;
  throw new Error(why.map(({ message }) => message).join('; '), { cause: why[0] });
}

async function greetOne(url: string, withinMs: number, isOfSeveral: boolean): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: withinMs });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    throw new Error(whyNot(error as NodeJS.ErrnoException, client, withinMs), { cause: error });
  }
  try {
    const { rows } = await client.query<{ encoding: string; standby: boolean }>(
      "SELECT current_setting('server_encoding') AS encoding, pg_is_in_recovery() AS standby",
    );
    const { encoding = 'unknown', standby = false } = rows[0] ?? {};
    if (standby && isOfSeveral) throw new Error(`${placeOf(client)} is a standby`);
    if (encoding !== 'UTF8')
      throw new Error(
        `${client.database ?? 'the database'} at ${placeOf(client)} is encoded in ${encoding}; entries need UTF8: CREATE DATABASE banca ENCODING 'UTF8' TEMPLATE template0`,
      );
  } finally {
    await client.end();
  }
}

function whyNot(
  error: NodeJS.ErrnoException & { readonly errors?: readonly Error[] },
  read: Read,
  withinMs: number,
): string {
  const place = placeOf(read);
  // A name with several addresses: each has failed, and the whole has no message.
  const [first] = error.errors ?? [];
  const { code = '', message } = (first as NodeJS.ErrnoException | undefined) ?? error;
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the name ${read.host} of DATABASE_URL leads to no address`;
    case 'ECONNREFUSED':
    case 'ENOENT':
      return `no database answers at ${place}`;
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `the network does not lead to ${place}`;
    case '28P01':
    case '28000':
      return `${place} does not let this user in: ${message}`;
    case '3D000':
      return `${place} has no such database: ${message}`;
    default:
      if (/timeout expired|ETIMEDOUT/.test(`${message} ${code}`))
        return `${place} has not answered within ${withinMs / 1000} s`;
      if (/does not support SSL/.test(message)) return `${place} offers no TLS`;
      if (/CERT|SELF_SIGNED|UNABLE_TO/.test(code))
        return `the certificate of ${place} is not accepted: ${message}; sslrootcert=FILE names the authority that has signed it`;
      return `${place}: ${message || code}`;
  }
}
