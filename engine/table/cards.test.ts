import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEALER, profileWith, SUPERVISOR, TECHNICIAN, TestTable } from '../../test/support/table-kit.ts';
import { type Card, cardName, parseCard } from '../core/cards.ts';
import { shuffledShoe } from '../core/shoe.ts';
import { dealerOptions, hidesCards, knownState, nextStep } from '../engine.ts';
import { dueCard } from './due.ts';
import { remedies } from './error-desk.ts';
import type { Hold } from './steps.ts';

const card = (text: string) => parseCard(text)!;
const step = (table: TestTable): string => nextStep(table.state).step;
const options = (table: TestTable): string[] => dealerOptions(table.state).map(({ option }) => option);
const burned = (table: TestTable): string[] =>
  table.events.flatMap((event) =>
    event.type === 'card-burned' ? [`${cardName(event.card)} ${event.why} ${event.cites.join(' ')}`] : [],
  );

test('arts. 2.1.1, 4.1 the shoe is loaded, cut, marked and its first card burnt, one step at a time', () => {
  const table = new TestTable();
  const ready = TestTable.ready();
  table.must({ type: 'configure', profile: ready.state.profile!, person: TECHNICIAN });
  assert.equal(step(table), 'sign-in');
  assert.equal(table.try({ type: 'load-shoe', shoeId: 's', decks: 6 })?.code, 'no-dealer');
  table.must({ type: 'sign-in-dealer', person: DEALER });
  assert.equal(step(table), 'load-shoe');
  assert.equal(table.try({ type: 'open-betting', roundId: 'r1' })?.code, 'not-due');
  assert.equal(table.try({ type: 'load-shoe', shoeId: 's', decks: 8 })?.code, 'out-of-range');
  table.must({ type: 'load-shoe', shoeId: 's', decks: 6 });
  assert.equal(step(table), 'cut-shoe');
  assert.equal(table.tryDraw('AS')?.code, 'not-due');
  table.must({ type: 'cut-shoe', seat: 3 });
  assert.deepEqual(nextStep(table.state), {
    step: 'place-end-card',
    minBehind: 60,
    maxBehind: 311,
    cites: ['art.2.1.1'],
  });
  assert.equal(table.try({ type: 'place-end-card', cardsBehind: 29 })?.code, 'out-of-range');
  table.must({ type: 'place-end-card', cardsBehind: 60 });
  const burn = { step: 'burn', done: 0, count: 1, cites: ['art.4.1'] };
  assert.deepEqual(nextStep(table.state), burn);
  table.must({ type: 'report-fault', ...shoeFault('shoe-jam') });
  assert.equal(step(table), 'call-supervisor', 'nobody burns a card that does not come out');
  table.must({ type: 'clear-fault', device: 'shoe', fault: 'shoe-jam' });
  assert.deepEqual(nextStep(table.state), burn);
  table.draw('AS');
  assert.equal(step(table), 'open-betting');
});

test('art. 2.2.1 the second white card makes the round the last; then the shoe is made ready again', () => {
  const table = TestTable.ready();
  table.bets({ 1: 1_000 });
  table.draw('TS');
  assert.ok(options(table).includes('end-card-out'));
  table.must({ type: 'end-card-out' });
  assert.equal(table.try({ type: 'end-card-out' })?.code, 'not-due');
  table.draw('9H 9D');
  table.wait();
  table.act(1, 'stand');
  table.draw('8C');
  table.close();
  assert.equal(table.state.phase, 'shoe');
  assert.equal(step(table), 'load-shoe');
});

test('art. 2.2.1 a white card before the first card of a round makes that round the last', () => {
  const table = TestTable.ready();
  table.must({ type: 'end-card-out' });
  table.open();
  assert.equal(table.state.round?.last, true);
});

test('art. 2.2.2 the bank may make the cards ready again between rounds, never inside one', () => {
  const table = TestTable.ready();
  assert.ok(options(table).includes('new-shoe'));
  table.must({ type: 'load-shoe', shoeId: 's2', decks: 6 });
  const playing = TestTable.ready();
  playing.bets({ 1: 1_000 });
  assert.equal(playing.try({ type: 'load-shoe', shoeId: 's2', decks: 6 })?.code, 'not-allowed');
});

test('art. 2.2.4 the automatic shuffler has no cut, no white card and no end', () => {
  const table = TestTable.ready({ cardSource: 'autoShuffler' });
  assert.equal(table.try({ type: 'end-card-out' })?.code, 'off');
  table.bets({ 1: 1_000 });
  table.draw('TS 9H 9D');
  table.wait();
  table.act(1, 'stand');
  table.draw('8C');
  table.close();
  assert.equal(table.state.phase, 'idle');
  assert.equal(table.state.shoe.drawn, 0);
});

test('art. 4.2 round burns: none before the first round, one before each following, one before the second card', () => {
  const table = TestTable.ready({ burnEachRound: 'oneAndBeforeDealerSecond' });
  const start = burned(table).length;
  for (const cards of [
    ['TS 9H 9D', 'KC 8C'],
    ['3C TD 9S 9C', 'KD 8S'],
  ] as const) {
    table.bets({ 1: 1_000 });
    table.draw(cards[0]);
    table.wait();
    table.act(1, 'stand');
    table.draw(cards[1]);
    table.close();
  }
  assert.deepEqual(burned(table).slice(start), [
    'KC before-bank-second art.4.2',
    '3C round art.4.2',
    'KD before-bank-second art.4.2',
  ]);
});

test('art. 5.1.1 a card that came face up is set aside and the next takes its place', () => {
  const table = TestTable.ready({ exposedFirstCardValid: true });
  table.bets({ 1: 1_000 });
  table.draw('!KH TS');
  assert.equal(burned(table).at(-1), 'KH exposed art.5.1.1');
  assert.deepEqual(table.state.round?.seats[0]?.hands[0]?.cards.map(cardName), ['TS']);
});

test('art. 5.1.1 the dealer says that the next card lies face up, or that it does not after all', () => {
  const table = TestTable.ready();
  const options = (): string[] => dealerOptions(table.state).map(({ option }) => option);
  const say = (faceUp: boolean) => ({ type: 'announce-face-up', faceUp, person: DEALER }) as const;
  assert.ok(!options().includes('card-face-up'), 'no card is due');
  assert.equal(table.try(say(true))?.code, 'not-due');
  table.bets({ 1: 1_000 });
  assert.ok(options().includes('card-face-up'));
  table.must(say(true));
  assert.ok(options().includes('card-face-down'));
  assert.equal(table.try(say(true))?.code, 'not-due');
  table.must(say(false));
  assert.ok(options().includes('card-face-up'), 'and may say so again');
  table.draw('TS');
  table.must(say(true));
  table.draw('KH 9H');
  assert.equal(burned(table).at(-1), 'KH exposed art.5.1.1');
  assert.deepEqual(table.state.round?.bank.map(cardName), ['9H']);
  assert.deepEqual(table.state.round?.seats[0]?.hands[0]?.cards.map(cardName), ['TS']);
});

test('art. 5.1.1 a card when none is due holds the table until it is set aside', () => {
  const table = TestTable.ready();
  table.bets({ 1: 1_000 });
  table.draw('TS 9H 9D');
  table.wait();
  assert.equal(table.try({ type: 'draw-wrong', shown: true })?.code, 'not-due');
  assert.equal(table.try({ type: 'set-card-aside', person: DEALER })?.code, 'not-due');
  const left = table.state.deadline!.atMs - table.atMs;
  table.draw('5C');
  assert.equal(table.state.hold?.code, 'unexpected-card');
  assert.equal(table.state.hold?.card, card('5C'), 'nobody keeps it: it may be seen');
  assert.equal(table.state.deadline, null);
  assert.equal(table.tryAct(1, 'stand')?.code, 'held');
  assert.equal(table.try({ type: 'draw-wrong', shown: true })?.code, 'not-allowed');
  assert.equal(step(table), 'resolve-card');
  table.atMs += 60_000;
  table.must({ type: 'set-card-aside', person: DEALER });
  assert.equal(table.state.hold, null);
  assert.equal(table.state.deadline!.atMs - table.atMs, left - 1);
  table.draw('6C');
  const named = { type: 'confirm-card', drawNo: null, card: card('6C'), person: DEALER } as const;
  assert.equal(table.try(named)?.code, 'not-due');
  table.must({ type: 'set-card-aside', person: DEALER });
  assert.equal(burned(table).at(-2), '5C set-aside art.5.1.1');
  table.act(1, 'stand');
});

test('art. 6.1 a card that may be kept for the next hand is not shown while it waits, and stays hidden until it is dealt', () => {
  const table = TestTable.ready({ wrongDealerCard: 'validIfUnseen' });
  table.bets({ 1: 1_000 });
  table.draw('TS 9H 9D');
  table.wait();
  table.act(1, 'stand');
  assert.ok(!hidesCards(table.state));
  table.draw('TC 5C');
  assert.equal(table.state.hold?.card, null, 'the table does not say what the next hand may begin with');
  assert.ok(hidesCards(table.state));
  table.must({ type: 'draw-wrong', shown: false });
  table.close();
  assert.ok(table.state.round === null && hidesCards(table.state), 'also between the rounds');
  assert.doesNotMatch(JSON.stringify(knownState(table.state)), new RegExp(`"card":${card('5C')}\\b`));
  table.bets({ 1: 1_000 });
  assert.ok(!hidesCards(table.state), 'it is dealt');
});

test('art. 6.1 a card the bank must not draw is taken out, or stays next if the house has it so and it was not seen', () => {
  const wrong = (option: string, shown: boolean): string => {
    const table = TestTable.ready({ wrongDealerCard: option });
    table.bets({ 1: 1_000 });
    table.draw('TS 9H 9D');
    table.wait();
    table.act(1, 'stand');
    table.draw('TC 5C');
    assert.ok(options(table).includes('draw-wrong'));
    table.must({ type: 'draw-wrong', shown });
    table.close();
    if (burned(table).at(-1) === '5C wrong-bank-card art.6.1') return 'out';
    table.bets({ 1: 1_000 });
    const first = table.state.round?.seats[0]?.hands[0]?.cards[0];
    return first === card('5C') ? 'dealt next' : 'lost';
  };
  assert.equal(wrong('void', true), 'out');
  assert.equal(wrong('void', false), 'out');
  assert.equal(wrong('validIfUnseen', true), 'out');
  assert.equal(wrong('validIfUnseen', false), 'dealt next');
});

test('art. 6.1 a card that is kept and was hard to read is named when its turn has come', () => {
  const table = TestTable.ready({ wrongDealerCard: 'validIfUnseen' });
  table.bets({ 1: 1_000 });
  table.draw('TS 9H 9D');
  table.wait();
  table.act(1, 'stand');
  table.draw('TC');
  assert.equal(table.tryDraw('5C', null, 10), null);
  table.must({ type: 'draw-wrong', shown: false });
  table.close();
  assert.equal(table.state.hold, null);
  table.bets({ 1: 1_000 });
  assert.equal((table.state.hold as Hold | null)?.code, 'doubtful-card');
});

test('a card the shoe could not read surely counts only as a person confirms it', () => {
  const table = TestTable.ready();
  table.bets({ 1: 1_000 });
  assert.equal(table.tryDraw('TS', null, 99), null);
  assert.equal(table.state.hold?.code, 'doubtful-card');
  assert.deepEqual(nextStep(table.state), {
    step: 'confirm-card',
    card: card('TS'),
    cites: ['art.5.1.2'],
  });
  assert.equal(table.state.round?.seats.length, 0);
  table.must({ type: 'confirm-card', drawNo: null, card: card('JS'), person: DEALER });
  assert.equal(table.state.hold, null);
  assert.deepEqual(table.state.round?.seats[0]?.hands[0]?.cards.map(cardName), ['JS']);
  const stored = table.events.find((event) => event.type === 'card-confirmed');
  assert.equal(stored?.person.id, DEALER.id);
});

test('no card can come more often than there are decks', () => {
  const table = TestTable.ready({ decks: 2 });
  table.bets({ 1: 1_000, 2: 1_000, 3: 1_000 });
  table.draw('TS TS TS');
  assert.equal(table.state.hold?.code, 'doubtful-card');
  assert.equal(step(table), 'resolve-card', 'nobody is asked to confirm what is refused');
  assert.deepEqual(
    remedies(table.state).map(({ remedy }) => remedy),
    ['name-card', 'void-round'],
  );
  const again = { type: 'confirm-card', drawNo: null, person: DEALER } as const;
  assert.equal(table.try({ ...again, card: card('TS') })?.code, 'not-allowed');
  table.must({ ...again, card: card('TC') });
  assert.equal(table.state.hold, null);
  assert.notEqual(step(table), 'load-shoe', 'in a round it is dealt on');
  table.draw('TS');
  assert.equal((table.state.hold as Hold | null)?.code, 'doubtful-card');
  const told = table.events.filter(({ type }) => type === 'shoe-suspected');
  assert.deepEqual(
    told.map((event) => 'card' in event),
    [false],
    'once, and without the card',
  );
  // These cards deal no further round: whatever becomes of this one, others are made ready.
  table.must({ type: 'void-round', reason: 'shoe-fault', person: SUPERVISOR });
  table.close();
  assert.equal(step(table), 'load-shoe');
  assert.equal(table.try({ type: 'open-betting', roundId: 'r2' })?.code, 'not-due');
  table.shoe();
  table.open();
  table.checkReplay();
});

test('a card that waited is one too many where others like it came before it', () => {
  const table = TestTable.ready({ decks: 2 });
  table.bets({ 1: 1_000, 2: 1_000, 3: 1_000 });
  table.draw('TS');
  assert.equal(table.tryDraw('9C', null, 10), null);
  // Each of them could be the second one.
  table.draw('TS TS');
  table.must({ type: 'confirm-card', drawNo: null, card: card('9C'), person: DEALER });
  assert.equal(table.state.hold?.code, 'doubtful-card');
  assert.equal(step(table), 'resolve-card');
  assert.equal(table.state.shoe.counts[card('TS')], 2);
  assert.equal(table.events.filter(({ type }) => type === 'shoe-suspected').length, 1);
});

test('what is no card and no number is refused; just enough is read surely, and an unread card is named whatever the shoe says', () => {
  const table = TestTable.ready({}, { timing: { ...profileWith().timing, minConfidence: 100 } });
  table.bets({ 1: 1_000 });
  const draw = (changes: object) =>
    table.try({ type: 'draw-card', drawNo: null, card: card('TS'), confidence: 255, ...changes } as never);
  for (const [changes, detail] of [
    [{ card: 52 }, 'card'],
    [{ card: -1 }, 'card'],
    [{ card: 1.5 }, 'card'],
    [{ card: '7' }, 'card'],
    [{ drawNo: 1.5 }, 'drawNo'],
  ] as const)
    assert.deepEqual([draw(changes)?.code, draw(changes)?.detail], ['malformed', detail]);
  assert.equal(draw({ drawNo: 0, confidence: 100 }), null);
  assert.deepEqual([table.state.hold, table.state.shoe.drawn], [null, 2]);
  assert.equal(draw({ card: card('9H') }), null, 'one without a number is no repeat, and leaves no gap');
  assert.deepEqual([table.state.hold, table.state.shoe.drawn, table.bank], [null, 3, '9H']);
  assert.equal(draw({ card: null }), null);
  assert.equal(table.state.shoe.waiting[0]?.why, 'gap');
  assert.equal(table.state.hold?.code, 'card-gap');
  assert.equal(table.try({ type: 'draw-wrong', shown: true })?.code, 'not-due');
  assert.equal(table.try({ type: 'set-card-aside', person: DEALER })?.code, 'not-due');
});

test('the word of a person on a card: its number, two persons, a reason in words', () => {
  const table = TestTable.ready();
  table.bets({ 1: 1_000, 2: 1_000 });
  assert.equal(table.tryDraw('TS', 7, 10), null);
  const word = { type: 'confirm-card', drawNo: null, card: card('TS'), person: SUPERVISOR } as const;
  assert.deepEqual(table.try({ ...word, card: 52 as never })?.detail, 'card');
  assert.equal(table.try({ ...word, second: SUPERVISOR })?.code, 'person');
  assert.equal(table.try({ ...word, reason: 'other' })?.detail, 'words: a reason in words');
  table.must({ ...word, second: DEALER, reason: 'other', words: 'a bent corner' });
  assert.equal(table.tryDraw('9H', null, 10), null);
  table.must({ ...word, drawNo: 8, card: card('9H'), reason: 'unreadable' as never });
  const told = table.events.flatMap((event) => (event.type === 'card-confirmed' ? [event] : []));
  assert.deepEqual(
    told.map(({ drawNo, second, reason, words }) => [drawNo, second?.id, reason, words]),
    [
      [7, DEALER.id, 'other', 'a bent corner'],
      [null, undefined, 'unreadable', undefined],
    ],
  );
  assert.deepEqual(
    told.map((event) => ['second', 'reason', 'words'].filter((member) => member in event)),
    [['second', 'reason', 'words'], ['reason']],
  );
  assert.equal(table.tryDraw('5C', null, 10), null);
  table.must({ ...word, card: card('5C') });
  assert.ok(!('reason' in table.events.findLast(({ type }) => type === 'card-confirmed')!));
});

test('a hold gives way to the next reason to stand still; what came meanwhile waits for its end', () => {
  const held = (table: TestTable): string | null => table.state.hold?.code ?? null;
  const doubtful = (): TestTable => {
    const table = TestTable.ready();
    table.bets({ 1: 1_000 });
    assert.equal(table.tryDraw('TS', null, 10), null);
    return table;
  };
  const word = { type: 'confirm-card', drawNo: null, card: card('TS'), person: DEALER } as const;
  const books = doubtful();
  books.must({ type: 'report-fault', device: 'books', fault: 'books-differ', place: '' });
  assert.equal(books.try({ type: 'request-cash-out', seat: 1, requestId: 'c' })?.code, 'held');
  books.must(word);
  assert.equal(held(books), 'books');
  books.must({ type: 'clear-fault', device: 'books', fault: 'books-differ' });
  assert.equal(
    books.try({ type: 'request-cash-out', seat: 1, requestId: 'c' })?.code,
    'held',
    'until a word',
  );
  const shoe = doubtful();
  shoe.must({ type: 'report-fault', ...shoeFault('shoe-jam') });
  shoe.must(word);
  assert.deepEqual([held(shoe), shoe.state.hold?.detail], ['shoe-fault', 'shoe-jam']);
  const unread = doubtful();
  unread.must({ type: 'hold-money', why: 'differs', input: null });
  unread.must(word);
  assert.equal(held(unread), 'unread');
  // Without a round only a card holds the table.
  for (const fault of [
    shoeFault('shoe-jam'),
    { device: 'display', fault: 'lost', place: '', stops: 'table' } as const,
  ]) {
    const idle = TestTable.ready();
    idle.draw('5C');
    idle.must({ type: 'report-fault', ...fault });
    idle.must({ type: 'set-card-aside', person: DEALER });
    assert.equal(held(idle), null);
  }
  const recovery = TestTable.ready();
  recovery.bets({ 1: 1_000 });
  recovery.draw('TS');
  recovery.must({ type: 'start-terminal', bootId: 'b', softwareId: 's' });
  assert.ok(!options(recovery).includes('card-face-up'), 'no card is announced while the table is held');
  recovery.draw('9H');
  assert.equal(recovery.bank, '');
  recovery.must({ type: 'enter-service', person: TECHNICIAN });
  recovery.must({ type: 'exit-service' });
  assert.equal(recovery.bank, '', 'nor is it dealt where service ends and the hold does not');
  recovery.must({ type: 'confirm-layout', person: DEALER });
  assert.equal(recovery.bank, '9H');
});

test('art. 6.1 in a cancelled round no card is one the bank drew when it must not', () => {
  const table = TestTable.ready();
  table.bets({ 1: 1_000 });
  table.draw('TS 9H 9D');
  table.wait();
  table.act(1, 'stand');
  table.draw('4C');
  table.must({ type: 'void-round', reason: 'misdeal', person: SUPERVISOR });
  table.draw('5C');
  assert.equal(table.try({ type: 'draw-wrong', shown: true })?.code, 'not-allowed');
});

test('art. 2.2.2 a fault of the cards asks for others before they are cut too; the same word of another device does not', () => {
  const cutting = new TestTable();
  cutting.must({ type: 'configure', profile: profileWith(), person: TECHNICIAN });
  cutting.must({ type: 'sign-in-dealer', person: DEALER });
  cutting.must({ type: 'load-shoe', shoeId: 's', decks: 6 });
  assert.equal(step(cutting), 'cut-shoe');
  assert.equal(dueCard(cutting.state), null);
  cutting.must({ type: 'report-fault', ...shoeFault('shoe-swapped') });
  assert.equal(step(cutting), 'load-shoe');
  const table = TestTable.ready();
  table.must({ type: 'report-fault', device: 'camera', fault: 'shoe-gap', place: '' });
  assert.equal(step(table), 'open-betting');
  const burning = (faceUp: boolean): TestTable => {
    const before = new TestTable();
    before.must({ type: 'configure', profile: profileWith(), person: null });
    before.must({ type: 'sign-in-dealer', person: DEALER });
    before.must({ type: 'load-shoe', shoeId: 's', decks: 6 });
    before.must({ type: 'cut-shoe', seat: null });
    before.must({ type: 'place-end-card', cardsBehind: 60 });
    assert.equal(before.try({ type: 'announce-face-up', faceUp, person: DEALER })?.code, 'not-due');
    if (faceUp) before.draw('AD');
    return before;
  };
  assert.deepEqual(burned(burning(true)), ['AD start art.4.1']);
  const left = burning(false);
  left.must({ type: 'sign-out-dealer' });
  assert.equal(dueCard(left.state), null, 'nobody is there to burn it');
});

test('art. 2.1.1 just as many cards as must lie behind the white card are enough for a round', () => {
  const table = TestTable.ready({ cutBehind: 60 });
  for (const [left, due] of [
    [60, 'open-betting'],
    [59, 'load-shoe'],
  ] as const) {
    for (const { shoe } of [table.state, table.replayed]) shoe.drawn = 312 - left;
    assert.equal(step(table), due, `${left}`);
  }
});

test('art. 5.1.1 the first card of the game that lay face up and was hard to read is valid once it is named', () => {
  const table = TestTable.ready({ cardSource: 'autoShuffler', exposedFirstCardValid: true });
  for (const { shoe } of [table.state, table.replayed]) shoe.drawn = 0;
  table.bets({ 1: 1_000 });
  assert.equal(table.tryDraw('!TS', null, 10), null);
  table.must({ type: 'confirm-card', drawNo: null, card: card('TS'), person: DEALER });
  assert.deepEqual(table.state.round?.seats[0]?.hands[0]?.cards.map(cardName), ['TS']);
});

test('a card that is doubted waits for its name where the house takes every reading too', () => {
  const table = TestTable.ready({}, { timing: { ...profileWith().timing, minConfidence: 0 } });
  table.bets({ 1: 1_000 });
  table.draw('TS');
  table.must({ type: 'doubt-card', person: DEALER });
  assert.equal(table.state.hold?.code, 'doubtful-card');
  table.must({ type: 'start-terminal', bootId: 'b', softwareId: 's' });
  table.must({ type: 'confirm-layout', person: DEALER });
  assert.equal(table.state.hold?.code, 'doubtful-card', 'over a restart too');
});

test('numbers: a repeat changes nothing, a gap holds until the missing card is named', () => {
  const table = TestTable.ready();
  table.bets({ 1: 1_000, 2: 1_000 });
  assert.equal(table.tryDraw('TS', 7), null);
  assert.equal(table.tryDraw('TS', 7)?.code, 'duplicate');
  assert.equal(table.tryDraw('4S', 6)?.code, 'duplicate');
  assert.equal(table.tryDraw('9H', 9), null);
  assert.equal(table.state.hold?.code, 'card-gap');
  assert.equal(table.state.hold?.drawNo, 8);
  assert.equal(
    table.try({ type: 'confirm-card', drawNo: 9, card: card('9H'), person: DEALER })?.code,
    'not-due',
  );
  table.must({ type: 'confirm-card', drawNo: 8, card: card('5D'), person: DEALER });
  assert.equal(table.state.hold, null);
  const hands = table.state.round?.seats.map(({ hands: [hand] }) => hand?.cards.map(cardName));
  assert.deepEqual(hands, [['TS'], ['5D']]);
  assert.equal(table.bank, '9H');
  assert.equal(table.tryDraw('3S', 10), null);
});

test('a card that left the shoe unread is named by a person and goes where it was due', () => {
  const table = TestTable.ready();
  table.bets({ 1: 1_000, 2: 1_000 });
  table.draw('TS');
  const drawn = table.state.shoe.drawn;
  table.must({ type: 'draw-card', drawNo: null, card: null, confidence: 0 });
  table.draw('9H');
  assert.equal(table.state.hold?.code, 'card-gap');
  assert.equal(table.state.shoe.drawn, drawn + 2);
  assert.equal(step(table), 'resolve-card');
  table.must({ type: 'confirm-card', drawNo: null, card: card('5D'), person: SUPERVISOR });
  assert.equal(table.state.hold, null);
  const hands = table.state.round?.seats.map(({ hands: [hand] }) => hand?.cards.map(cardName));
  assert.deepEqual(hands, [['TS'], ['5D']]);
  assert.equal(table.bank, '9H');
  table.checkReplay();
});

const shoeFault = (fault: string) => ({ device: 'shoe', fault, place: 'card shoe' });

test('art. 5.1.2 a shoe that runs empty in a round holds it: void, then a new shoe ends the fault', () => {
  const table = TestTable.ready();
  table.bets({ 1: 1_000 });
  table.draw('TS 9H');
  table.must({ type: 'report-fault', ...shoeFault('shoe-empty') });
  assert.deepEqual([table.state.hold?.code, table.state.hold?.detail], ['shoe-fault', 'shoe-empty']);
  assert.equal(step(table), 'call-supervisor');
  assert.ok(options(table).includes('void-round'));
  assert.equal(table.try({ type: 'confirm-layout', person: DEALER })?.code, 'held');
  assert.equal(table.try({ type: 'load-shoe', shoeId: 's2', decks: 6 })?.code, 'held');
  table.must({ type: 'void-round', reason: 'shoe-fault', person: SUPERVISOR });
  assert.equal(table.credit(1), 100_000);
  table.close();
  assert.equal(step(table), 'load-shoe');
  assert.equal(table.try({ type: 'open-betting', roundId: 'r9' })?.code, 'held');
  table.shoe();
  assert.deepEqual(table.state.faults, []);
  assert.equal(step(table), 'open-betting');
  table.checkReplay();
});

test('a new shoe ends only faults of cards: an open cover or a lost link stays', () => {
  const table = TestTable.ready();
  for (const fault of ['shoe-gap', 'shoe-swapped', 'shoe-not-authentic', 'shoe-cover-open', 'shoe-offline'])
    table.must({ type: 'report-fault', ...shoeFault(fault) });
  assert.equal(step(table), 'load-shoe');
  table.must({ type: 'load-shoe', shoeId: 's2', decks: 6 });
  assert.deepEqual(
    table.state.faults.map(({ fault }) => fault),
    ['shoe-cover-open', 'shoe-offline'],
  );
});

test('arts. 2.1.1, 2.2.1 no round begins with fewer cards than must lie behind the white card, and one in play ends', () => {
  const table = TestTable.ready({ cutBehind: 60 });
  const shoe = shuffledShoe(6, 7).map(cardName);
  shoe.splice(shoe.indexOf('AD'), 1);
  const next = () => shoe.pop()!;
  const round = (): void => {
    table.bets({ 1: 1_000 });
    table.draw(`${next()} ${next()} ${next()}`);
    for (let i = 0; i < 40 && table.state.phase !== 'settled'; i++)
      if (table.state.deadline) table.wait();
      else table.draw(next());
    table.close();
  };
  while (step(table) === 'open-betting') round();
  const left = 6 * 52 - table.state.shoe.drawn;
  assert.ok(left < 60 && left > 40, `${left} left`);
  assert.equal(table.state.shoe.ended, false);
  assert.equal(step(table), 'load-shoe');
  assert.equal(table.try({ type: 'open-betting', roundId: 'r' })?.code, 'not-due');
  table.shoe();
  assert.equal(step(table), 'open-betting');
});

test('cards that come while the table is held are kept in order and placed when it goes on', () => {
  const table = TestTable.ready();
  table.bets({ 1: 1_000 });
  table.tryDraw('TS', null, 10);
  table.draw('9H 9D');
  assert.equal(table.state.shoe.waiting.length, 3);
  table.must({ type: 'confirm-card', drawNo: null, card: card('TS'), person: DEALER });
  assert.equal(table.state.phase, 'offers');
  assert.equal(table.state.shoe.waiting.length, 0);
});

test('art. 5.1.2 a void round gives back every stake, raise and insurance, and needs a person of the table', () => {
  const table = TestTable.ready();
  table.bets({ 1: 10_000, 2: 5_000 });
  table.draw('8S TS AH 8D TD');
  table.act(1, 'insure', { amount: 5_000 });
  table.act(2, 'playOn');
  table.act(1, 'split');
  table.draw('3C');
  table.act(1, 'double');
  assert.equal(table.credit(1), 65_000);
  const voiding = { type: 'void-round', reason: 'misdeal' } as const;
  assert.equal(table.try({ ...voiding, person: TECHNICIAN })?.code, 'person');
  table.must({ ...voiding, person: SUPERVISOR });
  assert.equal(table.credit(1), 100_000);
  assert.equal(table.credit(2), 100_000);
  assert.deepEqual(table.lines, [
    '1.0 main void 0 art.5.1.2',
    '1.1 main void 0 art.5.1.2',
    '1 insurance void 0 art.5.1.2',
    '2.0 main void 0 art.5.1.2',
  ]);
  assert.equal(table.try({ ...voiding, person: SUPERVISOR })?.code, 'round-over');
  table.close();
  assert.equal(table.state.phase, 'idle');
});

test('a settled round lies until its result could be read: 0.4 s for each card, or longer by the profile', () => {
  const table = TestTable.ready();
  const seven = { 1: 1_000, 2: 1_000, 3: 1_000, 4: 1_000, 5: 1_000, 6: 1_000, 7: 1_000 };
  table.bets(seven);
  table.draw('TS TD TH TC JS JD JH 9H 9S 9D 9C 9S 9D 9C 9S');
  table.wait();
  for (const seat of Object.keys(seven)) table.act(Number(seat), 'stand');
  table.draw('8C');
  const settledAtMs = table.atMs;
  assert.equal(table.try({ type: 'close-round' })?.code, 'not-due');
  assert.deepEqual(nextStep(table.state), {
    step: 'read-results',
    untilMs: settledAtMs + 16 * 400,
    cites: [],
  });
  table.must({ type: 'close-round', atMs: settledAtMs + 16 * 400 });
});

test('K6: a round lasts as long as the house asks for at least, however fast it is played', () => {
  const { timing } = profileWith();
  const table = TestTable.ready({}, { timing: { ...timing, minRoundMs: 72_000 } });
  for (const waitMs of [0, 80_000]) {
    table.bets({ 1: 1_000 });
    const { openedAtMs } = table.state.round!;
    table.draw('TS 9H 8D');
    table.wait();
    table.act(1, 'stand');
    table.atMs += waitMs;
    table.draw('8C');
    const untilMs = Math.max(openedAtMs + 72_000, table.atMs + timing.minResultMs);
    assert.equal(table.state.deadline?.atMs, untilMs);
    assert.equal(table.try({ type: 'close-round', atMs: untilMs - 1 })?.code, 'not-due');
    table.must({ type: 'close-round', atMs: untilMs });
    table.atMs = untilMs;
  }
  const none = profileWith({}, { timing: { ...timing, minRoundMs: 0 } });
  const refused = new TestTable().try({ type: 'configure', profile: none, person: TECHNICIAN });
  assert.equal(refused?.code, 'malformed');
  assert.match(refused?.detail ?? '', /minRoundMs/);
});

test('the decision of a silent player is to stand; a late one is refused as late', () => {
  const table = TestTable.ready();
  table.bets({ 1: 1_000 });
  table.draw('TS 9H 2D');
  table.wait();
  const deadline = table.state.deadline!.atMs;
  table.atMs = deadline + 300;
  assert.equal(table.tryAct(1, 'hit')?.code, 'too-late');
  table.must({ type: 'reach-deadline' });
  const stood = table.events.findLast((event) => event.type === 'hand-stood');
  assert.equal(stood?.byDefault, true);
  assert.equal(table.state.phase, 'bank');
});

test('a simulated shoe is a permutation of its decks and the same for the same seed', () => {
  const shoe = shuffledShoe(6, 57);
  assert.deepEqual(shuffledShoe(6, 57), shoe);
  assert.notDeepEqual(shuffledShoe(6, 58), shoe);
  assert.deepEqual(
    shoe.toSorted((a, b) => a - b),
    Array.from({ length: 312 }, (_, i) => Math.floor(i / 6)),
  );
  assert.throws(() => shuffledShoe(0, 1), RangeError);
});

test('art. 5.1.1 valid is only the first card of the shoe, not the first of a later round of the shuffler', () => {
  const table = TestTable.ready({ cardSource: 'autoShuffler', exposedFirstCardValid: true });
  table.bets({ 1: 1_000 });
  table.draw('TS 9H 9D');
  table.wait();
  table.act(1, 'stand');
  table.draw('8C');
  table.close();
  table.bets({ 1: 1_000 });
  table.draw('!KH');
  assert.equal(burned(table).at(-1), 'KH exposed art.5.1.1');
});

test('C5: where the house wants it, a card with which money is paid waits for the dealer, and may be another one', () => {
  const table = TestTable.ready({}, { payingCardConfirmed: true });
  const held = (): Hold | null => table.state.hold;
  const confirm = (name: string, more: object = {}) =>
    table.try({ type: 'confirm-card', drawNo: null, card: parseCard(name)!, person: DEALER, ...more });
  table.bets({ 1: 10_000 });
  table.draw('TS 9H TD');
  table.wait();
  assert.equal(held(), null, 'no money is paid with these');
  table.act(1, 'stand');
  const before = table.credit(1);
  table.draw('8C');
  assert.deepEqual([held()?.code, table.state.round!.lines], ['doubtful-card', null]);
  assert.equal(nextStep(table.state).step, 'confirm-card');
  assert.equal(table.credit(1), before, 'nothing is paid meanwhile');
  // It was a nine of clubs: 20 against 18 is still won, by the card that lies there.
  const named = { second: SUPERVISOR, reason: 'read-wrong' as const };
  assert.equal(confirm('9C', { ...named, second: DEALER })?.code, 'person', 'two different persons');
  assert.equal(confirm('9C', named), null);
  const told = table.events.find(({ type }) => type === 'card-confirmed');
  assert.ok(told?.type === 'card-confirmed');
  assert.deepEqual(
    [told.read, told.card],
    [parseCard('8C'), parseCard('9C')],
    'what was read stays in the ledger',
  );
  assert.equal(held(), null);
  assert.ok(table.state.round!.lines !== null);
  assert.equal(table.credit(1), before + 20_000);
  table.close();
  // A blackjack that is paid at once, and the dealer's word alone where it is right.
  table.bets({ 1: 10_000 });
  table.draw('AS 7H KD');
  if (table.state.deadline) table.wait();
  for (let times = 0; table.state.round?.lines === null && times < 5; times += 1) {
    if (held()) assert.equal(confirm(cardName(held()!.card!)), null);
    else table.draw('TC');
  }
  assert.ok(table.state.round?.lines);
  table.checkReplay();
});

test('a card in doubt that is read a second time waits with what was read then; one not read stays as it was', () => {
  const table = TestTable.ready();
  table.bets({ 1: 1_000, 2: 1_000 });
  const again = (read: Card | null) => ({
    ...({ type: 'read-card-again', card: read, confidence: 90, shoeSeq: 7, person: DEALER } as const),
  });
  const waits = () => {
    const { hold, shoe } = table.state;
    return [
      hold?.code,
      hold?.card,
      ...shoe.waiting.map(({ card, confidence, why }) => [card, confidence, why]),
    ];
  };
  assert.equal(table.try(again(card('TS')))?.code, 'not-due');
  table.must({ type: 'draw-card', drawNo: null, card: null, confidence: 0 });
  assert.deepEqual(waits(), ['card-gap', null, [null, 0, 'gap']]);
  table.must(again(null));
  assert.deepEqual(waits(), ['card-gap', null, [null, 0, 'gap']]);
  table.must(again(card('TS')));
  assert.deepEqual(waits(), ['doubtful-card', card('TS'), [card('TS'), 90, 'doubtful']]);
  assert.equal(table.try(again(99 as Card))?.code, 'malformed');
  table.draw('9H');
  assert.equal(table.try(again(card('TS')))?.code, 'not-allowed', 'two of them wait');
  table.must({ type: 'confirm-card', drawNo: null, card: card('TS'), person: DEALER });
  assert.equal(table.state.hold, null);
  assert.deepEqual(
    table.state.round!.seats.map(({ hands }) => hands[0]!.cards.map(cardName).join()),
    ['TS', '9H'],
  );
  table.checkReplay();
});

test('a card that is to lie face down is not held before the reader again', () => {
  const table = TestTable.ready({ dealing: 'holeCard' });
  table.bets({ 1: 1_000 });
  const again = {
    type: 'read-card-again',
    card: card('6C'),
    confidence: 255,
    shoeSeq: 4,
    person: DEALER,
  } as const;
  const rereads = (): boolean =>
    remedies(table.state, true).some(({ remedy }) => remedy === 'read-card-again');
  table.draw('TS 9H');
  assert.equal(table.tryDraw('8D', null, 20), null);
  assert.equal(rereads(), true);
  assert.equal(
    remedies(table.state).some(({ remedy }) => remedy === 'read-card-again'),
    false,
    'a shoe that reads a card once',
  );
  table.must({ type: 'confirm-card', drawNo: null, card: card('8D'), person: DEALER });
  assert.equal(table.tryDraw('6C', null, 20), null);
  assert.equal(table.state.hold?.code, 'doubtful-card');
  assert.equal(table.try(again)?.detail, 'the card lies face down');
  assert.equal(rereads(), false);

  const none = TestTable.ready();
  none.must({ type: 'draw-card', drawNo: null, card: null, confidence: 0 });
  assert.deepEqual([none.state.hold?.code, dueCard(none.state)], ['card-gap', null]);
  none.must({ ...again, card: card('6C') });
  none.must({ ...again, card: card('6D') });
  assert.equal(none.state.hold?.card, card('6D'));
});

test('a house that confirms paying cards asks for the one that ends the round or pays at once, and for no other', () => {
  const paying = (
    options: Readonly<Record<string, string | boolean>>,
    rulebook: 'macau-blackjack-2009' | 'portugal-blackjack',
  ) => {
    const table = TestTable.ready(options, { payingCardConfirmed: true, rulebook });
    const held: string[] = [];
    const draw = (cards: string): void => {
      for (const text of cards.split(' ')) {
        table.draw(text);
        if (!table.state.hold) continue;
        held.push(
          `${text} ${table.state.hold.code} ${table.state.hold.card === null ? 'unseen' : ''}`.trim(),
        );
        table.must({ type: 'confirm-card', drawNo: null, card: card(text), person: DEALER });
      }
    };
    return { table, held, draw };
  };
  const lost = paying({}, 'macau-blackjack-2009');
  assert.equal(lost.table.state.shoe.stage, 'ready', 'nothing is paid with what is burnt');
  lost.table.bets({ 1: 1_000 });
  lost.draw('TS 9H 7D');
  lost.table.wait();
  lost.table.act(1, 'stand');
  lost.draw('TC');
  assert.deepEqual([lost.held, lost.table.lines.length], [['TC doubtful-card'], 1], 'also where all is lost');

  const hole = paying({ dealing: 'holeCard' }, 'macau-blackjack-2009');
  hole.table.bets({ 1: 1_000 });
  hole.draw('TS TH 7D AC');
  assert.deepEqual(hole.held, [], 'what lies face down is not asked for');

  const stray = paying({}, 'macau-blackjack-2009');
  stray.table.bets({ 1: 1_000 });
  stray.draw('TS 9H 7D');
  stray.table.wait();
  stray.table.draw('5C');
  assert.equal(stray.table.state.hold?.code, 'unexpected-card');
  stray.table.must({ type: 'set-card-aside', person: DEALER });
  stray.table.act(1, 'hit');
  stray.table.must({ type: 'draw-card', drawNo: null, card: null, confidence: 0 });
  assert.equal(stray.table.state.hold?.code, 'card-gap');

  const seen = paying({ dealing: 'holeCard', surrender: false }, 'macau-blackjack-2009');
  seen.table.bets({ 1: 1_000 });
  seen.draw('TS TH KD AC');
  assert.deepEqual([seen.held, seen.table.lines.length], [[], 1], 'also where the round is over with it');

  const atOnce = paying({}, 'macau-blackjack-2009');
  atOnce.table.bets({ 1: 1_000 });
  atOnce.draw('7S TH 7D');
  atOnce.table.wait();
  atOnce.table.act(1, 'hit');
  atOnce.draw('7C');
  assert.deepEqual(atOnce.held, ['7C doubtful-card'], 'art. 15');
  assert.deepEqual([atOnce.table.state.round?.lines, atOnce.table.credit(1)], [null, 102_000]);
});
