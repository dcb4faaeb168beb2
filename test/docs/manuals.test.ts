import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '..', '..');
const MANUALS = ['dealer', 'technician', 'auditor'] as const;
const LANGUAGES = ['zh-Hant', 'pt'] as const;

const textsOf = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(value as object).flatMap(textsOf);

/** What the screens of a language say. */
const saidIn = (language: string): ReadonlySet<string> =>
  new Set(
    globSync(`locales/${language}/*.json`, { cwd: ROOT }).flatMap((path) =>
      textsOf(JSON.parse(readFileSync(join(ROOT, path), 'utf8'))),
    ),
  );

/** Emphasis that is no word of a screen. */
const PLAIN: ReadonlySet<string> = new Set(['一個', 'um só']);

/** Words of the screen that a manual prints and no screen says. */
const unsaid = (manual: string, said: ReadonlySet<string>): string[] =>
  [...manual.matchAll(/\*\*([^*]+)\*\*/g)].flatMap(([, words = '']) =>
    PLAIN.has(words) || said.has(words) ? [] : [words],
  );

test('L11: dealer, technician and auditor have a manual in Chinese and in Portuguese, whose words are those of the screens', () => {
  for (const language of LANGUAGES) {
    const said = saidIn(language);
    for (const manual of MANUALS) {
      const path = join(ROOT, 'docs/manuals', language, `${manual}.md`);
      assert.ok(existsSync(path), path);
      const text = readFileSync(path, 'utf8');
      assert.deepEqual(unsaid(text, said), [], `${language}/${manual}`);
      assert.ok([...text.matchAll(/\*\*/g)].length >= 20, `${language}/${manual} shows what to touch`);
    }
  }
});

test('L11: every step of the dealer’s shift and every page of service mode that a role reads is in its manual', () => {
  for (const language of LANGUAGES) {
    const service = JSON.parse(readFileSync(join(ROOT, 'locales', language, 'service.json'), 'utf8')) as {
      page: Record<string, string>;
    };
    const read = (manual: string): string =>
      readFileSync(join(ROOT, 'docs/manuals', language, `${manual}.md`), 'utf8');
    const both = read('technician') + read('auditor');
    for (const [page, name] of Object.entries(service.page))
      assert.ok(both.includes(`**${name}**`), `${language}: the page ${page}, ${name}`);
  }
});

test('L11: a word that no screen says is found', () => {
  assert.deepEqual(unsaid('按 **登入** 或 **登出此機**', new Set(['登入'])), ['登出此機']);
});
