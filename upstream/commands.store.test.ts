import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  type CentreOrder,
  type SentCommand,
  type SignedCommand,
  signCommand,
} from '../ledger/chain/command.codec.ts';
import { toHex } from '../ledger/chain/entry.codec.ts';
import { keyFromPrivate, type LedgerKey } from '../ledger/chain/key.ts';
import { textHash } from '../ledger/chain/roster.codec.ts';
import { newDatabase } from '../test/support/new-database.ts';
import { issueCommand, nextCommandNo, pendingCommands } from './commands.store.ts';
import { type Db, openEmbedded } from './db.store.ts';

const root = mkdtempSync(join(tmpdir(), 'banca-commands-'));
const newKey = (): LedgerKey => keyFromPrivate(generateKeyPairSync('ed25519').privateKey);
const KEY = newKey();
let db: Db;
before(async () => {
  await newDatabase(join(root, 'postgres'));
  db = await openEmbedded(join(root, 'postgres'));
  for (const terminal of ['T-ORDER', 'T-OTHER', 'T-MANY', 'T-LISTS'])
    await db.query("INSERT INTO terminals (terminal_id, public_key) VALUES ($1, decode($2, 'hex'))", [
      terminal,
      toHex(KEY.publicKey),
    ]);
});
after(async () => {
  await db.close();
  rmSync(root, { recursive: true, force: true });
});

const LOCK: CentreOrder = { type: 'lock', reason: 'count' };
const signed = (terminal: string, no: number, key = KEY, notAfterMs: number | null = null): SignedCommand =>
  signCommand({ terminal, no, issuedAtMs: 1, notAfterMs, issuer: 'M. Lei', order: LOCK }, key);
const issue = (terminal: string, command: SentCommand) =>
  issueCommand(db, KEY.publicKey, terminal, command, async () => undefined);
const pending = (terminal: string, lists = true) => pendingCommands(db, terminal, { lists });
/** As the terminal ledgers it. */
const ledgered = (terminal: string, no: number): Promise<unknown> =>
  db.query("INSERT INTO command_outcomes (terminal_id, no, seq, outcome) VALUES ($1, $2, 1, 'taken')", [
    terminal,
    no,
  ]);

test('orders have their numbers in a row and go out until the terminal has ledgered them', async () => {
  assert.equal(await nextCommandNo(db, 'T-ORDER'), 1);
  const first = signed('T-ORDER', 1);
  const second = signed('T-ORDER', 2);
  assert.deepEqual(await issue('T-ORDER', first), { outcome: 'issued', no: 1 });
  assert.deepEqual(await issue('T-ORDER', second), { outcome: 'issued', no: 2 });
  assert.deepEqual(await pending('T-ORDER'), [first, second]);
  assert.deepEqual(await pending('T-OTHER'), [], 'another terminal gets none of them');
  await ledgered('T-ORDER', 1);
  assert.deepEqual(await pending('T-ORDER'), [second]);
  await ledgered('T-ORDER', 2);
  assert.deepEqual(await pending('T-ORDER'), []);
});

test('an order that the terminal would not take is not stored, and what would be next is reported', async () => {
  const next = await nextCommandNo(db, 'T-OTHER');
  for (const [command, code] of [
    [signed('T-OTHER', 1, newKey()), 'forged'],
    [signed('T-ORDER', 1), 'other-terminal'],
    [signed('T-OTHER', 2), 'gap'],
    [signed('T-OTHER', 1, KEY, 1), 'expired'],
  ] as const) {
    const answer = await issue('T-OTHER', command);
    assert.ok(answer.outcome === 'refused', JSON.stringify(answer));
    assert.deepEqual([answer.code, answer.next], [code, next]);
  }
  assert.deepEqual(await pending('T-OTHER'), []);
  assert.deepEqual(await issue('T-NOBODY', signed('T-NOBODY', 1)), { outcome: 'not-enrolled' });
  assert.equal(await nextCommandNo(db, 'T-NOBODY'), null);
});

test('a centre that was put back from a backup uses no number twice', async () => {
  await ledgered('T-OTHER', 7);
  assert.equal(await nextCommandNo(db, 'T-OTHER'), 8);
  const old = await issue('T-OTHER', signed('T-OTHER', 7));
  assert.ok(old.outcome === 'refused' && old.code === 'old', JSON.stringify(old));
  assert.deepEqual(await issue('T-OTHER', signed('T-OTHER', 8)), { outcome: 'issued', no: 8 });
});

test('many orders come in portions, the oldest first; of two at once with one number one is issued', async () => {
  const commands = Array.from({ length: 20 }, (_, i) => signed('T-MANY', i + 1));
  const [twice, ...later] = commands;
  const both = await Promise.all([issue('T-MANY', twice!), issue('T-MANY', twice!)]);
  assert.deepEqual(both.map(({ outcome }) => outcome).toSorted(), ['issued', 'refused']);
  for (const command of later) assert.equal((await issue('T-MANY', command)).outcome, 'issued');
  assert.deepEqual(await pending('T-MANY'), commands.slice(0, 16));
  await ledgered('T-MANY', 16);
  assert.deepEqual(await pending('T-MANY'), commands.slice(16));
});

test('a list of exclusions ends an answer, and waits with all that follow where there is no room for one', async () => {
  const text = JSON.stringify({ format: 'banca-exclusions/1', salt: '0'.repeat(32), cost: 14, hashes: [] });
  const order = { type: 'exclusions', sha256: textHash(text) } as const;
  const commands = [1, 2, 3].map((no) => {
    if (no === 1) return signed('T-LISTS', no);
    const command = { terminal: 'T-LISTS', no, issuedAtMs: 1, notAfterMs: null, issuer: 'M. Lei', order };
    return { ...signCommand(command, KEY), exclusions: text };
  });
  for (const command of commands) assert.equal((await issue('T-LISTS', command)).outcome, 'issued');
  assert.deepEqual(await pending('T-LISTS'), commands.slice(0, 2));
  assert.deepEqual(await pending('T-LISTS', false), commands.slice(0, 1));
  await ledgered('T-LISTS', 1);
  assert.deepEqual(await pending('T-LISTS', false), []);
  await ledgered('T-LISTS', 2);
  assert.deepEqual(await pending('T-LISTS'), commands.slice(2));
});
