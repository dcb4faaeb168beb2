import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { type Rational, ratio, readRational } from './rational.ts';
import { STREAK_ODDS, streakFigures, streakReturn } from './streak.ts';

const reference = JSON.parse(
  readFileSync(new URL('../../test/data/reference/reference-figures.json', import.meta.url), 'utf8'),
) as { readonly id: string; readonly value: string }[];

const number = ({ num, den }: Rational): number => Number(num) / Number(den);

describe('the winning streak', () => {
  it('art. 14.5: from the chances of a round to the returns of the reference', () => {
    const given = (id: string): string => reference.find((figure) => figure.id === id)!.value;
    const rounds = reference
      .filter(({ id }) => /^bj-streak-.*-win$/.test(id))
      .map(({ id }) => id.slice(0, -3));
    assert.equal(rounds.length, 3);
    for (const prefix of rounds) {
      const [win, push, lose] = ['win', 'push', 'lose'].map(
        (name) => readRational(given(prefix + name))!.value,
      );
      for (const { id, value } of streakFigures({ win: win!, push: push!, lose: lose! }, prefix)) {
        // The chances are given to 14 decimals; five wins at 38 to 1 carry their rounding some
        // fifty times over.
        assert.ok(Math.abs(Number(value) - Number(given(id))) < 1e-12, `${id} ${value}`);
      }
    }
  });

  it('art. 11.2: equals the walk through win, tie and loss, round by round', () => {
    const chances = { win: ratio(2, 5), push: ratio(1, 3), lose: ratio(4, 15) };
    for (const [wins, odds] of STREAK_ODDS) {
      // Chances to have so many wins and still be in, after ever more rounds; ties keep everything.
      let open = [1, ...Array<number>(wins - 1).fill(0)];
      let net = 0;
      for (let round = 0; round < 400; round++) {
        const next = open.map(
          (p, have) => p * number(chances.push) + (open[have - 1] ?? 0) * number(chances.win),
        );
        net += open[wins - 1]! * number(chances.win) * odds;
        net -= open.reduce((sum, p) => sum + p, 0) * number(chances.lose);
        open = next;
      }
      assert.ok(Math.abs(net - number(streakReturn(chances, wins, odds))) < 1e-12);
    }
  });
});
