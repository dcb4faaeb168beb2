/** Lines of CSV (RFC 4180) in which no text becomes a formula of a spreadsheet. */

/**
 * What a spreadsheet takes for the beginning of a formula, in the wide forms of East Asian
 * keyboards too.
 */
const FORMULA = '=+\\-@＝＋－＠';
const BEGINS_FORMULA = new RegExp(`^\\s*[${FORMULA}]|^[\\t\\r\\n]`);
/**
 * Where a spreadsheet divides lines at semicolons or tabs, what stands behind one is a cell of its
 * own.
 */
const BEGINS_CELL = new RegExp(`([;\\t])(?=\\s*[${FORMULA}])`, 'g');

/** A text is never a formula; a number stays one, below zero too. */
const csvField = (value: string | number | null): string => {
  let text = String(value ?? '');
  if (typeof value === 'string') {
    if (BEGINS_FORMULA.test(text)) text = `'${text}`;
    text = text.replaceAll(BEGINS_CELL, "$1'");
  }
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** JSON for a cell, which stays the JSON of the same value. */
export const csvJson = (value: unknown): string => JSON.stringify(value).replaceAll(BEGINS_CELL, '\\u003b');

export const csvLine = (fields: readonly (string | number | null)[]): string =>
  `${fields.map(csvField).join(',')}\r\n`;
