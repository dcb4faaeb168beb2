import type { SeededChance } from '../../hardware/transport/faults.ts';
import type { Command } from '../../wire/commands.ts';
import type { SeatView, TableView } from '../../wire/view.ts';
import type { Action } from './session.ts';

type Complaint = TableView['complaints'][number];

export const SEATS = [1, 3, 5];
const DEALER = { person: '1', pin: '1111' };
const ATTENDANT = { person: '2', pin: '2222' };
const SUPERVISOR = { person: '3', pin: '3333' };
const TECHNICIAN = { person: '4', pin: '4444' };

const command = (value: Command): Action => ({ kind: 'command', command: value });

/**
 * What a random table would do next; looks only at what every display shows, and an attendant into
 * the boxes.
 * @param unbooked acceptors in whose box lies a note that nobody has credited
 */
export function nextAction(view: TableView, chance: SeededChance, unbooked: ReadonlySet<number>): Action {
  const { step } = view.dealer;
  const pick = <T>(from: readonly T[]): T => from[chance.below(from.length)] as T;
  switch (step.step) {
    case 'sign-in':
      return command({ type: 'sign-in-dealer', credential: DEALER });
    case 'load-shoe':
      return {
        kind: 'device',
        command: { do: 'load-shoe', decks: 6, seed: chance.below(1_000_000) },
        commits: 1,
        done: (next) => next.shoe.loaded && next.dealer.step.step !== 'load-shoe',
      };
    case 'cut-shoe':
      return command(
        step.seat === 0
          ? { type: 'cut-shoe', seat: null, credential: SUPERVISOR }
          : {
              type: chance.below(4) === 0 && step.seat !== null ? 'refuse-cut' : 'cut-shoe',
              seat: step.seat ?? 1,
            },
      );
    case 'check-decks':
      return command({ type: 'check-decks' });
    case 'witness-loading':
      return command({ type: 'witness-loading', credential: SUPERVISOR });
    case 'load-packet':
      return command({ type: 'load-packet', last: step.done + 1 >= step.least, credential: SUPERVISOR });
    case 'feed-shuffler':
      return command({ type: 'feed-shuffler' });
    case 'count-cards':
      return command({ type: 'count-cards', left: 0, discarded: 0 });
    case 'order-decks':
      return command({ type: 'order-decks', regular: true });
    case 'close-complaint':
      return answer(view.complaints[0] as Complaint, chance);
    case 'open-shuffler':
      return command({
        type: 'open-shuffler',
        solved: true,
        credential: step.technician ? TECHNICIAN : SUPERVISOR,
      });
    case 'place-end-card':
      return command({ type: 'place-end-card', cardsBehind: step.minBehind });
    case 'burn':
    case 'draw-for-seat':
    case 'draw-for-bank':
    case 'draw-for-player-side':
      return draw(view, chance);
    case 'open-betting':
      return betweenRounds(view, chance, unbooked);
    case 'close-betting': {
      const waiting = SEATS.filter((seat) => view.seats[seat - 1]?.bets.length === 0);
      return waiting.length > 0 || chance.below(4) === 0
        ? bet(view, pick(waiting.length > 0 ? waiting : SEATS), chance)
        : command({ type: 'close-betting' });
    }
    case 'await-offers':
    case 'await-decision': {
      const choices = view.seats.flatMap((seat) =>
        seat.choices.filter((choice) => choice.allowed).map((choice) => ({ seat: seat.seat, choice })),
      );
      const { seat, choice } = pick(choices);
      const amountMinor = choice.act === 'insure' ? (choice.minMinor ?? choice.amountMinor) : null;
      return command({
        type: 'decide',
        roundId: view.round?.id ?? '',
        seat,
        hand: choice.hand,
        act: choice.act,
        ...(amountMinor === null ? {} : { amountMinor }),
        touchedAtMs: view.nowMs,
      });
    }
    case 'pay-prize':
      return { kind: 'wait', done: (next) => next.dealer.step.step !== 'pay-prize' };
    case 'read-results':
      if (chance.below(3) === 0 && mayComplain(view).length > 0)
        return command({ type: 'raise-complaint', seat: pick(mayComplain(view)) });
      return { kind: 'wait', done: (next) => next.dealer.step.step !== 'read-results' };
    case 'close-round':
      if (chance.below(4) === 0 && mayComplain(view).length > 0)
        return command({ type: 'raise-complaint', seat: pick(mayComplain(view)) });
      return command({ type: 'close-round' });
    case 'confirm-layout':
      return command({ type: 'confirm-layout' });
    case 'resolve-card':
      return command({ type: 'set-card-aside' });
    case 'confirm-card':
      return command({ type: 'confirm-card', card: step.card });
    case 'in-service':
      return inService(view);
    case 'locked-by-centre':
      throw new Error('no centre locks this table');
    case 'call-supervisor':
      // The only fault that these hands make: the cover stands open.
      return {
        kind: 'device',
        command: { do: 'fault', device: 'shoe', fault: 'cover-close' },
        commits: 1,
        done: (next) => next.dealer.step.step !== 'call-supervisor',
      };
  }
}

/**
 * Now and then the next card is read with little confidence, or the cover is opened before it
 * comes.
 */
function draw(view: TableView, chance: SeededChance): Action {
  const fate = chance.below(25);
  if (fate === 0 && view.round !== null)
    return {
      kind: 'device',
      command: { do: 'fault', device: 'shoe', fault: 'cover-open' },
      commits: 1,
      done: (next) => next.hold?.code === 'shoe-fault',
    };
  return {
    kind: 'device',
    command: { do: 'draw-card' },
    commits: 1,
    ...(fate === 1 && view.dealer.step.step === 'draw-for-seat'
      ? { mishap: { do: 'fault', device: 'shoe', fault: 'doubtful' } }
      : {}),
    done: (next) => next.shoe.drawn > view.shoe.drawn || next.hold?.code === 'doubtful-card',
  };
}

const mayComplain = ({ dealer, complaints }: TableView): readonly number[] =>
  dealer.options.some(({ option }) => option === 'raise-complaint')
    ? SEATS.filter((seat) => !complaints.some((complaint) => complaint.seat === seat))
    : [];

/** Some are paid by an adjustment before they are upheld. */
function answer({ complaintNo, seat, adjustedMinor }: Complaint, chance: SeededChance): Action {
  if (adjustedMinor === 0 && chance.below(2) === 0)
    return command({
      type: 'adjust-credit',
      seat,
      amountMinor: 1_000 * (1 + chance.below(5)),
      reason: 'complaint-upheld',
      complaintNo,
      credential: ATTENDANT,
      secondCredential: SUPERVISOR,
    });
  return command({
    type: 'close-complaint',
    complaintNo,
    upheld: adjustedMinor !== 0,
    credential: SUPERVISOR,
  });
}

/**
 * A unit whose note came to lie in the box without a credit signal is locked until an attendant has
 * looked at it.
 */
const lockedAcceptor = (view: TableView): string | undefined =>
  view.devices.find(({ fault }) => fault === 'acceptor-sequence')?.id;

function inService(view: TableView): Action {
  const device = lockedAcceptor(view);
  return command(
    device === undefined
      ? { type: 'exit-service' }
      : { type: 'end-fault', device, fault: 'acceptor-sequence', credential: ATTENDANT },
  );
}

function betweenRounds(view: TableView, chance: SeededChance, unbooked: ReadonlySet<number>): Action {
  const held = view.heldNotes[0];
  if (held)
    return command({
      type: 'resolve-held-note',
      caseNo: held.caseNo,
      ...(unbooked.has(held.acceptor)
        ? ({ outcome: 'credited', reason: 'seen-in-box' } as const)
        : ({ outcome: 'returned', reason: 'device-record' } as const)),
      credential: ATTENDANT,
      secondCredential: SUPERVISOR,
    });
  const [complaint] = view.complaints;
  if (complaint) return answer(complaint, chance);
  if (lockedAcceptor(view) !== undefined) return command({ type: 'enter-service', credential: ATTENDANT });
  const poor = view.seats.find(
    (seat) => SEATS.includes(seat.seat) && seat.creditMinor < 60_000 && !seat.cashOut,
  );
  if (poor) return insertNote(view, poor, chance);
  const paying = view.seats.find((seat) => seat.cashOut);
  if (paying?.cashOut)
    return command({
      type: 'confirm-hand-pay',
      seat: paying.seat,
      requestId: paying.cashOut.requestId,
      credential: ATTENDANT,
    });
  if (chance.below(5) === 0) {
    const seat = SEATS[chance.below(SEATS.length)] as number;
    if ((view.seats[seat - 1]?.creditMinor ?? 0) > 0) return command({ type: 'request-cash-out', seat });
  }
  return chance.below(12) === 0
    ? command({ type: 'enter-service', credential: TECHNICIAN })
    : command({ type: 'open-betting' });
}

/**
 * Now and then the unit says that the note is in its box, and gives no credit signal: it becomes a
 * case.
 */
function insertNote(view: TableView, poor: SeatView, chance: SeededChance): Action {
  const valueMinor = view.table.notesMinor.at(-1 - chance.below(2)) as number;
  const isMuted = chance.below(10) === 0;
  return {
    kind: 'device',
    command: { do: 'insert-note', acceptor: poor.seat, valueMinor, currency: view.table.currency },
    commits: 2,
    ...(isMuted ? { mishap: { do: 'fault', device: `acceptor-${poor.seat}`, fault: 'stacked-first' } } : {}),
    done: (next) => {
      const seat = next.seats[poor.seat - 1];
      const isCredited = seat !== undefined && seat.creditMinor >= poor.creditMinor + valueMinor;
      return (isCredited && seat.note?.state !== 'stacking') || next.heldNotes.length > view.heldNotes.length;
    },
  };
}

/**
 * The first bet of a seat; on its spot, where the game has no main bet, and within what may be laid
 * there.
 */
function bet(view: TableView, seat: number, chance: SeededChance): Action {
  const { betting = [], bets = [] } = view.seats[seat - 1] ?? {};
  const open = betting.filter(
    ({ act, allowed, bet: kind }) => act === 'place-bet' && allowed && kind !== null,
  );
  const main = open.find(({ bet: kind }) => kind === 'main') ?? open[0];
  const chosen = bets.length > 0 && open.length > 0 ? open[chance.below(open.length)] : main;
  const chip = view.table.chipsMinor[chance.below(2)] as number;
  return command({
    type: 'place-bet',
    roundId: view.round?.id ?? '',
    seat,
    bet: chosen?.bet ?? 'main',
    amountMinor: Math.min(chip, chosen?.amountMinor ?? chip),
    touchedAtMs: view.nowMs,
  });
}
