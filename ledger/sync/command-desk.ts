/**
 * Where commands of the centre come in: checked, put on the ledger under their number, and only
 * then in force. What is in force follows from the ledger alone, so a restart forgets nothing and
 * carries nothing out twice.
 */
import { createHash } from 'node:crypto';
import {
  type CentreCommand,
  COMMAND_REFUSED,
  COMMAND_TAKEN,
  checkCommand,
  readCommand,
  type SentCommand,
  wrongBeside,
} from '../chain/command.codec.ts';
import type { LedgerReader } from '../store/reader.store.ts';

/** What the commands taken so far ask of the terminal. */
export interface OrdersInForce {
  /** Reason of a lock that begins after the round in play; null when there is none. */
  readonly lock: string | null;
  /** Acceptors that take nothing; null in the list: all of them, until all are on again. */
  readonly acceptorsOff: readonly (number | null)[];
  /**
   * The only note values an acceptor may take, minor units; under null for all that have no line of
   * their own.
   */
  readonly denominations: ReadonlyMap<number | null, readonly number[]>;
  readonly message: Extract<CentreCommand['order'], { type: 'message' }> | null;
  /** The newest bundle, which a supervisor may put into force. */
  readonly config: { readonly no: number; readonly name: string; readonly profile: unknown } | null;
  /** The only people there are; null = those of the terminal file. */
  readonly roster: { readonly no: number; readonly sha256: string; readonly untilMs: number } | null;
}

export const NO_ORDERS: OrdersInForce = {
  lock: null,
  acceptorsOff: [],
  denominations: new Map(),
  message: null,
  config: null,
  roster: null,
};

/** `no`: number of the command. */
export function withOrder(orders: OrdersInForce, order: CentreCommand['order'], no: number): OrdersInForce {
  switch (order.type) {
    case 'lock':
      return { ...orders, lock: order.reason };
    case 'unlock':
      return { ...orders, lock: null };
    case 'acceptor-off':
      return { ...orders, acceptorsOff: [...new Set([...orders.acceptorsOff, order.acceptor])] };
    case 'acceptor-on': {
      // All on again takes back what was said of single ones.
      const left = orders.acceptorsOff.filter((each) => order.acceptor !== null && each !== order.acceptor);
      return { ...orders, acceptorsOff: left };
    }
    case 'denominations':
      return {
        ...orders,
        denominations: new Map(orders.denominations).set(order.acceptor, order.valuesMinor),
      };
    case 'message':
      return { ...orders, message: order };
    case 'config':
      return { ...orders, config: { no, name: order.name, profile: order.profile } };
    case 'roster':
      return { ...orders, roster: { no, sha256: order.sha256, untilMs: order.untilMs } };
  }
}

export interface CommandDeskOptions {
  readonly ledger: Pick<LedgerReader, 'terminalId' | 'findCommand' | 'read'>;
  /** Raw Ed25519 key of the people who may give commands. */
  readonly publicKey: Uint8Array;
  /** Terminal's clock, ms since 1970 UTC. */
  readonly nowMs: () => number;
  /**
   * One durable entry; false when the terminal takes no entry now, and the command is brought
   * again.
   */
  readonly record: (
    kind: typeof COMMAND_TAKEN | typeof COMMAND_REFUSED,
    body: object,
    commandId: string,
  ) => boolean;
  /** Puts the text of a roster on disk, before the entry that names it. */
  readonly keepRoster: (sha256: string, text: string) => void;
  readonly onOrders: (orders: OrdersInForce) => void;
}

export interface CommandDesk {
  /** What is in force now. */
  orders(): OrdersInForce;
  /** What an answer of the centre brought; the same may be brought many times. */
  take(brought: readonly SentCommand[]): void;
}

/** Somebody who sends rubbish must not fill the ledger. */
const REFUSALS_KEPT = 100;
const REFUSED_CHARACTERS = 1_000;

/** Id under which the ledger knows the command with this number. */
export const commandIdOf = (no: number): string => `centre:${no}`;

interface TakenBody {
  readonly no: number;
  readonly outcome: 'taken' | 'expired';
  readonly bytes: string;
  readonly signature: string;
}

type KnownCommands = Pick<LedgerReader, 'findCommand' | 'read'>;

function takenIn(ledger: KnownCommands, no: number): TakenBody | null {
  const at = ledger.findCommand(commandIdOf(no));
  return at === null ? null : (ledger.read(at.firstSeq, 1)[0]?.body as TakenBody);
}

/** What the commands of a ledger ask of its terminal, and the number of the newest one. */
export function ordersIn(ledger: KnownCommands): { readonly orders: OrdersInForce; readonly lastNo: number } {
  let orders = NO_ORDERS;
  let lastNo = 0;
  for (let body = takenIn(ledger, 1); body !== null; body = takenIn(ledger, lastNo + 1)) {
    lastNo = body.no;
    const command = readCommand(body.bytes);
    if (body.outcome === 'taken' && typeof command !== 'string')
      orders = withOrder(orders, command.order, lastNo);
  }
  return { orders, lastNo };
}

export function createCommandDesk(o: CommandDeskOptions): CommandDesk {
  const { ledger, publicKey } = o;
  let { orders, lastNo } = ordersIn(ledger);

  let refusals = 0;
  const refuse = (signed: SentCommand, code: string, detail: string): void => {
    const id = createHash('sha256').update(`${signed.signature}\n${signed.bytes}`).digest('hex');
    const commandId = `centre-refused:${id.slice(0, 32)}`;
    if (refusals >= REFUSALS_KEPT || ledger.findCommand(commandId) !== null) return;
    refusals += 1;
    // A cut through a character leaves half of one, which no entry can hold.
    const bytes = signed.bytes.slice(0, REFUSED_CHARACTERS).toWellFormed();
    o.record(
      COMMAND_REFUSED,
      { code, detail, bytes, signature: signed.signature.slice(0, 128).toWellFormed() },
      commandId,
    );
  };

  const takeOne = ({ roster, ...signed }: SentCommand): void => {
    const checked = checkCommand(signed, {
      publicKey,
      terminal: ledger.terminalId,
      lastNo,
      nowMs: o.nowMs(),
    });
    if (checked.ok || checked.code === 'expired') {
      const wrong = checked.ok ? wrongBeside(checked.command.order, roster) : null;
      if (wrong !== null) return refuse(signed, 'malformed', wrong);
      if (checked.ok && checked.command.order.type === 'roster')
        o.keepRoster(checked.command.order.sha256, roster!);
      const no = lastNo + 1;
      const outcome = checked.ok ? 'taken' : 'expired';
      if (!o.record(COMMAND_TAKEN, { no, outcome, ...signed } satisfies TakenBody, commandIdOf(no))) return;
      lastNo = no;
      if (!checked.ok) return;
      orders = withOrder(orders, checked.command.order, no);
      o.onOrders(orders);
      return;
    }
    // The one before it will be brought, too; nothing is wrong yet.
    if (checked.code === 'gap') return;
    // Brought again because the centre has not yet seen our entry about it.
    if (checked.code === 'old' && takenIn(ledger, checked.no!)?.bytes === signed.bytes) return;
    refuse(signed, checked.code, checked.detail);
  };

  return {
    orders: () => orders,
    take: (brought) => {
      for (const { bytes, signature, roster } of brought)
        takeOne({ bytes, signature, ...(roster === undefined ? {} : { roster }) });
    },
  };
}
