import { isDeepStrictEqual } from 'node:util';
import { postingsOf } from '../../engine/accounting/postings.ts';
import { booksAgree } from '../../engine/accounting/self-audit.ts';
import { validateOptions } from '../../engine/books.ts';
import { cardName, parseCard } from '../../engine/core/cards.ts';
import { advance, evolve, initialState, nextStep, type TableState } from '../../engine/engine.ts';
import type { TableEvent } from '../../engine/table/events.ts';
import type { Act, Input } from '../../engine/table/inputs.ts';
import type { OptionValue, RulebookId, TableProfile } from '../../engine/table/profile.ts';
import type { AuditedBet, AuditedRulebook, Auditor, Refusals } from '../../reader/auditor.ts';
import { total } from '../../reader/blackjack-cards.ts';
import {
  amount,
  DEALER,
  profileWith,
  SUPERVISOR,
  type TimelessInput,
  withoutAbsent,
} from '../support/table-kit.ts';
import { Asked } from './asked.ts';
import { compareDue, compareRound, same, worthOf } from './compare.ts';
import { Disagreed } from './disagreed.ts';
import { type Random, RandomPack } from './random.ts';
import { drawOptions } from './random-options.ts';

/**
 * Far above what random bets can lose; the terminal's own rule about credit is tested elsewhere.
 */
const CREDIT = 10_000_000_000;
/** Codes of the terminal around the game: the auditor knows the law only. */
const OF_THE_TERMINAL = new Set(['malformed', 'unknown-seat', 'unknown-round', 'held', 'not-due']);

/** One table with one set of options over some rounds. */
export class Sitting {
  readonly options: Readonly<Record<string, OptionValue>>;
  readonly reached: Record<string, number> = {};
  before: string[] = [];
  story: string[] = [];
  rounds = 0;
  voided = 0;
  lines = 0;
  /** The same rounds once more, as the host has the reader read them. */
  readonly asked = new Asked();
  refusals = 0;
  readonly #audited: AuditedRulebook;
  readonly #random: Random;
  readonly #auditor: Auditor;
  readonly #state: TableState = initialState();
  readonly #balances = new Map<string, number>();
  /** Some sittings are played once more beside the live table. */
  readonly #isDoubled: boolean;
  readonly #replayed: TableState = initialState();
  readonly #seatCount: number;
  /** Seats that are taken: whoever sits there has credit. */
  readonly #seated: readonly number[];
  #atMs = 1_000_000;
  readonly #pack: RandomPack;
  #burnedBefore = 0;
  /** Cards of the round before the one that has just been drawn. */
  #cardsBefore = 0;
  #setAside = 0;
  #wasVoided = false;
  #worthBefore = 0;
  /** Bets laid in the round, as the auditor has them. */
  #laid: AuditedBet[] = [];
  #refusedInARow = 0;
  #refusesCut: readonly number[] = [];

  constructor(audited: AuditedRulebook, random: Random) {
    const rulebook = audited.rulebook as RulebookId;
    this.#audited = audited;
    this.#random = random;
    this.#pack = new RandomPack(random);
    this.#isDoubled = this.#chance(8);
    this.options = drawOptions(rulebook, random);
    const checked = validateOptions(rulebook, this.options);
    if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
    const resolved = checked.resolved as unknown as Record<string, OptionValue>;
    this.#seatCount = Number(resolved['seats']);
    this.#auditor = audited.model(resolved, this.#seatCount);
    this.#seated = this.#drawSeated();
  }

  /** The table is set up, and whoever sits there has money. */
  open(): void {
    const rulebook = this.#audited.rulebook as RulebookId;
    this.#must({ type: 'configure', profile: this.#profile(rulebook), person: null });
    this.#must({ type: 'sign-in-dealer', person: DEALER });
    for (const seat of this.#seated) {
      const note = { currency: 'MOP', valueMinor: CREDIT };
      const heard = { type: 'hear-acceptor', acceptor: seat, note } as const;
      this.#must({ ...heard, word: 'escrow', noteId: `n${seat}` });
      this.#must({ ...heard, word: 'credited' });
    }
  }

  #profile(rulebook: RulebookId): TableProfile {
    return profileWith(this.options, {
      rulebook,
      seatCount: this.#seatCount,
      notesMinor: [amount(CREDIT)],
      maxCreditMinor: amount(1_000 * CREDIT),
    });
  }

  // ---- the engine ----

  #input(input: TimelessInput): ReturnType<typeof advance> {
    this.#atMs += 1;
    const timed = { atMs: this.#atMs, ...input } as Input;
    this.asked.before(this.#state);
    const decision = advance(this.#state, timed);
    if (decision.ok) this.asked.after(this.#state, decision.events);
    if (decision.ok) for (const event of decision.events) this.#post(event);
    if (this.#isDoubled) this.#double(decision);
    return decision;
  }

  /** The events read back from storage: the same table. */
  #double(decision: ReturnType<typeof advance>): void {
    if (!decision.ok) return;
    for (const event of decision.events)
      evolve(this.#replayed, JSON.parse(JSON.stringify(event)) as TableEvent);
  }

  /** Double entry: what an event moves sums to nothing. */
  #post(event: TableEvent): void {
    let sum = 0;
    for (const { account, amountMinor } of postingsOf(event)) {
      sum += amountMinor;
      this.#balances.set(account, (this.#balances.get(account) ?? 0) + amountMinor);
    }
    if (sum !== 0) throw new Disagreed(`postings of ${event.type}`, sum, 0);
  }

  #must(input: TimelessInput): void {
    const decision = this.#input(input);
    if (!decision.ok) throw new Disagreed(`engine refuses ${JSON.stringify(input)}`, decision, 'accepted');
  }

  get #roundId(): string {
    return this.#state.round?.id ?? '';
  }

  // ---- steps ----

  step(): void {
    const state = this.#state;
    if (state.round && this.#chance(6)) this.#disturb();
    const step = nextStep(state);
    switch (step.step) {
      case 'check-decks':
        return this.#must({ type: 'check-decks', person: DEALER });
      case 'load-shoe':
        return this.#loadShoe();
      case 'load-packet':
        return this.#must({ type: 'load-packet', last: step.done + 1 >= step.least, person: SUPERVISOR });
      case 'cut-shoe':
        return this.#cut(step.seat);
      case 'place-end-card':
        return this.#placeEndCard(step.minBehind);
      case 'feed-shuffler':
        return this.#feed();
      case 'close-complaint':
        return this.#must({
          type: 'close-complaint',
          complaintNo: step.complaintNo,
          upheld: false,
          person: SUPERVISOR,
        });
      case 'open-betting':
        return this.#openRound();
      case 'close-betting':
        return this.#random(9) < 7 ? this.#touch() : this.#closeBets();
      default:
        compareDue(this.#state, this.#auditor);
        return this.#goOn(step.step);
    }
  }

  #goOn(step: string): void {
    switch (step) {
      case 'burn':
      case 'draw-for-seat':
      case 'draw-for-bank':
      case 'draw-for-player-side':
        return this.#draw();
      case 'await-offers':
        return this.#answer();
      case 'await-decision':
        return this.#decide();
      case 'read-results':
        this.#checkRound();
        this.#atMs = Math.max(this.#atMs, this.#state.deadline?.atMs ?? 0);
        return this.#must({ type: 'reach-deadline' });
      case 'close-round':
        return this.#closeRound();
      default:
        throw new Disagreed(`engine waits for ${step}`, this.#state.hold, this.#auditor.due());
    }
  }

  // ---- the shoe ----

  #loadShoe(): void {
    const decks = Number(this.#state.rules?.decks);
    this.#tell('shoe');
    this.#must({ type: 'load-shoe', shoeId: `s${this.#random(1_000_000)}`, decks });
    this.#refusesCut = this.#seated.filter(() => this.#chance(3));
    this.#auditor.newShoe({ seated: this.#seated, refuse: this.#refusesCut });
    this.#burnedBefore = 0;
    this.#pack.shuffle(decks);
  }

  /** @param turn whose turn it is (r.8), 0 = the supervisor's, null = whoever wants to */
  #cut(turn: number | null): void {
    if (turn === null)
      return this.#must({ type: 'cut-shoe', seat: this.#chance(2) ? null : this.#anySeat() });
    if (this.#refusesCut.includes(turn)) return this.#must({ type: 'refuse-cut', seat: turn });
    same('who cuts', turn === 0 ? 'supervisor' : turn, this.#auditor.after().cutBy);
    this.#must({ type: 'cut-shoe', seat: turn === 0 ? null : turn, person: SUPERVISOR });
  }

  #placeEndCard(cardsBehind: number): void {
    const { warningFromEnd } = this.#auditor.after();
    if (this.#audited.rulebook.startsWith('portugal')) same('warning card', cardsBehind, warningFromEnd);
    this.#must({ type: 'place-end-card', cardsBehind });
  }

  /** r.59, r.60: the cards of a round go back into the shuffler, or wait for a later one. */
  #feed(): void {
    if (this.#chance(5)) {
      const decision = this.#input({ type: 'open-betting', roundId: `r${this.#state.roundNo + 1}` });
      if (decision.ok) return this.#beginRound();
    }
    this.#must({ type: 'feed-shuffler' });
    this.#burnedBefore = this.#state.shoe.burned;
    this.#pack.shuffle(Number(this.#state.rules?.decks));
  }

  #draw(): void {
    const { shoe } = this.#state;
    const behind = shoe.endCardBehind;
    if (behind !== null && !shoe.ended && shoe.stage === 'ready' && this.#pack.length <= behind) {
      this.#tell('CUT');
      this.#must({ type: 'end-card-out' });
      this.#auditor.endCard();
      return;
    }
    const text = this.#pack.next();
    // An empty pack: the round cannot be finished and is cancelled (art. 5.1.2).
    if (text === '') return this.#void();
    const faceUp = this.#chance(150);
    this.#tell(faceUp ? `!${text}` : text);
    this.#cardsBefore = this.#state.round?.cardCount ?? 0;
    const misread = faceUp ? null : this.#misread(text);
    if (misread === null)
      this.#must({ type: 'draw-card', drawNo: null, card: parseCard(text), confidence: 255, faceUp });
    this.#auditor.card(misread ?? text, faceUp || this.#isTakenBack());
  }

  /**
   * Now and then another card than `text` is read, and a supervisor names it: the table must stand
   * as if it had been read at once. Where it is too late for that the other one has come.
   * @returns what lies there; null = nothing was misread, and `text` is still to come
   */
  #misread(text: string): string | null {
    const other = this.#chance(40) ? this.#pack.exchange(text) : '';
    if (other === '') return null;
    this.#tell(`read as ${other}`);
    this.#must({ type: 'draw-card', drawNo: null, card: parseCard(other), confidence: 255, faceUp: false });
    if (!this.#input({ type: 'doubt-card', person: DEALER }).ok) return other;
    this.#count('named again');
    // It lies where `other` would be.
    this.#pack.restore(other, text);
    this.#must({ type: 'confirm-card', drawNo: null, card: parseCard(text)!, person: SUPERVISOR });
    return text;
  }

  /**
   * art. 5.1.1: that it lay face up is noticed after it was read. As long as nothing has followed
   * from it the table must stand as if it had been seen before.
   */
  #isTakenBack(): boolean {
    const { cardCount = 0 } = this.#state.round ?? {};
    const isDealt = cardCount > this.#cardsBefore;
    if (!this.#audited.rulebook.startsWith('macau-blackjack') || !isDealt || !this.#chance(40)) return false;
    const decision = this.#input({ type: 'take-back-card', person: DEALER });
    if (!decision.ok) return false;
    this.#tell('taken back');
    this.#count('taken back');
    return true;
  }

  // ---- bets ----

  #openRound(): void {
    // A shuffler takes the cards back and mixes them (art. 2.2.4), but for a card that was one too
    // many and is the first of this round (art. 6.1).
    const { decks, cardSource } = this.#state.rules as { decks: number; cardSource?: unknown };
    const isShuffler = String(cardSource).endsWith('Shuffler');
    const kept = this.#state.shoe.waiting.map(({ card }) => cardName(card));
    if (isShuffler && this.#pack.length < decks * 40 && !this.#isFedByDealer())
      this.#pack.shuffle(decks, kept);
    this.#must({ type: 'open-betting', roundId: `r${this.#state.roundNo + 1}` });
    this.#beginRound();
  }

  #isFedByDealer = (): boolean => this.#audited.rulebook.startsWith('portugal');

  #beginRound(): void {
    this.before = this.story;
    this.story = [];
    this.#laid = [];
    this.#refusedInARow = 0;
    this.#pack.favour();
    this.#worthBefore = worthOf(this.#state);
    this.#auditor.openRound(this.#seated);
  }

  /** Mostly a full table, sometimes a single player. */
  #drawSeated(): number[] {
    const all = Array.from({ length: this.#seatCount }, (_, at) => at + 1);
    const share = this.#pick([1, 1, 2, 3]);
    const seated = all.filter(() => this.#random(share) === 0);
    return seated.length > 0 ? seated : [this.#anySeat()];
  }

  #touch(): void {
    if (this.#chance(12)) return this.#takeBack();
    const { seat, by } = this.#whereToBet();
    const bet = this.#whatToBet(seat, by);
    const { min, step, max } = this.#state.rules as { min: number; step: number; max: number };
    const chip = (this.#state.rules as { jackpot?: { stake: number } }).jackpot?.stake;
    const usual = this.#leastBet() + step * this.#random(Math.min(40, max / step));
    const plain = bet === 'jackpot' && chip ? chip : usual;
    const value = this.#chance(12) ? this.#pick([plain + 1, min - 1, max + step, max, step]) : plain;
    if (value <= 0) return;
    this.#place({ seat, by, bet, amount: value });
  }

  /** Mostly one's own seat, sometimes beside a bet that lies, sometimes anywhere. */
  #whereToBet(): { seat: number; by: number } {
    const by = this.#pick(this.#seated);
    if (this.#random(3) > 0) return { seat: by, by };
    const lies = this.#laid.length > 0 && !this.#chance(3) ? this.#pick(this.#laid).seat : this.#anySeat();
    return { seat: lies, by };
  }

  /** The main bet first, then mostly what is offered beside it. */
  #whatToBet(seat: number, by: number): string {
    const { bets } = this.#audited;
    const hasMain = this.#laid.some((bet) => bet.bet === bets[0] && bet.seat === seat && bet.by === by);
    if (!hasMain) return this.#chance(8) ? this.#pick(bets) : bets[0]!;
    const { sideBets = [], jackpot } = this.#state.rules as { sideBets?: string[]; jackpot?: object | null };
    const offered = jackpot ? [...sideBets, 'jackpot'] : sideBets;
    return offered.length === 0 || this.#chance(4) ? this.#pick(bets) : this.#pick(offered);
  }

  #place(bet: AuditedBet): void {
    const at = this.#laid.findIndex((l) => l.seat === bet.seat && l.by === bet.by && l.bet === bet.bet);
    const before = this.#laid[at];
    // Chips on top of a bet make it larger: it is judged as the whole it has become.
    const onTop = before !== undefined && !this.#chance(10);
    const whole = onTop ? { ...bet, amount: before.amount + bet.amount } : bet;
    const canChange = this.#auditor.change !== undefined;
    if (before && !onTop && !canChange) return;
    const decision = this.#input({
      type: 'place-bet',
      roundId: this.#roundId,
      seat: bet.seat,
      by: bet.by,
      bet: bet.bet,
      amountMinor: amount(bet.amount),
      onTop,
      touchedAtMs: this.#atMs,
    });
    const refusals = onTop && canChange ? this.#auditor.change!(whole) : this.#auditor.bet(bet);
    this.#tell(`${onTop ? 'on top' : 'bet'} ${bet.seat} by ${bet.by} ${bet.bet} ${bet.amount}`);
    this.#compareRefusal(`bet ${bet.bet}`, decision, refusals);
    if (refusals.length > 0) return;
    if (before) this.#laid[at] = whole;
    else this.#laid.push(whole);
  }

  /** A touch undone, or all chips of a bettor taken back: what is left must still be lawful. */
  #takeBack(): void {
    const { change } = this.#auditor;
    if (!change) return;
    const seat = this.#pick(this.#seated);
    const type = this.#pick(['undo-bet', 'clear-bets'] as const);
    const decision = this.#input({ type, roundId: this.#roundId, seat, touchedAtMs: this.#atMs });
    this.#tell(`${type} ${seat}`);
    if (!decision.ok) return;
    const left = this.#state.round?.bets ?? [];
    for (const bet of this.#laid) {
      const now = left.find((l) => l.seat === bet.seat && l.by === bet.by && l.bet === bet.bet);
      if (now?.amountMinor === bet.amount) continue;
      change.call(this.#auditor, { ...bet, amount: now?.amountMinor ?? 0 });
    }
    this.#laid = left.map(({ seat: at, by, bet, amountMinor }) => ({
      seat: at,
      by,
      bet,
      amount: amountMinor,
    }));
    for (const bet of this.#laid) {
      const refusals = bet.bet === 'jackpot' ? [] : change.call(this.#auditor, bet);
      if (refusals.length > 0) throw new Disagreed(`${type} leaves ${JSON.stringify(bet)}`, left, refusals);
    }
  }

  #closeBets(): void {
    if (this.#laid.length === 0) return this.#touch();
    const decision = this.#input({ type: 'close-betting' });
    this.#tell('close');
    if (!decision.ok && this.#forfeit()) return this.#closeBets();
    const refused = this.#auditor.closeBets();
    this.#compareRefusal('close', decision, refused ? [refused.code] : []);
    if (refused) this.#payDuty();
  }

  /** House rule `forfeit` (art. 13.5.2.vi): a supervisor says that whoever owes a bet has left. */
  #forfeit(): boolean {
    if ((this.#state.rules as { streakAbandon?: string }).streakAbandon !== 'forfeit') return false;
    const isOwing = (seat: number, by: number): boolean =>
      !this.#laid.some((bet) => bet.bet === 'main' && bet.seat === seat && bet.by === by);
    for (const { seat, open } of this.#state.streaks) {
      for (const by of new Set(open.map((bet) => bet.by))) {
        if (!isOwing(seat, by)) continue;
        this.#tell(`forfeit ${seat} by ${by}`);
        this.#must({ type: 'forfeit-streak', seat, by, person: SUPERVISOR });
      }
    }
    return true;
  }

  /** Whoever must bet does. */
  #payDuty(): void {
    for (const { seat, open } of this.#state.streaks) {
      for (const { by } of open) {
        const hasMain = this.#laid.some((bet) => bet.bet === 'main' && bet.seat === seat && bet.by === by);
        if (!hasMain) return this.#place({ seat, by, bet: 'main', amount: this.#leastBet() });
      }
    }
  }

  #leastBet(): number {
    const { min, step } = this.#state.rules as { min: number; step: number };
    return Math.ceil(min / step) * step;
  }

  // ---- decisions ----

  #answer(): void {
    const pending = this.#state.round?.offers?.pending ?? [];
    const asked = pending[this.#random(Math.max(1, pending.length))];
    if (!asked || this.#refusedInARow > 5) return this.#passAll();
    const main = this.#laid.find((bet) => bet.seat === asked.seat && bet.by === asked.by)?.amount ?? 0;
    const { acts } = this.#audited;
    const rare = ['followDouble', 'followSplit', 'betPair', 'goToWar'].filter((act) => acts.includes(act));
    const usual = ['playOn', 'insure', 'declineInsurance', 'evenMoney', 'loseOriginalOnly'];
    const act = this.#pick([...usual, ...usual, 'playOn', 'playOn', 'playOn', ...rare, ...rare, ...acts]);
    const turn = this.#state.round?.turn;
    const hand = turn?.seat === asked.seat && !this.#chance(9) ? turn.hand : this.#handFor(asked.seat);
    this.#act(asked.seat, hand, asked.by, act, this.#insurance(main));
  }

  /** Mostly the first hand; where hands were split, any. */
  #handFor(seat: number): number {
    const hands = this.#state.round?.seats.find((played) => played.seat === seat)?.hands.length ?? 1;
    return this.#random(Math.max(1, hands));
  }

  #insurance(main: number): number {
    const half = Math.floor(main / 2);
    return this.#pick([main, half, half + 1, Math.max(1, half - 1), main + 1, Math.ceil(main * 0.75), 1]);
  }

  #passAll(): void {
    this.#refusedInARow = 0;
    for (const { seat, by } of [...(this.#state.round?.offers?.pending ?? [])]) {
      this.#act(seat, this.#handFor(seat), by, 'playOn');
    }
  }

  #decide(): void {
    const step = nextStep(this.#state);
    if (step.step !== 'await-decision') return;
    const { seat, hand } = step;
    const decider = this.#state.round?.seats.find((played) => played.seat === seat)?.decider ?? seat;
    if (this.#refusedInARow > 5) {
      this.#refusedInARow = 0;
      this.#act(seat, hand, decider, this.#audited.acts.includes('stand') ? 'stand' : this.#audited.acts[0]!);
      return;
    }
    const cards = this.#auditor.hands()[String(seat)]?.[hand] ?? [];
    const isSound = this.#audited.acts.includes('hit') && this.#random(3) > 0;
    this.#act(seat, hand, decider, isSound ? this.#soundAct(cards) : this.#pick(this.#audited.acts));
  }

  /**
   * What a careful player might do: it brings wins, splits and five cards that pure chance seldom
   * does.
   */
  #soundAct(cards: readonly string[]): string {
    if (cards.length === 5) return 'fiveCardHalf';
    if (cards.length === 2 && cards[0]!.charAt(0) === cards[1]!.charAt(0)) return 'split';
    const points = total(cards);
    if (points >= 17 || (points > 12 && this.#chance(2))) return 'stand';
    return cards.length === 2 && points >= 9 && points <= 11 ? 'double' : 'hit';
  }

  #act(seat: number, hand: number, by: number, act: string, value?: number): void {
    const wish = { seat, hand, by, do: act, ...(value === undefined ? {} : { amount: value }) };
    const decision = this.#input({
      type: 'decide',
      roundId: this.#roundId,
      seat,
      hand,
      by,
      act: act as Act,
      touchedAtMs: this.#atMs,
      ...(value === undefined ? {} : { amountMinor: amount(value) }),
    });
    const refusals = this.#auditor.act(wish);
    this.#tell(`${seat}.${hand} by ${by}: ${act}${value === undefined ? '' : ` ${value}`}`);
    this.#compareRefusal(act, decision, refusals);
    this.#refusedInARow = refusals.length > 0 ? this.#refusedInARow + 1 : 0;
  }

  #compareRefusal(what: string, decision: ReturnType<typeof advance>, refusals: Refusals): void {
    const code = decision.ok ? null : decision.code;
    const agrees = code === null ? refusals.length === 0 : refusals.includes(code);
    const isTerminals = code !== null && OF_THE_TERMINAL.has(code) && refusals.length > 0;
    if (!agrees && !isTerminals) {
      const told = decision.ok ? 'accepted' : `${decision.code} ${decision.detail ?? ''}`;
      throw new Disagreed(`${what}: refusal`, told, refusals.length === 0 ? 'accepted' : refusals);
    }
    this.#count(`${what} ${code ?? 'accepted'}`);
    if (code === null) return;
    this.refusals += 1;
    const last = this.story.length - 1;
    this.story[last] = `${this.story[last]} (${code})`;
  }

  // ---- what should not happen ----

  /**
   * Something out of order: an illegal wish at any time, a wrong card, a round that is cancelled.
   */
  #disturb(): void {
    switch (this.#random(12)) {
      case 0:
        if (this.#chance(6)) this.#void();
        break;
      case 1:
        if (this.#chance(3)) this.#swap();
        break;
      case 2:
        if (this.#chance(4)) this.#wrongCard();
        break;
      default:
        if (this.#state.phase === 'betting') return;
        this.#act(
          this.#anySeat(),
          this.#random(4) === 0 ? this.#random(4) : 0,
          this.#anySeat(),
          this.#pick(this.#audited.acts),
          this.#insurance(this.#laid[0]?.amount ?? 0),
        );
    }
  }

  /** Only once the bets are closed: before, they are just taken back. */
  #void(): void {
    if (this.#state.phase === 'betting') return;
    const decision = this.#input({ type: 'void-round', reason: 'supervisor', person: SUPERVISOR });
    this.#tell('void');
    this.#compareRefusal('void', decision, this.#auditor.deed({ do: 'voidRound' }));
  }

  #swap(): void {
    if (!this.#audited.rulebook.includes('blackjack')) return;
    const from = this.#anySeat();
    const to = this.#random(4) === 0 ? 0 : this.#anySeat();
    const place = to === 0 ? { place: 0 } : {};
    const hasCards = (seat: number): boolean => this.#auditor.hands()[String(seat)]?.[0]?.length !== 0;
    const hasAsked = this.#state.round?.seats.some(
      ({ hands }) => hands.length > 1 || hands.some(({ called }) => called),
    );
    if (!hasCards(from) || !hasCards(to) || hasAsked) return;
    const decision = this.#input({
      type: 'assign-card',
      fromSeat: from,
      toSeat: to,
      ...place,
      person: DEALER,
    });
    this.#tell(`swap ${from} ${to}`);
    this.#compareRefusal('swap', decision, this.#auditor.deed({ do: 'assignCard', from, to, ...place }));
  }

  /** A card leaves the shoe when none is due. */
  #wrongCard(): void {
    const { to } = this.#auditor.due();
    if (to !== 'decision' && to !== 'offers' && to !== 'over') return;
    // One such card at a time.
    if (this.#auditor.after().next) return;
    const card = this.#pack.next();
    if (card === '') return;
    this.#tell(`wrong ${card}`);
    this.#must({ type: 'draw-card', drawNo: null, card: parseCard(card), confidence: 255 });
    const shown = this.#random(2) === 0;
    // After the bank has stood, or (r.18) against the wish of a player.
    if (this.#random(2) === 0) {
      const decision = this.#input({ type: 'draw-wrong', shown });
      this.#compareRefusal('draw-wrong', decision, this.#auditor.deed({ do: 'drawWrong', shown, card }));
      if (decision.ok) return;
    }
    this.#must({ type: 'set-card-aside', person: DEALER });
    // A model that has no word for it does not count the card either.
    if (this.#auditor.deed({ do: 'setAside', card }).length > 0) this.#setAside += 1;
  }

  // ---- the result ----

  #checkRound(): void {
    const { round } = this.#state;
    compareRound(this.#state, this.#auditor, this.#audited.rulebook, this.#worthBefore);
    this.lines += round?.lines?.length ?? 0;
    if (round?.voided) this.voided += 1;
    for (const { bet, outcome } of round?.lines ?? []) this.#count(`${bet} ${outcome}`);
  }

  #closeRound(): void {
    const { voided } = this.#state.round!;
    const { shoe } = this.#state;
    const burned = this.#auditor.burned().length + this.#setAside;
    // To which round the burnt cards belong after one that was cancelled, a model may see as it
    // likes.
    if (!voided && !this.#wasVoided) same('burnt', shoe.burned - this.#burnedBefore, burned);
    this.#wasVoided = voided;
    this.#setAside = 0;
    this.#must({ type: 'close-round' });
    same('the shoe has ended', this.#state.phase === 'shoe', this.#auditor.after().shoeEnded ?? false);
    this.#burnedBefore = this.#state.shoe.burned;
    this.rounds += 1;
    if (this.#isDoubled) {
      same('the table replayed', this.#replayed, this.#state);
    }
    same('books', booksAgree(this.#state, this.#balances), []);
    for (const { creditMinor } of this.#state.seats)
      if (creditMinor < 0) throw new Disagreed('negative credit', creditMinor, null);
    if (this.rounds % 16 === 0) this.checkPlainData();
  }

  /** The state is plain data: it survives JSON. */
  checkPlainData(): void {
    const copy: unknown = JSON.parse(JSON.stringify(this.#state));
    if (!isDeepStrictEqual(copy, withoutAbsent(this.#state)))
      throw new Disagreed('plain data', this.#state, copy);
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

  #tell(what: string): void {
    this.story.push(what);
  }

  #count(what: string): void {
    this.reached[what] = (this.reached[what] ?? 0) + 1;
  }
}
