import assert from 'node:assert/strict';
import test from 'node:test';
import type { Minor } from '../../engine/core/money.ts';
import type { SettlementLine } from '../../engine/table/settlement.ts';
import { freeSeat, player } from '../../test/fixtures/view-kit.ts';
import { VIEWS } from '../../test/fixtures/views.ts';
import type { SeatView, TableView } from '../../wire/view.ts';
import { choicesNow, hasTurn, insuranceAmounts, lineSum, nameOfPart, ownBets, panelMode } from './mode.ts';

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

test('decisions stand in one order, and what is closed is none', () => {
  const [hit, stand] = seatOf(VIEWS.turn, 3).choices;
  const closed = { ...hit!, allowed: false, code: 'not-allowed' as const };
  const seat: SeatView = {
    ...seatOf(VIEWS.turn, 3),
    choices: [{ ...closed, act: 'fiveCardHalf' }, { ...closed, act: 'surrender' }, stand!, hit!],
  };
  assert.deepEqual(
    choicesNow(seat).map((choice) => choice.act),
    ['hit', 'stand'],
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
    [15_000, 22_500, 30_000, 20_000].map((amount) => nameOfPart(amount, 30_000)),
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
  const sum = (spec: Parameters<typeof line>[0]): string | null => lineSum(line(spec), String);
  assert.equal(sum({ stake: 150_000, net: 225_000, odds: [3, 2] }), '150000 × 3/2');
  assert.equal(sum({ stake: 150_000, net: 225_001, odds: [3, 2] }), null);
  assert.equal(sum({ stake: 5_000, net: -2_500, odds: [-1, 2] }), '5000 × 1/2');
  assert.equal(sum({ stake: 5_000, net: -5_000, odds: [-1, 1] }), null);
  assert.equal(sum({ stake: 0, baseMinor: 600 as Minor, net: 1_800, odds: [3, 1] }), '600 × 3');
  assert.equal(sum({ stake: 100, net: 95, odds: [1, 1], commission: [1, 20] }), '100 − 5 (5 %)');
  assert.equal(
    sum({ stake: 1_010, net: 960, odds: [1, 1], commission: [1, 20], rounded: 'down' }),
    '1010 − 50 (5 %)',
  );
  assert.equal(
    sum({ stake: 500, baseMinor: 9_000 as Minor, keptMinor: 500 as Minor, net: 8_500, odds: [1, 1] }),
    '9000 × 1 − 500',
  );
});

test('a player without money and bets is shown the invitation, one with a bet waits', () => {
  const view = VIEWS.dealing;
  const modeOf = (seat: SeatView): string => panelMode(withSeats(view, seat), seat);
  assert.equal(modeOf(freeSeat(1)), 'free');
  assert.equal(modeOf(player(1, 0, 100)), 'wait');
});

const withSeats = (view: TableView, ...seats: SeatView[]): TableView => ({
  ...view,
  seats: view.seats.map((each) => seats.find(({ seat }) => seat === each.seat) ?? each),
});

test('whoever has bet on the hand of another waits with it; a vacant seat with such a bet stays vacant', () => {
  const vacant = freeSeat(4, { bets: [{ by: 2, bet: 'main', amountMinor: 5_000 as Minor }] });
  const bettor = { ...player(2, 0, null), choices: [] };
  const view = withSeats(VIEWS.dealing, vacant, bettor);
  assert.deepEqual(ownBets(view, bettor), [{ seat: 4, bet: 'main', amountMinor: 5_000 }]);
  assert.equal(panelMode(view, bettor), 'wait');
  assert.equal(panelMode(view, vacant), 'free');
});

test('who is asked about several hands answers one after the other', () => {
  const seat = seatOf(VIEWS.offers, 1);
  const behind = seat.choices.map((choice) => ({ ...choice, seat: 5 }));
  const both = { ...seat, choices: [...seat.choices, ...behind] };
  assert.deepEqual(new Set(choicesNow(both).map((choice) => choice.seat)), new Set([1]));
  assert.deepEqual(
    new Set(choicesNow({ ...seat, choices: behind }).map((choice) => choice.seat)),
    new Set([5]),
  );
});

test('the turn stands in the panel of the decider, not of the seat', () => {
  const three = { ...seatOf(VIEWS.turn, 3), decider: 6 };
  const view = withSeats(VIEWS.turn, three);
  assert.deepEqual(
    view.seats.filter((seat) => hasTurn(view, seat)).map(({ seat }) => seat),
    [6],
  );
});
