/**
 * The messages between host and displays: one WebSocket on 127.0.0.1, text frames of JSON. A
 * display may put several into a frame, one a line: the host reads them in one turn. They are
 * checked by these schemas before anything else looks at them; the host's are its own.
 */
import { z } from 'zod';
import type { RejectCode } from '../engine/core/result.ts';
import { command } from './commands.ts';
import { type DisplayRole, measures } from './display.ts';
import { id } from './fields.ts';
import { type AnswerOf, type Query, query } from './queries.ts';
import type { TableView } from './view.ts';

export const toHost = z.discriminatedUnion('t', [
  z.strictObject({ t: z.literal('hello'), version: z.int(), lastSeq: z.int().nullable() }),
  z.strictObject({ t: z.literal('command'), id, command }),
  /** Answered only to a display that may ask it. */
  z.strictObject({ t: z.literal('query'), id, query }),
  z.strictObject({ t: z.literal('pong'), n: z.int() }),
  /** A hand on the glass or on the keys while a service session is open, some seconds apart. */
  z.strictObject({ t: z.literal('touched') }),
  /** First painted frame of this page: for the supervisor and the bench. */
  z.strictObject({
    t: z.literal('painted'),
    sinceStartMs: z.number(),
    /**
     * The stored ground of the table with the panels, before anything was drawn; null: none is
     * stored.
     */
    groundMs: z.number().nullable(),
    renderer: z.string().max(40),
    width: z.number(),
    height: z.number(),
  }),
  /** The answer to `measure`. */
  z.strictObject({ t: z.literal('measured'), ...measures }),
]);
export type ToHost = z.infer<typeof toHost>;

export type ToDisplay =
  | { readonly t: 'welcome'; readonly version: number; readonly role: DisplayRole; readonly view: TableView }
  /**
   * After every commit. `view` is the whole truth; animation is the difference to the one before.
   */
  | { readonly t: 'view'; readonly view: TableView }
  | { readonly t: 'answer'; readonly id: string; readonly status: 'done' | 'exists'; readonly seq: number }
  | {
      readonly t: 'answer';
      readonly id: string;
      readonly status: 'rejected';
      readonly code: RejectCode;
      readonly cites: readonly string[];
      readonly detail: string | null;
      /** Of a touch after its deadline: by how much. */
      readonly lateMs?: number;
    }
  | { readonly t: 'result'; readonly id: string; readonly ok: true; readonly data: AnswerOf<Query> }
  | { readonly t: 'result'; readonly id: string; readonly ok: false; readonly code: RejectCode }
  | { readonly t: 'ping'; readonly n: number }
  /** Count frames for a second and say `measured`. */
  | { readonly t: 'measure' }
  | { readonly t: 'refused'; readonly reason: string };
