import { cardBurned, takeCardsBack } from './changes.ts';
import type { TableEvent } from './events.ts';
import { emptyShoe, type ShoeState, type TableState } from './state.ts';

/** A shoe may repeat the last card of before it was loaded. */
const emptied = ({ lastUnseen }: ShoeState): ShoeState => ({
  ...emptyShoe(),
  ...(lastUnseen ? { lastUnseen } : {}),
});

/** Events of the shoe and of cards that go nowhere; false where the event is none of them. */
export function evolveShoe(state: TableState, event: TableEvent): boolean {
  const { shoe } = state;
  switch (event.type) {
    case 'shoe-loaded':
      state.shoe = {
        ...emptied(shoe),
        id: event.shoeId,
        decks: event.decks,
        stage: event.next,
        startBurn: event.startBurn,
      };
      state.phase = 'shoe';
      break;
    case 'decks-checked':
      state.decksChecked = true;
      break;
    case 'packet-loaded':
      shoe.packets = event.no;
      shoe.stage = event.next;
      break;
    case 'cut-refused':
      shoe.cutRefused.push(event.seat);
      break;
    case 'shoe-cut':
      shoe.cutBy = event.seat ?? 0;
      shoe.stage = event.next;
      state.lastCutBy = event.lastCutBy;
      break;
    case 'end-card-placed':
      shoe.endCardBehind = event.cardsBehind;
      shoe.stage = 'burn';
      break;
    case 'start-burn-counted':
      shoe.startBurn = event.count;
      break;
    case 'shoe-readied':
      shoe.stage = 'ready';
      state.phase = 'idle';
      break;
    case 'end-card-seen':
      shoe.ended = true;
      shoe.lastRound = event.lastRound;
      if (state.round) state.round.last = roundOfShoe(state) >= event.lastRound;
      break;
    case 'cards-waiting':
      shoe.waiting = [...event.waiting];
      shoe.drawn += event.drawnNow;
      shoe.lastDrawNo = event.lastDrawNo;
      delete shoe.nextFaceUp;
      if (event.drawnNow > 0) delete shoe.lastUnseen;
      break;
    case 'face-up-announced':
      if (event.faceUp) shoe.nextFaceUp = true;
      else delete shoe.nextFaceUp;
      break;
    case 'card-confirmed':
      shoe.waiting = shoe.waiting.map((waiting, i) =>
        i === 0 ? { ...waiting, card: event.card, confidence: 255, why: 'known' } : waiting,
      );
      break;
    case 'card-burned':
      cardBurned(state, event.unseen ? null : event.card, event.drawNo, event.waited, event.why);
      break;
    case 'shuffler-fed':
      takeCardsBack(shoe);
      // r.61: from here on nobody is heard about it.
      delete state.lastRound;
      break;
    case 'cards-laid-out':
      state.shoe = emptied(shoe);
      state.phase = 'shoe';
      state.lastCutBy = null;
      break;
    case 'cards-replaced':
      // The cards of this table are not those that were shown.
      state.decksChecked = false;
      break;
    case 'complaint-raised': {
      const { complaintNo, seat, roundNo, atMs, ofRoundId, from } = event;
      const named = ofRoundId === undefined || from === undefined ? {} : { ofRoundId, from };
      state.complaints.push({ complaintNo, seat, roundNo, sinceMs: atMs, ...named });
      state.nextComplaintNo = complaintNo + 1;
      break;
    }
    case 'complaint-closed':
      state.complaints = state.complaints.filter(({ complaintNo }) => complaintNo !== event.complaintNo);
      break;
    case 'shuffler-jammed':
      shoe.jam = 'for-supervisor';
      break;
    case 'shuffler-opened':
      shoe.jam = event.solved ? null : 'for-technician';
      break;
    default:
      return false;
  }
  return true;
}

/** Which round of its shoe the round on the table is, or the next one; a round counts once its first card is dealt. */
export const roundOfShoe = ({ shoe, round }: TableState): number => shoe.rounds + (round?.dealt ? 0 : 1);
