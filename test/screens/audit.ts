/**
 * What is wrong with a page as it stands, measured in the page itself: text that is cut, covered or
 * outside, or small where a player must read it, on the felt too, touch targets that overlap or are
 * small, words that are a key, raw JSON or of another language, contrast below WCAG 2.2 AA, also to
 * colour-blind eyes, and things beside each other that only their colour tells apart.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { lettersReady } from '../support/chromium.ts';
import { cutCards, cutLettering, smallOnFelt } from '../support/felt-letters.ts';
import { smallLetters } from '../support/small-letters.ts';
import { judgeColours } from './colours.ts';
import { shownOf } from './shown.ts';
import { judgeWordsAndTargets } from './words-and-targets.ts';

const LOCALES = join(import.meta.dirname, '../../locales');
/**
 * A text with a letter that none of ours has is other people's: its letters may come a little
 * later.
 */
const OWN_LETTERS = [
  ...new Set(
    globSync('*/*.json', { cwd: LOCALES }).flatMap((file) => [...readFileSync(join(LOCALES, file), 'utf8')]),
  ),
].join('');

const REST_MS = 100;
const MOST_LOOKS = 600;

/**
 * Findings in words; none = nothing is wrong. Words that come with a host's late answer ask for
 * their letters only then: what is gone at a later look was no finding.
 */
export async function audit(page: Page, mostLooks = MOST_LOOKS): Promise<string[]> {
  let found = await look(page);
  for (let looks = 1; found.length > 0 && looks < mostLooks; looks += 1) {
    await page.waitForTimeout(REST_MS);
    await lettersReady(page);
    found = await look(page);
  }
  return found;
}

const look = async (page: Page): Promise<string[]> => [
  ...(await smallLetters(page)),
  ...(await smallOnFelt(page)),
  ...(await cutLettering(page)),
  ...(await cutCards(page)),
  ...(await faults(page)),
];

/** A page that is not painted is looked at as if it were, and no frame comes in between. */
export const faults = (page: Page): Promise<string[]> =>
  page.evaluate(`(() => {
    const { style } = document.documentElement;
    const { opacity } = style;
    style.opacity = '';
    const shown = (${String(shownOf)})();
    (${String(judgeWordsAndTargets)})(shown, ${JSON.stringify(OWN_LETTERS)});
    (${String(judgeColours)})(shown);
    style.opacity = opacity;
    return [...shown.found];
  })()`);
