/**
 * Bacará with twelve seats (art. 1) at the built host: a script plays one round, the second reader
 * reads it before it is paid, and the file tells it again.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openLedgerReader } from '../../ledger/store/ledger.store.ts';
import type { RoundDetail } from '../../wire/pages.ts';
import { here, json, root, script } from '../kits/cli.ts';
import { assertBuilt, BUILT_HOST } from '../support/built.ts';

const SEATS = Array.from({ length: 12 }, (_, i) => i + 1);
const BESIDE = [2, 4, 6, 9, 11];
const KINDS = ['player', 'banker', 'tie', 'playerPair', 'bankerPair'] as const;
/** Every seat lays two bets, no seat what its neighbour does. */
const betsOf = (seat: number) => [
  { bet: KINDS[seat % 5]!, amountMinor: 5_000 + 1_000 * seat },
  { bet: KINDS[(seat + 2) % 5]!, amountMinor: 30_000 - 1_000 * seat },
];
const keyOf = (seat: number): string => `sha256/${String.fromCharCode(64 + seat).repeat(43)}=`;

test('a round of twelve seats: played, read twice, paid, verified, replayed, recalled, metered by seat, printed', async (t) => {
  assertBuilt();
  const profile = join(root, 'twelve.json');
  const demo = JSON.parse(readFileSync(join(root, 'terminal.json'), 'utf8')) as { profile: object };
  writeFileSync(
    profile,
    JSON.stringify({
      ...demo,
      secondReader: 'hold',
      profile: {
        ...demo.profile,
        rulebook: 'macau-baccarat',
        tableName: 'Bacará 12',
        seatCount: 12,
        options: { min: 5_000, max: 5_000_000, step: 1_000 },
      },
    }),
  );
  const enrol = (seats: readonly number[]) =>
    here([
      ...['display', '--profile', profile, '--listen', '127.0.0.1:7443'],
      ...seats.flatMap((seat) => ['--role', `seat:${seat}`, '--key', keyOf(seat)]),
    ]);
  // One display fewer, and there is no room for the panels of the others.
  assert.match((await enrol(BESIDE.slice(1))).stderr, /displays\.seats: .* 7 panels, and 8 seats/);
  assert.equal((await enrol(BESIDE)).status, 0);

  const path = script(
    'twelve.jsonl',
    { do: 'sign-in', credential: { person: '1', pin: '1111' } },
    { do: 'load-shoe', cards: [] },
    { do: 'cut', seat: 12 },
    { do: 'place-end-card' },
    { do: 'draw' },
    ...SEATS.map((seat) => ({ do: 'note', seat, valueMinor: 100_000 })),
    { do: 'open-betting' },
    ...SEATS.flatMap((seat) => betsOf(seat).map((bet) => ({ do: 'bet', seat, ...bet }))),
    { do: 'close-betting' },
    { do: 'draw' },
    { do: 'close-round' },
    { do: 'command', command: { type: 'print-receipt', seat: 12, roundId: 'BJ-DEMO-01-000001' } },
    { do: 'cash-out', seat: 12 },
    { do: 'hand-pay', seat: 12, credential: { person: '2', pin: '2222' } },
  );
  const data = join(root, 'twelve');
  const args = [BUILT_HOST, '--data', data, '--profile', profile, '--sim', path];
  const run = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 240_000 });
  assert.equal(run.status, 0, run.stderr);

  const ledger = join(data, 'ledger.db');
  const [verified, replayed] = [await json('verify', ledger), await json('replay', ledger)];
  assert.deepEqual([verified['ok'], replayed['ok']], [true, true]);
  const reader = openLedgerReader(ledger);
  t.after(() => reader.close());
  const kinds = reader.read(1, Number.MAX_SAFE_INTEGER).map(({ kind }) => kind);
  assert.equal(kinds.filter((kind) => kind === 'note-credited').length, 12);
  assert.deepEqual(
    kinds.filter((kind) => /^read|unread/.test(kind)),
    [],
    'the reader was there, and had the same account',
  );
  assert.ok(kinds.includes('slip-sent'));

  const round = (await json('recall', ledger)) as unknown as RoundDetail;
  assert.deepEqual(
    round.seats.map(({ seat }) => seat),
    SEATS,
  );
  const points = (cards: readonly (number | null)[]): number =>
    cards.reduce<number>(
      (sum, card) => sum + Math.min((card! % 13) + 1, 10) * Number((card! % 13) + 1 < 10),
      0,
    ) % 10;
  const [player, banker] = [points(round.playerSideCards), points(round.bankCards)];
  const isPair = ([a, b]: readonly (number | null)[]): boolean => a! % 13 === b! % 13;
  const wins: Readonly<Record<string, number>> = {
    player: player > banker ? 2 : player === banker ? 1 : 0,
    banker: banker > player ? 1.95 : player === banker ? 1 : 0,
    tie: player === banker ? 9 : 0,
    playerPair: isPair(round.playerSideCards) ? 12 : 0,
    bankerPair: isPair(round.bankCards) ? 12 : 0,
  };
  for (const { seat, creditBeforeMinor, creditAfterMinor, lines } of round.seats) {
    const laid = betsOf(seat);
    assert.deepEqual(lines.map(({ bet }) => bet).sort(), laid.map(({ bet }) => bet).sort(), `seat ${seat}`);
    const back = laid.reduce((sum, { bet, amountMinor }) => sum + wins[bet]! * amountMinor, 0);
    assert.equal(creditBeforeMinor, 100_000);
    const staked = laid.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
    assert.equal(creditAfterMinor, 100_000 - staked + back, `seat ${seat}: ${player} against ${banker}`);
  }
  const bySeat = await json('meters', ledger, '--by', 'seat');
  const meters = bySeat['meters'] as { code: string; value: number; parts: Record<string, number> }[];
  const meter = (code: string) => meters.find((each) => each.code === code)!;
  const parts = (amountOf: (seat: number) => number) =>
    Object.fromEntries([...SEATS.map((seat) => [seat, amountOf(seat)]), ['', 0]]);
  assert.deepEqual(
    meter('coin_in').parts,
    parts(() => 35_000),
  );
  const won = (seat: number): number =>
    round.seats[seat - 1]!.lines.reduce((sum, line) => sum + line.returnedMinor, 0);
  assert.deepEqual(meter('coin_out').parts, parts(won));
});
