/**
 * Everything on the table at one size. `show` takes it from whatever it shows to a picture, by
 * animation or at once; when all movements have ended it sets the picture once more, so that what
 * stands is always exactly the state.
 */
import { type BitmapText, Container, Rectangle, Sprite, Texture } from 'pixi.js';
import type { Art } from './art.ts';
import { AttractWidget } from './attract.widget.ts';
import { ButtonsWidget } from './buttons.widget.ts';
import { CardsWidget } from './cards.widget.ts';
import { ChipsWidget } from './chips.widget.ts';
import { type Cover, leftOut, numberPx } from './covers.ts';
import { FurnitureWidget } from './furniture.widget.ts';
import { type Box, overlap } from './geometry.ts';
import type { Letters } from './letters.ts';
import { MeterWidget } from './meter.widget.ts';
import type { Motion } from './motion.ts';
import { type Change, FADE_MS } from './pace.ts';
import type { Picture } from './pieces.ts';
import { paintLettering } from './print.ts';
import { ResultsWidget } from './results.widget.ts';
import { changesInMs, LAST_MS, RingWidget } from './ring.widget.ts';
import { type PrintedOdds, SpotsWidget } from './spots.widget.ts';
import type { TableLayout } from './table-layout.ts';

const IVORY = 0xf4ebd9;
const GOLD = 0xf1d79b;
/** From one line of the banner to the next. */
const LINE = 33;
/** One more drawing after the end, so that the glow stands as it did before the last seconds. */
const TIMER_SLACK_MS = 200;

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
  readonly #lettering: readonly { readonly view: Sprite; readonly box: Box }[];
  /** What the page lays over the cloth. */
  #covers: readonly Cover[] = [];
  /** What was left out the last time, as one word. */
  #leftOut = '';
  readonly #ringHost: HTMLElement;
  readonly #ringOf = new Map<number, RingWidget>();
  readonly #spots: SpotsWidget;
  readonly #buttons: ButtonsWidget;
  readonly #meter: MeterWidget;
  readonly #furniture: FurnitureWidget;
  readonly #cards: CardsWidget;
  readonly #chips: ChipsWidget;
  readonly #results: ResultsWidget;
  readonly #attract: AttractWidget;
  readonly #flights = new Container();
  readonly #banner = new Container();

  #picture: Picture | null = null;

  /**
   * `rings`: the element over the table that takes the rings; `odds`: what is printed for a bet.
   */
  constructor({
    table,
    art,
    letters,
    motion,
    ground,
    rings,
    odds,
  }: {
    readonly table: TableLayout;
    readonly art: Art;
    readonly letters: Letters;
    readonly motion: Motion;
    readonly ground: Texture;
    readonly rings: HTMLElement;
    readonly odds: PrintedOdds;
  }) {
    this.#table = table;
    this.#ringHost = rings;
    this.#art = art;
    this.#letters = letters;
    this.#motion = motion;

    this.#shade = new Sprite(art.dim);
    this.#shade.setSize(table.width, table.height);
    this.#shade.visible = false;
    this.#turnGlow = new Sprite({ texture: art.turnGlow, anchor: 0.5, visible: false });
    this.#handGlow = new Sprite({ texture: art.handGlow, anchor: 0.5, visible: false });

    this.#numbers = table.seats.map(({ seat, x, y }) => {
      const number = letters.line(String(seat), 700, numberPx(table), GOLD);
      number.position.set(x, y);
      number.alpha = table.form.game === 'baccarat' ? 0.95 : 0.8;
      return number;
    });

    this.#lettering = paintLettering(table, art.resolution).flatMap(({ canvas, boxes }) => {
      const { source } = art.wrap(canvas);
      return boxes.map((box) => {
        const frame = new Rectangle(box.x, box.y, box.width, box.height);
        const view = new Sprite(new Texture({ source, frame }));
        view.position.set(box.x, box.y);
        return { view, box };
      });
    });

    this.#furniture = new FurnitureWidget(art, letters);
    this.#cards = new CardsWidget(art, letters, motion, this.#flights);
    this.#chips = new ChipsWidget(art, letters, motion, this.#flights);
    this.#results = new ResultsWidget(art, letters, motion, this.#cards);
    this.#spots = new SpotsWidget(art, letters, odds);
    this.#buttons = new ButtonsWidget(art, letters, motion, this.#flights, (seat, number) =>
      this.#spots.cover(seat, number),
    );
    this.#attract = new AttractWidget(art, letters, motion);
    this.#meter = new MeterWidget(art, letters, motion);

    this.root.addChild(
      new Sprite(ground),
      ...this.#lettering.map(({ view }) => view),
      this.#shade,
      this.#turnGlow,
      this.#offers,
      ...this.#numbers,
      this.#spots.view,
      this.#furniture.view,
      this.#attract.view,
      this.#meter.view,
      this.#results.lights,
      this.#chips.layer,
      this.#chips.labels,
      this.#buttons.layer,
      this.#handGlow,
      this.#cards.layer,
      this.#results.badges,
      this.#flights,
      this.#results.ribbons,
      this.#banner,
    );
  }

  /** Takes the table to `picture`. Without animation nothing of an earlier movement is left. */
  show(picture: Picture, change: Change): void {
    if (!change.animate) {
      this.#motion.clear();
      this.#cards.land();
      this.#buttons.land();
      for (const child of this.#flights.removeChildren()) child.destroy({ children: true });
    }
    this.#picture = picture;
    this.#furniture.show(picture);
    this.#spots.show(picture);
    this.#meter.show(picture.meterMinor, picture.currency, change);
    this.#showTurn(picture, change);
    const landed = this.#cards.show(picture, change);
    const moneyMs = this.#chips.show(picture, change, landed);
    this.#buttons.show(picture, change, moneyMs);
    this.#results.showTotals(picture, change, landed);
    this.#results.showRibbons(picture, change, moneyMs);
    this.#showBanner(picture);
    this.#attract.show(picture.attract, change);
    this.#leaveOut();
  }

  /**
   * Brings what runs by the clock to the host's time. `ringsInMs`: when some ring will look
   * different, null = none runs; `table`: the table itself breathes with the last seconds and must
   * be drawn again; `againMs`: in so many milliseconds it must be for another reason.
   */
  showTime(hostMs: number): {
    readonly ringsInMs: number | null;
    readonly table: boolean;
    readonly againMs: number | null;
  } {
    const rings = this.#picture?.rings ?? [];
    for (const ring of rings) this.#ringOf.get(ring.seat)?.show(ring.kind, ring.atMs - hostMs, ring.totalMs);
    const turn = rings.find((ring) => ring.kind === 'turn');
    const leftMs = turn === undefined ? Number.POSITIVE_INFINITY : turn.atMs - hostMs;
    if (!this.#motion.has('turn')) {
      const breath =
        leftMs > 0 && leftMs <= LAST_MS ? 0.7 + 0.3 * Math.cos((leftMs / 1000) * 2 * Math.PI) : 1;
      this.#turnGlow.alpha = breath;
    }
    return {
      ringsInMs: rings
        .filter((ring) => ring.atMs > hostMs)
        .reduce<number | null>((least, { atMs, totalMs }) => {
          const ms = changesInMs(atMs - hostMs, totalMs);
          return least === null ? ms : Math.min(least, ms);
        }, null),
      table: leftMs > -TIMER_SLACK_MS && leftMs <= LAST_MS,
      againMs: this.#attract.showTime(hostMs),
    };
  }

  destroy(): void {
    for (const ring of this.#ringOf.values()) ring.destroy();
    this.root.destroy({ children: true });
  }

  #showBanner(picture: Picture): void {
    for (const child of this.#banner.removeChildren()) child.destroy({ children: true });
    const { banner } = picture;
    this.#showLettering();
    this.#shade.visible = banner !== null;
    if (banner === null) return;
    this.#shade.alpha = banner.tone === 'hold' ? 0.5 : 0.42;
    const { x, y, width, height } = this.#bannerBox();
    const u = this.#table.unit;
    const pad = 18 * u;
    const plate = new Sprite(banner.tone === 'hold' ? this.#art.holdBanner : this.#art.closedBanner);
    plate.position.set(x - pad, y - pad);
    const title = this.#letters.line(banner.titles.join(' · '), 700, 26 * u, 0xfff1d6);
    // each language its own line: together they were too small to read
    const reasons = banner.reasons.map((reason) => this.#letters.line(reason, 500, 22 * u, IVORY));
    const lines = [title, ...reasons];
    const first = y + height / 2 - ((lines.length - 1) * LINE * u) / 2;
    for (const [i, line] of lines.entries()) {
      line.position.set(x + width / 2, first + i * LINE * u);
      this.#letters.fit(line, width - 28 * u);
    }
    this.#banner.addChild(plate, ...lines);
  }

  /** What the page lays over the cloth; true: the cloth looks different for it. */
  cover(covers: readonly Cover[]): boolean {
    this.#covers = covers;
    if (this.#picture?.banner) this.#showBanner(this.#picture);
    const results = this.#results.cover(covers);
    const left = this.#leaveOut();
    return this.#showLettering() || results || left || this.#picture?.banner != null;
  }

  /** True: something has come or gone. */
  #leaveOut(): boolean {
    if (this.#picture === null) return false;
    const before = this.#leftOut;
    const left = leftOut(this.#picture, this.#table, this.#covers);
    const { seats, stacks, labels, prints, numbers, signs } = left;
    this.#leftOut = Object.values(left)
      .map((keys) => [...keys].join())
      .join(';');
    this.#cards.leaveOut(seats);
    this.#results.leaveOut(seats);
    this.#chips.leaveOut(stacks, labels);
    this.#spots.leaveOut(prints);
    this.#furniture.leaveOut(signs);
    for (const [i, number] of this.#numbers.entries()) number.renderable = !numbers.has(i + 1);
    for (const [seat, ring] of this.#ringOf) ring.hidden = seats.has(seat);
    this.#handGlow.renderable = !seats.has(this.#picture.turn?.seat ?? 0);
    return this.#leftOut !== before;
  }

  /** Below what the dealer has opened over its place. */
  #bannerBox(): Box {
    const { banner, unit: u } = this.#table;
    const opened = this.#covers.filter((box) => box.y < banner.y && overlap(box, banner));
    return { ...banner, y: Math.max(banner.y, ...opened.map((box) => box.y + box.height + 6 * u)) };
  }

  /** Lettering that something lies over is left out as a whole: nobody reads half a word. */
  #showLettering(): boolean {
    const covers = this.#picture?.banner ? [...this.#covers, this.#bannerBox()] : this.#covers;
    let changed = false;
    for (const { view, box } of this.#lettering) {
      const visible = !covers.some((cover) => overlap(cover, box));
      changed ||= view.visible !== visible;
      view.visible = visible;
    }
    return changed;
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
    // split hands have their stakes where the ring would run
    const ringed = new Set(
      picture.rings.map((ring) => ring.seat).filter((no) => !(picture.turn?.seat === no && hand !== null)),
    );
    for (const [seatNo, ring] of this.#ringOf) {
      if (ringed.has(seatNo)) continue;
      ring.destroy();
      this.#ringOf.delete(seatNo);
    }
    for (const seatNo of ringed) {
      const place = this.#table.seats[seatNo - 1];
      if (place === undefined || this.#ringOf.has(seatNo)) continue;
      this.#ringOf.set(seatNo, new RingWidget(this.#ringHost, this.#table, place, this.#art.resolution));
    }
  }
}
