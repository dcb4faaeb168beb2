/**
 * Banknotes through any acceptor on any carrier: one that goes well, and one whose plug is pulled
 * on its way.
 */
import assert from 'node:assert/strict';
import type { DriverMemory } from '../../../hardware/model.ts';
import type {
  AcceptorEvent,
  BillAcceptor,
  DeviceClock,
  Note,
  OpenTransport,
} from '../../../hardware/ports.ts';
import { systemClock } from '../../../hardware/transport/clock.ts';
import { Till, totalMinor } from '../../kits/till.ts';
import { until } from '../../support/until.ts';

/** What hands and eyes have on a simulated acceptor in another process. */
export interface FarAcceptor {
  insert(valueMinor: number, currency: string): Promise<{ readonly taken: boolean }>;
  cashBox(): Promise<readonly Note[]>;
  inPath(): Promise<object | null>;
  /** Absent, or answered with nothing: a unit that hears no acknowledgement. */
  owesCredit?(): Promise<boolean | undefined>;
}

const CURRENCY = 'MOP';

export type Create = (id: string, open: OpenTransport, clock: DeviceClock) => BillAcceptor;

/** What the driver keeps outlives it, as in a host. */
export function remembering(
  create: (...of: [...Parameters<Create>, Readonly<Record<string, never>>, DriverMemory]) => BillAcceptor,
): Create {
  let kept: string | null = null;
  const memory: DriverMemory = {
    load: () => kept,
    save: (text) => {
      kept = text;
    },
  };
  return (id, open, clock) => create(id, open, clock, {}, memory);
}

/** A driver with the rule for credit, running and idle. */
export async function openTill(open: OpenTransport, create?: Create): Promise<Till> {
  const till = new Till(systemClock, open, create);
  till.start();
  await orSaying(
    till,
    until('an idle acceptor', () => till.state() === 'idle'),
  );
  return till;
}

/** What the driver said belongs to a wait that was in vain. */
async function orSaying(till: Till, waiting: Promise<unknown>): Promise<void> {
  try {
    await waiting;
  } catch (error) {
    throw new Error(`the driver said ${JSON.stringify(till.events)}`, { cause: error });
  }
}

/** Nothing is on its way, nothing is owed, and the books are the cash box. */
async function assertBooks(till: Till, far: FarAcceptor, boxBefore: number): Promise<void> {
  await until(
    'the note has come to rest',
    async () => (await far.inPath()) === null && !(await far.owesCredit?.()),
  );
  await until('the acceptor is idle again', () => till.state() === 'idle');
  const { creditedMinor, disputedMinor, orphans } = till.disk;
  assert.equal(creditedMinor, totalMinor(await far.cashBox()) - boxBefore, 'credit is what lies in the box');
  assert.deepEqual({ disputedMinor, orphans }, { disputedMinor: 0, orphans: 0 });
}

const feed = (far: FarAcceptor, valueMinor: number): Promise<unknown> =>
  until('the note is drawn in', async () => (await far.insert(valueMinor, CURRENCY)).taken);

const untilCredit = (till: Till, valueMinor: number): Promise<void> =>
  orSaying(
    till,
    until('credit', () => till.disk.creditedMinor === valueMinor),
  );

/** `till` is new: its books begin here. */
export async function noteGoesWell(till: Till, far: FarAcceptor, valueMinor: number): Promise<void> {
  const boxBefore = totalMinor(await far.cashBox());
  await feed(far, valueMinor);
  await untilCredit(till, valueMinor);
  await assertBooks(till, far, boxBefore);
}

/** Notes that may be credited before a slow machine's hand is there. */
const MOST_TRIES = 10;

/**
 * Feeds notes until `mishap` comes between the moment and the credit of one of them. Each is
 * credited once, and then nothing is owed.
 */
async function noteThrough(
  till: Till,
  far: FarAcceptor,
  valueMinor: number,
  at: (event: AcceptorEvent) => boolean,
  mishap: (since: () => readonly AcceptorEvent[]) => Promise<{ readonly creditedMinor: number }>,
): Promise<void> {
  const boxBefore = totalMinor(await far.cashBox());
  for (let tries = 1; tries <= MOST_TRIES; tries++) {
    const before = till.disk.creditedMinor;
    const from = till.events.length;
    const since = (): AcceptorEvent[] => till.events.slice(from);
    await feed(far, valueMinor);
    await until('the moment', () => since().some(at));
    const { creditedMinor } = await mishap(since);
    await untilCredit(till, before + valueMinor);
    await assertBooks(till, far, boxBefore);
    if (creditedMinor === before) return;
  }
  assert.fail(`each of ${MOST_TRIES} notes was credited too soon`);
}

/**
 * The plug is pulled as soon as the driver says `at`, and put in again when the driver has seen
 * that; the simulator goes on meanwhile as a real unit does.
 */
export const noteThroughUnplug = (
  till: Till,
  far: FarAcceptor,
  valueMinor: number,
  at: (event: AcceptorEvent) => boolean,
  plug: { pull(): unknown; putIn(): unknown },
): Promise<void> =>
  noteThrough(till, far, valueMinor, at, async (since) => {
    await plug.pull();
    await until('the driver knows', () =>
      since().some((event) => event.type === 'link' && event.link === 'down'),
    );
    const { creditedMinor } = till.disk;
    await plug.putIn();
    await orSaying(
      till,
      until('the link is up again', () => since().findLast((event) => event.type === 'link')?.link === 'up'),
    );
    return { creditedMinor };
  });

/** The host dies as soon as the driver says `at`, and comes back; its books are on disk. */
export const noteThroughDeath = (
  till: Till,
  far: FarAcceptor,
  valueMinor: number,
  at: (event: AcceptorEvent) => boolean,
): Promise<void> =>
  noteThrough(till, far, valueMinor, at, async () => {
    till.kill();
    const { creditedMinor } = till.disk;
    till.start();
    return { creditedMinor };
  });

/** STACK has been obeyed, the credit signal is still to come. */
export const whileStacking = (event: AcceptorEvent): boolean =>
  event.type === 'state' && event.state === 'stacking';
