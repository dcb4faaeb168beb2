/**
 * What a level says of a fault it does at the table: every fault, between rounds and with cards
 * out.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { stopsAllNotes, stopsNotes, stopsOf } from '../../host/watches/faults.ts';
import { FAULTS, type FaultId, type FaultRow } from '../../wire/faults.ts';
import { CREDENTIAL, TestTerminal } from './test-terminal.ts';

/**
 * Its reaction is the end of the process between two rounds, see host/watches/ledger-copy.test.ts.
 */
const OF_THE_PROCESS: ReadonlySet<string> = new Set<FaultId>(['ledger-damaged']);
const ROWS = Object.entries<FaultRow>(FAULTS).filter(([fault]) => !OF_THE_PROCESS.has(fault)) as [
  FaultId,
  FaultRow,
][];
const DEVICE = {
  'bill-acceptor': 'acceptor-1',
  'card-shoe': 'shoe',
  'receipt-printer': 'printer',
  'cabinet-board': 'board',
  'power-supply': 'power',
  ledger: 'ledger',
  machine: 'part',
} as const;
/**
 * The devices here are in order: what they say of themselves ends such a fault at once, and not
 * what it did; the gate under such a one is in host/devices/faults.test.ts.
 */
const partOf = (fault: FaultId, { device }: FaultRow): string =>
  fault === 'books-differ' ? 'books' : DEVICE[device];

const OF_TABLE: ReadonlySet<string> = new Set<FaultRow['device']>([
  'machine',
  'cabinet-board',
  'power-supply',
]);

/** A round on the table is played to its end first. */
const AFTER_ROUND: ReadonlySet<string> = new Set<FaultId>([
  'storage-full',
  'storage-slow',
  'reader-gone',
  'cabinet-offline',
  'cabinet-changed',
  'ups-on-battery',
  'link-overdue',
  'meter-jump',
]);

function strike(kit: TestTerminal, fault: FaultId, row: FaultRow): { clear: () => void } {
  const device = partOf(fault, row);
  const { terminal } = kit.host;
  const submit = (input: Parameters<typeof terminal.submit>[0]) => terminal.submit(input);
  const told = submit({ type: 'report-fault', device, fault, place: 'here', ...stopsOf(fault, [1]) });
  assert.equal(told.status, 'done', fault);
  return { clear: () => void submit({ type: 'clear-fault', device, fault }) };
}

/** Acceptors whose gate is shut, as the ledger has it last. */
function shut(kit: TestTerminal): number[] {
  const gates = new Map<number, string | null>();
  for (const { body } of kit.entries('acceptors-gated'))
    for (const { acceptor, shut: why } of (body as { gates: { acceptor: number; shut: string | null }[] })
      .gates)
      gates.set(acceptor, why);
  return [...gates].flatMap(([acceptor, why]) => (why === null ? [] : [acceptor]));
}

test('between rounds: N plays on, M takes no notes, P and H and X open no round, L locks the seat', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.fund(1, 50_000);
  await kit.ready('TS 9H TD 8C');
  for (let seat = 1; seat <= 6; seat += 1) await kit.acceptorReady(seat);
  for (const [fault, row] of ROWS) {
    const { clear } = strike(kit, fault, row);
    const may = kit.step === 'open-betting';
    const { level } = row;
    const pauses = AFTER_ROUND.has(fault) || level === 'P' || level === 'H' || level === 'X';
    const opens = kit.host.terminal.submit({
      type: 'open-betting',
      roundId: kit.host.terminal.nextRoundId(),
    });
    assert.equal(opens.status === 'rejected', pauses, `${fault}: ${JSON.stringify(opens)}`);
    if (level === 'X' || row.device === 'card-shoe')
      assert.equal(may, false, `${fault}: the dealer hears so`);
    if (opens.status !== 'rejected') {
      const { seats } = kit.view;
      const canBet = seats[0]!.betting.some(({ act, allowed }) => act === 'place-bet' && allowed);
      assert.equal(canBet, level !== 'L', `${fault}: seat 1 bets`);
      assert.equal(kit.host.terminal.submit({ type: 'close-betting' }).status, 'done', 'no bet, no round');
    }
    await turn();
    const stands = kit.host.terminal.state.faults.some((known) => known.fault === fault);
    const expected = stopsAllNotes({ fault })
      ? 6
      : row.device === 'bill-acceptor' && stopsNotes(fault)
        ? 1
        : 0;
    assert.equal(shut(kit).length, stands ? expected : 0, `${fault}: acceptors shut`);
    assert.ok(stands || row.ends === 'cause', `${fault}: only what ends with its cause is over by itself`);
    clear();
    if (kit.view.hold) await kit.do({ type: 'confirm-layout' });
    if (row.ends === 'new-shoe') assert.ok(kit.view.hold === null, fault);
    await turn();
  }
  assert.equal(ROWS.length, Object.keys(FAULTS).length - 1);
});

test('with cards out: the shoe’s and those of the machine from P up hold the round at once, all others let it play', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.fund(1, 50_000);
  await kit.ready('TS 9H TD 8C');
  await kit.deal({ 1: 10_000 });
  for (const [fault, row] of ROWS) {
    const before = kit.view;
    const { clear } = strike(kit, fault, row);
    const { level, device } = row;
    const holds =
      device === 'card-shoe'
        ? 'shoe-fault'
        : fault === 'books-differ'
          ? 'books'
          : OF_TABLE.has(device) && !AFTER_ROUND.has(fault) && (level === 'P' || level === 'X')
            ? 'machine-fault'
            : null;
    assert.equal(kit.view.hold?.code ?? null, holds, fault);
    if (holds !== null) assert.equal(kit.view.deadline, null, `${fault}: no time runs`);
    clear();
    if (holds !== null) {
      // On a busy machine a fault of the shoe's own driver may hold the table a moment longer.
      await kit.until(`${fault} is over`, () => kit.step === 'confirm-layout');
      await kit.do({ type: 'confirm-layout' });
    }
    assert.deepEqual(kit.view.seats[0]!.hands, before.seats[0]!.hands, `${fault}: the cards lie as they lay`);
  }
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  await kit.do({ type: 'exit-service' });
});

/** What stands as long as its persons have not looked. */
const needsPersons = ({ ends }: FaultRow): boolean => typeof ends !== 'string';

test('F6 every fault over a restart: none is forgotten, and only a device or a watch that finds its cause gone ends one by itself', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.ready('TS 9H TD 8C');
  for (let seat = 1; seat <= 6; seat += 1) await kit.acceptorReady(seat);
  const standing = (): ReadonlySet<string> =>
    new Set(kit.host.terminal.state.faults.map(({ fault }) => fault));
  const struck = new Map<string, FaultRow>();
  for (const [fault, row] of ROWS) {
    // Its lock is of the process, and looked for anew at each start.
    if (fault === 'books-differ') continue;
    strike(kit, fault, row);
    // A device that is in order has said so at once: then there is nothing to outlive a start.
    if (standing().has(fault)) struck.set(fault, row);
  }
  assert.ok(struck.size > 40, `${struck.size} faults stand`);
  const seq = kit.headSeq;
  await kit.restart();
  await kit.until('every device has spoken', () =>
    kit.view.devices.every(({ state }) => state !== 'offline' && state !== 'initialising'),
  );
  const ended = new Map(
    kit.entries('fault-cleared', seq).map(({ body }) => {
      const { fault, persons = [] } = body as { fault: string; persons?: readonly unknown[] };
      return [fault, persons.length];
    }),
  );
  for (const [fault, row] of struck) {
    if (needsPersons(row)) assert.ok(standing().has(fault), `${fault} outlives the start: it needs persons`);
    else
      assert.ok(
        standing().has(fault) || ended.get(fault) === 0,
        `${fault} stands, or an entry says that its cause was found gone`,
      );
  }
  for (const [fault] of ended) assert.ok(struck.has(fault), `${fault} was told before it ended`);
});

test('F6 a fault whose cause stays stands after a restart too, and ends with its cause', async (t) => {
  const kit = await TestTerminal.open(t);
  for (let seat = 1; seat <= 6; seat += 1) await kit.acceptorReady(seat);
  await kit.until('the shoe is there', () =>
    kit.view.devices.some(({ id, state }) => id === 'shoe' && state !== 'offline'),
  );
  const causes = [
    ['acceptor-1', 'jam', 'clear-jam', 'acceptor-jammed'],
    ['acceptor-2', 'cassette-out', 'cassette-in', 'cash-box-removed'],
    ['acceptor-3', 'full', null, 'cash-box-full'],
    ['acceptor-4', 'failure', 'repair', 'acceptor-failed'],
    ['shoe', 'cover-open', 'cover-close', 'shoe-cover-open'],
    ['shoe', 'jam', 'clear-jam', 'shoe-jam'],
  ] as const;
  for (const [device, fault] of causes) await kit.hands({ do: 'fault', device, fault });
  const stands = (fault: string): boolean =>
    kit.host.terminal.state.faults.some((known) => known.fault === fault);
  await kit.until('all are reported', () => causes.every(([, , , fault]) => stands(fault)));
  const seq = kit.headSeq;
  await kit.restart();
  await kit.until('every device has spoken', () =>
    kit.view.devices.every(({ state }) => state !== 'offline' && state !== 'initialising'),
  );
  assert.deepEqual(
    causes.filter(([, , , fault]) => !stands(fault)),
    [],
  );
  assert.deepEqual(kit.entries('fault-cleared', seq), [], 'none ended in between');
  for (const [device, , mend] of causes)
    await kit.hands(mend === null ? { do: 'empty-box', acceptor: 3 } : { do: 'fault', device, fault: mend });
  await kit.until('those that end with their cause are over', () =>
    causes.every(([, , , fault]) => fault === 'acceptor-failed' || !stands(fault)),
  );
  assert.ok(stands('acceptor-failed'), 'a technician looks at this one');
});
