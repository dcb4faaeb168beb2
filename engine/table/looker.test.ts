/** Two states have one text where they are the same for the law, and two where they are not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestTable } from '../../test/support/table-kit.ts';
import { parseCard, rankOf } from '../core/cards.ts';
import '../engine.ts';
import { BACCARAT } from '../games/baccarat/baccarat.ts';
import { Looker, sightOn } from './looker.ts';
import { gameNamed, handIn } from './registry.ts';
import { kindsBy, OPEN_ROUND, type Sight } from './sight.ts';
import type { Hand, TableState } from './state.ts';

const PLAIN: Sight = { ...OPEN_ROUND, kinds: new Uint8Array(52), mostSeats: 7, leftOut: {}, tellers: {} };
const KH = parseCard('KH')!;
const { state: READY } = TestTable.ready();
/** What is seen of a member of a hand. */
const text = (looker: Looker, of: unknown): string => looker.seeHand(READY, { of } as unknown as Hand);

test('values that are not the same have texts that are not, and the same value has the same text again', () => {
  const values: readonly unknown[] = [
    ...[0, 1, -1, -65_536, 1.5, 0xfe_ff, 0xff_00, 0xff_01, 0xff_02, 0xff_03, 0x1_00_00, Number.NaN],
    ...[true, false, null, undefined, '', '0', 'a', 'b'],
    ...[[], [0], [0, 0], [[]], [[0]], [null], ['a']],
    ...[{}, { a: 0 }, { b: 0 }, { a: 1 }, { a: 0, b: 0 }, { b: 0, a: 0 }, { a: {} }, { a: [] }, [{}]],
  ];
  const looker = new Looker(PLAIN);
  const texts = values.map((value) => text(looker, value));
  for (const [at, value] of values.entries()) {
    const same = texts.flatMap((each, other) => (each === texts[at] ? [other] : []));
    assert.deepEqual(same, [at], JSON.stringify(value));
    assert.equal(text(looker, structuredClone(value)), texts[at], JSON.stringify(value));
  }
});

test('a text leaves out what no law looks at and what its game leaves out; a teller speaks for its member', () => {
  const table = TestTable.ready();
  table.bets({ 1: 10_000 });
  table.draw('TS');
  const looker = new Looker({
    ...PLAIN,
    leftOut: { 'hands.called': 'not here' },
    tellers: { 'hands.cards': (cards: readonly unknown[], _: unknown, tell) => tell(cards.length) },
  });
  const see = (change: (state: TableState) => unknown): string => {
    const state = structuredClone(table.state);
    change(state);
    return looker.see(state);
  };
  const before = see(() => {});
  const hand = ({ round }: TableState): Hand => round!.seats[0]!.hands[0]!;
  /** change · whether it is seen */
  const cases: readonly (readonly [(state: TableState) => unknown, boolean])[] = [
    [(state) => Object.assign(state, { roundNo: 9 }), false],
    [({ round }) => Object.assign(round!, { id: 'other' }), false],
    // The game leaves out whether a card was asked for, and counts cards.
    [(state) => Object.assign(hand(state), { called: true }), false],
    [(state) => hand(state).cards.splice(0, 1, KH), false],
    [(state) => hand(state).cards.push(KH), true],
    [(state) => Object.assign(hand(state), { status: 'stood' }), true],
    [(state) => Object.assign(state, { phase: 'bank' }), true],
  ];
  for (const [change, isSeen] of cases) assert.equal(see(change) !== before, isSeen, String(change));
});

test('how many cards are burnt counts while they are, and how many are dealt while they are', () => {
  const looker = new Looker(PLAIN);
  const see = (stage: 'burn' | 'ready', startBurn: number, startBurned: number): string =>
    looker.see({ ...READY, shoe: { ...READY.shoe, stage, startBurn, startBurned } });
  assert.equal(see('ready', 1, 0), see('ready', 2, 1));
  assert.notEqual(see('burn', 1, 0), see('burn', 2, 0));
  assert.notEqual(see('burn', 2, 0), see('burn', 2, 1));

  const table = TestTable.ready();
  table.bets({ 1: 10_000 });
  const dealt = (phase: 'dealing' | 'turns', cardCount: number): string =>
    looker.see({ ...table.state, phase, round: { ...table.state.round!, cardCount } });
  assert.notEqual(dealt('dealing', 1), dealt('dealing', 2));
  assert.equal(dealt('turns', 1), dealt('turns', 2));
});

test('a game says what each option has to do with the cards, or its rounds are played live', () => {
  const { rules } = TestTable.ready({}, { rulebook: 'macau-baccarat' }).state;
  assert.ok(!('live' in sightOn(rules!, ['player'])));
  assert.throws(
    () => sightOn({ ...rules!, other: 1 } as typeof rules & object, ['player']),
    /^Error: the sight of baccarat does not mention the option other$/,
  );
  // The registry keeps the game that was asked for last.
  const hand = (game: object): void => {
    handIn(game as typeof BACCARAT);
    gameNamed('blackjack');
  };
  try {
    const { sight: _, ...blind } = BACCARAT;
    hand(blind);
    assert.deepEqual(sightOn(rules!, ['player']), { live: 'no sight has been declared for baccarat' });
  } finally {
    hand(BACCARAT);
  }
});

test('cards of one kind have one number, and of two kinds two', () => {
  const kinds = kindsBy(rankOf);
  assert.equal(new Set(kinds).size, 13);
  assert.ok(kinds.every((kind, card) => kind === kinds[card % 13]));
});
