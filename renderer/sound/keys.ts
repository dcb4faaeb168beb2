/**
 * Every sound of the table by key: what each voice says, and how the effects are made while nobody
 * has recorded them. The announcements are those of art. 6.5 and 7.1 (totals), r.11 (last round)
 * and r.48 («jogo feito, nada mais»), the points of Bacará, cards, and the seconds that are left.
 */
export interface Words {
  /** Cantonese */
  readonly yue: string;
  /** Mandarin */
  readonly cmn: string;
  readonly pt: string;
  /** In captions alone: the house says nothing in English. */
  readonly en: string;
}

export const VOICES = ['yue', 'cmn', 'pt'] as const;
export type Voice = (typeof VOICES)[number];

const UNITS =
  'zero um dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezasseis dezassete dezoito dezanove'.split(
    ' ',
  );
const portuguese = (n: number): string =>
  n < 20 ? UNITS[n]! : `${n < 30 ? 'vinte' : 'trinta'}${n % 10 === 0 ? '' : ` e ${UNITS[n % 10]!}`}`;
const DIGITS = '零一二三四五六七八九';
const chinese = (n: number): string => {
  const tens = Math.floor(n / 10);
  const ten = tens === 0 ? '' : `${tens === 1 ? '' : DIGITS[tens]!}十`;
  return n === 0 ? '零' : `${ten}${n % 10 === 0 ? '' : DIGITS[n % 10]!}`;
};

/**
 * No profile has more seats; a hand of black jack has at most 30 points and one card (20 and a
 * ten).
 */
export const MOST_SEATS = 12;
export const MOST_POINTS = 31;

/** The last seconds of a deadline that are said. */
export const COUNTED_SECONDS = 5;

const RANKS_PT = 'ás dois três quatro cinco seis sete oito nove dez valete dama rei'.split(' ');
const RANKS_EN = 'ace 2 3 4 5 6 7 8 9 10 jack queen king'.split(' ');
/** Ace and figures are called by their letters, as they are printed. */
const RANKS_ZH = ['A', ...[2, 3, 4, 5, 6, 7, 8, 9, 10].map(chinese), 'J', 'Q', 'K'];

/** What Cantonese and Mandarin write alike. */
const both = (zh: string): { readonly yue: string; readonly cmn: string } => ({ yue: zh, cmn: zh });

const numbered = (prefix: string, from: number, to: number, words: (n: number) => Words): [string, Words][] =>
  Array.from({ length: to - from + 1 }, (_, i) => [`${prefix}-${from + i}`, words(from + i)]);

export const SPOKEN: Readonly<Record<string, Words>> = {
  ...Object.fromEntries(
    numbered('seat', 1, MOST_SEATS, (n) => ({
      ...both(`${chinese(n)}號位`),
      pt: `lugar ${portuguese(n)}`,
      en: `seat ${n}`,
    })),
  ),
  ...Object.fromEntries(
    numbered('points', 0, MOST_POINTS, (n) => ({
      ...both(`${chinese(n)}點`),
      pt: portuguese(n),
      en: String(n),
    })),
  ),
  ...Object.fromEntries(
    numbered('card', 1, 13, (n) => ({
      ...both(RANKS_ZH[n - 1]!),
      pt: RANKS_PT[n - 1]!,
      en: RANKS_EN[n - 1]!,
    })),
  ),
  ...Object.fromEntries(
    numbered('seconds', 1, COUNTED_SECONDS, (n) => ({
      ...both(`${chinese(n)}秒`),
      pt: n === 1 ? 'um segundo' : `${portuguese(n)} segundos`,
      en: n === 1 ? '1 second' : `${n} seconds`,
    })),
  ),
  'bets-open': { ...both('請下注'), pt: 'façam as vossas apostas', en: 'place your bets' },
  'last-bets': { ...both('最後下注'), pt: 'últimas apostas', en: 'last bets' },
  'bets-closed': { ...both('停止下注'), pt: 'jogo feito, nada mais', en: 'no more bets' },
  'last-round': {
    yue: '呢個係最後一局',
    cmn: '這是最後一局',
    pt: 'última jogada deste sabot',
    en: 'last round of this shoe',
  },
  blackjack: { ...both('黑傑克'), pt: 'blackjack', en: 'blackjack' },
  busted: { yue: '爆煲', cmn: '爆牌', pt: 'rebentou', en: 'bust' },
  bank: { ...both('莊家'), pt: 'banca', en: 'bank' },
  player: { ...both('閒家'), pt: 'jogador', en: 'Player' },
  'bank-wins': { ...both('莊贏'), pt: 'ganha a banca', en: 'Banker wins' },
  'player-wins': { ...both('閒贏'), pt: 'ganha o jogador', en: 'Player wins' },
  tie: { ...both('和局'), pt: 'empate', en: 'tie' },
};

/**
 * SoX's `synth` chains. What is refused or held never sounds like what is won: it has none of
 * its notes, and its tone is another one.
 */
export const EFFECTS = {
  chip: 'synth 0.05 triangle 2600 triangle 3900 fade 0 0.05 0.045 gain -8',
  card: 'synth 0.09 pinknoise band 3200 1800 fade 0.01 0.09 0.07 gain -6',
  tick: 'synth 0.06 sine 1250 fade 0 0.06 0.05 gain -10',
  win: 'synth 0.6 pluck C5 pluck E5 pluck G5 fade 0 0.6 0.3 gain -n -8',
  note: 'synth 0.3 sine 880 sine 1320 fade 0.01 0.3 0.2 gain -n -12',
  call: 'synth 0.7 pluck A5 fade 0 0.7 0.4 gain -n -8',
  refused: 'synth 0.25 sawtooth 220:165 fade 0.01 0.25 0.1 gain -n -16',
  attention: 'synth 0.5 square 620 tremolo 9 90 fade 0.01 0.5 0.1 gain -n -14',
} as const satisfies Record<string, string>;

export type EffectKey = keyof typeof EFFECTS;
