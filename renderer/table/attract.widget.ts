import { type BitmapText, Container, Sprite } from 'pixi.js';
import { cardOf } from '../../engine/core/cards.ts';
import { allLanguages, feltText } from '../texts/i18n.ts';
import type { Art } from './art.ts';
import { onArc } from './geometry.ts';
import type { Letters } from './letters.ts';
import { easeInOut, type Motion } from './motion.ts';
import { type Change, FADE_MS, mix } from './pace.ts';

/** How often the spread is turned over, how long the wave takes, and each card in it. */
const PERIOD_MS = 30_000;
const WAVE_MS = 1_600;
const CARD_SHARE = 0.22;
/**
 * Between two pictures of the wave: whoever watches an empty table gets twenty-five a second, not
 * sixty.
 */
const WAVE_FRAME_MS = 40;
const DECK = 52;

/**
 * What an empty table shows between sessions: a deck spread along the cloth, as dealers lay it out
 * while they wait, and a welcome. Every half minute a wave turns it over. A function of the host's
 * time alone; between two waves nothing is painted.
 */
export class AttractWidget {
  readonly view = new Container();
  readonly #art: Art;
  readonly #letters: Letters;
  readonly #motion: Motion;
  readonly #cards: Sprite[] = [];
  #welcome: BitmapText | null = null;
  #on = false;
  #still = false;

  constructor(art: Art, letters: Letters, motion: Motion) {
    this.#art = art;
    this.#letters = letters;
    this.#motion = motion;
    this.view.visible = false;
  }

  show(on: boolean, change: Change): void {
    // with reduced motion there is no wave
    this.#still = change.fade;
    if (on && this.#welcome === null) this.#lay();
    if (on === this.#on && change.animate) return;
    this.#on = on;
    const set = (): void => {
      this.#motion.stop('attract');
      this.view.visible = on;
      this.view.alpha = 1;
    };
    if (!change.animate) return set();
    const from = this.view.visible ? this.view.alpha : 0;
    this.view.visible = true;
    this.#motion.start('attract', {
      durationMs: FADE_MS,
      step: (p) => {
        this.view.alpha = mix(from, on ? 1 : 0, p);
      },
      done: set,
    });
  }

  /**
   * Brings the spread to the host's time. Returns in how many milliseconds it changes next, null =
   * not by itself.
   */
  showTime(hostMs: number): number | null {
    if (!this.view.visible) return null;
    const turns = this.#still ? 0 : Math.floor(hostMs / PERIOD_MS);
    // the wave is the end of a period
    const passedMs = this.#still ? 0 : hostMs - turns * PERIOD_MS - (PERIOD_MS - WAVE_MS);
    const { scale } = this.#art.table.spread;
    for (const [i, card] of this.#cards.entries()) {
      const begins = (i / DECK) * (1 - CARD_SHARE);
      const p = easeInOut(Math.min(1, Math.max(0, (passedMs / WAVE_MS - begins) / CARD_SHARE)));
      const up = (turns + (p >= 0.5 ? 1 : 0)) % 2 === 0;
      const texture = this.#art.face(up ? cardOf(Math.floor(i / 13), i % 13) : null);
      if (card.texture !== texture) card.texture = texture;
      card.scale.set(scale * Math.max(0.02, Math.abs(1 - 2 * p)), scale);
    }
    if (this.#still) return null;
    return passedMs < 0 ? -passedMs : WAVE_FRAME_MS;
  }

  #lay(): void {
    const { spread, unit: u } = this.#art.table;
    for (let i = 0; i < DECK; i++) {
      const angle = spread.half * ((2 * i) / (DECK - 1) - 1);
      const at = onArc(spread.arc, angle);
      const shadow = new Sprite({ texture: this.#art.cardShadow, anchor: 0.5, alpha: 0.3 });
      const card = new Sprite({ texture: this.#art.back, anchor: 0.5 });
      for (const sprite of [shadow, card]) {
        sprite.position.set(at.x, at.y);
        sprite.rotation = -angle;
        sprite.scale.set(spread.scale);
      }
      this.#cards.push(card);
      this.view.addChild(shadow, card);
    }
    this.#welcome = this.#letters.line(
      allLanguages()
        .map((language) => feltText(language)('welcome'))
        .join(' · '),
      700,
      23 * u,
      0xf1d79b,
    );
    this.#welcome.position.set(spread.welcome.x, spread.welcome.y);
    this.view.addChild(this.#welcome);
  }
}
