import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { cardOf } from '../../engine/core/cards.ts';
import type { ByteTransport, OpenTransport } from '../../hardware/ports.ts';
import type { RackCommand } from '../../hardware/rack/rack-commands.ts';
import { readTables } from '../../host/config/ready-tables.ts';
import { readTerminalFile } from '../../host/config/terminal-file.ts';
import { type Host, startHost } from '../../host/host.ts';
import { Sessions } from '../../host/server/sessions.ts';
import { type Rack, rackInProcess } from '../../host/simulation/rack.ts';
import { verifyLedger } from '../../ledger/chain/verifier.store.ts';
import { loadOrCreateKey, openLedger } from '../../ledger/store/ledger.store.ts';
import { fullOr } from '../support/long.ts';

/** Some hundred entries are synced to a disk in that time, which may be a slow one. */
const LIMIT_MS = 240_000;

/** A line on which everything that the device says comes so much later. */
const late = (open: OpenTransport, ms: number): OpenTransport => {
  const lateLine = (): ByteTransport => {
    const line = open();
    return {
      name: line.name,
      open: ({ onBytes, onClose }) =>
        line.open({ onBytes: (bytes) => void setTimeout(() => onBytes(bytes), ms), onClose }),
      write: (bytes) => line.write(bytes),
      close: () => line.close(),
    };
  };
  return Object.assign(lateLine, { simulated: true as const });
};

class Show {
  readonly log: string[] = [];
  readonly host: Host;
  readonly rack: Rack;
  readonly #news = new Set<() => void>();

  private constructor(host: Host, rack: Rack, log: string[]) {
    this.host = host;
    this.rack = rack;
    this.log = log;
    host.terminal.onCommit(() => {
      for (const look of this.#news) look();
    });
  }

  /**
   * A demonstration at a quick pace; `hands` sees every deed on the devices and may change it.
   * `lateMs`: of what the shoe says.
   */
  static async start(
    t: TestContext,
    hands: (command: RackCommand) => RackCommand = (command) => command,
    table: string | null = null,
    lateMs = 0,
  ): Promise<Show> {
    const dir = mkdtempSync(join(tmpdir(), 'banca-demo-'));
    const terminalFile = fileURLToPath(new URL('../../host/profiles/demo.json', import.meta.url));
    const { profile: own, people } = readTerminalFile(terminalFile);
    const profile =
      table === null ? own : readTables(terminalFile, own, null).find(({ name }) => name === table)?.profile;
    assert.ok(profile, `the table ${table}`);
    const key = loadOrCreateKey(dir);
    const ledgerPath = join(dir, 'ledger.db');
    const ledger = openLedger(ledgerPath, { terminalId: profile.terminalId, key, createIfMissing: true });
    const bare = rackInProcess({ acceptors: profile.seatCount });
    const rack: Rack = {
      ...bare,
      transports:
        lateMs === 0 ? bare.transports : { ...bare.transports, shoe: late(bare.transports.shoe, lateMs) },
      do: (command) => bare.do(hands(command)),
    };
    const log: string[] = [];
    let offsetMs = 0;
    const now = (): number => Date.now() + offsetMs;
    const host = await startHost({
      ledger,
      ledgerPath,
      key,
      file: {
        people,
        profile: { ...profile, timing: { ...profile.timing, minResultMs: 0 } },
      },
      tables: [],
      rack,
      now,
      rendererRoot: dir,
      sessions: new Sessions(randomBytes(32), Date.now),
      port: 0,
      allowedUids: [process.getuid?.() ?? 0],
      upstreamUrl: null,
      software: { version: '0.0.0-test', id: 'test' },
      pace: 0.05,
      report: () => {},
      log: (line) => log.push(line),
    });
    let ended = false;
    t.after(async () => {
      ended = true;
      await host.stop();
      assert.equal(verifyLedger(ledgerPath).problem, '');
      rmSync(dir, { recursive: true, force: true });
    });
    // Nobody reads the results here.
    host.terminal.onCommit(() =>
      setImmediate(() => {
        const { deadline } = host.terminal.state;
        if (ended || deadline?.kind !== 'results') return;
        offsetMs += Math.max(0, deadline.atMs - now());
        host.terminal.submit({ type: 'reach-deadline' });
      }),
    );
    host.demo({ dealer: true, players: true });
    return new Show(host, rack, log);
  }

  count(kind: string): number {
    return this.host.terminal.ledger.newest({ beforeSeq: null, limit: 10_000, kind }).length;
  }

  until(what: string, holds: () => boolean): Promise<void> {
    if (holds()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const end = (): void => {
        this.#news.delete(look);
        clearTimeout(timer);
      };
      const look = (): void => {
        if (!holds()) return;
        end();
        resolve();
      };
      const timer = setTimeout(() => {
        end();
        const { phase, hold, faults } = this.host.terminal.state;
        reject(
          new Error(
            `never: ${what}; ${JSON.stringify({ phase, hold, faults })}\n${this.log.slice(-20).join('\n')}`,
          ),
        );
      }, LIMIT_MS);
      this.#news.add(look);
    });
  }

  /** Cards lie on the table and more are due. */
  async inRound(): Promise<void> {
    await this.until('cards on the table', () => {
      const { round, hold, phase } = this.host.terminal.state;
      return round?.dealt === true && phase !== 'settled' && hold === null;
    });
  }

  /** From now on another round has been opened and settled. */
  async another(): Promise<void> {
    const settled = this.count('round-settled') + 1;
    await this.until('another round is settled', () => this.count('round-settled') > settled);
  }
}

test('the demonstration gets over everything that can happen to a shoe', async (t) => {
  const show = await Show.start(t);
  const shoe = (fault: string): RackCommand => ({ do: 'fault', device: 'shoe', fault: fault as never });
  const troubles: readonly RackCommand[] = [
    shoe('jam'),
    shoe('cover-open'),
    shoe('key'),
    shoe('misread'),
    shoe('double-feed'),
    shoe('doubtful'),
    { do: 'power-cycle', device: 'shoe', offMs: 500 },
    { do: 'swap-shoe' },
    shoe('reverse'),
  ];
  for (const trouble of troubles.slice(-fullOr(Infinity, 4))) {
    await show.inRound();
    await show.rack.do(trouble);
    await t.test(JSON.stringify(trouble), () => show.another());
  }
  // The same name with the numbers of a new one, before the host has heard anything of the swap.
  await show.inRound();
  const { serial } = (await show.rack.sight()).shoe;
  await show.rack.do({ do: 'swap-shoe', serial: 'IN-BETWEEN' });
  await show.rack.do({ do: 'swap-shoe', serial });
  await t.test('a shoe that has lost its memory', () => show.another());
  assert.notEqual((await show.rack.sight()).shoe.serial, serial);
  assert.ok(show.count('round-voided') >= 2, 'unread cards and another shoe cancel a round');
  assert.ok(show.count('shoe-loaded') >= 2);
});

test('the demonstration loads a new shoe where one runs empty without its white card', async (t) => {
  // So few cards, and no white card in the simulated shoe: it runs empty in the first round or is
  // too short for the second.
  const few = (count: number) => Array.from({ length: count }, (_, i) => cardOf(i % 4, (i * 5) % 13));
  for (const count of [4, 9, 30]) {
    let first = true;
    const show = await Show.start(t, (command) => {
      if (command.do !== 'load-shoe' || !first) return command;
      first = false;
      return { do: 'load-shoe', cards: few(count), decks: 6 };
    });
    await show.until('a second shoe', () => show.count('shoe-loaded') === 2);
    await show.another();
    assert.ok(show.log.some((line) => line.includes('cut card 60 from the end')));
    show.host.demo({ dealer: false, players: false });
  }
});

test('the demonstration plays Bacará: bets on both sides, cards to both of them', async (t) => {
  const show = await Show.start(t, undefined, 'baccarat-five-percent');
  const kinds = new Set<string>();
  show.host.terminal.onCommit(() => {
    for (const { bet } of show.host.terminal.state.round?.bets ?? []) kinds.add(bet);
  });
  const hasAll = (): boolean => kinds.has('player') && kinds.has('banker') && kinds.size > 2;
  await show.until('several kinds of bets', () => hasAll() && show.count('round-settled') > 2);
  assert.ok(show.count('player-side-card-dealt') >= 2 * show.count('round-settled'));
  assert.equal(show.count('card-burned'), 8, 'one for each deck, and no card too many');
});

test('the demonstration draws one card for one place, however late the terminal hears of it', async (t) => {
  // Some ten times as long as its dealer takes from one card to the next.
  const show = await Show.start(t, undefined, 'baccarat-five-percent', 400);
  await show.until('a round', () => show.count('round-settled') > 0);
  assert.equal(show.count('card-burned'), 8);
  assert.equal(show.count('cards-waiting'), 0);
});

test('the demonstration plays Desafio ao Casino, challenges among them', async (t) => {
  const show = await Show.start(t, undefined, 'casino-war');
  await show.until('a challenge', () => show.count('war-declared') > 0);
  await show.another();
  assert.ok(show.count('card-burned') >= 6);
});

test('arts. 20.1, r.15, r.16 players bet on the hands of others and on vacant seats, and play on', async (t) => {
  for (const table of ['macau-2009', 'portugal']) {
    const show = await Show.start(t, undefined, table);
    const settled = (): boolean =>
      show.host.terminal.state.round?.lines?.some(({ seat, by }) => seat !== by) ?? false;
    await show.until(`a bet behind at ${table} that is settled`, settled);
    await show.another();
    show.host.demo({ dealer: false, players: false });
  }
});
