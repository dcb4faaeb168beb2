import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { validateOptions } from '../../books.ts';
import { type Card, cardName, parseCard, RANKS } from '../../core/cards.ts';
import '../../engine.ts';
import { sightOn } from '../../table/looker.ts';
import type { OptionValue, RulebookId } from '../../table/profile.ts';
import type { SettlementLine } from '../../table/settlement.ts';
import type { Sight } from '../../table/sight.ts';
import type { Hand, RoundState, TableState } from '../../table/state.ts';
import { isBlackjack, isPair, isSameValue, isSpecialPrize, pointsOf } from './hand.ts';

function sightWith(options: Readonly<Record<string, boolean>>): Sight {
  const checked = validateOptions('macau-blackjack-2009', options);
  assert.ok(checked.ok);
  const sight = sightOn(checked.resolved, ['main']);
  assert.ok(!('live' in sight));
  return sight;
}

const handOf = (cards: readonly Card[], aceLocked: boolean): Hand =>
  ({ cards, aceLocked, status: 'open' }) as unknown as Hand;

const AT_ITS_TURN = { phase: 'turns', round: { seats: [{ hands: [] }], turn: { seat: 1, hand: 0 } } };

/** What the sight tells of an open hand in its turn. */
function told(sight: Sight, hand: Hand): string {
  const said: unknown[] = [];
  const tell = (value: unknown): void => void said.push(value);
  sight.tellers['hands.cards']!(hand.cards as never, hand as never, tell, AT_ITS_TURN as never);
  return JSON.stringify(said);
}

/** art. 15: asked when the third card comes, and then kept on the hand. */
const isPrize = (hand: Hand, isPrizeOn: boolean): boolean => isPrizeOn && isSpecialPrize(hand.cards);

/** All that the law asks of a hand besides. */
const law = (hand: Hand): string =>
  JSON.stringify([
    pointsOf(hand),
    Math.min(hand.cards.length, 6),
    hand.cards.length === 2 && [isPair(hand.cards), isSameValue(hand.cards), isBlackjack(hand.cards)],
  ]);

/**
 * From every hand that the sight takes for the same, every card of a kind leads to hands that it
 * takes for the same, and that the law does: with all hands of up to four cards, and from each of
 * them on one hand of every sort.
 */
function isClosed(sight: Sight, aceLocked: boolean, isPrizeOn: boolean): number {
  const kinds = new Map<number, Card>();
  for (let card = 0; card < 52; card++)
    if (!kinds.has(sight.kinds[card]!)) kinds.set(sight.kinds[card]!, card as Card);
  const samples = [...kinds.values()];
  const follows = new Map<string, string>();
  const laws = new Map<string, string>();
  let hands: Hand[] = [handOf([], aceLocked)];
  let looked = 0;
  for (let count = 1; count <= 22 && hands.length > 0; count++) {
    const next: Hand[] = [];
    const sorts = new Set<string>();
    for (const hand of hands)
      for (const card of samples) {
        const more = handOf([...hand.cards, card], aceLocked);
        const [from, to, is] = [told(sight, hand), told(sight, more), law(more)];
        looked += 1;
        const name = more.cards.map(cardName).join(' ');
        const question = `${from} ${sight.kinds[card]!}`;
        // A bust ends the hand: only that it is one is asked.
        const answer = pointsOf(more) > 21 ? 'bust' : `${to} ${is} ${isPrize(more, isPrizeOn)}`;
        assert.equal(follows.get(question) ?? answer, answer, name);
        follows.set(question, answer);
        if (pointsOf(more) > 21) continue;
        assert.equal(laws.get(to) ?? is, is, name);
        laws.set(to, is);
        if (count > 3 && sorts.has(to)) continue;
        sorts.add(to);
        next.push(more);
      }
    hands = next;
  }
  return looked;
}

describe('hands that look the same go on alike, whatever card comes', () => {
  for (const specialPrize of [true, false])
    for (const aceLocked of [false, true])
      it(`prize ${specialPrize}, an ace bound to one ${aceLocked}`, () => {
        const looked = isClosed(sightWith({ specialPrize }), aceLocked, specialPrize);
        assert.ok(looked > 20_000, `${looked}`);
      });

  it('is no empty claim: without the number of cards it does not hold', () => {
    const sight = sightWith({});
    const teller = sight.tellers['hands.cards']!;
    const deaf: Sight = {
      ...sight,
      tellers: {
        'hands.cards': (cards: never, hand: never, tell, state) => {
          let at = 0;
          teller(
            cards,
            hand,
            (value) => (at++ === 0 && typeof value === 'number' ? undefined : tell(value)),
            state,
          );
        },
      },
    };
    assert.throws(() => isClosed(deaf, false, true), assert.AssertionError);
  });

  it('suits are left out where no bet and no prize depends on them', () => {
    assert.equal(new Set(sightWith({ specialPrize: false }).kinds).size, RANKS.length);
  });
});

// ---- what it says of each member ----

const SUITS = ['S', 'H', 'D', 'C'];
const card = (name: string): Card => parseCard(name)!;
const cards = (names: string): Card[] => names.split(' ').filter(Boolean).map(card);

const JACKPOT = {
  stake: 100,
  increment: '1/2',
  cards: 4,
  pays: [
    { combination: 'A3', share: '1' },
    { combination: 'K2', share: '2/5' },
  ],
};
const WITH_JACKPOT = { jackpot: JACKPOT as unknown as OptionValue };

/** Without the special prize, where nothing else is said: suits are looked at for bets alone. */
function sightOf(
  bets: readonly string[],
  options: Readonly<Record<string, OptionValue>> = { specialPrize: false },
  rulebook: RulebookId = 'macau-blackjack-2009',
): Sight {
  const checked = validateOptions(rulebook, options);
  assert.ok(checked.ok, JSON.stringify(checked));
  const sight = sightOn(checked.resolved, bets);
  assert.ok(!('live' in sight));
  return sight;
}
const inPortugal = (bets: readonly string[], options: Readonly<Record<string, OptionValue>> = WITH_JACKPOT) =>
  sightOf(bets, options, 'portugal-blackjack');

/** Ranks whose suits make a difference; cards of two ranks are never of one kind. */
function ranksBySuit({ kinds }: Sight): string {
  const apart = [...RANKS].filter(
    (rank) => new Set(SUITS.map((suit) => kinds[card(`${rank}${suit}`)]!)).size === 4,
  );
  assert.equal(new Set(kinds).size, 13 + 3 * apart.length);
  return apart.join('');
}

/** All that it says of a member. */
function tells(sight: Sight, member: string, value: unknown, owner: object = {}, state: object = {}) {
  const said: unknown[] = [];
  const tell = (each: unknown): void => void said.push(each);
  sight.tellers[member]!(value as never, owner as never, tell, state as never);
  return said;
}

type Played = { readonly cards: string } & Partial<Omit<Hand, 'cards'>>;
const hand = ({ cards: names, ...more }: Played): Hand =>
  ({ status: 'open', aceLocked: false, ...more, cards: cards(names) }) as unknown as Hand;

/** A round of seats, each with its hands. */
const roundOf = (seats: readonly (readonly Hand[])[], more: Partial<RoundState> = {}): RoundState =>
  ({ turn: null, ...more, seats: seats.map((hands, at) => ({ seat: at + 1, hands })) }) as RoundState;

/** What it says of the cards of the first hand of a seat in its turn. */
const ofCards = (sight: Sight, played: Played, phase = 'turns'): unknown[] => {
  const own = hand(played);
  const round = roundOf([[own]], { turn: { seat: 1, hand: 0 } });
  return tells(sight, 'hands.cards', own.cards, own, { phase, round });
};
const kindsOf = (sight: Sight, names: string): number[] => cards(names).map((each) => sight.kinds[each]!);

describe('suits make a difference where a bet that is laid, or a prize, looks at them', () => {
  const MAIN = ['main'];
  for (const [name, make, ranks] of [
    ['no prize', () => sightOf(MAIN), ''],
    ['art. 15', () => sightOf(MAIN, {}), '678'],
    ['art. 13.2', () => sightOf([...MAIN, 'sevens']), '7'],
    ['art. 13.4', () => sightOf([...MAIN, 'perfectPair']), [...RANKS].join('')],
    [
      'arts. 13.1, 13.3, 13.5',
      () => sightOf([...MAIN, 'anyPair', 'over13', 'under13', 'streak2', 'streak5']),
      '',
    ],
    ['r.43, r.35', () => inPortugal([...MAIN, 'jackpot']), 'AK678'],
    ['r.35 no chip is laid', () => inPortugal(MAIN), '678'],
  ] as const)
    it(`${name}: ${ranks || 'none'}`, () => {
      assert.deepEqual([...ranksBySuit(make())].toSorted(), [...ranks].toSorted());
    });

  it('a bet that it does not know is an error: nothing is taken for the same by oversight', () => {
    assert.throws(() => sightOf(['main', 'planted']), /the bet planted/);
  });
});

describe('how far a table can be played seat by seat', () => {
  it('arts. 13.5, r.44: not with a series or a chip, which go on from round to round', () => {
    assert.equal(sightOf(['main', 'anyPair']).mostSeats, 1);
    assert.equal(sightOf(['main', 'streak3']).mostSeats, 0);
    assert.equal(inPortugal(['main', 'jackpot']).mostSeats, 0);
    assert.equal(inPortugal(['main']).mostSeats, 1);
  });

  it('r.44 the meter is left out where chips are laid: whoever remembers the rounds moves it', () => {
    assert.ok('table.jackpots' in inPortugal(['main', 'jackpot']).leftOut);
    assert.deepEqual(inPortugal(['main']).leftOut, {});
  });

  it('art. 7.2 the bank draws for every seat, or only where a hand is decided by its points', () => {
    const lost = roundOf([[hand({ cards: 'TS 6D KC', status: 'busted' })]]);
    const stands = roundOf([[hand({ cards: 'TS 9D', status: 'stood' })]]);
    const needs = (dealerPlaysOut: string) =>
      [lost, stands].map(sightOf(['main'], { dealerPlaysOut }).apart!.needsBank);
    assert.deepEqual(needs('always'), [true, true]);
    assert.deepEqual(needs('ifNeeded'), [false, true]);
  });

  it('r.50 what a chip has won is a matter of the whole table', () => {
    const { isOfTable } = inPortugal(['main', 'jackpot']).apart!;
    assert.equal(isOfTable({ outcome: 'jackpot' } as SettlementLine), true);
    assert.equal(isOfTable({ outcome: 'win' } as SettlementLine), false);
  });
});

describe('what it says of the bank and of a chip', () => {
  it('art. 6 of the bank: how many cards up to three, their points, and whether there is an ace', () => {
    const sight = sightOf(['main']);
    const bank = (names: string, bankHoleDown = false): unknown[] =>
      tells(sight, 'round.bank', cards(names), { bankHoleDown });
    assert.deepEqual(bank(''), [0]);
    assert.deepEqual(bank('KH'), [1, 10]);
    assert.deepEqual(bank('KH AC', true), [1, 10], 'the other one lies face down');
    assert.deepEqual(bank('KH AC'), [2, 11, 1]);
    assert.deepEqual(bank('2H 3C 4D 5S'), [3, 14, 0]);
  });

  it('art. 5.2.3 a card is hidden while it lies face down', () => {
    const { isHidden } = sightOf(['main']);
    const hidden = (round: object | null): boolean => isHidden({ round } as unknown as TableState);
    assert.deepEqual(
      [hidden(null), hidden({ bankHoleDown: false }), hidden({ bankHoleDown: true })],
      [false, false, true],
    );
  });

  it('arts. 16.6, 17.3 hands are settled together against a blackjack of the bank', () => {
    const { isTogether } = sightOf(['main']);
    const together = (names: string): boolean => isTogether(roundOf([], { bank: cards(names) }));
    assert.deepEqual([together('KH AC'), together('KH 5C 6D')], [true, false]);
  });

  it('r.42, r.43 of a chip: the counted cards while they may make a combination, then its place', () => {
    const sight = inPortugal(['main', 'jackpot']);
    const counted = (names: string): unknown[] => tells(sight, 'seats.counted', cards(names));
    assert.deepEqual(counted('KH 5D AS'), [3, cards('KH AS').toSorted((a, b) => a - b)]);
    assert.equal(counted('AS AD AC 5D').length, 1);
    assert.deepEqual(counted('AS AD AC 5D'), counted('AH 6D AC AS'));
    assert.notDeepEqual(counted('AS AD AC 5D'), counted('KS KD 3C 5D'));
    assert.deepEqual(tells(sight, 'seats.counted', null), [null], 'this seat has no chip');
    assert.deepEqual(tells(inPortugal(['main']), 'seats.counted', cards('KH 5D')), [null]);
  });
});

describe('what it says of the hands of a seat', () => {
  const open = hand({ cards: '8S 5D' });
  const next = hand({ cards: '8H' });
  const told = (hands: readonly Hand[], sight = sightOf(['main']), seats = [hands]): unknown[] =>
    tells(sight, 'seats.hands', hands, {}, { round: roundOf(seats) });
  const closed = (status: Hand['status']): Hand => hand({ cards: '8S TD', status });

  it('one hand, and every hand where other seats or a series hang on it, as they lie', () => {
    assert.deepEqual(told([open]), [[open]]);
    const two = [closed('stood'), next];
    assert.deepEqual(told(two, sightOf(['main']), [two, [open]]), [two]);
    assert.deepEqual(told(two, sightOf(['main', 'streak2'])), [two]);
  });

  it('art. 16.4 of several hands those that are open, the others are laid aside', () => {
    assert.deepEqual(told([closed('stood'), next]), [2, next]);
    assert.deepEqual(told([open, next]), [2, open, next]);
  });

  it('art. 7.2 where the bank plays only if needed: whether one is decided by its points, and whether one is lost', () => {
    const sight = sightOf(['main'], { dealerPlaysOut: 'ifNeeded', specialPrize: false });
    for (const [status, points, lost] of [
      ['stood', true, false],
      ['done', true, false],
      ['busted', false, true],
      ['half', false, false],
    ] as const)
      assert.deepEqual(
        told([closed(status as Hand['status']), next], sight),
        [2, points, lost, next],
        status,
      );
  });

  it('art. 16.7 hands are laid aside once they are closed, not beside other seats and not with a series', () => {
    const done = closed('done');
    const aside = (sight: Sight, ...seats: (readonly Hand[])[]): readonly Hand[] =>
      sight.aside(roundOf(seats));
    assert.deepEqual(aside(sightOf(['main']), [done, next]), [done]);
    assert.deepEqual(aside(sightOf(['main']), [done]), [], 'one hand is no split');
    assert.deepEqual(aside(sightOf(['main']), [done, next], [open]), []);
    assert.deepEqual(aside(sightOf(['main', 'streak2']), [done, next]), []);
  });

  it('arts. 13.2.1, 15, 16 which card a later hand of a split has is asked when its turn comes, but for a seven that counts', () => {
    const [first, second, third] = ['8S', '8H', '7D'].map((names) => hand({ cards: names }));
    const two = hand({ cards: '8D 5C' });
    const turn = { seat: 1, hand: 0 };
    const waiting = (sight: Sight, hands: readonly (Hand | undefined)[], more: object = { turn }): string[] =>
      sight.waiting(roundOf([hands as Hand[]], more)).map(cardName);
    const prize = sightOf(['main'], {});
    assert.deepEqual(waiting(prize, [first, second, third]), ['8H', '7D']);
    assert.deepEqual(waiting(prize, [first, second, third], { turn: { seat: 1, hand: 1 } }), ['7D']);
    assert.deepEqual(waiting(prize, [first, two]), [], 'it has its second card');
    assert.deepEqual(waiting(prize, [first, second], { turn: null }), []);
    assert.deepEqual(
      prize.waiting(roundOf([[first!, second!], [open]], { turn })),
      [],
      'beside another seat',
    );
    assert.deepEqual(waiting(sightOf(['main']), [first, second]), [], 'its suit is not looked at');
    assert.deepEqual(waiting(sightOf(['main', 'sevens'], {}), [first, second, third]), ['8H']);
    assert.deepEqual(waiting(sightOf(['main', 'perfectPair']), [first, second, third]), ['8H', '7D']);

    const round = roundOf([[first!, second!]], { turn });
    const ofSecond = tells(prize, 'hands.cards', second!.cards, second, { phase: 'turns', round });
    assert.deepEqual(ofSecond, [7], 'its rank');
  });
});

describe('what it says of the cards of a hand', () => {
  const plain = sightOf(['main']);
  const prize = sightOf(['main'], {});

  it('art. 16.1, r.26 of one card and of a pair which they are', () => {
    assert.deepEqual(ofCards(plain, { cards: '8S' }), [kindsOf(plain, '8S')]);
    assert.deepEqual(ofCards(plain, { cards: '8S 8D' }), [kindsOf(plain, '8S 8D')]);
    const byValue = inPortugal(['main'], { splitBy: 'value' });
    assert.deepEqual(ofCards(byValue, { cards: 'KS QD' }), [kindsOf(byValue, 'KS QD')]);
    const byRank = inPortugal(['main'], { splitBy: 'rank' });
    assert.deepEqual(ofCards(byRank, { cards: 'KS QD' }), [2, 20, 0, true, 0]);
  });

  it('art. 8 else how many, their points and their aces: one, or two where one of them is bound', () => {
    assert.deepEqual(ofCards(plain, { cards: 'AS 5D' }), [2, 6, 1, false, 0]);
    assert.deepEqual(ofCards(plain, { cards: '2S 3D AS AD' }), [4, 7, 1]);
    assert.deepEqual(ofCards(plain, { cards: '2S 3D AS AD', aceLocked: true }), [4, 7, 2]);
    assert.deepEqual(ofCards(plain, { cards: '2S 2D 2C 2H 3S 3D 3C' }), [6, 17, 0]);
  });

  it('art. 15 and of two that may make the prize which they are', () => {
    const [six, seven] = cards('6S 7S');
    assert.deepEqual(ofCards(prize, { cards: '7S 6S' }).at(-1), [six, seven].toSorted());
    assert.deepEqual(ofCards(plain, { cards: '7S 6S' }).at(-1), 0, 'the prize was left out');
    for (const names of ['6S 7D', '6S 9S', '9S 6S', '6S 5S', '5S 6S'])
      assert.equal(ofCards(prize, { cards: names }).at(-1), 0, names);
  });

  it('arts. 13.1 to 13.4 while first cards are dealt and a side bet lies on them which they are', () => {
    const dealt = { cards: '8S 5D' };
    const open = [2, 13, 0, false, 0];
    for (const bet of ['anyPair', 'sevens', 'over13', 'under13']) {
      const sight = sightOf(['main', bet]);
      assert.deepEqual(ofCards(sight, dealt, 'dealing'), [kindsOf(sight, '8S 5D')], bet);
      assert.deepEqual(ofCards(sight, dealt), open, bet);
    }
    assert.deepEqual(ofCards(plain, dealt, 'dealing'), open);
    assert.deepEqual(ofCards(sightOf(['main', 'streak2']), dealt, 'dealing'), open);
    assert.deepEqual(ofCards(inPortugal(['main', 'jackpot']), dealt, 'dealing'), open);
  });

  it('arts. 9, 10.4, r.21 of a closed hand its points, and how many cards where it has 21 or is paid', () => {
    assert.deepEqual(ofCards(plain, { cards: 'TS 8D', status: 'stood' }), [18, 0]);
    assert.deepEqual(ofCards(plain, { cards: 'TS 8D KC 5C', status: 'busted' }), [22, 0]);
    assert.deepEqual(ofCards(plain, { cards: 'AS KD', status: 'blackjack' }), [21, 2]);
    assert.deepEqual(ofCards(plain, { cards: '5S 6D 4C 6C', status: 'done' }), [21, 3]);
    assert.deepEqual(ofCards(plain, { cards: 'TS 8D', status: 'paid' }), [18, 2]);
    const locked = { cards: 'AS 8D', aceLocked: true, status: 'done' } as const;
    assert.deepEqual(ofCards(plain, locked), [9, 0], 'r.32: its ace stays one');
  });

  it('art. 13.2.1 two sevens on which a bet lies are looked at to the end of the round', () => {
    const sight = sightOf(['main', 'sevens']);
    const stood = (names: string): Played => ({ cards: names, status: 'stood' });
    assert.deepEqual(ofCards(sight, stood('7S 7D')), [kindsOf(sight, '7S 7D')]);
    assert.deepEqual(ofCards(sight, stood('7S 8D')), [15, 0]);
    assert.deepEqual(ofCards(sight, stood('7S 7D 7C')), [21, 3]);
    assert.deepEqual(ofCards(plain, stood('7S 7D')), [14, 0]);
  });
});
