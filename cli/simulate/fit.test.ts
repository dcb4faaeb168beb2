import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { validateOptions } from '../../engine/books.ts';
import type { BlackjackRules } from '../../engine/games/blackjack/rules.ts';
import type { RulebookId } from '../../engine/table/profile.ts';
import type { Strategy } from '../figures/strategy-file.ts';
import { type Fit, fit, type Options, optionsFor } from './fit.ts';
import { builtIn } from './setup.ts';

const STRATEGIES = builtIn();
const named = (id: string): Strategy => STRATEGIES.find((strategy) => strategy.id === id)!;

function fitted(rulebook: RulebookId, strategy: Strategy, more: Options = {}): Fit {
  const checked = validateOptions(rulebook, { ...optionsFor(rulebook, strategy), ...more });
  assert.ok(checked.ok, JSON.stringify(checked));
  return fit(strategy, checked.resolved as BlackjackRules);
}

/** Strategies that find all they assume at a table of this rulebook. */
const atHome = (rulebook: RulebookId): string[] =>
  STRATEGIES.filter((strategy) => fitted(rulebook, strategy).differences.length === 0).map(({ id }) => id);

describe('the table a strategy assumes', () => {
  it('56/2004: every bet in play is lost to a blackjack of the bank, which stands on every 17', () => {
    assert.deepEqual(atHome('macau-blackjack-2004'), [
      'macau2004-enhc-5card',
      'macau2004-enhc',
      'macau2004-enhc-d11-5card',
      'portugal',
      'portugal-nosurrender',
      'streak-nosplit-s17-enhc',
    ]);
  });

  it('57/2009: one initial bet is lost, or the bank looks first', () => {
    assert.deepEqual(atHome('macau-blackjack-2009'), [
      'macau-wizard-rsa',
      'macau-wizard-standard',
      'macau2009-hole-h17-peek-5card',
      'macau2009-hole-h17-peek',
      'macau2009-hole-h17A6-peek-5card',
      'macau2009-nohole-h17-obo-5card',
      'macau2009-nohole-s17-obo-5card',
      'streak-nosplit-h17-obo',
      'streak-nosplit-s17-obo',
      'us-s17-das',
    ]);
  });

  it('Portugal: no half at five cards, doubles on nine, ten and eleven', () => {
    assert.deepEqual(atHome('portugal-blackjack'), ['portugal', 'portugal-nosurrender']);
    const { differences } = fitted('portugal-blackjack', named('macau2004-enhc-5card'));
    assert.deepEqual(differences, ['no half at five cards', 'no double on some of its totals']);
  });

  it('options follow from the rules of the strategy', () => {
    const hole = optionsFor('macau-blackjack-2009', named('macau2009-hole-h17A6-peek-5card'));
    assert.deepEqual(
      [hole['dealing'], hole['dealerHitsSoft17'], hole['soft17'], hole['maxHands']],
      ['holeCard', true, 'aceSix', 5],
    );
    const open = optionsFor('macau-blackjack-2009', named('streak-nosplit-h17-obo'));
    assert.deepEqual(
      [open['dealing'], open['dealerHitsSoft17'], open['soft17'], open['maxHands'], open['surrender']],
      ['faceUp', true, 'any', 4, false],
    );
    const { rules, ...rest } = named('portugal');
    assert.equal(optionsFor('portugal-blackjack', { ...rest, rules: { ...rules, decks: 4 } })['decks'], 4);
  });

  it('no surrender against an ace, whatever the strategy says', () => {
    const { differences, played } = fitted('macau-blackjack-2009', named('us-h17-das-ls-rsa'));
    assert.deepEqual(differences, ['no surrender against an ace']);
    assert.ok(!played.strategy.A.surrender.hard.includes('1'));
    assert.equal(played.strategy.T.surrender.hard, named('us-h17-das-ls-rsa').strategy.T.surrender.hard);
  });

  it('options given by hand make another game of it, and what is played says which', () => {
    const { played, differences } = fitted('macau-blackjack-2009', named('macau2009-nohole-s17-obo-5card'), {
      decks: 8,
      dealing: 'holeCard',
      dealerHitsSoft17: true,
      soft17: 'any',
      maxHands: 5,
      resplitAces: false,
    });
    assert.deepEqual(played.rules, {
      ...named('macau2009-nohole-s17-obo-5card').rules,
      decks: 8,
      h17: 'hit every soft 17',
      hole: 'PEEK: the bank looks for its blackjack before anybody plays',
      resplitAces: 0,
    });
    assert.deepEqual(differences, [
      "the bank looks for its blackjack before anybody plays, not: a bank's blackjack takes one initial bet",
      "the bank's rule is to hit every soft 17, not to stand on soft 17",
      'aces are split once',
    ]);
  });

  it('a strategy that allows itself less than the table keeps to it', () => {
    const { rules, ...rest } = named('macau-wizard-rsa');
    const shy = { ...rest, rules: { ...rules, maxHands: 2, das: 0, resplitAces: 0 } } as Strategy;
    const { played, differences } = fitted('macau-blackjack-2009', shy, {
      doubleOn: ['anyTwo', 'afterSplit'],
      resplitAces: true,
    });
    assert.deepEqual(
      [differences, played.rules.maxHands, played.rules.das, played.rules.resplitAces],
      [[], 2, 0, 0],
    );
  });

  it('art. 16.1: ten-valued cards of different ranks are no pair in Macau; r.26: they are in Portugal', () => {
    const tens = structuredClone(named('portugal'));
    tens.strategy['6'].split = '01111011111';
    assert.deepEqual(fitted('portugal-blackjack', tens).differences, []);
    assert.match(
      fitted('macau-blackjack-2004', tens).differences.join(),
      /no split of ten-valued cards of different ranks/,
    );
  });

  it('art. 17.1: what may be doubled first and what after a split are two things', () => {
    const strategy = named('macau2009-nohole-s17-obo-5card');
    const eleven = fitted('macau-blackjack-2009', strategy, { doubleOn: ['eleven'] }).played;
    assert.equal(eleven.strategy['6'].double.hard, '0000000000010000000000');
    assert.equal(eleven.rules.das, 0);
    const late = fitted('macau-blackjack-2009', strategy, { doubleOn: ['afterSplit'] }).played;
    assert.ok(!late.strategy['6'].double.hard.includes('1'));
    assert.deepEqual(late.strategy['6'].doubleAfterSplit, strategy.strategy['6'].double);
    assert.equal(late.rules.das, 1);
    const portugal = fitted('portugal-blackjack', named('portugal')).played;
    assert.deepEqual(portugal.strategy['6'].doubleAfterSplit, portugal.strategy['6'].double);
  });
});
