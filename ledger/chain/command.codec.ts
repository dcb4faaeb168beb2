/**
 * A command of the centre to one terminal: what is signed, and the check that the terminal makes.
 * The centre's service only hands commands on; whoever takes it over cannot make one.
 */
import canonicalize from 'canonicalize';
import { z } from 'zod';
import { DEEPEST_JSON, parseBounded } from './bounded-json.ts';
import { TERMINAL_ID, toHex } from './entry.codec.ts';
import { readExclusions } from './exclusions.codec.ts';
import { type LedgerKey, verifySignature } from './key.ts';
import { readRoster, textHash } from './roster.codec.ts';

export const COMMAND_VERSION = 1;
/** Kinds of the ledger's entries that say what became of a command. */
export const COMMAND_TAKEN = 'centre-command';
export const COMMAND_REFUSED = 'centre-command-refused';
/** And of the one that says what came of it. */
export const COMMAND_ANSWERED = 'centre-command-answered';
/** Characters of a command's text at most; a bundle of profiles is the longest. */
export const COMMAND_CHARACTERS = 2 ** 18;

const word = z.string().min(1).max(200);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** Off, soft, loud: the levels of the displays. */
const level = z.union([z.literal(0), z.literal(1), z.literal(2)]);
/** Who answers for a payment, where the centre is the place of it. */
const payer = z.strictObject({ id: word, name: word, role: z.enum(['attendant', 'supervisor']) });
const Order = z.discriminatedUnion('type', [
  /** No further round after the one in play; cash-out stays open. */
  z.strictObject({ type: z.literal('lock'), reason: word }),
  z.strictObject({ type: z.literal('unlock') }),
  /** `acceptor` null: all of them. */
  z.strictObject({ type: z.literal('acceptor-off'), acceptor: z.int().min(0).nullable() }),
  z.strictObject({ type: z.literal('acceptor-on'), acceptor: z.int().min(0).nullable() }),
  /** The only note values that may be taken, minor units. */
  z.strictObject({
    type: z.literal('denominations'),
    acceptor: z.int().min(0).nullable(),
    valuesMinor: z.array(z.int().positive()).max(32),
  }),
  /**
   * A line on the displays, in the languages the terminal speaks; `untilMs` on the terminal's
   * clock.
   */
  z.strictObject({
    type: z.literal('message'),
    text: z.strictObject({ 'zh-Hant': word, pt: word, en: word }),
    untilMs: z.int().nullable(),
  }),
  /**
   * A profile the terminal offers to its supervisor; the host checks it as it checks any profile.
   */
  z.strictObject({ type: z.literal('config'), name: word, profile: z.record(z.string(), z.json()) }),
  /**
   * The only people of this terminal until that time on its clock; their list travels beside the
   * command.
   */
  z.strictObject({ type: z.literal('roster'), sha256, untilMs: z.int() }),
  /** Those who may not play, in place of any list before; the list travels beside the command. */
  z.strictObject({ type: z.literal('exclusions'), sha256 }),
  /** No sound of the table is softer or louder than that; both 0: alarms alone are heard. */
  z
    .strictObject({ type: z.literal('sound'), least: level, most: level })
    .refine(({ least, most }) => least <= most, { path: ['least'], message: 'more than the most' }),
  /** No further round and no notes after the one in play; a technician may end it as well. */
  z.strictObject({ type: z.literal('maintenance'), reason: word }),
  z.strictObject({ type: z.literal('maintenance-end') }),
  /** How far the terminal's clock is from the centre's; it sets nothing. */
  z.strictObject({ type: z.literal('clock') }),
  /**
   * A hand-pay that waits, by the number of its receipt: back to the credit of its seat, or paid by
   * these persons at the centre, where the house lets them.
   */
  z.strictObject({
    type: z.literal('hand-pay-reset'),
    payNo: z.int().min(1),
    paid: z.strictObject({ person: payer, second: payer.nullable() }).nullable(),
  }),
  z.strictObject({ type: z.literal('identify') }),
  /** Program files, ledger, copy and books are looked at now. */
  z.strictObject({ type: z.literal('verify') }),
]);

/** What is done once and then over; the others stay in force until another order says otherwise. */
const ONCE: ReadonlySet<CentreOrder['type']> = new Set<CentreOrder['type']>([
  'clock',
  'hand-pay-reset',
  'identify',
  'verify',
]);
export const isOnce = ({ type }: CentreOrder): boolean => ONCE.has(type);

const Command = z.strictObject({
  v: z.literal(COMMAND_VERSION),
  terminal: z.string().regex(TERMINAL_ID),
  /** 1 for a terminal's first command, then without a gap. */
  no: z.int().min(1),
  issuedAtMs: z.int(),
  /** Not to be carried out later than this, on the terminal's clock; null for no limit. */
  notAfterMs: z.int().nullable(),
  issuer: word,
  order: Order,
});

export type CentreOrder = z.infer<typeof Order>;
export type CentreCommand = z.infer<typeof Command>;

/** As it travels and as both ends keep it. */
export interface SignedCommand {
  /** RFC 8785 text of a command. */
  readonly bytes: string;
  /** Ed25519 over `banca-command-v1\n` and the text, 128 hex digits. */
  readonly signature: string;
}

/** A command on its way. */
export interface SentCommand extends SignedCommand {
  /** Text of the roster that the order names; it stands in no ledger. */
  readonly roster?: string;
  /** The same of a list of exclusions. */
  readonly exclusions?: string;
}

/** The texts that may travel beside a command, each under the type of the order that names it. */
const BESIDE = { roster: readRoster, exclusions: readExclusions } as const;

const signedBytes = (bytes: string): Uint8Array => Buffer.from(`banca-command-v1\n${bytes}`);

/** Throws ZodError with the place when the command is not one. */
export function signCommand(command: Omit<CentreCommand, 'v'>, key: LedgerKey): SignedCommand {
  const bytes = canonicalize(Command.parse({ v: COMMAND_VERSION, ...command }))!;
  if (bytes.length > COMMAND_CHARACTERS)
    throw new RangeError(`a command has ${COMMAND_CHARACTERS} characters at most`);
  return { bytes, signature: toHex(key.sign(signedBytes(bytes))) };
}

export type CommandRefusal =
  /** Not signed with the pinned key; nothing else in it is believed. */
  | 'forged'
  | 'malformed'
  | 'other-terminal'
  /** Its number was used by another command. */
  | 'old'
  /** One before it has not arrived. */
  | 'gap'
  | 'expired';

export type CheckedCommand =
  | { readonly ok: true; readonly command: CentreCommand }
  | {
      readonly ok: false;
      readonly code: CommandRefusal;
      /** Null where the text is not to be believed. */
      readonly no: number | null;
      readonly detail: string;
    };

/**
 * Whether a terminal may carry out what the wire brought.
 * @param lastNo number of the newest command this terminal has ledgered, 0 for none
 * @param nowMs terminal's clock, ms since 1970 UTC
 */
export function checkCommand(
  signed: SignedCommand,
  by: { publicKey: Uint8Array; terminal: string; lastNo: number; nowMs: number },
): CheckedCommand {
  const refuse = (code: CommandRefusal, no: number | null, detail: string): CheckedCommand => ({
    ok: false,
    code,
    no,
    detail,
  });
  if (!verifySignature(by.publicKey, signedBytes(signed.bytes), Buffer.from(signed.signature, 'hex')))
    return refuse('forged', null, 'not signed with the key for commands that this terminal knows');
  const read = readCommand(signed.bytes);
  if (typeof read === 'string') return refuse('malformed', null, read);
  const { no, terminal, notAfterMs } = read;
  if (terminal !== by.terminal) return refuse('other-terminal', no, `it is for terminal ${terminal}`);
  if (no <= by.lastNo) return refuse('old', no, `number ${no}, the newest here is ${by.lastNo}`);
  if (no > by.lastNo + 1) return refuse('gap', no, `number ${no}, the newest here is ${by.lastNo}`);
  if (notAfterMs !== null && by.nowMs > notAfterMs)
    return refuse('expired', no, `not after ${new Date(notAfterMs).toISOString()}`);
  return { ok: true, command: read };
}

/** Why what came beside an order is not what it names; null = nothing is wrong. */
export function wrongBeside(order: CentreOrder, sent: Omit<SentCommand, keyof SignedCommand>): string | null {
  for (const [type, read] of Object.entries(BESIDE)) {
    const text = sent[type as keyof typeof BESIDE];
    if (order.type !== type && text !== undefined) return `${type} beside another order`;
    if (order.type !== type) continue;
    if (text === undefined) return `${type} did not come with it`;
    if (textHash(text) !== (order as { readonly sha256: string }).sha256)
      return `${type}: another text than was signed`;
    const found = read(text);
    if (typeof found === 'string') return found;
  }
  return null;
}

/** The command of a text whose signature holds, or what is wrong with it. */
export function readCommand(bytes: string): CentreCommand | string {
  let raw: unknown;
  try {
    raw = parseBounded(bytes, { characters: COMMAND_CHARACTERS, depth: DEEPEST_JSON });
  } catch (error) {
    return `not JSON: ${(error as Error).message}`;
  }
  const parsed = Command.safeParse(raw);
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    return `${issue.path.join('.')}: ${issue.message}`;
  }
  return canonicalize(parsed.data) === bytes ? parsed.data : 'not the canonical form (RFC 8785)';
}
