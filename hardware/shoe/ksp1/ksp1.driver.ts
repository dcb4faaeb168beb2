import { randomBytes, randomInt } from 'node:crypto';
import type { CardShoe, DeviceClock, OpenTransport } from '../../ports.ts';
import { ShoeDriver } from '../shoe.driver.ts';
import { STATE } from './ksp1.codec.ts';
import { initialKsp1, type Ksp1Command, type Ksp1Event, type Ksp1State, stepKsp1 } from './ksp1.machine.ts';

/**
 * Between two moments at which the shoe has to prove itself: nobody outside can know when the next
 * one is.
 */
const MOMENT_MS = { least: 60_000, below: 600_000 };

export interface Ksp1Options {
  /**
   * Shared with the shoe in service mode. With it, a shoe that cannot prove it holds the key deals
   * no card here.
   */
  readonly pairingKey?: Uint8Array;
}

/**
 * A shoe that speaks KSP-1 over whatever `openTransport` gives; it is asked for a new transport
 * after every loss.
 */
export const createKsp1 = (
  id: string,
  openTransport: OpenTransport,
  clock: DeviceClock,
  { pairingKey }: Ksp1Options = {},
): CardShoe =>
  new ShoeDriver<Ksp1State, Ksp1Event, Ksp1Command>(
    id,
    {
      model: 'KSP-1',
      capabilities: {
        ack: true,
        replay: true,
        auth: pairingKey !== undefined,
        targets: false,
        loading: true,
      },
      step: stepKsp1,
      initial: initialKsp1(pairingKey ?? null),
      told: ({ delivered }) => delivered,
      answer: (event, lastSeqOf) => {
        if (event.type === 'ask-stored') return { type: 'stored', seq: lastSeqOf(event.serial) };
        if (event.type !== 'ask-moment') return null;
        const againAfterMs = randomInt(MOMENT_MS.least, MOMENT_MS.below);
        return { type: 'moment', nonce: randomBytes(16), epochMs: Date.now(), againAfterMs };
      },
      acknowledge: (seq) => ({ type: 'acknowledge', seq }),
      rereads: ({ phase, hello }) => phase === 'running' && ((hello?.state ?? 0) & STATE.rereads) !== 0,
      readAgain: (seq) => ({ type: 'read-again', seq }),
    },
    openTransport,
    clock,
  );
