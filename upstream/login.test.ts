import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Db } from './db.store.ts';
import { addLogin } from './login.ts';
import { basicOf } from './password.store.ts';

const PASSWORD = 'the-operators-of-the-tests';
const PEOPLE = 'who-adds-people-in-the-tests';
/** A program is known without it. */
const NO_DATABASE = {} as Db;

function figures(): FastifyInstance {
  const app = Fastify();
  app.decorateRequest('caller', null);
  const passwords = { operator: PASSWORD, people: PEOPLE };
  addLogin(app, { db: NO_DATABASE, address: null, passwords });
  app.get('/metrics', async () => 'the figures');
  app.get('/', async () => 'the pages');
  return app;
}

const asked = async (app: FastifyInstance, authorization?: string): Promise<number> =>
  (await app.inject({ url: '/metrics', headers: authorization === undefined ? {} : { authorization } }))
    .statusCode;

test('nothing is answered without the password, and what asks for it is not kept by the browser', async () => {
  const app = figures();
  const { statusCode, headers, body } = await app.inject('/metrics');
  assert.equal(statusCode, 401);
  assert.match(String(headers['www-authenticate']), /^Basic realm="banca centre"/);
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal((JSON.parse(body) as { code: string }).code, 'log-in');
  assert.equal(await asked(app, basicOf(PASSWORD)), 200);
});

test('a program does what its row allows, and no page; a request without a row is none', async () => {
  const app = figures();
  const status = async (url: string, authorization: string): Promise<number> =>
    (await app.inject({ url, headers: { authorization } })).statusCode;
  assert.equal(await status('/', basicOf(PASSWORD)), 403);
  assert.equal(await status('/metrics', basicOf(PEOPLE, 'people')), 403);
  assert.equal(await status('/metrics', basicOf(PEOPLE)), 401);
  assert.throws(() => figures().get('/new', async () => ''), /GET \/new has no row in upstream\/rights\.ts/);
});

test('all that is not the password is refused', async () => {
  const app = figures();
  const right = basicOf(PASSWORD);
  const statuses = await Promise.all(
    [
      basicOf(`${PASSWORD} `),
      basicOf(''),
      right.toLowerCase(),
      right.slice(0, -1),
      `${right}=`,
      right.replace('Basic', 'Bearer'),
      `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`,
      'x'.repeat(8_000),
      '',
    ].map((shown) => asked(app, shown)),
  );
  assert.deepEqual(
    statuses,
    statuses.map(() => 401),
  );
});

test('wrong passwords wait, so many at once and no more; the right one waits for none of them', async () => {
  const app = figures();
  const order: string[] = [];
  const wrong = Array.from({ length: 40 }, async () => {
    const status = await asked(app, basicOf('a-wrong-password-of-somebody'));
    order.push(String(status));
  });
  assert.equal(await asked(app, basicOf(PASSWORD)), 200);
  order.push('in');
  await Promise.all(wrong);
  assert.deepEqual(
    order.filter((each) => each !== 'in').toSorted(),
    [...Array.from({ length: 32 }, () => '401'), ...Array.from({ length: 8 }, () => '429')],
    '32 wait, the others are turned away',
  );
  assert.ok(order.indexOf('in') < order.indexOf('401'), 'before any that waits');
  const again = await app.inject({
    url: '/metrics',
    headers: { authorization: basicOf('after-that-it-waits') },
  });
  assert.equal(again.statusCode, 401, 'their places are free again');
});
