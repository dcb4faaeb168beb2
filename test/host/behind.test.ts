/**
 * Several bettors on one seat over the wire: who may bet, who is asked, who decides, and whose the
 * money is at the end.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Act } from '../../engine/table/inputs.ts';
import type { OptionValue, TableProfile } from '../../engine/table/profile.ts';
import type { SettlementLine } from '../../engine/table/settlement.ts';
import type { Command } from '../../wire/commands.ts';
import { CREDENTIAL, TestTerminal } from './test-terminal.ts';

const BETS = { burnAtStart: 'one', min: 5_000, max: 500_000, step: 1_000 };

const open = (t: TestContext, options: Readonly<Record<string, OptionValue>>): Promise<TestTerminal> =>
  TestTerminal.open(t, { profile: { options: { ...BETS, ...options } } });

type PlaceBet = Extract<Command, { type: 'place-bet' }>;
type Decide = Extract<Command, { type: 'decide' }>;

const lay = (kit: TestTerminal, seat: number, by: number, amountMinor: number): PlaceBet => ({
  ...kit.bet(seat, amountMinor),
  by,
});

const act = (kit: TestTerminal, seat: number, by: number, what: Act, hand = 0): Decide => ({
  ...kit.act(seat, what, hand),
  by,
});

/** `seat act` of what the panel of a bettor lets them do. */
const asked = (kit: TestTerminal, by: number): string[] =>
  kit
    .seat(by)
    .choices.filter(({ allowed }) => allowed)
    .map(({ seat, act: what }) => `${seat} ${what}`);

const said = (lines: readonly SettlementLine[] | undefined): string[] =>
  (lines ?? []).map(
    ({ seat, by, bet, hand, netMinor }) =>
      `${seat}<${by}${hand === null ? '' : `.${hand}`} ${bet} ${netMinor}`,
  );

const credits = (kit: TestTerminal): number[] => kit.view.seats.map(({ creditMinor }) => creditMinor);

async function dealAll(kit: TestTerminal): Promise<void> {
  await kit.do({ type: 'close-betting' });
  while (kit.view.phase === 'dealing' && !kit.view.hold) await kit.draw();
}

/** Draws the bank's cards until the round is settled. */
async function finish(kit: TestTerminal): Promise<void> {
  while (kit.view.phase === 'bank') await kit.draw();
  assert.equal(kit.view.phase, 'settled');
}

test('art. 20.1 a bet behind is laid for the bettor who sends it, paid and taken back by them', async (t) => {
  const kit = await open(t, { betsBehind: 'seated' });
  await kit.fund(1, 100_000);
  await kit.fund(2, 100_000);
  await kit.ready('5S 9H 8D 6C 9D');
  await kit.do({ type: 'open-betting' });
  const two = await kit.display('seat:2');
  assert.deepEqual(
    kit.seat(2).behind.map(({ seat, bets }) => [seat, bets]),
    [1, 3, 4, 5, 6].map((seat) => [seat, [{ bet: 'main', amountMinor: 100_000 }]]),
  );
  await kit.refused(lay(kit, 2, 1, 5_000), 'not-allowed', two);
  await kit.refused(lay(kit, 1, 1, 5_000), 'not-allowed', two);
  await kit.refused(kit.bet(1, 5_000), 'not-allowed', two);
  await kit.refused(lay(kit, 1, 7, 5_000), 'unknown-seat');
  const behind = lay(kit, 1, 2, 20_000);
  const id = 'two-behind-one-1';
  assert.equal((await kit.send(behind, two, id)).status, 'done');
  assert.equal((await kit.send(behind, two, id)).status, 'exists', 'once only');
  await kit.refused({ ...behind, by: 3 }, 'no-credit');
  assert.deepEqual(kit.seat(1).bets, [{ by: 2, bet: 'main', amountMinor: 20_000 }]);
  assert.deepEqual(kit.postings('bet-placed'), { 'seat-credit:2': 20_000, 'stake:2': -20_000 });
  assert.equal(kit.seat(1).front, 2);
  assert.equal(kit.seat(2).free, false);
  await kit.do(kit.bet(1, 10_000));
  assert.equal(kit.seat(1).front, 1);
  await kit.do({ type: 'undo-bet', roundId: kit.roundId, seat: 2, touchedAtMs: kit.now() }, two);
  assert.deepEqual(kit.seat(1).bets, [{ by: 1, bet: 'main', amountMinor: 10_000 }]);
  assert.deepEqual(credits(kit).slice(0, 2), [90_000, 100_000]);
});

const MODALITIES = [
  ['art. 20.1.1 the seated player decides', 'seated', [2, 50_000], [1, 10_000], 1],
  ['art. 20.1.2 on a vacant seat the nearest bet decides', 'nearest', [3, 10_000], [2, 50_000], 3],
  ['art. 20.1.3 the highest bet decides', 'highest', [2, 50_000], [1, 10_000], 2],
] as const;

for (const [title, betsBehind, nearest, other, decider] of MODALITIES) {
  test(`${title}, the others cannot, and each has their own money`, async (t) => {
    const kit = await open(t, { betsBehind });
    const seats = [nearest[0], other[0]];
    for (const seat of seats) await kit.fund(seat, 100_000);
    // 14 against 9; a four makes 18, the bank has 16 and busts with a ten
    await kit.ready('5S 9H 9D 4C 7D TC');
    await kit.do({ type: 'open-betting' });
    for (const [by, value] of [nearest, other]) await kit.do(lay(kit, 1, by, value));
    await dealAll(kit);
    kit.passDeadline();
    const loser = seats.find((seat) => seat !== decider)!;
    assert.equal(kit.seat(1).decider, decider);
    assert.deepEqual(asked(kit, loser), []);
    assert.deepEqual(asked(kit, decider).slice(0, 2), ['1 hit', '1 stand']);
    assert.equal(kit.view.dealer.step.step, 'await-decision');
    await kit.refused(act(kit, 1, loser, 'hit'), 'not-decider');
    await kit.refused(act(kit, 1, 5, 'hit'), 'not-decider');
    const panel = await kit.display(`seat:${decider}`);
    await kit.refused(act(kit, 1, loser, 'hit'), 'not-allowed', panel);
    await kit.do(act(kit, 1, decider, 'hit'), panel);
    await kit.draw();
    await kit.do(act(kit, 1, decider, 'stand'), panel);
    await finish(kit);
    assert.equal(kit.view.bank.points, 26);
    for (const [by, value] of [nearest, other]) {
      assert.equal(kit.seat(by).creditMinor, 100_000 + value);
      assert.deepEqual(said(kit.seat(by).result?.lines), [`1<${by}.0 main ${value}`]);
      assert.equal(kit.seat(by).result?.netMinor, value);
    }
    assert.equal(kit.seat(1).lines.length, 2);
  });
}

test('art. 20.1.2 at most three on a seat, of whom the house may allow fewer', async (t) => {
  const kit = await open(t, { betsBehind: 'nearest', maxBettorsPerSeat: 2 });
  for (const seat of [1, 2, 3]) await kit.fund(seat, 100_000);
  await kit.ready('5S 9H 9D 4C');
  await kit.do({ type: 'open-betting' });
  await kit.do(kit.bet(1, 10_000));
  await kit.do(lay(kit, 1, 2, 10_000));
  assert.deepEqual(await kit.refused(lay(kit, 1, 3, 10_000), 'limit'), ['art.20.1.2']);
  const full = kit.seat(3).behind.find(({ seat }) => seat === 1);
  assert.deepEqual(full, { seat: 1, bets: [], refused: { code: 'limit', cites: ['art.20.1.2'] } });
});

test('art. 12.1 each bettor insures their own bet; a double raises the bets behind as well', async (t) => {
  const kit = await open(t, { betsBehind: 'seated', behindFollows: true, doubleOn: ['anyTwo'] });
  await kit.fund(1, 100_000);
  await kit.fund(2, 100_000);
  // 11 against an ace; the double gets a ten, the bank a nine: 20
  await kit.ready('5S AH 6D TC 9D');
  await kit.do({ type: 'open-betting' });
  await kit.do(kit.bet(1, 10_000));
  await kit.do(lay(kit, 1, 2, 20_000));
  await dealAll(kit);
  assert.deepEqual(kit.view.dealer.step, { step: 'await-offers', seats: [1, 2], cites: ['art.6.5'] });
  assert.deepEqual(asked(kit, 2), ['1 insure', '1 declineInsurance', '1 playOn']);
  await kit.do({ ...act(kit, 1, 2, 'insure'), amountMinor: 10_000 });
  await kit.refused({ ...act(kit, 1, 2, 'insure'), amountMinor: 10_000 }, 'not-allowed');
  await kit.do(kit.act(1, 'declineInsurance'));
  assert.deepEqual(kit.seat(1).insurance, [{ by: 2, amountMinor: 10_000 }]);
  await kit.do(kit.act(1, 'double'));
  const hand = kit.seat(1).hands[0];
  assert.deepEqual([hand?.stakeMinor, hand?.behind], [20_000, [{ by: 2, stakeMinor: 40_000 }]]);
  await kit.draw();
  await finish(kit);
  assert.deepEqual(said(kit.seat(1).result?.lines), ['1<1.0 main 20000']);
  assert.deepEqual(said(kit.seat(2).result?.lines), ['1<2.0 main 40000', '1<2 insurance -10000']);
  assert.deepEqual(credits(kit).slice(0, 2), [120_000, 130_000]);
});

test('art. 13.1 any pair on the hand of another, asked again on each of its split hands', async (t) => {
  const kit = await open(t, { sideBets: ['anyPair'], anyPairResplit: 'newBet' });
  await kit.fund(1, 100_000);
  await kit.fund(2, 100_000);
  // seat 1: eights; seat 2: 19; then 8, ten after the split; the bank 9, T
  await kit.ready('8S TS 9H 8D 9C 8H TD TH');
  await kit.do({ type: 'open-betting' });
  await kit.do(kit.bet(1, 10_000));
  await kit.do(kit.bet(2, 10_000));
  assert.deepEqual(
    kit.seat(2).behind[0]?.bets.map(({ bet }) => bet),
    ['main', 'anyPair'],
  );
  await kit.do({ ...lay(kit, 1, 2, 1_000), bet: 'anyPair' });
  await dealAll(kit);
  kit.passDeadline();
  await kit.do(kit.act(1, 'split'));
  assert.deepEqual(kit.view.dealer.step, { step: 'await-offers', seats: [2], cites: ['art.13.1.2'] });
  assert.deepEqual(asked(kit, 2), ['1 betPair', '1 playOn']);
  assert.deepEqual(asked(kit, 1), []);
  await kit.do({ ...act(kit, 1, 2, 'betPair'), amountMinor: 1_000 });
  await kit.draw();
  await kit.do(kit.act(1, 'stand'));
  assert.deepEqual(asked(kit, 2), ['1 betPair', '1 playOn']);
  await kit.do(act(kit, 1, 2, 'playOn', 1));
  await kit.draw();
  await kit.do(kit.act(1, 'stand', 1));
  await kit.do(kit.act(2, 'stand'));
  await finish(kit);
  const pairs = said(kit.seat(2).result?.lines).filter((line) => line.includes('anyPair'));
  assert.deepEqual(pairs, ['1<2 anyPair 11000', '1<2 anyPair 11000']);
});

// ---- Portugal: complementary bets (r.15, r.16, r.28, r.30) ----

const PORTUGAL: Partial<TableProfile> = {
  rulebook: 'portugal-blackjack',
  options: { min: 5_000, max: 150_000 },
};

/** All cards shown, cut by whoever's turn it is, the warning card placed, one card burnt. */
async function readyPortugal(kit: TestTerminal, cards: string): Promise<void> {
  await kit.until('the shoe is there', () =>
    kit.view.devices.some(({ id, state }) => id === 'shoe' && state !== 'offline'),
  );
  await kit.do({ type: 'sign-in-dealer', credential: CREDENTIAL.dealer });
  if (kit.step === 'check-decks') await kit.do({ type: 'check-decks' });
  await kit.loadShoe(`2C ${cards}`);
  const cut = kit.view.dealer.step;
  assert.ok(cut.step === 'cut-shoe');
  await kit.do({ type: 'cut-shoe', seat: cut.seat });
  const end = kit.view.dealer.step;
  assert.ok(end.step === 'place-end-card');
  await kit.do({ type: 'place-end-card', cardsBehind: end.minBehind });
  while (kit.view.phase === 'shoe') await kit.draw();
  assert.equal(kit.step, 'open-betting');
}

test('r.15, r.28, r.30 complementary bets follow a split and a double by their own word', async (t) => {
  const kit = await TestTerminal.open(t, { profile: PORTUGAL });
  for (const seat of [1, 2, 3]) await kit.fund(seat, 100_000);
  // eights against a ten; split: 8+3 doubled with a nine = 20, 8+T; the bank T+7
  await readyPortugal(kit, '8S TH 8D 7C 3S 9S TD');
  await kit.do({ type: 'open-betting' });
  assert.deepEqual(await kit.refused(lay(kit, 1, 2, 10_000), 'no-seat-holder-bet'), ['r.15']);
  await kit.do(kit.bet(1, 20_000));
  await kit.do(lay(kit, 1, 2, 10_000));
  await kit.do(lay(kit, 1, 3, 30_000));
  await kit.refused(lay(kit, 1, 2, 100_000), 'limit');
  await dealAll(kit);
  if (kit.view.phase === 'offers') kit.passDeadline();
  await kit.refused(act(kit, 1, 2, 'split'), 'not-decider');
  await kit.do(kit.act(1, 'split'));
  assert.deepEqual(kit.view.dealer.step, { step: 'await-offers', seats: [2, 3], cites: ['r.28'] });
  const two = await kit.display('seat:2');
  await kit.do(act(kit, 1, 2, 'followSplit'), two);
  await kit.do(act(kit, 1, 3, 'playOn'));
  assert.deepEqual(
    kit.seat(1).hands.map(({ stakeMinor, behind }) => [stakeMinor, behind.map(({ by }) => by)]),
    [
      [20_000, [2, 3]],
      [20_000, [2]],
    ],
  );
  await kit.draw();
  await kit.do(kit.act(1, 'double'));
  assert.deepEqual(kit.view.dealer.step, { step: 'await-offers', seats: [2, 3], cites: ['r.30'] });
  await kit.do(act(kit, 1, 3, 'followDouble'));
  await kit.do(act(kit, 1, 2, 'playOn'), two);
  await kit.draw(2);
  await kit.do(kit.act(1, 'stand', 1));
  if (kit.view.phase !== 'settled') await finish(kit);
  assert.deepEqual(said(kit.seat(1).result?.lines), ['1<1.0 main 40000', '1<1.1 main 20000']);
  assert.deepEqual(said(kit.seat(2).result?.lines), ['1<2.0 main 10000', '1<2.1 main 10000']);
  assert.deepEqual(said(kit.seat(3).result?.lines), ['1<3.0 main 60000']);
  assert.deepEqual(credits(kit).slice(0, 3), [160_000, 120_000, 160_000]);
});

test('r.16 on a vacant seat the highest bet decides for all, of equal ones that of the lowest seat', async (t) => {
  const kit = await TestTerminal.open(t, { profile: PORTUGAL });
  for (const seat of [2, 3]) await kit.fund(seat, 100_000);
  // 18 against 17
  await readyPortugal(kit, '8S TH TD 7C');
  await kit.do({ type: 'open-betting' });
  await kit.do(lay(kit, 5, 3, 20_000));
  await kit.do(lay(kit, 5, 2, 20_000));
  assert.equal(kit.seat(5).free, true, 'nobody sits there');
  await dealAll(kit);
  if (kit.view.phase === 'offers') kit.passDeadline();
  assert.equal(kit.seat(5).decider, 2);
  assert.deepEqual(kit.view.dealer.step, {
    step: 'await-decision',
    seat: 5,
    hand: 0,
    by: 2,
    cites: kit.view.dealer.step.cites,
  });
  assert.deepEqual(asked(kit, 3), []);
  await kit.refused(act(kit, 5, 3, 'stand'), 'not-decider');
  await kit.refused(kit.act(5, 'stand'), 'not-decider');
  await kit.do(act(kit, 5, 2, 'stand'));
  if (kit.view.phase !== 'settled') await finish(kit);
  assert.deepEqual(credits(kit).slice(1, 3), [120_000, 120_000]);
  assert.deepEqual(kit.seat(5).result, null);
  const { roundId } = kit;
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.auditor });
  const recall = await kit.table.found({ query: 'round', roundId });
  assert.deepEqual(
    recall.seats.map(({ seat, creditAfterMinor, lines }) => [seat, creditAfterMinor, lines.length]),
    [
      [2, 120_000, 0],
      [3, 120_000, 0],
      [5, 0, 2],
    ],
    'the credit of whoever has bet on the hand of another is recalled as well',
  );
});
