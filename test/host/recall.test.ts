import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import canonicalize from 'canonicalize';
import { cardName, cardOf } from '../../engine/core/cards.ts';
import { roundIdOf } from '../../host/table/terminal.ts';
import type { Ledger } from '../../ledger/store/ledger.store.ts';
import type { Command } from '../../wire/commands.ts';
import type { RecallPage } from '../../wire/pages.ts';
import type { TestDisplay } from '../support/display.ts';
import { CREDENTIAL, TestTerminal } from './test-terminal.ts';

const idOf = (no: number): string => roundIdOf('T-HOST-1', no);
const show = (no: number): Command => ({ type: 'show-recall', roundId: idOf(no) });
const shownNo = (kit: TestTerminal): number | null => kit.view.recall?.no ?? null;

/** A round of seats 1 and 3, dealt to its end: 20 and 14 against 17. */
async function oneRound(kit: TestTerminal, cards: string): Promise<void> {
  await kit.ready(cards);
  await kit.deal({ 1: 10_000, 3: 23_000 });
  kit.passDeadline();
  for (const seat of [1, 3])
    if (kit.view.seats[seat - 1]?.turnHand === 0) await kit.do(kit.act(seat, 'stand'));
  await kit.draw();
  kit.passDeadline();
  await kit.do({ type: 'close-round' });
}

async function withOneRound(t: TestContext, ledger?: (ledger: Ledger) => Ledger): Promise<TestTerminal> {
  const kit = await TestTerminal.open(t, ledger ? { ledger } : {});
  await Promise.all([kit.fund(1, 100_000), kit.fund(3, 50_000)]);
  await oneRound(kit, 'TS 7H 9H TD 7D 8C');
  return kit;
}

/** All steps as the big table gets them. */
async function stepsOf(display: TestDisplay, no: number): Promise<RecallPage['steps']> {
  const steps: RecallPage['steps'][number][] = [];
  for (let total = 1; steps.length < total; ) {
    const page = await display.found({
      query: 'recall',
      roundId: idOf(no),
      fromStep: steps.length,
    });
    total = page.total;
    steps.push(...page.steps);
  }
  return steps;
}

test('AGCO 13.1.3 recall between rounds, in a round, under a hold and on a locked terminal; event 515 says who', async (t) => {
  let wrong = false;
  const kit = await withOneRound(t, (ledger) => ({
    ...ledger,
    balances: () => (wrong ? new Map([...ledger.balances(), ['MOP/seat-credit:1', -1]]) : ledger.balances()),
  }));
  const dealer = await kit.display('dealer');

  // Between rounds the dealer has the table play one.
  assert.deepEqual(
    (await dealer.query({ query: 'rounds', beforeNo: null, limit: 10 })).rounds.map(({ no }) => no),
    [1],
  );
  await kit.do(show(1), dealer);
  assert.equal(shownNo(kit), 1);
  assert.deepEqual(kit.last('recall-displayed'), {
    roundId: idOf(1),
    place: 'table',
    person: { id: 'D-01', name: 'Lei Ka Man', role: 'dealer' },
    seat: null,
  });
  const steps = await stepsOf(kit.table, 1);
  const settled = steps.find(({ done }) => done.some(({ kind }) => kind === 'round-settled'));
  assert.deepEqual(
    settled?.view.bank.cards.map((card) => card !== null && cardName(card)),
    ['9H', '8C'],
  );
  await kit.do({ type: 'hide-recall' });
  assert.equal(shownNo(kit), null);

  // It is gone as soon as the table needs its screen, and does not come back.
  await kit.do(show(1));
  await kit.do({ type: 'open-betting' });
  assert.equal(shownNo(kit), null);
  await kit.do(kit.bet(1, 10_000));
  await kit.refused(show(1), 'not-due');
  await assert.rejects(kit.table.found({ query: 'recall', roundId: idOf(1), fromStep: 0 }), /service/);

  // Service mode opens in the round.
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  const detail = await kit.table.found({ query: 'round', roundId: idOf(1) });
  assert.equal(detail.seats.length, 2);
  assert.equal(kit.last<{ person: { id: string } }>('recall-displayed').person.id, 'T-01');
  await kit.do(show(1));
  assert.equal(shownNo(kit), 1);
  await kit.do({ type: 'exit-service' });
  assert.equal(shownNo(kit), null, 'bets lie');

  // A hold: its own round, too, up to where it stands; the next hold is another one.
  await kit.do({ type: 'close-betting' });
  await kit.rack.do({ do: 'fault', device: 'shoe', fault: 'jam' });
  await kit.until('a hold', () => kit.view.hold !== null);
  await kit.do(show(2));
  assert.equal(shownNo(kit), 2);
  const running = await stepsOf(kit.table, 2);
  assert.equal(running.at(-1)?.view.hold?.code, kit.view.hold?.code);
  await kit.do({ type: 'void-round', reason: 'supervisor', credential: CREDENTIAL.supervisor });
  assert.equal(shownNo(kit), null);

  // Books that differ.
  await kit.rack.do({ do: 'fault', device: 'shoe', fault: 'clear-jam' });
  // its end is an entry, too, and comes when the shoe is asked the next time
  await kit.until('the jam is over', () => kit.view.devices.find(({ id }) => id === 'shoe')?.fault === null);
  wrong = true;
  await kit.send({ type: 'call-attendant', seat: 2, on: true });
  assert.equal(kit.view.hold?.code, 'books');
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.auditor });
  const seq = kit.headSeq;
  assert.equal((await kit.table.found({ query: 'round', roundId: idOf(2) })).no, 2);
  await kit.do(show(2));
  assert.ok((await stepsOf(kit.table, 2)).length > running.length);
  assert.deepEqual(
    kit.kindsSince(seq),
    ['recall-displayed', 'recall-displayed'],
    'looked at twice, stored twice',
  );
});

test('a round says what came before it, what went wrong in it, what was put right, and what it was played by', async (t) => {
  const kit = await TestTerminal.open(t);
  await Promise.all([kit.fund(1, 100_000), kit.fund(3, 50_000)]);
  await kit.do({ type: 'request-cash-out', seat: 3 });
  const { requestId } = kit.seat(3).cashOut!;
  await kit.do({ type: 'confirm-hand-pay', seat: 3, requestId, credential: CREDENTIAL.attendant });
  await kit.ready('TS 9H TD 8C');
  await kit.lay({ 1: 10_000 });
  await kit.draw();
  await kit.rack.do({ do: 'fault', device: 'shoe', fault: 'misread' });
  await kit.draw();
  await kit.until('a card in doubt', () => kit.view.hold !== null);
  const card = kit.view.hold?.card ?? cardOf(0, 3);
  await kit.do({ type: 'confirm-card', card, reason: 'not-read', credential: CREDENTIAL.supervisor });
  await kit.do({ type: 'void-round', reason: 'misdeal', credential: CREDENTIAL.supervisor });
  await kit.until('closed', () => kit.step === 'close-round');
  await kit.do({ type: 'close-round' });
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.auditor });
  const detail = await kit.table.found({ query: 'round', roundId: idOf(1) });
  assert.equal(detail.rulebook, 'macau-blackjack-2009');
  const { profile } = kit.host.terminal.state;
  const ofProfile = createHash('sha256').update(canonicalize(profile)!).digest('hex');
  assert.equal(detail.profileSha256, ofProfile);
  await kit.do(show(1));
  assert.equal(kit.view.recall?.profileSha256, ofProfile, 'and on the big table');
  assert.deepEqual(detail.dealers, ['Lei Ka Man']);
  assert.deepEqual(
    detail.moneyBefore.map(({ kind }) => kind),
    ['note-credited', 'note-credited', 'cash-out-requested', 'hand-paid'],
  );
  assert.deepEqual(
    detail.corrections.map(({ kind }) => kind),
    ['card-confirmed', 'round-voided'],
  );
  assert.ok(detail.errors.some(({ kind }) => kind === 'table-held'));
  const [seat] = detail.seats;
  assert.deepEqual(seat?.wagers, [{ category: 'main', amountMinor: 10_000 }]);
  assert.equal(seat?.creditBeforeMinor, 100_000);
  assert.equal(seat?.creditAfterMinor, 100_000);
});

test('art. 5.2.3.2 a recall of the running round does not say what lies face down, nor does one of its steps later', async (t) => {
  const kit = await TestTerminal.open(t, {
    profile: { options: { burnAtStart: 'one', min: 5_000, max: 500_000, step: 1_000, dealing: 'holeCard' } },
  });
  await kit.fund(1, 50_000);
  await kit.ready('TS 9H 8D 7C');
  await kit.deal({ 1: 10_000 });
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.auditor });
  await kit.do(show(1));
  /** Each step with a card face down as the table would show and name it. */
  const faceDown = async (): Promise<string[]> =>
    (await stepsOf(kit.table, 1)).flatMap(({ done, view }) =>
      view.bank.cards.includes(null) ? JSON.stringify([done, view.bank]) : [],
    );
  const running = await faceDown();
  assert.ok(running.length > 0);
  const hole = kit.host.terminal.state.round?.bank[1];
  assert.ok(hole !== undefined && kit.host.terminal.state.round?.bankHoleDown);
  for (const text of running) assert.doesNotMatch(text, new RegExp(`\\b${hole}\\b`));
  await kit.do({ type: 'exit-service' });
  kit.passDeadline();
  await kit.do(kit.act(1, 'stand'));
  assert.equal(kit.view.bank.cards.includes(null), false, 'it is turned');
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.auditor });
  assert.deepEqual((await faceDown()).slice(0, running.length), running);
});

test('rounds are found by their number, a time and a seat', async (t) => {
  const kit = await withOneRound(t);
  const firstClosedMs = kit.now();
  kit.offsetMs += 60_000;
  for (const bets of [{ 1: 10_000 }, { 3: 5_000 }, { 1: 5_000 }] as const) {
    await kit.do({ type: 'open-betting' });
    for (const [seat, amount] of Object.entries(bets)) await kit.do(kit.bet(Number(seat), amount));
    await kit.do({ type: 'void-round', reason: 'supervisor', credential: CREDENTIAL.supervisor });
    await kit.until('closed', () => kit.step === 'close-round');
    await kit.do({ type: 'close-round' });
  }
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.auditor });
  const list = async (o: { beforeNo?: number; seat?: number; atMs?: number; limit?: number }) => {
    const page = await kit.table.query({ query: 'rounds', beforeNo: null, limit: 10, ...o });
    return [page.rounds.map(({ no }) => no), page.older];
  };
  assert.deepEqual(await list({}), [[4, 3, 2, 1], null]);
  assert.deepEqual(await list({ beforeNo: 3, limit: 1 }), [[2], 2]);
  assert.deepEqual(await list({ seat: 3 }), [[3, 1], null]);
  assert.deepEqual(await list({ seat: 3, limit: 1 }), [[3], 3]);
  assert.deepEqual(await list({ atMs: firstClosedMs }), [[1], null]);
  assert.deepEqual(await list({ atMs: kit.now() }), [[4, 3, 2, 1], null]);
  assert.deepEqual(await list({ atMs: 0 }), [[], null]);
});

test('a player looks at their own rounds alone, from the display of their seat, until they were paid out', async (t) => {
  const kit = await withOneRound(t);
  const [one, two] = await Promise.all([kit.display('seat:1'), kit.display('seat:2')]);
  const { rounds } = await one.query({ query: 'own-rounds', seat: 1 });
  assert.deepEqual(
    rounds.map(({ no, stakedMinor, netMinor, voided }) => ({ no, stakedMinor, netMinor, voided })),
    [{ no: 1, stakedMinor: 10_000, netMinor: 10_000, voided: false }],
  );
  const round = await one.found({ query: 'own-round', seat: 1, roundId: idOf(1) });
  assert.deepEqual([round.creditBeforeMinor, round.creditAfterMinor], [100_000, 110_000]);
  assert.deepEqual(
    round.lines.map(({ seat, by, netMinor, cites }) => [seat, by, netMinor, cites.length > 0]),
    [[1, 1, 10_000, true]],
  );
  const last = round.steps.findLast(({ hands }) => hands.length > 0);
  assert.deepEqual(
    last?.hands.map(({ seat, cards }) => [seat, cards.map((card) => cardName(card!)).join(' ')]),
    [[1, 'TS TD']],
  );
  assert.doesNotMatch(JSON.stringify(round), /23000|50000/, 'neither the bet nor the credit of seat 3');
  assert.deepEqual(kit.last('recall-displayed'), {
    roundId: idOf(1),
    place: 'seat',
    person: null,
    seat: 1,
  });

  // Nobody else's: neither by asking for another seat nor through the pages of the table.
  for (const query of [
    { query: 'own-rounds', seat: 3 },
    { query: 'own-round', seat: 3, roundId: idOf(1) },
    { query: 'rounds', beforeNo: null, limit: 10 },
    { query: 'round', roundId: idOf(1) },
    { query: 'recall', roundId: idOf(1), fromStep: 0 },
  ] as const)
    await assert.rejects(one.query(query), /service/, JSON.stringify(query));
  await kit.refused(show(1), 'not-allowed', one);
  assert.equal(await two.query({ query: 'own-round', seat: 2, roundId: idOf(1) }), null);
  assert.deepEqual(await two.query({ query: 'own-rounds', seat: 2 }), { rounds: [], more: false });

  // Whoever sits down after them does not see them.
  await kit.do({ type: 'request-cash-out', seat: 1 });
  const { requestId } = kit.seat(1).cashOut!;
  await kit.do({ type: 'confirm-hand-pay', seat: 1, requestId, credential: CREDENTIAL.attendant });
  assert.deepEqual(await one.query({ query: 'own-rounds', seat: 1 }), { rounds: [], more: false });
  assert.equal(await one.query({ query: 'own-round', seat: 1, roundId: idOf(1) }), null);
});
