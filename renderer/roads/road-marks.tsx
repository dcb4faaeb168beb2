/**
 * The roads as drawings: one unit is one cell; a road that is longer than its paper shows its
 * newest columns.
 */
import type { ComponentChildren } from 'preact';
import {
  type BigRoadMark,
  type Cell,
  type Colour,
  type ColourMark,
  type DerivedRoad,
  hasBankerPair,
  hasPlayerPair,
  ROAD_ROWS,
  type Roads,
  type Side,
  winnerOf,
} from '../../engine/games/baccarat/roads.ts';

export const BEAD_LETTER = { banker: '莊', player: '閒', tie: '和' } as const;

interface PaperProps<M extends Cell> {
  readonly marks: readonly M[];
  readonly columns: number;
  readonly label: string;
  readonly children: (mark: M) => ComponentChildren;
}

function Paper<M extends Cell>({ marks, columns, label, children }: PaperProps<M>) {
  const last = marks.reduce((most, { column }) => Math.max(most, column), 0);
  // One free column: the next mark has a place to be expected at.
  const first = Math.max(0, last + 2 - columns);
  const newest = marks.at(-1);
  const lines = `M0 0${`h${columns}m-${columns} 1`.repeat(ROAD_ROWS + 1)}M0 0${`v${ROAD_ROWS}m1 -${ROAD_ROWS}`.repeat(columns + 1)}`;
  return (
    <svg
      class="road"
      viewBox={`-.04 -.04 ${columns + 0.08} ${ROAD_ROWS + 0.08}`}
      role="img"
      aria-label={label}
    >
      <rect class="road-paper" width={columns} height={ROAD_ROWS} />
      {newest && <rect class="road-newest" x={newest.column - first} y={newest.row} width={1} height={1} />}
      <path class="road-lines" d={lines} />
      {marks
        .filter(({ column }) => column >= first)
        .map((mark) => (
          <g
            key={`${mark.column}/${mark.row}`}
            transform={`translate(${mark.column - first + 0.5} ${mark.row + 0.5})`}
          >
            {children(mark)}
          </g>
        ))}
    </svg>
  );
}

/** Small dots: red for a pair of the Banker, blue for one of the Player. */
function Pairs({ banker, player }: { readonly banker: boolean; readonly player: boolean }) {
  return (
    <>
      {banker && <circle class="road-dot road-banker" cx={-0.31} cy={-0.31} r={0.14} />}
      {player && <circle class="road-dot road-player" cx={0.31} cy={0.31} r={0.14} />}
    </>
  );
}

interface RoadProps {
  readonly roads: Roads;
  readonly columns: number;
  readonly label: string;
}

export const BeadRoad = ({ roads, columns, label }: RoadProps) => (
  <Paper marks={roads.bead} columns={columns} label={label}>
    {({ coup }) => {
      const winner = winnerOf(coup) ?? 'tie';
      return (
        <>
          <circle class={`road-bead road-${winner}`} r={0.44} />
          <text class="road-letter" y={0.2}>
            {BEAD_LETTER[winner]}
          </text>
          <Pairs banker={hasBankerPair(coup)} player={hasPlayerPair(coup)} />
        </>
      );
    }}
  </Paper>
);

const BigMark = ({ side, ties, bankerPair, playerPair }: BigRoadMark) => (
  <>
    {side !== null && <circle class={`road-ring road-${side}`} r={0.36} />}
    {ties > 0 && <path class="road-ties" d="M.34 -.34L-.34 .34" />}
    {ties > 1 && (
      <text class="road-count" y={0.18}>
        {ties}
      </text>
    )}
    <Pairs banker={bankerPair} player={playerPair} />
  </>
);

export const BigRoad = ({ roads, columns, label }: RoadProps) => (
  <Paper marks={roads.big} columns={columns} label={label}>
    {(mark) => <BigMark {...mark} />}
  </Paper>
);

/** bigEye: a ring · small: a disc · cockroach: a stroke. */
function DerivedMark({ road, colour }: { readonly road: DerivedRoad; readonly colour: Colour }) {
  if (road === 'bigEye') return <circle class={`road-ring road-${colour}`} r={0.33} />;
  if (road === 'small') return <circle class={`road-disc road-${colour}`} r={0.4} />;
  return <path class={`road-stroke road-${colour}`} d="M.32 -.34L-.32 .34" />;
}

export const ColourRoad = ({ roads, columns, label, road }: RoadProps & { readonly road: DerivedRoad }) => (
  <Paper<ColourMark> marks={roads.derived[road]} columns={columns} label={label}>
    {({ colour }) => <DerivedMark road={road} colour={colour} />}
  </Paper>
);

const DERIVED: readonly DerivedRoad[] = ['bigEye', 'small', 'cockroach'];

/** What the derived roads would get if this side won next. */
export function AskedMarks({ roads, side }: { readonly roads: Roads; readonly side: Side }) {
  return (
    <svg class="road-ask" viewBox="0 0 3.3 1.1" aria-hidden="true">
      {DERIVED.map((road, i) => {
        const colour = roads.ask[side][road];
        return (
          <g key={road} transform={`translate(${i * 1.1 + 0.55} .55)`}>
            {colour === null ? (
              <path class="road-none" d="M-.15 0h.3" />
            ) : (
              <DerivedMark road={road} colour={colour} />
            )}
          </g>
        );
      })}
    </svg>
  );
}
