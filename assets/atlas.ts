/**
 * Makes the card atlases `assets/generated/cards-SET-{120,240}.webp` (width of one card in pixels)
 * and, for all sets of a width, `cards-{120,240}.json`. Run by hand after a change of a face: `node
 * assets/atlas.ts`. The results are in the repository, so that a fresh clone builds without it;
 * `assets/atlas.test.ts` notices when sources and results no longer belong together.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { argumentsOf } from '../ledger/chain/program-arguments.ts';

const HERE = import.meta.dirname;
const WIDTHS = [120, 240] as const;
const COLUMNS = 9;
const GAP = 2;
/** Kennard's faces are 2.5 x 3.5 inches in a box of 240 x 336. */
const RATIO = 336 / 240;

/** Fingerprint of everything the atlas is made of. */
export function sourceHash(): string {
  const hash = createHash('sha256');
  const files = [
    'atlas.ts',
    'cards/back.svg',
    ...readdirSync(join(HERE, 'cards/faces'))
      .sort()
      .map((name) => `cards/faces/${name}`),
  ];
  for (const file of files) hash.update(file).update(readFileSync(join(HERE, file)));
  return hash.digest('hex');
}

/**
 * The sets of faces a house may choose from: two or four colours of suits, standard or large index.
 */
export const SETS = ['2-standard', '4-standard', '2-large', '4-large'] as const;

type Colours = '2' | '4';
const INKS: Readonly<Record<Colours, Readonly<Record<string, string>>>> = {
  2: { S: '#16171C', H: '#BF1420', D: '#BF1420', C: '#16171C' },
  // spades black, hearts red, diamonds blue, clubs green: both darker than the print of the courts
  4: { S: '#16171C', H: '#BF1420', D: '#1450B4', C: '#0B7036' },
};

const use = (href: string, height: number, x: number, y: number): string =>
  `<use xlink:href="#${href}" height="${height}" x="${x}" y="${y}"/>`;

/**
 * The faces as drawn are for a hand held before the eyes; on a table their indices are too small to
 * be read at arm's length. The art is drawn inwards and the indices are set at 1.75 of their size;
 * reds, blues and paper are warmer. With the large index the number cards have nothing but their
 * rank and suit, at three times the size, in both corners, and the courts stand in a smaller frame.
 */
export function houseFace(svg: string, name: string, set: (typeof SETS)[number] = '2-standard'): string {
  const [colours, size] = set.split('-') as [Colours, 'standard' | 'large'];
  const large = size === 'large';
  const suit = `S${name[1]}${name[0]}`;
  const index = `V${name[1]}${name[0]}`;
  const ink = INKS[colours][name[1]!]!;
  const body = svg.slice(svg.indexOf('>', svg.indexOf('<svg')) + 1, svg.lastIndexOf('</svg>'));
  const own = (symbol: string): string =>
    [suit, index].some((id) => symbol.startsWith(`<symbol id="${id}"`))
      ? symbol
          .replace(/"(red|black)"/g, `"${ink}"`)
          .replace('stroke-width="80"', `stroke-width="${large ? 138 : 118}"`)
      : symbol;
  const defs = (body.match(/<symbol.*?<\/symbol>/gs) ?? []).map(own).join('');
  const drawn = body
    .replaceAll(/<symbol.*?<\/symbol>/gs, '')
    .replace(/<rect width="239"[^>]*><\/rect>/, '')
    .replaceAll(new RegExp(`<use xlink:href="#${index}"[^>]*></use>`, 'g'), '')
    .replaceAll(new RegExp(`<use xlink:href="#${suit}" height="26.769"[^>]*></use>`, 'g'), '');
  const court = 'JQK'.includes(name[0]!);
  const frame = court
    ? '<rect x="-64" y="-119" width="128" height="238" fill="none" stroke="#24407F" stroke-width="1.5" opacity=".8"/>'
    : '';
  const scale = court ? 'scale(.76 .9)' : name[0] === 'A' ? 'scale(1.6)' : 'translate(0 0) scale(.79 .86)';
  const art = `<g transform="${scale}">${drawn}</g>${frame}`;
  const corner = large
    ? `${use(index, 108, -129, -158)}${use(suit, 76, -113, -47)}`
    : `${use(index, 56, -118, -157)}${use(suit, 46, -113, -98)}`;
  const middle = large ? (court ? `<g transform="scale(.62)">${art}</g>` : '') : art;
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="-120 -168 240 336">',
    defs,
    '<linearGradient id="paper" x2="0" y2="1"><stop stop-color="#FFFEFA"/><stop offset="1" stop-color="#F6F1E4"/></linearGradient>',
    '<rect x="-119.5" y="-167.5" width="239" height="335" rx="14" fill="url(#paper)" stroke="#B9AE96"/>',
    middle,
    corner,
    `<g transform="rotate(180)">${corner}</g>`,
    '</svg>',
  ]
    .join('')
    .replaceAll('"red"', '"#BF1420"')
    .replaceAll('"black"', '"#16171C"')
    .replaceAll('#44F', '#24407F')
    .replaceAll('#FC4', '#E2B04A');
}

async function build(): Promise<void> {
  const out = join(HERE, 'generated');
  mkdirSync(out, { recursive: true });
  const names = readdirSync(join(HERE, 'cards/faces'))
    .sort()
    .map((file) => file.replace('.svg', ''));
  const drawn = new Map(
    names.map((name) => [name, readFileSync(join(HERE, 'cards/faces', `${name}.svg`), 'utf8')]),
  );
  const back = readFileSync(join(HERE, 'cards/back.svg'), 'utf8');
  for (const width of WIDTHS) {
    const height = Math.round(width * RATIO);
    const rows = Math.ceil((names.length + 1) / COLUMNS);
    const frames: Record<string, { x: number; y: number; w: number; h: number }> = {};
    for (const [i, name] of [...names, 'back'].entries()) {
      const x = GAP + (i % COLUMNS) * (width + GAP);
      const y = GAP + Math.floor(i / COLUMNS) * (height + GAP);
      frames[name] = { x, y, w: width, h: height };
    }
    const sheet = {
      width: GAP + COLUMNS * (width + GAP),
      height: GAP + rows * (height + GAP),
      channels: 4 as const,
      background: { r: 0, g: 0, b: 0, alpha: 0 },
    };
    for (const set of SETS) {
      const tiles = await Promise.all(
        Object.entries(frames).map(async ([name, { x, y }]) => {
          const svg = name === 'back' ? back : houseFace(drawn.get(name)!, name, set);
          // Drawn at twice the size and brought down: librsvg's own edges are harsh at small sizes.
          const input = await sharp(Buffer.from(svg), { density: (72 * width * 2) / 240 })
            .resize(width, height, { fit: 'fill', kernel: 'lanczos3' })
            .png()
            .toBuffer();
          return { input, left: x, top: y };
        }),
      );
      await sharp({ create: sheet })
        .composite(tiles)
        .webp({ quality: 88, alphaQuality: 100, effort: 5, smartSubsample: true })
        .toFile(join(out, `cards-${set}-${width}.webp`));
    }
    writeFileSync(
      join(out, `cards-${width}.json`),
      `${JSON.stringify({ source: sourceHash(), width: sheet.width, height: sheet.height, frames })}\n`,
    );
  }
}

if (import.meta.main) {
  argumentsOf({});
  await build();
}
