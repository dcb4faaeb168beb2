/**
 * What a player must read is never smaller than 22 px of 1080 lines, and no Chinese that anybody
 * reads smaller than 16 pixels of the display.
 */
import type { Page } from 'playwright-core';

/** Panels with their sheets, roads, a recalled round, captions, and the words of the veil. */
const READ = '.panel, .road-asks, .last-rounds, .road-sheet, .recall-screen, .caption, .veil-words';

export const smallLetters = (page: Page): Promise<string[]> =>
  page.evaluate((read) => {
    const scale = Math.min(innerHeight / 1080, innerWidth / 1920);
    return [...document.body.querySelectorAll<HTMLElement | SVGElement>('*')].flatMap((element) => {
      const text = [...element.childNodes]
        .filter((node) => node.nodeType === Node.TEXT_NODE)
        .map((node) => node.textContent?.trim())
        .join('');
      if (text === '' || element.closest('.heard, script, style')) return [];
      const isRead = element.closest(read) !== null && !(element instanceof SVGElement);
      const isChinese = /[\u3400-\u9fff]/.test(text);
      if (!isRead && !isChinese) return [];
      if (!element.checkVisibility({ visibilityProperty: true })) return [];
      // The signs of the roads are pictures of what their sheet says, at the table's sign too.
      if (element.closest('.roads svg, .sign-roads svg, .chip')) return [];
      const zoom =
        element instanceof SVGGraphicsElement
          ? Math.abs(element.getScreenCTM()?.d ?? 1)
          : ((element as HTMLElement).currentCSSZoom ?? 1);
      const px = Number.parseFloat(getComputedStyle(element).fontSize) * zoom;
      const least = Math.max(isRead ? 22 * scale : 0, isChinese ? 16 : 0);
      if (px >= least - 0.05) return [];
      const seat = element.closest<HTMLElement>('.panel')?.dataset['seat'];
      const where = seat === undefined ? '' : `seat ${seat} `;
      const name = element.getAttribute('class') ?? element.parentElement?.className ?? '';
      return [`small letters: ${where}${element.localName} ${name} ${px.toFixed(1)} px: ${text}`];
    });
  }, READ);
