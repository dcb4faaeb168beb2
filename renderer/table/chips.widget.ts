import { Container } from 'pixi.js';
import type { Art } from './art.ts';
import { emsOf } from './chips.ts';
import { middleOf, type Point } from './geometry.ts';
import type { Letters } from './letters.ts';
import { easeOut, type Motion } from './motion.ts';
import { along, CHIP_MS, type Change, MONEY_APART_MS, MOVE_MS, mix } from './pace.ts';
import type { Picture, StackPiece } from './pieces.ts';
import { ENDS, SignWidget } from './sign.widget.ts';
import { StackWidget } from './stack.widget.ts';

/** Height of the letters of an amount. */
const LETTERS = 22;

interface LiveStack {
  readonly widget: StackWidget;
  readonly label: SignWidget;
  piece: StackPiece;
  /** Gone from the picture; its chips wait for their turn to be taken. */
  leaving: boolean;
}

/**
 * All chips on the table: pushed from a panel, taken by the bank, paid by it, drawn back to the
 * panel.
 */
export class ChipsWidget {
  readonly layer = new Container();
  readonly labels = new Container();
  readonly #art: Art;
  readonly #letters: Letters;
  readonly #motion: Motion;
  readonly #flights: Container;
  readonly #float: Point;
  readonly #stacks = new Map<string, LiveStack>();
  #leftOut: ReadonlySet<string> = new Set();
  #unnamed: ReadonlySet<string> = new Set();
  #nextFlight = 1;

  constructor(art: Art, letters: Letters, motion: Motion, flights: Container) {
    this.#art = art;
    this.#letters = letters;
    this.#motion = motion;
    this.#flights = flights;
    this.#float = middleOf(art.table.float);
  }

  /** Returns, per seat, in how many milliseconds its money has arrived. */
  show(picture: Picture, change: Change, landed: ReadonlyMap<number, number>): Map<number, number> {
    const moneyMs = new Map<number, number>();
    const wait = Math.max(0, ...landed.values());
    // whose bet stays is said with the others, after the last card
    for (const { seat } of picture.ribbons) moneyMs.set(seat, wait);
    const next = new Map(picture.stacks.map((piece) => [piece.key, piece]));
    let turn = 0;
    // collect first, in the order of the seats
    for (const [key, live] of [...this.#stacks].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const piece = next.get(key);
      if (live.leaving && piece === undefined && change.animate) continue;
      const less = live.piece.amountMinor - (piece?.amountMinor ?? 0);
      const { owner, bettor } = live.piece;
      if (less > 0 && change.animate && !change.fade) {
        const panel = change.toPanel(owner);
        const delayMs = panel ? 0 : wait + turn++ * MONEY_APART_MS;
        const to = panel ? this.#art.table.seats[bettor - 1]!.panel : this.#float;
        live.leaving = piece === undefined;
        const flightMs = CHIP_MS * change.hurry(bettor);
        this.#fly(live.piece, less, live.piece.at, to, live.piece.scale, delayMs, flightMs, {
          begin: () => {
            if (this.#stacks.get(key) !== live) return;
            if (live.leaving) this.#drop(key, live);
            else this.#set(live);
          },
        });
        moneyMs.set(owner, Math.max(moneyMs.get(owner) ?? 0, delayMs + flightMs));
      } else if (piece === undefined) this.#drop(key, live);
    }
    // then pay
    for (const piece of picture.stacks) {
      const live = this.#stacks.get(piece.key) ?? this.#add(piece);
      const more = piece.amountMinor - live.piece.amountMinor;
      const fromBank = piece.from === 'bank' || piece.label?.tone === 'won';
      const fresh = live.widget.amount === 0 && more === 0;
      const moved =
        live.piece.at.x !== piece.at.x || live.piece.at.y !== piece.at.y || live.piece.scale !== piece.scale;
      live.piece = piece;
      live.leaving = false;
      if (!change.animate || change.fade) {
        this.#set(live);
        continue;
      }
      if (moved) this.#move(live);
      const due = fresh ? piece.amountMinor : more;
      if (due > 0) {
        const delayMs = fromBank ? wait + turn++ * MONEY_APART_MS : 0;
        const from = fromBank ? this.#float : this.#art.table.seats[piece.bettor - 1]!.panel;
        const flightMs = CHIP_MS * change.hurry(piece.bettor);
        this.#fly(piece, due, from, piece.at, piece.scale, delayMs, flightMs, {
          done: () => {
            if (this.#stacks.get(piece.key) === live) this.#set(live);
          },
        });
        moneyMs.set(piece.owner, Math.max(moneyMs.get(piece.owner) ?? 0, delayMs + flightMs));
      } else if (live.widget.amount === piece.amountMinor) this.#label(live);
    }
    return moneyMs;
  }

  /** Stacks of these keys are not seen where they stand, or their amounts; what flies is. */
  leaveOut(keys: ReadonlySet<string>, labels: ReadonlySet<string>): void {
    this.#leftOut = keys;
    this.#unnamed = labels;
    for (const live of this.#stacks.values()) this.#see(live);
  }

  #see({ piece, widget, label }: LiveStack): void {
    widget.view.renderable = !this.#leftOut.has(piece.key);
    label.view.renderable = widget.view.renderable && !this.#unnamed.has(piece.key);
  }

  #add(piece: StackPiece): LiveStack {
    const live: LiveStack = {
      widget: new StackWidget(this.#art, 0),
      label: new SignWidget(this.#art, this.#letters),
      piece,
      leaving: false,
    };
    live.widget.view.position.set(piece.at.x, piece.at.y);
    live.widget.view.scale.set(piece.scale);
    this.#stacks.set(piece.key, live);
    this.layer.addChild(live.widget.view);
    this.labels.addChild(live.label.view);
    return live;
  }

  #drop(key: string, live: LiveStack): void {
    this.#motion.stop(`stack/${key}`);
    live.widget.destroy();
    live.label.destroy();
    this.#stacks.delete(key);
  }

  #set(live: LiveStack): void {
    this.#motion.stop(`stack/${live.piece.key}`);
    live.widget.view.position.set(live.piece.at.x, live.piece.at.y);
    live.widget.view.scale.set(live.piece.scale);
    live.widget.amount = live.piece.amountMinor;
    this.#label(live);
  }

  #move(live: LiveStack): void {
    const { view } = live.widget;
    const from = { x: view.x, y: view.y, scale: view.scale.x };
    const to = live.piece;
    // the amount goes along, also where it waits for chips that are still to be taken
    const label = live.label.view;
    const beside = { x: label.x - view.x, y: label.y - view.y };
    this.#motion.start(`stack/${to.key}`, {
      durationMs: MOVE_MS,
      step: (p) => {
        view.position.set(mix(from.x, to.at.x, p), mix(from.y, to.at.y, p));
        view.scale.set(mix(from.scale, to.scale, p));
        label.position.set(view.x + beside.x, view.y + beside.y);
      },
      done: () => {
        if (live.widget.amount === live.piece.amountMinor) this.#label(live);
      },
    });
  }

  #label(live: LiveStack): void {
    const { label } = live.piece;
    live.label.view.visible = false;
    if (label === null) return;
    const u = this.#art.table.unit;
    const font = LETTERS * u;
    const height = (label.room < 80 * u ? 24 : 28) * u;
    const widthOf = (text: string): number => emsOf(text) * font + height * ENDS;
    const text = label.texts.find((each) => widthOf(each) <= label.room);
    live.label.view.visible = text !== undefined;
    if (text === undefined) return;
    const width = Math.min(label.room, Math.max(36 * u, widthOf(text) + 4 * u));
    live.label.view.position.set(label.at.x, label.at.y);
    live.label.show({ width, height, font, tone: label.tone, parts: [text] });
  }

  #fly(
    piece: StackPiece,
    amountMinor: number,
    from: Point,
    to: Point,
    scale: number,
    delayMs: number,
    durationMs: number,
    on: { begin?: () => void; done?: () => void },
  ): void {
    const flight = new StackWidget(this.#art, amountMinor);
    const { view } = flight;
    view.visible = false;
    view.scale.set(scale);
    this.#flights.addChild(view);
    this.#motion.start(`flight/${piece.key}/${this.#nextFlight++}`, {
      delayMs,
      durationMs,
      ease: easeOut,
      step: (p) => {
        if (!view.visible) on.begin?.();
        view.visible = true;
        const at = along(from, to, p, from.x < to.x ? -0.06 : 0.06);
        view.position.set(at.x, at.y - Math.sin(Math.PI * p) * 8 * this.#art.table.unit);
      },
      done: () => {
        flight.destroy();
        on.done?.();
      },
    });
  }
}
