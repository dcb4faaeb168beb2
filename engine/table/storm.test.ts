/** B7: seven seats touch at the same time, for as long and as fast as anybody asks for. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RandomTable } from '../../test/support/random-table.ts';
import type { TimelessInput } from '../../test/support/table-kit.ts';
import { postingsOf } from '../accounting/postings.ts';
import { booksAgree, stakedMinor } from '../accounting/self-audit.ts';
import { ACTS, advance } from '../engine.ts';
import type { Input } from './inputs.ts';

/** Seven seats, 200 touches a second each, ten minutes. */
const TOUCHES = 7 * 200 * 600;
/** The books are compared after so many inputs, and with every end of a round. */
const AUDIT_EVERY = 500;

test('B7: in 840,000 touches of seven seats no bet goes over a limit, no credit below nothing, and no money is lost', () => {
  const table = new RandomTable(
    20_261,
    'macau-blackjack-2009',
    { max: 100_000, step: 1_000, min: 1_000 },
    false,
  );
  const { state, balances } = table;
  const { max } = state.rules as unknown as { readonly max: number };
  let [touches, taken, rounds, inputs] = [0, 0, 0, 0];
  const audit = (): void => {
    assert.deepEqual(booksAgree(state, balances), []);
    for (const { seat, creditMinor } of state.seats)
      assert.ok(creditMinor >= 0 && stakedMinor(state, seat) >= 0, `seat ${seat}`);
    for (const { bet, amountMinor } of state.round?.bets ?? [])
      assert.ok(bet !== 'main' || amountMinor <= max, `${bet} ${amountMinor}`);
  };
  const submit = (input: TimelessInput): boolean => {
    table.atMs += 1;
    const decision = advance(state, { ...input, atMs: input.atMs ?? table.atMs } as Input);
    inputs += 1;
    if (!decision.ok) return false;
    for (const event of decision.events) {
      for (const { account, amountMinor } of postingsOf(event))
        balances.set(account, (balances.get(account) ?? 0) + amountMinor);
      if (event.type === 'round-closed') rounds += 1;
    }
    return true;
  };
  while (touches < TOUCHES) {
    const { phase, round } = state;
    const isTouch = table.below(12) > 0 && (phase === 'betting' || phase === 'turns' || phase === 'offers');
    const seat = 1 + table.below(7);
    const touch =
      phase === 'betting' || round === null || table.below(3) === 0
        ? table.betting()
        : table.decision(seat, 1 + table.below(7), table.below(2), table.pick(ACTS), null);
    const input = isTouch ? touch : table.due();
    const isTaken = submit(input);
    if (isTouch) touches += 1;
    if (isTouch && isTaken) taken += 1;
    if (inputs % AUDIT_EVERY === 0 || input.type === 'close-round') audit();
    // Who has lost everything puts in more.
    if (state.seats[seat - 1]!.creditMinor < 10_000 && phase === 'idle') {
      const heard = {
        type: 'hear-acceptor',
        acceptor: seat,
        note: { currency: 'MOP', valueMinor: 100_000 },
      } as const;
      submit({ ...heard, word: 'escrow', noteId: `n${inputs}` });
      submit({ ...heard, word: 'credited' });
    }
  }
  audit();
  assert.ok(rounds > 1_000 && taken > 50_000, `${rounds} rounds, ${taken} of ${touches} taken`);
});
