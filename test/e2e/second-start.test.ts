/**
 * The whole terminal loses its power between two cards and is started again on the same data
 * folder, window or not.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { everyAuthorisation } from '../../engine/games/every-authorisation.ts';
import type { RackClient } from '../../hardware/rack/rack-client.ts';
import type { RackSight } from '../../hardware/rack/rack-commands.ts';
import { verifyLedger } from '../../ledger/chain/verifier.store.ts';
import type { Entry } from '../../ledger/store/ledger.store.ts';
import { rackOf } from '../attacks/kit.ts';
import { asBooked, cardsOf } from '../crash/audit.ts';
import { ROOT } from '../shell/paths.ts';
import { startTerminal, type Terminal } from '../shell/terminal.ts';
import { entriesOf } from '../support/entries.ts';
import { until } from '../support/until.ts';
import { centreOf } from './e2e.ts';
import { assertCentre } from './scenario.ts';

const TERMINAL = 'BJ-DEMO-01';
const LIMIT_MS = 120_000;

async function isUp(terminal: Terminal): Promise<void> {
  for (const name of ['centre', 'rack', 'host']) await terminal.started(name);
}

/** Nothing is on its way any more, from a device or into the ledger. */
async function atRest(data: string, rack: RackClient): Promise<RackSight> {
  let head = -1;
  return until('the table is at rest', async () => {
    const answer = await rack.do({ do: 'state' });
    assert.ok(answer.ok, JSON.stringify(answer));
    const { length } = entriesOf(data);
    const quiet =
      length === head &&
      answer.shoe.ackedSeq === answer.shoe.lastSeq &&
      answer.acceptors.every(({ path, owesCredit }) => path === null && !owesCredit);
    head = length;
    if (quiet) return answer;
    await sleep(1500);
    return null;
  });
}

/** The figures at a metrics socket by name, with their labels; null = nobody answers there. */
async function scraped(socketPath: string): Promise<ReadonlyMap<string, number> | null> {
  const asked = request({ socketPath, path: '/metrics' });
  asked.end();
  try {
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    const lines = (await text(response)).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    return new Map(lines.map((line) => [line.replace(/ \S+$/, ''), Number(line.split(' ').at(-1))]));
  } catch {
    return null;
  }
}

/** All of these, once each has been measured at least once. */
function measured(socketPath: string, names: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const look = async () => {
    const figures = await scraped(socketPath);
    const isMeasured = (name: string) => (figures?.get(`banca_${name}_seconds_bucket{le="30"}`) ?? 0) > 0;
    return names.every(isMeasured) ? figures : null;
  };
  return until(`${names.join(' and ')} measured`, look, { everyMs: 100 });
}

test('npm start after a power cut between two cards: the same cards, bets, notes and shoe, and play goes on', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'banca-twice-'));
  const data = join(home, 'data');
  const file = JSON.parse(readFileSync(join(ROOT, 'host', 'profiles', 'demo.json'), 'utf8'));
  file.profile.seatCount = 6;
  file.profile.authorisations = everyAuthorisation(file.profile.rulebook);
  file.profile.timing.minResultMs = 0;
  const metrics = join(home, 'metrics.sock');
  file.metrics = metrics;
  const profile = join(home, 'table.json');
  writeFileSync(profile, JSON.stringify(file));
  const start = (...args: string[]) =>
    startTerminal({ shell: 'chromium', display: null, data, args: ['--profile', profile, ...args] });
  let terminal = await start('--demo');
  t.after(async () => {
    await terminal.stop();
    rmSync(home, { recursive: true, force: true });
  });
  try {
    await isUp(terminal);
    // Later on players have credit, and a note comes only now and then.
    await measured(metrics, ['note_to_credit']);
    const isDealt = (entries: readonly Entry[], roundId: string | null): boolean =>
      entries.some((entry) => entry.kind === 'initial-deal-ended' && entry.roundId === roundId);
    const inTheDeal = (): string | null => {
      const entries = entriesOf(data);
      const dealt = entries.findLast(({ kind }) => kind === 'bank-card-dealt');
      return dealt && !isDealt(entries, dealt.roundId) ? dealt.roundId : null;
    };
    // On a busy machine rounds are over before the centre is up, and the deal is over before the
    // power is cut: time stands still for the second look.
    const roundId = await until('the first cards lie on the table', async () => {
      if (inTheDeal() === null) return null;
      await terminal.pause();
      const roundId = inTheDeal();
      if (roundId === null) terminal.resume();
      return roundId;
    });
    await terminal.cutPower();
    const before = entriesOf(data);
    assert.ok(!isDealt(before, roundId), 'it died between two cards');
    t.diagnostic(`power cut after entry ${before.length}, ${cardsOf(before).length} cards drawn`);

    assert.ok(existsSync(metrics), 'the power took nothing away');
    terminal = await start('--demo', '--rounds', '2');
    const played = await measured(metrics, ['card_to_disk', 'touch_to_disk']);
    assert.equal(
      played.get(`banca_terminal_info{terminal="${TERMINAL}",rulebook="macau-blackjack-2009"}`),
      1,
    );
    assert.equal(played.get('banca_locked'), 0);
    assert.equal(await Promise.race([terminal.ended, sleep(2 * LIMIT_MS, 'late', { ref: false })]), 0);
    const after = entriesOf(data);
    assert.deepEqual(
      after.slice(0, before.length).map(({ seq, hash }) => [seq, hash]),
      before.map(({ seq, hash }) => [seq, hash]),
      'nothing on disk was changed',
    );
    const since = after.slice(before.length);
    const codesOf = (kind: string, code: (body: never) => string): string[] =>
      since.filter((entry) => entry.kind === kind).map(({ body }) => code(body as never));
    assert.deepEqual(
      codesOf('table-held', ({ hold }: { hold: { code: string } }) => hold.code),
      ['recovery'],
    );
    assert.deepEqual(
      codesOf('hold-released', ({ code }: { code: string }) => code),
      ['recovery'],
    );
    for (const kind of ['round-voided', 'note-held', 'shoe-event-refused'])
      assert.deepEqual(
        since.filter((entry) => entry.kind === kind).map(({ body }) => body),
        [],
        kind,
      );
    const settled = since.filter(({ kind }) => kind === 'round-settled');
    assert.equal(settled.length, 2);
    assert.equal(settled[0]?.roundId, roundId, 'the round that was interrupted came to its end');
    assert.notEqual(settled[1]?.roundId, roundId);

    // The third start plays nothing: books, devices and centre stand still and are compared.
    terminal = await start();
    await isUp(terminal);
    const rack = await rackOf(data);
    const { shoe, acceptors } = await atRest(data, rack);
    rack.close();
    const report = verifyLedger(join(data, 'ledger.db'));
    assert.equal(report.problem, '');
    const entries = entriesOf(data);
    // A table at rest still writes an entry now and then, such as one about its link.
    const figures = await until('the figures have the head of the ledger', async () => {
      const seen = await scraped(metrics);
      return seen?.get('banca_ledger_head_seq') === entriesOf(data).length ? seen : null;
    });
    assert.equal(figures.get('banca_rounds_total{end="settled"}'), undefined, 'none in this life');
    assert.equal(shoe.boot, 3);
    assert.equal(entries.filter(({ kind }) => kind === 'shoe-loaded').length, 1, 'one shoe all the time');
    assert.deepEqual(
      cardsOf(entries),
      asBooked(shoe.drawn, cardsOf(entries)),
      'cards in the books are those that left the shoe',
    );
    for (const [index, { id, cashBox }] of acceptors.entries())
      assert.equal(
        report.balances[`MOP/cash-box:${index + 1}`] ?? 0,
        cashBox.reduce((total, { valueMinor }) => total + valueMinor, 0),
        `${id}: its cash box and its account`,
      );
    assert.ok(acceptors.some(({ cashBox }) => cashBox.length > 0));
    const atCentre = await assertCentre(data, centreOf(terminal), TERMINAL);
    t.diagnostic(
      `${shoe.drawn.length} cards, ${acceptors.flatMap(({ cashBox }) => cashBox).length} notes, ${atCentre} entries, all the same at the centre`,
    );
  } catch (error) {
    for (const line of terminal.logs.slice(-40)) t.diagnostic(line);
    throw error;
  }
});
