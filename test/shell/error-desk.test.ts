/**
 * The error desk of the built terminal: a card is taken back, the host is killed, and after the
 * restart a card goes to the other seat and the round goes on.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cardName, parseCard } from '../../engine/core/cards.ts';
import type { Command } from '../../wire/commands.ts';
import { attack, handsAt, rackOf } from '../attacks/kit.ts';
import { until } from '../support/until.ts';

const BURNT = '2C';
const DEALT = ['TS', '2H', '9H', 'TD', '3D', '4D', '5S'];

test('arts. 5.1.1, 5.1.2 at the built terminal: a card taken back, a host killed, a card given to another seat', async (t) => {
  const attacked = await attack(t);
  const rack = await rackOf(attacked.data);
  let display = await attacked.display('table');
  const view = () => display.view;
  const done = async (command: Command): Promise<void> => {
    const answer = await display.command(command);
    assert.equal(answer?.status, 'done', `${command.type}: ${JSON.stringify(answer)}`);
  };
  const step = (name: string): Promise<unknown> => until(name, () => view().dealer.step.step === name);
  const cards = (seat: number): string =>
    (view().seats[seat - 1]?.hands[0]?.cards ?? []).map((card) => cardName(card!)).join(' ');

  await done({ type: 'sign-in-dealer', credential: { person: '1', pin: '1111' } });
  const chosen = [BURNT, ...DEALT].map((name) => parseCard(name)!);
  const rest = Array.from({ length: 312 - chosen.length }, (_, i) => i % 52);
  assert.ok((await rack.do({ do: 'load-shoe', cards: [...chosen, ...rest] })).ok);
  await step('cut-shoe');
  await done({ type: 'cut-shoe', seat: 1 });
  await done({ type: 'place-end-card', cardsBehind: 60 });
  await step('burn');
  await handsAt(rack, { do: 'draw-card' });
  await step('open-betting');
  for (const acceptor of [1, 3])
    await handsAt(rack, { do: 'insert-note', acceptor, valueMinor: 50_000, currency: 'MOP' });
  for (const at of [0, 2]) await until('credit', () => view().seats[at]?.creditMinor === 50_000);
  await done({ type: 'open-betting' });
  const { id: roundId } = await until('a round', () => view().round);
  for (const seat of [1, 3])
    await done({
      type: 'place-bet',
      roundId,
      seat,
      bet: 'main',
      amountMinor: 10_000,
      touchedAtMs: Date.now(),
    });
  await done({ type: 'close-betting' });
  await step('draw-for-seat');
  for (let dealt = 0; dealt < 5; dealt += 1) {
    await handsAt(rack, { do: 'draw-card' });
    await until('the host has the card', async () => {
      const answer = await rack.do({ do: 'state' });
      return answer.ok && answer.shoe.ackedSeq === answer.shoe.lastSeq;
    });
  }
  await until('the last card', () => cards(3) === '2H 3D');

  await done({ type: 'take-back-card' });
  await until('it is gone', () => cards(3) === '2H');

  const from = attacked.terminal.events.length;
  process.kill(attacked.terminal.pidOf('host'), 'SIGKILL');
  await attacked.terminal.started('host', from);
  display = await until('a display', () => attacked.display('table').catch(() => null));
  assert.equal(view().hold?.code, 'recovery');
  assert.equal(cards(3), '2H', 'the ledger keeps it taken back');
  await done({ type: 'assign-card', fromSeat: 1, toSeat: 3, place: 0 });
  const bank = () =>
    view()
      .bank.cards.map((card) => (card === null ? '?' : cardName(card)))
      .join(' ');
  const atBank = bank();
  for (const [first, open] of [
    [atBank, 'TS'],
    ['TS', atBank],
  ]) {
    await done({ type: 'assign-card', fromSeat: 3, toSeat: 0, place: 0 });
    await until('the bank’s card is the seat’s', () => cards(3).startsWith(first!));
    assert.equal(bank(), open);
  }
  await until('the layout is confirmed', async () => {
    const answer = await display.command({ type: 'confirm-layout' });
    return answer?.status === 'done';
  });
  await step('draw-for-seat');
  await handsAt(rack, { do: 'draw-card' });
  await until('the next card takes its place', () => cards(3) === 'TS 4D');
  assert.equal(cards(1), '2H TD');
});
