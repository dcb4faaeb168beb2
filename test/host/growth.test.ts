/**
 * A table plays for weeks: its state, which every snapshot holds, and its meters are after eight
 * thousand rounds as large as after four thousand. Every ready table, as its file has it and with
 * every shuffler its rulebook knows. The terminal around it keeps in memory nothing of what it has
 * stored.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { queryObjects, serialize } from 'node:v8';
import type { Options } from '../../cli/simulate/fit.ts';
import { setUp } from '../../cli/simulate/setup.ts';
import { SimulatedTable } from '../../cli/simulate/table.ts';
import { emptyMeters } from '../../engine/accounting/meter-fold.ts';
import { postingsOf } from '../../engine/accounting/postings.ts';
import { rulebookOf } from '../../engine/books.ts';
import type { TableEvent } from '../../engine/table/events.ts';
import { readTables } from '../../host/config/ready-tables.ts';
import { readTerminalFile } from '../../host/config/terminal-file.ts';
import { countEntry } from '../../host/pages/meters.ts';
import { Terminal, type TimelessInput } from '../../host/table/terminal.ts';
import { type Entry, loadOrCreateKey, openLedger } from '../../ledger/store/ledger.store.ts';
import { ROOT } from '../shell/paths.ts';
import { fullOr } from '../support/long.ts';
import { RandomTable } from '../support/random-table.ts';

const HALF = fullOr(4_000, 1_500);
/**
 * Sizes go up and down with what lies on the table: the largest of the last rounds of each half
 * counts.
 */
const WATCHED = 200;
/**
 * Counters get digits, and a meter appears when it counts for the first time; what is kept of every
 * round doubles.
 */
const ALLOWED = 1.25;

const TERMINAL = join(ROOT, 'host', 'profiles', 'demo.json');
const ready = readTables(TERMINAL, readTerminalFile(TERMINAL).profile, null).map(({ name, profile }) => {
  assert.ok(profile, name);
  return { name, profile };
});
const tables = ready.flatMap(({ name, profile: { rulebook, options } }) => {
  const legal = rulebookOf(rulebook)!.options.find(({ id }) => id === 'cardSource')?.legal;
  const others = legal?.kind === 'one-of' ? legal.values.map(String) : [];
  const own = String(options['cardSource'] ?? 'shoe');
  return [...new Set([own, ...others.filter((source) => source.endsWith('Shuffler'))])].map((cardSource) => ({
    name: `${name}, ${cardSource}`,
    rulebook,
    options: {
      ...options,
      cardSource,
      // With several challenges at once the last round of a shoe needs what lies behind the end
      // card.
      ...(rulebook === 'macau-casino-war' ? { cutFromEnd: 20 } : {}),
    } as Options,
    shoe: cardSource.endsWith('Shuffler') ? ('fresh' as const) : ('cut' as const),
  }));
});

/** A table that plays, and what is kept of it: by name, in bytes. */
class Kept {
  readonly table: SimulatedTable;
  readonly #fold = emptyMeters();
  #seq = 0;

  constructor({ rulebook, options, shoe }: (typeof tables)[number]) {
    // The first strategy of the rulebook plays without a hole card; with one a seat has no two bets
    // of a kind.
    const hasHoleCard = options['dealing'] === 'holeCard';
    const strategy = hasHoleCard ? 'macau2009-hole-h17-peek-5card' : null;
    const [setup] = setUp({ rulebook, options, strategy, seats: 2, shoe });
    const { player, seatCount } = setup!;
    const laid = setup!.laid.filter(({ bet }) => !hasHoleCard || bet === 'main');
    this.table = new SimulatedTable({
      ...{ rulebook, options, seatCount, shoe, seed: 7, player, laid },
      listener: (events) => this.#take(events),
    });
  }

  /** As the host takes its own entries. */
  #take(events: readonly TableEvent[]): void {
    for (const event of events) {
      const { type: kind, atMs, ...body } = event;
      this.#seq += 1;
      const at = { seq: this.#seq, atMs, kind, roundId: null, commandId: null };
      const entry = { ...at, body, postings: postingsOf(event) } as unknown as Entry;
      countEntry(this.#fold, entry);
    }
  }

  /** The largest sizes of the last rounds. */
  play(rounds: number): Record<string, number> {
    const most: Record<string, number> = {};
    for (let i = 0; i < rounds; i += 1) {
      this.table.playRound();
      if (i < rounds - WATCHED) continue;
      const sizes = {
        state: JSON.stringify(this.table.state).length,
        meters: serialize(this.#fold).byteLength,
      };
      for (const [name, size] of Object.entries(sizes)) most[name] = Math.max(most[name] ?? 0, size);
    }
    return most;
  }
}

/** `npm test` has every second one. */
const some = tables.filter((_, at) => at % fullOr(1, 2) === 0);
for (const each of some)
  test(`${each.name}: nothing is kept of every round`, () => {
    const kept = new Kept(each);
    const [half, whole] = [kept.play(HALF), kept.play(HALF)];
    for (const [name, size] of Object.entries(whole))
      assert.ok(
        size <= half[name]! * ALLOWED,
        `${name}: ${half[name]} bytes at ${HALF} rounds, then ${size}`,
      );
  });

const INPUTS = 500;
/** What lies on the table comes and goes; an event that is kept of every input is some 900. */
const OBJECTS = 300;

for (const reader of [null, { read: () => null }])
  test(`the terminal keeps nothing of what it has stored, ${reader ? 'with' : 'without'} a second reader`, (t) => {
    const dir = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'banca-growth-'));
    t.after(() => rmSync(dir, { recursive: true }));
    const key = loadOrCreateKey(dir);
    const ledger = openLedger(join(dir, 'ledger.db'), { terminalId: 'T1', key, createIfMissing: true });
    t.after(() => ledger.close());
    let nowMs = 0;
    const terminal = new Terminal({ ledger, now: () => nowMs, log: () => {}, reader });
    // No timer of this machine's clock: the inputs bring their time.
    terminal.close();
    class Stored extends RandomTable {
      override decide(input: Parameters<RandomTable['decide']>[0]) {
        const decision = super.decide(input);
        this.events.length = 0;
        this.effects.length = 0;
        nowMs = this.atMs;
        if (decision.ok) assert.equal(terminal.submit(input as TimelessInput).status, 'done');
        return decision;
      }
    }
    const table = new Stored(1, 'macau-blackjack-2009', {}, false);
    const play = (): number => {
      for (let i = 0; i < INPUTS; i += 1) table.decide(table.next());
      return queryObjects(Object, { format: 'count' });
    };
    const [half, whole] = [play(), play()];
    const { seq } = ledger.head();
    assert.ok(
      terminal.state.roundNo > 30 && seq > INPUTS,
      `${terminal.state.roundNo} rounds, ${seq} entries`,
    );
    assert.ok(whole - half < OBJECTS, `${half} objects after ${INPUTS} inputs, then ${whole}`);
  });
