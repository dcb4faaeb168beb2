import { Container, type Texture } from 'pixi.js';
import type { Card } from '../../engine/core/cards.ts';
import type { Art } from './art.ts';
import { CardWidget, type Pose } from './card.widget.ts';
import type { Placement } from './geometry.ts';
import type { Letters } from './letters.ts';
import { easeInOut, linear, type Motion } from './motion.ts';
import {
  along,
  bowOf,
  CARD_MS,
  type Change,
  DEAL_APART_MS,
  FADE_MS,
  FLIP_AT_MS,
  FLIP_MS,
  MOVE_MS,
  mix,
  PEEL_MS,
} from './pace.ts';
import { matchCards } from './picture.ts';
import type { CardPiece, Owner, Picture } from './pieces.ts';
import { SignWidget } from './sign.widget.ts';

interface LiveCard {
  readonly id: number;
  readonly widget: CardWidget;
  piece: CardPiece;
  /** Motion's time at which it lies open. */
  opensAtMs: number;
  /** The number of who peels it. */
  peeler: SignWidget | null;
}

const samePlace = (a: Placement, b: Placement): boolean =>
  a.x === b.x && a.y === b.y && a.turn === b.turn && a.scale === b.scale;

/**
 * All cards on the table: dealt from the shoe, turned over, moved to another hand, collected into
 * the tray.
 */
export class CardsWidget {
  readonly layer = new Container({ sortableChildren: true });
  readonly #art: Art;
  readonly #motion: Motion;
  readonly #flights: Container;
  readonly #letters: Letters;
  readonly #held = new Map<string, LiveCard>();
  #leftOut: ReadonlySet<number> = new Set();
  #nextId = 1;

  /** `flights` holds what is in the air, above everything that lies. */
  constructor(art: Art, letters: Letters, motion: Motion, flights: Container) {
    this.#art = art;
    this.#letters = letters;
    this.#motion = motion;
    this.#flights = flights;
  }

  /** Puts cards that are in the air down, before the air is cleared. */
  land(): void {
    for (const live of this.#held.values()) this.#putDown(live);
  }

  /** Cards of these owners are not seen where they lie; what flies is. */
  leaveOut(owners: ReadonlySet<number>): void {
    this.#leftOut = owners;
    for (const live of this.#held.values()) if (live.widget.view.parent === this.layer) this.#putDown(live);
  }

  #putDown({ piece, widget: { view } }: LiveCard): void {
    view.renderable = !this.#leftOut.has(piece.owner);
    if (view.parent !== this.layer) this.layer.addChild(view);
  }

  #pickUp({ widget: { view } }: LiveCard): void {
    view.renderable = true;
    this.#flights.addChild(view);
  }

  /** Greys out what the picture dims, for the cards of one owner. */
  setDim(owner: Owner): void {
    for (const { piece, widget } of this.#held.values()) if (piece.owner === owner) widget.dim = piece.dim;
  }

  /** Returns, per owner, in how many milliseconds the last of its new cards lies. */
  show(picture: Picture, change: Change): Map<number, number> {
    const landed = new Map<number, number>();
    const matched = matchCards(
      [...this.#held.values()].map((live) => live.piece),
      picture.cards,
    );
    const before = new Map(this.#held);
    this.#held.clear();
    let dealt = 0;
    // the bank is served after the last seat (art. 5.1)
    const order = [
      ...picture.cards.filter((c) => c.owner > 0),
      ...picture.cards.filter((c) => c.owner === 0),
    ];
    for (const [z, piece] of order.entries()) {
      const from = matched.get(piece.slot);
      let live = from === undefined ? undefined : before.get(from);
      if (live !== undefined) {
        before.delete(from!);
        this.#move(live, piece, change);
      } else {
        live = {
          id: this.#nextId++,
          widget: new CardWidget(this.#art, this.#art.back),
          piece,
          opensAtMs: 0,
          peeler: null,
        };
        this.#deal(live, change, dealt++ * DEAL_APART_MS);
        if (change.animate) landed.set(piece.owner, landed.get(piece.owner) ?? 0);
      }
      const ms = live.opensAtMs - this.#motion.nowMs;
      if (change.animate && ms > 0) landed.set(piece.owner, Math.max(landed.get(piece.owner) ?? 0, ms));
      live.widget.view.zIndex = z;
      this.#held.set(piece.slot, live);
    }
    for (const live of before.values()) this.#collect(live, change);
    return landed;
  }

  #faceOf(piece: CardPiece): Texture {
    return this.#art.face(piece.faceUp ? piece.card : null);
  }

  #lay(live: LiveCard): void {
    this.#motion.stop(`card/${live.id}`);
    this.#motion.stop(`flip/${live.id}`);
    this.#endPeel(live);
    live.opensAtMs = 0;
    live.widget.view.alpha = 1;
    live.widget.endTurn();
    live.widget.face = this.#faceOf(live.piece);
    live.widget.place(live.piece.place, 0);
    this.#putDown(live);
  }

  #deal(live: LiveCard, change: Change, delayMs: number): void {
    const { piece, widget } = live;
    const hurry = change.hurry(piece.owner);
    if (!change.animate || hurry === 0) return this.#lay(live);
    if (change.fade) {
      this.#lay(live);
      live.opensAtMs = this.#motion.nowMs + FADE_MS;
      widget.view.alpha = 0;
      this.#motion.start(`card/${live.id}`, {
        durationMs: FADE_MS,
        step: (p) => {
          widget.view.alpha = p;
        },
      });
      return;
    }
    this.#pickUp(live);
    widget.view.alpha = 0;
    const mouth = this.#art.table.shoe.mouth;
    widget.place(mouth, 0);
    this.#travel(live, mouth, delayMs, CARD_MS * hurry, 0.12);
    live.opensAtMs = this.#motion.nowMs + delayMs + CARD_MS * hurry;
    if (!piece.faceUp) return;
    // the card is the bank's, the time for it that of who peels it
    const peelMs = piece.peeledBy === undefined ? 0 : PEEL_MS * change.hurry(piece.peeledBy);
    if (piece.peeledBy !== undefined && piece.card !== null && peelMs > 0)
      this.#peel(live, piece.card, piece.peeledBy, delayMs + CARD_MS * hurry, peelMs);
    else this.#flip(live, delayMs + FLIP_AT_MS * hurry, hurry);
  }

  /**
   * Takes the place of the turn: under its name, so that whatever ends a turn ends this as well.
   */
  #peel(live: LiveCard, card: Card, seat: number, delayMs: number, durationMs: number): void {
    const u = this.#art.table.unit;
    live.opensAtMs = this.#motion.nowMs + delayMs + durationMs;
    this.#motion.start(`flip/${live.id}`, {
      delayMs,
      durationMs,
      ease: linear,
      step: (p) => {
        if (live.peeler === null) {
          const { x, y } = live.piece.place;
          live.peeler = new SignWidget(this.#art, this.#letters);
          live.peeler.view.position.set(x, y - 78 * u);
          live.peeler.show({
            width: 40 * u,
            height: 34 * u,
            font: 22 * u,
            tone: 'natural',
            parts: [`${seat}`],
          });
          this.#flights.addChild(live.peeler.view);
        }
        live.widget.place(live.piece.place, 0.25 * Math.sin(Math.PI * p));
        live.widget.peel(card, p);
      },
      done: () => this.#lay(live),
    });
  }

  #endPeel(live: LiveCard): void {
    live.widget.endPeel();
    live.peeler?.destroy();
    live.peeler = null;
  }

  /** From where it is to where its piece lies, over a shallow curve, lifted on the way. */
  #travel(live: LiveCard, from: Pose, delayMs: number, durationMs: number, bow: number): void {
    const { widget } = live;
    const to = live.piece.place;
    const side = bowOf(this.#art.table, from, to, bow);
    this.#motion.start(`card/${live.id}`, {
      delayMs,
      durationMs,
      step: (p) => {
        widget.view.alpha = 1;
        const at = along(from, to, p, side);
        const lift = Math.sin(Math.PI * Math.min(1, p));
        widget.place({ ...at, turn: mix(from.turn, to.turn, p), scale: mix(from.scale, to.scale, p) }, lift);
      },
      done: () => {
        if (this.#motion.has(`flip/${live.id}`)) widget.place(live.piece.place, 0);
        else this.#lay(live);
      },
    });
  }

  #flip(live: LiveCard, delayMs: number, hurry: number): void {
    const { widget } = live;
    this.#motion.start(`flip/${live.id}`, {
      delayMs,
      durationMs: FLIP_MS * hurry,
      ease: easeInOut,
      step: (p) => {
        widget.turnOver(p);
        if (p >= 0.5) widget.face = this.#faceOf(live.piece);
      },
      done: () => {
        if (!this.#motion.has(`card/${live.id}`)) this.#lay(live);
      },
    });
  }

  #move(live: LiveCard, piece: CardPiece, change: Change): void {
    const turned = live.piece.faceUp !== piece.faceUp || live.piece.card !== piece.card;
    const moved = !samePlace(live.piece.place, piece.place);
    live.piece = piece;
    const hurry = change.hurry(piece.owner);
    if (!change.animate || change.fade || hurry === 0) return this.#lay(live);
    if (moved) {
      const pose = live.widget.pose;
      this.#travel(live, pose, 0, MOVE_MS * hurry, 0);
    }
    if (turned) this.#flip(live, 0, hurry);
  }

  #collect(live: LiveCard, change: Change): void {
    const { widget } = live;
    const away = (): void => widget.destroy();
    const hurry = change.hurry(live.piece.owner);
    this.#motion.stop(`flip/${live.id}`);
    this.#endPeel(live);
    if (!change.animate || hurry === 0) {
      this.#motion.stop(`card/${live.id}`);
      return away();
    }
    this.#pickUp(live);
    if (change.fade) {
      this.#motion.start(`card/${live.id}`, {
        durationMs: FADE_MS,
        step: (p) => {
          widget.view.alpha = 1 - p;
        },
        done: away,
      });
      return;
    }
    const from = widget.pose;
    const to = this.#art.table.tray.top;
    const bow = bowOf(this.#art.table, from, to, 0.08);
    this.#motion.start(`card/${live.id}`, {
      delayMs: live.piece.owner * 30,
      durationMs: CARD_MS * hurry,
      ease: easeInOut,
      step: (p) => {
        const at = along(from, to, p, bow);
        widget.place(
          { ...at, turn: mix(from.turn, to.turn, p), scale: mix(from.scale, to.scale, p) },
          Math.sin(Math.PI * p),
        );
        widget.turnOver(Math.min(1, p * 1.4));
        if (p * 1.4 >= 0.5) widget.face = this.#art.back;
      },
      done: away,
    });
  }
}
