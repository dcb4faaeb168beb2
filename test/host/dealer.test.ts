import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cardName, parseCard } from '../../engine/core/cards.ts';
import type { SettlementLine } from '../../engine/table/settlement.ts';
import { CREDENTIAL, TestTerminal } from './test-terminal.ts';

const options = (kit: TestTerminal): string[] =>
  kit.view.dealer.options.map(({ option, cites }) => `${option} ${cites.join(' ')}`.trim());
const step = (kit: TestTerminal): string =>
  `${kit.view.dealer.step.step} ${kit.view.dealer.step.cites.join(' ')}`.trim();

/** Time that a running deadline leaves, milliseconds. */
const leftMs = (kit: TestTerminal): number => (kit.view.deadline?.atMs ?? Number.NaN) - kit.now();

test('the dealer signs in and out by name; without one no round opens', async (t) => {
  const kit = await TestTerminal.open(t);
  assert.equal(kit.step, 'sign-in');
  await kit.refused({ type: 'open-betting' }, 'no-dealer');
  await kit.refused({ type: 'sign-in-dealer', credential: CREDENTIAL.attendant }, 'person');
  await kit.do({ type: 'sign-in-dealer', credential: CREDENTIAL.dealer });
  assert.equal(kit.view.dealer.name, 'Lei Ka Man');
  await kit.refused({ type: 'sign-in-dealer', credential: CREDENTIAL.dealer }, 'duplicate');
  await kit.do({ type: 'sign-in-dealer', credential: CREDENTIAL.dealer2 });
  assert.equal(kit.view.dealer.name, 'Ho Sin Ieng', 'relief at the table');
  await kit.do({ type: 'sign-out-dealer' });
  assert.equal(kit.step, 'sign-in');
  assert.equal(kit.view.phase, 'closed');
  assert.deepEqual(
    kit
      .entries()
      .flatMap(({ kind, body }) =>
        kind.startsWith('dealer-') ? [`${kind} ${(body as { person: { id: string } }).person.id}`] : [],
      ),
    ['dealer-signed-in D-01', 'dealer-signed-in D-02', 'dealer-signed-out D-02'],
  );
  await kit.do({ type: 'sign-in-dealer', credential: CREDENTIAL.dealer });
  await kit.fund(1, 10_000);
  await kit.ready('TS 9H TD 8C');
  await kit.do({ type: 'open-betting' });
  await kit.refused({ type: 'sign-out-dealer' }, 'not-allowed');
});

test('arts. 2.1.1, 4.1 a table without a shoe opens no round; it is made ready one step at a time', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.do({ type: 'sign-in-dealer', credential: CREDENTIAL.dealer });
  assert.equal(step(kit), 'load-shoe art.2.1.1');
  assert.deepEqual(await kit.refused({ type: 'open-betting' }, 'not-due'), ['art.2.1.1']);
  assert.deepEqual(await kit.refused({ type: 'cut-shoe', seat: 1 }, 'not-due'), ['art.2.1.1']);
  await kit.loadShoe('2C TS');
  assert.equal(step(kit), 'cut-shoe art.2.1.1');
  await kit.refused({ type: 'cut-shoe', seat: 12 }, 'unknown-seat');
  await kit.do({ type: 'cut-shoe', seat: 2 });
  assert.equal(step(kit), 'place-end-card art.2.1.1');
  assert.deepEqual(await kit.refused({ type: 'place-end-card', cardsBehind: 29 }, 'out-of-range'), [
    'art.2.1.1',
  ]);
  await kit.do({ type: 'place-end-card', cardsBehind: 60 });
  assert.match(step(kit), /^burn art\.4\.1/);
  await kit.draw();
  assert.equal(step(kit), 'open-betting art.5.1');
  assert.deepEqual(kit.kindsSince(0).slice(-5), [
    'shoe-loaded',
    'shoe-cut',
    'end-card-placed',
    'card-burned',
    'shoe-readied',
  ]);
  assert.equal(kit.view.shoe.burned, 1);
  assert.equal(kit.view.shoe.remaining, 311);
});

test('the betting window closes by the word of the dealer, or by itself when its time is over', async (t) => {
  const timing = { bettingMs: 400, offersMs: 60_000, decisionMs: 60_000, minConfidence: 200, minResultMs: 0 };
  const kit = await TestTerminal.open(t, { profile: { timing } });
  await kit.fund(1, 50_000);
  await kit.ready('TS 9H TD 8C');
  await kit.do({ type: 'open-betting' });
  assert.equal(step(kit), 'close-betting art.5.1');
  assert.equal(kit.view.deadline?.totalMs, 400);
  await kit.until('nobody has bet', () => kit.view.phase === 'idle');
  assert.equal(kit.entries('betting-cancelled').length, 1);
  await kit.do({ type: 'open-betting' });
  await kit.do(kit.bet(1, 10_000));
  await kit.until('its time is over', () => kit.view.phase === 'dealing');
  assert.equal(kit.last('betting-closed')['byDeadline'], true);
  await kit.do({ type: 'void-round', reason: 'misdeal', credential: CREDENTIAL.supervisor });
  await kit.until('no card was out, so nothing has to be read', () => kit.step === 'close-round');
  await kit.do({ type: 'close-round' });
  await kit.lay({ 1: 10_000 });
  assert.equal(kit.last('betting-closed')['byDeadline'], false);
  await kit.refused({ type: 'close-betting' }, 'not-due');
});

test('a touch is judged by its own time: made in the window it counts a quarter of a second longer', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.fund(1, 50_000);
  await kit.fund(2, 50_000);
  await kit.ready('TS 9H TD 8C');
  kit.stoppedAtMs = kit.now() + 1_000;
  await kit.do({ type: 'open-betting' });
  await kit.do(kit.bet(1, 10_000));
  const closesAtMs = kit.view.deadline?.atMs ?? 0;
  kit.stoppedAtMs = closesAtMs;
  kit.passDeadline();
  kit.stoppedAtMs = closesAtMs + 250;
  await kit.do(kit.bet(2, 10_000, closesAtMs - 1));
  const lateMs = async (touchedAtMs: number): Promise<number | undefined> => {
    const answer = await kit.send(kit.bet(2, 10_000, touchedAtMs));
    assert.ok(answer.status === 'rejected' && answer.code === 'too-late', JSON.stringify(answer));
    return answer.lateMs;
  };
  assert.equal(await lateMs(closesAtMs + 1), 1);
  kit.stoppedAtMs = closesAtMs + 251;
  assert.equal(await lateMs(closesAtMs - 1), 251, 'by its handling');
  assert.deepEqual(kit.seat(2).bets, [{ by: 2, bet: 'main', amountMinor: 10_000 }]);
});

test('a decision in time is taken though it is handled after the deadline; the table waits that long for it', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.fund(1, 50_000);
  await kit.ready('TS 9H 2D 8C');
  await kit.deal({ 1: 10_000 });
  kit.passDeadline();
  const { atMs } = kit.view.deadline ?? { atMs: 0 };
  kit.stoppedAtMs = atMs + 200;
  await kit.refused({ ...kit.act(1, 'hit'), touchedAtMs: atMs + 1 }, 'too-late');
  await kit.do({ ...kit.act(1, 'hit'), touchedAtMs: atMs - 1 });
  assert.equal(kit.step, 'draw-for-seat');
});

test('arts. 5.1.1 a card when none is due holds the table until the dealer has set it aside', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.fund(1, 50_000);
  await kit.ready('TS 9H TD 5C 8C');
  await kit.deal({ 1: 10_000 });
  kit.passDeadline();
  assert.equal(kit.step, 'await-decision');
  const left = leftMs(kit);
  await kit.draw();
  assert.equal(kit.view.hold?.code, 'unexpected-card');
  assert.equal(kit.view.hold?.card, parseCard('5C'));
  assert.equal(step(kit), 'resolve-card art.5.1.1');
  assert.equal(kit.view.deadline, null);
  assert.deepEqual(options(kit).slice(0, 1), ['set-card-aside art.5.1.1']);
  await kit.refused(kit.act(1, 'stand'), 'held');
  await kit.refused({ type: 'confirm-layout' }, 'not-due');
  await kit.refused({ type: 'draw-wrong', shown: true }, 'not-allowed');
  await kit.do({ type: 'set-card-aside' });
  const burnt = kit.last<{ why: string; card: number; person: { id: string } }>('card-burned');
  assert.deepEqual(
    [burnt.why, cardName(burnt.card as never), burnt.cites, burnt.person.id],
    ['set-aside', '5C', ['art.5.1.1'], 'D-01'],
  );
  assert.ok(leftMs(kit) <= left);
  assert.equal(kit.step, 'await-decision');
  await kit.do(kit.act(1, 'stand'));
  await kit.draw();
  assert.equal(kit.seat(1).result?.netMinor, 10_000);
});

test('a card that comes between two rounds holds the table, too', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.ready('TS 9H');
  await kit.draw();
  assert.equal(kit.view.hold?.code, 'unexpected-card');
  await kit.refused({ type: 'open-betting' }, 'held');
  await kit.do({ type: 'set-card-aside' });
  assert.equal(kit.step, 'open-betting');
});

test('a card of low confidence is confirmed by the dealer, or corrected by the supervisor', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.fund(1, 50_000);
  await kit.ready('TS 9H TD 8C');
  await kit.lay({ 1: 10_000 });
  await kit.hands({ do: 'fault', device: 'shoe', fault: 'doubtful' });
  await kit.draw();
  assert.equal(kit.view.hold?.code, 'doubtful-card');
  assert.equal(step(kit), 'confirm-card art.5.1.2');
  assert.deepEqual(kit.seat(1).hands, [], 'it counts only as confirmed');
  const ten = parseCard('TS');
  const nine = parseCard('9S');
  assert.ok(ten !== null && nine !== null);
  await kit.do({ type: 'confirm-card', card: ten });
  assert.deepEqual(kit.seat(1).hands[0]?.cards, [ten]);
  const confirmed = kit.last<{ read: number; card: number; person: { id: string } }>('card-confirmed');
  assert.deepEqual([confirmed.read, confirmed.card, confirmed.person.id], [ten, ten, 'D-01']);
  await kit.draw();
  await kit.hands({ do: 'fault', device: 'shoe', fault: 'doubtful' });
  await kit.draw();
  await kit.refused({ type: 'confirm-card', card: nine }, 'person');
  await kit.refused(
    { type: 'confirm-card', card: nine, reason: 'read-wrong', credential: CREDENTIAL.dealer },
    'person',
  );
  await kit.do({ type: 'confirm-card', card: nine, reason: 'read-wrong', credential: CREDENTIAL.supervisor });
  const corrected = kit.last<{ read: number; card: number; person: { id: string } }>('card-confirmed');
  assert.deepEqual([corrected.read, corrected.card, corrected.person.id], [parseCard('TD'), nine, 'S-01']);
  assert.deepEqual(kit.seat(1).hands[0]?.cards, [ten, nine]);
});

test('art. 5.1.2 a void round is a named supervisor’s, with its reason, and gives back every stake', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.fund(1, 50_000);
  await kit.fund(3, 50_000);
  await kit.ready('TS 9H AD TD 9D');
  await kit.deal({ 1: 10_000, 3: 20_000 });
  assert.equal(kit.step, 'await-offers');
  const half = kit.seat(1).choices.find((choice) => choice.act === 'insure')?.minMinor ?? 0;
  await kit.do({ ...kit.act(1, 'insure'), amountMinor: half });
  assert.equal(kit.balance('stake:1'), -15_000);
  await kit.refused({ type: 'void-round', reason: 'misdeal', credential: CREDENTIAL.dealer }, 'person');
  assert.ok(options(kit).includes('void-round art.5.1.2'));
  await kit.do({ type: 'void-round', reason: 'misdeal', credential: CREDENTIAL.supervisor });
  const voided = kit.last<{
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
  assert.deepEqual([kit.seat(1).creditMinor, kit.seat(3).creditMinor], [50_000, 50_000]);
  assert.equal(kit.balance('bank'), 0);
  await kit.refused(
    { type: 'void-round', reason: 'misdeal', credential: CREDENTIAL.supervisor },
    'round-over',
  );
  await kit.refused({ type: 'close-round' }, 'not-due');
  assert.equal(kit.step, 'read-results');
  kit.passDeadline();
  await kit.do({ type: 'close-round' });
  assert.equal(kit.step, 'open-betting');
});

test('art. 2.2.1 the white card makes the round the last; then a shoe is made ready again', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.fund(1, 50_000);
  await kit.do({ type: 'sign-in-dealer', credential: CREDENTIAL.dealer });
  await kit.loadShoe('2C TS 9H TD 8C');
  await kit.do({ type: 'cut-shoe', seat: null });
  // After the burnt card and two of the round.
  await kit.do({ type: 'place-end-card', cardsBehind: 309 });
  await kit.draw();
  await kit.deal({ 1: 10_000 });
  assert.equal(kit.entries('end-card-seen').length, 1);
  assert.equal(kit.view.round?.last, true);
  assert.equal(kit.view.shoe.lastRound, true);
  await kit.refused({ type: 'end-card-out' }, 'not-due');
  kit.passDeadline();
  await kit.do(kit.act(1, 'stand'));
  await kit.draw();
  kit.passDeadline();
  assert.equal(step(kit), 'close-round art.2.2.1');
  await kit.do({ type: 'close-round' });
  assert.equal(step(kit), 'load-shoe art.2.1.1');
  await kit.refused({ type: 'open-betting' }, 'not-due');
  await kit.ready('TS 9H TD 8C');
  await kit.do({ type: 'end-card-out' });
  await kit.do({ type: 'open-betting' });
  assert.equal(kit.view.round?.last, true, 'seen by the dealer between two rounds');
});

test('art. 5.1.2 first cards that lie at the wrong seats go where they were due', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.fund(1, 50_000);
  await kit.fund(3, 50_000);
  await kit.ready('TS 2H 9H TD 3D');
  await kit.deal({ 1: 10_000, 3: 10_000 });
  const cards = (seat: number): string => (kit.seat(seat).hands[0]?.cards ?? []).map(cardName).join(' ');
  assert.deepEqual([cards(1), cards(3)], ['TS TD', '2H 3D']);
  assert.ok(options(kit).includes('assign-card art.5.1.2'));
  await kit.refused({ type: 'assign-card', fromSeat: 1, toSeat: 2 }, 'not-allowed');
  await kit.refused({ type: 'assign-card', fromSeat: 1, toSeat: 1 }, 'not-allowed');
  await kit.do({ type: 'assign-card', fromSeat: 1, toSeat: 3 });
  assert.deepEqual([cards(1), cards(3)], ['2H 3D', 'TS TD']);
  assert.equal(kit.last<{ person: { id: string } }>('cards-swapped').person.id, 'D-01');
  kit.passDeadline();
  await kit.do(kit.act(1, 'hit'));
  await kit.draw();
  assert.deepEqual(
    await kit.refused({ type: 'assign-card', fromSeat: 1, toSeat: 3 }, 'too-late'),
    ['art.5.1.2'],
    'not once a further card is out',
  );
});

test('art. 6.1 a card the bank drew though it had stood is taken out', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.fund(1, 50_000);
  await kit.ready('TS 9H TD 8C 4S');
  await kit.deal({ 1: 10_000 });
  kit.passDeadline();
  await kit.do(kit.act(1, 'stand'));
  await kit.draw();
  assert.equal(kit.view.bank.points, 17);
  const result = kit.seat(1).result;
  await kit.draw();
  assert.equal(kit.view.hold?.code, 'unexpected-card');
  assert.match(step(kit), /^resolve-card art\.6\.1/);
  assert.ok(options(kit).some((option) => option.startsWith('draw-wrong art.6.1')));
  await kit.do({ type: 'draw-wrong', shown: true });
  const burnt = kit.last<{ why: string }>('card-burned');
  assert.equal(burnt.why, 'wrong-bank-card');
  assert.deepEqual(
    kit.view.bank.cards.map((card) => card !== null && cardName(card)),
    ['9H', '8C'],
  );
  assert.deepEqual(kit.seat(1).result, result);
  kit.passDeadline();
  await kit.do({ type: 'close-round' });
});
