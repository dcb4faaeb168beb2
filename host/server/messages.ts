import { z } from 'zod';
import { type JsonBounds, parseBounded } from '../../ledger/chain/bounded-json.ts';
import { permissionOf } from '../../wire/commands.ts';
import type { DisplayRole } from '../../wire/display.ts';
import { id } from '../../wire/fields.ts';
import { type ToHost, toHost } from '../../wire/messages.ts';
import { mayEver } from '../../wire/roles.ts';

export type ParsedMessage =
  | { readonly ok: true; readonly message: ToHost }
  /**
   * `id` is that of the refused command where one could be read, so that its sender gets the
   * answer.
   */
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
 * The trust boundary of the displays: nothing behind this sees an unchecked value. Size and depth
 * are looked at before anything is parsed, and who asks before the form of what is asked.
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
  if (said?.success && permissionOf(said.data.command.type) && !mayEver(role!, said.data.command.type))
    return {
      ...refusedMessage(said.data.id, `${said.data.command.type} is not for display ${role}`),
      code: 'not-allowed',
    };
  const parsed = toHost.safeParse(json);
  if (parsed.success) return { ok: true, message: parsed.data };
  const given = id.safeParse((json as { id?: unknown } | null)?.id);
  const issue = parsed.error.issues[0];
  return refusedMessage(
    given.success ? given.data : null,
    `${issue?.path.join('.') || 'message'}: ${issue?.message ?? 'invalid'}`,
  );
}

const refusedMessage = (sender: string | null, place: string) =>
  ({ ok: false, id: sender, code: 'malformed', place: place.slice(0, PLACE_CHARACTERS) }) as const;
