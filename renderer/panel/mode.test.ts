import assert from 'node:assert/strict';
import test from 'node:test';
import type { Minor } from '../../engine/core/money.ts';
import type { SettlementLine } from '../../engine/table/settlement.ts';
import type { SeatView, TableView } from '../../host/api.ts';
import { freeSeat, player, VIEWS } from '../../test/fixtures/views.ts';
import { choicesNow, insuranceAmounts, lineOdds, panelMode, partOf } from './mode.ts';

const seatOf = (view: TableView, seat: number): SeatView => view.seats[seat - 1]!;
const modesOf = (view: TableView): string => view.seats.map((seat) => panelMode(view, seat)).join(' ');

test('every phase gives each seat the panel it needs', () => {
  assert.equal(modesOf(VIEWS['idle-empty']), 'free free free free free free free');
  assert.equal(modesOf(VIEWS.betting), 'bet bet bet free bet bet bet');
  assert.equal(modesOf(VIEWS.turn), 'wait wait decide free wait wait wait');
  assert.equal(modesOf(VIEWS.offers), 'decide decide wait free decide wait wait');
  assert.equal(modesOf(VIEWS.settled), 'result result result free result result result');
  assert.equal(modesOf(VIEWS['hold-recovery']), 'hold hold hold free hold hold hold');
  assert.equal(modesOf(VIEWS['hand-pay']), 'wait wait decide cash-out wait wait wait');
  assert.equal(modesOf(VIEWS.service), 'service service service service service service service');
});

test('a hand-pay that waits stays payable while the round of the others is held', () => {
  const view = { ...VIEWS['hold-recovery'], seats: VIEWS['hand-pay'].seats };
  assert.equal(panelMode(view, seatOf(view, 4)), 'cash-out');
  assert.equal(panelMode(view, seatOf(view, 1)), 'hold');
});

test('a seat with a result of the last round bets as soon as betting is open', () => {
  const settled = seatOf(VIEWS.settled, 1);
  const seat = { ...settled, betting: seatOf(VIEWS.betting, 1).betting };
  assert.equal(panelMode(VIEWS.betting, seat), 'bet');
});

test('decisions stand in one order, closed ones stay, closed seldom ones do not', () => {
  const [hit, stand] = seatOf(VIEWS.turn, 3).choices;
  const closed = { ...hit!, allowed: false, code: 'not-allowed' as const };
  const seat: SeatView = {
    ...seatOf(VIEWS.turn, 3),
    choices: [{ ...closed, act: 'fiveCardHalf' }, { ...closed, act: 'surrender' }, stand!, hit!],
  };
  assert.deepEqual(
    choicesNow(seat).map((choice) => choice.act),
    ['hit', 'stand', 'surrender'],
  );
});

test('a seat whose choices are all closed has nothing to decide', () => {
  const seat = seatOf(VIEWS.turn, 3);
  const choices = seat.choices.map((choice) => ({ ...choice, allowed: false }));
  assert.deepEqual(choicesNow({ ...seat, choices }), []);
});

test('only the hand whose turn it is has decisions', () => {
  const seat = seatOf(VIEWS['split-four'], 3);
  const other = seat.choices.map((choice) => ({ ...choice, hand: 2 }));
  assert.deepEqual(choicesNow({ ...seat, choices: other }), []);
});

test('art. 12.1 insurance runs from half to the whole bet; the middle only as a whole amount', () => {
  assert.deepEqual(insuranceAmounts(15_000, 30_000), [15_000, 22_500, 30_000]);
  assert.deepEqual(insuranceAmounts(1, 2), [1, 2]);
  assert.deepEqual(insuranceAmounts(700, 700), [700]);
  assert.deepEqual(
    [15_000, 22_500, 30_000, 20_000].map((amount) => partOf(amount, 30_000)),
    ['½', '¾', 'full', null],
  );
});

const line = (
  over: Partial<Omit<SettlementLine, 'stakeMinor' | 'netMinor'>> & { stake: number; net: number },
) =>
  ({
    seat: 1,
    by: 1,
    bet: 'main',
    hand: 0,
    outcome: 'win',
    odds: null,
    returnedMinor: 0 as Minor,
    cites: [],
    ...over,
    stakeMinor: over.stake as Minor,
    netMinor: over.net as Minor,
  }) satisfies SettlementLine & { stake: number; net: number };

test('the arithmetic of a line is shown only where it comes out at the money', () => {
  assert.deepEqual(lineOdds(line({ stake: 150_000, net: 225_000, odds: [3, 2] })), [3, 2]);
  assert.equal(lineOdds(line({ stake: 150_000, net: 225_001, odds: [3, 2] })), null);
  assert.deepEqual(lineOdds(line({ stake: 5_000, net: -2_500, outcome: 'surrender' })), [1, 2]);
  assert.equal(lineOdds(line({ stake: 5_000, net: -5_000, outcome: 'lose' })), null);
});

test('a player without money and bets is shown the invitation, one with a bet waits', () => {
  const view = VIEWS.dealing;
  assert.equal(panelMode(view, freeSeat(1)), 'free');
  assert.equal(panelMode(view, player(1, 0, 100)), 'wait');
});
