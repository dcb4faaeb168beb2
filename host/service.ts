import { countEvent, emptyMeters, metersOf } from '../engine/accounting/meters.ts';
import type { Card } from '../engine/core/cards.ts';
import { rulebookOf } from '../engine/games/rulebook.ts';
import type { TableEvent } from '../engine/table/events.ts';
import type { TableState } from '../engine/table/state.ts';
import { evolve } from '../engine/table/table.ts';
import type { Entry, LedgerReader } from '../ledger/store/ledger.store.ts';
import type { EventPage, MeterPage, ProfilePage, RoundDetail, RoundPage } from './api.ts';
import { eventOf, restoreState } from './terminal.ts';

/** Pages of service mode that are read from the ledger alone; nothing here can change anything. */

export function eventPage(
  ledger: LedgerReader,
  o: { beforeSeq: number | null; limit: number; kind: string | null },
): EventPage {
  const events = ledger
    .newest(o)
    .map(({ seq, atMs, kind, roundId, body }) => ({ seq, atMs, kind, roundId, body }));
  return { events };
}

type Opened = Extract<TableEvent, { type: 'betting-opened' }>;

function* roundsOpened(ledger: LedgerReader): Generator<{ entry: Entry; opened: Opened }> {
  for (let beforeSeq: number | null = null; ; ) {
    const page: Entry[] = ledger.newest({ beforeSeq, limit: 50, kind: 'betting-opened' });
    for (const entry of page) yield { entry, opened: eventOf(entry) as Opened };
    const last = page.at(-1);
    if (!last) return;
    beforeSeq = last.seq;
  }
}

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

export function roundPage(ledger: LedgerReader, o: { beforeNo: number | null; limit: number }): RoundPage {
  const rounds: RoundPage['rounds'][number][] = [];
  for (const { entry, opened } of roundsOpened(ledger)) {
    if (o.beforeNo !== null && opened.roundNo >= o.beforeNo) continue;
    const events = tableEvents(ledger.readRound(opened.roundId));
    const closed = events.find((event) => event.type === 'round-closed');
    rounds.push({
      roundId: opened.roundId,
      no: opened.roundNo,
      openedAtMs: entry.atMs,
      closedAtMs: closed?.atMs ?? null,
      voided: events.some((event) => event.type === 'round-voided'),
      ...amountsOf(events),
    });
    if (rounds.length >= o.limit) break;
  }
  return { rounds };
}

/** A round as it was, from the ledger alone: the state before it, then its entries one by one. Null: no such round. */
export function roundDetail(ledger: LedgerReader, roundId: string): RoundDetail | null {
  const entries = ledger.readRound(roundId);
  const first = entries[0];
  if (!first) return null;
  const state = restoreState(ledger, first.seq - 1);
  const before = new Map(state.seats.map((seat) => [seat.seat, seat.creditMinor]));
  let shown: TableState['round'] = null;
  const last = entries.at(-1)?.seq ?? first.seq;
  for (let from = first.seq; from <= last; ) {
    const page = ledger.read(from, Math.min(500, last - from + 1));
    for (const event of tableEvents(page)) {
      evolve(state, event);
      // Closing the round clears it from the state; what it was is the state just before.
      if (state.round?.id === roundId) shown = structuredClone(state.round);
    }
    from += page.length;
  }
  const opened = eventOf(first) as Opened;
  return {
    roundId,
    no: opened.roundNo,
    openedAtMs: first.atMs,
    dealerName: state.dealer?.name ?? '',
    bankCards: (shown?.bank ?? []) as Card[],
    seats: state.seats
      .filter((seat) => shown?.bets.some((bet) => bet.seat === seat.seat))
      .map((seat) => ({
        seat: seat.seat,
        creditBeforeMinor: before.get(seat.seat) ?? 0,
        creditAfterMinor: seat.creditMinor,
        bets: (shown?.bets ?? []).filter((bet) => bet.seat === seat.seat),
        hands: (shown?.seats.find((candidate) => candidate.seat === seat.seat)?.hands ?? []).map((hand) => ({
          cards: hand.cards,
          stakeMinor: hand.stakesMinor.reduce((total, stake) => total + stake, 0),
        })),
        lines: (shown?.lines ?? []).filter((line) => line.seat === seat.seat),
      })),
    steps: entries.map(({ seq, atMs, kind, body }) => ({ seq, atMs, kind, body })),
  };
}

/** Meters of the whole life of the terminal, folded from its entries. */
export function meterPage(ledger: LedgerReader, headSeq: number, atMs: number): MeterPage {
  const meters = emptyMeters();
  for (let from = 1; from <= headSeq; ) {
    const page = ledger.read(from, Math.min(1000, headSeq - from + 1));
    for (const event of tableEvents(page)) countEvent(meters, event);
    from += page.length;
  }
  return { atMs, meters: metersOf(meters) };
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
