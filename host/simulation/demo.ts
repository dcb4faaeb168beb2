import { randomInt } from 'node:crypto';
import { rankOf } from '../../engine/core/cards.ts';
import { minor, timesOf } from '../../engine/core/money.ts';
import { behindChoices, bettingChoices, nextStep, seatChoices } from '../../engine/engine.ts';
import { endsWithLoading, isShoe } from '../../engine/table/cards.ts';
import type { Act, Language, Person } from '../../engine/table/inputs.ts';
import { gameOf } from '../../engine/table/registry.ts';
import type { TableState } from '../../engine/table/state.ts';
import type { Choice } from '../../engine/table/steps.ts';
import type { Terminal, TimelessInput } from '../table/terminal.ts';

/** The hands of the demonstration: what a dealer and players would do to the simulated devices. */
export interface DemoHands {
  /** Takes another shoe first where the one on the table can tell nothing any more. */
  loadShoe(): Promise<unknown>;
  /** Closes the cover and takes a jammed card out; nothing where all is well. */
  mendShoe(): Promise<unknown>;
  drawCard(): Promise<unknown>;
  placeEndCard(cardsBehind: number): Promise<unknown>;
  insertNote(seat: number, valueMinor: number): Promise<unknown>;
}

export interface DemoOptions {
  readonly terminal: Terminal;
  readonly hands: DemoHands;
  readonly dealer: Person;
  /** Comes when the dealer calls; null where the terminal file names none. */
  readonly supervisor: Person | null;
  /** 1 = the pace of a calm table; smaller is faster. */
  readonly pace: number;
  readonly log: (line: string) => void;
}

const LANGUAGES: readonly Language[] = ['zh-Hant', 'pt', 'zh-Hant', 'en', 'zh-Hant', 'pt', 'zh-Hant'];
const EMPTY_SEAT = 4;
/**
 * A shoe that has lost its line or its power mostly comes back by itself: so long the supervisor
 * waits.
 */
const PATIENCE_MS = 15_000;

type Deed = () => unknown;

/** `mostMinor` null: nothing is known to be open, the table will say why. */
interface PlannedBet {
  readonly on: number;
  readonly bet: string;
  readonly mostMinor: number | null;
}

/**
 * Plays the table by itself: a dealer who does the one next legal step, players who follow simple
 * play. It knows only what the state shows to everybody and uses the same inputs and the same
 * devices as people do.
 */
export class Demo {
  readonly #o: DemoOptions;
  #dealer = false;
  #players = false;
  #timers = new Map<string, NodeJS.Timeout>();
  #betsPlanned = new Map<number, { roundId: string; chips: number }>();
  /**
   * What the shoe was before the last deed on it; what the terminal refuses is waited for no longer
   * than this.
   */
  #last: {
    readonly deed: 'draw' | 'load';
    readonly id: string | null;
    readonly drawn: number;
    readonly untilMs: number;
  } | null = null;

  constructor(options: DemoOptions) {
    this.#o = options;
    options.terminal.onCommit(() => this.#think());
  }

  get on(): { readonly autoDealer: boolean; readonly autoPlayers: boolean } {
    return { autoDealer: this.#dealer, autoPlayers: this.#players };
  }

  set(o: { dealer: boolean; players: boolean }): void {
    this.#dealer = o.dealer;
    this.#players = o.players;
    if (o.players) this.#greet();
    this.#think();
  }

  stop(): void {
    this.#dealer = false;
    this.#players = false;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  get #state(): TableState {
    return this.#o.terminal.state;
  }

  #greet(): void {
    for (const { seat, creditMinor } of this.#state.seats)
      if (creditMinor === 0)
        this.#submit({ type: 'set-language', seat, language: LANGUAGES[seat - 1] ?? 'zh-Hant' });
  }

  #submit(input: TimelessInput): boolean {
    const outcome = this.#o.terminal.submit(input);
    if (outcome.status === 'rejected') this.#o.log(`demo: ${input.type} refused: ${outcome.code}`);
    return outcome.status !== 'rejected';
  }

  /**
   * One deed per actor is on its way at most; when its time comes the deed is thought out again.
   */
  #plan(actor: string, afterMs: number, deed: Deed): void {
    if (this.#timers.has(actor)) return;
    this.#timers.set(
      actor,
      setTimeout(() => {
        // Switched off meanwhile: nothing is begun any more.
        const isOn = actor === 'dealer' ? this.#dealer : this.#players;
        Promise.resolve(isOn && deed())
          .catch((error: Error) => this.#o.log(`demo: ${error.message}`))
          .finally(() => {
            this.#timers.delete(actor);
            this.#think();
          });
      }, afterMs * this.#o.pace),
    );
  }

  #think(): void {
    if (this.#dealer) this.#thinkDealer();
    if (this.#players && !this.#state.service)
      for (const { seat } of this.#state.seats) if (seat !== EMPTY_SEAT) this.#thinkPlayer(seat);
  }

  #thinkDealer(): void {
    const step = nextStep(this.#state);
    const wait: Partial<Record<typeof step.step, number>> = {
      'draw-for-seat': 700,
      'draw-for-bank': 900,
      'draw-for-player-side': 900,
      burn: 700,
      'open-betting': 1500,
      'close-round': 800,
      'read-results': 500,
      'await-offers': 500,
      'await-decision': 500,
    };
    if (step.step === 'close-betting') {
      if (this.#players && this.#everybodyHasBet()) this.#plan('dealer', 1500, () => this.#deal());
      return;
    }
    if (step.step === 'await-offers' || step.step === 'await-decision' || step.step === 'in-service') return;
    this.#plan('dealer', wait[step.step] ?? 1000, () => this.#deal());
  }

  #everybodyHasBet(): boolean {
    const { round, seats } = this.#state;
    const seated = seats.filter((seat) => seat.seat !== EMPTY_SEAT);
    return (
      round !== null &&
      round.bets.length > 0 &&
      seated.every(({ seat }) => this.#betsPlanned.get(seat)?.chips === 0 || !this.#canBet(seat))
    );
  }

  #canBet(seat: number): boolean {
    if (this.#state.hold !== null) return false;
    return bettingChoices(this.#state, seat).some((choice) => choice.act === 'place-bet' && choice.allowed);
  }

  #deal(): Promise<unknown> | boolean {
    const { terminal, hands, dealer } = this.#o;
    const state = this.#state;
    const step = nextStep(state);
    switch (step.step) {
      case 'sign-in':
        return this.#submit({ type: 'sign-in-dealer', person: dealer });
      case 'load-shoe':
        return this.#withShoe('load', () => hands.loadShoe());
      case 'cut-shoe':
        return this.#cut(step.seat);
      case 'witness-loading':
        return this.#supervise((person) => ({ type: 'witness-loading', person }));
      case 'check-decks':
        return this.#submit({ type: 'check-decks', person: dealer });
      case 'count-cards':
        return this.#submit({ type: 'count-cards', ...state.shoe.toCount!, person: dealer });
      case 'order-decks':
        return this.#submit({ type: 'order-decks', regular: true, person: dealer });
      case 'load-packet': {
        const last = step.done + 1 >= step.least;
        return this.#supervise((person) => ({ type: 'load-packet', last, person }));
      }
      case 'feed-shuffler':
        return this.#submit({ type: 'feed-shuffler' });
      case 'close-complaint': {
        const { complaintNo } = step;
        return this.#supervise((person) => ({ type: 'close-complaint', complaintNo, upheld: false, person }));
      }
      case 'open-shuffler':
        return this.#supervise((person) => ({ type: 'open-shuffler', solved: true, person }));
      case 'place-end-card': {
        const cardsBehind = step.minBehind;
        this.#submit({ type: 'place-end-card', cardsBehind });
        return hands.placeEndCard(cardsBehind);
      }
      case 'burn':
      case 'draw-for-seat':
      case 'draw-for-bank':
      case 'draw-for-player-side':
        return this.#withShoe('draw', () => hands.drawCard());
      case 'open-betting':
        return this.#submit({ type: 'open-betting', roundId: terminal.nextRoundId() });
      case 'close-betting':
        return this.#submit({ type: 'close-betting' });
      case 'close-round':
        return this.#submit({ type: 'close-round' });
      case 'confirm-layout':
        return this.#submit({ type: 'confirm-layout', person: dealer });
      case 'confirm-card':
        return this.#submit({
          type: 'confirm-card',
          drawNo: state.hold?.drawNo ?? null,
          card: step.card,
          person: dealer,
        });
      case 'resolve-card':
        return state.hold?.code === 'unexpected-card'
          ? this.#submit({ type: 'set-card-aside', person: dealer })
          : this.#giveUpCards();
      case 'call-supervisor':
        return this.#superviseShoe();
      // A person pays it.
      case 'pay-prize':
      case 'read-results':
      case 'await-offers':
      case 'await-decision':
      case 'in-service':
      case 'locked-by-centre':
        return false;
    }
  }

  /**
   * Draws a card or loads the shoe; not before the terminal has heard of the last time. On a busy
   * machine another card would leave the shoe for the place of the one before.
   */
  async #withShoe(deed: 'draw' | 'load', act: () => Promise<unknown>): Promise<unknown> {
    const { id, drawn } = this.#state.shoe;
    const last = this.#last;
    const isAwaited = last?.deed === deed && last.id === id && last.drawn === drawn;
    if (isAwaited && performance.now() < last.untilMs) return false;
    const done = await act();
    this.#last = { deed, id, drawn, untilMs: performance.now() + PATIENCE_MS };
    return done;
  }

  /** Now and then a player whose turn it is leaves the cut to the next (r.8). */
  #cut(seat: number | null): boolean {
    if (seat === null) return this.#submit({ type: 'cut-shoe', seat });
    if (seat === 0) return this.#supervise((person) => ({ type: 'cut-shoe', seat: null, person }));
    return this.#submit({ type: randomInt(4) === 0 ? 'refuse-cut' : 'cut-shoe', seat });
  }

  #supervise(input: (supervisor: Person) => TimelessInput): boolean {
    const { supervisor } = this.#o;
    return supervisor !== null && this.#submit(input(supervisor));
  }

  /**
   * art. 5.1.2: nobody here sees a card that no shoe has read, so the round is cancelled; between
   * rounds the shoe is made ready again.
   */
  #giveUpCards(): Promise<unknown> | boolean {
    const { hands, supervisor } = this.#o;
    const { round } = this.#state;
    if (round === null) return hands.loadShoe();
    if (supervisor === null) return false;
    return this.#submit({ type: 'void-round', reason: 'shoe-fault', person: supervisor });
  }

  async #superviseShoe(): Promise<unknown> {
    const { hands, terminal } = this.#o;
    const { hold, faults } = this.#state;
    if (!faults.some(({ device }) => isShoe(device))) return false;
    await hands.mendShoe();
    if (hold?.code !== 'shoe-fault') return false;
    const isLost = faults.some(({ fault }) => endsWithLoading(fault));
    return isLost || terminal.now() - hold.sinceMs >= PATIENCE_MS ? this.#giveUpCards() : false;
  }

  #thinkPlayer(seat: number): void {
    const state = this.#state;
    const own = state.seats[seat - 1];
    const { round, profile } = state;
    if (!own || !profile || own.cashOut) return;
    const actor = `seat ${seat}`;
    const wantsNotes = own.creditMinor < timesOf(state.rules?.min ?? 0, 20);
    const noteOnItsWay = state.notes.some((note) => note.seat === seat);
    if (wantsNotes && !noteOnItsWay && ['idle', 'betting', 'shoe'].includes(state.phase)) {
      const note = profile.notesMinor.at(-1) ?? 0;
      // An acceptor that is still busy gives the note back; the player tries again.
      this.#plan(actor, randomInt(600, 2500), () => this.#o.hands.insertNote(seat, note).catch(() => {}));
    } else if (state.phase === 'betting' && round && this.#canBet(seat)) {
      this.#bet(seat, actor, round.id, profile.chipsMinor);
    } else if (seatChoices(state, seat).some((choice) => choice.allowed)) {
      this.#plan(actor, randomInt(900, 2400), () => this.#decide(seat));
    }
  }

  #bet(seat: number, actor: string, roundId: string, chips: readonly number[]): void {
    if (this.#betsPlanned.get(seat)?.roundId !== roundId)
      this.#betsPlanned.set(seat, { roundId, chips: this.#mayLeaveOut(seat) ? 0 : randomInt(1, 4) });
    const plan = this.#betsPlanned.get(seat);
    if (!plan || plan.chips === 0) return;
    this.#plan(actor, randomInt(400, 1600), () => {
      // The table is held since: nobody bets meanwhile.
      if (this.#state.hold !== null) return;
      plan.chips -= 1;
      const affordable = chips.filter(
        (chip) => timesOf(chip, 4) <= (this.#state.seats[seat - 1]?.creditMinor ?? 0),
      );
      const chip = affordable[randomInt(Math.max(1, affordable.length))];
      if (this.#state.phase !== 'betting' || chip === undefined) {
        plan.chips = 0;
        return;
      }
      const { on, bet, mostMinor } = this.#betBehind(seat) ?? this.#kindOfBet(seat);
      this.#submit({
        type: 'place-bet',
        roundId,
        seat: on,
        by: seat,
        bet,
        // r.47: there is one chip for the jackpot, whatever the others are.
        amountMinor: minor(Math.min(chip, mostMinor ?? chip)),
        onTop: true,
        touchedAtMs: this.#o.terminal.now(),
      });
    });
  }

  /** Now and then a player pauses; not where their streak bets are open (art. 13.5.2.vi). */
  #mayLeaveOut(seat: number): boolean {
    const open = gameOf(this.#state).series?.open(this.#state) ?? [];
    return !open.some((bet) => bet.seat === seat) && randomInt(10) === 0;
  }

  /**
   * Now and then a player with a bet of their own lays one on the hand of another, or on a vacant
   * seat (art. 20.1, r.16).
   */
  #betBehind(seat: number): PlannedBet | null {
    const hasOwn = this.#state.round?.bets.some((bet) => bet.seat === seat && bet.by === seat);
    if (!hasOwn || randomInt(10) !== 0) return null;
    const open = behindChoices(this.#state, seat).flatMap(({ seat: on, bets }) =>
      bets.map(({ bet, amountMinor }): PlannedBet => ({ on, bet, mostMinor: amountMinor })),
    );
    return open[randomInt(Math.max(1, open.length))] ?? null;
  }

  /**
   * Mostly the main bet, or a side where there is none; once it lies, sometimes one of the others
   * open to this seat.
   */
  #kindOfBet(seat: number): PlannedBet {
    const open = bettingChoices(this.#state, seat).filter(
      ({ act, allowed }) => act === 'place-bet' && allowed,
    );
    if (open.length === 0) return { on: seat, bet: 'main', mostMinor: null };
    const own = this.#state.round?.bets.find((bet) => bet.seat === seat && bet.by === seat);
    const main =
      open.find(({ bet }) => bet === (own?.bet ?? 'main')) ?? open[randomInt(Math.min(2, open.length))];
    const chosen = own && randomInt(3) === 0 ? open[randomInt(open.length)] : main;
    return { on: seat, bet: chosen?.bet ?? 'main', mostMinor: chosen?.amountMinor ?? null };
  }

  #decide(seat: number): void {
    const { round } = this.#state;
    const open = seatChoices(this.#state, seat).filter((choice) => choice.allowed);
    // Asked about several hands they answer for one after the other.
    const choice =
      round && this.#choose(open.filter((each) => each.seat === open[0]?.seat && each.hand === open[0].hand));
    if (!round || !choice) return;
    this.#submit({
      type: 'decide',
      roundId: round.id,
      seat: choice.seat,
      by: seat,
      hand: choice.hand,
      act: choice.act,
      ...(choice.minMinor === null ? {} : { amountMinor: choice.minMinor }),
      touchedAtMs: this.#o.terminal.now(),
    });
  }

  #choose(choices: readonly Choice[]): Choice | undefined {
    const { round } = this.#state;
    const find = (act: Act): Choice | undefined => choices.find((choice) => choice.act === act);
    const [first] = choices;
    const hand = round?.seats.find(({ seat }) => seat === first?.seat)?.hands[first?.hand ?? 0];
    const up = round?.bank[0];
    if (!hand || up === undefined) return choices[0];
    if (find('followSplit') || find('followDouble') || find('betPair'))
      return choices[randomInt(choices.length)];
    if (find('surrenderWar') && randomInt(3) === 0) return find('surrenderWar');
    const ranks = hand.cards.map((card) => Math.min(rankOf(card) + 1, 10));
    const hard = ranks.reduce((total, rank) => total + rank, 0);
    const total = ranks.includes(1) && hard <= 11 ? hard + 10 : hard;
    const bank = Math.min(rankOf(up) + 1, 10);
    const strongBank = bank === 1 || bank >= 7;
    if (find('fiveCardHalf') && total < 18) return find('fiveCardHalf');
    if (find('evenMoney')) return randomInt(3) === 0 ? find('evenMoney') : find('playOn');
    if (find('surrender') && total === 16 && strongBank) return find('surrender');
    if (find('insure') && randomInt(4) === 0) return find('insure');
    if (find('declineInsurance')) return find('declineInsurance');
    if (find('split') && (ranks[0] === 1 || ranks[0] === 8 || (ranks[0] ?? 0) < 4)) return find('split');
    if (find('double') && (total === 10 || total === 11) && !(bank === 1)) return find('double');
    if (find('hit') && (total < 12 || (total < 17 && strongBank))) return find('hit');
    return find('playOn') ?? find('stand') ?? choices[0];
  }
}
