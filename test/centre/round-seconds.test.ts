import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ClosedRound, NEW_CLOCK, PARTS, type Part, tick } from '../../upstream/day/round-seconds.ts';
import { keptLedgers } from '../ledgers/kept.ts';

type Step = readonly [seconds: number, kind: string, body?: unknown];

/** The rounds that these entries close, each entry so many seconds after the one before. */
function rounds(...steps: readonly Step[]): Partial<Record<Part, number>>[] {
  let clock = NEW_CLOCK;
  let atMs = 1_000_000;
  const closed: ClosedRound[] = [];
  for (const [seconds, kind, body = {}] of steps) {
    atMs += seconds * 1_000;
    const done = tick(clock, { kind, atMs, body });
    clock = done.clock;
    if (done.closed !== null) closed.push(done.closed);
  }
  return closed.map(({ ms, lengthMs }) => {
    assert.equal(
      PARTS.reduce((sum, part) => sum + ms[part], 0),
      lengthMs,
    );
    return Object.fromEntries(PARTS.filter((part) => ms[part] > 0).map((part) => [part, ms[part] / 1_000]));
  });
}

const DEADLINE = { deadline: { kind: 'decision' } };

test('every second of a round is of whoever the table has waited for', () => {
  assert.deepEqual(
    rounds(
      [0, 'betting-opened'],
      [12, 'bet-placed'],
      [8, 'betting-closed'],
      [2, 'deal-began'],
      [0, 'card-dealt'],
      [3, 'card-dealt'],
      [4, 'bank-card-dealt'],
      [0, 'initial-deal-ended'],
      [0, 'offers-opened'],
      [5, 'insurance-declined'],
      [1, 'offers-closed'],
      [0, 'turn-moved', DEADLINE],
      [7, 'hit-called'],
      [2, 'card-dealt'],
      [0, 'turn-moved', DEADLINE],
      [6, 'hand-stood'],
      [0, 'bank-turn-began'],
      [3, 'bank-card-dealt'],
      [0, 'round-settled'],
      [6, 'results-shown'],
      [4, 'round-closed'],
    ),
    [{ players: 12 + 8 + 5 + 1 + 7 + 6, dealer: 2 + 3 + 4 + 2 + 3, screen: 6, settlement: 4 }],
  );
});

test('a card in doubt and a fault of the shoe are the shoe’s, a card drawn too early the dealer’s', () => {
  const held = (code: string) => ({ hold: { code } });
  assert.deepEqual(
    rounds(
      [0, 'betting-opened'],
      [5, 'betting-closed'],
      [1, 'table-held', held('shoe-fault')],
      [40, 'hold-released'],
      [2, 'card-dealt'],
      [0, 'turn-moved', DEADLINE],
      [3, 'table-held', held('unexpected-card')],
      [9, 'hold-released'],
      [4, 'hand-stood'],
      [0, 'bank-turn-began'],
      [1, 'money-held', { why: 'waits' }],
      [11, 'money-read-again'],
      [0, 'round-settled'],
      [6, 'results-shown'],
      [1, 'round-closed'],
    ),
    [{ players: 5 + 3 + 4, dealer: 1 + 2 + 9 + 1, shoe: 40, settlement: 11 + 1, screen: 6 }],
  );
});

test('service, a power cut and another hold stop a round, whoever it waited for', () => {
  assert.deepEqual(
    rounds(
      [0, 'betting-opened'],
      [5, 'service-entered'],
      [60, 'service-left'],
      [5, 'betting-closed'],
      // The power is gone; nothing says so but the next start.
      [2, 'card-dealt'],
      [300, 'terminal-started'],
      [1, 'program-started'],
      [0, 'table-held', { hold: { code: 'recovery' } }],
      [20, 'hold-released'],
      [3, 'round-voided'],
      [6, 'results-shown'],
      [0, 'round-closed'],
    ),
    [{ players: 10, dealer: 5, stopped: 60 + 300 + 1 + 20, screen: 6 }],
  );
  assert.deepEqual(
    rounds(
      [0, 'betting-opened'],
      [5, 'program-stopped'],
      [90, 'terminal-started'],
      [5, 'betting-cancelled'],
      [9, 'round-closed'],
      [0, 'demo-round-opened'],
      [9, 'round-closed'],
    ),
    [],
    'neither a cancelled window nor a demonstration is a round',
  );
});

test('a clock that is put back takes no second from anybody', () => {
  assert.deepEqual(
    rounds(
      [0, 'betting-opened'],
      [10, 'betting-closed'],
      [-30, 'card-dealt'],
      [25, 'card-dealt'],
      [10, 'round-settled'],
      [0, 'round-closed'],
    ),
    [{ players: 10, dealer: 5 }],
  );
});

test('the parts of every round of the kept ledgers sum to the round', () => {
  let count = 0;
  const sums: Record<string, number> = {};
  for (const { name, entries } of keptLedgers()) {
    let clock = NEW_CLOCK;
    let openedMs = 0;
    for (const entry of entries) {
      if (entry.kind === 'betting-opened') openedMs = entry.atMs;
      const { clock: next, closed } = tick(clock, entry);
      clock = next;
      if (closed === null) continue;
      count += 1;
      const sum = PARTS.reduce((ms, part) => ms + closed.ms[part], 0);
      assert.ok(Math.abs(sum - (entry.atMs - openedMs)) <= 50, `${name} entry ${entry.seq}`);
      for (const part of PARTS) sums[part] = (sums[part] ?? 0) + closed.ms[part];
    }
  }
  assert.ok(count > 150, `${count} rounds`);
  // The demonstration is quick with its cards, and shows each result for seconds.
  assert.ok(
    sums['screen']! > sums['players']! && sums['players']! > sums['settlement']!,
    JSON.stringify(sums),
  );
  assert.equal(sums['stopped'], 0);
});
