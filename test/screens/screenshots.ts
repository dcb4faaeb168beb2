/**
 * Pictures of every screen in every language and size, each looked over by the audit, and a contact
 * sheet per language: `npm run screenshots [-- --sizes 1366x768,1920x1080 --languages zh-Hant,pt
 * --screens desk,rules --sheets]`. Without words all of it; `--screens` takes those whose name
 * begins so. Pictures go to build/screenshots/LANGUAGE/SIZE/, findings to the console and to
 * findings.txt there; with `--sheets` the contact sheets of docs/pictures/ are rebuilt.
 * `--audit-only` takes no pictures and draws no felt, which is quicker. `--readme [NAMES]` takes
 * the pictures of README.md again, all or those named, and nothing else.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Language } from '../../engine/table/inputs.ts';
import { argumentsOf } from '../../ledger/chain/program-arguments.ts';
import { builtPage } from '../support/built.ts';
import { FULL_HD, launchChromium, SIZES, type Size } from '../support/chromium.ts';
import { audit } from './audit.ts';
import { PICTURES, type Picture } from './readme-pictures.ts';
import type { Screen } from './screen.ts';
import { SCREENS } from './screens.ts';
import { Stage } from './stage.ts';

const ROOT = join(import.meta.dirname, '../..');
const OUT = join(ROOT, 'build/screenshots');
/** The felt is painted in the frames after a view. */
const PAINTED_MS = 350;
/** Fewer than the tests take: here many screens may have a finding. */
const MOST_LOOKS = 25;

const nameOf = ({ width, height }: Size): string => `${width}x${height}`;

/**
 * An audit resizes one window, since the layout follows at once; a picture is taken in a window
 * that was opened at its size.
 */
async function take(screens: readonly Screen[], languages: readonly Language[], sizes: readonly Size[]) {
  const root = builtPage();
  const browser = await launchChromium(['--disable-gpu', '--force-color-profile=srgb']);
  const findings: string[] = [];
  const measures = values['audit-only'];
  const seeOne = async (stage: Stage, screen: Screen, language: Language, size: Size): Promise<string[]> => {
    const { page, troubles } = await stage.show(screen, language, size);
    if (!measures) {
      await page.waitForTimeout(PAINTED_MS);
      const folder = join(OUT, language, nameOf(size));
      mkdirSync(folder, { recursive: true });
      const path = join(folder, `${screen.name}.jpg`);
      await page.screenshot({ path, type: 'jpeg', quality: 88, timeout: 600_000 });
    }
    return [...troubles, ...(await audit(page, MOST_LOOKS))];
  };
  try {
    for (const group of measures ? [sizes] : sizes.map((size) => [size])) {
      const stage = new Stage({ browser, root, size: group[0]!, felt: !measures, painted: !measures });
      for (const language of languages)
        for (const screen of screens)
          for (const size of group) {
            const found = await seeOne(stage, screen, language, size).catch((error: unknown) => [
              `not reached: ${String(error)}`,
            ]);
            for (const finding of found) {
              findings.push(`${screen.name} ${language} ${nameOf(size)}: ${finding}`);
              console.log(findings.at(-1));
            }
          }
      await stage.close();
    }
  } finally {
    await browser.close();
  }
  mkdirSync(OUT, { recursive: true });
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

/** The pictures of README.md, in the colours and the size of a screen of 1920 x 1080. */
async function takePictures(pictures: readonly Picture[]): Promise<void> {
  const root = builtPage();
  const browser = await launchChromium(['--disable-gpu', '--force-color-profile=srgb']);
  try {
    const stage = new Stage({ browser, root, size: FULL_HD, felt: true });
    for (const { name, screen, language = 'en', parts, clip, width } of pictures) {
      const { page, troubles } = await stage.show(screen, language);
      if (troubles.length > 0) throw new Error(`${name}: ${troubles.join('; ')}`);
      await page.waitForTimeout(PAINTED_MS);
      const shots: Buffer[] = [];
      for (const part of parts ?? []) shots.push(await page.locator(part).screenshot());
      if (parts === undefined) shots.push(await page.screenshot(clip ? { clip } : {}));
      const drawn =
        shots.length > 1
          ? sharp(shots, { join: { across: shots.length, shim: 16, background: '#14110f' } })
          : sharp(shots[0]);
      // joined first, or each part would be made as wide as the whole
      const whole = sharp(await drawn.png().toBuffer());
      const file = join(ROOT, `docs/pictures/${name}.webp`);
      const { size } = await whole.resize(width).webp({ quality: 88, effort: 6 }).toFile(file);
      console.log(`${file}: ${size} bytes`);
    }
    await stage.close();
  } finally {
    await browser.close();
  }
}

const { values, positionals } = argumentsOf({
  allowPositionals: true,
  options: {
    sizes: { type: 'string', default: SIZES.map(nameOf).join(',') },
    languages: { type: 'string', default: 'zh-Hant,pt,en' },
    screens: { type: 'string', default: '' },
    sheets: { type: 'boolean', default: false },
    'audit-only': { type: 'boolean', default: false },
    readme: { type: 'boolean', default: false },
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
if (values.readme)
  await takePictures(PICTURES.filter(({ name }) => positionals.length === 0 || positionals.includes(name)));
const count = sizes.length === 0 || values.readme ? 0 : await take(screens, languages, sizes);
if (values.sheets) for (const language of languages) await contactSheet(language);
if (count > 0) process.exitCode = 1;
