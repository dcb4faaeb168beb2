import { type Card, cardName, parseCard } from '../engine/core/cards.ts';
import { type Minor, timesOf } from '../engine/core/money.ts';
import type { Rejection } from '../engine/core/result.ts';
import { decide, evolve, initialState, nextStep, type TableState } from '../engine/engine.ts';
import type { BlackjackRules } from '../engine/games/blackjack/rules.ts';
import { buttonOf, streakAt } from '../engine/games/blackjack/streak.ts';
import { everyAuthorisation } from '../engine/games/every-authorisation.ts';
import type { TableEvent } from '../engine/table/events.ts';
import type { Act, Input, Person } from '../engine/table/inputs.ts';
import { BANK } from '../engine/table/places.ts';
import type { OptionValue, RulebookId, TableProfile } from '../engine/table/profile.ts';
import { gameOf } from '../engine/table/registry.ts';

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
  /** Place in the card list, or a name as `bankSecond`. */
  readonly card?: number | string;
}
export interface VectorRound {
  readonly bets: readonly VectorBet[];
  readonly seated?: readonly number[];
  readonly newShoe?: { readonly refuse?: readonly number[]; readonly restart?: boolean };
  readonly shoe: readonly string[];
  readonly acts?: readonly VectorAct[];
  readonly expect: Readonly<Record<string, unknown>>;
}
export interface Vector {
  readonly id: string;
  readonly rulebook: RulebookId;
  readonly options?: Readonly<Record<string, OptionValue>>;
  readonly rounds: readonly VectorRound[];
}
type Refused = { readonly at: number; readonly code: string };
/** The engine says that it does not play this yet; the reason is its own. */
export class Unsupported extends Error {}
/** The engine went another way than the vector can follow. */
export class Diverged extends Error {}

const NOTE = 100_000_000_000 as Minor;
const DEALER: Person = { id: 'dealer', name: 'Dealer', role: 'dealer' };
const SUPERVISOR: Person = { id: 'supervisor', name: 'Supervisor', role: 'supervisor' };
const ATTENDANT: Person = { id: 'attendant', name: 'Attendant', role: 'attendant' };
const LONG_MS = 1_000_000_000;

const isFollowing = ({ do: act }: VectorAct): boolean => act === 'followSplit' || act === 'followDouble';

/** A card the bank draws when it has stood. */
const isWrongOfBank = ({ dealer }: VectorAct): boolean => dealer === 'drawWrong' || dealer === 'overdraw';

/** One vector on a table of its own: host, dealer and players in one. */
export class VectorTable {
  readonly #vector: Vector;
  readonly #state: TableState = initialState();
  #atMs = 1_000_000;
  #cards: string[] = [];
  /** Where each card of the list lies, by its place in the list; undefined = at no seat. */
  #dealtAs: ({ readonly seat: number; readonly place: number } | undefined)[] = [];
  /** Cards whose face up is noticed after they were read: by place in the list, the act. */
  #late = new Map<number, number>();
  #lateRejects: Refused[] = [];
  #events: TableEvent[] = [];

  constructor(vector: Vector, options: Readonly<Record<string, OptionValue>>) {
    this.#vector = vector;
    const seatCount = Number(options['seats'] ?? 7);
    const profile: TableProfile = {
      terminalId: 'vectors',
      tableName: vector.id,
      rulebook: vector.rulebook,
      options,
      authorisations: everyAuthorisation(vector.rulebook),
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
        minConfidence: 1,
        minResultMs: 1,
      },
    };
    this.#must({ type: 'configure', profile, person: null });
    this.#must({ type: 'sign-in-dealer', person: DEALER });
  }

  /** What comes out of each round, under the names of the vector's expectations. */
  *play(): Generator<Readonly<Record<string, unknown>>> {
    for (const [i, round] of this.#vector.rounds.entries()) {
      this.#seat(round);
      const asks = i === 0 && this.#asksForBurn();
      if (this.#state.shoe.stage === 'none' || round.newShoe !== undefined || !this.#isPossible(round)) {
        this.#prepareShoe(round.newShoe, asks || round.newShoe !== undefined);
      }
      yield this.#playRound(round);
    }
  }

  /**
   * Credit for the seats that are taken; who is not there any more has been paid out, but for an
   * open series.
   */
  #seat({ seated, bets }: VectorRound): void {
    if (this.#state.phase === 'betting') return;
    const taken = new Set(seated ?? bets.map(({ by }) => by));
    for (const { seat, creditMinor } of [...this.#state.seats]) {
      const requestId = `${seat}-${this.#atMs}`;
      const hasSeries = this.#state.streaks.some(({ open }) => open.some(({ by }) => by === seat));
      if (taken.has(seat) && creditMinor === 0) {
        const note = { currency: 'MOP', valueMinor: NOTE };
        const heard = { type: 'hear-acceptor', acceptor: seat, note } as const;
        this.#must({ ...heard, word: 'escrow', noteId: `note-${requestId}` });
        this.#must({ ...heard, word: 'credited' });
      } else if (!taken.has(seat) && creditMinor > 0 && !hasSeries) {
        this.#must({ type: 'request-cash-out', seat, requestId });
        this.#must({ type: 'confirm-hand-pay', seat, requestId, person: SUPERVISOR, second: ATTENDANT });
      }
    }
  }

  // ---- one round ----

  #playRound(round: VectorRound): Record<string, unknown> {
    const acts = round.acts ?? [];
    const exposed = acts.flatMap(({ dealer, card }) => (dealer === 'cardExposed' ? [card] : []));
    this.#cards = round.shoe.map((card, i) => (exposed.includes(i) ? `!${card}` : card));
    this.#late = new Map(
      acts.flatMap(({ dealer, card }, at) =>
        dealer === 'cardTakenBack' && typeof card === 'number' ? [[card, at] as const] : [],
      ),
    );
    this.#lateRejects = [];
    this.#events = [];
    this.#dealtAs = [];
    while (this.#state.phase === 'shoe') this.#draw();
    const demo = acts.findIndex(({ dealer }) => dealer === 'demo');
    if (demo >= 0) return this.#playDemo(round, demo);
    if (this.#state.phase === 'betting') this.#clearBets();
    else this.#must({ type: 'open-betting', roundId: this.#nextRoundId() });
    const rejectBets = this.#placeBets(round);
    const kept = this.#closeBetting();
    if (kept) return { outcomes: [], rejects: [], rejectBets, rejectDeal: kept, after: this.#after(round) };
    return this.#finish(round, rejectBets);
  }

  #placeBets(round: VectorRound): Refused[] {
    const rejectBets: Refused[] = [];
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
    return rejectBets;
  }

  #finish(round: VectorRound, rejectBets: readonly Refused[]): Record<string, unknown> {
    const rejects = [...this.#deal(round.acts ?? []), ...this.#lateRejects].sort((a, b) => a.at - b.at);
    this.#passEndCard();
    const got = this.#outcome(round, rejects, rejectBets);
    this.#waitForDeadline();
    this.#must({ type: 'close-round' });
    if (nextStep(this.#state).step === 'feed-shuffler') this.#must({ type: 'feed-shuffler' });
    return { ...got, after: this.#after(round) };
  }

  /** A round that is shown without bets; `demo`: the place of the act that asks for it. */
  #playDemo(round: VectorRound, demo: number): Record<string, unknown> {
    const refused = this.#try({ type: 'demo-round', roundId: this.#nextRoundId() });
    if (refused) {
      const rejects = [{ at: demo, code: refused.code }];
      return { outcomes: [], rejects, rejectBets: [], after: this.#after(round) };
    }
    return this.#finish(round, this.#placeBets(round));
  }

  /** A round that was refused leaves the window open: its bets go back before the next one. */
  #clearBets(): void {
    const touch = { roundId: this.#roundId(), touchedAtMs: this.#atMs };
    for (const { seat } of this.#state.seats) this.#try({ type: 'clear-bets', seat, ...touch });
  }

  /** Where the house rules have it so, the supervisor declares whoever owes a bet to have left. */
  #closeBetting(): { seat: number; code: string } | null {
    for (;;) {
      const refused = this.#try({ type: 'close-betting' });
      if (refused === null) return null;
      if (!('seat' in refused)) throw new Diverged(`close-betting is refused: ${refused.code}`);
      const seat = refused.seat as number;
      const isHouseRule = (this.#state.rules as Partial<BlackjackRules> | null)?.streakAbandon === 'forfeit';
      const hasForfeited =
        isHouseRule &&
        (this.#state.streaks.find((streak) => streak.seat === seat)?.open ?? []).some(
          ({ by }) => this.#try({ type: 'forfeit-streak', seat, by, person: SUPERVISOR }) === null,
        );
      if (!hasForfeited) return { seat, code: refused.code };
    }
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
        case 'draw-for-player-side':
          if (act && this.#isBeforeCard(act) && !this.#waitsForMoreCards(act)) submit();
          // A card is put right before the one that would end the round.
          else if (act?.dealer === 'assignCard' && this.#wouldSettle()) submit();
          else if (act?.dealer === 'voidRound' && this.#settlesNext()) {
            submit();
            this.#draw();
            this.#must({ type: 'set-card-aside', person: DEALER });
          } else this.#draw();
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
          submit();
          break;
        default:
          throw new Diverged(`the table waits for ${step.step}`);
      }
    }
  }

  /**
   * After the turns anything may be asked; before a card to a seat, whether bettors behind follow
   * its double or split.
   */
  #isBeforeCard(act: VectorAct): boolean {
    const { phase, round } = this.#state;
    return phase === 'bank' || (isFollowing(act) && act.seat === round?.turn?.seat);
  }

  /** After the turns: acts that only a later card makes possible are kept until it has come. */
  #waitsForMoreCards(act: VectorAct): boolean {
    if (isWrongOfBank(act)) return true;
    if (act.dealer === 'assignCard' && typeof act.card === 'number') return act.card >= this.#dealtAs.length;
    if (act.dealer === 'voidRound') return this.#cards.length > 0;
    return act.do === 'loseOriginalOnly' && this.#isTooEarly(act);
  }

  /**
   * art. 5.2.3.3: surrender is asked for after the look; art. 10.7: the original only after the
   * bank's blackjack.
   */
  #isTooEarly(act: VectorAct): boolean {
    const decision = decide(this.#state, this.#decision(act));
    return !decision.ok && decision.code === 'not-due';
  }

  /**
   * The round would be settled with the last card listed: a word against it can only come while
   * that card is dealt.
   */
  #settlesNext(): boolean {
    return this.#cards.length === 1 && this.#wouldSettle();
  }

  /** The next card of the list would end the round. */
  #wouldSettle(): boolean {
    const card = parseCard((this.#cards[0] ?? '').replace('!', ''));
    if (card === null) return false;
    const draw: Input = { type: 'draw-card', atMs: this.#atMs, drawNo: null, card, confidence: 255 };
    const decision = decide(this.#state, draw);
    return decision.ok && decision.events.some(({ type }) => type === 'round-settled');
  }

  #isForOffers(act: VectorAct): boolean {
    if (act.dealer !== undefined) return !isWrongOfBank(act);
    const kind = this.#state.round?.offers?.kind;
    if (kind === 'original-only') return act.do === 'loseOriginalOnly';
    if (kind === 'follow-split' || kind === 'follow-double') return isFollowing(act);
    return this.#isOffer(act) && !this.#isTooEarly(act);
  }

  /** Acts that belong to no turn: the articles open them to everybody after the deal. */
  #isOffer(act: VectorAct): boolean {
    return (
      act.do === 'insure' ||
      act.do === 'declineInsurance' ||
      act.do === 'evenMoney' ||
      (act.do === 'surrender' &&
        (this.#state.rules as Partial<BlackjackRules> | null)?.surrenderWindow === 'beforeAnyCard')
    );
  }

  /**
   * The act is for a hand further on: the hand whose turn it is stands, as every decision that is
   * not listed.
   */
  #isLater(act: VectorAct, seat: number, hand: number): boolean {
    if (act.dealer !== undefined) return isWrongOfBank(act);
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
        return typeof act.card === 'number'
          ? this.#assignOne(act.card, act.seat ?? 0)
          : this.#try({ type: 'assign-card', fromSeat: from, toSeat: to, person: DEALER });
      // Done with the cards: one lies face up in the shoe, or did; the round has no bets.
      case 'cardExposed':
      case 'cardTakenBack':
      case 'demo':
        return null;
      case 'drawWrong':
      case 'overdraw':
      case 'misdrawSeen':
        // A card that is due as well says so only while its reading waits for the dealer's word.
        this.#draw(act.dealer === 'misdrawSeen' ? 0 : 255);
        return this.#try({ type: 'draw-wrong', shown: act.shown ?? true });
      case 'misdrawUnseen':
        // Where nobody is left to ask, the card is the bank's already.
        this.#draw();
        return this.#state.hold ? this.#try({ type: 'draw-wrong', shown: false }) : null;
      case 'burnExposed':
        return this.#try({ type: 'replace-bank-second', person: DEALER });
      default:
        throw new Diverged(`no such act of the dealer: ${act.dealer}`);
    }
  }

  /**
   * The card at this place of the list goes to the seat it is due to, from another one or from the
   * bank; where it lies there already nothing is wrong.
   */
  #assignOne(card: number, toSeat: number): Rejection | null {
    const placed = this.#dealtAs[card];
    if (placed === undefined && card < this.#dealtAs.length)
      return this.#try({ type: 'assign-card', fromSeat: toSeat, toSeat: BANK, place: 0, person: DEALER });
    if (placed === undefined) throw new Diverged(`card ${card} has not been dealt`);
    if (placed.seat === toSeat) return null;
    const refused = this.#try({
      type: 'assign-card',
      fromSeat: placed.seat,
      toSeat,
      place: placed.place,
      person: DEALER,
    });
    if (refused === null) {
      const other = this.#dealtAs.findIndex((at) => at?.seat === toSeat && at.place === placed.place);
      [this.#dealtAs[card], this.#dealtAs[other]] = [this.#dealtAs[other], placed];
    }
    return refused;
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
    // Where nobody stands, the lawful default is what the deadline does.
    if (!gameOf(this.#state).acts.includes('stand')) {
      this.#waitForDeadline();
      return;
    }
    const refused = this.#try(this.#decision({ seat, hand, do: 'stand' }));
    // Who may not stand yet is given a card.
    if (refused?.code === 'must-draw') this.#waitForDeadline();
    else if (refused) throw new Diverged(`stand is refused: ${refused.code}`);
  }

  #deciderOf(seat: number): number {
    return this.#state.round?.seats.find((played) => played.seat === seat)?.decider ?? seat;
  }

  // ---- cards ----

  #asksForBurn(): boolean {
    const { burnAtStart, burnEachRound, burn } = this.#vector.options ?? {};
    return [burnAtStart, burnEachRound, burn].some((asked) => asked !== undefined);
  }

  /**
   * The cards of many rounds of one vector can be more than one shoe has: the house changes it in
   * between.
   */
  #isPossible({ shoe }: VectorRound): boolean {
    const counts = [...this.#state.shoe.counts];
    return shoe.every((text) => {
      const card = parseCard(text.replace('!', ''));
      if (card === null) return true;
      counts[card]! += 1;
      return counts[card]! <= this.#state.shoe.decks;
    });
  }

  /**
   * Shoe, cut and second white card. Vectors begin with a shoe made ready and its start burn done,
   * unless they ask for the burn: then their card list begins with the burnt cards.
   */
  #prepareShoe(newShoe: VectorRound['newShoe'], burns: boolean): void {
    const { rules } = this.#state;
    if (!rules) throw new Diverged('no rules');
    if (newShoe?.restart) this.#try({ type: 'lay-out-cards', person: SUPERVISOR });
    if (nextStep(this.#state).step === 'check-decks') this.#must({ type: 'check-decks', person: DEALER });
    this.#must({ type: 'load-shoe', shoeId: `shoe-${this.#state.roundNo}`, decks: rules.decks });
    const refused = new Set<number>();
    for (let step = nextStep(this.#state); step.step !== 'burn'; step = nextStep(this.#state)) {
      if (step.step === 'load-packet') {
        this.#must({ type: 'load-packet', last: step.done + 1 >= step.least, person: SUPERVISOR });
      } else if (step.step === 'cut-shoe') {
        // A shoe that stands ready from the start is no player's cut.
        if (step.seat && (!newShoe || newShoe.refuse?.includes(step.seat))) {
          if (refused.has(step.seat)) throw new Diverged(`seat ${step.seat} is asked to cut again`);
          refused.add(step.seat);
          this.#must({ type: 'refuse-cut', seat: step.seat });
        } else this.#must({ type: 'cut-shoe', seat: step.seat || null, person: SUPERVISOR });
      } else if (step.step === 'place-end-card') {
        this.#must({ type: 'place-end-card', cardsBehind: step.minBehind });
      } else {
        break;
      }
    }
    if (this.#state.shoe.stage === 'burn' && !burns) {
      evolve(this.#state, { type: 'shoe-readied', atMs: this.#atMs });
    }
  }

  #draw(confidence = 255): void {
    this.#passEndCard();
    const text = this.#cards.shift();
    if (text === undefined) throw new Diverged('the engine draws more cards than the vector has');
    const faceUp = text.startsWith('!');
    const card = parseCard(faceUp ? text.slice(1) : text);
    if (card === null) throw new Diverged(`no card: ${text}`);
    const before = this.#events.length;
    this.#must({ type: 'draw-card', drawNo: null, card, confidence, faceUp });
    const dealt = this.#events.slice(before).find((event) => event.type === 'card-dealt');
    const place = dealt ? this.#dealtAs.filter((at) => at?.seat === dealt.seat).length : 0;
    this.#dealtAs.push(dealt && { seat: dealt.seat, place });
    this.#takeBack(this.#dealtAs.length - 1);
  }

  /** art. 5.1.1: that the card at this place lay face up is noticed now. */
  #takeBack(place: number): void {
    const at = this.#late.get(place);
    if (at === undefined) return;
    const refused = this.#try({ type: 'take-back-card', person: DEALER });
    if (refused) this.#lateRejects.push({ at, code: refused.code });
    else this.#dealtAs[place] = undefined;
  }

  #passEndCard(): void {
    if (this.#cards[0] !== 'CUT') return;
    this.#must({ type: 'end-card-out' });
    this.#cards.shift();
    this.#dealtAs.push(undefined);
  }

  // ---- what came out ----

  #outcome(
    round: VectorRound,
    rejects: readonly { at: number; code: string }[],
    rejectBets: readonly { at: number; code: string }[],
  ): Record<string, unknown> {
    const played = this.#state.round;
    if (!played?.lines) throw new Diverged('the round is not settled');
    const outcomes: { seat: number; by: number; bet: string; hand?: number; net: number }[] = [];
    for (const { seat, by, bet, hand, netMinor } of played.lines) {
      const known = outcomes.find(
        (line) =>
          line.seat === seat && line.by === by && line.bet === bet && line.hand === (hand ?? undefined),
      );
      // Several prizes of one bet are one outcome with their sum.
      if (known) known.net += netMinor;
      else outcomes.push({ seat, by, bet, ...(hand === null ? {} : { hand }), net: netMinor });
    }
    const burned = this.#events.flatMap((event) =>
      event.type === 'card-burned' || event.type === 'bank-second-burned' || event.type === 'card-taken-back'
        ? [cardName(event.card)]
        : [],
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
      player: names(played.playerSide),
      hands,
      rejects,
      rejectBets,
      burned,
      burnedCount: burned.length,
    };
  }

  /**
   * State after the round; the card list must be used up but for a card the vector names as the
   * next.
   */
  #after(round: VectorRound): Record<string, unknown> {
    const expected = (round.expect['after'] ?? {}) as Record<string, unknown>;
    const kept = this.#state.shoe.waiting.map(({ card }) => (card === null ? '?' : cardName(card)));
    const rest = [...kept, ...this.#cards];
    const next = expected['next'] ?? null;
    if (rest.length > (next === null ? 0 : 1)) throw new Diverged(`cards left over: ${rest.join(' ')}`);
    const seats = Object.keys((expected['streak'] ?? {}) as Record<string, number>);
    const values: Record<string, unknown> = {
      streak: Object.fromEntries(seats.map((seat) => [seat, buttonOf(streakAt(this.#state, Number(seat)))])),
      shoeEnded: this.#state.phase === 'shoe',
      inPlay: this.#inPlay(),
      cutBy: this.#state.shoe.cutBy === 0 ? 'supervisor' : this.#state.shoe.cutBy,
      jackpot: this.#state.jackpots[0]?.meterMinor,
      warningFromEnd: this.#state.shoe.endCardBehind,
      next: rest[0] ?? null,
    };
    return Object.fromEntries(Object.keys(expected).map((key) => [key, values[key] ?? null]));
  }

  // ---- the engine ----

  /** art. 7.5: two bets of the challenger and one of the house. */
  #inPlay(): number {
    return this.#events
      .flatMap((event) => (event.type === 'war-declared' ? event.raises : []))
      .reduce((sum, { amountMinor }) => sum + timesOf(amountMinor, 3), 0);
  }

  #nextRoundId(): string {
    return `${this.#vector.id}#${this.#state.roundNo + 1}`;
  }

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
