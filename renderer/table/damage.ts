/**
 * Which part of the table a frame changes. On a processor painting pixels is nearly all that a
 * frame costs, and of a card that flies or a chip that is pushed most of the table knows nothing.
 */
import { type CanvasRenderer, type Container, Matrix, Sprite, ViewContainer } from 'pixi.js';

/** Letters reach out of their lines, and a turned edge into the next pixel. */
const MARGIN = 4;
/** A frame that changes more than this share is painted whole. */
const MOST = 0.7;

/** A box that grows. */
class Box {
  left = 0;
  top = 0;
  right = 0;
  bottom = 0;

  clear(): void {
    this.left = this.top = Number.POSITIVE_INFINITY;
    this.right = this.bottom = Number.NEGATIVE_INFINITY;
  }

  add(x: number, y: number): void {
    if (x < this.left) this.left = x;
    if (x > this.right) this.right = x;
    if (y < this.top) this.top = y;
    if (y > this.bottom) this.bottom = y;
  }

  addBox({ left, top, right, bottom }: Box): void {
    this.add(left, top);
    this.add(right, bottom);
  }
}

/**
 * How a leaf of the scene was painted the last time. Kept and written over: there are hundreds,
 * sixty times a second.
 */
class Painted {
  readonly box = new Box();
  readonly #at = new Matrix();
  #alpha = Number.NaN;
  #tint = 0;
  #what: unknown = null;
  #bounds = [0, 0, 0, 0];
  /** Its place in the order of painting, and the number of the frame. */
  order = -1;
  frame = -1;

  /** Whether it is not as it was. */
  take(leaf: ViewContainer, at: Matrix, alpha: number): boolean {
    const { minX, minY, maxX, maxY } = leaf.bounds;
    const what = leaf instanceof Sprite ? leaf.texture.uid : (leaf as unknown as { text: string }).text;
    const [x0, y0, x1, y1] = this.#bounds;
    if (
      this.#at.equals(at) &&
      this.#alpha === alpha &&
      this.#tint === leaf.tint &&
      this.#what === what &&
      x0 === minX &&
      y0 === minY &&
      x1 === maxX &&
      y1 === maxY
    )
      return false;
    this.#at.copyFrom(at);
    this.#alpha = alpha;
    this.#tint = leaf.tint;
    this.#what = what;
    this.#bounds = [minX, minY, maxX, maxY];
    const { a, b, c, d, tx, ty } = at;
    this.box.clear();
    this.box.add(a * minX + c * minY + tx, b * minX + d * minY + ty);
    this.box.add(a * maxX + c * minY + tx, b * maxX + d * minY + ty);
    this.box.add(a * minX + c * maxY + tx, b * minX + d * maxY + ty);
    this.box.add(a * maxX + c * maxY + tx, b * maxX + d * maxY + ty);
    return true;
  }
}

/** Paints a scene onto a canvas, of every frame only the box around what is not as it was. */
export class CanvasPainter {
  readonly #pixi: CanvasRenderer;
  readonly #painted = new Map<ViewContainer, Painted>();
  readonly #changed = new Box();
  /** One matrix for each depth of the scene. */
  readonly #matrices: Matrix[] = [new Matrix()];
  #root: Container | null = null;
  #frame = 0;
  #met = 0;
  /** The latest place, in the frame before, of what this frame has met. */
  #latest = -1;

  constructor(pixi: CanvasRenderer) {
    this.#pixi = pixi;
  }

  /**
   * What is on the canvas does not count: the next frame is painted whole, as that of another scene
   * is.
   */
  forget(): void {
    this.#root = null;
  }

  render(root: Container): void {
    const whole = this.#root !== root;
    this.#root = root;
    this.#look(root);
    const scale = this.#pixi.resolution;
    const width = this.#pixi.screen.width * scale;
    const height = this.#pixi.screen.height * scale;
    const left = Math.max(0, Math.floor((this.#changed.left - MARGIN) * scale));
    const top = Math.max(0, Math.floor((this.#changed.top - MARGIN) * scale));
    const wide = Math.min(width, Math.ceil((this.#changed.right + MARGIN) * scale)) - left;
    const high = Math.min(height, Math.ceil((this.#changed.bottom + MARGIN) * scale)) - top;
    if (whole || wide * high > MOST * width * height) {
      this.#pixi.render(root);
      return;
    }
    if (!(wide > 0 && high > 0)) return;
    const ink = this.#pixi.canvasContext.rootContext;
    ink.save();
    ink.setTransform(1, 0, 0, 1, 0, 0);
    ink.beginPath();
    ink.rect(left, top, wide, high);
    ink.clip();
    this.#pixi.render(root);
    ink.restore();
  }

  /** Measures the box around everything that is new, gone or other than it was painted. */
  #look(root: Container): void {
    this.#changed.clear();
    this.#frame++;
    this.#met = 0;
    this.#latest = -1;
    this.#walk(root, 0, 1);
    if (this.#painted.size === this.#met) return;
    for (const [leaf, { frame, box }] of this.#painted) {
      if (frame === this.#frame) continue;
      this.#changed.addBox(box);
      this.#painted.delete(leaf);
    }
  }

  #walk(node: Container, depth: number, parentAlpha: number): void {
    if (!node.visible || !node.renderable) return;
    node.updateLocalTransform();
    const at = this.#matrices[depth + 1] ?? new Matrix();
    this.#matrices[depth + 1] = at;
    at.copyFrom(this.#matrices[depth]!).append(node.localTransform);
    const alpha = parentAlpha * node.alpha;
    if (node instanceof ViewContainer) this.#leaf(node, at, alpha);
    if (node.sortDirty) node.sortChildren();
    for (const child of node.children) this.#walk(child, depth + 1, alpha);
  }

  #leaf(leaf: ViewContainer, at: Matrix, alpha: number): void {
    let painted = this.#painted.get(leaf);
    const isNew = painted === undefined;
    if (painted === undefined) {
      painted = new Painted();
      this.#painted.set(leaf, painted);
    }
    // of two that lie in another order than before, one comes after what it came before
    const inOrder = painted.order > this.#latest;
    this.#latest = Math.max(this.#latest, painted.order);
    painted.order = this.#met++;
    painted.frame = this.#frame;
    const { left, top, right, bottom } = painted.box;
    const changed = painted.take(leaf, at, alpha);
    if (!changed && inOrder) return;
    if (!isNew) {
      this.#changed.add(left, top);
      this.#changed.add(right, bottom);
    }
    this.#changed.addBox(painted.box);
  }
}
