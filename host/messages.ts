import { z } from 'zod';
import { SLICES } from '../engine/accounting/meter-fold.ts';
import { MOST_MINOR } from '../engine/core/money.ts';
import { ADJUST_REASONS, HELD_NOTE_REASONS } from '../engine/table/inputs.ts';
import { type JsonBounds, parseBounded } from '../ledger/chain/bounded-json.ts';
import { isPlain } from '../ledger/chain/plain-line.ts';
import type { Command, DisplayRole, NoteOutcome, ToHost } from './api.ts';
import { DRILL_IDS } from './drills.ts';
import { EVENT_CODES } from './event-catalogue.ts';
import { mayEver } from './roles.ts';

const seat = z.int().min(1).max(12);
const amount = z.int().min(1).max(MOST_MINOR);
/** Up to the year 9999. */
const at = z.int().min(0).max(253_402_300_799_999);
const id = z.string().regex(/^[A-Za-z0-9-]{8,64}$/, 'an id of 8 to 64 letters, digits or hyphens');
const roundId = z.string().min(1).max(64);
export const pin = z.string().regex(/^\d{4,8}$/, '4 to 8 digits');
export const staffNumber = z.string().regex(/^\d{1,6}$/, 'a number of 1 to 6 digits');
export const credential = z.strictObject({ person: staffNumber, pin });
const NOTE_OUTCOMES = [
  'credited',
  'returned',
  'refused',
  'rejected',
  'held',
  'open',
  'unknown',
] as const satisfies readonly NoteOutcome[];
/** What a person writes beside a reason. */
const words = z.string().trim().max(200).refine(isPlain, 'only characters that can be seen');
/** Of a limit a player sets himself. */
const MINUTE_MS = 60_000;
const MOST_LIMIT_MS = 24 * 60 * MINUTE_MS;
const language = z.enum(['zh-Hant', 'pt', 'en']);
const act = z.enum([
  'hit',
  'stand',
  'double',
  'split',
  'surrender',
  'insure',
  'declineInsurance',
  'evenMoney',
  'fiveCardHalf',
  'loseOriginalOnly',
  'followSplit',
  'followDouble',
  'betPair',
  'goToWar',
  'surrenderWar',
  'playOn',
]);

const is = <T extends string>(type: T) => ({ type: z.literal(type) });
const touch = { roundId, seat, touchedAtMs: at };
const card = z.int().min(0).max(51);

/** Of the table in force; what it holds is judged by the profile's own check. */
const edit = z.strictObject({
  options: z.record(z.string().max(60), z.json()).optional(),
  maxCreditMinor: amount.optional(),
  twoPersonHandPayMinor: amount.optional(),
  timing: z.record(z.string().max(40), z.int().min(0)).optional(),
});

const command = z.discriminatedUnion('type', [
  z.strictObject({
    ...is('place-bet'),
    ...touch,
    by: seat.optional(),
    bet: z.string().min(1).max(20),
    amountMinor: amount,
  }),
  z.strictObject({ ...is('undo-bet'), ...touch }),
  z.strictObject({ ...is('clear-bets'), ...touch }),
  z.strictObject({ ...is('repeat-bets'), ...touch }),
  z.strictObject({ ...is('double-bets'), ...touch }),
  z.strictObject({
    ...is('decide'),
    ...touch,
    by: seat.optional(),
    hand: z.int().min(0).max(11),
    act,
    amountMinor: amount.optional(),
  }),
  z.strictObject({
    ...is('note-intent'),
    ...touch,
    by: seat.optional(),
    hand: z.int().min(0).max(11),
    act: act.nullable(),
  }),
  z.strictObject({ ...is('set-language'), seat, language }),
  z.strictObject({
    ...is('set-comfort'),
    seat,
    comfort: z.strictObject({
      text: z.enum(['normal', 'large']),
      contrast: z.enum(['normal', 'high']),
      reach: z.enum(['normal', 'low']),
      motion: z.enum(['full', 'fast', 'none']),
    }),
  }),
  z.strictObject({
    ...is('set-own-limits'),
    seat,
    timeMs: z.int().min(MINUTE_MS).max(MOST_LIMIT_MS).nullable(),
    lossMinor: amount.nullable(),
  }),
  z.strictObject({ ...is('confirm-own-limit'), seat }),
  z.strictObject({ ...is('call-attendant'), seat, on: z.boolean() }),
  z.strictObject({ ...is('choose-note-seat'), seat: seat.nullable() }),
  z.strictObject({ ...is('request-cash-out'), seat }),
  z.strictObject({ ...is('cancel-cash-out'), seat, requestId: id }),
  z.strictObject({
    ...is('confirm-hand-pay'),
    seat,
    requestId: id,
    from: z.literal('player').optional(),
    credential,
    secondCredential: credential.optional(),
  }),
  z.strictObject({ ...is('sign-in-dealer'), credential }),
  z.strictObject({ ...is('sign-out-dealer') }),
  z.strictObject({ ...is('check-decks') }),
  z.strictObject({ ...is('load-shoe') }),
  z.strictObject({ ...is('load-packet'), last: z.boolean(), credential }),
  z.strictObject({ ...is('cut-shoe'), seat: seat.nullable(), credential: credential.optional() }),
  z.strictObject({ ...is('refuse-cut'), seat }),
  z.strictObject({ ...is('place-end-card'), cardsBehind: z.int().min(0).max(1000) }),
  z.strictObject({ ...is('end-card-out') }),
  z.strictObject({ ...is('replace-bank-second') }),
  z.strictObject({ ...is('feed-shuffler') }),
  z.strictObject({ ...is('raise-complaint'), seat, from: z.literal('player').optional() }),
  z.strictObject({ ...is('close-complaint'), complaintNo: z.int().min(1), upheld: z.boolean(), credential }),
  z.strictObject({ ...is('open-shuffler'), solved: z.boolean(), credential }),
  z.strictObject({ ...is('lay-out-cards'), credential }),
  z.strictObject({ ...is('replace-cards'), what: z.enum(['deck', 'card']), credential }),
  z.strictObject({ ...is('open-betting') }),
  z.strictObject({ ...is('demo-round') }),
  z.strictObject({ ...is('close-betting') }),
  z.strictObject({ ...is('forfeit-streak'), seat, by: seat, credential }),
  z.strictObject({ ...is('close-round') }),
  z.strictObject({ ...is('confirm-card'), card, credential: credential.optional() }),
  z.strictObject({ ...is('set-card-aside') }),
  z.strictObject({ ...is('announce-face-up'), faceUp: z.boolean() }),
  z.strictObject({ ...is('assign-card'), fromSeat: seat, toSeat: seat }),
  z.strictObject({ ...is('draw-wrong'), shown: z.boolean() }),
  z.strictObject({ ...is('confirm-layout') }),
  z.strictObject({
    ...is('void-round'),
    reason: z.enum(['misdeal', 'card-exposed', 'shoe-fault', 'recovery', 'supervisor']),
    credential,
  }),
  z.strictObject({
    ...is('resolve-held-note'),
    caseNo: z.int().min(1),
    outcome: z.enum(['credited', 'returned', 'unclaimed']),
    reason: z.enum(HELD_NOTE_REASONS),
    words: words.optional(),
    credential,
    secondCredential: credential.optional(),
  }),
  z.strictObject({
    ...is('adjust-credit'),
    seat,
    amountMinor: z
      .int()
      .min(-MOST_MINOR)
      .max(MOST_MINOR)
      .refine((value) => value !== 0, 'an amount that is not 0'),
    reason: z.enum(ADJUST_REASONS),
    words: words.optional(),
    roundNo: z.int().min(1).optional(),
    correctsSeq: z.int().min(1).optional(),
    complaintNo: z.int().min(1).optional(),
    credential,
    secondCredential: credential,
  }),
  z.strictObject({ ...is('enter-service'), credential }),
  z.strictObject({ ...is('exit-service') }),
  z.strictObject({ ...is('run-self-test') }),
  z.strictObject({
    ...is('end-fault'),
    device: z.string().regex(/^[a-z][a-z0-9:-]{1,40}$/),
    fault: z.string().regex(/^[a-z-]{2,40}$/),
    credential,
    secondCredential: credential.optional(),
  }),
  z.strictObject({ ...is('hold-drill'), drill: z.enum(DRILL_IDS) }),
  z.strictObject({
    ...is('plan-change'),
    edit,
    reason: words.min(3),
    fromMs: at.nullable(),
    credential,
    secondCredential: credential,
  }),
  z.strictObject({ ...is('drop-change'), credential }),
  z.strictObject({ ...is('make-export'), target: z.string().min(1).max(400) }),
  z.strictObject({ ...is('switch-table'), table: z.string().min(1).max(40), credential }),
  z.strictObject({ ...is('show-recall'), roundId }),
  z.strictObject({ ...is('hide-recall') }),
  z.strictObject({ ...is('sim-insert-note'), acceptor: seat, valueMinor: amount }),
  z.strictObject({ ...is('sim-load-shoe') }),
  z.strictObject({ ...is('sim-draw-card') }),
  z.strictObject({ ...is('sim-auto'), dealer: z.boolean(), players: z.boolean() }),
  z.strictObject({
    ...is('sim-fault'),
    device: z.string().regex(/^(shoe|acceptor-\d{1,2})$/),
    fault: z.string().regex(/^[a-z-]{2,40}$/),
  }),
]);

const query = z.discriminatedUnion('query', [
  z.strictObject({ query: z.literal('devices') }),
  z.strictObject({ query: z.literal('recording'), device: z.string().regex(/^(shoe|acceptor-\d{1,2})$/) }),
  z
    .strictObject({
      query: z.literal('meters'),
      asOfMs: at.nullable(),
      fromMs: at.nullable(),
      by: z.enum(SLICES).nullable(),
    })
    .refine(({ asOfMs, fromMs }) => asOfMs === null || fromMs === null || fromMs <= asOfMs, {
      path: ['fromMs'],
      message: 'is after asOfMs',
    }),
  z.strictObject({
    query: z.literal('events'),
    beforeSeq: z.int().min(1).nullable(),
    limit: z.int().min(1).max(200),
    kind: z.string().max(40).nullable(),
    code: z.enum(EVENT_CODES).nullish(),
    class: z.enum(['I', 'N', 'W', 'F']).nullish(),
    seat: seat.nullish(),
    roundId: roundId.nullish(),
    fromMs: at.nullish(),
    toMs: at.nullish(),
  }),
  z.strictObject({
    query: z.literal('rounds'),
    beforeNo: z.int().min(1).nullable(),
    limit: z.int().min(1).max(100),
    seat: seat.optional(),
    atMs: at.optional(),
  }),
  z.strictObject({ query: z.literal('round'), roundId }),
  z.strictObject({ query: z.literal('profile') }),
  z.strictObject({ query: z.literal('check-change'), edit, fromMs: at.nullable() }),
  z.strictObject({ query: z.literal('change') }),
  z.strictObject({ query: z.literal('drills') }),
  z.strictObject({ query: z.literal('exports') }),
  z.strictObject({ query: z.literal('tables') }),
  z.strictObject({ query: z.literal('link') }),
  z.strictObject({ query: z.literal('software') }),
  z.strictObject({ query: z.literal('storage') }),
  z.strictObject({
    query: z.literal('notes'),
    beforeSeq: z.int().min(1).nullable(),
    limit: z.int().min(1).max(100),
    acceptor: seat.nullable(),
    outcome: z.enum(NOTE_OUTCOMES).nullable(),
  }),
  z.strictObject({ query: z.literal('note-trace'), seq: z.int().min(1) }),
  z.strictObject({ query: z.literal('trends'), hours: z.int().min(1).max(744) }),
  z.strictObject({ query: z.literal('displays') }),
  z.strictObject({ query: z.literal('clock') }),
  z.strictObject({ query: z.literal('software-files') }),
  z.strictObject({ query: z.literal('recall'), roundId, fromStep: z.int().min(0) }),
  z.strictObject({ query: z.literal('own-rounds'), seat }),
  z.strictObject({ query: z.literal('own-round'), seat, roundId }),
]);

const coordinate = z.int().min(-20_000).max(20_000);
const pixels = z.int().min(0).max(20_000);

export const toHost = z.discriminatedUnion('t', [
  z.strictObject({ t: z.literal('hello'), version: z.int(), lastSeq: z.int().nullable() }),
  z.strictObject({ t: z.literal('command'), id, command }),
  z.strictObject({ t: z.literal('query'), id, query }),
  z.strictObject({ t: z.literal('pong'), n: z.int() }),
  z.strictObject({ t: z.literal('touched') }),
  z.strictObject({
    t: z.literal('painted'),
    sinceStartMs: z.number(),
    groundMs: z.number().nullable(),
    renderer: z.string().max(40),
    width: z.number(),
    height: z.number(),
  }),
  z.strictObject({
    t: z.literal('measured'),
    renderer: z.string().max(40),
    width: pixels,
    height: pixels,
    pixelRatio: z.number().min(0).max(16),
    framesPerSecond: z.number().min(0).max(1_000),
    longestFrameMs: z.number().min(0),
    touchPoints: z.int().min(0).max(1_000),
    regions: z.array(z.tuple([coordinate, coordinate, pixels, pixels])).max(400),
  }),
]);

export type ParsedMessage =
  | { readonly ok: true; readonly message: ToHost }
  /** `id` is that of the refused command where one could be read, so that its sender gets the answer. */
  | {
      readonly ok: false;
      readonly id: string | null;
      readonly code: 'malformed' | 'not-allowed';
      readonly place: string;
    };

/** What a socket takes in one message. */
export const MESSAGE_BYTES = 16 * 1024;
const MESSAGE: JsonBounds = { characters: MESSAGE_BYTES, depth: 16 };
/** Of what a sender wrote, in an answer or a log line. */
const PLACE_CHARACTERS = 300;

/** What a message says it is, before it is known to be one. */
const envelope = z.looseObject({ t: z.literal('command'), id, command: z.looseObject({ type: z.string() }) });

/**
 * The trust boundary of the displays: nothing behind this sees an unchecked value. Size and depth are looked at before anything is
 * parsed, and who asks before the form of what is asked.
 * @param role of the display that sent it; null = one that may send everything
 */
export function parseMessage(text: string, role: DisplayRole | null = null): ParsedMessage {
  let json: unknown;
  try {
    json = parseBounded(text, MESSAGE);
  } catch (error) {
    return refusedMessage(null, `not JSON: ${(error as Error).message}`);
  }
  const said = role === null ? null : envelope.safeParse(json);
  if (said?.success && isCommand(said.data.command.type) && !mayEver(role!, said.data.command.type))
    return {
      ...refusedMessage(said.data.id, `${said.data.command.type} is not for display ${role}`),
      code: 'not-allowed',
    };
  const parsed = toHost.safeParse(json);
  if (parsed.success) return { ok: true, message: parsed.data as ToHost };
  const given = id.safeParse((json as { id?: unknown } | null)?.id);
  const issue = parsed.error.issues[0];
  return refusedMessage(
    given.success ? given.data : null,
    `${issue?.path.join('.') || 'message'}: ${issue?.message ?? 'invalid'}`,
  );
}

const refusedMessage = (sender: string | null, place: string) =>
  ({ ok: false, id: sender, code: 'malformed', place: place.slice(0, PLACE_CHARACTERS) }) as const;

const COMMANDS: ReadonlySet<string> = new Set(command.options.map(({ shape }) => shape.type.value));
const isCommand = (type: string): type is Command['type'] => COMMANDS.has(type);
