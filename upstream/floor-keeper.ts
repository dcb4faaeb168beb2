/**
 * Keeps the floor up to date: reads on in the ledgers as entries come, notices who is not heard,
 * and tells those who look. Every instance of the centre has one; the database says who does what.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Calendar } from './day/calendar.ts';
import { countOn } from './day/day.store.ts';
import type { Db } from './db.store.ts';
import {
  type AlarmLine,
  FLOOR_CHANNEL,
  type FloorLine,
  floorLines,
  moveAlarms,
  openAlarms,
  roundsOfWeekAgo,
  SLOT_MS,
  type SlotLine,
  slotsOf,
  standingAlarms,
} from './floor.store.ts';
import { catchUp } from './floor-ledgers.store.ts';
import type { FloorPlan } from './floor-plan.ts';
import { KINDS_OF_WATCH, watch } from './floor-watch.ts';
import { forget } from './retention.store.ts';

export interface Floor {
  readonly atMs: number;
  readonly lines: readonly FloorLine[];
  readonly alarms: readonly AlarmLine[];
  readonly pace: Pace;
}

/** Rounds of the whole floor. */
export interface Pace {
  /** First of `rounds`. */
  readonly fromSlot: number;
  /** Of each slot of the last two hours. */
  readonly rounds: readonly number[];
  /** In the last of these hours, and in the same one a week ago. */
  readonly lastHour: number;
  readonly weekAgo: number | null;
}

export interface FloorKeeper {
  start(): void;
  /** Something has come that this instance has stored. */
  moved(): void;
  /** `look` is called after every look at the floor, once a second or sooner. */
  watch(look: (floor: Floor) => void): () => void;
  /** The newest one; null before the first. */
  newest(): Floor | null;
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = 1_000;
/** Between two looks while much comes. */
const REST_MS = 200;
/** A fleet that was away for days is read in so long at a time, and so while it still comes. */
const READ_MS = 500;
const READ_PRESSED_MS = 100;
/** So long a fleet that comes is put before a floor that nobody watches here. */
const LOOK_PRESSED_MS = 10_000;
/** No day waits longer than this for a fleet that comes. */
const DAYS_WAIT_MS = 60_000;
/** A look that comes later than this after the one before says that this process was not there. */
const AWAY_MS = 2_000;
/** Terminals come back within so long after the centre does. */
const BACK_WITHIN_MS = 3_000;
const HOUR_SLOTS = 3_600_000 / SLOT_MS;
const SHOWN_SLOTS = 2 * HOUR_SLOTS;

export function createFloorKeeper(o: {
  readonly db: Db;
  readonly plan: FloorPlan;
  readonly calendar: Calendar;
  /** Batches are turned away for want of room: what is taken comes before what is shown of it. */
  readonly isPressed: () => boolean;
  readonly onError: (error: unknown) => void;
}): FloorKeeper {
  const { db, plan, calendar, isPressed } = o;
  const stopping = new AbortController();
  const watchers = new Set<(floor: Floor) => void>();
  const lateSinceMs = new Map<string, number>();
  let newest: Floor | null = null;
  let running: Promise<void> | null = null;
  let rouse = (): void => {};
  let isDue = false;
  let hearsSinceMs = 0;
  let lastLookMs: number | null = null;
  let slots: readonly SlotLine[] = [];
  let pace: Pace = { fromSlot: 0, rounds: [], lastHour: 0, weekAgo: null };
  let paceSlot = 0;
  let countedMs = 0;
  let lookedMs = -Infinity;

  const readPace = async (nowMs: number): Promise<void> => {
    const slot = Math.floor(nowMs / SLOT_MS);
    if (slot === paceSlot) return;
    const fromSlot = slot - SHOWN_SLOTS;
    slots = await slotsOf(db, fromSlot, slot);
    const rounds = Array.from({ length: SHOWN_SLOTS }, () => 0);
    for (const each of slots) rounds[each.slot - fromSlot]! += each.rounds;
    const lastHour = rounds.slice(-HOUR_SLOTS).reduce((sum, each) => sum + each, 0);
    pace = { fromSlot, rounds, lastHour, weekAgo: await roundsOfWeekAgo(db, slot) };
    await forget(db, nowMs);
    paceSlot = slot;
  };

  /** Of the centre's own absence nobody may conclude anything. */
  const heed = (nowMs: number): void => {
    if (lastLookMs === null) hearsSinceMs = nowMs + BACK_WITHIN_MS;
    else if (nowMs - lastLookMs > AWAY_MS || nowMs < lastLookMs) hearsSinceMs = Math.max(nowMs, hearsSinceMs);
    lastLookMs = nowMs;
  };

  const look = async (): Promise<void> => {
    lookedMs = performance.now();
    const untilMs = Date.now() + (isPressed() ? READ_PRESSED_MS : READ_MS);
    // Whoever looks sees it meanwhile, and the rest is read at once after that.
    while (!stopping.signal.aborted && (await catchUp(db, Date.now()))) {
      if (Date.now() < untilMs) continue;
      isDue = true;
      break;
    }
    await readPace(Date.now());
    const [lines, standing] = [await floorLines(db), await standingAlarms(db, KINDS_OF_WATCH)];
    const nowMs = Date.now();
    heed(nowMs);
    for (const { terminal, lag } of lines)
      if (lag === null || lag === 0) lateSinceMs.delete(terminal);
      else if (!lateSinceMs.has(terminal)) lateSinceMs.set(terminal, nowMs);
    const { wanted, over } = watch({ nowMs, lines, standing, hearsSinceMs, lateSinceMs, slots, plan });
    await moveAlarms(db, wanted, over);
    newest = { atMs: nowMs, lines, alarms: await openAlarms(db), pace };
    for (const tell of watchers) tell(newest);
  };

  /** Gaming days wait for the floor: nobody looks at them within seconds. */
  const countDays = async (): Promise<void> => {
    if (isPressed() && performance.now() - countedMs < DAYS_WAIT_MS) return;
    const untilMs = Date.now() + READ_MS;
    // Once in any case: on a busy floor somebody always waits.
    countedMs = performance.now();
    while (!stopping.signal.aborted && (await countOn(db, calendar)) && !isDue)
      if (Date.now() >= untilMs) isDue = true;
  };

  /** One process alone knows whether somebody looks; of several each works for all. */
  const isWatched = (): boolean => watchers.size > 0 || db.engine === 'postgresql';

  /** A look costs as much as storing some thousands of entries. */
  const mayWait = (): boolean =>
    isPressed() && watchers.size === 0 && performance.now() - lookedMs < LOOK_PRESSED_MS;

  const run = async (): Promise<void> => {
    const unlisten = await db.listen(FLOOR_CHANNEL, () => {
      if (watchers.size > 0) wake();
    });
    while (!stopping.signal.aborted) {
      isDue = false;
      try {
        // This process is there, and hears, also while it does not look.
        if (mayWait()) heed(Date.now());
        else {
          await look();
          await countDays();
        }
      } catch (error) {
        if (!stopping.signal.aborted) o.onError(error);
      }
      await pause(REST_MS, false);
      if (!isDue || isPressed()) await pause(LOOK_EVERY_MS - REST_MS, !isPressed());
    }
    await unlisten();
  };

  const pause = async (ms: number, untilRoused: boolean): Promise<void> => {
    const over = new AbortController();
    if (untilRoused) rouse = () => over.abort();
    const signal = AbortSignal.any([stopping.signal, over.signal]);
    await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
    rouse = () => {};
  };

  const wake = (): void => {
    isDue = true;
    rouse();
  };

  return {
    start: () => {
      running ??= run().catch(o.onError);
    },
    moved: () => {
      if (isWatched()) wake();
    },
    watch: (tell) => {
      watchers.add(tell);
      wake();
      return () => watchers.delete(tell);
    },
    newest: () => newest,
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
