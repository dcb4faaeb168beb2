import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordingPage } from './api.ts';
import type { Drivers } from './drivers.ts';

/**
 * Writes the newest of a device into a file of `folder`, named after the device and the time, for this account only. What
 * stands in the way is in the answer: no recording is worth a terminal.
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
