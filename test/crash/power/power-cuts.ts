/**
 * `--power-cuts N`: the terminal in a virtual machine, and the power cut while its disk has a write
 * cache.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from '../../usb/bundle.ts';
import { CACHE, debianParts, Unavailable } from '../../usb/debian.ts';
import { auditSession, type Findings } from '../audit.ts';
import { nextAction } from '../director.ts';
import type { DiskKind } from './cached-disk.ts';
import { PowerSession } from './session.ts';

/**
 * The exit status; the last line is JSON. Where QEMU or the guest's parts cannot be had, it says so
 * and nothing has failed.
 */
export async function playPowerCuts(cuts: number, seed: number, disk: DiskKind): Promise<number> {
  const started = performance.now();
  const dir = mkdtempSync(join(tmpdir(), 'banca-power-'));
  const found: Findings = { lost: 0, doubled: 0, problems: [], entries: 0, notes: 0, cards: 0, rounds: 0 };
  let session: PowerSession | null = null;
  try {
    const parts = debianParts(CACHE);
    const programs = await bundle(join(dir, 'programs'), {
      'power/guest': join(import.meta.dirname, 'guest.ts'),
    });
    session = await PowerSession.open(dir, parts, programs, { seed, cuts, disk });
    try {
      await play(session, cuts);
      Object.assign(found, await auditSession(session));
    } catch (error) {
      found.problems.push((error as Error).message.slice(0, 2000));
    }
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    console.log(`power cuts: SKIPPED: ${error.message}`);
    return 0;
  } finally {
    await session?.close();
    if (found.problems.length > 0) console.error(`kept: ${dir}`);
    else rmSync(dir, { recursive: true, force: true });
  }
  found.lost += session.found.lost;
  found.doubled += session.found.doubled;
  found.problems.unshift(...session.found.problems);
  const sum = (key: 'unflushed' | 'lost' | 'torn'): number =>
    session.cuts.reduce((total, cut) => total + cut[key], 0);
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(
    JSON.stringify({
      seed,
      disk,
      powerCuts: session.cuts.length,
      sectorsUnflushed: sum('unflushed'),
      sectorsLost: sum('lost'),
      sectorsTorn: sum('torn'),
      acknowledged: session.acknowledged.size,
      ...found,
      seconds,
    }),
  );
  return found.lost + found.doubled + found.problems.length === 0 ? 0 : 1;
}

/** Until the last cut is survived and the table is at rest. */
async function play(session: PowerSession, cuts: number): Promise<void> {
  let before = '';
  let again = 0;
  for (;;) {
    const view = await session.alive();
    if (session.cuts.length >= cuts && view.phase === 'idle' && view.heldNotes.length === 0) return;
    const unbooked = view.heldNotes.length > 0 ? await session.unbookedNotes() : new Set<number>();
    const action = nextAction(view, session.chance, unbooked);
    const now = JSON.stringify(action);
    again = now === before ? again + 1 : 0;
    before = now;
    if (again > 20) throw new Error(`no way on: ${now} ${JSON.stringify(view)}`);
    await session.perform(action);
  }
}
