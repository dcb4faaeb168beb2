import type { ComponentChildren } from 'preact';
import type { Page } from '../../wire/rights.ts';
import { useView } from '../station/station.ts';
import { columnOf, dealerSideOf, shoeSideOf } from '../table/seating.ts';
import { HealthSign } from './health-sign.tsx';
import { HEALTHS, type Part, type Told } from './machine.ts';
import { PartPanel } from './part-panel.tsx';
import { nameOf, wordOf } from './part-words.ts';
import { useServiceWords } from './service-words.ts';

/** The drawing of the table is so wide and high; places on it are in its units. */
const WIDE = 1000;
const HIGH = 700;
type Place = readonly [x: number, y: number];

/** -1 = leftmost, 1 = rightmost of so many seats. */
const acrossOf = (column: number, count: number): number => (count <= 1 ? 0 : (2 * column) / (count - 1) - 1);
/** Before the player. */
const acceptorAt = (across: number): Place => [500 + 432 * across, 572 - 142 * across ** 2];
const seatAt = (across: number): Place => [500 + 345 * across, 432 - 190 * across ** 2];

const WOOD =
  'M120 70H880Q910 70 910 100V290C910 320 890 350 860 376C760 452 640 492 500 492C360 492 240 452 140 376C110 350 90 320 90 290V100Q90 70 120 70Z';
const FELT =
  'M124 84H876Q896 84 896 104V288C896 314 878 340 850 364C754 438 636 478 500 478C364 478 246 438 150 364C122 340 104 314 104 288V104Q104 84 124 84Z';
const ARC = 'M236 166Q500 268 764 166';

/** Service mode begins here: the table from above, every part in its state. */
export function MachineMap(props: {
  readonly parts: readonly Part[];
  readonly told: Told;
  /** The part that was touched. */
  readonly shown: string | null;
  readonly onShow: (id: string | null) => void;
  readonly onPage: (page: Page) => void;
}) {
  const { parts, told, shown, onShow, onPage } = props;
  const view = useView();
  const words = useServiceWords();
  const { m } = words;
  const chosen = parts.find(({ id }) => id === shown) ?? null;
  const side = dealerSideOf(view);
  const count = view.seats.length;
  const across = (seat: number): number => acrossOf(columnOf(seat, count, side), count);
  const toShoe = shoeSideOf(side);
  const acceptors = parts.filter(({ kind }) => kind === 'bill-acceptor');
  const isShared = acceptors.length === 1;

  const one = (part: Part, at: Place | null, children?: ComponentChildren) => {
    const name = nameOf(part, words);
    const value = wordOf(part, view, told, words);
    return (
      <button
        type="button"
        key={part.id}
        class={`part part-${part.kind} part-${part.health}`}
        data-part={part.id}
        aria-label={`${name}: ${m(`health.${part.health}`)}, ${value}`}
        aria-pressed={part.id === shown}
        style={at === null ? {} : { left: `${(100 * at[0]) / WIDE}%`, top: `${(100 * at[1]) / HIGH}%` }}
        onClick={() => onShow(part.id)}
      >
        {children ?? <b>{name}</b>}
        <span class="part-value">{value}</span>
        <HealthSign health={part.health} />
      </button>
    );
  };
  const ofKind = (...kinds: readonly Part['kind'][]): readonly Part[] =>
    parts.filter(({ kind }) => kinds.includes(kind));
  const acceptor = (part: Part) => {
    const at = isShared ? 0 : across(part.no ?? 1);
    return one(
      part,
      acceptorAt(at),
      <>
        <svg viewBox="0 0 64 50" class="acceptor" aria-hidden="true">
          <g transform={`rotate(${-18 * at} 32 25)`}>
            <rect x="4" y="5" width="56" height="40" rx="6" />
            <path d="M15 17h34" />
          </g>
        </svg>
        <b>{isShared ? nameOf(part, words) : m('no', { no: part.no ?? '' })}</b>
      </>,
    );
  };
  return (
    <div class="map">
      <div class="map-machine">
        <div class="map-row">{ofKind('link', 'ledger', 'copy', 'clock').map((part) => one(part, null))}</div>
        <div class="map-table" style={{ '--seats': count }}>
          <svg viewBox={`0 0 ${WIDE} ${HIGH}`} class="map-drawing" aria-hidden="true">
            <path class="map-wood" d={WOOD} />
            <path class="map-felt" d={FELT} />
            <path class="map-arc" d={ARC} />
            <path class="map-dealer" d="M440 44H560L500 62Z" />
            {view.seats.map(({ seat }) => {
              const [x, y] = seatAt(across(seat));
              return <circle key={seat} class="map-arc" cx={x} cy={y} r={22} />;
            })}
          </svg>
          <p class="map-word" style={{ left: '50%', top: `${(100 * 26) / HIGH}%` }}>
            {m('dealer')}
          </p>
          {view.shoe.loaded && (
            <p class="map-word" style={{ left: `${50 - 27 * toShoe}%`, top: `${(100 * 136) / HIGH}%` }}>
              {m('discards', { n: view.shoe.discarded + view.shoe.burned })}
            </p>
          )}
          {ofKind('card-shoe').map((part) => one(part, [500 + 270 * toShoe, 136]))}
          {ofKind('dealer-display').map((part) => one(part, [500, 136]))}
          {ofKind('table-display').map((part) => one(part, [500, 300]))}
          {ofKind('seat-display').map((part) => one(part, seatAt(across(part.no ?? 1)), ''))}
          {acceptors.map(acceptor)}
        </div>
        <div class="map-row">
          {ofKind(
            'sign-display',
            'receipt-printer',
            'cabinet-board',
            'power-supply',
            'reader',
            'program',
          ).map((part) => one(part, null))}
        </div>
      </div>
      {chosen === null ? (
        <section class="part-panel legend-panel" aria-label={m('map')}>
          <p>{m('touch')}</p>
          <dl>
            {HEALTHS.map((health) => (
              <div key={health}>
                <dt>
                  <HealthSign health={health} /> {m(`health.${health}`)}
                </dt>
                <dd>{m(`healthMeans.${health}`)}</dd>
              </div>
            ))}
          </dl>
        </section>
      ) : (
        <PartPanel key={chosen.id} part={chosen} told={told} onPage={onPage} onClose={() => onShow(null)} />
      )}
    </div>
  );
}
