import { centreOrders } from '../../engine/table/centre-orders.ts';
import { COMMAND_ANSWERED, COMMAND_TAKEN } from '../../ledger/chain/command.codec.ts';
import type { LedgerKey } from '../../ledger/store/ledger.store.ts';
import { readCentreAddress } from '../../ledger/sync/centre-address.ts';
import {
  answerIdOf,
  type CommandDesk,
  createCommandDesk,
  NO_ORDERS,
  type OpenCommand,
  type OrdersInForce,
  ordersIn,
} from '../../ledger/sync/command-desk.ts';
import { createUploader, NO_LINK, type UploadStatus } from '../../ledger/sync/uploader.ts';
import type { ClockPage, LinkPage } from '../../wire/pages.ts';
import type { TableView } from '../../wire/view.ts';
import type { Terminal } from '../table/terminal.ts';
import type { Came, CentreAnswers } from './centre-answers.ts';
import type { Exclusions } from './exclusions.ts';
import { problemsOf, type ReadyTable, sentenceOf, tableOfCentre } from './ready-tables.ts';
import type { Staff } from './staff.ts';

export interface CentreOptions {
  readonly terminal: Terminal;
  readonly key: LedgerKey;
  /** Address of the centre, null = there is none. */
  readonly url: string | null;
  /** The table of the terminal file: a bundle of the centre changes the game, not the machine. */
  readonly own: Parameters<typeof tableOfCentre>[1];
  readonly staff: Pick<Staff, 'keep' | 'take'>;
  readonly exclusions: Pick<Exclusions, 'keep' | 'take'>;
  readonly answers: Pick<CentreAnswers, 'of'>;
  /** Wall clock, ms since 1970 UTC. */
  readonly wall: () => number;
  /** The link is another one than before. */
  readonly heard: (status: UploadStatus) => void;
  /** Something the displays show differs. */
  readonly changed: () => void;
  /** A bug, or a ledger that takes nothing: the process must end. */
  readonly crash: (error: Error) => void;
}

/** An orderly end waits so long for the centre to take what this life has written last. */
const LAST_WORD_MS = 2_000;
/** A timer of Node's takes no longer. */
const MOST_TIMER_MS = 2 ** 31 - 1;

/**
 * The host's end of the link: entries go to the centre, its orders come to the table. An order is
 * on the ledger before it is obeyed, and obeyed again at every start: whatever dies in between, it
 * is carried out once.
 */
export class Centre {
  readonly #o: CentreOptions;
  readonly #desk: CommandDesk | null;
  readonly #uploader: ReturnType<typeof createUploader> | null;
  #status: UploadStatus = NO_LINK;
  #message: NodeJS.Timeout | null = null;
  /** Numbers of commands whose answer is being found. */
  readonly #asked = new Set<number>();
  /** Of a terminal that takes no commands now: it stays as it was last ordered to be. */
  readonly #soundBefore: OrdersInForce['sound'];
  #isStopped = false;

  /** Throws RangeError for an address that cannot be used. */
  constructor(o: CentreOptions) {
    this.#o = o;
    const { terminal, key, url } = o;
    const commandKey = url === null ? null : readCentreAddress(url).commandKey;
    this.#desk =
      commandKey &&
      createCommandDesk({
        ledger: terminal.ledger,
        publicKey: commandKey,
        nowMs: () => terminal.now(),
        // Entries of both kinds have the form that the desk gives them.
        record: (kind, body, commandId) =>
          terminal.record({ type: kind, ...body } as Parameters<Terminal['record']>[0], commandId).status !==
          'rejected',
        keep: (type, sha256, text) => (type === 'roster' ? o.staff : o.exclusions).keep(sha256, text),
        onOrders: () => this.#obey(),
      });
    this.#soundBefore = this.#desk === null ? ordersIn(terminal.ledger).orders.sound : null;
    this.#uploader =
      url === null
        ? null
        : createUploader(terminal.ledger, {
            url,
            key,
            nowMs: o.wall,
            onStatus: (status) => {
              this.#status = status;
              o.changed();
              // Out of the uploader's hands: a ledger that refuses the entry ends the process, not
              // the upload.
              setImmediate(() => o.heard(status));
            },
            onCommands: (commands) => {
              try {
                if (!this.#isStopped) this.#desk?.take(commands);
              } catch (error) {
                // The uploader would take it for a fault of the line.
                o.crash(error as Error);
              }
            },
          });
  }

  get status(): UploadStatus {
    return this.#status;
  }

  start(): void {
    this.#obey();
    this.#uploader?.start();
  }

  wake(): void {
    this.#uploader?.wake();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#message) clearTimeout(this.#message);
    await this.#uploader?.stop(LAST_WORD_MS);
  }

  /**
   * Without a key for commands the table stays as it was last ordered to be: a lock is not taken
   * off by pulling a plug.
   */
  #obey(): void {
    const { terminal } = this.#o;
    if (this.#desk === null) return;
    const { lock, acceptorsOff, denominations, roster, exclusions, maintenance } = this.#desk.orders();
    const notes = [...denominations].map(([acceptor, valuesMinor]) => ({ acceptor, valuesMinor }));
    terminal.submit({ type: 'obey-centre', lock, acceptorsOff, notes, maintenance });
    this.#refuseUnlawful();
    this.#o.staff.take(roster);
    this.#o.exclusions.take(exclusions);
    this.#watchMessage();
    this.#answer();
    this.#o.changed();
  }

  /** Says of every command that was taken what came of it, once each; see `CommandDesk.open`. */
  #answer(): void {
    for (const command of this.#desk?.open() ?? []) {
      if (this.#asked.has(command.no)) continue;
      const came = this.#o.answers.of(command, {
        measureClock: () => this.#uploader!.measureClock(),
        problems: this.#problems(),
      });
      if (came instanceof Promise) this.#answerLater(command, came);
      else this.#record(command, came);
    }
  }

  #answerLater(command: OpenCommand, coming: Promise<Came>): void {
    this.#asked.add(command.no);
    coming
      .catch((error: Error): Came => ({ outcome: 'refused', detail: error.message, answer: null }))
      .then((came) => {
        this.#asked.delete(command.no);
        // What the end of this life has cut off is asked again in the next one.
        if (!this.#isStopped) this.#record(command, came);
      })
      .catch(this.#o.crash);
  }

  #record({ no, order }: OpenCommand, came: Came): void {
    this.#o.terminal.record({ type: COMMAND_ANSWERED, no, order: order.type, ...came }, answerIdOf(no));
  }

  /**
   * A bundle that this terminal can never be is refused once, with its articles; a lawful one waits
   * for its persons.
   */
  #refuseUnlawful(): void {
    const { config } = this.#desk?.orders() ?? NO_ORDERS;
    const problems = this.#problems();
    if (config !== null && problems.length > 0)
      this.#o.terminal.record(
        { type: 'centre-table-refused', no: config.no, name: config.name, problems },
        `centre-table-refused:${config.no}`,
      );
  }

  #problems(): readonly string[] {
    const [table] = this.tables();
    return table === undefined ? [] : problemsOf(table, this.#o.terminal.now()).map(sentenceOf);
  }

  #watchMessage(): void {
    if (this.#message) clearTimeout(this.#message);
    this.#message = null;
    const untilMs = this.#desk?.orders().message?.untilMs ?? null;
    const leftMs = (untilMs ?? 0) - this.#o.terminal.now();
    if (untilMs === null || leftMs <= 0) return;
    this.#message = setTimeout(
      () => {
        this.#watchMessage();
        this.#o.changed();
      },
      Math.min(leftMs + 1, MOST_TIMER_MS),
    ).unref();
  }

  /** The newest bundle of the centre, as one more table that this terminal can be. */
  tables(): readonly ReadyTable[] {
    const { config } = this.#desk?.orders() ?? NO_ORDERS;
    return config === null ? [] : [tableOfCentre(config, this.#o.own)];
  }

  linkView(): TableView['link'] {
    const { state, ackedSeq, ackedUpToMs, downSinceMs } = this.#status;
    return { state, headSeq: this.#o.terminal.ledger.head().seq, ackedSeq, ackedUpToMs, downSinceMs };
  }

  /** What the displays show of the centre's orders; null = there is nothing to show. */
  ordersView(): NonNullable<TableView['centre']> | null {
    const { terminal } = this.#o;
    const { lock, maintenance } = centreOrders(terminal.state);
    const sent = this.#desk?.orders().message ?? null;
    const isOver = sent !== null && sent.untilMs !== null && sent.untilMs <= terminal.now();
    const message = sent === null || isOver ? null : sent.text;
    if (lock === null && message === null && maintenance === null) return null;
    return { lock, message, ...(maintenance === null ? {} : { maintenance: maintenance.reason }) };
  }

  /** How soft and how loud the displays may be; null = as the players choose. */
  get sound(): OrdersInForce['sound'] {
    return this.#desk === null ? this.#soundBefore : this.#desk.orders().sound;
  }

  clock(): ClockPage['centre'] {
    return {
      offMs: this.#status.clockOffMs ?? null,
      ackAtMs: this.#o.terminal.ledger.acknowledged()?.atMs ?? null,
    };
  }

  page(): LinkPage {
    const { ledger } = this.#o.terminal;
    const acked = ledger.acknowledged();
    const own = acked && ledger.hashAt(acked.seq);
    const { lastError, clockOffMs, retryAtMs } = this.#status;
    const [lastCommand] = ledger.newest({ beforeSeq: null, limit: 1, kind: COMMAND_TAKEN });
    return {
      view: this.linkView(),
      url: this.#o.url,
      lastError,
      lastAckHash: hex(acked?.hash),
      ownHash: hex(own ?? undefined),
      clockOffMs: clockOffMs ?? null,
      retryAtMs,
      nowMs: this.#o.terminal.now(),
      takesCommands: this.#desk !== null,
      lastCommand: lastCommand
        ? { no: (lastCommand.body as { no: number }).no, atMs: lastCommand.atMs }
        : null,
      maintenance: centreOrders(this.#o.terminal.state).maintenance,
      terminalKey: this.#o.key.keyId,
    };
  }
}

const hex = (bytes: Uint8Array | undefined): string | null =>
  bytes ? Buffer.from(bytes).toString('hex') : null;
