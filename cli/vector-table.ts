import { type Card, cardName, parseCard } from '../engine/core/cards.ts';
import type { Minor } from '../engine/core/money.ts';
import type { Rejection } from '../engine/core/result.ts';
import type { TableEvent } from '../engine/table/events.ts';
import type { Act, Input, Person } from '../engine/table/inputs.ts';
import type { OptionValue, RulebookId, TableProfile } from '../engine/table/profile.ts';
import { decide, evolve, initialState, nextStep, type TableState } from '../engine/table/table.ts';

export interface VectorBet {
  readonly seat: number;
  readonly by: number;
  readonly bet: string;
  readonly amount: number;
}
export interface VectorAct {
  readonly seat?: number;
  readonly hand?: number;
  readonly do?: string;
  readonly by?: number;
  readonly amount?: number;
  readonly dealer?: string;
  readonly from?: number;
  readonly to?: number;
  readonly shown?: boolean;
}
export interface VectorRound {
  readonly bets: readonly VectorBet[];
  readonly newShoe?: unknown;
  readonly shoe: readonly string[];
  readonly acts?: readonly VectorAct[];
  readonly expect: Readonly<Record<string, unknown>>;
}
export interface Vector {
  readonly id: string;
  readonly rulebook: RulebookId;
  readonly options: Readonly<Record<string, OptionValue>>;
  readonly rounds: readonly VectorRound[];
}
/** The engine says that it does not play this yet; the reason is its own. */
export class Unsupported extends Error {}
/** The engine went another way than the vector can follow. */
export class Diverged extends Error {}

const NOTE = 100_000_000_000 as Minor;
const DEALER: Person = { id: 'dealer', name: 'Dealer', role: 'dealer' };
const SUPERVISOR: Person = { id: 'supervisor', name: 'Supervisor', role: 'supervisor' };
const LONG_MS = 1_000_000_000;

/** One vector on a table of its own: host, dealer and players in one. */
export class VectorTable {
  readonly #vector: Vector;
  readonly #state: TableState = initialState();
  #atMs = 1_000_000;
  #cards: string[] = [];
  #events: TableEvent[] = [];

  constructor(vector: Vector, options: Readonly<Record<string, OptionValue>>) {
    this.#vector = vector;
    const seatCount = Number(options['seats'] ?? 7);
    const profile: TableProfile = {
      terminalId: 'vectors',
      tableName: vector.id,
      rulebook: vector.rulebook,
      options,
      currency: 'MOP',
      chipsMinor: [100 as Minor],
      seatCount,
      acceptors: 'per-seat',
      notesMinor: [NOTE],
      maxCreditMinor: NOTE,
      twoPersonHandPayMinor: NOTE,
      timing: {
        bettingMs: LONG_MS,
        offersMs: LONG_MS,
        decisionMs: LONG_MS,
        minConfidence: 0,
        minResultMs: 1,
      },
    };
    this.#must({ type: 'configure', profile, person: null });
    for (let seat = 1; seat <= seatCount; seat++) {
      const note = { acceptor: seat, noteId: `note-${seat}` };
      this.#must({ type: 'escrow-note', ...note, currency: 'MOP', valueMinor: NOTE });
      this.#must({ type: 'stack-note', ...note, valueMinor: NOTE });
    }
    this.#must({ type: 'sign-in-dealer', person: DEALER });
  }

  /** What comes out of each round, under the names of the vector's expectations. */
  *play(): Generator<Readonly<Record<string, unknown>>> {
    for (const [i, round] of this.#vector.rounds.entries()) {
      if (i === 0 || round.newShoe !== undefined) this.#prepareShoe(round);
      yield this.#playRound(round);
    }
  }

  // ---- one round ----

  #playRound(round: VectorRound): Record<string, unknown> {
    this.#cards = [...round.shoe];
    this.#events = [];
    while (this.#state.phase === 'shoe') this.#draw();
    this.#must({ type: 'open-betting', roundId: `${this.#vector.id}#${this.#state.roundNo + 1}` });
    const rejectBets: { at: number; code: string }[] = [];
    for (const [at, { seat, by, bet, amount }] of round.bets.entries()) {
      const refused = this.#try({
        type: 'place-bet',
        roundId: this.#roundId(),
        seat,
        by,
        bet,
        amountMinor: amount as Minor,
        touchedAtMs: this.#atMs,
      });
      if (refused) rejectBets.push({ at, code: refused.code });
    }
    this.#must({ type: 'close-betting' });
    const rejects = this.#deal(round.acts ?? []);
    this.#passEndCard();
    const got = this.#outcome(round, rejects, rejectBets);
    this.#waitForDeadline();
    this.#must({ type: 'close-round' });
    return { ...got, after: this.#after(round) };
  }

  /** Deals and asks until the round is settled; returns the refused acts. */
  #deal(acts: readonly VectorAct[]): { at: number; code: string }[] {
    const rejects: { at: number; code: string }[] = [];
    let next = 0;
    const submit = (): void => {
      const refused = this.#act(acts[next]!);
      if (refused) rejects.push({ at: next, code: refused.code });
      next += 1;
    };
    for (;;) {
      const act = acts[next];
      const step = nextStep(this.#state);
      switch (step.step) {
        case 'burn':
        case 'draw-for-seat':
        case 'draw-for-bank':
          if (act && this.#state.phase === 'bank' && !this.#waitsForMoreCards(act)) submit();
          else this.#draw();
          break;
        case 'await-offers':
          if (act && this.#isForOffers(act)) submit();
          else this.#waitForDeadline();
          break;
        case 'await-decision':
          if (act && !this.#isLater(act, step.seat, step.hand)) submit();
          else this.#stand(step.seat, step.hand);
          break;
        case 'read-results':
          if (!act) return rejects;
          if (act.dealer === 'drawWrong') this.#draw();
          submit();
          break;
        default:
          throw new Diverged(`the table waits for ${step.step}`);
      }
    }
  }

  /** After the turns: acts that only a later card makes possible are kept until it has come. */
  #waitsForMoreCards(act: VectorAct): boolean {
    if (act.dealer === 'drawWrong') return true;
    if (act.do !== 'loseOriginalOnly') return false;
    const decision = decide(this.#state, this.#decision(act));
    return !decision.ok && decision.code === 'not-due';
  }

  #isForOffers(act: VectorAct): boolean {
    if (act.dealer !== undefined) return act.dealer !== 'drawWrong';
    if (this.#state.round?.offers?.kind === 'original-only') return act.do === 'loseOriginalOnly';
    return this.#isOffer(act);
  }

  /** Acts that belong to no turn: the articles open them to everybody after the deal. */
  #isOffer(act: VectorAct): boolean {
    return (
      act.do === 'insure' ||
      act.do === 'declineInsurance' ||
      act.do === 'evenMoney' ||
      (act.do === 'surrender' && this.#state.rules?.surrenderWindow === 'beforeAnyCard')
    );
  }

  /** The act is for a hand further on: the hand whose turn it is stands, as every decision that is not listed. */
  #isLater(act: VectorAct, seat: number, hand: number): boolean {
    if (act.dealer !== undefined) return act.dealer === 'drawWrong';
    if (act.do === 'loseOriginalOnly') return this.#waitsForMoreCards(act);
    if (this.#isOffer(act)) return false;
    const atSeat = act.seat ?? 0;
    return atSeat > seat || (atSeat === seat && (act.hand ?? 0) > hand);
  }

  #act(act: VectorAct): Rejection | null {
    const { from = 0, to = 0 } = act;
    switch (act.dealer) {
      case undefined:
        return this.#try(this.#decision(act));
      case 'voidRound':
        return this.#try({ type: 'void-round', reason: 'supervisor', person: SUPERVISOR });
      case 'assignCard':
        return this.#try({ type: 'assign-card', fromSeat: from, toSeat: to, person: DEALER });
      case 'drawWrong':
        return this.#try({ type: 'draw-wrong', shown: act.shown ?? true });
      default:
        throw new Diverged(`no such act of the dealer: ${act.dealer}`);
    }
  }

  #decision(act: VectorAct): Input {
    const seat = act.seat ?? 0;
    const by = act.by ?? this.#deciderOf(seat);
    return {
      type: 'decide',
      atMs: this.#atMs,
      roundId: this.#roundId(),
      seat,
      by,
      hand: act.hand ?? 0,
      act: act.do as Act,
      touchedAtMs: this.#atMs,
      ...(act.amount === undefined ? {} : { amountMinor: act.amount as Minor }),
    };
  }

  #stand(seat: number, hand: number): void {
    this.#must(this.#decision({ seat, hand, do: 'stand' }));
  }

  #deciderOf(seat: number): number {
    return this.#state.round?.seats.find((played) => played.seat === seat)?.decider ?? seat;
  }

  // ---- cards ----

  /**
   * Shoe, cut and second white card. Vectors begin with a shoe made ready and its start burn done, unless they ask for
   * the burn: then their card list begins with the burnt cards.
   */
  #prepareShoe(round: VectorRound): void {
    const { rules } = this.#state;
    if (!rules) throw new Diverged('no rules');
    this.#must({ type: 'load-shoe', shoeId: `shoe-${this.#state.roundNo}`, decks: rules.decks });
    if (this.#state.shoe.stage === 'cut') this.#must({ type: 'cut-shoe', seat: null });
    if (this.#state.shoe.stage === 'end-card') {
      this.#must({ type: 'place-end-card', cardsBehind: rules.cutBehind });
    }
    const { burnAtStart, burnEachRound } = this.#vector.options;
    if (round.newShoe === undefined && burnAtStart === undefined && burnEachRound === undefined) {
      evolve(this.#state, { type: 'shoe-readied', atMs: this.#atMs });
    }
  }

  #draw(): void {
    this.#passEndCard();
    const text = this.#cards.shift();
    if (text === undefined) throw new Diverged('the engine draws more cards than the vector has');
    const faceUp = text.startsWith('!');
    const card = parseCard(faceUp ? text.slice(1) : text);
    if (card === null) throw new Diverged(`no card: ${text}`);
    this.#must({ type: 'draw-card', drawNo: null, card, confidence: 255, faceUp });
  }

  #passEndCard(): void {
    if (this.#cards[0] !== 'CUT') return;
    this.#must({ type: 'end-card-out' });
    this.#cards.shift();
  }

  // ---- what came out ----

  #outcome(
    round: VectorRound,
    rejects: readonly { at: number; code: string }[],
    rejectBets: readonly { at: number; code: string }[],
  ): Record<string, unknown> {
    const played = this.#state.round;
    if (!played?.lines) throw new Diverged('the round is not settled');
    const outcomes = played.lines.map(({ seat, by, bet, hand, netMinor }) => ({
      seat,
      by,
      bet,
      ...(bet === 'insurance' ? {} : { hand: hand ?? 0 }),
      net: netMinor,
    }));
    const burned = this.#events.flatMap((event) =>
      event.type === 'card-burned' ? [cardName(event.card)] : [],
    );
    const names = (cards: readonly Card[]): string[] => cards.map(cardName);
    const expectedHands = (round.expect['hands'] ?? {}) as Record<string, unknown>;
    const hands = Object.fromEntries(
      played.seats
        .filter(({ seat }) => String(seat) in expectedHands)
        .map(({ seat, hands: dealt }) => [String(seat), dealt.map(({ cards }) => names(cards))]),
    );
    return {
      outcomes,
      dealer: names(played.bank),
      hands,
      rejects,
      rejectBets,
      burned,
      burnedCount: burned.length,
    };
  }

  /** State after the round; the card list must be used up but for a card the vector names as the next. */
  #after(round: VectorRound): Record<string, unknown> {
    const expected = (round.expect['after'] ?? {}) as Record<string, unknown>;
    const kept = this.#state.shoe.waiting.map(({ card }) => (card === null ? '?' : cardName(card)));
    const rest = [...kept, ...this.#cards];
    const next = expected['next'] ?? null;
    if (rest.length > (next === null ? 0 : 1)) throw new Diverged(`cards left over: ${rest.join(' ')}`);
    const values: Record<string, unknown> = {
      shoeEnded: this.#state.shoe.ended,
      cutBy: this.#state.shoe.cutBy,
      warningFromEnd: this.#state.shoe.endCardBehind,
      next: rest[0] ?? null,
    };
    return Object.fromEntries(Object.keys(expected).map((key) => [key, values[key] ?? null]));
  }

  // ---- the engine ----

  #roundId(): string {
    return this.#state.round?.id ?? '';
  }

  #waitForDeadline(): void {
    this.#atMs = this.#state.deadline?.atMs ?? this.#atMs;
    this.#must({ type: 'reach-deadline' });
  }

  #must(input: NewInput): void {
    const refused = this.#try(input);
    if (refused) {
      throw new Diverged(`${input.type} is refused: ${refused.code} ${refused.detail ?? ''}`);
    }
  }

  #try(input: NewInput): Rejection | null {
    this.#atMs += 1;
    const decision = decide(this.#state, { ...input, atMs: this.#atMs } as Input);
    if (!decision.ok) {
      if (decision.detail?.startsWith('unsupported')) throw new Unsupported(decision.detail);
      return decision;
    }
    for (const event of decision.events) {
      evolve(this.#state, event);
      this.#events.push(event);
    }
    return null;
  }
}

type WithoutTime<T> = T extends Input ? Omit<T, 'atMs'> : never;
type NewInput = WithoutTime<Input>;
