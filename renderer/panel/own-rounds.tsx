import { useEffect, useRef, useState } from 'preact/hooks';
import type { Card } from '../../engine/core/cards.ts';
import type { OwnRound } from '../../wire/pages.ts';
import type { SeatView, TableView } from '../../wire/view.ts';
import { CardSign } from '../parts/bilingual.tsx';
import { Icon } from '../parts/icons.tsx';
import { QrCode } from '../parts/qr-code.tsx';
import { Scrolled } from '../parts/scrolled.tsx';
import { shortHash } from '../parts/short-hash.ts';
import { StepWords } from '../recall/step-words.tsx';
import { useStation, useView } from '../station/station.ts';
import { useQuery } from '../station/use-query.ts';
import { useWords, wordsIn } from '../station/words.ts';
import { formatClock } from '../texts/clock.ts';
import { ResultLine } from './result-body.tsx';
import { useSheet } from './use-sheet.ts';

/**
 * What the player of this seat has played last, and nobody else: one touch on the tab for the list,
 * one more for a round. It lies where the rules lie, and makes way for a decision as they do.
 */
export function OwnRoundsDrawer({ seat, view }: { readonly seat: SeatView; readonly view: TableView }) {
  const { t, signed } = useWords();
  const { last } = seat;
  const won = last && signed(last.netMinor);
  const net = won !== undefined && won.length <= LONGEST_NET ? won : null;
  /** '' = the list. */
  const { shown, show, touch } = useSheet<string>(seat, view);
  if (shown === null) {
    return (
      // What was won or lost stays in sight until the next bet, and opens while bets go on.
      <button
        type="button"
        class="seat-tab own-tab"
        data-last={last ? '' : undefined}
        aria-label={last && net ? `${t('recall.label', { no: last.no })} ${net}` : undefined}
        onClick={() => show(last?.roundId ?? '')}
      >
        <Icon name="past" />
        {net ?? t('recall.rounds')}
      </button>
    );
  }
  return (
    <div class="rules own-rounds" role="dialog" aria-label={t('recall.own')} onPointerDown={touch}>
      {shown === '' ? (
        <List seat={seat.seat} show={show} />
      ) : (
        <Round seat={seat.seat} roundId={shown} show={show} />
      )}
    </div>
  );
}

interface Show {
  readonly seat: number;
  readonly show: (shown: string | null) => void;
}

function Head(props: { readonly title: string; readonly onBack?: () => void; readonly onClose: () => void }) {
  const { t } = useWords();
  return (
    <div class="rules-head">
      {props.onBack && (
        <button type="button" class="key key-close" aria-label={t('recall.ownBack')} onClick={props.onBack}>
          <Icon name="back" />
        </button>
      )}
      <p class="rules-title">{props.title}</p>
      <button type="button" class="key key-close" aria-label={t('recall.ownClose')} onClick={props.onClose}>
        <Icon name="close" />
      </button>
    </div>
  );
}

/** Between two other tabs there is no room for more. */
const LONGEST_NET = 9;
/** Rounds of an answer. */
const OWN_PAGE = 10;

function List({ seat, show }: Show) {
  const { t, signed, language } = useWords();
  const { currency } = useView().table;
  const [from, setFrom] = useState(0);
  const { data, failure } = useQuery({ query: 'own-rounds', seat, from });
  return (
    <>
      <Head title={t('recall.own')} onClose={() => show(null)} />
      <Scrolled>
        {data === null ? (
          <p class="own-note">{t(failure === null ? 'recall.loading' : 'recall.failed')}</p>
        ) : data.rounds.length === 0 ? (
          <p class="own-note">{t('recall.ownNone')}</p>
        ) : (
          <ul class="own-list">
            {data.rounds.map(({ roundId, no, openedAtMs, netMinor, voided }) => (
              <li key={roundId}>
                <button
                  type="button"
                  class="button"
                  aria-label={t('recall.label', { no })}
                  onClick={() => show(roundId)}
                >
                  <span>
                    {t('recall.round', { no })} <small>{formatClock(openedAtMs, currency, language)}</small>
                  </span>
                  <b>{voided ? t('recall.voided') : signed(netMinor)}</b>
                </button>
              </li>
            ))}
          </ul>
        )}
        {(from > 0 || data?.more) && (
          <div class="own-pages">
            <button
              type="button"
              class="button"
              aria-disabled={from === 0}
              onClick={() => setFrom(Math.max(0, from - OWN_PAGE))}
            >
              {t('recall.newer')}
            </button>
            <button
              type="button"
              class="button"
              aria-disabled={!data?.more}
              onClick={() => data?.more && setFrom(from + OWN_PAGE)}
            >
              {t('recall.older')}
            </button>
          </div>
        )}
      </Scrolled>
    </>
  );
}

function Round({ seat, roundId, show }: Show & { readonly roundId: string }) {
  const { t } = useWords();
  const { data, failure } = useQuery({ query: 'own-round', seat, roundId });
  return (
    <>
      <Head
        title={data ? `${t('recall.mark')} ${t('recall.round', { no: data.no })}` : t('recall.own')}
        onBack={() => show('')}
        onClose={() => show(null)}
      />
      <Scrolled>
        {data ? (
          <Played round={data} seat={seat} />
        ) : (
          <p class="own-note">{t(failure === null ? 'recall.loading' : 'recall.failed')}</p>
        )}
      </Scrolled>
    </>
  );
}

/** The round in small, step by step, from its end; below it what every bet came to. */
function Played({ round, seat }: { readonly round: OwnRound; readonly seat: number }) {
  const { language, t, money, signed } = useWords();
  const { steps, lines } = round;
  const [at, setAt] = useState(steps.length - 1);
  const step = steps[at];
  // A round may have been played by another regulation than the one that is in force.
  const words = wordsIn(language, round.rulebook);
  if (!step) return null;
  // Notes put in while bets were open, or what was paid out.
  const movedMinor = round.creditAfterMinor - round.creditBeforeMinor - round.netMinor;
  return (
    <>
      <div class="own-table">
        <Hand name={t('recall.bank')} cards={step.bank} />
        {step.playerSide && <Hand name={t('bet.name.player')} cards={step.playerSide} />}
        {step.hands.map((hand, index) => (
          <Hand
            key={index}
            name={`${t(hand.seat === seat ? 'bet.yours' : 'recall.hand', { seat: hand.seat })} ${money(hand.stakeMinor)}`}
            cards={hand.cards}
          />
        ))}
      </div>
      <p class="own-step" role="status">
        <StepWords done={step.done} language={language} own={seat} />
      </p>
      <div class="own-controls">
        <button
          type="button"
          class="button"
          aria-label={t('recall.previous')}
          disabled={at === 0}
          onClick={() => setAt(at - 1)}
        >
          <Icon name="back" />
        </button>
        <output>{`${at + 1} / ${steps.length}`}</output>
        <button
          type="button"
          class="button"
          aria-label={t('recall.next')}
          disabled={at === steps.length - 1}
          onClick={() => setAt(at + 1)}
        >
          <Icon name="next" />
        </button>
      </div>
      <p class="own-sum">
        {t('recall.before')} {money(round.creditBeforeMinor)} → {t('recall.after')}{' '}
        {money(round.creditAfterMinor)} <b>{signed(round.netMinor)}</b>
        {movedMinor !== 0 && (
          <span class="own-moved">
            {t(movedMinor > 0 ? 'session.in' : 'session.out')} {money(Math.abs(movedMinor))}
          </span>
        )}
      </p>
      <p class="own-note">
        {t('recall.table')} <code>{shortHash(round.profileSha256)}</code>
      </p>
      {round.byHand && <p class="own-note">{t('recall.byHand')}</p>}
      <ul class="own-lines">
        {lines.map((line, index) => (
          <ResultLine
            key={index}
            words={words}
            line={line}
            own={line.seat === seat}
            hands={step.hands.filter((hand) => hand.seat === line.seat).length}
            title=""
          />
        ))}
      </ul>
      {round.receipt !== null && <Receipt text={round.receipt} seat={seat} roundId={round.roundId} />}
    </>
  );
}

/**
 * What the terminal has signed of the round, to be taken home by a telephone: its page opens with
 * the link, or docs/receipt/verify.html checks the text.
 */
function Receipt(props: { readonly text: string; readonly seat: number; readonly roundId: string }) {
  const { text, seat, roundId } = props;
  const { t } = useWords();
  const { wire } = useStation();
  const { devices } = useView();
  const [said, setSaid] = useState('');
  const answer = useRef<HTMLOutputElement>(null);
  // It stands below the button, at the end of the sheet.
  useEffect(() => {
    if (said !== '') answer.current?.scrollIntoView({ block: 'nearest' });
  }, [said]);
  const print = async (): Promise<void> => {
    const told = await wire.send({ type: 'print-receipt', seat, roundId });
    setSaid(told.status === 'rejected' ? t(`reject.${told.code}`) : t('recall.printing'));
  };
  return (
    <figure class="own-receipt">
      <QrCode text={text} label={t('recall.receipt')} />
      <figcaption>{t('recall.receipt')}</figcaption>
      {devices.some(({ kind, state }) => kind === 'receipt-printer' && state === 'idle') && (
        <button type="button" class="button" onClick={() => void print()}>
          {t('recall.print')}
        </button>
      )}
      <output ref={answer}>{said}</output>
    </figure>
  );
}

function Hand({ name, cards }: { readonly name: string; readonly cards: readonly (Card | null)[] }) {
  if (cards.length === 0) return null;
  return (
    <p class="own-hand">
      <span>{name}</span>
      {cards.map((card, index) =>
        card === null ? (
          <span key={index} class="card-sign card-back">
            ?
          </span>
        ) : (
          <CardSign key={index} card={card} />
        ),
      )}
    </p>
  );
}
