/**
 * A table that is played for a night: the dealer, the players and their banknotes, by the commands
 * of the big table and the hands on simulated devices. What stands still is measured.
 */
import assert from 'node:assert/strict';
import { stakedMinor } from '../../engine/accounting/self-audit.ts';
import type { Card } from '../../engine/core/cards.ts';
import {
  bettingChoices,
  dealerOptions,
  nextStep,
  seatChoices,
  type TableState,
} from '../../engine/engine.ts';
import type { TableProfile } from '../../engine/table/profile.ts';
import type { Choice, DealerStep } from '../../engine/table/steps.ts';
import type { RackCommand } from '../../hardware/rack/rack-commands.ts';
import type { Command } from '../../wire/commands.ts';
import type { Credential } from '../../wire/fields.ts';
import type { TableView } from '../../wire/view.ts';
import { seeded } from '../centre/seeded.ts';
import { CREDENTIAL, type TestTerminal } from '../host/test-terminal.ts';
import type { TestDisplay } from '../support/display.ts';
import type { NightCentre } from './centre.ts';
import type { NightClock } from './clock.ts';

const ID_OF: Readonly<Record<string, string>> = {
  [CREDENTIAL.dealer.person]: 'D-01',
  [CREDENTIAL.dealer2.person]: 'D-02',
  [CREDENTIAL.attendant.person]: 'A-01',
  [CREDENTIAL.attendant2.person]: 'A-02',
  [CREDENTIAL.supervisor.person]: 'S-01',
  [CREDENTIAL.technician.person]: 'T-01',
  [CREDENTIAL.auditor.person]: 'U-01',
};
const credentialsOf = (command: Command): Credential[] =>
  (['credential', 'secondCredential'] as const).flatMap(
    (member) => (command as { readonly [name in typeof member]?: Credential })[member] ?? [],
  );

/** Of an acceptor that may be fed. */
export const OPEN = 0x11;
const NOTE_MINOR = 100_000;
/** In these somebody other than dealer and players is waited for. */
const STANDS: ReadonlySet<DealerStep['step']> = new Set<DealerStep['step']>([
  'sign-in',
  'in-service',
  'locked-by-centre',
  'call-supervisor',
  'resolve-card',
  'confirm-card',
  'confirm-layout',
  'close-complaint',
]);
const DRAWS: ReadonlySet<DealerStep['step']> = new Set<DealerStep['step']>([
  'burn',
  'draw-for-seat',
  'draw-for-bank',
  'draw-for-player-side',
]);

/** What the table is at, as far as an incident asks. */
export type When = 'idle' | 'betting' | 'cards' | 'no-round' | 'any';

export class NightTable {
  readonly clock: NightClock;
  readonly kit: TestTerminal;
  readonly centre: NightCentre;
  readonly chance: () => number;
  readonly profile: TableProfile;
  /** What the next start finds. */
  readonly file: object;
  dealer: Credential = CREDENTIAL.dealer;
  /** Seats whose player lays nothing and feeds nothing now. */
  readonly kept = new Set<number>();
  /** What the script has done, as the ledger must have it: text -> how often. */
  readonly done = new Map<string, number>();
  /** Notes that were taken out of the boxes and counted. */
  countedMinor = 0;
  /** The centre's people serve from then on, who have no cards. */
  hasRoster = false;
  /** Somebody is not on it for the moment. */
  isRosterShort = false;
  /** A card of this shoe was named that it was not: sooner or later there is one too many. */
  isMisnamed = false;
  /** How long the table stood for that. */
  oneTooManyMs = 0;
  /** How long play has stood still. */
  #stoodMs = 0;
  #lookedMs: number;
  #stands = true;
  readonly #stored = new Map<string, number>();
  readonly #failed = new Map<string, number>();
  readonly #seatDisplays = new Map<number, TestDisplay>();

  constructor(o: {
    readonly clock: NightClock;
    readonly kit: TestTerminal;
    readonly centre: NightCentre;
    readonly seed: number;
    readonly profile: TableProfile;
    readonly file: object;
  }) {
    this.clock = o.clock;
    this.kit = o.kit;
    this.centre = o.centre;
    this.profile = o.profile;
    this.file = o.file;
    this.chance = seeded(o.seed);
    this.#lookedMs = o.clock.wallMs;
    this.heed();
  }

  /** Of a life that has just begun. */
  heed(): void {
    this.#seatDisplays.clear();
    this.kit.host.terminal.onCommit(({ entries }) => {
      this.look();
      for (const { kind, body } of entries) {
        const name = kind === 'slip-ended' ? `${kind} ${(body as { slip: string }).slip}` : kind;
        this.#stored.set(name, this.stored(name) + 1);
      }
    });
    this.look();
  }

  // ---- looking ----

  get state(): TableState {
    return this.kit.host.terminal.state;
  }

  get step(): DealerStep {
    return nextStep(this.state);
  }

  get standing(): boolean {
    return this.state.hold !== null || STANDS.has(this.step.step);
  }

  get stoodMs(): number {
    this.look();
    return this.#stoodMs;
  }

  look(): void {
    const now = this.clock.wallMs;
    if (this.#stands) this.#stoodMs += now - this.#lookedMs;
    this.#lookedMs = now;
    this.#stands = this.standing;
  }

  /** Entries of this kind so far. */
  stored(kind: string): number {
    return this.#stored.get(kind) ?? 0;
  }

  /** The host goes: until the next life plays it stands. */
  goes(): void {
    this.look();
    this.#stands = true;
  }

  is(when: When): boolean {
    const { phase, round, hold } = this.state;
    const { step } = this.step;
    switch (when) {
      case 'any':
        return !this.standing;
      case 'no-round':
        return round === null;
      case 'idle':
        return step === 'open-betting';
      case 'betting':
        return phase === 'betting' && hold === null && (round?.bets.length ?? 0) > 0 && this.leftMs > 8_000;
      case 'cards':
        return (
          hold === null &&
          (round?.cardCount ?? 0) > 1 &&
          (step === 'draw-for-seat' || step === 'await-decision' || step === 'draw-for-bank')
        );
    }
  }

  get leftMs(): number {
    return (this.state.deadline?.atMs ?? 0) - this.clock.wallMs;
  }

  hasOption(option: string): boolean {
    return dealerOptions(this.state).some((each) => each.option === option);
  }

  stands(fault: string): boolean {
    return this.state.faults.some((each) => each.fault === fault);
  }

  /** Everything of a seat's player: credit, stakes on the table, what waits to be paid. */
  worth(seat: number): number {
    const { creditMinor, cashOut, wins = [] } = this.state.seats[seat - 1]!;
    return [cashOut, ...wins].reduce(
      (sum, each) => sum + (each?.amountMinor ?? 0),
      creditMinor + stakedMinor(this.state, seat),
    );
  }

  // ---- chance ----

  below(limit: number): number {
    return Math.floor(this.chance() * limit);
  }
  pick<T>(of: readonly T[]): T {
    return of[this.below(of.length)]!;
  }
  between(least: number, most: number): number {
    return least + this.below(most - least);
  }
  /** In another order. */
  shuffled<T>(of: readonly T[]): T[] {
    const left = [...of];
    return of.map(() => left.splice(this.below(left.length), 1)[0]!);
  }

  // ---- hands ----

  did(what: string, times = 1): void {
    this.done.set(what, (this.done.get(what) ?? 0) + times);
  }

  async do(command: Command, display?: TestDisplay): Promise<void> {
    await this.clock.during(this.kit.do(command, display));
    for (const credential of credentialsOf(command)) this.#succeeds(credential);
  }

  /** Wrong ones of this person in a row, as far as nobody has to wait for them yet. */
  failed(id: string): number {
    return this.#failed.get(id) ?? 0;
  }
  fails(id: string): void {
    this.#failed.set(id, this.failed(id) + 1);
  }
  #succeeds({ person }: Credential): void {
    const id = ID_OF[person]!;
    if (this.#failed.delete(id)) this.did(`regained ${id}`);
  }

  /** This person’s PIN is right, and they may not; not so often that they would have to wait. */
  async refusedRole(command: Command, id: string): Promise<void> {
    if (this.failed(id) >= 2) return;
    await this.refused(command, 'person');
    const all = credentialsOf(command);
    for (const credential of all) {
      if (ID_OF[credential.person] !== id) this.#succeeds(credential);
      else {
        this.did(`refused role ${id}`);
        this.fails(id);
      }
    }
  }

  async refused(command: Command, code: string, display?: TestDisplay): Promise<void> {
    const answer = await this.clock.during(this.kit.send(command, display));
    assert.equal(answer.status === 'rejected' && answer.code, code, JSON.stringify({ command, answer }));
  }

  async hands(command: RackCommand): Promise<void> {
    await this.kit.hands(command);
  }

  device(device: string, fault: string, more: { readonly code?: number } = {}): Promise<void> {
    return this.hands({ do: 'fault', device, fault, ...more } as RackCommand);
  }

  until(what: string, holds: () => boolean, limitMs?: number): Promise<number> {
    return this.clock.until(what, holds, limitMs);
  }

  /** A fault begins, and the table has heard of it. */
  async fault(device: string, fault: string, limitMs?: number): Promise<number> {
    const tookMs = await this.until(`${device} ${fault}`, () => this.stands(fault), limitMs);
    this.did(`fault ${device} ${fault}`);
    return tookMs;
  }
  over(fault: string, limitMs?: number): Promise<number> {
    return this.until(`the end of ${fault}`, () => !this.stands(fault), limitMs);
  }

  /** A display of this seat's own, which stays. */
  async seatDisplay(seat: number): Promise<TestDisplay> {
    const known = this.#seatDisplays.get(seat);
    if (known !== undefined && !known.gone) return known;
    const display = await this.clock.during(this.kit.display(`seat:${seat}`), true);
    this.#seatDisplays.set(seat, display);
    return display;
  }

  async confirmLayout(): Promise<void> {
    if (this.step.step === 'confirm-layout') await this.do({ type: 'confirm-layout' });
    assert.equal(this.state.hold, null, JSON.stringify(this.state.hold));
  }

  /** As the table shows it; nobody looks at it all the time. */
  async shown(what: string, holds: (view: TableView) => boolean, limitMs: number): Promise<void> {
    const fromMs = this.clock.wallMs;
    while (!holds(this.kit.view)) {
      assert.ok(this.clock.wallMs - fromMs < limitMs, `never shown: ${what}`);
      await this.clock.pass(100);
    }
  }

  /** The centre has all there is. */
  async uploaded(limitMs = 60_000): Promise<void> {
    const isWhole = (): boolean => this.centre.head.seq === this.kit.headSeq;
    await this.until('all is at the centre', isWhole, limitMs);
  }

  /** Those that no round can be played without. */
  async devicesThere(): Promise<void> {
    const isThere = ({ id, state }: { id: string; state: string }): boolean =>
      (id !== 'shoe' && !id.startsWith('acceptor-')) || !['offline', 'initializing'].includes(state);
    await this.shown('acceptors and shoe', ({ devices }) => devices.every(isThere), 20_000);
  }

  acceptorIsFree(seat: number): boolean {
    return (
      this.kit.rack.acceptor(seat).status() === OPEN &&
      !this.state.notes.some((note) => note.acceptor === seat)
    );
  }

  /** False: it takes no note now. */
  async fund(seat: number, valueMinor = NOTE_MINOR): Promise<boolean> {
    if (!this.acceptorIsFree(seat)) return false;
    const before = this.worth(seat);
    await this.hands({ do: 'insert-note', acceptor: seat, valueMinor, currency: 'MOP' });
    await this.until(`credit of seat ${seat}`, () => this.worth(seat) === before + valueMinor, 20_000);
    await this.until('the unit has its answer', () => this.acceptorIsFree(seat), 20_000);
    return true;
  }

  async payOut(seat: number): Promise<void> {
    const own = this.state.seats[seat - 1]!;
    for (const waiting of [own.cashOut, ...(own.wins ?? [])]) {
      if (waiting == null) continue;
      const { requestId, amountMinor } = waiting;
      const two = amountMinor > this.profile.twoPersonHandPayMinor;
      await this.do({
        type: 'confirm-hand-pay',
        seat,
        requestId,
        credential: CREDENTIAL.attendant,
        ...(two ? { secondCredential: CREDENTIAL.attendant2 } : {}),
      });
      this.did(`hand-paid ${seat} ${amountMinor}`);
    }
  }

  /** All of the seat's credit is asked for; false = there is none. */
  async cashOut(seat: number): Promise<boolean> {
    if (this.state.seats[seat - 1]!.creditMinor === 0) return false;
    await this.do({ type: 'request-cash-out', seat });
    this.did(`cash-out ${seat}`);
    return true;
  }

  // ---- play ----

  async draw(): Promise<void> {
    await this.hands({ do: 'draw-card' });
    await this.shoeRead();
  }
  async shoeRead(): Promise<void> {
    await this.until('the shoe is read', () => {
      const { ackedSeq, lastSeq } = this.kit.rack.shoe.journal();
      return ackedSeq === lastSeq;
    });
  }

  /** The dealer's next step, and what players do meanwhile. */
  async play(): Promise<void> {
    const { clock, state, step } = this;
    if (DRAWS.has(step.step)) {
      await clock.skip(this.between(1_500, 3_000));
      return await this.draw();
    }
    switch (step.step) {
      case 'sign-in':
        return await this.signIn(this.dealer);
      case 'check-decks':
      case 'feed-shuffler':
      case 'close-round':
        await clock.skip(this.between(5_000, 9_000));
        return await this.do({ type: step.step });
      case 'order-decks':
        return await this.do({ type: 'order-decks', regular: true });
      case 'count-cards':
        return await this.do({ type: 'count-cards', ...state.shoe.toCount! });
      case 'load-shoe':
        await clock.skip(60_000);
        await this.hands({ do: 'load-shoe', decks: state.rules!.decks, seed: this.below(1_000_000) });
        await this.until('the load is taken', () => this.step.step !== 'load-shoe');
        this.isMisnamed = false;
        return await this.shoeRead();
      case 'load-packet':
        return await this.do({
          type: 'load-packet',
          last: step.done + 1 >= step.least,
          credential: CREDENTIAL.supervisor,
        });
      case 'cut-shoe':
        if (step.seat === 0)
          return await this.do({ type: 'cut-shoe', seat: null, credential: CREDENTIAL.supervisor });
        return await this.do({ type: 'cut-shoe', seat: step.seat });
      case 'place-end-card':
        return await this.do({
          type: 'place-end-card',
          cardsBehind: Math.max(step.minBehind, Math.min(60, step.maxBehind)),
        });
      case 'open-betting':
        return await this.#open();
      case 'close-betting':
        return await this.#close();
      case 'await-offers':
      case 'await-decision':
        return await this.#decide(step.step === 'await-offers' ? [...step.seats] : [step.by ?? step.seat]);
      case 'read-results':
        return await clock.skip(Math.max(1, step.untilMs - clock.wallMs + 1));
      case 'pay-prize':
        return await this.payOut(step.seat);
      case 'resolve-card':
        if (this.isMisnamed && state.hold?.code === 'doubtful-card') return await this.oneTooMany();
        throw new Error(`a card to be resolved: ${JSON.stringify(state.hold)}`);
      default:
        throw new Error(
          `nobody knows why the table stands: ${JSON.stringify({ step, hold: state.hold, faults: state.faults })}`,
        );
    }
  }

  /** No card can come more often than there are packs. */
  canCome(card: Card): boolean {
    const { counts, decks } = this.state.shoe;
    return counts[card]! < decks;
  }

  /** A card that it could be taken for. */
  otherThan(card: Card): Card {
    const others = Array.from({ length: 51 }, (_, i) => ((card + 1 + i) % 52) as Card);
    return others.find((other) => this.canCome(other))!;
  }

  /** Nobody can name a card that cannot come: the round is void. */
  async oneTooMany(): Promise<void> {
    const { sinceMs } = this.state.hold!;
    await this.clock.skip(10_000);
    await this.do({ type: 'void-round', reason: 'misdeal', credential: CREDENTIAL.supervisor });
    this.did('void misdeal');
    this.oneTooManyMs += this.clock.wallMs - sinceMs;
  }

  async signIn(credential: Credential): Promise<void> {
    await this.do({ type: 'sign-in-dealer', credential });
    this.dealer = credential;
    this.did(`dealer ${this.state.dealer!.id}`);
  }

  async #open(): Promise<void> {
    for (const { seat, wins = [] } of this.state.seats)
      if (wins.length > 0 && this.mayPay) await this.payOut(seat);
    await this.clock.skip(this.between(4_000, 9_000));
    if (this.step.step !== 'open-betting') return;
    await this.do({ type: 'open-betting' });
    const seats = this.shuffled(this.state.seats.map(({ seat }) => seat));
    const most = this.below(16) === 0 ? 7 : this.between(1, 3);
    let playing = 0;
    for (const seat of seats) {
      if (playing >= most || this.state.phase !== 'betting' || this.leftMs < 3_000) return;
      if (this.kept.has(seat)) continue;
      if (this.state.seats[seat - 1]!.creditMinor < 3 * this.profile.chipsMinor[0]!) await this.fund(seat);
      await this.clock.skip(this.between(400, 2_500));
      if (await this.bet(seat)) playing += 1;
    }
  }

  /** Money goes out: no door and no centre is in the way. */
  get mayPay(): boolean {
    return !this.state.faults.some(({ stops }) => stops === 'cash-outs' || stops === 'everything');
  }

  /** A chip of the seat's own, where one may be laid. */
  async bet(seat: number): Promise<boolean> {
    const { state } = this;
    if (state.phase !== 'betting' || state.hold !== null) return false;
    // Whoever has open streak bets must come back in the next round; here people come and go.
    const open = bettingChoices(state, seat).filter(
      ({ act, bet, allowed }) => act === 'place-bet' && allowed && !bet!.startsWith('streak'),
    );
    if (open.length === 0) return false;
    const own = state.round?.bets.find((bet) => bet.seat === seat && bet.by === seat);
    const main =
      open.find(({ bet }) => bet === (own?.bet ?? 'main')) ?? open[this.below(Math.min(2, open.length))]!;
    const choice = own !== undefined && this.below(6) === 0 ? this.pick(open) : main;
    const chip = this.profile.chipsMinor[this.below(5) === 0 ? 1 : 0]!;
    await this.do(this.betOf(seat, choice.bet!, Math.min(chip, choice.amountMinor ?? chip)));
    return true;
  }

  betOf(seat: number, bet: string, amountMinor: number): Extract<Command, { type: 'place-bet' }> {
    const touchedAtMs = this.clock.wallMs;
    return {
      type: 'place-bet',
      roundId: this.state.round?.id ?? 'none',
      seat,
      bet,
      amountMinor,
      touchedAtMs,
    };
  }

  async #close(): Promise<void> {
    const owed = this.step.step === 'close-betting' ? this.step.owedBySeat : undefined;
    if (owed !== undefined && !(await this.bet(owed))) throw new Error(`seat ${owed} owes a bet`);
    if (this.below(3) > 0 && (this.state.round?.bets.length ?? 0) > 0) {
      await this.clock.skip(Math.max(1, this.leftMs - this.between(500, 6_000)));
      if (this.step.step === 'close-betting') await this.do({ type: 'close-betting' });
    } else await this.clock.skip(Math.max(1, this.leftMs + 1_000));
  }

  async #decide(by: readonly number[]): Promise<void> {
    // Some say nothing: what they get is the lawful default.
    if (this.below(8) === 0 || this.leftMs < 1_000)
      return await this.clock.skip(Math.max(1, this.leftMs + 1_000));
    await this.clock.skip(Math.min(this.between(1_000, 4_000), Math.max(1, this.leftMs - 500)));
    const choices = by
      .map((seat) => seatChoices(this.state, seat).filter(({ allowed }) => allowed))
      .find((each) => each.length > 0);
    if (choices === undefined) return await this.clock.skip(Math.max(1, this.leftMs + 1_000));
    const choice = this.#choose(choices);
    await this.do({
      type: 'decide',
      roundId: this.state.round!.id,
      seat: choice.seat,
      by: bettorOf(this.state, by, choice)!,
      hand: choice.hand,
      act: choice.act,
      ...(choice.minMinor === null ? {} : { amountMinor: choice.minMinor }),
      touchedAtMs: this.clock.wallMs,
    });
  }

  #choose(choices: readonly Choice[]): Choice {
    const stand = choices.find(({ act }) => act === 'stand');
    return stand !== undefined && this.below(5) < 3 ? stand : this.pick(choices);
  }
}

/** Whose choice it is. */
const bettorOf = (
  state: TableState,
  by: readonly number[],
  { seat, hand, act }: Choice,
): number | undefined =>
  by.find((each) =>
    seatChoices(state, each).some(
      (own) => own.allowed && own.seat === seat && own.hand === hand && own.act === act,
    ),
  );
