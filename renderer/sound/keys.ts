/**
 * Every sound of the table by key: what each voice says, and how the effects are made while nobody
 * has recorded them. The announcements are those of art. 6.5 and 7.1 (totals), r.11 (last round)
 * and r.48 («jogo feito, nada mais»), and the points of Bacará.
 */
export interface Words {
  /** Cantonese */
  readonly yue: string;
  readonly pt: string;
  /** In captions alone: the house says nothing in English. */
  readonly en: string;
}

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

const numbered = (prefix: string, from: number, to: number, words: (n: number) => Words): [string, Words][] =>
  Array.from({ length: to - from + 1 }, (_, i) => [`${prefix}-${from + i}`, words(from + i)]);

export const SPOKEN: Readonly<Record<string, Words>> = {
  ...Object.fromEntries(
    numbered('seat', 1, MOST_SEATS, (n) => ({
      yue: `${chinese(n)}號位`,
      pt: `lugar ${portuguese(n)}`,
      en: `seat ${n}`,
    })),
  ),
  ...Object.fromEntries(
    numbered('points', 0, MOST_POINTS, (n) => ({
      yue: `${chinese(n)}點`,
      pt: portuguese(n),
      en: String(n),
    })),
  ),
  'bets-open': { yue: '請下注', pt: 'façam as vossas apostas', en: 'place your bets' },
  'last-bets': { yue: '最後下注', pt: 'últimas apostas', en: 'last bets' },
  'bets-closed': { yue: '停止下注', pt: 'jogo feito, nada mais', en: 'no more bets' },
  'last-round': {
    yue: '呢個係最後一局',
    pt: 'última jogada deste sabot',
    en: 'last round of this shoe',
  },
  blackjack: { yue: '黑傑克', pt: 'blackjack', en: 'blackjack' },
  busted: { yue: '爆煲', pt: 'rebentou', en: 'bust' },
  bank: { yue: '莊家', pt: 'banca', en: 'bank' },
  player: { yue: '閒家', pt: 'jogador', en: 'Player' },
  'bank-wins': { yue: '莊贏', pt: 'ganha a banca', en: 'Banker wins' },
  'player-wins': { yue: '閒贏', pt: 'ganha o jogador', en: 'Player wins' },
  tie: { yue: '和局', pt: 'empate', en: 'tie' },
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
