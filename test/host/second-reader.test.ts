/** Every payment of a round is read a second time before its money moves, by another process. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { ReadAccount } from '../../wire/host-events.ts';
import { CREDENTIAL, newRack, TestTerminal } from './test-terminal.ts';

const wrong = (how: string): string[] => [
  fileURLToPath(new URL('../support/wrong-reader.ts', import.meta.url)),
  how,
];
/**
 * Longer than at a table, for a busy machine, and shorter than the shoe may be silent; a test of a
 * hanging reader says less.
 */
const LONG = { longestMs: 1_800 };

/** Seats 1 and 3 with credit; the reader is up. */
async function open(
  t: TestContext,
  reader: NonNullable<TestTerminal['reader']>,
  cards: string,
): Promise<TestTerminal> {
  const kit = await TestTerminal.open(t, { reader: { ...LONG, ...reader } });
  await Promise.all([kit.fund(1, 100_000), kit.fund(3, 50_000)]);
  await kit.ready(cards);
  await readerUp(kit);
  return kit;
}

const readerUp = (kit: TestTerminal): Promise<void> =>
  kit.until('the reader is up', () => kit.host.reader!.isThere);

/** Seat 1 has 20 and wins, seat 3 has 18 and loses against 19. */
const CARDS = 'KS 9D TH QH 9C 9S';

async function playToLastCard(kit: TestTerminal): Promise<void> {
  await kit.deal({ 1: 10_000, 3: 20_000 });
  passOffers(kit);
  await kit.do(kit.act(1, 'stand'));
  await kit.do(kit.act(3, 'stand'));
}

/** The process dies and comes back; the dealer compares the cards on the layout. */
async function revive(kit: TestTerminal): Promise<void> {
  await kit.die();
  assert.equal(kit.view.hold?.code, 'recovery');
  await kit.until('the shoe is there', () =>
    kit.view.devices.some(({ id, state }) => id === 'shoe' && state !== 'offline'),
  );
  await readerUp(kit);
  await kit.do({ type: 'confirm-layout' });
}

/** Nobody gives up. */
function passOffers(kit: TestTerminal): void {
  if (kit.step === 'await-offers') kit.passDeadline();
}

const money = (kit: TestTerminal): string =>
  JSON.stringify([...kit.host.terminal.ledger.balances()].filter(([, sum]) => sum !== 0).sort());

test('a round that both settle alike is paid, and nothing is said of it', async (t) => {
  const kit = await open(t, { whenAbsent: 'hold' }, CARDS);
  const seq = kit.headSeq;
  await playToLastCard(kit);
  await kit.draw();
  assert.deepEqual([kit.seat(1).creditMinor, kit.seat(3).creditMinor], [110_000, 30_000]);
  assert.equal(kit.host.reader!.page().count, 1);
  const kinds = kit.kindsSince(seq).filter((kind) => /read|held|fault/.test(kind));
  assert.deepEqual(kinds, []);
});

test('a reader with another account: no money moves, both accounts are on record, and a supervisor cancels', async (t) => {
  const kit = await open(t, { whenAbsent: 'go-on', program: wrong('one-more') }, CARDS);
  await playToLastCard(kit);
  const before = money(kit);
  await kit.draw();
  assert.equal(kit.view.hold?.code, 'unread');
  assert.equal(kit.step, 'call-supervisor');
  assert.equal(money(kit), before);
  assert.equal(kit.entries('round-settled').length, 0);
  const account = kit.last<ReadAccount>('reading-differed');
  assert.deepEqual(account.differing, ['1 1 main 0']);
  assert.deepEqual(
    [
      account.engine[0]?.netMinor,
      account.reader[0]?.netMinor,
      account.engine[1]?.netMinor,
      account.reader[1]?.netMinor,
    ],
    [10_000, 10_001, -20_000, -20_000],
  );
  // Asked again it says the same again, and nothing has moved.
  const again = await kit.send({ type: 'read-again', credential: CREDENTIAL.technician });
  assert.deepEqual([again.status, 'code' in again && again.code], ['rejected', 'held']);
  assert.equal(money(kit), before);
  assert.equal(kit.entries('reading-differed').length, 2);
  // A restart in the middle comes back to it, after the dealer has compared the cards.
  await revive(kit);
  assert.equal(kit.view.hold?.code, 'unread');
  assert.equal(money(kit), before);
  await kit.do({ type: 'void-round', reason: 'supervisor', credential: CREDENTIAL.supervisor });
  assert.equal(kit.view.hold, null);
  assert.deepEqual([kit.seat(1).creditMinor, kit.seat(3).creditMinor], [100_000, 50_000]);
  kit.passDeadline();
  await kit.do({ type: 'close-round' });
});

test('a decision that would have paid is kept: it is made once, and read again with it', async (t) => {
  // Seat 1 ties with the bank and gives up half.
  const kit = await TestTerminal.open(t, {
    rack: newRack(7),
    reader: { whenAbsent: 'hold', program: wrong('one-more'), ...LONG },
    profile: {
      rulebook: 'macau-casino-war',
      seatCount: 7,
      options: { min: 5_000, max: 500_000, step: 1_000 },
    },
  });
  await Promise.all([kit.fund(1, 100_000), kit.fund(3, 50_000)]);
  await kit.until('the shoe is there', () =>
    kit.view.devices.some(({ id, state }) => id === 'shoe' && state !== 'offline'),
  );
  await kit.do({ type: 'sign-in-dealer', credential: CREDENTIAL.dealer });
  await kit.loadShoe('KS AD KH');
  await readerUp(kit);
  await kit.do({ type: 'cut-shoe', seat: null });
  await kit.do({ type: 'place-end-card', cardsBehind: 15 });
  await kit.deal({ 1: 10_000, 3: 20_000 });
  assert.equal(kit.step, 'await-decision');
  const before = money(kit);
  await kit.do(kit.act(1, 'surrenderWar'));
  assert.equal(kit.view.hold?.code, 'unread');
  assert.equal(money(kit), before);
  kit.reader = { whenAbsent: 'hold', ...LONG };
  await revive(kit);
  await kit.do({ type: 'read-again', credential: CREDENTIAL.supervisor });
  assert.deepEqual([kit.seat(1).creditMinor, kit.seat(3).creditMinor], [95_000, 70_000]);
});

test('killed in the middle of a round, with `hold`: the payment waits, and goes on once it is back', async (t) => {
  const kit = await open(t, { whenAbsent: 'hold' }, CARDS);
  await playToLastCard(kit);
  const { pid } = kit.host.reader!;
  process.kill(pid!, 'SIGKILL');
  await kit.draw();
  await kit.until('the round is paid', () => kit.seat(1).creditMinor === 110_000);
  assert.notEqual(kit.host.reader!.pid, pid);
  await kit.until('the fault is over', () => kit.host.terminal.state.faults.length === 0);
  assert.ok(
    kit.entries('fault-reported').some(({ body }) => (body as { fault: string }).fault === 'reader-gone'),
  );
});

test('killed, with `go-on`: the round is paid, and the ledger names what nobody has read', async (t) => {
  const kit = await open(t, { whenAbsent: 'go-on', program: wrong('hang'), longestMs: 300 }, CARDS);
  await playToLastCard(kit);
  await kit.draw();
  assert.equal(kit.seat(1).creditMinor, 110_000);
  assert.deepEqual([kit.last('round-unread')['ask'], kit.entries('round-unread').length], ['settled', 1]);
  await kit.until('the fault stands', () => kit.entries('fault-reported').length > 0);
});

for (const how of ['hang', 'babble'])
  test(`a reader that answers in no form or not at all is away (${how}): the money waits, other inputs are served`, async (t) => {
    const kit = await open(t, { whenAbsent: 'hold', program: wrong(how), longestMs: 300 }, CARDS);
    await playToLastCard(kit);
    const before = money(kit);
    await kit.draw();
    assert.equal(kit.view.hold?.code, 'unread');
    assert.equal(money(kit), before);
    await kit.do({ type: 'set-language', seat: 3, language: 'pt' });
    assert.equal(kit.entries('round-settled').length, 0);
    await kit.do({ type: 'void-round', reason: 'supervisor', credential: CREDENTIAL.supervisor });
    assert.deepEqual([kit.seat(1).creditMinor, kit.seat(3).creditMinor], [100_000, 50_000]);
  });

test('art. 15 a prize paid at once is read first; a repaired program is asked again, and the round is played on', async (t) => {
  const cards = '7S KD TH 7D 6D 7C 9S';
  const kit = await open(t, { whenAbsent: 'hold', program: wrong('one-more') }, cards);
  await kit.deal({ 1: 10_000, 3: 20_000 });
  passOffers(kit);
  const before = money(kit);
  await kit.do(kit.act(1, 'hit'));
  await kit.draw();
  assert.equal(kit.view.hold?.code, 'unread');
  assert.equal(money(kit), before);
  assert.equal(kit.last<ReadAccount>('reading-differed').ask, 'at-once');
  kit.reader = { whenAbsent: 'hold', ...LONG };
  await revive(kit);
  await kit.refused({ type: 'read-again', credential: CREDENTIAL.dealer }, 'person');
  await kit.do({ type: 'read-again', credential: CREDENTIAL.technician });
  assert.equal(kit.seat(1).creditMinor, 120_000);
  assert.equal(kit.entries('paid-at-once').length, 1);
  assert.equal(kit.view.hold, null);
  // The rest of the round after a restart is read whole.
  await kit.do(kit.act(3, 'stand'));
  await kit.draw();
  assert.equal(kit.entries('round-settled').length, 1);
});
