import type { Card } from '../../engine/core/cards.ts';
import { evolve } from '../../engine/engine.ts';
import type { Entry, LedgerReader } from '../../ledger/store/ledger.store.ts';
import type { RecallPage, StepPart } from '../../wire/pages.ts';
import type { TableView } from '../../wire/view.ts';
import { OpenedCards } from '../table/sealed-cards.ts';
import { shownTo } from '../table/shown-to.ts';
import { tableHashOf } from '../table/table-hash.ts';
import { sameTransaction } from '../table/terminal.ts';
import { NOTE_NEWS_MS, RecentNotes, tableView } from '../table/view.ts';
import { breathe, entriesOfRound, NAMES_CARDS, PAGE, stateBefore, tableEvents } from './recall.ts';

/** What the ledger does not say of a view of the past. */
export interface RecallContext {
  readonly simulation: boolean;
  readonly handLoaded: boolean;
  /** What a receipt's code links to; null = the code is no link. */
  readonly receiptAddress: string | null;
}

/** One transaction of a round, and the table after it. */
export interface PlayedStep {
  readonly entries: readonly Entry[];
  readonly view: TableView;
  /** Of the table it was played by, see `tableHashOf`. */
  readonly profileSha256: string;
}

/**
 * Plays a round as it was stored, transaction by transaction, as the displays saw it: the state
 * before it, its events through evolve, the view of each state. What the bank's card is that lies
 * face down no view says, as it was live.
 */
export async function* playRound(
  ledger: LedgerReader,
  context: RecallContext,
  roundId: string,
): AsyncGenerator<PlayedStep> {
  const entries = await entriesOfRound(ledger, roundId);
  const first = entries[0];
  if (!first) return;
  // Panels say of a note what became of it for a while, also into the round that follows.
  const earlier = ledger
    .newest({ beforeSeq: first.seq, limit: PAGE, kind: null })
    .filter(({ atMs }) => atMs > first.atMs - NOTE_NEWS_MS)
    .map(new OpenedCards(ledger).in)
    .toReversed();
  const state = await stateBefore(ledger, earlier[0]?.seq ?? first.seq);
  const profileSha256 = tableHashOf(state.profile!);
  let nowMs = first.atMs;
  const notes = new RecentNotes(() => nowMs);
  for (const group of transactionsOf([...earlier, ...entries])) {
    const events = tableEvents(group);
    for (const event of events) evolve(state, event);
    const { seq, atMs } = group.at(-1)!;
    nowMs = atMs;
    notes.take(events, state.profile?.acceptors === 'shared' ? state.noteSeat : null);
    if (seq < first.seq) continue;
    const view = tableView(state, {
      // One origin for all steps: the way from one to the next is animated.
      bootId: `recall ${roundId}`,
      seq,
      nowMs,
      demo: null,
      simulation: context.simulation,
      locked: null,
      link: { state: 'off', headSeq: seq, ackedSeq: 0, ackedUpToMs: null, downSinceMs: null },
      devices: [],
      ...(context.handLoaded ? { handLoaded: true } : {}),
      recentNotes: notes.current(),
    });
    yield { entries: group, view, profileSha256 };
  }
}

function* transactionsOf(entries: readonly Entry[]): Generator<readonly Entry[]> {
  let group: Entry[] = [];
  for (const [index, entry] of entries.entries()) {
    group.push(entry);
    if (sameTransaction(entry, entries[index + 1] ?? null)) continue;
    yield group;
    group = [];
  }
}

/** Steps in one message: some 20 kB each. */
const STEPS_PER_PAGE = 40;

/** What the big table plays of a round, from step `fromStep` on. Null: no such round. */
export async function recallPage(
  ledger: LedgerReader,
  context: RecallContext,
  roundId: string,
  fromStep: number,
): Promise<RecallPage | null> {
  const steps: RecallPage['steps'][number][] = [];
  let total = 0;
  for await (const { entries, view } of playRound(ledger, context, roundId)) {
    if (total >= fromStep && steps.length < STEPS_PER_PAGE)
      steps.push({ done: entries.map((entry) => partOf(entry, view)), view: shownTo(view, 'none') });
    total += 1;
    await breathe();
  }
  return total === 0 ? null : { roundId, total, steps };
}

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** An entry in a few words. A card that lies face down after it is not named. */
export function partOf({ kind, body }: Entry, view: TableView): StepPart {
  const said = body as Readonly<Record<string, unknown>>;
  const seat = numberOf(said['seat']);
  const by = numberOf(said['by']);
  const card = numberOf(said['card']) as Card | undefined;
  const amountMinor = numberOf(said['amountMinor'] ?? said['valueMinor']);
  const { bet } = said;
  const hand = view.seats[(seat ?? 0) - 1]?.hands[Number(said['hand'])];
  const hidden =
    kind === 'card-dealt' ? hand?.faceDown === true : NAMES_CARDS.has(kind) && view.bank.cards.includes(null);
  return {
    kind,
    ...(seat === undefined ? {} : { seat }),
    ...(by === undefined || by === seat ? {} : { by }),
    ...(typeof bet === 'string' ? { bet } : {}),
    ...(card === undefined || hidden ? {} : { card }),
    ...(amountMinor === undefined ? {} : { amountMinor }),
  };
}
