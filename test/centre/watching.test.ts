/**
 * What is shipped to watch the centre by: rules and alerts that Prometheus' own tools read and
 * play, an example for its Alertmanager, a dashboard, the unit. What they ask for must be printed.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { initialState } from '../../engine/engine.ts';
import { Latencies } from '../../host/pages/latencies.ts';
import { MetricsSocket } from '../../host/pages/metrics.ts';
import type { Terminal } from '../../host/table/terminal.ts';
import { NO_LINK } from '../../ledger/sync/uploader.ts';
import { addCertificateEnd, createMetrics } from '../../upstream/metrics.ts';
import { debianPrograms } from '../support/debian-programs.ts';
import { testDatabase } from './database.ts';

const ROOT = join(import.meta.dirname, '../..');
const DEPLOY = join(ROOT, 'upstream/deploy');
const read = (name: string): string => readFileSync(join(DEPLOY, name), 'utf8');
const dir = mkdtempSync(join(tmpdir(), 'banca-watching-'));
after(() => rmSync(dir, { recursive: true, force: true }));
const programs = debianPrograms();

/** Runs it in the folder of the shipped files. */
function tool(program: string, ...args: string[]): { readonly status: number | null; readonly said: string } {
  assert.ok(!('skip' in programs));
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: DEPLOY,
    env: { ...programs.env },
    encoding: 'utf8',
  });
  return { status, said: `${stdout}${stderr}${error?.message ?? ''}` };
}
const skip = 'skip' in programs && programs.skip;

test('promtool reads the rules and plays every alert, and amtool reads whom they go to', { skip }, () => {
  const rules = tool('promtool', 'check', 'rules', 'banca-rules.yml');
  assert.equal(rules.status, 0, rules.said);
  const played = tool('promtool', 'test', 'rules', 'banca-rules.test.yml');
  assert.equal(played.status, 0, played.said);
  const config = tool('promtool', 'check', 'config', '--syntax-only', 'prometheus.yml');
  assert.equal(config.status, 0, config.said);
  const manager = tool('amtool', 'check-config', 'alertmanager.yml');
  assert.equal(manager.status, 0, manager.said);
});

test('every alert is played by a test of its own, where it fires', () => {
  const alerts = [...read('banca-rules.yml').matchAll(/^ {6}- alert: (\w+)$/gm)].map(([, name]) => name!);
  assert.ok(alerts.length > 15);
  const played = read('banca-rules.test.yml');
  for (const name of alerts)
    assert.match(played, new RegExp(`alertname: ${name}\\n {8}exp_alerts:\\n {10}- exp_labels`), name);
});

/** The names of a text in the form of Prometheus, with those that a histogram has besides. */
const printed = (figures: string): string[] =>
  [...figures.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name, type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name!],
  );

async function terminalFigures(): Promise<string> {
  const path = join(dir, 'metrics.sock');
  const socket = new MetricsSocket({
    path,
    latencies: new Latencies(),
    terminal: {
      state: initialState(),
      locked: null,
      ledger: { head: () => ({ seq: 1 }), terminalId: 'T1' },
      onCommit: () => {},
    } as unknown as Terminal,
    centre: { status: NO_LINK },
    log: (line) => assert.fail(line),
  });
  await socket.start();
  const asked = request({ socketPath: path, path: '/metrics' });
  asked.end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  const figures = await text(answer);
  socket.stop();
  return figures;
}

test('every figure that rules and dashboard ask for is one that centre or terminal print', async (t) => {
  const { db, close } = await testDatabase();
  t.after(close);
  const metrics = createMetrics(db);
  addCertificateEnd(metrics, Date.now());
  const figures = await metrics.registry.metrics();
  const rules = read('banca-rules.yml');
  const records = [...rules.matchAll(/^ {6}- record: (\S+)$/gm)].map(([, name]) => name!);
  const known = new Set([...printed(figures), ...printed(await terminalFigures()), ...records, 'up']);
  const dashboard = JSON.parse(read('grafana-dashboard.json')) as {
    panels: { title: string; targets: { expr: string }[] }[];
  };
  const asked = [
    ...[...rules.matchAll(/^ {8}expr: (.+)$/gm)].map(([, expr]) => expr!),
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ];
  assert.ok(asked.length > 45, `${asked.length} expressions`);
  const unknown = asked.flatMap((expr) =>
    namesOf(expr)
      .filter((name) => !known.has(name))
      .map((name) => `${name} in ${expr}`),
  );
  assert.deepEqual(unknown, []);
  assert.deepEqual(namesOf('sum by (le, x) (rate(banca_none{job="a"}[5m])) > up'), ['banca_none', 'up']);
  // Every kind of case is said from the beginning, so that the first one is seen as a rise.
  for (const kind of ['fork', 'centre-restored', 'older-copy', 'bad-signature'])
    assert.ok(figures.includes(`banca_incidents{kind="${kind}"} 0`), kind);
});

/** Figures in an expression: no label, no function, nothing in quotes or braces. */
function namesOf(expr: string): string[] {
  const bare = expr
    .replaceAll(/"[^"]*"|'[^']*'/g, '')
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, ' ')
    .replaceAll(/\b(?:by|without|on|ignoring)\s*\([^)]*\)/g, ' ');
  return [...bare.matchAll(/(?<![\w:.])[a-z_][\w:]*(?!\w*\s*\()/g)]
    .map(([name]) => name)
    .filter((name) => !/^(?:or|and|unless|offset|by|h|m|s|d)$/.test(name));
}

test('the unit is exposed by at most 3.0, as systemd-analyze counts, and comes back after every end', (t) => {
  const unit = read('banca-centre.service');
  assert.match(unit, /^Restart=always$/m);
  assert.match(unit, /^User=banca-centre$/m);
  const args = ['security', '--offline=true', '--no-pager', join(DEPLOY, 'banca-centre.service')];
  const { error, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
  if (error !== undefined) return t.skip('systemd-analyze is not installed');
  const level = Number(/Overall exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1]);
  t.diagnostic(`exposed by ${level}`);
  assert.ok(level <= 3, `${level}\n${stdout}${stderr}`);
  assert.equal(stderr.trim(), '', 'a unit without a mistake');
});

test('where standard error is the journal’s, a line is an object with its level, and begins with its weight', () => {
  const main = join(ROOT, 'upstream/main.ts');
  const started = (journal: (file: number) => string): string => {
    const path = join(dir, 'journal');
    const file = openSync(path, 'w');
    spawnSync(process.execPath, [main, '--port', '70000'], {
      env: { ...process.env, JOURNAL_STREAM: journal(file) },
      stdio: ['ignore', 'ignore', file],
    });
    closeSync(file);
    return readFileSync(path, 'utf8');
  };
  const said = started((file) => `${fstatSync(file).dev}:${fstatSync(file).ino}`);
  const [, weight, line] = /^<(\d)>(\{.*\})\n$/.exec(said) ?? [];
  const { level, msg, time } = JSON.parse(line!) as Record<string, string>;
  assert.deepEqual([weight, level, msg], ['2', 'fatal', '--port 70000 is not a port']);
  assert.ok(Math.abs(Date.parse(time!) - Date.now()) < 600_000, time);
  // A file that is not the journal's gets the sentence for people.
  assert.equal(
    started(() => '1:2'),
    'centre: --port 70000 is not a port\n',
  );
});
