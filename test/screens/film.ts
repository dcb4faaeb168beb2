/**
 * The moving picture of README.md: a round with a split at a real host, filmed from the built page
 * by Chromium. `node test/screens/film.ts` writes docs/pictures/round.webp.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { argumentsOf } from '../../ledger/chain/program-arguments.ts';
import { TestTerminal } from '../host/test-terminal.ts';
import { builtPage } from '../support/built.ts';
import { launchChromium, openDisplay } from '../support/chromium.ts';

argumentsOf({});

const OUT = join(import.meta.dirname, '../../docs/pictures/round.webp');
/** README.md is to be read on a slow line too. */
const MOST_BYTES = 400_000;
/** Below it small letters can no longer be read. */
const LEAST_QUALITY = 38;
const LASTS_MS = 15_000;
const FRAME_MS = 125;
/** Twice as long as in the film: a machine without a GPU takes few pictures a second. */
const STEP_MS = 1_600;
const SIZE = { width: 1366, height: 768 };
const WIDTH = 800;

interface Frame {
  readonly atMs: number;
  readonly picture: Buffer;
}

const ends: (() => Promise<void> | void)[] = [];
/** Deals, decides and settles, at a pace that can be followed. */
async function play(kit: TestTerminal): Promise<void> {
  await kit.do({ type: 'open-betting' });
  for (const [seat, stakeMinor] of [
    [1, 20_000],
    [3, 20_000],
    [5, 15_000],
  ] as const)
    await kit.do(kit.bet(seat, stakeMinor));
  await pause(STEP_MS);
  await kit.do({ type: 'close-betting' });
  while (!['read-results', 'close-round'].includes(kit.step)) {
    const { step } = kit.view.dealer;
    if (step.step === 'await-decision') {
      const { seat, hand } = step;
      const cards = kit.view.seats[seat - 1]!.hands[hand]!.cards.length;
      const isPair = seat === 3 && kit.view.seats[2]!.hands.length === 1;
      await kit.do(kit.act(seat, isPair ? 'split' : seat === 5 && cards === 2 ? 'double' : 'stand', hand));
    } else if (kit.step === 'await-offers') kit.passDeadline();
    else await kit.draw();
    await pause(STEP_MS);
  }
  await pause(4 * STEP_MS);
}

try {
  const kit = await TestTerminal.open(
    { after: (end) => void ends.unshift(end as () => Promise<void>) },
    {
      rendererRoot: builtPage(),
      profile: { tableName: 'Macau Black Jack' },
    },
  );
  for (const seat of [1, 3, 5]) await kit.fund(seat, 100_000);
  await kit.do({ type: 'set-language', seat: 3, language: 'pt' });
  await kit.do({ type: 'set-language', seat: 5, language: 'en' });
  await kit.ready('TS 8H 5D 9H KD 8D 6C TC 3S KH 7C QS');
  const browser = await launchChromium();
  ends.unshift(() => browser.close());
  const { page } = await openDisplay(browser, kit.host.ticketUrl('table', 600_000).url, {
    size: SIZE,
    felt: true,
  });
  const frames: Frame[] = [];
  const cdp = await page.context().newCDPSession(page);
  cdp.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
    frames.push({ atMs: metadata.timestamp! * 1_000, picture: Buffer.from(data, 'base64') });
    void cdp.send('Page.screencastFrameAck', { sessionId });
  });
  await cdp.send('Page.startScreencast', { format: 'jpeg', quality: 92 });
  await play(kit);
  await cdp.send('Page.stopScreencast');

  // However long the machine has taken, the film keeps its length.
  const [first, last] = [frames[0]!.atMs, frames.at(-1)!.atMs];
  const count = Math.round(LASTS_MS / FRAME_MS);
  const kept = Array.from({ length: count }, (_, index) => {
    const atMs = first + ((last - first) * index) / (count - 1);
    return frames.findLastIndex((frame) => frame.atMs <= atMs);
  });
  const shown = [...new Set(kept)];
  const delay = shown.map((index) => kept.filter((each) => each === index).length * FRAME_MS);
  const pictures = await Promise.all(
    shown.map((index) =>
      sharp(frames[index]!.picture).resize({ width: WIDTH }).removeAlpha().png().toBuffer(),
    ),
  );
  for (let quality = 62; ; quality -= 6) {
    const film = await sharp(pictures, { join: { animated: true } })
      .webp({ quality, effort: 5, loop: 0, delay, minSize: true })
      .toBuffer();
    if (film.length > MOST_BYTES && quality > LEAST_QUALITY) continue;
    if (film.length > MOST_BYTES) throw new Error(`${film.length} bytes, more than ${MOST_BYTES}`);
    writeFileSync(OUT, film);
    console.log(`${OUT}: ${shown.length} of ${frames.length} frames, ${film.length} bytes at ${quality}`);
    break;
  }
} finally {
  for (const end of ends) await end();
}
