import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { validateOptions } from '../../books.ts';
import { type Card, cardName, RANKS } from '../../core/cards.ts';
import '../../engine.ts';
import { sightOn } from '../../table/looker.ts';
import type { Sight } from '../../table/sight.ts';
import type { Hand } from '../../table/state.ts';
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
