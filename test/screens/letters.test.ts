/** No letter that has no shape, and no text that was not translated. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { LANGUAGES } from '../../renderer/texts/i18n.ts';
import { codePointsOf } from '../support/woff2.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Of the built page. */
const ASSETS = join(ROOT, 'build/renderer/assets');

interface Slice {
  /** woff2. */
  readonly font: () => Buffer;
  readonly ranges: readonly (readonly [number, number])[];
}

const DATA = 'data:font/woff2;base64,';
/** The table's letters stand in the style sheet itself. */
const fontAt = (url: string): Buffer =>
  url.startsWith(DATA) ? Buffer.from(url.slice(DATA.length), 'base64') : readFileSync(join(ASSETS, url));

/**
 * What the page loads for which code points, as its style sheets say: at once, or when the first
 * picture stands.
 */
const slices = (sheets: 'all' | 'at once'): Slice[] =>
  globSync(sheets === 'all' ? '*.css' : 'index-*.css', { cwd: ASSETS })
    .flatMap((sheet) => [
      ...readFileSync(join(ASSETS, sheet), 'utf8').matchAll(
        /@font-face\s*\{[^}]*?url\(([^)]+)\)[^}]*?unicode-range:\s*([^;}]+)/g,
      ),
    ])
    .map(([, url, ranges]) => ({
      font: () => fontAt(url!),
      ranges: ranges!.split(',').map((range) => {
        const [first, last] = range.trim().slice(2).split('-') as [string, string?];
        return [Number.parseInt(first, 16), Number.parseInt(last ?? first, 16)] as const;
      }),
    }));

const shown = (text: string): Set<string> => new Set([...text.replaceAll(/\s/g, '')]);

/**
 * Characters without a glyph in the slice that the page would load for them, each with its code
 * point.
 */
function shapeless(text: string, sheets: 'all' | 'at once' = 'at once'): string[] {
  const all = slices(sheets);
  assert.ok(all.length > 20, `${all.length} slices`);
  const glyphs = new Map<Slice, Set<number>>();
  return [...shown(text)].filter((character) => {
    const code = character.codePointAt(0)!;
    return !all.some((slice) => {
      if (!slice.ranges.some(([first, last]) => code >= first && code <= last)) return false;
      if (!glyphs.has(slice)) glyphs.set(slice, codePointsOf(slice.font()));
      return glyphs.get(slice)!.has(code);
    });
  });
}

test('every character of every text is in a slice of the shipped letters', () => {
  const texts = (files: string): string[] =>
    globSync(`locales/*/${files}.json`, { cwd: ROOT }).map((file) => readFileSync(join(ROOT, file), 'utf8'));
  const table = texts('{table,felt,portugal}');
  assert.equal(table.length, 9);
  assert.deepEqual(shapeless(table.join('')), []);
  const all = texts('*');
  assert.equal(all.length, 24);
  assert.deepEqual(shapeless(all.join(''), 'all'), []);
});

test('every sign that the page writes by itself is there, too', () => {
  const sources = globSync('renderer/**/*.{ts,tsx}', { cwd: ROOT }).filter(
    (file) => !/\.(test|d)\.ts/.test(file),
  );
  const written = sources.flatMap((file) =>
    [
      ...readFileSync(join(ROOT, file), 'utf8')
        .replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
        .matchAll(/[^\p{ASCII}]/gu),
    ].map(([sign]) => sign),
  );
  assert.deepEqual(shapeless(written.join('')), []);
});

test('the name of a person may have letters that no text has: they come later', () => {
  assert.deepEqual(shapeless('龘翀'), ['龘', '翀']);
  assert.deepEqual(shapeless('龘翀何少偉', 'all'), []);
});

test('a character that no slice has is reported', () => {
  assert.deepEqual(shapeless('荷官 \u{1f0cf} \u{e000}', 'all'), ['\u{1f0cf}', '\u{e000}']);
});

test('no Latin text has a quotation mark that the shipped letters draw a whole em wide', () => {
  for (const language of ['pt', 'en'])
    for (const space of ['table', 'service', 'felt', 'events', 'rules', 'map']) {
      const text = readFileSync(join(ROOT, `locales/${language}/${space}.json`), 'utf8');
      assert.deepEqual(text.match(/.{0,20}[‘’“”].{0,20}/g), null, `${language}/${space}`);
    }
});

// ---- untranslated ----

type Tree = { readonly [key: string]: string | Tree };
const flat = (tree: Tree, prefix = ''): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[prefix + key, value] as [string, string]] : flat(value, `${prefix}${key}.`),
  );

/** The same word in two languages: names, units, and words that one language has from the other. */
const SAME = {
  'pt and en': [
    ...[
      'table:clock.am',
      'table:clock.pm',
      'table:bet.seconds',
      'table:receipt.terminal',
      'table:bet.name.jackpot',
      'table:hand.blackjack',
    ],
    ...[
      'table:outcome.blackjack',
      'table:receipt.game.blackjack',
      'table:outcome.jackpot',
      'service:role.auditor',
      'service:device.firmware',
    ],
    ...['service:device.bytes', 'service:meter.drop_total', 'service:rounds.minutes', 'service:rounds.hours'],
    ...['service:rounds.days', 'service:link.seconds', 'service:software.node', 'service:software.sqlite'],
    ...[
      'felt:spot.perfectPair',
      'felt:short.banker',
      'felt:short.perfectPair',
      'felt:spot.streak2',
      'felt:spot.streak3',
      'felt:spot.streak4',
      'felt:spot.streak5',
    ],
    ...['felt:spot.jackpot', 'rules:title.portugal-blackjack', 'rules:portugal-blackjack.pay.blackjack'],
    'rules:option.jackpot.marking.manual',
    ...['map:part.power-supply', 'service:device.power-supply', 'service:cabinet.volts'],
    ...[
      ...['service:rendererKind.canvas', 'service:rendererKind.webgl'],
      // dd/mm … hh:mm:ss
      ...['day', 'month', 'hour', 'minute', 'second'].map((part) => `service:momentSign.${part}`),
      'service:storage.seconds',

      'table:session.hours',
      'table:session.hoursMinutes',
      'table:session.minutes',
    ],
    ...['blackjack', 'firmware', 'terminalId'].map((name) => `service:member.${name}`),
    ...['contrast', 'reach', 'text'].map((setting) => `table:settings.${setting}-normal`),
  ],
  // The regulation itself writes the name of the game so in its Chinese text.
  'zh-Hant without a Chinese character': [
    ...['service:rendererKind.canvas', 'service:rendererKind.webgl'],
    'service:storage.usedOf',
    // Suit and rank, one after the other; in Cantonese, too, the ranks are called by their letters.
    'table:dealer.card',
    ...['A', 'J', 'K', 'Q'].map((rank) => `table:speech.rank.${rank}`),
    ...['table:bet.name.sevens', 'table:hand.blackjack', 'table:outcome.blackjack', 'service:software.node'],
    ...[
      'service:software.sqlite',
      'rules:title.portugal-blackjack',
      'rules:portugal-blackjack.pay.blackjack',
    ],
    ...['rules:pay.blackjack', 'rules:option.sideBets.sevens', 'service:member.blackjack'],
  ],
  'a Chinese character in pt or en': [],
};

test('no text stands untranslated in another language', () => {
  const found: Record<keyof typeof SAME, string[]> = {
    'pt and en': [],
    'zh-Hant without a Chinese character': [],
    'a Chinese character in pt or en': [],
  };
  const HAN = /\p{Script=Han}/u;
  for (const space of ['table', 'service', 'felt', 'events', 'rules', 'map']) {
    const [chinese, portuguese, english] = LANGUAGES.map(
      (language) =>
        new Map(
          flat(JSON.parse(readFileSync(join(ROOT, `locales/${language}/${space}.json`), 'utf8')) as Tree),
        ),
    ) as [Map<string, string>, Map<string, string>, Map<string, string>];
    for (const [key, text] of english) {
      const name = `${space}:${key}`;
      if (HAN.test(text) || HAN.test(portuguese.get(key) ?? ''))
        found['a Chinese character in pt or en'].push(name);
      if (!/[a-z]/i.test(text.replaceAll(/\{\{[^}]*\}\}/g, ''))) continue;
      if (portuguese.get(key) === text) found['pt and en'].push(name);
      // Chinese counts with one form.
      if (!HAN.test(chinese.get(key) ?? chinese.get(key.replace(/_one$/, '_other')) ?? ''))
        found['zh-Hant without a Chinese character'].push(name);
    }
  }
  for (const [what, keys] of Object.entries(found))
    assert.deepEqual(keys.toSorted(), [...SAME[what as keyof typeof SAME]].toSorted(), what);
});
