/**
 * What a KSP-1 shoe keeps without power: its name, its numbers, its journal and the cards that lie
 * in it.
 */
import { z } from 'zod';
import { decode, type EventMessage, encode, isEvent, suitToWire, unpackFrame } from './ksp1.codec.ts';

export const JOURNAL_LIMIT = 512;

const card = z.int().min(0).max(51);
const counter = z.int().min(0);

export const shoeMemory = z
  .strictObject({
    /** Printable ASCII, at most 16 characters; the shoe's name for ever. */
    serial: z.string().regex(/^[ -~]{1,16}$/),
    boot: counter.min(1),
    lastSeq: counter,
    ackedSeq: counter,
    /** The newest events, oldest first, as their frames in hex. */
    journal: z.array(z.string().regex(/^[0-9a-f]{128}$/, 'a frame of 64 bytes in hex')).max(JOURNAL_LIMIT),
    /** Cards in the shoe, first out first, and those drawn since loading, in order. */
    cards: z.array(card),
    drawn: z.array(card),
    /** Cards behind the cut card, null without one. */
    cutCardBefore: counter.nullable(),
    loads: counter,
    decks: counter,
    coverOpen: z.boolean(),
    jammed: z.boolean(),
    /** What goes wrong at the next draw. */
    next: z.enum(['misread', 'doubtful', 'double-feed']).nullable(),
  })
  .superRefine((memory, context) => {
    const wrong = (field: string, message: string): void =>
      context.addIssue({ code: 'custom', path: [field], message });
    const { lastSeq, ackedSeq, journal, cutCardBefore, cards } = memory;
    if (ackedSeq > lastSeq) wrong('ackedSeq', `${ackedSeq} acknowledged of ${lastSeq}`);
    if (journal.length < Math.min(lastSeq, JOURNAL_LIMIT))
      wrong('journal', `${journal.length} events of ${lastSeq}`);
    journal.forEach((hex, i) => {
      const entry = readEntry(hex);
      const expected = lastSeq - journal.length + 1 + i;
      if (typeof entry === 'string') wrong(`journal.${i}`, entry);
      else if (entry.seq !== expected) wrong(`journal.${i}`, `event ${entry.seq} instead of ${expected}`);
    });
    if (cutCardBefore !== null && cutCardBefore > cards.length)
      wrong('cutCardBefore', `${cutCardBefore} of ${cards.length} cards`);
  });

export type ShoeMemory = Readonly<z.infer<typeof shoeMemory>>;

/** The shoe as it leaves the factory, before it is switched on. */
export const newShoe = (serial: string): ShoeMemory => ({
  serial,
  boot: 1,
  lastSeq: 0,
  ackedSeq: 0,
  journal: [],
  cards: [],
  drawn: [],
  cutCardBefore: null,
  loads: 0,
  decks: 0,
  coverOpen: false,
  jammed: false,
  next: null,
});

export interface JournalEntry {
  readonly seq: number;
  readonly message: EventMessage;
  /** Milliseconds since the shoe was switched on. */
  readonly deviceMs: number;
  /** Whether the shoe was in service mode when it happened. */
  readonly flags: number;
}

export const writeEntry = ({ seq, message, deviceMs, flags }: JournalEntry): string =>
  Buffer.from(encode(message, seq, deviceMs, flags)).toString('hex');

/** The entry, or what is wrong with it. */
export function readEntry(hex: string): JournalEntry | string {
  const frame = unpackFrame(Buffer.from(hex, 'hex'));
  if (!frame.ok) return frame.error;
  const message = decode(frame.value);
  if (!message.ok) return message.error;
  if (!isEvent(message.value)) return `${message.value.type} is no event`;
  const { seq, deviceMs, flags } = frame.value;
  return { seq, message: message.value, deviceMs, flags };
}

/** Rank and suit of a card 0..51 as they stand in a frame. */
export const faceOf = (card: number): readonly [rank: number, suit: number] => [
  (card % 13) + 1,
  suitToWire(Math.floor(card / 13)),
];
