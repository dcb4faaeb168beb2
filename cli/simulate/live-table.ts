/**
 * A table of the engine with its dealer and players, played card by card. The caller holds the
 * cards.
 */
import type { Card } from '../../engine/core/cards.ts';
import type { Minor } from '../../engine/core/money.ts';
import { advance, advanceUnheard, copyOf, initialState, nextStep } from '../../engine/engine.ts';
import { everyAuthorisation } from '../../engine/games/every-authorisation.ts';
import { needsNewShoe } from '../../engine/table/cards.ts';
import type { TableEvent } from '../../engine/table/events.ts';
import type { Act, Input, InputOf, Person } from '../../engine/table/inputs.ts';
import type { OptionValue, RulebookId } from '../../engine/table/profile.ts';
import { gameOf } from '../../engine/table/registry.ts';
import type { RoundSeat, RoundState, TableState } from '../../engine/table/state.ts';
import { CannotRun } from '../command.ts';
import type { Player } from './player.ts';

/** Nobody runs out of credit, and every sum stays an exact integer. */
const CREDIT = 100_000_000_000_000 as Minor;
/** A multiple of 40: halves and the twentieth of a commission stay whole. */
const STAKE = 1_000;
const DEALER: Person = { id: 'dealer', name: 'Dealer', role: 'dealer' };
const SUPERVISOR: Person = { id: 'supervisor', name: 'Supervisor', role: 'supervisor' };
const ROUND_ID = 'round';
const EARLIEST_MS = 1;
const LATEST_MS = 1_000_000_000;

/** One bet that is laid in every round; a bet of a series only while none runs on its seat. */
export interface Laid {
  readonly seat: number;
  readonly bet: string;
  /** Under which its lines are counted. */
  readonly as: string;
}

export interface LaidBet extends Laid {
  readonly amountMinor: Minor;
  readonly isSeries: boolean;
}

export interface LiveSetup {
  readonly rulebook: RulebookId;
  readonly options: Readonly<Record<string, OptionValue>>;
  readonly seatCount: number;
  /** Every round out of all cards, or rounds until the end card. */
  readonly shoe: 'fresh' | 'cut';
  readonly player: Player | null;
  readonly laid: readonly Laid[];
  /** Gets every event. */
  readonly listener?: (events: readonly TableEvent[]) => void;
}

/** Inputs are made once and filled in again: the engine looks at one only while it handles it. */
type Reused<T extends Input['type']> = { -readonly [K in keyof InputOf<T>]: InputOf<T>[K] };

/**
 * What a round is made of: every one with room for all of them, because fields that always lie at
 * the same place are found at once.
 */
const reused = <T extends Input['type']>(type: T): Reused<T> =>
  ({
    type,
    atMs: 0,
    roundId: ROUND_ID,
    seat: 0,
    by: 0,
    hand: 0,
    act: 'stand',
    bet: '',
    amountMinor: undefined,
    onTop: false,
    touchedAtMs: 0,
    drawNo: null,
    card: null,
    confidence: 255,
    faceUp: false,
  }) as unknown as Reused<T>;

/** A state without its accounts. */
export type Snapshot = TableState;

export class LiveTable {
  readonly state = initialState();
  readonly stakeMinor: number;
  /**
   * A new pack was put in, or the cards of the round went back, since somebody last set this to
   * false.
   */
  hasGathered = false;
  readonly #listener: ((events: readonly TableEvent[]) => void) | null;
  readonly #player: Player | null;
  /** What is laid in every round. */
  readonly laid: readonly LaidBet[];
  readonly #fresh: boolean;
  readonly #cardsBack: 'never' | 'at-close' | 'fed-by-dealer';
  #atMs = EARLIEST_MS;

  readonly #open = reused('open-betting');
  readonly #bet = reused('place-bet');
  readonly #close = reused('close-betting');
  readonly #card = reused('draw-card');
  readonly #decision = reused('decide');
  readonly #wait = reused('reach-deadline');
  readonly #end = reused('close-round');
  readonly #feed = reused('feed-shuffler');

  /** @throws CannotRun where the table cannot be set up so, with a sentence */
  constructor({ rulebook, options, seatCount, shoe, player, laid, listener }: LiveSetup) {
    this.#listener = listener ?? null;
    this.#player = player;
    this.#fresh = shoe === 'fresh';
    this.#submit({
      type: 'configure',
      atMs: this.#tick(),
      person: null,
      profile: {
        terminalId: 'simulation',
        tableName: 'Simulation',
        rulebook,
        options,
        authorisations: everyAuthorisation(rulebook),
        currency: 'MOP',
        chipsMinor: [STAKE as Minor],
        seatCount,
        acceptors: 'per-seat',
        notesMinor: [CREDIT],
        maxCreditMinor: CREDIT,
        twoPersonHandPayMinor: CREDIT,
        timing: { bettingMs: 20_000, offersMs: 15_000, decisionMs: 15_000, minConfidence: 0, minResultMs: 1 },
      },
    });
    const seats = new Set(laid.map(({ seat }) => seat));
    for (const seat of seats) {
      const note = { currency: 'MOP', valueMinor: CREDIT };
      const heard = { type: 'hear-acceptor', acceptor: seat, note } as const;
      this.#submit({ ...heard, atMs: this.#tick(), word: 'escrow', noteId: `note-${seat}` });
      this.#submit({ ...heard, atMs: this.#tick(), word: 'credited' });
    }
    this.#submit({ type: 'sign-in-dealer', atMs: this.#tick(), person: DEALER });

    this.#cardsBack = gameOf(this.state).cardsBack(this.state);
    if (!this.#fresh && this.#cardsBack !== 'never') {
      throw new CannotRun(
        '--shoe cut: a shuffler takes its cards back after every round; say cardSource "shoe"',
      );
    }
    this.stakeMinor = this.#amountOf(laid[0]!);
    this.laid = laid.map((one) => ({
      ...one,
      amountMinor: this.#amountOf(one) as Minor,
      isSeries: one.bet.startsWith('streak'),
    }));
  }

  /** The usual stake where it is lawful, else the least lawful one. */
  #amountOf({ seat, bet }: Laid): number {
    const {
      least,
      most,
      step = this.state.rules!.step,
    } = gameOf(this.state).betRange(this.state, [], {
      seat,
      by: seat,
      bet,
    });
    const isLawful = STAKE >= least && STAKE <= most && STAKE % step === 0;
    return isLawful ? STAKE : least;
  }

  /**
   * Between rounds: up to the next card, which is burnt before a shoe's first round or begins a
   * round with its bets.
   */
  begin(): void {
    // Times that stay small integers are reckoned with in a third of the time: between rounds
    // nobody remembers any.
    if (this.#atMs > LATEST_MS) this.#atMs = EARLIEST_MS;
    this.#makeReady();
    if (this.state.phase === 'idle') this.#openRound();
  }

  /**
   * A card out of the shoe, and everything that follows from it before the next one. True: the
   * round is settled.
   */
  feed(card: Card): boolean {
    this.#card.card = card;
    this.#now(this.#card);
    const { state } = this;
    switch (state.phase) {
      case 'shoe':
        this.#prepare();
        return false;
      case 'idle':
        this.#openRound();
        return false;
      default:
        return this.#play();
    }
  }

  /** The end card comes out before the next one. */
  endCard(): void {
    this.#submit({ type: 'end-card-out', atMs: this.#tick() });
  }

  /** The result has been read when its time is over. */
  end(): void {
    this.#atMs = this.state.deadline!.atMs;
    this.#now(this.#end);
    if (this.#cardsBack === 'at-close') this.hasGathered = true;
  }

  // ---- snapshots ----

  /**
   * Everything but the accounts of the seats, which no round looks at as long as they have credit.
   */
  snapshot(): Snapshot {
    const { lastRound: _, ...rest } = this.state;
    return copyOf({ ...rest, seats: [] });
  }

  /** Puts the table back to where it was; the accounts stay as they are. */
  restore(snapshot: Snapshot): void {
    const { seats } = this.state;
    Object.assign(this.state, copyOf(snapshot), { seats });
  }

  /** Where a round begins, with other bets and with these series running on the seats. */
  reopen(snapshot: Snapshot, series: TableState['streaks'], laid: readonly LaidBet[]): void {
    this.restore(snapshot);
    const { state } = this;
    if (this.#atMs > LATEST_MS) this.#atMs = EARLIEST_MS;
    state.streaks = structuredClone(series);
    Object.assign(state.round!, { bets: [], placements: [] });
    state.phase = 'betting';
    state.deadline = { kind: 'betting', atMs: LATEST_MS * 2, totalMs: LATEST_MS, seat: null, hand: null };
    this.#lay(laid);
    this.#now(this.#close);
  }

  // ---- cards ----

  /**
   * All cards are in the shoe where every round has a fresh one; else a new shoe where the last one
   * is at its end.
   */
  #makeReady(): void {
    const { shoe, phase } = this.state;
    if (this.#cardsBack === 'never') {
      if (this.#fresh || phase === 'shoe' || needsNewShoe(this.state)) this.#newShoe();
    } else if (shoe.stage === 'none') {
      this.#newShoe();
    } else if (this.#cardsBack === 'fed-by-dealer') {
      this.#now(this.#feed);
      this.hasGathered = true;
    }
  }

  #newShoe(): void {
    const { decks } = this.state.rules!;
    if (nextStep(this.state).step === 'check-decks') {
      this.#submit({ type: 'check-decks', atMs: this.#tick(), person: DEALER });
    }
    this.#submit({ type: 'load-shoe', atMs: this.#tick(), shoeId: 'shoe', decks });
    this.hasGathered = true;
    this.#prepare();
  }

  /** Makes the shoe ready as far as it goes without a card. */
  #prepare(): void {
    while (this.state.phase === 'shoe') {
      const step = nextStep(this.state);
      if (step.step === 'burn') return;
      const atMs = this.#tick();
      switch (step.step) {
        case 'load-packet':
          this.#submit({ type: 'load-packet', atMs, last: step.done + 1 >= step.least, person: SUPERVISOR });
          break;
        case 'cut-shoe':
          this.#submit(
            step.seat === 0
              ? { type: 'cut-shoe', atMs, seat: null, person: SUPERVISOR }
              : { type: 'cut-shoe', atMs, seat: step.seat },
          );
          break;
        case 'place-end-card':
          this.#submit({ type: 'place-end-card', atMs, cardsBehind: step.minBehind });
          break;
        default:
          throw new Error(`the table waits for ${step.step}`);
      }
    }
  }

  // ---- the round ----

  #openRound(): void {
    this.#now(this.#open);
    this.#lay(this.laid);
    this.#now(this.#close);
  }

  #lay(laid: readonly LaidBet[]): void {
    for (let i = 0; i < laid.length; i++) {
      const { seat, bet, amountMinor, isSeries } = laid[i]!;
      if (isSeries && this.#isSeriesRunning(seat)) continue;
      const input = this.#bet;
      input.seat = seat;
      input.by = seat;
      input.bet = bet;
      input.amountMinor = amountMinor;
      input.touchedAtMs = this.#atMs;
      this.#now(input);
    }
  }

  /** Up to the next card, or true at the end. */
  #play(): boolean {
    const { state } = this;
    for (;;) {
      switch (state.phase) {
        case 'dealing':
        case 'bank':
          return false;
        case 'offers':
          this.#answer(state.round!);
          break;
        case 'turns':
          // While a card is on its way nobody's time runs.
          if (state.deadline === null) return false;
          this.#decide(state.round!);
          break;
        case 'settled':
          return true;
        default:
          throw new Error(`the table is in the phase ${state.phase}`);
      }
    }
  }

  /**
   * Whoever surrenders says so; nobody takes anything else that is offered, and its time runs out.
   */
  #answer(round: RoundState): void {
    if (round.offers!.kind === 'first') {
      const { pending } = round.offers!;
      for (let i = 0; i < pending.length; i++) {
        const seat = roundSeat(round, pending[i]!.seat);
        if (this.#player!.surrenders(round, seat)) {
          this.#act(seat.seat, 0, 'surrender');
          return;
        }
      }
    }
    this.#atMs = this.state.deadline!.atMs;
    this.#now(this.#wait);
  }

  #decide(round: RoundState): void {
    const { seat, hand } = round.turn!;
    this.#act(seat, hand, this.#player!.decide(round, roundSeat(round, seat), hand));
  }

  #act(seat: number, hand: number, act: Act): void {
    const input = this.#decision;
    input.seat = seat;
    input.by = seat;
    input.hand = hand;
    input.act = act;
    input.touchedAtMs = this.#atMs;
    this.#now(input);
  }

  #isSeriesRunning(seat: number): boolean {
    const { streaks } = this.state;
    for (let i = 0; i < streaks.length; i++) if (streaks[i]!.seat === seat) return true;
    return false;
  }

  // ---- the engine ----

  #now(input: { atMs: number } & Input): void {
    input.atMs = this.#tick();
    this.#submit(input);
  }

  /** A millisecond later. */
  #tick(): number {
    this.#atMs += 1;
    return this.#atMs;
  }

  #submit(input: Input): void {
    if (this.#listener === null) {
      const refused = advanceUnheard(this.state, input);
      if (refused !== null) throw new CannotRun(sentenceOf(input, refused));
    } else {
      const decision = advance(this.state, input);
      if (!decision.ok) throw new CannotRun(sentenceOf(input, decision));
      this.#listener(decision.events);
    }
  }
}

function sentenceOf(
  input: Input,
  {
    code,
    cites,
    detail,
  }: { readonly code: string; readonly cites: readonly string[]; readonly detail?: string },
): string {
  const what =
    input.type === 'decide'
      ? `${input.act} on hand ${input.hand} of seat ${input.seat}`
      : input.type === 'place-bet'
        ? `the bet ${input.bet} on seat ${input.seat}`
        : input.type;
  const why = [code, ...cites, ...(detail === undefined ? [] : [detail])].join(', ');
  return `the table refuses ${what}: ${why}`;
}

function roundSeat({ seats }: RoundState, at: number): RoundSeat {
  for (let i = 0; i < seats.length; i++) if (seats[i]!.seat === at) return seats[i]!;
  throw new Error(`no cards on seat ${at}`);
}
