import type { Choice } from '../../engine/table/steps.ts';
import type { SeatView, TableView } from '../../wire/view.ts';
import { OwnCards } from '../parts/bilingual.tsx';
import { choicesNow, insuranceAmounts, partOf, pointsText } from '../parts/mode.ts';
import { useSecondsLeft, useStation } from '../station/station.ts';
import { useWords } from '../station/words.ts';
import type { TableText } from '../texts/i18n.ts';

/** The decisions of the moment. Lawful ones act, closed ones say why when touched. */
export function DecideBody({ seat, view }: { seat: SeatView; view: TableView }) {
  const station = useStation();
  const { t } = useWords();
  const { deadline, round } = view;
  const number = seat.seat;
  const seconds = useSecondsLeft(deadline?.atMs ?? null);

  const decide = (choice: Choice, amountMinor?: number): void => {
    if (!choice.allowed || !round) {
      station.notify(number, { code: choice.code ?? 'not-allowed', cites: choice.cites, act: choice.act });
      return;
    }
    station.dismiss(number);
    void station.send(number, {
      type: 'decide',
      roundId: round.id,
      seat: choice.seat,
      ...(choice.seat === number ? {} : { by: number }),
      hand: choice.hand,
      act: choice.act,
      ...(amountMinor === undefined ? {} : { amountMinor }),
      touchedAtMs: station.wire.hostNow(),
    });
  };

  const choices = choicesNow(seat);
  const subject = view.seats.find((each) => each.seat === choices[0]?.seat) ?? seat;
  const laid = (kind: string): number =>
    subject.bets.find(({ by, bet }) => by === number && bet === kind)?.amountMinor ?? 0;
  const stakeMinor = laid('main');
  return (
    <div class="decide-body">
      <div class="decide-line">
        {seat.intent?.dropped ? (
          <strong class="ahead-dropped" role="status">
            {t('ahead.dropped', { act: t(`act.${seat.intent.act}`) })}
          </strong>
        ) : (
          <DecideTitle subject={subject} own={subject === seat} choices={choices} />
        )}
        {seconds !== null && (
          <span class={seconds <= 5 ? 'seconds seconds-last' : 'seconds'}>
            {t('bet.seconds', { count: seconds })}
          </span>
        )}
      </div>
      <fieldset
        class="decisions"
        data-few={(choices.length <= 2 && !isOffer(choices) && subject.turnHand !== null) || undefined}
        aria-label={t('seat.actions')}
      >
        {choices.map((choice) =>
          amountsToLay(choice, laid('anyPair')).map((amountMinor) => (
            <Decision
              key={`${choice.act}-${choice.hand}-${amountMinor ?? ''}`}
              choice={choice}
              label={
                choice.act === 'insure' && amountMinor !== undefined
                  ? `${t('act.insure')} ${partName(partOf(amountMinor, stakeMinor), t)}`.trim()
                  : t(`act.${choice.act}`)
              }
              amountMinor={amountMinor ?? (choice.allowed ? choice.amountMinor : null)}
              onTouch={() => decide(choice, amountMinor)}
            />
          )),
        )}
      </fieldset>
    </div>
  );
}

const partName = (part: ReturnType<typeof partOf>, t: TableText): string =>
  part === 'full' ? t('offer.full') : (part ?? '');

/**
 * The amounts a decision can be touched with; undefined = it needs none. Any pair on a split hand
 * (art. 13.1.2) is laid with as much as on the first pair.
 */
function amountsToLay(choice: Choice, pairMinor: number): readonly (number | undefined)[] {
  const { act, allowed, minMinor, maxMinor } = choice;
  if (!allowed || minMinor === null || maxMinor === null) return [undefined];
  if (act === 'insure') return insuranceAmounts(minMinor, maxMinor);
  return act === 'betPair' ? [Math.max(minMinor, Math.min(pairMinor, maxMinor))] : [undefined];
}

/** Asked outside the turn: to go on without is an answer, too. */
const isOffer = (choices: readonly Choice[]): boolean => choices.some(({ act }) => act === 'playOn');

/** What is asked, and about whose hand where it is not that of the seat itself. */
function DecideTitle(props: {
  readonly subject: SeatView;
  readonly own: boolean;
  readonly choices: readonly Choice[];
}) {
  const { t } = useWords();
  const { subject, own, choices } = props;
  const has = (act: Choice['act']): boolean => choices.some((choice) => choice.act === act);
  const place = own ? null : (
    <span class="seat-number seat-mark" role="img" aria-label={t('seat.name', { seat: subject.seat })}>
      {subject.seat}
    </span>
  );
  if (subject.turnHand === null || isOffer(choices)) {
    const asked = has('insure') ? 'offer.insurance' : has('evenMoney') ? 'offer.evenMoney' : 'offer.decide';
    return (
      <strong>
        {place}
        {t(asked)}
      </strong>
    );
  }
  if (has('goToWar')) return <strong>{t('offer.war')}</strong>;
  const hand = subject.hands[subject.turnHand];
  if (!hand) return <strong>{t('offer.decide')}</strong>;
  return (
    <strong>
      {place}
      {subject.hands.length > 1 &&
        `${t('hand.label', { n: subject.turnHand + 1, count: subject.hands.length })} · `}
      {hand.faceDown && <OwnCards cards={hand.cards} />}
      {pointsText(hand, t)}
    </strong>
  );
}

function Decision(props: {
  readonly choice: Choice;
  readonly label: string;
  readonly amountMinor: number | null;
  readonly onTouch: () => void;
}) {
  const { money } = useWords();
  const { choice, label, amountMinor } = props;
  return (
    <button
      type="button"
      class={`decision decision-${choice.act}`}
      data-act={choice.act}
      aria-disabled={!choice.allowed}
      onClick={props.onTouch}
    >
      <span class={label.length > 9 ? 'decision-name decision-name-long' : 'decision-name'}>{label}</span>
      {amountMinor !== null && <small>{money(amountMinor)}</small>}
    </button>
  );
}
