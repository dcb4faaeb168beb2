import { type BitmapText, Container } from 'pixi.js';
import { downToStep, minorOfUnits } from '../../engine/core/money.ts';
import { houseLanguage, withCurrency } from '../texts/i18n.ts';
import type { Art } from './art.ts';
import { amountText } from './chips.ts';
import type { Letters } from './letters.ts';
import type { Motion } from './motion.ts';
import { type Change, mix } from './pace.ts';
import { printedLine } from './print.ts';

const LAMP = 0xffc46b;
const GROW_MS = 900;
const A_UNIT = minorOfUnits(1);

/** The lit figure of the progressive jackpot; it counts up to a new amount. */
export class MeterWidget {
  readonly view = new Container();
  readonly #letters: Letters;
  readonly #motion: Motion;
  readonly #room: number;
  readonly #figure: BitmapText | null;
  #shownMinor: number | null = null;

  constructor(art: Art, letters: Letters, motion: Motion) {
    this.#letters = letters;
    this.#motion = motion;
    const { meter, unit: u } = art.table;
    this.#room = (meter?.width ?? 0) - 44 * u;
    if (meter === null) {
      this.#figure = null;
      return;
    }
    const x = meter.x + meter.width / 2;
    const title = letters.line(
      printedLine(art.table.form, (t) => t('jackpot')),
      600,
      22 * u,
      0xfbe9be,
    );
    letters.fit(title, meter.width - 28 * u);
    title.position.set(x, meter.y + 20 * u);
    this.#figure = letters.line('', 800, 36 * u, LAMP);
    this.#figure.position.set(x, meter.y + 36 * u + (meter.height - 46 * u) / 2);
    this.view.addChild(title, this.#figure);
  }

  show(meterMinor: number | null, currency: string, change: Change): void {
    if (this.#figure === null || meterMinor === null) return;
    const from = this.#shownMinor;
    if (from === meterMinor && !this.#motion.has('meter')) return;
    this.#shownMinor = meterMinor;
    const say = (amount: number): void => {
      const line = this.#figure!;
      this.#letters.set(line, withCurrency(amountText(amount, houseLanguage()), currency, houseLanguage()));
      this.#letters.fit(line, this.#room);
    };
    this.#motion.stop('meter');
    if (!change.animate || change.fade || from === null || meterMinor < from) return say(meterMinor);
    this.#motion.start('meter', {
      durationMs: GROW_MS,
      // whole units on the way, the exact amount at the end
      step: (p) => say(p === 1 ? meterMinor : downToStep(Math.floor(mix(from, meterMinor, p)), A_UNIT)),
    });
  }
}
