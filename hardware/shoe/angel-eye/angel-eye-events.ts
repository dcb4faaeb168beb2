import type { ShoeEvent } from '../../ports.ts';
import { type AngelMessage, ERROR, ERRORS, faceOf } from './angel-eye.codec.ts';

/** The shoe gives no figure of its own: a card that it names is a card it is sure of. */
const CERTAIN = 255;

/**
 * What a telegram says, in the words of the port; null for what is only shown. Whose card it is in
 * the shoe's own game of cards, and who has won there, is of no use here: the table's law says
 * whose card it is.
 */
export function eventOf(message: AngelMessage, seq: number): ShoeEvent | null {
  switch (message.type) {
    case 'card': {
      const face = faceOf(message.suit, message.rank);
      // R tells a card once more, perhaps after a power cut. It may be one the table has or one
      // that was lost: never a new card.
      if (message.kind === 'again') {
        const card = face === null ? 'unread' : `rank ${message.rank} suit ${message.suit}`;
        return {
          type: 'fault',
          seq,
          fault: 'restarted',
          detail: `the shoe tells a card again: ${card}, card ${message.index} of target ${message.target}`,
        };
      }
      return {
        type: 'card',
        seq,
        suit: face?.suit ?? null,
        rank: face?.rank ?? null,
        // Drawn while the shoe is locked, in error or in its settings: a person says what that card
        // is.
        confidence: face === null || message.kind === 'outside' ? 0 : CERTAIN,
        replay: false,
      };
    }
    case 'cutCard':
      return { type: 'cut-card', seq, replay: false };
    case 'error': {
      const { code, inErrorMode } = message;
      const detail = `error ${code}: ${ERRORS[code] ?? 'unknown'}${inErrorMode ? ', the shoe waits to be cleared' : ''}`;
      const reverse = code === ERROR.reverseAtExit || code === ERROR.reverseMidway;
      const fault = code === ERROR.cannotRead ? 'misread' : reverse ? 'reverse' : 'error';
      return { type: 'fault', seq, fault, detail };
    }
    case 'start':
    case 'standby':
    case 'result':
    case 'errorCleared':
    case 'lock':
    case 'setting':
      return null;
  }
}
