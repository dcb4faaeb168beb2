/**
 * Everything that others hand to the program, made from its own schema and then broken: messages on
 * the wire of a real host, files, answers of a centre, batches and reports to it. Nothing may end a
 * process, grow without end, or move money that was not there.
 *
 *     BANCA_FUZZ=1000000 node --test test/attacks/fuzz.test.ts
 *
 * The sample of `npm test` is smaller; `BANCA_SEED` repeats one.
 */
import assert from 'node:assert/strict';
import { generateKeyPairSync, randomInt } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { z } from 'zod';
import { playVectors } from '../../cli/vectors.ts';
import type { Card } from '../../engine/core/cards.ts';
import { rackMemory } from '../../hardware/rack/rack.sim.ts';
import { readRackMemory } from '../../hardware/rack/rack-memory.store.ts';
import { seededChance } from '../../hardware/transport/faults.ts';
import {
  ProfileError,
  readTableFile,
  readTerminalFile,
  tableFileSchema,
  terminalFileSchema,
} from '../../host/config/terminal-file.ts';
import { readScript, stepSchema } from '../../host/simulation/script.ts';
import { BATCH_TYPE, signLines } from '../../ledger/chain/batch.codec.ts';
import {
  type CentreCommand,
  readCommand,
  type SignedCommand,
  signCommand,
} from '../../ledger/chain/command.codec.ts';
import { chainHash, decodeEntry, encodeEntry, toHex } from '../../ledger/chain/entry.codec.ts';
import { keyFromPrivate } from '../../ledger/chain/key.ts';
import { judgeReceipt } from '../../ledger/chain/receipt.codec.ts';
import { makeReport } from '../../ledger/chain/report.codec.ts';
import { LedgerUnusable, loadOrCreateKey } from '../../ledger/store/ledger.store.ts';
import { createCommandDesk } from '../../ledger/sync/command-desk.ts';
import { createUploader } from '../../ledger/sync/uploader.ts';
import { openEmbedded } from '../../upstream/db.store.ts';
import { createCentre } from '../../upstream/server.ts';
import type { Command } from '../../wire/commands.ts';
import type { DisplayRole } from '../../wire/display.ts';
import { toHost } from '../../wire/messages.ts';
import { virtualLedger } from '../centre/virtual-ledger.ts';
import { CREDENTIAL, profileWith, TestTerminal } from '../host/test-terminal.ts';
import { fullOr } from '../support/long.ts';
import { newDatabase } from '../support/new-database.ts';
import { Rude } from '../support/rude.ts';
import { Generator } from './generator.ts';

const ALL = Number(process.env['BANCA_FUZZ'] ?? fullOr(10_000, 5_000));
const SEED = Number(process.env['BANCA_SEED'] ?? randomInt(1_000_000_000));
const share = (part: number): number => Math.ceil(ALL * part);
const MIB = 2 ** 20;

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;
const heap = (): number => {
  gc();
  gc();
  return process.memoryUsage().heapUsed;
};

/** What was handed over last, for whoever has to find what ended the process. */
const last: string[] = [];
const kept = (text: string): string => {
  last.push(text.slice(0, 2_000));
  if (last.length > 40) last.shift();
  return text;
};
process.on('uncaughtExceptionMonitor', () => console.error(`handed over last:\n${last.join('\n')}`));

/** Runs `count` times `once`, and tells how many there were and what they left in memory. */
async function many(
  t: TestContext,
  count: number,
  mostMiB: number,
  once: (i: number) => unknown,
): Promise<void> {
  const warm = Math.min(count, 2_000);
  for (let i = 0; i < warm; i++) await once(i);
  const before = heap();
  for (let i = warm; i < count; i++) await once(i);
  const grown = (heap() - before) / MIB;
  t.diagnostic(`${count} of seed ${SEED}; the heap grew by ${grown.toFixed(1)} MiB`);
  assert.ok(grown < mostMiB, `the heap grew by ${grown.toFixed(1)} MiB`);
}

const folderOf = (t: TestContext): string => {
  const dir = mkdtempSync(join(tmpdir(), 'banca-fuzz-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
};

/** Of the ids: each is used once. */
let no = 0;

const OF_KIND = new Map(toHost.options.map((option) => [option.shape.t.value, option] as const));
/** By weight: what others say most, and what does most. */
const KINDS = [
  'command',
  'command',
  'command',
  'command',
  'query',
  'query',
  'pong',
  'painted',
  'measured',
] as const;
/** Messages on one connection; a display that sends more of what cannot be read is slowed down. */
const ON_ONE: Readonly<Partial<Record<DisplayRole, number>>> = { table: 300 };

/** Clears the shoe that a message has jammed, and shuts its cover. */
async function mendShoe(kit: TestTerminal): Promise<void> {
  for (const fault of ['clear-jam', 'cover-close'] as const)
    await kit.rack.do({ do: 'fault', device: 'shoe', fault });
}

/**
 * What a dealer does about the step that is due: the broken messages are to meet a table that
 * plays.
 */
async function goOn(kit: TestTerminal): Promise<void> {
  const dealer = async (command: Command): Promise<void> => {
    no += 1;
    await kit.host.command(`dealer-${String(no).padStart(10, '0')}`, command);
  };
  if (kit.view.service) return dealer({ type: 'exit-service' });
  switch (kit.step) {
    case 'sign-in':
      return dealer({ type: 'sign-in-dealer', credential: CREDENTIAL.dealer });
    case 'open-betting':
      await dealer({ type: 'open-betting' });
      return dealer(kit.bet(1, 10_000));
    case 'close-betting':
      await dealer(kit.bet(2, 5_000));
      return dealer({ type: 'close-betting' });
    // A message has had the cards taken out and put in again.
    case 'cut-shoe':
      return dealer({ type: 'cut-shoe', seat: null });
    case 'place-end-card':
      return dealer({ type: 'place-end-card', cardsBehind: 60 });
    case 'burn':
    case 'draw-for-seat':
    case 'draw-for-bank':
    case 'draw-for-player-side':
      // Without this a jam would last to the end: a jammed shoe gives out nothing.
      await mendShoe(kit);
      if ((await kit.rack.do({ do: 'draw-card' })).ok) await kit.shoeRead().catch(() => undefined);
      return;
    case 'await-offers':
    case 'await-decision':
    case 'read-results':
      if (kit.host.terminal.state.deadline) kit.passDeadline();
      return;
    case 'close-round':
    case 'confirm-layout':
    case 'set-card-aside':
      return dealer({ type: kit.step });
    case 'call-supervisor':
      return mendShoe(kit);
    case 'resolve-card':
      // Any card will do, unless all of its kind are out: the round only has to go on.
      return kit.view.hold?.code === 'unexpected-card'
        ? dealer({ type: 'set-card-aside' })
        : dealer({
            type: 'confirm-card',
            card: randomInt(52) as Card,
            reason: 'not-read',
            credential: CREDENTIAL.supervisor,
          });
    case 'confirm-card':
      return dealer({ type: 'confirm-card', card: kit.view.hold?.card as Card });
    default:
  }
}

test(`messages of every role to a real host (seed ${SEED})`, { timeout: 36_000_000 }, async (t) => {
  const chance = seededChance(SEED);
  const generator = new Generator(chance);
  const kit = await TestTerminal.open(t);
  await kit.fund(1, 100_000, 50_000);
  await kit.fund(2, 100_000);
  await kit.ready('TS 9H TD 8C');
  await kit.do({ type: 'open-betting' });
  const message = (): string => {
    no += 1;
    // A greeting in another version ends the connection, and so does a message that is too long:
    // rarely.
    const schema = OF_KIND.get(chance.below(200) === 0 ? 'hello' : generator.pick(KINDS))!;
    const text = generator.text(schema).replaceAll('command-0001', `fuzz-${String(no).padStart(10, '0')}`);
    // A drill takes a program of its own and seconds; a PIN takes a hundredth of one.
    if (text.includes('"hold-drill"') && chance.below(500) > 0) return message();
    if (/"pin":"\d{4}"/.test(text) && chance.below(12) > 0) return message();
    return chance.below(2) === 0 ? text : text.replaceAll('"roundId":"r"', `"roundId":"${kit.roundId}"`);
  };
  const roles: readonly DisplayRole[] = [
    'table',
    'table',
    'table',
    'table',
    'table',
    'seat:1',
    'seat:2',
    'dealer',
    'service',
    'operator',
  ];
  const connections = { made: 0, answers: 0 };
  const count = share(0.75);
  const before = heap();
  for (let sent = 0; sent < count; ) {
    const role = generator.pick(roles);
    const rude = await Rude.connect(kit.host.ticketUrl(role, 600_000).url);
    connections.made += 1;
    const most = Math.min(ON_ONE[role] ?? 20, count - sent);
    for (let i = 0; i < most; i++) rude.send(kept(message()));
    sent += most;
    const end = `asked-last-${connections.made}`;
    rude.send(JSON.stringify({ t: 'query', id: end, query: { query: 'clock' } }));
    await kit.until(
      'the answer to the last question',
      () => rude.closedWith !== null || rude.heard.some((heard) => heard.t === 'result' && heard.id === end),
    );
    connections.answers += rude.heard.length;
    rude.close();
    for (let step = 0; step < 8; step++) await goOn(kit);
  }
  const grown = (heap() - before) / MIB;
  // The table still plays after all of it. With some seeds the shoe was loaded so often that no
  // round has ended yet.
  for (let step = 0; step < 400 && kit.entries('round-settled').length === 0; step++) await goOn(kit);
  const kinds = new Set(kit.entries().map(({ kind }) => kind));
  t.diagnostic(
    `${count} messages over ${connections.made} connections, ${connections.answers} answers, ${kit.headSeq} entries of ${kinds.size} kinds; the heap grew by ${grown.toFixed(1)} MiB`,
  );
  assert.ok(connections.answers > count / 4, 'they were answered');
  assert.ok(grown < 160, `the heap grew by ${grown.toFixed(1)} MiB`);
  assert.equal(kit.host.terminal.locked, null, 'the books agree');
  assert.ok(kinds.has('round-settled'), `the table played: ${kit.step}`);
  // The end of the house verifies the ledger, and that its replay is the live state.
});

test(`files (seed ${SEED})`, { timeout: 36_000_000 }, async (t) => {
  const generator = new Generator(seededChance(SEED + 1));
  const path = join(folderOf(t), 'file.json');
  const own = profileWith();
  const readers: readonly (readonly [z.ZodType, (path: string) => unknown, (error: unknown) => boolean])[] = [
    [terminalFileSchema, readTerminalFile, (error) => error instanceof ProfileError],
    [tableFileSchema, (file) => readTableFile(file, own), (error) => error instanceof ProfileError],
    [stepSchema, readScript, (error) => (error as Error).message.startsWith(path)],
    [rackMemory, readRackMemory, (error) => (error as Error).message.startsWith(path)],
  ];
  await many(t, share(0.06), 60, (i) => {
    const [schema, read, isSentence] = readers[i % readers.length]!;
    writeFileSync(path, kept(generator.text(schema)));
    try {
      read(path);
    } catch (error) {
      assert.ok(isSentence(error), `${(error as Error).stack}\n${last.at(-1)}`);
    }
  });
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  const dir = folderOf(t);
  for (let i = 0; i < share(0.01); i++) {
    writeFileSync(join(dir, 'ledger-key.pem'), kept(generator.garbled(pem)), { mode: 0o600 });
    try {
      loadOrCreateKey(dir);
    } catch (error) {
      assert.ok(error instanceof LedgerUnusable, (error as Error).stack);
    }
  }
});

test(`vectors, receipts and entries (seed ${SEED})`, { timeout: 36_000_000 }, async (t) => {
  const generator = new Generator(seededChance(SEED + 2));
  const vectors = z.strictObject({
    format: z.literal('banca-vectors/1'),
    defaults: z.record(z.string(), z.record(z.string(), z.json())),
    vectors: z.array(
      z.strictObject({
        id: z.string(),
        rulebook: z.enum(['macau-blackjack-2009', 'macau-baccarat']),
        options: z.record(z.string(), z.json()),
        steps: z.array(z.json()),
      }),
    ),
  });
  const entry = z.strictObject({
    atMs: z.int(),
    body: z.json(),
    commandId: z.string().nullable(),
    kind: z.string(),
    noteId: z.null(),
    postings: z.array(z.strictObject({ account: z.string(), amountMinor: z.int(), currency: z.string() })),
    roundId: z.string().nullable(),
    seq: z.int().min(1),
    terminal: z.string(),
    v: z.literal(1),
  });
  await many(t, share(0.1), 60, (i) => {
    if (i % 3 === 0) {
      try {
        playVectors(kept(generator.text(vectors)));
      } catch (error) {
        assert.ok(
          error instanceof SyntaxError || /^(file|format|defaults|vectors)/.test((error as Error).message),
          (error as Error).stack,
        );
      }
    } else if (i % 3 === 1) decodeEntry(kept(generator.text(entry)));
    else judgeReceipt(kept(`banca-receipt-v1\n${generator.text(entry)}\n${'A'.repeat(86)}`));
  });
});

const Brought = z.object({ bytes: z.string(), signature: z.string() });
const ANSWERS = [
  z.object({ seq: z.int(), hash: z.literal('0'.repeat(64)), nowMs: z.int(), commands: z.array(Brought) }),
  z.object({ ackSeq: z.int(), ackHash: z.literal('0'.repeat(64)), commands: z.array(Brought) }),
  z.object({
    code: z.enum(['gap', 'fork', 'x']),
    message: z.string(),
    haveSeq: z.int(),
    haveHash: z.literal('0'.repeat(64)),
  }),
];

test(`answers and commands of a centre (seed ${SEED})`, { timeout: 36_000_000 }, async (t) => {
  const chance = seededChance(SEED + 3);
  const generator = new Generator(chance);
  const count = share(0.04);
  let answered = 0;
  const taken: (readonly SignedCommand[])[] = [];
  const before = heap();
  while (answered < count) {
    const ledger = virtualLedger({ terminalId: 'fuzz-1', seed: 1, entryCount: 24, fromMs: 0, toMs: 1_000 });
    let asked = 0;
    const over = Promise.withResolvers<void>();
    const uploader = createUploader(ledger, {
      url: 'http://127.0.0.1:1',
      key: ledger.key,
      backoff: { firstMs: 1, mostMs: 1 },
      onStatus: ({ state }) => {
        if (state === 'fork') over.resolve();
      },
      onCommands: (commands) => void taken.push(commands),
      fetch: async () => {
        answered += 1;
        if (++asked > 200) over.resolve();
        const status = generator.pick([200, 200, 200, 409, 500]);
        return new Response(kept(generator.text(generator.pick(ANSWERS))), { status });
      },
    });
    uploader.start();
    await over.promise;
    await uploader.stop();
    taken.splice(0, taken.length - 10);
  }
  // What came as commands, and what somebody with the key signed.
  const key = keyFromPrivate(generateKeyPairSync('ed25519').privateKey);
  const desk = createCommandDesk({
    ledger: { terminalId: 'fuzz-1', findCommand: () => null, read: () => [] },
    publicKey: key.publicKey,
    nowMs: () => 1,
    record: (kind, body) => {
      encodeEntry('fuzz-1', {
        seq: 1,
        atMs: 1,
        kind,
        roundId: null,
        commandId: 'c',
        noteId: null,
        body,
        postings: [],
      });
      return true;
    },
    keep: () => undefined,
    onOrders: () => {},
  });
  const command = { terminal: 'fuzz-1', no: 1, issuedAtMs: 1, notAfterMs: null, issuer: 'somebody' };
  for (let i = 0; i < count; i++) {
    const order = {
      type: 'config',
      name: 'x',
      profile: { options: { a: 1 } },
    } satisfies CentreCommand['order'];
    const { bytes, signature } = signCommand({ ...command, order }, key);
    const given = kept(generator.garbled(bytes));
    readCommand(given);
    const own = Buffer.from(key.sign(Buffer.from(`banca-command-v1\n${given}`))).toString('hex');
    desk.take([{ bytes: given, signature: chance.below(2) === 0 ? signature : own }]);
  }
  const grown = (heap() - before) / MIB;
  t.diagnostic(
    `${answered} answers and ${count} commands of seed ${SEED}; the heap grew by ${grown.toFixed(1)} MiB`,
  );
  assert.ok(grown < 60, `the heap grew by ${grown.toFixed(1)} MiB`);
});

test(`batches and reports to the centre (seed ${SEED})`, { timeout: 36_000_000 }, async (t) => {
  const chance = seededChance(SEED + 4);
  const generator = new Generator(chance);
  const dir = folderOf(t);
  await newDatabase(join(dir, 'db'));
  const db = await openEmbedded(join(dir, 'db'));
  t.after(() => db.close());
  const centre = createCentre({ db, enrolDir: dir, password: 'fuzz' });
  t.after(() => centre.close());
  const key = keyFromPrivate(generateKeyPairSync('ed25519').privateKey);
  writeFileSync(join(dir, 'fuzz-1.pub'), key.publicPem);
  const post = async (path: string, type: string, payload: string | Buffer): Promise<number> => {
    const { statusCode, body } = await centre.inject({
      method: 'POST',
      url: `/v1/terminals/fuzz-1/${path}`,
      headers: { 'content-type': type },
      payload,
    });
    assert.ok(statusCode < 500, `${statusCode} ${body}: ${String(payload).slice(0, 2_000)}`);
    return statusCode;
  };
  let head = { seq: 0, hash: new Uint8Array(32) as Uint8Array };
  const stored: number[] = [];
  const report = z.strictObject({
    v: z.literal(1),
    terminal: z.literal('fuzz-1'),
    headSeq: z.int().min(0),
    headHash: z.literal('0'.repeat(64)),
    ackedSeq: z.int().min(0),
    ackedHash: z.literal('0'.repeat(64)),
    clockOffMs: z.int().nullable(),
    disputes: z
      .strictObject({ seq: z.int().min(0), ownHash: z.literal('0'.repeat(64)).nullable() })
      .nullable(),
    signature: z.literal('0'.repeat(128)),
  });
  await many(t, share(0.01), 80, async (i) => {
    if (i % 3 === 0) {
      await post('reports', 'application/json', kept(generator.text(report)));
      return;
    }
    if (i % 3 === 1) {
      const said = generator.valid(report) as Parameters<typeof makeReport>[0];
      await post('reports', 'application/json', kept(JSON.stringify(makeReport(said, key))));
      return;
    }
    // Signed by the terminal, with the chain as it must be: what is wrong is in the entry.
    const fields = {
      atMs: i,
      kind: 'fuzzed',
      roundId: null,
      commandId: null,
      noteId: null,
      body: generator.valid(z.json()),
      postings: [],
    };
    const text = encodeEntry('fuzz-1', { seq: head.seq + 1, ...fields });
    const line = kept(chance.below(3) === 0 ? text : generator.garbled(text)).replaceAll('\n', ' ');
    const bytes = Buffer.from(line);
    const hash = chainHash(head.hash, bytes);
    const batch = {
      terminal: 'fuzz-1',
      firstSeq: head.seq + 1,
      count: 1,
      prevHash: toHex(head.hash),
      lastHash: toHex(hash),
    };
    const status = await post('batches', BATCH_TYPE, signLines(batch, Buffer.from(`${line}\n`), key));
    if (status === 200) {
      head = { seq: head.seq + 1, hash };
      stored.push(status);
    }
  });
  const [row] = await db.query<{ n: number }>('SELECT count(*)::int AS n FROM entries');
  assert.equal(row?.n, stored.length, 'what was acknowledged is stored, and nothing else');
});
