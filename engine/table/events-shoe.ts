import type { Card } from '../core/cards.ts';
import { type Rows, stepOf } from './event-row.ts';
import type { CardReason, Person } from './inputs.ts';
import { emptyShoe } from './shape.ts';
import type { CardCount, ShoeState, TableState, WaitingCard } from './state.ts';

/** Where a card came from: `waited` = it lay at the head of the waiting cards. */
export interface FromShoe {
  readonly card: Card;
  readonly drawNo: number | null;
  /** 0..255 as the shoe gave it; 255 for a card a person confirmed */
  readonly confidence: number;
  readonly waited: boolean;
}

/** Why cards are burnt; games have further reasons. */
export interface BurnReasons {
  start: true;
  round: true;
  exposed: true;
  'set-aside': true;
  misdrawn: true;
  'wrong-bank-card': true;
}

/** Of the shoe, and of cards that go nowhere. */
export interface ShoeEvents {
  'shoe-loaded': {
    readonly shoeId: string;
    readonly decks: number;
    readonly startBurn: number;
    readonly next: 'witness' | 'packets' | 'cut' | 'end-card' | 'burn';
  };
  /** A supervisor has seen the cards go in, where the house wants one. */
  'loading-witnessed': { readonly next: 'cut' | 'burn'; readonly person: Person };
  'decks-checked': { readonly person: Person };
  'packet-loaded': {
    readonly no: number;
    readonly next: 'packets' | 'burn';
    readonly person: Person;
  };
  'cut-refused': { readonly seat: number };
  /** `lastCutBy`: whom the next turn to cut follows, null = the order starts afresh. */
  'shoe-cut': {
    readonly seat: number | null;
    readonly next: 'end-card' | 'burn';
    readonly lastCutBy: number | null;
    readonly person: Person | null;
  };
  /** r.8, r.12: nobody plays any more; the right to cut starts afresh with the lowest seat. */
  'cut-order-restarted': { readonly why: 'no-bets' | 'no-players' };
  'end-card-placed': { readonly cardsBehind: number };
  /** The first burnt card has said how many are burnt, itself among them. */
  'start-burn-counted': { readonly count: number };
  'shoe-readied': object;
  /** `lastRound`: which round of this shoe is its last one, counted from 1. */
  'end-card-seen': { readonly lastRound: number };
  /**
   * Cards that wait for a word of the dealer, in the order in which they left the shoe; replaces
   * those before.
   */
  'cards-waiting': {
    readonly waiting: readonly WaitingCard[];
    /** Cards that left the shoe with this event, and the number of the last one. */
    readonly drawnNow: number;
    readonly lastDrawNo: number | null;
  };
  /**
   * A card has come more often than there are decks; it is not named, for it may have to stay
   * hidden.
   */
  'shoe-suspected': { readonly drawNo: number | null };
  /** The next card out of the shoe lies face up, the dealer says; with false it does not. */
  'face-up-announced': { readonly faceUp: boolean; readonly person: Person };
  /**
   * The same card, read a second time; `read`: what was read of it before, `shoeSeq`: its number in
   * the shoe, which is that of the entry before; `card` null = it was not read this time either.
   */
  'card-read-again': {
    readonly drawNo: number | null;
    readonly shoeSeq: number;
    readonly read: Card | null;
    readonly card: Card | null;
    readonly confidence: number;
    readonly person: Person;
  };
  'card-confirmed': {
    readonly drawNo: number | null;
    readonly read: Card | null;
    readonly card: Card;
    readonly person: Person;
    /** Where it is another one than was read; absent in entries of before there were these. */
    readonly second?: Person;
    readonly reason?: CardReason;
    readonly words?: string;
  };
  /**
   * `unseen`: nobody has seen its face, and it is not counted among the cards that are out: no
   * entry of the ledger names it.
   */
  'card-burned': {
    readonly unseen?: true;
    readonly why: keyof BurnReasons;
    readonly person: Person | null;
    readonly cites: readonly string[];
  } & FromShoe;
  'shuffler-fed': { readonly cardCount: number };
  /** `toOrder`: r.55, out of a shuffler at the end of the session. */
  'cards-laid-out': {
    readonly cardCount: number;
    readonly toOrder?: true;
    readonly toCount?: CardCount;
    readonly person: Person;
  };
  /** `due`: what must have been there. A supervisor signs a difference. */
  /** `missing`, `extra`: the cards in which they differ from whole decks; absent = in none. */
  'cards-counted': CardCount & {
    readonly due: CardCount;
    readonly missing?: readonly Card[];
    readonly extra?: readonly Card[];
    readonly person: Person;
  };
  /** `toReport`: r.51, the inspection is to be told. */
  'cards-replaced': {
    readonly what: 'deck' | 'card';
    /** The single one; absent in entries of before it was named. */
    readonly card?: Card;
    readonly toReport?: true;
    readonly person: Person;
  };
  'replacement-reported': { readonly count: number; readonly person: Person };
  'decks-ordered': { readonly regular: boolean; readonly person: Person };
  'shuffler-jammed': object;
  'shuffler-opened': { readonly solved: boolean; readonly person: Person };
}

/** A card has left the shoe, or has lain among those that wait; null = nobody has seen it. */
export function takeCard(
  { shoe }: TableState,
  card: Card | null,
  drawNo: number | null,
  waited: boolean,
): void {
  if (waited) {
    shoe.waiting.shift();
  } else {
    shoe.drawn += 1;
    shoe.lastDrawNo = drawNo;
    shoe.nextFaceUp = undefined;
    shoe.lastUnseen = undefined;
  }
  if (card === null) shoe.lastUnseen = true;
  else shoe.counts[card]! += 1;
}

/** A shoe may repeat the last card of before it was loaded. */
function emptied(state: TableState): ShoeState {
  const { lastUnseen } = state.shoe;
  return { ...emptyShoe(state), lastUnseen };
}

/** The cards out of the shuffler are in it again, all but those that wait for their place. */
export function takeCardsBack(shoe: ShoeState): void {
  shoe.counts.fill(0);
  shoe.drawn = shoe.waiting.length;
  shoe.burned = 0;
  shoe.discarded = 0;
}

/**
 * Which round of its shoe the round on the table is, or the next one; a round counts once its first
 * card is dealt.
 */
export const roundOfShoe = ({ shoe, round }: TableState): number => shoe.rounds + (round?.dealt ? 0 : 1);

export const SHOE_ROWS = {
  'shoe-loaded': {
    apply(state, { shoeId, decks, next, startBurn }) {
      state.shoe = { ...emptied(state), id: shoeId, decks, stage: next, startBurn };
      state.phase = 'shoe';
    },
    postings: null,
    codes: ['402'],
    words: 'event.shoe-loaded',
  },
  'loading-witnessed': {
    apply({ shoe }, { next }) {
      shoe.stage = next;
    },
    postings: null,
    codes: stepOf('402'),
    words: 'event.loading-witnessed',
  },
  'decks-checked': {
    apply(state) {
      state.decksChecked = true;
    },
    postings: null,
    codes: stepOf('402'),
    words: 'event.decks-checked',
  },
  'packet-loaded': {
    apply({ shoe }, { no, next }) {
      shoe.packets = no;
      shoe.stage = next;
    },
    postings: null,
    codes: ['402'],
    words: 'event.packet-loaded',
  },
  'cut-refused': {
    apply({ shoe }, { seat }) {
      shoe.cutRefused.push(seat);
    },
    postings: null,
    codes: stepOf('402'),
    words: 'event.cut-refused',
  },
  'shoe-cut': {
    apply(state, { seat, next, lastCutBy }) {
      state.shoe.cutBy = seat ?? 0;
      state.shoe.stage = next;
      state.lastCutBy = lastCutBy;
    },
    postings: null,
    codes: stepOf('402'),
    words: 'event.shoe-cut',
  },
  'cut-order-restarted': {
    apply(state) {
      state.lastCutBy = null;
    },
    postings: null,
    codes: stepOf('402'),
    words: 'event.cut-order-restarted',
  },
  'end-card-placed': {
    apply({ shoe }, { cardsBehind }) {
      shoe.endCardBehind = cardsBehind;
      shoe.stage = 'burn';
    },
    postings: null,
    codes: stepOf('402'),
    words: 'event.end-card-placed',
  },
  'start-burn-counted': {
    apply({ shoe }, { count }) {
      shoe.startBurn = count;
    },
    postings: null,
    codes: stepOf('404'),
    words: 'event.start-burn-counted',
  },
  'shoe-readied': {
    apply(state) {
      state.shoe.stage = 'ready';
      state.phase = 'idle';
    },
    postings: null,
    codes: stepOf('402'),
    words: 'event.shoe-readied',
  },
  'end-card-seen': {
    apply(state, { lastRound }) {
      const { shoe, round } = state;
      shoe.ended = true;
      shoe.lastRound = lastRound;
      if (round) round.last = roundOfShoe(state) >= lastRound;
    },
    postings: null,
    codes: ['415'],
    words: 'event.end-card-seen',
  },
  'cards-waiting': {
    apply({ shoe }, { waiting, drawnNow, lastDrawNo }) {
      shoe.waiting = [...waiting];
      shoe.drawn += drawnNow;
      shoe.lastDrawNo = lastDrawNo;
      shoe.nextFaceUp = undefined;
      if (drawnNow > 0) shoe.lastUnseen = undefined;
    },
    postings: null,
    codes: [
      {
        code: '405',
        if: 'a face is in doubt',
        when: ({ waiting }) => waiting.some(({ why }) => why === 'doubtful'),
      },
      {
        code: '411',
        if: 'a card is missing',
        when: ({ waiting }) => waiting.some(({ why }) => why === 'gap'),
      },
      {
        code: '412',
        if: 'a card was not due',
        when: ({ waiting }) => waiting.every(({ why }) => why === 'known'),
      },
    ],
    words: 'event.cards-waiting',
  },
  'shoe-suspected': {
    apply({ shoe }) {
      shoe.suspect = true;
    },
    postings: null,
    codes: ['413'],
    words: 'event.shoe-suspected',
  },
  'face-up-announced': {
    apply({ shoe }, { faceUp }) {
      shoe.nextFaceUp = faceUp || undefined;
    },
    postings: null,
    codes: stepOf('414'),
    words: 'event.face-up-announced',
  },
  'card-read-again': {
    apply(state, { card, confidence }) {
      if (card === null) return;
      const [head, ...others] = state.shoe.waiting;
      state.shoe.waiting = [{ ...head!, card, confidence, why: 'doubtful' }, ...others];
      state.hold = { ...state.hold!, code: 'doubtful-card', card };
    },
    postings: null,
    codes: ['406'],
    words: 'event.card-read-again',
  },
  'card-confirmed': {
    apply({ shoe }, { card }) {
      const [head, ...others] = shoe.waiting;
      shoe.waiting = [{ ...head!, card, confidence: 255, why: 'known' }, ...others];
    },
    postings: null,
    codes: [
      {
        code: '405C',
        if: 'as it was read',
        when: ({ read, card }) => read === card,
      },
      {
        code: '407',
        if: 'another one than was read',
        when: ({ read, card }) => read !== null && read !== card,
      },
      { code: '408', if: 'none was read', when: ({ read }) => read === null },
    ],
    words: 'event.card-confirmed',
  },
  'card-burned': {
    apply(state, { card, drawNo, waited, why, unseen }) {
      const { shoe } = state;
      takeCard(state, unseen ? null : card, drawNo, waited);
      shoe.burned += 1;
      shoe.discarded += 1;
      if (why === 'start') shoe.startBurned += 1;
      else if (why === 'round') state.round!.burnDue -= 1;
    },
    postings: null,
    codes: [
      '404',
      { code: '414', if: 'it lay open', when: ({ why }) => why === 'exposed' },
      {
        code: '412',
        if: 'it was not due',
        when: ({ why }) => why === 'set-aside' || why === 'misdrawn' || why === 'wrong-bank-card',
      },
    ],
    words: 'event.card-burned',
  },
  'shuffler-fed': {
    apply(state) {
      takeCardsBack(state.shoe);
      // r.61: from here on nobody is heard about it.
      delete state.lastRound;
    },
    postings: null,
    codes: ['418'],
    words: 'event.shuffler-fed',
  },
  'cards-laid-out': {
    apply(state, { toOrder, toCount }) {
      state.shoe = emptied(state);
      state.phase = 'shoe';
      state.lastCutBy = null;
      if (toCount) state.shoe.toCount = toCount;
      if (!toOrder) return;
      state.shoe.toOrder = 'due';
      // r.53: before the next game they are shown again.
      state.decksChecked = false;
    },
    postings: null,
    codes: ['416'],
    words: 'event.cards-laid-out',
  },
  'cards-counted': {
    apply({ shoe }) {
      delete shoe.toCount;
    },
    postings: null,
    codes: [
      '416',
      {
        code: '413',
        if: 'not as many as must be, or not the ones',
        when: ({ left, discarded, due, missing, extra }) =>
          left !== due.left || discarded !== due.discarded || (missing ?? extra) !== undefined,
      },
    ],
    words: 'event.cards-counted',
  },
  'cards-replaced': {
    apply(state, { toReport }) {
      // The cards of this table are not those that were shown.
      state.decksChecked = false;
      if (state.shoe.toOrder === 'irregular') delete state.shoe.toOrder;
      if (toReport) state.toReport = (state.toReport ?? 0) + 1;
    },
    postings: null,
    codes: ['417'],
    words: 'event.cards-replaced',
  },
  'replacement-reported': {
    apply(state) {
      delete state.toReport;
    },
    postings: null,
    codes: stepOf('417'),
    words: 'event.replacement-reported',
  },
  'decks-ordered': {
    apply({ shoe }, { regular }) {
      if (regular) delete shoe.toOrder;
      else shoe.toOrder = 'irregular';
    },
    postings: null,
    codes: ['416', { code: '413', if: 'a deck was not regular', when: ({ regular }) => !regular }],
    words: 'event.decks-ordered',
  },
  'shuffler-jammed': {
    apply({ shoe }) {
      shoe.jam = 'for-supervisor';
    },
    postings: null,
    codes: stepOf('410'),
    words: 'event.shuffler-jammed',
  },
  'shuffler-opened': {
    apply({ shoe }, { solved }) {
      shoe.jam = solved ? null : 'for-technician';
    },
    postings: null,
    codes: stepOf('410'),
    words: 'event.shuffler-opened',
  },
} as const satisfies Rows<ShoeEvents>;
