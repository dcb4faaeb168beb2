/**
 * Burnt cards that nobody has seen, looked for in every byte that leaves the terminal, in their
 * round and after it. What plays the cards knows them, and so does its memory `devices.json`; it is
 * the device and not the terminal.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { TYPE } from '../../hardware/shoe/ksp1/ksp1.codec.ts';
import { openLedgerReader } from '../../ledger/store/ledger.store.ts';
import { asBooked, cardsOf } from '../crash/audit.ts';
import { ROOT } from '../shell/paths.ts';
import { LONG } from '../support/long.ts';
import { until } from '../support/until.ts';
import {
  BURNT,
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
import { assertAlike, assertUnsaid, frames, type Said, saidIn, spaced } from './said.ts';

/** What the shoe has said of the burnt cards: the first and the fifth that it gave. */
const framesOfBurnt = (data: string): string[] => {
  const cards = frames(data).filter((frame) => Buffer.from(frame, 'hex')[2] === TYPE.card);
  return [cards[0], cards[4]].filter((frame) => frame !== undefined);
};

const start = (t: TestContext, burnt: string) => faceDown(t, TABLES.burns, HOLES[0], OWN[0], burnt);

/**
 * Both are in the books without their faces, every card that left the shoe is, and the auditor's
 * tools take it.
 */
async function assertBooked({ data, roundId, displays }: FaceDown): Promise<void> {
  const path = join(data, 'ledger.db');
  const reader = openLedgerReader(path);
  const entries = reader.read(1, Number.MAX_SAFE_INTEGER);
  reader.close();
  assert.deepEqual(
    entries
      .filter(({ kind }) => kind === 'card-burned')
      .map(({ body, roundId: of }) => {
        const { why, unseen, card, confidence } = body as Record<string, unknown>;
        return [why, unseen, card, confidence, of];
      }),
    [
      ['start', true, null, null, null],
      ['before-bank-second', true, null, null, roundId],
    ],
  );
  const { drawn } = (JSON.parse(readFileSync(join(data, 'devices.json'), 'utf8')) as Memory).shoe;
  const booked = cardsOf(entries);
  assert.equal(booked.length, drawn.length);
  assert.equal(displays.get('table')!.view.shoe.drawn, drawn.length);
  assert.equal(
    booked.filter((card) => card === null).length,
    4,
    'the burnt ones, and those that were sealed',
  );
  assert.deepEqual(booked, asBooked(drawn, booked));
  for (const command of ['verify', 'replay'])
    execFileSync(process.execPath, [join(ROOT, 'cli', 'banca.ts'), command, path], { encoding: 'utf8' });
  execFileSync('python3', [join(ROOT, 'test', 'verifier', 'verify.py'), path], { encoding: 'utf8' });
}

/** Plays a round to its end; what had left by then, and what the device knows. */
async function played(t: TestContext, burnt: string): Promise<{ before: Said; after: Said }> {
  const round = await start(t, burnt);
  const { data } = round;
  assertUnsaid(await whatLeft(round), round.burnt, framesOfBurnt(data));
  await done(round.displays.get('table')!, { type: 'exit-service' });
  await settled(round);
  const left = await whatLeft(round);
  assert.equal(framesOfBurnt(data).length, 2);
  assertUnsaid(left, round.burnt, framesOfBurnt(data));
  // Its other cards are there to be found, on a page and in a recording.
  const last = spaced(frames(data).at(-1)!);
  assert.ok(left.get('answers')!.includes(last), 'a card that was seen is on the page of the devices');
  const recordings = [...left].filter(([where]) => /recordings\/shoe/.test(where));
  assert.ok(recordings.some(([, bytes]) => bytes.includes(last)));
  await assertBooked(round);
  await round.terminal.stop();
  await round.centre.close();
  const memory = new Map([['file devices.json', readFileSync(join(data, 'devices.json'))]]);
  return { before: saidIn(left), after: saidIn(memory) };
}

test('of two cards that may have been burnt nothing that leaves tells which one it was, in the round and after it', (t) =>
  assertAlike(t, BURNT, (burnt) => played(t, burnt), ['file devices.json']));

test('a host that is killed after a burn says no more of the card, and the next one burns no other in its place', {
  skip: LONG,
}, async (t) => {
  const round = await start(t, BURNT[0]);
  const table = round.displays.get('table')!;
  const { roundId } = round;
  await until('the second card is to be burnt', async () => {
    const { dealer, seats, nowMs: touchedAtMs } = table.view;
    if (dealer.step.step === 'burn') return true;
    const choice = seats[0]!.choices.find(
      ({ act, allowed }) => allowed && (act === 'stand' || act === 'playOn'),
    );
    if (choice)
      await table.command({ type: 'decide', roundId, seat: 1, hand: 0, act: choice.act, touchedAtMs });
    return null;
  });
  await round.draw();
  const again = await survived(t, round);
  assert.equal(again.view.dealer.step.step, 'draw-for-bank');
  const left = await whatLeft(round);
  assertUnsaid(left, round.burnt, framesOfBurnt(round.data));
  assert.ok(![...left.keys()].some((where) => /recordings\/shoe/.test(where)), 'it may still be said again');
  await done(again, { type: 'exit-service' });
  await settled(round);
  assertUnsaid(await whatLeft(round), round.burnt, framesOfBurnt(round.data));
  await assertBooked(round);
});

interface Memory {
  readonly shoe: { readonly drawn: readonly number[] };
}
