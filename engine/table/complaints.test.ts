import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ATTENDANT, amount, DEALER, SUPERVISOR, TestTable } from '../../test/support/table-kit.ts';
import { cardName } from '../core/cards.ts';
import { complaintWindow, dealerOptions, nextStep } from '../engine.ts';

/** A round of Macau in which seat 1 stands on 19 against 20 and loses. */
function played(changes: Parameters<typeof TestTable.ready>[1] = {}): TestTable {
  const table = TestTable.ready({}, changes);
  round(table);
  return table;
}
function round(table: TestTable): void {
  table.bets({ 1: 10_000 });
  table.draw('TS KD 9H');
  table.wait();
  table.act(1, 'stand');
  table.draw('QC');
}
const raise = { type: 'raise-complaint', seat: 1, from: 'player' } as const;
const close = { type: 'close-complaint', complaintNo: 1, person: SUPERVISOR } as const;

test('510 where no article has a term the house’s runs from the end of the round, over the next one', () => {
  const table = TestTable.ready();
  assert.equal(complaintWindow(table.state), null);
  const early = table.try(raise);
  assert.deepEqual([early?.code, early?.cites], ['too-late', []], 'no round yet');
  round(table);
  const endedAtMs = table.state.round?.settledAtMs ?? 0;
  assert.deepEqual(complaintWindow(table.state), {
    roundId: 'r1',
    roundNo: 1,
    untilMs: endedAtMs + 300_000,
    cites: [],
  });
  table.close();
  assert.equal(complaintWindow(table.state)?.roundNo, 1, 'the cards are gone, the round is not');
  table.open();
  table.bet(2, 10_000);
  table.must({ ...raise, atMs: endedAtMs + 300_000 });
  assert.equal(table.try({ ...raise, seat: 2, atMs: endedAtMs + 300_001 })?.code, 'too-late');
  assert.equal(table.try({ ...raise, atMs: endedAtMs + 200_000 })?.code, 'duplicate');
  assert.equal(table.try({ ...raise, seat: 9 })?.code, 'unknown-seat');
  table.checkReplay();
});

test('510 the house says how long; 0 = never', () => {
  const minute = played({ complaintWindowMs: 60_000 });
  const endedAtMs = minute.state.round?.settledAtMs ?? 0;
  assert.equal(complaintWindow(minute.state)?.untilMs, endedAtMs + 60_000);
  const never = played({ complaintWindowMs: 0 });
  assert.equal(never.try(raise)?.code, 'too-late');
  assert.ok(!dealerOptions(never.state).some(({ option }) => option === 'raise-complaint'));
});

test('510 the complaint names its round, who raised it and the cards as they lay, also after they are gone', () => {
  const table = played();
  table.close();
  round(table);
  table.close();
  table.open();
  table.bet(1, 10_000);
  table.must({ type: 'close-betting' });
  table.draw('2S');
  table.must(raise);
  const raised = table.events.at(-1);
  assert.ok(raised?.type === 'complaint-raised');
  assert.deepEqual([raised.ofRoundId, raised.roundNo, raised.from, raised.seat], ['r2', 2, 'player', 1]);
  assert.equal(raised.cards?.bank.map(cardName).join(' '), 'KD QC');
  assert.deepEqual(
    raised.cards?.seats.map(({ seat, hands }) => [seat, hands[0]?.map(cardName).join(' ')]),
    [[1, 'TS 9H']],
  );
});

test('510 an open complaint keeps no table of Macau up, but keeps its rules; a supervisor decides', () => {
  const table = played();
  table.must(raise);
  table.close();
  assert.equal(nextStep(table.state).step, 'open-betting');
  assert.equal(table.try({ ...close, upheld: true, person: ATTENDANT })?.code, 'person');
  assert.equal(table.try({ ...close, upheld: true, person: DEALER })?.code, 'person');
  table.must({ ...close, upheld: false });
  assert.deepEqual(table.state.complaints, []);
  assert.equal(table.try({ ...close, upheld: false })?.code, 'nothing-to-do');
});

test('510, 607 an upheld complaint is paid by an adjustment that names it and its round; then it cannot be dismissed', () => {
  const table = played();
  table.must(raise);
  table.close();
  const adjust = {
    type: 'adjust-credit',
    seat: 1,
    amountMinor: amount(20_000),
    reason: 'complaint-upheld',
    words: '',
    corrects: { roundId: null, seq: null },
    complaintNo: 1,
    person: ATTENDANT,
    second: SUPERVISOR,
  } as const;
  assert.equal(table.try({ ...adjust, seat: 2 })?.code, 'unknown-seat', 'of another seat');
  table.must(adjust);
  table.must({ ...adjust, amountMinor: amount(-5_000) });
  const adjusted = table.events.at(-1);
  assert.ok(adjusted?.type === 'credit-adjusted');
  assert.equal(adjusted.corrects.roundId, 'r1');
  assert.equal(table.try({ ...close, upheld: false })?.code, 'not-allowed');
  table.must({ ...close, upheld: true });
  const closed = table.events.at(-1);
  assert.ok(closed?.type === 'complaint-closed');
  assert.deepEqual([closed.ofRoundId, closed.adjustedMinor], ['r1', 15_000]);
  table.checkReplay();
});

test('r.61 a fed shuffler has no clock: heard until the cards are in it, also while the next round is played', () => {
  const table = TestTable.ready(
    { cardSource: 'continuousShuffler' },
    { rulebook: 'portugal-blackjack', currency: 'EUR', complaintWindowMs: 1_000 },
  );
  table.bets({ 2: 1_000 });
  table.draw('TS 7H 9D TC');
  table.wait();
  table.act(2, 'stand');
  table.close();
  assert.deepEqual(complaintWindow(table.state), {
    roundId: 'r1',
    roundNo: 1,
    untilMs: null,
    cites: ['r.61'],
  });
  table.open();
  table.atMs += 3_600_000;
  table.must({ ...raise, seat: 2 });
  const raised = table.events.at(-1);
  assert.ok(
    raised?.type === 'complaint-raised' && raised.roundNo === 1,
    'the cards of round 1 lie in the discard',
  );
  table.must({ type: 'close-betting' });
  table.must({ ...close, upheld: false });
  table.must({ type: 'feed-shuffler' });
  assert.equal(complaintWindow(table.state), null);
  assert.deepEqual(table.try({ ...raise, seat: 2 })?.cites, ['r.61']);
  // A round without a card leaves nothing to be fed: once it is off the table it is past.
  table.bets({ 2: 1_000 });
  table.must({ type: 'void-round', reason: 'supervisor', person: SUPERVISOR });
  assert.equal(complaintWindow(table.state)?.roundNo, 3);
  table.close();
  assert.equal(complaintWindow(table.state), null);
});

test('510 a complaint of a ledger that named no round is closed without one', () => {
  const table = played();
  table.must(raise);
  for (const state of [table.state, table.replayed])
    for (const complaint of state.complaints) delete (complaint as { ofRoundId?: string }).ofRoundId;
  table.must({ ...close, upheld: true });
  const closed = table.events.at(-1)!;
  assert.deepEqual(
    [closed.type, 'ofRoundId' in closed, 'adjustedMinor' in closed],
    ['complaint-closed', false, false],
  );
});

test('nobody complains about a round that was only shown', () => {
  const table = TestTable.ready({ demoRounds: 1 }, { rulebook: 'macau-baccarat' });
  table.must({ type: 'demo-round', roundId: 'd' });
  table.draw('5S 4H KD 9C 7H 2H');
  assert.ok(table.state.round?.lines);
  assert.equal(complaintWindow(table.state), null);
});

test('r.61 is the article of a complaint where a shuffler is fed by hand, and of no other', () => {
  const cites = (options: Readonly<Record<string, string>>): readonly string[] | undefined => {
    const table = TestTable.ready(options, { rulebook: 'portugal-blackjack' });
    table.bets({ 1: 10_000 });
    table.must({ type: 'void-round', reason: 'misdeal', person: SUPERVISOR });
    table.must(raise);
    return table.try(raise)?.cites;
  };
  assert.deepEqual([cites({}), cites({ cardSource: 'autoShuffler' })], [[], ['r.61']]);
});
