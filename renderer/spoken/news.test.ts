import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { PLAIN_COMFORT } from '../../engine/table/comfort.ts';
import type { Language } from '../../engine/table/inputs.ts';
import { hand, mop } from '../../test/fixtures/view-kit.ts';
import { VIEWS } from '../../test/fixtures/views.ts';
import type { SeatView, TableView } from '../../wire/view.ts';
import { speakAt } from '../texts/i18n.ts';
import { newsOf } from './news.ts';

afterEach(() => speakAt('macau-blackjack-2009'));

const SPEECH = { comfort: { ...PLAIN_COMFORT, speech: true } } as const;
const changed = (view: TableView, number: number, over: Partial<SeatView>): TableView => ({
  ...view,
  seats: view.seats.map((seat) => (seat.seat === number ? { ...seat, ...over } : seat)),
});
/** The same view with this seat spoken to, in this language. */
const spoken = (
  view: TableView,
  number: number,
  language: Language,
  over: Partial<SeatView> = {},
): TableView => changed({ ...view, speech: { keys: {} } }, number, { ...SPEECH, language, ...over });
/** All that stands on the panel, as after a restart of the page. */
const whole = (view: TableView, number: number, language: Language): string => {
  const now = spoken(view, number, language);
  const news = newsOf({ ...now, bootId: 'another' }, now, number);
  assert.ok(news?.now);
  return news.text;
};

test('nothing is said to a seat that has not asked for it', () => {
  assert.equal(newsOf(null, VIEWS.turn, 3), null);
  assert.equal(newsOf(VIEWS.betting, VIEWS.turn, 3), null);
});

test('a decision is the hand, the bank, the question, and the answers by their number with what they cost', () => {
  assert.equal(
    whole(VIEWS.turn, 3, 'en'),
    'Your cards: 8 of Clubs, 8 of Diamonds, 16 points. Bank: King of Hearts. The bank has 10. With 16, your decision? 1: Hit, free. 2: Stand, stays at 16. 3: Double, costs six hundred patacas, wins one thousand two hundred patacas. 4: Split, costs six hundred patacas, wins one thousand two hundred patacas. 5: Surrender, three hundred patacas back. 18 seconds.',
  );
  assert.equal(
    whole(VIEWS.turn, 3, 'pt'),
    'As suas cartas: 8 de Paus, 8 de Ouros, 16 pontos. Banca: Rei de Copas. A banca tem 10. Com 16, que decide? 1: Pedir carta, sem custo. 2: Prescindir, fica com 16. 3: Dobrar, custa seiscentas patacas, ganha mil e duzentas patacas. 4: Separar, custa seiscentas patacas, ganha mil e duzentas patacas. 5: Desistir, recebe trezentas patacas. 18 segundos.',
  );
  assert.equal(
    whole(VIEWS.turn, 3, 'zh-Hant'),
    '您的紙牌: 梅花八, 階磚八, 十六 點。莊家: 紅心K。莊家 十 點，您 十六 點，怎樣決定？一: 博牌, 不用付。二: 不博牌, 保持 十六 點。三: 加注, 付 六百澳門元, 贏 一千二百澳門元。四: 分門, 付 六百澳門元, 贏 一千二百澳門元。五: 放棄牌局, 取回 三百澳門元。十八 秒。',
  );
});

test('a result is what the bank has, what was won or lost, and the balance', () => {
  assert.equal(
    whole(VIEWS.settled, 1, 'en'),
    'Bank 19 points. Win three hundred patacas. Balance three thousand and fifty patacas.',
  );
  assert.equal(
    whole(VIEWS['baccarat-settled'], 1, 'pt'),
    'Jogador 5 pontos. Banqueiro 8 pontos. Perdeu trezentas patacas. Saldo duas mil quatrocentas e cinquenta patacas.',
  );
});

test('open bets are said with the limits, what lies and the time', () => {
  assert.equal(
    whole(VIEWS.betting, 1, 'zh-Hant'),
    '請下注。一百澳門元 至 一萬澳門元。投注: 原注 三百澳門元。結餘 二千四百五十澳門元。十四 秒。',
  );
});

test('it begins with how it is done, and ends with a word', () => {
  const before = VIEWS.turn;
  const after = spoken(VIEWS.turn, 3, 'en');
  assert.match(newsOf(before, after, 3)!.text, /^Spoken help\. Slide a finger .* Your cards: /);
  const plain = changed(after, 3, { comfort: PLAIN_COMFORT });
  assert.deepEqual(newsOf(after, plain, 3), { text: 'Spoken help has ended.', now: true });
});

test('a card that comes is said when nothing is asked, and waits for what is being said', () => {
  const before = spoken(VIEWS.turn, 1, 'en', { hands: [hand('TS 2H', 100)] });
  const after = changed(before, 1, { hands: [hand('TS 2H 5C', 100)] });
  assert.deepEqual(newsOf(before, after, 1), { text: 'Your card: 5 of Clubs, 17 points.', now: false });
});

test('money that comes and goes is said with the balance', () => {
  const before = spoken(VIEWS.turn, 1, 'en', { creditMinor: mop(100), note: null });
  const after = changed(before, 1, {
    creditMinor: mop(600),
    note: { state: 'credited', valueMinor: mop(500), caseNo: null },
  });
  assert.equal(newsOf(before, after, 1)?.text, 'five hundred patacas credited. Balance six hundred patacas.');
});

test('cards that lie face down are never said, nor what follows from them', () => {
  const hidden = hand('TS 7H', 100, { faceDown: true, status: 'open' });
  const view = spoken(VIEWS.turn, 3, 'en', { hands: [hidden] });
  const { text } = newsOf({ ...view, bootId: 'another' }, view, 3)!;
  assert.match(text, /Your cards lie face down and are not said\./);
  assert.doesNotMatch(text, /17|Spades|Seven|7 of/);
  const more = changed(view, 1, { hands: [hand('TS 7H 2C', 100, { faceDown: true })] });
  const own = spoken(more, 1, 'en');
  assert.doesNotMatch(newsOf(spoken(view, 1, 'en'), own, 1)?.text ?? '', /Your card:/);
  const hole = { ...view, bank: { ...view.bank, cards: [view.bank.cards[0]!, null] } };
  assert.doesNotMatch(newsOf({ ...hole, bootId: 'another' }, hole, 3)!.text, /\?\s*of|null/);
});
