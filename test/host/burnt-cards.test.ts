import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type Card, cardName, cardOf } from '../../engine/core/cards.ts';
import { decode, parse } from '../../hardware/shoe/ksp1/ksp1.codec.ts';
import { eventOf } from '../../hardware/shoe/ksp1/ksp1-events.ts';
import { EMPTY_PARSER, fromHex } from '../../hardware/transport/bytes.ts';
import { readRecording } from '../../hardware/transport/recording.ts';
import type { RoundStep } from '../../wire/pages.ts';
import { CREDENTIAL, TestTerminal } from './test-terminal.ts';

/** The cards that these bytes of a shoe say. */
function cardsIn(chunks: readonly Uint8Array[]): string[] {
  let state = EMPTY_PARSER;
  return chunks.flatMap((chunk) => {
    const parsed = parse(state, chunk);
    state = parsed.state;
    return parsed.frames.flatMap(({ frame }) => {
      const message = decode(frame);
      const event = message.ok && message.value.type === 'card' ? eventOf(message.value, frame) : null;
      return event?.type === 'card' ? [cardName(cardOf(event.suit!, event.rank!))] : [];
    });
  });
}

/**
 * What the pages of service mode and a recording say of the shoe's cards; null = they say nothing
 * of the shoe.
 */
async function shown(
  kit: TestTerminal,
): Promise<{ frames: string[]; recorded: string[] | null; lines: number }> {
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  const { devices } = await kit.table.query({ query: 'devices' });
  const frames = devices.find(({ view }) => view.id === 'shoe')!.frames;
  const { path, why } = await kit.table.query({ query: 'recording', device: 'shoe' });
  if (path === null) assert.equal(why, 'card-hidden');
  await kit.do({ type: 'exit-service' });
  const recorded =
    path === null
      ? null
      : cardsIn(
          readRecording(readFileSync(path, 'utf8')).entries.flatMap((entry) =>
            'input' in entry && entry.input.type === 'bytes' ? [entry.input.bytes] : [],
          ),
        );
  return {
    frames: cardsIn(frames.filter(({ direction }) => direction === 'in').map(({ hex }) => fromHex(hex))),
    recorded,
    lines: frames.length,
  };
}

/**
 * A shoe that waits for its answer says a card again: also the one with which what was before is
 * forgotten.
 */
function assertShown(
  { frames, recorded }: Awaited<ReturnType<typeof shown>>,
  cards: readonly string[],
): void {
  for (const said of [frames, recorded ?? []])
    assert.deepEqual(
      [...new Set(said)].filter((name) => name !== 'TS'),
      cards,
    );
}

/** `card-burned`, as it is stored. */
const burnt = (kit: TestTerminal): unknown[] =>
  kit.entries('card-burned').map(({ body }) => {
    const { card, confidence, unseen, why } = body as Record<string, unknown>;
    return [card === null ? null : cardName(card as Card), confidence, unseen, why];
  });

test('art. 4.1 what the shoe said of a burnt card is on no page and in no recording: not then, and not later', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.fund(1, 100_000);
  // The first card, '2C', is burnt.
  await kit.ready('TS 9H 8D 8C');
  assert.deepEqual(burnt(kit), [[null, null, true, 'start']]);
  assert.deepEqual(await shown(kit), { frames: [], recorded: null, lines: 0 }, 'the shoe may say it again');
  await kit.deal({ 1: 10_000 });
  const during = await shown(kit);
  assertShown(during, ['9H', '8D']);
  kit.passDeadline();
  await kit.do(kit.act(1, 'stand'));
  await kit.draw();
  kit.passDeadline();
  const after = await shown(kit);
  assertShown(after, ['9H', '8D', '8C']);
  await kit.do({ type: 'close-round' });
  const bytes = JSON.stringify(await kit.table.query({ query: 'rounds', beforeNo: null, limit: 10 }));
  assert.ok(!bytes.includes('"card"'));
});

test('art. 4.2 nor what it said of one that is burnt in a round, to the next process either; every card that left is counted', async (t) => {
  const kit = await TestTerminal.open(t, {
    profile: {
      options: {
        burnAtStart: 'one',
        burnEachRound: 'oneAndBeforeDealerSecond',
        min: 5_000,
        max: 500_000,
        step: 1_000,
      },
    },
  });
  await kit.fund(1, 100_000);
  await kit.ready('TS 9H 8D KD QC 8C 5D');
  await kit.deal({ 1: 10_000 });
  kit.passDeadline();
  await kit.do(kit.act(1, 'stand'));
  assert.equal(kit.step, 'burn');
  await kit.draw();
  await kit.die();
  await kit.do({ type: 'confirm-layout' });
  await kit.until('the shoe is there', () =>
    kit.view.devices.some(({ id, state }) => id === 'shoe' && state !== 'offline'),
  );
  assert.deepEqual(await shown(kit), { frames: [], recorded: null, lines: 0 });
  assert.equal(kit.step, 'draw-for-bank');
  await kit.draw();
  assert.deepEqual(burnt(kit), [
    [null, null, true, 'start'],
    [null, null, true, 'before-bank-second'],
  ]);
  const { shoe } = kit.host.terminal.state;
  assert.equal(shoe.drawn, kit.rack.sight().shoe.drawn.length, 'every card that left is counted');
  const { roundId } = kit;
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  const detail = await kit.table.found({ query: 'round', roundId });
  const steps = detail.steps.filter(({ kind }: RoundStep) => kind === 'card-burned');
  assert.deepEqual(
    steps.map(({ body }) => (body as { card: unknown }).card),
    [null],
  );
  assert.ok(await kit.table.found({ query: 'recall', roundId, fromStep: 0 }), 'it is recalled');
});
