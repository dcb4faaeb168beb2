import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext, useMemo } from 'preact/hooks';
import type { RejectCode } from '../engine/core/result.ts';
import type { Act } from '../engine/table/inputs.ts';
import type { Command, TableView } from '../host/api.ts';
import type { Answer, Wire } from './wire.ts';

/** Why a touch did nothing, for the place where it was made. */
export interface Notice {
  readonly code: RejectCode;
  readonly cites: readonly string[];
  /** The decision that is closed, where its own rule says more than the code. */
  readonly act: Act | null;
}

/** A seat's number, or the dealer's side of the table. */
export type Place = number | 'dealer';

/** What every part of the screen stands on: the host's truth, the time, and the sentences that pass. */
export interface Station {
  readonly wire: Wire;
  /** Host time, moved on while something counts down (every 200 ms) or else once a second. */
  readonly nowMs: ReadonlySignal<number>;
  readonly notices: ReadonlySignal<ReadonlyMap<Place, Notice>>;
  /** The chip each seat touched last; a touch on its box lays the same again. */
  readonly chips: Map<number, number>;
  notify(place: Place, notice: Notice): void;
  dismiss(place: Place): void;
  /** Sends a command; a refusal becomes a notice at `place`. */
  send(place: Place, command: Command): Promise<Answer>;
  placeBet(seat: number, bet: string, amountMinor: number): void;
}

const NOTICE_MS = 5_000;

export function createStation(wire: Wire): Station {
  const nowMs = signal(wire.hostNow());
  const notices = signal<ReadonlyMap<Place, Notice>>(new Map());
  const timers = new Map<Place, number>();
  const chips = new Map<number, number>();

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
    nowMs,
    notices,
    chips,
    notify(place, notice) {
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
        station.notify(place, { code: answer.code, cites: answer.cites, act });
      }
      return answer;
    },
    placeBet(seat, bet, amountMinor) {
      const roundId = wire.view.peek()?.round?.id;
      if (roundId === undefined) {
        station.notify(seat, { code: 'too-late', cites: [], act: null });
        return;
      }
      chips.set(seat, amountMinor);
      void station.send(seat, {
        type: 'place-bet',
        roundId,
        seat,
        bet,
        amountMinor,
        touchedAtMs: wire.hostNow(),
      });
    },
  };
  return station;
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
 * A value drawn from the clock or another signal together with plain values of this drawing. The plain ones are named in
 * `inputs`: a computed that is kept over drawings would go on with the old ones, and for ever where it read no signal.
 */
export const useDerived = <T>(compute: () => T, inputs: readonly unknown[]): T =>
  useMemo(() => computed(compute), inputs).value;

/** Whole seconds left until `atMs` on the host's clock, null without a deadline; draws again only when they change. */
export function useSecondsLeft(atMs: number | null): number | null {
  const { nowMs } = useStation();
  return useDerived(() => (atMs === null ? null : secondsLeft(atMs, nowMs.value)), [atMs, nowMs]);
}

/** Whole seconds left until `atMs`, never negative. */
export const secondsLeft = (atMs: number, nowMs: number): number =>
  Math.max(0, Math.ceil((atMs - nowMs) / 1_000));
