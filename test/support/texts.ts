import { readFileSync } from 'node:fs';
import type { Home } from '../../engine/rules/home.ts';
import type { Language } from '../../engine/table/inputs.ts';

const files = new Map<string, unknown>();

/**
 * A text of the locales as the page shows it at a table of this home, of several in the form for
 * most numbers; `{{name}}` is filled in plainly. Throws where there is none.
 */
export function text(
  language: Language,
  key: string,
  values: Readonly<Record<string, string | number>> = {},
  space: 'table' | 'service' | 'rules' | 'map' = 'table',
  home: Home = 'macau',
): string {
  const own = home === 'portugal' ? textAt(language, 'portugal', `${space}.${key}`) : undefined;
  const found = own ?? textAt(language, space, key);
  if (typeof found !== 'string') throw new Error(`no text ${key} in ${language}`);
  return found.replace(/\{\{(\w+)[^}]*\}\}/g, (_, name: string) => String(values[name] ?? ''));
}

function textAt(language: Language, space: string, key: string): unknown {
  const file = new URL(`../../locales/${language}/${space}.json`, import.meta.url).pathname;
  if (!files.has(file)) files.set(file, JSON.parse(readFileSync(file, 'utf8')));
  let found: unknown = files.get(file);
  for (const part of key.split('.')) {
    const there = found as Record<string, unknown> | undefined;
    found = there?.[part] ?? there?.[`${part}_other`];
  }
  return found;
}
