/**
 * What carries batches: `fetch` over TLS 1.3 with a centre that is known by its key, where nothing
 * is sent before the key has been compared, or over plain HTTP inside this machine.
 *
 * The certificate's dates are judged by the centre's clock, not by ours: a terminal whose clock has
 * stopped must still deliver what it has, and against somebody who holds the pinned key dates
 * defend nothing, because they can write themselves a certificate with others.
 */
import { generateKeyPairSync, type X509Certificate } from 'node:crypto';
import type { IncomingMessage, Agent as PlainAgent } from 'node:http';
import { Agent, request as tlsRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import { type ConnectionOptions, connect } from 'node:tls';
import { makeCertificate, NO_END_MS, pinOf } from '../chain/certificate.codec.ts';
import { EXCLUSION_CHARACTERS } from '../chain/exclusions.codec.ts';
import { keyFromPrivate, type LedgerKey } from '../chain/key.ts';
import { http } from '../chain/node-http.ts';

/**
 * Of one answer at most: sixteen commands, each with the longest bundle of profiles or a roster,
 * one list of exclusions, and the signs that JSON puts before quotes.
 */
export const ANSWER_BYTES = 2 ** 24 + 2 * EXCLUSION_CHARACTERS;

/** Thrown before anything was sent. */
export class WrongCentre extends Error {}
/** The centre itself says that its certificate is not valid now. */
export class CertificateOutOfDate extends Error {}

export interface CentreFetch {
  readonly fetch: typeof fetch;
  close(): void;
}

/** `onPart`: something of the answer has come. */
export interface CentreRequest extends Omit<RequestInit, 'body'> {
  readonly body?: string | Uint8Array<ArrayBuffer> | null;
  readonly onPart?: () => void;
}

type Connected = (error: Error | null, socket: Duplex) => void;

class PinnedAgent extends Agent {
  readonly #pins: readonly string[];
  readonly #identity: ConnectionOptions;
  /**
   * Certificates are asked for once, after the handshake: later the socket may not know them any
   * more.
   */
  readonly shown = new WeakMap<Duplex, X509Certificate>();

  constructor(pins: readonly string[], identity: ConnectionOptions) {
    super({ keepAlive: true, maxSockets: 2 });
    this.#pins = pins;
    this.#identity = identity;
  }

  override createConnection(options: ConnectionOptions, connected?: Connected): undefined {
    const { host, port, servername } = options;
    const socket = connect({
      ...(host === undefined ? {} : { host }),
      ...(port === undefined ? {} : { port }),
      ...(servername === undefined ? {} : { servername }),
      ...this.#identity,
      minVersion: 'TLSv1.3',
      // The pin takes the place of an authority.
      rejectUnauthorized: false,
    });
    const failed = (error: Error): void => connected?.(error, socket);
    socket.once('error', failed);
    socket.once('secureConnect', () => {
      socket.removeListener('error', failed);
      const shown = socket.getPeerX509Certificate();
      const pin = shown === undefined ? 'none' : keyOf(shown);
      if (shown !== undefined && this.#pins.includes(pin)) {
        this.shown.set(socket, shown);
        connected?.(null, socket);
        return;
      }
      socket.on('error', () => undefined).destroy();
      failed(new WrongCentre(`the centre shows the key ${pin}, known is ${this.#pins.join(' or ')}`));
    });
    return undefined;
  }
}

/** A certificate may hold a key of a kind that nobody here can read. */
function keyOf(shown: X509Certificate): string {
  try {
    return pinOf(shown);
  } catch {
    return 'unreadable';
  }
}

/**
 * @param key of the ledger: it signs a certificate for a fresh TLS key of this process, by which
 * the centre knows us
 */
export function pinnedFetch(pins: readonly string[], terminal: string, key: LedgerKey): CentreFetch {
  const { privateKey } = generateKeyPairSync('ed25519');
  // Our clock may be wrong, and this certificate ends with the process.
  const validity = { notBeforeMs: 0, notAfterMs: NO_END_MS };
  const { publicKey } = keyFromPrivate(privateKey);
  const cert = makeCertificate({ subject: terminal, issuer: terminal, publicKey, ...validity }, key.sign);
  const agent = new PinnedAgent(pins, {
    cert,
    key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  });
  return over(tlsRequest, agent, (answer) => outOfDate(agent.shown.get(answer.socket), answer.headers.date));
}

/**
 * The same inside this machine, without TLS. Node's own `fetch` copies a batch three times over:
 * half of what sending it takes.
 */
export const plainFetch = (): CentreFetch =>
  over(http.request, new http.Agent({ keepAlive: true, maxSockets: 2 }), () => null);

/** @param wrong what is wrong with an answer, null when nothing is */
function over(
  request: typeof http.request,
  agent: PlainAgent,
  wrong: (answer: IncomingMessage) => Error | null,
): CentreFetch {
  const send: typeof fetch = (url, init) =>
    new Promise((resolve, reject) => {
      const { body = null, onPart } = (init ?? {}) as CentreRequest;
      const sent = request(
        url instanceof Request ? url.url : url,
        {
          agent,
          method: init?.method ?? 'GET',
          headers: {
            ...(init?.headers as Record<string, string>),
            ...(body === null ? {} : { 'content-length': Buffer.byteLength(body) }),
          },
          ...(init?.signal ? { signal: init.signal } : {}),
        },
        (answer) => {
          const error = judged(() => wrong(answer));
          const parts: Buffer[] = [];
          let size = 0;
          answer.on('data', (part: Buffer) => {
            size += part.length;
            onPart?.();
            if (size > ANSWER_BYTES)
              answer.destroy(new Error(`the centre answered with more than ${ANSWER_BYTES} bytes`));
            else parts.push(part);
          });
          answer.on('error', reject);
          answer.on('end', () => {
            try {
              if (error !== null) throw error;
              // Throws for a status that has no body or is none, such as 204 and 999.
              resolve(new Response(Buffer.concat(parts), { status: answer.statusCode ?? 0 }));
            } catch (what) {
              reject(what as Error);
            }
          });
        },
      );
      sent.on('error', reject);
      // An answer that is none (`101 Switching Protocols`) ends the connection without a word.
      sent.on('close', () => reject(new Error('the centre hung up without an answer')));
      sent.end(body ?? undefined);
    });
  return { fetch: send, close: () => agent.destroy() };
}

/** What is thrown by judging is what is wrong: a certificate may name dates that no clock knows. */
function judged(judge: () => Error | null): Error | null {
  try {
    return judge();
  } catch (error) {
    return error as Error;
  }
}

function outOfDate(
  certificate: X509Certificate | undefined,
  date: string | undefined,
): CertificateOutOfDate | null {
  if (certificate === undefined) return new CertificateOutOfDate('the centre showed no certificate');
  const nowMs = Date.parse(date ?? '');
  const { validFromDate, validToDate } = certificate;
  if (nowMs >= validFromDate.getTime() && nowMs <= validToDate.getTime()) return null;
  const [from, to] = [validFromDate.toISOString(), validToDate.toISOString()];
  return new CertificateOutOfDate(
    `the centre's certificate is valid from ${from} to ${to}; its clock says ${date ?? 'nothing'}`,
  );
}
