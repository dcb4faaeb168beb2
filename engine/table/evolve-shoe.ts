import type { EventOf, TableEvent } from './events.ts';
import { emptyShoe, type TableState } from './state.ts';

/** Events of the shoe and of cards that go nowhere; false where the event is none of them. */
export function evolveShoe(state: TableState, event: TableEvent): boolean {
  const { shoe } = state;
  switch (event.type) {
    case 'shoe-loaded':
      state.shoe = {
        ...emptyShoe(),
        id: event.shoeId,
        decks: event.decks,
        stage: event.next,
        startBurn: event.startBurn,
      };
      state.phase = 'shoe';
      break;
    case 'shoe-cut':
      shoe.cutBy = event.seat ?? 0;
      shoe.stage = event.next;
      break;
    case 'end-card-placed':
      shoe.endCardBehind = event.cardsBehind;
      shoe.stage = 'burn';
      break;
    case 'shoe-readied':
      shoe.stage = 'ready';
      state.phase = 'idle';
      break;
    case 'end-card-seen':
      shoe.ended = true;
      if (state.round) state.round.last = true;
      break;
    case 'cards-waiting':
      shoe.waiting = [...event.waiting];
      shoe.drawn += event.drawnNow;
      shoe.lastDrawNo = event.lastDrawNo;
      break;
    case 'card-confirmed':
      shoe.waiting = shoe.waiting.map((waiting, i) =>
        i === 0 ? { ...waiting, card: event.card, confidence: 255, why: 'known' } : waiting,
      );
      break;
    case 'card-burned':
      takeCard(state, event);
      shoe.burned += 1;
      shoe.discarded += 1;
      if (event.why === 'start') shoe.startBurned += 1;
      else if ((event.why === 'round' || event.why === 'before-bank-second') && state.round) {
        state.round.burnDue -= 1;
      }
      break;
    default:
      return false;
  }
  return true;
}

/** Counts a card that has found its place. */
export function takeCard(
  state: TableState,
  from: EventOf<'card-dealt' | 'bank-card-dealt' | 'card-burned'>,
): void {
  const { shoe } = state;
  if (from.waited) {
    shoe.waiting.shift();
  } else {
    shoe.drawn += 1;
    shoe.lastDrawNo = from.drawNo;
  }
  shoe.counts[from.card]! += 1;
}
