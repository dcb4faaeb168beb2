import { seatCredit } from '../engine/accounting/accounts.ts';
import { countEvent, emptyMeters, metersOf } from '../engine/accounting/meters.ts';
import { minor } from '../engine/core/money.ts';
import { isSame } from '../engine/core/same.ts';
import { rulebookOf } from '../engine/games/rulebook.ts';
import type { TableEvent } from '../engine/table/events.ts';
import type { Person } from '../engine/table/inputs.ts';
import type { RulebookId, TableProfile } from '../engine/table/profile.ts';
import type { TableState } from '../engine/table/state.ts';
import { evolve, initialState, isCardHidden, tableInUse } from '../engine/table/table.ts';
import type { Entry, Ledger, LedgerReader } from '../ledger/store/ledger.store.ts';
import type { EventPage, MeterPage, ProfilePage, RoundDetail, RoundPage, TablesPage } from './api.ts';
import { problemsOf, type ReadyTable } from './tables.ts';
import { eventOf, roundIdOf } from './terminal.ts';

/** Pages of service mode that are read from the ledger alone; nothing here can change anything. */

const amountsOf = (events: readonly TableEvent[]): { stakedMinor: number; returnedMinor: number } => {
  const lines = events.flatMap((event) =>
    event.type === 'round-settled' || event.type === 'round-voided' ? event.lines : [],
  );
  return {
    stakedMinor: lines.reduce((total, line) => total + line.stakeMinor, 0),
    returnedMinor: lines.reduce((total, line) => total + line.returnedMinor, 0),
  };
};

const tableEvents = (entries: readonly Entry[]): TableEvent[] =>
  entries.map(eventOf).filter((event): event is TableEvent => event !== null);

/** The event loop goes round once: whoever has touched the table meanwhile is served. */
const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Entries read at a time; what is done with them takes a few milliseconds. */
const PAGE = 250;

/** Entries looked through at a time for those of one kind. */
const STRIDE = 10_000;

/** The round in which a card lies face down that nobody may know yet, null = there is none. */
export const hiddenRound = (state: TableState): string | null =>
  isCardHidden(state) ? (state.round?.id ?? null) : null;

const NAMES_CARDS: ReadonlySet<string> = new Set(['bank-card-dealt', 'cards-waiting', 'card-confirmed']);

/** What an entry says, without its card where that is one of the round in which the bank's lies face down. */
const bodyShown = ({ kind, roundId, body }: Entry, hiddenIn: string | null): unknown =>
  roundId !== null && roundId === hiddenIn && NAMES_CARDS.has(kind) ? { card: null } : body;

/** Newest entries first, of one kind when given; `hiddenIn`: see `hiddenRound`. */
export async function eventPage(
  ledger: Ledger,
  hiddenIn: string | null,
  o: { beforeSeq: number | null; limit: number; kind: string | null },
): Promise<EventPage> {
  const found: Entry[] = [];
  let beforeSeq = Math.min(o.beforeSeq ?? Infinity, ledger.head().seq + 1);
  while (beforeSeq > 1 && found.length < o.limit) {
    const downToSeq = Math.max(1, beforeSeq - STRIDE);
    const limit = o.limit - found.length;
    found.push(...ledger.newest({ beforeSeq, downToSeq, limit, kind: o.kind }));
    beforeSeq = downToSeq;
    await breathe();
  }
  return {
    events: found.map((entry) => {
      const { seq, atMs, kind, roundId } = entry;
      return { seq, atMs, kind, roundId, body: bodyShown(entry, hiddenIn) };
    }),
  };
}

/** Newest round first; `newestNo`: the number of the last round that was opened. */
export async function roundPage(
  ledger: LedgerReader,
  newestNo: number,
  o: { beforeNo: number | null; limit: number },
): Promise<RoundPage> {
  const rounds: RoundPage['rounds'][number][] = [];
  const fromNo = Math.min(newestNo, (o.beforeNo ?? Infinity) - 1);
  for (let no = fromNo; no > 0 && rounds.length < o.limit; no -= 1) {
    const roundId = roundIdOf(ledger.terminalId, no);
    const entries = ledger.readRound(roundId);
    const opened = entries.find(({ kind }) => kind === 'betting-opened' || kind === 'demo-round-opened');
    if (!opened) continue;
    const events = tableEvents(entries);
    const closed = events.find((event) => event.type === 'round-closed');
    rounds.push({
      roundId,
      no,
      openedAtMs: opened.atMs,
      closedAtMs: closed?.atMs ?? null,
      voided: events.some((event) => event.type === 'round-voided'),
      ...amountsOf(events),
    });
    await breathe();
  }
  return { rounds };
}

/** No profile has more. */
const MOST_SEATS = 12;
const SEAT_CREDIT = seatCredit(0).slice(0, -1);

/**
 * Credits of the seats before entry `seq`, minor units: those of now less everything that has been posted since. A table
 * has money in one currency at a time, so the accounts of all currencies may be added up.
 */
async function creditsBefore(ledger: Ledger, seq: number): Promise<Map<number, number>> {
  const credits = new Map<number, number>();
  const add = (account: string, amountMinor: number): void => {
    if (!account.startsWith(SEAT_CREDIT)) return;
    const seat = Number(account.slice(SEAT_CREDIT.length));
    credits.set(seat, (credits.get(seat) ?? 0) + amountMinor);
  };
  const head = ledger.head().seq;
  // Credit is what the house owes: negative in the accounts.
  for (const [name, balance] of ledger.balances()) add(name.slice(name.indexOf('/') + 1), -balance);
  for (let from = seq; from <= head; from += PAGE) {
    for (const { postings } of ledger.read(from, Math.min(PAGE, head - from + 1)))
      for (const { account, amountMinor } of postings) add(account, amountMinor);
    await breathe();
  }
  return credits;
}

/**
 * Which rulebook was in force where in the ledger: what is recalled rests on the articles it was played by. Looked for at
 * the first question, later ones look only at what is new.
 */
export class Rulebooks {
  readonly #ledger: Ledger;
  readonly #since: { readonly seq: number; readonly rulebook: RulebookId }[] = [];
  #upTo = 0;
  #reading: Promise<void> | null = null;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** Null before the first profile. */
  async at(seq: number): Promise<RulebookId | null> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    await this.#reading;
    return this.#since.findLast((entry) => entry.seq <= seq)?.rulebook ?? null;
  }

  async #read(): Promise<void> {
    while (this.#upTo < this.#ledger.head().seq) {
      const to = Math.min(this.#upTo + STRIDE, this.#ledger.head().seq);
      const page = { beforeSeq: to + 1, downToSeq: this.#upTo + 1, limit: STRIDE, kind: 'table-configured' };
      for (const { seq, body } of this.#ledger.newest(page).toReversed())
        this.#since.push({ seq, rulebook: (body as { profile: TableProfile }).profile.rulebook });
      this.#upTo = to;
      await breathe();
    }
  }
}

/**
 * A round as it was, from the ledger alone: the credits before it, then its entries one by one. Null: no such round.
 * `hiddenIn` as in `eventPage`.
 */
export async function roundDetail(
  ledger: Ledger,
  rulebooks: Rulebooks,
  hiddenIn: string | null,
  roundId: string,
): Promise<RoundDetail | null> {
  const entries = ledger.readRound(roundId);
  const first = entries[0];
  if (!first) return null;
  const opened = eventOf(first);
  if (opened?.type !== 'betting-opened' && opened?.type !== 'demo-round-opened') return null;
  const before = await creditsBefore(ledger, first.seq);
  // Events hold all facts, so a table that knows nothing but these credits shows the round as the real one did.
  const state: TableState = {
    ...initialState(),
    seats: Array.from({ length: MOST_SEATS }, (_, index) => ({
      seat: index + 1,
      language: 'zh-Hant',
      creditMinor: minor(before.get(index + 1) ?? 0),
      cashOut: null,
      callsAttendant: false,
      previousBets: [],
    })),
  };
  let round: TableState['round'] = null;
  for (const event of tableEvents(entries)) {
    evolve(state, event);
    // Closing the round clears it from the state; what it was is the state just before.
    if (state.round) round = structuredClone(state.round);
  }
  const [dealer] = ledger.newest({ beforeSeq: first.seq, limit: 1, kind: 'dealer-signed-in' });
  return {
    roundId,
    no: opened.roundNo,
    rulebook: await rulebooks.at(first.seq),
    openedAtMs: first.atMs,
    dealerName: (dealer?.body as { person: Person } | undefined)?.person.name ?? '',
    bankCards: round?.bank.slice(0, hiddenIn === roundId ? 1 : undefined) ?? [],
    playerSideCards: round?.playerSide ?? [],
    seats: state.seats
      // Also whoever has bet on the hand of another only: his credit is part of the round.
      .filter(({ seat }) => round?.bets.some((bet) => bet.seat === seat || bet.by === seat))
      .map(({ seat, creditMinor }) => ({
        seat,
        creditBeforeMinor: before.get(seat) ?? 0,
        creditAfterMinor: creditMinor,
        bets: (round?.bets ?? []).filter((bet) => bet.seat === seat),
        hands: (round?.seats.find((candidate) => candidate.seat === seat)?.hands ?? []).map((hand) => ({
          cards: hand.cards,
          stakeMinor: hand.stakesMinor.reduce((total, stake) => total + stake, 0),
        })),
        lines: (round?.lines ?? []).filter((line) => line.seat === seat),
      })),
    steps: entries.map((entry) => {
      const { seq, atMs, kind } = entry;
      return { seq, atMs, kind, body: bodyShown(entry, hiddenIn) };
    }),
  };
}

/** Meters of the whole life of the terminal; begun at the first question, later ones count only what is new. */
export class Meters {
  readonly #ledger: Ledger;
  readonly #fold = emptyMeters();
  #upTo = 0;
  #counting: Promise<void> | null = null;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  async page(now: () => number): Promise<MeterPage> {
    this.#counting ??= this.#count().finally(() => {
      this.#counting = null;
    });
    await this.#counting;
    return { atMs: now(), meters: metersOf(this.#fold) };
  }

  /** Up to the entry that is the newest when it ends. */
  async #count(): Promise<void> {
    while (this.#upTo < this.#ledger.head().seq) {
      const page = this.#ledger.read(this.#upTo + 1, PAGE);
      for (const event of tableEvents(page)) countEvent(this.#fold, event);
      this.#upTo += page.length;
      await breathe();
    }
  }
}

/** Every table this terminal can be, judged at `atMs` by the engine. */
export function tablesPage(state: TableState, tables: readonly ReadyTable[], atMs: number): TablesPage {
  const { choice } = state;
  return {
    tables: tables.map((table) => ({
      name: table.name,
      profile: table.profile,
      inForce: isSame(table.profile, state.profile),
      problems: problemsOf(table, atMs),
    })),
    inUse: tableInUse(state),
    choice: choice && { name: choice.person.name, role: choice.person.role, atMs: choice.atMs },
  };
}

export function profilePage(state: TableState): ProfilePage {
  const { profile, rules } = state;
  const given = profile?.options ?? {};
  return {
    profile,
    options: (profile ? (rulebookOf(profile.rulebook)?.options ?? []) : []).map((option) => ({
      id: option.id,
      article: option.article,
      value: (rules as unknown as Record<string, unknown> | null)?.[option.id] ?? option.default,
      isDefault: !(option.id in given),
      authorisation: option.authorisation,
    })),
  };
}
