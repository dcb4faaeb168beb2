/**
 * F1: the process ends right after each kind of thing has been stored, in every game. What the next
 * life finds is what there was: the table, the money, and the answer to what was sent last.
 */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { nextStep } from '../../engine/engine.ts';
import type { TableState } from '../../engine/table/state.ts';
import { stateHash, Terminal, type TimelessInput } from '../../host/table/terminal.ts';
import { verifyLedger } from '../../ledger/chain/verifier.store.ts';
import { loadOrCreateKey, openLedger } from '../../ledger/store/ledger.store.ts';
import { RandomTable } from '../support/random-table.ts';
import { TABLES } from '../support/stored-table.ts';

const SEED = Number(process.env['BANCA_SEED'] ?? randomInt(1_000_000));
const INPUTS = 900;
const root = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'banca-kills-'));
after(() => rmSync(root, { recursive: true, force: true }));

const terminalOn = (dir: string, now: () => number) => {
  const key = loadOrCreateKey(dir);
  const ledger = openLedger(join(dir, 'ledger.db'), { terminalId: 'T1', key, createIfMissing: true });
  return { ledger, terminal: new Terminal({ ledger, now, log: () => {} }) };
};

/** What lies on the cloth and is owed: nothing of it may change with a kill. */
const lying = ({ round, seats }: TableState) => ({
  round: round && { bets: round.bets, seats: round.seats, bank: round.bank, lines: round.lines },
  money: seats.map(({ creditMinor, cashOut, wins }) => [creditMinor, cashOut, wins]),
});

interface Killed {
  readonly dir: string;
  readonly kind: string;
  readonly atMs: number;
  readonly hash: string;
  readonly lying: string;
  readonly balances: ReadonlyMap<string, number>;
  readonly input: TimelessInput;
  readonly id: string;
}

/** Plays a table and copies its folder as it is on the disk, the first time each kind is stored. */
function playedUntilEach(at: number, seen: Set<string>): Killed[] {
  const [rulebook, options] = TABLES[at]!;
  const log: (TimelessInput & { atMs: number })[] = [];
  class Recorded extends RandomTable {
    override decide(input: Parameters<RandomTable['decide']>[0]) {
      const decision = super.decide(input);
      if (decision.ok) log.push({ ...input, atMs: this.atMs } as never);
      return decision;
    }
  }
  const table = new Recorded(SEED, rulebook, options, at === 1);
  for (let i = 0; i < INPUTS; i += 1) table.decide(table.next());
  const dir = join(root, `live-${at}`);
  let nowMs = 0;
  const { ledger, terminal } = terminalOn(dir, () => nowMs);
  terminal.close();
  const killed: Killed[] = [];
  for (const [no, { atMs, ...input }] of log.entries()) {
    nowMs = atMs;
    const before = ledger.head().seq;
    const id = `touch-${String(no).padStart(8, '0')}`;
    assert.equal(terminal.submit(input as TimelessInput, id).status, 'done');
    const { seq } = ledger.head();
    const fresh = ledger.read(before + 1, seq - before).filter(({ kind }) => !seen.has(kind));
    if (fresh.length === 0) continue;
    for (const { kind } of fresh) seen.add(kind);
    const copy = join(root, `killed-${at}-${seq}`);
    cpSync(dir, copy, { recursive: true });
    killed.push({
      ...{ dir: copy, kind: fresh.map(({ kind }) => kind).join(' '), atMs, id },
      ...{
        hash: stateHash(terminal.state).toString('hex'),
        lying: JSON.stringify(lying(terminal.state)),
      },
      ...{ balances: new Map(ledger.balances()), input: input as TimelessInput },
    });
  }
  ledger.close();
  return killed;
}

test(`F1: killed after each kind of entry, the table stands as it stood, nothing is lost and nothing is done twice (seed ${SEED})`, (t) => {
  const seen = new Set<string>();
  let rounds = 0;
  for (const at of TABLES.keys())
    for (const { dir, kind, atMs, hash, lying: before, balances, input, id } of playedUntilEach(at, seen)) {
      const where = `${TABLES[at]![0]} after ${kind}`;
      let nowMs = atMs + 1_000;
      const { ledger, terminal } = terminalOn(dir, () => nowMs);
      terminal.close();
      assert.equal(stateHash(terminal.state).toString('hex'), hash, `${where}: the state on the disk`);
      assert.deepEqual(new Map(ledger.balances()), balances, where);
      terminal.start('another-life', 'a-program');
      const { state } = terminal;
      assert.equal(terminal.locked, null, where);
      assert.deepEqual(JSON.parse(JSON.stringify(lying(state))).money, JSON.parse(before).money, where);
      assert.deepEqual(new Map(ledger.balances()), balances, `${where}: a start moves no money`);
      const was = JSON.parse(before) as { round: { lines: unknown } | null };
      if (was.round !== null) {
        rounds += 1;
        assert.deepEqual(
          JSON.parse(JSON.stringify(lying(state))),
          was,
          `${where}: what lay on the cloth lies there`,
        );
        if (was.round.lines === null && state.phase !== 'betting')
          assert.ok(state.hold !== null, `${where}: nothing is dealt before somebody has compared it`);
      }
      // A display that has no answer sends again what it had sent.
      const { seq } = ledger.head();
      assert.equal(terminal.submit(input, id).status, 'exists', `${where}: sent again`);
      assert.equal(ledger.head().seq, seq, `${where}: and nothing comes of it`);
      nowMs += 1_000;
      const { dealer } = terminal.state;
      if (dealer !== null && terminal.state.hold?.code === 'recovery')
        assert.equal(terminal.submit({ type: 'confirm-layout', person: dealer }).status, 'done', where);
      assert.equal(typeof nextStep(terminal.state).step, 'string', `${where}: the table goes on`);
      ledger.close();
      assert.equal(verifyLedger(join(dir, 'ledger.db')).problem, '', where);
      rmSync(dir, { recursive: true });
    }
  t.diagnostic(`${seen.size} kinds, ${rounds} with a round on the table`);
  assert.ok(seen.size >= 60, `${seen.size} kinds: ${[...seen].toSorted().join(' ')}`);
  assert.ok(rounds >= 20, `${rounds} kills with a round on the table`);
});
