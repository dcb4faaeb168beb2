/**
 * The bank's card that lies face down, looked for in every byte that leaves the terminal: what its
 * displays are sent, its logs, every file of its data folder, the line to the centre, the centre's
 * pages, an export that is made meanwhile. What plays the cards (`rack`, and its memory
 * `devices.json`) knows the whole shoe; it is the device and not the terminal.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { CARDS_OPENED, OpenedCards } from '../../host/table/sealed-cards.ts';
import { restoreState, wholeHash } from '../../host/table/terminal.ts';
import { openLedgerReader } from '../../ledger/store/ledger.store.ts';
import { CREDENTIAL } from '../host/test-terminal.ts';
import { ROOT } from '../shell/paths.ts';
import { LONG } from '../support/long.ts';
import { done, type FaceDown, faceDown, HOLES, survived, TABLES, turned, whatLeft } from './hidden-round.ts';
import { assertAlike, assertSilent, type Said, saidIn } from './said.ts';

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

/**
 * With the turn the ledger says what was sealed, and it is the card; the auditor's tools take it.
 */
function assertOpened({ data, roundId, hole }: FaceDown): void {
  const path = join(data, 'ledger.db');
  const reader = openLedgerReader(path);
  const entries = reader.readRound(roundId);
  const sealed = entries.filter(
    ({ kind, body }) => kind === 'bank-card-dealt' && JSON.stringify(body).includes('"sealed"'),
  );
  assert.equal(sealed.length, 1);
  const { card: stored, confidence } = sealed[0]!.body as Record<string, unknown>;
  assert.deepEqual([stored, confidence], [null, null]);
  assert.equal((new OpenedCards(reader).in(sealed[0]!).body as { card: unknown }).card, hole);
  const opened = entries
    .filter(({ kind }) => kind === CARDS_OPENED)
    .flatMap(({ body }) => (body as { cards: { seq: number }[] }).cards);
  assert.equal(opened.filter(({ seq }) => seq === sealed[0]!.seq).length, 1);
  reader.close();
  for (const command of ['verify', 'replay'])
    execFileSync(process.execPath, [join(ROOT, 'cli', 'banca.ts'), command, path], { encoding: 'utf8' });
}

// ---- two cards, the same bytes ----

const [FIRST] = HOLES;

const { shoe: SHOE, box: BOX } = TABLES;

/** Plays a round to its end; what had left when the card lay there, and when it was turned. */
async function played(t: TestContext, options: object, hole: string): Promise<{ before: Said; after: Said }> {
  const round = await faceDown(t, options, hole);
  const left = await whatLeft(round);
  assertSilent(left, round, round.hole);
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

test('of two cards that may lie face down nothing that leaves tells which one it is, before it is turned', (t) =>
  assertAlike(t, HOLES, (hole) => played(t, SHOE, hole)));

test('the card out of the metal box leaves the terminal only sealed, too', { skip: LONG }, async (t) => {
  await played(t, BOX, FIRST);
});

test('a host that is killed while the card lies face down knows it again, and nobody else does', async (t) => {
  const round = await faceDown(t, SHOE, FIRST);
  const { roundId, hole } = round;
  const table = await survived(t, round);
  assert.equal(table.view.bank.cards.length, 2);
  assert.equal(table.view.bank.cards[1], null);
  assertSilent(await whatLeft(round), round, round.hole);
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
