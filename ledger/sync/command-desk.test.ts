import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type CentreCommand,
  COMMAND_REFUSED,
  COMMAND_TAKEN,
  checkCommand,
  type SentCommand,
  type SignedCommand,
  signCommand,
} from '../chain/command.codec.ts';
import { keyFromPrivate } from '../chain/key.ts';
import { textHash } from '../chain/roster.codec.ts';
import { verifyLedger } from '../chain/verifier.store.ts';
import { type Ledger, loadOrCreateKey, openLedger } from '../store/ledger.store.ts';
import {
  answerIdOf,
  type CommandDesk,
  createCommandDesk,
  NO_ORDERS,
  type OrdersInForce,
  withOrder,
} from './command-desk.ts';

const root = mkdtempSync(join(tmpdir(), 'banca-commands-'));
after(() => rmSync(root, { recursive: true, force: true }));

const newKey = () => keyFromPrivate(generateKeyPairSync('ed25519').privateKey);
const issuer = newKey();
const stranger = newKey();
const TERMINAL = 'table-1';

const command = (
  no: number,
  order: CentreCommand['order'],
  change: Partial<CentreCommand> = {},
): Omit<CentreCommand, 'v'> => ({
  terminal: TERMINAL,
  no,
  issuedAtMs: 1000 + no,
  notAfterMs: null,
  issuer: 'M. Lei',
  order,
  ...change,
});
const signed = (
  no: number,
  order: CentreCommand['order'],
  change: Partial<CentreCommand> = {},
): SignedCommand => signCommand(command(no, order, change), issuer);

const LOCK = { type: 'lock', reason: 'cash count' } as const;
const UNLOCK = { type: 'unlock' } as const;

let count = 0;
function newDesk(o: { nowMs?: number } = {}): {
  desk: CommandDesk;
  ledger: Ledger;
  seen: OrdersInForce[];
  /** Rosters that were put on disk, by their SHA-256. */
  kept: Map<string, string>;
  /** Closes the file and opens it again, as a restart does. */
  restart(): void;
  entries(kind: string): Record<string, unknown>[];
} {
  count += 1;
  const dir = join(root, String(count));
  const key = loadOrCreateKey(dir);
  const path = join(dir, 'ledger.db');
  const seen: OrdersInForce[] = [];
  const kept = new Map<string, string>();
  const open = (): { desk: CommandDesk; ledger: Ledger } => {
    const ledger = openLedger(path, { terminalId: TERMINAL, key, createIfMissing: true });
    const desk = createCommandDesk({
      ledger,
      publicKey: issuer.publicKey,
      nowMs: () => o.nowMs ?? 5000,
      record: (kind, body, commandId) => {
        ledger.append(o.nowMs ?? 5000, commandId, [{ kind, roundId: null, body, postings: [] }]);
        return true;
      },
      keep: (_, sha256, text) => kept.set(sha256, text),
      onOrders: (orders) => seen.push(orders),
    });
    return { desk, ledger };
  };
  const it = {
    ...open(),
    seen,
    kept,
    restart: () => {
      it.ledger.close();
      assert.equal(verifyLedger(path).ok, true);
      Object.assign(it, open());
    },
    entries: (kind: string) =>
      it.ledger
        .newest({ beforeSeq: null, limit: 1000, kind })
        .reverse()
        .map(({ body }) => body as Record<string, unknown>),
  };
  return it;
}

describe('commands of the centre', () => {
  it('are taken in order, each on the ledger with its text and signature, and stay in force over a restart', () => {
    const at = newDesk();
    const sent = [
      signed(1, LOCK),
      signed(2, { type: 'acceptor-off', acceptor: 3 }),
      signed(3, { type: 'denominations', acceptor: null, valuesMinor: [10_000, 50_000] }),
      signed(4, UNLOCK),
      signed(5, {
        type: 'message',
        text: { 'zh-Hant': '稍候', pt: 'Aguarde', en: 'Please wait' },
        untilMs: 9000,
      }),
      signed(6, { type: 'config', name: 'evening', profile: { minMinor: 30_000 } }),
    ];
    at.desk.take(sent);
    const expected: OrdersInForce = {
      lock: null,
      acceptorsOff: [3],
      denominations: new Map([[null, [10_000, 50_000]]]),
      message: {
        type: 'message',
        text: { 'zh-Hant': '稍候', pt: 'Aguarde', en: 'Please wait' },
        untilMs: 9000,
      },
      config: { no: 6, name: 'evening', profile: { minMinor: 30_000 } },
      roster: null,
      exclusions: null,
      sound: null,
      maintenance: null,
    };
    assert.deepEqual(at.desk.orders(), expected);
    assert.equal(at.seen[0]?.lock, 'cash count');
    assert.equal(at.seen.length, 6);
    assert.deepEqual(
      at.entries(COMMAND_TAKEN),
      sent.map((each, i) => ({ no: i + 1, outcome: 'taken', ...each })),
    );
    at.restart();
    assert.deepEqual(at.desk.orders(), expected);
    // Brought again after the restart, because the centre has not seen the entries: nothing
    // happens.
    at.desk.take(sent);
    assert.equal(at.entries(COMMAND_TAKEN).length, 6);
    assert.equal(at.seen.length, 6);
    assert.deepEqual(at.entries(COMMAND_REFUSED), []);
    at.desk.take([signed(7, { type: 'acceptor-on', acceptor: null })]);
    assert.deepEqual(at.desk.orders().acceptorsOff, []);
  });

  it('with a roster are taken only beside that very text, which no entry holds', () => {
    const at = newDesk();
    const pinHash = `scrypt$18$${'a'.repeat(32)}$${'b'.repeat(64)}`;
    const lei = { id: 'D-01', name: 'Lei', number: '1', role: 'dealer', pinHash };
    const text = JSON.stringify([lei]);
    const sha256 = textHash(text);
    const order = { type: 'roster', sha256, untilMs: 9_000 } as const;
    const sent = signed(1, order);
    const twice = JSON.stringify([lei, lei]);
    const bad: readonly [SentCommand, RegExp][] = [
      [sent, /did not come/],
      [{ ...sent, roster: text.replace('Lei', 'Rui') }, /another one than was signed/],
      [{ ...signed(1, { ...order, sha256: textHash(twice) }), roster: twice }, /an id stands twice/],
      [{ ...signed(1, { ...order, sha256: textHash('[]') }), roster: '[]' }, /people/],
      [{ ...signed(1, UNLOCK), roster: text }, /beside another order/],
    ];
    at.desk.take(bad.map(([command]) => command));
    const refused = at.entries(COMMAND_REFUSED).map((body) => String(body['detail']));
    // One that came without its text and one with another are the same signed command.
    assert.equal(refused.length, 4);
    for (const [, why] of bad.filter((_, i) => i !== 1))
      assert.ok(
        refused.some((detail) => why.test(detail)),
        String(why),
      );
    assert.deepEqual([at.desk.orders().roster, at.kept.size], [null, 0]);
    at.desk.take([{ ...sent, roster: text }]);
    at.restart();
    assert.deepEqual(at.desk.orders().roster, { no: 1, sha256, untilMs: 9_000 });
    assert.deepEqual([...at.kept], [[sha256, text]]);
    assert.doesNotMatch(JSON.stringify(at.entries(COMMAND_TAKEN)), /scrypt/);
  });

  it('with a list of exclusions are taken only beside that very list', () => {
    const at = newDesk();
    const text = JSON.stringify({
      format: 'banca-exclusions/1',
      salt: 'a'.repeat(32),
      cost: 14,
      hashes: ['b'.repeat(64)],
    });
    const order = { type: 'exclusions', sha256: textHash(text) } as const;
    const torn = text.slice(0, -1);
    at.desk.take([signed(1, order)]);
    at.desk.take([{ ...signed(1, { type: 'exclusions', sha256: textHash(torn) }), exclusions: torn }]);
    at.desk.take([{ ...signed(1, { type: 'exclusions', sha256: textHash('[]') }), exclusions: '[]' }]);
    at.desk.take([{ ...signed(1, LOCK), exclusions: text }]);
    const refused = at.entries(COMMAND_REFUSED).map((body) => String(body['detail']));
    for (const why of [/did not come/, /not JSON/, /exclusions: /, /beside another order/])
      assert.ok(
        refused.some((detail) => why.test(detail)),
        `${why} in ${refused.join()}`,
      );
    assert.deepEqual([at.desk.orders().exclusions, at.kept.size], [null, 0]);
    at.desk.take([{ ...signed(1, order), exclusions: text }]);
    at.restart();
    assert.deepEqual(at.desk.orders().exclusions, { no: 1, sha256: order.sha256 });
    assert.deepEqual([...at.kept], [[order.sha256, text]]);
  });

  it('are open until an entry says what came of them, and of those that stay in force the newest alone', () => {
    const at = newDesk();
    const numbers = (): number[] => at.desk.open().map(({ no }) => no);
    const answer = (no: number) =>
      at.ledger.append(5000, answerIdOf(no), [
        { kind: 'centre-command-answered', roundId: null, body: { no }, postings: [] },
      ]);
    at.desk.take([signed(1, LOCK), signed(2, { type: 'verify' }), signed(3, UNLOCK)]);
    assert.deepEqual(numbers(), [1, 2, 3]);
    at.restart();
    assert.deepEqual(numbers(), [2, 3], 'the lock was obeyed before the next one was taken');
    answer(3);
    assert.deepEqual(numbers(), [2]);
    at.desk.take([signed(4, { type: 'identify' }, { notAfterMs: 1 })]);
    at.restart();
    assert.deepEqual(numbers(), [2], 'one that came too late is not asked');
    answer(2);
    assert.deepEqual(numbers(), []);
  });

  it('of sound and maintenance are in force until the next word', () => {
    const at = newDesk();
    at.desk.take([
      signed(1, { type: 'sound', least: 0, most: 0 }),
      signed(2, { type: 'maintenance', reason: 'filter' }),
      signed(3, { type: 'sound', least: 1, most: 2 }),
    ]);
    at.restart();
    const { sound, maintenance } = at.desk.orders();
    assert.deepEqual(
      [sound, maintenance],
      [
        { least: 1, most: 2 },
        { no: 2, reason: 'filter' },
      ],
    );
    at.desk.take([signed(4, { type: 'maintenance-end' })]);
    assert.equal(at.desk.orders().maintenance, null);
    assert.throws(() => signed(5, { type: 'sound', least: 2, most: 1 }), /more than the most/);
  });

  it('wait for the one before them', () => {
    const at = newDesk();
    at.desk.take([signed(2, UNLOCK), signed(3, LOCK)]);
    assert.deepEqual(at.desk.orders(), NO_ORDERS);
    at.desk.take([signed(1, LOCK), signed(2, UNLOCK), signed(3, { type: 'acceptor-off', acceptor: null })]);
    assert.deepEqual([at.desk.orders().lock, at.desk.orders().acceptorsOff], [null, [null]]);
    assert.deepEqual(at.entries(COMMAND_REFUSED), []);
  });

  const good = signed(1, LOCK);
  const refused: readonly [string, SignedCommand, string][] = [
    ['signed by somebody else', signCommand(command(2, UNLOCK), stranger), 'forged'],
    ['changed after it was signed', { ...good, bytes: good.bytes.replace('"lock"', '"xock"') }, 'forged'],
    ['without a signature', { ...good, signature: '' }, 'forged'],
    ['for another terminal', signed(2, UNLOCK, { terminal: 'table-2' }), 'other-terminal'],
    ['another one under a number that was used', signed(1, UNLOCK), 'old'],
    [
      'signed, but of a form that is not known here',
      (() => {
        const bytes = '{"v":9}';
        const { signature } = {
          signature: Buffer.from(issuer.sign(Buffer.from(`banca-command-v1\n${bytes}`))),
        };
        return { bytes, signature: signature.toString('hex') };
      })(),
      'malformed',
    ],
  ];
  for (const [what, bad, code] of refused)
    it(`refuse one ${what} as ${code}, once on the ledger, and nothing changes`, () => {
      const at = newDesk();
      at.desk.take([good]);
      at.desk.take([bad, bad]);
      at.restart();
      at.desk.take([bad]);
      assert.deepEqual(
        at.entries(COMMAND_REFUSED).map((body) => [body['code'], body['bytes'], body['signature']]),
        [[code, bad.bytes, bad.signature]],
      );
      assert.equal(at.desk.orders().lock, 'cash count');
      assert.equal(at.entries(COMMAND_TAKEN).length, 1);
      at.desk.take([signed(2, UNLOCK)]);
      assert.equal(at.desk.orders().lock, null, 'the number was not used up');
    });

  it('are not carried out too late, and use their number all the same', () => {
    const at = newDesk({ nowMs: 5000 });
    at.desk.take([signed(1, LOCK, { notAfterMs: 4999 }), signed(2, LOCK, { notAfterMs: 5000 })]);
    assert.deepEqual(
      at.entries(COMMAND_TAKEN).map(({ no, outcome }) => [no, outcome]),
      [
        [1, 'expired'],
        [2, 'taken'],
      ],
    );
    at.restart();
    assert.equal(at.desk.orders().lock, 'cash count');
  });

  it('from somebody who sends rubbish do not fill the ledger', () => {
    const at = newDesk();
    for (let i = 0; i < 300; i += 1)
      at.desk.take([{ bytes: `rubbish ${i} ${'x'.repeat(5000)}`, signature: 'ab' }]);
    const kept = at.entries(COMMAND_REFUSED);
    assert.equal(kept.length, 100);
    assert.ok(kept.every(({ bytes }) => (bytes as string).length <= 1000));
  });

  it('end in the same orders whatever way they are brought: lost, doubled, reordered, mixed with forged ones', () => {
    const orders: readonly CentreCommand['order'][] = [
      LOCK,
      { type: 'acceptor-off', acceptor: 1 },
      UNLOCK,
      { type: 'acceptor-off', acceptor: 2 },
      { type: 'acceptor-on', acceptor: 1 },
      { type: 'lock', reason: 'again' },
    ];
    const sent = orders.map((order, i) => signed(i + 1, order));
    const forged = orders.map((_, i) =>
      signCommand(command(i + 1, { type: 'lock', reason: 'forged' }), stranger),
    );
    const numRuns = Number(process.env['BANCA_FUZZ_RUNS'] ?? 60);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(orders.length - 1), fc.boolean()), { maxLength: 40 }),
        fc.nat(orders.length),
        (brought, restartAt) => {
          const at = newDesk();
          for (const [i, [which, bad]] of brought.entries()) {
            at.desk.take([bad ? forged[which]! : sent[which]!]);
            if (i === restartAt) at.restart();
            const taken = at.entries(COMMAND_TAKEN);
            assert.deepEqual(
              taken.map(({ bytes }) => bytes),
              sent.slice(0, taken.length).map(({ bytes }) => bytes),
            );
            assert.deepEqual(at.desk.orders(), orders.slice(0, taken.length).reduce(withOrder, NO_ORDERS));
          }
          at.desk.take(sent);
          assert.deepEqual(at.desk.orders(), orders.reduce(withOrder, NO_ORDERS));
          at.ledger.close();
        },
      ),
      { numRuns },
    );
  });

  it('no character of a command can be changed', () => {
    const by = { publicKey: issuer.publicKey, terminal: TERMINAL, lastNo: 0, nowMs: 0 };
    assert.equal(checkCommand(good, by).ok, true);
    for (let i = 0; i < good.bytes.length; i += 1) {
      const other = String.fromCharCode(good.bytes.charCodeAt(i) ^ 1);
      const bytes = good.bytes.slice(0, i) + other + good.bytes.slice(i + 1);
      const checked = checkCommand({ ...good, bytes }, by);
      assert.ok(!checked.ok && checked.code === 'forged', bytes);
    }
  });

  it('cannot be signed when they are none', () => {
    assert.throws(() => signCommand(command(0, LOCK), issuer), /no/);
    assert.throws(() => signCommand(command(1, { type: 'pay' } as never), issuer), /order/);
  });
});
