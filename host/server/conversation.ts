/** What connected displays say to the host, and what it says to each of them. */

import { isDeepStrictEqual } from 'node:util';
import type { Command } from '../../wire/commands.ts';
import type { DisplayRole } from '../../wire/display.ts';
import type { ToDisplay } from '../../wire/messages.ts';
import { mayQuery } from '../../wire/roles.ts';
import { PROTOCOL_VERSION } from '../../wire/version.ts';
import type { TableView } from '../../wire/view.ts';
import type { DisplayMeasures } from '../pages/display-page.ts';
import type { Queries } from '../pages/queries.ts';
import { type Eyes, eyesOf, shownTo } from '../table/shown-to.ts';
import type { Outcome } from '../table/terminal.ts';
import { type CommandContext, execute } from './commands.ts';
import { type DisplayConnection, encode } from './displays.ts';
import { parseMessage } from './messages.ts';
import { COST, quietly, Rates } from './rates.ts';

export interface ConversationOptions {
  readonly context: CommandContext;
  readonly queries: Queries;
  readonly measures: DisplayMeasures;
  /** Hears of every role that is shown somewhere, and of every one that is not any more. */
  readonly watch: { there(role: DisplayRole): void; gone(role: DisplayRole): void };
  readonly view: () => TableView;
  readonly pong: (display: DisplayConnection) => void;
  /** Lines for the supervisor. */
  readonly report: (line: object) => void;
  readonly log: (line: string) => void;
  readonly crash: (error: Error) => void;
}

/** Touches of players, of whom several may touch at the same moment; they command no device. */
const PLAYED: ReadonlySet<Command['type']> = new Set([
  'place-bet',
  'undo-bet',
  'clear-bets',
  'repeat-bets',
  'double-bets',
  'decide',
]);

interface Sent {
  readonly display: DisplayConnection;
  readonly id: string;
  readonly command: Command;
}

export class Conversation {
  readonly #o: ConversationOptions;
  /** Touches that this turn of the event loop has read. */
  #played: Sent[] = [];
  /** Those that have said hello in our version: only they are shown anything. */
  readonly #greeted = new Set<DisplayConnection>();

  readonly #rates = new Rates();
  readonly #quiet: ReturnType<typeof quietly>;

  constructor(o: ConversationOptions) {
    this.#o = o;
    this.#quiet = quietly(o.log);
  }

  /**
   * The same picture for all, but for the cards that lie face down; made once for all who see the
   * same.
   */
  show(): void {
    if (this.#greeted.size === 0) return;
    const view = this.#o.view();
    const messages = new Map<Eyes, Buffer>();
    for (const display of this.#greeted) {
      const eyes = eyesOf(view, display.role);
      const message = messages.get(eyes) ?? encode({ t: 'view', view: shownTo(view, eyes) });
      messages.set(eyes, message);
      display.sendEncoded(message);
    }
  }

  /** @param frame one message a line */
  hear(display: DisplayConnection, frame: string): void {
    for (const line of frame.split('\n')) this.#hear(display, line);
  }

  #hear(display: DisplayConnection, text: string): void {
    const { context, crash, measures, pong, queries, report } = this.#o;
    const { role, session } = display;
    const allowance = this.#rates.take(session, role);
    if (allowance !== 'go') {
      this.#quiet(`flood ${session}`, `display ${role}: more messages than a display sends`);
      if (allowance === 'first-refused') display.send({ t: 'refused', reason: 'too many messages at once' });
      if (allowance === 'hang-up') display.close();
      return;
    }
    const parsed = parseMessage(text, role);
    if (!parsed.ok) {
      this.#rates.charge(session, COST.malformed);
      this.#quiet(session, `display ${role}: refused message: ${parsed.place}`);
      if (parsed.id === null) display.send({ t: 'refused', reason: parsed.place });
      else display.send(refusal(parsed.id, parsed.code, parsed.place));
      return;
    }
    const { message } = parsed;
    if (message.t === 'command' && PLAYED.has(message.command.type)) {
      this.#played.push({ display, id: message.id, command: message.command });
      if (this.#played.length === 1) setImmediate(() => this.#play());
      return;
    }
    // What has come before this message is done before it.
    this.#play();
    switch (message.t) {
      case 'hello':
        this.#greet(display, message.version);
        return;
      case 'pong':
        pong(display);
        return;
      case 'touched':
        context.service.touched(display.role);
        return;
      case 'painted':
        report({ painted: { role: display.role, ...message } });
        return;
      case 'measured':
        measures.take(display, message);
        return;
      case 'query': {
        const { id, query } = message;
        this.#rates.charge(session, COST.query);
        const service = context.terminal.state.service?.person.role ?? null;
        const now = { service, recalls: context.recall.possible, handedOver: context.handedOver() };
        if (mayQuery(display.role, query, now))
          queries.answer(query).then((data) => display.send({ t: 'result', id, ok: true, data }), crash);
        else display.send({ t: 'result', id, ok: false, code: 'service' });
        return;
      }
      case 'command':
        this.#answer(display, message.id, execute(context, role, message.id, message.command));
    }
  }

  /** The touches of one turn of the event loop are one commit and one view. */
  #play(): void {
    const played = this.#played;
    if (played.length === 0) return;
    this.#played = [];
    const { context, crash } = this.#o;
    const [first, ...others] = played;
    if (others.length === 0) {
      const { display, id, command } = first!;
      this.#answer(display, id, execute(context, display.role, id, command));
      return;
    }
    const outcomes: Promise<Outcome>[] = [];
    try {
      context.terminal.together(() => {
        for (const { display, id, command } of played)
          outcomes.push(execute(context, display.role, id, command));
      });
    } catch (error) {
      // Nobody knows what is stored, so nothing is answered.
      for (const outcome of outcomes) outcome.catch(() => {});
      crash(error as Error);
      return;
    }
    for (const [i, { display, id }] of played.entries()) this.#answer(display, id, outcomes[i]!);
  }

  #answer(display: DisplayConnection, id: string, outcome: Promise<Outcome>): void {
    outcome.then(
      (done) =>
        display.send(
          done.status === 'rejected'
            ? { t: 'answer', id, ...done }
            : { t: 'answer', id, status: done.status, seq: done.seq },
        ),
      this.#o.crash,
    );
  }

  /**
   * The supervisor renews a window that is gone; another one of the same role may still be there.
   */
  left(display: DisplayConnection, why: string): void {
    this.#greeted.delete(display);
    this.#o.measures.gone(display);
    const stillThere = [...this.#greeted].some((other) => other.role === display.role);
    if (why === 'replaced' || stillThere) return;
    this.#watched(() => this.#o.watch.gone(display.role));
    this.#o.report({ display: why, role: display.role });
  }

  /** What a display of its own shows, the big table does not: the others hear of it at once. */
  #watched(seen: () => void): void {
    const { context } = this.#o;
    const before = context.handedOver();
    seen();
    if (!isDeepStrictEqual(before, context.handedOver())) this.show();
  }

  #greet(display: DisplayConnection, version: number): void {
    if (version !== PROTOCOL_VERSION) {
      display.send({ t: 'refused', reason: `protocol ${version}, this host speaks ${PROTOCOL_VERSION}` });
      display.close();
      return;
    }
    const { role } = display;
    this.#watched(() => this.#o.watch.there(role));
    this.#greeted.add(display);
    this.#o.measures.there(display);
    this.#o.report({ display: 'up', role });
    const view = this.#o.view();
    display.send({
      t: 'welcome',
      version: PROTOCOL_VERSION,
      role,
      view: shownTo(view, eyesOf(view, role)),
    });
  }
}

const refusal = (
  id: string,
  code: Extract<ToDisplay, { status: 'rejected' }>['code'],
  detail: string | null,
  cites: readonly string[] = [],
): ToDisplay => ({ t: 'answer', id, status: 'rejected', code, cites, detail });
