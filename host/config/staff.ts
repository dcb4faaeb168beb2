import type { Person, PersonRole } from '../../engine/table/inputs.ts';
import { ROSTER_CHARACTERS, readRoster } from '../../ledger/chain/roster.codec.ts';
import type { LedgerKey } from '../../ledger/store/ledger.store.ts';
import { type OrdersInForce, ordersIn } from '../../ledger/sync/command-desk.ts';
import type { PeoplePage } from '../../wire/pages.ts';
import type { TableView } from '../../wire/view.ts';
import type { StaffCards } from '../devices/staff-cards.ts';
import type { Outcome, Terminal } from '../table/terminal.ts';
import { KeptText } from './kept-text.ts';
import { isWeakHash, namesOn, type PersonRecord } from './people.ts';
import { recordPeople } from './roster.ts';

const LOOK_MS = 1_000;
const HOUR_MS = 3_600_000;

type RosterOrder = NonNullable<OrdersInForce['roster']>;

interface StaffOptions {
  readonly terminal: Terminal;
  readonly key: LedgerKey;
  /** People of the terminal file, who serve until the centre has sent a roster. */
  readonly people: readonly PersonRecord[];
  /** Where rosters of the centre lie; null = the people of the file are the only ones. */
  readonly rosterDir: string | null;
  /** Money is played for: a PIN that is quickly tried out counts for nothing. */
  readonly isReal: boolean;
  readonly log: (line: string) => void;
}

/**
 * Who the people of this terminal are now: those of the terminal file, or from the first roster of
 * the centre on those of the newest one alone, until its end. The roster lies beside the ledger, so
 * it works with the network gone; a start obeys it again.
 */
export class Staff {
  readonly #o: StaffOptions;
  readonly #kept: KeptText | null;
  #records: readonly PersonRecord[];
  #roster: RosterOrder | null = null;
  #isMissing = false;
  #makerUntilMs: number | null;
  #timer: NodeJS.Timeout | null = null;

  constructor(o: StaffOptions) {
    this.#o = o;
    this.#records = o.people;
    this.#kept = o.rosterDir === null ? null : new KeptText(o.rosterDir, ROSTER_CHARACTERS);
    const { ledger } = o.terminal;
    const [admitted] = ledger.newest({ beforeSeq: null, limit: 1, kind: 'manufacturer-admitted' });
    this.#makerUntilMs = (admitted?.body as { untilMs: number | null } | undefined)?.untilMs ?? null;
    if (this.#kept !== null) this.#obey(ordersIn(ledger).orders.roster);
  }

  start(): void {
    this.#timer = setInterval(() => this.#dismiss(), LOOK_MS);
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
  }

  /** Everybody who is listed, whether the list has ended or not; not where nobody knows them. */
  record(): void {
    if (!this.#isMissing) recordPeople(this.#o.terminal, this.#records, this.#o.key);
  }

  /** Those who may be let in by number and PIN at this moment. */
  readonly records = (): readonly PersonRecord[] => (this.#closed === null ? this.#records : []);

  /** Why nobody can be let in. */
  get #closed(): 'roster-ended' | 'roster-missing' | null {
    if (this.#roster === null) return null;
    if (this.#isMissing) return 'roster-missing';
    return this.#o.terminal.now() > this.#roster.untilMs ? 'roster-ended' : null;
  }

  /** Of these roles, those that are let in now: the maker's people only while they are admitted. */
  rolesOf(roles: readonly PersonRole[]): readonly PersonRole[] {
    return this.#admittedUntilMs === null ? roles.filter((role) => role !== 'manufacturer') : roles;
  }

  get #admittedUntilMs(): number | null {
    const untilMs = this.#makerUntilMs;
    return untilMs !== null && this.#o.terminal.now() < untilMs ? untilMs : null;
  }

  admit(hours: number, person: Person, commandId: string): Outcome {
    const { terminal } = this.#o;
    const untilMs = hours === 0 ? null : terminal.now() + hours * HOUR_MS;
    const outcome = terminal.record({ type: 'manufacturer-admitted', person, untilMs }, commandId);
    if (outcome.status !== 'rejected') this.#makerUntilMs = untilMs;
    this.#dismiss();
    return outcome;
  }

  /** On disk before the order that names it. */
  keep(sha256: string, text: string): void {
    this.#kept?.keep(sha256, text);
  }

  /** The order is on the ledger. */
  take(order: RosterOrder | null): void {
    if (order === null || order.no === this.#roster?.no || this.#kept === null) return;
    this.#obey(order);
    this.record();
    this.#kept.dropOthers(order.sha256);
    this.#dismiss();
  }

  #obey(order: RosterOrder | null): void {
    if (order === null) return;
    const { isReal, log } = this.#o;
    const text = this.#kept!.read(order.sha256);
    const people = text === null ? [] : readRoster(text);
    this.#roster = order;
    this.#isMissing = text === null || typeof people === 'string';
    if (this.#isMissing)
      log(`THE CENTRE'S ROSTER IS GONE from ${this.#kept!.dir}: nobody is let in before it sends one`);
    const records = typeof people === 'string' ? [] : people;
    const weak = isReal ? records.filter(({ pinHash }) => isWeakHash(pinHash)) : [];
    for (const { id } of weak)
      log(
        `the centre's roster: the PIN of ${id} is quickly tried out and counts for nothing: 'banca person'`,
      );
    this.#records = records.filter((record) => !weak.includes(record));
  }

  /**
   * Whoever is not on the centre's list any more, or whose time as a guest is over, is shown out; a
   * dealer when no round lies on the table.
   */
  #dismiss(): void {
    const { terminal } = this.#o;
    const { service, dealer, round } = terminal.state;
    if (service !== null && !this.#mayStay(service.person)) terminal.submit({ type: 'exit-service' });
    else if (dealer !== null && service === null && round === null && !this.#mayStay(dealer))
      terminal.submit({ type: 'sign-out-dealer' });
  }

  #mayStay({ id, role }: Person): boolean {
    if (role === 'manufacturer' && this.#admittedUntilMs === null) return false;
    return (
      this.#roster === null ||
      this.#isMissing ||
      this.#records.some((each) => each.id === id && each.role === role)
    );
  }

  /** Who can be touched on a pad, and why nobody can. */
  view(cards: Pick<StaffCards, 'state' | 'lying'> | null): Omit<TableView['pinPad'], 'leastDigits'> {
    const roles = this.rolesOf(this.#records.map(({ role }) => role));
    const closed = this.#closed;
    return {
      people: namesOn(this.records().filter(({ role }) => roles.includes(role))),
      ...(closed === null ? {} : { closed }),
      ...(cards === null ? {} : { card: this.#cardOn(cards) }),
    };
  }

  #cardOn({ state, lying }: Pick<StaffCards, 'state' | 'lying'>): NonNullable<TableView['pinPad']['card']> {
    const owner = lying === null ? undefined : this.records().find(({ card }) => card === lying);
    return { state: lying !== null && !owner ? 'unknown' : state, person: owner?.number ?? null };
  }

  page(): PeoplePage {
    const people = this.#records.map(({ id, name, number, role, card }) => ({
      id,
      name,
      number,
      role,
      hasCard: card !== undefined,
    }));
    const roster = this.#roster && { no: this.#roster.no, untilMs: this.#roster.untilMs };
    return { people, roster, closed: this.#closed, makerUntilMs: this.#admittedUntilMs };
  }
}
