/**
 * The most a panel can be asked to show: every set of acts that the engine itself has open at once,
 * under every rulebook and option, of which no other one is a part. Found by play with cards that
 * make pairs, naturals, aces of the bank and hands of many cards common.
 */
import { rulebookOf, validateOptions } from '../../engine/books.ts';
import { cardOf } from '../../engine/core/cards.ts';
import { type Minor, minor } from '../../engine/core/money.ts';
import type { Rejection } from '../../engine/core/result.ts';
import { advance, type Decision, seatChoices } from '../../engine/engine.ts';
import type { Act, Input } from '../../engine/table/inputs.ts';
import type { OptionValue, RulebookId } from '../../engine/table/profile.ts';
import { gameOf } from '../../engine/table/registry.ts';
import type { SettlementLine } from '../../engine/table/settlement.ts';
import { tableView } from '../../host/table/view.ts';
import { decisionOf } from '../../renderer/panel/decision.ts';
import { choicesNow } from '../../renderer/parts/mode.ts';
import type { TableView } from '../../wire/view.ts';
import { drawOptions } from '../auditor/random-options.ts';
import { RandomTable } from '../support/random-table.ts';
import { TestTable, type TimelessInput } from '../support/table-kit.ts';

/** Aces, tens, eights, fives, and low cards for hands of five. */
const RANKS = [0, 0, 9, 9, 12, 7, 7, 4, 1, 2];
const RAISES: ReadonlySet<Act> = new Set(['double', 'split', 'followDouble', 'followSplit', 'betPair']);
const INPUTS = 600;
const DRAWN_SETS = 60;

class WideTable extends RandomTable {
  #rank = 0;

  override drawNext(): TimelessInput {
    const input = super.drawNext();
    if (input.type !== 'draw-card') return input;
    if (this.below(3) > 0) this.#rank = this.pick(RANKS);
    return {
      ...input,
      drawNo: null,
      confidence: 255,
      faceUp: false,
      card: cardOf(this.below(4), this.#rank),
    };
  }

  /** A pair of a split hand is asked about where its bettor has bet on the first pair. */
  override betting(): TimelessInput {
    const input = super.betting();
    if (input.type !== 'place-bet' || this.below(4) > 0) return input;
    return gameOf(this.state).bets(this.state).includes('anyPair')
      ? { ...input, seat: input.by, bet: 'anyPair' }
      : input;
  }

  /** Half of the time they raise where they may: much is asked only after that. */
  override lawfulAct(): TimelessInput {
    const raises = this.state.seats.flatMap(({ seat: by }) =>
      seatChoices(this.state, by)
        .filter(({ act, allowed }) => allowed && RAISES.has(act))
        .map((choice) => ({ by, choice })),
    );
    if (raises.length === 0 || this.below(2) === 0) return super.lawfulAct();
    const { by, choice } = this.pick(raises);
    return this.decision(choice.seat, by, choice.hand, choice.act, choice.minMinor);
  }

  /** The books are other tests' matter, and this table is nobody else's. */
  override decide(input: TimelessInput): Decision | Rejection {
    this.atMs += 1;
    return advance(this.state, { atMs: this.atMs, ...input } as Input);
  }
}

/** Every value of every option by itself, and some sets of several. */
export function optionSets(rulebook: RulebookId): Record<string, OptionValue>[] {
  const sets: Record<string, OptionValue>[] = [{}];
  for (const { id, legal } of rulebookOf(rulebook)?.options ?? []) {
    const values: readonly OptionValue[] =
      legal.kind === 'one-of'
        ? legal.values
        : legal.kind === 'subset'
          ? [[...legal.of], ...legal.of.map((each) => [each])]
          : legal.kind === 'fraction'
            ? [legal.min, legal.max]
            : legal.kind === 'integer'
              ? [legal.min, Math.min(legal.max, legal.min + 4)]
              : [];
    sets.push(...values.map((value) => ({ [id]: value })));
  }
  let state = 7;
  const random = (limit: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  };
  for (let i = 0; i < DRAWN_SETS; i += 1) sets.push(drawOptions(rulebook, random));
  // A display has seven seats.
  return sets.filter((options) => !('seats' in options) && validateOptions(rulebook, options).ok);
}

export interface Wide {
  readonly rulebook: RulebookId;
  readonly acts: readonly Act[];
  /** Whose panel shows them. */
  readonly seat: number;
  readonly view: TableView;
}

/** Every set of acts open at once that is no part of another one, with a table it is open at. */
export function widest(rulebook: RulebookId): {
  readonly sets: readonly Wide[];
  readonly seen: ReadonlySet<Act>;
  /** One line of each kind, and a table that has settled. */
  readonly lines: readonly SettlementLine[];
  readonly settled: TableView;
} {
  const lines = new Map<string, SettlementLine>();
  let settled: TableView | undefined;
  const found = new Map<string, Wide>();
  const seen = new Set<Act>();
  for (const [index, options] of optionSets(rulebook).entries()) {
    const table = new WideTable(1 + index, rulebook, options, false);
    for (let i = 0; i < INPUTS; i += 1) {
      table.try(table.due());
      const { state } = table;
      for (const line of state.round?.lines ?? []) {
        settled ??= structuredClone(tableView(state, CONTEXT));
        lines.set([line.bet, line.outcome, line.hand !== null, line.cites].join(), structuredClone(line));
      }
      if (!state.round?.dealt || state.round.lines) continue;
      const { turn } = state.round;
      for (const { seat } of state.seats) {
        const choices = seatChoices(state, seat);
        if (!choices.some(({ allowed }) => allowed)) continue;
        const turnHand = turn?.seat === seat ? turn.hand : null;
        const acts = choicesNow({ seat, turnHand, choices }).map(({ act }) => act);
        for (const act of acts) seen.add(act);
        const key = acts.join(' ');
        if (!found.has(key))
          found.set(key, { rulebook, acts, seat, view: structuredClone(tableView(state, CONTEXT)) });
      }
    }
  }
  const all = [...found.values()];
  const isPart = (some: Wide, other: Wide): boolean =>
    some !== other && kindOf(some) === kindOf(other) && some.acts.every((act) => other.acts.includes(act));
  const sets = all.filter((each) => !all.some((other) => isPart(each, other)));
  return { sets, seen, lines: [...lines.values()], settled: settled! };
}

/** Each question is a panel of its own. */
function kindOf({ view, seat }: Wide): string {
  const { question, mayWait } = decisionOf(choicesNow(view.seats[seat - 1]!));
  return `${question} ${mayWait}`;
}

export interface Bets {
  readonly rulebook: RulebookId;
  readonly bets: readonly string[];
  /** Betting is open, and nothing lies. */
  readonly empty: TableView;
  /** The most lies on every bet of every seat. */
  readonly laid: TableView;
}

/** Every set of bets that a table offers and that is no part of another one. */
export function mostBets(rulebook: RulebookId): readonly Bets[] {
  const found = new Map<string, Bets>();
  for (const options of optionSets(rulebook)) {
    const table = TestTable.ready(options, { rulebook, chipsMinor: CHIPS, notesMinor: [CREDIT] }, CREDIT);
    table.open();
    const view = (): TableView => structuredClone(tableView(table.state, CONTEXT));
    const empty = view();
    const choices = empty.seats[0]!.betting.filter(({ act }) => act === 'place-bet');
    const bets = choices.map(({ bet }) => bet!);
    if (found.has(bets.join(' '))) continue;
    for (const { seat } of empty.seats)
      for (const { bet, amountMinor } of choices) table.tryBet(seat, amountMinor ?? CHIPS[0], seat, bet!);
    found.set(bets.join(' '), { rulebook, bets, empty, laid: view() });
  }
  const all = [...found.values()];
  return all.filter(
    (each) => !all.some((other) => other !== each && each.bets.every((bet) => other.bets.includes(bet))),
  );
}

/** As many as the tables that ship have. */
const CHIPS = [5_000, 10_000, 50_000, 100_000, 500_000].map(minor) as [Minor, ...Minor[]];
const CREDIT = minor(8_765_400);

const CONTEXT: Parameters<typeof tableView>[1] = {
  bootId: 'widest',
  seq: 1,
  nowMs: 1_000_000,
  demo: null,
  simulation: false,
  locked: null,
  link: { state: 'up', headSeq: 1, ackedSeq: 1, ackedUpToMs: null, downSinceMs: null },
  devices: [],
  recentNotes: new Map(),
};
