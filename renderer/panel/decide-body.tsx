import { useId, useState } from 'preact/hooks';
import type { Choice } from '../../engine/table/steps.ts';
import type { SeatView, TableView } from '../../wire/view.ts';
import { choicesNow, pointsText } from '../parts/mode.ts';
import { useSecondsLeft, useStation } from '../station/station.ts';
import { useWords } from '../station/words.ts';
import { amountText } from '../table/chips.ts';
import { formGameOf } from '../table/form.ts';
import { amountToLay, costsOf, stakeOf } from './costs.ts';
import { decisionOf } from './decision.ts';
import { HandCards, OtherHands } from './hand-cards.tsx';
import { InsuranceChooser } from './insurance-chooser.tsx';
import { type Matter, questionText } from './question.ts';

interface Props {
  readonly seat: SeatView;
  readonly view: TableView;
  /** Puts the panel down again, where to wait is to touch nothing. */
  readonly onWait: () => void;
}

/**
 * The decision of the moment, from above: the hand, one question, what can be answered, and what
 * can be bought beside it.
 */
export function DecideBody(props: Props) {
  const { seat, view } = props;
  const choices = choicesNow(seat);
  const [first] = choices;
  if (!first) return null;
  const subject = view.seats.find((each) => each.seat === first.seat) ?? seat;
  const hand = subject.hands[first.hand];
  // What is half chosen for one hand is not chosen for the next, nor after another card.
  const matter = [view.round?.id, view.phase, first.seat, first.hand, hand?.cards.length].join();
  return <Decide {...props} key={matter} choices={choices} subject={subject} hand={hand} />;
}

function Decide(props: Props & Matter & { readonly choices: readonly Choice[] }) {
  const { seat, view, choices, subject, hand, onWait } = props;
  const station = useStation();
  const { t, language } = useWords();
  const asked = useId();
  const [givesUp, setGivesUp] = useState(false);
  const number = seat.seat;
  const { question, acts, insurance, surrender, mayWait } = decisionOf(choices);
  const stakeMinor = stakeOf(subject, hand, number);
  // It tells what lies face down.
  const unspoken = hand?.faceDown ? '' : undefined;

  const decide = (choice: Choice, amountMinor = amountToLay(choice, subject, number)): void => {
    if (!view.round) return;
    station.dismiss(number);
    void station.send(number, {
      type: 'decide',
      roundId: view.round.id,
      seat: choice.seat,
      ...(choice.seat === number ? {} : { by: number }),
      hand: choice.hand,
      act: choice.act,
      ...(amountMinor === undefined ? {} : { amountMinor }),
      touchedAtMs: station.wire.hostNow(),
    });
  };
  const costs = (act: Choice['act'] | 'wait', choice?: Choice): readonly string[] => {
    const amountMinor = choice?.amountMinor ?? (choice && amountToLay(choice, subject, number));
    return costsOf(act, { view, hand, question, stakeMinor, amountMinor }, t, language);
  };
  const waits = question === 'evenMoney' ? t('offer.wait') : t('act.playOn');
  const isInsurable = acts.length > 0 && insurance !== null && !(givesUp && surrender);

  return (
    <div class={isInsurable ? 'decide-body decide-insurance' : 'decide-body'}>
      {hand && <HandCards cards={hand.cards} isUnspoken={hand.faceDown} />}
      <HandLine {...props} number={number} stakeMinor={stakeMinor} />
      <OtherHands hands={seat.hands} decided={subject === seat ? (choices[0]?.hand ?? 0) : null} />
      <p
        class={seat.intent?.dropped ? 'question ahead-dropped' : 'question'}
        id={asked}
        role="status"
        data-unspoken={unspoken}
      >
        {seat.intent?.dropped
          ? t('ahead.dropped', { act: t(`act.${seat.intent.act}`) })
          : givesUp
            ? t('offer.giveUp')
            : questionText(question, view, { subject, hand }, t)}
      </p>
      <fieldset class="decisions" aria-label={t('seat.actions')} aria-describedby={asked}>
        {givesUp && surrender ? (
          <div class="acts">
            <Act
              act="surrender"
              name={t('act.surrender')}
              costs={costs('surrender', surrender)}
              onTouch={() => decide(surrender)}
            />
            <Act act="back" name={t('offer.back')} costs={[]} onTouch={() => setGivesUp(false)} />
          </div>
        ) : (
          <>
            {acts.length > 0 && (
              <div class={question === 'turn' ? 'acts' : 'acts acts-wide'}>
                {acts.map((choice) => (
                  <Act
                    key={choice.act}
                    act={choice.act}
                    name={choice.act === 'playOn' ? waits : t(`act.${choice.act}`)}
                    costs={costs(choice.act, choice)}
                    isUnspoken={choice.act === 'stand' && hand?.faceDown}
                    onTouch={() => decide(choice)}
                  />
                ))}
                {mayWait && <Act act="wait" name={waits} costs={costs('wait')} onTouch={onWait} />}
              </div>
            )}
            {insurance && (
              <InsuranceChooser
                insure={insurance.insure}
                stakeMinor={stakeMinor}
                onInsure={(amountMinor) => decide(insurance.insure, amountMinor)}
                onNo={insurance.no && decide.bind(null, insurance.no, undefined)}
              />
            )}
            {surrender && (
              <button type="button" class="give-up" onClick={() => setGivesUp(true)}>
                <b>{t('act.surrender')}</b> <small>{costs('surrender', surrender)}</small>
              </button>
            )}
          </>
        )}
      </fieldset>
    </div>
  );
}

/** Total, whose hand it is where that is not plain, the stake and the time that is left. */
function HandLine(
  props: Matter & {
    readonly view: TableView;
    readonly choices: readonly Choice[];
    /** Of the seat that decides. */
    readonly number: number;
    readonly stakeMinor: number;
  },
) {
  const { view, choices, subject, hand, number, stakeMinor } = props;
  const { t, language } = useWords();
  const { deadline } = view;
  const insured = subject.insurance.reduce(
    (sum, each) => sum + (each.by === number ? each.amountMinor : 0),
    0,
  );
  const total = formGameOf(view.table.rulebook) === 'casino-war' || !hand ? '' : pointsText(hand, t);
  return (
    <div class="hand-line">
      <div class="hand-words">
        <strong class="hand-total" data-unspoken={hand?.faceDown ? '' : undefined}>
          {subject.seat !== number && (
            <span
              class="seat-number seat-mark"
              role="img"
              aria-label={t('seat.name', { seat: subject.seat })}
            >
              {subject.seat}
            </span>
          )}
          {hand?.status === 'blackjack' ? t('hand.blackjack') : total}
        </strong>
        {subject.hands.length > 1 && (
          <span>{t('hand.label', { n: (choices[0]?.hand ?? 0) + 1, count: subject.hands.length })}</span>
        )}
        <span>
          {t('bet.yours')} <b>{amountText(stakeMinor, language)}</b>
        </span>
        {insured > 0 && <span>{t('bet.insured', { amount: insured })}</span>}
      </div>
      {deadline && <Ring atMs={deadline.atMs} totalMs={deadline.totalMs} />}
    </div>
  );
}

const LAST_SECONDS = 5;

/** The time that is left for the answer. */
function Ring({ atMs, totalMs }: { readonly atMs: number; readonly totalMs: number }) {
  const { t } = useWords();
  const seconds = useSecondsLeft(atMs) ?? 0;
  return (
    <span
      class={seconds <= LAST_SECONDS ? 'ring ring-last' : 'ring'}
      role="img"
      aria-label={t('bet.seconds', { count: seconds })}
      style={{ '--left': Math.min(1, (1_000 * seconds) / totalMs) }}
    >
      {seconds}
    </span>
  );
}

/** A button of a decision: its name, and what it costs and may win. */
function Act(props: {
  readonly act: Choice['act'] | 'wait' | 'back';
  readonly name: string;
  readonly costs: readonly string[];
  /** They tell what lies face down. */
  readonly isUnspoken?: boolean | undefined;
  readonly onTouch: () => void;
}) {
  const { act, name, costs, isUnspoken, onTouch } = props;
  return (
    <button type="button" class={`decision decision-${act}`} data-act={act} onClick={onTouch}>
      <span class="decision-name">{name}</span>
      {costs.map((line) => (
        <small key={line} data-unspoken={isUnspoken ? '' : undefined}>
          {' '}
          {line}
        </small>
      ))}
    </button>
  );
}
