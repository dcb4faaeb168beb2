/**
 * Random play: people at a table who mostly do what is due and often what is not, and what must
 * hold all the same.
 */
import assert from 'node:assert/strict';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { cardOf } from '../../engine/core/cards.ts';
import { shuffledShoe } from '../../engine/core/shoe.ts';
import {
  ACTS,
  advance,
  allowedNotes,
  behindChoices,
  bettingChoices,
  dealerOptions,
  decide,
  nextStep,
  seatChoices,
} from '../../engine/engine.ts';
import { refusePlacement } from '../../engine/table/betting.ts';
import type { Act } from '../../engine/table/inputs.ts';
import { BANK } from '../../engine/table/places.ts';
import type { OptionValue, RulebookId } from '../../engine/table/profile.ts';
import { gameOf } from '../../engine/table/registry.ts';
import {
  ATTENDANT,
  amount,
  DEALER,
  profileWith,
  SUPERVISOR,
  TECHNICIAN,
  TestTable,
  type TimelessInput,
} from './table-kit.ts';

/** A table full of people who mostly do what is due and often what is not. */
export class RandomTable extends TestTable {
  readonly #random;
  #shoe: ReturnType<typeof shuffledShoe> = [];
  #drawNo = 0;
  #note = 0;
  rounds = 0;

  constructor(seed: number, rulebook: RulebookId, options: Record<string, OptionValue>, shared: boolean) {
    super();
    this.#random = xoroshiro128plus(seed);
    const acceptors = shared ? ('shared' as const) : ('per-seat' as const);
    const changes = { rulebook, acceptors, ...(seed % 2 === 0 ? { handPaidWinMinor: amount(12_000) } : {}) };
    this.must({ type: 'configure', profile: profileWith(options, changes), person: TECHNICIAN });
    if (!shared) for (const { seat } of this.state.seats) this.insert(seat, 100_000);
  }

  below(limit: number): number {
    return uniformInt(this.#random, 0, limit - 1);
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  /** The input that is due, so that rounds go on. */
  due(): TimelessInput {
    const { state } = this;
    const step = nextStep(state);
    switch (step.step) {
      case 'sign-in':
        return { type: 'sign-in-dealer', person: DEALER };
      case 'in-service':
        return { type: 'exit-service' };
      case 'locked-by-centre':
        return { type: 'obey-centre', lock: null, acceptorsOff: [], notes: [], maintenance: null };
      case 'check-decks':
        return { type: 'check-decks', person: DEALER };
      case 'witness-loading':
        return { type: 'witness-loading', person: SUPERVISOR };
      case 'load-packet':
        return { type: 'load-packet', last: step.done > 0, person: SUPERVISOR };
      case 'feed-shuffler':
        return { type: 'feed-shuffler' };
      case 'count-cards':
        return { type: 'count-cards', ...state.shoe.toCount!, person: DEALER };
      case 'order-decks':
        return { type: 'order-decks', regular: this.below(3) > 0, person: DEALER };
      case 'close-complaint':
        return {
          type: 'close-complaint',
          complaintNo: step.complaintNo,
          upheld: this.below(2) === 0,
          person: SUPERVISOR,
        };
      case 'open-shuffler':
        return {
          type: 'open-shuffler',
          solved: this.below(2) === 0,
          person: step.technician ? TECHNICIAN : SUPERVISOR,
        };
      case 'load-shoe':
        this.#shoe = shuffledShoe(state.rules!.decks, this.below(1_000_000));
        this.#drawNo = 0;
        return { type: 'load-shoe', shoeId: `s${this.below(1000)}`, decks: state.rules!.decks };
      case 'cut-shoe':
        if (step.seat && this.below(3) === 0) return { type: 'refuse-cut', seat: step.seat };
        return { type: 'cut-shoe', seat: step.seat ?? this.pick([null, 1, 3]), person: SUPERVISOR };
      case 'place-end-card':
        return { type: 'place-end-card', cardsBehind: step.minBehind };
      case 'open-betting':
        return {
          type: this.below(6) === 0 ? 'demo-round' : 'open-betting',
          roundId: `r${state.roundNo + 1}`,
        };
      case 'close-betting':
        if (this.below(9) === 0) return this.below(5) === 0 ? this.deadline() : { type: 'close-betting' };
        if (step.owedBySeat === undefined) return this.betting();
        if (this.below(8) === 0) return this.deadline();
        return this.below(3) === 0 ? this.forfeit(step.owedBySeat) : this.betting();
      case 'burn':
      case 'draw-for-seat':
      case 'draw-for-bank':
      case 'draw-for-player-side':
        return this.drawNext();
      case 'await-offers':
        if (this.below(10) === 0) return this.swap();
        return this.below(12) === 0 ? this.deadline() : this.lawfulAct();
      case 'await-decision':
        if (this.below(30) === 0) return this.swap();
        return this.below(12) === 0 ? this.deadline() : this.lawfulAct();
      case 'read-results':
        return this.deadline();
      case 'pay-prize':
        return {
          type: 'confirm-hand-pay',
          seat: step.seat,
          requestId: state.seats[step.seat - 1]?.wins?.[0]?.requestId ?? 'c0',
          person: ATTENDANT,
          second: SUPERVISOR,
        };
      case 'close-round':
        this.rounds += 1;
        return { type: 'close-round' };
      case 'confirm-layout':
        return { type: 'confirm-layout', person: DEALER };
      case 'confirm-card':
        return { type: 'confirm-card', drawNo: null, card: step.card, person: DEALER };
      case 'resolve-card':
        return this.resolve();
      case 'call-supervisor': {
        const fault = state.faults[0];
        return fault
          ? { type: 'clear-fault', device: fault.device, fault: fault.fault }
          : { type: 'confirm-layout', person: SUPERVISOR };
      }
    }
  }

  resolve(): TimelessInput {
    const { hold } = this.state;
    if (this.below(6) === 0) return { type: 'void-round', reason: 'misdeal', person: SUPERVISOR };
    if (hold?.code === 'unexpected-card') {
      return this.below(2) === 0
        ? { type: 'draw-wrong', shown: this.below(2) === 0 }
        : { type: 'set-card-aside', person: DEALER };
    }
    const missing = this.state.shoe.waiting[0];
    const card = cardOf(this.below(4), this.below(13));
    return { type: 'confirm-card', drawNo: missing?.drawNo ?? null, card, person: DEALER };
  }

  deadline(): TimelessInput {
    const { deadline } = this.state;
    if (deadline) this.atMs = Math.max(this.atMs, deadline.atMs - this.below(2));
    return { type: 'reach-deadline' };
  }

  drawNext(): TimelessInput {
    const { state } = this;
    const { endCardBehind, ended } = state.shoe;
    if (endCardBehind !== null && this.#shoe.length <= endCardBehind && !ended) {
      return { type: 'end-card-out' };
    }
    const card = this.#shoe.pop() ?? cardOf(this.below(4), this.below(13));
    this.#drawNo += this.below(60) === 0 ? 2 : 1;
    const confidence = this.below(50) === 0 ? 20 : 255;
    const faceUp = this.below(80) === 0;
    return { type: 'draw-card', drawNo: this.#drawNo, card, confidence, faceUp };
  }

  swap(): TimelessInput {
    const dealt = this.state.round?.seats ?? [];
    const seatAt = (): number =>
      dealt.length > 0 && this.below(5) > 0 ? this.pick(dealt).seat : 1 + this.below(7);
    const [fromSeat, toSeat] = [seatAt(), seatAt()];
    const swap = { type: 'assign-card', fromSeat, person: DEALER } as const;
    return this.#drawNo % 4 === 0 ? { ...swap, toSeat: BANK, place: 0 } : { ...swap, toSeat };
  }

  lawfulAct(): TimelessInput {
    const { state } = this;
    const lawful = state.seats.flatMap(({ seat }) =>
      seatChoices(state, seat)
        .filter(({ allowed }) => allowed)
        .map((choice) => ({ by: seat, choice })),
    );
    if (lawful.length === 0) return this.deadline();
    const { by, choice } = this.pick(lawful);
    return this.decision(choice.seat, by, choice.hand, choice.act, choice.minMinor);
  }

  decision(seat: number, by: number, hand: number, act: Act, amountMinor: number | null): TimelessInput {
    return {
      type: 'decide',
      roundId: this.roundId,
      seat,
      by,
      hand,
      act,
      touchedAtMs: this.atMs - this.below(40),
      ...(amountMinor === null ? {} : { amountMinor: amount(amountMinor) }),
    };
  }

  /** art. 13.5.2.vi: somebody says that a bettor of this seat has left. */
  forfeit(seat: number): TimelessInput {
    const open = this.state.streaks.find((streak) => streak.seat === seat)?.open ?? [];
    const by = open.length > 0 ? this.pick(open).by : seat;
    return { type: 'forfeit-streak', seat, by, person: this.below(4) === 0 ? DEALER : SUPERVISOR };
  }

  betting(): TimelessInput {
    const by = 1 + this.below(7);
    const seat = this.below(5) === 0 ? 1 + this.below(7) : by;
    const kinds = gameOf(this.state).bets(this.state);
    const kind = this.below(8);
    const touch = { roundId: this.roundId, touchedAtMs: this.atMs - this.below(50) };
    if (kind < 4) return this.changeBets(by);
    return {
      type: 'place-bet',
      ...touch,
      seat,
      by,
      bet: this.below(20) === 0 ? 'no-such-bet' : this.below(2) === 0 ? kinds[0]! : this.pick(kinds),
      ...(this.below(3) === 0 ? { onTop: true } : {}),
      amountMinor: amount(this.pick([1_000, 2_000, 5_000, 10_000, 10_001, 90, 500_000])),
    };
  }

  changeBets(seat: number): TimelessInput {
    const type = this.pick(['undo-bet', 'clear-bets', 'repeat-bets', 'double-bets'] as const);
    return { type, roundId: this.roundId, seat, touchedAtMs: this.atMs - this.below(50) };
  }

  cash(): TimelessInput {
    const { state } = this;
    const acceptor = 1 + this.below(7);
    const seat = 1 + this.below(7);
    const flying = state.notes[0];
    const value = this.pick([10_000, 50_000, 100_000, 77]);
    switch (this.below(13)) {
      case 0:
      case 1:
      case 2:
        this.#note += 1;
        return {
          type: 'hear-acceptor',
          acceptor,
          word: 'escrow',
          noteId: `x${this.#note}`,
          note: { currency: this.below(20) === 0 ? 'HKD' : 'MOP', valueMinor: value },
        };
      case 3:
      case 4: {
        const isNamed = this.below(3) !== 0;
        const other = this.below(8) === 0 ? { currency: 'MOP', valueMinor: value } : null;
        const named = isNamed ? (other ?? flying ?? null) : null;
        return {
          type: 'hear-acceptor',
          acceptor: flying?.acceptor ?? acceptor,
          word: 'credited',
          note: named,
        };
      }
      case 5:
        return { type: 'hear-acceptor', acceptor: flying?.acceptor ?? acceptor, word: 'returned' };
      case 6:
        return {
          type: 'hear-acceptor',
          acceptor: flying?.acceptor ?? acceptor,
          word: 'settled-unknown',
        };
      case 7:
        return {
          type: 'resolve-held-note',
          caseNo: state.heldNotes[0]?.caseNo ?? 1,
          outcome: this.pick(['credited', 'returned', 'unclaimed']),
          reason: this.pick(['seen-in-box', 'other']),
          words: this.below(2) === 0 ? 'in the box' : '',
          person: ATTENDANT,
          second: this.pick([null, ATTENDANT, SUPERVISOR]),
        };
      case 8:
        return { type: 'request-cash-out', seat, requestId: `c${this.below(3)}` };
      case 9:
        return { type: 'cancel-cash-out', seat, requestId: `c${this.below(3)}` };
      case 10:
        return {
          type: 'adjust-credit',
          seat,
          amountMinor: amount(this.pick([5_000, -5_000, 100, -1_000_000, 0])),
          reason: this.pick(['settlement-wrong', 'other']),
          words: this.below(2) === 0 ? 'counted again' : '',
          corrects: { roundId: state.round?.id ?? null, seq: null },
          complaintNo: state.complaints[0]?.complaintNo ?? null,
          person: this.pick([ATTENDANT, SUPERVISOR, DEALER]),
          second: this.pick([SUPERVISOR, SUPERVISOR, ATTENDANT]),
        };
      case 11:
        return { type: 'raise-complaint', seat, from: this.pick(['player', 'dealer']) };
      default:
        return this.below(2) === 0
          ? { type: 'choose-note-seat', seat }
          : {
              type: 'confirm-hand-pay',
              seat,
              requestId:
                (this.below(2) === 0 ? state.seats[seat - 1]?.wins?.[0] : state.seats[seat - 1]?.cashOut)
                  ?.requestId ?? 'c0',
              person: ATTENDANT,
              second: this.below(2) === 0 ? SUPERVISOR : null,
            };
    }
  }

  /** Anything at any time. */
  noise(): TimelessInput {
    switch (this.below(16)) {
      case 0:
        return { type: 'start-terminal', bootId: `b${this.below(1000)}`, softwareId: 'x' };
      case 1:
        return { type: 'enter-service', person: TECHNICIAN };
      case 2:
        return { type: 'report-fault', device: 'shoe', fault: 'jam', place: 'shoe' };
      case 3:
        return { type: 'clear-fault', device: 'shoe', fault: 'jam' };
      case 4:
        return { type: 'report-fault', device: 'acceptor-1', fault: 'jam', place: 'seat 1' };
      case 5:
        return this.swap();
      case 6:
        return { type: 'void-round', reason: 'supervisor', person: this.pick([DEALER, ATTENDANT]) };
      case 7:
        return this.drawNext();
      case 8:
        return { type: 'set-language', seat: 1 + this.below(9), language: 'pt' };
      case 9:
        return { type: 'call-attendant', seat: 1 + this.below(9), on: this.below(2) === 0 };
      case 10:
        return { type: 'sign-out-dealer' };
      case 11:
        return { type: 'close-round' };
      case 12:
        return this.betting();
      case 13:
        return { type: 'confirm-layout', person: DEALER };
      case 14:
        return { type: 'reach-deadline' };
      default:
        return this.decision(
          1 + this.below(7),
          1 + this.below(7),
          this.below(4),
          this.pick(ACTS),
          this.pick([null, 500, 1_000, 5_000]),
        );
    }
  }

  next(): TimelessInput {
    const roll = this.below(20);
    if (roll < 3) return this.cash();
    return roll === 3 ? this.noise() : this.due();
  }
}

/**
 * What a panel may lay on other seats, and what it may decide on any, is what the table accepts;
 * the rest it refuses.
 */
function checkOffered({ state, atMs }: RandomTable, by: number, acts: boolean): void {
  const laid = state.round?.bets ?? [];
  for (const { seat, bets, refused } of behindChoices(state, by)) {
    assert.equal(bets.length === 0, refused !== null);
    for (const { bet, amountMinor } of bets) {
      assert.equal(refusePlacement(state, laid, { seat, by, bet, amountMinor }), null, `${by} on ${seat}`);
    }
  }
  if (!acts || state.deadline === null || atMs > state.deadline.atMs) return;
  const { id: roundId } = state.round!;
  for (const { seat, hand, act, minMinor, allowed } of seatChoices(state, by)) {
    if (!allowed) continue;
    const touch = { type: 'decide', atMs, roundId, seat, by, hand, act, touchedAtMs: atMs } as const;
    const decision = decide(state, minMinor === null ? touch : { ...touch, amountMinor: minMinor });
    assert.ok(decision.ok, `${act} of ${by} on ${seat}: ${JSON.stringify(decision)}`);
  }
}

/**
 * So many inputs; after each of them everything that must hold is checked, and money, books and
 * meters by the table.
 */
export function playRandomly(table: RandomTable, inputs: number): void {
  for (let i = 0; i < inputs; i++) {
    const input = table.next();
    const copy = i % 7 === 0 ? structuredClone(table.state) : null;
    const decision = table.decide(input);
    const { state } = table;
    if (copy) {
      const timed = { atMs: table.atMs, ...input } as Parameters<typeof advance>[1];
      const advanced = advance(copy, timed);
      assert.deepEqual(advanced, decision, 'advance decides as decide does');
      assert.equal(JSON.stringify(copy), JSON.stringify(state), 'and evolves as evolve does');
    }
    nextStep(state);
    dealerOptions(state);
    for (const { seat } of state.seats) {
      bettingChoices(state, seat);
      allowedNotes(state, seat);
      for (const choice of seatChoices(state, seat)) assert.equal(choice.allowed, choice.code === null);
    }
    checkOffered(table, 1 + (i % state.seats.length), i % 11 === 0);
    assert.ok(state.hold === null || state.deadline === null || state.round?.lines, 'a hold stops the time');
    assert.ok(state.service === null || state.deadline === null, 'service stops the time');
    if (i % 100 === 0) table.checkReplay();
  }
  table.checkReplay();
}

/** What random tables have come to, so that a test can say what it has not reached. */
export class Reached {
  rounds = 0;
  voided = 0;
  readonly events = new Set<string>();
  readonly outcomes = new Set<string>();

  add(table: RandomTable): void {
    this.rounds += table.rounds;
    for (const event of table.events) {
      this.events.add(event.type === 'card-burned' ? `burned-${event.why}` : event.type);
      if (event.type === 'cards-swapped' && event.toSeat === BANK) this.events.add('bank-swapped');
      if (event.type === 'round-voided') this.voided += 1;
      if (event.type === 'round-settled') {
        for (const { bet, outcome } of event.lines) this.outcomes.add(`${bet} ${outcome}`);
      }
    }
  }

  missing(events: readonly string[], outcomes: readonly string[] = []): string[] {
    return [
      ...events.filter((type) => !this.events.has(type)),
      ...outcomes.filter((outcome) => !this.outcomes.has(outcome)),
    ];
  }
}
