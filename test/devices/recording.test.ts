/** What a technician saves in service mode, and `banca device replay` of it. */
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CREDENTIAL, TestTerminal } from '../host/test-terminal.ts';
import { here } from '../kits/cli.ts';

test('service mode saves what a device has said lately; it plays again without a difference', async (t) => {
  const kit = await TestTerminal.open(t);
  await kit.fund(1, 50_000, 10_000);
  // What the shoe said of the burnt card is in no recording: it begins after the next card.
  await kit.ready('TS 9H 8D 8C');
  await kit.deal({ 1: 10_000 });
  kit.passDeadline();
  await kit.do(kit.act(1, 'stand'));
  await kit.draw();
  kit.passDeadline();
  await kit.do({ type: 'close-round' });
  const save = (device: string) => kit.table.query({ query: 'recording', device });
  await assert.rejects(save('shoe'), /service/, 'not outside service mode');
  await kit.do({ type: 'enter-service', credential: CREDENTIAL.technician });
  for (const [device, event] of [
    ['acceptor-1', /"type":"credit","note":\{"currency":"MOP","valueMinor":50000\}/],
    ['shoe', /"type":"card"/],
  ] as const) {
    const { path } = await save(device);
    assert.ok(path !== null);
    assert.ok(path.startsWith(join(kit.dir, 'recordings', `${device}-`)), path);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    const again = await here(['device', 'replay', path]);
    assert.equal(again.status, 0, again.stderr);
    assert.match(again.stdout, event);
  }
  assert.deepEqual(await save('acceptor-99'), { path: null, why: "there is no device 'acceptor-99'" });
  const { path } = await save('acceptor-2');
  assert.ok(path !== null && readFileSync(path, 'utf8').startsWith('{"banca-recording":1,"model":"id003"'));
});
