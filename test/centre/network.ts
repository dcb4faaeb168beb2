/**
 * A bad network between terminals and the instances of a centre: a proxy that loses, delays,
 * doubles, cuts and reorders messages. What happens to the n-th message of a terminal follows from
 * the seed.
 */
import { once } from 'node:events';
import { Agent, createServer, request as httpRequest, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { seeded } from './seeded.ts';

export interface Weather {
  readonly seed: number;
  /** Chance that a message is lost, on the way there and again on the way back. */
  readonly loss: number;
  /** Copies of a message that arrive, the first at once and the others later, among newer ones. */
  readonly copies: number;
  /** Chance that a message is doubled like that. */
  readonly copyChance: number;
  /** A message takes up to this long, each way; a copy up to ten times as long. */
  readonly latencyMs: number;
  /** Chance that a message arrives cut off in its middle. */
  readonly cut: number;
  /**
   * Chance that a terminal's line goes down with a message, and stays down for up to `outageMs`.
   */
  readonly outage: number;
  readonly outageMs: number;
}

export interface Network {
  readonly url: string;
  /** What was done to messages so far. */
  readonly counts: {
    messages: number;
    lost: number;
    answersLost: number;
    copies: number;
    cut: number;
    outages: number;
    refused: number;
  };
  /** Resolves when every late copy has arrived. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/**
 * `targets`: addresses of the instances; each message goes to one of them by chance, and the list
 * may change.
 */
export async function badNetwork(weather: Weather, targets: readonly string[]): Promise<Network> {
  const counts = { messages: 0, lost: 0, answersLost: 0, copies: 0, cut: 0, outages: 0, refused: 0 };
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const lines = new Map<string, { chance: () => number; downUntilMs: number }>();
  const lineOf = (path: string): { chance: () => number; downUntilMs: number } => {
    const terminal = path.split('/')[3] ?? '';
    let line = lines.get(terminal);
    if (line === undefined) {
      const own = [...terminal].reduce((sum, c) => Math.imul(sum, 31) + c.charCodeAt(0), weather.seed);
      line = { chance: seeded(own), downUntilMs: 0 };
      lines.set(terminal, line);
    }
    return line;
  };

  /** As before any service of several instances: one that refuses gets nothing for a while. */
  const asleepUntilMs = new Map<string, number>();
  const target = (at: number): string => {
    const awake = targets.filter((each) => (asleepUntilMs.get(each) ?? 0) <= performance.now());
    const among = awake.length > 0 ? awake : targets;
    return among[Math.floor(at * among.length)]!;
  };

  const deliver = (to: string, { path, type, body }: Message, cutAt: number | null): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const request = httpRequest(to + path, {
        method: 'POST',
        agent,
        headers: { 'content-type': type, 'content-length': body.length },
      });
      request.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNREFUSED') {
          counts.refused += 1;
          asleepUntilMs.set(to, performance.now() + 5_000);
        }
        reject(error);
      });
      request.on('response', (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('error', reject);
        answer.on('end', () => resolve({ status: answer.statusCode ?? 500, body: Buffer.concat(parts) }));
      });
      if (cutAt === null) request.end(body);
      else request.write(body.subarray(0, cutAt), () => request.destroy(new Error('cut')));
    });

  const late = new Set<Promise<void>>();
  const deliverLater = (to: string, message: Message, afterMs: number): void => {
    const copy = sleep(afterMs)
      .then(() => deliver(to, message, null))
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => late.delete(copy));
    late.add(copy);
  };

  const carry = async (message: Message, reply: ServerResponse): Promise<void> => {
    const line = lineOf(message.path);
    const { chance } = line;
    // Always as many draws, so that one message's fate does not move the next one's.
    const [lost, answerLost, cut, copied, down, downFor, there, back, which, cutAt] = Array.from(
      { length: 10 },
      chance,
    ) as [number, number, number, number, number, number, number, number, number, number];
    const copyDraws = Array.from({ length: (weather.copies - 1) * 2 }, chance);
    counts.messages += 1;
    const drop = (): void => {
      reply.destroy();
    };
    if (down < weather.outage) {
      counts.outages += 1;
      line.downUntilMs = performance.now() + downFor * weather.outageMs;
    }
    if (performance.now() < line.downUntilMs) return drop();
    await sleep(there * weather.latencyMs);
    if (lost < weather.loss) {
      counts.lost += 1;
      return drop();
    }
    if (copied < weather.copyChance) {
      counts.copies += weather.copies - 1;
      for (let i = 0; i < copyDraws.length; i += 2)
        deliverLater(target(copyDraws[i]!), message, copyDraws[i + 1]! * weather.latencyMs * 10);
    }
    const isCut = cut < weather.cut;
    if (isCut) counts.cut += 1;
    try {
      const answer = await deliver(
        target(which),
        message,
        isCut ? Math.floor(cutAt * message.body.length) : null,
      );
      await sleep(back * weather.latencyMs);
      if (answerLost < weather.loss) {
        counts.answersLost += 1;
        return drop();
      }
      reply.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
    } catch {
      // A dead instance, or a message cut off: the terminal sees a broken connection.
      drop();
    }
  };

  const server = createServer((request, reply) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const type = request.headers['content-type'] ?? '';
      void carry({ path: request.url ?? '', type, body: Buffer.concat(parts) }, reply);
    });
    request.on('error', () => undefined);
    reply.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    counts,
    settled: async () => {
      while (late.size > 0) await Promise.all(late);
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      agent.destroy();
      await once(server, 'close');
    },
  };
}

interface Message {
  readonly path: string;
  readonly type: string;
  readonly body: Buffer;
}

interface Answer {
  readonly status: number;
  readonly body: Buffer;
}
