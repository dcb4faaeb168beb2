/**
 * The scene on a bare canvas, as little work as it can be written with: one transformation and one
 * `drawImage` a piece, no objects, text kept as pictures and painted only when it changes. What a
 * library costs is what it takes more than this.
 */
import { pillText } from '../../renderer/table/art.ts';
import { font, sheet } from '../../renderer/table/brush.ts';
import { type Contender, frameByFrame, shadowOf } from './contender.ts';
import { type Cut, cutOf, laidStacks, paint, Timers } from './painted.ts';
import { CARDS, cardAt, LABELS, labelText, RESOLUTION, stackAt, TABLE } from './scene.ts';

export async function create(host: HTMLElement): Promise<Contender> {
  const { art, ground } = await paint();
  const canvas = document.createElement('canvas');
  canvas.width = TABLE.width;
  canvas.height = TABLE.height;
  canvas.style.cssText = 'position:absolute;inset:0;display:block';
  host.append(canvas);
  const ink = canvas.getContext('2d', { alpha: false })!;
  const back = cutOf(art.back);
  const shadow = cutOf(art.cardShadow);
  const faces = CARDS.map((card) => cutOf(art.face(card)));
  const stacks = laidStacks(art).map((laid) =>
    laid.map((piece) => ({
      ...piece,
      cos: Math.cos(piece.turn) * piece.scale,
      sin: Math.sin(piece.turn) * piece.scale,
    })),
  );
  const labels = LABELS.map(({ width, height, tone }) => {
    const plate = cutOf(art.pill(width, height, tone));
    const { canvas: picture, ink: pen } = sheet(plate.width, plate.height, RESOLUTION);
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    return { plate, picture, pen, said: '' };
  });
  const timers = new Timers();
  const corners = timers.canvases.map((_, i) => timers.at(i));

  const middle = ({ canvas: from, x, y, width, height }: Cut): void =>
    ink.drawImage(from, x, y, width, height, -width / 2, -height / 2, width, height);

  return frameByFrame((ms) => {
    ink.setTransform(1, 0, 0, 1, 0, 0);
    ink.globalAlpha = 1;
    ink.drawImage(ground, 0, 0);
    for (const [i, pieces] of stacks.entries()) {
      const at = stackAt(i, ms);
      for (const { cut, x, y, cos, sin } of pieces) {
        ink.setTransform(cos, sin, -sin, cos, at.x + x, at.y + y);
        middle(cut);
      }
    }
    for (const [i, face] of faces.entries()) {
      const pose = cardAt(i, ms);
      const scale = pose.scale * (1 + pose.lift * 0.07);
      const cos = Math.cos(pose.turn) * scale;
      const sin = Math.sin(pose.turn) * scale;
      const y = pose.y - pose.lift * 10 * TABLE.unit;
      const fall = shadowOf(pose, TABLE.unit);
      ink.globalAlpha = fall.alpha;
      ink.setTransform(
        cos * fall.width,
        sin * fall.width,
        -sin * fall.height,
        cos * fall.height,
        pose.x + fall.x * cos - fall.y * sin,
        y + fall.x * sin + fall.y * cos,
      );
      middle(shadow);
      ink.globalAlpha = 1;
      ink.setTransform(cos * pose.open, sin * pose.open, -sin, cos, pose.x, y);
      middle(pose.faceUp ? face : back);
    }
    ink.setTransform(1, 0, 0, 1, 0, 0);
    for (const [i, label] of labels.entries()) {
      const spec = LABELS[i]!;
      const text = labelText(i, ms);
      const { plate, picture, pen } = label;
      if (text !== label.said) {
        label.said = text;
        pen.clearRect(0, 0, plate.width, plate.height);
        pen.drawImage(
          plate.canvas,
          plate.x,
          plate.y,
          plate.width,
          plate.height,
          0,
          0,
          plate.width,
          plate.height,
        );
        pen.font = font(800, spec.font);
        pen.fillStyle = `#${pillText(spec.tone).toString(16).padStart(6, '0')}`;
        pen.fillText(text, plate.width / 2, plate.height / 2);
      }
      ink.drawImage(picture, spec.x - plate.width / 2, spec.y - plate.height / 2);
    }
    timers.show(ms);
    for (const [i, ring] of timers.canvases.entries()) {
      ink.globalAlpha = timers.alpha(i);
      ink.drawImage(ring, corners[i]!.x, corners[i]!.y);
    }
  });
}
