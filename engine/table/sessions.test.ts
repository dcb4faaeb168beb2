import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ATTENDANT, amount, SUPERVISOR, TestTable } from '../../test/support/table-kit.ts';
import { bettingChoices } from '../engine.ts';
import { PLAIN_COMFORT } from './comfort.ts';
import { allowedNotes } from './notes.ts';
import { dueLimit, isOver, longFromMs, sessionResult, spanEndsMs, standingLimits } from './sessions.ts';

const MINUTE_MS = 60_000;

/** A table with a session at seat 1 that began with 1,000.00. */
function seated(): TestTable {
  const table = TestTable.ready();
  table.must({ type: 'begin-session', seat: 1 });
  return table;
}
const limits = (table: TestTable, timeMs: number | null, lossMinor: number | null) =>
  table.try({
    type: 'set-own-limits',
    seat: 1,
    timeMs,
    lossMinor: lossMinor === null ? null : amount(lossMinor),
  });
/** A round that seat 1 loses, with 100.00. */
function loseRound(table: TestTable): void {
  table.bets({ 1: 10_000 });
  table.draw('TS 9H 8D');
  table.wait();
  table.act(1, 'stand');
  table.draw('TC');
  table.wait();
  table.must({ type: 'close-round' });
}

test('K2: the result of a session is what is at the seat and was paid out, less what was put in, also in a round', () => {
  const table = seated();
  assert.equal(sessionResult(table.state, 1), 0);
  loseRound(table);
  assert.equal(sessionResult(table.state, 1), -10_000);
  table.bets({ 1: 20_000 });
  assert.equal(sessionResult(table.state, 1), -10_000, 'a stake on the table is not lost yet');
  table.draw('TS 9H 9D');
  table.wait();
  table.act(1, 'stand');
  table.draw('8C');
  assert.equal(sessionResult(table.state, 1), 10_000);
  table.wait();
  table.must({ type: 'close-round' });
  table.insert(1, 50_000);
  assert.equal(sessionResult(table.state, 1), 10_000, 'a banknote is money in, not won');
  table.must({ type: 'request-cash-out', seat: 1, requestId: 'c1' });
  assert.equal(sessionResult(table.state, 1), 10_000, 'what waits to be paid is still there');
  table.must({ type: 'confirm-hand-pay', seat: 1, requestId: 'c1', person: ATTENDANT, second: null });
  assert.equal(sessionResult(table.state, 1), 10_000);
  table.must({ type: 'end-session', seat: 1 });
  const ended = table.events.at(-1);
  assert.ok(ended?.type === 'session-ended');
  assert.deepEqual([ended.inMinor, ended.outMinor], [150_000, 160_000]);
  assert.equal(table.state.seats[0]?.session, undefined);
});

test('a note put right is money in, a settlement put right is won', () => {
  const table = seated();
  const put = (reason: 'note-wrong' | 'settlement-wrong') =>
    table.must({
      type: 'adjust-credit',
      seat: 1,
      amountMinor: amount(5_000),
      reason,
      words: '',
      corrects: { roundId: null, seq: null },
      complaintNo: null,
      person: ATTENDANT,
      second: SUPERVISOR,
    });
  put('note-wrong');
  assert.equal(sessionResult(table.state, 1), 0);
  put('settlement-wrong');
  assert.equal(sessionResult(table.state, 1), 5_000);
});

test('a session cannot begin twice nor at an empty seat, and does not end while there is money', () => {
  const table = seated();
  assert.equal(table.try({ type: 'begin-session', seat: 1 })?.code, 'nothing-to-do');
  assert.equal(table.try({ type: 'end-session', seat: 1 })?.code, 'nothing-to-do');
  table.must({ type: 'request-cash-out', seat: 2, requestId: 'c2' });
  table.must({ type: 'confirm-hand-pay', seat: 2, requestId: 'c2', person: ATTENDANT, second: null });
  assert.equal(table.try({ type: 'begin-session', seat: 2 })?.code, 'nothing-to-do');
});

test('K3: a limit that is reached takes no new bet, not even a repeated one, before it is confirmed; it reminds again after as much again', () => {
  const table = seated();
  assert.equal(limits(table, null, 15_000), null);
  loseRound(table);
  assert.equal(dueLimit(table.state, 1, table.atMs), null);
  assert.equal(table.try({ type: 'reach-own-limit', seat: 1 })?.code, 'not-due');
  loseRound(table);
  assert.equal(dueLimit(table.state, 1, table.atMs), 'loss');
  table.must({ type: 'reach-own-limit', seat: 1 });
  table.open();
  const touch = { roundId: table.roundId, seat: 1, touchedAtMs: table.atMs };
  assert.equal(table.tryBet(1, 10_000)?.code, 'own-limit');
  assert.equal(table.tryBet(2, 10_000, 1)?.code, 'own-limit', 'nor on the hand of another');
  assert.equal(table.try({ type: 'repeat-bets', ...touch })?.code, 'own-limit');
  for (const choice of bettingChoices(table.state, 1)) assert.equal(choice.allowed, false, choice.act);
  table.bet(2, 10_000);
  table.must({ type: 'confirm-own-limit', seat: 1 });
  table.bet(1, 10_000);
  assert.equal(dueLimit(table.state, 1, table.atMs), null);
  const { loss } = { loss: table.state.seats[0]!.session!.lossFromMinor };
  assert.equal(loss, -20_000);
});

test('what lies when the limit is reached is played to its end, and its hand may be doubled', () => {
  const table = seated();
  limits(table, MINUTE_MS, null);
  table.bets({ 1: 10_000 });
  table.draw('5S 9H 6D');
  table.wait();
  table.atMs += MINUTE_MS;
  table.must({ type: 'reach-own-limit', seat: 1, atMs: table.atMs });
  table.atMs -= MINUTE_MS;
  table.act(1, 'double');
  assert.equal(table.state.seats[0]?.session?.reached, 'time');
});

test('K3: lower at any time; higher or off only within a minute of setting it or after a day, each limit for itself', () => {
  const table = seated();
  const began = table.atMs;
  assert.equal(limits(table, 60 * MINUTE_MS, null), null);
  table.atMs = began + MINUTE_MS - 1;
  assert.equal(limits(table, 120 * MINUTE_MS, null), null, 'a touch beside it is put right');
  table.atMs = began + MINUTE_MS;
  assert.equal(limits(table, 180 * MINUTE_MS, null)?.code, 'limit-stands');
  assert.equal(limits(table, null, null)?.code, 'limit-stands');
  assert.equal(limits(table, 120 * MINUTE_MS, 50_000), null, 'another one is set');
  assert.equal(limits(table, 30 * MINUTE_MS, 60_000), null, 'one lower, the new one put right');
  assert.equal(limits(table, 31 * MINUTE_MS, 60_000)?.code, 'limit-stands', 'lowering opens nothing');
  table.atMs = began + 24 * 60 * MINUTE_MS - 1;
  assert.equal(limits(table, 31 * MINUTE_MS, 60_000)?.code, 'limit-stands');
  table.atMs += 1;
  assert.equal(limits(table, 31 * MINUTE_MS, 60_000), null);
  assert.equal(limits(table, 31 * MINUTE_MS, 70_000)?.code, 'limit-stands', 'the later one a minute later');
  table.atMs += MINUTE_MS;
  assert.equal(limits(table, 31 * MINUTE_MS, 70_000), null);
  table.checkReplay();
});

test('once one has been reached in this session none is raised or taken off', () => {
  const table = seated();
  assert.equal(limits(table, 60 * MINUTE_MS, 50_000), null);
  assert.equal(limits(table, 120 * MINUTE_MS, null), null, 'none was reached');
  assert.equal(limits(table, 30 * MINUTE_MS, 5_000), null);
  loseRound(table);
  table.must({ type: 'reach-own-limit', seat: 1 });
  table.must({ type: 'confirm-own-limit', seat: 1 });
  assert.equal(limits(table, 30 * MINUTE_MS, 6_000)?.code, 'limit-stands');
  assert.equal(limits(table, null, 5_000)?.code, 'limit-stands');
  assert.equal(limits(table, 20 * MINUTE_MS, 4_000), null);
});

test('comfort and limits are those of whoever sits there: they end with the session', () => {
  const table = seated();
  table.must({ type: 'set-comfort', seat: 1, comfort: { ...PLAIN_COMFORT, text: 'large' } });
  const before = table.events.length;
  table.must({ type: 'set-comfort', seat: 1, comfort: { ...PLAIN_COMFORT, text: 'large' } });
  assert.equal(table.events.length, before, 'what stands already is no event');
  assert.equal(table.state.seats[0]?.comfort?.text, 'large');
  table.must({ type: 'request-cash-out', seat: 1, requestId: 'c1' });
  assert.equal(isOver(table.state, 1), false);
  table.must({ type: 'confirm-hand-pay', seat: 1, requestId: 'c1', person: ATTENDANT, second: null });
  assert.equal(isOver(table.state, 1), true);
  table.must({ type: 'end-session', seat: 1 });
  assert.equal(table.state.seats[0]?.comfort, undefined);
});

test('K2: the rounds of a session are counted, with the most that one of them has cost', () => {
  const table = seated();
  const counted = (): unknown => {
    const { rounds, largestLossMinor } = table.state.seats[0]!.session!;
    return [rounds, largestLossMinor];
  };
  assert.deepEqual(counted(), [0, 0]);
  loseRound(table);
  assert.deepEqual(counted(), [1, 10_000]);
  table.bets({ 2: 1_000 });
  table.draw('TS 9H TD');
  table.wait();
  table.act(2, 'stand');
  table.draw('8C');
  table.close();
  assert.deepEqual(counted(), [1, 10_000], 'a round of others is none of theirs');
  table.bets({ 1: 20_000 });
  table.draw('TS 9H TD');
  table.wait();
  table.act(1, 'stand');
  table.draw('8C');
  table.close();
  assert.deepEqual(counted(), [2, 10_000], 'what is won takes nothing back');
  table.checkReplay();
});

test('K3: no note is taken above what a player wants to put in; lowered at any time, raised only while there is room', () => {
  const table = seated();
  const most = (inMinor: number | null) =>
    table.try({
      type: 'set-own-limits',
      seat: 1,
      timeMs: null,
      lossMinor: null,
      inMinor: inMinor === null ? null : amount(inMinor),
    });
  assert.deepEqual(allowedNotes(table.state, 1), [10_000, 50_000, 100_000]);
  assert.equal(most(150_000), null);
  assert.deepEqual(allowedNotes(table.state, 1), [10_000, 50_000], '100,000 are in already');
  assert.equal(most(200_000), null);
  assert.equal(most(160_000), null);
  table.insert(1, 50_000);
  assert.deepEqual(allowedNotes(table.state, 1), [10_000]);
  const heard = { type: 'hear-acceptor', acceptor: 1, word: 'escrow', noteId: 'n' } as const;
  table.must({ ...heard, note: { currency: 'MOP', valueMinor: 50_000 } });
  const refused = table.events.at(-1);
  assert.equal(refused?.type === 'note-refused' && refused.why, 'own-limit');
  table.insert(1, 10_000);
  assert.deepEqual(allowedNotes(table.state, 1), []);
  assert.equal(most(500_000)?.code, 'limit-stands');
  assert.equal(most(null)?.code, 'limit-stands');
  assert.equal(most(100_000), null);
  table.bets({ 1: 1_000 });
  table.checkReplay();
});

test('D8: the house lets a seat put in so much in a session, and so much within a span that begins with a note', () => {
  const HOUR_MS = 60 * MINUTE_MS;
  const span = { ms: HOUR_MS, mostMinor: amount(60_000) };
  const table = TestTable.ready({}, { noteLimits: { sessionMinor: amount(300_000), span } }, 0);
  const [allowed, other] = [() => allowedNotes(table.state, 1), () => allowedNotes(table.state, 2)];
  assert.deepEqual(allowed(), [10_000, 50_000], 'none is larger than the span');
  table.insert(1, 10_000);
  table.must({ type: 'begin-session', seat: 1 });
  const firstMs = table.state.seats[0]!.span!.fromMs;
  table.insert(1, 50_000);
  assert.deepEqual(allowed(), []);
  assert.deepEqual(other(), [10_000, 50_000], 'each seat has its own');
  const heard = { type: 'hear-acceptor', acceptor: 1, word: 'escrow', noteId: 'n' } as const;
  table.must({ ...heard, note: { currency: 'MOP', valueMinor: 10_000 } });
  const refused = table.events.at(-1);
  assert.equal(refused?.type === 'note-refused' && refused.why, 'house-limit');
  const end = (atMs: number) => table.try({ type: 'end-note-span', seat: 1, atMs })?.code ?? null;
  assert.equal(end(firstMs + HOUR_MS - 1), 'not-due', 'it began with the first note, not with the last');
  assert.equal(end(firstMs + HOUR_MS), null);
  assert.equal(end(firstMs + 2 * HOUR_MS), 'not-due', 'once');
  assert.deepEqual(allowed(), [10_000, 50_000]);
  for (let more = 0; more < 4; more += 1) {
    table.insert(1, 50_000);
    table.must({ type: 'end-note-span', seat: 1, atMs: spanEndsMs(table.state, 1)! });
  }
  assert.deepEqual(allowed(), [10_000], '260,000 of 300,000 in this session');
  // Who pays out and sits down again has a session of their own, and the span that runs.
  table.insert(1, 10_000);
  table.must({ type: 'request-cash-out', seat: 1, requestId: 'c' });
  table.must({ type: 'confirm-hand-pay', seat: 1, requestId: 'c', person: ATTENDANT, second: SUPERVISOR });
  table.must({ type: 'end-session', seat: 1 });
  assert.deepEqual(allowed(), [10_000, 50_000]);
  assert.equal(table.state.seats[0]!.span!.inMinor, 10_000);
  table.checkReplay();
});

test('K3: a break takes no bet before it is over, is only made longer, and keeps nobody from being paid', () => {
  const table = seated();
  const rest = (minutes: number, atMs = table.atMs) =>
    table.try({ type: 'take-break', seat: 1, forMs: minutes * MINUTE_MS, atMs });
  assert.equal(table.try({ type: 'take-break', seat: 2, forMs: MINUTE_MS })?.code, 'nothing-to-do');
  assert.equal(rest(10), null);
  assert.equal(rest(5)?.code, 'limit-stands');
  table.open();
  assert.equal(table.tryBet(1, 10_000)?.code, 'own-limit');
  const untilMs = table.state.seats[0]!.session!.breakUntilMs!;
  const goOn = { type: 'confirm-own-limit', seat: 1 } as const;
  assert.equal(table.try({ ...goOn, atMs: untilMs - 1 })?.code, 'limit-stands');
  assert.equal(table.try({ ...goOn, atMs: untilMs }), null);
  table.bet(1, 10_000);
  assert.equal(table.state.seats[0]!.session!.breakUntilMs, undefined);
  assert.equal(rest(10), null);
  assert.equal(table.try({ type: 'undo-bet', roundId: table.roundId, seat: 1, touchedAtMs: 0 }), null);
  assert.equal(table.try({ type: 'request-cash-out', seat: 1, requestId: 'c' }), null);
  table.checkReplay();
});

test('K8: staff hear once of a session that lasts as long as the house says, and of none where it says nothing', () => {
  const table = TestTable.ready({}, { longSessionMs: 180 * MINUTE_MS });
  table.must({ type: 'begin-session', seat: 1 });
  const notice = (atMs: number) => table.try({ type: 'notice-long-session', seat: 1, atMs })?.code ?? null;
  const dueMs = longFromMs(table.state, 1)!;
  assert.equal(dueMs, table.state.seats[0]!.session!.sinceMs + 180 * MINUTE_MS);
  assert.equal(notice(dueMs - 1), 'not-due');
  assert.equal(notice(dueMs), null);
  assert.equal(notice(dueMs + 1), 'not-due', 'once');
  assert.equal(longFromMs(seated().state, 1), null);
  table.checkReplay();
});

test('a seat that nobody has sat down at has no session that could be over, limited or long', () => {
  const table = TestTable.ready({}, { longSessionMs: MINUTE_MS }, 0);
  const { state, atMs } = table;
  for (const seat of [1, 8])
    assert.deepEqual(
      [sessionResult(state, seat), dueLimit(state, seat, atMs), isOver(state, seat), longFromMs(state, seat)],
      [0, null, false, null],
    );
  assert.deepEqual(standingLimits(state, 1, atMs), []);
  for (const type of ['confirm-own-limit', 'reach-own-limit', 'notice-long-session'] as const)
    assert.ok(['nothing-to-do', 'not-due'].includes(table.try({ type, seat: 1 })?.code ?? ''), type);
  const wanted = { timeMs: MINUTE_MS, lossMinor: null };
  const forMs = MINUTE_MS;
  for (const [seat, code] of [
    [1, 'nothing-to-do'],
    [8, 'unknown-seat'],
  ] as const) {
    assert.equal(table.try({ type: 'set-own-limits', seat, ...wanted })?.code, code);
    assert.equal(table.try({ type: 'take-break', seat, forMs })?.code, code);
  }
  assert.equal(table.try({ type: 'set-comfort', seat: 8, comfort: PLAIN_COMFORT })?.code, 'unknown-seat');
});

test('a session is not over while a note of its seat is on its way, or a series of its player is open', () => {
  const table = TestTable.ready({ sideBets: ['streak2'] }, {}, 0);
  for (const seat of [1, 2])
    table.must({ type: 'set-comfort', seat, comfort: { ...PLAIN_COMFORT, text: 'large' } });
  const over = (): boolean[] => [1, 2].map((seat) => isOver(table.state, seat));
  assert.deepEqual(over(), [true, true]);
  const note = { currency: 'MOP', valueMinor: 10_000 };
  table.must({ type: 'hear-acceptor', acceptor: 1, word: 'escrow', noteId: 'n', note });
  assert.deepEqual(over(), [false, true]);
  table.must({ type: 'hear-acceptor', acceptor: 1, word: 'credited', note });
  table.winWithStreak();
  assert.deepEqual(over(), [false, true]);
  const spent = structuredClone(table.state);
  spent.seats[0]!.creditMinor = amount(0);
  assert.deepEqual(
    [1, 2].map((seat) => isOver(spent, seat)),
    [false, true],
    'its stake lies on the table',
  );
});

test('a limit is due at its last millisecond and its last unit, once', () => {
  const table = seated();
  const { timeFromMs } = table.state.seats[0]!.session!;
  assert.equal(limits(table, MINUTE_MS, null), null);
  const due = (afterMs: number) => dueLimit(table.state, 1, timeFromMs + afterMs);
  assert.deepEqual([due(MINUTE_MS - 1), due(MINUTE_MS), due(MINUTE_MS + 1)], [null, 'time', 'time']);
  table.must({ type: 'reach-own-limit', seat: 1, atMs: timeFromMs + MINUTE_MS });
  assert.equal(due(MINUTE_MS + 1), null, 'it has been said');

  const loser = seated();
  limits(loser, null, 10_001);
  loseRound(loser);
  assert.equal(dueLimit(loser.state, 1, loser.atMs), null);
  limits(loser, null, 10_000);
  assert.equal(dueLimit(loser.state, 1, loser.atMs), 'loss');
  const free = seated();
  limits(free, 99 * MINUTE_MS, null);
  loseRound(free);
  assert.equal(dueLimit(free.state, 1, free.atMs), null, 'there is none on the loss');
});

test('a limit is an amount or a time, or none; one that stands is no hindrance to lowering another', () => {
  const table = seated();
  for (const wrong of [0, -1, 0.5, Number.NaN]) {
    assert.deepEqual(
      [limits(table, wrong, null)?.code, limits(table, null, wrong)?.code],
      ['malformed', 'malformed'],
      `${wrong}`,
    );
  }
  assert.equal(limits(table, 1, 1), null);
  const set = table.events.at(-1);
  assert.ok(set?.type === 'own-limits-set' && !('inMinor' in set));
  const wanted = { type: 'set-own-limits', seat: 1, timeMs: 60 * MINUTE_MS, lossMinor: null } as const;
  const other = seated();
  other.must({ ...wanted, inMinor: amount(500_000) });
  const named = other.events.at(-1);
  assert.ok(named?.type === 'own-limits-set' && named.inMinor === 500_000);
  other.atMs += 2 * MINUTE_MS;
  assert.equal(other.try({ ...wanted, inMinor: amount(400_000) }), null, 'the time is what it was');
});

test('a break lasts for a day at most, and is only made longer', () => {
  const table = seated();
  const day = 24 * 60 * MINUTE_MS;
  const take = (forMs: number, atMs = table.atMs + 1) =>
    table.try({ type: 'take-break', seat: 1, forMs, atMs })?.code;
  for (const wrong of [0, -1, 0.5, day + 1]) assert.equal(take(wrong), 'malformed', `${wrong}`);
  const { atMs } = table;
  assert.equal(take(MINUTE_MS, atMs), undefined);
  assert.deepEqual([take(MINUTE_MS - 1, atMs), take(MINUTE_MS, atMs)], ['limit-stands', 'limit-stands']);
  assert.equal(take(MINUTE_MS + 1, atMs), undefined);
  assert.equal(take(day, atMs), undefined);
  assert.equal(table.try({ type: 'confirm-own-limit', seat: 1, atMs: atMs + day - 1 })?.code, 'limit-stands');
  assert.equal(table.try({ type: 'confirm-own-limit', seat: 1, atMs: atMs + day }), null);
});

test('a limit stands from a minute to a day after it was first set, and setting the same ones again is nothing', () => {
  const table = seated();
  const at = table.atMs;
  const set = (timeMs: number | null, lossMinor: number | null, afterMs: number) =>
    table.try({
      type: 'set-own-limits',
      seat: 1,
      timeMs,
      lossMinor: lossMinor === null ? null : amount(lossMinor),
      atMs: at + afterMs,
    });
  const since = () => table.state.seats[0]!.session!.limitsSince;
  assert.equal(set(MINUTE_MS, null, 0), null);
  assert.deepEqual(since(), { timeSetMs: at });
  const { length } = table.events;
  assert.equal(set(MINUTE_MS, null, 5), null);
  assert.equal(table.events.length, length);
  assert.equal(set(MINUTE_MS, 500, 10), null);
  assert.deepEqual(since(), { timeSetMs: at, lossSetMs: at + 10 });
  assert.equal(set(null, 500, 20), null, 'put right');
  assert.deepEqual(since(), { lossSetMs: at + 10 });
  assert.equal(set(MINUTE_MS, 500, 30), null);
  assert.deepEqual(since(), { timeSetMs: at + 30, lossSetMs: at + 10 }, 'set afresh');
  const day = 24 * 60 * MINUTE_MS;
  const stands = (afterMs: number) => standingLimits(table.state, 1, at + afterMs);
  assert.deepEqual(stands(9 + MINUTE_MS), []);
  assert.deepEqual(stands(10 + MINUTE_MS), ['lossMinor']);
  assert.deepEqual(stands(9 + day), ['timeMs', 'lossMinor']);
  assert.deepEqual(stands(10 + day), ['timeMs']);
  assert.deepEqual(stands(30 + day), []);
});

test('once a limit has been reached none is raised; one that was not set may be', () => {
  const table = seated();
  limits(table, null, 10_000);
  loseRound(table);
  table.must({ type: 'reach-own-limit', seat: 1 });
  table.must({ type: 'confirm-own-limit', seat: 1 });
  assert.deepEqual(standingLimits(table.state, 1, table.atMs), ['lossMinor']);
  assert.equal(limits(table, MINUTE_MS, 10_001)?.code, 'limit-stands');
  assert.equal(limits(table, MINUTE_MS, 10_000), null);
});
