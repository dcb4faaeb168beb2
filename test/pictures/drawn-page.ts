/**
 * Measures, in the page itself, how well what is drawn on the table stands out from what it lies
 * on: chips, cards, signs, buttons, lamps and rings, each taken away for one frame; and rank and
 * suit from the paper of their card.
 */
import { type Container, Sprite, type Texture } from 'pixi.js';
import { type Card, cardName } from '../../engine/core/cards.ts';
import { Art } from '../../renderer/table/art.ts';
import { Board } from '../../renderer/table/board.scene.ts';
import { StackWidget } from '../../renderer/table/stack.widget.ts';
import type { TableScene } from '../../renderer/table/table.scene.ts';
import type { TableView } from '../../wire/view.ts';
import { faintness, LIGHT } from '../support/stands-out.ts';

type Kind = 'chips' | 'card' | 'sign' | 'button' | 'lamp' | 'ring' | 'pip';

export interface Drawn {
  /** How many of each were looked at. */
  readonly seen: Readonly<Partial<Record<Kind, number>>>;
  /** Those that stand out too little, in words. */
  readonly faint: readonly string[];
}

// What the scene holds back is noted as it is made.
let root: Container | null = null;
const kinds = new WeakMap<Texture, Kind>();
const stacks = new WeakSet<Container>();
const faces = new Map<Card, { readonly texture: Texture; readonly art: Art }>();

const showBoard = Board.prototype.show;
Board.prototype.show = function (...args) {
  root = this.root;
  showBoard.apply(this, args);
};
const makePill = Art.prototype.pill;
Art.prototype.pill = function (...args) {
  const texture = makePill.apply(this, args);
  kinds.set(texture, 'sign');
  return texture;
};
const faceOf = Art.prototype.face;
Art.prototype.face = function (card) {
  const texture = faceOf.call(this, card);
  kinds.set(texture, 'card').set(this.back, 'card').set(this.endCard, 'card');
  for (const sign of [this.roundSign, this.lastRoundSign, this.holdBanner, this.closedBanner])
    kinds.set(sign, 'sign');
  kinds.set(this.streakButton, 'button').set(this.slotLight, 'lamp');
  if (card !== null) faces.set(card, { texture, art: this });
  return texture;
};
const amount = Object.getOwnPropertyDescriptor(StackWidget.prototype, 'amount')!;
Object.defineProperty(StackWidget.prototype, 'amount', {
  ...amount,
  set(this: StackWidget, minor: number) {
    stacks.add(this.view);
    amount.set!.call(this, minor);
  },
});

/** Everything that is looked at, below a node that is drawn. */
function* objectsIn(node: Container): Generator<{ readonly kind: Kind; readonly object: Container }> {
  if (!node.visible || !node.renderable || node.alpha < 0.05) return;
  if (node instanceof Sprite) {
    const kind = stacks.has(node) ? 'chips' : kinds.get(node.texture);
    // Letters go with their plate.
    const isPlate = kind === 'sign' || kind === 'button';
    if (kind !== undefined) yield { kind, object: isPlate && node.parent !== null ? node.parent : node };
  }
  for (const child of node.children) yield* objectsIn(child);
}

const paper = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The table with its rings, in this box of the page. */
function pixelsIn(host: HTMLElement, { left, top, right, bottom }: Box): ImageData {
  [paper.canvas.width, paper.canvas.height] = [right - left, bottom - top];
  for (const canvas of host.querySelectorAll('canvas')) {
    const at = canvas.getBoundingClientRect();
    paper.globalAlpha = Number(canvas.style.opacity || 1);
    if (!canvas.hidden) paper.drawImage(canvas, at.left - left, at.top - top, at.width, at.height);
  }
  return paper.getImageData(0, 0, right - left, bottom - top);
}

const onScreen = ({ left, top, right, bottom }: Box): Box => ({
  left: Math.max(0, Math.floor(left)),
  top: Math.max(0, Math.floor(top)),
  right: Math.min(innerWidth, Math.ceil(right)),
  bottom: Math.min(innerHeight, Math.ceil(bottom)),
});

/** Of a plate its letters are read, which may be a single figure. */
const SPAN: Readonly<Partial<Record<Kind, number>>> = { sign: 0.15, button: 0.15 };

/** What is taken away together, and where each piece of it is. */
interface Group {
  readonly kind: Kind;
  readonly boxes: readonly Box[];
  readonly paint: (share: number) => void;
}

function groupsOf(host: HTMLElement): Group[] {
  const all = [...objectsIn(root!)].map(({ kind, object }) => {
    const own = object.alpha;
    return {
      kind,
      box: onScreen(object.getBounds()),
      paint: (share: number): void => {
        object.alpha = own * share;
      },
    };
  });
  const cards = all.filter(({ kind }) => kind === 'card');
  const rings = [...host.querySelectorAll<HTMLElement>('div > canvas')].map((ring): Group => {
    const own = Number(ring.style.opacity || 1);
    return {
      kind: 'ring',
      boxes: [onScreen(ring.getBoundingClientRect())],
      paint: (share) => {
        ring.style.opacity = String(own * share);
      },
    };
  });
  return [
    // A hand is seen as one: of a card on a card its index is read, which is measured below.
    {
      kind: 'card',
      boxes: cards.map(({ box }) => box),
      paint: (share) => {
        for (const { paint } of cards) paint(share);
      },
    },
    ...all
      .filter(({ kind }) => kind !== 'card')
      .map(({ box, ...rest }): Group => ({ ...rest, boxes: [box] })),
    ...rings,
  ];
}

/** `alpha`: how much of each thing is painted, for a test of this very measure. */
export function drawn(table: TableScene, view: TableView, alpha: number): Drawn {
  const host = document.querySelector<HTMLElement>('#table')!;
  table.setTime(0);
  faces.clear();
  table.update(view, { atOnce: true });
  const seen: Partial<Record<Kind, number>> = {};
  const faint: string[] = [];
  const groups = groupsOf(host);
  const whole: Box = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  for (const { paint } of groups) paint(alpha);
  table.setTime(0);
  const shown = pixelsIn(host, whole);
  for (const { kind, boxes, paint } of groups) {
    paint(0);
    table.setTime(0);
    const bare = pixelsIn(host, whole);
    paint(alpha);
    for (const box of boxes) {
      if (box.right <= box.left || box.bottom <= box.top) continue;
      seen[kind] = (seen[kind] ?? 0) + 1;
      const why = faintness(shown, bare, box, SPAN[kind]);
      if (why !== null) faint.push(`${kind} at ${box.left}, ${box.top}: ${why}`);
    }
  }
  for (const { paint } of groups) paint(1);
  for (const [card, { texture, art }] of faces) {
    seen.pip = (seen.pip ?? 0) + 2;
    const isLarge = art.table.form.faces.endsWith('large');
    for (const [what, ratio] of Object.entries(pipsOf(texture, isLarge)))
      if (ratio * alpha < 3) faint.push(`pip: ${what} of ${cardName(card)}: ${ratio.toFixed(2)}`);
  }
  table.setTime(0);
  return { seen, faint };
}

/** How far rank and suit in the corner of a face stand out from its paper. */
function pipsOf(
  { frame, source }: Texture,
  isLarge: boolean,
): { readonly rank: number; readonly suit: number } {
  const [x, y, width, height] = [frame.x, frame.y, frame.width, frame.height].map((each) =>
    Math.round(each * source.resolution),
  ) as [number, number, number, number];
  [paper.canvas.width, paper.canvas.height] = [width, height];
  paper.globalAlpha = 1;
  paper.drawImage(source.resource as HTMLCanvasElement, x, y, width, height, 0, 0, width, height);
  const [wide, high] = isLarge ? [0.34, 0.34] : [0.2, 0.3];
  const ratio = (from: number, to: number): number => {
    const [left, top] = [Math.round(width * 0.04), Math.round(height * from)];
    const { data } = paper.getImageData(
      left,
      top,
      Math.round(width * wide) - left,
      Math.round(height * to) - top,
    );
    const lights = Array.from(
      { length: data.length / 4 },
      (_, i) =>
        0.2126 * LIGHT[data[4 * i]!]! + 0.7152 * LIGHT[data[4 * i + 1]!]! + 0.0722 * LIGHT[data[4 * i + 2]!]!,
    ).sort((a, b) => b - a);
    // The paper, and the darker half of what is no paper: the rest is its edge.
    const ground = lights[Math.floor(lights.length * 0.1)]!;
    const ink = lights.filter((light) => (ground + 0.05) / (light + 0.05) > 1.3);
    return ink.length < 8 ? 1 : (ground + 0.05) / (ink[Math.floor(ink.length / 2)]! + 0.05);
  };
  return { rank: ratio(0.02, high / 2), suit: ratio(high / 2, high) };
}
