/** Who is let in, what each role sees and does, and the maker's door. */
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { test } from 'node:test';
import { type PersonRole, ROLES } from '../../engine/table/inputs.ts';
import { hashPin, type PersonRecord } from '../../host/config/people.ts';
import type { Credential } from '../../wire/fields.ts';
import type { PeoplePage } from '../../wire/pages.ts';
import type { Query, QueryName } from '../../wire/queries.ts';
import { PAGES } from '../../wire/rights.ts';
import { CREDENTIAL, people, TestTerminal } from './test-terminal.ts';

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
    { type: 'hold-drill', drill: 'note-jam' },
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
