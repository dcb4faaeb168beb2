import { type BitmapText, Container, Sprite } from 'pixi.js';
import type { Art } from './art.ts';
import type { Letters } from './letters.ts';
import { easeInOut, type Motion } from './motion.ts';
import { along, BUTTON_MS, type Change, FADE_MS } from './pace.ts';
import type { ButtonPiece, Picture } from './pieces.ts';

/** What a button shows that waits. */
const BLANK = '連';

interface LiveButton {
  readonly view: Container;
  readonly figure: BitmapText;
  piece: ButtonPiece;
}

/**
 * The buttons of the winning streaks: from their rack to a seat, from number to number, and back.
 */
export class ButtonsWidget {
  readonly layer = new Container();
  readonly #art: Art;
  readonly #letters: Letters;
  readonly #motion: Motion;
  readonly #flights: Container;
  readonly #covers: (seat: number, number: number | null) => void;
  readonly #held = new Map<number, LiveButton>();

  /**
   * `flights` holds what is in the air; `covers` hears on which number of a seat its button lies,
   * null = on none.
   */
  constructor(
    art: Art,
    letters: Letters,
    motion: Motion,
    flights: Container,
    covers: (seat: number, number: number | null) => void,
  ) {
    this.#art = art;
    this.#letters = letters;
    this.#motion = motion;
    this.#flights = flights;
    this.#covers = covers;
  }

  /** Puts buttons that are in the air down, before the air is cleared. */
  land(): void {
    for (const { view } of this.#held.values()) this.layer.addChild(view);
  }

  /**
   * `moneyMs`: in how many milliseconds a seat's money is there; streaks are settled last of all
   * (art. 13.5.2).
   */
  show(picture: Picture, change: Change, moneyMs: ReadonlyMap<number, number>): void {
    const wanted = new Set(picture.buttons.map(({ seat }) => seat));
    for (const [seat, { view }] of this.#held) {
      if (wanted.has(seat)) continue;
      this.#motion.stop(`button/${seat}`);
      this.#covers(seat, null);
      view.destroy({ children: true });
      this.#held.delete(seat);
    }
    for (const piece of picture.buttons) {
      const live = this.#held.get(piece.seat) ?? this.#add(piece);
      const moved =
        live.piece.number !== piece.number ||
        live.piece.at.x !== piece.at.x ||
        live.piece.at.y !== piece.at.y;
      live.piece = piece;
      const hurry = change.hurry(piece.seat);
      if (!change.animate || hurry === 0) this.#set(live);
      else if (moved && change.fade) this.#fade(live);
      else if (moved) this.#travel(live, moneyMs.get(piece.seat) ?? 0, BUTTON_MS * hurry);
    }
  }

  #add(piece: ButtonPiece): LiveButton {
    const view = new Container();
    const figure = this.#letters.line('', 800, 22 * this.#art.table.unit, 0xfff3df);
    figure.position.set(0, -0.5 * this.#art.table.unit);
    view.addChild(new Sprite({ texture: this.#art.streakButton, anchor: 0.5 }), figure);
    const live = { view, figure, piece };
    this.#held.set(piece.seat, live);
    this.#set(live);
    return live;
  }

  #say({ figure, piece }: LiveButton): void {
    this.#letters.set(figure, piece.number === null ? BLANK : String(piece.number));
  }

  #set(live: LiveButton): void {
    const { view, piece } = live;
    this.#motion.stop(`button/${piece.seat}`);
    this.layer.addChild(view);
    view.alpha = 1;
    view.scale.set(1);
    view.position.set(piece.at.x, piece.at.y);
    this.#say(live);
    this.#covers(piece.seat, piece.number);
  }

  #fade(live: LiveButton): void {
    this.#set(live);
    live.view.alpha = 0;
    this.#motion.start(`button/${live.piece.seat}`, {
      durationMs: FADE_MS,
      step: (p) => {
        live.view.alpha = p;
      },
    });
  }

  #travel(live: LiveButton, delayMs: number, durationMs: number): void {
    const { view } = live;
    let from: { x: number; y: number } | null = null;
    this.#motion.start(`button/${live.piece.seat}`, {
      delayMs,
      durationMs,
      ease: easeInOut,
      step: (p) => {
        if (from === null) {
          from = { x: view.x, y: view.y };
          this.#flights.addChild(view);
          this.#say(live);
          this.#covers(live.piece.seat, null);
        }
        const at = along(from, live.piece.at, p, from.x < live.piece.at.x ? 0.1 : -0.1);
        view.position.set(at.x, at.y);
        view.scale.set(1 + 0.35 * Math.sin(Math.PI * p));
      },
      done: () => this.#set(live),
    });
  }
}
