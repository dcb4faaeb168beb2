/**
 * The table on the screen: a projection of TableViews. It holds no rule and no money; every view is the whole truth,
 * and movement is only the way from one to the next. Frames are drawn when something moves, ten a second while a
 * deadline runs, and none at all otherwise.
 */
import 'pixi.js/unsafe-eval';
import { CanvasRenderer, type Renderer, Ticker, WebGLRenderer } from 'pixi.js';
import type { TableView } from '../../host/api.ts';
import { Motion } from '../motion/motion.ts';
import { Art, type Faces, loadFaces } from './art.ts';
import { Board } from './board.scene.ts';
import { paintTable } from './felt.ts';
import { layTable, type TableLayout } from './layout.ts';
import { Letters, loadLetters } from './letters.ts';
import { pictureOf } from './picture.ts';
import { chooseRenderer, type RendererKind } from './renderer-choice.ts';

/** While only a deadline runs. */
const TIMER_FRAME_MS = 100;

export interface TableScene {
  readonly renderer: RendererKind;
  /** Shows a view: the first one, one of a new host process or one after a reconnect (`atOnce`) without travel. */
  update(view: TableView, atOnce?: boolean): void;
  /** Call when the host element or the device's pixel ratio has changed. */
  resize(): void;
  destroy(): void;
  /** Takes time into the caller's hand: from now on the clock says `ms` and only this call draws. */
  setTime(ms: number): void;
  /** A touch on a seat's box or cards. */
  onTouchBox(callback: (seat: number) => void): void;
  /** True while something travels, turns over or fades. */
  readonly moving: boolean;
  /** Frames drawn since the start, for tests and the bench. */
  readonly frames: number;
}

export interface TableOptions {
  readonly renderer?: RendererKind | 'auto';
  /** Fades instead of travel. */
  readonly reducedMotion?: boolean;
}

async function startRenderer(
  wish: RendererKind | 'auto',
  width: number,
  height: number,
): Promise<{ pixi: Renderer; kind: RendererKind }> {
  const { kind, software } = chooseRenderer(wish);
  const options = {
    width,
    height,
    resolution: window.devicePixelRatio,
    autoDensity: true,
    backgroundColor: 0x140b06,
    antialias: !software,
    // touches go through the layout, not through the scene
    eventMode: 'none',
    accessibilityOptions: { enabledByDefault: false, activateOnTab: false },
  } as const;
  if (kind === 'webgl') {
    try {
      const pixi = new WebGLRenderer();
      await pixi.init(options);
      // on a processor the shader with one sampler costs less than half of the one with sixteen
      if (software) pixi.limits.maxBatchableTextures = 1;
      return { pixi, kind };
    } catch (error) {
      console.warn('WebGL could not be started, the table is drawn on a canvas:', error);
    }
  }
  const pixi = new CanvasRenderer();
  await pixi.init(options);
  return { pixi: pixi as unknown as Renderer, kind: 'canvas' };
}

/** Draws the table into `host`, filling it. Resolves when fonts and faces are there and the first frame can be drawn. */
export async function createTable(host: HTMLElement, options: TableOptions = {}): Promise<TableScene> {
  // Pixi's house-keeping ticker would ask for a frame sixty times a second for ever
  Ticker.system.autoStart = false;
  Ticker.system.stop();

  const size = (): { width: number; height: number } => ({
    width: Math.max(320, host.clientWidth),
    height: Math.max(240, host.clientHeight),
  });
  const cardPixels = (table: TableLayout): number => table.card.width * window.devicePixelRatio;

  const first = size();
  let table = layTable(first.width, first.height);
  const [{ pixi, kind }, firstFaces] = await Promise.all([
    startRenderer(options.renderer ?? 'auto', first.width, first.height),
    loadFaces(cardPixels(table)),
    loadLetters(),
  ]);
  let faces: Faces = firstFaces;
  const canvas = pixi.canvas as HTMLCanvasElement;
  canvas.style.cssText = 'position:absolute;inset:0;display:block;touch-action:none';
  canvas.setAttribute('aria-hidden', 'true');
  host.append(canvas);

  const motion = new Motion();
  let view: TableView | null = null;
  let handTime: number | null = null;
  let offsetMs = 0;
  let frames = 0;
  let raf = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let destroyed = false;
  let wasMoving = false;
  let touched: ((seat: number) => void) | null = null;

  const clock = (): number => handTime ?? performance.now();
  const fade = options.reducedMotion ?? false;

  const build = (): { board: Board; art: Art; letters: Letters; drop(): void } => {
    const resolution = window.devicePixelRatio;
    const art = new Art(table, resolution, faces);
    const letters = new Letters(resolution);
    const board = new Board(table, art, letters, motion, art.wrap(paintTable(table, resolution)));
    return {
      board,
      art,
      letters,
      drop() {
        board.destroy();
        letters.destroy();
        art.destroy();
      },
    };
  };
  let stage = build();

  const settle = (): void => {
    if (view === null) return;
    stage.board.show(pictureOf(view, table), { animate: false, fade, toPanel: () => true });
  };

  const draw = (): void => {
    if (destroyed) return;
    const nowMs = clock();
    motion.tick(nowMs);
    if (wasMoving && !motion.moving) settle();
    wasMoving = motion.moving;
    const running = stage.board.showTime(nowMs + offsetMs);
    pixi.render(stage.board.root);
    Ticker.system.update(performance.now());
    frames++;
    clearTimeout(timer);
    if (handTime !== null) return;
    if (motion.moving) request();
    else if (running) timer = setTimeout(request, TIMER_FRAME_MS);
  };
  const request = (): void => {
    if (raf !== 0 || destroyed || handTime !== null) return;
    raf = requestAnimationFrame(() => {
      raf = 0;
      draw();
    });
  };

  const rebuild = (): void => {
    const old = stage;
    motion.clear();
    stage = build();
    old.drop();
    settle();
    request();
  };

  canvas.addEventListener('webglcontextrestored', request);
  canvas.addEventListener('pointerdown', (event) => {
    if (touched === null) return;
    const bounds = canvas.getBoundingClientRect();
    const x = event.clientX - bounds.left;
    const y = event.clientY - bounds.top;
    const hit = table.seats.find(
      ({ zone }) => x >= zone.x && x < zone.x + zone.width && y >= zone.y && y < zone.y + zone.height,
    );
    if (hit !== undefined) touched(hit.seat);
  });

  return {
    renderer: kind,
    get moving() {
      return motion.moving;
    },
    get frames() {
      return frames;
    },
    update(next, atOnce = false) {
      const before = view;
      view = next;
      offsetMs = next.nowMs - clock();
      const animate = !atOnce && before !== null && before.bootId === next.bootId;
      motion.tick(clock());
      const playing = new Set(next.seats.filter((seat) => seat.hands.length > 0).map((seat) => seat.seat));
      stage.board.show(pictureOf(next, table), {
        animate,
        fade,
        // chips leave a hand that is still on the table only by being lost
        toPanel: (seat) => !playing.has(seat),
      });
      wasMoving = motion.moving;
      if (handTime === null) request();
      else draw();
    },
    resize() {
      const { width, height } = size();
      const resolution = window.devicePixelRatio;
      if (width === table.width && height === table.height && resolution === pixi.resolution) return;
      table = layTable(width, height);
      pixi.resize(width, height, resolution);
      rebuild();
      const wanted = cardPixels(table) > 120;
      if (wanted !== faces.image.width > 1500) {
        void loadFaces(cardPixels(table)).then((better) => {
          if (destroyed) return;
          faces = better;
          rebuild();
        });
      }
    },
    setTime(ms) {
      if (handTime === null && view !== null) offsetMs = view.nowMs - ms;
      handTime = ms;
      cancelAnimationFrame(raf);
      raf = 0;
      draw();
    },
    onTouchBox(callback) {
      touched = callback;
    },
    destroy() {
      destroyed = true;
      cancelAnimationFrame(raf);
      clearTimeout(timer);
      motion.clear();
      stage.drop();
      pixi.destroy({ removeView: true });
    },
  };
}
