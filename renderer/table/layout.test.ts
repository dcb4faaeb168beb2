import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { DealerSide } from '../../engine/table/profile.ts';
import { type Form, PLAIN } from './form.ts';
import { arcY, type Box, onArc, type Placement, type Point } from './geometry.ts';
import {
  badgeCentre,
  badgeSize,
  cardBox,
  type HandPlacement,
  layBank,
  layHand,
  layPlayerSide,
} from './hands.ts';
import { layTable } from './layout.ts';
import { along, bowOf, mix } from './pace.ts';
import { corners, fieldCorners, placeAt } from './places.ts';
import { RIBBON, type TableLayout } from './table-layout.ts';

const SIZES = [
  [1366, 768],
  [1920, 1080],
  [1920, 1200],
  [2560, 1440],
  [3440, 1440],
  [3840, 2160],
] as const;

const overlap = (a: Box, b: Box, slack = 0.5): boolean =>
  a.x + a.width > b.x + slack &&
  b.x + b.width > a.x + slack &&
  a.y + a.height > b.y + slack &&
  b.y + b.height > a.y + slack;
const inside = (inner: Box, outer: Box, slack = 0.5): boolean =>
  inner.x >= outer.x - slack &&
  inner.y >= outer.y - slack &&
  inner.x + inner.width <= outer.x + outer.width + slack &&
  inner.y + inner.height <= outer.y + outer.height + slack;
const around = (at: Point, width: number, height: number): Box => ({
  x: at.x - width / 2,
  y: at.y - height / 2,
  width,
  height,
});
const circle = (at: Point, r: number): Box => around(at, 2 * r, 2 * r);
const badgeBox = (table: TableLayout, hand: HandPlacement, hands: number, text: string): Box => {
  const size = badgeSize(table, hands, text);
  return around(badgeCentre(hand, size.width), size.width, size.height);
};
/**
 * The widest gap between two convex shapes along the sides of either; negative = how deep they lie
 * in each other.
 */
function gap(a: readonly Point[], b: readonly Point[]): number {
  let widest = Number.NEGATIVE_INFINITY;
  for (const shape of [a, b]) {
    for (const [i, p] of shape.entries()) {
      const q = shape[(i + 1) % shape.length]!;
      const length = Math.hypot(q.x - p.x, q.y - p.y);
      const [nx, ny] = [(q.y - p.y) / length, (p.x - q.x) / length];
      const reach = (points: readonly Point[]): number[] => points.map(({ x, y }) => x * nx + y * ny);
      const [ra, rb] = [reach(a), reach(b)];
      widest = Math.max(widest, Math.min(...ra) - Math.max(...rb), Math.min(...rb) - Math.max(...ra));
    }
  }
  return widest;
}
const say = (box: Box): string =>
  `${Math.round(box.x)},${Math.round(box.y)} ${Math.round(box.width)}x${Math.round(box.height)}`;

const STREAK = ['streak2', 'streak3', 'streak4', 'streak5'];
const FORMS: Readonly<Record<string, Form>> = {
  plain: PLAIN,
  'four side bets': { ...PLAIN, spots: ['anyPair', 'sevens', 'over13', 'under13'] },
  'five side bets': { ...PLAIN, spots: ['anyPair', 'perfectPair', 'sevens', 'over13', 'under13'] },
  'all side bets': {
    ...PLAIN,
    spots: ['anyPair', 'perfectPair', 'sevens', 'over13', 'under13', ...STREAK],
  },
  'streak alone': { ...PLAIN, spots: STREAK },
  jackpot: { ...PLAIN, spots: ['jackpot'], jackpot: true },
  'large index': { ...PLAIN, spots: ['anyPair', 'sevens', 'over13', 'under13'], faces: '4-large' },
  war: { ...PLAIN, game: 'casino-war', spots: ['tie'] },
};
const BACCARAT: Readonly<Record<string, Form>> = {
  baccarat: {
    ...PLAIN,
    game: 'baccarat',
    spots: ['playerPair', 'tie', 'bankerPair', 'banker', 'player'],
    commission: 'five-percent',
  },
  'baccarat with lucky 6': {
    ...PLAIN,
    game: 'baccarat',
    spots: ['playerPair', 'tie', 'lucky6', 'bankerPair', 'banker', 'player'],
    commission: 'none-banker-six-half',
  },
  'baccarat with authorised bets': {
    ...PLAIN,
    game: 'baccarat',
    authorised: ['lucky7', 'superLucky7'],
    spots: ['lucky7', 'superLucky7', 'playerPair', 'tie', 'lucky6', 'bankerPair', 'banker', 'player'],
    commission: 'five-percent',
  },
};

/** Art. 1: seven seats or more. */
const SEATS_OF_BACCARAT = [7, 8, 10, 12] as const;

/** As styles/roads.css has them. */
const lastRounds = ({ width, height, unit }: TableLayout): Box => ({
  x: width / 2 - 586 * unit,
  y: (198 / 1080) * height,
  width: 376 * unit,
  height: 50 * unit,
});

for (const [width, height] of SIZES) {
  const tables = [
    ...Object.entries(FORMS).map(([kind, form]) => [kind, form, 7] as const),
    ...Object.entries(BACCARAT).flatMap(([kind, form]) =>
      SEATS_OF_BACCARAT.map((seats) => [kind, form, seats] as const),
    ),
  ];
  for (const [kind, form, seats] of tables) {
    const table = layTable(width, height, form, seats);
    const name = `${width}x${height} ${kind}, ${seats} seats`;

    test(`${name}: no spot lies on another, on a box, a label, a ribbon or the rim; a touch finds it`, () => {
      const u = table.unit;
      for (const seat of table.seats) {
        assert.deepEqual(seat.spots.map((spot) => spot.bet).sort(), [...form.spots].sort());
        const label = around({ x: seat.x, y: seat.y + table.boxRadius }, 96 * u, 28 * u);
        const ribbon = around(seat.ribbon, 150 * u, RIBBON * u);
        assert.ok(ribbon.y + ribbon.height < table.panelTop - 34 * u, 'ribbon on the tab of the rules');
        for (const [i, spot] of seat.spots.entries()) {
          assert.deepEqual(placeAt(table, spot.x, spot.y), { seat: seat.seat, bet: spot.bet });
          for (const print of [spot.name, spot.odds]) assert.ok(print === null || print.size >= 21.99 * u);
          if (spot.cell !== null) {
            const { cell } = spot;
            const across = (x: number): void => {
              assert.ok(arcY(cell.inner, x) < arcY(cell.outer, x));
              assert.ok(arcY(cell.outer, x) < arcY(table.felt.edge, x));
            };
            across(cell.from);
            across(cell.to);
            assert.ok(
              spot.label.x - spot.labelRoom / 2 >= cell.from - 1,
              `${spot.bet} label leaves its cell`,
            );
            assert.ok(spot.label.x + spot.labelRoom / 2 <= cell.to + 1, `${spot.bet} label leaves its cell`);
            continue;
          }
          const shape = fieldCorners(spot);
          const round = circle(seat, table.boxRadius);
          for (const { x, y } of shape) {
            assert.ok(
              Math.hypot(x - seat.x, y - seat.y) > table.boxRadius,
              `${spot.bet} on box ${say(round)}`,
            );
            assert.ok(y < arcY(table.felt.edge, x) - 9 * u, `${spot.bet} on the rim`);
            assert.ok(
              x > table.felt.left + 10 * u && x < table.felt.right - 10 * u,
              `${spot.bet} on the rim`,
            );
          }
          assert.ok(gap(shape, corners(label)) > -2 * u, `${spot.bet} under label ${say(label)}`);
          assert.ok(gap(shape, corners(ribbon)) > -2 * u, `${spot.bet} under ribbon ${say(ribbon)}`);
          for (const other of [...seat.spots.slice(i + 1), ...(table.seats[seat.seat]?.spots ?? [])]) {
            const apart = gap(shape, fieldCorners(other));
            assert.ok(apart >= 2 * u, `${spot.bet} and ${other.bet} of seat ${seat.seat}: ${apart}`);
          }
        }
      }
    });
  }

  for (const [kind, form, seats] of tables.filter(([, { game }]) => game === 'baccarat')) {
    const table = layTable(width, height, form, seats);
    const u = table.unit;
    test(`${width}x${height} ${kind}, ${seats} seats: in a cell number, sign, print and label stand apart`, () => {
      for (const { x, y, spots, zone } of table.seats) {
        const number = around({ x, y }, 38 * u, 38 * u);
        assert.ok(inside(number, { ...zone, y: 0, height }, 1), 'the number leaves its seat');
        for (const { bet, cell, sign, name, odds, label, labelRoom, width: chips, ...at } of spots) {
          assert.ok(cell !== null && chips <= cell.to - cell.from, `chips of ${bet} leave the cell`);
          for (const print of [name, odds]) {
            if (print === null) continue;
            assert.ok(
              print.x - print.room / 2 >= cell.from - 1 && print.x + print.room / 2 <= cell.to + 1,
              bet,
            );
          }
          if (sign === null || odds === null) continue;
          const signs = around(sign, sign.room, sign.size);
          const lines = [around(name, name.room, 22 * u), around(odds, odds.room, 22 * u)];
          // On the Player's band alone.
          if (bet === 'player')
            for (const each of [signs, ...lines, around(label, labelRoom, 26 * u)])
              assert.ok(!overlap(number, each, 4 * u), `${bet}: ${say(each)} on its number ${say(number)}`);
          for (const each of [...lines, around(label, labelRoom, 26 * u), around(at, 34 * u, 34 * u)])
            assert.ok(!overlap(signs, each, 6 * u), `${bet}: ${say(each)} on its sign ${say(signs)}`);
          assert.ok(!overlap(lines[0]!, lines[1]!, 4 * u), `${bet}: odds on its name`);
        }
      }
    });

    test(`${width}x${height} ${kind}, ${seats} seats: two hands of three cards and their points stand free`, () => {
      const sides = [layPlayerSide(table, 3), layBank(table, 3)];
      const pieces: Record<string, Box> = {
        strip: table.strip,
        limits: table.limits,
        round: table.round,
        float: table.float,
        shoe: { ...table.shoe, height: table.shoe.height + 36 * u },
        tray: { ...table.tray, height: table.tray.height + 36 * u },
        playerName: around(table.player!.label, 260 * u, 26 * u),
        bankerName: around(table.bank.label, 260 * u, 26 * u),
        verdict: around(table.verdict!, 314 * u, 42 * u),
        // As styles/roads.css has them.
        bigRoad: { x: 60 * u, y: (206 / 1080) * height, width: 368 * u, height: 172 * u },
        beadRoad: { x: width - 428 * u, y: (206 / 1080) * height, width: 368 * u, height: 172 * u },
        askPlayer: {
          x: width / 2 - 318 * u,
          y: (342 / 1080) * height - 20 * u,
          width: 160 * u,
          height: 40 * u,
        },
        askBanker: {
          x: width / 2 + 158 * u,
          y: (342 / 1080) * height - 20 * u,
          width: 160 * u,
          height: 40 * u,
        },
        title: {
          x: width / 2 - 340 * u,
          y: arcY(table.lettering, width / 2) - 28 * u,
          width: 680 * u,
          height: 56 * u,
        },
      };
      for (const [s, side] of sides.entries()) {
        for (const [i, card] of side.cards.entries()) pieces[`card${s}${i}`] = cardBox(table, card);
        pieces[`points${s}`] = badgeBox(table, side, 0, '9');
      }
      const names = Object.keys(pieces);
      for (const [i, a] of names.entries()) {
        for (const b of names.slice(i + 1)) {
          assert.ok(
            !overlap(pieces[a]!, pieces[b]!, 2),
            `${a} ${say(pieces[a]!)} lies on ${b} ${say(pieces[b]!)}`,
          );
        }
      }
      for (const { spots } of table.seats) {
        for (const { cell } of spots) {
          if (cell === null) continue;
          for (const low of [
            pieces['limits']!,
            pieces['round']!,
            pieces['title']!,
            pieces['bigRoad']!,
            pieces['beadRoad']!,
          ]) {
            for (const x of [low.x, low.x + low.width]) {
              if (x >= cell.from && x <= cell.to) assert.ok(low.y + low.height < arcY(cell.inner, x));
            }
          }
        }
      }
    });
  }
}

for (const [width, height] of SIZES)
  for (const [kind, form] of Object.entries(FORMS)) {
    const table = layTable(width, height, form);
    const name = `${width}x${height} ${kind}`;

    test(`${name}: the fixed things lie apart from each other and from strip and panels`, () => {
      const u = table.unit;
      const things: Record<string, Box> = {
        strip: table.strip,
        panels: { x: 0, y: table.panelTop, width, height: height - table.panelTop },
        shoe: { ...table.shoe, height: table.shoe.height + 38 * u },
        tray: { ...table.tray, height: table.tray.height + 38 * u },
        limits: table.limits,
        round: table.round,
        float: table.float,
        bank: table.bank.place,
        bankLabel: around(table.bank.label, 240 * u, 24 * u),
        lastRounds: lastRounds(table),
        ...(table.meter === null ? {} : { meter: table.meter }),
        ...(table.streakRack === null ? {} : { streakRack: table.streakRack.box }),
        ...Object.fromEntries(table.seats.map((s) => [`box${s.seat}`, circle(s, table.boxRadius)])),
        ...Object.fromEntries(
          table.seats.map((s) => [`insurance${s.seat}`, circle(s.insurance, table.band.half)]),
        ),
        ...Object.fromEntries(
          table.seats.map((s) => [`ribbon${s.seat}`, around(s.ribbon, s.zone.width - 8 * u, RIBBON * u)]),
        ),
      };
      const { x, y, width: wide, height: high } = things['lastRounds']!;
      for (const end of [x, x + wide]) {
        assert.ok(y + high < arcY(table.lettering, end) - 14 * u, 'the last rounds are off the lettering');
        assert.ok(y + high < arcY(table.band.inner, end), 'the last rounds are off the band');
      }
      const names = Object.keys(things);
      for (const [i, a] of names.entries()) {
        for (const b of names.slice(i + 1)) {
          assert.ok(
            !overlap(things[a]!, things[b]!),
            `${a} ${say(things[a]!)} lies on ${b} ${say(things[b]!)}`,
          );
        }
      }
    });

    test(`${name}: boxes stand over their panels, inside the felt, and neighbours' zones do not overlap`, () => {
      for (const seat of table.seats) {
        const column = width / 7;
        assert.ok(Math.abs(seat.x - column * (7.5 - seat.seat)) < column * 0.16);
        assert.ok(seat.x - table.boxRadius > table.felt.left && seat.x + table.boxRadius < table.felt.right);
        assert.ok(seat.y + table.boxRadius < arcY(table.felt.edge, seat.x));
        assert.ok(
          seat.zone.x >= table.felt.left - 2 && seat.zone.x + seat.zone.width <= table.felt.right + 2,
        );
        const next = table.seats[seat.seat];
        if (next) assert.ok(!overlap(seat.zone, next.zone), `zones of ${seat.seat} and ${next.seat}`);
      }
    });

    test(`${name}: up to seven cards of one hand, doubled or not, and their total stay in the seat's zone, off its box`, () => {
      for (const seat of table.seats) {
        for (let n = 1; n <= 7; n++) {
          for (const doubled of n === 3 ? [false, true] : [false]) {
            const hand = layHand(table, seat.seat, 0, 1, n, doubled);
            assert.equal(hand.cards.length, n);
            const badge = badgeBox(table, hand, 1, '10/20');
            for (const card of hand.cards) {
              const box = cardBox(table, card);
              assert.ok(
                inside(box, seat.zone, 2),
                `seat ${seat.seat}, ${n} cards: ${say(box)} not in ${say(seat.zone)}`,
              );
              assert.ok(!overlap(box, circle(seat, table.boxRadius), 1), `card on box ${seat.seat}`);
              if (!doubled)
                assert.ok(!overlap(box, badge, 3 * table.unit), `badge on card, seat ${seat.seat}, n ${n}`);
            }
            assert.ok(inside(badge, seat.zone, 4), `badge ${say(badge)} of ${n} leaves ${say(seat.zone)}`);
          }
        }
      }
    });

    test(`${name}: five split hands of five cards do not touch each other, their totals or the box`, () => {
      for (const seat of table.seats) {
        for (let hands = 2; hands <= 5; hands++) {
          const laid: { cards: Box[]; badge: Box }[] = [];
          for (let h = 0; h < hands; h++) {
            const hand = layHand(table, seat.seat, h, hands, h === 1 ? 3 : 5, h === 1);
            laid.push({
              cards: hand.cards.map((card) => cardBox(table, card)),
              badge: badgeBox(table, hand, hands, '8/18'),
            });
          }
          for (const [i, a] of laid.entries()) {
            for (const card of a.cards) {
              assert.ok(
                inside(card, seat.zone, 1.5),
                `${hands} hands: ${say(card)} not in ${say(seat.zone)}`,
              );
              assert.ok(!overlap(card, a.badge), `badge on its own cards, ${hands} hands`);
              assert.ok(!overlap(card, circle(seat, table.boxRadius)), 'card on box');
            }
            assert.ok(inside(a.badge, seat.zone, 1), `badge ${say(a.badge)} not in ${say(seat.zone)}`);
            for (const b of laid.slice(i + 1)) {
              assert.ok(!overlap(a.badge, b.badge), `badges, ${hands} hands`);
              for (const ca of a.cards)
                for (const cb of b.cards) assert.ok(!overlap(ca, cb), `${hands} hands touch`);
            }
          }
        }
      }
    });

    test(`${name}: the bank's row stays between strip, signs and lettering up to ten cards`, () => {
      for (let n = 1; n <= 10; n++) {
        const row = layBank(table, n);
        const boxes = row.cards.map((card) => cardBox(table, card));
        const badge = badgeBox(table, row, 1, '10/20');
        for (const box of [...boxes, badge]) {
          assert.ok(!overlap(box, table.strip), `strip over bank of ${n}`);
          assert.ok(
            !overlap(box, table.limits) &&
              !overlap(box, table.float) &&
              !overlap(box, table.round) &&
              !overlap(box, lastRounds(table)) &&
              !(table.meter !== null && overlap(box, table.meter)),
            `signs over bank of ${n}: ${say(box)}`,
          );
          assert.ok(box.y + box.height < arcY(table.lettering, box.x) - 30 * table.unit);
        }
        assert.ok(!overlap(badge, boxes.at(-1)!));
      }
    });
  }

for (const [width, height] of SIZES)
  for (const [kind, form] of Object.entries({ ...FORMS, ...BACCARAT })) {
    test(`${width}x${height} ${kind}: a deck laid out on the empty table lies off boxes, band, signs and strip`, () => {
      const table = layTable(width, height, form);
      const { arc, half, scale, welcome } = table.spread;
      const words = around(welcome, 300 * table.unit, 26 * table.unit);
      const boxes = form.game === 'baccarat' ? [] : table.seats.map((seat) => circle(seat, table.boxRadius));
      for (let i = 0; i <= 10; i++) {
        const angle = half * (i / 5 - 1);
        const card = cardBox(table, { ...onArc(arc, angle), turn: -angle, scale });
        for (const other of [table.strip, table.limits, table.round, table.shoe, table.tray, words, ...boxes])
          assert.ok(!overlap(card, other, 1), `card ${say(card)} on ${say(other)}`);
        if (form.game !== 'baccarat')
          assert.ok(card.y > arcY(table.band.outer, card.x), `card ${say(card)} on the band`);
      }
      for (const other of [...boxes, table.limits, table.round]) assert.ok(!overlap(words, other));
    });
  }

for (const [width, height] of SIZES)
  for (const [kind, form] of Object.entries({ ...FORMS, ...BACCARAT })) {
    test(`${width}x${height} ${kind}: no card passes behind the strip on its way from the shoe or to the tray`, () => {
      const table = layTable(width, height, form);
      const { strip, shoe, tray } = table;
      const rows = [1, 2, 3, 5, 10].map((n) => layBank(table, n));
      if (form.game === 'baccarat') rows.push(layPlayerSide(table, 2), layPlayerSide(table, 3));
      else for (const { seat } of table.seats) rows.push(layHand(table, seat, 0, 1, 2, false));
      const clear = (from: Placement, to: Placement, bow: number): void => {
        const bent = bowOf(table, from, to, bow);
        for (let p = 0; p <= 1; p += 0.013) {
          // Lifted on the way, as `CardWidget` shows it.
          const lift = Math.sin(Math.PI * p);
          const at = along(from, to, p, bent);
          const scale = mix(from.scale, to.scale, p) * (1 + 0.07 * lift);
          const card = around(
            { x: at.x, y: at.y - 10 * lift * table.unit },
            table.card.width * scale,
            table.card.height * scale,
          );
          assert.ok(!overlap(card, strip, 2), `${JSON.stringify([from, to])} at ${p}: ${say(card)}`);
        }
      };
      for (const { cards } of rows)
        for (const card of cards) {
          clear(shoe.mouth, card, 0.12);
          clear(card, tray.top, 0.08);
        }
    });
  }

test('any viewport from 4:3 to 21:9 keeps boxes on the felt and zones apart', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1024, max: 3840 }),
      fc.double({ min: 4 / 3, max: 21 / 9, noNaN: true }),
      (w, ratio) => {
        const table = layTable(w, Math.round(w / ratio));
        for (const seat of table.seats) {
          assert.ok(seat.y + table.boxRadius < table.panelTop);
          assert.ok(seat.y + table.boxRadius < arcY(table.felt.edge, seat.x));
          const next = table.seats[seat.seat];
          if (next) assert.ok(!overlap(seat.zone, next.zone));
        }
      },
    ),
  );
});

test('a seat the table does not have is an error', () => {
  assert.throws(() => layHand(layTable(1920, 1080), 8, 0, 1, 2, false), /no seat 8 at a table of 7/);
});

test('tables of as many seats as their cloth has room for have their boxes over their panels and all of them on the cloth', () => {
  for (const form of [...Object.values(FORMS), ...Object.values(BACCARAT)]) {
    const most = form.game === 'baccarat' ? 12 : 8;
    for (let seats = 1; seats <= most; seats++) {
      const table = layTable(1920, 1080, form, seats);
      assert.equal(table.seats.length, seats);
      for (const seat of table.seats) {
        const column = 1920 / seats;
        const middle = seat.zone.x + seat.zone.width / 2;
        assert.ok(
          middle > column * (seats - seat.seat) && middle < column * (seats - seat.seat + 1),
          `seat ${seat.seat} of ${seats}`,
        );
        assert.ok(Number.isFinite(seat.y) && seat.y < arcY(table.felt.edge, seat.x));
        const next = table.seats[seat.seat];
        if (next) assert.ok(!overlap(seat.zone, next.zone), `zones ${seat.seat} of ${seats}`);
      }
    }
  }
});

/** Where the dealer stands, seen from above as the picture shows the table. */
const standsAt = (side: DealerSide, width: number, height: number): Point => ({
  x: width / 2,
  y: side === 'far' ? 0 : 2 * height,
});

for (const side of ['far', 'near'] as const)
  for (const [kind, form] of Object.entries({ ...FORMS, ...BACCARAT }))
    test(`r.2, art. 5.1: ${kind}, dealer ${side}: seats go clockwise from the dealer's left, where the shoe is`, () => {
      for (const [width, height] of [SIZES[0], SIZES[1], SIZES[4]]) {
        for (const seats of form.game === 'baccarat' ? [1, 6, 7, 8, 12] : [1, 6, 7, 8]) {
          const table = layTable(width, height, { ...form, dealerSide: side }, seats);
          const dealer = standsAt(side, width, height);
          // facing the seats, the left hand is a quarter turn anticlockwise from straight ahead
          const ahead = side === 'far' ? 1 : -1;
          const left = ({ x }: Point): number => ahead * (x - width / 2);
          const middleOf = ({ x, y, width: wide }: Box): Point => ({ x: x + wide / 2, y });
          const places: Readonly<Record<string, readonly Point[]>> = {
            box: table.seats,
            zone: table.seats.map(({ zone }) => middleOf(zone)),
            panel: table.seats.map(({ panel }) => panel),
            ribbon: table.seats.map(({ ribbon }) => ribbon),
            cards: table.seats.map(({ seat }) => layHand(table, seat, 0, 1, 1, false).cards[0]!),
          };
          for (const [what, points] of Object.entries(places)) {
            for (const [i, at] of points.entries()) {
              const next = points[i + 1];
              if (next === undefined) continue;
              // y grows downwards: a positive product turns clockwise for the eye
              const turn = (at.x - dealer.x) * (next.y - dealer.y) - (at.y - dealer.y) * (next.x - dealer.x);
              assert.ok(turn > 0, `${what} of seat ${i + 2} is not clockwise of seat ${i + 1}`);
            }
          }
          if (seats > 1) {
            assert.ok(left(table.seats[0]!) > 0, "seat 1 is not at the dealer's left");
            assert.ok(left(table.seats.at(-1)!) < 0);
          }
          assert.ok(left(middleOf(table.shoe)) > 0, "the shoe is not at the dealer's left");
          assert.ok(left(middleOf(table.tray)) < 0, "the tray is not at the dealer's right");
          assert.ok(left(table.shoe.mouth) < left(middleOf(table.shoe)), 'cards leave away from the table');
          assert.ok(left(table.tray.endCard) > left(middleOf(table.tray)));
          const rack = table.streakRack?.places ?? [];
          assert.ok(
            rack.every(({ x }, i) => i === 0 || Math.sign(x - rack[i - 1]!.x) === -ahead),
            'the buttons of the streak wait in another order',
          );
        }
      }
    });

test('a mirrored table is the other one in a mirror, whatever is played; a touch finds the mirrored seat', () => {
  for (const form of [...Object.values(FORMS), ...Object.values(BACCARAT)]) {
    const [far, near] = (['far', 'near'] as const).map((dealerSide) =>
      layTable(1920, 1080, { ...form, dealerSide }),
    );
    for (const { seat, zone, panel, spots } of far!.seats) {
      const other = near!.seats[seat - 1]!;
      assert.ok(Math.abs(other.zone.x + other.zone.width - (1920 - zone.x)) < 1e-6);
      assert.ok(Math.abs(other.panel.x - (1920 - panel.x)) < 1e-6);
      assert.deepEqual(
        other.spots.map(({ bet }) => bet),
        spots.map(({ bet }) => bet),
      );
      // print is read from the left on both
      for (const spot of other.spots)
        assert.deepEqual(placeAt(near!, spot.x, spot.y), { seat, bet: spot.bet });
    }
  }
});
