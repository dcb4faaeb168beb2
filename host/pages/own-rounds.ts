import { type Card, cardName } from '../../engine/core/cards.ts';
import type { TableEvent } from '../../engine/table/events.ts';
import { makeReceipt, makeReceiptLink } from '../../ledger/chain/receipt.codec.ts';
import type { RoundOfReceipt } from '../../ledger/chain/receipt-words.ts';
import type { Ledger, LedgerKey } from '../../ledger/store/ledger.store.ts';
import type { OwnRound, OwnRounds, OwnStep, StepPart } from '../../wire/pages.ts';
import type { TableView } from '../../wire/view.ts';
import { eventOf } from '../table/terminal.ts';
import { breathe, entriesOfRound, PAGE, tableEvents } from './recall.ts';
import { partOf, playRound, type RecallContext } from './recall-steps.ts';

/** How many a player may look back at, beyond the last one and nine before it of AGCO 13.1.1. */
const OWN_ROUNDS = 200;
/** Of a page. */
const LISTED = 10;
/** At a full table some 300 rounds. Whoever has not bet for so long finds nothing. */
const LOOKED_BACK = 60_000;
/** Entries that SQLite passes over at a time. */
const STRIDE = 10_000;
const KINDS = ['hand-paid', 'round-closed', 'bet-placed'];

/**
 * The newest `most` rounds that have ended in which the player of `seat` has bet, newest first;
 * those before their last hand-pay are another's.
 */
async function roundIdsOf(ledger: Ledger, seat: number, most = OWN_ROUNDS): Promise<string[]> {
  const found = new Set<string>();
  const ended = new Set<string>();
  const { seq: head } = ledger.head();
  const least = Math.max(1, head - LOOKED_BACK);
  for (let beforeSeq = head + 1; beforeSeq > least; ) {
    const downToSeq = Math.max(1, beforeSeq - STRIDE);
    const page = ledger.newest({ beforeSeq, downToSeq, limit: PAGE, kind: null, kinds: KINDS });
    for (const entry of page) {
      const event = eventOf(entry);
      const { roundId } = entry;
      if (event?.type === 'hand-paid' && event.seat === seat) return [...found];
      if (roundId === null) continue;
      if (event?.type === 'round-closed') ended.add(roundId);
      if (event?.type === 'bet-placed' && event.by === seat && ended.has(roundId)) found.add(roundId);
      if (found.size > most) return [...found].slice(0, most);
    }
    beforeSeq = page.length < PAGE ? downToSeq : page.at(-1)!.seq;
    await breathe();
  }
  return [...found].slice(0, most);
}

const linesOf = (events: readonly TableEvent[], seat: number) =>
  events.flatMap((event) =>
    event.type === 'round-settled' || event.type === 'round-voided'
      ? event.lines.filter(({ by }) => by === seat)
      : [],
  );

/** What the player of a seat may look at again, newest first, ten from the `from`th on. */
export async function ownRounds(ledger: Ledger, seat: number, from = 0): Promise<OwnRounds> {
  const ids = await roundIdsOf(ledger, seat, Math.min(from + LISTED + 1, OWN_ROUNDS));
  const rounds: OwnRounds['rounds'][number][] = [];
  for (const roundId of ids.slice(from, from + LISTED)) {
    const row = await rowOf(ledger, seat, roundId);
    if (row) rounds.push(row);
  }
  return { rounds, more: ids.length > from + LISTED };
}

async function rowOf(
  ledger: Ledger,
  seat: number,
  roundId: string,
): Promise<OwnRounds['rounds'][number] | null> {
  const events = tableEvents(await entriesOfRound(ledger, roundId));
  const opened = events[0];
  const lines = linesOf(events, seat);
  // A bet that was taken back is no round of their.
  if (opened?.type !== 'betting-opened' || lines.length === 0) return null;
  return {
    roundId,
    no: opened.roundNo,
    openedAtMs: opened.atMs,
    voided: events.some(({ type }) => type === 'round-voided'),
    stakedMinor: lines.reduce((sum, { stakeMinor }) => sum + stakeMinor, 0),
    netMinor: lines.reduce((sum, { netMinor }) => sum + netMinor, 0),
  };
}

/** What a receipt's code says; null until the round has been sealed, moments after its end. */
function receiptOf(
  ledger: Ledger,
  key: LedgerKey,
  address: string | null,
  played: Omit<OwnRound, 'receipt'>,
  { seat, closed }: { readonly seat: number; readonly closed: TableView },
): string | null {
  const { roundId, lines } = played;
  const span = ledger.roundSpan(roundId);
  const checkpoint = span && ledger.checkpointFrom(span.lastSeq);
  if (!checkpoint) return null;
  const returnedMinor = lines.reduce((sum, line) => sum + line.returnedMinor, 0);
  // What was at stake: a special prize has a stake to be reckoned from, and none of its own.
  const stakedMinor = lines.reduce((sum, line) => sum + line.returnedMinor - line.netMinor, 0);
  const { terminalId: terminal } = ledger;
  const { currency } = closed.table;
  const amounts = { terminal, roundId, seat, currency, stakedMinor, returnedMinor, checkpoint };
  return address === null
    ? makeReceipt(amounts, key)
    : makeReceiptLink(address, { ...amounts, round: roundOfReceipt(played, closed) }, key);
}

const cardsText = (cards: readonly (Card | null)[]): string => cards.map(cardName).join('');
const layoutOf = ({ bank, playerSide, hands }: OwnStep) => ({
  bank: cardsText(bank),
  playerSide: cardsText(playerSide ?? []),
  hands: hands.map(({ seat, cards }) => `${seat}:${cardsText(cards)}`),
});

/** The round as the page of a link shows and plays it. */
function roundOfReceipt(played: Omit<OwnRound, 'receipt'>, closed: TableView): RoundOfReceipt {
  const { no, openedAtMs, rulebook, voided, byHand, lines, steps } = played;
  // Cards are gathered after the settlement; the table is shown as it was paid.
  const last = steps.findLast(({ bank, hands }) => bank.length > 0 || hands.length > 0) ?? steps.at(-1)!;
  return {
    no,
    openedAtMs,
    rulebook,
    table: closed.table.name,
    dealer: closed.dealer.name,
    isVoid: voided,
    ...(byHand ? { byHand } : {}),
    lines: lines.map(({ seat, hand, bet, outcome, stakeMinor, netMinor, odds, cites }) => [
      ...([seat, hand, bet, outcome, stakeMinor, netMinor, odds, cites] as const),
    ]),
    steps: steps.map((step) => {
      const { bank, playerSide, hands } = layoutOf(step);
      const { kind, seat = 0, bet = '', amountMinor = 0 } = step.done[0]!;
      const seconds = Math.round((step.atMs - openedAtMs) / 1_000);
      return [seconds, kind, seat, bet, amountMinor, bank, playerSide, hands] as const;
    }),
    ...layoutOf(last),
  };
}

/**
 * One of `ownRounds`, step by step: the bank's cards, their hands, their money. Null: no round of
 * their.
 */
export async function ownRound(
  ledger: Ledger,
  key: LedgerKey,
  context: RecallContext,
  seat: number,
  roundId: string,
): Promise<OwnRound | null> {
  return (await roundIdsOf(ledger, seat)).includes(roundId)
    ? roundOfSeat(ledger, key, context, seat, roundId)
    : null;
}

/** The same, whoever sits there now: for the staff. */
export async function roundOfSeat(
  ledger: Ledger,
  key: LedgerKey,
  context: RecallContext,
  seat: number,
  roundId: string,
): Promise<OwnRound | null> {
  const row = await rowOf(ledger, seat, roundId);
  if (!row) return null;
  const byHand = tableEvents(await entriesOfRound(ledger, roundId)).some(
    (event) => event.type === 'card-confirmed' && event.card !== event.read,
  );
  const steps: OwnStep[] = [];
  let [opened, closed]: (TableView | null)[] = [null, null];
  let lines: OwnRound['lines'] = [];
  let profileSha256 = '';
  for await (const { entries, view, profileSha256: sum } of playRound(ledger, context, roundId)) {
    opened ??= view;
    profileSha256 = sum;
    closed = view;
    lines = view.seats[seat - 1]?.result?.lines ?? lines;
    const step = ownStep(
      entries.map((entry) => partOf(entry, view)),
      view,
      seat,
    );
    if (step) steps.push(step);
    await breathe();
  }
  if (!opened || !closed) return null;
  const { no, openedAtMs, voided, netMinor } = row;
  const played = {
    roundId,
    no,
    openedAtMs,
    rulebook: opened.table.rulebook,
    profileSha256,
    voided,
    byHand,
    // The opening of a round moves no money.
    creditBeforeMinor: opened.seats[seat - 1]?.creditMinor ?? 0,
    creditAfterMinor: closed.seats[seat - 1]?.creditMinor ?? 0,
    netMinor,
    lines,
    steps,
  };
  const receipt = receiptOf(ledger, key, context.receiptAddress, played, { seat, closed });
  return { ...played, receipt };
}

/** What concerns every player, and nobody's money. */
const OF_TABLE: ReadonlySet<string> = new Set([
  'betting-opened',
  'betting-closed',
  'bank-card-dealt',
  'player-side-card-dealt',
  'hole-card-checked',
  'hole-card-turned',
  'bank-second-burned',
  'card-taken-back',
  'card-doubted',
  'cards-swapped',
  'table-held',
  'hold-released',
  'round-settled',
  'round-voided',
]);

/** A step as the bettor of `own` may see it; null where nothing of it is about them. */
function ownStep(parts: readonly StepPart[], view: TableView, own: number): OwnStep | null {
  const theirs = view.seats.filter(({ bets }) => bets.some(({ by }) => by === own)).map(({ seat }) => seat);
  const done = parts.filter(({ kind, seat, by = seat, amountMinor }) => {
    if (OF_TABLE.has(kind)) return true;
    return by === own || (amountMinor === undefined && seat !== undefined && theirs.includes(seat));
  });
  if (done.length === 0) return null;
  return {
    atMs: view.nowMs,
    done,
    bank: view.bank.cards,
    playerSide: view.playerSide?.cards ?? null,
    hands: view.seats
      .filter(({ seat }) => theirs.includes(seat))
      .flatMap(({ seat, front, hands }) =>
        hands.map(({ cards, faceDown, stakeMinor, behind }) => ({
          seat,
          cards: faceDown && seat !== own ? cards.map(() => null) : cards,
          stakeMinor: front === own ? stakeMinor : (behind.find(({ by }) => by === own)?.stakeMinor ?? 0),
        })),
      ),
  };
}
