import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext, useMemo } from 'preact/hooks';
import type { RejectCode } from '../../engine/core/result.ts';
import type { Act } from '../../engine/table/inputs.ts';
import type { Command } from '../../wire/commands.ts';
import type { SeatView, TableView } from '../../wire/view.ts';
import type { SoundPlayer } from '../sound/player.ts';
import type { Speaker } from '../sound/speaker.ts';
import type { TableScene } from '../table/table.scene.ts';
import type { Answer, Wire } from './wire.ts';

/** Why a touch did nothing, for the place where it was made. */
export interface Notice {
  readonly code: RejectCode;
  readonly cites: readonly string[];
  /** The decision that is closed, where its own rule says more than the code. */
  readonly act: Act | null;
  /** Of a touch after its deadline: by how much. */
  readonly lateMs?: number;
}

/** A seat's number, or the dealer's side of the table. */
export type Place = number | 'dealer';

export interface ChosenSpot {
  readonly roundId: string;
  readonly bet: string;
}

/** Another seat that a bettor lays on; null = they are choosing one. */
export interface ChosenPlace {
  readonly roundId: string;
  readonly on: number | null;
}

export interface FeltView {
  readonly view: TableView;
  readonly atOnce: boolean;
  /** Of the past: its clock stands still. */
  readonly past: boolean;
}

/**
 * What every part of the screen stands on: the host's truth, the time, and the sentences that pass.
 */
export interface Station {
  readonly wire: Wire;
  readonly sound: SoundPlayer;
  /** Says sentences at the seats that want them said. */
  readonly speaker: Speaker;
  /**
   * What the felt shows: the present, or a step of the round that is recalled. Null before the
   * first view.
   */
  readonly felt: ReadonlySignal<FeltView | null>;
  /** The drawn table, null until it is there and where there is none. */
  readonly scene: Signal<TableScene | null>;
  /**
   * Shows a step of the past on the felt, null = the present again. `atOnce`: without travel from
   * the step before.
   */
  showPast(view: TableView | null, atOnce?: boolean): void;
  /** Host time, moved on while something counts down (every 200 ms) or else once a second. */
  readonly nowMs: ReadonlySignal<number>;
  readonly notices: ReadonlySignal<ReadonlyMap<Place, Notice>>;
  /** The chip each seat touched last, in minor units; a touch on the felt lays the same again. */
  readonly chips: ReadonlySignal<ReadonlyMap<number, number>>;
  /**
   * The bet a seat's next chips go to, while it is not the main one; with the round it was chosen
   * in.
   */
  readonly spots: ReadonlySignal<ReadonlyMap<number, ChosenSpot>>;
  /**
   * The other seat a bettor's next chips go to, with the round it was chosen in; absent = their
   * own.
   */
  readonly places: ReadonlySignal<ReadonlyMap<number, ChosenPlace>>;
  pickChip(seat: number, chipMinor: number): void;
  /** `bet` null: back to the main bet. */
  pickSpot(seat: number, bet: string | null): void;
  /** `on` null: a seat is to be chosen; the bettor's own: back to it. */
  pickPlace(seat: number, on: number | null): void;
  /**
   * Lays a chip of the bettor of `seat` on the hand of `on`, or says in their panel why it cannot
   * be laid.
   */
  layChip(seat: SeatView, bet: string, chipMinor: number, on?: number): void;
  /** As much as limits and credit leave room for. The chip of the next touch stays what it was. */
  layMost(seat: SeatView, bet: string, on?: number): void;
  notify(place: Place, notice: Notice): void;
  dismiss(place: Place): void;
  /** Sends a command; a refusal becomes a notice at `place`. */
  send(place: Place, command: Command): Promise<Answer>;
  placeBet(seat: number, bet: string, amountMinor: number, on: number): void;
}

const NOTICE_MS = 5_000;

export function createStation(wire: Wire, sound: SoundPlayer, speaker: Speaker): Station {
  const nowMs = signal(wire.hostNow());
  const notices = signal<ReadonlyMap<Place, Notice>>(new Map());
  const timers = new Map<Place, number>();
  const chips = signal<ReadonlyMap<number, number>>(new Map());
  const spots = signal<ReadonlyMap<number, ChosenSpot>>(new Map());
  const places = signal<ReadonlyMap<number, ChosenPlace>>(new Map());

  const past = signal<FeltView | null>(null);
  const felt = computed((): FeltView | null => {
    const view = wire.view.value;
    return past.value ?? (view && { view, atOnce: false, past: false });
  });

  const counting = computed(
    () => (wire.view.value?.deadline ?? null) !== null || readsResults(wire.view.value),
  );
  effect(() => {
    const periodMs = counting.value ? 200 : 1_000;
    nowMs.value = wire.hostNow();
    const timer = setInterval(() => {
      nowMs.value = wire.hostNow();
    }, periodMs);
    return () => clearInterval(timer);
  });

  function change(place: Place, notice: Notice | null): void {
    const next = new Map(notices.peek());
    if (notice) next.set(place, notice);
    else next.delete(place);
    notices.value = next;
  }

  const station: Station = {
    wire,
    sound,
    speaker,
    felt,
    scene: signal(null),
    showPast(view, atOnce = false) {
      past.value = view && { view, atOnce, past: true };
    },
    nowMs,
    notices,
    chips,
    spots,
    places,
    pickChip(seat, chipMinor) {
      chips.value = new Map(chips.peek()).set(seat, chipMinor);
    },
    pickSpot(seat, bet) {
      const next = new Map(spots.peek());
      const roundId = wire.view.peek()?.round?.id;
      if (bet === null || roundId === undefined) next.delete(seat);
      else next.set(seat, { roundId, bet });
      spots.value = next;
    },
    pickPlace(seat, on) {
      station.pickSpot(seat, null);
      const next = new Map(places.peek());
      const roundId = wire.view.peek()?.round?.id;
      if (on === seat || roundId === undefined) next.delete(seat);
      else next.set(seat, { roundId, on });
      places.value = next;
    },
    layChip(seat, bet, chipMinor, on = seat.seat) {
      const closed = chipClosed(seat, bet, chipMinor, on);
      if (closed) station.notify(seat.seat, { ...closed, act: null });
      else {
        if (bet !== 'jackpot') station.pickChip(seat.seat, chipMinor);
        station.placeBet(seat.seat, bet, chipMinor, on);
      }
    },
    layMost(seat, bet, on = seat.seat) {
      const closed = chipClosed(seat, bet, 1, on);
      const most = mostOf(seat, bet, on);
      if (closed || !most)
        station.notify(seat.seat, { ...(closed ?? { code: 'limit', cites: [] }), act: null });
      else station.placeBet(seat.seat, bet, most, on);
    },
    notify(place, notice) {
      const view = wire.view.peek();
      if (view !== null && typeof place === 'number')
        sound.play([{ kind: 'effect', effect: 'refused', seat: place }], view);
      clearTimeout(timers.get(place));
      change(place, notice);
      timers.set(
        place,
        window.setTimeout(() => change(place, null), NOTICE_MS),
      );
    },
    dismiss(place) {
      clearTimeout(timers.get(place));
      if (notices.peek().has(place)) change(place, null);
    },
    async send(place, command) {
      const answer = await wire.send(command);
      if (answer.status === 'rejected') {
        const act = command.type === 'decide' ? command.act : null;
        const { code, cites, lateMs } = answer;
        station.notify(place, { code, cites, act, ...(lateMs === undefined ? {} : { lateMs }) });
      }
      return answer;
    },
    placeBet(seat, bet, amountMinor, on) {
      const roundId = wire.view.peek()?.round?.id;
      if (roundId === undefined) {
        station.notify(seat, { code: 'too-late', cites: [], act: null });
        return;
      }
      void station.send(seat, {
        type: 'place-bet',
        roundId,
        seat: on,
        ...(on === seat ? {} : { by: seat }),
        bet,
        amountMinor,
        touchedAtMs: wire.hostNow(),
      });
    },
  };
  return station;
}

/** The most that may still be laid there; undefined = nothing. */
const mostOf = (seat: SeatView, bet: string, on: number): number | null | undefined =>
  (on === seat.seat
    ? seat.betting.find((choice) => choice.act === 'place-bet' && choice.bet === bet)
    : seat.behind.find((each) => each.seat === on)?.bets.find((each) => each.bet === bet)
  )?.amountMinor;

/**
 * Why this chip cannot be laid on that bet now; null = it can. On another seat a closed bet is left
 * for the host to refuse.
 */
export function chipClosed(
  seat: SeatView,
  bet: string,
  chipMinor: number,
  on = seat.seat,
): { readonly code: RejectCode; readonly cites: readonly string[] } | null {
  if (on !== seat.seat) {
    const other = seat.behind.find((each) => each.seat === on);
    const most = other?.bets.find((each) => each.bet === bet)?.amountMinor;
    if (most === undefined) return other?.refused ?? null;
    return chipMinor <= most
      ? null
      : { code: chipMinor > seat.creditMinor ? 'no-credit' : 'limit', cites: [] };
  }
  const place = seat.betting.find((choice) => choice.act === 'place-bet' && choice.bet === bet);
  if (place === undefined) return { code: 'off', cites: [] };
  const { allowed, code, cites, amountMinor } = place;
  if (!allowed) return { code: code ?? 'not-allowed', cites };
  if (amountMinor === null || chipMinor <= amountMinor) return null;
  return { code: chipMinor > seat.creditMinor ? 'no-credit' : 'limit', cites };
}

/** Whether a touch on the cloth of a seat is heard now; a seat with a display has its own. */
export const takesChips = (view: TableView, seat: SeatView): boolean =>
  view.phase === 'betting' && seat.betting.length > 0 && !view.handedOver?.seats.includes(seat.seat);

/**
 * The chip a touch on the felt lays: the last one touched, else the smallest lawful one; a jackpot
 * has its own.
 */
export function chipFor(view: TableView, bet: string, last: number | undefined): number | undefined {
  if (bet === 'jackpot') return view.jackpot?.stakeMinor;
  const { chipsMinor, minMinor } = view.table;
  return last ?? chipsMinor.find((chip) => chip >= minMinor) ?? chipsMinor.at(-1);
}

const readsResults = (view: TableView | null): boolean => view?.dealer.step.step === 'read-results';

const StationContext = createContext<Station | null>(null);
export const StationProvider = StationContext.Provider;

export function useStation(): Station {
  const station = useContext(StationContext);
  if (!station) throw new Error('no station around this component');
  return station;
}

/** The host's view; only what is drawn behind the veil may ask before there is one. */
export function useView(): TableView {
  const view = useStation().wire.view.value;
  if (!view) throw new Error('no view yet');
  return view;
}

/**
 * A value drawn from the clock or another signal together with plain values of this drawing. The
 * plain ones are named in `inputs`: a computed that is kept over drawings would go on with the old
 * ones, and for ever where it read no signal.
 */
export const useDerived = <T>(compute: () => T, inputs: readonly unknown[]): T =>
  useMemo(() => computed(compute), inputs).value;

/**
 * Whole seconds left until `atMs` on the host's clock, null without a deadline; draws again only
 * when they change.
 */
export function useSecondsLeft(atMs: number | null): number | null {
  const { nowMs } = useStation();
  return useDerived(() => (atMs === null ? null : secondsLeft(atMs, nowMs.value)), [atMs, nowMs]);
}

/** Whole seconds left until `atMs`, never negative. */
export const secondsLeft = (atMs: number, nowMs: number): number =>
  Math.max(0, Math.ceil((atMs - nowMs) / 1_000));
