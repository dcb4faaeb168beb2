import { randomUUID } from 'node:crypto';
import { WebSocket } from 'ws';
import type { Command } from '../../wire/commands.ts';
import type { ToDisplay } from '../../wire/messages.ts';
import type { AnswerOf, Query } from '../../wire/queries.ts';
import { PROTOCOL_VERSION } from '../../wire/version.ts';
import type { TableView } from '../../wire/view.ts';

export type Answer = Extract<ToDisplay, { t: 'answer' }>;

const VIEW = '{"t":"view",';

/**
 * A display without a picture: speaks the wire as the page does, for tests that need hands and no
 * eyes.
 */
export class TestDisplay {
  #view: TableView;
  /** The newest one, while nobody has looked at it: most are looked at by nobody. */
  #unread: string | null = null;
  readonly #socket: WebSocket;
  readonly #answers = new Map<string, (answer: ToDisplay | null) => void>();
  readonly #waiting = new Set<() => void>();
  #gone = false;

  private constructor(socket: WebSocket, view: TableView) {
    this.#socket = socket;
    this.#view = view;
    socket.on('message', (data) => {
      const text = String(data);
      if (text.startsWith(VIEW)) {
        this.#unread = text;
        this.#wake();
      } else this.#take(JSON.parse(text) as ToDisplay);
    });
    socket.on('close', () => {
      this.#gone = true;
      for (const resolve of this.#answers.values()) resolve(null);
      this.#wake();
    });
  }

  /**
   * Spends the ticket of `url`, connects, says hello and waits for the first view. Every message
   * goes to `heard` as it comes.
   */
  static async connect(url: string, heard: string[] = []): Promise<TestDisplay> {
    const { origin } = new URL(url);
    const page = await fetch(url, { redirect: 'manual' });
    const cookie = page.headers.get('set-cookie')?.split(';')[0];
    if (page.status !== 303 || !cookie) throw new Error(`the ticket was refused: ${page.status}`);
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws`, { headers: { cookie, origin } });
    socket.on('message', (data) => heard.push(String(data)));
    const welcome = new Promise<TableView>((resolve, fail) => {
      socket.on('error', fail);
      socket.on('close', () => fail(new Error('closed before the welcome')));
      socket.on('message', function first(data) {
        const message = JSON.parse(String(data)) as ToDisplay;
        // A host that is slow to answer asks in between whether we are still there.
        if (message.t === 'ping') {
          socket.send(JSON.stringify({ t: 'pong', n: message.n }));
          return;
        }
        socket.off('message', first);
        if (message.t === 'welcome') resolve(message.view);
        else fail(new Error(`no welcome but ${message.t}`));
      });
    });
    socket.on('open', () =>
      socket.send(JSON.stringify({ t: 'hello', version: PROTOCOL_VERSION, lastSeq: null })),
    );
    return new TestDisplay(socket, await welcome);
  }

  get view(): TableView {
    if (this.#unread !== null)
      this.#view = (JSON.parse(this.#unread) as Extract<ToDisplay, { t: 'view' }>).view;
    this.#unread = null;
    return this.#view;
  }

  get gone(): boolean {
    return this.#gone;
  }

  /** Null when the host went away before it answered. */
  async command(command: Command, id: string = randomUUID()): Promise<Answer | null> {
    return (await this.#ask(id, { t: 'command', id, command })) as Answer | null;
  }

  async query<Q extends Query>(query: Q): Promise<AnswerOf<Q>> {
    const id = randomUUID();
    const answer = await this.#ask(id, { t: 'query', id, query });
    if (answer?.t !== 'result' || !answer.ok) throw new Error(`query refused: ${JSON.stringify(answer)}`);
    return answer.data as AnswerOf<Q>;
  }

  /** What there is to be found: null is an error. */
  async found<Q extends Query>(query: Q): Promise<NonNullable<AnswerOf<Q>>> {
    const answer = await this.query(query);
    if (answer === null || answer === undefined) throw new Error(`not found: ${JSON.stringify(query)}`);
    return answer;
  }

  /**
   * Resolves with the first view that satisfies; null when the host went away or the time was up.
   */
  async until(holds: (view: TableView) => boolean, limitMs = 180_000): Promise<TableView | null> {
    const end = performance.now() + limitMs;
    while (!holds(this.view)) {
      if (this.#gone || performance.now() > end) return null;
      await new Promise<void>((resolve) => {
        const done = (): void => {
          clearTimeout(timer);
          this.#waiting.delete(done);
          resolve();
        };
        const timer = setTimeout(done, 250);
        this.#waiting.add(done);
      });
    }
    return this.view;
  }

  close(): void {
    this.#socket.close();
  }

  #ask(id: string, message: object): Promise<ToDisplay | null> {
    return new Promise((resolve) => {
      if (this.#gone) {
        resolve(null);
        return;
      }
      this.#answers.set(id, resolve);
      this.#socket.send(JSON.stringify(message));
    });
  }

  #take(message: ToDisplay): void {
    if (message.t === 'ping') this.#socket.send(JSON.stringify({ t: 'pong', n: message.n }));
    // A refusal does not say which message it refuses: everything unanswered has failed.
    if (message.t === 'refused') {
      for (const resolve of this.#answers.values()) resolve(message);
      this.#answers.clear();
    }
    if (message.t === 'answer' || message.t === 'result') {
      this.#answers.get(message.id)?.(message);
      this.#answers.delete(message.id);
    }
    this.#wake();
  }

  #wake(): void {
    for (const waiting of [...this.#waiting]) waiting();
  }
}
