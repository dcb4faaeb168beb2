import { timesSaid } from '../core/money.ts';
import { isKeptBy, type MeterFold, N, NUMBERED, SLICES } from './meter-fold.ts';

const CREDIT =
  'credit + bets laid + pending cash-outs = bills in + coin out + progressive + voided bets + adjusted - coin in - cancelled';

/**
 * The equations of the meters over a whole ledger, or over the entries of one transaction: they are
 * linear, so where they held before and hold for what is new they hold after it. Numbered as in
 * docs/meters.md; 2 and 7 are seen while counting.
 * @returns one sentence per equation that does not hold
 */
export function brokenEquations(fold: MeterFold): string[] {
  const broken = fold.problems.slice();
  const { table, slices, touched } = fold;
  const mustEqual = (name: string, left: number, right: number): void => {
    if (left !== right) broken.push(`equation ${name}: ${left} is not ${right}`);
  };
  const at = (no: number): number => table[no] ?? 0;

  for (const [seat, cells] of slices.seat) {
    const of = (no: number): number => cells[no] ?? 0;
    const left = of(N.credit) + of(N.laid) + of(N.pending) - of(N.winsPending);
    const right =
      of(N.billsIn) +
      of(N.coinOut) +
      of(N.progressive) +
      of(N.voided) +
      of(N.adjustedUp) -
      of(N.adjustedDown) -
      of(N.coinIn) -
      of(N.cancelled);
    // Hot path: no text is made where nothing is wrong.
    if (left !== right) mustEqual(`1, ${seat === '' ? 'no seat' : `seat ${seat}`}, ${CREDIT}`, left, right);
  }

  let notes = 0;
  let wagers = 0;
  let pays = 0;
  for (const no of touched) {
    const { code, spec, noteMinor, isWager, isPay } = NUMBERED[no]!;
    const value = at(no);
    notes += timesSaid(noteMinor, value);
    if (isWager) wagers += value;
    if (isPay) pays += value;
    for (const slice of SLICES) {
      if (!isKeptBy(spec, slice)) continue;
      let sum = 0;
      for (const cells of slices[slice].values()) sum += cells[no] ?? 0;
      if (value !== sum) mustEqual(`3, ${code} = sum of its parts by ${slice}`, value, sum);
    }
  }

  mustEqual('4, drop = bills to drop', at(N.drop), at(N.toDrop));
  mustEqual('5, bills in = notes by value and number', at(N.billsIn), notes);
  mustEqual('6, coin in = sum of bets', at(N.coinIn), wagers);
  mustEqual('6, won = coin out + paid by hand', at(N.won), at(N.coinOut) + at(N.wonByHand));
  mustEqual(
    '6, won + progressive = sum of pays',
    at(N.won) + at(N.progressive) + at(N.progressiveByHand),
    pays,
  );
  mustEqual(
    '6, hand-paid + wins pending = cancelled credits + wins by hand',
    at(N.handpaid) + at(N.winsPending),
    at(N.attPaid) + at(N.wonByHand) + at(N.progressiveByHand),
  );
  mustEqual(
    '6, jackpot = seeds + contributions - undone - paid',
    at(N.jpNow),
    at(N.jpSeeds) + at(N.jpContrib) - at(N.jpUndone) - at(N.jpPaid),
  );
  return broken;
}
