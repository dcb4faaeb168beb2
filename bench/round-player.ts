/** One table that plays rounds as fast as the engine allows: dealer, players and shoe in one. */
import type { Card } from '../engine/core/cards.ts';
import type { Minor } from '../engine/core/money.ts';
import { shuffledShoe } from '../engine/core/shoe.ts';
import { dueCard } from '../engine/games/blackjack/due.ts';
import { totalOf } from '../engine/games/blackjack/hand.ts';
import type { TableEvent } from '../engine/table/events.ts';
import type { Act, Input, Person } from '../engine/table/inputs.ts';
import { advance, decide, evolve, initialState } from '../engine/table/table.ts';

/** `simulation`: the state belongs to the caller alone. `live`: as the host does it, decide on a copy, then evolve event by event. */
export type Path = 'simulation' | 'live';

const CREDIT = 100_000_000_000 as Minor;
const STAKE = 10_000 as Minor;
const DEALER: Person = { id: 'd', name: 'D', role: 'dealer' };
const SHOES = 64;

/** Shuffled before anything is timed: a shoe of 312 cards lasts for dozens of rounds. */
const shoes = Array.from({ length: SHOES }, (_, i) => shuffledShoe(6, i + 1));

export class RoundPlayer {
  readonly state = initialState();
  readonly #seats: number;
  readonly #path: Path;
  readonly #listener: ((event: TableEvent) => void) | null;
  #cards: readonly Card[] = [];
  #next = 0;
  #shoeNo = 0;
  #atMs = 1_000_000;

  /** Seats 1 to `seats` bet in every round. `listener` gets every event. */
  constructor(seats: number, path: Path, listener: ((event: TableEvent) => void) | null = null) {
    this.#seats = seats;
    this.#path = path;
    this.#listener = listener;
    this.#must({
      type: 'configure',
      atMs: this.#tick(),
      person: null,
      profile: {
        terminalId: 'bench',
        tableName: 'Bench',
        rulebook: 'macau-blackjack-2009',
        options: { burnAtStart: 'one', min: 5_000, max: 5_000_000, step: 1_000 },
        currency: 'MOP',
        chipsMinor: [STAKE],
        seatCount: 7,
        acceptors: 'per-seat',
        notesMinor: [CREDIT],
        maxCreditMinor: CREDIT,
        twoPersonHandPayMinor: CREDIT,
        timing: { bettingMs: 20_000, offersMs: 15_000, decisionMs: 15_000, minConfidence: 0, minResultMs: 1 },
      },
    });
    for (let seat = 1; seat <= seats; seat++) {
      const note = { acceptor: seat, noteId: `n${seat}`, valueMinor: CREDIT };
      this.#must({ type: 'escrow-note', atMs: this.#tick(), ...note, currency: 'MOP' });
      this.#must({ type: 'stack-note', atMs: this.#tick(), ...note });
    }
    this.#must({ type: 'sign-in-dealer', atMs: this.#tick(), person: DEALER });
  }

  /** One whole round with its bets, cards, decisions, settlement and closing; a new shoe first where one is due. */
  playRound(): void {
    const { state } = this;
    if (state.phase === 'shoe') this.#newShoe();
    this.#must({ type: 'open-betting', atMs: this.#tick(), roundId: `r${state.roundNo + 1}` });
    for (let seat = 1; seat <= this.#seats; seat++) {
      this.#must({
        type: 'place-bet',
        atMs: this.#tick(),
        roundId: this.#roundId,
        seat,
        by: seat,
        bet: 'main',
        amountMinor: STAKE,
        touchedAtMs: this.#atMs,
      });
    }
    this.#must({ type: 'close-betting', atMs: this.#tick() });
    while (this.state.phase !== 'settled') {
      if (dueCard(this.state)) this.#draw();
      else this.#decide();
    }
    this.#atMs = this.state.deadline?.atMs ?? this.#atMs;
    this.#must({ type: 'reach-deadline', atMs: this.#tick() });
    this.#must({ type: 'close-round', atMs: this.#tick() });
  }

  get #roundId(): string {
    return this.state.round?.id ?? '';
  }

  #newShoe(): void {
    this.#shoeNo += 1;
    this.#cards = shoes[this.#shoeNo % SHOES]!;
    this.#next = 0;
    this.#must({ type: 'load-shoe', atMs: this.#tick(), shoeId: `s${this.#shoeNo}`, decks: 6 });
    this.#must({ type: 'cut-shoe', atMs: this.#tick(), seat: null });
    this.#must({ type: 'place-end-card', atMs: this.#tick(), cardsBehind: this.state.rules!.cutBehind });
    while (this.state.phase === 'shoe') this.#draw();
  }

  #draw(): void {
    const { shoe } = this.state;
    if (!shoe.ended && this.#cards.length - this.#next === shoe.endCardBehind)
      this.#must({ type: 'end-card-out', atMs: this.#tick() });
    const card = this.#cards[this.#next]!;
    this.#next += 1;
    this.#must({ type: 'draw-card', atMs: this.#tick(), drawNo: null, card, confidence: 255 });
  }

  /** Plays on where something is offered, doubles eleven, hits below 17: the yardstick plays the same. */
  #decide(): void {
    const round = this.state.round!;
    const offer = round.offers?.pending[0];
    if (offer) return this.#act(offer.seat, 0, 'playOn');
    const { seat, hand } = round.turn!;
    const { cards } = round.seats.find((played) => played.seat === seat)!.hands[hand]!;
    const total = totalOf(cards);
    this.#act(seat, hand, total === 11 && cards.length === 2 ? 'double' : total < 17 ? 'hit' : 'stand');
  }

  #act(seat: number, hand: number, act: Act): void {
    this.#must({
      type: 'decide',
      atMs: this.#tick(),
      roundId: this.#roundId,
      seat,
      by: seat,
      hand,
      act,
      touchedAtMs: this.#atMs,
    });
  }

  /** A millisecond later. */
  #tick(): number {
    this.#atMs += 1;
    return this.#atMs;
  }

  #must(input: Input): void {
    const decision = this.#path === 'live' ? decide(this.state, input) : advance(this.state, input);
    if (!decision.ok) throw new Error(`${input.type} refused: ${decision.code} ${decision.detail ?? ''}`);
    for (const event of decision.events) {
      if (this.#path === 'live') evolve(this.state, event);
      this.#listener?.(event);
    }
  }
}

/**
 * The same rounds as bare arithmetic on the same shoes: no events, no law, no accounts, no allocation. What any engine in
 * this language could reach at most; the engine's rate is given as a share of it.
 */
export class Yardstick {
  /** Net of all seats in stakes: keeps the arithmetic from being optimised away. */
  net = 0;
  readonly #seats: number;
  readonly #totals: number[];
  readonly #stakes: number[];
  readonly #pips = shoes.map((shoe) => Uint8Array.from(shoe, (card) => Math.min((card % 13) + 1, 10)));
  #shoe = this.#pips[0]!;
  #next = 0;
  #shoeNo = 0;
  #ace = false;

  constructor(seats: number) {
    this.#seats = seats;
    this.#totals = Array.from({ length: seats }, () => 0);
    this.#stakes = Array.from({ length: seats }, () => 1);
  }

  playRound(): void {
    if (this.#shoe.length - this.#next < 60) {
      this.#shoeNo += 1;
      this.#shoe = this.#pips[this.#shoeNo % SHOES]!;
      this.#next = 1;
    }
    for (let seat = 0; seat < this.#seats; seat++) {
      this.#ace = false;
      let hard = this.#draw() + this.#draw();
      this.#stakes[seat] = 1;
      if (this.#best(hard) === 11) {
        this.#stakes[seat] = 2;
        hard += this.#draw();
      } else while (this.#best(hard) < 17) hard += this.#draw();
      this.#totals[seat] = this.#best(hard);
    }
    this.#ace = false;
    let bank = this.#draw() + this.#draw();
    while (this.#best(bank) < 17) bank += this.#draw();
    const bankTotal = this.#best(bank) > 21 ? 0 : this.#best(bank);
    for (let seat = 0; seat < this.#seats; seat++) {
      const total = this.#totals[seat]!;
      const stake = this.#stakes[seat]!;
      if (total > 21 || total < bankTotal) this.net -= stake;
      else if (total > bankTotal) this.net += stake;
    }
  }

  #draw(): number {
    const pips = this.#shoe[this.#next++]!;
    if (pips === 1) this.#ace = true;
    return pips;
  }

  #best(hard: number): number {
    return this.#ace && hard <= 11 ? hard + 10 : hard;
  }
}
