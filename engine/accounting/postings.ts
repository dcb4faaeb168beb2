import type { Posting } from '../table/event-row.ts';
import type { TableEvent } from '../table/events.ts';
import { rowOf } from '../table/lane.ts';

export type { Posting } from '../table/event-row.ts';

/**
 * The double entry of an event; the postings of one event sum to zero in its currency, empty = no
 * money moved.
 */
export const postingsOf = (event: TableEvent): Posting[] =>
  rowOf(event.type)?.postings?.(event as never) ?? [];
