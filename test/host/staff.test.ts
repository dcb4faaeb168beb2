/** Who is let in, what each role sees and does, and the maker's door. */
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { test } from 'node:test';
import { type PersonRole, ROLES } from '../../engine/table/inputs.ts';
import { hashPin, type PersonRecord } from '../../host/config/people.ts';
import type { Command, CommandType } from '../../wire/commands.ts';
import { FAULTS, personsFor } from '../../wire/faults.ts';
import type { Credential } from '../../wire/fields.ts';
import type { PeoplePage } from '../../wire/pages.ts';
import type { Query, QueryName } from '../../wire/queries.ts';
import { PAGES, RIGHTS, type Right } from '../../wire/rights.ts';
import { CREDENTIAL, people, profileWith, TestTerminal } from './test-terminal.ts';

const MAKER: Credential = { person: '21', pin: '7777' };
const withMaker = async (): Promise<readonly PersonRecord[]> => [
  ...(await people),
  { id: 'M-01', name: 'Iris Berg', number: '21', role: 'manufacturer', pinHash: await hashPin('7777', 12) },
];

/** A question of each page that needs no answer of its own. */
const ASKED: Readonly<Partial<Record<QueryName, Query>>> = {
  devices: { query: 'devices' },
  displays: { query: 'displays' },
  storage: { query: 'storage' },
  clock: { query: 'clock' },
  reading: { query: 'reading' },
  software: { query: 'software' },
  meters: { query: 'meters', asOfMs: null, fromMs: null, by: null },
  trends: { query: 'trends', hours: 1 },
  notes: { query: 'notes', beforeSeq: null, limit: 1, acceptor: null, outcome: null },
  payouts: { query: 'payouts', beforeSeq: null, limit: 1 },
  speech: { query: 'speech' },
  rounds: { query: 'rounds', beforeNo: null, limit: 1 },
  events: { query: 'events', beforeSeq: null, limit: 1, kind: null },
  exports: { query: 'exports' },
  profile: { query: 'profile' },
  tables: { query: 'tables' },
  people: { query: 'people' },
  link: { query: 'link' },
  drills: { query: 'drills' },
};

const CREDENTIALS: Readonly<Record<PersonRole, Credential>> = {
  dealer: CREDENTIAL.dealer,
  attendant: CREDENTIAL.attendant,
  supervisor: CREDENTIAL.supervisor,
  technician: CREDENTIAL.technician,
  auditor: CREDENTIAL.auditor,
  manufacturer: MAKER,
};

test('every page is for the roles of its row, cell by cell, and the maker is let in only for a time', async (t) => {
  const kit = await TestTerminal.open(t, { file: { people: await withMaker() } });
  const enter = (credential: Credential) => ({ type: 'enter-service', credential }) as const;
  await kit.refused(enter(MAKER), 'person');
  assert.ok(
    kit.view.pinPad.people.every(({ role }) => role !== 'manufacturer'),
    'no pad names anybody who is not let in',
  );
  await kit.refused({ type: 'admit-manufacturer', hours: 1, credential: CREDENTIAL.technician }, 'person');
  await kit.do({ type: 'admit-manufacturer', hours: 1, credential: CREDENTIAL.supervisor });
  for (const role of ROLES) {
    if (role === 'dealer') {
      await kit.refused(enter(CREDENTIALS.dealer), 'person');
      continue;
    }
    await kit.do(enter(CREDENTIALS[role]));
    for (const [name, query] of Object.entries(ASKED)) {
      const may = Object.values(PAGES).some(
        ({ roles, asks }) =>
          (roles as readonly PersonRole[]).includes(role) && (asks as readonly string[]).includes(name),
      );
      if (may) assert.ok(await kit.table.query(query), `${role} asks ${name}`);
      else await assert.rejects(kit.table.query(query), /service/, `${role} asks ${name}`);
    }
    await kit.do({ type: 'exit-service' });
  }

  await kit.do(enter(MAKER));
  const ofMachine: Query = { query: 'events', beforeSeq: null, limit: 5, kind: 'code-checked' };
  assert.ok(await kit.table.query(ofMachine));
  await assert.rejects(kit.table.query({ ...ofMachine, kind: 'hand-paid' }), /service/);
  for (const command of [
    { type: 'make-export', target: 'x' },
    { type: 'hold-drill', drill: 'acceptor-jammed' },
    { type: 'try-note', device: 'acceptor-1', valueMinor: 10_000 },
    { type: 'stop-work', work: 'export' },
    { type: 'show-recall', roundId: 'x' },
  ] as const)
    await kit.refused(command as Parameters<typeof kit.refused>[0], 'person');
  kit.offsetMs += 3_600_000;
  await kit.until('the maker is shown out', () => kit.view.service === null);
  await kit.refused(enter(MAKER), 'person');

  await kit.do({ type: 'admit-manufacturer', hours: 12, credential: CREDENTIAL.supervisor });
  await kit.restart();
  await kit.do(enter(MAKER));
  await kit.do({ type: 'admit-manufacturer', hours: 0, credential: CREDENTIAL.supervisor });
  assert.equal(kit.view.service, null, 'the house ends it before its time');
  assert.deepEqual(
    kit
      .entries('manufacturer-admitted')
      .map(({ body }) => (body as { untilMs: number | null }).untilMs === null),
    [false, false, true],
  );
  await kit.do(enter(CREDENTIAL.auditor));
  const page: PeoplePage = await kit.table.query({ query: 'people' });
  assert.deepEqual([page.roster, page.makerUntilMs, page.people.length], [null, null, 8]);
});

test('of three hundred people a right PIN takes one hash, and the pad asks for a number', async (t) => {
  const some = await people;
  const [lei] = some;
  const crowd = Array.from({ length: 300 }, (_, i) => ({
    ...lei!,
    id: `D-${i}`,
    name: `Dealer ${i}`,
    number: String(1_000 + i),
  }));
  const kit = await TestTerminal.open(t, { file: { people: [...crowd, ...some.slice(1)] } });
  assert.deepEqual(kit.view.pinPad.people, []);
  const scrypt = t.mock.method(crypto, 'scrypt');
  syncBuiltinESMExports();
  t.after(() => {
    scrypt.mock.restore();
    syncBuiltinESMExports();
  });
  await kit.do({ type: 'sign-in-dealer', credential: { person: '1299', pin: CREDENTIAL.dealer.pin } });
  assert.equal(scrypt.mock.callCount(), 1);
  assert.equal(kit.host.terminal.state.dealer?.id, 'D-299');
  await kit.do({ type: 'sign-out-dealer' });
  const wrong = { person: '1000', pin: '9999' };
  for (let i = 0; i < 5; i += 1) await kit.refused({ type: 'sign-in-dealer', credential: wrong }, 'person');
  assert.equal(scrypt.mock.callCount(), 6);
  // The first waits; nobody else does.
  await kit.refused(
    { type: 'sign-in-dealer', credential: { ...wrong, pin: CREDENTIAL.dealer.pin } },
    'person',
  );
  await kit.do({ type: 'sign-in-dealer', credential: { person: '1001', pin: CREDENTIAL.dealer.pin } });
  assert.equal(scrypt.mock.callCount(), 8);
});

const PINS: Readonly<Record<PersonRole, string>> = {
  dealer: '1111',
  attendant: '2222',
  supervisor: '3333',
  technician: '4444',
  auditor: '5555',
  manufacturer: '7777',
};

/** Nobody is asked twice, so that no wrong role of before makes anybody wait. */
class Crowd {
  readonly #used = new Map<PersonRole, number>();
  readonly records: readonly PersonRecord[];

  private constructor(records: readonly PersonRecord[]) {
    this.records = records;
  }

  static async of(each: number): Promise<Crowd> {
    const some = await people;
    const records = await Promise.all(
      ROLES.map(async (role, at) => {
        const pinHash = some.find((one) => one.role === role)?.pinHash ?? (await hashPin(PINS[role], 12));
        return Array.from({ length: each }, (_, i) => ({
          ...{ id: `${role}-${i}`, name: `${role} ${i}`, number: String(1_000 * (at + 1) + i) },
          ...{ role, pinHash },
        }));
      }),
    );
    return new Crowd(records.flat());
  }

  next(role: PersonRole): Credential {
    const no = this.#used.get(role) ?? 0;
    this.#used.set(role, no + 1);
    return { person: String(1_000 * (ROLES.indexOf(role) + 1) + no), pin: PINS[role] };
  }
}

const PROFILE = profileWith();
/** Every act that asks for a PIN, with what makes it one that only the person can be wrong in. */
const BY_PIN: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'sign-in-dealer': {},
  'load-packet': { last: false },
  'cut-shoe': { seat: null },
  'witness-loading': {},
  'replace-bank-second': {},
  'take-back-card': {},
  'assign-card': { fromSeat: 1, toSeat: 2 },
  'lay-out-cards': {},
  'count-cards': { left: 1, discarded: 1 },
  'confirm-card': { card: 1, reason: 'not-read' },
  'open-shuffler': { solved: true },
  'replace-cards': { what: 'deck' },
  'report-replacement': {},
  'forfeit-streak': { seat: 1, by: 1 },
  'close-complaint': { complaintNo: 1, upheld: false },
  'void-round': { reason: 'misdeal' },
  'read-again': {},
  'confirm-hand-pay': { seat: 1, requestId: 'none-at-all' },
  'resolve-held-note': { caseNo: 99, outcome: 'returned', reason: 'seen-in-box' },
  'adjust-credit': { seat: 1, amountMinor: -100, reason: 'other', words: 'of a test' },
  'hand-over-shift': {},
  'check-exclusion': { document: 'X1', seat: null },
  'open-acceptor': { acceptor: 1 },
  'announce-drop': { acceptors: [1] },
  'end-drop': {},
  'enter-service': {},
  'admit-manufacturer': { hours: 12 },
  'plan-change': { edit: { timing: { bettingMs: 1 } }, reason: 'a test', fromMs: null },
  'drop-change': {},
  'switch-table': { table: 'unusable' },
};
const BY_SESSION: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'end-maintenance': {},
  'run-self-test': {},
  'try-note': { device: 'acceptor-9', valueMinor: null },
  'try-cards': { on: false },
  'test-device': { device: 'cabinet', part: 'lamp' },
  'set-touch': { correction: null },
  'hold-drill': { drill: 'clock-behind' },
  'make-export': { target: 'nowhere' },
  'stop-work': { work: 'drill' },
  'print-slip': { slip: 'hand-pay', of: 'none' },
  'show-recall': { roundId: 'none' },
};
const IN_SERVICE: ReadonlySet<string> = new Set(['plan-change', 'drop-change', 'switch-table']);

test('every act in somebody’s name is for the roles of its row, cell by cell, the second person’s too', async (t) => {
  const crowd = await Crowd.of(120);
  const kit = await TestTerminal.open(t, {
    file: { people: crowd.records },
    tables: [
      { name: 'unusable', path: '/x', profile: { ...PROFILE, options: { min: -1 } }, fileProblems: [] },
    ],
  });
  await kit.do({ type: 'admit-manufacturer', hours: 12, credential: crowd.next('supervisor') });
  const rows = Object.entries(RIGHTS) as [CommandType, Right][];
  assert.deepEqual(
    rows.map(([type]) => type).toSorted(),
    [...Object.keys(BY_PIN), ...Object.keys(BY_SESSION)].toSorted(),
    'every right is tried',
  );
  /** Whether the person was right; what the table says then is another matter. */
  const isLetIn = async (command: object): Promise<boolean> => {
    const answer = await kit.send(command as Command);
    if (answer.status !== 'rejected') return true;
    // What has no form is refused before anybody is asked who they are.
    assert.doesNotMatch(answer.detail ?? '', /^command/, JSON.stringify([command, answer]));
    return answer.code !== 'person' || !/not accepted| is for /.test(answer.detail ?? '');
  };
  const inService = async <T>(run: () => Promise<T>): Promise<T> => {
    await kit.do({ type: 'enter-service', credential: crowd.next('technician') });
    const found = await run();
    await kit.do({ type: 'exit-service' });
    return found;
  };
  const cells: string[] = [];
  for (const [type, { first, second, known }] of rows) {
    const members = BY_PIN[type];
    if (members === undefined) continue;
    assert.ok(known === 'pin' || known === 'or-dealer', type);
    const run = async (): Promise<void> => {
      for (const role of ROLES) {
        const wanted = first.includes(role);
        // Where nobody else has given a name, a dealer who is signed in would do.
        if (type === 'confirm-card' && kit.view.dealer.name === null)
          await kit.do({ type: 'sign-in-dealer', credential: crowd.next('dealer') });
        const other = second === undefined ? {} : { secondCredential: crowd.next(second[0]!) };
        const command: object = { type, ...members, credential: crowd.next(role), ...other };
        assert.equal(await isLetIn(command), wanted, `${type} by ${role}`);
        cells.push(`${type} ${role}`);
        if (type === 'enter-service' && wanted) await kit.do({ type: 'exit-service' });
        if (second === undefined) continue;
        const pair = { credential: crowd.next(first[0]!), secondCredential: crowd.next(role) };
        assert.equal(
          await isLetIn({ type, ...members, ...pair }),
          second.includes(role),
          `${type}, second ${role}`,
        );
        cells.push(`${type} 2 ${role}`);
      }
    };
    await (IN_SERVICE.has(type) ? inService(run) : run());
  }
  for (const role of ROLES) {
    if (role === 'dealer') continue;
    await kit.do({ type: 'enter-service', credential: crowd.next(role) });
    for (const [type, { first }] of rows) {
      const members = BY_SESSION[type];
      if (members === undefined) continue;
      assert.equal(await isLetIn({ type, ...members }), first.includes(role), `${type} by ${role}`);
      cells.push(`${type} ${role}`);
    }
    await kit.do({ type: 'exit-service' });
  }
  // The faults that persons end: one of each list of roles.
  const ended = new Map(
    Object.keys(FAULTS).map((fault) => [JSON.stringify(personsFor(fault)), fault] as const),
  );
  await inService(async () => {
    for (const fault of ended.values()) {
      const [first, second] = personsFor(fault);
      if (first === undefined) continue;
      const end = { type: 'end-fault', device: 'acceptor-9', fault } as const;
      for (const role of ROLES) {
        const other = second === undefined ? {} : { secondCredential: crowd.next(second[0]!) };
        const command = { ...end, credential: crowd.next(role), ...other };
        assert.equal(await isLetIn(command), first.includes(role), `${fault} by ${role}`);
        if (second === undefined) continue;
        const pair: object = { credential: crowd.next(first[0]!), secondCredential: crowd.next(role) };
        assert.equal(await isLetIn({ ...end, ...pair }), second.includes(role), `${fault}, second ${role}`);
      }
    }
  });
  assert.ok(cells.length > 230, `${cells.length} cells`);
});
