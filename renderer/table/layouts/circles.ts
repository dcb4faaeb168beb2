/** Tables with one box per seat and round spots below it: black jack and casino war. */
import { type Arc, arcY, boxAround, onArc, sag, within } from '../geometry.ts';
import type { GameLayout, Ground, SeatLayout, Spot } from '../layout.ts';

/** From the gold line of the cloth's edge to the lowest row of spots. */
const EDGE_GAP = 15;
/** Below the box, for the lower half of the label with its amount; a wide row rises at the outer seats. */
const labelGap = (row: Row): number => (row.bets.length >= 5 ? 21 : 16);

interface Row {
  readonly bets: readonly string[];
  readonly radius: number;
  /** From one centre to the next. */
  readonly step: number;
  /** How far its centre line is from the edge of the cloth. */
  readonly away: number;
}

/** Half the height of what lies in a row; a slot is lower than it is wide. */
const halfOf = (bets: readonly string[]): number =>
  bets.length === 1 ? (bets[0] === 'jackpot' ? 23 : 29) : 0;

/** Spots in one row, or in two that lie in each other's gaps: the streak's numbers nearest to the player. */
function rowsOf(spots: readonly string[]): readonly Row[] {
  if (spots.length === 0) return [];
  const streak = spots.filter((bet) => bet.startsWith('streak'));
  if (spots.length <= 5 || streak.length === 0) {
    const radius = halfOf(spots) || (spots.length <= 4 ? 24 : spots.length === 5 ? 22 : 19);
    return [{ bets: spots, radius, step: 2 * radius + (spots.length <= 4 ? 4 : 3), away: EDGE_GAP + radius }];
  }
  const low: Row = { bets: streak, radius: 19.5, step: 47, away: EDGE_GAP + 19.5 };
  const others = spots.filter((bet) => !bet.startsWith('streak'));
  return [{ bets: others, radius: 22, step: 47, away: low.away + 37 }, low];
}

function spotsOf(ground: Ground, rows: readonly Row[], x: number): Spot[] {
  const u = ground.unit;
  // one angle for all rows: they stand square to the edge, and the lower one in the gaps of the upper
  const between = rows.reduce((sum, row) => sum + row.away, 0) / Math.max(1, rows.length);
  const middle = Math.asin((x - ground.cx) / (ground.edge.radius - between * u));
  return rows.flatMap(({ bets, radius, step, away }) => {
    const arc = within(ground.edge, away * u);
    return bets.map((bet, i): Spot => {
      const angle = middle + ((i - (bets.length - 1) / 2) * step * u) / arc.radius;
      const at = onArc(arc, angle);
      const slot = bet === 'jackpot';
      const size = (radius < 23 ? 15 : 16) * u;
      const print = (down: number, room: number): Spot['name'] => ({
        x: at.x,
        y: at.y + down * u,
        turn: 0,
        size,
        room: room * u,
      });
      return {
        ...at,
        bet,
        kind: slot ? 'slot' : 'circle',
        radius: radius * u,
        cell: null,
        chips: slot ? 0.6 : (radius / 28) * 0.76,
        lift: (rows.length > 1 ? 6 : slot ? 6 : 3) * u,
        covered: true,
        name: print(radius > 25 || slot ? -8.5 : -7.5, slot ? 62 : radius * 1.62),
        odds: print(radius > 25 || slot ? 9.5 : 8.5, slot ? 62 : radius * 1.5),
        label: { x: at.x, y: at.y + (radius - (rows.length > 1 ? 8 : slot ? 4 : 6)) * u },
        labelRoom: (bets.length === 1 ? 76 : step - 1) * u,
        wonRoom: (bets.length === 1 ? 120 : 76) * u,
      };
    });
  });
}

export function layCircles(ground: Ground): GameLayout {
  const { form, unit, v, cx, reach, pitch, edge } = ground;
  const u = (n: number): number => n * unit;
  const rows = rowsOf(form.spots);
  const radius = rows.length === 0 ? 50 : rows.length === 1 ? 46 : 40;
  const top = rows[0];
  const away = top === undefined ? 78 : top.away + top.radius + labelGap(top) + radius;
  const boxes = within(edge, u(away));
  const middle = sag(cx, 380 * v, reach, 284 * v);
  const half = u(26);
  const seats = ground.columns.map(({ seat, x, panel }): SeatLayout => {
    const y = arcY(boxes, x);
    const bandY = arcY(middle, x);
    const zoneTop = bandY + half + u(4);
    // below the lowest spot of the seat: the edge falls towards the middle of the table
    const inward = Math.sign(cx - x) * Math.min(Math.abs(cx - x), u(64));
    const ribbonY = arcY(edge, x + inward) + u(2);
    return {
      seat,
      x,
      y,
      insurance: { x, y: bandY },
      spots: spotsOf(ground, rows, x),
      zone: { x: x - pitch / 2, y: zoneTop, width: pitch, height: ribbonY + u(17) - zoneTop },
      panel,
      ribbon: { x, y: ribbonY },
    };
  });
  const band = (arc: Arc): GameLayout['band'] => ({
    middle: arc,
    inner: within(arc, half),
    outer: within(arc, -half),
    half,
  });
  const sign = (y: number, height: number, side: 1 | -1): GameLayout['limits'] =>
    boxAround(cx + side * u(470), y * v, u(212), u(height));
  return {
    boxRadius: u(radius),
    bank: {
      centre: { x: cx, y: 188 * v },
      place: boxAround(cx, 188 * v, u(232), u(164)),
      label: { x: cx, y: 282 * v },
    },
    player: null,
    handScale: 1,
    house: { x: cx, y: 188 * v },
    verdict: null,
    // beside a meter both signs stand on the other side of the bank
    limits: form.jackpot ? sign(135, 62, 1) : sign(156, 84, -1),
    round: form.jackpot ? sign(206, 62, 1) : sign(156, 84, 1),
    meter: form.jackpot ? boxAround(cx - u(470), 164 * v, u(292), u(108)) : null,
    lettering: sag(cx, 324 * v, reach, 226 * v),
    band: band(middle),
    banner: boxAround(cx, 318 * v, u(780), u(58)),
    seats,
  };
}
