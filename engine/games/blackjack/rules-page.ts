import { parseFraction } from '../../rules/rulebook.ts';
import type { Cites, Pen, RulesValue, TableOptions } from '../../rules/rules-page.ts';
import type { RulebookId } from '../../table/profile.ts';
import { type JackpotTerms, leastJackpotMinor } from './jackpot-terms.ts';
import { PAYS } from './payoffs.ts';
import { PAIR_PRICES, SEVENS_PRICES, STREAK_PRICES, THIRTEEN_PRICE } from './side-bet-prices.ts';

const MO_04 = 'macau-blackjack-2004';
const MO_09 = 'macau-blackjack-2009';
const PT = 'portugal-blackjack';
type Regulation = typeof MO_04 | typeof MO_09 | typeof PT;
type By = Cites<Regulation>;

/** The same article in both regulations of Macau. */
const macau = (article: string): By => ({ [MO_04]: article, [MO_09]: article });
const both = (article: string, rule: string): By => ({ ...macau(article), [PT]: rule });
const all = (article04: string, article09: string, rule: string): By => ({
  [MO_04]: article04,
  [MO_09]: article09,
  [PT]: rule,
});
const only09 = (article: string): By => ({ [MO_09]: article });
const portugal = (rule: string): By => ({ [PT]: rule });
/** Said by the house, whatever the regulation. */
const HOUSE: By = all('', '', '');

const amount = (minor: unknown): RulesValue => ({ minor: Number(minor) });

/**
 * What a table of black jack says of itself. The interpretations it rests on are those of
 * docs/regulations.
 */
export function blackjackRules(pen: Pen<Regulation>, rulebook: RulebookId, o: TableOptions): void {
  theGame(pen);
  theCards(pen, rulebook, o);
  theBets(pen, o);
  theDeal(pen, o);
  theDecisions(pen, o);
  theBank(pen, o);
  theSideBets(pen, o);
  theJackpot(pen, o['jackpot'] as unknown as JackpotTerms | null | undefined);
  payoffs(pen, o);
  errors(pen, o);
}

function theGame({ say }: Pen<Regulation>): void {
  say('game', 'blackjack.aim', both('art.9', 'r.1'));
  say('game', 'blackjack.natural', both('art.10.1', 'r.1.a'));
  say('game', 'blackjack.points', both('art.8', 'r.6'));
  say('game', 'blackjack.compare', all('art.9 art.11.2', 'art.9 art.11.1.2', 'r.23 r.24'));
  say('game', 'blackjack.bust', both('art.7.2', 'r.22'));
  say('game', 'blackjack.bankBust', both('art.7.2 art.9', 'r.1.b'));
  say('game', 'blackjack.naturalBeats', both('art.10.5 art.10.6', 'r.20'));
  say('game', 'blackjack.tieNatural', all('art.11.1', 'art.11.1.1', 'r.21'));
}

function theCards({ say }: Pen<Regulation>, rulebook: RulebookId, o: TableOptions): void {
  const source = String(o['cardSource']);
  const machine = source !== 'shoe' && source !== 'box';
  say('cards', 'common.decks', both('art.1.2', 'r.3'), { decks: Number(o['decks']) });
  const apart: By = machine ? both('art.1.4', 'r.51') : both('art.1.3', 'r.4');
  say('cards', `common.source.${source}`, apart);
  say('cards', 'blackjack.shown', portugal(machine ? 'r.53' : 'r.7'));
  if (machine) {
    say('cards', 'blackjack.loading', portugal('r.53 r.54'));
    const noEnd = source === 'continuousShuffler' ? 'r.52 r.56 r.57 r.59' : 'r.52 r.59';
    say('cards', 'blackjack.cardsBack', both('art.2.1.2 art.2.2.4', noEnd));
  } else {
    say('cards', 'blackjack.cut', both('art.2.1.1', 'r.8'));
    if (source === 'box') say('cards', 'blackjack.boxRound', macau('art.2.2.3'));
    else if (rulebook === PT) say('cards', 'blackjack.warningCard', portugal('r.9 r.11'));
    else if (Number(o['decks']) > 1) {
      say('cards', 'blackjack.endCard', macau('art.2.1.1 art.2.2.1'), { cards: Number(o['cutBehind']) });
    }
  }
  if (!machine && source !== 'box') say('cards', 'blackjack.reshuffle', macau('art.2.2.2'));
  if (o['burnAtStart'] === 'perDeck') {
    say('cards', 'blackjack.burnStart.perDeck', macau('art.4.1.1'), { cards: Number(o['decks']) });
  } else {
    say('cards', 'blackjack.burnStart.one', both('art.4.1.2', 'r.10'));
  }
  if (o['burnEachRound'] !== 'none') {
    say('cards', `blackjack.burnRound.${String(o['burnEachRound'])}`, macau('art.4.2'));
  }
}

function theBets({ say }: Pen<Regulation>, o: TableOptions): void {
  say('bets', 'common.limits', all('', '', 'r.14 r.37'), {
    min: amount(o['min']),
    max: amount(o['max']),
    step: amount(o['step'] ?? o['min']),
  });
  say('bets', 'blackjack.before', portugal('r.13'));
  if (typeof o['seatsPerPlayer'] === 'number') {
    say('bets', 'blackjack.seatLimit', macau('art.3.2'), { seats: o['seatsPerPlayer'] });
  } else {
    say('bets', 'blackjack.severalSeats', macau('art.3.3'));
  }
  if (typeof o['tableMaxTotal'] === 'number') {
    say('bets', 'blackjack.tableMax', only09('art.5.2.3.8'), { amount: amount(o['tableMaxTotal']) });
  }
  const deciders = { seated: 'art.20.1.1', nearest: 'art.20.1.2', highest: 'art.20.1.3' };
  const decider = String(o['betsBehind']) as keyof typeof deciders;
  say('bets', `blackjack.behind.${decider}`, both(deciders[decider], 'r.15'));
  say('bets', 'blackjack.vacant', portugal('r.16'));
  say('bets', 'blackjack.ownFollow', portugal('r.28 r.30'));
  say('bets', 'blackjack.afterTie', portugal('r.24'));
  const bettors = o['maxBettorsPerSeat'] ?? (decider === 'nearest' ? 3 : null);
  if (bettors !== null) {
    say('bets', 'blackjack.bettors', macau('art.20.1.2'), { count: Number(bettors) });
  }
  if (bettors !== 1) say('bets', `blackjack.follows.${String(o['behindFollows'])}`, macau('art.20.1'));
  const sides = sideBetsOf(o);
  if (sides.length === 0) {
    say('bets', 'blackjack.sideNone', macau('art.13'));
    return;
  }
  say('bets', 'blackjack.side', macau('art.13'), {
    bets: { words: sides.map((bet) => `option.sideBets.${bet}`) },
  });
  say('bets', 'blackjack.sideWhen', macau('art.13'));
  say('bets', `blackjack.sideAtOnce.${String(o['sideBetsAtOnce'])}`, macau('art.13'));
  if (typeof o['sideBetMin'] === 'number' || typeof o['sideBetMax'] === 'number') {
    say('bets', 'common.sideLimits', macau(''), {
      min: amount(o['sideBetMin'] ?? 1),
      max: amount(o['sideBetMax'] ?? o['max']),
    });
  }
}

const sideBetsOf = (o: TableOptions): readonly string[] => (o['sideBets'] ?? []) as readonly string[];

function theDeal({ say }: Pen<Regulation>, o: TableOptions): void {
  const dealing = String(o['dealing']);
  say('deal', 'blackjack.order', both('art.5.1', 'r.17'));
  if (dealing === 'faceDown') {
    if (o['cardSource'] === 'box') say('deal', 'blackjack.dealing.faceDownBox', macau('art.5.2.1.2'));
    else say('deal', 'blackjack.dealing.faceDown', macau('art.5.2.1.1'));
  } else if (dealing === 'faceUp') {
    say('deal', 'blackjack.dealing.faceUp', macau('art.5.2.2.1 art.5.2.2.2'));
  } else {
    say('deal', 'blackjack.dealing.holeCard', {
      [MO_09]: 'art.5.2.3.1 art.5.2.3.2',
      [PT]: 'r.17 r.34',
    });
    say('deal', 'blackjack.peek', only09('art.5.2.3.3 art.5.2.3.4'));
    const down = o['playerCardsDown'];
    if (down === 'both' || down === 'one') say('deal', `blackjack.cardsDown.${down}`, only09('art.5.2.3.5'));
    if (o['playerTurnsCards'] === true) say('deal', 'blackjack.turnsCards', only09('art.5.2.3.6'));
  }
  say('deal', 'blackjack.announce', macau('art.6.5'));
  say('deal', 'blackjack.paidAtOnce', portugal('r.21'));
}

function theDecisions({ say }: Pen<Regulation>, o: TableOptions): void {
  const doubles = o['doubleOn'] as readonly string[];
  say('play', 'blackjack.turns', both('art.6.3', 'r.18'));
  say('play', 'blackjack.hit', both('art.6.2 art.6.4 art.6.4.1', 'r.18'));
  say('play', 'blackjack.timeOut', HOUSE);
  if (o['surrender'] === true) {
    const window = o['surrenderWindow'] ?? 'beforeAnyCard';
    say('play', `blackjack.surrender.${String(window)}`, both('art.18.1 art.18.2', 'r.36 pre.36'));
  } else {
    say('play', 'blackjack.surrenderOff', only09('art.21.2'));
  }
  say('play', 'blackjack.insurance', both('art.12.1 art.12.2 art.12.3', 'r.33'), {
    least: { fraction: String(o['insuranceMin']) },
    most: { fraction: String(o['insuranceMax']) },
  });
  say('play', 'blackjack.evenMoney', both('art.10.3', 'r.34'));
  for (const double of ['anyTwo', 'eleven', 'nineTenEleven', 'afterSplit'] as const) {
    if (doubles.includes(double)) say('play', `blackjack.double.${double}`, DOUBLE_ON[double]);
  }
  say('play', 'blackjack.doubleCard', all('art.6.4.2', 'art.6.4.2 art.17.2', 'r.29'));
  say('play', 'blackjack.aceLock', portugal('r.32'));
  say('play', 'blackjack.split', macau('art.16.1 art.16.2'), { hands: Number(o['maxHands']) });
  say('play', `blackjack.split.${String(o['splitBy'])}`, portugal('r.26 r.27'));
  say('play', 'blackjack.splitDraw', both('art.16.3 art.16.4 art.6.4.3', 'r.26'));
  say('play', `blackjack.resplit.${String(o['resplit'])}`, macau('art.16.5'));
  say('play', `blackjack.resplitAces.${String(o['resplitAces'])}`, both('art.16.3', 'r.26 r.27'));
  say('play', 'blackjack.fiveCards', macau('art.19.1 art.19.2'));
}

const DOUBLE_ON = {
  anyTwo: all('art.17.1', 'art.17.1.1', ''),
  eleven: { [MO_04]: 'art.17.2', [MO_09]: 'art.17.1.3' },
  nineTenEleven: portugal('r.29'),
  afterSplit: all('art.17.1', 'art.17.1.2', 'r.31'),
} as const satisfies Record<string, By>;

function theBank({ say }: Pen<Regulation>, o: TableOptions): void {
  const doubles = o['doubleOn'] as readonly string[];
  say('bank', 'blackjack.bankDraws', both('art.6.1', 'r.19'));
  if (o['dealerHitsSoft17'] === true) {
    say('bank', `blackjack.soft17.${String(o['soft17'])}`, only09('art.6.1 art.6.6'));
  } else {
    say('bank', 'blackjack.soft17.stands', both('art.6.1', 'r.6.a r.19'));
  }
  say('bank', 'blackjack.bankAce', both('art.8', 'r.6.a'));
  say('bank', `blackjack.playsOut.${String(o['dealerPlaysOut'])}`, both('art.6.1 art.7.1', 'r.22'));
  say('bank', 'blackjack.bankNatural', both('art.10.6 art.12.2', 'r.20 r.21'));
  const split = String(o['splitVsDealerBlackjack']);
  say('bank', `blackjack.splitVsNatural.${split}`, all('art.12.2', 'art.16.6', 'r.20 r.23'));
  // art. 17.3 protects the doubles of 17.1.1 and 17.1.2; one that exists only because of an eleven
  // is art. 10.7's.
  const eleven = doubles.includes('eleven') && !doubles.includes('anyTwo');
  const doubled = o['doubledVsDealerBlackjack'];
  if (doubled !== 'originalOnly' || doubles.includes('anyTwo') || doubles.includes('afterSplit')) {
    const articles = doubled === 'offer' ? 'art.10.7' : 'art.12.2';
    say('bank', `blackjack.doubleVsNatural.${String(doubled)}`, {
      [MO_04]: articles,
      [MO_09]: 'art.17.3',
      [PT]: 'r.20 r.23',
    });
  }
  if (eleven) {
    const offer = o['elevenVsDealerBlackjack'] === 'offer';
    const key = `blackjack.elevenVsNatural.${offer ? 'offer' : 'loseAll'}`;
    say('bank', key, only09(offer ? 'art.10.7' : 'art.12.2'));
  }
  say(
    'bank',
    `blackjack.bustedVsNatural.${String(o['bustedVsDealerBlackjack'])}`,
    only09('art.7.2 art.16.6 art.17.3'),
  );
}

const SIDE = 'extra';

function theSideBets({ say }: Pen<Regulation>, o: TableOptions): void {
  const sides = sideBetsOf(o);
  if (o['specialPrize'] === true) {
    say(SIDE, `blackjack.prize.${String(o['specialPrizeMode'])}`, both('art.15', 'r.35'));
    say(SIDE, `blackjack.prizeBase.${String(o['specialPrizeBase'])}`, both('art.15', 'r.35'));
  } else {
    say(SIDE, 'blackjack.prizeOff', only09('art.21.2'));
  }
  if (sides.includes('anyPair')) {
    say(SIDE, 'blackjack.anyPair', macau('art.13.1 art.13.1.1'));
    say(SIDE, `blackjack.anyPairAgain.${String(o['anyPairResplit'])}`, macau('art.13.1.2'));
  }
  if (sides.includes('sevens')) {
    say(SIDE, 'blackjack.sevens', macau('art.13.2 art.13.2.1'));
    say(SIDE, `blackjack.sevensThird.${String(o['sevensThird'])}`, macau('art.13.2.2'));
    say(SIDE, 'blackjack.sevensBest', macau('art.14.2'));
  }
  if (sides.includes('over13') || sides.includes('under13')) {
    say(SIDE, 'blackjack.overUnder', macau('art.13.3'));
    say(SIDE, `blackjack.overAce.${String(o['over13Ace'])}`, macau('art.8 art.13.3'));
  }
  if (sides.includes('perfectPair')) {
    say(SIDE, 'blackjack.perfectPair', only09('art.13.4.1 art.13.4.2 art.13.4.3'));
  }
  const streaks = [2, 3, 4, 5].filter((number) => sides.includes(`streak${number}`));
  if (streaks.length === 0) return;
  say(SIDE, 'blackjack.streak', only09('art.13.5.1 art.13.5.2.i'), { numbers: streaks.join(' / ') });
  say(SIDE, 'blackjack.streakLost', only09('art.13.5.2.ii art.11.2'));
  say(SIDE, 'blackjack.streakButton', only09('art.13.5.2.iii'));
  say(SIDE, 'blackjack.streakSeveral', only09('art.13.5.2.iv art.13.5.2.v'));
  say(SIDE, 'blackjack.streakMustBet', only09('art.13.5.2.vi'));
  say(SIDE, `blackjack.streakAbandon.${String(o['streakAbandon'])}`, only09('art.13.5.2.vi'));
  say(SIDE, 'blackjack.streakSplit', only09('art.16.7.1 art.16.7.2 art.16.7.3'));
  if (o['surrender'] === true) say(SIDE, 'blackjack.streakSurrender', only09('art.18.3'));
}

function theJackpot({ say }: Pen<Regulation>, jackpot: JackpotTerms | null | undefined): void {
  if (!jackpot) {
    say(SIDE, 'blackjack.jackpotOff', portugal('r.38'));
    return;
  }
  const { stake, cards, increment } = jackpot;
  say(SIDE, 'blackjack.jackpot', portugal('r.39 r.42 r.43 r.46'), { stake: amount(stake), cards });
  say(SIDE, 'blackjack.jackpotOne', portugal('r.45 r.47 r.48'));
  say(SIDE, 'blackjack.jackpotMeter', portugal('r.40 r.44'), {
    seed: amount(jackpot.seed ?? leastJackpotMinor(jackpot)),
    increment: { fraction: increment },
  });
  say(SIDE, 'blackjack.jackpotOrder', portugal('r.49 r.50.a r.50.b'));
  say(SIDE, 'blackjack.jackpotRounding', portugal('r.43 r.50.b'));
}

function payoffs(pen: Pen<Regulation>, o: TableOptions): void {
  const { pays } = pen;
  const sides = sideBetsOf(o);
  const side = (key: string, { pays: odds, cites }: { pays: number; cites: readonly string[] }): void =>
    pays(`pay.${key}`, { odds: [odds, 1] }, macau(cites.at(-1)!));
  pays('pay.blackjack', { odds: PAYS.blackjack }, both('art.10.2', 'r.21'));
  pays('pay.win', { odds: PAYS.win }, both('art.9 art.10.4', 'r.23'));
  pays('pay.tie', 'back', all('art.11.1 art.11.2', 'art.11.1.1 art.11.1.2', 'r.21 r.24'));
  pays('pay.evenMoney', { odds: PAYS.evenMoney }, both('art.10.3', 'r.34'));
  pays('pay.insurance', { odds: PAYS.insurance }, both('art.12.2', 'r.33'));
  if (o['surrender'] === true) pays('pay.surrender', 'half', both('art.18.1', 'r.36'));
  pays('pay.fiveCards', { odds: PAYS.fiveCards }, macau('art.19.1'));
  if (o['specialPrize'] === true)
    pays('pay.specialPrize', { odds: PAYS.specialPrize }, both('art.15', 'r.35'));
  if (sides.includes('anyPair')) side('anyPair', PAIR_PRICES.anyPair);
  if (sides.includes('sevens')) {
    side('sevens.two', SEVENS_PRICES.two);
    side('sevens.twoSuited', SEVENS_PRICES.twoSuited);
    side('sevens.three', SEVENS_PRICES.three);
    side('sevens.threeSuited', SEVENS_PRICES.threeSuited);
  }
  if (sides.includes('over13')) side('over13', THIRTEEN_PRICE);
  if (sides.includes('under13')) side('under13', THIRTEEN_PRICE);
  if (sides.includes('perfectPair')) {
    side('perfectPair.mixed', PAIR_PRICES.mixed);
    side('perfectPair.colour', PAIR_PRICES.colour);
    side('perfectPair.perfect', PAIR_PRICES.perfect);
  }
  for (const number of [2, 3, 4, 5]) {
    if (sides.includes(`streak${number}`)) side(`streak${number}`, STREAK_PRICES[number]!);
  }
  const jackpot = o['jackpot'] as unknown as JackpotTerms | null | undefined;
  for (const { combination, share, odds } of jackpot?.pays ?? []) {
    const suited = combination.endsWith('s');
    const [a, b] = parseFraction(share ?? '0')!;
    pays(
      suited ? 'pay.jackpotSuited' : 'pay.jackpot',
      share === null ? { odds: [odds!, 1] } : a === b ? 'rest' : { share },
      portugal(a === b ? 'r.43 r.50.a' : 'r.43'),
      { count: Number(combination[1]), rank: combination.startsWith('T') ? '10' : combination[0]! },
    );
  }
}

function errors({ say }: Pen<Regulation>, o: TableOptions): void {
  say('errors', `blackjack.exposed.${String(o['exposedFirstCardValid'])}`, macau('art.5.1.1'));
  say('errors', 'blackjack.bankTurned', portugal('r.17'));
  say('errors', 'blackjack.misdeal', macau('art.5.1.2'));
  say('errors', 'blackjack.misdrawn', portugal('r.18'));
  say('errors', `blackjack.wrong.${String(o['wrongDealerCard'])}`, both('art.6.1', 'r.19'));
  if (o['cardSource'] !== 'shoe') {
    say('errors', 'blackjack.jam', portugal('r.51'));
    say('errors', 'blackjack.complaint', portugal('r.61'));
  }
  say('errors', 'common.interrupted', both('', ''));
  say('errors', 'common.void', both('art.5.1.2', ''));
}
