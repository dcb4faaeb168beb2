/** What a technician saves in service mode, and `banca device replay` of it. */
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { here } from '../../cli/test-kit.ts';
import { CREDENTIAL, House } from '../host/house.ts';

test('service mode saves what a device has said lately; it plays again without a difference', async (t) => {
  const house = await House.open(t);
  await house.fund(1, 50_000, 10_000);
  // What the shoe said of the burnt card is in no recording: it begins after the next card.
  await house.ready('TS 9H 8D 8C');
  await house.deal({ 1: 10_000 });
  house.passDeadline();
  await house.do(house.act(1, 'stand'));
  await house.draw();
  house.passDeadline();
  await house.do({ type: 'close-round' });
  const save = (device: string) => house.table.query({ query: 'recording', device });
  await assert.rejects(save('shoe'), /service/, 'not outside service mode');
  await house.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  for (const [device, event] of [
    ['acceptor-1', /"type":"credit","note":\{"currency":"MOP","valueMinor":50000\}/],
    ['shoe', /"type":"card"/],
  ] as const) {
    const { path } = await save(device);
    assert.ok(path !== null);
    assert.ok(path.startsWith(join(house.dir, 'recordings', `${device}-`)), path);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    const again = await here(['device', 'replay', path]);
    assert.equal(again.status, 0, again.stderr);
    assert.match(again.stdout, event);
  }
  assert.deepEqual(await save('acceptor-99'), { path: null, why: "there is no device 'acceptor-99'" });
  const { path } = await save('acceptor-2');
  assert.ok(path !== null && readFileSync(path, 'utf8').startsWith('{"banca-recording":1,"model":"id003"'));
});
