/**
 * `node test/centre/floor-pictures.ts [--out DIR]`: forty tables in three zones at a real centre on
 * PostgreSQL, with a jam, calls, a hand-pay and a slow link, and the board of it in each language.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import sharp from 'sharp';
import { argumentsOf } from '../../ledger/chain/program-arguments.ts';
import { LANGUAGES, type Language } from '../../upstream/floor-table.ts';
import { ROOT } from '../shell/paths.ts';
import { launchChromium } from '../support/chromium.ts';
import { FedTable, opened } from './fed-table.ts';
import { startInstance } from './fleet-run.ts';
import { operatorAt, peoplePasswordBeside } from './operators.ts';
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
const CLOSED = new Set(['BJ-12', 'BA-31', 'BJ-40']);

const server = await startPostgres();
if ('skip' in server) {
  console.error(server.skip);
  process.exit(2);
}
const dir = mkdtempSync(join(tmpdir(), 'banca-floor-'));
writeFileSync(join(dir, 'floor.json'), JSON.stringify({ timeZone: 'Asia/Macau', zones: ZONES }));
const centre = await startInstance(server.url, dir, '--floor', join(dir, 'floor.json'));
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
  for (const table of tables) await table.send(centre.url);
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
  const again = await startInstance(server.url, dir, '--floor', join(dir, 'floor.json'));
  try {
    let isOver = false;
    const reporting = (async () => {
      while (!isOver) {
        await Promise.all(tables.map((table) => table.report(again.url)));
        await sleep(800);
      }
    })();
    const password = peoplePasswordBeside(join(dir, 'operator-password'));
    const floor = await operatorAt(again.url, password, 'floor');
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
