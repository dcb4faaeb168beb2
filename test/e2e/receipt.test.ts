/**
 * A round goes home on a telephone: the code is read from the pixels of the terminal's own screen
 * by a decoder that is not ours, and the page that it opens is the one that the centre serves.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import type { Language } from '../../engine/table/inputs.ts';
import { checkpointBytes } from '../../ledger/chain/checkpoint.codec.ts';
import { keyFromPrivate } from '../../ledger/chain/key.ts';
import { judgeReceipt, makeReceiptLink, type Receipt, textOfLink } from '../../ledger/chain/receipt.codec.ts';
import { inShort } from '../../ledger/chain/receipt-words.ts';
import { type LedgerKey, loadOrCreateKey } from '../../ledger/store/ledger.store.ts';
import { TestTerminal } from '../host/test-terminal.ts';
import { FULL_HD, noChromium, openDisplay, PATIENCE_MS, useChromium } from '../support/chromium.ts';
import { newDatabase } from '../support/new-database.ts';
import { text } from '../support/texts.ts';

/** A CommonJS package whose types say otherwise. */
const jsQR = createRequire(import.meta.url)('jsqr') as (
  data: Uint8ClampedArray,
  width: number,
  height: number,
) => { readonly data: string } | null;

const CENTRE = join(import.meta.dirname, '../../upstream/main.ts');
const chromium = useChromium();

interface Centre {
  readonly url: string;
  readonly receipts: string;
  readonly enrolDir: string;
}

/** The centre as it ships, a process of its own with its page of receipts. */
async function startCentre(t: TestContext): Promise<Centre> {
  const root = mkdtempSync(join(tmpdir(), 'banca-receipt-'));
  const enrolDir = join(root, 'enrol');
  mkdirSync(enrolDir);
  await newDatabase(join(root, 'postgres'));
  const { DATABASE_URL: _, ...env } = process.env;
  const args = [CENTRE, '--data', root, '--enrol-dir', enrolDir, '--receipt-port', '0', '--supervised'];
  const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(async () => {
    const ended = new Promise((done) => child.once('exit', done));
    child.stdin.end();
    await ended;
    rmSync(root, { recursive: true, force: true });
  });
  for await (const line of createInterface(child.stdout)) {
    const said = JSON.parse(line) as Partial<Centre> & { ready?: boolean };
    if (said.ready) return { url: said.url!, receipts: said.receipts!, enrolDir };
  }
  throw new Error('the centre has ended');
}

/** 600.00 on seat 3, black jack: +900.00. */
async function playRound(kit: TestTerminal): Promise<void> {
  await kit.fund(3, 100_000);
  await kit.ready('AD KH JC 8H');
  await kit.deal({ 3: 60_000 });
  while (!['read-results', 'close-round'].includes(kit.step)) {
    if (kit.step === 'await-offers') kit.passDeadline();
    else await kit.draw();
  }
  if (kit.step === 'read-results') kit.passDeadline();
  await kit.do({ type: 'close-round' });
}

/** What a telephone held before the screen reads. */
async function scan(page: Page): Promise<string> {
  const { data, width, height } = PNG.sync.read(await page.screenshot());
  const found = jsQR(new Uint8ClampedArray(data), width, height);
  assert.ok(found, 'a code is found on the screen');
  return found.data;
}

const sealOf = (page: Page): Promise<string | null> => page.locator('[data-seal]').getAttribute('data-seal');
const sealIs = async (page: Page, seal: string): Promise<void> => {
  await page.locator(`[data-seal=${seal}]`).waitFor();
  assert.equal(await sealOf(page), seal);
};

/** What is too small to be read or touched, or leaves the screen. */
const tooSmall = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    const wide = document.documentElement.scrollWidth;
    if (wide > innerWidth) found.push(`${wide} px wide`);
    for (const element of document.querySelectorAll<HTMLElement>('main *')) {
      if (element.getClientRects().length === 0) continue;
      const box = element.getBoundingClientRect();
      const words = [...element.childNodes].some(
        ({ nodeType, textContent }) => nodeType === 3 && textContent?.trim(),
      );
      const size = Number.parseFloat(getComputedStyle(element).fontSize);
      const name = `${element.tagName} ${element.className} «${element.textContent?.slice(0, 30)}»`;
      if (words && size < 16) found.push(`${size} px: ${name}`);
      if (words && (box.left < 0 || box.right > innerWidth)) found.push(`outside: ${name}`);
      if (['BUTTON', 'SUMMARY', 'A'].includes(element.tagName) && Math.min(box.width, box.height) < 48)
        found.push(`${box.width} x ${box.height}: ${name}`);
    }
    return found;
  });

/** `SHOTS`: a folder that takes pictures, for who wants to look. */
const SHOTS = process.env['SHOTS'];
async function shoot(page: Page, name: string): Promise<void> {
  if (SHOTS !== undefined)
    await page.screenshot({ path: join(SHOTS, `receipt-${name}.png`), fullPage: true });
}

const packed = (address: string, said: string): string =>
  `${address}#v1.${deflateRawSync(inShort(said)).toString('base64url')}`;

test('a receipt scanned from the screen opens on a telephone, online and not', {
  skip: noChromium,
  timeout: 600_000,
}, async (t) => {
  const centre = await startCentre(t);
  const address = `${centre.receipts}/`;
  const kit = await TestTerminal.open(t, {
    rendererRoot: chromium.root,
    upstream: centre.url,
    file: { receiptAddress: address },
    profile: { terminalId: 'MO-BJ-07', tableName: '二十一點 7' },
  });
  const key = loadOrCreateKey(kit.dir);
  writeFileSync(join(centre.enrolDir, 'MO-BJ-07.pub'), key.publicPem);
  await playRound(kit);
  await kit.until('the centre has the round', () => {
    const { ackedSeq, headSeq } = kit.view.link;
    return headSeq > 10 && ackedSeq === headSeq;
  });

  const { page: screen } = await openDisplay(chromium.browser, kit.host.ticketUrl('table', 600_000).url, {
    size: FULL_HD,
  });
  t.after(() => screen.close());
  const panel = screen.locator('.panel[data-seat="3"]');
  await panel.locator('.own-tab').click();
  await screen.getByRole('img', { name: text('zh-Hant', 'recall.receipt') }).scrollIntoViewIfNeeded();
  const link = await scan(screen);
  assert.ok(link.startsWith(address), link);
  t.diagnostic(`${link.length} characters`);

  const context = await chromium.browser.newContext({
    viewport: { width: 360, height: 740 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
    locale: 'zh-HK',
  });
  t.after(() => context.close());
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on('pageerror', (error) => troubles.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') troubles.push(message.text());
  });

  await t.test('it shows the round, its sums with the article, and the whole seal', async () => {
    await page.goto(link);
    await sealIs(page, 'whole');
    const said = (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ');
    for (const part of [
      '二十一點・第 1 局',
      'MO-BJ-07',
      '3 號位',
      '+900.00 MOP',
      '600.00',
      '1,500.00',
      '第十條第二款',
      'Lei Ka Man',
    ])
      assert.ok(said.includes(part), `${part}: ${said}`);
    await page.getByRole('img', { name: 'A♦ J♣' }).waitFor();
    await page.getByRole('img', { name: 'K♥ 8♥' }).waitFor();
    const colour = await page
      .locator('.result strong')
      .evaluate((element) => getComputedStyle(element).color);
    assert.equal(colour, 'rgb(158, 27, 30)', 'luck is red');
    const letters = await page.evaluate(() =>
      document.fonts.check('17px "Noto Sans HK Variable"', '已入娛樂場紀錄'),
    );
    assert.ok(letters, 'letters travel with the page');
  });

  await t.test('in three languages it fits a telephone', async () => {
    for (const language of ['pt', 'en', 'zh-Hant'] as Language[]) {
      await page.locator(`nav button[lang=${language === 'pt' ? 'pt-PT' : language}]`).tap();
      await page.getByText(text(language, 'receipt.notProven')).waitFor();
      await page.locator('summary').tap();
      assert.deepEqual(await tooSmall(page), [], language);
      await shoot(page, `${language}-open`);
      await page.locator('summary').tap();
      await shoot(page, language);
    }
    await page.setViewportSize({ width: 430, height: 900 });
    const high = await page.evaluate(() => document.documentElement.scrollHeight);
    assert.ok(high <= 900, `${high} px: all on one screen of 900`);
    await page.setViewportSize({ width: 360, height: 740 });
  });

  await t.test('the round is played again, to its end', async () => {
    await page.getByRole('button', { name: text('zh-Hant', 'receipt.replay') }).tap();
    await page
      .getByRole('status')
      .filter({ hasText: text('zh-Hant', 'receipt.seal.whole') })
      .waitFor();
    await page.getByText('派牌給莊家').waitFor();
    await page.getByRole('button', { name: text('zh-Hant', 'receipt.replay') }).waitFor();
    await page.getByRole('img', { name: 'K♥ 8♥' }).waitFor();
  });

  await t.test('without a network it opens again', async () => {
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    await context.setOffline(true);
    await page.reload();
    await sealIs(page, 'whole');
    // A telephone that has never asked knows what the terminal has signed, and no more.
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await sealIs(page, 'ring');
    await page.getByText(text('zh-Hant', 'receipt.sealWhy.offline')).waitFor();
    await page.getByText('+900.00 MOP').waitFor();
    await context.setOffline(false);
    troubles.length = 0;
  });

  const judged = judgeReceipt(textOfLink(link));
  assert.ok(judged.holds);
  const receipt = judged.receipt as Parameters<typeof makeReceiptLink>[1];
  const open = async (url: string): Promise<void> => {
    await page.goto('about:blank');
    await page.goto(url);
  };

  const oddly = (from: string, to: string): string => {
    const said = textOfLink(link);
    assert.ok(said.includes(from), said);
    return said.replace(from, to);
  };

  await t.test('a code that is cut, wrong or missing gets a sentence', async () => {
    for (const [url, why] of [
      [link.slice(0, -1), 'cut'],
      [link.slice(0, -300), 'cut'],
      [link.slice(0, address.length + 60), 'cut'],
      [`${address}#hello`, 'wrong'],
      [`${address}#%7B%7D`, 'wrong'],
      [packed(address, 'another text'), 'wrong'],
      [packed(address, textOfLink(link).split('\n').slice(0, 1).join('\n')), 'wrong'],
      [packed(address, 'banca-receipt-v1\n{}\nAAAA'), 'wrong'],
      // What somebody has signed for themselves may say anything.
      [packed(address, oddly('[3,2]', '[3,0]')), 'wrong'],
      [packed(address, oddly('[3,2]', '["3",2]')), 'wrong'],
      [packed(address, 'banca-receipt-v1\n'.padEnd(10_000_000, ' ')), 'wrong'],
      [address, 'none'],
    ] as const) {
      await open(url);
      await page
        .getByRole('alert')
        .getByText(text('zh-Hant', `receipt.${why}`))
        .waitFor();
      assert.equal(await page.locator('[data-seal], .sums').count(), 0, url.slice(0, 80));
      await shoot(page, why);
    }
  });

  await t.test('no character of the code can be changed', async () => {
    const said = textOfLink(link);
    for (const [from, to] of [
      ['150000', '950000'],
      ['3:ADJC', '3:ASJC'],
      ['Lei Ka Man', 'Lei Ka Mon'],
    ] as const) {
      assert.ok(said.includes(from), from);
      await open(packed(address, said.replace(from, to)));
      await sealIs(page, 'octagon');
      await page.getByText(text('zh-Hant', 'receipt.sealWhy.signature')).waitFor();
      assert.equal(await page.locator('.sums').count(), 0, 'no amount that nobody signed');
    }
  });

  await t.test(
    'what the record has otherwise does not match, and what it has not yet is not whole',
    async () => {
      const signedBy = (other: LedgerKey, changes: Partial<Receipt>): string => {
        const changed = { ...receipt, ...changes };
        const { signature: _, ...point } = { ...changed.checkpoint, keyId: other.keyId };
        const signature = other.sign(checkpointBytes(changed.terminal, point));
        return makeReceiptLink(address, { ...changed, checkpoint: { ...point, signature } }, other);
      };
      const stranger = keyFromPrivate(generateKeyPairSync('ed25519').privateKey);
      const { checkpoint } = receipt;
      const entryHash = Buffer.alloc(32, 7);
      for (const [url, seal] of [
        [signedBy(key, {}), 'whole'],
        [signedBy(stranger, {}), 'octagon'],
        [signedBy(key, { returnedMinor: 950_000 }), 'octagon'],
        [signedBy(key, { seat: 4 }), 'octagon'],
        [signedBy(key, { roundId: 'MO-BJ-07-000002' }), 'octagon'],
        [signedBy(key, { checkpoint: { ...checkpoint, entryHash } }), 'octagon'],
        [signedBy(key, { checkpoint: { ...checkpoint, seq: checkpoint.seq + 1_000 } }), 'ring'],
        [signedBy(stranger, { terminal: 'MO-BJ-99' }), 'ring'],
      ] as const) {
        await open(url);
        const why = { whole: 'witness', octagon: 'other', ring: 'not-yet' }[seal];
        await page.getByText(text('zh-Hant', `receipt.sealWhy.${why}`, { dealer: 'Lei Ka Man' })).waitFor();
        await sealIs(page, seal);
      }
    },
  );
  assert.deepEqual(troubles, []);
});

test('a loss is ink, never red', { skip: noChromium, timeout: 600_000 }, async (t) => {
  const centre = await startCentre(t);
  const kit = await TestTerminal.open(t, { file: { receiptAddress: `${centre.receipts}/` } });
  await kit.fund(1, 100_000);
  await kit.ready('TS 9H TD 8C KC');
  await kit.deal({ 1: 10_000 });
  kit.passDeadline();
  await kit.do(kit.act(1, 'hit'));
  while (!['read-results', 'close-round'].includes(kit.step)) await kit.draw();
  if (kit.step === 'read-results') kit.passDeadline();
  await kit.do({ type: 'close-round' });
  const seat = await kit.display('seat:1');
  const { receipt } = await seat.found({ query: 'own-round', seat: 1, roundId: 'T-HOST-1-000001' });
  const page = await chromium.browser.newPage({ viewport: { width: 360, height: 740 }, locale: 'pt-PT' });
  t.after(() => page.close());
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(receipt!);
  // This centre has never heard of the terminal.
  await sealIs(page, 'ring');
  const result = page.locator('.result strong');
  assert.match((await result.textContent())!, /^−100,00\sMOP$/);
  assert.equal(await result.evaluate((element) => getComputedStyle(element).color), 'rgb(35, 26, 16)');
});
