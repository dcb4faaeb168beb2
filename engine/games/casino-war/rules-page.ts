import type { Parts } from '../../core/money.ts';
import type { Cites, Pen, RulesValue, TableOptions } from '../../rules/rules-page.ts';
import type { RulebookId } from '../../table/profile.ts';
import { PAYS } from './payoffs.ts';

const WAR = 'macau-casino-war';
type By = Cites<typeof WAR>;
const at = (articles: string): By => ({ [WAR]: articles });
/** What both bets of the challenger win, counted on their initial bet alone. */
const onInitial = ([a, b]: Parts): { odds: Parts } => ({ odds: b % 2 === 0 ? [a, b / 2] : [2 * a, b] });
const amount = (minor: unknown): RulesValue => ({ minor: Number(minor) });

/** What a table of «Desafio ao Casino» says of itself. */
export function casinoWarRules({ say, pays }: Pen<typeof WAR>, _: RulebookId, o: TableOptions): void {
  const tieBet = o['tieBet'] === true;
  say('game', 'casino-war.aim', at('art.5.2 art.7.1'));
  say('game', 'casino-war.against', at('art.5.1'));
  say('game', 'casino-war.rank', at('art.4'));

  const machine = o['cardSource'] !== 'shoe';
  say('cards', 'common.decks', at('art.1.1'), { decks: Number(o['decks']) });
  say('cards', `common.source.${String(o['cardSource'])}`, at(machine ? 'art.1.3' : 'art.1.2'));
  if (machine) say('cards', 'casino-war.cardsBack', at('art.2.2'));
  else say('cards', 'casino-war.cut', at('art.2.1'), { cards: Number(o['cutFromEnd']) });

  const { min, max, step } = o;
  say('bets', 'common.limits', at(''), { min: amount(min), max: amount(max), step: amount(step) });
  say(
    'bets',
    tieBet ? 'casino-war.tieBet' : 'casino-war.noTieBet',
    at(tieBet ? 'art.7.1 art.7.2 art.7.3' : 'art.7.3'),
  );
  if (tieBet && typeof o['sideBetMax'] === 'number')
    say('bets', 'common.sideLimits', at(''), { min: amount(min), max: amount(o['sideBetMax']) });

  say('deal', 'casino-war.order', at('art.5.2 art.5.3'));
  say('deal', 'casino-war.higher', at('art.7.1'));
  say('deal', 'casino-war.lower', at('art.7.2'));
  if (tieBet) say('deal', `casino-war.tieMain.${String(o['tieBettorMain'])}`, at('art.7.3 art.7.4'));

  say('play', 'casino-war.choice', at('art.7.4.1 art.7.4.2'));
  say('play', 'casino-war.timeOut', at(''));
  say('play', 'casino-war.raise', at('art.7.5'));
  say('play', `casino-war.burn.${String(o['warBurn'])}`, at('art.7.5'));
  say('play', 'casino-war.oneCard', at('art.7.5'));
  say('play', 'casino-war.warWin', at('art.7.5.1'));
  say('play', 'casino-war.warTie', at('art.7.5.2'));
  say('play', 'casino-war.warLose', at('art.7.5.3'));

  pays('pay.higher', { odds: PAYS.higher }, at('art.7.1'));
  if (tieBet) {
    pays('pay.tieBet', { odds: PAYS.tie }, at('art.7.3'));
    if (o['tieBettorMain'] === 'push') pays('pay.mainOnTie', 'back', at('art.7.3'));
  }
  pays('pay.half', 'half', at('art.7.4.1'));
  pays('pay.warWin', onInitial(PAYS.warWin), at('art.7.5.1'));
  pays('pay.warTie', onInitial(PAYS.warTie), at('art.7.5.2'));
  pays('pay.warLose', 'twice', at('art.7.5.3'));

  say('errors', 'casino-war.exposed', at('art.3'));
  say('errors', 'casino-war.error', at('art.6'));
  say('errors', 'common.interrupted', at(''));
  say('errors', 'common.void', at('art.6'));
}
