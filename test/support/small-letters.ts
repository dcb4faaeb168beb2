/** What a player must read is never smaller than 22 px of 1080 lines. */
import type { Page } from 'playwright-core';

/** Panels with their sheets, roads, a recalled round, captions, and the words of the veil. */
const READ = '.panel, .road-asks, .road-sheet, .recall-screen, .caption, .veil-words';

/**
 * Letters that are smaller than 22 px of 1080 lines, or Chinese ones smaller than 16 pixels of the
 * display.
 */
export const smallLetters = (page: Page): Promise<string[]> =>
  page.evaluate((read) => {
    const scale = Math.min(innerHeight / 1080, innerWidth / 1920);
    const all = document.querySelectorAll<HTMLElement>(`:is(${read}), :is(${read}) *`);
    return [...all].flatMap((element) => {
      const text = [...element.childNodes]
        .filter((node) => node.nodeType === Node.TEXT_NODE)
        .map((node) => node.textContent?.trim())
        .join('');
      if (text === '' || element.closest('.heard, svg')) return [];
      if (!element.checkVisibility({ visibilityProperty: true })) return [];
      const px = Number.parseFloat(getComputedStyle(element).fontSize) * (element.currentCSSZoom ?? 1);
      const least = /[\u3400-\u9fff]/.test(text) ? Math.max(22 * scale, 16) : 22 * scale;
      if (px >= least - 0.01) return [];
      const seat = element.closest<HTMLElement>('.panel')?.dataset['seat'];
      const where = seat === undefined ? '' : `seat ${seat} `;
      return [`small letters: ${where}${element.className} ${(px / scale).toFixed(1)} px: ${text}`];
    });
  }, READ);
