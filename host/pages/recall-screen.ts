import type { Person } from '../../engine/table/inputs.ts';
import type { TableState } from '../../engine/table/state.ts';
import type { TableView } from '../../wire/view.ts';
import { tableHashOf } from '../table/table-hash.ts';
import type { Outcome, Terminal } from '../table/terminal.ts';
import { entriesOfRound, stateBefore } from './recall.ts';

/**
 * On what the big table may play a round of the past: a service session, a hold, a table on which
 * nothing lies and no note is on its way. Null while the present needs it. It stays the same text
 * as long as that lasts, so another hold ends what was begun in the one before.
 */
export function groundOf(state: TableState, locked: boolean): string | null {
  const { service, hold, round, notes } = state;
  if (service) return `service ${service.sinceMs}`;
  if (locked) return 'locked';
  if (hold) return `hold ${hold.code} ${hold.sinceMs}`;
  return round === null && notes.length === 0 ? 'idle' : null;
}

/** The round of the past on the big table. It is shown, not stored: a restart shows the present. */
export class RecallScreen {
  readonly #terminal: Terminal;
  readonly #changed: () => void;
  #shown: {
    readonly commandId: string;
    readonly ground: string;
    readonly view: NonNullable<TableView['recall']>;
  } | null = null;

  constructor(terminal: Terminal, changed: () => void) {
    this.#terminal = terminal;
    this.#changed = changed;
  }

  /** The table plays one, or somebody may have it do so. */
  get possible(): boolean {
    return this.#ground !== null;
  }

  /** Gone for good as soon as the table needs its screen. */
  get current(): TableView['recall'] {
    if (this.#shown && this.#shown.ground !== this.#ground) this.#shown = null;
    return this.#shown?.view;
  }

  async show(roundId: string, person: Person, commandId: string): Promise<Outcome> {
    const { ledger } = this.#terminal;
    if (this.#shown?.commandId === commandId) return { status: 'exists', seq: ledger.head().seq };
    const first = (await entriesOfRound(ledger, roundId))[0];
    if (!first) return refused('malformed', `there is no round '${roundId}'`);
    const { profile } = await stateBefore(ledger, first.seq);
    const ground = this.#ground;
    if (ground === null) return refused('not-due', 'the table needs its screen');
    const { roundNo: no } = first.body as { roundNo: number };
    const view = { roundId, no, openedAtMs: first.atMs, profileSha256: tableHashOf(profile!) };
    this.#shown = { commandId, ground, view };
    // Without the command's id: a terminal that is locked stores what was looked at, too.
    return this.#terminal.record({ type: 'recall-displayed', roundId, place: 'table', person, seat: null });
  }

  hide(): Outcome {
    this.#shown = null;
    this.#changed();
    return { status: 'done', seq: this.#terminal.ledger.head().seq };
  }

  get #ground(): string | null {
    return groundOf(this.#terminal.state, this.#terminal.locked !== null);
  }
}

const refused = (code: Extract<Outcome, { status: 'rejected' }>['code'], detail: string): Outcome => ({
  status: 'rejected',
  code,
  cites: [],
  detail,
});
