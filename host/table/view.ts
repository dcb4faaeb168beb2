import type { Minor } from '../../engine/core/money.ts';
import { minor } from '../../engine/core/money.ts';
import {
  behindChoices,
  bettingChoices,
  complaintWindow,
  dealerOptions,
  isNextRoundLast,
  nextStep,
  seatChoices,
} from '../../engine/engine.ts';
import { isNoteOpen } from '../../engine/table/centre.ts';
import { assignables, remedies } from '../../engine/table/error-desk.ts';
import type { TableEvent } from '../../engine/table/events.ts';
import type { Game, GameSeatView, GameView } from '../../engine/table/game.ts';
import { aheadChoices, intentOf } from '../../engine/table/intents.ts';
import { largestNote } from '../../engine/table/notes.ts';
import { acceptorCount, type TableProfile } from '../../engine/table/profile.ts';
import { gameOf, gamesHandedIn } from '../../engine/table/registry.ts';
import { sessionResult, standingLimits } from '../../engine/table/sessions.ts';
import type { SettlementLine } from '../../engine/table/settlement.ts';
import type { Bet, CashOut, Hand, RoundSeat, SeatState, TableState } from '../../engine/table/state.ts';
import { faultRow } from '../../wire/faults.ts';
import type {
  Handover,
  HandView,
  LastResultView,
  SeatResult,
  SeatView,
  SessionView,
  TableView,
} from '../../wire/view.ts';
import { tableHashOf } from './table-hash.ts';
import type { Lock } from './terminal.ts';

/** What the host adds to the state of the table to make the picture complete. */
export interface ViewContext {
  /** The shoe cannot tell that it was loaded. */
  readonly handLoaded?: boolean;
  /** The shoe can read the card that left it last once more. */
  readonly rereads?: boolean;
  readonly bootId: string;
  readonly seq: number;
  readonly nowMs: number;
  readonly demo: TableView['demo'];
  readonly simulation: boolean;
  readonly locked: Lock | null;
  readonly link: TableView['link'];
  readonly centre?: TableView['centre'] | null;
  readonly sound?: TableView['sound'] | null;
  readonly devices: TableView['devices'];
  readonly recall?: TableView['recall'];
  readonly serviceLeavesAtMs?: number | null;
  readonly help?: NonNullable<TableView['help']>;
  readonly handedOver?: NonNullable<TableView['handedOver']>;
  /** Absent: no PIN is typed on this picture. */
  readonly pinPad?: TableView['pinPad'];
  readonly speech?: NonNullable<TableView['speech']>;
  /** Null: not known yet. */
  readonly program?: { readonly version: string; readonly id: string } | null;
  /** The last note of a seat while its fate is news: credited or returned. */
  readonly recentNotes: ReadonlyMap<number, NonNullable<SeatView['note']>>;
}

const sum = (amounts: readonly number[]): Minor =>
  minor(amounts.reduce((total, amount) => total + amount, 0));

function resultOf(lines: readonly SettlementLine[], bettor: number): SeatResult | null {
  const own = lines.filter(({ by }) => by === bettor);
  return own.length === 0 ? null : { netMinor: sum(own.map((line) => line.netMinor)), lines: own };
}

/** Whose chips lie in the box of a seat: its own bettor's, else those nearest to the bank. */
function frontOf(bets: readonly Bet[], seat: number): number | null {
  const mains = bets.filter(({ bet }) => bet === 'main');
  return (mains.find(({ by }) => by === seat) ?? mains[0])?.by ?? null;
}

function handView(
  game: Game,
  hand: Hand,
  index: number,
  { bettors }: RoundSeat,
  front: number | null,
  onSeat: readonly SettlementLine[],
  isFaceDown: boolean,
): HandView {
  const { points, soft } = game.readHand(hand.cards, hand);
  const lines = onSeat.filter((line) => line.hand === index && line.by === front);
  const stakes = bettors.map(({ by }, i) => ({ by, stakeMinor: hand.stakesMinor[i]! }));
  return {
    cards: [...hand.cards],
    stakeMinor: stakes.find(({ by }) => by === front)?.stakeMinor ?? minor(0),
    behind: stakes.filter(({ by, stakeMinor }) => by !== front && stakeMinor > 0),
    points: points ?? 0,
    soft,
    faceDown: isFaceDown,
    doubled: hand.doubled !== null,
    fromSplit: hand.fromSplit,
    status: hand.status,
    netMinor: lines.length === 0 ? null : sum(lines.map((line) => line.netMinor)),
  };
}

function noteOf(state: TableState, context: ViewContext, seat: number): SeatView['note'] {
  const inFlight = state.notes.find((note) => note.seat === seat);
  if (inFlight)
    return {
      state: inFlight.state === 'escrowed' ? 'checking' : 'stacking',
      valueMinor: inFlight.valueMinor,
      caseNo: null,
    };
  const held = state.heldNotes.find((note) => note.seat === seat);
  if (held) return { state: 'held', valueMinor: held.valueMinor ?? minor(0), caseNo: held.caseNo };
  return context.recentNotes.get(seat) ?? null;
}

function sessionOf(state: TableState, { seat, session }: SeatState, nowMs: number): SessionView | null {
  if (!session) return null;
  const { sinceMs, inMinor, outMinor, limits, reached, hasReached } = session;
  // A session of an older program is shown as it was then.
  const standing = session.limitsSince === undefined ? [] : standingLimits(state, seat, nowMs);
  const { rounds, largestLossMinor, breakUntilMs, isLong } = session;
  const resultMinor = sessionResult(state, seat);
  return {
    sinceMs,
    inMinor,
    outMinor,
    resultMinor,
    limits,
    reached,
    mayRaise: !hasReached,
    ...(standing.length === 0 ? {} : { standing }),
    ...(rounds === undefined ? {} : { rounds }),
    ...(largestLossMinor === undefined ? {} : { largestLossMinor }),
    ...(breakUntilMs === undefined ? {} : { breakUntilMs }),
    ...(isLong ? { long: isLong } : {}),
  };
}

function lastOf({ results }: TableState, by: number): LastResultView | null {
  const last = results?.[by];
  if (last === undefined) return null;
  const { roundId, no, lines, cards } = last;
  return {
    roundId,
    no,
    stakeMinor: sum(lines.map((line) => line.stakeMinor)),
    netMinor: sum(lines.map((line) => line.netMinor)),
    ...(cards ? { cards } : {}),
  };
}

function seatView(state: TableState, context: ViewContext, seat: SeatState): SeatView {
  const { round, profile } = state;
  const game = gameOf(state);
  const roundSeat = round?.seats.find((candidate) => candidate.seat === seat.seat);
  const bets = round?.bets.filter((bet) => bet.seat === seat.seat) ?? [];
  const front = frontOf(bets, seat.seat);
  // Before the end of the round what has been paid at once (art. 15; r.21, r.35).
  const told = round?.lines ?? round?.prizes.filter(({ atOnce }) => atOnce) ?? [];
  const lines = told.filter((line) => line.seat === seat.seat);
  const ofHands = round?.lines ? lines : lines.filter(({ bet }) => bet === 'main');
  const note = noteOf(state, context, seat.seat);
  const held = state.heldNotes.filter((candidate) => candidate.seat === seat.seat);
  const { insurance, ...own } = gameSeatView(state, seat.seat);
  const { cashOut, comfort } = seat;
  const session = sessionOf(state, seat, context.nowMs);
  const last = lastOf(state, seat.seat);
  const ahead = aheadChoices(state, seat.seat);
  const intent = intentOf(state, seat.seat);
  return {
    seat: seat.seat,
    language: seat.language,
    free:
      seat.creditMinor === 0 &&
      !(round?.bets ?? []).some(({ by }) => by === seat.seat) &&
      !game.series?.open(state).some(({ by }) => by === seat.seat) &&
      cashOut === null &&
      !seat.wins &&
      note === null,
    creditMinor: seat.creditMinor,
    heldMinor: sum(held.map((candidate) => candidate.valueMinor ?? 0)),
    callsAttendant: seat.callsAttendant,
    ...(comfort ? { comfort } : {}),
    ...(session ? { session } : {}),
    bets: bets.map(({ by, bet, amountMinor }) => ({ by, bet, amountMinor })),
    ...own,
    front,
    decider: roundSeat?.decider ?? null,
    insurance,
    hands:
      roundSeat?.hands.map((hand, index) =>
        handView(
          game,
          hand,
          index,
          roundSeat,
          front,
          ofHands,
          game.liesFaceDown?.(state, round!, hand) ?? false,
        ),
      ) ?? [],
    turnHand: round?.turn?.seat === seat.seat ? round.turn.hand : null,
    choices: seatChoices(state, seat.seat),
    ...(ahead.length > 0 ? { ahead } : {}),
    ...(intent
      ? { intent: { act: intent.act, ...(intent.dropped ? { dropped: intent.dropped } : {}) } }
      : {}),
    betting: bettingChoices(state, seat.seat),
    behind: behindChoices(state, seat.seat),
    lines,
    result: resultOf(round?.lines ?? [], seat.seat),
    ...(last ? { last } : {}),
    note,
    ...(context.pinPad === undefined ? {} : { largestNoteMinor: largestNote(state, seat.seat) }),
    cashOut: cashOut && {
      requestId: cashOut.requestId,
      amountMinor: cashOut.amountMinor,
      sinceMs: cashOut.sinceMs,
      twoPersons: profile !== null && cashOut.amountMinor > profile.twoPersonHandPayMinor,
    },
  };
}

/** What the games show beside that, each for itself. */
const gameView = (state: TableState): GameView =>
  Object.assign({}, ...gamesHandedIn().map(({ view }) => view?.(state) ?? {}));
const gameSeatView = (state: TableState, seat: number): GameSeatView =>
  Object.assign({}, ...gamesHandedIn().map(({ viewSeat }) => viewSeat?.(state, seat) ?? {}));

/**
 * A locked terminal as the engine shows a table whose books do not agree, also where no entry could
 * say so.
 */
function heldByBooks(state: TableState, { why, sinceMs }: Lock): TableState {
  const fault = { device: 'books', fault: 'books-differ', place: why, sinceMs };
  return {
    ...state,
    hold: { code: 'books', sinceMs, card: null, drawNo: null, detail: why },
    faults: [...state.faults, fault],
    deadline: null,
  };
}

/** What waits for an attendant or a supervisor, oldest first. */
function moneyDesk(
  state: TableState,
  nowMs: number,
  twoPersonMinor: Minor,
): Pick<TableView, 'handPays' | 'complaints' | 'complaintWindow'> {
  const handPays = state.seats.flatMap(({ seat, cashOut, wins = [] }) => {
    const pay = (kind: 'cash-out' | 'win', { requestId, amountMinor, sinceMs, payNo }: CashOut) => {
      const twoPersons = amountMinor > twoPersonMinor;
      return { seat, requestId, payNo: payNo ?? null, kind, amountMinor, sinceMs, twoPersons };
    };
    return [...(cashOut ? [pay('cash-out', cashOut)] : []), ...wins.map((win) => pay('win', win))];
  });
  const window = complaintWindow(state);
  const isOver = window?.untilMs != null && nowMs > window.untilMs;
  return {
    handPays: handPays.toSorted((a, b) => a.sinceMs - b.sinceMs || a.seat - b.seat),
    complaints: state.complaints.map(({ complaintNo, seat, roundNo, sinceMs, from, adjustedMinor }) => ({
      complaintNo,
      seat,
      roundNo,
      from: from ?? 'dealer',
      sinceMs,
      adjustedMinor: adjustedMinor ?? minor(0),
    })),
    complaintWindow:
      window && !isOver ? { roundNo: window.roundNo, untilMs: window.untilMs, cites: window.cites } : null,
  };
}

/** What stands open, for whoever takes over. */
export function handoverOf(state: TableState): Handover {
  const { seats, heldNotes, complaints, faults, toReport: unreported = 0 } = state;
  const pays = seats.flatMap(({ cashOut, wins = [] }) => [...(cashOut ? [cashOut] : []), ...wins]);
  return {
    handPays: pays.length,
    pendingMinor: sum(pays.map(({ amountMinor }) => amountMinor)),
    heldNotes: heldNotes.length,
    calls: seats.filter(({ callsAttendant }) => callsAttendant).map(({ seat }) => seat),
    complaints: complaints.length,
    unreported,
    faults: faults.map(({ fault }) => fault),
    creditMinor: sum(seats.map(({ creditMinor }) => creditMinor)),
  };
}

/** Notes of the profile that the centre leaves open at one acceptor at least. */
function notesTaken(state: TableState, profile: TableProfile): readonly Minor[] {
  return profile.notesMinor.filter((note) =>
    Array.from({ length: acceptorCount(profile) }, (_, i) => i + 1).some((acceptor) =>
      isNoteOpen(state, acceptor, note),
    ),
  );
}

/** The whole picture of the table for displays: a projection, nothing in it is decided here. */
export function tableView(stored: TableState, context: ViewContext): TableView {
  const state = context.locked === null ? stored : heldByBooks(stored, context.locked);
  const { profile, rules, round, shoe } = state;
  if (!profile || !rules) throw new Error('the table has no profile yet');
  const bank = round?.bank ?? [];
  // A card that lies face down is read by the shoe, but no display may know it before it is turned.
  const seen = round?.bankHoleDown ? bank.slice(0, 1) : bank;
  const game = gameOf(state);
  return {
    bootId: context.bootId,
    seq: context.seq,
    nowMs: context.nowMs,
    demo: context.demo,
    simulation: context.simulation,
    ...(state.dealer === null && context.program
      ? { program: { ...context.program, table: tableHashOf(profile) } }
      : {}),
    table: {
      name: profile.tableName,
      terminalId: profile.terminalId,
      rulebook: profile.rulebook,
      currency: profile.currency,
      minMinor: minor(rules.min),
      maxMinor: minor(rules.max),
      stepMinor: minor(rules.step),
      chipsMinor: profile.chipsMinor,
      notesMinor: notesTaken(state, profile),
      acceptors: profile.acceptors,
      options: { ...rules },
      ...(profile.dealerSide === undefined ? {} : { dealerSide: profile.dealerSide }),
      ...(profile.display === undefined ? {} : { display: profile.display }),
    },
    phase: state.phase,
    round: round && { id: round.id, no: round.no, last: round.last, demo: round.demo },
    hold: state.hold,
    deadline: state.deadline,
    dealer: {
      name: state.dealer?.name ?? '',
      step: nextStep(state),
      options: dealerOptions(state),
      remedies: remedies(state, context.rereads),
      assignables: assignables(state),
      ...(profile.errorsBySupervisor ? { errorsBySupervisor: true as const } : {}),
      ...(profile.supervisedShoe ? { supervisedShoe: true as const } : {}),
    },
    shoe: {
      ...(context.handLoaded ? { handLoaded: true as const } : {}),
      loaded: shoe.stage !== 'none',
      decks: shoe.decks,
      drawn: shoe.drawn,
      remaining: shoe.decks * 52 - shoe.drawn,
      discarded: shoe.discarded,
      burned: shoe.burned,
      lastRound: round?.last ?? isNextRoundLast(state),
    },
    bank: {
      cards: bank.map((card, i) => (i < seen.length ? card : null)),
      ...game.readHand(seen),
    },
    ...gameView(state),
    ...(state.tallies ? { tallies: state.tallies } : {}),
    seats: state.seats.map((seat) => seatView(state, context, seat)),
    noteSeat: state.noteSeat,
    heldNotes: state.heldNotes.map(({ caseNo, seat, acceptor, valueMinor, inBox, sinceMs }) => ({
      twoPersons: (valueMinor ?? Infinity) > profile.twoPersonHandPayMinor,
      caseNo,
      seat,
      acceptor,
      valueMinor,
      inBox,
      sinceMs,
    })),
    ...(state.drop ? { drop: { name: state.drop.person.name, sinceMs: state.drop.sinceMs } } : {}),
    ...moneyDesk(state, context.nowMs, profile.twoPersonHandPayMinor),
    ...(context.help === undefined ? {} : { help: context.help }),
    ...(context.handedOver === undefined ? {} : { handedOver: context.handedOver }),
    ...(context.pinPad === undefined ? {} : { handover: handoverOf(state) }),
    pinPad: context.pinPad ?? { people: [], leastDigits: 0 },
    service: state.service && {
      name: state.service.person.name,
      role: state.service.person.role,
      sinceMs: state.service.sinceMs,
      ...(context.serviceLeavesAtMs == null ? {} : { leavesAtMs: context.serviceLeavesAtMs }),
    },
    ...(context.recall === undefined ? {} : { recall: context.recall }),
    ledgerFaults: state.faults.flatMap(({ fault }) =>
      faultRow(fault)?.device === 'ledger' || faultRow(fault)?.code === 906 || fault === 'link-overdue'
        ? [fault]
        : [],
    ),
    link: context.link,
    ...(context.centre ? { centre: context.centre } : {}),
    ...(context.sound ? { sound: context.sound } : {}),
    devices: context.devices,
    ...(context.speech === undefined ? {} : { speech: context.speech }),
  };
}

/** How long a seat sees that its note was credited or came back. */
export const NOTE_NEWS_MS = 6_000;

/** The last note of each seat as long as its fate is news. */
export class RecentNotes {
  readonly #now: () => number;
  readonly #news = new Map<
    number,
    { readonly note: NonNullable<SeatView['note']>; readonly untilMs: number }
  >();

  constructor(now: () => number) {
    this.#now = now;
  }

  current(): ReadonlyMap<number, NonNullable<SeatView['note']>> {
    const now = this.#now();
    for (const [seat, { untilMs }] of this.#news) if (untilMs <= now) this.#news.delete(seat);
    return new Map([...this.#news].map(([seat, { note }]) => [seat, note]));
  }

  /**
   * `sharedSeat`: the seat a refused note of the shared acceptor was for. `changed` is called again
   * when the news is old; `givenBack`: acceptors that gave a note back by themselves.
   */
  take(
    events: readonly TableEvent[],
    sharedSeat: number | null,
    { changed, givenBack = [] }: { changed?: () => void; givenBack?: readonly number[] } = {},
  ): void {
    for (const acceptor of givenBack)
      this.#keep(
        sharedSeat ?? acceptor,
        { state: 'returned', valueMinor: minor(0), caseNo: null, why: 'not-taken' },
        changed,
      );
    for (const event of events) {
      const news =
        event.type === 'note-credited'
          ? { seat: event.seat, state: 'credited' as const, valueMinor: event.valueMinor }
          : event.type === 'note-refused'
            ? {
                seat: sharedSeat ?? event.acceptor,
                state: 'returned' as const,
                valueMinor: event.valueMinor,
                why: event.why,
              }
            : null;
      if (!news) continue;
      const { seat, ...note } = news;
      this.#keep(seat, { ...note, caseNo: null }, changed);
    }
  }

  #keep(seat: number, note: NonNullable<SeatView['note']>, changed?: () => void): void {
    this.#news.set(seat, { note, untilMs: this.#now() + NOTE_NEWS_MS });
    if (changed) setTimeout(changed, NOTE_NEWS_MS + 10).unref();
  }
}
