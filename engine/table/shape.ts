import type { Card } from '../core/cards.ts';
import type { Minor } from '../core/money.ts';
import type {
  Bet,
  BettorParts,
  Hand,
  HandParts,
  LaidParts,
  ProfileParts,
  RoundParts,
  RoundState,
  SeatParts,
  ShoeParts,
  ShoeState,
  TableParts,
  TableState,
} from './state.ts';

/** What the members that games keep in the state begin with. */
export interface Shape {
  readonly table: () => TableParts;
  /** Those that begin afresh with another profile. */
  readonly profile: () => ProfileParts;
  readonly shoe: () => ShoeParts;
  /** The whole round, from the members that every round has. */
  readonly round: (round: Omit<RoundState, keyof RoundParts>) => RoundState;
  /** `bets`: those that lie on the seat. */
  readonly seat: (bets: readonly Bet[]) => SeatParts;
  readonly bettor: () => BettorParts;
  readonly hand: () => HandParts;
  /** Of a round that ends. */
  readonly laid: (round: RoundState) => LaidParts;
}

/** What one game adds to it. */
export type GameParts = {
  readonly [Of in keyof Shape]?: (...about: Parameters<Shape[Of]>) => Partial<ReturnType<Shape[Of]>>;
};

let common: Shape | null = null;
const OWN = new Map<string, Shape>();

/** The shape of every state, whatever its game. */
export function giveShape(shape: Shape): void {
  common = shape;
}

/** What the states of one game hold beside that. */
export function giveParts(game: string, parts: GameParts): void {
  OWN.set(game, {
    table: () => ({ ...commonShape().table(), ...parts.table?.() }),
    profile: () => ({ ...commonShape().profile(), ...parts.profile?.() }),
    shoe: () => ({ ...commonShape().shoe(), ...parts.shoe?.() }),
    round: (round) => ({ ...commonShape().round(round), ...parts.round?.(round) }),
    seat: (bets) => ({ ...commonShape().seat(bets), ...parts.seat?.(bets) }),
    bettor: () => ({ ...commonShape().bettor(), ...parts.bettor?.() }),
    hand: () => ({ ...commonShape().hand(), ...parts.hand?.() }),
    laid: (round) => ({ ...commonShape().laid(round), ...parts.laid?.(round) }),
  });
}

function commonShape(): Shape {
  if (common === null) throw new Error('no games have been handed in: import engine/engine.ts');
  return common;
}

export const shapeOf = ({ rules }: Pick<TableState, 'rules'>): Shape =>
  (rules ? OWN.get(rules.game) : undefined) ?? commonShape();

export const newHand = (state: TableState, cards: Card[], stakesMinor: Minor[]): Hand => ({
  ...shapeOf(state).hand(),
  cards,
  status: 'open',
  called: false,
  stakesMinor,
});

const NO_CARDS: readonly number[] = Array.from({ length: 52 }, () => 0);

export const emptyShoe = (state: Pick<TableState, 'rules'>): ShoeState => ({
  id: null,
  decks: 0,
  stage: 'none',
  packets: 0,
  cutRefused: [],
  cutBy: null,
  endCardBehind: null,
  startBurn: 0,
  startBurned: 0,
  drawn: 0,
  burned: 0,
  discarded: 0,
  lastDrawNo: null,
  nextFaceUp: undefined,
  lastUnseen: undefined,
  counts: NO_CARDS.slice(),
  ended: false,
  lastRound: null,
  rounds: 0,
  demoRounds: 0,
  waiting: [],
  jam: null,
  ...shapeOf(state).shoe(),
});

/** The table before its first `configure`: closed, no seats, no money. */
export const initialState = (): TableState => ({
  profile: null,
  rules: null,
  choice: null,
  phase: 'closed',
  bootId: null,
  dealer: null,
  shoe: emptyShoe({ rules: null }),
  round: null,
  roundNo: 0,
  seats: [],
  lastCutBy: null,
  decksChecked: false,
  complaints: [],
  hold: null,
  deadline: null,
  paused: null,
  service: null,
  faults: [],
  noteSeat: null,
  notes: [],
  creditedNotes: [],
  heldNotes: [],
  boxNotes: [],
  nextCaseNo: 1,
  nextComplaintNo: 1,
  ...shapeOf({ rules: null }).table(),
  ...shapeOf({ rules: null }).profile(),
});
