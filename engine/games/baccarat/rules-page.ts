import type { Cites, Pen, RulesValue, RulesWord, TableOptions } from '../../rules/rules-page.ts';
import type { RulebookId } from '../../table/profile.ts';
import { authorisedIn } from './authorised-bets.ts';
import { COMMISSION, PAYS } from './payoffs.ts';
import { ASKED, type WinningHand } from './winning-hands.ts';

const BACCARAT = 'macau-baccarat';
type By = Cites<typeof BACCARAT>;
const at = (articles: string): By => ({ [BACCARAT]: articles });
const amount = (minor: unknown): RulesValue => ({ minor: Number(minor) });

/**
 * What a table of Bacará says of itself; `drawing` and `tie` are parts whose articles are not
 * known. art. 17 has the odds of tie and pairs; the numbers inside it were not seen.
 */
export function baccaratRules({ say, pays }: Pen<typeof BACCARAT>, _: RulebookId, o: TableOptions): void {
  const machine = o['cardSource'] !== 'shoe';
  const pairs = o['pairs'] === true;
  const lucky6 = o['lucky6'] === true;
  const charged = o['commission'] === 'five-percent';
  const authorised = authorisedIn(o);

  say('game', 'baccarat.aim', at('art.6'));
  say('game', 'baccarat.points', at('art.5'));
  say('game', 'baccarat.tie', at('tie'));

  say('cards', 'common.decks', at('art.1'), { decks: Number(o['decks']) });
  say('cards', `common.source.${String(o['cardSource'])}`, at('art.1'));
  if (machine) say('cards', 'baccarat.cardsBack', at('art.2.3 art.7.2'));
  else {
    say('cards', 'baccarat.cut', at('art.2.1'), { cards: Number(o['cutFromEnd']) });
    burn(say, o);
    if (Number(o['demoRounds']) > 0) {
      say('cards', 'baccarat.demo', at('art.2.2'), { rounds: Number(o['demoRounds']) });
    }
    say('cards', `baccarat.lastRound.${String(o['lastRound'])}`, at('art.3.1'));
    say('cards', 'baccarat.change', at('art.3.2'));
  }

  const { min, max, step } = o;
  say('bets', 'common.limits', at(''), { min: amount(min), max: amount(max), step: amount(step) });
  const bets = ['player', 'banker', 'tieBet', ...(pairs ? ['playerPair', 'bankerPair'] : [])].map(
    (bet) => `pay.${bet}`,
  );
  say('bets', 'baccarat.bets', at('art.13'), {
    bets: {
      words: [
        ...bets,
        ...(lucky6 ? ['option.lucky6.name'] : []),
        ...authorised.map(({ name }) => ({ said: name })),
      ],
    },
  });
  if (typeof o['sideBetMax'] === 'number')
    say('bets', 'common.sideLimits', at(''), { min: amount(min), max: amount(o['sideBetMax']) });
  for (const { name, min: least, max: most } of authorised) {
    if (least === null && most === null) continue;
    say('bets', 'baccarat.authorisedLimits', at('art.13.6'), {
      bet: { said: name },
      min: amount(least ?? min),
      max: amount(most ?? o['sideBetMax'] ?? max),
    });
  }

  say('deal', 'baccarat.order', at('art.7.1'));
  if (o['faceUpDeal'] === true) say('deal', 'baccarat.faceUp', at('art.7.2'));
  say('deal', 'baccarat.natural', at('drawing'));
  say('deal', 'baccarat.player', at('drawing'));
  say('deal', 'baccarat.bankerStood', at('drawing'));
  say('deal', 'baccarat.banker012', at('drawing'));
  for (const [points, cards] of [
    [3, '1–7, 9, 0'],
    [4, '2–7'],
    [5, '4–7'],
    [6, '6, 7'],
  ] as const) {
    say('deal', 'baccarat.banker', at('drawing'), { points, cards });
  }
  say('deal', 'baccarat.banker7', at('drawing'));

  say('extra', `baccarat.commission.${String(o['commission'])}`, at(charged ? 'art.18.1' : 'art.18.2'));
  if (o['commissionRounding'] === 'down' && o['halfRounding'] === 'up') {
    say('extra', 'baccarat.rounding.down-up', at(''));
  }
  say('extra', 'baccarat.tieBet', at('art.13.1.3'));
  if (pairs) say('extra', 'baccarat.pairs', at('art.13.1.4.1'));
  if (lucky6) say('extra', 'baccarat.lucky6', at('art.13.1.4.3'));
  for (const { name, disclosure } of authorised) {
    say('extra', 'baccarat.authorised', at('art.13.4'), { bet: { said: name } });
    if (disclosure !== null)
      say('extra', 'baccarat.disclosed', at('art.13.6'), { text: { said: disclosure } });
  }

  pays('pay.player', { odds: PAYS.side }, at('art.6'));
  if (charged) pays('pay.banker', { odds: PAYS.side, commission: COMMISSION }, at('art.18.1'));
  else {
    pays('pay.banker', { odds: PAYS.side }, at('art.18.2'));
    pays('pay.bankerSix', { odds: PAYS.bankerSix }, at('art.18.2'));
  }
  pays('pay.sidesOnTie', 'back', at('tie'));
  pays('pay.tieBet', { odds: PAYS.tie }, at('art.13.1.3 art.17'));
  if (pairs) {
    pays('pay.playerPair', { odds: PAYS.pair }, at('art.13.1.4.1 art.17'));
    pays('pay.bankerPair', { odds: PAYS.pair }, at('art.13.1.4.1 art.17'));
  }
  if (lucky6) {
    pays('pay.lucky6Two', { odds: PAYS.lucky6Two }, at('art.17.5'));
    pays('pay.lucky6Three', { odds: PAYS.lucky6Three }, at('art.17.5'));
  }
  for (const { name, wins } of authorised) {
    for (const hand of wins) {
      const values = { bet: { said: name }, hand: { words: wordsOf(hand) } };
      pays('pay.authorised', { odds: [hand.odds, 1] }, at('art.13.6'), values);
    }
  }

  say('errors', 'baccarat.exposed', at('art.4'));
  say('errors', 'common.interrupted', at(''));
  say('errors', 'common.void', at(''));
}

/** What must hold of the hands, one part after the other. */
const wordsOf = (hand: WinningHand): RulesWord[] =>
  ASKED.flatMap((asked): RulesWord[] => {
    const value = hand[asked];
    if (value === null) return [];
    return asked.endsWith('Points')
      ? [{ key: `baccarat.when.${asked}`, values: { points: Number(value) } }]
      : [`baccarat.when.${asked}.${value}`];
  });

function burn(say: Pen<typeof BACCARAT>['say'], o: TableOptions): void {
  const way = String(o['burn']);
  if (way === 'perDeck') say('cards', 'baccarat.burn.perDeck', at('art.2.1'), { cards: Number(o['decks']) });
  else if (way === 'firstCardFace') {
    say('cards', `baccarat.burn.firstCardFace.${String(o['burnFirstCardCounts'])}`, at('art.2.1'));
  } else say('cards', 'baccarat.burn.fixed', at('art.2.1'), { cards: Number(way.slice('fixed:'.length)) });
}
