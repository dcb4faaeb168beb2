/**
 * From a touch to the answer that it is on the disk: the real host process and seven displays on
 * its wire.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from '../wire/commands.ts';
import { BlindDisplay } from './blind-display.ts';
import { cpuSeconds } from './cpu.ts';
import { startHostProcess } from './host-process.ts';
import type { PartContext } from './part.ts';
import { progress, round3, spread } from './stats.ts';
import { SEATS, TableHands, writeProfile } from './table.ts';

const BURSTS = 200;
const SINGLES = 200;
const WARM_BURSTS = 20;
/** People do not touch in the very moment in which the picture of the last touch is made. */
const PAUSE_MS = 8;

export async function benchTouch(context: PartContext): Promise<object> {
  const dir = context.makeDir('touch');
  const host = await startHostProcess(dir, writeProfile(dir));
  context.stack.defer(() => host.stop());
  progress('touch: making the table ready');
  const hands = await TableHands.connect((role) => host.mint(role));
  await hands.makeReady();
  await hands.insertNotes();
  const roundId = await hands.openBetting();
  hands.close();
  const displays = await Promise.all(
    SEATS.map(async (seat) => BlindDisplay.connect(await host.mint(`seat:${seat}`))),
  );
  // A bet and its withdrawal in turn, so that no credit runs out.
  const command = (seat: number, turn: number): Command => ({
    ...(turn % 2 === 0 ? { type: 'place-bet', bet: 'main', amountMinor: 10_000 } : { type: 'undo-bet' }),
    roundId,
    seat,
    touchedAtMs: Date.now(),
  });
  const burst = (turn: number): Promise<number[]> =>
    Promise.all(displays.map((display, index) => display.command(command(index + 1, turn))));

  for (let turn = 0; turn < WARM_BURSTS; turn++) await burst(turn);
  progress(`touch: ${BURSTS} bursts of seven, ${SINGLES} single touches`);
  const together: number[] = [];
  const cpuBefore = cpuSeconds(host.pid);
  for (let turn = 0; turn < BURSTS; turn++) {
    await sleep(PAUSE_MS);
    together.push(...(await burst(turn)));
  }
  const cpuMs = (cpuSeconds(host.pid) - cpuBefore) * 1_000;
  const alone: number[] = [];
  for (let turn = 0; turn < SINGLES; turn++) {
    await sleep(PAUSE_MS);
    alone.push(await displays[0]!.command(command(1, turn)));
  }
  for (const display of displays) display.close();
  return {
    sevenAtOnceMs: spread(together),
    oneAloneMs: spread(alone),
    hostCpuMsPerTouch: round3(cpuMs / together.length),
    note: 'from sending the command on the WebSocket to the answer "done"; every touch is a durable transaction of its own, so the seventh of a burst waits for six before it, and all displays get the new picture after it',
  };
}
