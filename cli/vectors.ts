/**
 * `banca vectors FILE`: plays a conformance file (format banca-vectors/1) through the live engine and compares money,
 * cards and refusals with what the file expects. What the engine does not play yet, it says itself.
 */
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { type Card, cardName, parseCard } from '../engine/core/cards.ts';
import type { Minor } from '../engine/core/money.ts';
import type { Rejection } from '../engine/core/result.ts';
import { rulebookOf, validateOptions } from '../engine/games/rulebook.ts';
import type { TableEvent } from '../engine/table/events.ts';
import type { Act, Input, Person } from '../engine/table/inputs.ts';
import type { OptionValue, RulebookId, TableProfile } from '../engine/table/profile.ts';
import { decide, evolve, initialState, nextStep, type TableState } from '../engine/table/table.ts';

interface VectorBet {
  readonly seat: number;
  readonly by: number;
  readonly bet: string;
  readonly amount: number;
}
interface VectorAct {
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
interface VectorRound {
  readonly bets: readonly VectorBet[];
  readonly newShoe?: unknown;
  readonly shoe: readonly string[];
  readonly acts?: readonly VectorAct[];
  readonly expect: Readonly<Record<string, unknown>>;
}
interface Vector {
  readonly id: string;
  readonly rulebook: RulebookId;
  readonly options: Readonly<Record<string, OptionValue>>;
  readonly rounds: readonly VectorRound[];
}
interface VectorFile {
  readonly format: string;
  readonly defaults?: Readonly<Record<string, Readonly<Record<string, OptionValue>>>>;
  readonly vectors: readonly Vector[];
}

export interface VectorFailure {
  readonly id: string;
  readonly expected: unknown;
  readonly got: unknown;
}
export interface VectorsReport {
  readonly passed: number;
  readonly failed: number;
  readonly unsupported: number;
  readonly failures: readonly VectorFailure[];
}

/** The engine says that it does not play this yet; the reason is its own. */
class Unsupported extends Error {}
/** The engine went another way than the vector can follow. */
class Diverged extends Error {}

const NOTE = 100_000_000_000 as Minor;
const DEALER: Person = { id: 'dealer', name: 'Dealer', role: 'dealer' };
const SUPERVISOR: Person = { id: 'supervisor', name: 'Supervisor', role: 'supervisor' };
const LONG_MS = 1_000_000_000;

/**
 * Plays every vector of the text of a conformance file.
 * @throws Error where the text is not JSON of the format banca-vectors/1.
 */
export function playVectors(text: string): VectorsReport {
  const file = JSON.parse(text) as VectorFile;
  if (file.format !== 'banca-vectors/1' || !Array.isArray(file.vectors)) {
    throw new Error(`format is ${JSON.stringify(file.format)}, not "banca-vectors/1"`);
  }
  let passed = 0;
  let unsupported = 0;
  const failures: VectorFailure[] = [];
  for (const vector of file.vectors) {
    try {
      const failure = new VectorTable(vector, file.defaults?.[vector.rulebook] ?? {}).play();
      if (failure) failures.push(failure);
      else passed += 1;
    } catch (error) {
      if (error instanceof Unsupported) {
        unsupported += 1;
      } else {
        const got = error instanceof Diverged ? error.message : `${error}`;
        failures.push({ id: vector.id, expected: 'to be played to its end', got });
      }
    }
  }
  return { passed, failed: failures.length, unsupported, failures };
}

/** One vector on a table of its own: host, dealer and players in one. */
class VectorTable {
  readonly #vector: Vector;
  readonly #state: TableState = initialState();
  #atMs = 1_000_000;
  #cards: string[] = [];
  #events: TableEvent[] = [];

  constructor(vector: Vector, defaults: Readonly<Record<string, OptionValue>>) {
    this.#vector = vector;
    const options = optionsOf(vector, defaults);
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

  play(): VectorFailure | null {
    for (let i = 0; i < this.#vector.rounds.length; i++) {
      const round = this.#vector.rounds[i]!;
      if (i === 0 || round.newShoe !== undefined) this.#prepareShoe(round);
      const got = this.#playRound(round);
      const { expect } = round;
      for (const key of Object.keys(got)) {
        const expected = expect[key] ?? (key === 'rejects' || key === 'rejectBets' ? [] : undefined);
        if (expected !== undefined && !isDeepStrictEqual(sorted(key, expected), sorted(key, got[key]))) {
          return { id: this.#vector.id, expected: { round: i, [key]: expected }, got: got[key] };
        }
      }
      for (const key of Object.keys(expect)) {
        if (!(key in got))
          return { id: this.#vector.id, expected: { round: i, [key]: expect[key] }, got: null };
      }
    }
    return null;
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

/** The vector's options on top of the file's defaults where those differ from the engine's own table. */
function optionsOf(
  vector: Vector,
  defaults: Readonly<Record<string, OptionValue>>,
): Record<string, OptionValue> {
  const rulebook = rulebookOf(vector.rulebook);
  if (!rulebook) throw new Unsupported(vector.rulebook);
  const options: Record<string, OptionValue> = {};
  for (const spec of rulebook.options) {
    const given = defaults[spec.id];
    if (given !== undefined && !isDeepStrictEqual(given, spec.default)) options[spec.id] = given;
  }
  Object.assign(options, vector.options);
  const checked = validateOptions(vector.rulebook, options);
  if (!checked.ok) {
    const text = checked.problems.map(({ option, message }) => `${option}: ${message}`).join('; ');
    if (checked.problems.every(({ message }) => message.startsWith('unsupported'))) {
      throw new Unsupported(text);
    }
    throw new Diverged(text);
  }
  return options;
}

/** Outcome lines and refusals are sets: their order in the file means nothing. */
function sorted(key: string, value: unknown): unknown {
  if (!Array.isArray(value) || (key !== 'outcomes' && key !== 'rejects' && key !== 'rejectBets'))
    return value;
  const text = (item: object): string => JSON.stringify(Object.entries(item).sort());
  return value.toSorted((a: object, b: object) => (text(a) < text(b) ? -1 : 1));
}

/**
 * The subcommand: prints the report and returns the exit code, 0 all hold, 1 some fail, 2 the file cannot be played.
 */
export function runVectors(file: string, opts: { readonly json: boolean }): number {
  let report: VectorsReport;
  try {
    report = playVectors(readFileSync(file, 'utf8'));
  } catch (error) {
    console.error(`banca vectors: ${file}: ${error instanceof Error ? error.message : error}`);
    return 2;
  }
  if (opts.json) {
    console.log(JSON.stringify(report));
  } else {
    for (const { id, expected, got } of report.failures) {
      console.log(`FAILED ${id}`);
      console.log(`  expected ${JSON.stringify(expected)}`);
      console.log(`  got      ${JSON.stringify(got)}`);
    }
    const { passed, failed, unsupported } = report;
    console.log(`${passed} passed, ${failed} failed, ${unsupported} unsupported`);
  }
  return report.failed === 0 ? 0 : 1;
}
