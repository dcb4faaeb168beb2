/**
 * Gaming days at two instances of the centre on one PostgreSQL server: the count room counts, both
 * instances close at once, and everybody looks; in Debian's Chromium, which also prints the
 * statement.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import pg from 'pg';
import type { Browser, Page } from 'playwright-core';
import { calendarOf, dayAfter } from '../../upstream/day/calendar.ts';
import { readClosing } from '../../upstream/day/closing.codec.ts';
import { DAY_WORDS } from '../../upstream/day/day-words.ts';
import { ROOT } from '../shell/paths.ts';
import { launchChromium, noChromium, PATIENCE_MS } from '../support/chromium.ts';
import { until } from '../support/until.ts';
import { type FedEntry, FedTable, note, post } from './fed-table.ts';
import { startInstance } from './fleet-run.ts';
import { type Operator, operatorAt, peoplePasswordBeside } from './operators.ts';
import { type PostgresServer, startPostgres } from './postgres.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Where pictures of the pages are put, to be looked at; nowhere unless asked for. */
const PICTURES = process.env['BANCA_PICTURES'];
const LANGUAGES = { en: 'en-GB', pt: 'pt-PT', 'zh-Hant': 'zh-HK' } as const;
const EVIL = '=cmd|calc!A1 <img src=x onerror=alert(1)>';
const run = promisify(execFile);

const started = noChromium === false ? await startPostgres() : { skip: noChromium };
describe('gaming days at the centre', { skip: 'skip' in started && started.skip }, () => {
  const server = started as PostgresServer;
  const dir = mkdtempSync(join(tmpdir(), 'banca-days-'));
  const client = new pg.Client({ connectionString: server.url });
  const plan = join(dir, 'floor.json');
  const rules = { timeZone: 'Asia/Macau', dayBegins: '06:00' };
  const calendar = calendarOf(rules);
  const day = dayAfter(calendar.dayOf(Date.now()), -2);
  const { startMs } = calendar.boundsOf(day);
  let instances: Awaited<ReturnType<typeof startInstance>>[];
  let browser: Browser;
  let wong: Operator;
  let sou: Operator;
  let floor: Operator;
  let auditor: Operator;

  const lost = (seat: number, minor: number): FedEntry[] => [
    { kind: 'betting-opened', body: { roundNo: 1 } },
    { kind: 'bet-placed', postings: post(`seat-credit:${seat}`, `stake:${seat}`, minor) },
    { kind: 'betting-closed' },
    { kind: 'deal-began', body: { bets: [{ amountMinor: minor }] } },
    { kind: 'card-dealt' },
    {
      kind: 'round-settled',
      body: {
        lines: [
          { by: seat, bet: 'main', outcome: 'lose', stakeMinor: minor, returnedMinor: 0, netMinor: -minor },
        ],
      },
      postings: post(`stake:${seat}`, 'bank', minor),
    },
    { kind: 'results-shown' },
    { kind: 'round-closed' },
  ];
  const out = (acceptor: number): FedEntry => ({
    kind: 'fault-reported',
    body: { device: `acceptor-${acceptor}`, fault: 'cash-box-removed', place: '' },
  });
  const opened = (rulebook: string, id: string, name: string): FedEntry[] => [
    { kind: 'table-configured', body: { profile: { tableName: EVIL, rulebook, currency: 'MOP' } } },
    { kind: 'dealer-signed-in', body: { person: { id, name, role: 'dealer' } } },
  ];
  /** Six seconds apart, from the second hour of the day on. */
  const timed = (...entries: readonly FedEntry[]): FedEntry[] =>
    entries.map((entry, i) => ({ ...entry, atMs: startMs + 3_600_000 + i * 6_000 }));

  before(
    async () => {
      await client.connect();
      writeFileSync(plan, JSON.stringify(rules));
      instances = [await startInstance(server.url, dir, ['--floor', plan])];
      instances.push(await startInstance(server.url, dir, ['--floor', plan]));
      const password = peoplePasswordBeside(join(dir, 'operator-password'));
      const [one, two] = instances.map(({ url }) => url) as [string, string];
      [wong, sou, floor, auditor] = [
        await operatorAt(one, password, 'count-room'),
        await operatorAt(two, password, 'count-room'),
        await operatorAt(one, password, 'floor'),
        await operatorAt(two, password, 'auditor'),
      ];
      const rounds = (seat: number, count: number): FedEntry[] =>
        Array.from({ length: count }, (_, i) => lost(seat, 10_000 * (1 + (i % 3)))).flat();
      const tables = [
        new FedTable('BJ-01').add(
          ...timed(
            ...opened('macau-blackjack-2009', 'D-1', EVIL),
            ...[note(1, 50_000), note(1, 50_000), note(3, 100_000), ...rounds(1, 6)],
            ...[out(1), out(3), note(1, 100_000)],
          ),
        ),
        new FedTable('BA-02').add(
          ...timed(...opened('macau-baccarat', 'D-2', 'Chan Iok'), note(2, 100_000), ...rounds(2, 9), out(2)),
        ),
        new FedTable('CW-03').add(
          ...timed(...opened('macau-casino-war', 'D-2', 'Chan Iok'), note(1, 10_000)),
        ),
      ];
      for (const table of tables) await table.enrol(dir).send(one);
      // The third has said nothing since.
      for (const table of tables.slice(0, 2)) await table.report(two);
      browser = await launchChromium();
      await until('all is counted', async () => {
        const { rows } = await client.query(
          'SELECT 1 FROM day_ledgers d JOIN terminals t USING (terminal_id) WHERE d.seq = t.head_seq',
        );
        return rows.length === 3;
      });
    },
    { timeout: 300_000 },
  );
  after(async () => {
    await browser?.close();
    for (const { child } of instances ?? []) child.kill();
    await client.end();
    await server.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  async function open(who: Operator, lang: keyof typeof LANGUAGES = 'en'): Promise<Page> {
    const context = await browser.newContext({
      locale: LANGUAGES[lang],
      viewport: { width: 1280, height: 900 },
    });
    await context.addCookies(who.cookies);
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    page.on('dialog', () => assert.fail('a script of a name has run'));
    return page;
  }
  /** Violations of WCAG 2.2 AA; and a picture of what was looked at. */
  async function look(page: Page, name: string): Promise<string[]> {
    if (PICTURES !== undefined) {
      mkdirSync(PICTURES, { recursive: true });
      await page.evaluate(() => document.fonts.ready);
      await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
    }
    await page.evaluate(AXE);
    return await page.evaluate(async () => {
      const { axe } = window as unknown as {
        axe: {
          run(on: unknown, how: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
        };
      };
      const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
      const { violations } = await axe.run(document, { runOnly: { type: 'tag', values: tags } });
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    });
  }
  const rows = async (sql: string): Promise<unknown[]> => (await client.query(sql)).rows;

  it('the count room enters a count by the keyboard alone and sees nothing of what is expected before', async () => {
    const page = await open(wong);
    await page.goto(`${wong.url}/days/${day}/BJ-01`);
    const text = await page.locator('main').textContent();
    assert.doesNotMatch(text!, /2,000\.00|1,000\.00/, 'the drop, or what a box must hold');
    assert.deepEqual(await look(page, 'table-en'), []);
    const press = async (selector: string): Promise<void> => {
      for (let presses = 0; presses < 60; presses += 1) {
        await page.keyboard.press('Tab');
        if (await page.evaluate((of) => document.activeElement?.matches(of) === true, selector)) return;
      }
      assert.fail(`no way to ${selector} by keyboard`);
    };
    await press('main .acts a');
    await page.keyboard.press('Enter');
    await page.locator('#MOP_50000').waitFor();
    assert.deepEqual(await look(page, 'count-en'), []);
    await press('#MOP_50000');
    await page.keyboard.type('1');
    await page.keyboard.press('Enter');
    await page.getByText(DAY_WORDS.en.counts.counted).waitFor();
    assert.match((await page.locator('main').textContent())!, /1 × MOP 500 missing/);
    assert.deepEqual(await look(page, 'counted-en'), []);
    await page.context().close();
  });

  it('a second count is refused with its reason in three languages, and odd ones change nothing', async () => {
    const [{ seq }] = (await rows(
      "SELECT removed_seq::float8 AS seq FROM cash_boxes WHERE terminal_id = 'BJ-01' ORDER BY removed_seq LIMIT 1",
    )) as [{ seq: number }];
    const path = `/boxes/BJ-01/${seq}`;
    for (const [lang, words] of Object.entries(DAY_WORDS)) {
      const again = await sou.form(path, { no: '1', MOP_50000: '2' }, { 'accept-language': lang });
      assert.equal(again.status, 409);
      assert.ok(again.text.includes(words.counts.already), lang);
    }
    for (const fields of [
      { MOP_50000: '-1' },
      { MOP_50000: '1e3' },
      { MOP_50001: '1' },
      { __proto__x: '1' },
      { MOP_50000: '999999' },
      { no: '0' },
    ])
      assert.equal(
        (await sou.form(path, { no: '2', reason: 'x', ...fields })).status,
        400,
        JSON.stringify(fields),
      );
    for (const who of [floor, auditor]) assert.equal((await who.form(path, { no: '2' })).status, 403);
    // The number of one table's box is none at another, and none of another house's.
    for (const other of [`/boxes/CW-03/${seq}`, `/boxes/OTHER-1/${seq}`, '/boxes/BJ-01/9999']) {
      assert.equal((await sou.form(other, { no: '1', MOP_50000: '1' })).status, 404, other);
      assert.equal((await sou.ask(other)).status, 404, other);
    }
    for (const other of [`/days/${day}/OTHER-1`, `/days/${day}/statement/csv?table=OTHER-1`])
      assert.doesNotMatch((await auditor.ask(other)).text, /BJ-01|BA-02/, other);
    const twice = { no: '2', MOP_50000: '1', reason: '@stuck' };
    // Two people press at the same moment, at two instances.
    const both = await Promise.all([sou.form(path, twice), sou.form(path, twice)]);
    assert.deepEqual(
      both.map(({ status }) => status),
      [200, 200],
    );
    assert.deepEqual(await rows('SELECT no, who FROM box_counts ORDER BY no'), [
      { no: 1, who: 'of the tests, count-room' },
      { no: 2, who: 'of the tests, count-room' },
    ]);
  });

  it('two instances close at once: every day once, and what is missing is named', async () => {
    const close = (): Promise<string> => floor.form(`/days/${day}/close`).then(({ text }) => text);
    assert.match(await close(), /Not counted yet: Box of acceptor 3/);
    const boxes = (await rows(
      "SELECT terminal_id AS id, removed_seq::float8 AS seq, box -> 'notes' ->> 'known' AS known FROM cash_boxes b WHERE NOT EXISTS (SELECT 1 FROM box_counts c WHERE c.terminal_id = b.terminal_id AND c.removed_seq = b.removed_seq)",
    )) as { id: string; seq: number; known: string }[];
    assert.equal(boxes.length, 2);
    for (const { id, seq, known } of boxes) {
      const notes = Object.entries(JSON.parse(known) as Record<string, number>);
      const fields = Object.fromEntries(notes.map(([name, count]) => [name, String(count)]));
      assert.equal((await wong.form(`/boxes/${id}/${seq}`, { no: '1', ...fields })).status, 200);
    }
    const other = await operatorAt(
      instances[1]!.url,
      peoplePasswordBeside(join(dir, 'operator-password')),
      'floor',
    );
    const said = await Promise.all([floor, other, floor, other].map((who) => who.form(`/days/${day}/close`)));
    assert.deepEqual([...new Set(said.map(({ status }) => status))], [200]);
    for (const { text } of said) assert.match(text, /CW-03[\s\S]*Entries from 4 on are missing/);
    assert.deepEqual(await rows('SELECT terminal_id, no::int, day::text FROM day_closings ORDER BY 1'), [
      { terminal_id: 'BA-02', no: 1, day },
      { terminal_id: 'BJ-01', no: 1, day },
    ]);
    const audited = (await rows(
      "SELECT act, about FROM audit WHERE act IN ('count', 'day-closed') ORDER BY act, about",
    )) as {
      act: string;
      about: string;
    }[];
    assert.deepEqual(
      audited.filter(({ act }) => act === 'day-closed').map(({ about }) => about),
      [`BA-02 ${day} 1`, `BJ-01 ${day} 1`],
    );
    assert.equal(audited.filter(({ act }) => act === 'count').length, 4);
  });

  it('a lost table’s day is closed with a reason by the floor alone, and not while the table is heard', async () => {
    const path = `/days/${day}/CW-03`;
    const { closeLost } = DAY_WORDS.en;
    const lose = (who: Operator, reason: string) => who.form(`${path}/lost`, { reason });
    assert.ok(!(await floor.ask(path)).text.includes(closeLost));
    assert.equal((await lose(floor, 'the machine has burnt')).status, 409);
    // Two hours later.
    await client.query('SET session_replication_role = replica');
    await client.query(
      "UPDATE entries SET received_at = received_at - interval '2 hours' WHERE terminal_id = 'CW-03'",
    );
    await client.query('SET session_replication_role = origin');
    for (const who of [auditor, sou]) {
      assert.ok(!(await who.ask(path)).text.includes(closeLost));
      assert.equal((await lose(who, 'x')).status, 403);
    }
    for (const reason of ['', ' ', 'turned \u202e round'])
      assert.equal((await lose(floor, reason)).status, 400);
    assert.equal((await floor.form(`/days/${day}/OTHER-1/lost`, { reason: 'x' })).status, 404);
    const page = await open(floor);
    await page.goto(floor.url + path);
    assert.deepEqual(await look(page, 'lost-en'), []);
    await page.getByLabel(DAY_WORDS.en.reason).fill(EVIL);
    await page.keyboard.press('Enter');
    await page.getByText(`${DAY_WORDS.en.justClosed} 1`).waitFor();
    await page.goto(floor.url + path);
    await page.getByText(`Closed without entries from 4 on, which did not come: ${EVIL}`).waitFor();
    await page.context().close();
    assert.deepEqual(await rows("SELECT about FROM audit WHERE about LIKE '%lost: =cmd%'"), [
      { about: `CW-03 ${day} 1, lost: ${EVIL}` },
    ]);
  });

  it('the pages speak three languages, axe finds nothing, and each look is noted', async () => {
    const pages = [
      [`/days?day=${day}`, 'days', 'gamingDay'],
      [`/days/${day}/BJ-01`, 'day', 'meters'],
      [`/seconds?day=${day}`, 'seconds', 'seconds'],
      [`/days/${day}/statement/html`, 'statement', 'statement'],
    ] as const;
    for (const lang of PICTURES === undefined ? (['pt'] as const) : (['en', 'pt', 'zh-Hant'] as const)) {
      const page = await open(auditor, lang);
      for (const [path, name] of pages) {
        await page.goto(auditor.url + path);
        assert.deepEqual(await look(page, `${name}-${lang}`), [], name);
      }
      await page.context().close();
    }
    for (const lang of ['en', 'pt', 'zh-Hant'] as const)
      for (const [path, , word] of pages) {
        const { text, status } = await auditor.ask(path, { headers: { 'accept-language': lang } });
        assert.equal(status, 200, text);
        assert.ok(text.includes(DAY_WORDS[lang][word]), `${lang} ${path}`);
        assert.doesNotMatch(text, /<img/);
      }
    const { text } = await auditor.ask(`/days?day=${day}`);
    assert.match(text, /BJ-01, box of acceptor 1, taken out [^<]*: 1 × MOP 500 missing/);
    const looks = await rows(`SELECT about FROM audit WHERE act = 'look' AND about LIKE '/days/%'`);
    assert.ok(looks.length >= 4);
    // 12 s of bets, 6 s each to the deal, a card and the end, 6 s to be read, 6 s to be put away.
    const { text: seconds } = await auditor.ask(`/seconds?day=${day}&table=BA-02`);
    assert.match(
      seconds,
      /<td>Baccarat · macau-baccarat<\/td><td>9<\/td><td>42\.0<\/td><td>12\.0<\/td><td>18\.0<\/td><td>0\.0<\/td><td>6\.0<\/td><td>6\.0<\/td>/,
    );
  });

  it('the statement is a PDF and a CSV in which no name is a formula, and `banca day` computes both again', async () => {
    const csv = await auditor.ask(`/days/${day}/statement/csv?table=BJ-01`);
    assert.match(csv.text, /'=cmd\|calc/);
    assert.doesNotMatch(csv.text, /(?:^|,)"?\s*[=+@]/m);
    assert.match(csv.text, /,box-difference,"acceptor 1, entry \d+, note 500",,MOP,-1,notes/);
    const answer = await fetch(`${auditor.url}/days/${day}/statement/pdf`, { headers: auditor.headers });
    const pdf = Buffer.from(await answer.arrayBuffer());
    assert.equal(answer.headers.get('content-type'), 'application/pdf');
    assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');
    if (PICTURES !== undefined) writeFileSync(join(PICTURES, 'statement.pdf'), pdf);
    const closings = join(dir, 'closings.json');
    const statement = join(dir, 'statement.csv');
    writeFileSync(statement, csv.text);
    const { stdout } = await run(process.execPath, [
      ...[join(ROOT, 'cli/banca.ts'), 'day', '--centre', instances[1]!.url, '--terminal', 'BJ-01'],
      ...['--password', join(dir, 'operator-password'), '--save', closings, '--statement', statement],
    ]);
    assert.match(
      stdout,
      new RegExp(`BJ-01 ${day} closing 1, up to entry 56: equal\n1 closings, 0 differences`),
    );
    const [signed] = (
      JSON.parse(readFileSync(closings, 'utf8')) as { closings: Parameters<typeof readClosing>[0][] }
    ).closings;
    assert.equal(readClosing(signed!).closedBy, 'of the tests, floor');
  });

  it('a closing that somebody has changed in the database is shown as none', async () => {
    await client.query('ALTER TABLE day_closings DISABLE TRIGGER day_closings_no_change');
    await client.query(
      `UPDATE day_closings SET bytes = replace(bytes, '"MOP_50000":1}', '"MOP_50000":2}') WHERE terminal_id = 'BJ-01'`,
    );
    const { text } = await auditor.ask(`/days?day=${day}`);
    assert.match(
      text,
      /BJ-01<\/a><\/td><td><span class="bad">[^<]* the signature does not hold<\/span><\/td><td>–/,
    );
    assert.match(text, /BA-02<\/a><\/td><td><span class="good">Closed 1<\/span>/);
    assert.equal((await auditor.ask(`/days/${day}/BJ-01`)).status, 200);
    assert.equal(
      (await auditor.ask(`/days/${day}/statement/csv`)).status,
      500,
      'no statement says otherwise',
    );
  });
});
