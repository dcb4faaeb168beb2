/**
 * Making a shoe ready and ending it: the cut in turn, packets, feeding, complaints, a jam, and the
 * cards themselves.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEALER, profileWith, SUPERVISOR, TECHNICIAN, TestTable } from '../../test/support/table-kit.ts';
import { type Card, cardName, parseCard } from '../core/cards.ts';
import { shuffledShoe } from '../core/shoe.ts';
import { dealerOptions, nextStep } from '../engine.ts';
import { SHOE_ROWS } from './events-shoe.ts';
import type { OptionValue } from './profile.ts';

/** The card `TestTable` burns. */
const AD = parseCard('AD')!;

/** A table of Portugal with credit at these seats and no shoe yet. */
function before(options: Readonly<Record<string, OptionValue>>, ...seats: number[]): TestTable {
  const t = new TestTable();
  t.must({
    type: 'configure',
    profile: profileWith(options, { rulebook: 'portugal-blackjack' }),
    person: null,
  });
  t.must({ type: 'sign-in-dealer', person: DEALER });
  for (const seat of seats) t.insert(seat, 100_000);
  return t;
}

const load = (t: TestTable): void => {
  t.must({ type: 'load-shoe', shoeId: 's', decks: 6 });
};
const step = (t: TestTable): string => {
  const { cites, ...rest } = nextStep(t.state);
  return `${Object.values(rest).join(' ')} ${cites.join(' ')}`;
};
const options = (t: TestTable): string[] => dealerOptions(t.state).map(({ option }) => option);

/** Cut and burn by whoever's turn it is, and one round of seat `seat`. */
function round(t: TestTable, seat: number): void {
  t.bets({ [seat]: 1_000 });
  t.draw('TS 7H 9D TC');
  t.wait();
  t.act(seat, 'stand');
  t.close();
}

test('C3: where the house wants it, no card leaves a loaded shoe before a supervisor has seen it, nor is it laid out', () => {
  const supervised = (
    options: Readonly<Record<string, OptionValue>>,
    rulebook: 'portugal-blackjack' | 'macau-blackjack-2009',
  ) => {
    const t = new TestTable();
    const profile = profileWith(options, { rulebook, supervisedShoe: true });
    t.must({ type: 'configure', profile, person: null });
    t.must({ type: 'sign-in-dealer', person: DEALER });
    t.insert(1, 100_000);
    if (rulebook === 'portugal-blackjack') t.must({ type: 'check-decks', person: DEALER });
    return t;
  };
  const see = { type: 'witness-loading', person: SUPERVISOR } as const;
  const macau = supervised({}, 'macau-blackjack-2009');
  assert.equal(macau.try(see)?.code, 'not-due', 'nothing is loaded');
  load(macau);
  assert.equal(step(macau), 'witness-loading ');
  assert.equal(macau.try({ type: 'cut-shoe', seat: null })?.code, 'not-due');
  for (const person of [DEALER, TECHNICIAN]) assert.equal(macau.try({ ...see, person })?.code, 'person');
  const drawn = macau.try({ type: 'draw-card', drawNo: null, card: AD, confidence: 255 });
  assert.equal(drawn?.code, 'not-due', 'a card that leaves it all the same is none of this table');
  load(macau);
  assert.equal(macau.state.hold, null);
  macau.must(see);
  assert.equal(macau.try(see)?.code, 'not-due', 'once for each loading');
  assert.equal(macau.state.shoe.stage, 'cut');
  macau.checkReplay();

  // r.54 has a supervisor at every packet anyway, and a shoe of Portugal is laid out by one, too.
  const shuffler = supervised({ cardSource: 'continuousShuffler' }, 'portugal-blackjack');
  load(shuffler);
  assert.equal(shuffler.state.shoe.stage, 'packets');
  const portugal = supervised({}, 'portugal-blackjack');
  load(portugal);
  portugal.must(see);
  assert.equal(portugal.try({ type: 'lay-out-cards', person: DEALER })?.code, 'person');
  portugal.must({ type: 'lay-out-cards', person: SUPERVISOR });
});

test('r.7 the cards are shown before the first shoe, and again once some were replaced', () => {
  const t = before({}, 2);
  assert.equal(step(t), 'check-decks r.7');
  const loading = { type: 'load-shoe', shoeId: 's', decks: 6 } as const;
  assert.deepEqual(t.try(loading)?.cites, ['r.7']);
  assert.equal(t.try({ type: 'check-decks', person: TECHNICIAN })?.code, 'person');
  t.must({ type: 'check-decks', person: DEALER });
  assert.equal(t.try({ type: 'check-decks', person: DEALER })?.code, 'nothing-to-do');
  assert.equal(step(t), 'load-shoe r.8');
  load(t);
  assert.equal(t.try({ type: 'replace-cards', what: 'deck', person: DEALER })?.code, 'person');
  assert.deepEqual(t.try({ type: 'replace-cards', what: 'card', person: SUPERVISOR })?.cites, ['r.5']);
  t.must({ type: 'replace-cards', what: 'deck', person: SUPERVISOR });
  assert.equal(t.try(loading)?.code, 'not-due');
});

test('r.5 single cards are replaced where the inspection allows it, else the whole deck', () => {
  const one = { type: 'replace-cards', what: 'card', person: SUPERVISOR } as const;
  const allowed = before({ deckReplacement: 'damagedOnly' }, 2);
  assert.equal(allowed.try({ ...one, card: 52 as never })?.code, 'malformed');
  allowed.must({ ...one, card: parseCard('KH')! });
  const told = allowed.events.at(-1);
  assert.ok(told?.type === 'cards-replaced' && told.card === parseCard('KH'), 'it is named');
  assert.equal(step(allowed), 'check-decks r.7');
  assert.equal(before({}, 2).try(one)?.code, 'off');
});

test('r.5 the packs of one session serve in the next: other people come, and no card is replaced', () => {
  const t = before({}, 2);
  t.shoe();
  round(t, 2);
  t.must({ type: 'sign-out-dealer' });
  t.must({ type: 'sign-in-dealer', person: { ...DEALER, id: 'D-02' } });
  assert.equal(step(t), 'open-betting r.17', 'the same shoe goes on');
  round(t, 2);
  t.must({ type: 'lay-out-cards', person: DEALER });
  assert.equal(step(t), 'load-shoe r.8', 'shuffled again, and neither shown nor replaced');
});

test('r.8 the cut goes from seat to seat, past those who refuse, and to the supervisor where all do', () => {
  const t = before({}, 2, 4, 7);
  t.must({ type: 'check-decks', person: DEALER });
  load(t);
  assert.equal(step(t), 'cut-shoe 2 r.8');
  assert.equal(t.try({ type: 'cut-shoe', seat: 4 })?.code, 'not-your-turn');
  assert.equal(t.try({ type: 'cut-shoe', seat: null, person: SUPERVISOR })?.code, 'not-due');
  assert.equal(t.try({ type: 'refuse-cut', seat: 4 })?.code, 'not-your-turn');
  assert.ok(options(t).includes('refuse-cut'));
  t.must({ type: 'refuse-cut', seat: 2 });
  t.must({ type: 'cut-shoe', seat: 4 });
  assert.equal(t.try({ type: 'refuse-cut', seat: 7 })?.code, 'not-due', 'it is cut');
  load(t);
  assert.equal(step(t), 'cut-shoe 7 r.8', 'a shoe laid down half made counts as cut');
  for (const seat of [7, 2, 4]) t.must({ type: 'refuse-cut', seat });
  assert.equal(step(t), 'cut-shoe 0 r.8');
  assert.ok(!options(t).includes('refuse-cut'));
  assert.equal(t.try({ type: 'cut-shoe', seat: null })?.code, 'person');
  t.must({ type: 'cut-shoe', seat: null, person: SUPERVISOR });
  load(t);
  assert.equal(step(t), 'cut-shoe 2 r.8', 'the order starts afresh');
  t.checkReplay();
});

test('r.9 the warning card: near the 50th from the end, in the middle with one player', () => {
  const t = before({}, 3);
  t.must({ type: 'check-decks', person: DEALER });
  load(t);
  t.must({ type: 'cut-shoe', seat: 3 });
  assert.equal(step(t), 'place-end-card 156 156 r.9');
  assert.deepEqual(t.try({ type: 'place-end-card', cardsBehind: 50 })?.cites, ['r.9']);
  t.insert(5, 10_000);
  assert.equal(step(t), 'place-end-card 50 50 r.9');
  t.must({ type: 'place-end-card', cardsBehind: 50 });
  assert.equal(step(t), 'burn 0 1 r.10');
});

test('r.12 what is left is laid open, and the lowest seat cuts again', () => {
  const t = before({}, 2, 4);
  assert.equal(t.try({ type: 'lay-out-cards', person: DEALER })?.code, 'not-due', 'no shoe');
  t.shoe();
  t.open();
  assert.equal(t.try({ type: 'lay-out-cards', person: DEALER })?.code, 'not-due', 'a round is open');
  t.must({ type: 'close-betting' });
  assert.ok(options(t).includes('lay-out-cards'));
  t.must({ type: 'lay-out-cards', person: DEALER });
  assert.equal(t.events.at(-1)?.type, 'cards-laid-out');
  assert.equal(step(t), 'load-shoe r.8');
  load(t);
  assert.equal(step(t), 'cut-shoe 2 r.8');
});

test('Macau knows no cut in turn, no deck check and no shoe laid open', () => {
  const t = TestTable.ready();
  assert.equal(t.try({ type: 'lay-out-cards', person: SUPERVISOR })?.code, 'off');
  assert.equal(t.try({ type: 'check-decks', person: DEALER })?.code, 'off');
  assert.equal(t.try({ type: 'replace-cards', what: 'deck', person: SUPERVISOR })?.code, 'not-due');
  assert.equal(t.try({ type: 'feed-shuffler' })?.code, 'off');
  t.must({ type: 'load-shoe', shoeId: 's', decks: 6 });
  assert.equal(t.try({ type: 'refuse-cut', seat: 1 })?.code, 'off');
  t.must({ type: 'cut-shoe', seat: 5 });
});

test('r.52-r.54 a shuffler: no cut, no warning card; at least two packets before a supervisor, then the burn', () => {
  const t = before({ cardSource: 'continuousShuffler' }, 2, 4);
  t.must({ type: 'check-decks', person: DEALER });
  load(t);
  assert.equal(step(t), 'load-packet 0 2 r.54');
  assert.equal(t.try({ type: 'cut-shoe', seat: 2 })?.code, 'not-due');
  assert.equal(t.try({ type: 'load-packet', last: false, person: DEALER })?.code, 'person');
  assert.equal(t.try({ type: 'load-packet', last: true, person: SUPERVISOR })?.code, 'not-allowed');
  t.must({ type: 'load-packet', last: false, person: SUPERVISOR });
  t.must({ type: 'load-packet', last: false, person: SUPERVISOR });
  t.must({ type: 'load-packet', last: true, person: SUPERVISOR });
  assert.equal(step(t), 'burn 0 1 r.10');
  t.draw('2C');
  assert.equal(t.try({ type: 'end-card-out' })?.code, 'off');
  assert.equal(step(t), 'open-betting r.17', 'the burnt card alone is no round to feed');
});

test('r.59-r.61 cards are fed after the round, unless a complaint keeps them; what is not fed waits', () => {
  const t = before({ cardSource: 'continuousShuffler' }, 2, 4);
  t.shoe();
  assert.equal(t.try({ type: 'raise-complaint', seat: 2 })?.code, 'too-late');
  round(t, 2);
  assert.equal(step(t), 'feed-shuffler r.59');
  assert.ok(options(t).includes('open-betting') && options(t).includes('raise-complaint'));
  t.must({ type: 'raise-complaint', seat: 4 });
  assert.equal(t.try({ type: 'raise-complaint', seat: 4 })?.code, 'duplicate');
  assert.equal(step(t), 'close-complaint 1 4 r.61');
  assert.deepEqual(t.try({ type: 'feed-shuffler' })?.cites, ['r.61']);
  // r.60: the game goes on, the cards wait for those of a later round.
  round(t, 2);
  assert.equal(t.state.shoe.drawn, 9);
  t.must({ type: 'raise-complaint', seat: 2 });
  const close = { type: 'close-complaint', upheld: false, person: SUPERVISOR } as const;
  assert.equal(t.try({ ...close, complaintNo: 1, person: DEALER })?.code, 'person');
  assert.equal(t.try({ ...close, complaintNo: 3 })?.code, 'nothing-to-do');
  t.must({ ...close, complaintNo: 1 });
  t.must({ ...close, complaintNo: 2 });
  t.must({ type: 'feed-shuffler' });
  assert.deepEqual([t.state.shoe.drawn, t.state.shoe.discarded], [0, 0]);
  assert.equal(t.events.findLast(({ type }) => type === 'shuffler-fed')?.atMs, t.atMs);
  assert.equal(t.try({ type: 'feed-shuffler' })?.code, 'not-due');
  assert.equal(t.try({ type: 'raise-complaint', seat: 2 })?.code, 'too-late', 'r.61');
  t.checkReplay();
});

test('r.59 a shuffler that was never fed asks for its cards before it runs out', () => {
  const t = before({ cardSource: 'continuousShuffler', decks: 4 }, 1);
  t.shoe();
  const pack = shuffledShoe(4, 1).filter((card, i, all) => card !== AD || all.indexOf(AD) !== i);
  let refused = null;
  for (let no = 0; !refused; no += 1) {
    refused = t.try({ type: 'open-betting', roundId: `x${no}` });
    if (refused) break;
    t.bet(1, 1_000);
    t.must({ type: 'close-betting' });
    for (let due = nextStep(t.state).step; due !== 'read-results'; due = nextStep(t.state).step) {
      if (due.startsWith('draw-for')) t.draw(cardName(pack.pop()!));
      else t.wait();
    }
    t.close();
  }
  assert.deepEqual([refused?.code, refused?.cites], ['not-due', ['r.59']]);
  assert.ok(4 * 52 - t.state.shoe.drawn < 2 * 8 + 2, `${t.state.shoe.drawn} cards are out`);
  assert.ok(!options(t).includes('open-betting'));
  t.must({ type: 'feed-shuffler' });
  assert.equal(step(t), 'open-betting r.17');
});

test('r.51 a jam halts the table until a supervisor has opened the lid, or after them the technician', () => {
  const t = before({ cardSource: 'autoShuffler' }, 1);
  t.shoe();
  t.bets({ 1: 1_000 });
  t.draw('TS 7H');
  const jam = { device: 'shoe', fault: 'shoe-jam' } as const;
  t.must({ type: 'report-fault', ...jam, place: 'shuffler' });
  assert.equal(step(t), 'open-shuffler false r.51');
  assert.equal(t.state.deadline, null);
  t.must({ type: 'clear-fault', ...jam });
  assert.equal(t.try({ type: 'confirm-layout', person: DEALER })?.code, 'held', 'the lid was not opened yet');
  const open = { type: 'open-shuffler', solved: false } as const;
  assert.equal(t.try({ ...open, person: TECHNICIAN })?.code, 'person');
  t.must({ ...open, person: SUPERVISOR });
  assert.equal(step(t), 'open-shuffler true r.51');
  assert.equal(t.try({ ...open, person: SUPERVISOR })?.code, 'person');
  t.must({ ...open, solved: true, person: TECHNICIAN });
  assert.equal(t.try({ ...open, person: TECHNICIAN })?.code, 'not-due');
  t.must({ type: 'confirm-layout', person: DEALER });
  t.draw('9D TC');
  t.checkReplay();
});

test('r.51 a card that comes damaged out of a shuffler is replaced by a supervisor, and the inspection hears of it', () => {
  const t = before({ cardSource: 'autoShuffler' }, 1);
  t.shoe();
  t.bets({ 1: 1_000 });
  t.draw('TS 7H');
  const replace = { type: 'replace-cards', what: 'card', person: SUPERVISOR } as const;
  const report = { type: 'report-replacement', person: SUPERVISOR } as const;
  const cites = ['r.51'];
  assert.deepEqual(t.try(report), {
    ok: false,
    code: 'nothing-to-do',
    cites,
    detail: 'no damaged card was replaced',
  });
  assert.deepEqual(t.try({ ...replace, person: DEALER })?.cites, ['r.5', 'r.51']);
  // At once: inside the round, though the rule of the shoe would have the whole deck.
  t.must(replace);
  t.must(replace);
  assert.equal(step(t), 'draw-for-seat 1 0 r.17', 'the round goes on');
  t.draw('9D TC');
  assert.deepEqual(
    dealerOptions(t.state).find(({ option }) => option === 'report-replacement'),
    { option: 'report-replacement', cites },
  );
  assert.deepEqual(t.try({ ...report, person: DEALER })?.cites, cites);
  t.must(report);
  assert.deepEqual(t.events.at(-1), {
    type: 'replacement-reported',
    atMs: t.atMs,
    count: 2,
    person: SUPERVISOR,
  });
  assert.ok(!options(t).includes('report-replacement'));
  t.checkReplay();
  const shoe = before({}, 1);
  shoe.shoe();
  shoe.must({ type: 'replace-cards', what: 'deck', person: SUPERVISOR });
  assert.equal(shoe.try(report)?.code, 'off', 'r.51 is of a shuffler');
});

test('r.55 out of the shuffler the cards are put in order by deck, and no deck that is not regular is played again', () => {
  const t = before({ cardSource: 'autoShuffler' }, 1);
  t.shoe();
  const order = { type: 'order-decks', regular: true, person: DEALER } as const;
  assert.deepEqual(t.try(order)?.cites, ['r.55']);
  assert.deepEqual(dealerOptions(t.state).find(({ option }) => option === 'lay-out-cards')?.cites, ['r.55']);
  assert.deepEqual(t.try({ type: 'lay-out-cards', person: DEALER })?.cites, ['r.55'], 'before a supervisor');
  t.must({ type: 'lay-out-cards', person: SUPERVISOR });
  assert.equal(step(t), 'order-decks r.55');
  const loading = { type: 'load-shoe', shoeId: 's2', decks: 6 } as const;
  assert.deepEqual([t.try(loading)?.code, t.try(loading)?.cites], ['not-due', ['r.55']]);
  assert.equal(t.try({ ...order, person: TECHNICIAN })?.code, 'person');
  t.must({ ...order, regular: false });
  assert.equal(step(t), 'call-supervisor r.5');
  assert.equal(t.try(order)?.code, 'not-due');
  assert.deepEqual([t.try(loading)?.code, t.try(loading)?.cites], ['not-due', ['r.5']]);
  t.must({ type: 'replace-cards', what: 'deck', person: SUPERVISOR });
  assert.equal(step(t), 'check-decks r.7', 'r.53: before the next game they are shown');
  t.must({ type: 'check-decks', person: DEALER });
  t.must(loading);
  t.checkReplay();
});

test('r.55 regular decks wait for the next game; r.12 what lies open beside a shoe is not put in order', () => {
  const t = before({ cardSource: 'continuousShuffler' }, 1);
  t.shoe();
  t.must({ type: 'lay-out-cards', person: SUPERVISOR });
  t.must({ type: 'order-decks', regular: true, person: DEALER });
  assert.equal(step(t), 'check-decks r.7');
  const shoe = before({}, 1);
  shoe.shoe();
  shoe.must({ type: 'lay-out-cards', person: DEALER });
  assert.equal(step(shoe), 'load-shoe r.8');
  assert.equal(shoe.try({ type: 'order-decks', regular: true, person: DEALER })?.code, 'not-due');
});

test('art. 2.2.4 the shuffler of Macau takes its cards back by itself', () => {
  const t = TestTable.ready({ cardSource: 'autoShuffler' });
  t.bets({ 1: 1_000 });
  t.draw('TS 7H 9D');
  t.wait();
  t.act(1, 'stand');
  t.draw('TC');
  t.close();
  assert.equal(t.state.shoe.drawn, 0);
  assert.equal(step(t), 'open-betting art.5.1');
});

interface Named {
  readonly missing?: readonly Card[];
  readonly extra?: readonly Card[];
}

test('C10, C15: at its end the cards of a shoe are counted; a difference is named and signed by a supervisor, and no shoe comes before', () => {
  const table = TestTable.ready({}, { countCards: true });
  const count = (left: number, discarded: number, person = DEALER, named: Named = {}) =>
    table.try({ type: 'count-cards', left, discarded, ...named, person });
  const load = { type: 'load-shoe', shoeId: 's2', decks: 6 } as const;
  assert.equal(count(0, 0)?.code, 'not-due');
  const lastRound = (): void => {
    table.bets({ 1: 1_000 });
    table.must({ type: 'end-card-out' });
    table.draw('TS 9H TD');
    table.wait();
    table.act(1, 'stand');
    table.draw('8C');
    table.close();
  };
  lastRound();
  const { burned, drawn } = table.state.shoe;
  assert.equal(nextStep(table.state).step, 'count-cards');
  assert.equal(table.try(load)?.code, 'not-due');
  assert.deepEqual([drawn, burned], [4 + burned, burned]);
  assert.equal(count(312 - drawn - 1, drawn)?.code, 'person', 'the dealer signs no difference');
  const [KS, QH] = [parseCard('KS')!, parseCard('QH')!];
  const why = (...named: readonly Named[]): unknown[] =>
    named.map((each) => count(311 - drawn, drawn, SUPERVISOR, each)?.code ?? null);
  assert.deepEqual(
    why(
      {},
      { extra: [KS] },
      { missing: [KS, QH] },
      { missing: [KS, QH], extra: [KS] },
      { missing: [52 as Card] },
    ),
    ['unnamed-cards', 'unnamed-cards', 'unnamed-cards', 'malformed', 'malformed'],
    'the one that is missing is named',
  );
  assert.equal(count(311 - drawn, drawn, SUPERVISOR, { missing: [KS] }), null);
  const told = table.events.at(-1);
  assert.ok(told?.type === 'cards-counted');
  assert.deepEqual([told.left, told.due], [311 - drawn, { left: 312 - drawn, discarded: drawn }]);
  assert.deepEqual([told.missing, told.extra], [[KS], undefined]);
  const [, differs] = SHOE_ROWS['cards-counted'].codes;
  assert.equal(differs.code, '413');
  assert.equal(differs.when(told), true);
  table.shoe();
  lastRound();
  const again = table.state.shoe.drawn;
  // As many as must be, and one of them from another pack.
  const swapped = { missing: [QH], extra: [KS] };
  assert.equal(count(312 - again, again, DEALER, swapped)?.code, 'person');
  assert.equal(count(312 - again, again, SUPERVISOR, swapped), null);
  const other = table.events.at(-1);
  assert.ok(other?.type === 'cards-counted' && differs.when(other));
  table.shoe();
  lastRound();
  assert.equal(count(312 - again, again), null);
  const all = table.events.at(-1);
  assert.ok(all?.type === 'cards-counted' && !differs.when(all));
  table.shoe();
  table.checkReplay();
});
