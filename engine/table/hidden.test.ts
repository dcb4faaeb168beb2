/** What people may know of a table whose terminal knows more. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { play, say } from '../../test/support/spoken-round.ts';
import { DEALER, TestTable } from '../../test/support/table-kit.ts';
import { type Card, cardName, parseCard } from '../core/cards.ts';
import { hiddenAt, isCardHidden, knownState, shownCards } from '../engine.ts';
import type { TableState } from './state.ts';

const HOLE = { dealing: 'holeCard' };
const BOTH = { ...HOLE, playerCardsDown: 'both' };
const ONE = { ...HOLE, playerCardsDown: 'one' };
const KEPT = { wrongDealerCard: 'validIfUnseen' };

const names = (cards: readonly (Card | null)[]): string =>
  cards.map((card) => (card === null ? '--' : cardName(card))).join(' ');
const known = ({ state }: TestTable): TableState => knownState(state) as TableState;

/** Seat by seat, then the bank. */
function shown({ state }: TestTable): string[] {
  const round = state.round!;
  return round.seats.flatMap(({ hands }) => hands.map((hand) => names(shownCards(state, round, hand))));
}
/** The same of the state that people may know. */
const laid = (table: TestTable): string[] => {
  const { seats, bank } = known(table).round!;
  return [...seats.flatMap(({ hands }) => hands.map(({ cards }) => names(cards))), names(bank)];
};

test('of a hand that lies face down as many cards are shown as lie open', () => {
  const script = 'TS 5S 9H 8D 6D 6C wait';
  const bets = { 1: 1_000, 2: 1_000 };
  const cases: readonly (readonly [object, readonly string[]])[] = [
    [{}, ['TS 8D', '5S 6D']],
    [HOLE, ['TS 8D', '5S 6D', '9H --']],
    [BOTH, ['-- --', '-- --', '9H --']],
    [ONE, ['TS --', '5S --', '9H --']],
  ];
  for (const [options, places] of cases) {
    const table = play(options === cases[0]![0] ? 'TS 5S 9H 8D 6D wait' : script, { ...options }, bets);
    assert.deepEqual(shown(table), places.slice(0, 2));
    if (places.length < 3) assert.equal(known(table), table.state, 'nothing is hidden');
    else assert.deepEqual(laid(table), places);
  }
});

test('what the shoe has given of each card does not tell what lies face down', () => {
  const table = play('TS 5S 9H 8D 6D 6C wait', BOTH, { 1: 1_000, 2: 1_000 });
  const counts = (state: TableState): string =>
    state.shoe.counts
      .flatMap((count, card) => (count > 0 ? [`${count} ${cardName(card as Card)}`] : []))
      .join(' ');
  const before = counts(TestTable.ready(BOTH).state);
  assert.equal(before, '', 'the burnt cards nobody has seen');
  assert.equal(counts(known(table)), '1 9H');
  assert.notEqual(counts(table.state), '1 9H');
});

test('a bank whose cards lie open shows them all beside a hand that lies face down', () => {
  const table = play('TS 9H 8D wait', { dealing: 'faceDown' });
  assert.deepEqual(laid(table), ['-- --', '9H']);
  say(table, '1:stand 3C');
  assert.deepEqual(laid(table), ['-- --', '9H 3C']);
  assert.deepEqual([...hiddenAt(table.state)], [1]);
});

test('once a round has its amounts no card of it is hidden, even one that nobody turned', () => {
  const table = play('TS 9H 6D 6C wait', BOTH);
  assert.deepEqual([[...hiddenAt(table.state)], isCardHidden(table.state)], [['bank', 1], true]);
  table.must({ type: 'void-round', reason: 'misdeal', person: DEALER });
  assert.equal(table.state.round!.bankHoleDown, true);
  assert.deepEqual([[...hiddenAt(table.state)], isCardHidden(table.state)], [[], false]);
});

test('a card is hidden that is about to be dealt face down; one that waits is hidden among the waiting alone', () => {
  const table = play('TS 9H 8D', HOLE);
  assert.deepEqual([[...hiddenAt(table.state)], isCardHidden(table.state)], [[], true]);
  const before = play('TS 9H', HOLE);
  assert.equal(isCardHidden(before.state), false, 'the next one is dealt open');
  assert.equal(isCardHidden(TestTable.ready(HOLE).state), false, 'no round');

  const waits = play('TS 9H 8D wait 1:stand TC', KEPT);
  assert.equal(waits.state.phase, 'settled');
  waits.draw('5C');
  assert.deepEqual([[...hiddenAt(waits.state)], isCardHidden(waits.state)], [['waiting'], false]);

  const turn = play('TS 9H 8D wait', {});
  turn.draw('5C');
  assert.equal(turn.state.hold?.code, 'unexpected-card');
  assert.deepEqual([[...hiddenAt(turn.state)], isCardHidden(turn.state)], [['waiting'], false]);
});

test('between rounds a card that waits is hidden where it is kept, and else is named; one not read hides nothing', () => {
  const idle = TestTable.ready(KEPT);
  idle.draw('5C');
  assert.equal(idle.state.hold?.code, 'unexpected-card');
  assert.deepEqual([...hiddenAt(idle.state)], []);
  const kept = play('TS 9H 8D wait 1:stand TC 5C', KEPT);
  kept.must({ type: 'draw-wrong', shown: false });
  kept.close();
  assert.deepEqual([...hiddenAt(kept.state)], ['waiting']);
  const { round, shoe } = known(kept);
  assert.deepEqual([round, shoe.waiting[0]?.card, shoe.waiting[0]?.confidence], [null, null, null]);
  assert.equal(shoe.waiting.length, 1);

  const gap = TestTable.ready();
  gap.bets({ 1: 1_000 });
  gap.must({ type: 'draw-card', drawNo: null, card: null, confidence: 0 });
  assert.deepEqual([...hiddenAt(gap.state)], []);
  gap.must({ type: 'draw-card', drawNo: null, card: parseCard('5C')!, confidence: 255 });
  assert.deepEqual([...hiddenAt(gap.state)], ['waiting']);
  assert.deepEqual(
    known(gap).shoe.waiting.map(({ card, confidence }) => [card, confidence]),
    [
      [null, 0],
      [null, null],
    ],
  );
});

test('what is noted ahead tells of its hand what lies open, and nothing is there that nobody noted', () => {
  const noted = (options: Readonly<Record<string, string>>): string[] | undefined => {
    const table = play('TS 5S 9H 8D 6D 6C wait', options, { 1: 1_000, 2: 1_000 });
    assert.equal('intents' in known(table).round!, false);
    table.must({
      type: 'note-intent',
      roundId: table.roundId,
      seat: 2,
      by: 2,
      hand: 0,
      act: 'hit',
      touchedAtMs: table.atMs,
    });
    return known(table).round!.intents?.map(({ cards }) => names(cards));
  };
  assert.deepEqual([noted(HOLE), noted(ONE), noted(BOTH)], [['5S 6D'], ['5S --'], ['-- --']]);
});

test('the cards that count for the jackpot stay to be seen while a card that waits is hidden', () => {
  const jackpot = { stake: 100, increment: '1/2', pays: [{ combination: 'A4s', share: '1' }] };
  const table = TestTable.ready({ jackpot }, { rulebook: 'portugal-blackjack' });
  table.open();
  table.bet(1, 1_000);
  table.bet(1, 100, 1, 'jackpot');
  table.must({ type: 'close-betting' });
  say(table, 'TS 7H 9D');
  table.must({ type: 'report-fault', device: 'shoe', fault: 'x', place: '' });
  table.draw('TC');
  assert.deepEqual([...hiddenAt(table.state)], ['waiting']);
  const [seat] = known(table).round!.seats;
  assert.ok(names(seat!.counted!).startsWith('TS'), names(seat!.counted!));
  assert.doesNotMatch(names(seat!.counted!), /--/);
  table.must({ type: 'clear-fault', device: 'shoe', fault: 'x' });
  table.must({ type: 'confirm-layout', person: DEALER });
});
