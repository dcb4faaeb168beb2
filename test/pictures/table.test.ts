/**
 * The table as it is painted, in Debian's Chromium. Time is driven by hand, so every run paints the
 * same frames.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pixelmatch from 'pixelmatch';
import type { Browser, Page } from 'playwright-core';
import { PNG } from 'pngjs';
import type { TableView } from '../../wire/view.ts';
import { VIEWS, type ViewName } from '../fixtures/views.ts';
import { FULL_HD, noChromium } from '../support/chromium.ts';
import { fullOr, LONG } from '../support/long.ts';
import { type Gallery, launch, openGallery, serveGallery } from './gallery.ts';

const SIZE = { width: 1366, height: 768 };
const STATES = Object.keys(VIEWS) as ViewName[];
const skip = noChromium;

/** Every cloth, and every kind of sign on it. */
const WORDED: readonly ViewName[] = [
  ...(['idle-empty', 'bank-blackjack', 'split-four', 'hold-unexpected-card'] as const),
  ...(['2009-settled', 'pt-settled', 'baccarat6-settled', 'war-settled'] as const),
];

let gallery: Gallery;
let canvas: Browser;

before(
  async () => {
    if (skip !== false) return;
    gallery = await serveGallery();
    canvas = await launch('canvas');
  },
  { timeout: 600_000 },
);
after(async () => {
  await canvas?.close();
  await gallery?.close();
});

const shot = async (page: Page): Promise<PNG> => PNG.sync.read(await page.screenshot({ timeout: 600_000 }));

/**
 * Pixels that differ; `threshold` 0 = exactly equal, edges that only fall differently between
 * pixels count when 0.
 */
function differing(a: PNG, b: PNG, threshold: number): number {
  return pixelmatch(a.data, b.data, undefined, a.width, a.height, { threshold, includeAA: threshold === 0 });
}

/** Pictures of another size or set come after the table, which stands without them until then. */
async function becomesAs(page: Page, other: Page): Promise<void> {
  const end = performance.now() + 120_000;
  for (let pixels = -1; pixels !== 0; ) {
    assert.ok(performance.now() < end, `${pixels} pixels differ`);
    pixels = differing(await shot(page), await shot(other), 0);
  }
}

const show = (page: Page, state: string, atOnce: boolean): Promise<void> =>
  page.evaluate(
    ([name, now]) => {
      window.table!.update(window.views![name as string]!, { atOnce: now as boolean });
    },
    [state, atOnce] as const,
  );
const setTime = (page: Page, ms: number): Promise<void> => page.evaluate((t) => window.table!.setTime(t), ms);
const moving = (page: Page): Promise<boolean> => page.evaluate(() => window.table!.moving);

test('every designed state is painted under the strict content policy without an error', {
  skip,
}, async () => {
  const { page, errors } = await openGallery(
    canvas,
    gallery,
    { state: 'turn', renderer: 'canvas', still: '' },
    SIZE,
  );
  for (const state of STATES) {
    await show(page, state, true);
    assert.equal(await moving(page), false, `${state} shown at once moves`);
  }
  assert.deepEqual(errors, []);
  await page.close();
});

test('every word drawn on the table has the contrast of WCAG 2.2 AA, measured in its pixels, and 22 px of 1080 lines', {
  skip,
}, async () => {
  const query = { state: 'idle-empty', renderer: 'canvas', still: '' };
  const { page, errors } = await openGallery(canvas, gallery, query, FULL_HD);
  const faint: string[] = [];
  for (const state of WORDED) {
    const words = await page.evaluate((name) => window.contrasts!(name), state);
    assert.ok(words.length > 10, `${state}: only ${words.length} words`);
    for (const { text, px, weight, ratio } of words) {
      if (px < 21.95) faint.push(`${state}: «${text}» ${px.toFixed(1)} px`);
      const isLarge = px >= 24 || (px >= 18.66 && weight >= 700);
      if (ratio < (isLarge ? 3 : 4.5))
        faint.push(`${state}: ${ratio.toFixed(2)} «${text}» ${px.toFixed(1)} px ${weight}`);
    }
  }
  assert.deepEqual([...new Set(faint)], []);
  assert.deepEqual(errors, []);
  await page.close();
});

/** Every kind of thing that is drawn, each set of faces by itself: they come after their table. */
const DRAWN: readonly (readonly ViewName[])[] = [
  [
    ...(['turn', 'settled', '2009-many', 'pt-play', 'last-round'] as const),
    ...(['baccarat6-settled', 'war-settled', 'hold-unexpected-card'] as const),
  ],
  ['faces-four'],
  ['faces-large'],
  ['faces-large-four'],
];

test('WCAG 2.2, 1.4.11: chips, cards with rank and suit, signs, buttons, lamps and rings have 3:1, measured in their pixels', {
  skip: skip || LONG,
}, async () => {
  const seen: Record<string, number> = {};
  const faint: string[] = [];
  for (const states of DRAWN) {
    const query = { state: states[0]!, renderer: 'canvas', still: '' };
    const { page, errors } = await openGallery(canvas, gallery, query, SIZE);
    for (const state of states) {
      const found = await page.evaluate((name) => window.drawn!(name, 1), state);
      for (const [kind, count] of Object.entries(found.seen)) seen[kind] = (seen[kind] ?? 0) + count;
      faint.push(...found.faint.map((finding) => `${state}: ${finding}`));
    }
    // What is painted weakly is found.
    const weak = await page.evaluate((name) => window.drawn!(name, 0.1), states[0]!);
    const all = Object.values(weak.seen).reduce((sum, count) => sum + count, 0);
    assert.ok(weak.faint.length > all / 2, `${weak.faint.length} of ${all} are faint`);
    assert.deepEqual(errors, []);
    await page.close();
  }
  for (const kind of ['chips', 'card', 'sign', 'button', 'lamp', 'ring', 'pip'])
    assert.ok((seen[kind] ?? 0) > 0, `no ${kind}: ${JSON.stringify(seen)}`);
  assert.deepEqual(faint, []);
});

const WAYS: readonly (readonly [ViewName, ViewName])[] = [
  ['idle-empty', 'betting'],
  ['betting', 'last-call'],
  ['last-call', 'dealing'],
  ['turn', 'split-four'],
  ['turn', 'surrendered'],
  ['offers', 'bank-blackjack'],
  ['settled', 'free-seat'],
  ['split-many', 'idle-empty'],
  ['turn', 'hold-unexpected-card'],
  ['2004-betting', '2004-play'],
  ['2009-play', '2009-settled'],
  ['2009-settled', '2009-many'],
  ['pt-betting', 'pt-play'],
  ['baccarat-play', 'baccarat-settled'],
  ['war-choice', 'war-settled'],
  ['squeeze-before', 'squeeze'],
];

/** `npm test` has every second one; `replay` goes other ways in rounds of random play. */
const GONE = WAYS.filter((_, at) => at % fullOr(1, 2) === 0);

/** A hold stops the table where it is. */
const STILL = new Set<ViewName>(['hold-unexpected-card']);

test('after any movement the table is exactly what the last view says', { skip }, async () => {
  const { page, errors } = await openGallery(
    canvas,
    gallery,
    { state: 'idle-empty', renderer: 'canvas', still: '' },
    SIZE,
  );
  let now = 0;
  for (const [from, to] of GONE) {
    now += 10_000;
    await setTime(page, now);
    await show(page, to, true);
    const wanted = await shot(page);
    await show(page, from, true);
    await show(page, to, false);
    if (!STILL.has(to)) assert.equal(await moving(page), true, `${from} -> ${to} does not move`);
    // stop in the middle, change one's mind, come back: still the same end
    await setTime(page, now + 130);
    await show(page, from, false);
    await setTime(page, now + 210);
    await show(page, to, false);
    for (let ms = 250; await moving(page); ms += 120) {
      assert.ok(ms < 20_000, `${from} -> ${to} never ends`);
      await setTime(page, now + ms);
    }
    // a deadline's ring depends on the time: the view is given again at the hour of its end
    await show(page, to, false);
    const got = await shot(page);
    assert.equal(differing(wanted, got, 0), 0, `${from} -> ${to} ends as something else than ${to}`);
  }
  assert.deepEqual(errors, []);
  await page.close();
});

test('on the way only the part that moves is painted, and the rest is as if all had been', {
  skip,
}, async () => {
  const query = { state: 'idle-empty', renderer: 'canvas', still: '' };
  const part = await openGallery(canvas, gallery, query, SIZE);
  const whole = await openGallery(canvas, gallery, query, SIZE);
  await part.page.evaluate(() => {
    const counted = window as unknown as { parts: number };
    counted.parts = 0;
    const clip = CanvasRenderingContext2D.prototype.clip as () => void;
    CanvasRenderingContext2D.prototype.clip = function (this: CanvasRenderingContext2D) {
      counted.parts++;
      clip.call(this);
    };
  });
  await whole.page.evaluate(() => {
    CanvasRenderingContext2D.prototype.clip = () => {};
  });
  let now = 0;
  for (const [from, to] of WAYS.slice(1, 3)) {
    now += 10_000;
    for (const { page } of [part, whole]) {
      await setTime(page, now);
      await show(page, from, true);
      await show(page, to, false);
    }
    for (const ms of [90, 290]) {
      for (const { page } of [part, whole]) await setTime(page, now + ms);
      const different = differing(await shot(part.page), await shot(whole.page), 0.02);
      assert.equal(different, 0, `${from} -> ${to} after ${ms} ms`);
    }
  }
  assert.ok((await part.page.evaluate(() => (window as unknown as { parts: number }).parts)) > 0);
  await part.page.close();
  await whole.page.close();
});

test('a reconnect in the middle of a deal leaves nothing in the air', { skip }, async () => {
  const { page, errors } = await openGallery(
    canvas,
    gallery,
    { state: 'dealing', renderer: 'canvas', still: '' },
    SIZE,
  );
  const wanted = await shot(page);
  await show(page, 'last-call', true);
  await show(page, 'dealing', false);
  await setTime(page, 200);
  await show(page, 'dealing', true);
  assert.equal(await moving(page), false);
  assert.equal(differing(wanted, await shot(page), 0), 0);
  await show(page, 'last-call', false);
  await setTime(page, 300);
  await show(page, 'dealing', true);
  assert.equal(differing(wanted, await shot(page), 0), 0);
  assert.deepEqual(errors, []);
  await page.close();
});

test('a view that arrives first, or from a new host process, is shown without travel', { skip }, async () => {
  const { page } = await openGallery(canvas, gallery, { state: 'turn', renderer: 'canvas', still: '' }, SIZE);
  assert.equal(await moving(page), false);
  await show(page, 'hold-recovery', false);
  assert.equal(await moving(page), false);
  await page.close();
});

test('an idle table paints nothing; a deadline paints its rings ten times a second and the table not at all', {
  skip,
}, async () => {
  const { page } = await openGallery(canvas, gallery, { state: 'idle-empty', renderer: 'canvas' }, SIZE);
  /** Frames and rings painted in about so long, and what a tenth of a second each would be. */
  const painted = async (ms: number) => {
    const look = () =>
      page.evaluate(() => [window.table!.frames, window.table!.ticks, performance.now()] as const);
    const [frames, ticks, from] = await look();
    await page.waitForTimeout(ms);
    const now = await look();
    return { frames: now[0] - frames, ticks: now[1] - ticks, tenths: Math.ceil((now[2] - from) / 100) };
  };
  await page.waitForFunction(() => window.table!.frames > 0 && !window.table!.moving);
  // counts every request for a frame in the page, ours and the library's
  await page.evaluate(() => {
    const counted = window as unknown as { asked: number };
    counted.asked = 0;
    const ask = window.requestAnimationFrame.bind(window);
    window.requestAnimationFrame = (callback) => {
      counted.asked++;
      return ask(callback);
    };
  });
  assert.equal((await painted(800)).frames, 0);
  assert.equal(await page.evaluate(() => (window as unknown as { asked: number }).asked), 0);
  await show(page, 'turn', true);
  await page.waitForTimeout(300);
  const turn = await painted(1000);
  assert.equal(turn.frames, 0, 'the table is painted for its ring alone');
  assert.ok(turn.ticks > 0 && turn.ticks <= turn.tenths + 2, JSON.stringify(turn));
  // the last seconds breathe with the glow under the box
  await show(page, 'turn-last-seconds', true);
  const glow = await painted(1000);
  assert.ok(glow.frames > 0 && glow.frames <= glow.tenths + 2, JSON.stringify(glow));
  await page.close();
});

test('a fast pace shortens the peel of the seat that peels, none leaves it out', { skip }, async () => {
  const { page } = await openGallery(
    canvas,
    gallery,
    { state: 'squeeze-before', renderer: 'canvas', still: '' },
    SIZE,
  );
  const lasts = (motion: 'full' | 'fast' | 'none', atMs: number): Promise<number> =>
    page.evaluate(
      ([wish, startMs]) => {
        const paced = (name: string): TableView => {
          const view = window.views![name]!;
          const plain = { text: 'normal', contrast: 'normal', reach: 'normal' } as const;
          const seats = view.seats.map((seat) => ({ ...seat, comfort: { ...plain, motion: wish } }));
          return { ...view, seats };
        };
        window.table!.setTime(startMs);
        window.table!.update(paced('squeeze-before'), { atOnce: true });
        window.table!.update(paced('squeeze'));
        let ms = 0;
        for (; window.table!.moving; ms += 20) window.table!.setTime(startMs + ms);
        return ms;
      },
      [motion, atMs] as const,
    );
  const [full, fast, none] = [
    await lasts('full', 1000),
    await lasts('fast', 20_000),
    await lasts('none', 40_000),
  ];
  assert.ok(full - fast >= 900, `${full} ms, fast ${fast} ms`);
  assert.ok(fast - none >= 400, `fast ${fast} ms, without ${none} ms`);
  await page.close();
});

test('an empty table shows a deck that a wave turns over twice a minute, and nothing is painted in between', {
  skip,
}, async () => {
  const { page } = await openGallery(
    canvas,
    gallery,
    { state: 'idle-empty', renderer: 'canvas', still: '' },
    SIZE,
  );
  const at = async (ms: number): Promise<PNG> => {
    await setTime(page, ms);
    return shot(page);
  };
  // the hour of the fixture is a full minute
  const faces = await at(0);
  assert.equal(differing(faces, await at(28_300), 0), 0);
  assert.ok(differing(faces, await at(29_200), 0) > 1000, 'half of the deck is turned over');
  const backs = await at(30_000);
  assert.ok(differing(faces, backs, 0) > 10_000);
  assert.equal(differing(faces, await at(60_000), 0), 0);
  await show(page, 'betting', false);
  await page.evaluate(() => {
    for (let ms = 61_000; window.table!.moving; ms += 100) window.table!.setTime(ms);
  });
  // rings depend on the time
  await show(page, 'betting', false);
  const seated = await shot(page);
  await show(page, 'betting', true);
  assert.equal(differing(seated, await shot(page), 0), 0, 'nothing of it is left when somebody plays');
  await page.close();
});

test('another game at the same table is laid out as if it had started with it', { skip }, async () => {
  const { page } = await openGallery(canvas, gallery, { state: 'turn', renderer: 'canvas', still: '' }, SIZE);
  const other = await openGallery(
    canvas,
    gallery,
    { state: 'baccarat-settled', renderer: 'canvas', still: '' },
    SIZE,
  );
  await show(page, 'baccarat-settled', true);
  await becomesAs(page, other.page);
  await page.close();
  await other.page.close();
});

test('another size is laid out again, as if the table had started with it', { skip }, async () => {
  const wide = { width: 1600, height: 900 };
  const { page } = await openGallery(canvas, gallery, { state: 'turn', renderer: 'canvas', still: '' }, SIZE);
  const other = await openGallery(canvas, gallery, { state: 'turn', renderer: 'canvas', still: '' }, wide);
  await page.setViewportSize(wide);
  await page.evaluate(() => {
    window.table!.resize();
    window.table!.setTime(0);
  });
  await becomesAs(page, other.page);
  await page.close();
  await other.page.close();
});

test('with reduced motion nothing travels: a new card is where it belongs at the first frame', {
  skip,
}, async () => {
  const { page } = await openGallery(
    canvas,
    gallery,
    { state: 'last-call', renderer: 'canvas', still: '', fade: '' },
    SIZE,
  );
  await setTime(page, 1000);
  await show(page, 'dealing', false);
  await setTime(page, 1150);
  const half = await shot(page);
  await setTime(page, 3000);
  const end = await shot(page);
  // the shoe's mouth and the way from it stay empty
  const way = { x: 700, y: 200, w: 250, h: 60 };
  for (let y = way.y; y < way.y + way.h; y++) {
    const from = (y * half.width + way.x) * 4;
    assert.deepEqual(half.data.subarray(from, from + way.w * 4), end.data.subarray(from, from + way.w * 4));
  }
  await page.close();
});

test('WebGL and canvas paint the same table', { skip: skip || LONG }, async () => {
  const webgl = await launch('webgl');
  try {
    const a = await openGallery(canvas, gallery, { state: '2009-many', renderer: 'canvas', still: '' }, SIZE);
    const b = await openGallery(webgl, gallery, { state: '2009-many', renderer: 'webgl', still: '' }, SIZE);
    assert.equal(await a.page.evaluate(() => window.table!.renderer), 'canvas');
    assert.equal(await b.page.evaluate(() => window.table!.renderer), 'webgl');
    const alike = async (what: string): Promise<void> => {
      const share = differing(await shot(a.page), await shot(b.page), 0.2) / (SIZE.width * SIZE.height);
      assert.ok(share < 0.004, `${what}: ${(share * 100).toFixed(2)} % of the pixels differ`);
    };
    // in the middle of the way: cards in the air and on edge
    for (const { page } of [a, b]) {
      await show(page, '2009-settled', false);
      await setTime(page, 260);
    }
    await alike('on the way to 2009-settled');
    for (const { page } of [a, b]) await show(page, 'baccarat-settled', true);
    await alike('baccarat-settled');
    assert.deepEqual([...a.errors, ...b.errors], []);
    await a.page.close();
    await b.page.close();
  } finally {
    await webgl.close();
  }
});

test('J6: a seat that wants no movement has its cards at once, one that wants less sooner; no other seat hurries', {
  skip,
}, async () => {
  const { page, errors } = await openGallery(
    canvas,
    gallery,
    { state: 'idle-empty', renderer: 'canvas', still: '' },
    SIZE,
  );
  /** Deals seat 1 of 'turn' its two cards; how long the table moves, in steps of 10 ms. */
  const movesMs = (fromMs: number, own: string, others: string): Promise<number> =>
    page.evaluate(
      ([from, first, rest]) => {
        const table = window.table!;
        const { turn } = window.views! as unknown as { turn: (typeof window.views & object)[string] };
        const seats = turn.seats.map((seat) => ({
          ...seat,
          bets: [],
          hands: seat.seat === 1 ? seat.hands : [],
          comfort: {
            text: 'normal' as const,
            contrast: 'normal' as const,
            reach: 'normal' as const,
            motion: (seat.seat === 1 ? first : rest) as 'full' | 'fast' | 'none',
          },
        }));
        const dealt = { ...turn, seats, deadline: null };
        const bare = { ...dealt, seats: seats.map((seat) => ({ ...seat, hands: [] })) };
        table.setTime(from);
        table.update(bare, { atOnce: true });
        table.update(dealt);
        let ms = 0;
        while (table.moving && ms < 5_000) {
          ms += 10;
          table.setTime(from + ms);
        }
        return ms;
      },
      [fromMs, own, others] as const,
    );
  const full = await movesMs(10_000, 'full', 'none');
  const fast = await movesMs(20_000, 'fast', 'full');
  const none = await movesMs(30_000, 'none', 'full');
  assert.ok(full > 300 && full < 5_000, `${full} ms`);
  assert.ok(fast < full && fast > 0, `${fast} of ${full} ms`);
  assert.equal(none, 0);
  assert.deepEqual(errors, []);
  await page.close();
});
