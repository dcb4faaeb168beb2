import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { TableEvent } from '../../engine/table/events.ts';
import type { OptionValue, RulebookId } from '../../engine/table/profile.ts';
import type { TableView } from '../../host/api.ts';
import { ownRound, ownRounds } from '../../host/own-rounds.ts';
import { roundDetail } from '../../host/recall.ts';
import { playRound, recallPage } from '../../host/recall-steps.ts';
import { Terminal, type TimelessInput } from '../../host/terminal.ts';
import { RecentNotes, tableView } from '../../host/view.ts';
import { judgeReceipt } from '../../ledger/chain/receipt.codec.ts';
import { loadOrCreateKey, openLedger } from '../../ledger/store/ledger.store.ts';
import { RandomTable } from '../support/random-table.ts';

const SEED = Number(process.env['BANCA_SEED'] ?? randomInt(1_000_000));
const PAST = { simulation: false, handLoaded: false };

/** Without what belongs to the moment and not to the table. */
const stored = (view: TableView): unknown =>
  JSON.parse(JSON.stringify({ ...view, bootId: undefined, link: undefined }));

/** A random table and beside it a terminal that gets the same inputs and stores them. */
function playAndStore(
  t: TestContext,
  rulebook: RulebookId,
  options: Record<string, OptionValue>,
  shared: boolean,
  inputs: number,
) {
  // In memory where there is such a place: what is read is tested here, not how long it stays.
  const dir = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'banca-recall-'));
  const key = loadOrCreateKey(dir);
  const ledger = openLedger(join(dir, 'ledger.db'), { terminalId: 'T1', key, createIfMissing: true });
  t.after(() => {
    ledger.close();
    rmSync(dir, { recursive: true });
  });
  const log: TimelessInput[] = [];
  class Recorded extends RandomTable {
    override decide(input: Parameters<RandomTable['decide']>[0]) {
      const decision = super.decide(input);
      if (decision.ok) log.push({ ...input, atMs: this.atMs } as never);
      return decision;
    }
  }
  const table = new Recorded(SEED, rulebook, options, shared);
  for (let i = 0; i < inputs; i += 1) table.decide(table.next());

  let nowMs = 0;
  const terminal = new Terminal({ ledger, now: () => nowMs, log: () => {} });
  // No timer of this machine's clock: the inputs bring their time.
  terminal.close();
  const notes = new RecentNotes(() => nowMs);
  const live = new Map<number, unknown>();
  for (const { atMs, ...input } of log as (TimelessInput & { atMs: number })[]) {
    nowMs = atMs;
    const before = ledger.head().seq;
    const outcome = terminal.submit(input);
    assert.equal(outcome.status, 'done', JSON.stringify([input, outcome]));
    const { seq } = ledger.head();
    if (seq === before) continue;
    const { state } = terminal;
    const events = ledger
      .read(before + 1, seq - before)
      .map(({ kind, body }) => ({ type: kind, ...(body as object) }) as TableEvent);
    notes.take(events, shared ? state.noteSeat : null);
    const view = tableView(state, {
      bootId: 'live',
      seq,
      nowMs,
      demo: null,
      simulation: false,
      locked: null,
      link: { state: 'up', headSeq: seq, ackedSeq: seq, ackedUpToMs: nowMs, downSinceMs: null },
      devices: [],
      recentNotes: notes.current(),
    });
    live.set(seq, stored(view));
  }
  const rounds = new Set(ledger.read(1, 1_000_000).flatMap(({ roundId }) => roundId ?? []));
  return { ledger, key, live, rounds: [...rounds], terminal };
}

const TABLES: readonly [RulebookId, Record<string, OptionValue>][] = [
  ['macau-blackjack-2009', { dealing: 'holeCard', betsBehind: 'seated', sideBets: ['anyPair', 'sevens'] }],
  ['macau-blackjack-2009', { dealing: 'holeCard', playerCardsDown: 'both', resplit: true }],
  ['macau-blackjack-2004', {}],
  ['portugal-blackjack', {}],
  ['macau-baccarat', {}],
  ['macau-casino-war', {}],
];

for (const [index, [rulebook, options]] of TABLES.entries()) {
  test(`${rulebook} ${JSON.stringify(options)}: every step of a recalled round is the view of its time (seed ${SEED})`, async (t) => {
    const { ledger, key, live, rounds, terminal } = playAndStore(t, rulebook, options, index === 1, 450);
    assert.ok(rounds.length > 1, `${rounds.length} rounds`);
    for (const roundId of rounds) {
      const entries = ledger.readRound(roundId);
      const views: TableView[] = [];
      for await (const { entries: group, view } of playRound(ledger, PAST, roundId)) {
        assert.equal(view.seq, group.at(-1)!.seq);
        assert.deepEqual(stored(view), live.get(view.seq), `${roundId} entry ${view.seq}`);
        views.push(view);
      }
      assert.ok((views.at(-1)?.seq ?? 0) >= entries.at(-1)!.seq, `${roundId} to its end`);

      // The pages of the display are the same steps, and no word of them names a card that lies face down.
      const steps = [];
      for (let total = 1; steps.length < total; ) {
        const page = await recallPage(ledger, PAST, roundId, steps.length);
        assert.ok(page && page.steps.length > 0);
        total = page.total;
        steps.push(...page.steps);
      }
      assert.deepEqual(
        steps.map(({ view }) => view),
        views,
      );
      for (const { done, view } of steps) {
        if (!view.bank.cards.includes(null)) continue;
        const named = done.filter(({ kind }) => kind === 'bank-card-dealt' || kind === 'card-confirmed');
        assert.ok(named.every(({ card }) => card === undefined));
      }

      const detail = await roundDetail(ledger, null, roundId);
      assert.ok(detail);
      for (const { seat, creditBeforeMinor, creditAfterMinor, lines } of detail.seats) {
        assert.equal(creditBeforeMinor, views[0]?.seats[seat - 1]?.creditMinor);
        assert.equal(creditAfterMinor, views.at(-1)?.seats[seat - 1]?.creditMinor);
        assert.ok(lines.every((line) => line.seat === seat));
      }
      const kinds = new Set(entries.map(({ kind }) => kind));
      assert.equal(
        detail.corrections.some(({ kind }) => kind === 'card-confirmed'),
        kinds.has('card-confirmed'),
      );
      assert.equal(
        detail.errors.some(({ kind }) => kind === 'table-held'),
        kinds.has('table-held'),
      );
      assert.equal(detail.steps.at(-1)?.seq, views.at(-1)?.seq);
    }

    let [looked, receipts] = [0, 0];
    for (const { seat } of terminal.state.seats) {
      const own = (await ownRounds(ledger, seat)).rounds;
      assert.ok(own.length <= 10);
      for (const row of own) {
        const round = await ownRound(ledger, key, PAST, seat, row.roundId);
        assert.ok(round && round.steps.length > 0);
        looked += 1;
        assert.ok(
          round.lines.every(({ by }) => by === seat),
          'nobody else is in the lines',
        );
        assert.equal(
          round.lines.reduce((sum, { netMinor }) => sum + netMinor, 0),
          row.netMinor,
        );
        if (round.receipt !== null) {
          const judged = judgeReceipt(round.receipt);
          assert.ok(judged.holds && judged.keyId === key.keyId);
          const { returnedMinor, stakedMinor, checkpoint } = judged.receipt;
          assert.equal(returnedMinor - stakedMinor, row.netMinor);
          assert.deepEqual(checkpoint.entryHash, ledger.hashAt(checkpoint.seq));
          receipts += 1;
        }
        for (const part of round.steps.flatMap(({ done }) => done))
          if (part.amountMinor !== undefined) assert.equal(part.by ?? part.seat, seat, JSON.stringify(part));
      }
      const others = rounds.find((roundId) => !own.some((row) => row.roundId === roundId));
      if (others) assert.equal(await ownRound(ledger, key, PAST, seat, others), null);
    }
    t.diagnostic(`${rounds.length} rounds, ${looked} of players, ${receipts} receipts`);
  });
}
