/**
 * A table of random play beside a terminal that stores the same inputs: the views of its time, and
 * a ledger to recall them from.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { TableEvent } from '../../engine/table/events.ts';
import type { OptionValue, RulebookId } from '../../engine/table/profile.ts';
import { Terminal, type TimelessInput } from '../../host/table/terminal.ts';
import { RecentNotes, tableView } from '../../host/table/view.ts';
import { loadOrCreateKey, openLedger } from '../../ledger/store/ledger.store.ts';
import type { TableView } from '../../wire/view.ts';
import { RandomTable } from './random-table.ts';

export const PAST = { simulation: false, handLoaded: false, receiptAddress: null };

/** A random table and beside it a terminal that gets the same inputs and stores them. */
export function playAndStore(
  t: TestContext,
  seed: number,
  rulebook: RulebookId,
  options: Record<string, OptionValue>,
  shared: boolean,
  inputs: number,
) {
  // In memory where there is such a place: what is read is tested here, not how long it stays.
  const dir = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'banca-recall-'));
  const key = loadOrCreateKey(dir);
  const ledger = openLedger(join(dir, 'ledger.db'), { terminalId: 'T1', key, createIfMissing: true });
  let open = true;
  /** Also when the test ends. */
  const close = (): void => {
    if (!open) return;
    open = false;
    ledger.close();
    rmSync(dir, { recursive: true });
  };
  t.after(close);
  const log: TimelessInput[] = [];
  class Recorded extends RandomTable {
    override decide(input: Parameters<RandomTable['decide']>[0]) {
      const decision = super.decide(input);
      if (decision.ok) log.push({ ...input, atMs: this.atMs } as never);
      return decision;
    }
  }
  const table = new Recorded(seed, rulebook, options, shared);
  for (let i = 0; i < inputs; i += 1) table.decide(table.next());

  let nowMs = 0;
  const terminal = new Terminal({ ledger, now: () => nowMs, log: () => {} });
  // No timer of this machine's clock: the inputs bring their time.
  terminal.close();
  const notes = new RecentNotes(() => nowMs);
  const live = new Map<number, TableView>();
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
    live.set(seq, structuredClone(view));
  }
  const rounds = new Set(ledger.read(1, 1_000_000).flatMap(({ roundId }) => roundId ?? []));
  return { ledger, key, live, rounds: [...rounds], terminal, close };
}

/** Every rulebook, and what the views of one differ by. */
export const TABLES: readonly [RulebookId, Record<string, OptionValue>][] = [
  ['macau-blackjack-2009', { dealing: 'holeCard', betsBehind: 'seated', sideBets: ['anyPair', 'sevens'] }],
  ['macau-blackjack-2009', { dealing: 'holeCard', playerCardsDown: 'both', resplit: true }],
  ['macau-blackjack-2004', {}],
  ['portugal-blackjack', {}],
  ['macau-baccarat', {}],
  ['macau-casino-war', {}],
];
