/**
 * Everything on the table at one size. `show` takes it from whatever it shows to a picture, by animation or at once;
 * when all movements have ended it sets the picture once more, so that what stands is always exactly the state.
 */
import { type BitmapText, Container, Sprite, type Texture } from 'pixi.js';
import { feltText } from '../i18n.ts';
import { easeInOut, easeOut, type Motion } from '../motion/motion.ts';
import { type Art, shoeTrough } from './art.ts';
import { CardWidget, type Pose } from './card.widget.ts';
import type { Placement, Point, TableLayout } from './layout.ts';
import type { Letters } from './letters.ts';
import { type CardPiece, matchCards, type Picture, type StackPiece } from './picture.ts';
import { LAST_MS, RingWidget } from './ring.widget.ts';
import { SignWidget } from './sign.widget.ts';
import { StackWidget } from './stack.widget.ts';

const CARD_MS = 320;
const FLIP_MS = 180;
const FLIP_AT_MS = 170;
const DEAL_APART_MS = 120;
const CHIP_MS = 240;
const MONEY_APART_MS = 120;
const RIBBON_MS = 200;
const MOVE_MS = 220;
const FADE_MS = 200;

const QUIET = 0xcfc3a4;
const IVORY = 0xf4ebd9;
const BRIGHT_GOLD = 0xf1d79b;
const GOLD = 0xd9b36c;

interface LiveCard {
  readonly id: number;
  readonly widget: CardWidget;
  piece: CardPiece;
}
interface LiveStack {
  readonly widget: StackWidget;
  readonly label: SignWidget;
  piece: StackPiece;
  /** Gone from the picture; its chips wait for their turn to be taken. */
  leaving: boolean;
}

export interface Change {
  readonly animate: boolean;
  /** Replace every travel by a fade. */
  readonly fade: boolean;
  /** Chips of this seat that leave the table go back to its panel, else to the bank. */
  readonly toPanel: (seat: number) => boolean;
}

/** A point on a shallow curve from `a` to `b`; positive `bow` bends to the left of the way. */
function along(a: Point, b: Point, t: number, bow: number): Point {
  const mx = (a.x + b.x) / 2 - (b.y - a.y) * bow;
  const my = (a.y + b.y) / 2 + (b.x - a.x) * bow;
  const k = 1 - t;
  return { x: k * k * a.x + 2 * k * t * mx + t * t * b.x, y: k * k * a.y + 2 * k * t * my + t * t * b.y };
}
const mix = (a: number, b: number, t: number): number => a + (b - a) * t;
const samePlace = (a: Placement, b: Placement): boolean =>
  a.x === b.x && a.y === b.y && a.turn === b.turn && a.scale === b.scale;

export class Board {
  readonly root = new Container();
  readonly #table: TableLayout;
  readonly #art: Art;
  readonly #letters: Letters;
  readonly #motion: Motion;

  readonly #shade: Sprite;
  readonly #turnGlow: Sprite;
  readonly #handGlow: Sprite;
  readonly #offers = new Container();
  readonly #numbers: readonly BitmapText[];
  readonly #rings = new Container();
  readonly #ringOf = new Map<number, RingWidget>();
  readonly #trayStack = new Container();
  readonly #nextCard: Sprite;
  readonly #pack: Sprite;
  readonly #weight: Sprite;
  readonly #stacksLayer = new Container();
  readonly #labelsLayer = new Container();
  readonly #cardsLayer = new Container({ sortableChildren: true });
  readonly #badgesLayer = new Container();
  readonly #flights = new Container();
  readonly #ribbonsLayer = new Container();
  readonly #banner = new Container();
  readonly #roundSign = new Container();

  readonly #cards = new Map<string, LiveCard>();
  readonly #stacks = new Map<string, LiveStack>();
  readonly #badges = new Map<string, SignWidget>();
  readonly #ribbons = new Map<number, SignWidget>();
  readonly #texts: Record<'tray' | 'shoe' | 'limitsTitle' | 'limits' | 'round' | 'roundPt', BitmapText>;

  #picture: Picture | null = null;
  #nextId = 1;
  #layers = -1;

  constructor(table: TableLayout, art: Art, letters: Letters, motion: Motion, ground: Texture) {
    this.#table = table;
    this.#art = art;
    this.#letters = letters;
    this.#motion = motion;
    const u = table.unit;

    this.#shade = new Sprite(art.dim);
    this.#shade.setSize(table.width, table.height);
    this.#shade.visible = false;
    this.#turnGlow = new Sprite({ texture: art.turnGlow, anchor: 0.5, visible: false });
    this.#handGlow = new Sprite({ texture: art.handGlow, anchor: 0.5, visible: false });

    const { mouth } = table.shoe;
    this.#nextCard = new Sprite({ texture: art.back, anchor: 0.5 });
    this.#nextCard.position.set(mouth.x, mouth.y);
    this.#nextCard.rotation = mouth.turn;
    this.#nextCard.scale.set(mouth.scale);
    const shoe = new Sprite(art.shoe);
    shoe.position.set(table.shoe.x - 20 * u, table.shoe.y - 20 * u);
    const trough = shoeTrough(table);
    this.#pack = new Sprite(art.pack);
    this.#pack.position.set(trough.x, trough.y);
    this.#weight = new Sprite(art.weight);
    this.#weight.position.set(trough.x, trough.y);

    this.#numbers = table.seats.map(({ seat, x, y }) => {
      const number = letters.line(String(seat), 700, 38 * u, GOLD);
      number.position.set(x, y);
      number.alpha = 0.68;
      return number;
    });

    const under = (x: number, y: number): Point => ({ x, y });
    const sign = (text: string, weight: number, size: number, tint: number, at: Point): BitmapText => {
      const line = letters.line(text, weight, size * u, tint);
      line.position.set(at.x, at.y);
      return line;
    };
    const { tray, limits, round } = table;
    const mid = { limits: limits.x + limits.width / 2, round: round.width / 2 };
    this.#texts = {
      tray: sign('', 500, 18, QUIET, under(tray.x + tray.width / 2, tray.y + tray.height + 20 * u)),
      shoe: sign(
        '',
        500,
        18,
        QUIET,
        under(table.shoe.x + table.shoe.width / 2, table.shoe.y + table.shoe.height + 20 * u),
      ),
      limitsTitle: sign('', 500, 15.5, QUIET, under(mid.limits, limits.y + limits.height * 0.31)),
      limits: sign('', 700, 21, BRIGHT_GOLD, under(mid.limits, limits.y + limits.height * 0.66)),
      round: sign('', 700, 21, BRIGHT_GOLD, under(mid.round, round.height * 0.34)),
      roundPt: sign('', 500, 16, QUIET, under(mid.round, round.height * 0.69)),
    };
    this.#roundSign.position.set(round.x, round.y);

    this.root.addChild(
      new Sprite(ground),
      this.#shade,
      this.#turnGlow,
      this.#offers,
      ...this.#numbers,
      this.#rings,
      this.#trayStack,
      this.#nextCard,
      shoe,
      this.#pack,
      this.#weight,
      this.#roundSign,
      this.#texts.tray,
      this.#texts.shoe,
      this.#texts.limitsTitle,
      this.#texts.limits,
      this.#stacksLayer,
      this.#labelsLayer,
      this.#handGlow,
      this.#cardsLayer,
      this.#badgesLayer,
      this.#flights,
      this.#ribbonsLayer,
      this.#banner,
    );
  }

  /** Takes the table to `picture`. Without animation nothing of an earlier movement is left. */
  show(picture: Picture, change: Change): void {
    if (!change.animate) {
      this.#motion.clear();
      for (const child of this.#flights.removeChildren()) child.destroy({ children: true });
    }
    this.#picture = picture;
    this.#showFurniture(picture);
    this.#showTurn(picture, change);
    const landed = this.#showCards(picture, change);
    const moneyMs = this.#showStacks(picture, change, landed);
    this.#showTotals(picture, change, landed);
    this.#showRibbons(picture, change, moneyMs);
    this.#showBanner(picture);
  }

  /** Brings rings to the host's time. True while something depends on the time that passes. */
  showTime(hostMs: number): boolean {
    const rings = this.#picture?.rings ?? [];
    for (const ring of rings) this.#ringOf.get(ring.seat)?.show(ring.kind, ring.atMs - hostMs, ring.totalMs);
    const turn = rings.find((ring) => ring.kind === 'turn');
    const leftMs = turn === undefined ? Number.POSITIVE_INFINITY : turn.atMs - hostMs;
    if (!this.#motion.has('turn')) {
      const breath =
        leftMs > 0 && leftMs <= LAST_MS ? 0.7 + 0.3 * Math.cos((leftMs / 1000) * 2 * Math.PI) : 1;
      this.#turnGlow.alpha = breath;
    }
    return rings.some((ring) => ring.atMs > hostMs);
  }

  destroy(): void {
    for (const ring of this.#ringOf.values()) ring.destroy();
    this.root.destroy({ children: true });
  }

  // ---- what stands beside the game ----

  #showFurniture(picture: Picture): void {
    const { shoe } = picture;
    const text = (key: 'discard' | 'shoe' | 'limits'): string =>
      `${feltText('zh-Hant')(key)} · ${feltText('pt')(key)}`;
    this.#letters.set(
      this.#texts.tray,
      picture.discarded === 0 ? text('discard') : `${text('discard')} ${picture.discarded}`,
    );
    this.#letters.set(
      this.#texts.shoe,
      shoe.total === 0 ? text('shoe') : `${text('shoe')} ${shoe.remaining} / ${shoe.total}`,
    );
    this.#letters.set(this.#texts.limitsTitle, text('limits'));
    this.#letters.set(this.#texts.limits, `${picture.limits.currency} ${picture.limits.range}`);
    this.#letters.fit(this.#texts.limits, this.#table.limits.width - 20 * this.#table.unit);

    this.#nextCard.visible = shoe.remaining > 0;
    const share = shoe.total === 0 ? 0 : shoe.remaining / shoe.total;
    const trough = shoeTrough(this.#table);
    const room = trough.width - 14 * this.#table.unit;
    this.#pack.visible = share > 0;
    if (share > 0) this.#pack.setSize(Math.max(2, room * share), trough.height);
    this.#weight.x = trough.x + room * share;

    const layers = picture.discarded === 0 ? 0 : Math.min(15, 1 + Math.floor(picture.discarded / 20));
    if (layers !== this.#layers) {
      this.#layers = layers;
      const u = this.#table.unit;
      const { top } = this.#table.tray;
      for (const child of this.#trayStack.removeChildren()) child.destroy();
      for (let i = 0; i < layers; i++) {
        const card = new Sprite({ texture: i === 0 ? this.#art.cardShadow : this.#art.back, anchor: 0.5 });
        if (i > 0 || layers === 1) card.texture = this.#art.back;
        card.position.set(top.x - i * 0.5 * u + layers * 0.25 * u, top.y - i * 1.3 * u + layers * 0.6 * u);
        card.rotation = top.turn + [0.02, -0.03, 0.045, -0.01, 0.03][i % 5]! * 0.5;
        card.scale.set(top.scale);
        if (i < layers - 1) card.tint = 0xbdb6a6;
        this.#trayStack.addChild(card);
      }
    }

    for (const child of this.#roundSign.removeChildren()) {
      if (child !== this.#texts.round && child !== this.#texts.roundPt) child.destroy();
    }
    if (picture.round !== null) {
      const { no, last } = picture.round;
      const pad = 18 * this.#table.unit;
      const plate = new Sprite(last ? this.#art.lastRoundSign : this.#art.roundSign);
      plate.position.set(-pad, -pad);
      this.#letters.set(
        this.#texts.round,
        last ? feltText('zh-Hant')('lastRound') : feltText('zh-Hant')('round', { no }),
      );
      this.#letters.set(
        this.#texts.roundPt,
        last ? feltText('pt')('lastRound') : feltText('pt')('round', { no }),
      );
      this.#texts.round.tint = last ? 0xfff1d6 : BRIGHT_GOLD;
      this.#texts.roundPt.tint = last ? 0xf8dcc0 : QUIET;
      this.#roundSign.addChild(plate, this.#texts.round, this.#texts.roundPt);
    }
  }

  #showBanner(picture: Picture): void {
    for (const child of this.#banner.removeChildren()) child.destroy({ children: true });
    const { banner } = picture;
    this.#shade.visible = banner !== null;
    if (banner === null) return;
    this.#shade.alpha = banner.tone === 'hold' ? 0.5 : 0.42;
    const { x, y, width, height } = this.#table.banner;
    const u = this.#table.unit;
    const pad = 18 * u;
    const plate = new Sprite(banner.tone === 'hold' ? this.#art.holdBanner : this.#art.closedBanner);
    plate.position.set(x - pad, y - pad);
    const told = banner.zh.reason !== '' || banner.pt.reason !== '';
    const title = this.#letters.line(
      `${banner.zh.title} · ${banner.pt.title}`,
      700,
      (told ? 22 : 26) * u,
      0xfff1d6,
    );
    title.position.set(x + width / 2, y + height * (told ? 0.32 : 0.48));
    this.#banner.addChild(plate, title);
    if (told) {
      const line = this.#letters.line(`${banner.zh.reason} ${banner.pt.reason}`, 500, 15.5 * u, IVORY);
      line.position.set(x + width / 2, y + height * 0.71);
      this.#letters.fit(line, width - 36 * u);
      this.#banner.addChild(line);
    }
  }

  #showTurn(picture: Picture, change: Change): void {
    const before = this.#turnGlow.visible ? { x: this.#turnGlow.x, y: this.#turnGlow.y } : null;
    const seat = picture.turn === null ? undefined : this.#table.seats[picture.turn.seat - 1];
    this.#turnGlow.visible = seat !== undefined;
    if (seat !== undefined) {
      this.#turnGlow.position.set(seat.x, seat.y);
      const fresh = before === null || before.x !== seat.x || before.y !== seat.y;
      if (change.animate && fresh) {
        this.#turnGlow.alpha = 0;
        this.#motion.start('turn', {
          durationMs: FADE_MS,
          step: (p) => {
            this.#turnGlow.alpha = p;
          },
        });
      } else if (!this.#motion.has('turn')) this.#turnGlow.alpha = 1;
    }
    for (const [i, number] of this.#numbers.entries()) number.visible = picture.numbers.includes(i + 1);
    const hand = picture.turn?.hand ?? null;
    this.#handGlow.visible = hand !== null;
    if (hand !== null) {
      const room = 5 * this.#table.unit;
      this.#handGlow.position.set(hand.centre.x, hand.centre.y);
      this.#handGlow.scale.set((hand.width + room) / 120, (hand.height + room) / 120);
    }
    for (const child of this.#offers.removeChildren()) child.destroy();
    for (const offered of picture.offered) {
      const at = this.#table.seats[offered - 1]?.insurance;
      if (at === undefined) continue;
      const glow = new Sprite({ texture: this.#art.offerGlow, anchor: 0.5 });
      glow.position.set(at.x, at.y);
      this.#offers.addChild(glow);
    }
    const ringed = new Set(picture.rings.map((ring) => ring.seat));
    for (const [seatNo, ring] of this.#ringOf) {
      if (ringed.has(seatNo)) continue;
      ring.destroy();
      this.#ringOf.delete(seatNo);
    }
    for (const seatNo of ringed) {
      const place = this.#table.seats[seatNo - 1];
      if (place === undefined || this.#ringOf.has(seatNo)) continue;
      const ring = new RingWidget(this.#table, place, this.#art.resolution);
      this.#ringOf.set(seatNo, ring);
      this.#rings.addChild(ring.view);
    }
  }

  // ---- cards ----

  /** Returns, per owner, in how many milliseconds the last of its new cards lies. */
  #showCards(picture: Picture, change: Change): Map<number, number> {
    const landed = new Map<number, number>();
    const matched = matchCards(
      [...this.#cards.values()].map((live) => live.piece),
      picture.cards,
    );
    const before = new Map(this.#cards);
    this.#cards.clear();
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
        this.#moveCard(live, piece, change);
      } else {
        live = { id: this.#nextId++, widget: new CardWidget(this.#art, this.#art.back), piece };
        const delayMs = dealt++ * DEAL_APART_MS;
        this.#dealCard(live, change, delayMs);
        if (change.animate) {
          const ms = change.fade ? FADE_MS : delayMs + CARD_MS;
          landed.set(piece.owner, Math.max(landed.get(piece.owner) ?? 0, ms));
        }
      }
      live.widget.view.zIndex = z;
      this.#cards.set(piece.slot, live);
    }
    for (const live of before.values()) this.#collectCard(live, change);
    return landed;
  }

  #faceOf(piece: CardPiece): Texture {
    return this.#art.face(piece.faceUp ? piece.card : null);
  }

  #layCard(live: LiveCard): void {
    this.#motion.stop(`card/${live.id}`);
    this.#motion.stop(`flip/${live.id}`);
    live.widget.view.alpha = 1;
    live.widget.open = 1;
    live.widget.face = this.#faceOf(live.piece);
    live.widget.place(live.piece.place, 0);
    if (live.widget.view.parent !== this.#cardsLayer) this.#cardsLayer.addChild(live.widget.view);
  }

  #dealCard(live: LiveCard, change: Change, delayMs: number): void {
    const { piece, widget } = live;
    if (!change.animate) return this.#layCard(live);
    if (change.fade) {
      this.#layCard(live);
      widget.view.alpha = 0;
      this.#motion.start(`card/${live.id}`, {
        durationMs: FADE_MS,
        step: (p) => {
          widget.view.alpha = p;
        },
      });
      return;
    }
    this.#flights.addChild(widget.view);
    widget.view.alpha = 0;
    const mouth = this.#table.shoe.mouth;
    this.#travel(live, mouth, delayMs, CARD_MS, 0.12);
    if (piece.faceUp) this.#flip(live, delayMs + FLIP_AT_MS);
  }

  /** From where it is to where its piece lies, over a shallow curve, lifted on the way. */
  #travel(live: LiveCard, from: Pose, delayMs: number, durationMs: number, bow: number): void {
    const { widget } = live;
    const to = live.piece.place;
    const side = from.x > to.x ? bow : -bow;
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
        else this.#layCard(live);
      },
    });
  }

  #flip(live: LiveCard, delayMs: number): void {
    const { widget } = live;
    this.#motion.start(`flip/${live.id}`, {
      delayMs,
      durationMs: FLIP_MS,
      ease: easeInOut,
      step: (p) => {
        widget.open = Math.max(0.02, Math.abs(1 - 2 * p));
        if (p >= 0.5) widget.face = this.#faceOf(live.piece);
      },
      done: () => {
        if (!this.#motion.has(`card/${live.id}`)) this.#layCard(live);
      },
    });
  }

  #moveCard(live: LiveCard, piece: CardPiece, change: Change): void {
    const turned = live.piece.faceUp !== piece.faceUp || live.piece.card !== piece.card;
    const moved = !samePlace(live.piece.place, piece.place);
    live.piece = piece;
    if (!change.animate || change.fade) return this.#layCard(live);
    if (moved) {
      const pose = live.widget.pose;
      this.#travel(live, pose, 0, MOVE_MS, 0);
    }
    if (turned) this.#flip(live, 0);
  }

  #collectCard(live: LiveCard, change: Change): void {
    const { widget } = live;
    const away = (): void => {
      this.#motion.stop(`flip/${live.id}`);
      widget.destroy();
    };
    this.#motion.stop(`flip/${live.id}`);
    if (!change.animate) {
      this.#motion.stop(`card/${live.id}`);
      return away();
    }
    this.#flights.addChild(widget.view);
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
    const to = this.#table.tray.top;
    this.#motion.start(`card/${live.id}`, {
      delayMs: live.piece.owner * 30,
      durationMs: CARD_MS,
      ease: easeInOut,
      step: (p) => {
        const at = along(from, to, p, 0.08);
        widget.place(
          { ...at, turn: mix(from.turn, to.turn, p), scale: mix(from.scale, to.scale, p) },
          Math.sin(Math.PI * p),
        );
        widget.open = Math.max(0.02, Math.abs(1 - 2 * Math.min(1, p * 1.4)));
        if (p * 1.4 >= 0.5) widget.face = this.#art.back;
      },
      done: away,
    });
  }

  // ---- chips ----

  /** Returns, per seat, in how many milliseconds its money has arrived. */
  #showStacks(picture: Picture, change: Change, landed: ReadonlyMap<number, number>): Map<number, number> {
    const moneyMs = new Map<number, number>();
    const wait = Math.max(0, ...landed.values());
    // whose bet stays is told with the others, after the last card
    for (const { seat } of picture.ribbons) moneyMs.set(seat, wait);
    const next = new Map(picture.stacks.map((piece) => [piece.key, piece]));
    let turn = 0;
    // collect first, in the order of the seats
    for (const [key, live] of [...this.#stacks].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const piece = next.get(key);
      if (live.leaving && piece === undefined && change.animate) continue;
      const less = live.piece.amountMinor - (piece?.amountMinor ?? 0);
      const { owner } = live.piece;
      if (less > 0 && change.animate && !change.fade) {
        const panel = change.toPanel(owner);
        const delayMs = panel ? 0 : wait + turn++ * MONEY_APART_MS;
        const to = panel ? this.#table.seats[owner - 1]!.panel : this.#table.bank.centre;
        live.leaving = piece === undefined;
        this.#fly(live.piece, less, live.piece.at, to, live.piece.scale, delayMs, {
          begin: () => {
            if (this.#stacks.get(key) !== live) return;
            if (live.leaving) this.#dropStack(key, live);
            else this.#setStack(live);
          },
        });
        moneyMs.set(owner, Math.max(moneyMs.get(owner) ?? 0, delayMs + CHIP_MS));
      } else if (piece === undefined) this.#dropStack(key, live);
    }
    // then pay
    for (const piece of picture.stacks) {
      const live = this.#stacks.get(piece.key) ?? this.#newStack(piece);
      const more = piece.amountMinor - live.piece.amountMinor;
      const fromBank = piece.from === 'bank' || piece.label?.tone === 'won';
      const fresh = live.widget.amount === 0 && more === 0;
      const moved =
        live.piece.at.x !== piece.at.x || live.piece.at.y !== piece.at.y || live.piece.scale !== piece.scale;
      live.piece = piece;
      live.leaving = false;
      if (!change.animate || change.fade) {
        this.#setStack(live);
        continue;
      }
      if (moved) this.#moveStack(live);
      const due = fresh ? piece.amountMinor : more;
      if (due > 0) {
        const delayMs = fromBank ? wait + turn++ * MONEY_APART_MS : 0;
        const from = fromBank ? this.#table.bank.centre : this.#table.seats[piece.owner - 1]!.panel;
        this.#fly(piece, due, from, piece.at, piece.scale, delayMs, {
          done: () => {
            if (this.#stacks.get(piece.key) === live) this.#setStack(live);
          },
        });
        moneyMs.set(piece.owner, Math.max(moneyMs.get(piece.owner) ?? 0, delayMs + CHIP_MS));
      } else if (live.widget.amount === piece.amountMinor) this.#labelStack(live);
    }
    return moneyMs;
  }

  #newStack(piece: StackPiece): LiveStack {
    const live: LiveStack = {
      widget: new StackWidget(this.#art, 0),
      label: new SignWidget(this.#art, this.#letters),
      piece,
      leaving: false,
    };
    live.widget.view.position.set(piece.at.x, piece.at.y);
    live.widget.view.scale.set(piece.scale);
    this.#stacks.set(piece.key, live);
    this.#stacksLayer.addChild(live.widget.view);
    this.#labelsLayer.addChild(live.label.view);
    return live;
  }

  #dropStack(key: string, live: LiveStack): void {
    this.#motion.stop(`stack/${key}`);
    live.widget.destroy();
    live.label.destroy();
    this.#stacks.delete(key);
  }

  #setStack(live: LiveStack): void {
    this.#motion.stop(`stack/${live.piece.key}`);
    live.widget.view.position.set(live.piece.at.x, live.piece.at.y);
    live.widget.view.scale.set(live.piece.scale);
    live.widget.amount = live.piece.amountMinor;
    this.#labelStack(live);
  }

  #moveStack(live: LiveStack): void {
    const { view } = live.widget;
    const from = { x: view.x, y: view.y, scale: view.scale.x };
    const to = live.piece;
    this.#motion.start(`stack/${to.key}`, {
      durationMs: MOVE_MS,
      step: (p) => {
        view.position.set(mix(from.x, to.at.x, p), mix(from.y, to.at.y, p));
        view.scale.set(mix(from.scale, to.scale, p));
      },
    });
  }

  #labelStack(live: LiveStack): void {
    const { label } = live.piece;
    live.label.view.visible = label !== null;
    if (label === null) return;
    const u = this.#table.unit;
    const tight = label.room < 80 * u;
    const font = (label.room < 54 * u ? 13 : tight ? 15.5 : 18) * u;
    const width = Math.min(
      label.room,
      Math.max(tight ? 36 * u : 54 * u, (label.text.length * 0.6 + 1) * font),
    );
    live.label.view.position.set(label.at.x, label.at.y);
    live.label.show({ width, height: (tight ? 22 : 26) * u, font, tone: label.tone, parts: [label.text] });
  }

  #fly(
    piece: StackPiece,
    amountMinor: number,
    from: Point,
    to: Point,
    scale: number,
    delayMs: number,
    on: { begin?: () => void; done?: () => void },
  ): void {
    const flight = new StackWidget(this.#art, amountMinor);
    const { view } = flight;
    view.visible = false;
    view.scale.set(scale);
    this.#flights.addChild(view);
    this.#motion.start(`flight/${piece.key}/${this.#nextId++}`, {
      delayMs,
      durationMs: CHIP_MS,
      ease: easeOut,
      step: (p) => {
        if (!view.visible) on.begin?.();
        view.visible = true;
        const at = along(from, to, p, from.x < to.x ? -0.06 : 0.06);
        view.position.set(at.x, at.y - Math.sin(Math.PI * p) * 8 * this.#table.unit);
      },
      done: () => {
        flight.destroy();
        on.done?.();
      },
    });
  }

  // ---- totals and results ----

  #showTotals(picture: Picture, change: Change, landed: ReadonlyMap<number, number>): void {
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

  /** Until the new card lies, the old total goes along with its hand, or out of sight where a split made two of it. */
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
    for (const live of this.#cards.values()) if (live.piece.owner === owner) live.widget.dim = live.piece.dim;
    const wanted = picture.badges.filter((badge) => badge.owner === owner);
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
        this.#badgesLayer.addChild(badge.view);
      }
      badge.view.visible = true;
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

  #showRibbons(picture: Picture, change: Change, moneyMs: ReadonlyMap<number, number>): void {
    const u = this.#table.unit;
    const wanted = new Map(picture.ribbons.map((ribbon) => [ribbon.seat, ribbon]));
    for (const [seat, ribbon] of this.#ribbons) {
      if (wanted.has(seat)) continue;
      this.#motion.stop(`ribbon/${seat}`);
      ribbon.destroy();
      this.#ribbons.delete(seat);
    }
    for (const [seat, spec] of wanted) {
      let ribbon = this.#ribbons.get(seat);
      const fresh = ribbon === undefined;
      if (ribbon === undefined) {
        ribbon = new SignWidget(this.#art, this.#letters);
        this.#ribbons.set(seat, ribbon);
        this.#ribbonsLayer.addChild(ribbon.view);
      }
      const { view } = ribbon;
      const font = 20 * u;
      const width = Math.min(
        spec.width,
        (ribbonLength(spec.amount) * 0.62 + ribbonLength(spec.word) * 0.52 + 2.6) * font,
      );
      ribbon.show({ width, height: 36 * u, font, tone: spec.tone, parts: [spec.amount, spec.word] });
      view.position.set(spec.at.x, spec.at.y);
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
      }
    }
  }
}

/** Han letters are as wide as they are high, others about half of that. */
const ribbonLength = (text: string): number =>
  [...text].reduce((sum, letter) => sum + (letter.codePointAt(0)! > 0x2e80 ? 1.9 : 1.05), 0);
