import assert from 'node:assert/strict';
import { test } from 'node:test';
import { devices } from './devices.ts';

async function run(...argv: string[]): Promise<{ code: number; out: string }> {
  const lines: string[] = [];
  const { log } = console;
  console.log = (line: string) => void lines.push(line);
  try {
    return { code: await devices(argv), out: lines.join('\n') };
  } finally {
    console.log = log;
  }
}

test('devices lists the simulated models, and USB or the reason why not', async () => {
  const { code, out } = await run();
  assert.ok(code === 0 || code === 1);
  assert.match(out, /id003 +bill-acceptor/);
  assert.match(out, /ksp1 +card-shoe/);
});

test('devices --json is one object', async () => {
  const { out } = await run('--json');
  const parsed = JSON.parse(out) as {
    usb: { bus: boolean; error: string | null; devices: unknown[] };
    simulated: { model: string }[];
  };
  assert.equal(typeof parsed.usb.bus, 'boolean');
  assert.ok(
    parsed.usb.bus || parsed.usb.error === 'There is no USB bus in this machine.',
    parsed.usb.error ?? '',
  );
  assert.deepEqual(
    parsed.simulated.map(({ model }) => model),
    ['id003', 'ksp1'],
  );
});

test('devices refuses what it does not know', async () => {
  const { error } = console;
  console.error = () => {};
  try {
    assert.equal((await run('--nonsense')).code, 2);
  } finally {
    console.error = error;
  }
});
