import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cardName, parseCard } from '../../engine/core/cards.ts';
import type { SettlementLine } from '../../engine/table/settlement.ts';
import { CREDENTIAL, House } from './house.ts';

const options = (house: House): string[] =>
  house.view.dealer.options.map(({ option, cites }) => `${option} ${cites.join(' ')}`.trim());
const step = (house: House): string =>
  `${house.view.dealer.step.step} ${house.view.dealer.step.cites.join(' ')}`.trim();

/** Time that a running deadline leaves, milliseconds. */
const leftMs = (house: House): number => (house.view.deadline?.atMs ?? Number.NaN) - house.now();

test('the dealer signs in and out by name; without one no round opens', async (t) => {
  const house = await House.open(t);
  assert.equal(house.step, 'sign-in');
  await house.refused({ type: 'open-betting' }, 'no-dealer');
  await house.refused({ type: 'sign-in-dealer', credential: CREDENTIAL.attendant }, 'person');
  await house.do({ type: 'sign-in-dealer', credential: CREDENTIAL.dealer });
  assert.equal(house.view.dealer.name, 'Lei Ka Man');
  await house.refused({ type: 'sign-in-dealer', credential: CREDENTIAL.dealer }, 'duplicate');
  await house.do({ type: 'sign-in-dealer', credential: CREDENTIAL.dealer2 });
  assert.equal(house.view.dealer.name, 'Ho Sin Ieng', 'relief at the table');
  await house.do({ type: 'sign-out-dealer' });
  assert.equal(house.step, 'sign-in');
  assert.equal(house.view.phase, 'closed');
  assert.deepEqual(
    house
      .entries()
      .flatMap(({ kind, body }) =>
        kind.startsWith('dealer-') ? [`${kind} ${(body as { person: { id: string } }).person.id}`] : [],
      ),
    ['dealer-signed-in D-01', 'dealer-signed-in D-02', 'dealer-signed-out D-02'],
  );
  await house.do({ type: 'sign-in-dealer', credential: CREDENTIAL.dealer });
  await house.fund(1, 10_000);
  await house.ready('TS 9H TD 8C');
  await house.do({ type: 'open-betting' });
  await house.refused({ type: 'sign-out-dealer' }, 'not-allowed');
});

test('arts. 2.1.1, 4.1 a table without a shoe opens no round; it is made ready one step at a time', async (t) => {
  const house = await House.open(t);
  await house.do({ type: 'sign-in-dealer', credential: CREDENTIAL.dealer });
  assert.equal(step(house), 'load-shoe art.2.1.1');
  assert.deepEqual(await house.refused({ type: 'open-betting' }, 'not-due'), ['art.2.1.1']);
  assert.deepEqual(await house.refused({ type: 'cut-shoe', seat: 1 }, 'not-due'), ['art.2.1.1']);
  await house.loadShoe('2C TS');
  assert.equal(step(house), 'cut-shoe art.2.1.1');
  await house.refused({ type: 'cut-shoe', seat: 12 }, 'unknown-seat');
  await house.do({ type: 'cut-shoe', seat: 2 });
  assert.equal(step(house), 'place-end-card art.2.1.1');
  assert.deepEqual(await house.refused({ type: 'place-end-card', cardsBehind: 29 }, 'out-of-range'), [
    'art.2.1.1',
  ]);
  await house.do({ type: 'place-end-card', cardsBehind: 60 });
  assert.match(step(house), /^burn art\.4\.1/);
  await house.draw();
  assert.equal(step(house), 'open-betting art.5.1');
  assert.deepEqual(house.kindsSince(0).slice(-5), [
    'shoe-loaded',
    'shoe-cut',
    'end-card-placed',
    'card-burned',
    'shoe-readied',
  ]);
  assert.equal(house.view.shoe.burned, 1);
  assert.equal(house.view.shoe.remaining, 311);
});

test('the betting window closes by the word of the dealer, or by itself when its time is over', async (t) => {
  const timing = { bettingMs: 400, offersMs: 60_000, decisionMs: 60_000, minConfidence: 200, minResultMs: 0 };
  const house = await House.open(t, { profile: { timing } });
  await house.fund(1, 50_000);
  await house.ready('TS 9H TD 8C');
  await house.do({ type: 'open-betting' });
  assert.equal(step(house), 'close-betting art.5.1');
  assert.equal(house.view.deadline?.totalMs, 400);
  await house.until('nobody has bet', () => house.view.phase === 'idle');
  assert.equal(house.entries('betting-cancelled').length, 1);
  await house.do({ type: 'open-betting' });
  await house.do(house.bet(1, 10_000));
  await house.until('its time is over', () => house.view.phase === 'dealing');
  assert.equal(house.last('betting-closed')['byDeadline'], true);
  await house.do({ type: 'void-round', reason: 'misdeal', credential: CREDENTIAL.supervisor });
  await house.until('no card was out, so nothing has to be read', () => house.step === 'close-round');
  await house.do({ type: 'close-round' });
  await house.do({ type: 'open-betting' });
  await house.do(house.bet(1, 10_000));
  await house.do({ type: 'close-betting' });
  assert.equal(house.last('betting-closed')['byDeadline'], false);
  await house.refused({ type: 'close-betting' }, 'not-due');
});

test('a touch is judged by its own time: made in the window it counts a quarter of a second longer', async (t) => {
  const house = await House.open(t);
  await house.fund(1, 50_000);
  await house.fund(2, 50_000);
  await house.ready('TS 9H TD 8C');
  house.stoppedAtMs = house.now() + 1_000;
  await house.do({ type: 'open-betting' });
  await house.do(house.bet(1, 10_000));
  const closesAtMs = house.view.deadline?.atMs ?? 0;
  house.stoppedAtMs = closesAtMs;
  house.passDeadline();
  house.stoppedAtMs = closesAtMs + 250;
  await house.do(house.bet(2, 10_000, closesAtMs - 1));
  await house.refused(house.bet(2, 10_000, closesAtMs + 1), 'too-late');
  house.stoppedAtMs = closesAtMs + 251;
  await house.refused(house.bet(2, 10_000, closesAtMs - 1), 'too-late');
  assert.deepEqual(house.seat(2).bets, [{ by: 2, bet: 'main', amountMinor: 10_000 }]);
});

test('a decision in time is taken though it is handled after the deadline; the table waits that long for it', async (t) => {
  const house = await House.open(t);
  await house.fund(1, 50_000);
  await house.ready('TS 9H 2D 8C');
  await house.deal({ 1: 10_000 });
  house.passDeadline();
  const { atMs } = house.view.deadline ?? { atMs: 0 };
  house.stoppedAtMs = atMs + 200;
  await house.refused({ ...house.act(1, 'hit'), touchedAtMs: atMs + 1 }, 'too-late');
  await house.do({ ...house.act(1, 'hit'), touchedAtMs: atMs - 1 });
  assert.equal(house.step, 'draw-for-seat');
});

test('arts. 5.1.1 a card when none is due holds the table until the dealer has set it aside', async (t) => {
  const house = await House.open(t);
  await house.fund(1, 50_000);
  await house.ready('TS 9H TD 5C 8C');
  await house.deal({ 1: 10_000 });
  house.passDeadline();
  assert.equal(house.step, 'await-decision');
  const left = leftMs(house);
  await house.draw();
  assert.equal(house.view.hold?.code, 'unexpected-card');
  assert.equal(house.view.hold?.card, parseCard('5C'));
  assert.equal(step(house), 'resolve-card art.5.1.1');
  assert.equal(house.view.deadline, null);
  assert.deepEqual(options(house).slice(0, 1), ['set-card-aside art.5.1.1']);
  await house.refused(house.act(1, 'stand'), 'held');
  await house.refused({ type: 'confirm-layout' }, 'not-due');
  await house.refused({ type: 'draw-wrong', shown: true }, 'not-allowed');
  await house.do({ type: 'set-card-aside' });
  const burnt = house.last<{ why: string; card: number; person: { id: string } }>('card-burned');
  assert.deepEqual(
    [burnt.why, cardName(burnt.card as never), burnt.cites, burnt.person.id],
    ['set-aside', '5C', ['art.5.1.1'], 'D-01'],
  );
  assert.ok(leftMs(house) <= left);
  assert.equal(house.step, 'await-decision');
  await house.do(house.act(1, 'stand'));
  await house.draw();
  assert.equal(house.seat(1).result?.netMinor, 10_000);
});

test('a card that comes between two rounds holds the table, too', async (t) => {
  const house = await House.open(t);
  await house.ready('TS 9H');
  await house.draw();
  assert.equal(house.view.hold?.code, 'unexpected-card');
  await house.refused({ type: 'open-betting' }, 'held');
  await house.do({ type: 'set-card-aside' });
  assert.equal(house.step, 'open-betting');
});

test('a card of low confidence is confirmed by the dealer, or corrected by the supervisor', async (t) => {
  const house = await House.open(t);
  await house.fund(1, 50_000);
  await house.ready('TS 9H TD 8C');
  await house.do({ type: 'open-betting' });
  await house.do(house.bet(1, 10_000));
  await house.do({ type: 'close-betting' });
  await house.hands({ do: 'fault', device: 'shoe', fault: 'doubtful' });
  await house.draw();
  assert.equal(house.view.hold?.code, 'doubtful-card');
  assert.equal(step(house), 'confirm-card art.5.1.2');
  assert.deepEqual(house.seat(1).hands, [], 'it counts only as confirmed');
  const ten = parseCard('TS');
  const nine = parseCard('9S');
  assert.ok(ten !== null && nine !== null);
  await house.do({ type: 'confirm-card', card: ten });
  assert.deepEqual(house.seat(1).hands[0]?.cards, [ten]);
  const confirmed = house.last<{ read: number; card: number; person: { id: string } }>('card-confirmed');
  assert.deepEqual([confirmed.read, confirmed.card, confirmed.person.id], [ten, ten, 'D-01']);
  await house.draw();
  await house.hands({ do: 'fault', device: 'shoe', fault: 'doubtful' });
  await house.draw();
  await house.refused({ type: 'confirm-card', card: nine }, 'person');
  await house.refused({ type: 'confirm-card', card: nine, credential: CREDENTIAL.dealer }, 'person');
  await house.do({ type: 'confirm-card', card: nine, credential: CREDENTIAL.supervisor });
  const corrected = house.last<{ read: number; card: number; person: { id: string } }>('card-confirmed');
  assert.deepEqual([corrected.read, corrected.card, corrected.person.id], [parseCard('TD'), nine, 'S-01']);
  assert.deepEqual(house.seat(1).hands[0]?.cards, [ten, nine]);
});

test('art. 5.1.2 a void round is a named supervisor’s, with its reason, and gives back every stake', async (t) => {
  const house = await House.open(t);
  await house.fund(1, 50_000);
  await house.fund(3, 50_000);
  await house.ready('TS 9H AD TD 9D');
  await house.deal({ 1: 10_000, 3: 20_000 });
  assert.equal(house.step, 'await-offers');
  const half = house.seat(1).choices.find((choice) => choice.act === 'insure')?.minMinor ?? 0;
  await house.do({ ...house.act(1, 'insure'), amountMinor: half });
  assert.equal(house.balance('stake:1'), -15_000);
  await house.refused({ type: 'void-round', reason: 'misdeal', credential: CREDENTIAL.dealer }, 'person');
  assert.ok(options(house).includes('void-round art.5.1.2'));
  await house.do({ type: 'void-round', reason: 'misdeal', credential: CREDENTIAL.supervisor });
  const voided = house.last<{
    reason: string;
    person: { id: string };
    committed: boolean;
    lines: SettlementLine[];
  }>('round-voided');
  assert.deepEqual([voided.reason, voided.person.id, voided.committed], ['misdeal', 'S-01', true]);
  assert.deepEqual(
    voided.lines.map(
      ({ seat, bet, returnedMinor, netMinor, cites }) =>
        `${seat} ${bet} ${returnedMinor} ${netMinor} ${cites.join(' ')}`,
    ),
    ['1 main 10000 0 art.5.1.2', '1 insurance 5000 0 art.5.1.2', '3 main 20000 0 art.5.1.2'],
  );
  assert.deepEqual([house.seat(1).creditMinor, house.seat(3).creditMinor], [50_000, 50_000]);
  assert.equal(house.balance('bank'), 0);
  await house.refused(
    { type: 'void-round', reason: 'misdeal', credential: CREDENTIAL.supervisor },
    'round-over',
  );
  await house.refused({ type: 'close-round' }, 'not-due');
  assert.equal(house.step, 'read-results');
  house.passDeadline();
  await house.do({ type: 'close-round' });
  assert.equal(house.step, 'open-betting');
});

test('art. 2.2.1 the white card makes the round the last; then a shoe is made ready again', async (t) => {
  const house = await House.open(t);
  await house.fund(1, 50_000);
  await house.do({ type: 'sign-in-dealer', credential: CREDENTIAL.dealer });
  await house.loadShoe('2C TS 9H TD 8C');
  await house.do({ type: 'cut-shoe', seat: null });
  // After the burnt card and two of the round.
  await house.do({ type: 'place-end-card', cardsBehind: 309 });
  await house.draw();
  await house.deal({ 1: 10_000 });
  assert.equal(house.entries('end-card-seen').length, 1);
  assert.equal(house.view.round?.last, true);
  assert.equal(house.view.shoe.lastRound, true);
  await house.refused({ type: 'end-card-out' }, 'not-due');
  house.passDeadline();
  await house.do(house.act(1, 'stand'));
  await house.draw();
  house.passDeadline();
  assert.equal(step(house), 'close-round art.2.2.1');
  await house.do({ type: 'close-round' });
  assert.equal(step(house), 'load-shoe art.2.1.1');
  await house.refused({ type: 'open-betting' }, 'not-due');
  await house.ready('TS 9H TD 8C');
  await house.do({ type: 'end-card-out' });
  await house.do({ type: 'open-betting' });
  assert.equal(house.view.round?.last, true, 'seen by the dealer between two rounds');
});

test('art. 5.1.2 first cards that lie at the wrong seats go where they were due', async (t) => {
  const house = await House.open(t);
  await house.fund(1, 50_000);
  await house.fund(3, 50_000);
  await house.ready('TS 2H 9H TD 3D');
  await house.deal({ 1: 10_000, 3: 10_000 });
  const cards = (seat: number): string => (house.seat(seat).hands[0]?.cards ?? []).map(cardName).join(' ');
  assert.deepEqual([cards(1), cards(3)], ['TS TD', '2H 3D']);
  assert.ok(options(house).includes('assign-card art.5.1.2'));
  await house.refused({ type: 'assign-card', fromSeat: 1, toSeat: 2 }, 'not-allowed');
  await house.refused({ type: 'assign-card', fromSeat: 1, toSeat: 1 }, 'not-allowed');
  await house.do({ type: 'assign-card', fromSeat: 1, toSeat: 3 });
  assert.deepEqual([cards(1), cards(3)], ['2H 3D', 'TS TD']);
  assert.equal(house.last<{ person: { id: string } }>('cards-swapped').person.id, 'D-01');
  house.passDeadline();
  await house.do(house.act(1, 'hit'));
  await house.draw();
  assert.deepEqual(
    await house.refused({ type: 'assign-card', fromSeat: 1, toSeat: 3 }, 'too-late'),
    ['art.5.1.2'],
    'not once a further card is out',
  );
});

test('art. 6.1 a card the bank drew though it had stood is taken out', async (t) => {
  const house = await House.open(t);
  await house.fund(1, 50_000);
  await house.ready('TS 9H TD 8C 4S');
  await house.deal({ 1: 10_000 });
  house.passDeadline();
  await house.do(house.act(1, 'stand'));
  await house.draw();
  assert.equal(house.view.bank.points, 17);
  const result = house.seat(1).result;
  await house.draw();
  assert.equal(house.view.hold?.code, 'unexpected-card');
  assert.match(step(house), /^resolve-card art\.6\.1/);
  assert.ok(options(house).some((option) => option.startsWith('draw-wrong art.6.1')));
  await house.do({ type: 'draw-wrong', shown: true });
  const burnt = house.last<{ why: string }>('card-burned');
  assert.equal(burnt.why, 'wrong-bank-card');
  assert.deepEqual(
    house.view.bank.cards.map((card) => card !== null && cardName(card)),
    ['9H', '8C'],
  );
  assert.deepEqual(house.seat(1).result, result);
  house.passDeadline();
  await house.do({ type: 'close-round' });
});
