import type { SeededChance } from '../../hardware/transport/faults.ts';
import type { Command, TableView } from '../../host/api.ts';
import type { Action } from './session.ts';

const SEATS = [1, 3, 5];
const DEALER_PIN = '1111';
const ATTENDANT_PIN = '2222';

const command = (value: Command): Action => ({ kind: 'command', command: value });

/** What a random table would do next; looks only at what every display shows. */
export function nextAction(view: TableView, chance: SeededChance): Action {
  const { step } = view.dealer;
  const pick = <T>(from: readonly T[]): T => from[chance.below(from.length)] as T;
  switch (step.step) {
    case 'sign-in':
      return command({ type: 'sign-in-dealer', pin: DEALER_PIN });
    case 'load-shoe':
      return {
        kind: 'device',
        command: { do: 'load-shoe', decks: 6, seed: chance.below(1_000_000) },
        commits: 1,
        done: (next) => next.shoe.loaded && next.dealer.step.step !== 'load-shoe',
      };
    case 'cut-shoe':
      return command({ type: 'cut-shoe', seat: null });
    case 'place-end-card':
      return command({ type: 'place-end-card', cardsBehind: 60 });
    case 'burn':
    case 'draw-for-seat':
    case 'draw-for-bank':
    case 'draw-for-player-side':
      return {
        kind: 'device',
        command: { do: 'draw-card' },
        commits: 1,
        done: (next) => next.shoe.drawn > view.shoe.drawn,
      };
    case 'open-betting':
      return betweenRounds(view, chance);
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
    case 'read-results':
      return { kind: 'wait', done: (next) => next.dealer.step.step !== 'read-results' };
    case 'close-round':
      return command({ type: 'close-round' });
    case 'confirm-layout':
      return command({ type: 'confirm-layout' });
    case 'resolve-card':
      return command({ type: 'set-card-aside' });
    case 'confirm-card':
      return command({ type: 'confirm-card', card: step.card });
    case 'in-service':
      return command({ type: 'exit-service' });
    case 'call-supervisor':
    case 'locked-by-centre':
    // A black jack table of Macau with a shoe asks for none of these.
    case 'check-decks':
    case 'load-packet':
    case 'feed-shuffler':
    case 'close-complaint':
    case 'open-shuffler':
      throw new Error(
        `the table waits for ${step.step}: ${JSON.stringify(view.hold)} ${JSON.stringify(view.devices)}`,
      );
  }
}

function betweenRounds(view: TableView, chance: SeededChance): Action {
  const poor = view.seats.find(
    (seat) => SEATS.includes(seat.seat) && seat.creditMinor < 150_000 && !seat.cashOut,
  );
  if (poor) {
    const valueMinor = view.table.notesMinor[chance.below(view.table.notesMinor.length)] as number;
    return {
      kind: 'device',
      command: { do: 'insert-note', acceptor: poor.seat, valueMinor, currency: view.table.currency },
      commits: 2,
      done: (next) => {
        const seat = next.seats[poor.seat - 1];
        return (
          seat !== undefined &&
          seat.creditMinor >= poor.creditMinor + valueMinor &&
          seat.note?.state !== 'stacking'
        );
      },
    };
  }
  const paying = view.seats.find((seat) => seat.cashOut);
  if (paying?.cashOut)
    return command({
      type: 'confirm-hand-pay',
      seat: paying.seat,
      requestId: paying.cashOut.requestId,
      pin: ATTENDANT_PIN,
    });
  if (chance.below(5) === 0) {
    const seat = SEATS[chance.below(SEATS.length)] as number;
    if ((view.seats[seat - 1]?.creditMinor ?? 0) > 0) return command({ type: 'request-cash-out', seat });
  }
  return command({ type: 'open-betting' });
}

function bet(view: TableView, seat: number, chance: SeededChance): Action {
  const amountMinor = view.table.chipsMinor[chance.below(2)] as number;
  return command({
    type: 'place-bet',
    roundId: view.round?.id ?? '',
    seat,
    bet: 'main',
    amountMinor,
    touchedAtMs: view.nowMs,
  });
}
