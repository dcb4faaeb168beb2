/** Our reader of upsd against Debian's own, with its driver dummy-ups. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PowerEvent, PowerStatus } from '../../hardware/ports.ts';
import { NutSupply } from '../../hardware/power/nut.driver.ts';
import { systemClock } from '../../hardware/transport/clock.ts';
import { tcpTransport } from '../../hardware/transport/socket.transport.ts';
import { DummyUps, NO_NUT } from '../support/nut.ts';
import { until } from '../support/until.ts';

test('Debian’s upsd: mains, battery, its end, a driver that ends', { skip: NO_NUT }, async (t) => {
  const ups = await DummyUps.start(t);
  const events: PowerEvent[] = [];
  const supply = new NutSupply('ups', () => tcpTransport(ups.port), systemClock, { ups: 'ups' });
  supply.start((event) => events.push(event));
  t.after(() => supply.stop());
  const status = (): PowerStatus | undefined => events.findLast((event) => event.type === 'power')?.status;
  const said = () => JSON.stringify(events);
  await until('on the mains', () => status()?.onBattery === false, { said });
  assert.match(events.find((event) => event.type === 'identity')?.identity.model ?? '', /Dummy/);
  assert.deepEqual([status()?.charge, status()?.runtime], [100, 600]);
  ups.says('OB DISCHRG', 60);
  await until('on battery', () => status()?.onBattery === true, { said });
  assert.deepEqual([status()?.charge, status()?.batteryLow], [60, false]);
  ups.says('OB LB', 5);
  await until('at its end', () => status()?.batteryLow === true, { said });
  await ups.stop();
  await until('gone', () => events.at(-1)?.type === 'link', { said });
});
