/**
 * A round of a started terminal up to the moment at which a card lies face down, and everything
 * that has left by then.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join, relative } from 'node:path';
import type { TestContext } from 'node:test';
import { type Card, parseCard } from '../../engine/core/cards.ts';
import type { RackCommand } from '../../hardware/rack/rack-commands.ts';
import { openLedgerReader } from '../../ledger/store/ledger.store.ts';
import { openEmbedded } from '../../upstream/db.store.ts';
import { createCentre } from '../../upstream/server.ts';
import type { DisplayRole } from '../../wire/display.ts';
import { operatorAt, PASSWORD, PEOPLE_PASSWORD } from '../centre/operators.ts';
import { CREDENTIAL } from '../host/test-terminal.ts';
import { TestDisplay } from '../support/display.ts';
import { newDatabase } from '../support/new-database.ts';
import { until } from '../support/until.ts';
import { attack, folderOf, rackOf } from './kit.ts';

const DEMO = JSON.parse(readFileSync(new URL('../../host/profiles/demo.json', import.meta.url), 'utf8')) as {
  readonly profile: { readonly options: object; readonly terminalId: string };
  readonly people: unknown;
};
const TERMINAL = DEMO.profile.terminalId;

const AUTHORISED = {
  by: 'DICJ (test)',
  reference: 'TEST',
  requestedOn: '2026-01-05',
  effectiveOn: '2026-01-12',
};
/**
 * Options of the third procedure, with a shoe, of the first one, with a box, and of the first one
 * without a hole card.
 */
export const TABLES = {
  shoe: { dealing: 'holeCard' },
  box: { dealing: 'faceDown', cardSource: 'box', decks: 1 },
  hands: { dealing: 'faceDown' },
  /** One card is burnt at the start, and one before the second card of the bank. */
  burns: { dealing: 'faceDown', burnEachRound: 'oneAndBeforeDealerSecond' },
} as const;

/**
 * Seat 1 has 19 or 18, the bank an eight up: no look, and no offer that its second card could
 * decide.
 */
const DEALT = ['TS', '8D'];
/** What is burnt at the start, and where a card is burnt in the round. */
export const BURNT = ['2C', '7D'] as const;
/** The second card of seat 1, and the bank's. */
export const OWN = ['9H', '8H'] as const;
export const HOLES = ['6C', 'KD'] as const;
export const card = (name: string): Card => parseCard(name)!;

/** One pack with these cards first; those that are exchanged lie at the same place in both. */
function packWith({ own, hole, burnt }: Cards, burnsInRound: boolean): number[] {
  const first = [burnt, ...DEALT, own, ...(burnsInRound ? [burnt] : []), hole].map(card);
  const others = [...OWN, ...HOLES, ...BURNT].map(card).filter((each) => !first.includes(each));
  const rest = Array.from({ length: 52 }, (_, i) => i as Card).filter(
    (each) => !first.includes(each) && !others.includes(each),
  );
  return [...first, ...rest, ...others];
}

/** Those that are exchanged: what lies face down, and what is burnt. */
interface Cards {
  readonly own: string;
  readonly hole: string;
  readonly burnt: string;
}

const PAGES = [
  { query: 'devices' },
  { query: 'events', beforeSeq: null, limit: 100, kind: null },
  { query: 'rounds', beforeNo: null, limit: 10 },
  { query: 'link' },
  { query: 'profile' },
  { query: 'storage' },
  { query: 'software' },
  { query: 'trends', hours: 1 },
  { query: 'recording', device: 'shoe' },
  { query: 'exports' },
] as const;

function filesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name));
}

/** A centre, and a line to it that keeps every byte of both directions. */
async function tappedCentre(t: TestContext, folder: string, enrolDir: string) {
  await newDatabase(join(folder, 'postgres'));
  const db = await openEmbedded(join(folder, 'postgres'));
  const passwords = { password: PASSWORD, peoplePassword: PEOPLE_PASSWORD };
  const centre = createCentre({ db, enrolDir, commandKey: null, ...passwords, log: false });
  const url = await centre.listen({ host: '127.0.0.1', port: 0 });
  // The role that sees most of a game.
  const auditor = await operatorAt(url, PEOPLE_PASSWORD, 'auditor');
  const wire: Buffer[] = [];
  const tap = createServer((near) => {
    const far = connect(Number(new URL(url).port), '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (bytes: Buffer) => wire.push(bytes));
      from.on('error', () => to.destroy());
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => tap.listen(0, '127.0.0.1', resolve));
  let isOpen = true;
  /** The database takes some 200 MB: whoever plays on gives it back. */
  const close = async (): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    tap.close();
    await centre.close();
    await db.close();
  };
  t.after(close);
  const get = async (path: string): Promise<string> => (await auditor.ask(path)).text;
  return { port: (tap.address() as AddressInfo).port, wire, get, close };
}

/** Starts a terminal and plays up to the card that lies face down. */
export async function faceDown(
  t: TestContext,
  options: object,
  hole: string,
  own: string = OWN[0],
  burnt: string = BURNT[0],
) {
  const folder = folderOf(t);
  const data = join(folder, 'terminal');
  const centre = await tappedCentre(t, join(folder, 'centre'), join(data, 'enrolled'));
  const { profile, people } = DEMO;
  const profileOfTable = { ...profile, options: { ...profile.options, ...options } };
  const authorisations = [{ options: Object.keys(options), ...AUTHORISED }];
  const file = join(folder, 'terminal.json');
  const commandKey = encodeURIComponent(Buffer.alloc(32, 7).toString('base64'));
  const address = `http://127.0.0.1:${centre.port}#command-key=${commandKey}`;
  writeFileSync(
    file,
    JSON.stringify({ profile: { ...profileOfTable, authorisations }, people, centre: address }),
  );
  const { terminal, log } = await attack(t, { data, args: ['--profile', file] });

  const heard = new Map<DisplayRole, string[]>();
  const displays = new Map<DisplayRole, TestDisplay>();
  for (const role of ['table', 'dealer', 'seat:1', 'seat:2', 'service', 'operator'] as const) {
    const said: string[] = [];
    heard.set(role, said);
    displays.set(role, await TestDisplay.connect(await terminal.mint(role), said));
    t.after(() => displays.get(role)!.close());
  }
  const table = displays.get('table')!;
  const rack = await rackOf(data);
  t.after(() => rack.close());
  const hands = async (command: RackCommand): Promise<void> => {
    const answer = await rack.do(command);
    assert.ok(answer.ok, JSON.stringify(answer));
  };
  const draw = async (): Promise<void> => {
    // Another one since the host was killed.
    const drawn = (): number => displays.get('table')!.view.shoe.drawn;
    const before = drawn();
    await hands({ do: 'draw-card' });
    await until('the card is there', () => (drawn() > before ? true : null));
  };
  const does = (command: Parameters<TestDisplay['command']>[0]): Promise<void> => done(table, command);
  const stored = (kind: string, file = 'ledger.db') => {
    const reader = openLedgerReader(join(data, file));
    const [entry] = reader.newest({ beforeSeq: null, limit: 1, kind });
    reader.close();
    return entry ?? null;
  };
  await until('the shoe is there', () =>
    table.view.devices.some(({ id, state }) => id === 'shoe' && state !== 'offline') ? true : null,
  );
  await until('the centre is there', () => (table.view.link.state === 'up' ? true : null));
  await until('every device is there', () =>
    table.view.devices.every(({ state }) => state !== 'offline' && state !== 'initializing') ? true : null,
  );
  await does({ type: 'sign-in-dealer', credential: CREDENTIAL.dealer });
  const decks = 'decks' in options ? 1 : 6;
  const filler = Array.from({ length: 52 * (decks - 1) }, (_, i) => i % 52);
  const pack = packWith({ own, hole, burnt }, options === TABLES.burns);
  await hands({ do: 'load-shoe', cards: [...pack, ...filler], decks });
  for (let before = ''; ; ) {
    const step = await until('the next step', () => {
      const { step: next } = table.view.dealer.step;
      return next === before || next === 'load-shoe' || next === 'sign-in' ? null : next;
    });
    if (step === 'open-betting') break;
    before = step;
    if (step === 'burn') await draw();
    else if (step === 'cut-shoe') await does({ type: 'cut-shoe', seat: null });
    else if (step === 'place-end-card') await does({ type: 'place-end-card', cardsBehind: 60 });
    else throw new Error(step);
  }
  await until('the acceptor takes notes', () =>
    table.view.devices.some(({ id, state }) => id === 'acceptor-1' && state === 'idle') ? true : null,
  );
  await hands({ do: 'insert-note', acceptor: 1, valueMinor: 100_000, currency: 'MOP' });
  await until('the note is credited', () => (table.view.seats[0]!.creditMinor === 100_000 ? true : null));
  await until('the acceptor has done with the note', () => stored('note-closed'));
  await does({ type: 'open-betting' });
  const roundId = table.view.round!.id;
  const touchedAtMs = table.view.nowMs;
  await does({ type: 'place-bet', roundId, seat: 1, bet: 'main', amountMinor: 10_000, touchedAtMs });
  await does({ type: 'close-betting' });
  const hasHole = options !== TABLES.hands && options !== TABLES.burns;
  for (let i = 0; i < (hasHole ? 4 : 3); i++) await draw();
  if (hasHole)
    await until('the card lies face down', () => (table.view.bank.cards.at(-1) === null ? true : null));
  const hand = [DEALT[0]!, own].map(card);
  return {
    terminal,
    log,
    data,
    centre,
    displays,
    heard,
    stored,
    draw,
    roundId,
    hole: card(hole),
    hand,
    burnt: card(burnt),
  };
}

export type FaceDown = Awaited<ReturnType<typeof faceDown>>;

/** The display does it, and shows that it is done. */
export async function done(
  display: TestDisplay,
  command: Parameters<TestDisplay['command']>[0],
): Promise<void> {
  const answer = await display.command(command);
  assert.ok(answer?.status === 'done', JSON.stringify([command, answer]));
  const { seq } = answer;
  await until('the table shows it', () => (display.view.seq >= seq ? true : null));
}

/**
 * All that has left while the card lies there, by where: service mode is opened, its pages are
 * asked for, an export is made, the centre has its batches.
 */
export async function whatLeft(round: FaceDown): Promise<Map<string, Buffer>> {
  const { terminal, log, data, centre, displays, heard, stored, roundId } = round;
  const table = displays.get('table')!;
  await done(table, { type: 'enter-service', credential: CREDENTIAL.technician });
  const answers: unknown[] = [];
  for (const query of [
    ...PAGES,
    { query: 'round', roundId } as const,
    { query: 'recall', roundId, fromStep: 0 } as const,
  ])
    for (const role of ['service', 'table'] as const) {
      const answer = await displays
        .get(role)!
        .query(query)
        .catch((error: Error) => error.message);
      answers.push([role, query.query, answer]);
    }
  await done(table, { type: 'make-export', target: join(data, 'exports') });
  await until('the export is made', () => stored('export-made'));
  // What has not arrived yet would differ by chance.
  await until('the copy has it', () => stored('export-made', 'copy/ledger.db'));
  const entries = await until('the centre has it', async () => {
    const text = await centre.get(`/v1/terminals/${TERMINAL}/entries`).catch(() => '');
    return text.includes('\\"faceDown\\":true') && text.includes('export-made') ? text : null;
  });
  const bytes = new Map([['answers', Buffer.from(JSON.stringify(answers))]]);
  for (const [role, said] of heard) bytes.set(`display ${role}`, Buffer.from(said.join('\n')));
  bytes.set('log', Buffer.from(log()));
  bytes.set('reports', Buffer.from(terminal.events.map((event) => JSON.stringify(event)).join('\n')));
  bytes.set('wire to the centre', Buffer.concat(centre.wire));
  bytes.set('centre entries', Buffer.from(entries));
  for (const path of ['/', '/metrics', `/terminals/${TERMINAL}`, `/terminals/${TERMINAL}/rounds/${roundId}`])
    bytes.set(`centre ${path}`, Buffer.from(await centre.get(path)));
  for (const path of filesOf(data))
    if (path !== join(data, 'devices.json') && existsSync(path))
      bytes.set(`file ${relative(data, path)}`, readFileSync(path));
  return bytes;
}

/** Stands, whatever is asked of the seat, until the bank's card is turned: it wants no card. */
export async function turned(table: TestDisplay, roundId: string): Promise<void> {
  await until('the card is turned', async () => {
    if (table.view.bank.cards.length > 1 && table.view.bank.cards[1] !== null) return true;
    const choice = table.view.seats[0]!.choices.find(
      ({ act, allowed }) => allowed && (act === 'stand' || act === 'playOn'),
    );
    const { nowMs: touchedAtMs } = table.view;
    if (choice)
      await table.command({ type: 'decide', roundId, seat: 1, hand: 0, act: choice.act, touchedAtMs });
    return null;
  });
}

/** Plays on to the end of the round: seat 1 stands, the bank draws as it must. */
export async function settled(round: FaceDown): Promise<void> {
  const table = round.displays.get('table')!;
  await until('the round is settled', async () => {
    const { phase, dealer, seats, nowMs: touchedAtMs } = table.view;
    if (phase === 'settled') return true;
    const choice = seats[0]!.choices.find(
      ({ act, allowed }) => allowed && (act === 'stand' || act === 'playOn'),
    );
    const { roundId } = round;
    if (choice)
      await table.command({ type: 'decide', roundId, seat: 1, hand: 0, act: choice.act, touchedAtMs });
    else if (dealer.step.step === 'draw-for-bank' || dealer.step.step === 'burn') await round.draw();
    return null;
  });
}

/** Connects every display again, which a host that has ended had. */
export async function reconnected(t: TestContext, { terminal, heard, displays }: FaceDown): Promise<void> {
  for (const [role, said] of heard) {
    displays.get(role)!.close();
    displays.set(role, await TestDisplay.connect(await terminal.mint(role), said));
    t.after(() => displays.get(role)!.close());
  }
}

/** Kills the host while the card lies there, waits for the next one and releases the hold. */
export async function survived(t: TestContext, round: FaceDown): Promise<TestDisplay> {
  const { terminal, displays, roundId } = round;
  const from = terminal.events.length;
  process.kill(terminal.pidOf('host'), 'SIGKILL');
  await terminal.event(
    'the host is ready again',
    ({ host }) => (host as { ready?: boolean } | undefined)?.ready === true,
    from,
  );
  await reconnected(t, round);
  const table = displays.get('table')!;
  assert.equal(table.view.round?.id, roundId);
  assert.equal(table.view.hold?.code, 'recovery');
  await until('the shoe is there again', () =>
    table.view.devices.some(({ id, state }) => id === 'shoe' && state !== 'offline') ? true : null,
  );
  await done(table, { type: 'confirm-layout' });
  return table;
}
