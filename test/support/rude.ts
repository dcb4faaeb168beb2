import { WebSocket } from 'ws';
import type { ToDisplay } from '../../wire/messages.ts';

/** A display that sends whatever bytes it likes. */
export class Rude {
  /** Everything but views and pings. */
  readonly heard: ToDisplay[] = [];
  readonly #socket: WebSocket;
  closedWith: number | null = null;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as ToDisplay;
      if (message.t !== 'view' && message.t !== 'ping') this.heard.push(message);
    });
    socket.on('close', (code) => {
      this.closedWith = code;
    });
    socket.on('error', () => {});
  }

  /** Spends the ticket of `url`; says nothing of its own. */
  static async connect(url: string): Promise<Rude> {
    const page = await fetch(url, { redirect: 'manual' });
    const cookie = page.headers.get('set-cookie')?.split(';')[0] ?? '';
    const { origin } = new URL(url);
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws`, { headers: { cookie, origin } });
    const rude = new Rude(socket);
    await new Promise((resolve, fail) => socket.once('open', resolve).once('error', fail));
    return rude;
  }

  send(data: string | Buffer): void {
    this.#socket.send(data);
  }

  /** Reads nothing any more, while the connection stays. */
  deafen(): void {
    this.#socket.pause();
  }

  close(): void {
    this.#socket.terminate();
  }
}
