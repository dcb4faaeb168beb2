import type { RepairPlace, RepairStep } from '../../wire/repairs.ts';
import type { PartKind } from './machine.ts';
import { useServiceWords } from './service-words.ts';

/** A place on a drawing, in its units. */
type Spot = readonly [x: number, y: number];
interface Unit {
  readonly paths: readonly string[];
  /** Drawn fainter: what is inside. */
  readonly inside: readonly string[];
  readonly spots: Readonly<Partial<Record<SpotName, Spot>>>;
}
type SpotName =
  | ('latch' | 'slot' | 'path' | 'box' | 'cable')
  | ('mouth' | 'cover' | 'cards' | 'roll' | 'cutter' | 'lid')
  | ('door' | 'board' | 'battery')
  | ('disk' | 'copyDisk' | 'power' | 'video' | 'screen' | 'socket' | 'centre');
type UnitName =
  | 'acceptor'
  | 'shoe'
  | 'printer'
  | 'cabinet'
  | 'ups'
  | 'computer'
  | 'display'
  | 'network'
  | 'centre';

const circle = (x: number, y: number, r: number): string =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;

/** From the side, or from the front where that says more; 340 wide, 280 high. */
const UNITS: Readonly<Record<UnitName, Unit>> = {
  acceptor: {
    paths: [
      'M40 250V112L62 76h260v174z',
      'M62 76L290 22l28 12 4 42z',
      'M10 124h36v28H10z',
      'M284 66h38v26h-16v12h-22z',
      'M322 170c22 0 14 40 26 62',
    ],
    inside: [
      'M46 138h140q66 0 66 62v20',
      ...[circle(104, 122, 11), circle(104, 154, 11), circle(176, 122, 11), circle(176, 154, 11)],
      ...[circle(236, 158, 11), 'M128 206h178v44H128z'],
    ],
    spots: { latch: [303, 84], slot: [28, 138], path: [176, 138], box: [216, 228], cable: [338, 205] },
  },
  shoe: {
    paths: [
      'M52 226l34-128h216l28 34v94z',
      'M86 98l18-36h184l14 36z',
      'M52 226H24l-8-30 44-8z',
      'M330 190c20 0 10 30 20 46',
    ],
    inside: [130, 148, 166, 184, 202, 220, 238].map((x) => `M${x} 116l-26 92`),
    spots: { mouth: [32, 208], cover: [196, 80], cards: [172, 162], cable: [342, 214] },
  },
  printer: {
    paths: ['M52 94h268v156H52z', 'M52 94l30-48h214l24 48z', 'M320 210c20 0 10 26 22 44'],
    inside: [circle(206, 172, 54), circle(206, 172, 12), 'M154 158L112 96V40', 'M92 84h44v12H92z'],
    spots: { lid: [236, 68], roll: [206, 172], cutter: [114, 90], cable: [334, 232] },
  },
  cabinet: {
    paths: [
      'M40 60h270v196H40z',
      'M150 60V30h30v30M158 14h14v16h-14z',
      'M56 76h112v164H56z',
      'M184 76h110v74H184z',
    ],
    inside: ['M152 152h8v20h-8z', 'M184 166h110v74H184z', 'M204 186h44v30h-44z', 'M262 190h20v22h-20z'],
    spots: { door: [112, 158], board: [226, 201], battery: [272, 201], cable: [294, 240] },
  },
  ups: {
    paths: ['M90 40h160v216H90z', 'M250 220c26 0 12 26 30 40'],
    inside: ['M110 60h120v44H110z', 'M110 124h120v108H110z', 'M150 116h16v8h-16zM178 116h16v8h-16z'],
    spots: { screen: [170, 82], battery: [170, 178], cable: [268, 236] },
  },
  computer: {
    paths: ['M44 24h284v232H44z', 'M60 256v12M312 256v12'],
    inside: [
      'M72 52h132v56H72z',
      'M72 132h132v56H72z',
      circle(272, 76, 22),
      'M240 148h64v28h-64z',
      'M272 64v14',
    ],
    spots: { disk: [138, 80], copyDisk: [138, 160], power: [272, 76], video: [272, 162] },
  },
  display: {
    paths: ['M28 30h300v178H28z', 'M150 208l-14 40h84l-14-40', 'M178 208v58'],
    inside: ['M44 46h268v146H44z'],
    spots: { screen: [178, 118], cable: [178, 258] },
  },
  network: {
    paths: ['M84 50h172v160H84z', 'M130 96h80v58h-22v16h-36v-16h-22z', 'M170 170v92'],
    inside: ['M146 96v18M162 96v18M178 96v18M194 96v18'],
    spots: { socket: [170, 126], cable: [170, 240] },
  },
  centre: {
    paths: ['M60 256V104L170 40l110 64v152z', 'M140 256v-56h60v56'],
    inside: ['M96 132h36v32H96zM208 132h36v32h-36z'],
    spots: { centre: [170, 126] },
  },
};

const UNIT_OF: Readonly<Record<PartKind, UnitName>> = {
  'bill-acceptor': 'acceptor',
  'card-shoe': 'shoe',
  'receipt-printer': 'printer',
  'cabinet-board': 'cabinet',
  'power-supply': 'ups',
  'table-display': 'display',
  'dealer-display': 'display',
  'sign-display': 'display',
  'seat-display': 'display',
  link: 'network',
  ledger: 'computer',
  copy: 'computer',
  clock: 'computer',
  reader: 'computer',
  program: 'computer',
};

/** Where a repair has its place: on which drawing, and what of it is wrong. */
const PLACE: Readonly<Record<RepairPlace, readonly [UnitName, SpotName]>> = {
  'acceptor-head': ['acceptor', 'path'],
  'cash-box': ['acceptor', 'box'],
  'acceptor-cable': ['acceptor', 'cable'],
  'shoe-mouth': ['shoe', 'mouth'],
  'shoe-cover': ['shoe', 'cards'],
  'shoe-cable': ['shoe', 'cable'],
  printer: ['printer', 'roll'],
  'cabinet-door': ['cabinet', 'door'],
  'cabinet-board': ['cabinet', 'board'],
  ups: ['ups', 'cable'],
  computer: ['computer', 'disk'],
  'copy-disk': ['computer', 'copyDisk'],
  'table-display': ['display', 'screen'],
  'seat-display': ['display', 'screen'],
  'dealer-display': ['display', 'screen'],
  'sign-display': ['display', 'screen'],
  network: ['network', 'socket'],
  desk: ['centre', 'centre'],
};
/** Of faults that are elsewhere than most at their place. */
const WRONG: Readonly<Record<string, SpotName>> = {
  'acceptor-paused': 'slot',
  'acceptor-cheated': 'slot',
  'notes-unconfirmed': 'slot',
  'shoe-cover-open': 'cover',
  'printer-offline': 'cable',
  'printer-cover-open': 'lid',
  'printer-cutter': 'cutter',
  'printer-failed': 'cutter',
  'window-restarts': 'video',
  'cabinet-battery-low': 'battery',
  'ups-battery-low': 'battery',
  'ups-battery-old': 'battery',
};

/** Where the hand goes: the first that the drawing has. A step without a row is no grip. */
const HAND: Readonly<Partial<Record<RepairStep, readonly SpotName[]>>> = {
  'open-head': ['latch'],
  'take-note-out': ['path'],
  'close-head': ['latch'],
  'box-out': ['box'],
  'free-pusher': ['box'],
  'box-in': ['box'],
  'change-box': ['box'],
  'count-box': ['box'],
  'take-second-note': ['slot'],
  'look-for-string': ['slot'],
  'clean-sensors': ['path'],
  'look-at-notes': ['slot'],
  'try-notes': ['slot'],
  'check-power': ['cable', 'power'],
  'check-cable': ['cable'],
  'switch-unit': ['cable', 'power'],
  'open-cover': ['cover'],
  'take-card-out': ['cards'],
  'close-cover': ['cover'],
  'look-into-mouth': ['mouth'],
  'load-shoe': ['cards'],
  'load-paper': ['roll'],
  'free-cutter': ['cutter'],
  'close-printer': ['lid'],
  'close-door': ['door'],
  'look-behind-door': ['board'],
  'change-battery': ['battery'],
  'restart-terminal': ['power'],
  'check-display': ['screen'],
  'check-display-cable': ['cable', 'video'],
  'look-at-graphics': ['video'],
  'check-network': ['socket'],
  'tell-administrator': ['centre'],
};
/** Of the disk that is wrong: there are two. */
const OF_DISKS: ReadonlySet<RepairStep> = new Set(['check-disk', 'free-space', 'change-disk']);

export interface Marked {
  readonly fault: string;
  readonly where: RepairPlace;
  /** The one that is due, with its number; null = none is. */
  readonly step: RepairStep | null;
  readonly no: number;
}

/** Labels stand to the right of the unit, and no two on one line. */
const LABEL_X = 372;
const APART = 34;

/**
 * A part as lines: the place of its fault in red, and where the hand goes now in yellow. The words
 * beside the marks are those of the legend of the drawing alone.
 */
export function PartDrawing({ kind, marked }: { readonly kind: PartKind; readonly marked: Marked | null }) {
  const { m } = useServiceWords();
  const [name, usual] = marked === null ? ([UNIT_OF[kind], null] as const) : PLACE[marked.where];
  const { paths, inside, spots } = UNITS[name];
  const wrong = marked === null ? null : (WRONG[marked.fault] ?? usual);
  const step = marked?.step ?? null;
  const hand =
    step === null
      ? null
      : OF_DISKS.has(step)
        ? wrong
        : (HAND[step]?.find((each) => spots[each] !== undefined) ?? null);
  const marks = [
    ...(hand === null ? [] : [{ spot: hand, is: 'hand', label: `${marked?.no} ${m(`spot.${hand}`)}` }]),
    ...(wrong === null ? [] : [{ spot: wrong, is: 'wrong', label: m('here') }]),
  ].flatMap((mark) => {
    const at = spots[mark.spot];
    return at === undefined ? [] : [{ ...mark, at }];
  });
  const [first, second] = marks;
  const lift = first && second && Math.abs(first.at[1] - second.at[1]) < APART ? APART / 2 : 0;
  const down = first && second && first.at[1] > second.at[1] ? 1 : -1;
  return (
    <svg class="drawing" viewBox="0 0 560 280" aria-hidden="true">
      {inside.map((path) => (
        <path key={path} class="drawing-inside" d={path} />
      ))}
      {paths.map((path) => (
        <path key={path} class="drawing-line" d={path} />
      ))}
      {marks.map(({ spot, is, label, at: [x, y] }, index) => {
        const labelY = Math.min(262, Math.max(18, y + lift * (index === 0 ? down : -down)));
        return (
          <g key={`${is} ${spot}`} class={`drawing-${is}`}>
            <circle cx={x} cy={y} r={is === 'wrong' ? 26 : 18} />
            <path d={`M${x + (is === 'wrong' ? 26 : 18)} ${y}L${LABEL_X - 8} ${labelY}`} />
            <text x={LABEL_X} y={labelY + 7}>
              {label}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
