/**
 * Where everything lies on the table, in CSS pixels. Pure: the same numbers serve the drawing, the
 * animation and the tests that nothing overlaps. Drawn on a board of 1920 x 1080: lengths scale by
 * the shorter side (`unit`), anchors spread with the viewport, so that any shape from 4:3 to 21:9
 * keeps its order.
 */

import { type Form, PLAIN } from './form.ts';
import { arcY, boxAround, sag } from './geometry.ts';
import { layBaccarat } from './layouts/baccarat.ts';
import { layCircles } from './layouts/circles.ts';
import { columnOf, shoeSideOf } from './seating.ts';
import { type Ground, RIBBON, type TableLayout } from './table-layout.ts';

/** The height of the seat panels as a share of the screen. */
const PANEL_SHARE = 0.255;
/** Height of a panel's tabs, px of 1080 lines. */
const TABS = 34;

/** Lays the table for a viewport of `width` x `height` CSS pixels and `seatCount` seats. */
export function layTable(width: number, height: number, form: Form = PLAIN, seatCount = 7): TableLayout {
  const unit = Math.min(width / 1920, height / 1080);
  const cx = width / 2;
  const v = height / 1080;
  const u = (n: number): number => n * unit;
  const panelTop = height * (1 - PANEL_SHARE);
  const column = width / seatCount;
  // the cloth has the same curve for any number of seats
  const reach = 3 * (width / 7) * 0.955;
  const edge = sag(cx, 758 * v, reach, 660 * v);
  const ground: Ground = {
    form,
    width,
    height,
    unit,
    v,
    cx,
    panelTop,
    edge,
    reach,
    pitch: Math.min(column * 0.955, (reach / 3) * 1.15),
    columns: Array.from({ length: seatCount }, (_, i) => {
      const fromLeft = columnOf(i + 1, seatCount, form.dealerSide);
      const fromMiddle = fromLeft - (seatCount - 1) / 2;
      const x = cx + fromMiddle * column * 0.955;
      const inward = Math.sign(cx - x) * Math.min(Math.abs(cx - x), u(64));
      return {
        seat: i + 1,
        fromMiddle,
        x,
        // below the lowest spot, as the edge falls towards the middle, and above the panel's tabs
        ribbonY: Math.min(arcY(edge, x + inward) + u(2), panelTop - u(TABS + RIBBON / 2 + 0.5)),
        panel: { x: column * (fromLeft + 0.5), y: panelTop + u(70) },
      };
    }),
  };
  // baccarat's roads lie below tray and shoe, which are smaller for them
  const [middle, high] = form.game === 'baccarat' ? [112, 96] : [143, 132];
  const side = shoeSideOf(form.dealerSide);
  // at the left the dialogs of the dealer lie nearer
  const shoe = boxAround(cx + side * (cx - u(side === 1 ? 216 : 198)), middle * v, u(232), u(high));
  const tray = boxAround(cx - side * (cx - u(216)), middle * v, u(184), u(high));
  const packScale = 0.62 * (high / 132);
  return {
    form,
    width,
    height,
    unit,
    card: { width: u(104), height: u(145.6) },
    felt: { left: u(43), right: width - u(43), top: 46 * v, corner: u(54), rim: u(34), edge },
    panelTop,
    strip: { x: cx - u(344), y: 0, width: u(688), height: 106 * v },
    shoe: {
      ...shoe,
      mouth: {
        x: shoe.x + shoe.width / 2 - side * u(62),
        y: shoe.y + shoe.height / 2 + u(1),
        turn: side * -0.05,
        scale: Math.min(0.62, packScale * 1.28),
      },
    },
    tray: {
      ...tray,
      endCard: { x: tray.x + tray.width / 2 + side * u(132), y: tray.y + tray.height * 0.56 },
      top: { x: tray.x + tray.width / 2, y: tray.y + tray.height / 2, turn: 0, scale: packScale },
    },
    ...(form.game === 'baccarat' ? layBaccarat(ground) : layCircles(ground)),
  };
}
