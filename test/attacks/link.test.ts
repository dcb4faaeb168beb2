/**
 * Both ends of the link, each against the other: a centre that answers what it likes, terminals
 * that send as slowly as they like.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { request as httpsRequest } from 'node:https';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { connect as tlsConnect } from 'node:tls';
import { BATCH_TYPE } from '../../ledger/chain/batch.codec.ts';
import { makeCertificate, NO_END_MS } from '../../ledger/chain/certificate.codec.ts';
import { keyFromPrivate } from '../../ledger/chain/key.ts';
import { createUploader } from '../../ledger/sync/uploader.ts';
import { type VirtualLedger, virtualLedger } from '../centre/virtual-ledger.ts';
import { ROOT } from '../shell/paths.ts';
import { until } from '../support/until.ts';
import { attack, folderOf } from './kit.ts';

const MIB = 2 ** 20;
const DAY_MS = 86_400_000;

/** Resident memory of a process. */
const rssOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;

const json = (status: number, body: string): string =>
  `HTTP/1.1 ${status} X\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const position = (more: string): string =>
  `{"seq":0,"hash":"${'0'.repeat(64)}","nowMs":${Date.now()},"commands":[${more}]}`;

/** What this centre answers, one after the other; each ended the host or let it grow. */
const ANSWERS: readonly (readonly [string, (socket: Socket) => void])[] = [
  ['no content', (socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n')],
  ['no status at all', (socket) => socket.end(json(999, '{}'))],
  [
    'another protocol',
    (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
  ],
  [
    'half a character in a command',
    (socket) => socket.end(json(200, position('{"bytes":"\\ud800","signature":"\\udc00"}'))),
  ],
  [
    'a command cut through a character',
    (socket) => socket.end(json(200, position(`{"bytes":"${'x'.repeat(999)}😀","signature":"00"}`))),
  ],
  ['a million brackets', (socket) => socket.end(json(200, '['.repeat(MIB)))],
  ['a number beyond all', (socket) => socket.end(json(200, position('').replace('"seq":0', '"seq":1e999')))],
  ['a name of all objects', (socket) => socket.end(json(200, '{"__proto__":{"seq":0}}'))],
  ['nothing', (socket) => socket.destroy()],
  ['no end', endless],
];

/** As much as the other end takes. */
function endless(socket: Socket): void {
  const part = Buffer.from(`10000\r\n${'x'.repeat(65_536)}\r\n`);
  socket.write('HTTP/1.1 500 X\r\ntransfer-encoding: chunked\r\n\r\n');
  const more = (): void => {
    while (!socket.destroyed && socket.write(part));
  };
  socket.on('drain', more);
  more();
}

test('no answer of a centre ends the host or makes it grow', async (t) => {
  const asked: number[] = ANSWERS.map(() => 0);
  let next = 0;
  const centre = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      const at = next++ % ANSWERS.length;
      asked[at]! += 1;
      ANSWERS[at]![1](socket);
    });
  });
  await new Promise<void>((resolve) => centre.listen(0, '127.0.0.1', resolve));
  t.after(() => centre.close());
  const folder = folderOf(t);
  const demo = JSON.parse(readFileSync(join(ROOT, 'host', 'profiles', 'demo.json'), 'utf8')) as object;
  const profile = join(folder, 'terminal.json');
  const commandKey = Buffer.alloc(32, 7).toString('base64');
  const { port } = centre.address() as AddressInfo;
  writeFileSync(
    profile,
    JSON.stringify({
      ...demo,
      centre: `http://127.0.0.1:${port}#command-key=${encodeURIComponent(commandKey)}`,
    }),
  );
  const { terminal, display } = await attack(t, { data: join(folder, 'data'), args: ['--profile', profile] });
  const pid = terminal.pidOf('host');
  let most = 0;
  // The pauses between two questions grow up to half a minute.
  await until(
    'all was asked',
    () => {
      assert.equal(terminal.pidOf('host'), pid, `the host ended after '${ANSWERS[next - 1]?.[0]}'`);
      return asked.at(-1)! >= 1;
    },
    { limitMs: 400_000, said: () => `asked so far: ${asked.join(' ')}` },
  );
  for (let i = 0; i < 100; i++) {
    most = Math.max(most, rssOf(pid));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  t.diagnostic(`the host's memory while the answer did not end: ${Math.round(most / MIB)} MiB at most`);
  assert.ok(most < 600 * MIB, `${Math.round(most / MIB)} MiB`);
  assert.equal(terminal.pidOf('host'), pid);
  const table = await display('table');
  assert.equal((await table.command({ type: 'call-attendant', seat: 2, on: true }))?.status, 'done');
  table.close();
});

test('slow bodies, sockets that say nothing and bodies of strangers: another terminal delivers all the same', async (t) => {
  const folder = folderOf(t);
  const ledgerOf = (terminalId: string, seed: number): VirtualLedger => {
    const toMs = Date.now();
    const ledger = virtualLedger({ terminalId, seed, entryCount: 1_000, fromMs: toMs - DAY_MS, toMs });
    writeFileSync(join(folder, `${terminalId}.pub`), ledger.key.publicPem);
    return ledger;
  };
  const slow = ledgerOf('slow-1', 1);
  const honest = ledgerOf('honest-1', 2);
  const centre = spawn(
    process.execPath,
    [join(ROOT, 'upstream', 'main.ts'), '--tls', '--data', folder, '--enrol-dir', folder, '--supervised'],
    { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, DATABASE_URL: '' } },
  );
  t.after(async () => {
    const ended = once(centre, 'exit');
    centre.kill('SIGKILL');
    await ended;
  });
  const [line] = (await once(createInterface({ input: centre.stdout }), 'line')) as [string];
  const said = JSON.parse(line) as { readonly url: string; readonly port: number; readonly pin: string };

  const { privateKey } = generateKeyPairSync('ed25519');
  const certificate = makeCertificate(
    {
      subject: slow.terminalId,
      issuer: slow.terminalId,
      publicKey: keyFromPrivate(privateKey).publicKey,
      notBeforeMs: 0,
      notAfterMs: NO_END_MS,
    },
    slow.key.sign,
  );
  const own = { key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(), cert: certificate };
  const answers: number[] = [];
  const body = (identity: object, length: number) => {
    const request = httpsRequest(`${said.url}/v1/terminals/${slow.terminalId}/batches`, {
      method: 'POST',
      agent: false,
      rejectUnauthorized: false,
      headers: { 'content-type': BATCH_TYPE, 'content-length': length },
      ...identity,
    });
    request.on('error', () => {});
    request.on('response', (answer) => answers.push(answer.resume().statusCode ?? 0));
    request.write('{');
    t.after(() => request.destroy());
    return request;
  };
  for (let i = 0; i < 40; i++) body(own, MIB);
  for (let i = 0; i < 20; i++) body({}, 30 * MIB);
  await until(
    'strangers are answered, their bodies not read',
    () => answers.filter((status) => status === 401).length === 20,
  );

  for (let i = 0; i < 200; i++) {
    const socket = tlsConnect({ port: said.port, host: '127.0.0.1', rejectUnauthorized: false });
    socket.on('error', () => {});
    t.after(() => socket.destroy());
  }

  const failures: string[] = [];
  const done = Promise.withResolvers<void>();
  const beganMs = performance.now();
  const uploader = createUploader(honest, {
    url: `${said.url}#pin=${said.pin}`,
    key: honest.key,
    backoff: { firstMs: 50, mostMs: 500 },
    onStatus: ({ state, lastError, ackedSeq }) => {
      if (state === 'down') failures.push(lastError ?? '');
      if (ackedSeq === honest.entryCount) done.resolve();
    },
  });
  t.after(() => uploader.stop());
  uploader.start();
  const timer = setTimeout(
    () => done.reject(new Error(`not delivered: ${failures.slice(-3).join('; ')}`)),
    60_000,
  );
  await done.promise;
  clearTimeout(timer);
  t.diagnostic(
    `delivered in ${Math.round(performance.now() - beganMs)} ms, ${failures.length} attempts failed`,
  );
  assert.ok(
    failures.every((why) => !/busy/.test(why)),
    'the slow bodies of another terminal took none of its places',
  );
});
