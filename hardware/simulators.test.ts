import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createId003 } from './bill-acceptor/id003/id003.driver.ts';
import type { DeviceIdentity } from './ports.ts';
import { DeviceRack, rackTransports } from './rack/rack.sim.ts';
import { createKsp1 } from './shoe/ksp1/ksp1.driver.ts';
import { isSimulatedIdentity, refuseSimulators } from './simulators.ts';
import { HandClock } from './transport/clock.ts';
import { memoryPair } from './transport/memory.transport.ts';

test('a table for money refuses drivers that lead to a simulator', () => {
  const clock = new HandClock();
  const lines = rackTransports(new DeviceRack({ acceptors: 1, clock }), clock);
  const acceptor = createId003('acceptor-1', lines.acceptor(1), clock);
  const shoe = createKsp1('shoe', lines.shoe, clock);
  assert.throws(() => refuseSimulators([acceptor, shoe]), /acceptor-1, shoe/);
  const real = createId003('real', () => memoryPair({ clock })[0], clock);
  refuseSimulators([real]);
});

test('a simulator behind an unmarked line gives itself away by what it says it is', async () => {
  const clock = new HandClock();
  const rack = new DeviceRack({ acceptors: 1, clock });
  const marked = rackTransports(rack, clock);
  const identities: DeviceIdentity[] = [];
  const keep = (event: { type: string; identity?: DeviceIdentity }): void => {
    if (event.identity !== undefined) identities.push(event.identity);
  };
  const acceptor = createId003('a', () => marked.acceptor(1)(), clock);
  const shoe = createKsp1('s', () => marked.shoe(), clock);
  acceptor.start(keep);
  shoe.start(keep, () => 0);
  await clock.turn(2000);
  assert.equal(acceptor.simulated, false);
  assert.equal(identities.length, 2);
  assert.ok(identities.every(isSimulatedIdentity));
  for (const identity of identities)
    assert.throws(() => refuseSimulators([{ id: 'x', simulated: false, identity }]), /refused here: x/);
  await acceptor.stop();
  await shoe.stop();
});
