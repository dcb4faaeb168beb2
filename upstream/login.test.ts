import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify, { type FastifyInstance } from 'fastify';
import { addLogin } from './login.ts';
import { basicOf } from './password.store.ts';

const PASSWORD = 'the-operators-of-the-tests';

function pages(): FastifyInstance {
  const app = Fastify();
  addLogin(app, PASSWORD);
  app.get('/', async () => 'the pages');
  return app;
}

const asked = async (app: FastifyInstance, authorization?: string): Promise<number> =>
  (await app.inject({ url: '/', headers: authorization === undefined ? {} : { authorization } })).statusCode;

test('nothing is answered without the password, and what asks for it is not kept by the browser', async () => {
  const app = pages();
  const { statusCode, headers, body } = await app.inject('/');
  assert.equal(statusCode, 401);
  assert.match(String(headers['www-authenticate']), /^Basic realm="banca centre"/);
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal((JSON.parse(body) as { code: string }).code, 'log-in');
  assert.equal(await asked(app, basicOf(PASSWORD)), 200);
});

test('all that is not the password is refused', async () => {
  const app = pages();
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
  const app = pages();
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
  const again = await app.inject({ url: '/', headers: { authorization: basicOf('after-that-it-waits') } });
  assert.equal(again.statusCode, 401, 'their places are free again');
});
