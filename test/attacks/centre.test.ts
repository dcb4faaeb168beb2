/** The terminal's own centre, asked by another account of the machine. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loggedInWith } from '../centre/operators.ts';
import { until } from '../support/until.ts';
import { attack, stranger } from './kit.ts';

const ASK = `
  const [base, password] = process.argv.slice(-2);
  const headers = password === '-' ? {} : { authorization: 'Basic ' + Buffer.from('operator:' + password).toString('base64') };
  const paths = ['/', '/people', '/audit', '/forks', '/terminals/BJ-DEMO-01', '/terminals/BJ-DEMO-01/rounds/BJ-DEMO-01-000001', '/metrics',
    '/v1/terminals/BJ-DEMO-01/entries', '/v1/terminals/BJ-DEMO-01/commands', '/v1/terminals/BJ-DEMO-01', '/healthz'];
  const said = [];
  for (const path of paths) {
    const answer = await fetch(base + path, { headers });
    said.push([path, answer.status, await answer.text()]);
  }
  console.log(JSON.stringify(said));
`;

test('another account reads nothing on the pages of the own centre: they ask for a password that only the terminal has', async (t) => {
  const other = stranger(t);
  if (other === null) return;
  const { terminal, data, log } = await attack(t, { centre: true });
  const file = join(data, 'centre', 'operator-password');
  const said = /centre: (http:\/\/127\.0\.0\.1:\d+), user operator, password in (\S+)/.exec(log());
  assert.deepEqual(said?.[2], file, 'the log says where the password is');
  const base = said[1]!;
  const entries = async (): Promise<number> => {
    if (!existsSync(file)) return 0;
    const headers = loggedInWith(file);
    const answer = await fetch(`${base}/v1/terminals/BJ-DEMO-01/entries`, { headers }).catch(() => null);
    if (answer === null) return 0;
    return ((await answer.json()) as { entries: unknown[] }).entries.length;
  };
  await until('the centre has entries', async () => (await entries()) > 0);
  for (const password of ['-', 'operator', 'x'.repeat(32)]) {
    const answers = JSON.parse(await other.run(ASK, base, password)) as [string, number, string][];
    for (const [path, status, text] of answers) {
      if (path === '/healthz') assert.deepEqual([status, text], [200, '{"ok":true}']);
      else if (path === '/v1/terminals/BJ-DEMO-01')
        assert.deepEqual(
          Object.keys(JSON.parse(text) as object),
          ['terminal', 'seq', 'hash'],
          'tells nothing of the game',
        );
      else assert.deepEqual([status, (JSON.parse(text) as { code: string }).code], [401, 'log-in'], path);
    }
  }
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const password = readFileSync(file, 'utf8').trim();
  await assert.rejects(
    other.run("(await import('node:fs')).readFileSync(process.argv.at(-1))", file),
    /EACCES/,
  );
  // Every account can read command lines, and this one's own environments.
  const pids = ['centre', 'host', 'rack'].map((name) => terminal.pidOf(name));
  for (const pid of [...pids, terminal.pid])
    for (const what of ['cmdline', 'environ'])
      assert.ok(!readFileSync(`/proc/${pid}/${what}`, 'utf8').includes(password), `${what} of ${pid}`);
  assert.ok(!log().includes(password));
});
