/** Players' cards that lie face down: who is shown them, and what the ledger says of them meanwhile. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cardName } from '../../engine/core/cards.ts';
import { restoreState, stateHash } from '../../host/table/terminal.ts';
import type { TableView } from '../../wire/view.ts';
import type { TestDisplay } from '../support/display.ts';
import { CREDENTIAL, House } from './house.ts';

const profile = {
  options: { burnAtStart: 'one', min: 5_000, max: 500_000, step: 1_000, dealing: 'faceDown' },
};

const ROLES = ['table', 'dealer', 'seat:1', 'seat:3', 'service', 'operator'] as const;
const cardsOf = ({ seats }: TableView, seat: number): string =>
  seats[seat - 1]!.hands[0]!.cards.map(cardName).join(' ');

test('art. 5.2.1 a display is shown the cards face down of its own seat, the big table all, anybody else none', async (t) => {
  const house = await House.open(t, { profile });
  const displays = new Map<string, TestDisplay>();
  for (const role of ROLES) displays.set(role, await house.display(role));
  const shown = async (): Promise<Record<string, string>> => {
    const { seq } = house.view;
    for (const display of displays.values()) await house.until('it is shown', () => display.view.seq >= seq);
    return Object.fromEntries(
      ROLES.map((role) => {
        const { view } = displays.get(role)!;
        const points = [1, 3].map((seat) => view.seats[seat - 1]!.hands[0]!.points);
        return [role, `${cardsOf(view, 1)} | ${cardsOf(view, 3)} | ${points.join(' ')}`];
      }),
    );
  };
  await house.fund(1, 50_000);
  await house.fund(3, 50_000);
  await house.ready('TS 2H 9H TD 3D KC 5C 8C');
  await house.deal({ 1: 10_000, 3: 10_000 });
  const none = '?? ?? | ?? ?? |  ';
  assert.deepEqual(await shown(), {
    table: 'TS TD | 2H 3D | 20 5',
    dealer: none,
    'seat:1': 'TS TD | ?? ?? | 20 ',
    'seat:3': '?? ?? | 2H 3D |  5',
    service: none,
    operator: none,
  });
  const tells = (role: string): string[] => displays.get(role)!.view.seats[0]!.choices.map(({ act }) => act);
  if (house.view.phase === 'offers') house.passDeadline();
  await shown();
  assert.ok(tells('seat:1').includes('split'));
  assert.deepEqual(tells('dealer'), [], 'nor what may be done with them');
  assert.deepEqual(tells('seat:3'), []);
  await house.do(house.act(1, 'double'));
  await house.hands({ do: 'draw-card' });
  await house.until('it is there', () => house.seat(1).hands[0]!.cards.length === 3);
  const open = await shown();
  assert.equal(open['dealer'], 'TS TD KC | ?? ?? | 30 ', 'a double is shown');
});

test('whoever has the ledger and not the key comes to every state that was signed, after each transaction', async (t) => {
  const house = await House.open(t, { profile });
  await house.fund(1, 50_000);
  await house.fund(3, 50_000);
  await house.ready('TS 2H 9H TD 3D KC 5C 8C');
  let checked = 0;
  const watch = (): void => {
    const { terminal } = house.host;
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
  await house.deal({ 1: 10_000, 3: 10_000 });
  await house.do({ type: 'assign-card', fromSeat: 1, toSeat: 3 });
  assert.deepEqual([cardsOf(house.view, 1), cardsOf(house.view, 3)], ['2H 3D', 'TS TD']);
  await house.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  const running = await house.table.query({ query: 'round', roundId: house.view.round!.id });
  assert.deepEqual(
    running?.seats.map(({ hands }) => hands[0]!.cards),
    [
      [null, null],
      [null, null],
    ],
  );
  await house.do({ type: 'exit-service' });
  await house.die();
  assert.deepEqual(
    [cardsOf(house.view, 1), cardsOf(house.view, 3)],
    ['2H 3D', 'TS TD'],
    'also the next life',
  );
  watch();
  await house.do({ type: 'confirm-layout' });
  if (house.view.phase === 'offers') house.passDeadline();
  await house.do(house.act(1, 'stand'));
  await house.do(house.act(3, 'stand'));
  assert.ok(checked > 6);
  const [first] = house.entries('card-dealt');
  assert.equal((first!.body as { card: unknown }).card, null, 'not before the bets are settled');
});
