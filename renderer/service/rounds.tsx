import { useState } from 'preact/hooks';
import { useView } from '../station/station.ts';
import { useQuery } from '../station/use-query.ts';
import { DataTable, Loaded, Pager } from './parts.tsx';
import { RoundFinder, type Sought } from './round-finder.tsx';
import { RoundInFull } from './round-in-full.tsx';
import { useServiceWords } from './service-words.ts';

const ROUNDS_PER_PAGE = 20;

/** Rounds by number, seat and time, the newest first, and one of them in full. */
export function RoundsPage() {
  const { s, money, moment } = useServiceWords();
  const { recall } = useView();
  // Coming back from the table one is where one was.
  const [shown, setShown] = useState<string | null>(recall?.roundId ?? null);
  const [sought, setSought] = useState<Sought>({ no: null, seat: null, atMs: null });
  const [path, setPath] = useState<readonly number[]>([]);
  const page = useQuery({
    query: 'rounds',
    beforeNo: path.at(-1) ?? (sought.no === null ? null : sought.no + 1),
    limit: ROUNDS_PER_PAGE,
    ...(sought.seat === null ? {} : { seat: sought.seat }),
    ...(sought.atMs === null ? {} : { atMs: sought.atMs }),
  });
  if (shown !== null) return <RoundInFull roundId={shown} onBack={() => setShown(null)} />;
  return (
    <>
      <RoundFinder
        sought={sought}
        onSeek={(next) => {
          setSought(next);
          setPath([]);
        }}
      />
      <Loaded from={page}>
        {({ rounds, older }) => (
          <>
            <DataTable
              label={s('page.rounds')}
              rows={rounds}
              keyOf={(round) => round.roundId}
              columns={[
                {
                  head: s('rounds.no'),
                  cell: (round) => (
                    <button
                      type="button"
                      class="button"
                      aria-label={s('rounds.show', { no: round.no })}
                      onClick={() => setShown(round.roundId)}
                    >
                      {round.no}
                    </button>
                  ),
                },
                { head: s('rounds.opened'), cell: (round) => moment(round.openedAtMs) },
                { head: s('rounds.closed'), cell: (round) => moment(round.closedAtMs) },
                {
                  head: s('rounds.state'),
                  cell: (round) =>
                    round.voided ? (
                      <b class="bad">{s('rounds.voided')}</b>
                    ) : round.closedAtMs === null ? (
                      s('rounds.open')
                    ) : (
                      s('rounds.settled')
                    ),
                },
                { head: s('rounds.staked'), number: true, cell: (round) => money(round.stakedMinor) },
                { head: s('rounds.returned'), number: true, cell: (round) => money(round.returnedMinor) },
              ]}
            />
            <Pager path={path} older={older} onPath={setPath} />
          </>
        )}
      </Loaded>
    </>
  );
}
