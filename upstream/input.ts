/** What comes from outside is parsed once, here, and refused with its place. */
import { z } from 'zod';
import { TERMINAL_ID } from '../ledger/chain/entry.codec.ts';

export const Terminal = z.string().regex(TERMINAL_ID, `must match ${TERMINAL_ID.source}`);
export const TerminalPath = z.object({ id: Terminal });

/** Said to the client with its place; anything else that goes wrong is ours and is not. */
export class Malformed extends Error {
  readonly place: string;
  constructor(place: string, what: string) {
    super(what);
    this.place = place;
  }
}

/** Throws Malformed with the first place that is wrong. */
export function parsed<T>(schema: z.ZodType<T>, value: unknown, where: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const place = issue.path.reduce<string>(
    (at, step) => (typeof step === 'number' ? `${at}[${step}]` : `${at}.${String(step)}`),
    where,
  );
  throw new Malformed(place, issue.message);
}
