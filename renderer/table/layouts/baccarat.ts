/**
 * The layout of baccarat: bands along the players' edge, nearest the Player side, then the Banker
 * side, then tie and pairs, each cut into one part per seat; in the middle of the cloth the two
 * hands, Player left, Banker right.
 */
import type { Form } from '../form.ts';
import { arcY, boxAround, sag, within } from '../geometry.ts';
import type { Cell, GameLayout, Ground, SeatLayout, Spot } from '../table-layout.ts';

const EDGE = 19;
/** How high the bands are, from the edge inwards; the boards of the roads leave no more room. */
const BANDS = { side: 75, small: 68, more: 0 } as const;
/** The same with a second band of small bets. */
const FOUR_BANDS = { side: 61, small: 48, more: 48 } as const;
/** So many small bets lie side by side in a seat's part of a band, each at least so wide. */
const MOST_IN_A_BAND = 4;
const LEAST_WIDE = 50;
/** With more than seven seats a part is narrower: chips lie over its print, beside its sign. */
const NARROW = 250;
/** Size of the cards of both sides. */
const HAND_SCALE = 1.15;

export function layBaccarat(ground: Ground): GameLayout {
  const { form, unit, v, width, cx, edge, columns } = ground;
  const u = (n: number): number => n * unit;
  const arc = (away: number): Cell['outer'] => within(edge, u(away));
  // from golden line to golden line of the cloth
  const pitch = (width - 2 * u(54)) / columns.length;
  const isNarrow = pitch < u(NARROW);
  const beside = form.spots.filter((bet) => bet !== 'player' && bet !== 'banker');
  const more = secondBand(form, beside, pitch / unit);
  const small = beside.filter((bet) => !more.includes(bet));
  const high = more.length > 0 ? FOUR_BANDS : BANDS;
  const lines = {
    player: EDGE + high.side,
    banker: EDGE + 2 * high.side,
    small: EDGE + 2 * high.side + high.small,
    top: EDGE + 2 * high.side + high.small + high.more,
  };
  /** Print and chips of a lower band are smaller and closer together. */
  const ofSide = (n: number): number => u((n * high.side) / BANDS.side);
  const ofSmall = (n: number): number => u((n * high.small) / BANDS.small);

  const seats = columns.map(({ seat, fromMiddle, panel, ribbonY }): SeatLayout => {
    const x = cx + fromMiddle * pitch;
    const cell = (from: number, to: number, share: readonly [number, number] = [0, 1]): Cell => ({
      outer: arc(from),
      inner: arc(to),
      from: x + (share[0] - 0.5) * pitch,
      to: x + (share[1] - 0.5) * pitch,
    });
    /**
     * The point of a cell at a share of its width, `up` from its lower arc; print there leans with
     * the arc.
     */
    const at = (place: Cell, share: number, up: number): { x: number; y: number; turn: number } => {
      const line = within(place.outer, up);
      const px = place.from + (place.to - place.from) * share;
      return { x: px, y: arcY(line, px), turn: -Math.asin((px - cx) / line.radius) };
    };
    const side = (bet: string, place: Cell): Spot => ({
      bet,
      kind: 'cell',
      radius: ofSide(30),
      width: ofSide(60),
      cell: place,
      chips: (0.76 * high.side) / BANDS.side,
      lift: 0,
      covered: isNarrow,
      ...(isNarrow ? narrowSide(place) : wideSide(place)),
    });
    type Lines = Pick<
      Spot,
      'x' | 'y' | 'turn' | 'name' | 'odds' | 'sign' | 'label' | 'labelRoom' | 'wonRoom'
    >;
    const wideSide = (place: Cell): Lines => ({
      ...at(place, 0.83, ofSide(41)),
      name: { ...at(place, 0.55, ofSide(50)), size: u(22), room: u(93) },
      odds: { ...at(place, 0.55, ofSide(22)), size: u(22), room: u(93) },
      sign: { ...at(place, 0.285, u(37)), size: u(42), room: u(52) },
      label: at(place, 0.83, ofSide(14)),
      labelRoom: u(86),
      wonRoom: u(86),
    });
    // the sign stands right of the medallion; where odds have no room beside it, they are below it
    const narrowSide = (place: Cell): Lines => {
      const free = (from: number): { share: number; room: number } => ({
        share: (u(from) + pitch) / 2 / pitch,
        room: pitch - u(from + 6),
      });
      const beside = free(82);
      const below = beside.room < u(92) ? free(46) : beside;
      return {
        ...at(place, beside.share, ofSide(43)),
        name: { ...at(place, beside.share, ofSide(52)), size: u(22), room: beside.room },
        odds: { ...at(place, below.share, ofSide(20)), size: u(22), room: below.room },
        sign: { ...at(place, u(64) / pitch, ofSide(55)), size: ofSide(34), room: ofSide(42) },
        label: at(place, below.share, ofSide(14)),
        labelRoom: Math.min(below.room, u(98)),
        wonRoom: Math.min(below.room, u(98)),
      };
    };
    const extra =
      (band: readonly string[], from: number, to: number) =>
      (bet: string, i: number): Spot => {
        const place = cell(from, to, [i / band.length, (i + 1) / band.length]);
        const room = pitch / band.length - u(4);
        const print = (up: number): Spot['name'] => ({ ...at(place, 0.5, ofSmall(up)), size: u(22), room });
        // two lines have no room in a band that is half as high
        const single = high.small < BANDS.small;
        return {
          bet,
          kind: 'cell',
          radius: ofSmall(22),
          width: ofSmall(44),
          cell: place,
          chips: (0.62 * high.small) / BANDS.small,
          lift: 0,
          covered: true,
          ...at(place, 0.5, ofSmall(35)),
          name: print(single ? 34 : 48),
          odds: single ? null : print(22),
          sign: null,
          label: at(place, 0.5, ofSmall(13)),
          labelRoom: Math.min(room + u(2), u(90)),
          wonRoom: Math.min(room + u(2), u(90)),
        };
      };
    const player = cell(EDGE, lines.player);
    const medallion = at(player, isNarrow ? u(26) / pitch : 0.115, ofSide(40));
    const zoneArc = arc(lines.top);
    const zoneTop = Math.min(arcY(zoneArc, x - pitch / 2), arcY(zoneArc, x + pitch / 2));
    return {
      seat,
      x: medallion.x,
      y: medallion.y,
      insurance: medallion,
      spots: [
        ...more.map(extra(more, lines.small, lines.top)),
        ...small.map(extra(small, lines.banker, lines.small)),
        side('banker', cell(lines.player, lines.banker)),
        side('player', player),
      ],
      zone: { x: x - pitch / 2, y: zoneTop, width: pitch, height: ribbonY + u(17) - zoneTop },
      panel,
      ribbon: { x, y: ribbonY },
    };
  });

  const hands = { y: 198 * v, away: u(207) };
  const hand = (side: 1 | -1): GameLayout['bank'] => ({
    centre: { x: cx + side * hands.away, y: hands.y },
    place: boxAround(cx + side * hands.away, hands.y, u(254), u(174)),
    label: { x: cx + side * hands.away, y: 303 * v },
  });
  const rest = arc(lines.top + 48);
  return {
    boxRadius: u(18),
    bank: hand(1),
    player: hand(-1),
    handScale: HAND_SCALE,
    float: boxAround(cx, 138 * v, u(148), u(52)),
    verdict: { x: cx, y: 342 * v },
    // Beside the names of the two sides: the boards of the roads lie below tray and shoe.
    limits: boxAround(cx - u(425), 347 * v, u(206), u(56)),
    round: boxAround(cx + u(425), 347 * v, u(206), u(56)),
    meter: null,
    streakRack: null,
    spread: {
      arc: sag(cx, 204 * v, u(786), 150 * v),
      half: 0.07,
      scale: 0.9,
      welcome: { x: cx, y: 342 * v },
    },
    lettering: arc(lines.top + 118),
    band: { middle: rest, inner: rest, outer: rest, half: u(22) },
    banner: boxAround(cx, 430 * v, u(780), u(116)),
    seats,
  };
}

/** What lies in the band above the small bets; nothing where one band has room for all. */
function secondBand(form: Form, beside: readonly string[], pitch: number): readonly string[] {
  const most = Math.min(MOST_IN_A_BAND, Math.floor(pitch / LEAST_WIDE));
  if (beside.length <= most) return [];
  // Those of the regulator's director have it; in a narrow part half of all, the pairs last.
  if (beside.length - form.authorised.length <= most && form.authorised.length <= most)
    return form.authorised;
  const rank = (bet: string): number => (form.authorised.includes(bet) ? 0 : bet.endsWith('Pair') ? 2 : 1);
  const first = beside.toSorted((a, b) => rank(a) - rank(b)).slice(0, Math.ceil(beside.length / 2));
  return beside.filter((bet) => first.includes(bet));
}
