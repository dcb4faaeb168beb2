import { useState } from 'preact/hooks';
import type { RoundDetail, RoundPage } from '../../host/api.ts';
import { formatArticles } from '../articles.ts';
import { CardSign } from '../panel/bilingual.tsx';
import { lineSum } from '../panel/mode.ts';
import { useView } from '../station.ts';
import { DataTable, Loaded } from './parts.tsx';
import { useServiceWords } from './service-words.ts';
import { useQuery } from './use-query.ts';

const ROUNDS_PER_PAGE = 20;

/** The last rounds, and one of them in full; a recalled round says on every picture of it that it is one. */
export function RoundsPage() {
  const { s, money, moment } = useServiceWords();
  const [shown, setShown] = useState<string | null>(null);
  const [path, setPath] = useState<readonly number[]>([]);
  const page = useQuery<RoundPage>({
    query: 'rounds',
    beforeNo: path.at(-1) ?? null,
    limit: ROUNDS_PER_PAGE,
  });
  if (shown !== null) return <Recall roundId={shown} onBack={() => setShown(null)} />;
  return (
    <Loaded from={page}>
      {({ rounds }) => (
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
          <div class="service-bar">
            <button
              type="button"
              class="button"
              disabled={path.length === 0}
              onClick={() => setPath(path.slice(0, -1))}
            >
              {s('newer')}
            </button>
            <button
              type="button"
              class="button"
              disabled={rounds.length < ROUNDS_PER_PAGE}
              onClick={() => {
                const last = rounds.at(-1);
                if (last) setPath([...path, last.no]);
              }}
            >
              {s('older')}
            </button>
          </div>
        </>
      )}
    </Loaded>
  );
}

function Recall({ roundId, onBack }: { readonly roundId: string; readonly onBack: () => void }) {
  const { s, language, money, signed, moment, tableCode, code } = useServiceWords();
  const { table } = useView();
  const page = useQuery<RoundDetail>({ query: 'round', roundId });
  return (
    <>
      <div class="service-bar">
        <button type="button" class="button" onClick={onBack}>
          {s('back')}
        </button>
      </div>
      <Loaded from={page}>
        {(round) => (
          <article class="recall" aria-label={`${s('rounds.recall')} ${round.no}`}>
            <p class="recall-mark">
              {s('rounds.recall')} · {s('rounds.no')} {round.no}
            </p>
            <p>
              {moment(round.openedAtMs)} · {s('rounds.dealer', { name: round.dealers.join(', ') })}
            </p>
            <p class="cards-line">
              {s('rounds.bank')}{' '}
              {round.bankCards.map((card, index) => (
                <CardSign key={`${index}-${card}`} card={card} />
              ))}
            </p>
            {round.playerSideCards.length > 0 && (
              <p class="cards-line">
                {tableCode('bet.name', 'player')}{' '}
                {round.playerSideCards.map((card, index) => (
                  <CardSign key={`${index}-${card}`} card={card} />
                ))}
              </p>
            )}
            {round.seats.map((seat) => (
              <section class="recall-seat" key={seat.seat}>
                <h3>
                  <span class="seat-number">{seat.seat}</span>
                  <small>
                    {s('rounds.before')} {money(seat.creditBeforeMinor)} → {s('rounds.after')}{' '}
                    {money(seat.creditAfterMinor)}
                  </small>
                </h3>
                {seat.bets.map((bet) => (
                  <p key={`${bet.by}-${bet.bet}`}>
                    {s('rounds.bets')}: {ofBettor(bet, seat.seat)}
                    {tableCode('bet.name', bet.bet)} {money(bet.amountMinor)}
                  </p>
                ))}
                {seat.hands.map((hand, index) => (
                  <p class="cards-line" key={index}>
                    {hand.cards.map((card, place) => (
                      <CardSign key={`${place}-${card}`} card={card} />
                    ))}{' '}
                    {money(hand.stakeMinor)}
                  </p>
                ))}
                <DataTable
                  label={s('rounds.lines')}
                  rows={seat.lines.map((line, index) => ({ ...line, index }))}
                  keyOf={(line) => line.index}
                  columns={[
                    {
                      head: s('rounds.bets'),
                      cell: (line) => `${ofBettor(line, seat.seat)}${tableCode('bet.name', line.bet)}`,
                    },
                    { head: s('rounds.lines'), cell: (line) => tableCode('outcome', line.outcome) },
                    {
                      head: s('rounds.staked'),
                      number: true,
                      cell: (line) => lineSum(line, money) ?? money(line.stakeMinor),
                    },
                    { head: s('rounds.returned'), number: true, cell: (line) => money(line.returnedMinor) },
                    { head: s('rounds.net'), number: true, cell: (line) => signed(line.netMinor) },
                    {
                      head: s('rounds.articles'),
                      cell: (line) => formatArticles(line.cites, round.rulebook ?? table.rulebook, language),
                    },
                  ]}
                />
              </section>
            ))}
            <h3>{s('rounds.steps')}</h3>
            <DataTable
              label={s('rounds.steps')}
              rows={round.steps}
              keyOf={(step) => step.seq}
              columns={[
                { head: s('events.seq'), number: true, cell: (step) => step.seq },
                { head: s('events.time'), cell: (step) => moment(step.atMs) },
                { head: s('events.kind'), cell: (step) => code('event', step.kind) },
                { head: s('events.body'), cell: (step) => <code>{JSON.stringify(step.body)}</code> },
              ]}
            />
          </article>
        )}
      </Loaded>
    </>
  );
}

/** '2: ' before a bet that the bettor of another seat has laid here. */
const ofBettor = ({ by }: { readonly by: number }, seat: number): string => (by === seat ? '' : `${by}: `);
