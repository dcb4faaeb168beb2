import { randomUUID } from 'node:crypto';
import { WebSocket } from 'ws';
import type { Command } from '../wire/commands.ts';
import { PROTOCOL_VERSION } from '../wire/version.ts';

/**
 * A display on the real wire that sends commands and does not read the pictures it is sent: seven
 * displays in this one process that did would measure themselves and not the host.
 */
export class BlindDisplay {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<string, (status: string) => void>();

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data) => {
      const text = String(data);
      if (text.startsWith('{"t":"view"')) return;
      const message = JSON.parse(text) as { t: string; id?: string; status?: string; n?: number };
      if (message.t === 'ping') socket.send(JSON.stringify({ t: 'pong', n: message.n }));
      if (message.t === 'answer') this.#waiting.get(message.id ?? '')?.(message.status ?? '');
    });
  }

  /** Spends the ticket of `url`, connects and waits for the welcome. */
  static async connect(url: string): Promise<BlindDisplay> {
    const { origin } = new URL(url);
    const page = await fetch(url, { redirect: 'manual' });
    const cookie = page.headers.get('set-cookie')?.split(';')[0];
    if (!cookie) throw new Error(`the ticket was refused: ${page.status}`);
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws`, { headers: { cookie, origin } });
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.once('message', () => resolve());
      socket.once('open', () =>
        socket.send(JSON.stringify({ t: 'hello', version: PROTOCOL_VERSION, lastSeq: null })),
      );
    });
    return new BlindDisplay(socket);
  }

  /**
   * Milliseconds from sending to the answer `done`, which the host gives when the entry is on the
   * disk. Rejects on any other.
   */
  command(command: Command): Promise<number> {
    const id = randomUUID();
    return new Promise((resolve, reject) => {
      const start = performance.now();
      this.#waiting.set(id, (status) => {
        this.#waiting.delete(id);
        if (status === 'done') resolve(performance.now() - start);
        else reject(new Error(`${command.type}: ${status}`));
      });
      this.#socket.send(JSON.stringify({ t: 'command', id, command }));
    });
  }

  close(): void {
    this.#socket.close();
  }
}
