/** Tables with one box per seat and fields for other bets below it: black jack and casino war. */
import { type Arc, arcY, boxAround, onArc, sag, within } from '../geometry.ts';
import type { GameLayout, Ground, SeatLayout, Spot } from '../table-layout.ts';

/** From the gold line of the cloth's edge to the lowest row of spots. */
const EDGE_GAP = 15;
/**
 * Below the box, for the lower half of the label with its amount; a wide row rises at the outer
 * seats.
 */
const labelGap = (row: Row): number => (row.bets.length >= 4 ? 26 : 22);

/** Where no spots lie below the box: three rows of tools lift the seat's panel up to its amount. */
const BARE_AWAY = 148;

interface Row {
  readonly bets: readonly string[];
  readonly kind: 'field' | 'slot';
  readonly width: number;
  readonly height: number;
  /** From one centre to the next. */
  readonly step: number;
  /** How far its centre line is from the edge of the cloth. */
  readonly away: number;
}

/** From the first field's middle to the last one's end, at the outermost seat. */
const REACH = 119;
/** Two lines of print, and one. */
const HIGH = 56;
const LOW = 37;
const PRINT = 22;

function rowOf(bets: readonly string[], height: number, away: number): Row {
  const most = bets.length < 3 ? 106 : height === LOW ? 56 : 62;
  const step = Math.min(most, (2 * REACH) / bets.length);
  const kind = bets.length === 1 && bets[0] === 'jackpot' ? 'slot' : 'field';
  return { bets, kind, width: step - 2.8, height, step, away: away + height / 2 };
}

/**
 * Spots in one row, or in two with the streak's numbers nearest to the player: for a second line
 * with the odds two rows have no room, they stand in the panel.
 */
function rowsOf(spots: readonly string[]): readonly Row[] {
  if (spots.length === 0) return [];
  const streak = spots.filter((bet) => bet.startsWith('streak'));
  if (spots.length <= 5 || streak.length === 0) return [rowOf(spots, HIGH, EDGE_GAP)];
  const low = rowOf(streak, LOW, EDGE_GAP);
  const others = spots.filter((bet) => !bet.startsWith('streak'));
  return [rowOf(others, LOW, EDGE_GAP + low.height + 3), low];
}

function spotsOf(ground: Ground, rows: readonly Row[], x: number): Spot[] {
  const u = ground.unit;
  // one angle for all rows: they stand square to the edge
  const between = rows.reduce((sum, row) => sum + row.away, 0) / Math.max(1, rows.length);
  const middle = Math.asin((x - ground.cx) / (ground.edge.radius - between * u));
  return rows.flatMap(({ bets, kind, width, height, step, away }) => {
    const arc = within(ground.edge, away * u);
    const half = height / 2;
    const single = height < HIGH;
    return bets.map((bet, i): Spot => {
      const angle = middle + ((i - (bets.length - 1) / 2) * step * u) / arc.radius;
      const at = onArc(arc, angle);
      const turn = -angle;
      const print = (down: number): Spot['name'] => ({
        x: at.x - down * u * Math.sin(turn),
        y: at.y + down * u * Math.cos(turn),
        turn,
        size: PRINT * u,
        room: (width - 0.4) * u,
      });
      return {
        ...at,
        bet,
        kind,
        radius: half * u,
        width: width * u,
        turn,
        cell: null,
        chips: single ? 0.53 : 0.66,
        lift: (single ? 6 : 8) * u,
        covered: true,
        name: print(single ? 0 : -12.5),
        odds: single ? null : print(12.5),
        sign: null,
        label: { x: at.x, y: at.y + (half - 10) * u },
        labelRoom: (step - 1) * u,
        wonRoom: 100 * u,
      };
    });
  });
}

/** Beside the bank's chips, in front of the dealer. */
function layRack({ unit, v, cx, columns }: Ground): NonNullable<GameLayout['streakRack']> {
  const u = (n: number): number => n * unit;
  const [x, y, step] = [cx - u(340), 148 * v, u(36)];
  return {
    box: boxAround(x, y, step * columns.length + u(8), u(42)),
    places: columns.map(({ fromMiddle }) => ({ x: x + fromMiddle * step, y })),
  };
}

export function layCircles(ground: Ground): GameLayout {
  const { form, unit, v, cx, reach, pitch, edge } = ground;
  const u = (n: number): number => n * unit;
  const rows = rowsOf(form.spots);
  const radius = rows.length === 0 ? 50 : rows.length === 1 ? 46 : 40;
  const top = rows[0];
  const away = top === undefined ? BARE_AWAY : top.away + top.height / 2 + labelGap(top) + radius;
  const boxes = within(edge, u(away));
  const middle = sag(cx, 380 * v, reach, 284 * v);
  const half = u(26);
  const seats = ground.columns.map(({ seat, x, panel, ribbonY }): SeatLayout => {
    const y = arcY(boxes, x);
    const bandY = arcY(middle, x);
    const zoneTop = bandY + half + u(4);
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
  const sign = (y: number): GameLayout['limits'] => boxAround(cx + u(470), y * v, u(232), u(68));
  // Below float, meter and rack lie the last rounds (styles/roads.css).
  const streakRack = form.spots.some((bet) => bet.startsWith('streak')) ? layRack(ground) : null;
  const float = (): GameLayout['float'] => {
    // the bank's own row may be 202 to either side
    if (form.jackpot) return boxAround(cx - u(263), 150 * v, u(110), u(84));
    return streakRack === null
      ? boxAround(cx - u(470), 148 * v, u(232), u(84))
      : boxAround(cx - u(531), 148 * v, u(110), u(84));
  };
  return {
    boxRadius: u(radius),
    bank: {
      centre: { x: cx, y: 188 * v },
      place: boxAround(cx, 188 * v, u(232), u(164)),
      label: { x: cx, y: 282 * v },
    },
    player: null,
    handScale: 1,
    float: float(),
    verdict: null,
    limits: sign(133),
    round: sign(208),
    spread: {
      arc: sag(cx, 499 * v, reach, 403 * v),
      half: 0.16,
      scale: 0.68,
      welcome: { x: cx, y: 428 * v },
    },
    streakRack,
    meter: form.jackpot ? boxAround(cx - u(470), 150 * v, u(292), u(84)) : null,
    lettering: sag(cx, 324 * v, reach, 226 * v),
    band: band(middle),
    banner: boxAround(cx, 356 * v, u(780), u(116)),
    seats,
  };
}
