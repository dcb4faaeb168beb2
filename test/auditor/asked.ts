/**
 * What the host would ask the reader, in the place where the host asks it: at every payment of a
 * random round.
 */
import type { TableState } from '../../engine/engine.ts';
import type { TableEvent } from '../../engine/table/events.ts';
import { differencesOf } from '../../host/reading/compare.ts';
import { type OpenedAt, openedAt, questionOf } from '../../host/table/round-facts.ts';
import { type Question, questionIn, replyIn } from '../../reader/form.ts';
import { read } from '../../reader/read.ts';
import { Disagreed } from './disagreed.ts';

export class Asked {
  payments = 0;
  /** The last one. */
  question: Question | null = null;
  #at: OpenedAt | null = null;
  #events: TableEvent[] = [];
  #id = 0;

  /** Before an input. */
  before(state: TableState): void {
    if (state.round === null) {
      this.#at = openedAt(state);
      this.#events = [];
    }
  }

  /** After it: whatever it has paid is read. */
  after(state: TableState, events: readonly TableEvent[]): void {
    for (const event of events) {
      // The table goes on with the lists of the event.
      this.#events.push(structuredClone(event));
      const ask =
        event.type === 'paid-at-once' ? 'at-once' : event.type === 'round-settled' ? 'settled' : null;
      if (ask === null || state.round?.demo) continue;
      const round = { at: this.#at!, events: this.#events };
      const line = JSON.stringify({ id: ++this.#id, ...questionOf(round, state, ask) });
      const question = questionIn(line);
      if (!question) throw new Disagreed('no question', line, null);
      this.question = question;
      const reply = replyIn(JSON.stringify(read(question)));
      if (!reply) throw new Disagreed('no answer', line, read(question));
      const found = differencesOf(this.#events, state, ask, reply);
      if (found !== null) throw new Disagreed(`read ${ask}`, found, { reply, line });
      this.payments += 1;
    }
  }
}
