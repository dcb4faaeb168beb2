/** What all draw with: the product's own pictures, painted once, as canvases and parts of them. */
import type { Texture } from 'pixi.js';
import { Art, loadFaces } from '../../renderer/table/art.ts';
import { loadLetters } from '../../renderer/table/canvas-letters.ts';
import { paintBare, printTable } from '../../renderer/table/felt.ts';
import { RingWidget } from '../../renderer/table/ring.widget.ts';
import { layChips } from '../../renderer/table/stack.widget.ts';
import { RESOLUTION, STACK_COUNT, STACK_SCALE, stackAmount, TABLE, TIMER_MS, timerLeftMs } from './scene.ts';

/** A part of a canvas, in its pixels. */
export interface Cut {
  readonly canvas: HTMLCanvasElement;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export function cutOf({ source, frame }: Texture): Cut {
  const { resource, _resolution: scale } = source;
  return {
    canvas: resource as HTMLCanvasElement,
    x: frame.x * scale,
    y: frame.y * scale,
    width: frame.width * scale,
    height: frame.height * scale,
  };
}

/** A chip of a stack or its shadow, relative to where the stack stands. */
export interface Laid {
  readonly cut: Cut;
  readonly x: number;
  readonly y: number;
  readonly scale: number;
  readonly turn: number;
}

export interface Painted {
  readonly art: Art;
  readonly ground: HTMLCanvasElement;
}

export async function paint(): Promise<Painted> {
  const [faces] = await Promise.all([loadFaces(TABLE.form.faces, TABLE.card.width), loadLetters()]);
  return { art: new Art(TABLE, RESOLUTION, faces), ground: printTable(TABLE, paintBare(TABLE, RESOLUTION)) };
}

/** The stacks as the product lays them, chip by chip. */
export const laidStacks = (art: Art): readonly (readonly Laid[])[] =>
  Array.from({ length: STACK_COUNT }, (_, i) =>
    layChips(stackAmount(i), TABLE.unit).map(({ kind, x, y, scale, turn }) => ({
      cut: cutOf(kind === null ? art.chipShadow : art.chips[kind]!),
      x: x * STACK_SCALE,
      y: y * STACK_SCALE,
      scale: scale * STACK_SCALE,
      turn,
    })),
  );

/**
 * The product's timers on canvases that are not in the page: whoever draws the table lays them on
 * it.
 */
export class Timers {
  readonly #widgets: readonly RingWidget[];
  readonly canvases: readonly HTMLCanvasElement[];

  constructor(host: HTMLElement = document.createElement('div')) {
    this.#widgets = TABLE.seats.map((seat) => new RingWidget(host, TABLE, seat, RESOLUTION));
    this.canvases = [...host.querySelectorAll('canvas')];
  }

  /** Left upper corner of a timer's canvas. */
  at(i: number): { readonly x: number; readonly y: number } {
    const { style } = this.canvases[i]!;
    return { x: Number.parseFloat(style.left), y: Number.parseFloat(style.top) };
  }

  alpha = (i: number): number => Number(this.canvases[i]!.style.opacity);

  show(ms: number): void {
    for (const [i, widget] of this.#widgets.entries()) widget.show('betting', timerLeftMs(i, ms), TIMER_MS);
  }
}
