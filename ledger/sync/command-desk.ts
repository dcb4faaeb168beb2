/**
 * Where commands of the centre come in: checked, put on the ledger under their number, and only
 * then in force. What is in force follows from the ledger alone, so a restart forgets nothing and
 * carries nothing out twice.
 */
import { createHash } from 'node:crypto';
import {
  type CentreCommand,
  type CentreOrder,
  COMMAND_REFUSED,
  COMMAND_TAKEN,
  checkCommand,
  isOnce,
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
  /** The only list of those who may not play; null = that of the terminal file. */
  readonly exclusions: { readonly no: number; readonly sha256: string } | null;
  /** No sound is softer or louder; null = as the players choose. */
  readonly sound: { readonly least: 0 | 1 | 2; readonly most: 0 | 1 | 2 } | null;
  /** The table rests after the round in play; `no` of the command. */
  readonly maintenance: { readonly no: number; readonly reason: string } | null;
}

export const NO_ORDERS: OrdersInForce = {
  lock: null,
  acceptorsOff: [],
  denominations: new Map(),
  message: null,
  config: null,
  roster: null,
  exclusions: null,
  sound: null,
  maintenance: null,
};

/** A command that was taken and about which no entry says yet what came of it. */
export interface OpenCommand {
  readonly no: number;
  readonly issuer: string;
  readonly order: CentreOrder;
}

/** `no`: number of the command. */
export function withOrder(orders: OrdersInForce, order: CentreOrder, no: number): OrdersInForce {
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
    case 'exclusions':
      return { ...orders, exclusions: { no, sha256: order.sha256 } };
    case 'sound':
      return { ...orders, sound: { least: order.least, most: order.most } };
    case 'maintenance':
      return { ...orders, maintenance: { no, reason: order.reason } };
    case 'maintenance-end':
      return { ...orders, maintenance: null };
    case 'clock':
    case 'hand-pay-reset':
    case 'identify':
    case 'verify':
      return orders;
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
  /** Puts the text of a roster or of a list on disk, before the entry that names it. */
  readonly keep: (type: 'roster' | 'exclusions', sha256: string, text: string) => void;
  readonly onOrders: (orders: OrdersInForce) => void;
}

export interface CommandDesk {
  /** What is in force now. */
  orders(): OrdersInForce;
  /** What is to be answered, oldest first. */
  open(): readonly OpenCommand[];
  /** What an answer of the centre brought; the same may be brought many times. */
  take(brought: readonly SentCommand[]): void;
}

/** Somebody who sends rubbish must not fill the ledger. */
const REFUSALS_KEPT = 100;
const REFUSED_CHARACTERS = 1_000;

/** Id under which the ledger knows the command with this number. */
export const commandIdOf = (no: number): string => `centre:${no}`;
/** And of the entry that says what came of it. */
export const answerIdOf = (no: number): string => `centre-answer:${no}`;

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

/**
 * What the commands of a ledger ask of its terminal, the number of the newest one, and what is not
 * answered. An order that stays in force was obeyed before the next one was taken, so of these the
 * newest alone may be open; ledgers of early versions have no answers at all.
 */
export function ordersIn(ledger: KnownCommands): {
  readonly orders: OrdersInForce;
  readonly lastNo: number;
  readonly open: readonly OpenCommand[];
} {
  let orders = NO_ORDERS;
  let lastNo = 0;
  const open: OpenCommand[] = [];
  for (let body = takenIn(ledger, 1); body !== null; body = takenIn(ledger, lastNo + 1)) {
    lastNo = body.no;
    const command = readCommand(body.bytes);
    if (body.outcome !== 'taken' || typeof command === 'string') continue;
    const { order, issuer } = command;
    orders = withOrder(orders, order, lastNo);
    if (ledger.findCommand(answerIdOf(lastNo)) === null) open.push({ no: lastNo, issuer, order });
  }
  return { orders, lastNo, open: open.filter(({ no, order }) => no === lastNo || isOnce(order)) };
}

export function createCommandDesk(o: CommandDeskOptions): CommandDesk {
  const { ledger, publicKey } = o;
  let { orders, lastNo, open } = ordersIn(ledger);

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

  const takeOne = ({ bytes, signature, ...beside }: SentCommand): void => {
    const signed = { bytes, signature };
    const checked = checkCommand(signed, {
      publicKey,
      terminal: ledger.terminalId,
      lastNo,
      nowMs: o.nowMs(),
    });
    if (checked.ok || checked.code === 'expired') {
      const wrong = checked.ok ? wrongBeside(checked.command.order, beside) : null;
      if (wrong !== null) return refuse(signed, 'malformed', wrong);
      const named = checked.ok ? checked.command.order : null;
      if (named?.type === 'roster' || named?.type === 'exclusions')
        o.keep(named.type, named.sha256, beside[named.type]!);
      const no = lastNo + 1;
      const outcome = checked.ok ? 'taken' : 'expired';
      if (!o.record(COMMAND_TAKEN, { no, outcome, ...signed } satisfies TakenBody, commandIdOf(no))) return;
      lastNo = no;
      if (!checked.ok) return;
      const { order, issuer } = checked.command;
      orders = withOrder(orders, order, no);
      open = [...open, { no, issuer, order }];
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
    open: () => {
      open = open.filter(({ no }) => ledger.findCommand(answerIdOf(no)) === null);
      return open;
    },
    take: (brought) => {
      for (const command of brought) takeOne(command);
    },
  };
}
