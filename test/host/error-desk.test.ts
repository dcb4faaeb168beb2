/** Errors of the deal at a whole terminal: command, event, strip, view, refusal and its words. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cardName, parseCard } from '../../engine/core/cards.ts';
import { DeviceRack } from '../../hardware/rack/rack.sim.ts';
import { systemClock } from '../../hardware/transport/clock.ts';
import { codesOf } from '../../host/pages/event-codes.ts';
import { CREDENTIAL, hurried, TestTerminal } from './test-terminal.ts';

const options = (kit: TestTerminal): string[] =>
  kit.view.dealer.options.map(({ option, cites }) => `${option} ${cites.join(' ')}`.trim());
const remedies = (kit: TestTerminal): string[] =>
  kit.view.dealer.remedies.map(({ remedy, by, cites }) => `${remedy} ${by} ${cites.join(' ')}`);
const cards = (kit: TestTerminal, seat: number): string =>
  (kit.seat(seat).hands[0]?.cards ?? []).map((card) => (card === null ? '?' : cardName(card))).join(' ');

test('art. 5.1.1 a face-up card noticed after it was read: the next one takes its place, the ledger keeps both', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.fund(1, 50_000);
  await kit.fund(3, 50_000);
  await kit.ready('TS 2H 9H TD 3D 4D 5S 6S 7S 8S');
  await kit.deal({ 1: 10_000, 3: 10_000 });
  assert.ok(options(kit).includes('take-back-card art.5.1.1'));
  await kit.do({ type: 'take-back-card' });
  assert.equal(kit.step, 'draw-for-seat');
  assert.equal(cards(kit, 3), '2H');
  await kit.draw();
  assert.deepEqual([cards(kit, 1), cards(kit, 3)], ['TS TD', '2H 4D']);
  const taken = kit.last<{ card: number; seat: number; person: { id: string } }>('card-taken-back');
  assert.deepEqual(
    [cardName(taken.card as never), taken.seat, taken.person.id, taken.cites],
    ['3D', 3, 'D-01', ['art.5.1.1']],
  );
  assert.equal(kit.entries('card-dealt').length, 5, 'the old place stays in the ledger');
  kit.passDeadline();
  await kit.do(kit.act(1, 'hit'));
  assert.deepEqual(await kit.refused({ type: 'take-back-card' }, 'too-late'), ['art.5.1.1']);
  await kit.draw();
  await kit.do({ type: 'take-back-card' });
  assert.equal(kit.step, 'draw-for-seat');
  await kit.refused({ type: 'take-back-card' }, 'too-late');
  await kit.draw();
  assert.equal(cards(kit, 1), 'TS TD 6S');
  await kit.do({ type: 'void-round', reason: 'card-exposed', credential: CREDENTIAL.supervisor });
  assert.deepEqual(await kit.refused({ type: 'take-back-card' }, 'round-over'), ['art.5.1.1']);
  assert.deepEqual([kit.seat(1).creditMinor, kit.seat(3).creditMinor], [50_000, 50_000]);
});

test('arts. 5.1.1, 5.1.2 a restart in between: the round comes back, and the card is put right after the layout was confirmed', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.fund(1, 50_000);
  await kit.fund(3, 50_000);
  await kit.ready('TS 2H 9H TD 3D 4D 5S');
  await kit.deal({ 1: 10_000, 3: 10_000 });
  await kit.do({ type: 'take-back-card' });
  await kit.restart();
  assert.equal(kit.view.hold?.code, 'recovery');
  assert.deepEqual(await kit.refused({ type: 'take-back-card' }, 'held'), ['art.5.1.1']);
  assert.deepEqual(
    remedies(kit).map((each) => each.split(' ')[0]),
    ['confirm-layout', 'assign-card', 'void-round'],
  );
  await kit.do({ type: 'assign-card', fromSeat: 1, toSeat: 3, place: 0 });
  assert.equal(kit.view.hold?.code, 'recovery', 'the reason stays until the layout is confirmed');
  await kit.do({ type: 'confirm-layout' });
  assert.equal(kit.step, 'draw-for-seat');
  await kit.draw();
  assert.deepEqual([cards(kit, 1).split(' ')[0], cards(kit, 3).split(' ')[0]], ['2H', 'TS']);
});

test('art. 5.1.2 one card for another, by place; what the house leaves to the supervisor needs a PIN', async (t) => {
  const kit = await TestTerminal.open(t, { profile: { errorsBySupervisor: true } });
  await kit.fund(1, 50_000);
  await kit.fund(3, 50_000);
  await kit.ready('TS 2H 9H TD 3D 4D');
  await kit.deal({ 1: 10_000, 3: 10_000 });
  assert.equal(kit.view.dealer.errorsBySupervisor, true);
  assert.deepEqual(kit.view.dealer.assignables, [
    { fromSeat: 1, toSeat: 3, all: true, places: [0, 1] },
    ...[1, 3].map((fromSeat) => ({ fromSeat, toSeat: 0, all: false, places: [0] })),
  ]);
  const swap = { type: 'assign-card', fromSeat: 3, toSeat: 1, place: 1 } as const;
  assert.deepEqual(await kit.refused(swap, 'person'), ['art.5.1.2']);
  await kit.refused({ ...swap, credential: CREDENTIAL.dealer }, 'person');
  await kit.refused({ ...swap, place: 2, credential: CREDENTIAL.supervisor }, 'not-allowed');
  await kit.do({ ...swap, credential: CREDENTIAL.supervisor });
  assert.deepEqual([cards(kit, 1), cards(kit, 3)], ['TS 3D', '2H TD']);
  const swapped = kit.last<{ place: number; person: { id: string } }>('cards-swapped');
  assert.deepEqual([swapped.place, swapped.person.id], [1, 'S-01']);
  await kit.refused({ ...swap, toSeat: 0, credential: CREDENTIAL.supervisor }, 'not-allowed');
  await kit.do({ ...swap, toSeat: 0, place: 0, credential: CREDENTIAL.supervisor });
  assert.deepEqual(
    [cards(kit, 3), kit.view.bank.cards.map((each) => (each === null ? '?' : cardName(each)))],
    ['9H TD', ['2H']],
  );
  await kit.do({ ...swap, toSeat: 0, place: 0, credential: CREDENTIAL.supervisor });
  assert.deepEqual(await kit.refused({ type: 'take-back-card' }, 'person'), ['art.5.1.1']);
  await kit.do({ type: 'take-back-card', credential: CREDENTIAL.supervisor });
  assert.equal(kit.entries('card-taken-back').length, 1);
});

test('«Resolve» has the lawful ways out of a surplus card, and nothing else; a second card waits behind the first', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.fund(1, 50_000);
  await kit.ready('TS 9H TD 5C 6C 8C 4S');
  await kit.deal({ 1: 10_000 });
  kit.passDeadline();
  assert.deepEqual(remedies(kit), []);
  await kit.draw();
  assert.deepEqual(remedies(kit), ['set-card-aside dealer art.5.1.1', 'void-round supervisor art.5.1.2']);
  await kit.draw();
  assert.equal(cardName(kit.view.hold!.card!), '5C', 'the first one first');
  await kit.do({ type: 'set-card-aside' });
  assert.equal(cardName(kit.view.hold!.card!), '6C');
  await kit.do({ type: 'set-card-aside' });
  assert.equal(kit.view.hold, null);
  await kit.do(kit.act(1, 'stand'));
  await kit.draw();
  await kit.draw();
  assert.deepEqual(remedies(kit), ['wrong-card-shown dealer art.6.1']);
  await kit.do({ type: 'draw-wrong', shown: true });
  assert.deepEqual(remedies(kit), []);
});

test('a card read with doubt: as it was read by the dealer, another one by the supervisor, or void', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.fund(1, 50_000);
  await kit.ready('TS 9H TD 8C');
  await kit.lay({ 1: 10_000 });
  await kit.hands({ do: 'fault', device: 'shoe', fault: 'doubtful' });
  await kit.draw();
  assert.deepEqual(remedies(kit), [
    'confirm-read-card dealer art.5.1.2',
    'read-card-again dealer art.5.1.2',
    'name-card supervisor art.5.1.2',
    'void-round supervisor art.5.1.2',
  ]);
  await kit.do({ type: 'void-round', reason: 'misdeal', credential: CREDENTIAL.supervisor });
  assert.deepEqual(remedies(kit), []);
  assert.equal(kit.seat(1).creditMinor, 50_000);
});

test('art. 2.2.1 at the end of the shoe the strip’s menu has the replacement of worn cards', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.do({ type: 'sign-in-dealer', credential: CREDENTIAL.dealer });
  assert.ok(options(kit).includes('replace-cards art.2.2.1'));
  await kit.refused({ type: 'replace-cards', what: 'deck', credential: CREDENTIAL.dealer }, 'person');
  const single = { type: 'replace-cards', what: 'card', credential: CREDENTIAL.supervisor } as const;
  await kit.refused(single, 'malformed');
  await kit.do({ type: 'replace-cards', what: 'deck', credential: CREDENTIAL.supervisor });
  assert.equal(kit.last<{ what: string }>('cards-replaced').what, 'deck');
  await kit.loadShoe('2C TS');
  const cites = await kit.refused(
    { type: 'replace-cards', what: 'deck', credential: CREDENTIAL.supervisor },
    'not-due',
  );
  assert.deepEqual(cites, ['art.2.2.1']);
});

test('«that card is another one», although the shoe was sure: held, named by a supervisor, read again, and the ledger keeps both', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.fund(1, 50_000);
  await kit.ready('TS 9H TD 7C');
  await kit.deal({ 1: 10_000 });
  assert.ok(options(kit).includes('doubt-card art.5.1.2'));
  await kit.do({ type: 'doubt-card' });
  assert.deepEqual([kit.view.hold?.code, cards(kit, 1)], ['doubtful-card', 'TS']);
  assert.deepEqual(
    remedies(kit).map((each) => each.split(' ').slice(0, 2).join(' ')),
    ['confirm-read-card dealer', 'read-card-again dealer', 'name-card supervisor', 'void-round supervisor'],
  );
  await kit.restart();
  assert.equal(kit.view.hold?.code, 'recovery');
  await kit.do({ type: 'confirm-layout' });
  assert.equal(kit.view.hold?.code, 'doubtful-card', 'after a restart, too');
  const six = parseCard('6D')!;
  await kit.refused({ type: 'confirm-card', card: six }, 'person');
  await kit.do({ type: 'confirm-card', card: six, reason: 'read-wrong', credential: CREDENTIAL.supervisor });
  assert.equal(cards(kit, 1), 'TS 6D');
  const doubted = kit.last<{ card: number; person: { id: string } }>('card-doubted');
  const confirmed = kit.last<{ read: number; card: number; person: { id: string } }>('card-confirmed');
  assert.deepEqual(
    [cardName(doubted.card as never), doubted.person.id, confirmed.read, confirmed.card, confirmed.person.id],
    ['TD', 'D-01', doubted.card, six, 'S-01'],
  );
  kit.passDeadline();
  await kit.do(kit.act(1, 'stand'));
  await kit.draw();
  // 16 against the bank's 16 and its next card: the round goes on as if 6D had been read at once.
  assert.equal(kit.view.bank.cards.length, 2);
});

test('C6: a card in doubt is read once more under the shoe’s own number, and the dealer confirms the second reading', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.fund(1, 50_000);
  await kit.ready('TS 9H TD 8C');
  await kit.lay({ 1: 10_000 });
  await kit.refused({ type: 'read-card-again' }, 'not-due');
  const readAgain = async (): Promise<Record<string, unknown>> => {
    const before = kit.entries('card-read-again').length;
    await kit.do({ type: 'read-card-again' });
    await kit.until('it is read', () => kit.entries('card-read-again').length === before + 1);
    return kit.last('card-read-again');
  };
  /** The shoe's number of the entry that this card came with. */
  const numberOf = (kind: string): number =>
    Number(/(\d+)$/.exec(kit.entries(kind).at(-1)?.commandId ?? '')?.[1]);
  const ten = parseCard('TS')!;
  await kit.hands({ do: 'fault', device: 'shoe', fault: 'doubtful' });
  await kit.draw();
  assert.ok(remedies(kit).includes('read-card-again dealer art.5.1.2'));
  const first = numberOf('cards-waiting');
  const again = await readAgain();
  assert.equal(again['shoeSeq'], first);
  assert.equal((again['person'] as { id: string }).id, 'D-01');
  assert.equal(kit.view.hold?.code, 'doubtful-card', 'a person says so all the same');
  assert.equal(kit.view.hold?.card, ten);
  await kit.do({ type: 'confirm-card', card: ten });
  // Until a card that waits has its place the ledger tells nobody of it.
  const opened = kit.last('card-read-again');
  assert.deepEqual([opened['read'], opened['card'], opened['confidence']], [ten, ten, 250]);

  // One that was not read at all: the supervisor need not name it any more.
  await kit.hands({ do: 'fault', device: 'shoe', fault: 'misread' });
  await kit.draw();
  assert.equal(kit.view.hold?.code, 'card-gap');
  const nine = parseCard('9H')!;
  await kit.refused({ type: 'confirm-card', card: nine }, 'person');
  await kit.hands({ do: 'fault', device: 'shoe', fault: 'unreadable' });
  await readAgain();
  assert.equal(kit.view.hold?.code, 'card-gap', 'what was not read leaves all as it was');
  await kit.restart();
  await kit.do({ type: 'confirm-layout' });
  await kit.until('the shoe is back', () => remedies(kit).some((each) => each.startsWith('read-card-again')));
  await kit.hands({ do: 'fault', device: 'shoe', fault: 'readable' });
  const second = await readAgain();
  assert.equal(second['shoeSeq'], numberOf('cards-waiting'));
  assert.equal(kit.step, 'confirm-card');
  await kit.do({ type: 'confirm-card', card: nine });
  assert.deepEqual(
    kit.entries('card-read-again').map(({ body }) => {
      const { read, card } = body as { read: number | null; card: number | null };
      return [read, card];
    }),
    [
      [ten, ten],
      [null, null],
      [null, nine],
    ],
  );
  assert.deepEqual(codesOf(kit.entries('card-read-again').at(-1)!), [{ code: '406', class: 'N' }]);

  // Of two cards at once neither is the one that left last.
  await kit.hands({ do: 'fault', device: 'shoe', fault: 'double-feed' });
  await kit.draw();
  await kit.refused({ type: 'read-card-again' }, 'not-allowed');
});

test('C6: where the shoe reads no card twice, dealer and supervisor have what they had', async (t) => {
  const rack = new DeviceRack({ acceptors: 6, clock: hurried, boardClock: systemClock, rereads: false });
  const kit = await TestTerminal.open(t, { rack });
  await kit.fund(1, 50_000);
  await kit.ready('TS 9H TD 8C');
  await kit.lay({ 1: 10_000 });
  await kit.hands({ do: 'fault', device: 'shoe', fault: 'doubtful' });
  await kit.draw();
  assert.ok(remedies(kit).every((each) => !each.startsWith('read-card-again')));
  await kit.refused({ type: 'read-card-again' }, 'off');
});
