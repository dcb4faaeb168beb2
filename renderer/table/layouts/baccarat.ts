/**
 * The layout of baccarat: bands along the players' edge, nearest the Player side, then the Banker
 * side, then tie and pairs, each cut into one part per seat; in the middle of the cloth the two
 * hands, Player left, Banker right.
 */
import { arcY, boxAround, sag, within } from '../geometry.ts';
import type { Cell, GameLayout, Ground, SeatLayout, Spot } from '../table-layout.ts';

const BANDS = { edge: 19, player: 94, banker: 169, small: 237 } as const;
/** Size of the cards of both sides. */
const HAND_SCALE = 1.15;

export function layBaccarat(ground: Ground): GameLayout {
  const { form, unit, v, width, cx, edge, columns } = ground;
  const u = (n: number): number => n * unit;
  const arc = (away: number): Cell['outer'] => within(edge, u(away));
  const small = form.spots.filter((bet) => bet !== 'player' && bet !== 'banker');

  // from golden line to golden line of the cloth
  const pitch = (width - 2 * u(54)) / columns.length;

  const seats = columns.map(({ seat, fromMiddle, panel }): SeatLayout => {
    const x = cx + fromMiddle * pitch;
    const cell = (low: number, high: number, share: readonly [number, number] = [0, 1]): Cell => ({
      outer: arc(low),
      inner: arc(high),
      from: x + (share[0] - 0.5) * pitch,
      to: x + (share[1] - 0.5) * pitch,
    });
    /**
     * The point of a cell at a share of its width, `up` from its lower arc; print there leans with
     * the arc.
     */
    const at = (place: Cell, share: number, up: number): { x: number; y: number; turn: number } => {
      const line = within(place.outer, u(up));
      const px = place.from + (place.to - place.from) * share;
      return { x: px, y: arcY(line, px), turn: -Math.asin((px - cx) / line.radius) };
    };
    const side = (bet: string, place: Cell): Spot => ({
      bet,
      kind: 'cell',
      radius: u(30),
      width: u(60),
      cell: place,
      chips: 0.76,
      lift: 0,
      covered: false,
      ...at(place, 0.83, 41),
      name: { ...at(place, 0.535, 48), size: u(18), room: u(80) },
      odds: { ...at(place, 0.535, 23), size: u(17), room: u(80) },
      label: at(place, 0.83, 14),
      labelRoom: u(84),
      wonRoom: u(84),
    });
    const extra = (bet: string, i: number): Spot => {
      const place = cell(BANDS.banker, BANDS.small, [i / small.length, (i + 1) / small.length]);
      const room = pitch / small.length - u(12);
      return {
        bet,
        kind: 'cell',
        radius: u(22),
        width: u(44),
        cell: place,
        chips: 0.62,
        lift: 0,
        covered: true,
        ...at(place, 0.5, 35),
        name: { ...at(place, 0.5, 44), size: u(17), room },
        odds: { ...at(place, 0.5, 22), size: u(16), room },
        label: at(place, 0.5, 13),
        labelRoom: Math.min(room + u(10), u(84)),
        wonRoom: Math.min(room + u(10), u(84)),
      };
    };
    const player = cell(BANDS.edge, BANDS.player);
    const medallion = at(player, 0.115, 40);
    const inward = Math.sign(cx - x) * Math.min(Math.abs(cx - x), u(64));
    const ribbon = { x, y: arcY(edge, x + inward) + u(2) };
    const top = arc(BANDS.small);
    const zoneTop = Math.min(arcY(top, x - pitch / 2), arcY(top, x + pitch / 2));
    return {
      seat,
      x: medallion.x,
      y: medallion.y,
      insurance: medallion,
      spots: [...small.map(extra), side('banker', cell(BANDS.player, BANDS.banker)), side('player', player)],
      zone: { x: x - pitch / 2, y: zoneTop, width: pitch, height: ribbon.y + u(17) - zoneTop },
      panel,
      ribbon,
    };
  });

  const hands = { y: 198 * v, away: u(207) };
  const hand = (side: 1 | -1): GameLayout['bank'] => ({
    centre: { x: cx + side * hands.away, y: hands.y },
    place: boxAround(cx + side * hands.away, hands.y, u(254), u(174)),
    label: { x: cx + side * hands.away, y: 303 * v },
  });
  const rest = arc(BANDS.small + 48);
  return {
    boxRadius: u(16),
    bank: hand(1),
    player: hand(-1),
    handScale: HAND_SCALE,
    float: boxAround(cx, 138 * v, u(148), u(52)),
    verdict: { x: cx, y: 342 * v },
    // Beside the names of the two sides: the boards of the roads lie below tray and shoe.
    limits: boxAround(cx - u(424), 345 * v, u(198), u(54)),
    round: boxAround(cx + u(424), 345 * v, u(198), u(54)),
    meter: null,
    streakRack: null,
    spread: {
      arc: sag(cx, 204 * v, u(786), 150 * v),
      half: 0.07,
      scale: 0.9,
      welcome: { x: cx, y: 342 * v },
    },
    lettering: arc(BANDS.small + 118),
    band: { middle: rest, inner: rest, outer: rest, half: u(22) },
    banner: boxAround(cx, 420 * v, u(780), u(58)),
    seats,
  };
}
