/**
 * The table on the screen: a projection of TableViews. It holds no rule and no money; every view is
 * the whole truth, and movement is only the way from one to the next. Frames are drawn when
 * something moves and none at all otherwise; while only a deadline runs its rings are painted, at
 * most ten times a second, on canvases of their own above the table.
 */
import 'pixi.js/graphics';
import 'pixi.js/text-bitmap';
import 'pixi.js/unsafe-eval';
import {
  BrowserAdapter,
  CanvasRenderer,
  type Container,
  DefaultBatcher,
  DOMAdapter,
  type Renderer,
  Ticker,
  WebGLRenderer,
} from 'pixi.js';
import type { TableView } from '../../wire/view.ts';
import { Art, type Faces, loadFaces } from './art.ts';
import { Board } from './board.scene.ts';
import { loadLetters } from './canvas-letters.ts';
import type { Cover } from './covers.ts';
import { CanvasPainter } from './damage.ts';
import { facesUrl } from './faces.ts';
import { printTable } from './felt.ts';
import { formOf, PLAIN, sameForm } from './form.ts';
import { layGround } from './ground.ts';
import { groundPicture, groundUrl } from './ground-pictures.ts';
import { layTable } from './layout.ts';
import { Letters } from './letters.ts';
import { Motion } from './motion.ts';
import { oddsText } from './odds.ts';
import { HURRY } from './pace.ts';
import { pictureOf } from './picture.ts';
import { placeAt, type TouchPlace, touchPlaces } from './places.ts';
import { chooseRenderer, type RendererKind } from './renderer-choice.ts';
import type { PrintedOdds } from './spots.widget.ts';
import type { TableLayout } from './table-layout.ts';

/** What is loaded for a table of one size and one set of faces. */
interface Pictures {
  readonly faces: Faces;
  /** null: this size is painted. */
  readonly ground: HTMLImageElement | null;
}

const cardPixels = (table: TableLayout): number => table.card.width * window.devicePixelRatio;

const groundOf = (table: TableLayout): HTMLImageElement | null => {
  const url = groundUrl(table);
  return url === null ? null : groundPicture(url);
};

async function loadPictures(table: TableLayout): Promise<Pictures> {
  const ground = groundOf(table);
  const [faces] = await Promise.all([loadFaces(table.form.faces, cardPixels(table)), ground?.decode()]);
  return { faces, ground };
}

const fits = ({ ground, faces }: Pictures, table: TableLayout): boolean =>
  ground === groundOf(table) && faces.url === facesUrl(table.form.faces, cardPixels(table));

/** Before a view has said how many. */
const DEFAULT_SEATS = 7;
/** While the table breathes with the last seconds of a deadline. */
const TIMER_FRAME_MS = 100;

export interface TableScene {
  readonly renderer: RendererKind;
  /**
   * Shows a view: the first one, one of a new host process or of a recalled round, or one after a
   * reconnect (`atOnce`) without travel. `still`: its clock stands at the view's own time.
   */
  update(view: TableView, how?: { readonly atOnce?: boolean; readonly still?: boolean }): void;
  /** Call when the host element or the device's pixel ratio has changed. */
  resize(): void;
  destroy(): void;
  /**
   * Takes time into the caller's hand: from now on the clock says `ms` and only this call draws.
   */
  setTime(ms: number): void;
  /**
   * A touch on the cloth in front of a seat: its box or cards (`bet` null), or the spot of another
   * bet.
   */
  onTouchBox(callback: (seat: number, bet: string | null) => void): void;
  /**
   * What lies over the cloth: under it, whole or in part, lettering is left out, and what it shows
   * itself.
   */
  cover(covers: readonly Cover[]): void;
  /** Every place such a touch is heard on, as the table is laid now. */
  touchPlaces(): readonly TouchPlace[];
  /** True while something travels, turns over or fades. */
  readonly moving: boolean;
  /**
   * Frames of the whole table and moments of the rings alone since the start, for tests and the
   * bench.
   */
  readonly frames: number;
  readonly ticks: number;
}

export interface TableOptions {
  readonly renderer?: RendererKind | 'auto';
  /** Fades instead of travel. */
  readonly reducedMotion?: boolean;
  /** What will be shown first, so that its cloth is laid at once. */
  readonly view?: TableView | null;
}

export interface Painter {
  readonly pixi: Renderer;
  readonly kind: RendererKind;
  render(root: Container): void;
  /** What is on the canvas is lost. */
  forget(): void;
}

/**
 * Pixi's first batcher asks WebGL how exact its shaders are, also for a canvas, and without a GPU
 * the browser takes 20 ms to say that it has none (Pixi 8.22, getTestContext). A canvas that is
 * drawn on in two dimensions says so at once.
 */
function spareWebGl(): void {
  const createCanvas: typeof BrowserAdapter.createCanvas = (width, height) => {
    const canvas = BrowserAdapter.createCanvas(width, height);
    canvas.getContext('2d');
    return canvas;
  };
  DOMAdapter.set({ ...BrowserAdapter, createCanvas });
  new DefaultBatcher({ maxTextures: 1 }).destroy();
  DOMAdapter.set(BrowserAdapter);
}

export async function startRenderer(
  wish: RendererKind | 'auto',
  width: number,
  height: number,
): Promise<Painter> {
  const { kind, software } = chooseRenderer(wish);
  const options = {
    width,
    height,
    resolution: window.devicePixelRatio,
    autoDensity: true,
    backgroundColor: 0x140b06,
    antialias: !software,
    // what is drawn here is imported above; the rest would come in a file of its own, with events
    // and filters: touches go through the layout, not through the scene
    skipExtensionImports: true,
    // the cloth covers everything
    clearBeforeRender: false,
  } as const;
  if (kind === 'webgl') {
    try {
      const pixi = new WebGLRenderer();
      await pixi.init(options);
      // on a processor the shader with one sampler costs less than half of the one with sixteen
      if (software) pixi.limits.maxBatchableTextures = 1;
      return { pixi, kind, render: (root) => pixi.render(root), forget() {} };
    } catch (error) {
      console.warn('WebGL could not be started, the table is drawn on a canvas:', error);
    }
  }
  spareWebGl();
  const pixi = new CanvasRenderer();
  await pixi.init(options);
  const painter = new CanvasPainter(pixi);
  return {
    pixi: pixi as unknown as Renderer,
    kind: 'canvas',
    render: (root) => painter.render(root),
    forget: () => painter.forget(),
  };
}

/**
 * Draws the table into `host`, filling it. Resolves when fonts and faces are there and the first
 * frame can be drawn.
 */
export async function createTable(host: HTMLElement, options: TableOptions = {}): Promise<TableScene> {
  // Pixi's house-keeping ticker would ask for a frame sixty times a second for ever
  Ticker.system.autoStart = false;
  Ticker.system.stop();

  const size = (): { width: number; height: number } => ({
    width: Math.max(320, host.clientWidth),
    height: Math.max(240, host.clientHeight),
  });

  const first = size();
  let view: TableView | null = options.view ?? null;
  let table = layTable(
    first.width,
    first.height,
    view === null ? PLAIN : formOf(view),
    view?.seats.length ?? DEFAULT_SEATS,
  );
  const [painter, loaded] = await Promise.all([
    startRenderer(options.renderer ?? 'auto', first.width, first.height),
    loadPictures(table),
    loadLetters(),
  ]);
  const { pixi, kind } = painter;
  let pictures = loaded;
  const canvas = pixi.canvas as HTMLCanvasElement;
  canvas.style.cssText = 'position:absolute;inset:0;display:block;touch-action:none';
  canvas.setAttribute('aria-hidden', 'true');
  // the rings lie over the table: they alone are painted while only a deadline runs
  const rings = document.createElement('div');
  rings.style.cssText = 'position:absolute;inset:0;pointer-events:none';
  host.append(canvas, rings);

  const motion = new Motion();
  /** The view on the screen; null before the first. */
  let shown: TableView | null = null;
  let handTime: number | null = null;
  let offsetMs = 0;
  let still = false;
  let frames = 0;
  let ticks = 0;
  let raf = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let destroyed = false;
  let wasMoving = false;
  /**
   * What the next frame will show: of several views that come between two frames the last one is
   * the truth.
   */
  let waiting: { readonly view: TableView; readonly atOnce: boolean } | null = null;
  /**
   * A view has come since the last frame: the panels show it in this one, the table in the next.
   */
  let held = false;
  let touched: ((seat: number, bet: string | null) => void) | null = null;

  const clock = (): number => handTime ?? performance.now();
  /** Time of what is shown, in the host's clock. */
  const hostTime = (nowMs: number): number => (still && view !== null ? view.nowMs : nowMs + offsetMs);
  const fade = options.reducedMotion ?? false;

  let covers: readonly Cover[] = [];
  const build = (): { board: Board; art: Art; letters: Letters; drop(): void } => {
    const resolution = window.devicePixelRatio;
    const art = new Art(table, resolution, pictures.faces);
    const letters = new Letters(resolution);
    const stored = pictures.ground === groundOf(table) ? pictures.ground : null;
    const ground = art.wrap(printTable(table, layGround(table, resolution, stored)));
    const odds: PrintedOdds = (bet, language) => (view === null ? null : oddsText(bet, view, language));
    const board = new Board({ table, art, letters, motion, ground, rings, odds });
    board.cover(covers);
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
    stage.board.show(pictureOf(view, table), { animate: false, fade, hurry: () => 1, toPanel: () => true });
  };

  const take = (): void => {
    if (waiting === null) return;
    const { view: next, atOnce } = waiting;
    waiting = null;
    const before = shown;
    shown = next;
    const form = formOf(next);
    if (!sameForm(form, table.form) || next.seats.length !== table.seats.length) {
      // another game or other bets: another cloth
      table = layTable(table.width, table.height, form, next.seats.length);
      rebuild();
      void bringPictures();
    }
    const animate = !atOnce && before !== null && before.bootId === next.bootId;
    motion.tick(clock());
    const playing = new Set(next.seats.filter((seat) => seat.hands.length > 0).map((seat) => seat.seat));
    stage.board.show(pictureOf(next, table), {
      animate,
      fade,
      hurry: (seat) => HURRY[next.seats[seat - 1]?.comfort?.motion ?? 'full'],
      // chips leave a hand that is still on the table only by being lost
      toPanel: (seat) => !playing.has(seat),
    });
    wasMoving = motion.moving;
  };

  const draw = (): void => {
    if (destroyed) return;
    if (!held || handTime !== null) take();
    const nowMs = clock();
    motion.tick(nowMs);
    if (wasMoving && !motion.moving) settle();
    wasMoving = motion.moving;
    const running = stage.board.showTime(hostTime(nowMs));
    // a part that is painted alone may be off by the last bit of a pixel: what stands is painted
    // whole
    if (!motion.moving) painter.forget();
    painter.render(stage.board.root);
    Ticker.system.update(performance.now());
    frames++;
    clearTimeout(timer);
    if (handTime !== null) return;
    if (motion.moving) request();
    else if (!still) wait(running);
  };
  /** While only a deadline runs: its rings, and the table only where it breathes with them. */
  const tick = (): void => {
    if (destroyed || handTime !== null) return;
    ticks++;
    const running = stage.board.showTime(hostTime(clock()));
    if (running.table) request();
    else wait(running);
  };
  const wait = ({ ringsInMs, table: breathes, againMs }: ReturnType<Board['showTime']>): void => {
    const ringMs = breathes ? TIMER_FRAME_MS : ringsInMs;
    if (ringMs !== null) timer = setTimeout(tick, ringMs);
    else if (againMs !== null) timer = setTimeout(request, againMs);
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

  /**
   * Pictures of another set or size come after the table, which stands with those it has until
   * then.
   */
  const bringPictures = async (): Promise<void> => {
    if (fits(pictures, table)) return;
    const better = await loadPictures(table);
    if (destroyed || !fits(better, table)) return;
    pictures = better;
    rebuild();
    if (handTime !== null) draw();
  };

  canvas.addEventListener('webglcontextrestored', request);
  canvas.addEventListener('contextrestored', () => {
    painter.forget();
    request();
  });
  canvas.addEventListener('pointerdown', (event) => {
    if (touched === null) return;
    const bounds = canvas.getBoundingClientRect();
    const x = event.clientX - bounds.left;
    const y = event.clientY - bounds.top;
    const hit = placeAt(table, x, y);
    if (hit !== null) touched(hit.seat, hit.bet);
  });

  return {
    renderer: kind,
    get moving() {
      return waiting !== null || motion.moving;
    },
    get frames() {
      return frames;
    },
    get ticks() {
      return ticks;
    },
    update(next, { atOnce = false, still: standsStill = false } = {}) {
      view = next;
      offsetMs = next.nowMs - clock();
      still = standsStill;
      waiting = { view: next, atOnce: atOnce || waiting?.atOnce === true };
      if (handTime !== null) draw();
      else if (shown === null) request();
      else {
        // the new sum on a panel is the answer to a touch, and painting the table is half of what a
        // frame costs: the next frame is asked for when the panels have been painted
        held = true;
        requestAnimationFrame(() =>
          setTimeout(() => {
            held = false;
            request();
          }),
        );
      }
    },
    resize() {
      const { width, height } = size();
      const resolution = window.devicePixelRatio;
      if (width === table.width && height === table.height && resolution === pixi.resolution) return;
      table = layTable(width, height, table.form, table.seats.length);
      pixi.resize(width, height, resolution);
      rebuild();
      void bringPictures();
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
    cover(laid) {
      covers = laid;
      if (stage.board.cover(laid)) request();
    },
    touchPlaces() {
      take();
      return touchPlaces(table);
    },
    destroy() {
      destroyed = true;
      cancelAnimationFrame(raf);
      clearTimeout(timer);
      motion.clear();
      stage.drop();
      pixi.destroy({ removeView: true });
      rings.remove();
    },
  };
}
