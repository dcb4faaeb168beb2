/**
 * A round as the second reader gets it: what has happened, and nothing of what it pays.
 */
import { validateOptions } from '../../engine/books.ts';
import { cardName } from '../../engine/core/cards.ts';
import type { EventOf, TableEvent } from '../../engine/table/events.ts';
import { BANK } from '../../engine/table/places.ts';
import type { TableState } from '../../engine/table/state.ts';
import type { Fact, Question } from '../../reader/form.ts';

/** What has outlived the rounds before this one. */
export interface OpenedAt {
  readonly streaks: TableState['streaks'];
  readonly jackpots: TableState['jackpots'];
}

export const openedAt = ({ streaks, jackpots }: TableState): OpenedAt =>
  structuredClone({ streaks, jackpots });

/** The events of the round on the table since its bets were opened. */
export interface RoundSoFar {
  readonly at: OpenedAt;
  readonly events: readonly TableEvent[];
}

/** `state`: after the events. */
export function questionOf(
  { at, events }: RoundSoFar,
  { profile, seats }: TableState,
  ask: Question['ask'],
): Omit<Question, 'id'> {
  const { rulebook, options, seatCount, currency } = profile!;
  const checked = validateOptions(rulebook, { seats: seatCount, ...options });
  const meter = at.jackpots.find((each) => each.currency === currency);
  const facts = factsOf(events);
  return {
    rulebook,
    options: checked.ok ? (checked.resolved as unknown as Question['options']) : options,
    seats: seats.length,
    streaks: at.streaks.map(({ seat, wins, open }) => ({
      seat,
      wins,
      open: open.map(({ by, number, amountMinor }) => ({ by, number, amount: amountMinor })),
    })),
    jackpot: meter ? { meter: meter.meterMinor, rest: meter.rest } : null,
    // The window may close with nothing but series that were given up.
    facts: facts.some((fact) => 'bets' in fact) ? facts : [{ bets: [], left: leftIn(events) }],
    ask,
  };
}

/** art. 13.5.2.vi: before the deal, by the word of a supervisor. */
const leftIn = (events: readonly TableEvent[]): { readonly seat: number; readonly by: number }[] =>
  events.flatMap((event) => (event.type === 'streak-forfeited' ? [{ seat: event.seat, by: event.by }] : []));

export function factsOf(events: readonly TableEvent[]): Fact[] {
  let facts: Fact[] = [];
  const left = leftIn(events);
  let turn = { seat: 0, hand: 0 };
  /** The cards that still lie on the table, in the order in which they came. */
  const lying: CardFact[] = [];
  const hands = new Hands();
  /** A card that lies no more, by the word that took it away. */
  const takenBy = new Map<Fact, CardFact>();
  let misread: CardFact | null = null;
  for (const event of events) {
    if (event.type === 'turn-moved') turn = event;
    if (event.type === 'card-doubted') {
      misread = hands.of(event).at(-1)!;
      const since = facts.splice(facts.indexOf(lying.at(-1)!) + 1);
      // A further card was drawn on the wrong face, and is left out with the word that took it
      // away. An answer after an additional card was another seat's, or on the pair of the next
      // split hand (art. 13.1.2), which is asked about anew.
      const stays = (fact: Fact): boolean =>
        'act' in fact ? fact.act !== 'playOn' : !('card' in fact) && !since.includes(takenBy.get(fact)!);
      facts.push(...since.filter(stays));
      // Whoever has answered to first cards, even before one was taken back, is asked anew.
      if (!event.additional) facts = facts.filter((fact) => !('act' in fact));
      continue;
    }
    const fact = factOf(event, turn, left);
    if (fact === null) continue;
    if (misread !== null && 'card' in fact) {
      Object.assign(misread, { card: fact.card });
      misread = null;
      continue;
    }
    if ('card' in fact) {
      lying.push(fact);
      hands.of({ ...event, side: fact.to }).push(fact);
    }
    if (event.type === 'cards-swapped') hands.swap(event);
    if (event.type === 'hand-split') hands.split(event);
    if (event.type === 'card-taken-back' || event.type === 'bank-second-burned') {
      const taken = hands.of(event.type === 'card-taken-back' ? event : {}).pop()!;
      lying.splice(lying.indexOf(taken), 1);
      takenBy.set(fact, taken);
    }
    facts.push(fact);
  }
  return facts;
}

type CardFact = Extract<Fact, { readonly card: string }>;

/** Which card lies where: after an exchange it need not be where it came to. */
class Hands {
  readonly #bySeat = new Map<number | 'player', CardFact[][]>();

  /** No seat: the bank, or the Player of baccarat. */
  of(where: { readonly seat?: number | null; readonly hand?: number; readonly side?: string }): CardFact[] {
    const { seat, hand = 0, side } = where;
    const hands = this.#handsOf(side === 'player' ? side : (seat ?? BANK));
    hands[hand] ??= [];
    return hands[hand];
  }

  swap({ fromSeat, toSeat, place }: EventOf<'cards-swapped'>): void {
    const from = this.of({ seat: fromSeat });
    const to = this.of({ seat: toSeat });
    if (place !== undefined) [from[place], to[place]] = [to[place]!, from[place]!];
    else [this.#handsOf(fromSeat)[0], this.#handsOf(toSeat)[0]] = [to, from];
  }

  split({ seat, hand }: EventOf<'hand-split'>): void {
    const hands = this.#handsOf(seat);
    hands.splice(hand + 1, 0, hands[hand]!.splice(1));
  }

  #handsOf(whose: number | 'player'): CardFact[][] {
    const hands = this.#bySeat.get(whose) ?? [];
    this.#bySeat.set(whose, hands);
    return hands;
  }
}

/** `turn`: whose it was last; `left`: who has given up a series in this window. */
function factOf(
  event: TableEvent,
  turn: { readonly seat: number; readonly hand: number },
  left: readonly { readonly seat: number; readonly by: number }[],
): Fact | null {
  const act = (
    name: string,
    { seat, by }: { readonly seat: number; readonly by: number },
    hand: number | null,
    amount?: number,
  ): Fact => ({ act: name, seat, hand, by, ...(amount === undefined ? {} : { amount }) });
  switch (event.type) {
    case 'deal-began':
      return {
        bets: event.bets.map(({ seat, by, bet, amountMinor }) => ({ seat, by, bet, amount: amountMinor })),
        ...(left.length > 0 ? { left } : {}),
      };
    case 'card-dealt':
      return { card: cardName(event.card), to: 'seat', seat: event.seat, hand: event.hand };
    case 'bank-card-dealt':
      return { card: cardName(event.card), to: 'bank' };
    case 'player-side-card-dealt':
      return { card: cardName(event.card), to: 'player' };
    case 'card-taken-back':
      return { takenBack: event.seat === null ? 'bank' : { seat: event.seat, hand: event.hand } };
    case 'cards-swapped': {
      const place = event.place === undefined ? {} : { place: event.place };
      return { swap: [event.fromSeat, event.toSeat], ...place };
    }
    case 'bank-second-burned':
      return { replaced: true };
    case 'insurance-laid':
      return act('insure', event, 0, event.amountMinor);
    case 'insurance-declined':
      return act('declineInsurance', event, 0);
    case 'even-money-taken':
      return act('evenMoney', event, 0);
    case 'original-only-taken':
      return act('loseOriginalOnly', event, 0);
    case 'offer-passed':
      return act('playOn', event, event.seat === turn.seat ? turn.hand : 0);
    case 'hand-surrendered':
      return act('surrender', event, 0);
    case 'hit-called':
      return act('hit', event, event.hand);
    case 'hand-stood':
      return act('stand', event, event.hand);
    case 'hand-doubled':
      return { ...act('double', event, event.hand), raised: event.raises.map(({ by }) => by) };
    case 'hand-split':
      return { ...act('split', event, event.hand), raised: event.raises.map(({ by }) => by) };
    case 'raise-followed':
      return act(event.kind === 'split' ? 'followSplit' : 'followDouble', event, event.hand);
    case 'five-card-half-taken':
      return act('fiveCardHalf', event, event.hand);
    case 'pair-bet-laid':
      return act('betPair', event, event.hand, event.amountMinor);
    case 'war-declared':
      return act('goToWar', event, 0);
    default:
      return null;
  }
}
