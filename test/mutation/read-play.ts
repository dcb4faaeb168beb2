/**
 * Random play of the engine alone, as a table plays it: nobody looks over its shoulder but the
 * second reader, who is asked at every payment as the host asks. Players and dealer wish for what
 * is lawful and for what is not, and an error planted in the engine decides what becomes of it.
 */
import { KNOWN_BETS, rulebookOf, validateOptions } from '../../engine/books.ts';
import { cardName, parseCard } from '../../engine/core/cards.ts';
import { ACTS, advance, initialState, nextStep, seatChoices, type TableState } from '../../engine/engine.ts';
import type { Act, Input } from '../../engine/table/inputs.ts';
import type { OptionValue, RulebookId, TableProfile } from '../../engine/table/profile.ts';
import { gameOf } from '../../engine/table/registry.ts';
import { Asked } from '../auditor/asked.ts';
import { Disagreed } from '../auditor/disagreed.ts';
import { type Random, RandomPack, randomOf } from '../auditor/random.ts';
import { drawOptions } from '../auditor/random-options.ts';
import { amount, DEALER, profileWith, SUPERVISOR, type TimelessInput } from '../support/table-kit.ts';
import type { Look } from './unseen.ts';

const CREDIT = 10_000_000_000;
const ROUNDS_OF_A_SITTING = 30;
/** A pack has few of the wanted cards: with these a sitting is short. */
const ROUNDS_WITH_CARDS = 3;
/** Inputs that a round may take; a table that no one can bring on is left. */
const INPUTS_OF_A_ROUND = 400;

export interface ReadPlay {
  readonly payments: number;
  /** What the reader held first; null = nothing in these rounds. */
  readonly held: string | null;
  /** Where something was held: all that led to it. */
  readonly sitting: Sitting | null;
}

/** A table from its opening to the input whose payment was held. */
export interface Sitting {
  readonly profile: TableProfile;
  /** With the refused ones, after that of the profile. */
  readonly inputs: readonly Input[];
}

/** `rounds` counts those that were opened. */
export function playRead(rulebook: RulebookId, rounds: number, seed: number, look: Look = {}): ReadPlay {
  const random = randomOf(seed);
  let payments = 0;
  const ofASitting = look.cards ? ROUNDS_WITH_CARDS : ROUNDS_OF_A_SITTING;
  for (let opened = 0; opened < rounds; opened += ofASitting) {
    let table: ReadTable | null = null;
    try {
      table = new ReadTable(rulebook, random, look);
      table.open();
      for (let left = ofASitting * INPUTS_OF_A_ROUND; left > 0; left -= 1) {
        if (table.rounds >= ofASitting || !table.step()) break;
      }
    } catch (error) {
      if (error instanceof Disagreed && error.found.what.startsWith('read ')) {
        const { differing, cannot } = error.found.engine as { differing: string[]; cannot: string | null };
        return { payments, held: cannot ?? differing.join(', '), sitting: table!.sitting };
      }
      // The engine has ended with an error: at a table nothing is stored, and nothing paid.
    }
    payments += table?.payments ?? 0;
  }
  return { payments, held: null, sitting: null };
}

/** A house that wants more than the articles let it: only a planted bug makes these lawful. */
const BOLD: readonly Readonly<Record<string, OptionValue>>[] = [
  { dealerHitsSoft17: true },
  { dealing: 'holeCard', maxHands: 6 },
  { dealing: 'holeCard', maxHands: 4 },
  { dealing: 'holeCard' },
  { surrender: false },
  { specialPrize: false },
  { sideBets: ['anyPair', 'perfectPair'] },
  { doubleOn: ['anyTwo', 'eleven'] },
  { cardSource: 'box', decks: 2, dealing: 'faceDown' },
  { cutBehind: 20 },
  { insuranceMin: '1', insuranceMax: '1/2' },
  { insuranceMax: '1' },
  { step: 3, min: 99 },
  { step: 501 },
  { step: 500, min: 1_000 },
  { max: 31_000, min: 1_000 },
  { tableMaxTotal: 5_000 },
  { maxHands: 4 },
  { demoRounds: 4 },
  { mustDrawBelow: 11 },
  ...[
    { seed: 100, cards: 4, pays: [{ combination: 'A2', share: '1' }] },
    { seed: 1_000_000, cards: 2, pays: [{ combination: 'A3', share: '1' }] },
    {
      seed: 1_000_000,
      cards: 4,
      pays: [
        { combination: 'A3', share: '1' },
        { combination: 'A2', share: '1' },
      ],
    },
  ].map((jackpot) => ({
    jackpot: { stake: 50, increment: '1/4', marking: 'automatic', ...jackpot } as unknown as OptionValue,
  })),
];

/** Every bet beside the main one, in half of the tables that can have them. */
const EVERY_SIDE_BET: readonly Readonly<Record<string, OptionValue>>[] = [
  {
    sideBets: [
      'anyPair',
      'sevens',
      'over13',
      'under13',
      'perfectPair',
      'streak2',
      'streak3',
      'streak4',
      'streak5',
    ],
    sideBetsAtOnce: 'any',
  },
  { sideBets: ['anyPair', 'sevens', 'over13', 'under13'], sideBetsAtOnce: 'any' },
  { lucky6: true },
  { authorisedBets: KNOWN_BETS as unknown as OptionValue },
];

function boldOptions(
  rulebook: RulebookId,
  drawn: Record<string, OptionValue>,
  random: Random,
): Record<string, OptionValue> {
  let options = drawn;
  const wish = (wished: Readonly<Record<string, OptionValue>> | undefined): void => {
    if (wished && validateOptions(rulebook, { ...options, ...wished }).ok)
      options = { ...options, ...wished };
  };
  if (random(2) === 0) for (const every of EVERY_SIDE_BET.toReversed()) wish(every);
  if (random(2) === 0) wish(BOLD[random(BOLD.length)]);
  return options;
}

class ReadTable {
  rounds = 0;
  readonly #profile: TableProfile;
  readonly #inputs: Input[] = [];
  readonly #random: Random;
  readonly #ranks: string | undefined;
  readonly #cards: readonly string[] | undefined;
  readonly #credit: number;
  readonly #errors: boolean;
  readonly #calm: boolean;
  readonly #state: TableState = initialState();
  readonly #asked = new Asked();
  readonly #pack: RandomPack;
  readonly #rulebook: RulebookId;
  readonly #options: Readonly<Record<string, OptionValue>>;
  readonly #seatCount: number;
  readonly #seated: readonly number[];
  #atMs = 1_000_000;
  /** When the betting was last to be closed. */
  #closedAtMs = 0;
  /** Answers that went nowhere, one after the other. */
  #refused = 0;

  constructor(rulebook: RulebookId, random: Random, look: Look) {
    const { options, ranks, cards, credit, errors, seats, calm } = look;
    this.#rulebook = rulebook;
    this.#random = random;
    this.#pack = new RandomPack(random);
    const isLawful = options !== undefined && validateOptions(rulebook, options).ok;
    this.#options = isLawful ? options : boldOptions(rulebook, drawOptions(rulebook, random), random);
    this.#ranks = ranks;
    this.#cards = cards;
    this.#credit = credit ?? CREDIT;
    this.#errors = errors === true;
    this.#calm = calm === true;
    const checked = validateOptions(rulebook, this.#options);
    this.#seatCount = checked.ok ? Number((checked.resolved as unknown as { seats: number }).seats) : 7;
    const all = Array.from({ length: this.#seatCount }, (_, at) => at + 1);
    const share = this.#pick([1, 1, 2, 3]);
    const seated = all.filter(() => random(share) === 0);
    this.#profile = profileWith(this.#options, {
      rulebook,
      seatCount: this.#seatCount,
      notesMinor: [amount(this.#credit)],
      maxCreditMinor: amount(1_000 * CREDIT),
    });
    // Few hands, so that the wanted ranks meet in one.
    if (seats !== undefined) this.#seated = all.slice(0, seats);
    else if (ranks !== undefined) this.#seated = all.slice(0, 1 + random(2));
    else this.#seated = seated.length > 0 ? seated : [1 + random(this.#seatCount)];
  }

  get payments(): number {
    return this.#asked.payments;
  }

  get sitting(): Sitting {
    return { profile: this.#profile, inputs: this.#inputs.slice(1) };
  }

  open(): void {
    this.#do({ type: 'configure', profile: this.#profile, person: null });
    this.#do({ type: 'sign-in-dealer', person: DEALER });
    for (const seat of this.#seated) {
      const heard = {
        type: 'hear-acceptor',
        acceptor: seat,
        note: { currency: 'MOP', valueMinor: this.#credit },
      } as const;
      this.#do({ ...heard, word: 'escrow', noteId: `n${seat}` });
      this.#do({ ...heard, word: 'credited' });
    }
  }

  #do(input: TimelessInput): boolean {
    this.#atMs += 1;
    this.#asked.before(this.#state);
    const timed = { atMs: this.#atMs, ...input } as Input;
    this.#inputs.push(timed);
    const decision = advance(this.#state, timed);
    if (decision.ok) this.#asked.after(this.#state, decision.events);
    return decision.ok;
  }

  get #roundId(): string {
    return this.#state.round?.id ?? '';
  }

  get #rules(): { min: number; step: number; max: number; decks: number } & Record<string, unknown> {
    return this.#state.rules as never;
  }

  /** False = nobody can bring the table on. */
  step(): boolean {
    if (this.#state.round && this.#chance(6)) this.#disturb();
    if (this.#errors && this.#state.round && this.#chance(3)) this.#putRight();
    const done = this.#goOn();
    this.#refused = done ? 0 : this.#refused + 1;
    return this.#refused < 40;
  }

  #goOn(): boolean {
    const step = nextStep(this.#state);
    switch (step.step) {
      case 'check-decks':
        return this.#do({ type: 'check-decks', person: DEALER });
      case 'load-shoe':
        this.#pack.shuffle(this.#rules.decks);
        return this.#do({
          type: 'load-shoe',
          shoeId: `s${this.#random(1_000_000)}`,
          decks: this.#rules.decks,
        });
      case 'load-packet':
        return this.#do({ type: 'load-packet', last: step.done + 1 >= step.least, person: SUPERVISOR });
      case 'cut-shoe':
        return this.#do({ type: 'cut-shoe', seat: step.seat === 0 ? null : step.seat, person: SUPERVISOR });
      case 'place-end-card':
        return this.#do({ type: 'place-end-card', cardsBehind: step.minBehind });
      case 'feed-shuffler':
        this.#pack.shuffle(this.#rules.decks);
        return this.#do({ type: 'feed-shuffler' });
      case 'close-complaint': {
        const { complaintNo } = step;
        return this.#do({ type: 'close-complaint', complaintNo, upheld: false, person: SUPERVISOR });
      }
      case 'open-betting':
        return this.#openRound();
      case 'close-betting':
        return this.#isLaying() && this.#refused < 20 ? this.#touch() : this.#closeBets();
      case 'burn':
      case 'draw-for-seat':
      case 'draw-for-bank':
      case 'draw-for-player-side':
        return this.#draw();
      case 'await-offers':
      case 'await-decision':
        return this.#chance(40) ? this.#waitOut() : this.#answer();
      case 'read-results':
        return this.#waitOut();
      case 'pay-prize': {
        const requestId = this.#state.seats[step.seat - 1]?.wins?.[0]?.requestId ?? '';
        const persons = { person: SUPERVISOR, second: { ...SUPERVISOR, id: 's2' } };
        return this.#do({ type: 'confirm-hand-pay', seat: step.seat, requestId, ...persons });
      }
      case 'close-round':
        return this.#do({ type: 'close-round' });
      case 'resolve-card':
        return this.#do({ type: 'set-card-aside', person: SUPERVISOR });
      default:
        return this.#void();
    }
  }

  #isLaying(): boolean {
    return this.#calm ? !this.#chance(20) : this.#random(9) < 7;
  }

  #waitOut(): boolean {
    this.#atMs = Math.max(this.#atMs, this.#state.deadline?.atMs ?? 0);
    return this.#do({ type: 'reach-deadline' });
  }

  #draw(): boolean {
    const { shoe } = this.#state;
    const behind = shoe.endCardBehind;
    if (behind !== null && !shoe.ended && shoe.stage === 'ready' && this.#pack.length <= behind)
      return this.#do({ type: 'end-card-out' });
    if (this.#cards && !this.#chance(4)) this.#pack.bringUp(this.#cards);
    const text = this.#pack.next();
    if (text === '') return this.#void();
    const faceUp = this.#chance(150);
    const drawn = this.#do({
      type: 'draw-card',
      drawNo: null,
      card: parseCard(text),
      confidence: 255,
      faceUp,
    });
    if (this.#chance(20)) this.#do({ type: 'take-back-card', person: SUPERVISOR });
    return drawn;
  }

  #openRound(): boolean {
    const { decks } = this.#rules;
    const isShuffler = String(this.#rules['cardSource']).endsWith('Shuffler');
    const kept = this.#state.shoe.waiting.map(({ card }) => cardName(card));
    if (isShuffler && this.#pack.length < decks * 40) this.#pack.shuffle(decks, kept);
    this.rounds += 1;
    this.#pack.favour(this.#cards ? '' : this.#chance(4) ? undefined : this.#ranks);
    return this.#do({ type: 'open-betting', roundId: `r${this.#state.roundNo + 1}` });
  }

  #closeBets(): boolean {
    this.#closedAtMs = this.#atMs;
    if (this.#do({ type: 'close-betting' })) return true;
    for (const { seat, open } of [...this.#state.streaks]) {
      for (const { by } of open) {
        if (this.#chance(2)) this.#do({ type: 'forfeit-streak', seat, by, person: SUPERVISOR });
        else this.#place(seat, by, 'main', this.#leastBet());
      }
    }
    return this.#do({ type: 'close-betting' });
  }

  #leastBet(): number {
    const { min, step } = this.#rules;
    return Math.ceil(min / step) * step;
  }

  #touch(): boolean {
    const by = this.#pick(this.#seated);
    const laid = this.#state.round?.bets ?? [];
    const beside = laid.length > 0 && !this.#chance(3) ? this.#pick(laid).seat : this.#anySeat();
    const seat = this.#random(3) > 0 ? by : beside;
    const kinds = gameOf(this.#state).bets(this.#state);
    const hasMain = laid.some((bet) => bet.bet === kinds[0] && bet.seat === seat && bet.by === by);
    const everyKind = rulebookOf(this.#rulebook)?.options.flatMap(({ legal }) =>
      legal.kind === 'subset' ? legal.of.map(String) : [],
    );
    const bet =
      !hasMain && !this.#chance(8)
        ? kinds[0]!
        : this.#chance(8)
          ? this.#pick([...kinds, ...(everyKind ?? []), 'jackpot', 'lucky6', 'lucky7', 'tie', 'playerPair'])
          : this.#pick(kinds);
    const { min, step, max } = this.#rules;
    const chip = (this.#rules['jackpot'] as { stake: number } | null | undefined)?.stake;
    const usual = this.#leastBet() + step * this.#random(Math.min(40, Math.floor(max / step)));
    const plain = bet === 'jackpot' && chip ? chip : usual;
    const value = this.#chance(12) ? this.#pick([plain + 1, min - 1, max + step, max, step]) : plain;
    return this.#place(seat, by, bet, value);
  }

  #place(seat: number, by: number, bet: string, value: number): boolean {
    const at = { roundId: this.#roundId, touchedAtMs: this.#atMs };
    const onTop = this.#chance(3);
    return this.#do({ type: 'place-bet', ...at, seat, by, bet, amountMinor: amount(value), onTop });
  }

  // ---- decisions ----

  #answer(): boolean {
    if (!this.#calm && this.#chance(5)) this.#wish();
    const lawful = this.#seated.flatMap((by) =>
      seatChoices(this.#state, by)
        .filter(({ allowed }) => allowed)
        .map((choice) => ({ by, choice })),
    );
    if (lawful.length === 0) return this.#waitOut();
    if (this.#calm && !this.#chance(6)) {
      const { by, choice } =
        lawful.find(({ choice: { act } }) => act === 'stand' || act === 'playOn') ?? this.#pick(lawful);
      return this.#decide(choice.seat, choice.hand, by, choice.act);
    }
    const sound = lawful.filter(({ choice }) => /split|double|hit|Pair|follow|war|War/.test(choice.act));
    const splits = sound.filter(({ choice }) => choice.act === 'split');
    const wanted = splits.length > 0 && !this.#chance(4) ? splits : sound;
    const { by, choice } = wanted.length > 0 && !this.#chance(3) ? this.#pick(wanted) : this.#pick(lawful);
    const { seat, hand, act, minMinor, maxMinor } = choice;
    const values = [minMinor, maxMinor, Math.floor(((minMinor ?? 0) + (maxMinor ?? 0)) / 2)];
    const done = this.#decide(seat, hand, by, act, minMinor === null ? undefined : (this.#pick(values) ?? 1));
    if (act === 'evenMoney' && this.#chance(2))
      this.#decide(seat, hand, by, 'insure', this.#mainOf(seat, by));
    return done;
  }

  #mainOf(seat: number, by: number): number {
    const bets = this.#state.round?.bets ?? [];
    return bets.find((bet) => bet.bet === 'main' && bet.seat === seat && bet.by === by)?.amountMinor ?? 1;
  }

  /** Somebody wants what may not be. */
  #wish(): void {
    const main = this.#state.round?.bets[0]?.amountMinor ?? 0;
    const turn = this.#state.round?.turn;
    const seat = turn && !this.#chance(3) ? turn.seat : this.#anySeat();
    const decider = this.#state.round?.seats.find((one) => one.seat === seat)?.decider ?? seat;
    const by = this.#chance(3) ? this.#anySeat() : decider;
    const hands = this.#state.round?.seats.find((one) => one.seat === seat)?.hands.length ?? 1;
    const hand = turn?.seat === seat && !this.#chance(hands > 1 ? 2 : 3) ? turn.hand : this.#random(hands);
    const value = this.#pick([main, main + 1, Math.floor(main / 2), Math.floor(main / 2) + 1, 1]);
    this.#decide(seat, hand, by, this.#pick(ACTS), value);
  }

  #decide(seat: number, hand: number, by: number, act: Act, value?: number): boolean {
    const at = { roundId: this.#roundId, touchedAtMs: this.#atMs };
    const so = value === undefined ? {} : { amountMinor: amount(value) };
    return this.#do({ type: 'decide', ...at, seat, hand, by, act, ...so });
  }

  // ---- what should not happen ----

  #disturb(): void {
    switch (this.#random(10)) {
      case 0:
        if (this.#chance(20)) this.#void();
        return;
      case 1:
        return this.#swap();
      case 2:
        if (this.#chance(2)) this.#wrongCard();
        return;
      case 3:
        if (this.#chance(2)) this.#do({ type: 'take-back-card', person: SUPERVISOR });
        else if (this.#do({ type: 'doubt-card', person: SUPERVISOR }))
          this.#do({
            type: 'confirm-card',
            drawNo: null,
            card: parseCard(this.#pack.next())!,
            person: SUPERVISOR,
          });
        return;
      case 4:
        this.#do({ type: 'replace-bank-second', person: SUPERVISOR });
        return;
      case 5:
        if (this.#state.phase === 'betting' && this.#chance(2)) {
          const type = this.#pick(['undo-bet', 'clear-bets', 'repeat-bets', 'double-bets'] as const);
          const seat = this.#pick(this.#seated);
          this.#do({ type, roundId: this.#roundId, seat, touchedAtMs: this.#atMs });
        } else this.#touch();
        return;
      default:
        if (this.#state.phase !== 'betting') this.#wish();
    }
  }

  /** A dealer who puts right what has just happened. */
  #putRight(): void {
    if (this.#state.phase === 'dealing' && this.#chance(3)) {
      // A touch from before the closing word, heard late.
      const at = { roundId: this.#roundId, touchedAtMs: this.#closedAtMs };
      const by = this.#pick(this.#seated);
      const bet = this.#pick(gameOf(this.#state).bets(this.#state));
      this.#do({ type: 'place-bet', ...at, seat: by, by, bet, amountMinor: amount(this.#leastBet()) });
      return;
    }
    if (this.#chance(2)) this.#swap();
    else this.#do({ type: 'take-back-card', person: SUPERVISOR });
  }

  #void(): boolean {
    return this.#do({ type: 'void-round', reason: 'supervisor', person: SUPERVISOR });
  }

  #swap(): void {
    const seats = this.#state.round?.seats.map(({ seat }) => seat) ?? [];
    if (seats.length === 0) return;
    const place = this.#pick([{}, { place: 0 }, { place: 1 }, { place: 2 }]);
    const [fromSeat, toSeat] = [this.#pick(seats), this.#pick([...seats, 0])];
    this.#do({ type: 'assign-card', fromSeat, toSeat, ...place, person: SUPERVISOR });
  }

  /** A card leaves the shoe when none is due. */
  #wrongCard(): void {
    if (!/await|read-results/.test(nextStep(this.#state).step)) return;
    const card = this.#pack.next();
    if (card === '') return;
    if (!this.#do({ type: 'draw-card', drawNo: null, card: parseCard(card), confidence: 255 })) return;
    if (this.#chance(2) && this.#do({ type: 'draw-wrong', shown: this.#chance(2) })) return;
    this.#do({ type: 'set-card-aside', person: SUPERVISOR });
  }

  // ---- chance ----

  #chance(of: number): boolean {
    return this.#random(of) === 0;
  }

  #pick<T>(items: readonly T[]): T {
    return items[this.#random(items.length)]!;
  }

  #anySeat(): number {
    return 1 + this.#random(this.#seatCount);
  }
}
