import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import {
  ATTENDANT,
  amount,
  DEALER,
  profileWith,
  SUPERVISOR,
  TECHNICIAN,
  TestTable,
  type TimelessInput,
} from '../../test/support/table-kit.ts';
import { cardOf } from '../core/cards.ts';
import { shuffledShoe } from '../core/shoe.ts';
import type { Act } from './inputs.ts';
import type { OptionValue } from './profile.ts';
import { advance, allowedNotes, bettingChoices, dealerOptions, nextStep, seatChoices } from './table.ts';

const ACTS: readonly Act[] = [
  'hit',
  'stand',
  'double',
  'split',
  'surrender',
  'insure',
  'declineInsurance',
  'evenMoney',
  'fiveCardHalf',
  'loseOriginalOnly',
  'playOn',
];

/** A table full of people who mostly do what is due and often what is not. */
class RandomTable extends TestTable {
  readonly #random;
  #shoe: ReturnType<typeof shuffledShoe> = [];
  #drawNo = 0;
  #note = 0;
  rounds = 0;

  constructor(seed: number, options: Record<string, OptionValue>, shared: boolean) {
    super();
    this.#random = xoroshiro128plus(seed);
    const changes = { acceptors: shared ? ('shared' as const) : ('per-seat' as const) };
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
      case 'load-shoe':
        this.#shoe = shuffledShoe(state.rules!.decks, this.below(1_000_000));
        this.#drawNo = 0;
        return { type: 'load-shoe', shoeId: `s${this.below(1000)}`, decks: state.rules!.decks };
      case 'cut-shoe':
        return { type: 'cut-shoe', seat: this.pick([null, 1, 3]) };
      case 'place-end-card':
        return { type: 'place-end-card', cardsBehind: step.minBehind };
      case 'open-betting':
        return { type: 'open-betting', roundId: `r${state.roundNo + 1}` };
      case 'close-betting':
        return this.below(9) === 0 ? { type: 'close-betting' } : this.betting();
      case 'burn':
      case 'draw-for-seat':
      case 'draw-for-bank':
        return this.drawNext();
      case 'await-offers':
      case 'await-decision':
        return this.below(12) === 0 ? this.deadline() : this.lawfulAct();
      case 'read-results':
        return this.deadline();
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
    if (this.#shoe.length === 70 && state.shoe.endCardBehind !== null && !state.shoe.ended) {
      return { type: 'end-card-out' };
    }
    const card = this.#shoe.pop() ?? cardOf(this.below(4), this.below(13));
    this.#drawNo += this.below(60) === 0 ? 2 : 1;
    const confidence = this.below(50) === 0 ? 20 : 255;
    const faceUp = this.below(80) === 0;
    return { type: 'draw-card', drawNo: this.#drawNo, card, confidence, faceUp };
  }

  lawfulAct(): TimelessInput {
    const { state } = this;
    const lawful = state.seats.flatMap(({ seat }) =>
      seatChoices(state, seat)
        .filter(({ allowed }) => allowed)
        .map((choice) => ({ seat, choice })),
    );
    if (lawful.length === 0) return this.deadline();
    const { seat, choice } = this.pick(lawful);
    return this.decision(seat, seat, choice.hand, choice.act, choice.minMinor);
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

  betting(): TimelessInput {
    const by = 1 + this.below(7);
    const seat = this.below(5) === 0 ? 1 + this.below(7) : by;
    const kind = this.below(8);
    const touch = { roundId: this.roundId, touchedAtMs: this.atMs - this.below(50) };
    if (kind < 4) return this.changeBets(by);
    return {
      type: 'place-bet',
      ...touch,
      seat,
      by,
      bet: this.below(20) === 0 ? 'anyPair' : 'main',
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
    switch (this.below(11)) {
      case 0:
      case 1:
      case 2:
        this.#note += 1;
        return {
          type: 'escrow-note',
          noteId: `x${this.#note}`,
          acceptor,
          currency: this.below(20) === 0 ? 'HKD' : 'MOP',
          valueMinor: amount(value),
        };
      case 3:
      case 4:
        return {
          type: 'stack-note',
          acceptor: flying?.acceptor ?? acceptor,
          noteId: this.below(3) === 0 ? null : (flying?.noteId ?? `x${this.#note}`),
          valueMinor: this.below(8) === 0 ? amount(value) : (flying?.valueMinor ?? null),
        };
      case 5:
        return { type: 'return-note', acceptor: flying?.acceptor ?? acceptor, noteId: null };
      case 6:
        return {
          type: 'dispute-note',
          acceptor: flying?.acceptor ?? acceptor,
          noteId: flying?.noteId ?? 'none',
          why: 'power',
        };
      case 7:
        return {
          type: 'resolve-held-note',
          caseNo: state.heldNotes[0]?.caseNo ?? 1,
          credit: this.below(2) === 0,
          person: ATTENDANT,
        };
      case 8:
        return { type: 'request-cash-out', seat, requestId: `c${this.below(3)}` };
      case 9:
        return { type: 'cancel-cash-out', seat, requestId: `c${this.below(3)}` };
      default:
        return this.below(2) === 0
          ? { type: 'choose-note-seat', seat }
          : {
              type: 'confirm-hand-pay',
              seat,
              requestId: state.seats[seat - 1]?.cashOut?.requestId ?? 'c0',
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
        return {
          type: 'assign-card',
          fromSeat: 1 + this.below(7),
          toSeat: 1 + this.below(7),
          person: DEALER,
        };
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

const someOptions = fc.record(
  {
    decks: fc.constantFrom(2, 6, 8),
    cardSource: fc.constantFrom('shoe', 'autoShuffler'),
    burnAtStart: fc.constantFrom('perDeck', 'one'),
    burnEachRound: fc.constantFrom('none', 'one', 'oneAndBeforeDealerSecond'),
    exposedFirstCardValid: fc.boolean(),
    dealerCardPass: fc.constantFrom(1, 2),
    soft17: fc.constantFrom('aceSix', 'any'),
    dealerHitsSoft17: fc.boolean(),
    wrongDealerCard: fc.constantFrom('void', 'validIfUnseen'),
    dealerPlaysOut: fc.constantFrom('always', 'ifNeeded'),
    elevenVsDealerBlackjack: fc.constantFrom('loseAll', 'offer'),
    bustedVsDealerBlackjack: fc.constantFrom('originalOnly', 'bustsLost'),
    specialPrize: fc.boolean(),
    specialPrizeMode: fc.constantFrom('bonus', 'closesHand'),
    specialPrizeBase: fc.constantFrom('stake', 'original'),
    maxHands: fc.constantFrom(4, 6),
    resplit: fc.boolean(),
    resplitAces: fc.boolean(),
    doubleOn: fc.constantFrom(
      ['anyTwo', 'afterSplit'],
      ['eleven'],
      ['anyTwo', 'eleven'],
      ['eleven', 'afterSplit'],
    ),
    surrender: fc.boolean(),
    surrenderWindow: fc.constantFrom('beforeAnyCard', 'beforeOwnCard'),
    betsBehind: fc.constantFrom('seated', 'nearest', 'highest'),
    behindFollows: fc.boolean(),
    seatsPerPlayer: fc.constantFrom(null, 1, 2),
    min: fc.constant(1_000),
    max: fc.constant(100_000),
    step: fc.constantFrom(2, 500, 1_000),
  },
  { requiredKeys: [] },
);

let rounds = 0;
let voided = 0;
const seen = new Set<string>();

test('money, books, meters and replay hold at every state of random play, lawful and not', () => {
  fc.assert(
    fc.property(fc.integer(), someOptions, fc.boolean(), (seed, options, shared) => {
      const table = new RandomTable(seed, { ...options } as Record<string, OptionValue>, shared);
      for (let i = 0; i < 900; i++) {
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
          for (const choice of seatChoices(state, seat)) {
            assert.equal(choice.allowed, choice.code === null);
          }
        }
        assert.ok(
          state.hold === null || state.deadline === null || state.round?.lines,
          'a hold stops the time',
        );
        assert.ok(state.service === null || state.deadline === null, 'service stops the time');
        if (i % 100 === 0) table.checkReplay();
      }
      table.checkReplay();
      rounds += table.rounds;
      for (const event of table.events) {
        seen.add(event.type === 'card-burned' ? `burned-${event.why}` : event.type);
        if (event.type === 'round-voided') voided += 1;
      }
    }),
    { numRuns: 100, seed: 57_2009 },
  );
});

test('the random play above reached what it is meant to reach', () => {
  assert.ok(rounds > 1_000, `${rounds} rounds`);
  assert.ok(voided > 50, `${voided} voided`);
  const expected = [
    'bet-withdrawn',
    'betting-cancelled',
    'burned-before-bank-second',
    'burned-exposed',
    'burned-round',
    'burned-set-aside',
    'burned-start',
    'burned-wrong-bank-card',
    'card-confirmed',
    'cards-swapped',
    'cash-out-cancelled',
    'end-card-seen',
    'even-money-taken',
    'hand-doubled',
    'hand-paid',
    'hand-split',
    'hand-surrendered',
    'held-note-resolved',
    'insurance-declined',
    'insurance-laid',
    'note-refused',
    'note-returned',
    'service-entered',
  ];
  assert.deepEqual(
    expected.filter((type) => !seen.has(type)),
    [],
  );
});
