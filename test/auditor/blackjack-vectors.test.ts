import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { AuditedAct, AuditedDeed } from '../../reader/auditor.ts';
import { BlackjackAuditor } from '../../reader/blackjack.ts';
import { type BlackjackRulebook, completed, PORTUGAL } from '../../reader/blackjack-options.ts';

interface Rejected {
  readonly at: number;
  readonly code: string;
}

interface Vector {
  readonly id: string;
  readonly rulebook: string;
  readonly title: string;
  readonly options: Record<string, unknown>;
  readonly rounds: readonly Round[];
}

type VectorAct = AuditedAct | ({ readonly dealer: string } & Omit<AuditedDeed, 'do'>);

interface Round {
  readonly bets: readonly { seat: number; by: number; bet: string; amount: number }[];
  readonly seated?: readonly number[];
  readonly newShoe?: { readonly refuse?: readonly number[]; readonly restart?: boolean };
  readonly shoe: readonly string[];
  readonly acts: readonly VectorAct[];
  readonly expect: {
    readonly outcomes: readonly { seat: number; by: number; bet: string; hand?: number; net: number }[];
    readonly dealer?: readonly string[];
    readonly hands?: Readonly<Record<string, readonly (readonly string[])[]>>;
    readonly rejects?: readonly Rejected[];
    readonly rejectBets?: readonly Rejected[];
    readonly rejectDeal?: { readonly seat: number; readonly code: string };
    readonly burned?: readonly string[];
    readonly burnedCount?: number;
    readonly after?: Readonly<Record<string, unknown>>;
  };
}

const FOLDER = new URL('../data/vectors/', import.meta.url);
const read = (name: string): { defaults?: Record<string, object>; vectors: Vector[] } =>
  JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'));

/** Acts that answer an offer; every other one says that play goes on. */
const ANSWERS = new Set(['insure', 'declineInsurance', 'evenMoney', 'surrender', 'loseOriginalOnly']);
const FOLLOWS = new Set(['followDouble', 'followSplit']);
/** What the dealer does after the bank has stood. */
const AFTER_THE_BANK = new Set(['drawWrong', 'overdraw']);
/** Deeds that take a card out of the shoe. */
const TAKES_CARD = new Set(['drawWrong', 'overdraw', 'misdrawUnseen', 'misdrawSeen']);

/**
 * Plays the rounds of a vector: cards go where they are due, decisions that are not listed are
 * stand or decline.
 */
class VectorPlayer {
  readonly #auditor: BlackjackAuditor;
  readonly #isPortugal: boolean;
  #shoe: string[] = [];

  constructor(auditor: BlackjackAuditor, isPortugal: boolean) {
    this.#auditor = auditor;
    this.#isPortugal = isPortugal;
  }

  play(round: Round, isNewShoe: boolean): void {
    const { expect } = round;
    const auditor = this.#auditor;
    const seated = round.seated ?? [...new Set(round.bets.map(({ by }) => by))];
    this.#shoe = [...round.shoe];
    if (isNewShoe) auditor.newShoe({ seated, ...round.newShoe });
    auditor.openRound(seated);
    const rejectBets = round.bets.flatMap((bet, at) => named(at, auditor.bet(bet)));
    assert.deepEqual(rejectBets, expect.rejectBets ?? [], 'bets refused');
    const rejectDeal = auditor.closeBets();
    assert.deepEqual(rejectDeal, expect.rejectDeal ?? null, 'closing of the bets');
    if (!rejectDeal) this.#playCards(round);
    this.#check(round);
  }

  #playCards(round: Round): void {
    const auditor = this.#auditor;
    const rejects = round.acts.flatMap((act, at) => {
      this.#draw();
      if ('dealer' in act) {
        const { dealer, ...deed } = act;
        if (AFTER_THE_BANK.has(dealer)) this.#finish();
        const card = TAKES_CARD.has(dealer) ? this.#shoe.shift() : undefined;
        const done = auditor.deed({ do: dealer, ...deed, ...(card === undefined ? {} : { card }) });
        assert.deepEqual(done, [], dealer);
        return [];
      }
      this.#comeTo(act);
      return named(at, auditor.act(act));
    });
    this.#finish();
    assert.deepEqual(rejects, round.expect.rejects ?? [], 'acts refused');
  }

  /** Takes cards out of the shoe as long as one is due. */
  #draw(): void {
    for (;;) {
      const { to } = this.#auditor.due();
      if (to !== 'burn' && to !== 'seat' && to !== 'bank') return;
      const card = this.#shoe.shift();
      if (card === 'CUT') this.#auditor.endCard();
      else if (card === undefined) throw new Error('a card is due and the shoe is empty');
      else this.#auditor.card(card.replace('!', ''), card.startsWith('!'));
    }
  }

  /** Everything before the act that is not listed. */
  #comeTo(act: AuditedAct): void {
    for (;;) {
      this.#draw();
      const due = this.#auditor.due();
      if (due.to === 'offers') {
        if (ANSWERS.has(act.do) && this.#isOpen(act)) return;
        if (FOLLOWS.has(act.do)) return;
        this.#pass(due.seats);
      } else if (due.to === 'decision' && !this.#isOffTurn(act)) {
        const isLater = act.seat > due.seat || (act.seat === due.seat && act.hand > due.hand);
        if (!isLater) return;
        this.#answerByDefault(due.seat, due.hand);
      } else return;
    }
  }

  /** The answer belongs to the offers that are open, or to none at all: to be refused now. */
  #isOpen(act: AuditedAct): boolean {
    if (act.do !== 'surrender') return true;
    // In procedure 3 a surrender waits until the bank has looked.
    return !this.#auditor.isBeforeLook();
  }

  #isOffTurn = (act: AuditedAct): boolean => ANSWERS.has(act.do) && act.do !== 'surrender';

  #pass(seats: readonly number[]): void {
    for (const seat of seats)
      for (let by = 1; by <= 7; by++) this.#auditor.act({ seat, hand: 0, by, do: 'playOn' });
  }

  #answerByDefault(seat: number, hand: number): void {
    const refused = this.#auditor.act({ seat, hand, do: 'stand' });
    if (refused.length === 0) return;
    // r.18: whoever does not answer is given cards until they may stand.
    assert.ok(this.#isPortugal && refused[0] === 'must-draw', String(refused));
    assert.deepEqual(this.#auditor.act({ seat, hand, do: 'hit' }), []);
  }

  #finish(): void {
    for (;;) {
      this.#draw();
      const due = this.#auditor.due();
      if (due.to === 'offers') this.#pass(due.seats);
      else if (due.to === 'decision') this.#answerByDefault(due.seat, due.hand);
      else return;
    }
  }

  #check({ expect }: Round): void {
    const auditor = this.#auditor;
    const lines = (auditor.lines() ?? []).map(({ hand, ...line }) =>
      hand === null ? line : { ...line, hand },
    );
    assert.deepEqual(sorted(lines), sorted(expect.outcomes), 'outcomes');
    if (expect.dealer) assert.deepEqual(auditor.bank(), expect.dealer, 'cards of the bank');
    for (const [seat, hands] of Object.entries(expect.hands ?? {}))
      assert.deepEqual(auditor.hands()[seat], hands, `cards of seat ${seat}`);
    if (expect.burned) assert.deepEqual(auditor.burned(), expect.burned, 'burnt');
    if (expect.burnedCount !== undefined) assert.equal(auditor.burned().length, expect.burnedCount);
    const { streak, next, ...after } = expect.after ?? {};
    const found = auditor.after();
    for (const [seat, button] of Object.entries(streak ?? {}))
      assert.equal(found.streak?.[seat], button, `streak button of seat ${seat}`);
    for (const [name, value] of Object.entries(after))
      assert.equal(found[name as keyof typeof found], value, name);
    // Either the card that was kept, or what nobody has drawn.
    const left = found.next ? [found.next, ...this.#shoe] : this.#shoe;
    assert.deepEqual(left, next === undefined ? [] : [next], 'cards left over');
  }
}

const named = (at: number, refusals: readonly string[]): Rejected[] =>
  refusals[0] === undefined ? [] : [{ at, code: refusals[0] }];

const sorted = (lines: readonly object[]): string[] =>
  lines.map((line) => JSON.stringify(Object.entries(line).sort())).sort();

for (const name of ['vectors-macau-blackjack.json', 'vectors-portugal-war-baccarat.json']) {
  const { defaults = {}, vectors } = read(name);
  for (const { id, rulebook, title, options, rounds } of vectors) {
    if (!rulebook.endsWith('blackjack') && !rulebook.includes('blackjack-')) continue;
    test(`${id}: ${title}`, () => {
      const isPortugal = rulebook === 'portugal-blackjack';
      const base = isPortugal ? PORTUGAL : defaults[rulebook];
      const given = { ...base, ...options };
      const auditor = new BlackjackAuditor(
        rulebook as BlackjackRulebook,
        completed(rulebook as BlackjackRulebook, given) as unknown as Record<string, unknown>,
      );
      const player = new VectorPlayer(auditor, isPortugal);
      for (const [at, round] of rounds.entries()) {
        // A pack is made ready where the vector says so, or names the cards burnt at its start.
        const isNewShoe = round.newShoe !== undefined || (at === 0 && 'burnAtStart' in options);
        player.play(round, isNewShoe);
      }
    });
  }
}
