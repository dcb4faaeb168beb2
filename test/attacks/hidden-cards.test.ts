/**
 * The bank's card that lies face down, looked for in every byte that leaves the terminal: what its displays are sent, its logs,
 * every file of its data folder, the line to the centre, the centre's pages, an export that is made meanwhile. What plays the
 * cards (`rack`, and its memory `devices.json`) knows the whole shoe; it is the device and not the terminal.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Card } from '../../engine/core/cards.ts';
import { CARDS_OPENED, OpenedCards } from '../../host/sealed-cards.ts';
import { restoreState, wholeHash } from '../../host/terminal.ts';
import { openLedgerReader } from '../../ledger/store/ledger.store.ts';
import { CREDENTIAL } from '../host/house.ts';
import { ROOT } from '../shell/paths.ts';
import { TestDisplay } from '../support/display.ts';
import { done, type FaceDown, faceDown, HOLES, TABLES, turned, until, whatLeft } from './hidden-round.ts';

type Bytes = ReadonlyMap<string, Buffer>;

/** A card as an entry says it: plain, as a text inside of JSON, and in HTML. */
const textsOf = (hole: Card): string[] =>
  ['card', 'read'].flatMap((name) =>
    [',', '}'].flatMap((end) =>
      ['"', '\\"', '&quot;', '""'].map((quote) => `${quote}${name}${quote}:${hole}${end}`),
    ),
  );

/** Nothing that has left holds the card as entries write it, or what the shoe said when it gave the card. */
function assertSilent(bytes: Bytes, { data, hole }: FaceDown): void {
  const { shoe } = JSON.parse(readFileSync(join(data, 'devices.json'), 'utf8')) as {
    shoe: { journal: readonly string[] };
  };
  const frame = shoe.journal.at(-1)!;
  for (const [where, said] of bytes) {
    for (const text of textsOf(hole)) assert.ok(!said.includes(text), `${where}: ${text}`);
    for (const each of [frame, frame.toUpperCase(), Buffer.from(frame, 'hex')])
      assert.ok(!said.includes(each), `${where}: the shoe's own frame`);
  }
  const names = [...bytes.keys()];
  for (const wanted of ['file ledger.db', 'file copy/', 'file exports/', 'wire to the centre'])
    assert.ok(
      names.some((each) => each.startsWith(wanted)),
      `${wanted} was searched: ${names.join(', ')}`,
    );
  assert.ok(!names.some((each) => /recordings\/shoe/.test(each)), 'the shoe is not recorded meanwhile');
}

/** No signed state of the round is that of the table with the card in it: there are 52 to try. */
function assertGuessless({ data, hole }: FaceDown): void {
  const reader = openLedgerReader(join(data, 'ledger.db'));
  let tried = 0;
  for (const { seq, stateHash } of reader.checkpoints()) {
    const state = restoreState(reader, seq);
    if (stateHash === null || !state.round?.bankHoleDown) continue;
    tried += 1;
    const { counts } = state.shoe;
    counts[state.round.bank[1]!]! -= 1;
    counts[hole]! += 1;
    state.round.bank[1] = hole;
    assert.notDeepEqual(Buffer.from(stateHash), wholeHash(state), `entry ${seq} is signed with the card`);
  }
  reader.close();
  assert.ok(tried > 0, 'service mode has signed a state with the card face down');
}

/** With the turn the ledger says what was sealed, and it is the card; the auditor's tools take it. */
function assertOpened({ data, roundId, hole }: FaceDown): void {
  const path = join(data, 'ledger.db');
  const reader = openLedgerReader(path);
  const entries = reader.readRound(roundId);
  const sealed = entries.filter(({ body }) => JSON.stringify(body).includes('"sealed"'));
  assert.equal(sealed.length, 1);
  const { card: stored, confidence } = sealed[0]!.body as Record<string, unknown>;
  assert.deepEqual([stored, confidence], [null, null]);
  assert.equal((new OpenedCards(reader).in(sealed[0]!).body as { card: unknown }).card, hole);
  assert.equal(entries.filter(({ kind }) => kind === CARDS_OPENED).length, 1);
  reader.close();
  for (const command of ['verify', 'replay'])
    execFileSync(process.execPath, [join(ROOT, 'cli', 'banca.ts'), command, path], { encoding: 'utf8' });
}

// ---- two cards, the same bytes ----

/** Times, and numbers of entries, of which there is one more when a device speaks first. */
const RUNS_ON = /^(?:\w*Ms|\w*[sS]eq|entries|count|lag|bytes|headSeq|port|pid)$/;

/** Everything that is said under a name, and every word: what a card changes, changes one of them. */
function saidIn(bytes: Bytes): Set<string> {
  const said = new Set<string>();
  for (const [where, content] of bytes) {
    const kind = where.replace(/\d{4}-\d{2}-\d{2}T[\w-]+/g, 'time').replace(/[0-9a-f-]{36}|\d{6,}/g, 'id');
    const text = content.toString('latin1').replaceAll(/\\+"|&quot;|""/g, '"');
    for (const [, name, value] of text.matchAll(
      /"(\w+)":("[^"]{0,200}"|-?[\d.]+|null|true|false|\[[-\d,."\w]*\])/g,
    ))
      if (!(RUNS_ON.test(name!) && /^"?[-\d.]+"?$/.test(value!))) said.add(`${kind} | ${name}=${value}`);
    if (/log|centre \//.test(where))
      // The centre's own figures count batches and reports.
      for (const [word] of text.matchAll(/\w{1,60}/g))
        if (where !== 'centre /metrics' || !/^\d+$/.test(word)) said.add(`${kind} | ${word}`);
  }
  return said;
}

type Said = ReadonlySet<string>;

/** What each time was said with the one card, and never with the other: by chance it is not said in the next pair of rounds. */
const tells = (one: readonly Said[], other: readonly Said[]): string[] =>
  [
    [one, other],
    [other, one],
  ].flatMap(([these, those]) =>
    [...these![0]!].filter(
      (each) => these!.every((said) => said.has(each)) && !those!.some((said) => said.has(each)),
    ),
  );

const [FIRST, SECOND] = HOLES;
const MOST_PAIRS = 8;

const { shoe: SHOE, box: BOX } = TABLES;

/** Plays a round to its end; what had left when the card lay there, and when it was turned. */
async function played(t: TestContext, options: object, hole: string): Promise<{ before: Said; after: Said }> {
  const round = await faceDown(t, options, hole);
  const left = await whatLeft(round);
  assertSilent(left, round);
  assertGuessless(round);
  const table = round.displays.get('table')!;
  await done(table, { type: 'exit-service' });
  await turned(table, round.roundId);
  assert.equal(table.view.bank.cards[1], round.hole);
  const after = saidIn(await whatLeft(round));
  assertOpened(round);
  await round.terminal.stop();
  await round.centre.close();
  return { before: saidIn(left), after };
}

test('of two cards that may lie face down nothing that leaves tells which one it is, before it is turned', async (t) => {
  const before: Said[][] = [[], []];
  const after: Said[][] = [[], []];
  for (let pair = 1; ; pair++) {
    for (const [i, hole] of HOLES.entries()) {
      const said = await played(t, SHOE, hole);
      before[i]!.push(said.before);
      after[i]!.push(said.after);
    }
    const told = tells(before[0]!, before[1]!);
    t.diagnostic(`pair ${pair}: ${before[0]![0]!.size} things said, ${told.length} with one card alone`);
    for (const each of pair > 1 ? told.slice(0, 8) : []) t.diagnostic(each);
    if (pair > 1 && told.length === 0) break;
    assert.ok(pair < MOST_PAIRS, `these tell ${FIRST} from ${SECOND}:\n${told.slice(0, 40).join('\n')}`);
  }
  const open = tells(after[0]!, after[1]!);
  for (const where of ['display table', 'answers', 'wire to the centre', 'file ledger.db', 'file copy/'])
    assert.ok(
      open.some((each) => each.startsWith(where)),
      `${where}: a card that is turned is found: ${open.slice(0, 20).join('\n')}`,
    );
});

test('the card out of the metal box leaves the terminal only sealed, too', async (t) => {
  await played(t, BOX, FIRST);
});

test('a host that is killed while the card lies face down knows it again, and nobody else does', async (t) => {
  const round = await faceDown(t, SHOE, FIRST);
  const { terminal, roundId, hole } = round;
  const from = terminal.events.length;
  process.kill(terminal.pidOf('host'), 'SIGKILL');
  await terminal.event(
    'the host is ready again',
    ({ host }) => (host as { ready?: boolean } | undefined)?.ready === true,
    from,
  );
  for (const [role, said] of round.heard) {
    round.displays.get(role)!.close();
    round.displays.set(role, await TestDisplay.connect(await terminal.mint(role), said));
    t.after(() => round.displays.get(role)!.close());
  }
  const table = round.displays.get('table')!;
  assert.equal(table.view.round?.id, roundId);
  assert.equal(table.view.bank.cards.length, 2);
  assert.equal(table.view.bank.cards[1], null);
  assert.equal(table.view.hold?.code, 'recovery');
  await until('the shoe is there again', () =>
    table.view.devices.some(({ id, state }) => id === 'shoe' && state !== 'offline') ? true : null,
  );
  await done(table, { type: 'confirm-layout' });
  assertSilent(await whatLeft(round), round);
  assertGuessless(round);
  await done(table, { type: 'exit-service' });
  await turned(table, roundId);
  assert.equal(table.view.bank.cards[1], hole);
  assertOpened(round);
  await done(table, { type: 'enter-service', credential: CREDENTIAL.technician });
  const detail = await round.displays.get('service')!.query({ query: 'round', roundId });
  assert.match(
    JSON.stringify(detail),
    new RegExp(`"card":${hole}\\b`),
    'and the recall of the round shows it',
  );
  assert.match(
    await round.centre.get(`/terminals/${table.view.table.terminalId}/rounds/${roundId}`),
    /♣6/,
    'so does the page of the centre',
  );
});
