import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEALER, profileWith, SUPERVISOR, TestTable } from '../../test/support/table-kit.ts';
import { cardName, parseCard } from '../core/cards.ts';
import { nextStep } from '../engine.ts';
import type { OptionValue, TableProfile } from './profile.ts';

const card = (text: string) => parseCard(text)!;
type Options = Readonly<Record<string, OptionValue>>;

/** Burnt cards in order: '?' nobody has seen, else its name; and why. */
const burnt = (table: TestTable): string[] =>
  table.events.flatMap((event) =>
    event.type === 'card-burned' ? [`${event.unseen ? '?' : cardName(event.card)} ${event.why}`] : [],
  );

const counted = ({ state }: TestTable): number => state.shoe.counts.reduce((sum, each) => sum + each, 0);

/** A shoe whose burnt cards are still to come. */
function unburnt(options: Options = {}, changes: Partial<TableProfile> = {}): TestTable {
  const table = new TestTable();
  table.must({ type: 'configure', profile: profileWith(options, changes), person: null });
  table.must({ type: 'sign-in-dealer', person: DEALER });
  for (const { seat } of table.state.seats) table.insert(seat, 100_000);
  table.must({ type: 'load-shoe', shoeId: 's', decks: table.state.rules!.decks });
  table.must({ type: 'cut-shoe', seat: null, person: SUPERVISOR });
  const end = nextStep(table.state);
  assert.ok(end.step === 'place-end-card');
  table.must({ type: 'place-end-card', cardsBehind: end.minBehind });
  return table;
}

/**
 * The same play with each of these cards burnt leaves the same state, and what it says differs in
 * that card alone.
 */
function assertAlike(cards: readonly string[], play: (card: string) => TestTable): void {
  const told = cards.map((name) => {
    const table = play(name);
    table.checkReplay();
    const events = table.events.map((event) =>
      event.type === 'card-burned' && event.unseen ? { ...event, card: null } : event,
    );
    return JSON.stringify([table.state, events]);
  });
  assert.equal(new Set(told).size, 1);
}

test('art. 4.1 a card burnt at the start is seen by nobody: it has left the shoe, and no state says which it was', () => {
  const table = unburnt({ burnAtStart: 'perDeck' });
  table.draw('AS AH AD AC 2S 2H');
  assert.deepEqual(burnt(table), Array(6).fill('? start'));
  const { drawn, burned, discarded, lastUnseen } = table.state.shoe;
  assert.deepEqual([drawn, burned, discarded, counted(table), lastUnseen], [6, 6, 6, 0, true]);
  table.bets({ 1: 1_000 });
  assert.equal(table.state.shoe.lastUnseen, true, 'no other card has come');
  table.draw('TS');
  assert.deepEqual([table.state.shoe.drawn, counted(table), table.state.shoe.lastUnseen], [7, 1, undefined]);
  assertAlike(['AS', 'KD', '9C'], (burning) => {
    const played = unburnt();
    played.draw(burning);
    played.bets({ 1: 1_000 });
    played.draw('TS 9H 8D');
    played.wait();
    played.act(1, 'stand');
    played.draw('8C');
    played.close();
    return played;
  });
});

test('art. 4.2 so is one that is burnt before a round, and one before the second card of the bank', () => {
  const options = { burnEachRound: 'oneAndBeforeDealerSecond' };
  const round = (table: TestTable, before: string, burning: string): void => {
    table.bets({ 1: 1_000 });
    table.draw(`${before}TS 9H 8D`);
    table.wait();
    table.act(1, 'stand');
    table.draw(`${burning} 8C`);
    if (table.state.phase === 'bank') table.draw('5C');
    table.close();
  };
  assertAlike(['AS', '8H', '5C'], (burning) => {
    const table = unburnt(options);
    table.draw(burning);
    round(table, '', burning);
    round(table, `${burning} `, burning);
    assert.deepEqual(burnt(table), ['? start', '? before-bank-second', '? round', '? before-bank-second']);
    assert.equal(
      table.state.shoe.drawn,
      counted(table) + 4,
      'every card that left is counted, or burnt unseen',
    );
    return table;
  });
});

test('art. 7.5 so are those of a challenge', () =>
  assertAlike(['AS', 'KD', '7C'], (burning) => {
    const table = TestTable.ready({}, { rulebook: 'macau-casino-war' });
    table.bets({ 1: 10_000 });
    table.draw('9S 9H');
    table.act(1, 'goToWar');
    table.draw(`${burning} ${burning} ${burning} TS ${burning} ${burning} ${burning} 8S`);
    assert.deepEqual(burnt(table), Array(6).fill('? war'));
    assert.deepEqual([table.state.shoe.drawn, counted(table)], [10, 4]);
    return table;
  }));

test('art. 3 of the war: a card that lies face up is burnt all the same, and everybody has seen it', () => {
  const table = TestTable.ready({}, { rulebook: 'macau-casino-war' });
  table.bets({ 1: 10_000 });
  table.draw('9S 9H');
  table.act(1, 'goToWar');
  table.draw('!KS KD');
  assert.deepEqual(burnt(table), ['KS war', '? war']);
});

test('art. 2.1 of Bacará: the first burnt card is seen where its face counts; those after it are not', () => {
  const bacara = { rulebook: 'macau-baccarat' } as const;
  const table = unburnt({ burn: 'firstCardFace' }, bacara);
  table.draw('3H');
  assert.equal(table.state.shoe.lastUnseen, undefined);
  table.draw('KH KD');
  assert.deepEqual(burnt(table), ['3H start', '? start', '? start']);
  assert.deepEqual([table.state.shoe.drawn, counted(table)], [3, 1]);
  const fixed = unburnt({ burn: 'fixed:2' }, bacara);
  fixed.draw('3H KH');
  assert.deepEqual(burnt(fixed), ['? start', '? start'], 'where no face counts, none is seen');
});

test('a burnt card is named that lay face up, or that a person had to read', () => {
  const table = unburnt({ burnAtStart: 'perDeck' });
  table.draw('AS');
  assert.equal(table.tryDraw('KS', null, 10), null);
  assert.equal(table.state.hold?.code, 'doubtful-card');
  assert.equal(table.state.shoe.lastUnseen, undefined, 'another card has left the shoe since');
  // It was read wrongly: what counts is what the person has seen.
  table.must({ type: 'confirm-card', drawNo: null, card: card('KC'), person: DEALER });
  table.draw('!2D 3D 4D 5D');
  assert.deepEqual(burnt(table), ['? start', 'KC start', '2D exposed', '? start', '? start', '? start']);
  assert.equal(table.state.phase, 'shoe', 'the one that lay open is none of the six');
  assert.equal(table.state.shoe.counts[card('KC')], 1);
  assert.equal(table.state.shoe.counts[card('KS')], 0);
  table.draw('6D');
  assert.deepEqual([table.state.phase, table.state.shoe.drawn, counted(table)], ['idle', 7, 2]);
});

test('a round that is cancelled after a burn says no more of the card; another shoe begins with nothing seen', () => {
  assertAlike(['AS', 'KD'], (burning) => {
    const table = unburnt({ burnEachRound: 'oneAndBeforeDealerSecond' });
    table.draw(burning);
    table.bets({ 1: 1_000 });
    table.draw('TS 9H 8D');
    table.wait();
    table.act(1, 'stand');
    table.draw(burning);
    table.must({ type: 'void-round', reason: 'misdeal', person: SUPERVISOR });
    table.close();
    table.must({ type: 'load-shoe', shoeId: 's2', decks: 6 });
    assert.deepEqual([table.state.shoe.drawn, counted(table)], [0, 0]);
    assert.equal(table.state.shoe.lastUnseen, true, 'a shoe may still repeat what it said last');
    return table;
  });
});
