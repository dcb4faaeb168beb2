/**
 * Pictures of every screen in every language and size, each looked over by the audit, and a contact sheet per language:
 * `npm run screenshots [-- --sizes 1366x768,1920x1080 --languages zh-Hant,pt --screens desk,rules --sheets]`. Without words all
 * of it; `--screens` takes those whose name begins so. Pictures go to build/screenshots/LANGUAGE/SIZE/, findings to the
 * console and to findings.txt there; with `--sheets` the contact sheets of docs/pictures/ are made anew. `--audit-only` takes no
 * pictures and draws no felt, which is quicker.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import type { Language } from '../../engine/table/inputs.ts';
import { buildRenderer, launchChromium, SIZES, type Size } from '../support/chromium.ts';
import { audit } from './audit.ts';
import { SCREENS, type Screen } from './screens.ts';
import { Stage } from './stage.ts';

const ROOT = join(import.meta.dirname, '../..');
const OUT = join(ROOT, 'build/screenshots');
/** The felt is painted in the frames after a view. */
const PAINTED_MS = 350;

const nameOf = ({ width, height }: Size): string => `${width}x${height}`;

async function take(screens: readonly Screen[], languages: readonly Language[], sizes: readonly Size[]) {
  const root = await buildRenderer();
  const browser = await launchChromium(['--disable-gpu', '--force-color-profile=srgb']);
  const findings: string[] = [];
  try {
    for (const size of sizes) {
      const stage = new Stage({ browser, root, size, felt: !values['audit-only'] });
      for (const language of languages) {
        const folder = join(OUT, language, nameOf(size));
        mkdirSync(folder, { recursive: true });
        for (const screen of screens) {
          const shown = await stage.show(screen, language).catch((error: unknown) => String(error));
          if (typeof shown === 'string') {
            findings.push(`${screen.name} ${language} ${nameOf(size)}: not reached: ${shown}`);
            console.log(findings.at(-1));
            continue;
          }
          const { page, troubles } = shown;
          if (!values['audit-only']) {
            await page.waitForTimeout(PAINTED_MS);
            const path = join(folder, `${screen.name}.jpg`);
            await page.screenshot({ path, type: 'jpeg', quality: 88, timeout: 180_000 });
          }
          for (const finding of [...troubles, ...(await audit(page))]) {
            findings.push(`${screen.name} ${language} ${nameOf(size)}: ${finding}`);
            console.log(findings.at(-1));
          }
        }
      }
      await stage.close();
    }
  } finally {
    await browser.close();
    rmSync(root, { recursive: true });
  }
  writeFileSync(join(OUT, 'findings.txt'), findings.map((line) => `${line}\n`).join(''));
  console.log(
    `${screens.length * languages.length * sizes.length} screens seen, ${findings.length} findings in ${OUT}`,
  );
  return findings.length;
}

const CELL = { width: 240, height: 135, label: 16 };
const COLUMNS = 10;
const MOST_BYTES = 690_000;

/** All screens of a language, small, in the order of the list. */
async function contactSheet(language: Language): Promise<void> {
  const height = CELL.height + CELL.label;
  const cells = await Promise.all(
    SCREENS.map(async ({ name }, index) => {
      const left = (index % COLUMNS) * CELL.width;
      const top = Math.floor(index / COLUMNS) * height;
      const picture = await sharp(readFileSync(join(OUT, language, nameOf(SIZES[0]!), `${name}.jpg`)))
        .resize(CELL.width - 4, CELL.height - 2)
        .toBuffer();
      const label = `<svg width="${CELL.width}" height="${CELL.label}"><text x="2" y="13" font-family="sans-serif" font-size="11" fill="#d9cdb4">${name}</text></svg>`;
      return [
        { input: picture, left, top },
        { input: Buffer.from(label), left, top: top + CELL.height },
      ];
    }),
  );
  const sheet = await sharp({
    create: {
      width: COLUMNS * CELL.width,
      height: Math.ceil(SCREENS.length / COLUMNS) * height,
      channels: 3,
      background: '#14110f',
    },
  })
    .composite(cells.flat())
    .png()
    .toBuffer();
  for (let quality = 60; ; quality -= 10) {
    const bytes = await sharp(sheet).webp({ quality, effort: 2 }).toBuffer();
    if (bytes.length > MOST_BYTES && quality > 10) continue;
    writeFileSync(join(ROOT, `docs/pictures/contact-${language}.webp`), bytes);
    console.log(`contact-${language}.webp: ${SCREENS.length} screens, ${bytes.length} bytes`);
    return;
  }
}

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: SIZES.map(nameOf).join(',') },
    languages: { type: 'string', default: 'zh-Hant,pt,en' },
    screens: { type: 'string', default: '' },
    sheets: { type: 'boolean', default: false },
    'audit-only': { type: 'boolean', default: false },
  },
});
const wanted = values.screens.split(',');
const screens = SCREENS.filter(({ name }) => wanted.some((start) => name.startsWith(start)));
const languages = values.languages.split(',') as Language[];
const sizes = values.sizes
  .split(',')
  .filter(Boolean)
  .map((size) => {
    const [width, height] = size.split('x').map(Number) as [number, number];
    return { width, height };
  });
const count = sizes.length === 0 ? 0 : await take(screens, languages, sizes);
if (values.sheets) for (const language of languages) await contactSheet(language);
if (count > 0) process.exitCode = 1;
