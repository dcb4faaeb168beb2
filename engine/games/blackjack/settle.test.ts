/** What a bank's blackjack takes, and who is paid on a hand, where bettors and hands differ. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { say } from '../../../test/support/spoken-round.ts';
import { TestTable } from '../../../test/support/table-kit.ts';
import type { OptionValue } from '../../table/profile.ts';

type Options = Readonly<Record<string, OptionValue>>;

/** Seat 1 has 1,000, and seat 2 behind it 1,000 of the 10,000 it has left. */
function two(options: Options, behind: number): TestTable {
  const t = TestTable.ready(options, {}, 0);
  t.insert(1, 50_000);
  t.insert(2, 10_000);
  t.open();
  t.bet(1, behind);
  t.bet(1, behind, 2);
  t.must({ type: 'close-betting' });
  return t;
}

test('art. 16.6, 7.2 where busts are lost the original bet is lost with the first hand that is not', () => {
  const played = (bustedVsDealerBlackjack: string): TestTable => {
    const t = TestTable.ready({ bustedVsDealerBlackjack });
    t.bets({ 1: 1_000 });
    say(t, '8S AH 8D wait 1:split TC 1:hit 9C KC');
    t.act(1, 'stand', { hand: 1 });
    t.draw('TD');
    return t;
  };
  assert.deepEqual(played('bustsLost').lines, [
    '1.0 main bust -1000 art.7.2',
    '1.1 main original-only -1000 art.16.6',
  ]);
  const original = played('originalOnly');
  assert.deepEqual(original.lines, ['1.0 main original-only -1000 art.16.6', '1.1 main returned 0 art.16.6']);
  assert.ok(!('baseMinor' in original.state.round!.lines![0]!), 'reckoned on the stake that lies');
});

test('art. 17.3 who has not followed a double loses what they have laid, and no original of it', () => {
  const t = two({ behindFollows: false, betsBehind: 'nearest' }, 1_000);
  say(t, '5S AH 4D wait 1:double 8C TD');
  assert.deepEqual(t.lines, ['1.0 main original-only -1000 art.17.3', '1<2.0 main lose -1000 art.12.2']);
});

test('art. 15 the prize is of the bets on the hand that has won it', () => {
  const t = two({ behindFollows: true, betsBehind: 'nearest', specialPrizeBase: 'original' }, 6_000);
  say(t, '7S 9H 7D wait 1:split TC 1:stand 7C');
  t.act(1, 'hit', { hand: 1 });
  t.draw('7H');
  assert.deepEqual(
    t.state.round!.prizes.map(({ by, netMinor }) => [by, netMinor]),
    [[1, 18_000]],
    'seat 2 had no money to follow the split',
  );
});
