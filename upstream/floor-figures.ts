/** Names of faults, amounts and times of the board, as each language writes them. */
import codes from './alarm-codes.json' with { type: 'json' };
import type { Language } from './floor-table.ts';
import type { Level } from './floor-words.ts';

type Names = Readonly<Record<Language, string>>;
const { faults, levels, events } = codes as {
  readonly faults: Readonly<Record<string, string>>;
  readonly levels: Readonly<Record<string, Level>>;
  readonly events: Readonly<Record<string, { readonly name: Names }>>;
};
/** Of a later version's fault nothing is known but that it is one. */
export function faultOf(fault: string): { readonly name: Names | null; readonly level: Level } {
  const code = Object.hasOwn(faults, fault) ? faults[fault]! : null;
  return {
    name: code === null ? null : (events[code]?.name ?? null),
    level: code === null ? 'M' : (levels[fault] ?? 'M'),
  };
}

const GROUP: Readonly<Record<Language, string>> = { 'zh-Hant': ',', pt: '\u00a0', en: ',' };
const LOCALE: Readonly<Record<Language, string>> = { 'zh-Hant': 'zh-Hant', pt: 'pt-PT', en: 'en-GB' };

export const integerText = (value: number, lang: Language): string =>
  String(value).replaceAll(/\B(?=(\d{3})+$)/g, GROUP[lang]);

/** Every currency of the terminals has two decimals. */
export function moneyText(minor: number, currency: string, lang: Language): string {
  const digits = String(minor).padStart(3, '0');
  const whole = integerText(Number(digits.slice(0, -2)), lang);
  return `${whole}${lang === 'pt' ? ',' : '.'}${digits.slice(-2)} ${currency}`;
}

/** Local times of the house, 24 hours. */
export interface FloorClock {
  /** '20:11' of this day, else with its day before it. */
  at(ms: number, nowMs: number): string;
  minute(ms: number): string;
  /** With day and second. */
  moment(ms: number): string;
  weekday(ms: number): string;
}

export function floorClock(timeZone: string, lang: Language): FloorClock {
  const format = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat(LOCALE[lang], { timeZone, hourCycle: 'h23', ...options });
  const minute = format({ hour: '2-digit', minute: '2-digit' });
  const day = format({ day: '2-digit', month: '2-digit' });
  const moment = format({ dateStyle: 'short', timeStyle: 'medium' });
  const weekday = format({ weekday: 'long' });
  return {
    minute: (ms) => minute.format(ms),
    at: (ms, nowMs) =>
      day.format(ms) === day.format(nowMs) ? minute.format(ms) : `${day.format(ms)} ${minute.format(ms)}`,
    moment: (ms) => moment.format(ms),
    weekday: (ms) => weekday.format(ms),
  };
}
