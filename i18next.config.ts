import { defineConfig } from 'i18next-cli';

/**
 * Only for `i18next-cli types`: the keys of locales/ become types, so a wrong key or variable does
 * not compile.
 */
export default defineConfig({
  locales: ['zh-Hant', 'pt', 'en'],
  extract: {
    input: ['renderer/**/*.{ts,tsx}'],
    output: 'locales/{{language}}/{{namespace}}.json',
    defaultNS: 'table',
  },
  types: {
    // portugal.json has no keys of its own
    input: ['locales/zh-Hant/{table,service,felt,events,rules,map}.json'],
    output: 'renderer/texts/i18next.d.ts',
    resourcesFile: 'renderer/texts/resources.d.ts',
  },
});
