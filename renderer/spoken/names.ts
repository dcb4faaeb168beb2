/** What a place of a panel is called, for somebody whose finger is on it. */
import type { Language } from '../../engine/table/inputs.ts';
import { CONTROL } from '../station/fingers.ts';
import { LANGUAGES, LOCALE } from '../texts/i18n.ts';

/** Cards that lie face down, and PINs. */
const UNSPOKEN = '[data-unspoken]';
const MOST_CHARACTERS = 300;

/** What the finger is on: a button, a picture with a name, or a text. Null = nothing is said. */
export function placeAt(x: number, y: number): HTMLElement | null {
  const element = document.elementFromPoint(x, y);
  if (!element || element.closest(UNSPOKEN)) return null;
  const panel = element.closest('[data-seat]');
  const place =
    element.closest<HTMLElement>(CONTROL) ??
    element.closest<HTMLElement>('[role="img"][aria-label], p, li, output, time') ??
    element.closest<HTMLElement>('strong, span, b, small');
  return place && panel?.contains(place) ? place : null;
}

/** Pieces of a text that stand in boxes of their own are words of their own. */
function wordsIn(element: Element, between = ', '): string {
  if (element.matches(UNSPOKEN) || element.getAttribute('aria-hidden') === 'true') return '';
  const name = element.getAttribute('aria-label');
  const inner = (): string =>
    [...element.childNodes]
      .map((node) => (node instanceof Element ? wordsIn(node, between) : (node.textContent ?? '')))
      .filter((words) => words.trim() !== '')
      .join(between);
  return name ?? inner();
}

/** A sum has a name beside its figures, and '9:42' are no odds. */
function nameOf(element: Element): string {
  switch (element.tagName) {
    case 'OUTPUT':
      return `${element.getAttribute('aria-label') ?? ''} ${[...element.children].map((part) => wordsIn(part, ' ')).join(' ')}`;
    case 'TIME':
      return wordsIn(element).replace(':', ' ');
    default:
      return wordsIn(element);
  }
}

export interface Place {
  readonly name: string;
  /** Null: that of the seat. */
  readonly language: Language | null;
  /** A choice that is made already. */
  readonly isChosen: boolean;
  /** It does nothing now but say why. */
  readonly isClosed: boolean;
}

/** What is written in another language than the seat's says so; a name is always in the seat's. */
function languageOf(element: Element): Language | null {
  const lang = element.hasAttribute('aria-label') ? null : element.closest('[lang]')?.getAttribute('lang');
  return LANGUAGES.find((language) => lang === language || lang === LOCALE[language]) ?? null;
}

export const placeOf = (element: HTMLElement): Place => ({
  name: nameOf(element)
    .replaceAll(/[ \t\n]+/g, ' ')
    .trim()
    .slice(0, MOST_CHARACTERS),
  language: languageOf(element),
  isChosen: element.getAttribute('aria-pressed') === 'true',
  isClosed: element.getAttribute('aria-disabled') === 'true' || element.matches(':disabled'),
});

/** The buttons of a panel as the raised keys go through them: what is due first. */
export function buttonsOf(panel: Element): HTMLElement[] {
  const all = [...panel.querySelectorAll<HTMLElement>(CONTROL)].filter(
    (button) => !button.matches(':disabled') && !button.closest(UNSPOKEN) && button.checkVisibility(),
  );
  // A sheet lies over the rest.
  const sheet = panel.querySelector('[role="dialog"]');
  if (sheet) return all.filter((button) => sheet.contains(button));
  const isDue = (button: HTMLElement): boolean => button.closest('.panel-body') !== null;
  return [...all.filter(isDue), ...all.filter((button) => !isDue(button))];
}
