import type { ShoeEvent } from '../../ports.ts';
import { type EventMessage, FLAG_REPLAY, FLAG_SERVICE, type Frame, suitFromWire } from './ksp1.codec.ts';

/** What a numbered frame says, in the words of the port. */
export function eventOf(message: EventMessage, { seq, flags }: Frame): ShoeEvent {
  const replay = (flags & FLAG_REPLAY) !== 0;
  switch (message.type) {
    case 'card': {
      const suit = suitFromWire(message.suit);
      const read = message.rank > 0 && suit !== null;
      // Drawn in service mode: somebody tries the shoe, or somebody tries the table. A person says
      // what that card is.
      const confidence = (flags & FLAG_SERVICE) === 0 ? message.confidence : 0;
      return {
        type: 'card',
        seq,
        suit: read ? suit : null,
        rank: read ? message.rank - 1 : null,
        confidence,
        replay,
      };
    }
    case 'cutCard':
      return { type: 'cut-card', seq, replay };
    case 'empty':
      return { type: 'empty', seq, cardsSinceLoading: message.cardsSinceLoading };
    case 'loaded':
      return { type: 'loaded', seq, shoeId: message.shoeId, decks: message.decks };
    case 'cover':
      return message.position === 2
        ? { type: 'fault', seq, fault: 'cover-open', detail: 'the key was turned' }
        : { type: 'cover', seq, open: message.position === 1 };
    case 'jam':
    case 'misread':
    case 'doubleFeed':
    case 'reverse': {
      const guess = message.rank > 0 && message.suit > 0 ? `, perhaps ${message.rank}/${message.suit}` : '';
      const name = message.type === 'doubleFeed' ? 'double-feed' : message.type;
      return { type: 'fault', seq, fault: name, detail: `sensor ${message.sensor}${guess}` };
    }
  }
}
