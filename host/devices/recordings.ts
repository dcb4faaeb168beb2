import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RejectCode } from '../../engine/core/result.ts';
import { hidesCards, isCardHidden } from '../../engine/engine.ts';
import { dueCard } from '../../engine/table/due.ts';
import type { TableState } from '../../engine/table/state.ts';
import type { RecordingPage } from '../../wire/pages.ts';
import type { Drivers } from './drivers.ts';

const CARD_HIDDEN: RejectCode = 'card-hidden';

/**
 * A card that nobody may know stands in what the shoe has said, or will when the next one has come.
 * A shoe may repeat a burnt card until the next one comes; then ShoeDesk has the driver forget it.
 */
export const isShoeSecret = (state: TableState): boolean =>
  hidesCards(state) || isCardHidden(state) || state.shoe.lastUnseen === true || dueCard(state)?.to === 'burn';

/** The same drivers: while `hides()` they tell nothing of what the shoe has said. */
export const heldBack = (drivers: Drivers, hides: () => boolean): Drivers => ({
  ...drivers,
  frames: (id, fromMs, toMs) => (id === drivers.shoe.id && hides() ? [] : drivers.frames(id, fromMs, toMs)),
  recording: (id, madeAt) => {
    if (id === drivers.shoe.id && hides()) throw new Error(CARD_HIDDEN);
    return drivers.recording(id, madeAt);
  },
});

/**
 * Writes the newest of a device into a file of `folder`, named after the device and the time, for
 * this account only. What stands in the way is in the answer: no recording is worth a terminal.
 */
export function saveRecording(
  drivers: Drivers,
  folder: string,
  device: string,
  nowMs: number,
): RecordingPage {
  const madeAt = new Date(nowMs).toISOString();
  const path = join(folder, `${device}-${madeAt.replaceAll(':', '-')}.jsonl`);
  try {
    const text = drivers.recording(device, madeAt);
    if (text === null) return { path: null, why: `there is no device '${device}'` };
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
    return { path, why: null };
  } catch (error) {
    return { path: null, why: (error as Error).message };
  }
}
