import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { verifyLedger } from '../../ledger/chain/verifier.store.ts';
import type { Ledger } from '../../ledger/store/ledger.store.ts';
import { openLedgerReader } from '../../ledger/store/ledger.store.ts';
import type { Command } from '../../wire/commands.ts';
import { TestDisplay } from '../support/display.ts';
import { CREDENTIAL, TestTerminal } from './test-terminal.ts';

/** A ledger whose accounts can be made to say another amount than they hold. */
function doubtful(): { wrong: boolean; wrap: (ledger: Ledger) => Ledger } {
  const books = {
    wrong: false,
    wrap: (ledger: Ledger): Ledger => ({
      ...ledger,
      balances: () => {
        const account = 'MOP/seat-credit:1';
        const balances = ledger.balances();
        return books.wrong ? new Map([...balances, [account, (balances.get(account) ?? 0) - 1]]) : balances;
      },
    }),
  };
  return books;
}

test('an input after which the books would not agree is refused whole; the table locks and says so', async (t) => {
  const books = doubtful();
  const kit = await TestTerminal.open(t, { ledger: books.wrap });
  await kit.fund(1, 50_000);
  await kit.ready('TS 9H TD 8C');
  await kit.do({ type: 'open-betting' });
  await kit.do(kit.bet(1, 10_000));
  const seq = kit.headSeq;

  books.wrong = true;
  const answer = await kit.send(kit.bet(1, 20_000));
  assert.ok(answer.status === 'rejected' && answer.code === 'held');
  assert.match(answer.detail ?? '', /seat-credit:1: table owes 20000, books say 20001/);
  assert.deepEqual(kit.kindsSince(seq), ['fault-reported', 'table-held'], 'nothing of the bet is stored');
  assert.equal(kit.seat(1).creditMinor, 40_000);
  assert.deepEqual(kit.seat(1).bets, [{ by: 1, bet: 'main', amountMinor: 10_000 }]);
  const { view } = kit;
  assert.equal(view.hold?.code, 'books');
  assert.equal(view.dealer.step.step, 'call-supervisor');
  assert.equal(view.deadline, null, 'no time runs');
  for (const seat of view.seats)
    assert.ok(
      [...seat.choices, ...seat.betting].every(({ allowed }) => !allowed),
      'nothing is offered',
    );
  const seen = await kit.table.until((shown) => shown.hold?.code === 'books');
  assert.equal(seen?.seq, kit.headSeq, 'every display hears it');

  const nothing: Command[] = [
    kit.bet(1, 10_000),
    { type: 'clear-bets', roundId: kit.roundId, seat: 1, touchedAtMs: kit.now() },
    { type: 'close-betting' },
    { type: 'request-cash-out', seat: 1 },
    { type: 'confirm-layout' },
    { type: 'void-round', reason: 'supervisor', credential: CREDENTIAL.supervisor },
  ];
  for (const command of nothing) await kit.refused(command, 'held');
  await kit.until('the gates are shut', () => kit.rack.acceptor(1).status() === 0x1a);
  // A card that is drawn all the same is not lost: the shoe keeps it for the life that can take it.
  await kit.hands({ do: 'draw-card' });
  await kit.until('it is reported', () => kit.log.some((line) => line.includes('card refused')));
  const { ackedSeq, lastSeq } = kit.rack.sight().shoe;
  assert.equal(lastSeq - ackedSeq, 1);

  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  const { meters } = await kit.table.query({
    query: 'meters',
    asOfMs: null,
    fromMs: null,
    by: null,
  });
  assert.equal(meters.find(({ code }) => code === 'bills_in')?.value, 50_000);
  await kit.do({ type: 'exit-service' });

  // A restart that finds them wrong again stays locked from the first moment.
  await kit.restart();
  assert.equal(kit.view.hold?.code, 'books');
  assert.equal(kit.step, 'call-supervisor');
  await kit.refused({ type: 'confirm-layout' }, 'held');
  await kit.refused(kit.bet(1, 10_000), 'held');

  books.wrong = false;
  await kit.restart();
  await endBooksFault(kit);
  assert.equal(kit.entries('fault-cleared').length, 1);
  assert.equal(kit.step, 'confirm-layout');
  await kit.do({ type: 'confirm-layout' });
  await kit.until('the card of before comes', () => kit.view.hold?.code === 'unexpected-card');
  await kit.do({ type: 'set-card-aside' });
  await kit.do(kit.bet(1, 10_000));
  assert.equal(kit.seat(1).creditMinor, 30_000);
});

/** NIGC 547.10 a 3 and NZ 5.3.2 d: the cause is gone, and both who must have looked at it have. */
async function endBooksFault(kit: TestTerminal): Promise<void> {
  const end: Command = {
    type: 'end-fault',
    device: 'books',
    fault: 'books-differ',
    credential: CREDENTIAL.technician,
  };
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  await kit.refused(end, 'person');
  await kit.do({ ...end, secondCredential: CREDENTIAL.auditor });
  await kit.do({ type: 'exit-service' });
}

test('books that do not agree between two rounds lock the table until a restart finds them right and persons end it', async (t) => {
  const books = doubtful();
  const kit = await TestTerminal.open(t, { ledger: books.wrap });
  await kit.ready('TS 9H');
  books.wrong = true;
  const answer = await kit.send({ type: 'open-betting' });
  assert.ok(answer.status === 'rejected' && answer.code === 'held');
  assert.equal(kit.view.hold?.code, 'books');
  books.wrong = false;
  await kit.refused({ type: 'open-betting' }, 'held');
  await kit.restart();
  await endBooksFault(kit);
  assert.equal(kit.step, 'confirm-layout');
  await kit.do({ type: 'confirm-layout' });
  await kit.do({ type: 'open-betting' });
});

test('a note whose credit would break the books is not credited, and the unit keeps its signal for the next life', async (t) => {
  const books = doubtful();
  const kit = await TestTerminal.open(t, { ledger: books.wrap });
  const wrong = kit.whenStacking(async () => {
    books.wrong = true;
  });
  await kit.insert(1, 50_000);
  await wrong;
  await kit.until('the lock', () => kit.view.hold?.code === 'books');
  await kit.until('the unit waits for its answer', () => kit.rack.acceptor(1).owesCredit());
  assert.equal(kit.entries('note-credited').length, 0);
  books.wrong = false;
  await kit.restart();
  await kit.until('credit', () => kit.seat(1).creditMinor === 50_000);
  assert.equal(kit.entries('note-credited').length, 1);
  await kit.until('the unit has its answer', () => !kit.rack.acceptor(1).owesCredit());
  assert.deepEqual(kit.view.heldNotes, []);
});

// ---- a disk that refuses a write ----

interface Doomed {
  readonly child: ChildProcess;
  readonly display: TestDisplay;
  readonly ledgerPath: string;
  /** From now on every write to the disk fails. */
  breakDisk(): Promise<void>;
  readonly exit: Promise<number | null>;
}

async function doomed(t: TestContext): Promise<Doomed> {
  const dir = mkdtempSync(join(tmpdir(), 'banca-disk-'));
  const script = new URL('./failing-disk.ts', import.meta.url).pathname;
  const child = fork(script, [dir], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
  t.after(async () => {
    child.kill('SIGKILL');
    await exit;
    rmSync(dir, { recursive: true, force: true });
  });
  const { url } = await new Promise<{ url: string }>((resolve) =>
    child.once('message', (message) => resolve(message as { url: string })),
  );
  const display = await TestDisplay.connect(url);
  return {
    child,
    display,
    ledgerPath: join(dir, 'ledger.db'),
    exit,
    breakDisk: async () => {
      const broken = new Promise((resolve) => child.once('message', resolve));
      child.send('break');
      await broken;
    },
  };
}

/** What the file holds once the process is gone. */
function stored(path: string): string[] {
  assert.equal(verifyLedger(path).problem, '');
  const reader = openLedgerReader(path);
  try {
    return reader.read(1, 10_000).map(({ kind }) => kind);
  } finally {
    reader.close();
  }
}

test('a command that cannot be written is not answered and not shown: the process ends', async (t) => {
  const host = await doomed(t);
  assert.equal((await host.display.command({ type: 'call-attendant', seat: 1, on: true }))?.status, 'done');
  await host.display.until(({ seats }) => seats[0]?.callsAttendant === true);
  await host.breakDisk();
  assert.equal(await host.display.command({ type: 'call-attendant', seat: 2, on: true }), null);
  assert.notEqual(await host.exit, 0);
  assert.equal(host.display.view.seats[1]?.callsAttendant, false);
  assert.equal(stored(host.ledgerPath).filter((kind) => kind === 'attendant-called').length, 1);
});

test('a note in escrow that cannot be written ends the process before the unit hears STACK', async (t) => {
  const host = await doomed(t);
  const { display } = host;
  await display.until(({ devices }) => devices[0]?.state === 'idle');
  const inserted = await display.command({ type: 'sim-insert-note', acceptor: 1, valueMinor: 50_000 });
  assert.equal(inserted?.status, 'done');
  await host.breakDisk();
  assert.notEqual(await host.exit, 0);
  assert.equal(display.view.seats[0]?.note, null);
  assert.ok(!stored(host.ledgerPath).some((kind) => kind.startsWith('note-')));
});

test('a deadline whose end cannot be written ends the process', async (t) => {
  const host = await doomed(t);
  const { display } = host;
  const must = async (command: Command): Promise<void> => {
    const answer = await display.command(command);
    assert.equal(answer?.status, 'done', JSON.stringify(answer));
  };
  await display.until(({ devices }) => devices.at(-1)?.state === 'idle');
  await must({ type: 'sign-in-dealer', credential: CREDENTIAL.dealer });
  await must({ type: 'sim-load-shoe' });
  await display.until(({ dealer }) => dealer.step.step === 'cut-shoe');
  await must({ type: 'cut-shoe', seat: null });
  await must({ type: 'place-end-card', cardsBehind: 60 });
  await must({ type: 'sim-draw-card' });
  await display.until(({ dealer }) => dealer.step.step === 'open-betting');
  await must({ type: 'open-betting' });
  await host.breakDisk();
  assert.notEqual(await host.exit, 0);
  assert.equal(display.view.phase, 'betting');
  assert.ok(!stored(host.ledgerPath).includes('betting-cancelled'));
});
