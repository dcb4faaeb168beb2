/**
 * What of a state no law looks at while a round is played, and the texts that tell states apart.
 */
import type { TableRules } from '../rules/rulebook.ts';
import { gameNamed } from './registry.ts';
import type { Sight, SightOf, Tell, Teller } from './sight.ts';
import type { Deadline, Hand, RoundState, ShoeState, TableState } from './state.ts';

const SAME_AT_THE_TABLE = 'the same in all rounds of a table';
const MOMENT = 'a moment';
const NUMBER = 'a running number';
const MONEY = 'accounts: the caller keeps enough credit for every bet';
const BETWEEN_ROUNDS = 'read between rounds only, where the caller always asks the table';

/**
 * Members of the kernel's state that no game's law looks at while a round is played, by their
 * owner.
 */
const LEFT_OUT = {
  table: {
    profile: SAME_AT_THE_TABLE,
    rules: SAME_AT_THE_TABLE,
    choice: SAME_AT_THE_TABLE,
    dealer: SAME_AT_THE_TABLE,
    bootId: SAME_AT_THE_TABLE,
    roundNo: NUMBER,
    lastRound: 'for complaints',
    seats: MONEY,
    lastCutBy: BETWEEN_ROUNDS,
    notes: MONEY,
    creditedNotes: MONEY,
    heldNotes: MONEY,
    boxNotes: MONEY,
    shutAfterNote: MONEY,
    drop: MONEY,
    nextCaseNo: NUMBER,
    nextComplaintNo: NUMBER,
    nextPayNo: NUMBER,
    results: "for the players' panels",
    tallies: 'for the last rounds on the table',
  } satisfies Partial<Record<keyof TableState, string>>,
  shoe: {
    id: NUMBER,
    packets: BETWEEN_ROUNDS,
    cutRefused: BETWEEN_ROUNDS,
    cutBy: BETWEEN_ROUNDS,
    endCardBehind: BETWEEN_ROUNDS,
    drawn: BETWEEN_ROUNDS,
    burned: 'for the count of the discard',
    discarded: 'for the count of the discard',
    lastDrawNo: NUMBER,
    counts: 'no card comes more often than there are decks',
    ended: BETWEEN_ROUNDS,
    lastRound: BETWEEN_ROUNDS,
    rounds: 'the card burnt before a round is in burnDue',
    demoRounds: BETWEEN_ROUNDS,
    toCount: BETWEEN_ROUNDS,
    suspect: BETWEEN_ROUNDS,
  } satisfies Partial<Record<keyof ShoeState, string>>,
  round: {
    id: NUMBER,
    no: NUMBER,
    openedAtMs: MOMENT,
    bettingClosedAtMs: MOMENT,
    settledAtMs: MOMENT,
    last: BETWEEN_ROUNDS,
    placements: 'for taking a bet back',
  } satisfies Partial<Record<keyof RoundState, string>>,
  deadline: { atMs: MOMENT, totalMs: MOMENT } satisfies Partial<Record<keyof Deadline, string>>,
} as const;

const KERNEL_LEFT_OUT: ReadonlySet<string> = new Set(
  Object.entries(LEFT_OUT).flatMap(([owner, members]) =>
    Object.keys(members).map((member) => `${owner}.${member}`),
  ),
);

const whileBurnt: Teller = (count: number, { stage }: ShoeState, tell) => tell(stage === 'burn' ? count : 0);

const KERNEL_TELLERS: Readonly<Record<string, Teller>> = {
  'shoe.startBurn': whileBurnt,
  'shoe.startBurned': whileBurnt,
  // How many cards are out says who is dealt the next one, and later how long the result stays.
  'round.cardCount': (count: number, _: RoundState, tell, { phase }) => tell(phase === 'dealing' ? count : 0),
};

/** The sight of the game on a table of these rules, with these kinds of bets. */
export function sightOn(rules: TableRules, bets: readonly string[]): SightOf {
  const { sight } = gameNamed(rules.game);
  if (!sight) return { live: `no sight has been declared for ${rules.game}` };
  for (const option of Object.keys(rules))
    if (!Object.hasOwn(sight.options, option))
      throw new Error(`the sight of ${rules.game} does not mention the option ${option}`);
  return sight.of(rules, bets);
}

/**
 * How one member of an object is reported: not at all, by a teller, or whole; `code` stands for its
 * name.
 */
interface Way {
  readonly member: string;
  readonly isLeftOut: boolean;
  readonly code: number;
  readonly teller: Teller | undefined;
}

/** The members of the objects of one name, in the order in which they mostly come. */
interface Ways {
  readonly inOrder: Way[];
  readonly byMember: Map<string, Way>;
}

/** Puts what a sight sees into short texts: the same text, the same for the law. */
export class Looker {
  readonly #sight: Sight;
  readonly #words = new Map<string, number>();
  readonly #ways = new Map<string, Ways>();
  readonly #codes: number[] = [];
  #state!: TableState;
  readonly #tell: Tell = (value, name = '') => this.#say(name, value);

  constructor(sight: Sight) {
    this.#sight = sight;
  }

  /**
   * All that the rest of the round can hang on, but for a card face down and for hands laid aside.
   */
  see(state: TableState): string {
    return this.#text('table', state, state);
  }

  /** The same of the round alone, as it lies. */
  seeRound(state: TableState, round: RoundState): string {
    return this.#text('round', { ...round, lines: null }, { ...state, round });
  }

  /** A hand that is laid aside. */
  seeHand(state: TableState, hand: Hand): string {
    return this.#text('hands', hand, state);
  }

  #text(name: string, value: unknown, state: TableState): string {
    this.#codes.length = 0;
    this.#state = state;
    this.#say(name, value);
    return String.fromCharCode(...this.#codes);
  }

  #say(name: string, value: unknown): void {
    const codes = this.#codes;
    switch (typeof value) {
      case 'number':
        if (Number.isInteger(value) && value >= 0 && value < 0xff00) codes.push(value);
        else this.#word(String(value));
        return;
      case 'boolean':
        codes.push(value ? 0xff00 : 0xff01);
        return;
      case 'string':
        this.#word(value);
        return;
      case 'object':
        break;
      default:
        codes.push(0xff02);
        return;
    }
    if (value === null) codes.push(0xff03);
    else if (Array.isArray(value)) {
      codes.push(0xff04, value.length);
      for (const each of value) this.#say(name, each);
    } else this.#object(name, value as Record<string, unknown>);
  }

  #word(word: string): void {
    let code = this.#words.get(word);
    if (code === undefined) {
      code = this.#words.size;
      this.#words.set(word, code);
    }
    this.#codes.push(0xff05, code);
  }

  #object(name: string, object: Record<string, unknown>): void {
    this.#codes.push(0xff06);
    const ways = this.#waysOf(name);
    let at = 0;
    for (const member in object) {
      let way = ways.inOrder[at++];
      if (way?.member !== member) way = ways.byMember.get(member) ?? this.#addWay(name, member, ways);
      if (way.isLeftOut) continue;
      // A member that may be absent is known by its name.
      this.#codes.push(way.code);
      if (way.teller) way.teller(object[member] as never, object as never, this.#tell, this.#state);
      else this.#say(member, object[member]);
    }
    this.#codes.push(0xff07);
  }

  #waysOf(owner: string): Ways {
    let ways = this.#ways.get(owner);
    if (ways === undefined) {
      ways = { inOrder: [], byMember: new Map() };
      this.#ways.set(owner, ways);
    }
    return ways;
  }

  #addWay(owner: string, member: string, { inOrder, byMember }: Ways): Way {
    const { leftOut, tellers } = this.#sight;
    const name = `${owner}.${member}`;
    const way = {
      member,
      isLeftOut: KERNEL_LEFT_OUT.has(name) || Object.hasOwn(leftOut, name),
      code: inOrder.length,
      teller: tellers[name] ?? KERNEL_TELLERS[name],
    };
    inOrder.push(way);
    byMember.set(member, way);
    return way;
  }
}
