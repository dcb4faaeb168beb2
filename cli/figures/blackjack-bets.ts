/** The bets of a table of black jack, for a player with a fixed strategy. */
import type { BlackjackRules } from '../../engine/games/blackjack/rules.ts';
import { type BetFigures, betOf, exactOf, type NotEnumerated, type TableFigures } from './bet-figures.ts';
import { blackjackRound, fullShoe, UP_CARDS, type UpCard } from './blackjack.ts';
import { RANKS } from './blackjack-hands.ts';
import { type Law, lawOfTable } from './blackjack-law.ts';
import { blackjackSideBetFigures } from './blackjack-side-bets.ts';
import type { Round } from './blackjack-up.ts';
import { minus, plus, type Rational, ratio, times } from './rational.ts';
import type { Strategy } from './strategy-file.ts';
import { STREAK_ODDS } from './streak.ts';

const PLACES = 14;
/** Less than this is nothing of what a round comes to. */
const LEAST = 1e-13;
const text = (value: number): string => (Math.abs(value) < LEAST ? 0 : value).toFixed(PLACES);
const netText = (net: number): string => `${net < 0 ? '' : '+'}${Number(net.toFixed(PLACES))}`;

/** The law of a table as far as the strategy makes use of it. */
export function lawFor(rules: BlackjackRules, { rules: own }: Strategy, takesOffers: boolean): Law {
  const law = lawOfTable(rules, takesOffers);
  return {
    ...law,
    maxHands: own.noSplit === 1 ? 1 : Math.min(law.maxHands, own.maxHands),
    resplitsAces: law.resplitsAces && own.resplitAces === 1,
  };
}

/** Main bet and special prizes together, and what a round without a split comes to. */
function mainBet(round: Round): BetFigures {
  const { ev, prize, slack, splitPlayed, splitEv, splitPrize, results } = round;
  const edge = -(ev + prize);
  return {
    bet: 'main',
    edge: text(edge),
    ...(slack > LEAST ? { within: text(slack) } : {}),
    favoursPlayer: edge < -LEAST,
    results: [
      ...results.map(({ net, chance }) => ({ net: netText(net), chance: text(chance) })),
      ...(splitPlayed > 0
        ? [
            {
              of: 'split' as const,
              net: netText((splitEv + splitPrize) / splitPlayed),
              chance: text(splitPlayed),
            },
          ]
        : []),
    ],
  };
}

/** What a strategy does with two sevens against a card of the bank. */
function onSevens(strategy: Strategy, up: number): 'split' | 'draw' | 'other' {
  const against = strategy.strategy[UP_CARDS[up] as UpCard];
  if (against.surrenderPair[7] === '1') return 'other';
  if (strategy.rules.noSplit === 0 && against.split[7] === '1') return 'split';
  const said = against.pairPlay?.[7] ?? '-';
  if (said !== '-') return said === 'S' ? 'other' : 'draw';
  return against.double.hard[14] === '1' || against.hit['2'].hard[14] === '1' ? 'draw' : 'other';
}

/**
 * arts. 13.2, 14.2: the third seven counts where it comes by a split, or by any card of the hand.
 */
export function sevensBet(rules: BlackjackRules, strategy: Strategy): BetFigures {
  const { decks } = rules;
  const cards = 52 * decks;
  const two = ratio(4 * decks, cards);
  const suited = times(two, ratio(decks - 1, cards - 1));
  const other = times(two, ratio(3 * decks, cards - 1));
  let [suitedThird, suitedMixed, otherThird] = [ratio(0), ratio(0), ratio(0)];
  for (const up of RANKS) {
    const does = onSevens(strategy, up);
    if (does !== 'split' && (does !== 'draw' || rules.sevensThird === 'afterSplit')) continue;
    const ofUp = up === 7 ? 4 * decks - 3 : (up === 10 ? 16 : 4) * decks;
    const peeks = rules.dealing === 'holeCard' && !rules.noLook;
    const natural = !peeks ? 0 : up === 1 ? 16 * decks : up === 10 ? 4 * decks : 0;
    const met = times(ratio(ofUp, cards - 3), ratio(cards - 4 - natural, cards - 4));
    const third = (ofRank: number): Rational => times(ratio(ofRank, cards - 2), met);
    if (decks > 1) suitedThird = plus(suitedThird, times(suited, third(decks - 2)));
    suitedMixed = plus(suitedMixed, times(suited, third(3 * decks)));
    otherThird = plus(otherThird, times(other, third(4 * decks - 2)));
  }
  return betOf(
    'sevens',
    [ratio(5000), suitedThird],
    [ratio(500), plus(suitedMixed, otherThird)],
    [ratio(150), minus(minus(suited, suitedThird), suitedMixed)],
    [ratio(50), minus(other, otherThird)],
  );
}

/** art. 13.3: eleven for an ace is never beyond 21 (art. 8), so two aces are twelve. */
export function thirteenBet(rules: BlackjackRules, bet: 'over13' | 'under13'): BetFigures {
  const { decks, over13Ace } = rules;
  const list = blackjackSideBetFigures(decks);
  const aces = ratio(4 * decks * (4 * decks - 1), 52 * decks * (52 * decks - 1));
  const isOne = over13Ace === 'one' || (bet === 'under13' && over13Ace === 'choice');
  const chance = exactOf(list, `${bet}-p-${isOne ? 'ace1' : 'ace11'}`);
  const moved = bet === 'over13' ? minus(chance, aces) : plus(chance, aces);
  return betOf(bet, [ratio(1), isOne ? chance : moved]);
}

/**
 * art. 13.1: eleven for the first two cards, and again for later pairs where the house has it so.
 */
export function anyPairBet(rules: BlackjackRules, round: Round): BetFigures {
  const first = betOf('anyPair', [ratio(11), exactOf(blackjackSideBetFigures(rules.decks), 'anypair')]);
  if (rules.anyPairResplit !== 'eachPair' || round.laterPairs < LEAST) return first;
  const edge = Number(first.edge) - 11 * round.laterPairs;
  return { bet: 'anyPair', edge: text(edge), favoursPlayer: edge < 0, results: first.results };
}

export function perfectPairBet({ decks }: BlackjackRules): BetFigures {
  const list = blackjackSideBetFigures(decks);
  return betOf(
    'perfectPair',
    [ratio(25), exactOf(list, 'pp-perfect')],
    [ratio(12), exactOf(list, 'pp-colour')],
    [ratio(5), exactOf(list, 'pp-mixed')],
  );
}

/** art. 12, r.33: seeing the bank's ace alone. */
const insurance = ({ decks }: BlackjackRules): BetFigures =>
  betOf('insurance', [ratio(2), ratio(16 * decks, 52 * decks - 1)]);

export function blackjackBets(
  rules: BlackjackRules,
  strategy: Strategy,
): Pick<TableFigures, 'bets' | 'notEnumerated' | 'notes'> {
  const round = blackjackRound(strategy, fullShoe(rules.decks), lawFor(rules, strategy, true));
  const bets = [mainBet(round)];
  const notEnumerated: NotEnumerated[] = [];
  const notes: string[] = [];
  if (round.splitPlayed > 0)
    notEnumerated.push({
      bet: 'main',
      why: 'the chance of each result of a round in which a pair was split: its hands meet the same cards of the bank, and what they come to together is not enumerated; their mean is exact',
    });
  if (rules.specialPrize)
    notes.push(
      `main: special prizes (three times the stake) are in it and bring the player ${text(round.prize)}`,
    );
  for (const bet of rules.sideBets ?? [])
    switch (bet) {
      case 'anyPair':
        bets.push(anyPairBet(rules, round));
        if (rules.anyPairResplit === 'eachPair' && round.laterPairs > LEAST) {
          notes.push(
            `anyPair: later pairs of split hands are in the edge, ${text(round.laterPairs)} a round`,
          );
          notEnumerated.push({ bet, why: 'the chance of several pairs in one round; their mean is exact' });
        }
        break;
      case 'sevens':
        bets.push(sevensBet(rules, strategy));
        break;
      case 'over13':
      case 'under13':
        bets.push(thirteenBet(rules, bet));
        break;
      case 'perfectPair':
        bets.push(perfectPairBet(rules));
        break;
      default:
        if (strategy.rules.noSplit === 1) bets.push(streakBet(round, bet));
        else
          notEnumerated.push({
            bet,
            why: 'rounds won in a row: a round with a split is won by the greater number of its hands (art. 16.7), and what they come to together is not enumerated',
          });
    }
  if (rules.jackpot)
    notEnumerated.push({
      bet: 'jackpot',
      why: 'its prizes are shares of a meter that every round moves (r.43)',
    });
  bets.push(insurance(rules));
  return { bets, notEnumerated, notes };
}

function streakBet({ win, lose }: Round, bet: string): BetFigures {
  const [wins, odds] = STREAK_ODDS.find(([number]) => bet === `streak${number}`)!;
  const won = (win / (win + lose)) ** wins;
  const edge = 1 - won * (odds + 1);
  return {
    bet,
    edge: text(edge),
    favoursPlayer: edge < 0,
    results: [
      { net: `+${odds}`, chance: text(won) },
      { net: '-1', chance: text(1 - won) },
    ],
  };
}
