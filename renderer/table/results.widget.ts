import { Container, Sprite } from 'pixi.js';
import type { Art } from './art.ts';
import type { CardsWidget } from './cards.widget.ts';
import { emsOf } from './chips.ts';
import { type Box, overlap, type Point } from './geometry.ts';
import type { Letters } from './letters.ts';
import { easeOut, linear, type Motion } from './motion.ts';
import { type Change, LIGHT_MS, mix, RIBBON_MS } from './pace.ts';
import type { Picture } from './pieces.ts';
import { ENDS, SignWidget } from './sign.widget.ts';
import { RIBBON } from './table-layout.ts';

/** Totals beside the cards and results under the boxes. */
export class ResultsWidget {
  readonly badges = new Container();
  readonly ribbons = new Container();
  /** Below the chips: the light of a big win. */
  readonly lights = new Container();
  readonly #art: Art;
  readonly #letters: Letters;
  readonly #motion: Motion;
  readonly #cards: CardsWidget;
  readonly #badges = new Map<string, SignWidget>();
  readonly #ribbons = new Map<number, SignWidget>();
  readonly #rays = new Map<number, Sprite>();
  /** Of each result, where it lies. */
  readonly #boxes = new Map<number, Box>();
  #covers: readonly Box[] = [];
  #leftOut: ReadonlySet<number> = new Set();
  #picture: Picture | null = null;

  constructor(art: Art, letters: Letters, motion: Motion, cards: CardsWidget) {
    this.#art = art;
    this.#letters = letters;
    this.#motion = motion;
    this.#cards = cards;
  }

  /**
   * `landed`: in how many milliseconds the last new card of an owner lies; its total waits for
   * that.
   */
  showTotals(picture: Picture, change: Change, landed: ReadonlyMap<number, number>): void {
    this.#picture = picture;
    const owners = new Set([
      ...picture.cards.map((piece) => piece.owner),
      ...[...this.#badges.keys()].map((key) => Number(key.split('/')[0])),
    ]);
    for (const owner of owners) {
      const ms = landed.get(owner);
      if (change.animate && ms !== undefined) {
        this.#motion.start(`total/${owner}`, {
          delayMs: ms,
          durationMs: 0,
          done: () => this.#setTotals(owner),
        });
        this.#awaitTotals(picture, owner);
      } else if (!this.#motion.has(`total/${owner}`)) this.#setTotals(owner);
    }
    if (!change.animate) return;
    // a badge of a hand that is gone goes at once
    const held = new Set(picture.badges.map((badge) => badge.key));
    for (const [key, badge] of this.#badges) {
      if (held.has(key)) continue;
      badge.destroy();
      this.#badges.delete(key);
    }
  }

  /**
   * Until the new card lies, the old total goes along with its hand, or out of sight where a split
   * made two of it.
   */
  #awaitTotals(picture: Picture, owner: number): void {
    for (const spec of picture.badges) {
      const badge = this.#badges.get(spec.key);
      if (spec.owner !== owner || badge === undefined) continue;
      if (badge.size !== spec.height) badge.view.visible = false;
      else badge.view.position.set(spec.at.x, spec.at.y);
    }
  }

  /** Totals and dimming of one owner, as the present picture has them. */
  #setTotals(owner: number): void {
    const picture = this.#picture!;
    this.#cards.setDim(owner);
    const wanted = picture.badges.filter((badge) => badge.owner === owner);
    const seen = !this.#leftOut.has(owner);
    for (const [key, badge] of this.#badges) {
      if (!key.startsWith(`${owner}/`) || wanted.some((each) => each.key === key)) continue;
      badge.destroy();
      this.#badges.delete(key);
    }
    for (const spec of wanted) {
      let badge = this.#badges.get(spec.key);
      if (badge === undefined) {
        badge = new SignWidget(this.#art, this.#letters);
        this.#badges.set(spec.key, badge);
        this.badges.addChild(badge.view);
      }
      badge.view.visible = true;
      badge.view.renderable = seen;
      badge.view.position.set(spec.at.x, spec.at.y);
      badge.show({
        width: spec.width,
        height: spec.height,
        font: spec.font,
        tone: spec.tone,
        parts: [spec.text],
      });
    }
  }

  /** Totals of these owners are not seen. */
  leaveOut(owners: ReadonlySet<number>): void {
    this.#leftOut = owners;
    for (const [key, { view }] of this.#badges) view.renderable = !owners.has(Number(key.split('/')[0]));
  }

  /** `moneyMs`: in how many milliseconds a seat's money is there; its result is announced then. */
  showRibbons(picture: Picture, change: Change, moneyMs: ReadonlyMap<number, number>): void {
    const u = this.#art.table.unit;
    const wanted = new Map(picture.ribbons.map((ribbon) => [ribbon.seat, ribbon]));
    for (const seat of this.#rays.keys()) if (!change.animate || !wanted.has(seat)) this.#darken(seat);
    for (const [seat, ribbon] of this.#ribbons) {
      if (wanted.has(seat)) continue;
      this.#motion.stop(`ribbon/${seat}`);
      ribbon.destroy();
      this.#ribbons.delete(seat);
      this.#boxes.delete(seat);
    }
    for (const [seat, spec] of wanted) {
      let ribbon = this.#ribbons.get(seat);
      const fresh = ribbon === undefined;
      if (ribbon === undefined) {
        ribbon = new SignWidget(this.#art, this.#letters);
        this.#ribbons.set(seat, ribbon);
        this.ribbons.addChild(ribbon.view);
      }
      const { view } = ribbon;
      const font = 22 * u;
      const height = RIBBON * u;
      const widthOf = (...parts: readonly string[]): number =>
        parts.reduce((sum, part) => sum + (emsOf(part) + 0.5) * font, height * ENDS);
      const parts = [spec.amount, spec.word].filter((part) => part !== '');
      // the word stands in the panel, too
      if (widthOf(...parts) > spec.width) parts.splice(1);
      const width = Math.min(spec.width, widthOf(...parts));
      ribbon.show({ width, height, font, tone: spec.tone, parts });
      view.position.set(spec.at.x, spec.at.y);
      this.#boxes.set(seat, { x: spec.at.x - width / 2, y: spec.at.y - height / 2, width, height });
      if (!change.animate) view.alpha = 1;
      else if (fresh) {
        view.alpha = 0;
        this.#motion.start(`ribbon/${seat}`, {
          delayMs: moneyMs.get(seat) ?? 0,
          durationMs: RIBBON_MS,
          step: (p) => {
            view.alpha = p;
            view.y = spec.at.y + (change.fade ? 0 : (1 - p) * 8 * u);
          },
        });
        if (spec.light !== null) this.#light(spec.light, seat, change, moneyMs.get(seat) ?? 0);
      }
    }
    this.#uncover();
  }

  /** What the page lays over the cloth; true: a result has come or gone for it. */
  cover(boxes: readonly Box[]): boolean {
    this.#covers = boxes;
    return this.#uncover();
  }

  /** A result that a risen panel lies over is left out as a whole: the panel says it, too. */
  #uncover(): boolean {
    let changed = false;
    for (const [seat, { view }] of this.#ribbons) {
      const visible = !this.#covers.some((cover) => overlap(cover, this.#boxes.get(seat)!));
      changed ||= view.visible !== visible;
      view.visible = visible;
    }
    return changed;
  }

  /**
   * Rays open behind the chips and are gone; the ribbon says what they are about. With reduced
   * motion they only glow.
   */
  #light(at: Point, seat: number, change: Change, delayMs: number): void {
    const durationMs = LIGHT_MS * change.hurry(seat);
    if (durationMs === 0) return;
    const rays = new Sprite({ texture: this.#art.winLight, anchor: 0.5, alpha: 0 });
    rays.position.set(at.x, at.y);
    this.lights.addChild(rays);
    this.#rays.set(seat, rays);
    this.#motion.start(`light/${seat}`, {
      delayMs,
      durationMs,
      ease: linear,
      step: (p) => {
        rays.alpha = Math.sin(Math.PI * p);
        if (change.fade) return;
        rays.scale.set(mix(0.45, 1, easeOut(p)));
        rays.rotation = mix(-0.25, 0.15, p);
      },
      done: () => this.#darken(seat),
    });
  }

  #darken(seat: number): void {
    this.#motion.stop(`light/${seat}`);
    this.#rays.get(seat)?.destroy();
    this.#rays.delete(seat);
  }
}
