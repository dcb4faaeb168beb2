/**
 * Somebody who plays by ear: knows where their part of the glass is, the words of their language
 * and what a game's answers are called. They touch, slide and press keys; what they know of the
 * table is what the synthesiser was given to say, where it made a sound of it.
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';
import { until } from '../support/until.ts';

export interface Utterance {
  readonly seat: number;
  readonly language: string;
  readonly text: string;
  /** Undefined: none yet. `sound`: the loudest of it, 0 to 1; null: not for this page to play. */
  answer?: { readonly state: string; readonly seconds: number; readonly sound: number | null };
}

/** The loudest sample of a WAV of 16 bit, 0 to 1. */
export function loudest(wav: Buffer): number {
  const at = wav.indexOf('data') + 8;
  let most = 0;
  for (let i = at; i + 1 < wav.length; i += 2) most = Math.max(most, Math.abs(wav.readInt16LE(i)));
  return most / 32_768;
}

/** Everything this page has had spoken, in order. Before its first request. */
export function listenTo(page: Page): Utterance[] {
  const heard: Utterance[] = [];
  const asked = new Map<string, Utterance>();
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => {
      const message = JSON.parse(String(payload));
      if (message.t !== 'query' || message.query.query !== 'say') return;
      const { seat, language, text } = message.query;
      const utterance: Utterance = { seat, language, text };
      asked.set(message.id, utterance);
      if (text !== '') heard.push(utterance);
    });
    socket.on('framereceived', ({ payload }) => {
      const message = JSON.parse(String(payload));
      const utterance = message.t === 'result' ? asked.get(message.id) : undefined;
      if (!utterance) return;
      const { state, seconds = 0, wav = null } = message.ok ? message.data : { state: message.code };
      const sound = wav === null ? null : loudest(Buffer.from(wav, 'base64'));
      utterance.answer = { state, seconds, sound };
    });
  });
  return heard;
}

export interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A finger hears every button that is at least so large, CSS pixels. */
const STEP = { x: 28, y: 22 };
const HOLD_MS = 2_100;
const EAR_MS = 5;
const CORNER_MS = 60;

export class BlindPlayer {
  readonly heard: Utterance[];
  readonly #seat: number;
  readonly #area: Area;
  readonly #page: Page;
  readonly #hands: CDPSession;

  constructor(page: Page, hands: CDPSession, heard: Utterance[], seat: number, area: Area) {
    this.#page = page;
    this.#hands = hands;
    this.heard = heard;
    this.#seat = seat;
    this.#area = area;
  }

  get #own(): readonly Utterance[] {
    return this.heard.filter(({ seat }) => seat === this.#seat);
  }

  /** How much has been said so far. */
  get said(): number {
    return this.#own.length;
  }

  #last(count: number): string {
    return this.#own
      .slice(-count)
      .map(({ text }) => text)
      .join(' | ');
  }

  /** Of what was heard, the how manyth it was. */
  placeOf(utterance: Utterance): number {
    return this.#own.indexOf(utterance);
  }

  async #touch(type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: Point[]): Promise<void> {
    const touchPoints = points.map(({ x, y }, id) => ({ x, y, id }));
    await this.#hands.send('Input.dispatchTouchEvent', { type, touchPoints });
  }

  /** Begins spoken help, or ends it. */
  async holdTwoFingers(): Promise<void> {
    const { left, right, top, bottom } = this.#area;
    const y = (top + bottom) / 2;
    const [one, other] = [
      { x: left + (right - left) * 0.3, y },
      { x: left + (right - left) * 0.7, y },
    ];
    await this.#touch('touchStart', one);
    await this.#touch('touchStart', one, other);
    await sleep(HOLD_MS);
    await this.#touch('touchEnd');
  }

  /** Waits until something is said, from the `from`th sentence on, with a sound. */
  hear(what: RegExp, from = 0): Promise<Utterance> {
    return until(
      `«${what.source}» is heard`,
      () =>
        this.#own
          .slice(from)
          .find(({ text, answer }) => what.test(text) && answer?.state === 'spoken' && answer.sound !== 0),
      {
        limitMs: 60_000,
        said: () =>
          this.#own
            .slice(-8)
            .map(({ text }) => text)
            .join('\n'),
      },
    );
  }

  /** Slides over the own part of the glass until the name is heard; where that is said. */
  async #find(name: RegExp): Promise<{ readonly point: Point; readonly heard: Utterance }> {
    const { left, right, top, bottom } = this.#area;
    const points: Point[] = [];
    for (let y = top; y < bottom; y += STEP.y)
      for (let across = 0; across <= right - left; across += STEP.x) points.push({ x: left + across, y });
    const from = this.said;
    await this.#touch('touchStart', points[0]!);
    for (const [index, point] of points.entries()) {
      await this.#touch('touchMove', point);
      await sleep(EAR_MS);
      if (!this.#own.slice(from).some(({ text }) => name.test(text))) continue;
      await this.#touch('touchEnd');
      // The ear is later than the hand: a few steps back.
      for (const earlier of points.slice(0, index + 1).toReversed()) {
        const heard = await this.#slideTo(earlier);
        if (heard && name.test(heard.text)) return { point: earlier, heard };
      }
      assert.fail(`«${name.source}» was heard and not found again: ${this.#last(40)}`);
    }
    await this.#touch('touchEnd');
    assert.fail(`no «${name.source}» under the finger: ${this.#last(40)}`);
  }

  /** Slides from the corner to this point and lifts the finger there; what is said of it. */
  async #slideTo(point: Point): Promise<Utterance | null> {
    const { left, top } = this.#area;
    await this.#touch('touchStart', { x: left, y: top });
    await this.#touch('touchMove', { x: left, y: top + 1 });
    // What lies in the corner is not said of the point.
    await sleep(CORNER_MS);
    const from = this.said;
    await this.#touch('touchMove', point);
    await this.#touch('touchEnd');
    return until('it is said', () => this.#own[from], { limitMs: 2_000 }).catch(() => null);
  }

  async tap(point: Point): Promise<void> {
    await this.#touch('touchStart', point);
    await this.#touch('touchEnd');
  }

  /**
   * Finds a button by its name and touches it again. News may have cut the name short: then it is
   * looked for again.
   */
  async use(name: RegExp): Promise<void> {
    for (;;) {
      const { point, heard } = await this.#find(name);
      await until('the name is spoken', () => heard.answer, { said: () => this.#last(8) });
      if (heard.answer?.state !== 'spoken') continue;
      assert.notEqual(heard.answer.sound, 0, heard.text);
      await this.tap(point);
      return;
    }
  }

  async #press(code: string): Promise<void> {
    await this.#hands.send('Input.dispatchKeyEvent', { type: 'keyDown', code, key: code });
    await this.#hands.send('Input.dispatchKeyEvent', { type: 'keyUp', code, key: code });
  }

  /** Presses the raised key of this button: once to hear it, once to use it. */
  async useKey(code: string, name: RegExp): Promise<void> {
    const from = this.said;
    await this.#press(code);
    await this.hear(name, from);
    await this.#press(code);
  }

  /** Presses one raised key after the other until this button is heard; the last goes on. */
  async seekByKeys(codes: readonly string[], name: RegExp): Promise<void> {
    const MOST_PRESSES = 40;
    for (let press = 0; press < MOST_PRESSES; press++) {
      const code = codes[press % codes.length]!;
      const from = this.said;
      await this.#press(code);
      const { text } = await this.hear(/./, from);
      if (!name.test(text)) continue;
      await this.#press(code);
      return;
    }
    assert.fail(`no key says ${name}: ${this.#last(MOST_PRESSES)}`);
  }

  async close(): Promise<void> {
    await this.#page.close();
  }
}
