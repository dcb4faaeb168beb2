/**
 * Measures, in the page itself, how well every word drawn on the table stands out from what it lies
 * on: the table is drawn twice, once without a letter, and the two are compared pixel by pixel.
 */
import type { BitmapText, Container } from 'pixi.js';
import { Letters } from '../../renderer/table/letters.ts';
import { createTable, type TableScene } from '../../renderer/table/table.scene.ts';
import type { TableView } from '../../wire/view.ts';
import { LIGHT } from '../support/stands-out.ts';

interface Word {
  readonly text: string;
  readonly weight: number;
  /** Of the letters, and where they are, in CSS pixels. */
  readonly size: number;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}
export interface Contrast {
  readonly text: string;
  /** Of 1080 lines. */
  readonly px: number;
  readonly weight: number;
  readonly ratio: number;
}

/** Fewer pixels than these of a word are seen: a card or a chip lies on it. */
const LEAST_PIXELS = 24;
/** Most of a thin letter is its edge, which is mixed with the ground. */
const PERCENTILE = 0.8;
/** Less than that is no letter. */
const SAME = 0.004;

/** While true no letter is drawn, and none is noted. */
let wordless = false;
const lines = new Map<BitmapText, { readonly weight: number; readonly size: number }>();
/** The cloth of the last build, and its lettering on a canvas of its own. */
let printed: { readonly canvas: unknown; readonly words: Word[] }[] = [];

const makeLine = Letters.prototype.line;
Letters.prototype.line = function (text, weight, size, tint) {
  const made = makeLine.call(this, text, weight, size, tint);
  if (!wordless) lines.set(made, { weight, size });
  return made;
};

const fillText = CanvasRenderingContext2D.prototype.fillText;
CanvasRenderingContext2D.prototype.fillText = function (text, x, y, ...rest) {
  if (wordless) return;
  // A picture as large as the table is the cloth; the string is the dark edge below the gold.
  if (this.canvas.width === innerWidth * devicePixelRatio && typeof this.fillStyle !== 'string') {
    let cloth = printed.find(({ canvas }) => canvas === this.canvas);
    if (cloth === undefined) {
      cloth = { canvas: this.canvas, words: [] };
      printed = [...printed.slice(-2), cloth];
    }
    const [, weight = '', px = ''] = /^(bold|\d+) ([\d.]+)px/.exec(this.font) ?? [];
    const size = Number(px);
    const { width } = this.measureText(text);
    const from = this.textAlign === 'center' ? x - width / 2 : x;
    const toPage = new DOMMatrix().scale(1 / devicePixelRatio).multiply(this.getTransform());
    const corners = [from, from + width].flatMap((cx) =>
      [y - size * 0.6, y + size * 0.6].map((cy) => toPage.transformPoint({ x: cx, y: cy })),
    );
    cloth.words.push({
      text,
      weight: weight === 'bold' ? 700 : Number(weight),
      size,
      left: Math.min(...corners.map((corner) => corner.x)),
      top: Math.min(...corners.map((corner) => corner.y)),
      right: Math.max(...corners.map((corner) => corner.x)),
      bottom: Math.max(...corners.map((corner) => corner.y)),
    });
  }
  fillText.call(this, text, x, y, ...rest);
};

function isSeen(line: BitmapText): boolean {
  let each: Container | null = line;
  let top: Container = line;
  for (; each !== null; each = each.parent) {
    if (!each.visible || each.alpha < 0.05) return false;
    top = each;
  }
  return top !== line;
}

/** A table that stands still is dimmed: what is printed is nobody's to read until it goes on. */
const wordsOn = ({ hold }: TableView): Word[] => [
  ...(hold === null ? printed.flatMap(({ words }) => words) : []),
  ...[...lines].flatMap(([line, { weight, size }]) => {
    if (line.destroyed) lines.delete(line);
    if (line.destroyed || line.text.trim() === '' || !isSeen(line)) return [];
    const { left, top, right, bottom } = line.getBounds();
    return [{ text: line.text, weight, size: size * line.scale.x, left, top, right, bottom }];
  }),
];

const paper = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;

function lightOf(host: HTMLElement): { readonly at: Float32Array; readonly width: number } {
  const drawn = host.querySelector('canvas')!;
  [paper.canvas.width, paper.canvas.height] = [drawn.width, drawn.height];
  paper.drawImage(drawn, 0, 0);
  const { data, width } = paper.getImageData(0, 0, drawn.width, drawn.height);
  const at = new Float32Array(data.length / 4);
  for (let i = 0; i < at.length; i++)
    at[i] =
      0.2126 * LIGHT[data[4 * i]!]! + 0.7152 * LIGHT[data[4 * i + 1]!]! + 0.0722 * LIGHT[data[4 * i + 2]!]!;
  return { at, width };
}

let bare: { readonly scene: TableScene; readonly host: HTMLElement } | null = null;

/** Every word that this view draws on the table. */
export async function contrasts(table: TableScene, view: TableView): Promise<Contrast[]> {
  const own = document.querySelector<HTMLElement>('#table')!;
  if (bare === null) {
    const host = document.createElement('div');
    host.style.cssText = 'position:fixed;inset:0';
    document.body.prepend(host);
    wordless = true;
    bare = { host, scene: await createTable(host, { renderer: 'canvas', view }) };
    bare.scene.setTime(0);
    wordless = false;
  }
  table.update(view, { atOnce: true });
  wordless = true;
  bare.scene.update(view, { atOnce: true });
  wordless = false;
  const [words, under] = [lightOf(own), lightOf(bare.host)];
  const unit = Math.min(innerHeight / 1080, innerWidth / 1920);
  return wordsOn(view).flatMap(({ text, weight, size, ...box }) => {
    const [left, top, right, bottom] = [box.left, box.top, box.right, box.bottom].map((edge) =>
      Math.round(edge * devicePixelRatio),
    ) as [number, number, number, number];
    const lighter: number[] = [];
    const darker: number[] = [];
    for (let y = Math.max(0, top); y < bottom; y++)
      for (let x = Math.max(0, left); x < Math.min(right, words.width); x++) {
        const [letter, ground] = [words.at[y * words.width + x], under.at[y * words.width + x]];
        if (letter === undefined || ground === undefined || Math.abs(letter - ground) < SAME) continue;
        if (letter > ground) lighter.push((letter + 0.05) / (ground + 0.05));
        else darker.push((ground + 0.05) / (letter + 0.05));
      }
    // The dark edge of gold letters is not what is read.
    const ratios = (sum(lighter) > sum(darker) ? lighter : darker).sort((a, b) => a - b);
    if (ratios.length < LEAST_PIXELS) return [];
    return [{ text, px: size / unit, weight, ratio: ratios[Math.floor(ratios.length * PERCENTILE)]! }];
  });
}

const sum = (ratios: readonly number[]): number => ratios.reduce((all, ratio) => all + Math.log(ratio), 0);
