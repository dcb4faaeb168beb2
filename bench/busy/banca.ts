/**
 * The scene as the product draws it: its own cards, stacks, signs and timers on Pixi's canvas
 * renderer.
 */
import { Container, Sprite, Ticker } from 'pixi.js';
import { CardWidget } from '../../renderer/table/card.widget.ts';
import { Letters } from '../../renderer/table/letters.ts';
import { SignWidget } from '../../renderer/table/sign.widget.ts';
import { StackWidget } from '../../renderer/table/stack.widget.ts';
import { startRenderer } from '../../renderer/table/table.scene.ts';
import { type Contender, frameByFrame } from './contender.ts';
import { paint, Timers } from './painted.ts';
import {
  CARDS,
  cardAt,
  LABELS,
  labelText,
  RESOLUTION,
  STACK_COUNT,
  STACK_SCALE,
  stackAmount,
  stackAt,
  stackMoves,
  TABLE,
} from './scene.ts';

export async function create(host: HTMLElement): Promise<Contender> {
  Ticker.system.autoStart = false;
  Ticker.system.stop();
  const painter = await startRenderer('canvas', TABLE.width, TABLE.height);
  host.append(painter.pixi.canvas as HTMLCanvasElement);
  const { art, ground } = await paint();
  const letters = new Letters(RESOLUTION);
  const chipLayer = new Container();
  const cardLayer = new Container({ sortableChildren: true });
  const labelLayer = new Container();
  const stacks = Array.from({ length: STACK_COUNT }, (_, i) => {
    const { view } = new StackWidget(art, stackAmount(i));
    view.scale.set(STACK_SCALE);
    const { x, y } = stackAt(i, 0);
    view.position.set(x, y);
    chipLayer.addChild(view);
    return view;
  });
  const cards = CARDS.map((card) => {
    const widget = new CardWidget(art, art.back);
    cardLayer.addChild(widget.view);
    return { widget, face: art.face(card) };
  });
  const labels = LABELS.map(({ x, y }) => {
    const sign = new SignWidget(art, letters);
    sign.view.position.set(x, y);
    labelLayer.addChild(sign.view);
    return sign;
  });
  const root = new Container();
  root.addChild(new Sprite(art.wrap(ground)), chipLayer, cardLayer, labelLayer);
  const rings = document.createElement('div');
  rings.style.cssText = 'position:absolute;inset:0;pointer-events:none';
  host.append(rings);
  const timers = new Timers(rings);

  return frameByFrame((ms) => {
    for (const [i, { widget, face }] of cards.entries()) {
      const pose = cardAt(i, ms);
      widget.place(pose, pose.lift);
      const over = Math.acos(pose.open) / Math.PI;
      if (over === 0) widget.endTurn();
      else widget.turnOver(pose.faceUp ? 1 - over : over);
      widget.face = pose.faceUp ? face : art.back;
    }
    for (const [i, stack] of stacks.entries()) {
      if (!stackMoves(i)) continue;
      const { x, y } = stackAt(i, ms);
      stack.position.set(x, y);
    }
    for (const [i, sign] of labels.entries()) {
      const { width, height, font, tone } = LABELS[i]!;
      sign.show({ width, height, font, tone, parts: [labelText(i, ms)] });
    }
    timers.show(ms);
    painter.render(root);
    Ticker.system.update(performance.now());
  });
}
