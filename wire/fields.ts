/** The members that messages are made of, each with its bounds. */
import { z } from 'zod';
import { type Card, isCard } from '../engine/core/cards.ts';
import { MOST_MINOR } from '../engine/core/money.ts';
import { knownActs } from '../engine/engine.ts';
import { LANGUAGES } from '../engine/table/inputs.ts';
import type { OptionValue } from '../engine/table/profile.ts';
import { isPlain } from '../ledger/chain/plain-line.ts';

export const seat = z.int().min(1).max(12);
/** Minor units. */
export const amount = z.int().min(1).max(MOST_MINOR);
/** Milliseconds since 1970 UTC, up to the year 9999. */
export const at = z.int().min(0).max(253_402_300_799_999);
/** Of a command or a query, made by the display. */
export const id = z.string().regex(/^[A-Za-z0-9-]{8,64}$/, 'an id of 8 to 64 letters, digits or hyphens');
export const roundId = z.string().min(1).max(64);
export const pin = z.string().regex(/^\d{4,8}$/, '4 to 8 digits');
export const staffNumber = z.string().regex(/^\d{1,6}$/, 'a number of 1 to 6 digits');
/**
 * Who somebody says they are, by the staff number of the terminal file, and the PIN that proves it.
 */
export const credential = z.strictObject({ person: staffNumber, pin });
export type Credential = z.infer<typeof credential>;
/** What a person writes beside a reason. */
export const words = z.string().trim().max(200).refine(isPlain, 'only characters that can be seen');
export const language = z.enum(LANGUAGES);
/** What is said in one breath: a question with all its answers takes some 300. */
export const SPOKEN_CHARACTERS = 800;
export const sentence = z.string().max(SPOKEN_CHARACTERS).refine(isPlain, 'only characters that can be seen');
export const act = z.enum(knownActs());
export const hand = z.int().min(0).max(11);
export const card = z.int().min(0).max(51).pipe(z.custom<Card>(isCard));
/** An acceptor by its number, or what there is one of. */
export const gameDevice = z.string().regex(/^(shoe|printer|cabinet|ups|acceptor-\d{1,2})$/);

/** What is put on paper: a payment by hand, a cash box, an error of the deal, a player's round. */
export const SLIPS = ['hand-pay', 'drop', 'deal-error', 'round'] as const;
export type SlipKind = (typeof SLIPS)[number];

const option: z.ZodType<OptionValue> = z.json();
/** Of the table in force; what it holds is judged by the profile's own check. */
export const edit = z.strictObject({
  options: z.record(z.string().max(60), option).exactOptional(),
  maxCreditMinor: amount.exactOptional(),
  twoPersonHandPayMinor: amount.exactOptional(),
  timing: z.record(z.string().max(40), z.int().min(0)).exactOptional(),
});
export type ProfileEdit = z.infer<typeof edit>;
