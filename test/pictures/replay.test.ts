/**
 * Rounds of random play are drawn three times in Debian's Chromium, with time driven by hand: as
 * they happen, with every movement to its end; at once; and as the recall replays them. After each
 * step the pixels must be the same. A sample here; `BANCA_ROUNDS=1000 node --test
 * test/pictures/replay.test.ts` draws that many (BANCA_SEED=N to repeat).
 */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { playRound } from '../../host/pages/recall-steps.ts';
import type { TableScene } from '../../renderer/table/table.scene.ts';
import type { TableView } from '../../wire/view.ts';
import { noChromium } from '../support/chromium.ts';
import { fullOr } from '../support/long.ts';
import { PAST, playAndStore, TABLES } from '../support/stored-table.ts';
import { type Gallery, launch, openGallery, serveGallery } from './gallery.ts';

const ROUNDS = Number(process.env['BANCA_ROUNDS'] ?? fullOr(6, 3));
const SEED = Number(process.env['BANCA_SEED'] ?? randomInt(1_000_000));
/** Half of the smallest screen: every pixel of it is compared, some hundred thousand times. */
const SIZE = { width: 683, height: 384 };
const INPUTS = 450;
const skip = noChromium;

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

interface Drawn {
  readonly steps: number;
  /** Steps whose way was shown with at least one picture in between. */
  readonly moved: number;
  /** Steps at which the replay went on before all had come to rest. */
  readonly cut: number;
  readonly differences: readonly string[];
}

declare global {
  interface Window {
    /**
     * Draws a round; `fresh`: the step at which a table that has shown nothing before is compared
     * too, -1 = none.
     */
    drawRound(
      live: readonly TableView[],
      recalled: readonly TableView[],
      seed: number,
      fresh: number,
    ): Promise<Drawn>;
  }
}

/** Runs in the page. */
async function prepare(): Promise<void> {
  const makeScene = async (): Promise<{ scene: TableScene; host: HTMLElement }> => {
    const host = document.createElement('div');
    // laid out and drawn, but not put on the screen
    host.style.cssText = 'position:absolute;inset:0;visibility:hidden';
    document.body.append(host);
    const scene = await window.createTable!(host, { renderer: 'canvas' });
    scene.setTime(0);
    return { scene, host };
  };
  /** As long as a step stays at four times the speed of life. */
  const CUT_MS = 175;
  const LAST_MS = 5_000;
  const [live, atOnce, replay] = [await makeScene(), await makeScene(), await makeScene()];

  const hashOf = (sheet: HTMLCanvasElement): number => {
    const { data } = sheet.getContext('2d')!.getImageData(0, 0, sheet.width, sheet.height);
    const pixels = new Uint32Array(data.buffer);
    let hash = 0x811c9dc5;
    for (let i = 0; i < pixels.length; i++) hash = Math.imul(hash ^ pixels[i]!, 0x01000193);
    return hash >>> 0;
  };
  /** The table, and with it the rings of its deadlines, which lie on it. */
  const look = ({ host }: { host: HTMLElement }): { table: number; whole: string } => {
    const [cloth, ...rings] = host.querySelectorAll('canvas');
    const table = hashOf(cloth!);
    const said = rings.map(
      (ring) => `${hashOf(ring)} ${ring.style.left} ${ring.style.top} ${ring.style.opacity}`,
    );
    return { table, whole: [table, ...said.toSorted()].join(';') };
  };

  let now = 0;
  window.drawRound = async (lived, recalled, seed, fresh) => {
    let state = seed | 0;
    const random = (): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
      return (state >>> 0) / 2 ** 32;
    };
    const differences: string[] = [];
    let [moved, cut] = [0, 0];
    for (const [step, view] of lived.entries()) {
      now += 60_000;
      // as it happens, some moments of the way
      live.scene.setTime(now);
      live.scene.update(view, { atOnce: step === 0 });
      if (live.scene.moving) moved++;
      let passed = 0;
      for (let pause = 40 + random() * 200; live.scene.moving; pause *= 1.6) {
        passed += pause;
        live.scene.setTime(now + passed);
        if (passed > 60_000) {
          differences.push(`step ${step} never ends`);
          break;
        }
      }
      const end = look(live);

      atOnce.scene.setTime(now);
      atOnce.scene.update(view, { atOnce: true });
      const still = look(atOnce);
      // the deadline's ring has run on meanwhile
      if (passed > 0) atOnce.scene.setTime(now + passed);
      if ((passed > 0 ? look(atOnce) : still).whole !== end.whole)
        differences.push(`step ${step}: live is not what is set at once`);

      // the replay: to the end of the way, or cut short by the next step
      replay.scene.setTime(now);
      replay.scene.update(recalled[step]!, { atOnce: step === 0, still: true });
      const isLast = step === lived.length - 1;
      const patience = isLast || random() < 0.7 ? 60_000 : CUT_MS;
      for (let ms = 0; replay.scene.moving && ms < patience; ms += CUT_MS)
        replay.scene.setTime(now + ms + CUT_MS);
      if (replay.scene.moving) cut++;
      else {
        const replayed = look(replay);
        if (replayed.whole !== still.whole)
          differences.push(`step ${step}: recalled is not what is set at once`);
        const { deadline } = view;
        const leftMs = deadline === null ? Number.POSITIVE_INFINITY : deadline.atMs - view.nowMs - passed;
        // In the last seconds of a turn the table breathes, and at a table nobody sits at the deck
        // is turned over now and then.
        const isDeserted = view.round === null && view.seats.every((seat) => seat.free);
        if (leftMs > LAST_MS && !isDeserted && end.table !== replayed.table)
          differences.push(`step ${step}: recalled is not the last frame of live`);
      }
      if (step === fresh) {
        const first = await makeScene();
        first.scene.setTime(now);
        first.scene.update(view, { atOnce: true });
        if (look(first).whole !== still.whole)
          differences.push(`step ${step}: a new table is not what is set at once`);
        first.scene.destroy();
        first.host.remove();
      }
    }
    return { steps: lived.length, moved, cut, differences };
  };
}

async function studio(): Promise<Page> {
  const { page } = await openGallery(
    canvas,
    gallery,
    { state: 'idle-empty', renderer: 'canvas', still: '' },
    SIZE,
  );
  await page.evaluate(prepare);
  return page;
}

test(`the last frame of every step of ${ROUNDS} rounds is the same live, at once and recalled (seed ${SEED})`, {
  skip,
  timeout: 6 * 3_600_000,
}, async (t) => {
  const page = await studio();
  let [rounds, steps, moved, cut, fresh] = [0, 0, 0, 0, 0];
  const perTable = Math.ceil(ROUNDS / TABLES.length);
  for (const [index, [rulebook, options]] of TABLES.entries()) {
    for (let seed = SEED, own = 0; own < perTable && rounds < ROUNDS; seed++) {
      const stored = playAndStore(t, seed, rulebook, options, index === 1, INPUTS);
      for (const roundId of stored.rounds) {
        if (own === perTable || rounds === ROUNDS) break;
        const recalled: TableView[] = [];
        for await (const { view } of playRound(stored.ledger, PAST, roundId)) recalled.push(view);
        const live = recalled.map(({ seq }) => stored.live.get(seq)!);
        const compared = rounds % 10 === 0 ? (SEED + rounds) % live.length : -1;
        if (compared >= 0) fresh++;
        const drawn = await page.evaluate(
          ([views, past, from, at]) => window.drawRound(views, past, from, at),
          [live, recalled, SEED + rounds, compared] as const,
        );
        assert.deepEqual(
          drawn.differences,
          [],
          `${rulebook} ${JSON.stringify(options)} seed ${seed} ${roundId}`,
        );
        rounds++;
        own++;
        steps += drawn.steps;
        moved += drawn.moved;
        cut += drawn.cut;
      }
      stored.close();
    }
  }
  assert.equal(rounds, ROUNDS);
  t.diagnostic(
    `${rounds} rounds, ${steps} steps, ${moved} with movement, ${cut} cut short in the replay, ${fresh} compared with a new table`,
  );
  await page.close();
});
