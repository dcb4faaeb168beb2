import { evolve, isCardHidden, shownCards } from '../../engine/engine.ts';
import type { TableEvent } from '../../engine/table/events.ts';
import type { Corrected, Person } from '../../engine/table/inputs.ts';
import type { TableState } from '../../engine/table/state.ts';
import type { Entry, LedgerReader } from '../../ledger/store/ledger.store.ts';
import type { RoundDetail, RoundPage, RoundStep } from '../../wire/pages.ts';
import { OpenedCards } from '../table/sealed-cards.ts';
import { tableHashOf } from '../table/table-hash.ts';
import { eventOf, restoring, roundIdOf } from '../table/terminal.ts';

/**
 * Rounds of the past, from the ledger alone: nothing here can change anything, and all of it works
 * whatever state the table is in. Events hold all facts, so a round is shown by the state before it
 * and its entries played again.
 */

/** The event loop goes round once: whoever has touched the table meanwhile is served. */
export const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Entries read at a time; what is done with them takes a few milliseconds. */
export const PAGE = 250;

export const tableEvents = (entries: readonly Entry[]): TableEvent[] =>
  entries.map(eventOf).filter((event): event is TableEvent => event !== null);

/** The round in which a card lies face down that nobody may know yet, null = there is none. */
export const hiddenRound = (state: TableState): string | null =>
  isCardHidden(state) ? (state.round?.id ?? null) : null;

/** Kinds that say which card the bank's is, or may be. */
export const NAMES_CARDS: ReadonlySet<string> = new Set([
  'bank-card-dealt',
  'cards-waiting',
  'card-read-again',
  'card-confirmed',
]);

/**
 * What an entry says, without its card where that is one of the round in which the bank's lies face
 * down.
 */
export const bodyShown = ({ kind, roundId, body }: Entry, hiddenIn: string | null): unknown =>
  roundId !== null && roundId === hiddenIn && NAMES_CARDS.has(kind) ? { card: null } : body;

/**
 * The last entry that is not younger than `atMs`, 0 = all are: time never runs backwards in a
 * ledger.
 */
function seqAt(ledger: LedgerReader, headSeq: number, atMs: number): number {
  let [low, high] = [0, headSeq];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((ledger.read(middle, 1)[0]?.atMs ?? Infinity) <= atMs) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Number of the last round that was opened by entry `seq`, 0 = none. */
async function roundNoAt(ledger: LedgerReader, seq: number): Promise<number> {
  for (let beforeSeq = seq + 1; beforeSeq > 1; ) {
    const page = ledger.newest({ beforeSeq, limit: PAGE, kind: null });
    for (const { roundId } of page) {
      const first = roundId === null ? null : ledger.roundSpan(roundId);
      const opened = first && openingOf(ledger.read(first.firstSeq, 1)[0]);
      if (opened) return opened.roundNo;
    }
    beforeSeq = page.at(-1)?.seq ?? 1;
    await breathe();
  }
  return 0;
}

function openingOf(entry: Entry | undefined) {
  const event = entry && eventOf(entry);
  return event?.type === 'betting-opened' || event?.type === 'demo-round-opened' ? event : null;
}

/**
 * All entries from the opening of a round to its end, with every card that is open; empty for an
 * unknown round.
 */
export async function entriesOfRound(ledger: LedgerReader, roundId: string): Promise<Entry[]> {
  const span = ledger.roundSpan(roundId);
  const entries: Entry[] = [];
  const cards = new OpenedCards(ledger);
  // By their numbers and not by their round: what was decided with the opening belongs to it and
  // was stored without.
  for (let from = span?.firstSeq ?? 1; span && from <= span.lastSeq; from = entries.at(-1)!.seq + 1) {
    entries.push(...ledger.read(from, Math.min(PAGE, span.lastSeq - from + 1)).map(cards.in));
    await breathe();
  }
  return openingOf(entries[0]) === null ? [] : entries;
}

/**
 * The state before entry `seq`: from the nearest snapshot, which is a few thousand entries away.
 */
export async function stateBefore(ledger: LedgerReader, seq: number): Promise<TableState> {
  const steps = restoring(ledger, seq - 1, PAGE);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await breathe();
  }
}

function rowOf(entries: readonly Entry[]): RoundPage['rounds'][number] | null {
  const opened = openingOf(entries[0]);
  if (!opened) return null;
  const events = tableEvents(entries);
  const lines = events.flatMap((event) =>
    event.type === 'round-settled' || event.type === 'round-voided' ? event.lines : [],
  );
  const closed = events.find(({ type }) => type === 'round-closed' || type === 'betting-cancelled');
  return {
    roundId: opened.roundId,
    no: opened.roundNo,
    openedAtMs: entries[0]!.atMs,
    closedAtMs: closed?.atMs ?? null,
    voided: events.some(({ type }) => type === 'round-voided'),
    stakedMinor: lines.reduce((total, line) => total + line.stakeMinor, 0),
    returnedMinor: lines.reduce((total, line) => total + line.returnedMinor, 0),
  };
}

/** Rounds looked through for those of one seat before the page is given as it is. */
const LOOKED_THROUGH = 200;

/** Newest round first; `newestNo`: the number of the last round that was opened. */
export async function roundPage(
  ledger: LedgerReader & { head(): { readonly seq: number } },
  newestNo: number,
  o: {
    readonly beforeNo: number | null;
    readonly limit: number;
    /** Only rounds in which its bettor had a bet, or somebody on its hand. */
    readonly seat?: number;
    /** Opened up to then. */
    readonly atMs?: number;
  },
): Promise<RoundPage> {
  const { seat, atMs, limit } = o;
  const upToNo =
    atMs === undefined ? newestNo : await roundNoAt(ledger, seqAt(ledger, ledger.head().seq, atMs));
  const rounds: RoundPage['rounds'][number][] = [];
  let no = Math.min(upToNo, (o.beforeNo ?? Infinity) - 1);
  for (let looked = 0; no > 0 && rounds.length < limit && looked < LOOKED_THROUGH; looked += 1, no -= 1) {
    const entries = await entriesOfRound(ledger, roundIdOf(ledger.terminalId, no));
    const row = rowOf(entries);
    if (row && (seat === undefined || hasBet(entries, seat))) rounds.push(row);
  }
  return { rounds, older: no > 0 ? no + 1 : null };
}

const hasBet = (entries: readonly Entry[], seat: number): boolean =>
  tableEvents(entries).some(
    (event) => event.type === 'bet-placed' && (event.seat === seat || event.by === seat),
  );

/** What was put right. */
const CORRECTIONS: ReadonlySet<string> = new Set([
  'card-read-again',
  'card-confirmed',
  'cards-swapped',
  'bank-second-burned',
  'card-taken-back',
  'card-doubted',
  'cards-replaced',
  'complaint-raised',
  'complaint-closed',
  'credit-adjusted',
  'streak-forfeited',
  'round-voided',
]);
const BURNT_WRONG: ReadonlySet<unknown> = new Set(['exposed', 'set-aside', 'misdrawn', 'wrong-bank-card']);

const isCorrection = ({ kind, body }: Entry): boolean =>
  CORRECTIONS.has(kind) || (kind === 'card-burned' && BURNT_WRONG.has((body as { why: string }).why));

/** More of a kind than a table sees in years. */
const MOST_SAID = 10_000;

/** What people say of a round and put right about it, whenever they do. */
const ABOUT_A_ROUND = ['complaint-raised', 'complaint-closed', 'credit-adjusted'] as const;

/**
 * Complaints about a round and adjustments for it that stand after it in the ledger, oldest first.
 */
async function saidLater(ledger: LedgerReader, ofRound: readonly Entry[], roundId: string): Promise<Entry[]> {
  const known = new Set(ofRound.map(({ seq }) => seq));
  const fromSeq = ofRound[0]?.seq ?? 1;
  const found: Entry[] = [];
  for (const kind of ABOUT_A_ROUND) {
    for (const entry of ledger.newest({ beforeSeq: null, downToSeq: fromSeq, limit: MOST_SAID, kind })) {
      const { ofRoundId, corrects } = entry.body as { ofRoundId?: string; corrects?: Corrected };
      if (!known.has(entry.seq) && (ofRoundId ?? corrects?.roundId) === roundId) found.push(entry);
    }
    await breathe();
  }
  return found.sort((a, b) => a.seq - b.seq);
}

/** What went wrong. */
const ERRORS: ReadonlySet<string> = new Set([
  'terminal-started',
  'fault-reported',
  'fault-cleared',
  'table-held',
  'hold-released',
  'cards-waiting',
  'shoe-suspected',
  'shuffler-jammed',
  'shuffler-opened',
  'shoe-link',
  'shoe-event-refused',
  'note-held',
  'note-credit-repeated',
  'access-refused',
]);

/** Money of a seat that is neither bet nor settlement. */
const MONEY: ReadonlySet<string> = new Set([
  'note-credited',
  'note-held',
  'held-note-resolved',
  'cash-out-requested',
  'cash-out-cancelled',
  'hand-paid',
  'credit-adjusted',
]);

/** Between two rounds of a busy table there are some dozens. */
const MOST_BETWEEN = 20 * PAGE;

/** What came and went on the credits between the round before and entry `seq`, oldest first. */
async function moneyBefore(ledger: LedgerReader, seq: number): Promise<Entry[]> {
  const found: Entry[] = [];
  for (let beforeSeq = seq; beforeSeq > Math.max(1, seq - MOST_BETWEEN); ) {
    const page = ledger.newest({ beforeSeq, limit: PAGE, kind: null });
    const end = page.findIndex(({ roundId }) => roundId !== null);
    found.push(...(end < 0 ? page : page.slice(0, end)).filter(({ kind }) => MONEY.has(kind)));
    if (end >= 0) break;
    beforeSeq = page.at(-1)?.seq ?? 1;
    await breathe();
  }
  return found.reverse();
}

/** What each bettor puts in, by category: the name of a bet, or of the decision that raised it. */
export class Wagers {
  readonly #of = new Map<number, Map<string, number>>();

  take(event: TableEvent): void {
    switch (event.type) {
      case 'bet-placed':
        return this.#add(event.by, event.bet, event.amountMinor);
      case 'bet-withdrawn':
        return this.#add(event.by, event.bet, -event.amountMinor);
      case 'insurance-laid':
        return this.#add(event.by, 'insurance', event.amountMinor);
      case 'pair-bet-laid':
        return this.#add(event.by, 'anyPair', event.amountMinor);
      case 'raise-followed':
        return this.#add(
          event.by,
          event.kind === 'split' ? 'followSplit' : 'followDouble',
          event.amountMinor,
        );
      case 'hand-doubled':
      case 'hand-split':
      case 'war-declared':
        for (const { by, amountMinor } of event.raises) this.#add(by, RAISES[event.type], amountMinor);
        return;
      default:
    }
  }

  of(seat: number): { readonly category: string; readonly amountMinor: number }[] {
    return [...(this.#of.get(seat) ?? [])]
      .map(([category, amountMinor]) => ({ category, amountMinor }))
      .filter(({ amountMinor }) => amountMinor > 0);
  }

  #add(by: number, category: string, amountMinor: number): void {
    const of = this.#of.get(by) ?? new Map<string, number>();
    of.set(category, (of.get(category) ?? 0) + amountMinor);
    this.#of.set(by, of);
  }
}

const RAISES = { 'hand-doubled': 'double', 'hand-split': 'split', 'war-declared': 'goToWar' } as const;

/**
 * A round as it was: the credits before it, what came on them, its entries one by one, and what
 * became of them. Null: no such round. `hiddenIn`: see `hiddenRound`.
 */
export async function roundDetail(
  ledger: LedgerReader,
  hiddenIn: string | null,
  roundId: string,
): Promise<RoundDetail | null> {
  const entries = await entriesOfRound(ledger, roundId);
  const opened = openingOf(entries[0]);
  if (!opened) return null;
  const { seq: firstSeq, atMs: openedAtMs } = entries[0]!;
  const state = await stateBefore(ledger, firstSeq);
  const { profile } = state;
  const before = new Map(state.seats.map(({ seat, creditMinor }) => [seat, creditMinor]));
  const dealers = new Map<string, Person>();
  const wagers = new Wagers();
  // The object stays when the table is cleared: it is the round as it ended.
  let round: TableState['round'] = null;
  for (const event of tableEvents(entries)) {
    if (state.dealer) dealers.set(state.dealer.id, state.dealer);
    evolve(state, event);
    wagers.take(event);
    round = state.round ?? round;
  }
  const step = (entry: Entry): RoundStep => {
    const { seq, atMs, kind } = entry;
    return { seq, atMs, kind, body: bodyShown(entry, hiddenIn) };
  };
  return {
    roundId,
    no: opened.roundNo,
    rulebook: profile?.rulebook ?? null,
    profileSha256: profile && tableHashOf(profile),
    openedAtMs,
    dealers: [...dealers.values()].map(({ name }) => name),
    bankCards: round?.bank.slice(0, round.bankHoleDown && !round.lines ? 1 : undefined) ?? [],
    playerSideCards: round?.playerSide ?? [],
    seats: state.seats
      // Also whoever has bet on the hand of another only: their credit is part of the round.
      .filter(({ seat }) => wagers.of(seat).length > 0 || round?.bets.some((bet) => bet.seat === seat))
      .map(({ seat, creditMinor }) => ({
        seat,
        creditBeforeMinor: before.get(seat) ?? 0,
        creditAfterMinor: creditMinor,
        bets: (round?.bets ?? []).filter((bet) => bet.seat === seat),
        wagers: wagers.of(seat),
        hands: (round?.seats.find((candidate) => candidate.seat === seat)?.hands ?? []).map((hand) => ({
          cards: shownCards(state, round!, hand),
          stakeMinor: hand.stakesMinor.reduce((total, stake) => total + stake, 0),
        })),
        lines: (round?.lines ?? []).filter((line) => line.seat === seat),
      })),
    moneyBefore: (await moneyBefore(ledger, firstSeq)).map(step),
    corrections: [...entries.filter(isCorrection), ...(await saidLater(ledger, entries, roundId))].map(step),
    errors: entries.filter(({ kind }) => ERRORS.has(kind)).map(step),
    steps: entries.map(step),
  };
}
