/**
 * C18: the cards that are still in the shoe, looked for in the whole memory of the host. The shoe
 * is a process of its own, as a real one is a device of its own; it knows their order, which shows
 * that the search finds what is there.
 */
import assert from 'node:assert/strict';
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { test } from 'node:test';
import { type Card, cardName } from '../../engine/core/cards.ts';
import { shuffledShoe } from '../../engine/core/shoe.ts';
import { CREDENTIAL } from '../host/test-terminal.ts';
import { TestDisplay } from '../support/display.ts';
import { until } from '../support/until.ts';
import { done } from './hidden-round.ts';
import { attack, rackOf } from './kit.ts';

/** So many in a row come together by chance in no memory. */
const IN_A_ROW = 8;
const CHUNK = 1 << 24;
const PAGE = 4096;
/** Node itself takes more. */
const LEAST_BYTES = 16 << 20;

/** Bytes in which a row of cards may lie: as numbers of a program, or as text. */
function traces(cards: readonly Card[]): Buffer[] {
  const as = (width: number, write: (to: Buffer, value: number, at: number) => void): Buffer => {
    const bytes = Buffer.alloc(cards.length * width);
    for (const [i, value] of cards.entries()) write(bytes, value, i * width);
    return bytes;
  };
  return [
    as(1, (to, value, at) => to.writeUInt8(value, at)),
    as(4, (to, value, at) => to.writeInt32LE(value, at)),
    as(4, (to, value, at) => to.writeInt32LE(value << 1, at)),
    // Of V8: a small integer is the upper half of its word.
    as(8, (to, value, at) => to.writeInt32LE(value, at + 4)),
    as(8, (to, value, at) => to.writeDoubleLE(value, at)),
    Buffer.from(cards.join(',')),
    Buffer.from(cards.map(cardName).join(' ')),
  ];
}

/**
 * From where to where a process has pages in this piece of its memory, in memory or swapped out;
 * all others are zeros, and there are gigabytes of them.
 */
function present(pagemap: number, from: number, to: number): [from: number, to: number][] {
  const pages = Buffer.alloc(((to - from) / PAGE) * 8);
  const length = readSync(pagemap, pages, 0, pages.length, (from / PAGE) * 8);
  assert.equal(length, pages.length, 'what lies in memory');
  const runs: [number, number][] = [];
  for (let at = from; at < to; at += PAGE) {
    const isThere = pages[((at - from) / PAGE) * 8 + 7]! >= 0x40;
    const last = runs.at(-1);
    if (isThere && last?.[1] === at) last[1] += PAGE;
    else if (isThere) runs.push([at, at + PAGE]);
  }
  return runs;
}

/** How often each of these stands in what a process can write. */
function foundIn(pid: number, wanted: readonly Buffer[]): number {
  const overlap = Math.max(...wanted.map(({ length }) => length));
  const [memory, pagemap] = ['mem', 'pagemap'].map((name) => openSync(`/proc/${pid}/${name}`, 'r')) as [
    number,
    number,
  ];
  const buffer = Buffer.alloc(CHUNK);
  let found = 0;
  let bytesRead = 0;
  const mapped = /^([0-9a-f]+)-([0-9a-f]+) rw.*\n(?:[A-Z].*\n)*?Rss: +([0-9]+) kB$/gm;
  const pieces = [...readFileSync(`/proc/${pid}/smaps`, 'utf8').matchAll(mapped)].flatMap(
    ([, from = '', to = '', rss]) =>
      rss === '0' ? [] : present(pagemap, Number.parseInt(from, 16), Number.parseInt(to, 16)),
  );
  for (const [from, to] of pieces)
    for (let at = from; at < to; at += CHUNK - overlap) {
      let read = 0;
      try {
        read = readSync(memory, buffer, 0, Math.min(CHUNK, to - at), at);
      } catch {
        // Of the kernel, or gone meanwhile.
      }
      bytesRead += read;
      const bytes = buffer.subarray(0, read);
      for (const trace of wanted) if (bytes.includes(trace)) found += 1;
    }
  for (const file of [memory, pagemap]) closeSync(file);
  assert.ok(bytesRead > LEAST_BYTES, `${bytesRead} bytes of ${pid} were searched`);
  return found;
}

test('C18: no card that is still in the shoe is anywhere in the memory of the host', async (t) => {
  const { terminal, data } = await attack(t);
  const table = await TestDisplay.connect(await terminal.mint('table'));
  t.after(() => table.close());
  const rack = await rackOf(data);
  t.after(() => rack.close());
  const step = (): string => table.view.dealer.step.step;
  await until('the shoe is there', () =>
    table.view.devices.some(({ id, state }) => id === 'shoe' && state !== 'offline') ? true : null,
  );
  await done(table, { type: 'sign-in-dealer', credential: CREDENTIAL.dealer });
  const cards = shuffledShoe(6, 20_261_127);
  assert.ok((await rack.do({ do: 'load-shoe', cards, decks: 6 })).ok);
  await until('it is loaded', () => (step() === 'cut-shoe' ? true : null));
  await done(table, { type: 'cut-shoe', seat: null });
  await done(table, { type: 'place-end-card', cardsBehind: 60 });
  assert.ok((await rack.do({ do: 'draw-card' })).ok);
  await until('the first card is burnt', () => (step() === 'open-betting' ? true : null));
  // The next ones and the last ones.
  const rows = [table.view.shoe.drawn, cards.length - IN_A_ROW].map((at) => cards.slice(at, at + IN_A_ROW));
  const wanted = rows.flatMap(traces);
  assert.ok(foundIn(terminal.pidOf('rack'), traces(rows[0]!)) > 0, 'the search finds them where they are');
  assert.equal(foundIn(terminal.pidOf('host'), wanted), 0);
});
