/** The parts of docs/meters.md, out of the table of the meters and the texts of service mode. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ABSENT, BET_KINDS, METERS } from '../../engine/accounting/meter-table.ts';
import { table } from './table.ts';

type Texts = Readonly<Record<string, string>>;
const textsOf = (language: string): Texts =>
  (
    JSON.parse(
      readFileSync(join(import.meta.dirname, '..', '..', 'locales', language, 'service.json'), 'utf8'),
    ) as { meter: Texts }
  ).meter;

const UNITS = { money: 'amount', count: 'count', seconds: 'seconds' } as const;
const HEAD = ['English', '中文', 'Português'];

export function meterTable(): string {
  const [en, zh, pt] = ['en', 'zh-Hant', 'pt'].map(textsOf) as [Texts, Texts, Texts];
  const label = (texts: Texts, code: string): string => {
    const name = code.split('_<')[0]!;
    return (texts[name] ?? 'see below').replace('{{part}}', '*…*');
  };
  return table(
    ['code', ...HEAD, 'unit', 'slices', 'what it counts', 'source', 'SAS'],
    METERS.map(({ code, unit, span, by, sas, source, definition }) => [
      `\`${code}\``,
      ...[en, zh, pt].map((texts) => label(texts, code)),
      `${UNITS[unit]}${span === 'now' ? ', now' : ''}`,
      span === 'now' ? 'seat' : ['all', ...(by ? [by] : [])].join(' + '),
      definition,
      source,
      sas ?? '–',
    ]),
  );
}

export function betTable(): string {
  const [en, zh, pt] = ['en', 'zh-Hant', 'pt'].map(textsOf) as [Texts, Texts, Texts];
  const codes = [...BET_KINDS].flatMap((kind) => [`bet_${kind}`, `pay_${kind}`]).filter((code) => en[code]);
  return table(
    ['code', ...HEAD],
    codes.map((code) => [`\`${code}\``, en[code]!, zh[code]!, pt[code]!]),
  );
}

export const absentTable = (): string =>
  table(
    ['meter', 'why this terminal has none'],
    ABSENT.map(({ code, why }) => [`\`${code.replaceAll(', ', '`, `')}\``, why]),
  );
