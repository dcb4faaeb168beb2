/**
 * A player's cards that lie face down, looked for in every byte that leaves the terminal. The big
 * table and the panel of the seat show them; nobody else may know them before they are shown.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { OpenedCards } from '../../host/table/sealed-cards.ts';
import { restoreState, wholeHash } from '../../host/table/terminal.ts';
import { openLedgerReader } from '../../ledger/store/ledger.store.ts';
import type { TableView } from '../../wire/view.ts';
import { ROOT } from '../shell/paths.ts';
import { until } from '../support/until.ts';
import {
  done,
  type FaceDown,
  faceDown,
  HOLES,
  OWN,
  settled,
  survived,
  TABLES,
  whatLeft,
} from './hidden-round.ts';
import { assertAlike, assertSilent, type Said, saidIn } from './said.ts';

/** Whose panels show the hand. */
const MAY_KNOW = ['display table', 'display seat:1'];

/**
 * Every picture that anybody else was sent has null for each card of the hand, and the two who may
 * know it have it.
 */
function assertSeen({ heard, hand }: FaceDown): void {
  for (const [role, said] of heard) {
    const hands = said
      .map((text) => JSON.parse(text) as { view?: TableView })
      .flatMap(({ view }) => (view?.seats[0]?.hands ?? []).map(({ cards, points }) => ({ cards, points })))
      .filter(({ cards }) => cards.length === 2);
    assert.ok(hands.length > 0, `${role} was shown the hand`);
    const wanted = MAY_KNOW.includes(`display ${role}`)
      ? { cards: hand, points: hands[0]!.points }
      : { cards: [null, null], points: null };
    for (const each of hands) assert.deepEqual(each, wanted, role);
  }
}

/** No signed state of the round is that of the table with the cards in it. */
function assertGuessless({ data, hand }: FaceDown): void {
  const reader = openLedgerReader(join(data, 'ledger.db'));
  let tried = 0;
  for (const { seq, stateHash } of reader.checkpoints()) {
    const state = restoreState(reader, seq);
    const held = state.round?.seats[0]?.hands[0];
    if (stateHash === null || held?.cards.length !== 2) continue;
    tried += 1;
    const { counts } = state.shoe;
    for (const card of held.cards) counts[card]! -= 1;
    for (const card of hand) counts[card]! += 1;
    held.cards = [...hand];
    assert.notDeepEqual(Buffer.from(stateHash), wholeHash(state), `entry ${seq} is signed with the cards`);
  }
  reader.close();
  assert.ok(tried > 0, 'service mode has signed a state with the cards face down');
}

/**
 * With the settlement the ledger says what was sealed, and it is the hand; the auditor's tools take
 * it.
 */
function assertOpened({ data, roundId, hand }: FaceDown): void {
  const path = join(data, 'ledger.db');
  const reader = openLedgerReader(path);
  const sealed = reader.readRound(roundId).filter(({ body }) => JSON.stringify(body).includes('"sealed"'));
  assert.deepEqual(
    sealed.map(({ kind, body }) => [kind, (body as { card: unknown }).card]),
    [
      ['card-dealt', null],
      ['card-dealt', null],
    ],
  );
  const cards = new OpenedCards(reader);
  assert.deepEqual(
    sealed.map((entry) => (cards.in(entry).body as { card: unknown }).card),
    hand,
  );
  reader.close();
  for (const command of ['verify', 'replay'])
    execFileSync(process.execPath, [join(ROOT, 'cli', 'banca.ts'), command, path], { encoding: 'utf8' });
  execFileSync('python3', [join(ROOT, 'test', 'verifier', 'verify.py'), path], { encoding: 'utf8' });
}

/** Plays a round to its end; what had left while the hand lay there, and when it was shown. */
async function played(t: TestContext, own: string): Promise<{ before: Said; after: Said }> {
  const round = await faceDown(t, TABLES.hands, HOLES[0], own);
  const left = await whatLeft(round);
  assertSeen(round);
  const others = new Map([...left].filter(([where]) => !MAY_KNOW.includes(where)));
  assertSilent(others, round, round.hand[1]!);
  assertGuessless(round);
  await done(round.displays.get('table')!, { type: 'exit-service' });
  await settled(round);
  const after = saidIn(await whatLeft(round));
  assertOpened(round);
  await round.terminal.stop();
  await round.centre.close();
  return { before: saidIn(others), after };
}

test('of two cards that may lie face down before a player nothing that leaves tells others which one it is', (t) =>
  assertAlike(t, OWN, (own) => played(t, own)));

test('a host that is killed while a hand lies face down knows it again, and shows it to its own seat alone', async (t) => {
  const round = await faceDown(t, TABLES.hands, HOLES[0], OWN[0]);
  const table = await survived(t, round);
  assert.deepEqual(table.view.seats[0]!.hands[0]!.cards, round.hand);
  const left = await whatLeft(round);
  assertSeen(round);
  assertSilent(new Map([...left].filter(([where]) => !MAY_KNOW.includes(where))), round, round.hand[1]!);
  assertGuessless(round);
  await done(table, { type: 'exit-service' });
  await settled(round);
  assertOpened(round);
  const service = round.displays.get('service')!;
  await until('everybody sees it', () =>
    service.view.seats[0]!.hands[0]!.cards.includes(null) ? null : true,
  );
  const page = `/terminals/${table.view.table.terminalId}/rounds/${round.roundId}`;
  await until('the page of the centre shows it', async () =>
    (await round.centre.get(page)).includes('♥9') ? true : null,
  );
});
