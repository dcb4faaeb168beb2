import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { ownRound, ownRounds } from '../../host/pages/own-rounds.ts';
import { roundDetail } from '../../host/pages/recall.ts';
import { playRound, recallPage } from '../../host/pages/recall-steps.ts';
import { shownTo } from '../../host/table/shown-to.ts';
import { judgeReceipt } from '../../ledger/chain/receipt.codec.ts';
import type { TableView } from '../../wire/view.ts';
import { PAST, playAndStore, TABLES } from '../support/stored-table.ts';

const SEED = Number(process.env['BANCA_SEED'] ?? randomInt(1_000_000));
/** Without what belongs to the moment and not to the table. */
const stored = (view: TableView): unknown =>
  JSON.parse(JSON.stringify({ ...view, bootId: undefined, link: undefined }));

for (const [index, [rulebook, options]] of TABLES.entries()) {
  test(`${rulebook} ${JSON.stringify(options)}: every step of a recalled round is the view of its time (seed ${SEED})`, async (t) => {
    const { ledger, key, live, rounds, terminal } = playAndStore(
      t,
      SEED,
      rulebook,
      options,
      index === 1,
      450,
    );
    assert.ok(rounds.length > 1, `${rounds.length} rounds`);
    let [coups, tallies, settled] = [0, 0, 0];
    for (const roundId of rounds) {
      const entries = ledger.readRound(roundId);
      settled += entries.filter(({ kind }) => kind === 'round-settled').length;
      // What lies face down where the play breaks off is opened by no entry.
      const isOver = entries.some(({ kind }) => kind === 'round-closed' || kind === 'round-voided');
      const seen = (view: TableView): unknown => stored(isOver ? view : shownTo(view, 'none'));
      const views: TableView[] = [];
      for await (const { entries: group, view } of playRound(ledger, PAST, roundId)) {
        assert.equal(view.seq, group.at(-1)!.seq);
        assert.deepEqual(seen(view), seen(live.get(view.seq)!), `${roundId} entry ${view.seq}`);
        views.push(view);
        coups = Math.max(coups, view.coups?.length ?? 0);
        tallies = Math.max(tallies, view.tallies?.length ?? 0);
      }
      assert.ok((views.at(-1)?.seq ?? 0) >= entries.at(-1)!.seq, `${roundId} to its end`);

      // The pages of the display are the same steps, and no word of them names a card that lies
      // face down.
      const steps = [];
      for (let total = 1; steps.length < total; ) {
        const page = await recallPage(ledger, PAST, roundId, steps.length);
        assert.ok(page && page.steps.length > 0);
        total = page.total;
        steps.push(...page.steps);
      }
      assert.deepEqual(
        steps.map(({ view }) => view),
        views.map((view) => shownTo(view, 'none')),
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
    // what roads and last rounds are drawn from comes out of the ledger as well
    assert.equal(coups > 0, rulebook === 'macau-baccarat');
    assert.equal(tallies, rulebook === 'macau-baccarat' ? 0 : Math.min(settled, 20));

    let [looked, receipts] = [0, 0];
    for (const { seat } of terminal.state.seats) {
      const own: Awaited<ReturnType<typeof ownRounds>>['rounds'][number][] = [];
      for (let more = true; more; ) {
        const page = await ownRounds(ledger, seat, own.length);
        assert.ok(page.rounds.length <= 10);
        own.push(...page.rounds);
        more = page.more && page.rounds.length > 0;
      }
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
