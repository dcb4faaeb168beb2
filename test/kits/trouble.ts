import type { HandClock } from '../../hardware/transport/clock.ts';
import { CLEAN_LINE, type LineFaults, type SeededChance } from '../../hardware/transport/faults.ts';
import type { Till } from './till.ts';

/** What the simulated units of every bill protocol let a drill do to them. */
interface Unit {
  line: LineFaults;
  silencePerMille: number;
  silenceMs: number;
  insert(valueMinor: number, currency: string): unknown;
  powerOn(): void;
  powerOff(): void;
  unplug(): void;
}

/** Does this so many times in a thousand, and notes that it was met. */
export type Strike = (kind: string, perMille: number, run: () => void) => void;

export interface Trouble {
  readonly chance: SeededChance;
  readonly clock: HandClock;
  readonly sim: Unit;
  readonly till: Till;
  /** What was met is added. */
  readonly kinds: Set<string>;
  /** What a quiet start takes. */
  readonly startMs: number;
  readonly lastsMs: number;
  readonly notesMinor: readonly number[];
  readonly currency: string;
  readonly perMille: { readonly kill: number; readonly unplug: number; readonly power: number };
  /** What else befalls this unit. */
  more(strike: Strike): void;
}

/**
 * A host and a unit come up, and then everything goes wrong at some rate: the line, the host, the
 * plug, the power, the mechanics. At the end the line is clean and the unit has power; the caller
 * mends what it broke itself and starts the host.
 */
export async function trouble(o: Trouble): Promise<void> {
  const { chance, clock, sim, till, kinds } = o;
  till.wants = () => (chance.happens(850) ? 'stack' : 'return');
  till.start();
  await clock.turn(o.startMs);
  sim.line = {
    dropPerMille: chance.below(40),
    flipPerMille: chance.below(40),
    losePerMille: chance.below(60),
  };
  sim.silencePerMille = chance.below(10);
  sim.silenceMs = 100 + chance.below(5000);
  till.diesAt = (place) => {
    const dies = chance.happens(80);
    if (dies) kinds.add(`dies ${place}`);
    return dies;
  };
  const strike: Strike = (kind, perMille, run) => {
    if (!chance.happens(perMille)) return;
    kinds.add(kind);
    run();
  };
  let offUntilMs: number | null = null;
  let deadUntilMs: number | null = null;
  for (const untilMs = clock.now() + o.lastsMs; clock.now() < untilMs; ) {
    await clock.turn(20 + chance.below(180));
    if (offUntilMs !== null && clock.now() >= offUntilMs) {
      sim.powerOn();
      offUntilMs = null;
    }
    if (!till.alive) {
      deadUntilMs ??= clock.now() + chance.below(4000);
      if (clock.now() >= deadUntilMs) {
        till.start();
        deadUntilMs = null;
      }
    }
    sim.insert(o.notesMinor[chance.below(o.notesMinor.length)]!, o.currency);
    strike('kill', o.perMille.kill, () => till.kill());
    strike('unplug', o.perMille.unplug, () => sim.unplug());
    strike('power', offUntilMs === null ? o.perMille.power : 0, () => {
      sim.powerOff();
      offUntilMs = clock.now() + chance.below(4000);
    });
    if (offUntilMs === null) o.more(strike);
  }
  sim.line = CLEAN_LINE;
  sim.silencePerMille = 0;
  till.diesAt = () => false;
  till.wants = () => 'return';
  sim.powerOn();
}
