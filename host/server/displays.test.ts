import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import { DisplayServer } from './displays.ts';
import { Sessions } from './sessions.ts';

async function serve(t: TestContext, uids: readonly number[] = [process.getuid?.() ?? 0]) {
  const root = mkdtempSync(join(tmpdir(), 'banca-displays-'));
  writeFileSync(join(root, 'index.html'), '<!doctype html><title>table</title>');
  mkdirSync(join(root, 'assets'));
  writeFileSync(join(root, 'assets', 'page.js'), '');
  const texts: string[] = [];
  const closed: string[] = [];
  const server = new DisplayServer({
    rendererRoot: root,
    sessions: new Sessions(randomBytes(32), Date.now),
    port: 0,
    allowedUids: uids,
    log: () => {},
    onOpen: (display) => display.send({ t: 'ping', n: 0 }),
    onText: (_display, text) => texts.push(text),
    onClose: (_display, why) => closed.push(why),
  });
  await server.listen();
  t.after(async () => {
    await server.close();
    rmSync(root, { recursive: true });
  });
  return { server, texts, closed };
}

const get = (server: DisplayServer, path: string, headers: Record<string, string> = {}, method = 'GET') =>
  new Promise<{ status: number; cookie: string; headers: NodeJS.Dict<string | string[]>; body: string }>(
    (resolve, fail) => {
      const outgoing = request(
        { host: '127.0.0.1', port: server.port, path, headers, method, agent: false },
        (response) => {
          let body = '';
          response.on('data', (data) => {
            body += String(data);
          });
          response.on('end', () => {
            const cookie = response.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
            resolve({ status: response.statusCode ?? 0, cookie, headers: response.headers, body });
          });
        },
      );
      outgoing.on('error', fail);
      outgoing.end();
    },
  );

const connect = (server: DisplayServer, headers: Record<string, string>, path = '/ws') =>
  new Promise<number | string>((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}`, { headers });
    socket.on('open', () => {
      socket.close();
      resolve(101);
    });
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });

test('a ticket opens the page once, and the page comes with a policy that lets it reach nothing else', async (t) => {
  const { server } = await serve(t);
  const { ticket } = server.ticketUrl('table', 60_000);
  const first = await get(server, `/?ticket=${ticket}`);
  assert.equal(first.status, 303);
  assert.equal(first.headers['location'], '/');
  assert.match(String(first.headers['set-cookie']), /HttpOnly; SameSite=Strict/);
  const page = await get(server, '/', { cookie: first.cookie });
  assert.equal(page.status, 200);
  assert.match(page.body, /table/);
  const policy = String(page.headers['content-security-policy']);
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /unsafe/);
  // Only what has its hash in its name may be kept.
  assert.equal(page.headers['cache-control'], 'no-store');
  const code = await get(server, '/assets/page.js', { cookie: first.cookie });
  assert.equal(code.headers['cache-control'], 'private, max-age=31536000, immutable');
  const missing = await get(server, '/assets/none.js', { cookie: first.cookie });
  assert.equal(missing.headers['cache-control'], 'no-store');
  assert.equal((await get(server, `/?ticket=${ticket}`)).status, 403);
});

test('a display that answers nothing for eight seconds is let go, but not by a host that stood still itself', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let nowMs = 0;
  t.mock.method(performance, 'now', () => nowMs);
  const { server, closed } = await serve(t);
  const { cookie } = await get(server, `/?ticket=${server.ticketUrl('table', 60_000).ticket}`);
  const { origin } = server;
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/ws`, { headers: { cookie, origin } });
  await once(socket, 'message');
  const beat = (afterMs: number): void => {
    nowMs += afterMs;
    t.mock.timers.tick(2_000);
  };
  beat(60_000);
  assert.deepEqual(closed, [], 'what it said in that minute is not read yet');
  beat(2_000);
  assert.deepEqual(closed, ['stalled']);
});

test('everything that is not exactly our page is refused', async (t) => {
  const { server } = await serve(t);
  const { ticket } = server.ticketUrl('table', 60_000);
  const { cookie } = await get(server, `/?ticket=${ticket}`);
  const { origin } = server;
  assert.equal((await get(server, '/')).status, 403, 'no session');
  assert.equal((await get(server, `/?ticket=${'A'.repeat(32)}`)).status, 403, 'guessed ticket');
  assert.equal((await get(server, '/', { cookie: `${cookie}x` })).status, 403, 'altered cookie');
  assert.equal(
    (await get(server, '/', { cookie, host: `evil.example:${server.port}` })).status,
    403,
    'other host name',
  );
  assert.equal(
    (await get(server, '/', { cookie, origin: 'http://evil.example' })).status,
    403,
    'other origin',
  );
  assert.equal(
    (await get(server, '/', { cookie, 'sec-fetch-site': 'cross-site' })).status,
    403,
    'cross-site fetch',
  );
  assert.equal((await get(server, '/', { cookie }, 'POST')).status, 403, 'not GET');
  assert.equal((await get(server, '/..%2f..%2fpackage.json', { cookie })).status, 404, 'traversal');
  assert.equal((await get(server, '/%E0%A4%A', { cookie })).status, 404, 'broken escape');
  assert.equal(await connect(server, { origin }), 403, 'socket without cookie');
  assert.equal(await connect(server, { cookie }), 403, 'socket without origin');
  assert.equal(
    await connect(server, { cookie, origin: 'http://evil.example' }),
    403,
    'socket of another origin',
  );
  assert.equal(await connect(server, { cookie, origin }, '/other'), 403, 'other path');
  assert.equal(await connect(server, { cookie, origin }), 101, 'our own');
});

test('another account is refused even with the right cookie, before a byte is read, its files too', async (t) => {
  const own = process.getuid?.() ?? 0;
  const allowed = [own];
  const { server } = await serve(t, allowed);
  const { origin } = server;
  const { cookie } = await get(server, `/?ticket=${server.ticketUrl('table', 60_000).ticket}`);
  const { ticket } = server.ticketUrl('table', 60_000);
  allowed[0] = own + 1;
  for (const path of [`/?ticket=${ticket}`, '/', '/index.html', '/assets/page.js'])
    await assert.rejects(get(server, path, { cookie }), { code: 'ECONNRESET' }, path);
  assert.equal(await connect(server, { cookie, origin }), 'ECONNRESET', 'socket');
  allowed[0] = own;
  assert.equal((await get(server, `/?ticket=${ticket}`)).status, 303, 'the ticket was not spent');
});

test('an address that is none is refused, and the host goes on', async (t) => {
  const { server } = await serve(t);
  const { cookie } = await get(server, `/?ticket=${server.ticketUrl('table', 60_000).ticket}`);
  for (const path of ['//', 'http://', '/\\'])
    assert.equal((await get(server, path, { cookie })).status, 403, path);
  assert.equal((await get(server, '/', { cookie })).status, 200);
});

test('one socket per session: the newer one takes the place of the older', async (t) => {
  const { server } = await serve(t);
  const { ticket } = server.ticketUrl('table', 60_000);
  const { cookie } = await get(server, `/?ticket=${ticket}`);
  const open = () =>
    new WebSocket(`ws://127.0.0.1:${server.port}/ws`, { headers: { cookie, origin: server.origin } });
  const older = open();
  await new Promise((resolve) => older.once('open', resolve));
  const gone = new Promise((resolve) => older.once('close', resolve));
  const newer = open();
  await new Promise((resolve) => newer.once('open', resolve));
  await gone;
  assert.equal(server.displays().length, 1);
  newer.close();
});
