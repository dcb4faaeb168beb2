import assert from 'node:assert/strict';
import { test } from 'node:test';
import { play, say } from '../../test/support/spoken-round.ts';
import { profileWith, SUPERVISOR, TECHNICIAN, TestTable } from '../../test/support/table-kit.ts';
import { BANK_BLACKJACK, BANK_UNPLAYED } from '../games/blackjack/tally.ts';
import type { SettlementLine } from './settlement.ts';
import { type Tally, tallyByMoney } from './tallies.ts';

const last = (table: TestTable): Tally | undefined => table.state.tallies?.at(-1);
const settled = (table: TestTable): { readonly tally?: Tally; readonly talliesGone?: number } =>
  table.events.findLast(({ type }) => type === 'round-settled') as object;
const UNPLAYED = { dealerPlaysOut: 'ifNeeded' };

test('blackjack: the points of the bank, and the hands that won, were even and lost', () => {
  const table = play('TS TH 9C 9S KH 9D 7D wait', {}, { 1: 1_000, 2: 1_000, 3: 1_000 });
  say(table, '1:stand 2:stand 3:stand');
  assert.equal(table.state.tallies, undefined, 'not before the round is settled');
  say(table, 'TC');
  assert.deepEqual(last(table), [19, 1, 1, 1]);
  assert.deepEqual(settled(table).tally, [19, 1, 1, 1]);
  table.close();
  assert.deepEqual(table.state.tallies, [[19, 1, 1, 1]], 'it stays when the round is closed');
  table.checkReplay();
});

test('blackjack: hands of a split each count, a surrender is lost, a bust and a blackjack of the bank are named', () => {
  assert.deepEqual(last(play('8S 9H 8D wait 1:split TC 1.0:stand KC 1.1:stand 7D KH')), [26, 2, 0, 0]);
  assert.deepEqual(last(play('TS 9H 6D 1:surrender TC')), [19, 0, 0, 1]);
  assert.deepEqual(last(play('TS KH 7D wait 1:stand AC')), [BANK_BLACKJACK, 0, 0, 1]);
  assert.deepEqual(last(play('TS KH 7D wait 1:stand 5C 6D')), [21, 0, 0, 1], 'and not its 21');
});

test('a card of the bank that nobody has seen is in no tally', () => {
  const hole = play('TS 9S 6H TC wait 1:hit KD', { ...UNPLAYED, dealing: 'holeCard' });
  assert.equal(hole.state.round?.bankHoleDown, true);
  assert.deepEqual(settled(hole).tally, [BANK_UNPLAYED, 0, 0, 1]);
  const alone = play('TS 9H 6D wait 1:hit KD', UNPLAYED);
  assert.deepEqual(last(alone), [BANK_UNPLAYED, 0, 0, 1], 'nor is one that never came');
});

test('casino war: the card of the croupier, and the cards above it, tied and below it, whatever the challenge brings', () => {
  const table = TestTable.ready({}, { rulebook: 'macau-casino-war' });
  table.bets({ 1: 1_000, 2: 1_000, 3: 1_000 });
  table.draw('AS 9H 2C 9D');
  table.act(2, 'goToWar');
  table.draw('3S 4S 5S KS 3H 4H 5H 2D');
  assert.deepEqual(last(table), [9, 1, 1, 1], table.lines.join());
  table.checkReplay();
});

test('a round that is voided, and another game, leave none', () => {
  const table = play('TS 9H 8D');
  table.must({ type: 'void-round', reason: 'misdeal', person: SUPERVISOR });
  assert.equal(table.state.tallies, undefined);
  const baccarat = TestTable.ready({}, { rulebook: 'macau-baccarat' });
  baccarat.open();
  baccarat.bet(1, 1_000, 1, 'player');
  baccarat.must({ type: 'close-betting' });
  baccarat.draw('5S 4H KD 9C 7H 2H');
  assert.ok(baccarat.lines.length > 0 && baccarat.state.tallies === undefined);
});

test('twenty are kept, and an entry says that the oldest goes', () => {
  const table = play('TS 9H 8D wait 1:stand TC');
  assert.ok(!('talliesGone' in settled(table)));
  table.close();
  const many = Array.from({ length: 20 }, (_, i): Tally => [17, i, 0, 0]);
  for (const state of [table.state, table.replayed]) state.tallies = [...many];
  table.bets({ 1: 1_000 });
  say(table, 'TS 9H 8D wait 1:stand TC');
  assert.equal(settled(table).talliesGone, 1, table.lines.join());
  assert.deepEqual(table.state.tallies, [...many.slice(1), [19, 0, 0, 1]]);
  table.checkReplay();
});

test('another profile begins afresh', () => {
  const table = TestTable.ready({}, {}, 0);
  for (const state of [table.state, table.replayed]) state.tallies = [[17, 1, 0, 0]];
  table.must({ type: 'configure', profile: profileWith({ decks: 8 }), person: TECHNICIAN });
  assert.equal(table.state.tallies, undefined);
  table.checkReplay();
});

test('art. 15: a hand counts by all that it has brought, its prize included, and no bet beside it does', () => {
  const line = (bet: string, netMinor: number): SettlementLine =>
    ({ seat: 1, hand: 0, bet, netMinor }) as unknown as SettlementLine;
  for (const [tally, ...lines] of [
    [[0, 1, 0, 0], line('main', 100)],
    [[0, 0, 1, 0], line('main', -100), line('specialPrize', 100)],
    [[0, 0, 0, 1], line('main', -100), line('anyPair', 1_100)],
  ] as const)
    assert.deepEqual(tallyByMoney(0, lines), tally);
});
