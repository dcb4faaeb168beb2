/**
 * What entries of a table come to: its accounts and meters, what lies in its cash boxes, and how
 * much was played by whom. A fold over a ledger from its first entry, in place; the figures of a
 * stretch of it are counted beside. It knows no seat's player, and nothing in an entry is believed
 * to have a form: what has none counts nothing.
 */
import { z } from 'zod';
import { plainLine } from '../../ledger/chain/plain-line.ts';
import { CLOCK_BODIES, type ClosedRound, NEW_CLOCK, type RoundClock, tick } from './round-seconds.ts';

export interface DayEntry {
  readonly seq: number;
  readonly atMs: number;
  readonly kind: string;
  /** May be null where the kind is none of `DAY_BODIES`. */
  readonly body: unknown;
  readonly postings: readonly {
    readonly account: string;
    readonly currency: string;
    readonly amountMinor: number;
  }[];
}

/** By name; integers. */
export type Sums = Record<string, number>;

/** Notes by `CURRENCY_MINOR`, as `MOP_50000`; and those whose value nobody knows. */
export interface Notes {
  known: Sums;
  unknown: number;
}

/** What one dealer has dealt of one game. */
export interface Play {
  /** Id and name; both empty where nobody was signed in. */
  readonly dealer: string;
  readonly name: string;
  readonly game: string;
  readonly currency: string;
  /** For so long they stood at the table. */
  openMs: number;
  rounds: number;
  hands: number;
  /** Cards that were others than was read or that lay elsewhere. */
  corrected: number;
  stakedMinor: number;
  wonMinor: number;
}

/** Of a stretch of a ledger. */
export interface Figures {
  entries: number;
  /** What has moved, by `CURRENCY/account`. */
  accounts: Sums;
  /** What was counted, by its code. */
  meters: Sums;
  /** Notes that went into each box, by its acceptor. */
  notes: Record<string, Notes>;
  play: Play[];
}

/** The table after an entry, with all that was before it. */
export interface TableBooks {
  accounts: Sums;
  meters: Sums;
  /** What lies in each box now, by its acceptor. */
  boxes: Record<string, Notes>;
  name: string;
  game: string;
  currency: string;
  dealer: string;
  dealerName: string;
  clock: RoundClock;
}

export interface RemovedBox {
  readonly acceptor: number;
  /** The table's when it was taken out. */
  readonly currency: string;
  readonly removedSeq: number;
  readonly removedAtMs: number;
  readonly notes: Notes;
}

/** Without what others keep beside it. */
export const removedBox = ({
  acceptor,
  currency: of,
  removedSeq,
  removedAtMs,
  notes,
}: RemovedBox): RemovedBox => ({ acceptor, currency: of, removedSeq, removedAtMs, notes });

/** A round, and who has dealt which game. */
export interface DealtRound extends ClosedRound {
  readonly dealer: string;
  readonly name: string;
  readonly game: string;
}

export const noFigures = (): Figures => ({ entries: 0, accounts: {}, meters: {}, notes: {}, play: [] });
export const newBooks = (): TableBooks => ({
  accounts: {},
  meters: {},
  boxes: {},
  name: '',
  game: '',
  currency: '',
  dealer: '',
  dealerName: '',
  clock: NEW_CLOCK,
});

/** Names that a terminal makes without end become one. */
const NAMES_MOST = 400;
const PLAYS_MOST = 200;
const OTHERS = '*';

export function bump(sums: Sums, name: string, amount: number): void {
  if (amount === 0) return;
  const isKnown = Object.hasOwn(sums, name);
  const at = isKnown || Object.keys(sums).length < NAMES_MOST ? name : OTHERS;
  sums[at] = (Object.hasOwn(sums, at) ? sums[at]! : 0) + amount;
}

const text = z.string().transform((said) => plainLine(said.slice(0, 120)));
const acceptorNo = z.int().min(1).max(99);
const minor = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const currency = z.string().regex(/^[A-Z]{3}$/);
const anyMinor = z.int().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER);

const Configured = z.object({
  profile: z.object({ tableName: text, rulebook: text, currency }),
});
const SignedIn = z.object({ person: z.object({ id: text, name: text }) });
const Credited = z.object({ acceptor: acceptorNo, currency, valueMinor: minor });
const Held = z.object({ acceptor: acceptorNo, currency, valueMinor: minor.nullable(), inBox: z.boolean() });
const Resolved = Held.extend({ credited: z.boolean() });
const Fault = z.object({ device: z.string(), fault: z.string() });
const TakenBox = z.object({ acceptor: z.int().min(1).max(99) });
const Line = z.object({
  by: z.int().min(0).max(99),
  bet: z.string(),
  outcome: z.string(),
  stakeMinor: minor,
  returnedMinor: minor,
  netMinor: anyMinor,
  atOnce: z.boolean().optional(),
});
const Paid = z.object({ lines: z.array(Line).max(1_000) });
const Voided = z.object({ lines: z.array(Line).max(1_000), committed: z.boolean() });
const Began = z.object({ bets: z.array(z.object({ amountMinor: minor })).max(1_000) });
const HandPaid = z.object({ amountMinor: minor, win: z.literal(true).optional() });
/** `same` where both are sealed. */
const Confirmed = z.object({
  read: z.int().nullable(),
  card: z.int().nullable(),
  sealed: z.object({ same: z.boolean().optional() }).optional(),
});
const Adjusted = z.object({ amountMinor: anyMinor });

/** Kinds whose body is looked at. */
export const DAY_BODIES: readonly string[] = [
  ...CLOCK_BODIES,
  'table-configured',
  'dealer-signed-in',
  'note-credited',
  'note-held',
  'held-note-found',
  'held-note-resolved',
  'fault-reported',
  'deal-began',
  'round-settled',
  'paid-at-once',
  'round-voided',
  'card-confirmed',
  'hand-paid',
  'credit-adjusted',
];

/** Of a series that its player has left; no hand was played. */
const isGivenUp = (outcome: string): boolean => outcome === 'forfeit' || outcome === 'released';
/** Chips of a progressive jackpot are paid out of its own meter. */
const JACKPOT = 'jackpot';
/** Stakes that these move are final before or not yet; all others raise a bet that lies. */
const NO_RAISE: ReadonlySet<string> = new Set([
  'bet-placed',
  'bet-withdrawn',
  'deal-began',
  'round-settled',
  'paid-at-once',
  'round-voided',
]);
const CASH_BOX = /^acceptor-(\d{1,2})$/;

export class DayFold {
  readonly books: TableBooks;
  figures: Figures;
  /** Time at the table counts from here on. */
  #fromMs: number;

  constructor(books: TableBooks, figures: Figures, fromMs: number) {
    this.books = books;
    this.figures = figures;
    this.#fromMs = fromMs;
  }

  /** From here on another stretch is counted. */
  begin(fromMs: number): void {
    this.figures = noFigures();
    this.#fromMs = fromMs;
  }

  /** Counts one entry; what it has ended, where it has. */
  take(entry: DayEntry): { readonly box: RemovedBox | null; readonly round: DealtRound | null } {
    const { books, figures } = this;
    figures.entries += 1;
    this.#countTime(entry);
    for (const { account, currency: of, amountMinor } of entry.postings) {
      const name = `${of}/${account}`;
      bump(books.accounts, name, amountMinor);
      bump(figures.accounts, name, amountMinor);
      if (amountMinor < 0 && account.startsWith('stake:') && !NO_RAISE.has(entry.kind))
        this.#count('coin_in', -amountMinor);
    }
    const { clock, closed } = tick(books.clock, entry);
    books.clock = clock;
    const { dealer, dealerName: name, game } = books;
    return {
      box: this.#countEntry(entry),
      round: closed === null ? null : { ...closed, dealer, name, game },
    };
  }

  #count(code: string, amount = 1): void {
    bump(this.books.meters, code, amount);
    bump(this.figures.meters, code, amount);
  }

  /**
   * Up to this entry somebody stood at the table; not while the program was away, and never before
   * the stretch began.
   */
  #countTime({ atMs, kind }: DayEntry): void {
    const { dealer, clock } = this.books;
    if (dealer === '' || clock.isOff || STARTS.has(kind)) return;
    const sinceMs = Math.max(clock.atMs, this.#fromMs);
    if (atMs > sinceMs) this.#play().openMs += atMs - sinceMs;
  }

  #play(): Play {
    const { dealer, dealerName: name, game, currency: of } = this.books;
    const { play } = this.figures;
    const found = play.find((each) => each.dealer === dealer && each.game === game && each.currency === of);
    if (found !== undefined) return found;
    if (play.length >= PLAYS_MOST) return play.at(-1)!;
    const none = { openMs: 0, rounds: 0, hands: 0, corrected: 0, stakedMinor: 0, wonMinor: 0 };
    play.push({ dealer, name, game, currency: of, ...none });
    return play.at(-1)!;
  }

  #countEntry({ kind, body, seq, atMs }: DayEntry): RemovedBox | null {
    const { books } = this;
    switch (kind) {
      case 'table-configured':
        given(Configured, body, ({ profile }) => {
          books.name = profile.tableName;
          books.game = profile.rulebook;
          books.currency = profile.currency;
        });
        break;
      case 'dealer-signed-in':
        given(SignedIn, body, ({ person }) => {
          books.dealer = person.id;
          books.dealerName = person.name;
        });
        break;
      case 'dealer-signed-out':
        books.dealer = '';
        books.dealerName = '';
        break;
      case 'note-credited':
        given(Credited, body, (note) => {
          this.#count('bills_in', note.valueMinor);
          this.#intoBox(note);
        });
        break;
      case 'note-held':
        given(Held, body, (note) => {
          if (note.inBox) this.#intoBox(note);
        });
        break;
      case 'held-note-found':
        given(Credited, body, (note) => this.#intoBox(note));
        break;
      case 'held-note-resolved':
        given(Resolved, body, (note) => {
          if (!note.credited) return;
          this.#count('bills_in', note.valueMinor ?? 0);
          if (!note.inBox) this.#intoBox(note);
        });
        break;
      case 'fault-reported':
        return this.#removed(faultyBoxIn(body), seq, atMs);
      case 'box-taken':
        return this.#removed(TakenBox.safeParse(body).data?.acceptor ?? 0, seq, atMs);
      case 'deal-began':
        given(Began, body, ({ bets }) =>
          this.#count(
            'coin_in',
            sumOf(bets, (bet) => bet.amountMinor),
          ),
        );
        break;
      case 'round-settled':
        given(Paid, body, ({ lines }) => this.#settled(lines));
        break;
      case 'paid-at-once':
        given(Paid, body, ({ lines }) => this.#won(lines));
        break;
      case 'round-voided':
        given(Voided, body, ({ lines, committed }) => {
          this.#count('rounds_voided');
          const unpaid = lines.filter(({ atOnce }) => atOnce !== true);
          if (committed)
            this.#count(
              'voided_bets',
              sumOf(unpaid, (line) => line.returnedMinor),
            );
        });
        break;
      case 'card-confirmed':
        given(Confirmed, body, ({ read, card, sealed }) => {
          const isSame = sealed?.same ?? (read === null || read === card);
          if (!isSame) this.#play().corrected += 1;
        });
        break;
      case 'cards-swapped':
        this.#play().corrected += 1;
        break;
      case 'hand-paid':
        given(HandPaid, body, ({ amountMinor, win }) => {
          this.#count('handpaid_total', amountMinor);
          if (win !== true) this.#count('cashout_amount', amountMinor);
        });
        break;
      case 'credit-adjusted':
        given(Adjusted, body, ({ amountMinor }) =>
          this.#count(amountMinor > 0 ? 'credit_adjust_up' : 'credit_adjust_down', Math.abs(amountMinor)),
        );
        break;
    }
    return null;
  }

  #settled(lines: readonly z.infer<typeof Line>[]): void {
    const played = lines.filter(({ outcome }) => !isGivenUp(outcome));
    const hands = new Set(played.map(({ by }) => by)).size;
    if (hands > 0) this.#count('rounds_dealt');
    this.#count('seat_games', hands);
    this.#won(lines.filter(({ atOnce }) => atOnce !== true));
    const play = this.#play();
    if (hands > 0) play.rounds += 1;
    play.hands += hands;
    play.stakedMinor += sumOf(lines, (line) => line.stakeMinor);
    play.wonMinor -= sumOf(lines, (line) => line.netMinor);
  }

  #won(lines: readonly z.infer<typeof Line>[]): void {
    this.#count(
      'won_total',
      sumOf(lines, ({ bet, returnedMinor }) => (bet === JACKPOT ? 0 : returnedMinor)),
    );
  }

  #intoBox(note: {
    readonly acceptor: number;
    readonly currency: string;
    readonly valueMinor: number | null;
  }): void {
    const { acceptor, valueMinor } = note;
    if (valueMinor !== null) this.#count('bills_to_drop', valueMinor);
    for (const boxes of [this.books.boxes, this.figures.notes]) {
      boxes[acceptor] ??= { known: {}, unknown: 0 };
      if (valueMinor === null) boxes[acceptor].unknown += 1;
      else bump(boxes[acceptor].known, `${note.currency}_${valueMinor}`, 1);
    }
  }

  /** The box is out from here on; what comes now lies in the next one. */
  #removed(acceptor: number, removedSeq: number, removedAtMs: number): RemovedBox | null {
    if (acceptor === 0) return null;
    this.#count('stacker_removed');
    const notes = this.books.boxes[acceptor] ?? { known: {}, unknown: 0 };
    delete this.books.boxes[acceptor];
    return { acceptor, currency: this.books.currency, removedSeq, removedAtMs, notes };
  }
}

/** The acceptor whose box was taken out unannounced; 0 = the fault is another one. */
function faultyBoxIn(body: unknown): number {
  const { data } = Fault.safeParse(body);
  return data?.fault === 'cash-box-removed' ? Number(CASH_BOX.exec(data.device)?.[1] ?? 0) : 0;
}

const STARTS: ReadonlySet<string> = new Set(['terminal-started', 'program-started']);

function given<T>(schema: z.ZodType<T>, body: unknown, work: (said: T) => void): void {
  const { data, success } = schema.safeParse(body);
  if (success) work(data);
}

const sumOf = <T>(list: readonly T[], amount: (of: T) => number): number =>
  list.reduce((sum, each) => sum + amount(each), 0);

/** Meters that follow from what stands on the accounts. */
export function standing(accounts: Sums, currencyOf: string): Sums {
  const of = (...kinds: readonly string[]): number =>
    Object.entries(accounts).reduce((sum, [name, amount]) => {
      const [money, account = ''] = name.split('/');
      return money === currencyOf && kinds.includes(account.split(':')[0]!) ? sum + amount : sum;
    }, 0);
  return {
    drop_total: of('cash-box'),
    credit_now: 0 - of('seat-credit'),
    handpays_pending_amount: 0 - of('hand-pay-pending'),
    bills_held_now: 0 - of('held-notes'),
    jp_now: 0 - of('jackpot'),
  };
}
