/**
 * `node test/centre/floor-pictures.ts [--out DIR]`: forty tables in three zones at a real centre on
 * PostgreSQL, with a jam, calls, a hand-pay and a slow link, the board of it and all other pages of
 * the centre in each language.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import sharp, { type OverlayOptions } from 'sharp';
import { argumentsOf } from '../../ledger/chain/program-arguments.ts';
import { calendarOf } from '../../upstream/day/calendar.ts';
import { LANGUAGES, type Language } from '../../upstream/floor-table.ts';
import { ROOT } from '../shell/paths.ts';
import { launchChromium } from '../support/chromium.ts';
import { type FedEntry, FedTable, note, opened, post } from './fed-table.ts';
import { startInstance } from './fleet-run.ts';
import { type Operator, operatorAt, peoplePasswordBeside } from './operators.ts';
import { startPostgres } from './postgres.ts';

const { values } = argumentsOf({
  options: { out: { type: 'string', default: join(ROOT, 'docs', 'pictures') } },
});
const NAMES =
  'Wong Chi,Lam Kit,Cheong Un,Lei Ka Man,Chan Iok,Sou Wai,Fong Lai,Ho Sio Fan,Rui Sales,Inês Reis,Kuan Ip,Ng Mei,Vong Pui,Leong Si,Ana Costa'.split(
    ',',
  );
const GAMES: Readonly<Record<string, string>> = {
  BJ: 'macau-blackjack-2009',
  BA: 'macau-baccarat',
  CW: 'macau-casino-war',
};
const BROWSER: Readonly<Record<Language, string>> = { 'zh-Hant': 'zh-HK', pt: 'pt-PT', en: 'en-GB' };
const number = (n: number): string => String(n).padStart(2, '0');
const run = (from: number, to: number, gameOf: (n: number) => string): string[] =>
  Array.from({ length: to - from + 1 }, (_, i) => `${gameOf(from + i)}-${number(from + i)}`);
const ZONES = [
  {
    name: { 'zh-Hant': '蓮花廳', pt: 'Sala Lótus', en: 'Lotus Hall' },
    tables: run(1, 16, (n) => ([8, 15, 16].includes(n) ? 'CW' : 'BJ')),
  },
  { name: { 'zh-Hant': '南灣廳', pt: 'Sala Praia', en: 'Praia Room' }, tables: run(17, 32, () => 'BA') },
  {
    name: { 'zh-Hant': '明珠廳・高額', pt: 'Pérola · alto', en: 'Pérola · high limit' },
    tables: run(33, 40, (n) => (n > 38 ? 'BJ' : 'BA')),
  },
];
/** A round of one player, who loses the stake. */
const lostRound = (id: string, roundNo: number): FedEntry[] => {
  const roundId = `${id}-${String(roundNo).padStart(6, '0')}`;
  const line = {
    by: 1,
    bet: 'main',
    outcome: 'lose',
    stakeMinor: 20_000,
    returnedMinor: 0,
    netMinor: -20_000,
  };
  return [
    { kind: 'betting-opened', roundId, body: { roundId, roundNo, last: false } },
    {
      ...{ kind: 'bet-placed', roundId, body: { seat: 1, amountMinor: 20_000 } },
      postings: post('seat-credit:1', 'stake:1', 20_000),
    },
    { kind: 'betting-closed', roundId },
    {
      ...{ kind: 'round-settled', roundId, body: { currency: 'MOP', lines: [line] } },
      postings: post('stake:1', 'bank', 20_000),
    },
    { kind: 'round-closed', roundId, body: { next: 'idle', cardsBack: false } },
  ];
};
const TILE = { width: 800, height: 640 };
const COLUMNS = 3;

const CLOSED = new Set(['BJ-12', 'BA-31', 'BJ-40']);

const server = await startPostgres();
if ('skip' in server) {
  console.error(server.skip);
  process.exit(2);
}
const dir = mkdtempSync(join(tmpdir(), 'banca-floor-'));
writeFileSync(join(dir, 'floor.json'), JSON.stringify({ timeZone: 'Asia/Macau', zones: ZONES }));
const centre = await startInstance(server.url, dir, ['--floor', join(dir, 'floor.json')]);
const browser = await launchChromium();
try {
  const minutesAgo = (n: number): number => Date.now() - n * 60_000;
  const tables = ZONES.flatMap(({ tables: ids }) => ids).map((id, i) => {
    const taken = [1, 2, 3, 4, 5, 6, 7].filter(
      (seat) => ((i * 31 + seat * 17) % 11) + seat > 4 + (i % 3) * 2,
    );
    const table = new FedTable(id).enrol(dir);
    table.add(...opened(GAMES[id.slice(0, 2)]!, NAMES[i % NAMES.length]!, taken));
    if (CLOSED.has(id)) table.add({ kind: 'dealer-signed-out' });
    return table;
  });
  const at = (id: string): FedTable => tables.find((table) => table.id === id)!;
  const language = (seat: number, of: Language) => ({ kind: 'language-set', body: { seat, language: of } });
  at('BJ-14').add(
    { kind: 'service-entered', body: { person: { id: 'T-01', name: 'João Silva', role: 'technician' } } },
    {
      kind: 'fault-reported',
      body: { device: 'acceptor-3', fault: 'acceptor-jammed', place: 'acceptor 3' },
      atMs: minutesAgo(3),
    },
  );
  at('BA-28').add({
    kind: 'cash-out-requested',
    body: { seat: 6, requestId: 'r-1', currency: 'MOP', amountMinor: 2_450_000 },
    atMs: minutesAgo(5),
  });
  at('BA-22').add(language(2, 'en'), {
    kind: 'attendant-called',
    body: { seat: 2, on: true },
    atMs: minutesAgo(2),
  });
  at('BJ-07').add(language(5, 'pt'), {
    kind: 'complaint-raised',
    body: { complaintNo: 3, seat: 5, roundNo: 141 },
    atMs: minutesAgo(1),
  });
  at('BA-35').add({
    kind: 'fault-reported',
    body: { device: 'printer', fault: 'printer-paper-low', place: 'printer' },
    atMs: minutesAgo(9),
  });
  // Yesterday, at one table.
  const demo = readFileSync(join(ROOT, 'host', 'profiles', 'demo.json'), 'utf8');
  const { profile } = JSON.parse(demo) as { readonly profile: object };
  const counted = new FedTable('BJ-41').enrol(dir);
  const yesterday = [
    ...opened('macau-blackjack-2009', 'Wong Chi', [1]),
    // A poster is made of a whole profile.
    { kind: 'table-configured', body: { profile: { ...profile, tableName: 'Lótus 41' } } },
    ...[note(1, 50_000), note(1, 10_000)],
    ...[1, 2, 3].flatMap((no) => lostRound('BJ-41', no)),
    { kind: 'fault-reported', body: { device: 'acceptor-1', fault: 'cash-box-removed', place: '' } },
    { kind: 'program-stopped', body: { why: 'asked to' } },
  ].map((entry, i) => ({ ...entry, atMs: minutesAgo(24 * 60) + i * 4_000 }));
  counted.add(...yesterday);
  for (const table of [...tables, counted]) await table.send(centre.url);
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  // Rounds of the last two hours, and of the same hours a week ago.
  await client.query(
    `INSERT INTO floor_paces (terminal_id, slot, rounds)
     SELECT 'BJ-01', floor(extract(epoch FROM now()) / 300)::bigint - n - w, 150 + (n * 37 % 23) - n * 2 - w / 500
     FROM generate_series(0, 24) AS n, unnest('{0,2016}'::int[]) AS w`,
  );
  await client.end();
  centre.child.stdin!.end();
  await new Promise((resolve) => centre.child.once('exit', resolve));
  const again = await startInstance(server.url, dir, ['--floor', join(dir, 'floor.json')]);
  try {
    let isOver = false;
    const reporting = (async () => {
      while (!isOver) {
        await Promise.all(tables.map((table) => table.report(again.url)));
        await sleep(800);
      }
    })();
    const password = peoplePasswordBeside(join(dir, 'operator-password'));
    const of = (role: Parameters<typeof operatorAt>[2]): Promise<Operator> =>
      operatorAt(again.url, password, role);
    const [floor, auditor, administrator, countRoom] = [
      ...[await of('floor'), await of('auditor'), await of('administrator'), await of('count-room')],
    ] as const;
    const day = calendarOf({ timeZone: 'Asia/Macau', dayBegins: '06:00' }).dayOf(minutesAgo(24 * 60));
    const box = yesterday.findIndex(({ kind }) => kind === 'fault-reported') + 1;
    const pages: readonly (readonly [string, Operator | null])[] = [
      ['/log-in', null],
      ['/', auditor],
      ['/terminals/BJ-41', auditor],
      ['/terminals/BJ-41/rounds/BJ-41-000001', auditor],
      ['/terminals/BJ-41/poster', auditor],
      ['/terminals/BJ-41/order', floor],
      ['/floor/alarms', auditor],
      ['/forks', auditor],
      [`/boxes/BJ-41/${box}`, countRoom],
      [`/days?day=${day}`, floor],
      [`/days/${day}/BJ-41`, auditor],
      [`/seconds?day=${day}`, auditor],
      ['/people', administrator],
      ['/account', administrator],
      ['/audit', auditor],
    ];
    mkdirSync(values.out, { recursive: true });
    for (const lang of LANGUAGES) {
      const viewport = { width: 1600, height: 900 };
      const context = await browser.newContext({ locale: BROWSER[lang], viewport });
      await context.addCookies(floor.cookies);
      const page = await context.newPage();
      await page.goto(`${again.url}/floor`);
      await page.locator('#tile-BJ-14.fault, #tile-BJ-14.fault-seen').waitFor();
      const printer = page.locator('.card.slow.unseen .see');
      if ((await printer.count()) > 0) await printer.first().click();
      await page.locator('.card.slow.seen').waitFor();
      await sleep(1_500);
      const picture = sharp(await page.screenshot());
      await picture.webp({ quality: 82 }).toFile(join(values.out, `floor-${lang}.webp`));
      const tiles: OverlayOptions[] = [];
      await page.setViewportSize({ width: 1200, height: 960 });
      for (const [at, [path, who]] of pages.entries()) {
        await context.clearCookies();
        if (who !== null) await context.addCookies(who.cookies);
        await page.goto(again.url + path);
        await page.evaluate(() => document.fonts.ready);
        tiles.push({
          input: await sharp(await page.screenshot())
            .resize(TILE)
            .toBuffer(),
          left: (at % COLUMNS) * TILE.width,
          top: Math.floor(at / COLUMNS) * TILE.height,
        });
      }
      const height = Math.ceil(pages.length / COLUMNS) * TILE.height;
      const sheet = sharp({
        create: { width: COLUMNS * TILE.width, height, channels: 3, background: '#fff' },
      }).composite(tiles);
      await sheet.webp({ quality: 60 }).toFile(join(values.out, `centre-${lang}.webp`));
      await context.close();
    }
    isOver = true;
    await reporting;
  } finally {
    again.child.kill();
  }
} finally {
  await browser.close();
  centre.child.kill();
  await server.stop();
  rmSync(dir, { recursive: true, force: true });
}
