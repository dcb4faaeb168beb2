import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEALER, SUPERVISOR, TestTable } from '../../test/support/table-kit.ts';
import { cardName, parseCard } from '../core/cards.ts';
import { dealerOptions, nextStep } from '../engine.ts';
import { assignables, remedies } from './error-desk.ts';
import type { OptionValue, TableProfile } from './profile.ts';

type Options = Readonly<Record<string, OptionValue>>;
const ready = (options: Options = {}, profile: Partial<TableProfile> = {}): TestTable =>
  TestTable.ready(options, profile);
const takeBack = (table: TestTable, person = DEALER) => table.try({ type: 'take-back-card', person });
const cardsOf = (table: TestTable, seat: number, hand = 0): string =>
  table.state
    .round!.seats.find((each) => each.seat === seat)!
    .hands[hand]!.cards.map(cardName)
    .join(' ');
const bank = (table: TestTable): string => table.state.round!.bank.map(cardName).join(' ');
const next = (table: TestTable): string => {
  const step = nextStep(table.state);
  return [step.step, 'seat' in step ? step.seat : '', 'hand' in step ? step.hand : ''].join(' ').trim();
};
const taken = (table: TestTable): string[] =>
  table.events.flatMap((event) =>
    event.type === 'card-taken-back'
      ? [`${cardName(event.card)} ${event.seat} ${event.cites.join(' ')} ${event.person.id}`]
      : [],
  );

test('art. 5.1.1 a face-up card noticed after it was read is invalid wherever the deal stands, and the next one takes its place', () => {
  const cards = '2S 3S TH 4S 5S'.split(' ');
  const places = [
    'draw-for-seat 1 0',
    'draw-for-seat 2 0',
    'draw-for-bank',
    'draw-for-seat 1 0',
    'draw-for-seat 2 0',
  ];
  for (let no = 1; no <= cards.length; no++) {
    const table = ready();
    table.bets({ 1: 10_000, 2: 10_000 });
    assert.equal(takeBack(table)?.code, 'not-due');
    table.draw(cards.slice(0, no).join(' '));
    const { drawn, discarded } = table.state.shoe;
    assert.ok(dealerOptions(table.state).some(({ option }) => option === 'take-back-card'));
    assert.equal(takeBack(table), null);
    assert.equal(next(table), places[no - 1]);
    assert.deepEqual([table.state.shoe.drawn, table.state.shoe.discarded], [drawn, discarded + 1]);
    table.draw(['9D', ...cards.slice(no)].join(' '));
    const expected = cards.map((card, i) => (i === no - 1 ? '9D' : card));
    assert.equal(cardsOf(table, 1), `${expected[0]} ${expected[3]}`);
    assert.equal(cardsOf(table, 2), `${expected[1]} ${expected[4]}`);
    assert.equal(bank(table), expected[2]);
    assert.equal(taken(table).length, 1);
    table.checkReplay();
  }
});

test('art. 5.1.1 a blackjack made by the invalid card is none; one made by the card in its place is', () => {
  const table = ready();
  table.bets({ 1: 10_000 });
  table.draw('AS 9H KD');
  assert.equal(table.state.round!.seats[0]!.hands[0]!.status, 'blackjack');
  assert.equal(takeBack(table), null);
  table.draw('5C');
  assert.equal(table.state.round!.seats[0]!.hands[0]!.status, 'open');
  table.wait();
  table.act(1, 'hit');
  assert.equal(next(table), 'draw-for-seat 1 0');
  const other = ready();
  other.bets({ 1: 10_000 });
  other.draw('AS 9H 5C');
  assert.equal(takeBack(other), null);
  other.draw('KD');
  assert.equal(other.state.round!.seats[0]!.hands[0]!.status, 'blackjack');
});

test('art. 5.1.1 twice in a row, and never the card before it', () => {
  const table = ready();
  table.bets({ 1: 10_000 });
  table.draw('TS 9H TD');
  assert.equal(takeBack(table), null);
  table.draw('8D');
  assert.equal(takeBack(table), null);
  table.draw('7D');
  assert.equal(cardsOf(table, 1), 'TS 7D');
  assert.deepEqual(
    taken(table),
    ['TD 1 art.5.1.1 dealer', '8D 1 art.5.1.1 dealer'].map((each) => each.replace('dealer', DEALER.id)),
  );
});

test('art. 5.1.1 an additional card: the hand waits for another one; a bust and a 21 are undone with it', () => {
  for (const [card, status] of [
    ['3C', 'open'],
    ['KC', 'busted'],
    ['9C', 'done'],
  ] as const) {
    const table = ready();
    table.bets({ 1: 10_000, 3: 10_000 });
    table.draw('TS TH 9H 2D 5D');
    table.wait();
    table.act(1, 'hit');
    assert.equal(takeBack(table)?.code, 'too-late', 'the card before it was played on');
    table.draw(card);
    assert.equal(table.state.round!.seats[0]!.hands[0]!.status, status);
    assert.equal(takeBack(table), null);
    assert.equal(next(table), 'draw-for-seat 1 0');
    assert.equal(table.state.round!.additional, 0);
    table.draw('4C');
    assert.equal(cardsOf(table, 1), 'TS 2D 4C');
    assert.equal(next(table), 'await-decision 1 0');
    table.checkReplay();
  }
});

test('art. 5.1.2 what somebody has decided on, or a further card has followed, is not undone but void', () => {
  const table = ready();
  table.bets({ 1: 10_000, 3: 10_000 });
  table.draw('TS TH 9H 2D 5D');
  table.wait();
  table.act(1, 'hit');
  table.draw('3C');
  table.act(1, 'stand');
  assert.equal(takeBack(table)?.code, 'too-late');
  assert.deepEqual(takeBack(table)?.cites, ['art.5.1.1']);
  table.act(3, 'hit');
  table.draw('KC');
  assert.equal(takeBack(table), null, 'the bust of seat 3');
  table.draw('2C');
  table.act(3, 'stand');
  assert.equal(takeBack(table)?.code, 'too-late');
  table.draw('4H');
  assert.equal(bank(table), '9H 4H');
  assert.equal(takeBack(table), null, 'the bank’s own card');
  table.draw('5H');
  assert.equal(bank(table), '9H 5H');
  table.must({ type: 'void-round', reason: 'card-exposed', person: SUPERVISOR });
  assert.equal(takeBack(table)?.code, 'round-over');
  assert.deepEqual(
    table.state.round!.lines!.map(
      ({ seat, outcome, netMinor, cites }) => `${seat} ${outcome} ${netMinor} ${cites.join()}`,
    ),
    ['1 void 0 art.5.1.2', '3 void 0 art.5.1.2'],
  );
  table.checkReplay();
});

test('art. 5.1.1 insurance and even money answered on the first cards stand against taking one back', () => {
  const table = ready();
  table.bets({ 1: 10_000, 2: 10_000 });
  table.draw('TS TH AH 9D 5D');
  assert.equal(next(table), 'await-offers');
  const insured = ready();
  insured.bets({ 1: 10_000, 2: 10_000 });
  insured.draw('TS TH AH 9D 5D');
  insured.act(1, 'insure', { amount: 5_000 });
  assert.equal(takeBack(insured)?.code, 'too-late');
  const declined = ready();
  declined.bets({ 1: 10_000, 2: 10_000 });
  declined.draw('TS TH AH 9D 5D');
  declined.act(2, 'declineInsurance');
  assert.equal(takeBack(declined)?.code, 'too-late');
  assert.equal(takeBack(table), null);
  assert.equal(table.state.round!.offers, null);
  table.draw('6D');
  assert.equal(next(table), 'await-offers', 'they are asked again');
});

test('art. 5.1.1 a split is a word of the player: the bust of the seat before stands', () => {
  const table = ready();
  table.bets({ 1: 10_000, 2: 10_000 });
  table.draw('TS 8S 9H 6D 8D');
  table.wait();
  table.act(1, 'hit');
  table.draw('KC');
  assert.equal(next(table), 'await-decision 2 0');
  table.act(2, 'split');
  assert.equal(takeBack(table)?.code, 'too-late');
  table.draw('3C');
  assert.equal(takeBack(table), null, 'the second card of its own first hand');
});

test('arts. 5.1.1, 13.1.2 money on the pair that a split hand may become stands against taking back', () => {
  const table = ready({ anyPairResplit: 'newBet' });
  table.open();
  table.bet(1, 10_000);
  table.bet(1, 1_000, 1, 'anyPair');
  table.must({ type: 'close-betting' });
  table.draw('8S 9H 8D');
  table.wait();
  table.act(1, 'split');
  table.act(1, 'playOn');
  table.draw('TC');
  table.act(1, 'hit');
  table.draw('KC');
  assert.equal(table.state.round!.offers?.kind, 'any-pair');
  table.act(1, 'betPair', { amount: 1_000, hand: 1 });
  assert.equal(next(table), 'draw-for-seat 1 1');
  assert.equal(takeBack(table)?.code, 'too-late');
});

test('arts. 5.1.1, 16.3 on a split hand, a doubled one and a split ace', () => {
  const split = ready();
  split.bets({ 1: 10_000 });
  split.draw('8S 9H 8D');
  split.wait();
  split.act(1, 'split');
  split.draw('3C');
  assert.equal(takeBack(split), null);
  assert.equal(next(split), 'draw-for-seat 1 0');
  split.draw('5C');
  assert.equal(cardsOf(split, 1, 0), '8S 5C');
  split.act(1, 'double');
  split.draw('KC');
  assert.equal(next(split), 'draw-for-seat 1 1', 'the second hand has its turn');
  assert.equal(takeBack(split), null);
  assert.equal(next(split), 'draw-for-seat 1 0');
  split.draw('2C');
  assert.equal(cardsOf(split, 1, 0), '8S 5C 2C');
  assert.equal(next(split), 'draw-for-seat 1 1');
  split.checkReplay();
  const aces = ready();
  aces.bets({ 1: 10_000 });
  aces.draw('AS 9H AD');
  aces.wait();
  aces.act(1, 'split');
  aces.draw('3C');
  assert.equal(takeBack(aces), null);
  aces.draw('4C');
  assert.equal(cardsOf(aces, 1, 0), 'AS 4C');
});

test('art. 15 a prize that has been paid stands; arts. 13.1.2, 13.2.2 so does a bet that has been decided', () => {
  const prize = ready();
  prize.bets({ 1: 10_000 });
  prize.draw('7S 9H 7D');
  prize.wait();
  prize.act(1, 'hit');
  prize.draw('7C');
  assert.equal(takeBack(prize)?.code, 'too-late');
  const sevens = ready();
  sevens.open();
  sevens.bet(1, 10_000);
  sevens.bet(1, 1_000, 1, 'sevens');
  sevens.must({ type: 'close-betting' });
  sevens.draw('7S 9H 7D');
  sevens.wait();
  sevens.act(1, 'hit');
  sevens.draw('2C');
  assert.equal(takeBack(sevens)?.code, 'too-late');
});

test('art. 5.2.3.2 a hole card that came face up, until the bank has looked', () => {
  const table = ready({ dealing: 'holeCard' });
  table.bets({ 1: 10_000 });
  table.draw('TS 9H TD 8C');
  assert.equal(table.state.round!.bankHoleDown, true);
  assert.equal(takeBack(table), null);
  assert.deepEqual([bank(table), table.state.round!.bankHoleDown], ['9H', false]);
  table.draw('7C');
  assert.deepEqual([bank(table), table.state.round!.bankHoleDown], ['9H 7C', true]);
  const looked = ready({ dealing: 'holeCard' });
  looked.bets({ 1: 10_000 });
  looked.draw('9S TH 9D 8C');
  looked.wait();
  assert.equal(looked.state.round!.bankLooked, true);
  assert.equal(takeBack(looked)?.code, 'too-late');
});

test('arts. 3, 4, r.17 where a card face up is valid, nothing is taken back', () => {
  for (const [rulebook, cites] of [
    ['macau-casino-war', ['art.3']],
    ['macau-baccarat', ['art.4']],
    ['portugal-blackjack', ['r.17']],
  ] as const) {
    const table = TestTable.ready({}, { rulebook });
    table.open();
    table.bet(1, 10_000, 1, rulebook === 'macau-baccarat' ? 'player' : 'main');
    table.must({ type: 'close-betting' });
    table.draw('9S');
    const refused = takeBack(table);
    assert.equal(refused?.code, 'not-allowed', rulebook);
    assert.deepEqual(refused.cites, cites);
  }
});

test('the house leaves errors to a supervisor: the dealer alone is refused, with the article', () => {
  const table = ready({}, { errorsBySupervisor: true });
  table.bets({ 1: 10_000, 3: 10_000 });
  table.draw('TS TH 9H 2D 5D');
  const swap = { type: 'assign-card', fromSeat: 1, toSeat: 3, place: 0 } as const;
  const refused = table.try({ ...swap, person: DEALER });
  assert.deepEqual([refused?.code, refused?.cites], ['person', ['art.5.1.2']]);
  assert.deepEqual([takeBack(table)?.code, takeBack(table)?.cites], ['person', ['art.5.1.1']]);
  assert.equal(table.try({ ...swap, person: SUPERVISOR }), null);
  assert.equal(takeBack(table, SUPERVISOR), null);
});

test('art. 5.1.2 one doubled card for that of another seat: both are judged again, the old place stays in the ledger', () => {
  const table = ready();
  table.bets({ 1: 10_000, 3: 10_000 });
  table.draw('9S 6H 9H 6D 3D');
  table.wait();
  table.act(1, 'double');
  table.draw('KC');
  assert.deepEqual(assignables(table.state), [], 'one of them alone has nothing to exchange');
  table.act(3, 'double');
  table.draw('5C');
  assert.deepEqual(
    table.state.round!.seats.map(({ hands }) => hands[0]!.status),
    ['busted', 'done'],
  );
  assert.deepEqual(assignables(table.state), [{ fromSeat: 1, toSeat: 3, all: false, places: [2] }]);
  const swap = { type: 'assign-card', fromSeat: 3, toSeat: 1, person: DEALER } as const;
  assert.equal(table.try(swap)?.code, 'too-late', 'not all of them');
  assert.equal(table.try({ ...swap, place: 1 })?.code, 'too-late', 'decided on');
  assert.equal(table.try({ ...swap, place: 2 }), null);
  assert.deepEqual([cardsOf(table, 1), cardsOf(table, 3)], ['9S 6D 5C', '6H 3D KC']);
  assert.deepEqual(
    table.state.round!.seats.map(({ hands }) => hands[0]!.status),
    ['done', 'done'],
  );
  assert.deepEqual(
    table.events.flatMap((event) =>
      event.type === 'card-dealt' && event.additional ? [`${event.seat} ${cardName(event.card)}`] : [],
    ),
    ['1 KC', '3 5C'],
  );
  table.checkReplay();
  assert.equal(table.try({ ...swap, place: 2 }), null, 'and back');
  assert.deepEqual(
    table.state.round!.seats.map(({ hands }) => hands[0]!.status),
    ['busted', 'done'],
  );
});

const ofBank = (fromSeat: number, person = DEALER) =>
  ({ type: 'assign-card', fromSeat, toSeat: 0, place: 0, person }) as const;

test('art. 5.1.2 a card that lies at the bank goes to the seat it is due to, wherever the deal stands', () => {
  const cards = 'TS TH 9H 2D 5D'.split(' ');
  for (let no = 1; no <= cards.length; no++) {
    const table = ready();
    table.bets({ 1: 10_000, 3: 10_000 });
    table.draw(cards.slice(0, no).join(' '));
    if (no < 3) {
      assert.equal(table.try(ofBank(1))?.code, 'not-allowed', 'the bank has none yet');
      assert.ok(assignables(table.state).every(({ toSeat }) => toSeat !== 0));
      continue;
    }
    assert.deepEqual(
      assignables(table.state).filter(({ toSeat }) => toSeat === 0),
      [1, 3].map((fromSeat) => ({ fromSeat, toSeat: 0, all: false, places: [0] })),
    );
    assert.equal(table.try(ofBank(3)), null);
    if (no < cards.length) table.draw(cards.slice(no).join(' '));
    assert.deepEqual([cardsOf(table, 1), cardsOf(table, 3), bank(table)], ['TS 2D', '9H 5D', 'TH']);
    assert.deepEqual(
      table.events.flatMap((event) => (event.type === 'bank-card-dealt' ? [cardName(event.card)] : [])),
      ['9H'],
      'where it went first stays in the ledger',
    );
    table.checkReplay();
    assert.equal(table.try(ofBank(3)), null, 'and back');
    assert.deepEqual([cardsOf(table, 3), bank(table)], ['TH 5D', '9H']);
  }
});

test('art. 5.1.2 another open card of the bank brings new offers, and may make or break a blackjack', () => {
  const table = ready();
  table.bets({ 1: 10_000, 3: 10_000 });
  table.draw('AS 6H TH KD 5D');
  const status = () => table.state.round!.seats.map(({ hands }) => hands[0]!.status);
  assert.deepEqual([status(), next(table)], [['blackjack', 'open'], 'await-offers']);
  assert.equal(table.try(ofBank(1)), null);
  assert.deepEqual([cardsOf(table, 1), bank(table), status()], ['TH KD', 'AS', ['open', 'open']]);
  assert.deepEqual(
    table.state.round!.offers?.pending.map(({ seat }) => seat),
    [1, 3],
    'insurance',
  );
  table.act(3, 'declineInsurance');
  assert.equal(table.try(ofBank(3))?.code, 'too-late', 'answered on the bank’s card');
  assert.equal(table.try(ofBank(1))?.code, 'too-late');
  table.checkReplay();

  // Nobody is asked anything with a nine up: the first turn has begun.
  const turns = ready({ surrender: false });
  turns.bets({ 1: 10_000, 3: 10_000 });
  turns.draw('TS AH 9H 2D 5D');
  assert.equal(next(turns), 'await-decision 1 0');
  assert.equal(turns.try(ofBank(3)), null);
  assert.deepEqual([bank(turns), next(turns)], ['AH', 'await-offers']);
  turns.wait();
  assert.equal(next(turns), 'await-decision 1 0');
  assert.equal(turns.try(ofBank(3)), null, 'passed is not answered');
  assert.deepEqual([bank(turns), next(turns)], ['9H', 'await-decision 1 0']);
  turns.act(1, 'hit');
  assert.equal(turns.try(ofBank(1))?.code, 'too-late', 'asked for a card');
  turns.draw('3C');
  assert.deepEqual([turns.try(ofBank(1))?.code, turns.try(ofBank(1))?.cites], ['too-late', ['art.5.1.2']]);
  turns.checkReplay();
});

test('art. 5.1.2 what was offered on cards that lay wrongly ends with their exchange', () => {
  const table = ready({ surrender: false });
  table.bets({ 1: 10_000, 3: 10_000 });
  table.draw('TS 9H AH 2D 5D');
  assert.equal(next(table), 'await-offers', 'insurance');
  assert.equal(table.try(ofBank(3)), null);
  assert.deepEqual([bank(table), next(table)], ['9H', 'await-decision 1 0']);
  assert.equal(table.state.round!.offers, null);
  assert.equal(table.tryAct(3, 'playOn')?.code, 'not-allowed');
  table.checkReplay();
});

test('art. 5.1.2 no other card of the bank, none face down, and none once it has looked', () => {
  const table = ready();
  assert.equal(table.try(ofBank(1))?.code, 'not-allowed', 'no round');
  table.bets({ 1: 10_000, 3: 10_000 });
  table.draw('TS TH 9H 2D 5D');
  for (const place of [1, 2]) assert.equal(table.try({ ...ofBank(1), place })?.code, 'not-allowed');
  const { place: _, ...all } = ofBank(1);
  assert.equal(table.try(all)?.code, 'not-allowed');
  assert.equal(table.try({ ...ofBank(0), toSeat: 1 })?.code, 'not-allowed');
  assert.equal(table.try(ofBank(2))?.code, 'not-allowed', 'nobody plays there');

  const down = ready({ dealing: 'faceDown' });
  down.bets({ 1: 10_000 });
  down.draw('TS 2D 9H');
  assert.equal(down.try(ofBank(1))?.code, 'not-allowed');

  const hole = ready({ dealing: 'holeCard', surrender: false });
  hole.bets({ 1: 10_000, 3: 10_000 });
  hole.draw('TS TH 9H 2D 5D 8C');
  assert.equal(hole.try(ofBank(1)), null);
  assert.deepEqual([hole.state.round!.bankLooked, bank(hole)], [true, 'TS 8C'], 'a ten: now it looks');
  assert.equal(hole.try(ofBank(1))?.code, 'too-late');
  hole.checkReplay();

  const house = ready({}, { errorsBySupervisor: true });
  house.bets({ 1: 10_000 });
  house.draw('TS 9H 2D');
  assert.equal(house.try(ofBank(1))?.code, 'person');
  assert.equal(house.try(ofBank(1, SUPERVISOR)), null);

  const war = ready({}, { rulebook: 'macau-casino-war' });
  war.bets({ 1: 10_000 });
  war.draw('9S 2C');
  assert.equal(war.try(ofBank(1))?.code, 'not-allowed');
});

test('art. 6 cards of the challenge go to whom they were due until the croupier’s ends it', () => {
  const table = TestTable.ready({}, { rulebook: 'macau-casino-war' });
  table.bets({ 1: 10_000, 2: 10_000, 4: 10_000 });
  table.draw('9S 9D 2C 9H');
  table.act(1, 'goToWar');
  table.act(2, 'goToWar');
  table.draw('3S 3D 3C KS 4S 4D 4C');
  const swap = { type: 'assign-card', fromSeat: 1, toSeat: 2, person: DEALER } as const;
  assert.equal(table.try({ ...swap, place: 1 })?.code, 'too-late', 'one card alone is out');
  table.draw('5S');
  assert.equal(table.try(swap)?.code, 'too-late', 'the first ones have been played on');
  assert.equal(table.try({ ...swap, place: 0 })?.code, 'too-late', 'nor one of them');
  assert.equal(table.try({ ...swap, toSeat: 4, place: 1 })?.code, 'too-late');
  assert.equal(table.try({ ...swap, place: 1 }), null);
  assert.deepEqual([cardsOf(table, 1), cardsOf(table, 2)], ['9S 5S', '9D KS']);
  table.draw('6S 6D 6C TH');
  assert.equal(table.try({ ...swap, place: 1 })?.code, 'too-late');
  assert.deepEqual(
    table.lines.filter((line) => !line.startsWith('4')).map((line) => line.split(' ').slice(0, 4).join(' ')),
    ['1.0 main war-lose -20000', '2.0 main war-win 10000'],
  );
  table.checkReplay();
});

test('the remedies of a hold are those the articles leave, and no others', () => {
  const told = (table: TestTable): string[] =>
    remedies(table.state).map(({ remedy, by, cites }) => `${remedy} ${by} ${cites.join(' ')}`);
  const table = ready();
  assert.deepEqual(told(table), []);
  table.bets({ 1: 10_000, 3: 10_000 });
  table.draw('TS TH 9H 2D 5D');
  table.wait();
  table.draw('KC');
  assert.deepEqual(told(table), ['set-card-aside dealer art.5.1.1', 'void-round supervisor art.5.1.2']);
  table.must({ type: 'set-card-aside', person: DEALER });
  assert.deepEqual(told(table), []);
  table.act(1, 'stand');
  table.act(3, 'stand');
  table.draw('8D');
  table.draw('4S');
  assert.deepEqual(told(table), ['wrong-card-shown dealer art.6.1']);
  const keeping = ready({ wrongDealerCard: 'validIfUnseen' });
  keeping.bets({ 1: 10_000 });
  keeping.draw('TS 9H TD');
  keeping.wait();
  keeping.act(1, 'stand');
  keeping.draw('8D 4S');
  assert.deepEqual(told(keeping), ['wrong-card-shown dealer art.6.1', 'wrong-card-unseen dealer art.6.1']);
  const between = ready();
  between.draw('4S');
  assert.deepEqual(told(between), ['set-card-aside dealer art.5.1.1']);
  const restarted = ready();
  restarted.bets({ 1: 10_000, 3: 10_000 });
  restarted.draw('TS TH 9H');
  restarted.must({ type: 'start-terminal', bootId: 'b2', softwareId: 's' });
  assert.deepEqual(told(restarted), [
    'confirm-layout dealer art.5.1.2',
    'assign-card dealer art.5.1.2',
    'void-round supervisor art.5.1.2',
  ]);
  assert.equal(takeBack(restarted)?.code, 'held', 'first the cards are compared');
});

test('r.8, r.12 the right to cut starts afresh after nobody has bet and after nobody was there', () => {
  for (const interrupt of ['no-bets', 'no-players', 'none'] as const) {
    const table = TestTable.ready({}, { rulebook: 'portugal-blackjack' });
    table.state.lastCutBy = 3;
    if (interrupt === 'no-bets') {
      table.open();
      table.must({ type: 'close-betting' });
    } else if (interrupt === 'no-players') {
      for (const { seat } of [...table.state.seats]) {
        assert.equal(table.state.lastCutBy, 3, 'somebody is still there');
        table.must({ type: 'request-cash-out', seat, requestId: `q${seat}` });
        table.must({
          type: 'confirm-hand-pay',
          seat,
          requestId: `q${seat}`,
          person: SUPERVISOR,
          second: { ...SUPERVISOR, id: 'S-02' },
        });
      }
      table.insert(2, 10_000);
      table.insert(5, 10_000);
    }
    assert.equal(
      table.events.filter(({ type }) => type === 'cut-order-restarted').length,
      interrupt === 'none' ? 0 : 1,
    );
    table.must({ type: 'load-shoe', shoeId: 's2', decks: table.state.rules!.decks });
    const step = nextStep(table.state);
    assert.ok(step.step === 'cut-shoe');
    assert.equal(step.seat, { 'no-bets': 1, 'no-players': 2, none: 4 }[interrupt]);
  }
});

test('art. 2.2.1 worn cards are replaced when the shoe has ended, by a supervisor, and never inside one', () => {
  const table = ready();
  const replace = { type: 'replace-cards', what: 'deck', person: SUPERVISOR } as const;
  const offered = (): boolean => dealerOptions(table.state).some(({ option }) => option === 'replace-cards');
  assert.deepEqual([table.try(replace)?.code, table.try(replace)?.cites], ['not-due', ['art.2.2.1']]);
  assert.equal(offered(), false);
  table.bets({ 1: 10_000 });
  table.must({ type: 'end-card-out' });
  table.draw('TS 9H TD');
  assert.equal(table.try(replace)?.code, 'not-due');
  table.wait();
  table.act(1, 'stand');
  table.draw('8C');
  table.close();
  assert.equal(offered(), true);
  assert.equal(table.try({ ...replace, person: DEALER })?.code, 'person');
  assert.equal(table.try({ ...replace, what: 'card' })?.code, 'off', 'the whole pack');
  assert.equal(table.try({ ...replace, card: parseCard('KH')! })?.code, 'malformed', 'a deck is no card');
  assert.equal(table.try(replace), null);
  table.must({ type: 'load-shoe', shoeId: 's2', decks: 6 });
  assert.equal(table.try(replace)?.code, 'not-due');
});

test('art. 5.1.1 what follows from a card, one by one: even money, a further card called for, the hole card turned, the burn before the bank’s second', () => {
  const paid = ready();
  paid.bets({ 1: 10_000, 2: 10_000 });
  paid.draw('AS TH AH KD 5D');
  paid.act(1, 'evenMoney');
  assert.equal(takeBack(paid)?.code, 'too-late');
  const called = ready();
  called.bets({ 1: 10_000 });
  called.draw('TS 9H 2D');
  called.wait();
  called.act(1, 'hit');
  called.draw('2C');
  called.act(1, 'hit');
  assert.equal(takeBack(called)?.code, 'too-late');
  const turned = ready({ dealing: 'holeCard' });
  turned.bets({ 1: 10_000 });
  turned.draw('TS 9H TD 5C');
  turned.wait();
  turned.act(1, 'stand');
  assert.equal(turned.state.round!.bankHoleDown, false);
  assert.equal(takeBack(turned)?.code, 'too-late');
  const burning = ready({ burnEachRound: 'oneAndBeforeDealerSecond' });
  burning.bets({ 1: 10_000 });
  burning.draw('TS 9H 5D');
  burning.wait();
  burning.act(1, 'hit');
  burning.draw('KC');
  assert.equal(next(burning), 'burn');
  assert.equal(takeBack(burning), null);
  burning.draw('QC');
  burning.draw('2S');
  assert.equal(takeBack(burning)?.code, 'too-late');
});

test('art. 5.1.2 a card that was asked for, or that a prize was paid for, is exchanged for no other', () => {
  const hit = ready();
  hit.bets({ 1: 10_000, 3: 10_000 });
  hit.draw('TS 6H 9H 6D 5D');
  hit.wait();
  hit.act(1, 'hit');
  hit.draw('KC');
  hit.act(3, 'hit');
  hit.draw('TC');
  assert.deepEqual(assignables(hit.state), []);
  const prize = ready();
  prize.bets({ 1: 10_000, 3: 10_000 });
  prize.draw('7S 6H 9H 7D 5D');
  prize.wait();
  prize.act(1, 'double');
  prize.draw('7C');
  prize.act(3, 'double');
  prize.draw('2C');
  assert.deepEqual(assignables(prize.state), []);
});

const doubt = (table: TestTable, person = DEALER) => table.try({ type: 'doubt-card', person });
function name(table: TestTable, card: string, person = SUPERVISOR): void {
  table.must({ type: 'confirm-card', drawNo: null, card: parseCard(card)!, person });
}

test('art. 5.1.2 a card that was read wrongly is held, named, and lies where it lay; what it had led to is gone', () => {
  const table = ready();
  table.bets({ 1: 10_000 });
  assert.equal(doubt(table)?.code, 'not-due', 'no card has been dealt');
  table.draw('AS 9H KD');
  assert.equal(table.state.round!.seats[0]!.hands[0]!.status, 'blackjack');
  assert.ok(dealerOptions(table.state).some(({ option }) => option === 'doubt-card'));
  const { drawn, discarded } = table.state.shoe;
  assert.equal(doubt(table), null);
  assert.deepEqual(
    [table.state.hold?.code, cardName(table.state.hold!.card!), cardsOf(table, 1)],
    ['doubtful-card', 'KD', 'AS'],
  );
  assert.deepEqual(
    remedies(table.state).map(({ remedy, by }) => `${remedy} ${by}`),
    ['confirm-read-card dealer', 'name-card supervisor', 'void-round supervisor'],
  );
  assert.equal(doubt(table)?.code, 'held');
  name(table, '5C');
  assert.deepEqual([table.state.hold, cardsOf(table, 1)], [null, 'AS 5C']);
  assert.equal(table.state.round!.seats[0]!.hands[0]!.status, 'open');
  assert.deepEqual([table.state.shoe.drawn, table.state.shoe.discarded], [drawn, discarded]);
  assert.deepEqual(
    ['KD', '5C'].map((card) => table.state.shoe.counts[parseCard(card)!]),
    [0, 1],
  );
  table.checkReplay();
});

test('a doubted card that was right after all is confirmed by the dealer; one that has been decided on stays', () => {
  const table = ready();
  table.bets({ 1: 10_000, 3: 10_000 });
  table.draw('TS TH 9H 2D 5D');
  table.wait();
  table.act(1, 'hit');
  assert.deepEqual([doubt(table)?.code, doubt(table)?.cites], ['too-late', ['art.5.1.2']]);
  table.draw('KC');
  assert.equal(table.state.round!.seats[0]!.hands[0]!.status, 'busted');
  assert.equal(doubt(table), null);
  assert.equal(next(table), 'confirm-card');
  name(table, 'KC', DEALER);
  assert.equal(table.state.round!.seats[0]!.hands[0]!.status, 'busted');
  assert.equal(doubt(table), null);
  name(table, '3C');
  assert.equal(next(table), 'await-decision 1 0');
  table.act(1, 'stand');
  assert.equal(doubt(table)?.code, 'too-late');
  table.must({ type: 'void-round', reason: 'misdeal', person: SUPERVISOR });
  assert.equal(doubt(table)?.code, 'round-over');
  table.checkReplay();
});

test('nobody can say of a card that lies face down what it is', () => {
  const table = ready({ dealing: 'holeCard' });
  table.bets({ 1: 10_000 });
  table.draw('TS 9H 7D 8C');
  assert.equal(doubt(table)?.code, 'not-allowed');
});

test('r.42: the jackpot counts the card that lay there, not the one that was read', () => {
  const jackpot = {
    ...{ stake: 100, seed: 1_000_000, increment: '1/2', cards: 3, marking: 'automatic' },
    pays: [
      { combination: 'A3', share: '1' },
      { combination: 'A2', odds: 10 },
    ],
  };
  const table = ready({ jackpot }, { rulebook: 'portugal-blackjack' });
  table.open();
  table.bet(1, 10_000);
  table.bet(1, 100, 1, 'jackpot');
  table.must({ type: 'close-betting' });
  table.draw('AS');
  assert.equal(doubt(table), null);
  name(table, 'KS');
  assert.deepEqual(table.state.round!.seats[0]!.counted, [parseCard('KS')]);
});

for (const [game, rulebook, bets, cards] of [
  ['Bacará art. 7.1', 'macau-baccarat', { player: 10_000 }, '2S 3S 4S'],
  ['the challenge art. 5.2', 'macau-casino-war', { main: 10_000 }, '2S'],
] as const)
  test(`${game}: every card but the last one, which settles the round, can be named again`, () => {
    const table = TestTable.ready({}, { rulebook });
    table.open();
    for (const [bet, value] of Object.entries(bets)) table.bet(1, value, 1, bet);
    table.must({ type: 'close-betting' });
    for (const card of cards.split(' ')) {
      table.draw(card);
      const { cardCount } = table.state.round!;
      assert.equal(doubt(table), null);
      assert.equal(cardName(table.state.hold!.card!), card);
      assert.equal(table.state.round!.cardCount, cardCount - 1);
      name(table, '9D');
      assert.equal(table.state.round!.cardCount, cardCount);
    }
    const { playerSide, bank, seats } = table.state.round!;
    const all = [...playerSide, ...bank, ...seats.flatMap(({ hands }) => hands[0]!.cards)];
    assert.ok(all.every((card) => cardName(card) === '9D'));
    table.checkReplay();
  });

test('art. 7.5: a card of the challenge is named again before the next three are burnt', () => {
  const table = TestTable.ready({}, { rulebook: 'macau-casino-war' });
  table.open();
  for (const seat of [1, 2]) table.bet(seat, 10_000);
  table.must({ type: 'close-betting' });
  table.draw('8S 8D 8H');
  assert.equal(doubt(table), null, 'nobody has chosen yet');
  name(table, '8C');
  table.act(1, 'goToWar');
  assert.equal(doubt(table)?.code, 'too-late');
  table.act(2, 'goToWar');
  table.draw('2S 3S 4S KD');
  assert.equal(doubt(table), null);
  name(table, 'QD');
  assert.equal(cardsOf(table, 1), '8S QD');
  assert.deepEqual([table.state.phase, next(table)], ['bank', 'burn']);
  table.draw('5S');
  assert.equal(doubt(table)?.code, 'too-late', 'the next burns have begun');
  table.draw('6S 7S JD');
  assert.equal(doubt(table), null);
  name(table, 'JH');
  assert.deepEqual([cardsOf(table, 1), cardsOf(table, 2)], ['8S QD', '8D JH']);
  table.checkReplay();
});

test('arts. 5.1.1, 5.1.2 the errors of the deal need a round that is open and a table that is not held', () => {
  const table = ready();
  assert.deepEqual([takeBack(table)?.code, takeBack(table)?.detail], ['not-due', 'no round']);
  table.bets({ 1: 10_000 });
  assert.equal(table.tryDraw('TS', null, 10), null);
  assert.equal(table.try({ type: 'replace-bank-second', person: DEALER })?.code, 'held');
});

test('a card of a seat that lies face down is doubted by nobody', () => {
  const table = ready({ dealing: 'faceDown' });
  table.bets({ 1: 10_000 });
  table.draw('TS');
  assert.deepEqual([doubt(table)?.code, doubt(table)?.detail], ['not-allowed', 'the card lies face down']);
});

test('art. 5.1.2 first cards are given to another seat of the round, as many as they are, before anybody has had a word', () => {
  const swap = (table: TestTable, fromSeat: number, toSeat: number) =>
    table.try({ type: 'assign-card', fromSeat, toSeat, person: DEALER });
  const table = ready();
  table.bets({ 1: 10_000, 2: 10_000 });
  table.draw('TS 9S 9H 8D');
  for (const [from, to] of [
    [9, 1],
    [1, 9],
    [1, 1],
  ] as const)
    assert.equal(swap(table, from, to)?.detail, 'no such cards');
  assert.equal(swap(table, 1, 2)?.detail, 'not the same number of cards');
  table.draw('7D');
  assert.deepEqual(assignables(table.state), [
    { fromSeat: 1, toSeat: 2, all: true, places: [0, 1] },
    ...[1, 2].map((fromSeat) => ({ fromSeat, toSeat: 0, all: false, places: [0] })),
  ]);
  assert.equal(swap(table, 1, 2), null);
  assert.ok(!('place' in table.events.findLast(({ type }) => type === 'cards-swapped')!));
  const down = ready({ dealing: 'faceDown' });
  down.bets({ 1: 10_000, 2: 10_000 });
  down.draw('TS 9S 9H 8D 7D');
  assert.deepEqual(assignables(down.state), [{ fromSeat: 1, toSeat: 2, all: true, places: [] }]);
  const split = ready();
  split.bets({ 1: 10_000, 2: 10_000, 3: 10_000 });
  split.draw('8S 9S TS 9H 8D 7D 6D');
  split.wait();
  assert.equal(swap(split, 2, 3), null);
  split.wait();
  split.act(1, 'split');
  assert.equal(swap(split, 2, 3)?.code, 'too-late');
});

test('art. 6 of the challenge: whoever has said a word keeps the card, and so does everybody once it is settled', () => {
  const swap = (table: TestTable): string | null =>
    table.try({ type: 'assign-card', fromSeat: 1, toSeat: 2, person: DEALER })?.code ?? null;
  const dealt = (cards: string): TestTable => {
    const table = ready({}, { rulebook: 'macau-casino-war' });
    table.bets({ 1: 10_000, 2: 10_000 });
    table.draw(cards);
    return table;
  };
  const said = dealt('9S 9D 9H');
  said.act(1, 'surrenderWar');
  assert.equal(swap(said), 'too-late');
  const settled = dealt('9S 8S 7H');
  assert.equal(settled.state.phase, 'settled');
  assert.equal(swap(settled), 'too-late');
});

test('a hold whose cause still stands is ended by nobody’s word; one of a table without rules or in service by none at all', () => {
  const words = (table: TestTable): string[] => remedies(table.state).map(({ remedy }) => remedy);
  for (const [device, fault, stops] of [
    ['books', 'books-differ', undefined],
    ['shoe', 'shoe-jam', undefined],
    ['display', 'lost', 'table'],
  ] as const) {
    const table = ready();
    table.bets({ 1: 10_000 });
    table.draw('TS');
    table.must({ type: 'report-fault', device, fault, place: '', ...(stops ? { stops } : {}) });
    assert.deepEqual(words(table), ['void-round'], device);
    table.must({ type: 'clear-fault', device, fault });
    assert.deepEqual(words(table), ['confirm-layout', 'void-round'], device);
    // A fault of another kind is no reason for this hold.
    for (const other of ['books', 'shoe', 'display'].filter((each) => each !== device)) {
      const more = {
        device: other,
        fault: 'x',
        place: '',
        ...(other === 'display' ? { stops: 'table' } : {}),
      };
      table.must({ type: 'report-fault', ...more } as never);
    }
    assert.deepEqual(words(table), ['confirm-layout', 'void-round'], device);
  }
  const restarted = ready();
  restarted.bets({ 1: 10_000 });
  restarted.draw('TS');
  restarted.must({ type: 'start-terminal', bootId: 'b2', softwareId: 's' });
  restarted.must({ type: 'report-fault', device: 'display', fault: 'lost', place: '', stops: 'table' });
  assert.deepEqual(words(restarted), ['confirm-layout', 'void-round'], 'the cards can be compared');
  restarted.must({ type: 'enter-service', person: SUPERVISOR });
  assert.deepEqual(words(restarted), []);
  const bare = new TestTable();
  bare.must({ type: 'report-fault', device: 'books', fault: 'books-differ', place: '' });
  assert.deepEqual([bare.state.hold?.code, words(bare)], ['books', []]);
});

test('a remedy cites what its book has, and names a supervisor where the house leaves errors to one', () => {
  const told = (table: TestTable): string[] =>
    remedies(table.state).map(({ remedy, by, cites }) => [remedy, by, ...cites].join(' '));
  const bacara = ready({}, { rulebook: 'macau-baccarat' });
  bacara.open();
  bacara.bet(1, 10_000, 1, 'player');
  bacara.must({ type: 'close-betting' });
  bacara.draw('5S');
  bacara.must({ type: 'start-terminal', bootId: 'b2', softwareId: 's' });
  assert.deepEqual(told(bacara), ['confirm-layout dealer', 'void-round supervisor']);
  assert.deepEqual(
    remedies(bacara.state).flatMap(({ cites }) => cites),
    [],
  );
  const house = ready({}, { errorsBySupervisor: true });
  house.bets({ 1: 10_000, 2: 10_000 });
  house.draw('TS 9S 9H');
  house.must({ type: 'start-terminal', bootId: 'b2', softwareId: 's' });
  assert.ok(told(house).includes('assign-card supervisor art.5.1.2'));
});
