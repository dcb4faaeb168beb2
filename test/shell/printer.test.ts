/**
 * A hand-pay slip at the built terminal: printed when it is paid, and after the host was killed
 * again, as a copy.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from '../../wire/commands.ts';
import type { HostEvent } from '../../wire/host-events.ts';
import { owe, pay } from '../attacks/images.ts';
import { attack } from '../attacks/kit.ts';
import { entriesOf } from '../support/entries.ts';
import { until } from '../support/until.ts';

type Sent = Extract<HostEvent, { type: 'slip-sent' }>;
type Ended = Extract<HostEvent, { type: 'slip-ended' }>;

test('a hand-pay slip at the built terminal: printed once, and after a killed host once more as a copy', async (t) => {
  const attacked = await attack(t);
  await owe(attacked);
  await pay(attacked);
  const slips = () => entriesOf(attacked.data, 'slip-ended').map(({ body }) => body as Ended);
  await until('the slip', () => slips().length === 1);
  const { slip, of, printed } = slips()[0]!;
  assert.deepEqual([slip, printed], ['hand-pay', true]);

  const from = attacked.terminal.events.length;
  process.kill(attacked.terminal.pidOf('host'), 'SIGKILL');
  await attacked.terminal.started('host', from);
  const display = await until('a display', () => attacked.display('table').catch(() => null));
  const done = async (command: Command): Promise<void> => {
    const answer = await display.command(command);
    assert.equal(answer?.status, 'done', `${command.type}: ${JSON.stringify(answer)}`);
  };
  await done({ type: 'enter-service', credential: { person: '4', pin: '4444' } });
  await until('the printer', () =>
    display.view.devices.some(({ kind, state }) => kind === 'receipt-printer' && state === 'idle'),
  );
  await done({ type: 'print-slip', slip: 'hand-pay', of });
  await until('the copy', () => slips().length === 2);
  assert.equal(slips()[1]?.printed, true);
  const copies = entriesOf(attacked.data, 'slip-sent').map(({ body }) => (body as Sent).copy);
  assert.deepEqual(copies, [false, true]);
});
