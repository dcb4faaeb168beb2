import type { Choice } from '../../engine/table/steps.ts';
import type { SeatView, TableView } from '../../host/api.ts';
import type { TableText } from '../i18n.ts';
import { useSecondsLeft, useStation } from '../station.ts';
import { useWords } from '../words.ts';
import { choicesNow, insuranceAmounts, partOf } from './mode.ts';

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
      seat: number,
      hand: choice.hand,
      act: choice.act,
      ...(amountMinor === undefined ? {} : { amountMinor }),
      touchedAtMs: station.wire.hostNow(),
    });
  };

  const choices = choicesNow(seat);
  const stakeMinor = seat.bets.reduce((sum, bet) => sum + (bet.by === number ? bet.amountMinor : 0), 0);
  return (
    <div class="decide-body">
      <div class="decide-line">
        <DecideTitle seat={seat} choices={choices} />
        {seconds !== null && (
          <span class={seconds <= 5 ? 'seconds seconds-last' : 'seconds'}>
            {t('bet.seconds', { count: seconds })}
          </span>
        )}
      </div>
      <fieldset
        class="decisions"
        data-few={(choices.length <= 2 && seat.turnHand !== null) || undefined}
        aria-label={t('seat.actions')}
      >
        {choices.map((choice) =>
          choice.act === 'insure' &&
          choice.allowed &&
          choice.minMinor !== null &&
          choice.maxMinor !== null ? (
            insuranceAmounts(choice.minMinor, choice.maxMinor).map((amountMinor) => (
              <Decision
                key={`insure-${amountMinor}`}
                choice={choice}
                label={`${t('act.insure')} ${partName(partOf(amountMinor, stakeMinor), t)}`.trim()}
                amountMinor={amountMinor}
                onTouch={() => decide(choice, amountMinor)}
              />
            ))
          ) : (
            <Decision
              key={`${choice.act}-${choice.hand}`}
              choice={choice}
              label={t(`act.${choice.act}`)}
              amountMinor={choice.allowed ? choice.amountMinor : null}
              onTouch={() => decide(choice)}
            />
          ),
        )}
      </fieldset>
    </div>
  );
}

const partName = (part: ReturnType<typeof partOf>, t: TableText): string =>
  part === 'full' ? t('offer.full') : (part ?? '');

function DecideTitle({ seat, choices }: { seat: SeatView; choices: readonly Choice[] }) {
  const { t } = useWords();
  if (seat.turnHand === null) {
    const insures = choices.some((choice) => choice.act === 'insure');
    const even = choices.some((choice) => choice.act === 'evenMoney');
    return (
      <strong>{insures ? t('offer.insurance') : even ? t('offer.evenMoney') : t('offer.decide')}</strong>
    );
  }
  const hand = seat.hands[seat.turnHand];
  if (!hand) return <strong>{t('offer.decide')}</strong>;
  return (
    <strong>
      {seat.hands.length > 1 && `${t('hand.label', { n: seat.turnHand + 1, count: seat.hands.length })} · `}
      {t(hand.soft ? 'wait.softPoints' : 'wait.points', { points: hand.points })}
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
