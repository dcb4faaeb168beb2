/** The account of the engine beside that of the reader. */
import type { TableEvent } from '../../engine/table/events.ts';
import type { SettlementLine } from '../../engine/table/settlement.ts';
import type { TableState } from '../../engine/table/state.ts';
import type { Question, ReadLine, Reply } from '../../reader/form.ts';
import type { AccountLine, ReadAccount } from '../../wire/host-events.ts';

/** Outcomes that say by their name where the money goes; the others may go either way. */
const WON: ReadonlySet<string> = new Set(['win', 'blackjack', 'even-money', 'special-prize', 'jackpot']);
const LOST: ReadonlySet<string> = new Set(['lose', 'bust', 'surrender', 'forfeit']);
const LEVEL: ReadonlySet<string> = new Set(['push', 'void', 'released']);

/** What an outcome of the engine means for the bettor's money; null = its amount must say. */
const meaningOf = (outcome: string): ReadLine['outcome'] | null =>
  WON.has(outcome) ? 'won' : LOST.has(outcome) ? 'lost' : LEVEL.has(outcome) ? 'tied' : null;

const byMoney = (net: number): ReadLine['outcome'] => (net > 0 ? 'won' : net < 0 ? 'lost' : 'tied');

type Place = Pick<ReadLine, 'seat' | 'by' | 'bet' | 'hand'>;
const keyOf = ({ seat, by, bet, hand }: Place): string => `${seat} ${by} ${bet} ${hand}`;

/** What lies beside the hands; null = a bet on a hand, or of a round before: its line must say. */
function laidOn({ round }: TableState, { seat, by, bet, hand }: Place): number | null {
  if (hand !== null) return null;
  const laid = (round?.bets ?? []).filter((one) => one.seat === seat && one.by === by && one.bet === bet);
  return laid.length === 0 ? null : laid.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

/**
 * The engine's lines as the reader tells its own; an outcome that its amount belies stays apart.
 */
function linesOf(lines: readonly SettlementLine[], state: TableState): ReadLine[] {
  const sums = new Map<string, ReadLine>();
  for (const line of lines) {
    const { seat, by, bet, hand, outcome, stakeMinor, returnedMinor } = line;
    const key = keyOf(line);
    const before = sums.get(key);
    // What moves is what comes back beside the money that lay there, whatever the line calls its
    // net or its stake.
    const laid = laidOn(state, line);
    const stake = laid === null ? stakeMinor : before ? 0 : laid;
    const net = (before?.net ?? 0) + returnedMinor - stake;
    const money = byMoney(net);
    const meaning = before ? null : meaningOf(outcome);
    sums.set(key, { seat, by, bet, hand, outcome: meaning ?? money, net: net === 0 ? 0 : net });
  }
  return [...sums.values()];
}

/** As the ledger tells it. */
const told = (lines: readonly ReadLine[]): AccountLine[] =>
  lines.map(({ net, ...line }) => ({ ...line, netMinor: net }));

const isAlike = (a: ReadLine | undefined, b: ReadLine): boolean =>
  a !== undefined && a.net === b.net && a.outcome === b.outcome;

/** What the round has paid by these events, at once or in all. */
const paidBy = (events: readonly TableEvent[], ask: Question['ask']): readonly SettlementLine[] =>
  events.flatMap((event) =>
    event.type === (ask === 'settled' ? 'round-settled' : 'paid-at-once') ? event.lines : [],
  );

/**
 * Null = they agree in every line and in what outlives the round; else both accounts.
 * @param state after the events
 */
export function differencesOf(
  events: readonly TableEvent[],
  state: TableState,
  ask: Question['ask'],
  reply: Reply,
): ReadAccount | null {
  const engine = linesOf(paidBy(events, ask), state);
  if ('cannot' in reply)
    return { ask, engine: told(engine), reader: [], differing: engine.map(keyOf), cannot: reply.cannot };
  const reader = reply.lines;
  const differing = [
    ...engine.filter(
      (line) =>
        !isAlike(
          reader.find((one) => keyOf(one) === keyOf(line)),
          line,
        ),
    ),
    ...reader.filter((line) => !engine.some((one) => keyOf(one) === keyOf(line))),
  ].map(keyOf);
  if (ask === 'settled') differing.push(...seriesOf(state, reply.after));
  return differing.length === 0
    ? null
    : { ask, engine: told(engine), reader: told(reader), differing, cannot: null };
}

/** Buttons of the streak and the meter of the jackpot, as far as the reader knows them. */
function seriesOf(
  { streaks, seats, jackpots, profile }: TableState,
  after: Extract<Reply, { after: unknown }>['after'],
): string[] {
  const buttons = after.streaks === null ? [] : seats;
  const found = buttons
    .filter(({ seat }) => {
      const series = streaks.find((one) => one.seat === seat);
      return (after.streaks![String(seat)] ?? 0) !== (series ? series.wins + 1 : 0);
    })
    .map(({ seat }) => `${seat} streak`);
  const meter = jackpots.find(({ currency }) => currency === profile?.currency);
  if (after.jackpot !== null && meter && meter.meterMinor !== after.jackpot) found.push('jackpot meter');
  return found;
}
