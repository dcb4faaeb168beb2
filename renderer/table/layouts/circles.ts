/** Tables with one box per seat and round spots below it: black jack and casino war. */
import { type Arc, arcY, boxAround, onArc, sag, within } from '../geometry.ts';
import type { GameLayout, Ground, SeatLayout, Spot } from '../table-layout.ts';

/** From the gold line of the cloth's edge to the lowest row of spots. */
const EDGE_GAP = 15;
/**
 * Below the box, for the lower half of the label with its amount; a wide row rises at the outer
 * seats.
 */
const labelGap = (row: Row): number => (row.bets.length >= 5 ? 21 : 16);

interface Row {
  readonly bets: readonly string[];
  readonly kind: Spot['kind'];
  readonly width: number;
  readonly height: number;
  /** From one centre to the next. */
  readonly step: number;
  /** How far its centre line is from the edge of the cloth. */
  readonly away: number;
}

/** From the first field's middle to the last one's end, at the outermost seat. */
const REACH = 119;

/**
 * More than four in a row would be too small as circles: fields take their corners for the print as
 * well.
 */
function fields(bets: readonly string[], height: number, away: number): Row {
  const step = Math.min(56, (2 * REACH) / bets.length);
  return { bets, kind: 'field', width: step - 3, height, step, away: away + height / 2 };
}

/** Spots in one row, or in two with the streak's numbers nearest to the player. */
function rowsOf(spots: readonly string[]): readonly Row[] {
  if (spots.length === 0) return [];
  const streak = spots.filter((bet) => bet.startsWith('streak'));
  if (spots.length > 5 && streak.length > 0) {
    const low = fields(streak, 36, EDGE_GAP);
    const others = spots.filter((bet) => !bet.startsWith('streak'));
    return [fields(others, 38, EDGE_GAP + low.height + 3), low];
  }
  if (spots.length > 4) return [fields(spots, 44, EDGE_GAP)];
  const slot = spots.length === 1 && spots[0] === 'jackpot';
  const height = slot ? 46 : spots.length === 1 ? 58 : 56;
  const row = { bets: spots, height, step: 60, away: EDGE_GAP + height / 2 };
  return [slot ? { ...row, kind: 'slot', width: 72 } : { ...row, kind: 'circle', width: height }];
}

function spotsOf(ground: Ground, rows: readonly Row[], x: number): Spot[] {
  const u = ground.unit;
  // one angle for all rows: they stand square to the edge
  const between = rows.reduce((sum, row) => sum + row.away, 0) / Math.max(1, rows.length);
  const middle = Math.asin((x - ground.cx) / (ground.edge.radius - between * u));
  return rows.flatMap(({ bets, kind, width, height, step, away }) => {
    const arc = within(ground.edge, away * u);
    const half = height / 2;
    const narrow = kind === 'field';
    return bets.map((bet, i): Spot => {
      const angle = middle + ((i - (bets.length - 1) / 2) * step * u) / arc.radius;
      const at = onArc(arc, angle);
      const turn = kind === 'circle' ? 0 : -angle;
      const size = (narrow ? 17.5 : 18) * u;
      const print = (down: number, room: number): Spot['name'] => ({
        x: at.x - down * u * Math.sin(turn),
        y: at.y + down * u * Math.cos(turn),
        turn,
        size,
        room: room * u,
      });
      const lines = narrow ? height * 0.225 : half * 0.33;
      return {
        ...at,
        bet,
        kind,
        radius: half * u,
        width: width * u,
        turn,
        cell: null,
        chips: kind === 'slot' ? 0.6 : narrow ? (half / 28) * 0.8 : (half / 28) * 0.72,
        lift: (narrow || kind === 'slot' ? 6 : 4) * u,
        covered: true,
        name: print(-lines, kind === 'circle' ? width * 0.82 : width - (kind === 'slot' ? 12 : 4)),
        odds: { ...print(lines + 0.5, kind === 'circle' ? width * 0.8 : width - 4), size: size - 1.5 * u },
        label: { x: at.x, y: at.y + (half - (narrow ? 8 : kind === 'slot' ? 4 : 6)) * u },
        labelRoom: (bets.length === 1 ? 76 : step - 1) * u,
        wonRoom: (bets.length === 1 ? 120 : 76) * u,
      };
    });
  });
}

/** Below the sign with the limits, in front of the dealer. */
function layRack({ unit, v, cx, columns }: Ground): NonNullable<GameLayout['streakRack']> {
  const u = (n: number): number => n * unit;
  const [x, y, step] = [cx - u(470), 232 * v, u(29)];
  return {
    box: boxAround(x, y, step * columns.length + u(6), u(34)),
    places: columns.map(({ fromMiddle }) => ({ x: x + fromMiddle * step, y })),
  };
}

export function layCircles(ground: Ground): GameLayout {
  const { form, unit, v, cx, reach, pitch, edge } = ground;
  const u = (n: number): number => n * unit;
  const rows = rowsOf(form.spots);
  const radius = rows.length === 0 ? 50 : rows.length === 1 ? 46 : 40;
  const top = rows[0];
  const away = top === undefined ? 78 : top.away + top.height / 2 + labelGap(top) + radius;
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
    // the bank's own row may be 202 to either side
    float: form.jackpot ? boxAround(cx - u(263), 164 * v, u(110), u(84)) : sign(156, 84, -1),
    verdict: null,
    limits: sign(135, 62, 1),
    round: sign(206, 62, 1),
    spread: { arc: sag(cx, 504 * v, reach, 408 * v), half: 0.16, scale: 0.7, welcome: { x: cx, y: 428 * v } },
    streakRack: form.spots.some((bet) => bet.startsWith('streak')) ? layRack(ground) : null,
    meter: form.jackpot ? boxAround(cx - u(470), 164 * v, u(292), u(108)) : null,
    lettering: sag(cx, 324 * v, reach, 226 * v),
    band: band(middle),
    banner: boxAround(cx, 318 * v, u(780), u(58)),
    seats,
  };
}
