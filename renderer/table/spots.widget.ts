import { type BitmapText, Container, Sprite } from 'pixi.js';
import type { Language } from '../../engine/table/inputs.ts';
import { feltText } from '../texts/i18n.ts';
import type { Art } from './art.ts';
import type { Letters } from './letters.ts';
import { mix } from './pace.ts';
import type { Picture } from './pieces.ts';
import type { Print, Spot } from './table-layout.ts';

const GOLD = 0xf1d79b;
const QUIET = 0xf1e8cf;

/** What is printed for a bet on a seat of that language; null = nothing. */
export type PrintedOdds = (bet: string, language: Language) => string | null;

interface Printed {
  readonly name: BitmapText;
  readonly odds: BitmapText | null;
  readonly light: Sprite | null;
  language: Language;
  /** No chips hide it. */
  printed: boolean;
}

/** What stands in the places of the bets: name and odds in the language of the seat, and lights. */
export class SpotsWidget {
  readonly view = new Container();
  readonly #art: Art;
  readonly #letters: Letters;
  readonly #odds: PrintedOdds;
  readonly #printed = new Map<string, Printed>();
  /** Seat -> the number of the streak whose name its button covers. */
  readonly #covered = new Map<number, number>();

  constructor(art: Art, letters: Letters, odds: PrintedOdds) {
    this.#art = art;
    this.#letters = letters;
    this.#odds = odds;
  }

  show(picture: Picture): void {
    for (const piece of picture.spots) {
      const spot = this.#art.table.seats[piece.seat - 1]?.spots.find((each) => each.bet === piece.bet);
      if (spot === undefined) continue;
      const key = `${piece.seat}/${piece.bet}`;
      const printed = this.#printed.get(key) ?? this.#print(key, spot, piece.language);
      if (printed.language !== piece.language) {
        printed.language = piece.language;
        this.#say(printed, spot);
      }
      printed.printed = piece.printed;
      this.#see(printed, piece.seat, piece.bet);
      if (printed.light !== null) printed.light.visible = piece.lit;
    }
  }

  /** The streak's button of a seat has come to lie on a number, or on none. */
  cover(seat: number, number: number | null): void {
    if ((this.#covered.get(seat) ?? null) === number) return;
    if (number === null) this.#covered.delete(seat);
    else this.#covered.set(seat, number);
    for (const { bet } of this.#art.table.seats[seat - 1]?.spots ?? []) {
      const printed = this.#printed.get(`${seat}/${bet}`);
      if (printed !== undefined) this.#see(printed, seat, bet);
    }
  }

  /** What is printed for these is not seen: something lies over a part. */
  leaveOut(keys: ReadonlySet<string>): void {
    for (const [key, { name, odds }] of this.#printed) {
      name.renderable = !keys.has(key);
      if (odds !== null) odds.renderable = name.renderable;
    }
  }

  #see({ name, odds, printed }: Printed, seat: number, bet: string): void {
    name.visible = printed && bet !== `streak${this.#covered.get(seat)}`;
    if (odds !== null) odds.visible = printed;
  }

  #print(key: string, spot: Spot, language: Language): Printed {
    const line = (print: Print, weight: number, tint: number): BitmapText => {
      const made = this.#letters.line('', weight, print.size, tint);
      made.rotation = print.turn;
      made.alpha = 0.95;
      this.view.addChild(made);
      return made;
    };
    const light = spot.kind === 'slot' ? new Sprite({ texture: this.#art.slotLight, anchor: 0.5 }) : null;
    if (light !== null) {
      light.position.set(spot.x, spot.y);
      light.rotation = spot.turn;
      this.view.addChild(light);
    }
    const printed: Printed = {
      name: line(spot.name, 700, GOLD),
      odds: spot.odds === null ? null : line(spot.odds, 600, QUIET),
      light,
      language,
      printed: false,
    };
    this.#say(printed, spot);
    this.#printed.set(key, printed);
    return printed;
  }

  #say({ name, odds, language }: Printed, spot: Spot): void {
    name.position.set(spot.name.x, spot.name.y);
    if (odds === null || spot.odds === null) {
      this.#letters.choose(name, namesOf(spot.bet, language), spot.name.room);
      return;
    }
    const pays = this.#odds(spot.bet, language) ?? '';
    // the second price of a signed side takes a line of its own
    const parts = pays.split(' · ');
    const alone = isSigned(spot, language) && parts.length === 1;
    const names = isSigned(spot, language) ? [parts[0]!] : namesOf(spot.bet, language);
    this.#letters.choose(name, alone ? [] : names, spot.name.room);
    // that better hands pay more stands in the panel, where it has no room here
    const price = isSigned(spot, language) ? parts.at(-1)! : pays;
    this.#letters.choose(odds, [price, price.replace(/\+$/, '')], spot.odds.room);
    // in a narrow cell it stays below the sign
    const isLarge = alone && spot.odds.room === spot.name.room;
    if (isLarge) odds.scale.set(Math.min(1.25, spot.odds.room / odds.width));
    const up = isLarge ? 0.5 : 0;
    odds.position.set(mix(spot.odds.x, spot.name.x, up), mix(spot.odds.y, spot.name.y, up));
  }
}

/** The Chinese sign of a side of baccarat is painted large on its band. */
const isSigned = ({ bet }: Spot, language: Language): boolean =>
  language === 'zh-Hant' && (bet === 'player' || bet === 'banker');

/** In full, and shorter for a place that is narrow. */
const namesOf = (bet: string, language: Language): readonly string[] => {
  const t = feltText(language);
  // codes come over the wire as plain strings; one without a print shows itself
  const name = t(`spot.${bet}` as never, { defaultValue: bet });
  const short = t(`short.${bet}` as never, { defaultValue: name });
  return [name, short, t(`shortest.${bet}` as never, { defaultValue: short })];
};
