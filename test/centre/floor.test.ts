/**
 * The board of the gaming floor: two instances of the centre on one PostgreSQL server, the built
 * terminal, and Debian's Chromium in front of it.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { ROOT } from '../shell/paths.ts';
import { assertBuilt, BUILT_HOST } from '../support/built.ts';
import { launchChromium, noChromium, PATIENCE_MS } from '../support/chromium.ts';
import { TestDisplay } from '../support/display.ts';
import { entriesOf } from '../support/entries.ts';
import { freePort } from '../support/free-port.ts';
import { fullOr } from '../support/long.ts';
import { until } from '../support/until.ts';
import { dealer, FedTable, opened, roundOf } from './fed-table.ts';
import { startInstance } from './fleet-run.ts';
import { endedDay, nightTables, playFloorNight, TIME_ZONE } from './floor-night.ts';
import { loggedInWith, type Operator, operatorAt, peoplePasswordBeside } from './operators.ts';
import { type PostgresServer, startPostgres } from './postgres.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const EVIL = '<script>alert(1)</script><i onclick=a>';
const TERMINAL = 'BJ-14';
/** So many tables play, and one of them calls. */
const PLAYING = fullOr(200, 60);
const CALLS = 37;
/** And so many in the night; two hundred in `floor-night-run.ts`. */
const NIGHT = fullOr(100, 50);

const started = noChromium === false ? await startPostgres() : { skip: noChromium };
describe('the board of the gaming floor', { skip: 'skip' in started && started.skip }, () => {
  const server = started as PostgresServer;
  const dir = mkdtempSync(join(tmpdir(), 'banca-floor-'));
  const client = new pg.Client({ connectionString: server.url });
  const plan = join(dir, 'floor.json');
  const nightsDay = endedDay();
  let ports: readonly [number, number];
  let instances: { child: ChildProcess; url: string }[];
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  const troubles: string[] = [];

  const startAt = (index: 0 | 1) =>
    startInstance(server.url, dir, ['--port', String(ports[index]), '--floor', plan]);
  const end = async ({ child }: { child: ChildProcess }): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  /** What stands in the trail of these kinds. */
  const trail = async (kind: string, terminal = TERMINAL) =>
    (
      await client.query<{ about: string; seen_by: string | null; is_open: boolean }>(
        `SELECT about, seen_by, cured_at IS NULL AS is_open FROM floor_alarms
         WHERE kind = $1 AND terminal_id = $2 ORDER BY no`,
        [kind, terminal],
      )
    ).rows;

  before(async () => {
    assertBuilt();
    await client.connect();
    ports = [await freePort(), await freePort()];
    const pace = { minutes: 5, least: 1, most: 1000 };
    const zones = [
      { name: { 'zh-Hant': '蓮花廳', pt: 'Sala Lótus', en: 'Lotus Hall' }, tables: [TERMINAL, 'BJ-02'] },
      { name: 'Praia', tables: ['BA-28'] },
      { name: 'Pace', tables: ['SL-01'], pace },
    ];
    const { dayBegins } = nightsDay;
    writeFileSync(plan, JSON.stringify({ timeZone: TIME_ZONE, dayBegins, zones }));
    // The second finds the schema and the password that the first has made.
    instances = [await startAt(0)];
    instances.push(await startAt(1));
    const password = peoplePasswordBeside(join(dir, 'operator-password'));
    lei = await operatorAt(instances[1]!.url, password, 'floor');
    browser = await launchChromium();
  });
  after(async () => {
    await browser?.close();
    for (const instance of instances ?? []) await end(instance);
    await client.end();
    await server.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  /** Of the floor, at the second instance. */
  let lei: Operator;

  async function openBoard(locale: string): Promise<Page> {
    context = await browser.newContext({
      locale,
      viewport: { width: 1600, height: 900 },
    });
    await context.addCookies(lei.cookies);
    const opened = await context.newPage();
    opened.setDefaultTimeout(PATIENCE_MS);
    opened.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) troubles.push(message.text());
    });
    opened.on('pageerror', (error) => troubles.push(error.message));
    opened.on('dialog', (dialog) => troubles.push(`dialog ${dialog.message()}`));
    await opened.goto(`${instances[1]!.url}/floor`);
    return opened;
  }

  async function startHost() {
    const demo = JSON.parse(readFileSync(join(ROOT, 'host/profiles/demo.json'), 'utf8')) as {
      profile: object;
    };
    const profile = { ...demo.profile, terminalId: TERMINAL, tableName: EVIL };
    writeFileSync(join(dir, 'terminal.json'), JSON.stringify({ ...demo, profile }));
    const host = spawn(
      process.execPath,
      [
        ...['--disable-sigusr1', BUILT_HOST, '--data', join(dir, 'terminal'), '--pace', '0.1'],
        ...['--profile', join(dir, 'terminal.json'), '--upstream', instances[0]!.url],
      ],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    );
    for await (const text of createInterface(host.stdout)) {
      const { ready, url, publicKey } = JSON.parse(text) as { ready?: true; url: string; publicKey: string };
      if (!ready) continue;
      writeFileSync(join(dir, `${TERMINAL}.pub`), publicKey);
      return { host, display: await TestDisplay.connect(url) };
    }
    throw new Error('the host has ended');
  }

  /** It stands there within two seconds of its entry. */
  async function standsSoon(what: Locator, withinMs = 2_000): Promise<number> {
    const fromMs = performance.now();
    await what.waitFor();
    const tookMs = performance.now() - fromMs;
    assert.ok(tookMs < withinMs, `after ${Math.round(tookMs)} ms`);
    return tookMs;
  }

  const card = (title: string, terminal = TERMINAL): Locator =>
    page.locator('.card', {
      has: page.getByRole('heading', { name: `${terminal} · ${title}`, exact: true }),
    });

  it('shows a jam, a call and a complaint of the built terminal within two seconds, and who has seen them', async (t) => {
    page = await openBoard('en-GB');
    const { host, display } = await startHost();
    await page
      .locator(`#tile-${TERMINAL}.open`, { hasText: 'Closed' })
      .or(page.locator(`#tile-${TERMINAL}`))
      .waitFor();
    const say = async (command: Parameters<TestDisplay['command']>[0]): Promise<void> => {
      const answer = await display.command(command);
      assert.equal(answer?.status, 'done', JSON.stringify(answer));
    };
    await say({ type: 'sim-auto', dealer: true, players: true });
    assert.ok(await display.until((view) => (view.round?.no ?? 0) > 1));
    await page.locator(`#tile-${TERMINAL}.open`, { hasText: 'Lei Ka Man' }).waitFor();
    await say({ type: 'sim-auto', dealer: true, players: false });

    await say({ type: 'call-attendant', seat: 2, on: true });
    t.diagnostic(`a call after ${Math.round(await standsSoon(card('Call')))} ms`);
    const player = display.view.seats.findIndex(({ creditMinor }) => creditMinor > 0) + 1;
    await until('a complaint is taken', async () => {
      const answer = await display.command({ type: 'raise-complaint', seat: player });
      return answer?.status === 'done';
    });
    t.diagnostic(`a complaint after ${Math.round(await standsSoon(card('Complaint')))} ms`);
    await say({ type: 'sim-fault', device: 'acceptor-3', fault: 'jam' });
    // The acceptor is asked how it is several times a second: the entry comes after the fault.
    const ledger = join(dir, 'terminal');
    await until('the jam is in the ledger', () => entriesOf(ledger, 'fault-reported').length > 0);
    t.diagnostic(`a jam after ${Math.round(await standsSoon(card('Note jam')))} ms`);
    assert.match(
      (await card('Note jam').textContent()) ?? '',
      /Acceptor 3, Lotus Hall\. Play goes on; seat 3 cannot add notes\. Dealer: Lei Ka Man\./,
    );
    assert.ok(await page.locator(`#tile-${TERMINAL}.fault`).isVisible());

    // By keys alone, and who was first stays.
    await card('Note jam').getByRole('button', { name: 'Acknowledge' }).focus();
    await page.keyboard.press('Enter');
    await card('Note jam')
      .getByText(/Seen by of the tests, floor, \d\d:\d\d\./)
      .waitFor();
    await page.locator(`#tile-${TERMINAL}.fault-seen, #tile-${TERMINAL}.waiting`).waitFor();
    assert.deepEqual(await trail('fault'), [
      { about: 'acceptor-3/acceptor-jammed', seen_by: 'of the tests, floor', is_open: true },
    ]);

    await say({ type: 'call-attendant', seat: 2, on: false });
    await card('Call').waitFor({ state: 'detached' });
    assert.deepEqual(await trail('call'), [{ about: '2', seen_by: null, is_open: false }]);

    // What a table calls itself is text.
    await page.locator(`#table-${TERMINAL}`).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText(EVIL).waitFor();
    assert.match((await page.getByRole('dialog').textContent()) ?? '', /Profile[0-9a-f]{12}/);
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('script').count(), 1, 'no script but our own');

    // An instance that is killed says nothing, and the page says so; with it back nothing is lost.
    await end(instances[1]!);
    await page.locator('#stale').waitFor();
    instances[1] = await startAt(1);
    await page.locator('#stale').waitFor({ state: 'hidden' });
    await card('Note jam').getByText('Seen by of the tests, floor').waitFor();

    await say({ type: 'sim-fault', device: 'acceptor-3', fault: 'clear-jam' });
    await card('Note jam').waitFor({ state: 'detached' });
    assert.deepEqual(await trail('silent'), [], 'who plays and who idles was never called silent');

    // No later than what is asked for besides the look that notices it.
    const ended = once(host, 'exit');
    host.kill('SIGKILL');
    await ended;
    const killedMs = performance.now();
    await card('Silent').waitFor();
    const silentMs = performance.now() - killedMs;
    t.diagnostic(`a killed terminal is red after ${Math.round(silentMs)} ms`);
    assert.ok(silentMs < 5_000, `silent after ${Math.round(silentMs)} ms`);
    assert.ok(await page.locator(`#tile-${TERMINAL}.fault`).isVisible());
    const again = await startHost();
    await card('Silent').waitFor({ state: 'detached' });
    // Who goes in order says so, and is off: no alarm.
    again.host.kill('SIGTERM');
    await once(again.host, 'exit');
    await page.locator(`#tile-${TERMINAL}.shut`, { hasText: 'Off' }).waitFor();
    // After a batch or a report nothing more is heard, for longer than silence takes.
    await until('it has been silent for long', async () => {
      const { text } = {
        text: await (
          await fetch(`${instances[0]!.url}/metrics`, {
            headers: loggedInWith(join(dir, 'operator-password')),
          })
        ).text(),
      };
      return Number(/silent_seconds\{terminal="BJ-14"\} ([\d.]+)/.exec(text)?.[1]) > 5;
    });
    assert.equal(await card('Silent').count(), 0);
    const off = troubles.filter(
      (trouble) => !/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY/.test(trouble),
    );
    assert.deepEqual(off, []);
  });

  it('is read in three languages, and axe finds nothing', async () => {
    const [jam, handPay] = [new FedTable('BJ-02').enrol(dir), new FedTable('BA-28').enrol(dir)];
    jam.add(...opened('macau-blackjack-2009', 'Cheong Un', [1, 2, 7]), {
      kind: 'fault-reported',
      body: { device: 'shoe', fault: 'shoe-jam', place: 'shoe' },
    });
    handPay.add(...opened('macau-baccarat', 'Ng Mei', [2, 3]), {
      kind: 'cash-out-requested',
      body: { seat: 2, requestId: 'r-1', currency: 'MOP', amountMinor: 2_450_000 },
    });
    await jam.send(instances[0]!.url);
    await handPay.send(instances[1]!.url);
    for (const [locale, heading, sentence] of [
      [
        'pt-PT',
        'Encravamento de carta',
        /«Shoe», Sala Lótus\. Não se abre nova jogada até estar resolvido\. Croupier: Cheong Un\./,
      ],
      ['zh-HK', '卡牌', /牌靴，蓮花廳：解除前不開新局。/],
      ['en-GB', 'No feed or jam', /Shoe, Lotus Hall\. No new round begins/],
    ] as const) {
      await context.close();
      page = await openBoard(locale);
      await card(heading, 'BJ-02').waitFor();
      assert.match((await card(heading, 'BJ-02').textContent()) ?? '', sentence, locale);
      await page.locator('.card', { hasText: /24[,\u00a0]500[.,]00 MOP/ }).waitFor();
      assert.deepEqual(await axe(page), [], locale);
      const buttons = page.locator('.see');
      for (const button of await buttons.all()) {
        const box = await button.boundingBox();
        assert.ok(box !== null && box.height >= 48, `${locale} ${box?.height}`);
      }
    }
    // The pages behind the board, of a terminal that has played.
    const beside = await context.newPage();
    const address = instances[1]!.url;
    for (const path of [
      ...['/', '/forks', '/floor/alarms', `/terminals/${TERMINAL}`, `/terminals/${TERMINAL}/order`],
      ...[`/terminals/${TERMINAL}/rounds/${TERMINAL}-000001`, `/terminals/${TERMINAL}/poster`],
    ]) {
      const answer = await beside.goto(address + path);
      assert.equal(answer?.status(), 200, path);
      assert.deepEqual(await axe(beside), [], path);
    }
    await beside.close();
    jam.add({ kind: 'fault-cleared', body: { device: 'shoe', fault: 'shoe-jam' } });
    await jam.send(instances[0]!.url);
    await card('No feed or jam', 'BJ-02').waitFor({ state: 'detached' });
  });

  it('keeps up with a floor whose tables all play', async (t) => {
    const tables = Array.from({ length: PLAYING }, (_, i) =>
      new FedTable(`T-${String(i + 1).padStart(3, '0')}`)
        .enrol(dir)
        .add(...opened('macau-blackjack-2009', `Dealer ${i + 1}`, [1, 2, 3, 4, 5, 6, 7])),
    );
    const sendAll = async (): Promise<void> => {
      const queue = [...tables.entries()];
      const work = async (): Promise<void> => {
        for (let next = queue.pop(); next !== undefined; next = queue.pop())
          await next[1].send(instances[next[0] % 2]!.url);
      };
      await Promise.all(Array.from({ length: 8 }, work));
    };
    await sendAll();
    await until('all tiles are there', async () => (await page.locator('.tile.open').count()) >= PLAYING + 2);
    for (const no of [1, 2]) {
      for (const table of tables) table.add(...roundOf(no));
      if (no === 2) tables[CALLS - 1]!.add({ kind: 'attendant-called', body: { seat: 4, on: true } });
      const fromMs = performance.now();
      await sendAll();
      t.diagnostic(
        `${PLAYING} rounds of a full table were stored in ${Math.round(performance.now() - fromMs)} ms`,
      );
    }
    t.diagnostic(
      `a call among them after ${Math.round(await standsSoon(card('Call', `T-0${CALLS}`), 10_000))} ms`,
    );
    const rounds = async (): Promise<number> => {
      const { rows } = await client.query<{ rounds: number }>(
        `SELECT sum(rounds)::int AS rounds FROM floor_paces WHERE terminal_id LIKE 'T-%'`,
      );
      return rows[0]!.rounds;
    };
    await until('all rounds are counted', async () => (await rounds()) >= 2 * PLAYING);
    assert.equal(await rounds(), 2 * PLAYING, 'each once, whichever instance has read it');
    assert.equal(await page.locator(`#tile-T-0${CALLS} circle.waits`).count(), 1);
  });

  it('is what the script of a night has done, and nothing else', async (t) => {
    const seed = Number(process.env['BANCA_SEED'] ?? Date.now() % 2 ** 31);
    t.diagnostic(`seed ${seed}`);
    const urls = instances.map(({ url }) => url);
    const tables = nightTables(dir, NIGHT);
    const counter = await operatorAt(
      urls[0]!,
      peoplePasswordBeside(join(dir, 'operator-password')),
      'count-room',
    );
    const { steps, awake, hours } = { steps: 21, awake: 16, hours: 0.5 };
    const result = await playFloorNight({
      ...{ tables, urls, page, counter, seed, steps, awake, hours },
      ...{ gamingDay: nightsDay, printsAll: false, say: (line: string): void => t.diagnostic(line) },
    });
    t.diagnostic(JSON.stringify(result));
    assert.ok(result.alarms >= 5 && result.openedRounds > 0, JSON.stringify(result));
    assert.ok(result.closedTables === NIGHT && result.countedBoxes > 0, JSON.stringify(result));
  });

  it('calls too few rounds an hour by name, keeps the trail, and takes an acknowledgement from its own page alone', async () => {
    const slow = new FedTable('SL-01').enrol(dir);
    const fromMs = Date.now() - 1_200_000;
    slow.add(...opened('macau-casino-war', 'Ho Sio Fan', [1]).map((entry) => ({ ...entry, atMs: fromMs })));
    await slow.send(instances[0]!.url);
    await slow.report(instances[0]!.url);
    await card('Too few rounds', 'SL-01').getByText('0 an hour; the house wants at least 1.').waitFor();
    const [row] = (
      await client.query(`SELECT no FROM floor_alarms WHERE terminal_id = 'SL-01' AND kind = 'pace'`)
    ).rows;
    const url = `${instances[1]!.url}/floor/alarms/SL-01/${row.no}/seen`;
    const headers = {
      ...lei.headers,
      'x-banca-token': lei.formToken,
      'content-type': 'application/json',
    };
    const post = async (address: string, more: RequestInit): Promise<number> =>
      (await fetch(address, { method: 'POST', headers, body: '{}', ...more })).status;
    assert.equal(await post(url, { headers: { 'content-type': 'application/json' } }), 401);
    assert.equal(await post(url, { headers: { ...headers, 'x-banca-token': '' } }), 403);
    assert.equal(await post(url, { headers: { ...headers, origin: 'https://evil.example' } }), 403);
    assert.equal(await post(url, { headers: { ...headers, 'sec-fetch-site': 'cross-site' } }), 403);
    assert.equal(await post(url, { headers: { ...headers, 'content-type': 'text/plain' } }), 400);
    assert.equal(await post(url, { body: '{"by":"me"}' }), 400);
    assert.equal(await post(url.replace(`/${row.no}/`, '/999/'), {}), 404);
    assert.equal(await post(url.replace('SL-01', '..'), {}), 404);
    assert.deepEqual((await trail('pace', 'SL-01'))[0]?.seen_by, null);
    assert.equal(await post(url, {}), 200);
    const [seen] = await trail('pace', 'SL-01');
    assert.equal(seen?.seen_by, 'of the tests, floor');
    await assert.rejects(
      client.query(
        `UPDATE floor_alarms SET seen_by = 'x' WHERE terminal_id = 'SL-01' AND seen_by IS NOT NULL`,
      ),
      /stays as it was/,
    );
    await assert.rejects(client.query('DELETE FROM floor_alarms'), /stays as it was/);
    const kept = await fetch(`${instances[1]!.url}/floor/alarms?terminal=SL-01`, { headers });
    assert.match(await kept.text(), /Too few rounds<\/td>.*of the tests, floor, /s);
    // A database that ends every connection, as at its own restart, ends no instance.
    await client.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    slow.add({ kind: 'dealer-signed-out', body: dealer('Ho Sio Fan') });
    await until('it is stored', () =>
      slow.send(instances[0]!.url).then(
        () => true,
        () => false,
      ),
    );
    await until('it is cured', async () => (await trail('pace', 'SL-01')).every(({ is_open }) => !is_open));
    await card('Too few rounds', 'SL-01').waitFor({ state: 'detached' });
    assert.deepEqual(
      instances.map(({ child }) => child.exitCode),
      [null, null],
    );
  });
});

/** Violations of WCAG 2.2 A and AA that axe can see, as `rule: element`. */
async function axe(page: Page): Promise<string[]> {
  await page.evaluate(`${AXE};undefined`);
  return await page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run(o: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await axe.run({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
    });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
  });
}
