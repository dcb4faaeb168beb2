import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that the kernel gives to whoever connects (32768 on): nobody takes one by chance. */
const [FIRST, LAST] = [20_000, 32_000] as const;

/** A port of 127.0.0.1 that nobody listens on, for a program that may listen on it again later. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST);
    const server = createServer();
    const heard = Promise.race([
      once(server, 'listening').then(() => true),
      once(server, 'error').then(() => false),
    ]);
    server.listen(port, '127.0.0.1');
    if (!(await heard.catch(() => false))) continue;
    await new Promise<void>((done) => server.close(() => done()));
    return port;
  }
}
