import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { playRandomly, RandomTable, Reached } from '../../../test/support/random-table.ts';
import {
  amount,
  DEALER,
  SUPERVISOR,
  TECHNICIAN,
  type TimelessInput,
} from '../../../test/support/table-kit.ts';
import { seatChoices } from '../../engine.ts';
import type { OptionValue } from '../../table/profile.ts';

const JACKPOT: OptionValue = {
  stake: 100,
  increment: '1/3',
  cards: 3,
  pays: [
    { combination: 'A3', share: '1' },
    { combination: 'T3', share: '1/3' },
    ...['2', '5', '8', '9', 'T', 'J', 'Q', 'K'].map((rank) => ({ combination: `${rank}2`, odds: 5 })),
  ],
};

const someOptions = fc.record(
  {
    decks: fc.constantFrom(4, 6),
    cardSource: fc.constantFrom('shoe', 'shoe', 'autoShuffler', 'continuousShuffler'),
    splitBy: fc.constantFrom('value', 'rank'),
    resplitAces: fc.boolean(),
    deckReplacement: fc.constantFrom('wholeDeck', 'damagedOnly'),
    jackpot: fc.constantFrom(JACKPOT, JACKPOT, null),
  },
  { noNullPrototype: true },
);

/** The same people with what only these rules know. */
class PortugueseTable extends RandomTable {
  override next(): TimelessInput {
    const isFollowing = this.state.round?.offers?.kind.startsWith('follow') && !this.state.hold;
    if (this.below(isFollowing ? 2 : 6) === 0) return this.ofTheseRules();
    return this.raise() ?? super.next();
  }

  /** Whoever may split or double mostly does. */
  raise(): TimelessInput | null {
    const { turn, seats } = this.state.round ?? {};
    const played = seats?.find(({ seat }) => seat === turn?.seat);
    if (!turn || !played || this.below(4) === 0) return null;
    const lawful = seatChoices(this.state, turn.seat).find(
      ({ act, allowed }) => allowed && (act === 'split' || act === 'double'),
    );
    return lawful ? this.decision(turn.seat, played.decider, turn.hand, lawful.act, null) : null;
  }

  ofTheseRules(): TimelessInput {
    const { state } = this;
    const { offers, turn } = state.round ?? {};
    const seat = 1 + this.below(7);
    const person = this.pick([DEALER, SUPERVISOR, SUPERVISOR, TECHNICIAN]);
    if (offers?.kind.startsWith('follow') && this.below(4) > 0) {
      const pending = this.pick(offers.pending);
      const act = offers.kind === 'follow-split' ? 'followSplit' : 'followDouble';
      return this.decision(pending.seat, pending.by, turn?.hand ?? 0, act, null);
    }
    if (state.phase === 'betting') {
      const by = this.below(2) === 0 ? 1 + this.below(7) : seat;
      const isChip = this.below(3) === 0;
      return {
        type: 'place-bet',
        roundId: this.roundId,
        seat,
        by,
        bet: isChip ? 'jackpot' : 'main',
        amountMinor: amount(isChip ? this.pick([100, 100, 100, 200]) : 1_000),
        touchedAtMs: this.atMs,
      };
    }
    if (state.phase === 'turns' && this.below(2) === 0) return this.drawNext();
    switch (this.below(10)) {
      case 0:
        return { type: 'raise-complaint', seat };
      case 1:
        return { type: 'close-complaint', complaintNo: 1 + this.below(9), upheld: true, person };
      case 2:
        return { type: 'lay-out-cards', person };
      case 3:
        if (state.toReport !== undefined) return { type: 'report-replacement', person };
        return { type: 'replace-cards', what: this.pick(['deck', 'card']), person };
      case 4:
        return { type: 'report-fault', device: 'shoe', fault: 'shoe-jam', place: 'shuffler' };
      case 5:
        return { type: 'open-shuffler', solved: this.below(2) === 0, person };
      case 6:
        return { type: 'load-packet', last: this.below(2) === 0, person };
      case 7:
        return { type: 'feed-shuffler' };
      case 8:
        return { type: 'open-betting', roundId: `p${state.roundNo + 1}` };
      default:
        return { type: 'replace-bank-second', person };
    }
  }
}

test('money, books, meters, jackpot and replay hold at every state of random play in Portugal', () => {
  const reached = new Reached();
  fc.assert(
    fc.property(fc.integer(), someOptions, fc.boolean(), (seed, options, shared) => {
      const table = new PortugueseTable(seed, 'portugal-blackjack', options, shared);
      playRandomly(table, 900);
      const meter = table.state.jackpots[0]?.meterMinor ?? 0;
      assert.ok(Number.isSafeInteger(meter) && meter >= 0, `meter ${meter}`);
      reached.add(table);
    }),
    { numRuns: 16, seed: 1364_2001 },
  );
  assert.ok(reached.rounds > 150, `${reached.rounds} rounds`);
  const events = [
    'bank-second-burned',
    'blackjacks-paid',
    'burned-misdrawn',
    'cards-laid-out',
    'cards-replaced',
    'complaint-closed',
    'complaint-raised',
    'cut-refused',
    'decks-checked',
    'jackpot-moved',
    'packet-loaded',
    'raise-followed',
    'replacement-reported',
    'decks-ordered',
    'shuffler-fed',
    'shuffler-jammed',
    'shuffler-opened',
  ];
  assert.deepEqual(reached.missing(events, ['jackpot jackpot', 'jackpot lose']), []);
});
