import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { parseCard } from '../../engine/core/cards.ts';
import { DeviceRack, type RackMemory } from '../../hardware/rack/rack.sim.ts';
import { until } from '../support/until.ts';
import { CREDENTIAL, TestTerminal } from './test-terminal.ts';

const card = (text: string) => parseCard(text)!;
const options = (kit: TestTerminal): string[] => kit.view.dealer.options.map(({ option }) => option);
const faults = (kit: TestTerminal): string[] =>
  kit.host.terminal.state.faults.flatMap(({ device, fault }) => (device === 'shoe' ? [fault] : []));
const shoeView = (kit: TestTerminal) => kit.view.devices.find(({ id }) => id === 'shoe');

/** Seat 1 has a bet and two cards, the bank one; `cards` are those of the round. */
async function inRound(t: TestContext, cards = 'TS 9H TD 8C'): Promise<TestTerminal> {
  const kit = await TestTerminal.open(t);
  await kit.fund(1, 50_000);
  await kit.ready(cards);
  await kit.deal({ 1: 10_000 });
  assert.equal(kit.seat(1).creditMinor, 40_000);
  return kit;
}

/** The host ends; when it comes back other devices are at its lines. */
async function restartWith(kit: TestTerminal, memory: RackMemory | null, shoeSerial?: string): Promise<void> {
  await kit.stop();
  const rack =
    memory === null
      ? new DeviceRack({ acceptors: 6, ...(shoeSerial === undefined ? {} : { shoeSerial }) })
      : new DeviceRack({ acceptors: 6, memory });
  Object.assign(kit, { rack });
  await kit.start();
}

/** The one lawful way out, and a round played to its end with a new shoe. */
async function voidAndGoOn(kit: TestTerminal, load: () => Promise<void>): Promise<void> {
  assert.equal(kit.view.hold?.code, 'shoe-fault');
  assert.equal(kit.step, 'call-supervisor');
  assert.ok(options(kit).includes('void-round'));
  await kit.refused({ type: 'confirm-layout' }, 'held');
  await kit.refused({ type: 'void-round', reason: 'shoe-fault', credential: CREDENTIAL.dealer }, 'person');
  await kit.do({ type: 'void-round', reason: 'shoe-fault', credential: CREDENTIAL.supervisor });
  assert.equal(kit.seat(1).creditMinor, 50_000, 'art. 5.1.2 every stake goes back whole');
  kit.passDeadline();
  await kit.do({ type: 'close-round' });
  assert.equal(kit.step, 'load-shoe');
  await kit.refused({ type: 'open-betting' }, 'held');
  await load();
  await kit.until('the load is taken', () => kit.step === 'cut-shoe');
  assert.deepEqual(faults(kit), []);
  await kit.do({ type: 'cut-shoe', seat: null });
  await kit.do({ type: 'place-end-card', cardsBehind: 60 });
  await kit.draw();
  await kit.deal({ 1: 10_000 });
  for (let i = 0; i < 20 && kit.view.phase !== 'settled'; i += 1) {
    assert.equal(kit.view.hold, null);
    if (kit.step === 'await-decision' || kit.step === 'await-offers') kit.passDeadline();
    else await kit.draw();
  }
  assert.equal(kit.view.phase, 'settled');
}

test('a shoe that tells its loading is not loaded by the word of the dealer', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.do({ type: 'sign-in-dealer', credential: CREDENTIAL.dealer });
  assert.equal(kit.step, 'load-shoe');
  assert.equal(kit.view.shoe.handLoaded, undefined);
  await kit.refused({ type: 'load-shoe' }, 'not-due');
});

test('art. 5.1.2 a shoe that runs empty in a round: hold, void by the supervisor, a new shoe, play goes on', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.fund(1, 50_000);
  await kit.do({ type: 'sign-in-dealer', credential: CREDENTIAL.dealer });
  await kit.hands({ do: 'load-shoe', cards: ['2C', 'TS', '9H', 'TD'].map(card), decks: 6 });
  await kit.shoeRead();
  await kit.do({ type: 'cut-shoe', seat: null });
  await kit.do({ type: 'place-end-card', cardsBehind: 60 });
  await kit.draw();
  await kit.deal({ 1: 10_000 });
  await kit.until('the shoe says that it is empty', () => kit.view.hold !== null);
  assert.equal(kit.view.hold?.detail, 'shoe-empty');
  assert.equal(shoeView(kit)?.fault, 'shoe-empty');
  await voidAndGoOn(kit, () => kit.loadShoe('2C TS 9H TD 8C'));
});

test('a shoe that is empty though the books know of cards in it holds the table without any event', async (t) => {
  const kit = await inRound(t);
  const memory = kit.rack.memory();
  await restartWith(kit, { ...memory, shoe: { ...memory.shoe, cards: [], cutCardBefore: null } });
  assert.equal(kit.view.hold?.code, 'recovery');
  await kit.until('the shoe says that it is empty', () => faults(kit).includes('shoe-empty'));
  await kit.do({ type: 'confirm-layout' });
  assert.equal(kit.view.hold?.detail, 'shoe-empty');
  await voidAndGoOn(kit, () => kit.loadShoe('2C TS 9H TD 8C'));
});

test('after a power cut of host and shoe the round goes on with the card that nobody had taken', async (t) => {
  const kit = await inRound(t);
  await kit.stop();
  assert.ok((await kit.rack.do({ do: 'draw-card' })).ok);
  await restartWith(kit, kit.rack.memory());
  assert.equal(kit.rack.sight().shoe.boot, 2);
  await kit.shoeRead();
  assert.equal(kit.view.hold?.code, 'recovery');
  await kit.do({ type: 'confirm-layout' });
  assert.equal(kit.host.terminal.state.shoe.drawn, 5);
  assert.deepEqual(faults(kit), []);
});

test('a shoe whose numbers have gone back is taken away: hold, void, another shoe', async (t) => {
  const kit = await inRound(t);
  await restartWith(kit, null);
  await kit.until('the shoe is refused', () => faults(kit).includes('shoe-gap'));
  await kit.do({ type: 'confirm-layout' });
  assert.equal(kit.view.hold?.detail, 'shoe-gap');
  // Loading the same one does not help: nothing it tells is taken.
  assert.ok((await kit.rack.do({ do: 'load-shoe', decks: 6 })).ok);
  const operator = await kit.display('operator');
  await voidAndGoOn(kit, () => kit.do({ type: 'sim-load-shoe' }, operator));
  assert.equal(kit.rack.shoe.serial, 'SIM-SHOE-2');
});

test('another shoe in the middle of a round deals no card into it', async (t) => {
  const kit = await inRound(t);
  await restartWith(kit, null, 'OTHER-7');
  await kit.until('the shoe is seen to be another', () => faults(kit).includes('shoe-swapped'));
  await kit.do({ type: 'confirm-layout' });
  assert.equal(kit.view.hold?.detail, 'shoe-swapped');
  const { drawn } = kit.view.shoe;
  assert.ok((await kit.rack.do({ do: 'load-shoe', cards: [card('8C'), card('8D')] })).ok);
  await kit.draw();
  assert.equal(kit.view.shoe.drawn, drawn);
  assert.deepEqual(
    kit.entries('shoe-event-refused').map(({ body }) => body),
    [
      { event: 'loaded', code: 'held' },
      { event: 'card', code: 'held' },
    ],
  );
  await voidAndGoOn(kit, () => kit.loadShoe('2C TS 9H TD 8C'));
});

test('between rounds another shoe is a fault too, and the one that was there ends it', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.ready('TS');
  const memory = kit.rack.memory();
  await restartWith(kit, null, 'OTHER-7');
  await kit.until('the shoe is seen to be another', () => faults(kit).includes('shoe-swapped'));
  assert.equal(kit.view.hold, null);
  assert.equal(kit.step, 'load-shoe');
  await kit.refused({ type: 'open-betting' }, 'held');
  await restartWith(kit, memory);
  await kit.until('the old shoe is back', () => faults(kit).length === 0);
  assert.equal(kit.step, 'open-betting');
});

/** Two persons name it: the supervisor by PIN, and the dealer who is signed in. */
const named = (name: string) =>
  ({
    type: 'confirm-card',
    card: card(name),
    reason: 'not-read',
    credential: CREDENTIAL.supervisor,
  }) as const;

test('cards that left the shoe unread are named by the supervisor and lie where they were due', async (t) => {
  const kit = await inRound(t, 'TS 9H 2D 3C 4C 8C');
  kit.passDeadline();
  await kit.do(kit.act(1, 'hit'));
  await kit.hands({ do: 'fault', device: 'shoe', fault: 'misread' });
  await kit.draw();
  assert.equal(kit.view.hold?.code, 'card-gap');
  assert.equal(kit.step, 'resolve-card');
  await kit.refused({ type: 'confirm-card', card: card('3C') }, 'person');
  const { reason: _, ...unexplained } = named('3C');
  await kit.refused(unexplained, 'malformed');
  await kit.refused({ ...named('3C'), reason: 'other' }, 'malformed');
  await kit.do(named('3C'));
  assert.equal(kit.view.hold, null);
  const told = kit.last('card-confirmed') as {
    person: { id: string };
    second: { id: string };
    reason: string;
  };
  assert.deepEqual([told.person.id, told.second.id, told.reason], ['S-01', 'D-01', 'not-read']);
  await kit.do(kit.act(1, 'hit'));
  await kit.hands({ do: 'fault', device: 'shoe', fault: 'double-feed' });
  await kit.draw();
  await kit.do(named('4C'));
  // The second of the two was due to nobody.
  assert.deepEqual(kit.view.dealer.step, { step: 'resolve-card', cites: ['art.5.1.2'] });
  await kit.do(named('8C'));
  assert.ok(options(kit).includes('set-card-aside'));
  await kit.do({ type: 'set-card-aside' });
  assert.equal(kit.view.hold, null);
  assert.deepEqual(kit.seat(1).hands[0]?.cards, ['TS', '2D', '3C', '4C'].map(card));
  assert.equal(kit.host.terminal.state.shoe.drawn, kit.rack.shoe.drawn().length);
});

test('what passes by itself holds the round only until the dealer has looked; a jam as long as it lasts', async (t) => {
  const kit = await inRound(t);
  const confirmed = async (): Promise<void> => {
    await kit.until('the fault is over', () => kit.step === 'confirm-layout');
    await kit.do({ type: 'confirm-layout' });
    assert.equal(kit.view.hold, null);
    assert.deepEqual(faults(kit), []);
  };
  await kit.hands({ do: 'power-cycle', device: 'shoe', offMs: 0 });
  await kit.until('the restart is reported', () => kit.view.hold?.code === 'shoe-fault');
  await confirmed();

  await kit.hands({ do: 'fault', device: 'shoe', fault: 'jam' });
  await kit.until('the jam is reported', () => faults(kit).includes('shoe-jam'));
  assert.equal(kit.step, 'call-supervisor');
  await kit.hands({ do: 'fault', device: 'shoe', fault: 'clear-jam' });
  await confirmed();

  await kit.hands({ do: 'fault', device: 'shoe', fault: 'key' });
  await kit.until('the key is reported', () => kit.view.hold !== null);
  await confirmed();

  await kit.hands({ do: 'fault', device: 'shoe', fault: 'cover-open' });
  await kit.until('the cover is reported', () => faults(kit).includes('shoe-cover-open'));
  // The host ends with the cover open and finds it closed.
  await kit.hands({ do: 'fault', device: 'shoe', fault: 'cover-close' });
  await kit.restart();
  await kit.until('the cover is closed', () => faults(kit).length === 0);
  await confirmed();
});

test('C3: a supervised shoe: nobody draws before a supervisor has seen it loaded, and a jam is over by their word', async (t) => {
  const kit = await TestTerminal.open(t, { profile: { supervisedShoe: true } });
  await kit.fund(1, 50_000);
  await kit.do({ type: 'sign-in-dealer', credential: CREDENTIAL.dealer });
  await kit.hands({ do: 'load-shoe', cards: '2C TS 9H TD 8C'.split(' ').map(card), decks: 6 });
  await kit.until('the load is taken', () => kit.step === 'witness-loading');
  assert.equal(kit.view.dealer.supervisedShoe, true);
  await kit.refused({ type: 'cut-shoe', seat: null }, 'not-due');
  await kit.refused({ type: 'witness-loading', credential: CREDENTIAL.dealer }, 'person');
  await kit.restart();
  assert.equal(kit.step, 'witness-loading', 'over a restart, too');
  await kit.do({ type: 'witness-loading', credential: CREDENTIAL.supervisor });
  assert.equal(kit.last<{ person: { id: string } }>('loading-witnessed').person.id, 'S-01');
  await kit.do({ type: 'cut-shoe', seat: null });
  await kit.do({ type: 'place-end-card', cardsBehind: 60 });
  await kit.draw();
  await kit.deal({ 1: 10_000 });
  await kit.hands({ do: 'fault', device: 'shoe', fault: 'jam' });
  await kit.until('the jam is reported', () => faults(kit).includes('shoe-jam'));
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.supervisor });
  const end = { type: 'end-fault', device: 'shoe', fault: 'shoe-jam' } as const;
  await kit.refused({ ...end, credential: CREDENTIAL.supervisor }, 'held');
  await kit.hands({ do: 'fault', device: 'shoe', fault: 'clear-jam' });
  await kit.shoeRead();
  assert.deepEqual(faults(kit), ['shoe-jam'], 'the shoe alone does not end it');
  await kit.refused({ ...end, credential: CREDENTIAL.technician }, 'person');
  // That the card is out the shoe says with its next status.
  await until('the supervisor may end it', async () => {
    const { status } = await kit.send({ ...end, credential: CREDENTIAL.supervisor });
    return status === 'done';
  });
  await kit.do({ type: 'exit-service' });
  assert.equal(kit.step, 'confirm-layout');
});

test('a fault that ended while the host was away ends in the books', async (t) => {
  const kit = await inRound(t);
  await kit.hands({ do: 'fault', device: 'acceptor-2', fault: 'jam' });
  await kit.until('the jam is reported', () =>
    kit.view.devices.some(({ id, fault }) => id === 'acceptor-2' && fault === 'acceptor-jammed'),
  );
  await kit.stop();
  await restartWith(kit, null);
  await kit.until(
    'the acceptor is well',
    () => kit.view.devices.find(({ id }) => id === 'acceptor-2')?.fault === null,
  );
});
