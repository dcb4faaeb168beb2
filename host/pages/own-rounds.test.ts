import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadOrCreateKey, type NewEntry, openLedger } from '../../ledger/store/ledger.store.ts';
import { ownRounds } from './own-rounds.ts';

const ROUNDS = 230;

/** A round of a full table: seat 3 bets in each, and two entries of three are nobody's bets. */
function round(no: number): NewEntry[] {
  const roundId = `R-${no}`;
  const entry = (kind: string, body: object): NewEntry => ({ kind, roundId, body, postings: [] });
  const line = { by: 3, seat: 3, stakeMinor: 100, netMinor: no, returnedMinor: 100 + no };
  return [
    entry('betting-opened', { roundId, roundNo: no }),
    ...[1, 2, 3, 4, 5, 6, 7].map((seat) => entry('bet-placed', { seat, by: seat })),
    ...Array.from({ length: 60 }, () => entry('turn-moved', { seat: 1, hand: 0 })),
    entry('round-settled', { lines: [line] }),
    entry('round-closed', { next: 'idle' }),
  ];
}

test('B18: a player looks two hundred rounds back, ten at a time, within 300 ms each', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'banca-own-'));
  const ledger = openLedger(join(dir, 'ledger.db'), {
    terminalId: 'T-OWN',
    key: loadOrCreateKey(dir),
    createIfMissing: true,
  });
  t.after(() => {
    ledger.close();
    rmSync(dir, { recursive: true, force: true });
  });
  for (let no = 1; no <= ROUNDS; no += 1) ledger.append(1_000 + no, null, round(no));
  const seen: number[] = [];
  for (const from of [0, 100, 190]) {
    // The machine may have other work: the quickest of three is what it takes.
    let quickestMs = Infinity;
    let page: Awaited<ReturnType<typeof ownRounds>> = { rounds: [], more: false };
    for (let tries = 0; tries < 3 && quickestMs > 300; tries += 1) {
      const beganMs = performance.now();
      page = await ownRounds(ledger, 3, from);
      quickestMs = Math.min(quickestMs, performance.now() - beganMs);
    }
    assert.ok(quickestMs <= 300, `${Math.round(quickestMs)} ms from ${from} on`);
    assert.equal(page.more, from < 190, `from ${from}`);
    seen.push(...page.rounds.map(({ netMinor }) => netMinor));
  }
  assert.deepEqual(
    seen,
    [0, 100, 190].flatMap((from) => Array.from({ length: 10 }, (_, index) => ROUNDS - from - index)),
  );
  assert.deepEqual(
    await ownRounds(ledger, 2, 0).then(({ rounds }) => rounds),
    [],
    'nothing of theirs was settled',
  );
});
