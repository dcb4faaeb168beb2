import { z } from 'zod';
import type { DriverMemory } from '../../model.ts';
import type { BillAcceptor, DeviceClock, OpenTransport } from '../../ports.ts';
import { AcceptorDriver } from '../acceptor.driver.ts';
import { PAIRS } from './cctalk.codec.ts';
import { stepCctalk } from './cctalk.machine.ts';
import { type CctalkOptions, type CctalkState, initialCctalk } from './cctalk-state.machine.ts';

const kept = z.strictObject({
  counter: z.int().min(0).max(255),
  behind: z.array(z.tuple([byte(), byte()])).max(PAIRS),
  counterOf: z.string().max(99).nullable(),
});

function byte(): z.ZodInt {
  return z.int().min(0).max(255);
}

const textOf = ({ counter, behind, counterOf }: CctalkState): string | null =>
  counter === null ? null : JSON.stringify({ counter, behind, counterOf });

function known(text: string | null): z.infer<typeof kept> | null {
  try {
    return kept.parse(JSON.parse(text ?? 'null'));
  } catch {
    return null;
  }
}

/**
 * A bill acceptor that speaks ccTalk over whatever `openTransport` gives; it is asked for a new
 * transport after every loss. Commands may be given at any time, before start() too; those about a
 * note do nothing while no note is held. Throws on options that do not fit each other.
 *
 * `memory` keeps the counter of the last event that was dealt with, that event and those before it,
 * and whose they are. Without it a
 * host that dies between the unit's credit event and its own commit cannot tell whether that event
 * is old: the note ends as `settled-unknown` instead of as a credit.
 */
export function createCctalk(
  id: string,
  openTransport: OpenTransport,
  clock: DeviceClock,
  options: CctalkOptions = {},
  memory?: DriverMemory,
): BillAcceptor {
  const initial = initialCctalk(options, known(memory?.load() ?? null));
  let saved = textOf(initial);
  // Before anybody hears what follows: a counter on disk never lags behind a closed record.
  const step: typeof stepCctalk = (before, input, nowMs) => {
    const stepped = stepCctalk(before, input, nowMs);
    const text = textOf(stepped.state);
    if (text !== null && text !== saved) memory?.save(text);
    saved = text;
    return stepped;
  };
  return new AcceptorDriver(id, 'ccTalk', step, initial, openTransport, clock);
}
