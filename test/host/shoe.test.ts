import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { parseCard } from '../../engine/core/cards.ts';
import { DeviceRack, type RackMemory } from '../../hardware/rack/rack.sim.ts';
import { CREDENTIAL, House } from './house.ts';

const card = (text: string) => parseCard(text)!;
const options = (house: House): string[] => house.view.dealer.options.map(({ option }) => option);
const faults = (house: House): string[] =>
  house.host.terminal.state.faults.flatMap(({ device, fault }) => (device === 'shoe' ? [fault] : []));
const shoeView = (house: House) => house.view.devices.find(({ id }) => id === 'shoe');

/** Seat 1 has a bet and two cards, the bank one; `cards` are those of the round. */
async function inRound(t: TestContext, cards = 'TS 9H TD 8C'): Promise<House> {
  const house = await House.open(t);
  await house.fund(1, 50_000);
  await house.ready(cards);
  await house.deal({ 1: 10_000 });
  assert.equal(house.seat(1).creditMinor, 40_000);
  return house;
}

/** The host ends; when it comes back other devices are at its lines. */
async function restartWith(house: House, memory: RackMemory | null, shoeSerial?: string): Promise<void> {
  await house.stop();
  const rack =
    memory === null
      ? new DeviceRack({ acceptors: 6, ...(shoeSerial === undefined ? {} : { shoeSerial }) })
      : new DeviceRack({ acceptors: 6, memory });
  Object.assign(house, { rack });
  await house.start();
}

/** The one lawful way out, and a round played to its end with a new shoe. */
async function voidAndGoOn(house: House, load: () => Promise<void>): Promise<void> {
  assert.equal(house.view.hold?.code, 'shoe-fault');
  assert.equal(house.step, 'call-supervisor');
  assert.ok(options(house).includes('void-round'));
  await house.refused({ type: 'confirm-layout' }, 'held');
  await house.refused({ type: 'void-round', reason: 'shoe-fault', credential: CREDENTIAL.dealer }, 'person');
  await house.do({ type: 'void-round', reason: 'shoe-fault', credential: CREDENTIAL.supervisor });
  assert.equal(house.seat(1).creditMinor, 50_000, 'art. 5.1.2 every stake goes back whole');
  house.passDeadline();
  await house.do({ type: 'close-round' });
  assert.equal(house.step, 'load-shoe');
  await house.refused({ type: 'open-betting' }, 'held');
  await load();
  await house.until('the load is taken', () => house.step === 'cut-shoe');
  assert.deepEqual(faults(house), []);
  await house.do({ type: 'cut-shoe', seat: null });
  await house.do({ type: 'place-end-card', cardsBehind: 60 });
  await house.draw();
  await house.deal({ 1: 10_000 });
  for (let i = 0; i < 20 && house.view.phase !== 'settled'; i += 1) {
    assert.equal(house.view.hold, null);
    if (house.step === 'await-decision' || house.step === 'await-offers') house.passDeadline();
    else await house.draw();
  }
  assert.equal(house.view.phase, 'settled');
}

test('a shoe that tells its loading is not loaded by the word of the dealer', async (t) => {
  const house = await House.open(t);
  await house.do({ type: 'sign-in-dealer', credential: CREDENTIAL.dealer });
  assert.equal(house.step, 'load-shoe');
  assert.equal(house.view.shoe.handLoaded, undefined);
  await house.refused({ type: 'load-shoe' }, 'not-due');
});

test('art. 5.1.2 a shoe that runs empty in a round: hold, void by the supervisor, a new shoe, play goes on', async (t) => {
  const house = await House.open(t);
  await house.fund(1, 50_000);
  await house.do({ type: 'sign-in-dealer', credential: CREDENTIAL.dealer });
  await house.hands({ do: 'load-shoe', cards: ['2C', 'TS', '9H', 'TD'].map(card), decks: 6 });
  await house.shoeRead();
  await house.do({ type: 'cut-shoe', seat: null });
  await house.do({ type: 'place-end-card', cardsBehind: 60 });
  await house.draw();
  await house.deal({ 1: 10_000 });
  await house.until('the shoe says that it is empty', () => house.view.hold !== null);
  assert.equal(house.view.hold?.detail, 'shoe-empty');
  assert.equal(shoeView(house)?.fault, 'shoe-empty');
  await voidAndGoOn(house, () => house.loadShoe('2C TS 9H TD 8C'));
});

test('a shoe that is empty though the books know of cards in it holds the table without any event', async (t) => {
  const house = await inRound(t);
  const memory = house.rack.memory();
  await restartWith(house, { ...memory, shoe: { ...memory.shoe, cards: [], cutCardBefore: null } });
  assert.equal(house.view.hold?.code, 'recovery');
  await house.until('the shoe says that it is empty', () => faults(house).includes('shoe-empty'));
  await house.do({ type: 'confirm-layout' });
  assert.equal(house.view.hold?.detail, 'shoe-empty');
  await voidAndGoOn(house, () => house.loadShoe('2C TS 9H TD 8C'));
});

test('after a power cut of host and shoe the round goes on with the card that nobody had taken', async (t) => {
  const house = await inRound(t);
  await house.stop();
  assert.ok((await house.rack.do({ do: 'draw-card' })).ok);
  await restartWith(house, house.rack.memory());
  assert.equal(house.rack.sight().shoe.boot, 2);
  await house.shoeRead();
  assert.equal(house.view.hold?.code, 'recovery');
  await house.do({ type: 'confirm-layout' });
  assert.equal(house.host.terminal.state.shoe.drawn, 5);
  assert.deepEqual(faults(house), []);
});

test('a shoe whose numbers have gone back is taken away: hold, void, another shoe', async (t) => {
  const house = await inRound(t);
  await restartWith(house, null);
  await house.until('the shoe is refused', () => faults(house).includes('shoe-gap'));
  await house.do({ type: 'confirm-layout' });
  assert.equal(house.view.hold?.detail, 'shoe-gap');
  // Loading the same one does not help: nothing it tells is taken.
  assert.ok((await house.rack.do({ do: 'load-shoe', decks: 6 })).ok);
  const operator = await house.display('operator');
  await voidAndGoOn(house, () => house.do({ type: 'sim-load-shoe' }, operator));
  assert.equal(house.rack.shoe.serial, 'SIM-SHOE-2');
});

test('another shoe in the middle of a round deals no card into it', async (t) => {
  const house = await inRound(t);
  await restartWith(house, null, 'OTHER-7');
  await house.until('the shoe is seen to be another', () => faults(house).includes('shoe-swapped'));
  await house.do({ type: 'confirm-layout' });
  assert.equal(house.view.hold?.detail, 'shoe-swapped');
  const { drawn } = house.view.shoe;
  assert.ok((await house.rack.do({ do: 'load-shoe', cards: [card('8C'), card('8D')] })).ok);
  await house.draw();
  assert.equal(house.view.shoe.drawn, drawn);
  assert.deepEqual(
    house.entries('shoe-event-refused').map(({ body }) => body),
    [
      { event: 'loaded', code: 'held' },
      { event: 'card', code: 'held' },
    ],
  );
  await voidAndGoOn(house, () => house.loadShoe('2C TS 9H TD 8C'));
});

test('between rounds another shoe is a fault too, and the one that was there ends it', async (t) => {
  const house = await House.open(t);
  await house.ready('TS');
  const memory = house.rack.memory();
  await restartWith(house, null, 'OTHER-7');
  await house.until('the shoe is seen to be another', () => faults(house).includes('shoe-swapped'));
  assert.equal(house.view.hold, null);
  assert.equal(house.step, 'load-shoe');
  await house.refused({ type: 'open-betting' }, 'held');
  await restartWith(house, memory);
  await house.until('the old shoe is back', () => faults(house).length === 0);
  assert.equal(house.step, 'open-betting');
});

test('cards that left the shoe unread are named by the supervisor and lie where they were due', async (t) => {
  const house = await inRound(t, 'TS 9H 2D 3C 4C 8C');
  house.passDeadline();
  await house.do(house.act(1, 'hit'));
  await house.hands({ do: 'fault', device: 'shoe', fault: 'misread' });
  await house.draw();
  assert.equal(house.view.hold?.code, 'card-gap');
  assert.equal(house.step, 'resolve-card');
  await house.refused({ type: 'confirm-card', card: card('3C') }, 'person');
  await house.do({ type: 'confirm-card', card: card('3C'), credential: CREDENTIAL.supervisor });
  assert.equal(house.view.hold, null);
  await house.do(house.act(1, 'hit'));
  await house.hands({ do: 'fault', device: 'shoe', fault: 'double-feed' });
  await house.draw();
  await house.do({ type: 'confirm-card', card: card('4C'), credential: CREDENTIAL.supervisor });
  // The second of the two was due to nobody.
  assert.deepEqual(house.view.dealer.step, { step: 'resolve-card', cites: ['art.5.1.2'] });
  await house.do({ type: 'confirm-card', card: card('8C'), credential: CREDENTIAL.supervisor });
  assert.ok(options(house).includes('set-card-aside'));
  await house.do({ type: 'set-card-aside' });
  assert.equal(house.view.hold, null);
  assert.deepEqual(house.seat(1).hands[0]?.cards, ['TS', '2D', '3C', '4C'].map(card));
  assert.equal(house.host.terminal.state.shoe.drawn, house.rack.shoe.drawn().length);
});

test('what passes by itself holds the round only until the dealer has looked; a jam as long as it lasts', async (t) => {
  const house = await inRound(t);
  const confirmed = async (): Promise<void> => {
    await house.until('the fault is over', () => house.step === 'confirm-layout');
    await house.do({ type: 'confirm-layout' });
    assert.equal(house.view.hold, null);
    assert.deepEqual(faults(house), []);
  };
  await house.hands({ do: 'power-cycle', device: 'shoe', offMs: 0 });
  await house.until('the restart is told', () => house.view.hold?.code === 'shoe-fault');
  await confirmed();

  await house.hands({ do: 'fault', device: 'shoe', fault: 'jam' });
  await house.until('the jam is told', () => faults(house).includes('shoe-jam'));
  assert.equal(house.step, 'call-supervisor');
  await house.hands({ do: 'fault', device: 'shoe', fault: 'clear-jam' });
  await confirmed();

  await house.hands({ do: 'fault', device: 'shoe', fault: 'key' });
  await house.until('the key is told', () => house.view.hold !== null);
  await confirmed();

  await house.hands({ do: 'fault', device: 'shoe', fault: 'cover-open' });
  await house.until('the cover is told', () => faults(house).includes('shoe-cover-open'));
  // The host ends with the cover open and finds it closed.
  await house.hands({ do: 'fault', device: 'shoe', fault: 'cover-close' });
  await house.restart();
  await house.until('the cover is closed', () => faults(house).length === 0);
  await confirmed();
});

test('a fault that ended while the host was away ends in the books', async (t) => {
  const house = await inRound(t);
  await house.hands({ do: 'fault', device: 'acceptor-2', fault: 'jam' });
  await house.until('the jam is told', () =>
    house.view.devices.some(({ id, fault }) => id === 'acceptor-2' && fault === 'acceptor-jammed'),
  );
  await house.stop();
  await restartWith(house, null);
  await house.until(
    'the acceptor is well',
    () => house.view.devices.find(({ id }) => id === 'acceptor-2')?.fault === null,
  );
});
