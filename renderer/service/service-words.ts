import './texts.ts';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { formatInteger, formatNumber, formatPercent } from '../../engine/rules/formats.ts';
import type { Language } from '../../engine/table/inputs.ts';
import type { DeviceFault } from '../../wire/pages.ts';
import { useView } from '../station/station.ts';
import type { QueryFailure } from '../station/wire.ts';
import { formatClock, formatMoment, formatTick } from '../texts/clock.ts';
import {
  formatMoney,
  formatSigned,
  type MapText,
  mapText,
  type ServiceText,
  serviceText,
  type TableText,
  tableText,
  textOfCode,
  withCurrency,
} from '../texts/i18n.ts';

const ServiceLanguage = createContext<Language>('zh-Hant');
export const ServiceLanguageProvider = ServiceLanguage.Provider;

/** What service pages read, in the language of the person in service. */
export interface ServiceWords {
  readonly language: Language;
  readonly s: ServiceText;
  readonly t: TableText;
  /** Of the map. */
  readonly m: MapText;
  money(amountMinor: number): string;
  /** With its currency. */
  sum(amountMinor: number, currency: string | null): string;
  signed(amountMinor: number): string;
  count(value: number): string;
  /** '0.42', '0,42': that many digits behind the point. */
  fixed(value: number, digits: number): string;
  /** '46.2 kB': of 1,000. */
  size(bytes: number): string;
  /** Of a part of 1. */
  percent(part: number): string;
  moment(atMs: number | null): string;
  tick(atMs: number, unit: 'hour' | 'day'): string;
  /** The clock of the players' screens. */
  clock(atMs: number): string;
  /** Text of a code out of a group of the service texts; the code itself where it has none. */
  code(group: string, code: string, values?: Readonly<Record<string, string>>): string;
  tableCode(group: string, code: string): string;
  /** What a frame says, out of its keys. */
  says(keys: readonly string[]): string;
  /** Why a question to the host has no answer. */
  failure(code: QueryFailure): string;
  /** Name of an event of docs/events.md. */
  eventName(code: string): string;
  /** What it means that a program says of its own failure; null where nothing is known of it. */
  meaning(reason: string): string | null;
}

/**
 * Codes of the system, sentences of SQLite and answers of the centre, by what they mean to a
 * technician.
 */
const REASONS = [
  [/ENOSPC|EDQUOT|disk is full/, 'diskFull'],
  [/EIO\b|disk I\/O error/, 'diskError'],
  [/EROFS|readonly database/, 'readOnly'],
  [/EACCES|EPERM/, 'noPermission'],
  [/ENOENT|ENODEV|the file (is gone|was not there)|unable to open/, 'notThere'],
  [/malformed|not a database|checksum/, 'damaged'],
  [/ECONNREFUSED/, 'refused'],
  [/ECONNRESET|EPIPE|other side closed|socket hang up/, 'broken'],
  [/ETIMEDOUT|timeout/i, 'timeout'],
  [/EHOSTUNREACH|ENETUNREACH|ENETDOWN/, 'unreachable'],
  [/ENOTFOUND|EAI_AGAIN/, 'noAddress'],
  [/not-enrolled/, 'notEnrolled'],
  [/bad-signature/, 'badSignature'],
  [/bad-certificate|shows the key/, 'badCertificate'],
  [/another hash|another entry/, 'otherEntries'],
] as const;

export function meaningOf(reason: string, s: ServiceText): string | null {
  const key = REASONS.find(([pattern]) => pattern.test(reason))?.[1];
  return key === undefined ? null : s(`reason.${key}`);
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

function sizeText(bytes: number, language: Language): string {
  const power = Math.min(UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  return `${formatNumber(bytes / 1000 ** power, language, 0, 1)} ${UNITS[power]}`;
}

export function useServiceWords(): ServiceWords {
  const language = useContext(ServiceLanguage);
  const { currency } = useView().table;
  const s = serviceText(language);
  return {
    language,
    s,
    t: tableText(language),
    m: mapText(language),
    money: (amount) => formatMoney(amount, language),
    sum: (amount, of) => withCurrency(formatMoney(amount, language), of ?? '', language).trim(),
    signed: (amount) => formatSigned(amount, language),
    count: (value) => formatInteger(value, language),
    fixed: (value, digits) => formatNumber(value, language, digits).replace('-', '−'),
    size: (bytes) => sizeText(bytes, language),
    percent: (part) => formatPercent(part, language),
    moment: (atMs) => (atMs === null ? s('none') : formatMoment(atMs, currency, language)),
    tick: (atMs, unit) => formatTick(atMs, currency, language, unit),
    clock: (atMs) => formatClock(atMs, currency, language),
    code: (group, code, values) => textOfCode('service', group, code, language, values),
    tableCode: (group, code) => textOfCode('table', group, code, language),
    says: (keys) =>
      keys.length === 0
        ? mapText(language)('notUnderstood')
        : keys
            .map((key) => {
              const [group, code] = key.split('.') as [string, string | undefined];
              if (code === undefined) return group;
              return group === 'frame'
                ? textOfCode('map', 'frame', code, language)
                : textOfCode('service', group, code, language);
            })
            .join(' · '),
    failure: (code) => (code === 'connection' ? s('noConnection') : tableText(language)(`reject.${code}`)),
    eventName: (code) => textOfCode('events', 'name', code, language),
    meaning: (reason) => meaningOf(reason, s),
  };
}

/** Roles of the persons that a fault needs, as 'attendant / supervisor + supervisor'. */
export const personsText = (persons: DeviceFault['persons'], { s }: ServiceWords): string =>
  persons.map((roles) => roles.map((role) => s(`role.${role}`)).join(' / ')).join(' + ');
