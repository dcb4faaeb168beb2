import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Card } from '../../engine/core/cards.ts';
import { cardName } from '../../engine/core/cards.ts';
import { isSame } from '../../engine/core/same.ts';
import type { SettlementLine } from '../../engine/table/settlement.ts';
import { RackClient } from '../../hardware/rack/rack-client.ts';
import { verifyLedger } from '../../ledger/chain/verifier.store.ts';
import type { Entry } from '../../ledger/store/ledger.store.ts';
import { openLedgerReader } from '../../ledger/store/ledger.store.ts';
import { loggedInWith } from '../centre/operators.ts';
import { cardsOf } from '../crash/audit.ts';
import type { Terminal } from '../shell/terminal.ts';
import { until } from '../support/until.ts';
import { Kiosk } from './kiosk.ts';

/**
 * Two rounds of Black Jack 57/2009 out of a shoe whose cards are known, for seats 1 (Chinese), 3
 * (Portuguese) and 5 (English). Round 1: the bank shows a ten. Seat 3 surrenders 16, seat 1 splits
 * eights and doubles eleven, seat 5 stands on 19. Round 2: the bank shows an ace and has a
 * blackjack. Seat 5 is insured.
 */
const SHOE = [
  ...['2C'],
  ...['8S', 'TD', '9H', 'TS', '8D', '6C', 'KC', '3H', 'TC', 'TH', '7D'],
  ...['5H', 'KD', 'JC', 'AS', '6H', '9C', 'QD', '9S', 'KS'],
  // Never drawn: the second white card lies far behind.
  ...Array.from({ length: 291 }, (_, i) => `${'23456789'[i % 8]}${'SHDC'[i % 4]}`),
];

type Line = Pick<SettlementLine, 'seat' | 'bet' | 'hand' | 'outcome' | 'stakeMinor' | 'netMinor'> & {
  cites: string[];
};

/** SIGKILL to the host; resolves when its successor has the display back. */
async function killedHost(terminal: Terminal): Promise<void> {
  const from = terminal.events.length;
  process.kill(terminal.pidOf('host'), 'SIGKILL');
  await terminal.event(
    'the display is back',
    (m) => (m['host'] as { display?: string })?.display === 'up',
    from,
    30_000,
  );
}

/** Plays both rounds through the window of `terminal`, killing the host twice on the way. */
export async function playScenario(terminal: Terminal, dataDir: string, rackDir: string): Promise<Kiosk> {
  const kiosk = new Kiosk(await terminal.page(), await RackClient.connect(rackDir));
  await kiosk.step('sign-in');
  await kiosk.language(3, 'pt');
  await kiosk.language(5, 'en');

  await kiosk.dealer('sign-in');
  await kiosk.pin('1111');
  await kiosk.step('load-shoe');
  await kiosk.loadShoe(SHOE);
  await kiosk.dealer('cut-shoe');
  await kiosk.page.locator('.dialog button').last().click();
  await kiosk.dealer('place-end-card');
  await kiosk.page.locator('.dialog .button-confirm, .dialog .button-gold').last().click();
  await kiosk.step('burn');
  await kiosk.draw(1);
  await kiosk.step('open-betting');

  await kiosk.insertNote(1, 1000, '1000.00');
  await kiosk.insertNote(3, 500, '500.00');
  // The note of seat 5 is on its way into the cash box when the host dies: STACK is sent, the
  // credit is not yet told.
  const inserting = kiosk.rack.do({ do: 'insert-note', acceptor: 5, valueMinor: 100_000, currency: 'MOP' });
  await untilStored(dataDir, 'note-stack-requested', { acceptor: 5 });
  await killedHost(terminal);
  assert.ok((await inserting).ok);
  await kiosk.balance(5, '1000.00');

  await kiosk.dealer('open-betting');
  await kiosk.bet(1, 100);
  await kiosk.bet(3, 100);
  await kiosk.bet(5, 500);
  await kiosk.balance(1, '900.00');
  await kiosk.balance(5, '500.00');
  await kiosk.moreTime();
  await untilStored(dataDir, 'betting-time-renewed');
  await kiosk.dealer('close-betting');
  await kiosk.draw(3);

  // Between two cards.
  await killedHost(terminal);
  await kiosk.dealer('confirm-layout');
  await kiosk.draw(4);

  await kiosk.step('await-offers');
  await kiosk.act(1, 'playOn');
  await kiosk.act(3, 'surrender');
  await kiosk.act(5, 'playOn');
  await kiosk.step('await-decision');
  await kiosk.act(1, 'split');
  await kiosk.draw(1);
  await kiosk.step('await-decision');
  await kiosk.language(1, 'en');
  await kiosk.act(1, 'double');
  await kiosk.draw(2);
  await kiosk.step('await-decision');
  await kiosk.language(1, 'zh-Hant');
  await kiosk.act(1, 'stand');
  await kiosk.step('await-decision');
  await kiosk.act(5, 'stand');
  await kiosk.step('draw-for-bank');
  await kiosk.draw(1);
  await kiosk.balance(1, '1300.00');
  await kiosk.balance(3, '450.00');
  await kiosk.balance(5, '1500.00');
  // The amount explains itself with its article in the language of the seat.
  await kiosk.panel(3).getByText('artigo 18.º', { exact: false }).first().waitFor();
  await kiosk.panel(1).getByText('第十', { exact: false }).first().waitFor();
  await kiosk.dealer('close-round');

  await kiosk.dealer('open-betting');
  await kiosk.bet(1, 100);
  await kiosk.bet(3, 100);
  await kiosk.bet(5, 500);
  await kiosk.dealer('close-betting');
  await kiosk.draw(7);
  await kiosk.step('await-offers');
  await kiosk.act(1, 'declineInsurance');
  await kiosk.act(3, 'declineInsurance');
  await kiosk.act(5, 'insure');
  await kiosk.step('await-decision');
  await kiosk.act(1, 'hit');
  await kiosk.draw(1);
  await kiosk.step('await-decision');
  await kiosk.act(1, 'stand');
  await kiosk.act(3, 'stand');
  await kiosk.act(5, 'stand');
  await kiosk.step('draw-for-bank');
  await kiosk.draw(1);
  await kiosk.balance(1, '1200.00');
  await kiosk.balance(3, '350.00');
  await kiosk.balance(5, '1500.00');
  await kiosk.dealer('close-round');
  await kiosk.step('open-betting');
  return kiosk;
}

/** The newest entry of the kind is there and says so. */
async function untilStored(dataDir: string, kind: string, said: object = {}): Promise<void> {
  await until(
    kind,
    () => {
      const reader = openLedgerReader(join(dataDir, 'ledger.db'));
      const [newest] = reader.newest({ beforeSeq: null, limit: 1, kind });
      reader.close();
      return newest !== undefined && isSame({ ...(newest.body as object), ...said }, newest.body);
    },
    { everyMs: 10 },
  );
}

/**
 * The books of the scenario: lines with their articles, postings, and that nothing is there twice.
 */
export function assertBooks(dataDir: string): void {
  const path = join(dataDir, 'ledger.db');
  const report = verifyLedger(path);
  assert.equal(report.problem, '');
  const reader = openLedgerReader(path);
  const entries: Entry[] = reader.read(1, 10_000);
  reader.close();

  const lines = (no: number): Line[] => {
    const settled = entries.filter((entry) => entry.kind === 'round-settled')[no - 1];
    assert.ok(settled, `round ${no} was settled`);
    return (settled.body as { lines: Line[] }).lines.map(
      ({ seat, bet, hand, outcome, stakeMinor, netMinor, cites }) => ({
        seat,
        bet,
        hand,
        outcome,
        stakeMinor,
        netMinor,
        cites,
      }),
    );
  };
  const nets = (no: number) => lines(no).map(({ seat, bet, hand, netMinor }) => [seat, bet, hand, netMinor]);
  assert.deepEqual(
    new Set(nets(1).map(String)),
    new Set(['1,main,0,20000', '1,main,1,10000', '3,main,0,-5000', '5,main,0,50000']),
  );
  const round2 = nets(2).map(String);
  for (const line of ['1,main,0,-10000', '3,main,0,-10000', '5,main,0,-50000', '5,insurance,,50000'])
    assert.ok(round2.includes(line), `${line} in ${round2.join(' ')}`);
  const citesOf = (no: number, seat: number, bet: string): string[] =>
    lines(no).find((line) => line.seat === seat && line.bet === bet)?.cites ?? [];
  assert.ok(citesOf(1, 3, 'main').includes('art.18.1'), 'surrender rests on art. 18.1');
  assert.ok(citesOf(2, 5, 'insurance').includes('art.12.2'), 'won insurance rests on art. 12.2');
  for (const no of [1, 2])
    for (const line of lines(no)) assert.ok(line.cites.length > 0, JSON.stringify(line));

  assert.equal(entries.filter((entry) => entry.kind === 'note-credited').length, 3);
  // Nobody has seen the first one: it was burnt.
  assert.deepEqual(
    cardsOf(entries).map((card) => (card === null ? null : cardName(card as Card))),
    [null, ...SHOE.slice(1, 21)],
  );
  const { balances } = report;
  const account = (name: string): number => balances[`MOP/${name}`] ?? 0;
  assert.equal(account('cash-box:1') + account('cash-box:3') + account('cash-box:5'), 250_000);
  assert.deepEqual(
    [1, 3, 5].map((seat) => account(`seat-credit:${seat}`)),
    [-120_000, -35_000, -150_000],
  );
  assert.deepEqual(
    [1, 3, 5].map((seat) => account(`stake:${seat}`)),
    [0, 0, 0],
  );
  assert.equal(
    Object.values(balances).reduce((total, amount) => total + amount, 0),
    0,
  );
}

/** The centre has the same chain, entry by entry. */
export async function assertCentre(dataDir: string, centreUrl: string, terminalId: string): Promise<number> {
  const reader = openLedgerReader(join(dataDir, 'ledger.db'));
  const own = reader.readBytes(1, 10_000);
  reader.close();
  const headers = loggedInWith(join(dataDir, 'centre', 'operator-password'));
  const theirs: { seq: number; hash: string; bytes: string }[] = [];
  for (const end = performance.now() + 30_000; theirs.length < own.length && performance.now() < end; ) {
    const answer = await fetch(`${centreUrl}/v1/terminals/${terminalId}/entries?from=${theirs.length + 1}`, {
      headers,
    });
    const page = (await answer.json()) as { entries: typeof theirs };
    theirs.push(...page.entries);
    if (page.entries.length === 0) await new Promise((resolve) => setTimeout(resolve, 200));
  }
  // What was written meanwhile may be there too.
  assert.deepEqual(
    theirs.slice(0, own.length).map(({ seq, bytes, hash }) => [seq, bytes, hash]),
    own.map(({ seq, bytes, hash }) => [seq, String(bytes), Buffer.from(hash).toString('hex')]),
  );
  return own.length;
}
