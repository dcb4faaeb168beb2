/**
 * The scene on Phaser's canvas renderer: an Image for each piece, a Text for each label, frames of
 * one texture for the cards.
 */
import { pillText } from '../../renderer/table/art.ts';
import { FONT } from '../../renderer/table/brush.ts';
import { type Contender, shadowOf } from './contender.ts';
import { type Cut, cutOf, laidStacks, paint, Timers } from './painted.ts';
import { CARDS, cardAt, LABELS, labelText, stackAt, stackMoves, TABLE } from './scene.ts';

/** What of Phaser is used here. */
interface Piece {
  setPosition(x: number, y: number): Piece;
  setRotation(turn: number): Piece;
  setScale(x: number, y?: number): Piece;
  setAlpha(alpha: number): Piece;
  setOrigin(x: number, y?: number): Piece;
  setFrame(name: string): Piece;
}
interface Text extends Piece {
  setText(text: string): Text;
}
interface Scene {
  readonly textures: {
    addCanvas(
      key: string,
      canvas: HTMLCanvasElement,
    ): {
      add(name: string, source: number, x: number, y: number, width: number, height: number): unknown;
    };
  };
  readonly add: {
    image(x: number, y: number, key: string, frame?: string): Piece;
    text(x: number, y: number, text: string, style: object): Text;
  };
}
interface Library {
  readonly CANVAS: number;
  readonly Game: new (
    config: object,
  ) => {
    readonly events: { on(name: string, heard: (time: number) => void): void };
  };
}

/** Where the bench serves the package's own bundle. */
const BUNDLE = './phaser.esm.min.js';

export async function create(host: HTMLElement): Promise<Contender> {
  const { CANVAS, Game } = (await import(/* @vite-ignore */ new URL(BUNDLE, location.href).href)) as Library;
  const { art, ground } = await paint();
  const timers = new Timers();
  let clock = (): number => 0;
  let update = (_ms: number): void => {};

  function build(scene: Scene): (ms: number) => void {
    const keys = new Map<HTMLCanvasElement, string>();
    const added = new Map<string, ReturnType<Scene['textures']['addCanvas']>>();
    const keyOf = (canvas: HTMLCanvasElement): string => {
      let key = keys.get(canvas);
      if (key === undefined) {
        key = `canvas-${keys.size}`;
        keys.set(canvas, key);
        added.set(key, scene.textures.addCanvas(key, canvas));
      }
      return key;
    };
    const frames = new Set<string>();
    const frameOf = ({ canvas, x, y, width, height }: Cut): { key: string; frame: string } => {
      const key = keyOf(canvas);
      const frame = `${x},${y},${width},${height}`;
      if (!frames.has(key + frame)) added.get(key)!.add(frame, 0, x, y, width, height);
      frames.add(key + frame);
      return { key, frame };
    };
    const image = (cut: Cut): Piece => {
      const { key, frame } = frameOf(cut);
      return scene.add.image(0, 0, key, frame);
    };

    scene.add.image(0, 0, keyOf(ground)).setOrigin(0);
    const stacks = laidStacks(art).map((laid, i) => {
      const at = stackAt(i, 0);
      return laid.map(({ cut, x, y, scale, turn }) => {
        const piece = image(cut)
          .setScale(scale)
          .setRotation(turn)
          .setPosition(at.x + x, at.y + y);
        return { piece, x, y };
      });
    });
    const back = frameOf(cutOf(art.back)).frame;
    const cards = CARDS.map((card) => {
      const face = frameOf(cutOf(art.face(card))).frame;
      return { shadow: image(cutOf(art.cardShadow)), card: image(cutOf(art.back)), face };
    });
    const labels = LABELS.map(({ x, y, width, height, font, tone }, i) => {
      image(cutOf(art.pill(width, height, tone))).setPosition(x, y);
      const said = labelText(i, 0);
      const text = scene.add.text(x, y, said, {
        fontFamily: FONT,
        fontSize: `${font}px`,
        fontStyle: '800',
        color: `#${pillText(tone).toString(16).padStart(6, '0')}`,
      });
      text.setOrigin(0.5);
      return { text, said };
    });
    const rings = timers.canvases.map((canvas, i) => {
      const { x, y } = timers.at(i);
      return scene.add.image(x, y, keyOf(canvas)).setOrigin(0);
    });

    return (ms) => {
      for (const [i, pieces] of stacks.entries()) {
        if (!stackMoves(i)) continue;
        const at = stackAt(i, ms);
        for (const { piece, x, y } of pieces) piece.setPosition(at.x + x, at.y + y);
      }
      for (const [i, { shadow, card, face }] of cards.entries()) {
        const pose = cardAt(i, ms);
        const scale = pose.scale * (1 + pose.lift * 0.07);
        const cos = Math.cos(pose.turn) * scale;
        const sin = Math.sin(pose.turn) * scale;
        const y = pose.y - pose.lift * 10 * TABLE.unit;
        const fall = shadowOf(pose, TABLE.unit);
        shadow
          .setPosition(pose.x + fall.x * cos - fall.y * sin, y + fall.x * sin + fall.y * cos)
          .setRotation(pose.turn)
          .setScale(scale * fall.width, scale * fall.height)
          .setAlpha(fall.alpha);
        card
          .setPosition(pose.x, y)
          .setRotation(pose.turn)
          .setScale(scale * pose.open, scale)
          .setFrame(pose.faceUp ? face : back);
      }
      for (const [i, label] of labels.entries()) {
        const text = labelText(i, ms);
        if (text === label.said) continue;
        label.said = text;
        label.text.setText(text);
      }
      timers.show(ms);
      for (const [i, ring] of rings.entries()) ring.setAlpha(timers.alpha(i));
    };
  }

  const ready = Promise.withResolvers<void>();
  const game = new Game({
    type: CANVAS,
    width: TABLE.width,
    height: TABLE.height,
    parent: host,
    banner: false,
    audio: { noAudio: true },
    input: { keyboard: false, mouse: false, touch: false, gamepad: false },
    // the ground covers everything
    render: { clearBeforeRender: false },
    scene: {
      create(this: Scene) {
        update = build(this);
        ready.resolve();
      },
      update() {
        update(clock());
      },
    },
  });
  await ready.promise;
  return {
    run(wanted, drawn) {
      clock = wanted;
      let startMs = 0;
      let atMs = 0;
      game.events.on('prestep', (time) => {
        startMs = performance.now();
        atMs = time;
      });
      game.events.on('postrender', () => drawn(atMs, performance.now() - startMs));
    },
  };
}
