import { useState } from 'preact/hooks';
import type { RoundDetail, RoundStep } from '../../wire/pages.ts';
import { CardSign } from '../parts/bilingual.tsx';
import { lineSum } from '../parts/mode.ts';
import { rulesWriter } from '../rules/rules-words.ts';
import { useStation, useView } from '../station/station.ts';
import { useQuery } from '../station/use-query.ts';
import { formatArticles } from '../texts/articles.ts';
import { textOfCode } from '../texts/i18n.ts';
import { BytesButton, EntryBody } from './entry-body.tsx';
import { DataTable, Loaded } from './parts.tsx';
import { useServiceWords } from './service-words.ts';

/** One round with everything that belongs to it; every picture of it says that it is recalled. */
export function RoundInFull({ roundId, onBack }: { readonly roundId: string; readonly onBack: () => void }) {
  const station = useStation();
  const { s, language, moment, tableCode } = useServiceWords();
  const { recall, table } = useView();
  const page = useQuery({ query: 'round', roundId });
  const [isStored, setStored] = useState(false);
  const plays = recall?.roundId === roundId;
  return (
    <>
      <div class="service-bar">
        <button type="button" class="button" onClick={onBack}>
          {s('back')}
        </button>
        <button
          type="button"
          class="button button-gold"
          onClick={() =>
            void station.send('dealer', plays ? { type: 'hide-recall' } : { type: 'show-recall', roundId })
          }
        >
          {s(plays ? 'rounds.stop' : 'rounds.play')}
        </button>
        <BytesButton on={isStored} onToggle={() => setStored(!isStored)} />
      </div>
      <Loaded from={page}>
        {(round) => (
          <article class="recall" aria-label={`${s('rounds.recall')} ${round.no}`}>
            <p class="recall-mark">
              {s('rounds.recall')} · {s('rounds.no')} {round.no}
            </p>
            <p>
              {moment(round.openedAtMs)} · {s('rounds.dealers', { names: round.dealers.join(', ') })}
              {round.rulebook !== null && (
                <>
                  {' '}
                  · {s('rounds.rulebook')}:{' '}
                  {rulesWriter(language, { ...table, rulebook: round.rulebook }).text(
                    `regulation.${round.rulebook}`,
                  )}
                </>
              )}
            </p>
            {round.profileSha256 !== null && (
              <p class="recall-table">
                {s('rounds.table')} <code>{round.profileSha256}</code>
              </p>
            )}
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
              <SeatOf key={seat.seat} seat={seat} rulebook={round.rulebook} />
            ))}
            {(['moneyBefore', 'corrections', 'errors', 'steps'] as const).map((part) => (
              <Entries
                key={part}
                title={s(`rounds.${part}`)}
                steps={round[part]}
                rulebook={round.rulebook}
                bytes={isStored}
              />
            ))}
          </article>
        )}
      </Loaded>
    </>
  );
}

function SeatOf({
  seat,
  rulebook,
}: {
  readonly seat: RoundDetail['seats'][number];
  readonly rulebook: RoundDetail['rulebook'];
}) {
  const { s, language, money, signed, tableCode } = useServiceWords();
  const { table } = useView();
  return (
    <section class="recall-seat">
      <h3>
        <span class="seat-number">{seat.seat}</span>
        <small>
          {s('rounds.before')} {money(seat.creditBeforeMinor)} → {s('rounds.after')}{' '}
          {money(seat.creditAfterMinor)}
        </small>
      </h3>
      {seat.wagers.length > 0 && (
        <p>
          {s('rounds.wagers')}:{' '}
          {seat.wagers
            .map(({ category, amountMinor }) => `${categoryText(category, language)} ${money(amountMinor)}`)
            .join(' · ')}
        </p>
      )}
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
            cell: (line) => formatArticles(line.cites, rulebook ?? table.rulebook, language),
          },
        ]}
      />
    </section>
  );
}

function Entries(props: {
  readonly title: string;
  readonly steps: readonly RoundStep[];
  readonly rulebook: RoundDetail['rulebook'];
  readonly bytes: boolean;
}) {
  const { title, steps, rulebook, bytes } = props;
  const { s, moment, tableCode } = useServiceWords();
  return (
    <>
      <h3>{title}</h3>
      {steps.length === 0 ? (
        <p class="service-note">{s('rounds.none')}</p>
      ) : (
        <DataTable
          label={title}
          rows={steps}
          keyOf={(step) => step.seq}
          columns={[
            { head: s('events.seq'), number: true, cell: (step) => step.seq },
            { head: s('events.time'), cell: (step) => moment(step.atMs) },
            { head: s('events.kind'), cell: (step) => tableCode('event', step.kind) },
            {
              head: s('events.body'),
              cell: ({ kind, body }) => (
                <EntryBody kind={kind} body={body} rulebook={rulebook} bytes={bytes} />
              ),
            },
          ]}
        />
      )}
    </>
  );
}

/** A bet, or the decision that raised it. */
function categoryText(category: string, language: Parameters<typeof textOfCode>[3]): string {
  const bet = textOfCode('table', 'bet.name', category, language);
  return bet === category ? textOfCode('table', 'act', category, language) : bet;
}

/** '2: ' before a bet that the bettor of another seat has laid here. */
const ofBettor = ({ by }: { readonly by: number }, seat: number): string => (by === seat ? '' : `${by}: `);
