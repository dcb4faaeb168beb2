import { type BitmapText, Container, Sprite } from 'pixi.js';
import { FELT_LANGUAGES } from '../../engine/rules/home.ts';
import { feltText } from '../texts/i18n.ts';
import type { Art } from './art.ts';
import { shoeTrough } from './art-shoe.ts';
import { type TableSign, UNDER } from './covers.ts';
import type { Point } from './geometry.ts';
import type { Letters } from './letters.ts';
import type { Picture } from './pieces.ts';
import { printedLine } from './print.ts';
import { shoeSideOf } from './seating.ts';

const QUIET = 0xcfc3a4;
const BRIGHT_GOLD = 0xf1d79b;

/** What belongs to the table and not to the game: tray, shoe, signs for limits and round. */
export class FurnitureWidget {
  readonly view = new Container();
  readonly #art: Art;
  readonly #letters: Letters;
  readonly #trayStack = new Container();
  readonly #nextCard: Sprite;
  readonly #pack: Sprite;
  readonly #weight: Sprite;
  readonly #endCard: Sprite;
  readonly #roundSign = new Container();
  readonly #texts: Record<'tray' | 'shoe' | 'limitsTitle' | 'limits' | 'round' | 'roundSecond', BitmapText>;
  #layers = -1;

  constructor(art: Art, letters: Letters) {
    this.#art = art;
    this.#letters = letters;
    const { table } = art;
    const u = table.unit;
    const { mouth } = table.shoe;
    this.#nextCard = new Sprite({ texture: art.back, anchor: 0.5 });
    this.#nextCard.position.set(mouth.x, mouth.y);
    this.#nextCard.rotation = mouth.turn;
    this.#nextCard.scale.set(mouth.scale);
    // drawn with its mouth to the left, and turned over as a whole where it stands at the left
    const shoeMiddle = table.shoe.x + table.shoe.width / 2;
    const source = new Container();
    source.pivot.x = shoeMiddle;
    source.x = shoeMiddle;
    source.scale.x = shoeSideOf(table.form.dealerSide);
    const shoe = new Sprite(art.shoe);
    shoe.position.set(table.shoe.x - 20 * u, table.shoe.y - 20 * u);
    const trough = shoeTrough(table);
    this.#pack = new Sprite(art.pack);
    this.#pack.position.set(trough.x, trough.y);
    this.#weight = new Sprite(art.weight);
    this.#weight.position.set(trough.x, trough.y);

    this.#endCard = new Sprite({ texture: art.endCard, anchor: 0.5, visible: false });
    this.#endCard.position.set(table.tray.endCard.x, table.tray.endCard.y);
    this.#endCard.rotation = 0.12;
    this.#endCard.scale.set(0.5);

    const under = (x: number, y: number): Point => ({ x, y });
    const sign = (text: string, weight: number, size: number, tint: number, at: Point): BitmapText => {
      const line = letters.line(text, weight, size * u, tint);
      line.position.set(at.x, at.y);
      return line;
    };
    const { tray, limits, round } = table;
    const mid = { limits: limits.x + limits.width / 2, round: round.width / 2 };
    this.#texts = {
      tray: sign('', 500, 22, QUIET, under(tray.x + tray.width / 2, tray.y + tray.height + UNDER * u)),
      shoe: sign(
        '',
        500,
        22,
        QUIET,
        under(table.shoe.x + table.shoe.width / 2, table.shoe.y + table.shoe.height + UNDER * u),
      ),
      limitsTitle: sign('', 500, 22, QUIET, under(mid.limits, limits.y + limits.height / 2 - 14 * u)),
      limits: sign('', 700, 22, BRIGHT_GOLD, under(mid.limits, limits.y + limits.height / 2 + 13 * u)),
      round: sign('', 700, 22, BRIGHT_GOLD, under(mid.round, round.height / 2 - 14 * u)),
      roundSecond: sign('', 500, 22, QUIET, under(mid.round, round.height / 2 + 13 * u)),
    };
    this.#roundSign.position.set(round.x, round.y);

    source.addChild(shoe, this.#pack, this.#weight);
    this.view.addChild(
      this.#trayStack,
      this.#endCard,
      this.#nextCard,
      source,
      this.#roundSign,
      this.#texts.tray,
      this.#texts.shoe,
      this.#texts.limitsTitle,
      this.#texts.limits,
    );
  }

  /** Words that something lies over in part: nobody reads half of them. */
  leaveOut(signs: ReadonlySet<TableSign>): void {
    const { tray, shoe, limits, limitsTitle } = this.#texts;
    tray.renderable = !signs.has('tray');
    shoe.renderable = !signs.has('shoe');
    limits.renderable = limitsTitle.renderable = !signs.has('limits');
    this.#roundSign.renderable = !signs.has('round');
  }

  show(picture: Picture): void {
    const { shoe } = picture;
    const { form } = this.#art.table;
    const text = (key: 'discard' | 'source.shoe' | 'source.shuffler' | 'limits'): string =>
      printedLine(form, (t) => t(key));
    this.#letters.set(
      this.#texts.tray,
      picture.discarded === 0 ? text('discard') : `${text('discard')} ${picture.discarded}`,
    );
    const { shuffler } = form;
    const source = text(`source.${shuffler ? 'shuffler' : 'shoe'}`);
    this.#letters.set(
      this.#texts.shoe,
      // what a machine holds changes with every card it takes back
      shoe.total === 0 || shuffler ? source : `${source} ${shoe.remaining} / ${shoe.total}`,
    );
    this.#letters.choose(
      this.#texts.limitsTitle,
      // the leading language alone where the sign is narrow
      [text('limits'), feltText(FELT_LANGUAGES[form.home][0]!)('limits')],
      this.#art.table.limits.width - 22 * this.#art.table.unit,
    );
    this.#letters.set(this.#texts.limits, picture.limits);
    this.#letters.fit(this.#texts.limits, this.#art.table.limits.width - 10 * this.#art.table.unit);

    this.#nextCard.visible = shoe.remaining > 0;
    const share = shoe.total === 0 ? 0 : shoe.remaining / shoe.total;
    const trough = shoeTrough(this.#art.table);
    const room = trough.width - 14 * this.#art.table.unit;
    this.#endCard.visible = shoe.endCard;
    this.#pack.visible = share > 0 && !shuffler;
    this.#weight.visible = !shuffler;
    if (share > 0) this.#pack.setSize(Math.max(2, room * share), trough.height);
    this.#weight.x = trough.x + room * share;

    const layers = picture.discarded === 0 ? 0 : Math.min(15, 1 + Math.floor(picture.discarded / 20));
    if (layers !== this.#layers) {
      this.#layers = layers;
      const u = this.#art.table.unit;
      const { top } = this.#art.table.tray;
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
      if (child !== this.#texts.round && child !== this.#texts.roundSecond) child.destroy();
    }
    if (picture.round !== null) {
      const { no, last, demo } = picture.round;
      const pad = 18 * this.#art.table.unit;
      const plate = new Sprite(last || demo ? this.#art.lastRoundSign : this.#art.roundSign);
      plate.position.set(-pad, -pad);
      const [first, second] = FELT_LANGUAGES[form.home].map((language) => {
        const t = feltText(language);
        return demo ? t('demo') : last ? t('lastRound') : t('round', { no });
      });
      const { width, height } = this.#art.table.round;
      const room = width - 10 * this.#art.table.unit;
      this.#letters.set(this.#texts.round, first!);
      this.#letters.fit(this.#texts.round, room);
      // one language alone stands in the middle
      this.#texts.round.y = height / 2 - (second === undefined ? 0 : 14) * this.#art.table.unit;
      this.#letters.set(this.#texts.roundSecond, second ?? '');
      if (second !== undefined) this.#letters.fit(this.#texts.roundSecond, room);
      this.#texts.round.tint = last || demo ? 0xfff1d6 : BRIGHT_GOLD;
      this.#texts.roundSecond.tint = last || demo ? 0xf8dcc0 : QUIET;
      this.#roundSign.addChild(plate, this.#texts.round, this.#texts.roundSecond);
    }
  }
}
