import type { Reaction } from '../../wire/drills.ts';
import type { Settings } from './drill-life.ts';
import type { DrillTable } from './drill-table.ts';

export interface Scenario {
  readonly strike: (t: DrillTable) => Promise<void> | void;
  /** Takes the cause away; absent: it is gone by itself. */
  readonly heal?: (t: DrillTable) => Promise<void> | void;
  /** Though it would hold a round. */
  readonly isBetweenRounds?: true;
  /** Another one than that of its level. */
  readonly reaction?: Reaction;
  readonly settings?: Settings;
}

/** Two things that hands can do to a device, one after the other. */
export const atRack = (device: string, strike: string, heal: string): Scenario => ({
  strike: (t) => t.fault(device, strike),
  heal: (t) => t.fault(device, heal),
});

/** Its plug is pulled out. */
export const unplugged = (device: string): Scenario => ({
  strike: (t) => t.fate.plugs.pull(device),
  heal: (t) => t.fate.plugs.putBack(device),
});
