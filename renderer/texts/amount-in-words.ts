import { type Currency, oddMinorOf, wholeUnitsOf } from '../../engine/core/money.ts';
import type { Language } from '../../engine/table/inputs.ts';

/**
 * An amount of money in words, as on a receipt: figures can be altered by a stroke, words cannot.
 */
export function amountInWords(amountMinor: number, currency: Currency, language: Language): string {
  const whole = wholeUnitsOf(amountMinor);
  const parts = oddMinorOf(amountMinor);
  switch (language) {
    case 'zh-Hant':
      return chinese(whole, parts, currency);
    case 'pt':
      return portuguese(whole, parts, currency);
    case 'en':
      return english(whole, parts, currency);
  }
}

/** The same as it is said: Chinese figures are those of speech, and their unit stands last. */
export const amountAloud = (amountMinor: number, currency: Currency, language: Language): string =>
  language === 'zh-Hant'
    ? chineseAloud(wholeUnitsOf(amountMinor), oddMinorOf(amountMinor), currency)
    : amountInWords(amountMinor, currency, language);

/** The number cut into groups of `size` digits, the highest first; never empty. */
function groupsOf(whole: number, size: number): number[] {
  const groups: number[] = [];
  for (let rest = whole; rest > 0; rest = Math.floor(rest / 10 ** size)) groups.unshift(rest % 10 ** size);
  return groups.length === 0 ? [0] : groups;
}

// ---- Chinese: the figures of bills and cheques ----

/** Digits, then the places within a group. */
type Figures = readonly [digits: string, places: readonly string[]];
const OF_BILLS: Figures = ['零壹貳叁肆伍陸柒捌玖', ['', '拾', '佰', '仟']];
const OF_SPEECH: Figures = ['零一二三四五六七八九', ['', '十', '百', '千']];
const CHINESE_GROUPS = ['', '萬', '億', '兆'];
const CHINESE_NAMES: Readonly<Record<Currency, string>> = { MOP: '澳門元', HKD: '港元', EUR: '歐元' };

function chineseNumber(whole: number, [figures, places]: Figures): string {
  let text = '';
  let skipped = false;
  const groups = groupsOf(whole, 4);
  groups.forEach((group, index) => {
    const digits = String(group).padStart(4, '0');
    for (let place = 0; place < 4; place++) {
      const digit = Number(digits[place]);
      if (digit === 0) {
        skipped = text !== '';
        continue;
      }
      text += `${skipped ? '零' : ''}${figures[digit]}${places[3 - place]}`;
      skipped = false;
    }
    if (group > 0) text += CHINESE_GROUPS[groups.length - 1 - index];
  });
  return text === '' ? figures[0]! : text;
}

function chineseParts(parts: number, [figures]: Figures): string {
  const [jiao, fen] = [Math.floor(parts / 10), parts % 10];
  return `${jiao > 0 ? `${figures[jiao]}角` : '零'}${fen > 0 ? `${figures[fen]}分` : ''}`;
}

function chinese(whole: number, parts: number, currency: Currency): string {
  const small = parts === 0 ? '' : chineseParts(parts, OF_BILLS);
  const end = parts % 10 === 0 ? '正' : '';
  return `${CHINESE_NAMES[currency]}${chineseNumber(whole, OF_BILLS)}元${small}${end}`;
}

/** A whole number as it is said: «十七», not «一十七». */
export const chineseNumberAloud = (whole: number): string =>
  chineseNumber(whole, OF_SPEECH).replace(/^一十/, '十');

const chineseAloud = (whole: number, parts: number, currency: Currency): string =>
  `${chineseNumberAloud(whole)}${CHINESE_NAMES[currency]}${parts === 0 ? '' : chineseParts(parts, OF_SPEECH)}`;

// ---- Portuguese ----

const PT_UNITS = [
  ...['zero', 'um', 'dois', 'três', 'quatro', 'cinco', 'seis', 'sete', 'oito', 'nove', 'dez', 'onze', 'doze'],
  ...['treze', 'catorze', 'quinze', 'dezasseis', 'dezassete', 'dezoito', 'dezanove'],
];
const PT_TENS = [
  '',
  '',
  'vinte',
  'trinta',
  'quarenta',
  'cinquenta',
  'sessenta',
  'setenta',
  'oitenta',
  'noventa',
];
const PT_HUNDREDS = [
  ...['', 'cento', 'duzentos', 'trezentos', 'quatrocentos', 'quinhentos'],
  ...['seiscentos', 'setecentos', 'oitocentos', 'novecentos'],
];
/** One, several, gender; then the hundredth. */
const PT_NAMES: Readonly<Record<Currency, readonly [string, string, 'f' | 'm', string, string]>> = {
  MOP: ['pataca', 'patacas', 'f', 'avo', 'avos'],
  HKD: ['dólar de Hong Kong', 'dólares de Hong Kong', 'm', 'cêntimo', 'cêntimos'],
  EUR: ['euro', 'euros', 'm', 'cêntimo', 'cêntimos'],
};

const feminine = (word: string): string =>
  word
    .replace(/^um$/, 'uma')
    .replace(/^dois$/, 'duas')
    .replace(/entos$/, 'entas');

/** 1 to 999. */
function ptGroup(group: number, gender: 'f' | 'm'): string {
  if (group === 100) return 'cem';
  const rest = group % 100;
  const words = [PT_HUNDREDS[Math.floor(group / 100)]!];
  if (rest > 0 && rest < 20) words.push(PT_UNITS[rest]!);
  else words.push(PT_TENS[Math.floor(rest / 10)]!, rest % 10 === 0 ? '' : PT_UNITS[rest % 10]!);
  return words
    .filter((word) => word !== '')
    .map((word) => (gender === 'f' ? feminine(word) : word))
    .join(' e ');
}

/**
 * «e» stands before the last group alone, and only where that is below a hundred or full hundreds.
 */
const ptJoin = (before: string, rest: number, words: string): string => {
  const last = rest < 1000 ? rest : rest % 1000 === 0 ? rest / 1000 : null;
  if (before === '') return words;
  return `${before}${last !== null && (last < 100 || last % 100 === 0) ? ' e ' : ' '}${words}`;
};

/** Below a million. */
function ptThousands(number: number, gender: 'f' | 'm'): string {
  const [thousands, rest] = [Math.floor(number / 1000), number % 1000];
  const high = thousands === 0 ? '' : thousands === 1 ? 'mil' : `${ptGroup(thousands, gender)} mil`;
  return rest === 0 ? high : ptJoin(high, rest, ptGroup(rest, gender));
}

function ptNumber(number: number, gender: 'f' | 'm'): string {
  if (number === 0) return PT_UNITS[0]!;
  const [millions, rest] = [Math.floor(number / 1_000_000), number % 1_000_000];
  const high = millions === 0 ? '' : `${ptNumber(millions, 'm')} ${millions === 1 ? 'milhão' : 'milhões'}`;
  if (rest === 0) return high;
  return high === '' ? ptThousands(rest, gender) : ptJoin(high, rest, ptThousands(rest, gender));
}

function portuguese(whole: number, parts: number, currency: Currency): string {
  const [one, many, gender, part, manyParts] = PT_NAMES[currency];
  // «um milhão de patacas»
  const of = whole > 0 && whole % 1_000_000 === 0 ? ' de' : '';
  const high = `${ptNumber(whole, gender)}${of} ${whole === 1 ? one : many}`;
  const low = `${ptNumber(parts, 'm')} ${parts === 1 ? part : manyParts}`;
  if (parts === 0) return high;
  return whole === 0 ? low : `${high} e ${low}`;
}

// ---- English ----

const EN_UNITS = [
  ...[
    'zero',
    'one',
    'two',
    'three',
    'four',
    'five',
    'six',
    'seven',
    'eight',
    'nine',
    'ten',
    'eleven',
    'twelve',
  ],
  ...['thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen'],
];
const EN_TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const EN_GROUPS = ['', ' thousand', ' million', ' billion', ' trillion'];
const EN_NAMES: Readonly<Record<Currency, readonly [string, string, string, string]>> = {
  MOP: ['pataca', 'patacas', 'avo', 'avos'],
  HKD: ['Hong Kong dollar', 'Hong Kong dollars', 'cent', 'cents'],
  EUR: ['euro', 'euros', 'cent', 'cents'],
};

/** 1 to 999. */
function enGroup(group: number): string {
  const [hundreds, rest] = [Math.floor(group / 100), group % 100];
  const tens =
    rest < 20
      ? EN_UNITS[rest]!
      : `${EN_TENS[Math.floor(rest / 10)]}${rest % 10 === 0 ? '' : `-${EN_UNITS[rest % 10]}`}`;
  if (hundreds === 0) return tens;
  return `${EN_UNITS[hundreds]} hundred${rest === 0 ? '' : ` and ${tens}`}`;
}

function enNumber(number: number): string {
  if (number === 0) return EN_UNITS[0]!;
  const groups = groupsOf(number, 3);
  return groups
    .map((group, index) => {
      if (group === 0) return '';
      const isLast = index === groups.length - 1;
      const and = isLast && index > 0 && group < 100 ? 'and ' : '';
      return `${and}${enGroup(group)}${EN_GROUPS[groups.length - 1 - index]}`;
    })
    .filter((words) => words !== '')
    .join(' ');
}

function english(whole: number, parts: number, currency: Currency): string {
  const [one, many, part, manyParts] = EN_NAMES[currency];
  const high = `${enNumber(whole)} ${whole === 1 ? one : many}`;
  const low = `${enNumber(parts)} ${parts === 1 ? part : manyParts}`;
  if (parts === 0) return high;
  return whole === 0 ? low : `${high} and ${low}`;
}
