/**
 * One table three times from the same cards: out of memory, live, and by the auditor, a second
 * settlement that shares no code with the engine.
 */

import { isOfSeats, RememberedTable, sightFor } from '../../cli/simulate/remembered.ts';
import { bySeat, RememberedSeats } from '../../cli/simulate/remembered-seats.ts';
import { type Asked, setUp } from '../../cli/simulate/setup.ts';
import { SimulatedTable } from '../../cli/simulate/table.ts';
import { cardName } from '../../engine/core/cards.ts';
import { isSame } from '../../engine/core/same.ts';
import type { TableEvent } from '../../engine/table/events.ts';
import type { TableState } from '../../engine/table/state.ts';
import type { Auditor } from '../../reader/auditor.ts';
import { compareRound, worthOf } from '../auditor/compare.ts';
import { rulebooks } from '../auditor/rulebooks.ts';

export interface LockstepReport {
  readonly rounds: number;
  /** Rounds that the remembered table has asked the live one about. */
  readonly asked: number;
  /** Settlement lines that were compared. */
  readonly lines: number;
}

/** Throws CannotRun where there is no such table, another error where two of the three differ. */
export function lockstep(
  asked: Asked,
  rounds: number,
  seed: number,
  /** Options that the auditor is given instead. */
  other: Readonly<Record<string, unknown>> = {},
): LockstepReport {
  const [made] = setUp(asked);
  const { rulebook, shoe } = asked;
  const { options, rules, seatCount, player, laid } = made!;
  const setup = { rulebook, options, seatCount, shoe, player, laid, seed };
  const sight = sightFor(rules, laid);
  if ('live' in sight) throw new Error(`is played live: ${sight.live}`);
  const memory = isOfSeats(sight, laid)
    ? new RememberedSeats(setup, sight)
    : new RememberedTable(setup, sight);

  const model = rulebooks.find((one) => one.rulebook === rulebook)!;
  const auditor = model.model({ ...rules, ...other }, seatCount);
  const seated = [...new Set(laid.map(({ seat }) => seat))];
  const told = new Teller(auditor, seated, rulebook);
  let table: SimulatedTable | null = null;
  const live = new SimulatedTable({ ...setup, listener: (events) => told.hear(table?.state, events) });
  table = live;
  let lines = 0;
  for (let round = 1; round <= rounds; round++) {
    memory.play(1);
    live.playRound();
    lines += live.lines.length;
    const what = memory instanceof RememberedSeats ? bySeat(live.lines) : live.lines;
    const isOther = !isSame(memory.lines, what);
    const hasLeft = memory instanceof RememberedSeats && !isSame(memory.series, live.state.streaks);
    const [meter] = memory instanceof RememberedSeats ? memory.jackpots : [];
    const hasMoved = meter !== undefined && meter.meterMinor !== live.state.jackpots[0]?.meterMinor;
    if (isOther || hasLeft || hasMoved)
      throw new Error(
        `round ${round}: remembered ${JSON.stringify(memory.lines)}, live ${JSON.stringify(what)}${hasLeft ? '; another series' : ''}${hasMoved ? '; another meter' : ''}`,
      );
  }
  return { rounds, asked: memory.known.asked, lines };
}

/** Tells the auditor what happens at the live table, and compares every settlement. */
class Teller {
  readonly #auditor: Auditor;
  readonly #seated: readonly number[];
  readonly #rulebook: string;
  #worth = 0;

  constructor(auditor: Auditor, seated: readonly number[], rulebook: string) {
    this.#auditor = auditor;
    this.#seated = seated;
    this.#rulebook = rulebook;
  }

  hear(state: TableState | undefined, events: readonly TableEvent[]): void {
    for (const event of events) this.#tell(state, event);
  }

  #tell(state: TableState | undefined, event: TableEvent): void {
    const auditor = this.#auditor;
    switch (event.type) {
      case 'shoe-loaded':
        return auditor.newShoe({ seated: this.#seated });
      case 'betting-opened':
        this.#worth = worthOf(state!);
        return auditor.openRound(this.#seated);
      case 'bet-placed': {
        const { seat, by, bet, amountMinor: amount } = event;
        return must(`the bet ${bet}`, auditor.bet({ seat, by, bet, amount }));
      }
      case 'betting-closed': {
        const missing = auditor.closeBets();
        return must('the end of the bets', missing ? [missing.code] : []);
      }
      case 'card-dealt':
      case 'bank-card-dealt':
      case 'player-side-card-dealt':
      case 'card-burned':
        return auditor.card(cardName(event.card));
      case 'end-card-seen':
        return auditor.endCard();
      case 'hit-called':
        return this.#act(event, 'hit');
      case 'hand-stood':
        return this.#act(event, 'stand');
      case 'hand-doubled':
        return this.#act(event, 'double');
      case 'hand-split':
        return this.#act(event, 'split');
      case 'five-card-half-taken':
        return this.#act(event, 'fiveCardHalf');
      case 'war-declared':
        return this.#act(event, 'goToWar');
      case 'hand-surrendered':
        return this.#act(event, state!.rules!.game === 'casino-war' ? 'surrenderWar' : 'surrender');
      case 'offer-passed':
        return this.#act({ ...event, hand: state!.round!.turn?.hand ?? 0 }, 'playOn');
      case 'round-settled':
        return compareRound(state!, auditor, this.#rulebook, this.#worth);
      default:
    }
  }

  #act({ seat, by, hand = 0 }: { seat: number; by: number; hand?: number }, act: string): void {
    must(`${act} of seat ${seat}`, this.#auditor.act({ seat, by, hand, do: act }));
  }
}

function must(what: string, refusals: readonly string[]): void {
  if (refusals.length > 0) throw new Error(`the auditor refuses ${what}: ${refusals.join(', ')}`);
}
