/**
 * Screenshots of the whole terminal, table and panels, in the designed states: every seat in one language, so that a
 * word of another one can be seen. A host that shows chosen views stands behind the built renderer.
 * `node test/pictures/shots.ts --out DIR [--languages zh-Hant,pt] [--sizes 1366x768,1920x1080] [--states a,b] [--mixed]`
 * `--mixed` leaves the languages of the fixtures. Prints what the console of the page said.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'vite';
import type { Language } from '../../engine/table/inputs.ts';
import type { TableView } from '../../host/api.ts';
import { startFakeHost } from '../fixtures/fake-host.ts';
import { VIEWS } from '../fixtures/views.ts';
import { launch } from './gallery.ts';

/** Betting, in play and settled of each of the seven systems, with the variants that look different. */
const SYSTEMS = [
  ...['2004-betting', '2004-play', '2004-settled'],
  ...['2009-betting', '2009-owed', '2009-play', '2009-many', '2009-settled'],
  ...['betting', 'turn', 'settled'],
  ...['pt-betting', 'pt-play', 'pt-settled'],
  ...['machine-betting', 'machine-play', 'machine-settled', 'machine-load', 'machine-complaint'],
  ...['baccarat-betting', 'baccarat-play', 'baccarat-settled', 'baccarat-demo'],
  ...['baccarat6-betting', 'baccarat6-play', 'baccarat6-settled'],
  ...['war-betting', 'war-choice', 'war-settled'],
];

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'shots' },
    languages: { type: 'string', default: 'zh-Hant,pt' },
    sizes: { type: 'string', default: '1920x1080' },
    states: { type: 'string', default: SYSTEMS.join(',') },
    mixed: { type: 'boolean', default: false },
  },
});
const views: Readonly<Record<string, TableView>> = VIEWS;
const states = values.states.split(',').map((name) => {
  const view = views[name];
  if (view === undefined) throw new Error(`no state ${name}; there are ${Object.keys(views).join(' ')}`);
  return { name, view };
});
const languages = values.mixed ? (['mixed'] as const) : (values.languages.split(',') as Language[]);

mkdirSync(values.out, { recursive: true });
const root = mkdtempSync(join(tmpdir(), 'banca-shots-'));
await build({
  configFile: join(import.meta.dirname, '../../renderer/vite.config.ts'),
  logLevel: 'error',
  build: { outDir: root },
});
const browser = await launch('canvas');
try {
  for (const size of values.sizes.split(',')) {
    const [width, height] = size.split('x').map(Number) as [number, number];
    const host = await startFakeHost({ root, role: 'table', view: states[0]!.view });
    const page = await browser.newPage({ viewport: { width, height } });
    let shown = 'start';
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) console.error(`${shown}: ${message.text()}`);
    });
    page.on('pageerror', (error) => console.error(`${shown}: ${error.message}`));
    await page.goto(host.url);
    await page.locator('.felt canvas').first().waitFor({ timeout: 60_000 });
    for (const { name, view } of states) {
      for (const language of languages) {
        shown = `${name}-${language}-${size}`;
        host.show({
          ...view,
          // a host that was not there before is shown without travel
          bootId: shown,
          seats: view.seats.map((seat) => (language === 'mixed' ? seat : { ...seat, language })),
        });
        await page.waitForTimeout(700);
        await page.screenshot({ path: join(values.out, `${shown}.png`), timeout: 180_000 });
      }
    }
    await page.close();
    await host.close();
  }
} finally {
  await browser.close();
  rmSync(root, { recursive: true });
}
