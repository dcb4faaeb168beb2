import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';

/** Set by `test/run.ts` for the processes it has cut off. */
const isCutOff = process.env['BANCA_CUT_OFF'] === '1';

test('the unit tests of a whole run see no network but the loopback of their own', {
  skip: !isCutOff && 'not cut off: run by `npm test`, or this machine makes no network of its own',
}, async () => {
  assert.deepEqual(Object.keys(networkInterfaces()), ['lo']);
  // An address of documentation (RFC 5737): nobody is there, and no way leads there.
  const [error] = (await once(connect(9, '192.0.2.1'), 'error').catch((reason: Error) => [reason])) as [
    NodeJS.ErrnoException,
  ];
  assert.equal(error.code, 'ENETUNREACH');
  const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await once(connect(port, '127.0.0.1'), 'connect');
  server.close();
});
