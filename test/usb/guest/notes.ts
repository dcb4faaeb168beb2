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
  /** Absent, or answered with nothing: a unit that is told of no acknowledgement. */
  owesCredit?(): Promise<boolean | undefined>;
}

const CURRENCY = 'MOP';

type Create = (id: string, open: OpenTransport, clock: DeviceClock) => BillAcceptor;

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
  await until('an idle acceptor', () => till.state() === 'idle');
  return till;
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

async function untilCredit(till: Till, valueMinor: number): Promise<void> {
  try {
    await until('credit', () => till.disk.creditedMinor === valueMinor);
  } catch (error) {
    throw new Error(`no credit; the driver said ${JSON.stringify(till.events)}`, { cause: error });
  }
}

/** `till` is new: its books begin here. */
export async function noteGoesWell(till: Till, far: FarAcceptor, valueMinor: number): Promise<void> {
  const boxBefore = totalMinor(await far.cashBox());
  await feed(far, valueMinor);
  await untilCredit(till, valueMinor);
  await assertBooks(till, far, boxBefore);
}

/**
 * The plug is pulled as soon as the driver says `at`, and put in again when the driver has seen
 * that; the simulator goes on meanwhile as a real unit does.
 */
export async function noteThroughUnplug(
  till: Till,
  far: FarAcceptor,
  valueMinor: number,
  at: (event: AcceptorEvent) => boolean,
  plug: { pull(): unknown; putIn(): unknown },
): Promise<void> {
  const boxBefore = totalMinor(await far.cashBox());
  const from = till.events.length;
  const since = (): AcceptorEvent[] => till.events.slice(from);
  await feed(far, valueMinor);
  await until('the moment', () => since().some(at));
  await plug.pull();
  await until('the driver knows', () =>
    since().some((event) => event.type === 'link' && event.link === 'down'),
  );
  assert.equal(till.disk.creditedMinor, 0, 'nothing was credited before the plug was pulled');
  await plug.putIn();
  await until(
    'the link is up again',
    () => since().findLast((event) => event.type === 'link')?.link === 'up',
  );
  await untilCredit(till, valueMinor);
  await assertBooks(till, far, boxBefore);
}

/** The host dies as soon as the driver says `at`, and comes back; its books are on disk. */
export async function noteThroughDeath(
  till: Till,
  far: FarAcceptor,
  valueMinor: number,
  at: (event: AcceptorEvent) => boolean,
): Promise<void> {
  const boxBefore = totalMinor(await far.cashBox());
  const from = till.events.length;
  await feed(far, valueMinor);
  await until('the moment', () => till.events.slice(from).some(at));
  till.kill();
  assert.equal(till.disk.creditedMinor, 0, 'nothing was credited before the host died');
  till.start();
  await untilCredit(till, valueMinor);
  await assertBooks(till, far, boxBefore);
}

/** STACK has been obeyed, the credit signal is still to come. */
export const whileStacking = (event: AcceptorEvent): boolean =>
  event.type === 'state' && event.state === 'stacking';
