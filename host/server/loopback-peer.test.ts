import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket, type TcpSocketConnectOpts } from 'node:net';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { accountOf } from './loopback-peer.ts';

/** Both ends of one connection; the accepted one is not read. */
async function pair(t: TestContext, from: Partial<TcpSocketConnectOpts> = {}) {
  const server = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = connect({ port, host: '127.0.0.1', ...from });
  client.on('error', () => {});
  const [accepted] = (await once(server, 'connection')) as [Socket];
  t.after(() => {
    client.destroy();
    accepted.destroy();
    server.close();
  });
  return { client, accepted };
}

test('the owner of the other end is this account, also of ::ffff:127.0.0.1', async (t) => {
  const own = process.getuid!();
  assert.equal(await accountOf((await pair(t)).accepted), own);
  const mapped = await pair(t, { host: '::ffff:127.0.0.1' });
  assert.equal(await accountOf(mapped.accepted), own);
});

test('many that come at once are all answered', async (t) => {
  const pairs = await Promise.all(Array.from({ length: 50 }, () => pair(t)));
  const owners = await Promise.all(pairs.map(({ accepted }) => accountOf(accepted)));
  assert.deepEqual(new Set(owners), new Set([process.getuid!()]));
});

test('an end that nobody holds any more, or that has said its last, has no owner', async (t) => {
  const ended = await pair(t);
  ended.client.end('GET / HTTP/1.1\r\n\r\n');
  await once(ended.client, 'finish');
  assert.equal(await accountOf(ended.accepted), null, 'half closed');
  const gone = await pair(t);
  gone.client.destroy();
  await once(gone.client, 'close');
  // The kernel keeps such an end as root's.
  assert.equal(await accountOf(gone.accepted), null, 'closed');
  const reset = await pair(t);
  reset.client.resetAndDestroy();
  await once(reset.client, 'close');
  assert.equal(await accountOf(reset.accepted), null, 'reset');
});

test('a closed socket of ours has no owner', async (t) => {
  const { accepted } = await pair(t);
  accepted.destroy();
  assert.equal(await accountOf(accepted), null);
});
