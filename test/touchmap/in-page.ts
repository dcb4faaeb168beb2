/** What runs in the page under examination: hands that touch it, and eyes that miss no change. */
import type { TouchRegion } from '../../renderer/station/touch-regions.ts';

export interface Outside {
  readonly touched: number;
  /** What has come of it: commands, changes; empty = nothing. */
  readonly found: readonly string[];
}

export interface SentCommand {
  readonly type: string;
  readonly sentAtMs: number;
  /** How often it was sent, over reconnections. */
  sent: number;
  readonly answers: {
    readonly status: string;
    readonly code?: string;
    readonly seq?: number;
    readonly atMs: number;
  }[];
}

export interface Storm {
  readonly touched: number;
  /** Between two frames of the page. */
  readonly frames: { readonly p50: number; readonly p99: number; readonly longest: number };
}

export interface Hands {
  /** Stops the clocks of the page, and whatever it does by itself after half a second. */
  standStill(): void;
  /** Name of the newest view that has come. */
  shown(): string | null;
  /**
   * What the page has sent since the last call: types of commands, queries, anything but the answer
   * to a ping.
   */
  sent(): string[];
  /**
   * Something is still to come or to be drawn: an answer, service mode, whose code comes later, or
   * a panel that rises: its regions move with it.
   */
  waits(): boolean;
  /**
   * Commands with their answers in the order of sending; an answer that never came is missing, one
   * too many too.
   */
  commands(): readonly SentCommand[];
  /** Everything of the page that can be seen or is kept in it. */
  state(pixels: boolean): string;
  /**
   * `count` touches of places outside of every region; the first one that changes anything is
   * reported with its place, and commands that were sent a moment later.
   */
  touchOutside(seed: number, count: number): Promise<Outside>;
  /**
   * Touches the middle of what can be reached of a region. True: it says of itself that it is
   * chosen already.
   */
  press(index: number): boolean;
  /**
   * From now on so many random touches a second for each seat, anywhere on its panel and the cloth
   * before it.
   */
  beginStorm(seed: number, rate: number): void;
  endStorm(): Storm;
}

declare global {
  interface Window {
    hands: Hands;
  }
}

/** Put into the page before its own code. Self-contained: it travels as text. */
export function giveHands(): void {
  // what the page does by itself after a while is not done by a touch
  const { setTimeout } = window;
  window.setTimeout = ((run: () => void, ms = 0) =>
    setTimeout(() => {
      if (!standsStill || ms < LONG_MS) run();
    }, ms)) as typeof window.setTimeout;
  let standsStill = false;
  const LONG_MS = 400;

  const commands: string[] = [];
  const byId = new Map<string, SentCommand>();
  const asked = new Set<string>();
  let waited = false;
  const heard = new WeakSet<WebSocket>();
  let shown: string | null = null;
  const send = WebSocket.prototype.send;
  /** One message, of which a frame may have several. */
  const note = (line: string): void => {
    const { t, id, command, query } = JSON.parse(line) as {
      t: string;
      id: string;
      command?: { type: string };
      query?: { query: string };
    };
    if (command) {
      commands.push(command.type);
      const known = byId.get(id);
      if (known) known.sent++;
      else byId.set(id, { type: command.type, sentAtMs: performance.now(), sent: 1, answers: [] });
    } else if (query) {
      commands.push(`query ${query.query}`);
      asked.add(id);
      waited = true;
      // That somebody is there is no command: it keeps a service session open.
    } else if (t !== 'pong' && t !== 'touched') commands.push(t);
  };
  WebSocket.prototype.send = function (data): void {
    if (!heard.has(this)) {
      heard.add(this);
      this.addEventListener('message', (event) => {
        shown = /"bootId":"(screen \d+)"/.exec(String(event.data))?.[1] ?? shown;
        const result = /^\{"t":"result","id":"([^"]+)"/.exec(String(event.data));
        if (result) asked.delete(result[1]!);
        if (!String(event.data).startsWith('{"t":"answer"')) return;
        const answer = JSON.parse(String(event.data)) as {
          id: string;
          status: string;
          code?: string;
          seq?: number;
        };
        byId.get(answer.id)?.answers.push({ ...answer, atMs: performance.now() });
      });
    }
    for (const line of String(data).split('\n')) note(line);
    send.call(this, data);
  };

  // A clip that is asked for, or played again.
  const { fetch } = window;
  window.fetch = (...request) => {
    commands.push('a sound');
    return fetch(...request);
  };
  const start = AudioBufferSourceNode.prototype.start;
  AudioBufferSourceNode.prototype.start = function (...when): void {
    commands.push('a sound');
    start.apply(this, when);
  };

  /** mulberry32 */
  const randomFrom = (seed: number) => {
    let a = seed;
    return (): number => {
      a = (a + 0x6d2b79f5) | 0;
      let t = Math.imul(a ^ (a >>> 15), 1 | a);
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
      return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
    };
  };

  type Polygon = readonly { readonly x: number; readonly y: number }[];
  interface Area {
    readonly outline: Polygon;
    readonly box: readonly [number, number, number, number];
  }
  const areaOf = ({ outline }: TouchRegion): Area => {
    const xs = outline.map(({ x }) => x);
    const ys = outline.map(({ y }) => y);
    return { outline, box: [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)] };
  };
  const holds = ({ outline, box }: Area, x: number, y: number): boolean => {
    if (x < box[0] || y < box[1] || x > box[2] || y > box[3]) return false;
    let inside = false;
    for (let i = 0, j = outline.length - 1; i < outline.length; j = i++) {
      const a = outline[i]!;
      const b = outline[j]!;
      if (a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) inside = !inside;
    }
    return inside;
  };
  /** Also where a region begins within a pixel. */
  const near = (area: Area, x: number, y: number): boolean =>
    holds(area, x, y) ||
    holds(area, x - 1, y) ||
    holds(area, x + 1, y) ||
    holds(area, x, y - 1) ||
    holds(area, x, y + 1);

  const fire = (type: string, x: number, y: number, id: number, pointerType = 'touch'): void => {
    const target = document.elementFromPoint(x, y);
    target?.dispatchEvent(
      new PointerEvent(type, {
        bubbles: true,
        cancelable: true,
        composed: true,
        clientX: x,
        clientY: y,
        pointerId: id,
        pointerType,
        isPrimary: id === 1,
        button: 0,
      }),
    );
  };
  /**
   * A finger as the browser tells of it; of one that stayed where it came down, also the mouse it
   * makes of it.
   */
  const finger = (x: number, y: number, upX: number, upY: number, id: number): void => {
    fire('pointerdown', x, y, id);
    fire('pointerup', upX, upY, id);
    if (x !== upX || y !== upY) return;
    const target = document.elementFromPoint(x, y);
    // of a control the page makes the click itself
    if (target === null || target.closest('button, [role="button"], summary, :disabled')) return;
    for (const type of ['mousedown', 'mouseup', 'click'])
      target.dispatchEvent(
        new MouseEvent(type, { bubbles: true, cancelable: true, clientX: x, clientY: y, button: 0 }),
      );
  };

  const canvasOf = (): number => {
    const canvas = document.querySelector<HTMLCanvasElement>('.felt canvas');
    const ink = canvas?.getContext('2d');
    if (!canvas || !ink) return 0;
    const pixels = new Uint32Array(ink.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
    let hash = 0x811c9dc5;
    for (const pixel of pixels) hash = Math.imul(hash ^ pixel, 0x01000193);
    return hash >>> 0;
  };

  let pressed = 100;
  let storm: { touched: number; readonly frames: number[] } | null = null;
  window.hands = {
    standStill() {
      const [wall, ran] = [Date.now(), performance.now()];
      Date.now = () => wall;
      performance.now = () => ran;
      standsStill = true;
    },
    shown: () => shown,
    sent: () => commands.splice(0),
    waits() {
      const was = waited;
      const isMoving = document
        .getAnimations()
        .some(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
      waited = asked.size > 0 || isMoving || document.querySelector('.service:empty') !== null;
      return was || waited;
    },
    commands: () => [...byId.values()],
    state: (pixels) =>
      [
        document.getElementById('app')?.innerHTML,
        pixels ? canvasOf() : 0,
        scrollX,
        scrollY,
        ...[...document.querySelectorAll('*')].flatMap((each) =>
          each.scrollTop || each.scrollLeft ? [each.className, each.scrollTop, each.scrollLeft] : [],
        ),
        ...[...document.querySelectorAll<HTMLInputElement>('input, select, textarea')].map(
          ({ value }) => value,
        ),
      ].join('\n'),
    async touchOutside(seed, count) {
      const random = randomFrom(seed);
      const areas = window.touchRegions().map(areaOf);
      const outside = (): { x: number; y: number } => {
        for (let tries = 0; ; tries++) {
          if (tries > 10_000) throw new Error('the regions leave no place outside of them');
          const x = random() * innerWidth;
          const y = random() * innerHeight;
          if (!areas.some((area) => near(area, x, y))) return { x, y };
        }
      };
      /** A deadline's ring sets its style again and again to what it is. */
      const isChange = ({ attributeName, oldValue, target }: MutationRecord): boolean =>
        attributeName === null || (target as Element).getAttribute(attributeName) !== oldValue;
      const changes: MutationRecord[] = [];
      const eyes = new MutationObserver(() => {});
      eyes.observe(document, {
        subtree: true,
        childList: true,
        attributes: true,
        attributeOldValue: true,
        characterData: true,
      });
      const found: string[] = [];
      for (let i = 0; i < count && found.length === 0; i++) {
        const { x, y } = outside();
        const roll = random();
        // most lift where they came down; others wander, some of these onto a region
        const up =
          roll < 0.75
            ? { x, y }
            : roll < 0.9
              ? outside()
              : { x: random() * innerWidth, y: random() * innerHeight };
        finger(x, y, up.x, up.y, 1 + (i % 10));
        changes.push(...eyes.takeRecords().filter(isChange));
        const sent = commands.splice(0);
        if (sent.length === 0 && changes.length === 0) continue;
        const at = `${x.toFixed(1)},${y.toFixed(1)} to ${up.x.toFixed(1)},${up.y.toFixed(1)}`;
        const hit = document.elementFromPoint(x, y);
        found.push(
          `touch ${i} at ${at} on ${hit?.tagName}.${hit?.className}: ${[
            ...sent,
            ...changes.map(
              ({ type, target, attributeName }) => `${type} ${attributeName ?? ''} ${target.nodeName}`,
            ),
          ].join(', ')}`,
        );
      }
      eyes.disconnect();
      // Commands are sent when the page's task is over.
      await new Promise((over) => setTimeout(over, 0));
      found.push(...new Set(commands.splice(0)));
      return { touched: count, found };
    },
    press(index) {
      const { box } = areaOf(window.touchRegions()[index]!);
      const region = areaOf(window.touchRegions()[index]!);
      const kind = window.touchRegions()[index]!.kind;
      for (const px of [0.5, 0.3, 0.7, 0.1, 0.9])
        for (const py of [0.5, 0.3, 0.7, 0.1, 0.9]) {
          const x = box[0] + (box[2] - box[0]) * px;
          const y = box[1] + (box[3] - box[1]) * py;
          const hit = document.elementFromPoint(x, y);
          const fits =
            kind === 'spot' ? hit?.closest('.felt') : hit?.closest('button, [role="button"], summary, label');
          if (!fits || !holds(region, x, y)) continue;
          const isChosen = hit?.closest('[aria-pressed="true"], [aria-current]') !== null;
          finger(x, y, x, y, pressed++);
          return isChosen;
        }
      return false;
    },
    beginStorm(seed, rate) {
      const random = randomFrom(seed);
      const began = performance.now();
      storm = { touched: 0, frames: [] };
      const mine = storm;
      let frameAt = began;
      const frame = (now: number): void => {
        if (storm !== mine) return;
        mine.frames.push(now - frameAt);
        frameAt = now;
        requestAnimationFrame(frame);
      };
      requestAnimationFrame(frame);
      const blow = (): void => {
        if (storm !== mine) return;
        const panels = [...document.querySelectorAll('.panels > .panel')].map((panel) =>
          panel.getBoundingClientRect(),
        );
        // a page that was late makes up for it
        for (const due = ((performance.now() - began) / 1000) * rate * panels.length; mine.touched < due; )
          for (const { left, width, top, height } of panels) {
            const x = left + random() * width;
            const y = random() < 0.25 ? top * (1 - random() * 0.6) : top + random() * height;
            fire('pointerdown', x, y, 1000 + mine.touched);
            fire('pointerup', x, y, 1000 + mine.touched);
            mine.touched++;
          }
        setTimeout(blow, 10);
      };
      blow();
    },
    endStorm() {
      const { touched, frames } = storm!;
      storm = null;
      const sorted = frames.toSorted((a, b) => a - b);
      const at = (part: number): number => Math.round(sorted[Math.floor(sorted.length * part)] ?? 0);
      return { touched, frames: { p50: at(0.5), p99: at(0.99), longest: Math.round(sorted.at(-1) ?? 0) } };
    },
  };
}
