/**
 * The house's choice of table: who may make it, when, what the ledger keeps of it, and that every
 * table plays.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { minor } from '../../engine/core/money.ts';
import type { TableProfile } from '../../engine/table/profile.ts';
import { type ReadyTable, readTables } from '../../host/config/ready-tables.ts';
import { readTerminalFile } from '../../host/config/terminal-file.ts';
import type { Command } from '../../wire/commands.ts';
import type { Credential } from '../../wire/fields.ts';
import type { TablesPage } from '../../wire/pages.ts';
import { CREDENTIAL, newRack, profileWith, TestTerminal } from './test-terminal.ts';

const DEMO = fileURLToPath(new URL('../../host/profiles/demo.json', import.meta.url));

const table = (name: string, changes: Partial<TableProfile>): ReadyTable => ({
  name,
  path: `${name}.json`,
  profile: profileWith({ tableName: name, ...changes }),
  fileProblems: [],
});

const STREAKS = ['streak2', 'streak3'];
const BETS = { min: 5_000, max: 500_000, step: 1_000 };
/** Asked for on a Monday, in force from the Friday of the same week. */
const RECORD = {
  options: ['seats', 'sideBets'],
  by: 'DICJ',
  reference: 'DICJ/77/2030',
  requestedOn: '2030-11-18',
  effectiveOn: '2030-11-22',
};

const TABLES: readonly ReadyTable[] = [
  table('plain', {}),
  table('eight-decks', { options: { ...BETS, decks: 8 } }),
  table('streaks', { options: { ...BETS, sideBets: STREAKS } }),
  table('portugal', { rulebook: 'portugal-blackjack', options: { min: 5_000, max: 150_000 } }),
  table('asked', { options: { ...BETS, sideBets: STREAKS }, authorisations: [RECORD] }),
  table('hasty', {
    options: { ...BETS, sideBets: STREAKS },
    authorisations: [{ ...RECORD, requestedOn: '2024-11-19', effectiveOn: '2024-11-22' }],
  }),
  {
    name: 'broken',
    path: 'broken.json',
    profile: null,
    fileProblems: [
      { place: 'timing.bettingMs', article: '', why: 'malformed', message: 'too small', record: null },
    ],
  },
];

const open = (t: TestContext): Promise<TestTerminal> => TestTerminal.open(t, { tables: TABLES });

const to = (name: string, credential: Credential = CREDENTIAL.technician): Command => ({
  type: 'switch-table',
  table: name,
  credential,
});

const inService = async (kit: TestTerminal, credential: Credential = CREDENTIAL.technician): Promise<void> =>
  kit.do({ type: 'enter-service', credential });

const tablesOf = (kit: TestTerminal): Promise<TablesPage> => kit.table.query({ query: 'tables' });

/** Pays out every seat that has credit. */
async function payOut(kit: TestTerminal): Promise<void> {
  for (const { seat, creditMinor } of kit.view.seats) {
    if (creditMinor === 0) continue;
    await kit.do({ type: 'request-cash-out', seat });
    const requestId = kit.seat(seat).cashOut!.requestId;
    const second = kit.seat(seat).cashOut!.twoPersons ? { secondCredential: CREDENTIAL.attendant2 } : {};
    await kit.do({
      type: 'confirm-hand-pay',
      seat,
      requestId,
      credential: CREDENTIAL.attendant,
      ...second,
    });
  }
}

test('a technician makes another table of this one, and the ledger names them', async (t) => {
  const kit = await open(t);
  await kit.ready('TS 9H TD 8C');
  await inService(kit);
  const page = await tablesOf(kit);
  assert.equal(page.inUse, null);
  assert.equal(page.choice, null);
  assert.deepEqual(
    page.tables.map(({ name, problems }) => [
      name,
      problems.map(({ place, article, why }) => `${place} ${article} ${why}`),
    ]),
    [
      ['plain', []],
      ['eight-decks', []],
      ['streaks', []],
      ['portugal', []],
      [
        'asked',
        [
          'seats art.21.1 not-yet',
          'sideBets art.21.1 not-yet',
          'sideBets.streak2 art.21.3 not-yet',
          'sideBets.streak3 art.21.3 not-yet',
        ],
      ],
      [
        'hasty',
        [
          'seats art.21.1 short-notice',
          'sideBets art.21.1 short-notice',
          'sideBets.streak2 art.21.3 short-notice',
          'sideBets.streak3 art.21.3 short-notice',
        ],
      ],
      ['broken', ['timing.bettingMs  malformed']],
    ],
  );
  const dealer = await kit.display('dealer');
  const seq = kit.headSeq;
  await kit.do(to('portugal'));
  // The seats speak the language of the new home from then on.
  assert.deepEqual([...new Set(kit.kindsSince(seq))], ['table-configured', 'language-set']);
  const { person, profile } = kit.last<{ person: { id: string }; profile: TableProfile }>('table-configured');
  assert.equal(person.id, 'T-01');
  assert.equal(profile.tableName, 'portugal');
  assert.ok(profile.authorisations!.length > 0, 'with the records it rests on');
  for (const display of [kit.table, dealer])
    assert.ok(
      await display.until((view) => view.table.rulebook === 'portugal-blackjack'),
      'every display has it at once',
    );
  const after = await tablesOf(kit);
  assert.deepEqual(
    after.tables.filter(({ inForce }) => inForce).map(({ name }) => name),
    ['portugal'],
  );
  assert.equal(after.choice?.name, 'João Silva');
  await kit.do({ type: 'exit-service' });
  assert.equal(kit.view.shoe.loaded, false);
  assert.equal(kit.step, 'check-decks', 'r.7: the new table begins with its own cards');
  assert.equal(kit.view.dealer.name, 'Lei Ka Man', 'the dealer is still there');
});

test('who may not switch, and what is no table', async (t) => {
  const kit = await open(t);
  await kit.refused(to('eight-decks'), 'service');
  await inService(kit);
  for (const credential of [CREDENTIAL.dealer, CREDENTIAL.attendant, CREDENTIAL.auditor, CREDENTIAL.nobody])
    await kit.refused(to('eight-decks', credential), 'person');
  assert.equal(kit.last<{ command: string }>('access-refused').command, 'switch-table');
  await kit.refused(to('nowhere'), 'malformed');
  await kit.refused(to('broken'), 'off');
  await kit.refused(
    { type: 'switch-table', table: 'eight-decks', credential: CREDENTIAL.technician },
    'not-allowed',
    await kit.display('seat:1'),
  );
  await kit.do(to('eight-decks', CREDENTIAL.supervisor));
  assert.equal(kit.view.shoe.decks, 0);
  assert.equal(kit.last<{ person: { id: string } }>('table-configured').person.id, 'S-01');
});

test('art. 21 a choice waits for its authorisation, asked for three working days ahead', async (t) => {
  const kit = await open(t);
  await inService(kit);
  assert.deepEqual(await kit.refused(to('hasty'), 'off'), ['art.21.1', 'art.21.1', 'art.21.3', 'art.21.3']);
  await kit.refused(to('asked'), 'off');
  kit.offsetMs += Date.parse('2030-11-21T15:59:00Z') - kit.now();
  await kit.refused(to('asked'), 'off');
  // Midnight in Macau.
  kit.offsetMs += 60_000;
  await kit.do(to('asked'));
});

test('no switch while anything of anybody is at the table', async (t) => {
  const kit = await open(t);
  const refusal = async (why: string): Promise<void> => {
    await inService(kit);
    const before = kit.fingerprint;
    assert.equal((await tablesOf(kit)).inUse?.why, why);
    await kit.refused(to('eight-decks'), why === 'hold' ? 'held' : 'not-allowed');
    assert.equal(kit.fingerprint, before);
    await kit.do({ type: 'exit-service' });
  };
  await kit.fund(1, 50_000);
  await refusal('credit');
  await kit.ready('TS 9H TD 8C');
  await kit.do({ type: 'open-betting' });
  await kit.do(kit.bet(1, 10_000));
  await refusal('round');
  await kit.do({ type: 'close-betting' });
  await kit.draw();
  await refusal('round');
});

test('art. 13.5 an open streak keeps its table', async (t) => {
  const kit = await TestTerminal.open(t, {
    tables: TABLES,
    profile: { options: { ...BETS, sideBets: STREAKS } },
  });
  await kit.fund(1, 50_000);
  await kit.ready('TS 9H TD 8C');
  await kit.do({ type: 'open-betting' });
  await kit.do(kit.bet(1, 10_000));
  await kit.do({ ...kit.bet(1, 10_000), bet: 'streak2' });
  await kit.do({ type: 'close-betting' });
  await kit.draw(3);
  while (kit.view.deadline?.kind === 'offers') kit.passDeadline();
  await kit.do(kit.act(1, 'stand'));
  await kit.draw();
  kit.passDeadline();
  await kit.do({ type: 'close-round' });
  await payOut(kit);
  assert.ok(kit.seat(1).streak?.open.length);
  await inService(kit);
  assert.deepEqual((await tablesOf(kit)).inUse, { why: 'streak', seat: 1 });
  await kit.refused(to('plain'), 'not-allowed');
});

test('what was chosen stays over a restart, until the terminal file says something else', async (t) => {
  const kit = await open(t);
  const line = (): string => kit.log.findLast((each) => each.startsWith('table in force')) ?? '';
  const configured = (): number => kit.entries('table-configured').length;
  assert.match(line(), /'Test' \(macau-blackjack-2009\), as the terminal file/);
  await inService(kit);
  await kit.do(to('portugal'));
  for (let again = 0; again < 2; again += 1) {
    await kit.restart();
    assert.equal(kit.view.table.name, 'portugal');
    assert.match(
      line(),
      /'portugal' \(portugal-blackjack\), chosen by João Silva \(T-01\) at .*; the terminal file has not changed/,
    );
  }
  assert.equal(configured(), 2);

  await kit.restart({ maxCreditMinor: minor(300_000) });
  assert.equal(kit.view.table.name, 'Test', 'the file has been changed since');
  assert.equal(kit.last<{ person: unknown }>('table-configured').person, null);
  assert.match(line(), /as the terminal file/);

  await inService(kit);
  await kit.do(to('eight-decks'));
  await kit.do({ type: 'exit-service' });
  await kit.fund(2, 10_000);
  await kit.restart({ maxCreditMinor: minor(400_000) });
  assert.equal(kit.view.table.name, 'eight-decks', 'but there is money on the table');
  assert.match(line(), /as it was: profile not taken: not-allowed there is credit \(seat 2\)/);
  await payOut(kit);
  await kit.restart({ maxCreditMinor: minor(400_000) });
  assert.equal(kit.view.table.name, 'Test');
});

test('every table of the demonstration plays, one after the other on one terminal', async (t) => {
  const { profile } = readTerminalFile(DEMO);
  const tables = readTables(DEMO, profile, null);
  assert.ok(tables.length >= 8);
  const kit = await TestTerminal.open(t, {
    profile: { ...profile, timing: { ...profile.timing, minResultMs: 0 } },
    rack: newRack(7),
    tables,
    pace: 0.02,
  });
  const { terminal } = kit.host;
  // Nobody reads the results here.
  terminal.onCommit(() =>
    setImmediate(() => {
      if (terminal.state.deadline?.kind === 'results') kit.passDeadline();
    }),
  );
  let isOver = true;
  // The next round is opened a moment later: this commit is where the hands can be stopped.
  terminal.onCommit(({ entries }) => {
    if (isOver || !entries.some(({ kind }) => kind === 'round-closed')) return;
    // art. 13.5: a series that is open keeps the table; the round after it decides.
    if (terminal.state.round !== null || terminal.state.streaks.length > 0) return;
    isOver = true;
    kit.host.demo({ dealer: false, players: false });
  });
  for (const { name, profile: ready } of tables) {
    await t.test(name, async () => {
      await inService(kit);
      await kit.do(to(name));
      await kit.do({ type: 'exit-service' });
      assert.equal(kit.view.table.rulebook, ready!.rulebook);
      const seq = kit.headSeq;
      isOver = false;
      kit.host.demo({ dealer: true, players: true });
      await kit.until(`a round of ${name}`, () => isOver);
      const settled = kit
        .entries('round-settled', seq)
        .flatMap(({ body }) => (body as { lines: { cites: string[] }[] }).lines);
      assert.ok(settled.length > 0);
      for (const { cites } of settled) assert.ok(cites.length > 0 && !cites.includes(''));
      // Nor one that a player has put in and the host has not heard of.
      await kit.until('no note is on its way', () => {
        const { acceptors } = kit.rack.sight();
        const isQuiet = acceptors.every(({ path, owesCredit }) => path === null && !owesCredit);
        return isQuiet && terminal.state.notes.length === 0;
      });
      await payOut(kit);
      assert.equal(terminal.locked, null, 'the books agree');
    });
  }
  await inService(kit);
  const played = new Set<unknown>();
  for (const { roundId } of kit.entries('round-settled')) {
    const detail = await kit.table.found({ query: 'round', roundId: roundId! });
    assert.ok(detail.seats.every(({ lines }) => lines.length > 0));
    played.add(detail.rulebook);
  }
  assert.deepEqual(
    [...played],
    [...new Set(tables.map((each) => each.profile!.rulebook))],
    'a recalled round rests on the articles it was played by',
  );
  assert.deepEqual(
    kit.entries('table-configured').map(({ body }) => (body as { profile: TableProfile }).profile.tableName),
    [profile.tableName, ...tables.map((each) => each.profile!.tableName)].filter(
      (name, i, all) => name !== all[i - 1],
    ),
  );
  assert.deepEqual(
    kit.log.filter((each) => each.includes('refused') && !each.includes('escrow')),
    [],
  );
});
