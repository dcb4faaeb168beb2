/**
 * Players' cards that lie face down: who is shown them, and what the ledger says of them meanwhile.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cardName } from '../../engine/core/cards.ts';
import { eyesOf, shownTo } from '../../host/table/shown-to.ts';
import { restoreState, stateHash } from '../../host/table/terminal.ts';
import type { TableView } from '../../wire/view.ts';
import type { TestDisplay } from '../support/display.ts';
import { CREDENTIAL, TestTerminal } from './test-terminal.ts';

const profile = {
  options: { burnAtStart: 'one', min: 5_000, max: 500_000, step: 1_000, dealing: 'faceDown' },
};

const ROLES = ['table', 'dealer', 'seat:1', 'seat:3', 'spectator', 'service', 'operator'] as const;
const cardsOf = ({ seats }: TableView, seat: number): string =>
  seats[seat - 1]!.hands[0]!.cards.map(cardName).join(' ');

test('art. 5.2.1 a display is shown the cards face down of its own seat, the big table all, anybody else none', async (t) => {
  const kit = await TestTerminal.open(t, { profile });
  const displays = new Map<string, TestDisplay>();
  for (const role of ROLES) displays.set(role, await kit.display(role));
  const shown = async (): Promise<Record<string, string>> => {
    const { seq } = kit.view;
    for (const display of displays.values()) await kit.until('it is shown', () => display.view.seq >= seq);
    return Object.fromEntries(
      ROLES.map((role) => {
        const { view } = displays.get(role)!;
        const points = [1, 3].map((seat) => view.seats[seat - 1]!.hands[0]!.points);
        return [role, `${cardsOf(view, 1)} | ${cardsOf(view, 3)} | ${points.join(' ')}`];
      }),
    );
  };
  await kit.fund(1, 50_000);
  await kit.fund(3, 50_000);
  await kit.ready('TS 2H 9H TD 3D KC 5C 8C');
  await kit.deal({ 1: 10_000, 3: 10_000 });
  const none = '?? ?? | ?? ?? |  ';
  assert.deepEqual(await shown(), {
    table: 'TS TD | 2H 3D | 20 5',
    dealer: none,
    'seat:1': 'TS TD | ?? ?? | 20 ',
    'seat:3': '?? ?? | 2H 3D |  5',
    spectator: none,
    service: none,
    operator: none,
  });
  // A seat with a display of its own: the table draws no panel of it, and needs none of its cards.
  const beside: TableView = { ...kit.view, handedOver: { dealer: false, seats: [3] } };
  const left = shownTo(beside, eyesOf(beside, 'table'));
  assert.equal(`${cardsOf(left, 1)} | ${cardsOf(left, 3)}`, 'TS TD | ?? ??');
  const tells = (role: string): string[] => displays.get(role)!.view.seats[0]!.choices.map(({ act }) => act);
  if (kit.view.phase === 'offers') kit.passDeadline();
  await shown();
  assert.ok(tells('seat:1').includes('split'));
  assert.deepEqual(tells('dealer'), [], 'nor what may be done with them');
  assert.deepEqual(tells('seat:3'), []);
  await kit.do(kit.act(1, 'double'));
  await kit.hands({ do: 'draw-card' });
  await kit.until('it is there', () => kit.seat(1).hands[0]!.cards.length === 3);
  const open = await shown();
  assert.equal(open['dealer'], 'TS TD KC | ?? ?? | 30 ', 'a double is shown');
});

test('whoever has the ledger and not the key comes to every state that was signed, after each transaction', async (t) => {
  const kit = await TestTerminal.open(t, { profile });
  await kit.fund(1, 50_000);
  await kit.fund(3, 50_000);
  await kit.ready('TS 2H 9H 4H TD 3D KC 5C 8C');
  let checked = 0;
  const watch = (): void => {
    const { terminal } = kit.host;
    terminal.onCommit(() => {
      const { ledger, state } = terminal;
      const { seq } = ledger.head();
      assert.equal(
        stateHash(restoreState(ledger, seq)).toString('hex'),
        stateHash(state).toString('hex'),
        `entry ${seq}`,
      );
      assert.deepEqual(restoreState(ledger, seq, ledger.mac), state, 'and the terminal to every card');
      checked += 1;
    });
  };
  watch();
  await kit.lay({ 1: 10_000, 3: 10_000 });
  await kit.draw(4);
  // art. 5.1.1: it came out face up, and the first card of seat 1 lies face down.
  await kit.do({ type: 'take-back-card' });
  assert.deepEqual(kit.last<{ cards: { card: number }[] }>('cards-opened').cards.length, 1);
  while (kit.view.phase === 'dealing') await kit.draw();
  await kit.do({ type: 'assign-card', fromSeat: 1, toSeat: 3 });
  assert.deepEqual([cardsOf(kit.view, 1), cardsOf(kit.view, 3)], ['2H 3D', 'TS TD']);
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  const running = await kit.table.query({ query: 'round', roundId: kit.view.round!.id });
  assert.deepEqual(
    running?.seats.map(({ hands }) => hands[0]!.cards),
    [
      [null, null],
      [null, null],
    ],
  );
  await kit.do({ type: 'exit-service' });
  await kit.die();
  assert.deepEqual([cardsOf(kit.view, 1), cardsOf(kit.view, 3)], ['2H 3D', 'TS TD'], 'also the next life');
  watch();
  await kit.do({ type: 'confirm-layout' });
  if (kit.view.phase === 'offers') kit.passDeadline();
  await kit.do(kit.act(1, 'stand'));
  await kit.do(kit.act(3, 'stand'));
  assert.ok(checked > 6);
  const [first] = kit.entries('card-dealt');
  assert.equal((first!.body as { card: unknown }).card, null, 'not before the bets are settled');
});
