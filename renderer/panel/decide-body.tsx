import { useComputed } from '@preact/signals';
import type { Choice } from '../../engine/table/steps.ts';
import type { SeatView, TableView } from '../../host/api.ts';
import { secondsLeft, useStation } from '../station.ts';
import { useWords } from '../words.ts';
import { choicesNow, insuranceParts } from './mode.ts';

/** The decisions of the moment. Lawful ones act, closed ones say why when touched. */
export function DecideBody({ seat, view }: { seat: SeatView; view: TableView }) {
  const station = useStation();
  const { t } = useWords();
  const { deadline, round } = view;
  const number = seat.seat;
  const seconds = useComputed(() =>
    deadline ? secondsLeft(deadline.atMs, station.nowMs.value) : null,
  ).value;

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
      <fieldset class="decisions" aria-label={t('seat.actions')}>
        {choices.map((choice) =>
          choice.act === 'insure' &&
          choice.allowed &&
          choice.minMinor !== null &&
          choice.maxMinor !== null ? (
            insuranceParts(choice.minMinor, choice.maxMinor, view.table.stepMinor).map(
              ({ part, amountMinor }) => (
                <Decision
                  key={`insure-${part}`}
                  choice={choice}
                  label={`${t('act.insure')} ${t(`offer.part.${part}`)}`}
                  amountMinor={amountMinor}
                  onTouch={() => decide(choice, amountMinor)}
                />
              ),
            )
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
      <span class={label.length > 11 ? 'decision-name decision-name-long' : 'decision-name'}>{label}</span>
      {amountMinor !== null && <small>{money(amountMinor)}</small>}
    </button>
  );
}
