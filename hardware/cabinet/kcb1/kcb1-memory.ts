/** What a KCB-1 board keeps on its battery. */
import { z } from 'zod';
import { DOORS, type DoorCounts, MOST_OPENINGS } from './kcb1.codec.ts';

const counter = z.int().min(0);
const openings = z.int().min(0).max(MOST_OPENINGS);
const counts = z.strictObject({
  main: openings,
  drop: openings,
  logic: openings,
  acceptor: openings,
  cabinet: openings,
});

export const boardMemory = z.strictObject({
  /** Printable ASCII, at most 16 characters; the board's name for ever. */
  serial: z.string().regex(/^[ -~]{1,16}$/),
  boot: counter.min(1),
  open: z.array(z.enum(['main', 'drop', 'logic', 'acceptor', 'cabinet'])).max(DOORS.length),
  opened: counts,
  openedOff: counts,
  offSeconds: counter,
  batteryMillivolts: z.int().min(0).max(65_535),
});
export type BoardMemory = Readonly<z.infer<typeof boardMemory>>;

const NONE: DoorCounts = { main: 0, drop: 0, logic: 0, acceptor: 0, cabinet: 0 };

/** The board as it leaves the factory, before it is switched on. */
export const newBoard = (serial: string): BoardMemory => ({
  serial,
  boot: 1,
  open: [],
  opened: NONE,
  openedOff: NONE,
  offSeconds: 0,
  batteryMillivolts: 3_050,
});
