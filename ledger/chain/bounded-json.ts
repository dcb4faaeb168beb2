/** JSON of somebody else, whose size and depth are known before anything is made of it. */

export interface JsonBounds {
  readonly characters: number;
  /** Lists and objects in one another. */
  readonly depth: number;
}

/**
 * Deeper than any profile or event. What reads JSON by recursion needs a bound, and a text of 4 KB
 * can hold 2,000 brackets.
 */
export const DEEPEST_JSON = 32;

/** Of one file that people write or that a program keeps beside the ledger. */
export const FILE_BOUNDS: JsonBounds = { characters: 2 ** 22, depth: DEEPEST_JSON };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const isOpen = (code: number): boolean => code === 0x5b || code === 0x7b;
const isClose = (code: number): boolean => code === 0x5d || code === 0x7d;

/**
 * Where a text nests deeper than `depth`, counted from 0; null where it does not. Of a text that is
 * no JSON it may say anything.
 */
export function tooDeepAt(text: string, depth: number): number | null {
  let open = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) {
      for (i++; i < text.length && text.charCodeAt(i) !== QUOTE; i++)
        if (text.charCodeAt(i) === BACKSLASH) i++;
    } else if (isOpen(code)) {
      if (++open > depth) return i;
    } else if (isClose(code)) open--;
  }
  return null;
}

/** Names that would reach the object behind all objects where a member is copied by its name. */
const FORBIDDEN: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
/** As they stand in a text, or may stand there in another spelling. */
const NOT_UNICODE = 'a text with half a character (a lone surrogate) in it';
const PERHAPS_FORBIDDEN = /__proto__|constructor|prototype|\\u/;

/**
 * What is wrong inside of a value: half a character, which no canonical text can hold, or a
 * forbidden name.
 */
function forbiddenIn(value: unknown): string | null {
  if (typeof value === 'string') return value.isWellFormed() ? null : NOT_UNICODE;
  if (typeof value !== 'object' || value === null) return null;
  if (Array.isArray(value)) {
    for (const item of value) {
      const what = forbiddenIn(item);
      if (what !== null) return what;
    }
    return null;
  }
  for (const [name, member] of Object.entries(value)) {
    const what = FORBIDDEN.has(name)
      ? `'${name}' is no name of a member`
      : (forbiddenIn(name) ?? forbiddenIn(member));
    if (what !== null) return what;
  }
  return null;
}

/**
 * The value of a text. Throws SyntaxError with a sentence: too long, too deep and where, a name
 * that is none, half a character, or no JSON.
 */
export function parseBounded(text: string, { characters, depth }: JsonBounds): unknown {
  if (text.length > characters)
    throw new SyntaxError(`${text.length} characters, ${characters} at most are read`);
  const at = tooDeepAt(text, depth);
  if (at !== null) throw new SyntaxError(`nested deeper than ${depth} at character ${at + 1}`);
  const value: unknown = JSON.parse(text);
  const what = PERHAPS_FORBIDDEN.test(text) || !text.isWellFormed() ? forbiddenIn(value) : null;
  if (what !== null) throw new SyntaxError(what);
  return value;
}
