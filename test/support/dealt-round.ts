/** A table of the terminal as it ships, brought into a round by what its people touch. */
import assert from 'node:assert/strict';
import type { Command } from '../../wire/commands.ts';
import type { TableView } from '../../wire/view.ts';
import type { TestDisplay } from './display.ts';
import { until } from './until.ts';

const LIMIT_MS = 240_000;
/** Of the terminal file that ships. */
export const PEOPLE = {
  dealer: { person: '1', pin: '1111' },
  attendant: { person: '2', pin: '2222' },
  technician: { person: '4', pin: '4444' },
};

export async function done(table: TestDisplay, command: Command): Promise<void> {
  const answer = await table.command(command);
  assert.equal(answer?.status, 'done', `${JSON.stringify(command)}: ${JSON.stringify(answer)}`);
}

export async function seen(
  table: TestDisplay,
  what: string,
  holds: (view: TableView) => boolean,
): Promise<void> {
  assert.ok(await table.until(holds, LIMIT_MS), `never: ${what}`);
}

/**
 * A bet of seat 1 lies and its first card is dealt: the dealer has the next step, and no deadline
 * runs.
 */
export async function dealtRound(table: TestDisplay): Promise<void> {
  const draw = async (): Promise<void> => {
    const { seq } = table.view;
    await done(table, { type: 'sim-draw-card' });
    await seen(table, 'the card is read', (view) => view.seq > seq);
  };
  await done(table, { type: 'sign-in-dealer', credential: PEOPLE.dealer });
  await seen(table, 'devices', ({ devices }) => devices.every(({ state }) => state !== 'offline'));
  await done(table, { type: 'sim-load-shoe' });
  await seen(table, 'the shoe is loaded', ({ dealer }) => dealer.step.step === 'cut-shoe');
  await done(table, { type: 'cut-shoe', seat: null });
  await done(table, { type: 'place-end-card', cardsBehind: 60 });
  await draw();
  await until('an open acceptor', async () => {
    const answer = await table.command({ type: 'sim-insert-note', acceptor: 1, valueMinor: 50_000 });
    return answer?.status === 'done' ? true : null;
  });
  await seen(table, 'the credit', ({ seats }) => seats[0]!.creditMinor === 50_000);
  await done(table, { type: 'open-betting' });
  await seen(table, 'the round', ({ round }) => round !== null);
  const roundId = table.view.round?.id ?? '';
  const bet = { type: 'place-bet', roundId, seat: 1, bet: 'main', amountMinor: 10_000 } as const;
  await done(table, { ...bet, touchedAtMs: Date.now() });
  await done(table, { type: 'close-betting' });
  await seen(table, 'the deal', ({ phase }) => phase === 'dealing');
  await draw();
}
