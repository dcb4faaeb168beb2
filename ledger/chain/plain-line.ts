/**
 * Control characters, ends of lines, invisible ones and those that turn the direction of writing,
 * lone surrogates: what a name or an error's text brings along and a log, a terminal or a page
 * would obey instead of showing it.
 */
const OBEYED = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

const shown = (character: string): string => {
  if (character === '\n') return '\\n';
  if (character === '\t') return '\\t';
  return `\\u{${character.codePointAt(0)!.toString(16)}}`;
};

/**
 * One line, and nothing but characters that can be seen: no text of others begins a line of its own
 * in a log.
 */
export const plainLine = (text: string): string => text.replaceAll(OBEYED, shown);

/** The same of a text that is made of several lines. */
export const plainLines = (text: string): string => text.split('\n').map(plainLine).join('\n');

/** Every character of it can be seen, and none of them is obeyed. */
export const isPlain = (text: string): boolean => plainLine(text) === text;
