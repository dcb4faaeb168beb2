/**
 * Everything a display may ask the host to do: one row a command, with its members, the displays it
 * may come from and whether it works while a service session is open. The type `Command` and the
 * document of the wire come from these rows.
 */
import { z } from 'zod';
import { MOST_MINOR } from '../engine/core/money.ts';
import {
  ADJUST_REASONS,
  CARD_REASONS,
  HELD_NOTE_OUTCOMES,
  HELD_NOTE_REASONS,
  VOID_REASONS,
} from '../engine/table/inputs.ts';
import { DRILL_IDS } from './drills.ts';
import {
  act,
  amount,
  at,
  card,
  credential,
  edit,
  gameDevice,
  hand,
  id,
  language,
  roundId,
  SLIPS,
  seat,
  words,
} from './fields.ts';

/** A kind of display; the big table may send whatever another one may. */
/** What takes long, and can be stopped. */
export const WORKS = ['drill', 'export', 'check'] as const;
export type Work = (typeof WORKS)[number];

export type Screen = 'seat' | 'dealer' | 'service' | 'operator';

export interface Permission {
  readonly from: readonly Screen[];
  /** It works while a service session is open; every other command waits until that is left. */
  readonly inService: boolean;
  /** For the document of the wire. */
  readonly says: string;
}
const permissions = z.registry<Permission>();

const row =
  (from: readonly Screen[], inService: boolean) =>
  <const T extends string, M extends z.core.$ZodShape>(type: T, says: string, members: M) =>
    z.strictObject({ type: z.literal(type), ...members }).register(permissions, { from, inService, says });

/** Of a seat's own bettor, on whatever seat the bet lies. */
const ofSeat = row(['seat'], false);
const ofSeatOrDealer = row(['seat', 'dealer'], false);
const ofDealer = row(['dealer'], false);
/** The dealer's own screen opens service mode, too. */
const ofService = row(['dealer', 'service'], true);
const ofAttendant = row(['dealer', 'service'], false);
/** The hands on simulated devices: there are none where real ones are. */
const ofOperator = row(['operator'], true);

const MINUTE_MS = 60_000;
/** The longest limit that players set themselves. */
const MOST_LIMIT_MS = 24 * 60 * MINUTE_MS;

/** For so long the house admits its maker's people at once. */
const MOST_ADMITTED_HOURS = 24;

const touch = { roundId, seat, touchedAtMs: at };
/**
 * Number of the seat whose bettor bets on the hand of `seat`, or decides for it; absent = the seat
 * itself.
 */
const by = seat.exactOptional();
const secondCredential = credential.exactOptional();

export const command = z.discriminatedUnion('type', [
  // of a seat
  ofSeat(
    'place-bet',
    "a chip on `bet`, one of those in the seat's `betting`, on top of what lies there; with `by` on the hand of another seat, as in the `behind` of the bettor's own",
    { ...touch, by, bet: z.string().min(1).max(20), amountMinor: amount },
  ),
  ofSeat('undo-bet', 'takes the last bet back that the bettor of `seat` has laid, on whatever seat', touch),
  ofSeat('clear-bets', 'takes all of them back', touch),
  ofSeat('repeat-bets', 'lays those of the round before again', touch),
  ofSeat('double-bets', 'lays on every one as much again', touch),
  ofSeat(
    'decide',
    "a decision for a hand, counted from 0; `amountMinor` with `insure` and `betPair`; with `by` about the hand of another seat, as in the `choices` of the bettor's own",
    { ...touch, by, hand, act, amountMinor: amount.exactOptional() },
  ),
  ofSeat(
    'note-intent',
    "as `decide`, for a hand whose turn has not come, out of the seat's `ahead`; `act` null takes it back",
    { ...touch, by, hand, act: act.nullable() },
  ),
  ofSeat('set-language', 'of the panel of this seat', { seat, language }),
  ofSeat('set-comfort', 'how this seat is shown', {
    seat,
    comfort: z.strictObject({
      text: z.enum(['normal', 'large']),
      contrast: z.enum(['normal', 'high']),
      reach: z.enum(['normal', 'low']),
      motion: z.enum(['full', 'fast', 'none']),
      speech: z.literal(true).exactOptional(),
      leftHand: z.literal(true).exactOptional(),
    }),
  }),
  ofSeat(
    'set-own-limits',
    'the limits of whoever sits there, null = none; refused with `limit-stands` where this one is higher and one has been reached, or it was set between a minute and a day ago',
    {
      seat,
      timeMs: z.int().min(MINUTE_MS).max(MOST_LIMIT_MS).nullable(),
      lossMinor: amount.nullable(),
      /** Money put in; absent = no limit. */
      inMinor: amount.nullable().exactOptional(),
    },
  ),
  ofSeat('take-break', 'no bet of theirs is taken for so long; it is only made longer', {
    seat,
    forMs: z.int().min(MINUTE_MS).max(MOST_LIMIT_MS),
  }),
  ofSeat(
    'confirm-own-limit',
    'the player has read that a limit is reached, and goes on; until then `own-limit` refuses bets',
    { seat },
  ),
  ofSeat('call-attendant', 'calls, or calls off', { seat, on: z.boolean() }),
  ofSeat('choose-note-seat', 'with a shared acceptor: the seat the next note is for', {
    seat: seat.nullable(),
  }),
  ofSeat('request-cash-out', 'everything on this seat is to be paid by hand', { seat }),
  ofSeat('cancel-cash-out', 'takes that back', { seat, requestId: id }),
  ofSeat('print-receipt', 'of one of the `own-rounds` of the seat, once', { seat, roundId }),
  ofSeatOrDealer(
    'confirm-hand-pay',
    "the attendant has paid; `secondCredential` above the table's limit, `from` on the seat's own panel",
    {
      seat,
      requestId: id,
      from: z.literal('player').exactOptional(),
      credential,
      secondCredential,
    },
  ),
  ofSeatOrDealer(
    'raise-complaint',
    "r.61; `from`: by the player at the own seat, else by the dealer in the player's name",
    { seat, from: z.literal('player').exactOptional() },
  ),

  // of the dealer
  ofDealer('sign-in-dealer', 'whoever deals from now on', { credential }),
  ofDealer('sign-out-dealer', 'nobody deals', {}),
  ofDealer('check-decks', 'all cards lie open and are as many as they must be (r.7)', {}),
  ofDealer(
    'load-shoe',
    'the packs of the rules are in a shoe that cannot tell it (`shoe.handLoaded` in the view)',
    {},
  ),
  ofDealer(
    'witness-loading',
    "a supervisor has seen the cards in the shoe, where the house wants one (`supervisedShoe`); supervisor's PIN",
    { credential },
  ),
  ofDealer('load-packet', "a packet of cards is in the shuffler; supervisor's PIN (r.54)", {
    last: z.boolean(),
    credential,
  }),
  ofDealer('cut-shoe', 'who cuts, null = the bank; `credential` where it is the supervisor (r.8)', {
    seat: seat.nullable(),
    credential: credential.exactOptional(),
  }),
  ofDealer('refuse-cut', 'whose turn it is does not want to cut (r.8)', { seat }),
  ofDealer('place-end-card', 'the second white card (art. 2.1.1)', { cardsBehind: z.int().min(0).max(1000) }),
  ofDealer('end-card-out', 'the white card has come out', {}),
  ofDealer(
    'replace-bank-second',
    "the bank's second card was turned while it was dealt (r.17); supervisor's PIN where the house asks for it",
    { credential: credential.exactOptional() },
  ),
  ofDealer('feed-shuffler', 'the discarded cards are in the shuffler again (r.59)', {}),
  ofDealer('close-complaint', "supervisor's PIN (r.61)", {
    complaintNo: z.int().min(1),
    upheld: z.boolean(),
    credential,
  }),
  ofDealer('open-shuffler', 'PIN of the supervisor, then of the technician (r.51)', {
    solved: z.boolean(),
    credential,
  }),
  ofDealer(
    'lay-out-cards',
    "the cards that are left are taken out and laid open, by the dealer (r.12); out of a shuffler supervisor's PIN (r.55)",
    { credential: credential.exactOptional() },
  ),
  ofDealer('replace-cards', "supervisor's PIN (art. 2.2.1, r.5, r.51); `card` names a single one", {
    what: z.enum(['deck', 'card']),
    card: card.exactOptional(),
    credential,
  }),
  ofDealer(
    'report-replacement',
    "the inspection was told of the damaged cards that were replaced; supervisor's PIN (r.51)",
    { credential },
  ),
  ofDealer('order-decks', 'the cards taken out of a shuffler are in order by deck (r.55)', {
    regular: z.boolean(),
  }),
  ofDealer(
    'count-cards',
    "at the end of a shoe what is left in it and what lies in the discard tray; supervisor's PIN where it is not as many as must be, with the cards that are `missing` or `extra`",
    {
      left: z.int().min(0).max(624),
      discarded: z.int().min(0).max(624),
      missing: z.array(card).max(52).exactOptional(),
      extra: z.array(card).max(52).exactOptional(),
      credential: credential.exactOptional(),
    },
  ),
  ofDealer('open-betting', 'the host names the round', {}),
  ofDealer('demo-round', 'a round without bets at the start of a shoe, where the regulation knows one', {}),
  ofDealer('close-betting', 'no more bets', {}),
  ofDealer('extend-betting', 'the whole time for bets once more, from now on', {}),
  ofDealer(
    'forfeit-streak',
    "`by`: the bettor who has left with streak bets open on `seat`; supervisor's PIN (art. 13.5.2.vi)",
    { seat, by: seat, credential },
  ),
  ofDealer('close-round', 'the results were read, the cards are away', {}),
  ofDealer(
    'confirm-card',
    "the card that lies there; for another one than was read supervisor's PIN and `reason`, with `words` for `other`; the dealer who is signed in is the second person",
    {
      card,
      reason: z.enum(CARD_REASONS).exactOptional(),
      words: words.exactOptional(),
      credential: credential.exactOptional(),
    },
  ),
  ofDealer(
    'read-card-again',
    'the shoe reads the card in hold once more, which the dealer holds before its reader; where it can, and the card left it last. The dealer confirms what it reads',
    {},
  ),
  ofDealer('set-card-aside', 'the card in hold is out of play', {}),
  ofDealer('announce-face-up', 'the next card in the shoe lies face up (art. 5.1.1); false takes it back', {
    faceUp: z.boolean(),
  }),
  ofDealer(
    'doubt-card',
    'the card dealt last is not the one that was read: the table is held until it is named with `confirm-card`',
    {},
  ),
  ofDealer(
    'take-back-card',
    "the card dealt last lay face up, which was seen after it had been read (art. 5.1.1); supervisor's PIN where the house asks for it",
    { credential: credential.exactOptional() },
  ),
  ofDealer(
    'assign-card',
    "cards were dealt to the wrong seats (art. 5.1.2); `toSeat` 0 = the bank, for the first card alone; `place`, from 0: one card for the one at the same place of the other, absent = all first cards; supervisor's PIN where the house asks for it",
    {
      fromSeat: seat,
      toSeat: z.int().min(0).max(12),
      place: z.int().min(0).max(20).exactOptional(),
      credential: credential.exactOptional(),
    },
  ),
  ofDealer('draw-wrong', 'a card the bank drew when it must not, and whether its face was shown (art. 6.1)', {
    shown: z.boolean(),
  }),
  ofDealer(
    'confirm-layout',
    'the cards lie as the table shows them, after a recovery, a fault or a correction',
    {},
  ),
  ofDealer(
    'read-again',
    'what waits to be paid is read a second time once more; PIN of a technician or supervisor',
    { credential },
  ),
  ofDealer('void-round', "supervisor's PIN", { reason: z.enum(VOID_REASONS), credential }),
  ofDealer(
    'adjust-credit',
    'a credit put right by two persons, an attendant or supervisor and another supervisor; `amountMinor` is signed; `roundNo`, `correctsSeq` and `complaintNo` name what it puts right',
    {
      seat,
      amountMinor: z
        .int()
        .min(-MOST_MINOR)
        .max(MOST_MINOR)
        .refine((value) => value !== 0, 'an amount that is not 0'),
      reason: z.enum(ADJUST_REASONS),
      words: words.exactOptional(),
      /** Number of the round it puts right. */
      roundNo: z.int().min(1).exactOptional(),
      /** Entry of the ledger it puts right. */
      correctsSeq: z.int().min(1).exactOptional(),
      complaintNo: z.int().min(1).exactOptional(),
      credential,
      secondCredential: credential,
    },
  ),

  ofDealer(
    'check-exclusion',
    'whether the person of this document is on the list of exclusions, refused with `excluded` where they are; `seat` takes no bet of theirs then. Attendant or supervisor; the ledger gets the answer and not the document',
    { document: z.string().min(1).max(40), seat: seat.nullable(), credential },
  ),
  ofDealer(
    'hand-over-shift',
    'who goes and who comes have both read what waits, see `handover` of the view; attendant or supervisor',
    { credential, secondCredential: credential },
  ),

  // of service mode
  ofAttendant(
    'open-acceptor',
    'one that has shut after a note (`shutAfterNote`) takes the next one; attendant or supervisor',
    { acceptor: seat, credential },
  ),
  ofAttendant(
    'resolve-held-note',
    'what became of a note whose fate was not known; `words` needed with `other`; `secondCredential` above the limit of the table and for a note of unknown value',
    {
      caseNo: z.int().min(1),
      outcome: z.enum(HELD_NOTE_OUTCOMES),
      reason: z.enum(HELD_NOTE_REASONS),
      /** Needed with the reason `other`; absent = nothing. */
      words: words.exactOptional(),
      credential,
      /** Above the limit of the table, and for a note of unknown value. */
      secondCredential,
    },
  ),
  ofService(
    'announce-drop',
    'the cash boxes of these acceptors are exchanged now, null = of all: taken out, they are no fault; attendant or supervisor',
    { acceptors: z.array(seat).min(1).max(12).nullable(), credential },
  ),
  ofService('end-drop', 'what is left of them stays in; refused with `not-allowed` while one is out', {
    credential,
  }),
  ofService('enter-service', 'opens a service session', { credential }),
  ofService('exit-service', 'ends it', {}),
  ofService(
    'admit-manufacturer',
    "the maker's people may open service mode for so many hours from now on, 0 = no longer; PIN of a supervisor",
    { hours: z.int().min(0).max(MOST_ADMITTED_HOURS), credential },
  ),
  ofService('end-maintenance', 'the table that rests by order of the centre may play again', {}),
  ofService('run-self-test', 'its result stands in the query `software`', {}),
  ofService(
    'end-fault',
    'a [fault](events.md) whose cause is gone and that needs the eyes of one or two persons; `device` may be a part of the machine, as `display:seat:3`',
    {
      device: z.string().regex(/^[a-z][a-z0-9:-]{1,40}$/),
      fault: z.string().regex(/^[a-z-]{2,40}$/),
      credential,
      secondCredential,
    },
  ),
  ofService(
    'try-note',
    'a technician feeds this note, of the table in force, to see what the unit says of it; null = none any more. Signed by `end-fault` of `notes-unconfirmed`',
    { device: gameDevice, valueMinor: amount.nullable() },
  ),
  ofService(
    'try-cards',
    'a technician feeds cards through the shoe, to see what it reads of them: they are no cards of the table, and move no meter. Refused while a shoe is made ready for play; ends with service mode',
    { on: z.boolean() },
  ),
  ofService(
    'set-touch',
    'where the glass of the display that sends it is felt: what puts right what is felt now, six numbers in millionths, row by row, over the whole of the glass; null = as it came. In force at once and at each start of its window',
    { correction: z.array(z.int().min(-4_000_000).max(4_000_000)).length(6).nullable() },
  ),
  ofService('test-device', 'both lights of the tower lamp, or the siren, for two seconds; moves no meter', {
    device: z.literal('cabinet'),
    part: z.enum(['lamp', 'siren']),
  }),
  ofService(
    'print-slip',
    'once more, and says so; `of` as in the `slips` of the query `devices`. In the name of the person in service mode, or of the dealer',
    { slip: z.enum(SLIPS), of: z.string().regex(/^[A-Za-z0-9/-]{1,60}$/) },
  ),
  ofService('hold-drill', 'a fault practised on a copy of the state, one at a time', {
    drill: z.enum(DRILL_IDS),
  }),
  ofService(
    'plan-change',
    'two persons, the second a supervisor, change the table in force, at `fromMs` or, null, as soon as it is empty',
    {
      edit,
      reason: words.min(3),
      fromMs: at.nullable(),
      credential,
      secondCredential: credential,
    },
  ),
  ofService('drop-change', 'the change that waits does not come; technician or supervisor', { credential }),
  ofService('make-export', 'to one of the places of the query `exports`', {
    target: z.string().min(1).max(400),
  }),
  ofService(
    'stop-work',
    'ends the drill, the export or the check of the ledger that is running, and says so where it is shown',
    { work: z.enum(WORKS) },
  ),
  ofService(
    'switch-table',
    'to one of the query `tables`; technician or supervisor, between rounds, with no money of anybody at the table',
    { table: z.string().min(1).max(40), credential },
  ),
  ofService(
    'show-recall',
    'the big table plays this round of the past, in the name of the dealer who is signed in or the person in service mode; refused with `not-due` while bets or cards lie and nothing holds them. It ends by itself with the first thing for which the table needs its screen',
    { roundId },
  ),
  ofService('hide-recall', 'back to the present', {}),

  // with simulated devices only
  ofOperator('sim-insert-note', 'a note into an acceptor', { acceptor: seat, valueMinor: amount }),
  ofOperator('sim-load-shoe', 'packs into the shoe', {}),
  ofOperator('sim-draw-card', 'the next card out of the shoe', {}),
  ofOperator('sim-auto', 'who plays by itself', { dealer: z.boolean(), players: z.boolean() }),
  ofOperator('sim-fault', 'named as in [the scripted table](operations/simulation-script.md)', {
    device: gameDevice,
    fault: z.string().regex(/^[a-z-]{2,40}$/),
  }),
]);

export type Command = z.infer<typeof command>;
export type CommandType = Command['type'];

/** The rows in words, for the document of the wire. */
export const COMMAND_ROWS = command.options.map((schema) => ({
  name: schema.shape.type.value,
  schema,
  ...permissions.get(schema)!,
}));

const PERMISSIONS = new Map<string, Permission>(COMMAND_ROWS.map((row) => [row.name, row]));
/** Null: there is no such command. */
export const permissionOf = (type: string): Permission | null => PERMISSIONS.get(type) ?? null;
