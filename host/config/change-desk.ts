import { isSame } from '../../engine/core/same.ts';
import { checkProfile, type ProfileProblem, tableInUse } from '../../engine/engine.ts';
import type { Person } from '../../engine/table/inputs.ts';
import type { TableProfile } from '../../engine/table/profile.ts';
import { type ProfileChange, profileChanges } from '../../engine/table/profile-changes.ts';
import type { HostEvent } from '../../wire/host-events.ts';
import type { ChangePage } from '../../wire/pages.ts';
import type { Outcome, Terminal } from '../table/terminal.ts';
import { sentenceOf } from './ready-tables.ts';
import { checkTable, ProfileError } from './terminal-file.ts';

type Planned = Omit<Extract<HostEvent, { type: 'change-planned' }>, 'type'>;

const LOOK_EVERY_MS = 1_000;

/**
 * What a display may change of the table in force: options of its rulebook, and what the house has
 * chosen beside them.
 */
export interface ProfileEdit {
  readonly options?: Readonly<Record<string, unknown>>;
  readonly maxCreditMinor?: number;
  readonly twoPersonHandPayMinor?: number;
  readonly timing?: Readonly<Record<string, number>>;
}

export type EditChecked = {
  readonly profile: TableProfile | null;
  readonly changes: readonly ProfileChange[];
  readonly problems: readonly ProfileProblem[];
};

/** The profile in force with the edit, judged by the law at `atMs`; nothing is changed. */
export function checkEdit(inForce: TableProfile, edit: ProfileEdit, atMs: number): EditChecked {
  const {
    terminalId: _id,
    currency: _currency,
    seatCount: _seats,
    acceptors: _acceptors,
    dealerSide: _dealerSide,
    ...table
  } = inForce;
  const edited = {
    ...table,
    ...edit,
    options: { ...table.options, ...edit.options },
    timing: { ...table.timing, ...edit.timing },
  };
  try {
    const profile = checkTable(edited, 'change', inForce);
    const checked = checkProfile(profile, atMs);
    return {
      profile,
      changes: profileChanges(inForce, profile),
      problems: checked.ok ? [] : checked.problems,
    };
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    const problems = error.problems.map(
      ({ place, message }): ProfileProblem => ({
        place,
        article: '',
        why: 'malformed',
        message,
        record: null,
      }),
    );
    return { profile: null, changes: [], problems };
  }
}

/**
 * A change of the profile that two persons have entered with its reason. It stands in the ledger
 * from then on, over every restart, and comes into force at the first moment from its time on at
 * which the table is empty; the law is asked again then.
 */
export class ChangeDesk {
  readonly #terminal: Terminal;
  #plan: Planned | null;
  #timer: NodeJS.Timeout | null = null;
  #isTrying = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.#plan = standingIn(terminal);
    terminal.onCommit(({ entries }) => {
      if (this.#plan === null) return;
      // Another table that somebody has chosen meanwhile is not what was to be changed.
      if (!this.#isTrying && entries.some(({ kind }) => kind === 'table-configured')) this.#plan = null;
      queueMicrotask(() => this.#try());
    });
  }

  start(): void {
    this.#timer = setInterval(() => this.#try(), LOOK_EVERY_MS);
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#plan = null;
  }

  page(): ChangePage {
    const { profile } = this.#terminal.state;
    const plan = this.#plan;
    if (plan === null || profile === null) return { plan: null };
    const { reason, person, second, fromMs } = plan;
    return {
      plan: {
        reason,
        fromMs,
        persons: [person.name, second.name],
        changes: profileChanges(profile, plan.profile),
        waitsFor: tableInUse(this.#terminal.state),
      },
    };
  }

  check(edit: ProfileEdit, fromMs: number | null): Omit<EditChecked, 'profile'> {
    const { profile } = this.#terminal.state;
    if (profile === null) return { changes: [], problems: [] };
    const { changes, problems } = checkEdit(profile, edit, fromMs ?? this.#terminal.now());
    return { changes, problems };
  }

  /** @param fromMs null = as soon as the table is empty, between two rounds */
  plan(
    o: { edit: ProfileEdit; reason: string; fromMs: number | null; person: Person; second: Person },
    commandId: string,
  ): Outcome {
    const { profile: inForce } = this.#terminal.state;
    const refused = (
      code: 'off' | 'malformed' | 'nothing-to-do' | 'too-late',
      detail: string,
      cites: string[] = [],
    ) => ({ status: 'rejected', code, cites, detail }) as const;
    const nowMs = this.#terminal.now();
    if (inForce === null) return refused('nothing-to-do', 'there is no table yet');
    const { edit, fromMs, ...words } = o;
    if (fromMs !== null && fromMs <= nowMs) return refused('too-late', 'its time has passed');
    const { profile, changes, problems } = checkEdit(inForce, edit, fromMs ?? nowMs);
    if (profile === null || problems.length > 0)
      return refused(
        problems.some(({ why }) => why === 'malformed') ? 'malformed' : 'off',
        problems.map(sentenceOf).join('; '),
        problems.flatMap(({ article }) => (article === '' ? [] : [article])),
      );
    if (changes.length === 0) return refused('nothing-to-do', 'nothing differs from in force');
    const plan: Planned = { profile, fromMs, ...words };
    const outcome = this.#terminal.record({ type: 'change-planned', ...plan }, commandId);
    if (outcome.status === 'done') {
      this.#plan = plan;
      queueMicrotask(() => this.#try());
    }
    return outcome;
  }

  drop(person: Person, commandId: string): Outcome {
    if (this.#plan === null)
      return { status: 'rejected', code: 'nothing-to-do', cites: [], detail: 'no change is planned' };
    this.#plan = null;
    return this.#terminal.record({ type: 'change-dropped', person, why: null }, commandId);
  }

  #try(): void {
    const plan = this.#plan;
    const terminal = this.#terminal;
    if (plan === null || this.#isTrying || (plan.fromMs !== null && terminal.now() < plan.fromMs)) return;
    if (terminal.locked !== null || tableInUse(terminal.state) !== null) return;
    const { profile, person, second, reason } = plan;
    this.#isTrying = true;
    const outcome = terminal.submit({ type: 'configure', profile, person, second, reason });
    // What was lawful when it was planned may not be any more: an authorisation has its days.
    if (outcome.status === 'rejected')
      terminal.record({
        type: 'change-dropped',
        person: null,
        why: `${outcome.code} ${outcome.detail ?? ''}`.trim(),
      });
    this.#plan = null;
    this.#isTrying = false;
  }
}

/** The change that was planned last, where nothing has ended it since. */
function standingIn({ ledger, state }: Terminal): Planned | null {
  const newest = (kind: string) => ledger.newest({ beforeSeq: null, limit: 1, kind })[0];
  const planned = newest('change-planned');
  if (planned === undefined) return null;
  const isOver = ['change-dropped', 'table-configured'].some(
    (kind) => (newest(kind)?.seq ?? 0) > planned.seq,
  );
  const plan = planned.body as Planned;
  return isOver || isSame(plan.profile, state.profile) ? null : plan;
}
