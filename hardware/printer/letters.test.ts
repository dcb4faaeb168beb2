import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { PrinterEvent } from '../ports.ts';
import { HandClock } from '../transport/clock.ts';
import { memoryPair } from '../transport/memory.transport.ts';
import { EscposPrinter } from './escpos.driver.ts';
import { EscposSim, type OnPaper, readAs } from './escpos.sim.ts';
import { canDraw, draw, readDrawn } from './letters.ts';

const ROOT = join(import.meta.dirname, '../..');

test('every letter of every text of the project has a shape of its own on paper', () => {
  const texts = globSync('locales/*/*.json', { cwd: ROOT }).map((file) =>
    readFileSync(join(ROOT, file), 'utf8'),
  );
  const letters = [...new Set(texts.join('').replaceAll(/\s/g, ''))];
  assert.ok(letters.length > 900, `${letters.length} letters`);
  for (const letter of letters) {
    const [raster, ...more] = draw(letter, {}) ?? assert.fail(letter);
    assert.equal(more.length, 0);
    const ink = raster!.rows.reduce(
      (sum, row) => sum + row.reduce((dots, byte) => dots + (byte > 0 ? 1 : 0), 0),
      0,
    );
    assert.ok(ink > 0, `${letter} is white`);
  }
});

test('a drawn line is read again letter by letter, plain and bold; double size is each dot four times', () => {
  const text = '人手付款 陳大文 (attendant) 2.ª VIA — 鬱龜龍';
  for (const bold of [false, true]) assert.equal(readDrawn(draw(text, { bold })![0]!), text);
  const [once] = draw('副本', {})!;
  const [twice] = draw('副本', { large: true })!;
  assert.deepEqual([twice!.widthDots, twice!.rows.length], [2 * once!.widthDots, 2 * once!.rows.length]);
  const dot = ({ rows }: NonNullable<typeof once>, x: number, y: number) =>
    (rows[y]![x >> 3]! >> (7 - (x & 7))) & 1;
  for (let y = 0; y < twice!.rows.length; y++)
    for (let x = 0; x < twice!.widthDots; x++)
      assert.equal(dot(twice!, x, y), dot(once!, x >> 1, y >> 1), `${x} ${y}`);
});

test('what is too long for the paper goes on in the next line; what has no shape is drawn by nobody', () => {
  const text = '座位'.repeat(20);
  const lines = draw(text, {})!;
  assert.ok(lines.length === 2 && lines.every(({ widthDots }) => widthDots <= 512));
  assert.equal(lines.map((line) => readDrawn(line)).join(''), text);
  assert.deepEqual(
    [draw('', {}), draw('a\u001d', {}), draw('\u{1f0a1}', {}), canDraw('陳\u{1f0a1}')],
    [null, null, null, false],
  );
});

test('a printer without one letter of Chinese prints it, dot by dot, between what it has letters for', async () => {
  const clock = new HandClock();
  const sim = new EscposSim({ clock });
  const events: PrinterEvent[] = [];
  const printer = new EscposPrinter(
    'printer',
    () => {
      const [host, device] = memoryPair({ clock });
      sim.plug(device);
      return host;
    },
    clock,
  );
  printer.start((event) => events.push(event));
  printer.print({
    number: 1,
    items: [
      { type: 'line', text: '副本', align: 'centre', bold: true },
      { type: 'line', text: '2.ª VIA / COPY', large: true },
      { type: 'line', text: '陳大文 (attendant)', align: 'right' },
      { type: 'cut' },
    ],
  });
  await clock.turnUntil('printed', () => events.at(-1)?.type === 'printed', 60_000);
  const [piece] = sim.pieces();
  assert.deepEqual(piece?.map(readAs), ['副本', '2.ª VIA / COPY', '陳大文 (attendant)']);
  const dots = piece![0] as Extract<OnPaper, { type: 'dots' }>;
  assert.deepEqual(
    [...dots.data],
    draw('副本', { bold: true })![0]!.rows.flatMap((row) => [...row]),
  );
  await printer.stop();
});
